# Functions on texts.
$total = Integer[1, 15000].reduce(0) |$memo, $i| {
  $parts = split("a,b,${i},d", ',')
  $text = join($parts, '-')
  $memo + length(sprintf('%05d %s', $i, upcase($text)))
}
notice($total)
