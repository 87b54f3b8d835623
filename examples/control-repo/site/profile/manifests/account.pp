# A login with its home directory.
#
# @param uid the number of the user, and of the group of the same name
# @param groups further groups
# @param shell what runs after login
define profile::account (
  Integer[1000]    $uid,
  Array[String[1]] $groups = [],
  String[1]        $shell  = '/bin/sh',
) {
  group { $title:
    ensure => present,
    gid    => $uid,
  }

  user { $title:
    ensure     => present,
    uid        => $uid,
    gid        => $uid,
    groups     => $groups,
    shell      => $shell,
    managehome => true,
    require    => Group[$title],
  }
}
