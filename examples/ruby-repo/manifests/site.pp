node default {
  include site
}
