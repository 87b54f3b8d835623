//! Everything templates can say to a user, by what it is about.

mod filters;
mod syntax;
mod values;

use hierarch_source::Error;

pub(super) use self::filters::*;
pub(super) use self::syntax::*;
pub(super) use self::values::*;
use crate::expr::issues::template;

pub(super) fn setting_without_value(setting: &str) -> Error {
    template(&format!("a setting without a value: {setting}"))
}

pub(super) fn unknown_setting(name: &str) -> Error {
    template(&format!("unknown setting {name}"))
}

pub(super) fn empty_mark(name: &str) -> Error {
    template(&format!("the setting {name} must not be empty"))
}
