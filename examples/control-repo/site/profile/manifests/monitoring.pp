# Watches what the other machines export.
class profile::monitoring (
  Array[Struct[{ name => String, port => Variant[Integer, String] }]] $targets,
) {
  $targets.each |$target| {
    profile::watch { "${target['name']} everywhere":
      port => Integer($target['port']),
    }
  }

  Profile::Watch <<| |>>
}
