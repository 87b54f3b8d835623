# A web server with its sites.
class profile::web (
  Integer[1, 65535]   $port,
  String[1]           $server_name,
  Hash[String, Hash]  $sites,
  String[1]           $config_dir,
  Array[String[1]]    $hosts = [],
) {
  service { 'nginx':
    ensure => running,
    enable => true,
  }

  $sites.each |$name, $site| {
    $listen = $site['listen'].map |$entry| {
      $entry ? {
        Struct[{ address => String, port => Any }] => "${entry['address']}:${entry['port']}",
        default                                    => "${entry['port']}",
      }
    }
    file { "${config_dir}/${name}.conf":
      ensure  => file,
      content => epp('profile/site.conf.epp', {
        'server_name' => $server_name,
        'root'        => $site['root'],
        'listen'      => $listen,
      }),
      notify  => Service['nginx'],
    }
  }

  @@profile::watch { "${facts['networking']['fqdn']} web":
    port => $port,
  }
}
