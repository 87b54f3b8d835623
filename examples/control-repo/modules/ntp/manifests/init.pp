# Keeps the clock right.
#
# @param servers whom to ask, the nearest first
# @param options what is said to every server; a flag is written alone, a number after its name
class ntp (
  String[1]                                 $package,
  String[1]                                 $service,
  Array[String[1], 1]                       $servers,
  Hash[String[1], Variant[Boolean,Integer]] $options,
) {
  contain ntp::install
  contain ntp::config

  Class['ntp::install'] -> Class['ntp::config']

  service { $service:
    ensure    => running,
    enable    => true,
    subscribe => Class['ntp::config'],
  }
}
