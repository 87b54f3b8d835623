# Greets whoever logs in.
class motd (
  String $path,
  String $message,
) {
  file { $path:
    ensure  => file,
    content => epp('motd/motd.epp', { 'message' => $message }),
  }
}
