//! All words of the command line that a user can read about what is wrong.

use hierarch_hiera::issues::ruby;
use hierarch_source::Error;

/// There is nothing to look up.
pub(crate) fn no_keys() -> Error {
    ruby("No keys were given to lookup.")
}

/// `--merge` has a value it does not accept.
pub(crate) fn bad_merge_flag() -> Error {
    ruby(
        "The --merge option only accepts 'first', 'hash', 'unique', or 'deep'\nRun 'puppet lookup --help' for more details",
    )
}

/// Flags are given that only a deep merge understands.
pub(crate) fn only_with_deep() -> Error {
    ruby(
        "The options --knock-out-prefix, --sort-merged-arrays, and --merge-hash-arrays are only available with '--merge deep'\nRun 'puppet lookup --help' for more details",
    )
}
