# Matches and what they capture.
$found = Integer[1, 20000].reduce(0) |$memo, $i| {
  $text = "web${i}.example.com"
  if $text =~ /^([a-z]+)(\d+)\.(.*)$/ {
    $memo + length($1) + length($3)
  } else {
    $memo
  }
}
notice($found)
