# One person with a login.
type Profile::User = Struct[{
  uid              => Integer[1000],
  Optional[groups] => Array[String[1]],
  Optional[shell]  => Pattern[/\A\//],
}]
