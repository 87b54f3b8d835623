# A machine that serves web sites.
class role::web {
  include profile::base
  include profile::web
}
