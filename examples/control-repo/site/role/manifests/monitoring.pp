# A machine that watches the others.
class role::monitoring {
  include profile::base
  include profile::monitoring
}
