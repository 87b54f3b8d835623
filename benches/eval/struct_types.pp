# Type checks of a nested Struct.
type Bench::Address = Struct[{ street => String[1], number => Integer[1], Optional[zip] => Pattern[/^\d{5}$/] }]
type Bench::Person = Struct[{ name => String[1], age => Integer[0, 150], addresses => Array[Bench::Address, 1], tags => Hash[String, Variant[String, Integer]] }]
$person = { name => 'Jo', age => 42, addresses => [{ street => 'Main', number => 5, zip => '12345' }, { street => 'Side', number => 7 }], tags => { a => 1, b => 'two' } }
$count = Integer[1, 5000].reduce(0) |$memo, $i| {
  if $person =~ Bench::Person { $memo + 1 } else { $memo }
}
notice($count)
