# One thing to watch.
define profile::watch (
  Integer[1, 65535] $port,
) {
  $file = regsubst($title, '\s+', '_', 'G')
  file { "/etc/prometheus/${file}.yml":
    ensure  => file,
    content => @("YAML"),
      name: ${title}
      port: ${port}
      | YAML
  }
}
