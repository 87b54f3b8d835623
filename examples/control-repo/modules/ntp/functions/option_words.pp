# Writes options as the daemon reads them: `{iburst => true, minpoll => 6}` becomes `iburst minpoll 6`.
function ntp::option_words(Hash[String, Variant[Boolean, Integer]] $options) >> String {
  $words = $options.map |$name, $value| {
    case $value {
      true:    { $name }
      false:   { undef }
      default: { "${name} ${value}" }
    }
  }
  $words.filter |$word| { $word =~ NotUndef }.join(' ')
}
