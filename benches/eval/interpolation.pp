# Texts with values in them.
$total = Integer[1, 30000].reduce(0) |$memo, $i| {
  $name = "host-${i}.example.com"
  $line = "${name}:${$i + 1} (${memo})"
  $memo + length($line)
}
notice($total)
