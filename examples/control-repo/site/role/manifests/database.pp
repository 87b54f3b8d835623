# A machine that keeps data.
class role::database {
  include profile::base
  include profile::database
}
