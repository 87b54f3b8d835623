# A large hash, and thirty sums of it with a few entries each.
$big = Hash(Integer[1, 20000].map |$n| { ["key${n}", $n] })
$sizes = Integer[1, 30].map |$n| { ($big + { "new${n}" => $n, 'key7' => $n }).length }
notice($sizes)
