# Loops of arithmetic.
$sum = Integer[1, 40000].reduce(0) |$memo, $i| {
  $square = $i * $i
  ($memo + $square % 7 - $i / 3) % 1000003
}
notice($sum)
