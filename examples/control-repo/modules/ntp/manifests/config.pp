# The configuration file.
class ntp::config {
  $words = ntp::option_words($ntp::options)
  $lines = $ntp::servers.map |$server| { "server ${server} ${words}\n" }

  file { '/etc/ntp.conf':
    ensure  => file,
    content => join($lines),
  }
}
