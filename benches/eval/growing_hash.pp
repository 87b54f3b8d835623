# A hash that grows by merging.
$hash = Integer[1, 2000].reduce({}) |$memo, $i| { $memo + { "key${i}" => $i } }
notice($hash.length)
