# The package.
class ntp::install {
  package { $ntp::package:
    ensure => installed,
  }
}
