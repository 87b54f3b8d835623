# A PostgreSQL server.
class profile::database (
  Integer[1, 65535]                     $port,
  Sensitive[String]                     $password,
  Array[String[1]]                      $allowed  = [],
  Hash[String, Variant[Integer,String]] $settings = {},
) {
  $lines = { 'port' => $port } + $settings

  file { '/etc/postgresql/postgresql.conf':
    ensure  => file,
    content => $lines.map |$key, $value| { "${key} = ${value}\n" }.join,
  }

  file { '/etc/postgresql/pg_hba.conf':
    ensure  => file,
    content => $allowed.map |$host| { "host all all ${host} scram-sha-256\n" }.join,
  }

  file { '/etc/postgresql/password':
    ensure  => file,
    mode    => '0400',
    content => $password,
  }

  service { 'postgresql':
    ensure    => running,
    subscribe => File['/etc/postgresql/postgresql.conf', '/etc/postgresql/pg_hba.conf'],
  }
}
