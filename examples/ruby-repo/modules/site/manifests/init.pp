# A service whose configuration is an ERB template, with values that Ruby finds and works out.
class site (
  Array[String] $listen,
  Integer $workers,
  Array[String] $networks,
) {
  $network = site::network_of($facts['ip'], $networks)

  file { '/etc/site.conf':
    ensure  => file,
    content => template('site/site.conf.erb'),
  }

  $networks.each |$index, $known| {
    notify { "network ${index}":
      message => site_sentence("${known} has ${site::addresses($known)} addresses", $known == $network),
    }
  }
}
