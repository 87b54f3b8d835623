//! Functions about texts.

mod capitalize;
mod case;
mod digest;
mod each_text;
mod length;
mod matches;
mod regsubst;
mod scanf;
mod shellquote;
mod split;
mod sprintf;
mod strip;

use hierarch_eval::function::Function;

/// The functions of this family.
pub static STRINGS: &[&Function] = &[
    &capitalize::CAMELCASE,
    &capitalize::CAPITALIZE,
    &case::DOWNCASE,
    &case::UPCASE,
    &digest::DIGEST,
    &digest::MD5,
    &digest::SHA1,
    &digest::SHA256,
    &length::LENGTH,
    &length::SIZE,
    &matches::MATCH,
    &regsubst::REGSUBST,
    &scanf::SCANF,
    &shellquote::SHELLQUOTE,
    &split::SPLIT,
    &sprintf::SPRINTF,
    &strip::CHOMP,
    &strip::CHOP,
    &strip::LSTRIP,
    &strip::RSTRIP,
    &strip::STRIP,
];
