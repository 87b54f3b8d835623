# Sourced by the scripts that measure: finds the programs they measure, and where Puppet is. HIERARCH_PROGRAM and XTASK name
# programs that are built already, EXAMPLES the folder of xtask's examples; what is not named is built with the profile that is
# shipped, or with HIERARCH_PROFILE (`release` takes half the time to build, and its programs are barely slower).
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
chroot=${HIERARCH_CHROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/hierarch/puppet8}

program() { # hierarch, xtask, or the name of an example of xtask's: prints its path, and builds it where none is named
  local named made=${CARGO_TARGET_DIR:-$root/target}/${HIERARCH_PROFILE:-dist} arguments
  case $1 in
    hierarch) named=${HIERARCH_PROGRAM:-} made=$made/hierarch arguments=(--package hierarch) ;;
    xtask) named=${XTASK:-} made=$made/xtask arguments=(--package xtask) ;;
    *) named=${EXAMPLES:+$EXAMPLES/$1} made=$made/examples/$1 arguments=(--package xtask --example "$1") ;;
  esac
  if [ -z "$named" ]; then
    (cd "$root" && cargo build --quiet --profile "${HIERARCH_PROFILE:-dist}" "${arguments[@]}") >&2
    named=$made
  fi
  realpath "$named"
}
field() { sed -E "s/.*\"$1\":([0-9.e+-]+).*/\1/" <<<"$2"; } # a number of a line of JSON
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'; }
