//! `String.new`: any value as text, under the direction of formats.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::Constructor;
use crate::{Value, format};

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_string",
    locals: &[
        ("Format", r"Pattern[/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/]"),
        (
            "ContainerFormat",
            "Struct[{Optional[format] => Format, Optional[separator] => String, Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]",
        ),
        ("TypeMap", "Hash[Type, Variant[Format, ContainerFormat]]"),
        ("Convertible", "Any"),
        ("Formats", "Variant[Default, String[1], TypeMap]"),
    ],
    dispatches: &[(&["Convertible from", "?Formats string_formats"], convert)],
    complaints: &[],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], host: &dyn Host) -> Result<Value> {
    let formats = arguments.get(1).unwrap_or(&Value::Default);
    format::converted(&arguments[0], formats, host.largest()).map(Value::from)
}
