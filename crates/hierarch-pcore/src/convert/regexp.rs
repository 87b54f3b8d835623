//! `Regexp.new`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::Value;
use crate::regex::Regexp;

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_float",
    locals: &[],
    dispatches: &[(&["String pattern", "?Boolean escape"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    let source = arguments[0].as_str().unwrap_or_default();
    let is_literal = arguments.get(1).and_then(Value::as_boolean) == Some(true);
    Ok(if is_literal { Regexp::escaped(source) } else { Regexp::new(source) }?.into())
}
