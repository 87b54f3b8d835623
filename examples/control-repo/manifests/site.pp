# Every node gets the classes that its data names.
node default {
  $classes = lookup('classes', Array[String[1]], 'unique', [])
  include $classes
}

# The machine that builds the others takes nothing from data.
node /^build\d+\./ {
  include profile::base
}
