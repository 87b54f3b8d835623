# What every machine has: time, a greeting, packages, users and kernel settings.
class profile::base (
  Array[String[1]]                $packages  = [],
  Hash[String[1], Integer]        $sysctl    = {},
  Hash[String[1], Profile::User]  $users     = {},
  Array[String[1]]                $resolvers = ['9.9.9.9'],
) {
  include ntp
  include motd

  package { $packages:
    ensure => installed,
  }

  $users.each |String $name, Profile::User $settings| {
    profile::account { $name:
      * => $settings,
    }
  }

  $sysctl.each |$key, $value| {
    file { "/etc/sysctl.d/${key}.conf":
      ensure  => file,
      content => "${key} = ${value}\n",
      mode    => '0644',
    }
  }

  file { '/etc/resolv.conf':
    ensure  => file,
    content => epp('profile/resolv.conf.epp', {
      'resolvers' => $resolvers,
      'domain'    => lookup('domain'),
    }),
  }
}
