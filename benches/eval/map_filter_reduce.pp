# map, filter and reduce over 100,000 items.
$items = Integer[1, 100000].map |$i| { $i * 3 }
$even = $items.filter |$i| { $i % 2 == 0 }
notice($even.reduce |$sum, $i| { $sum + $i })
