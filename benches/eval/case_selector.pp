# Conditionals.
$sum = Integer[1, 30000].reduce(0) |$memo, $i| {
  $kind = $i % 5 ? { 0 => 'zero', 1 => 'one', Integer[2, 3] => 'some', default => 'many' }
  $memo + case $kind {
    'zero', 'one': { 1 }
    /^s/:          { 2 }
    default:       { 3 }
  }
}
notice($sum)
