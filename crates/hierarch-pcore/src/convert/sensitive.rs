//! `Sensitive.new`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::Value;

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_Sensitive",
    locals: &[],
    dispatches: &[(&["Sensitive value"], convert), (&["Any value"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    Ok(Value::sensitive(arguments[0].clone()))
}
