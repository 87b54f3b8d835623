# A function that calls itself.
function fibonacci(Integer $n) >> Integer {
  if $n < 2 { $n } else { fibonacci($n - 1) + fibonacci($n - 2) }
}
notice(fibonacci(17))
