//! `Boolean.new`.

use std::sync::OnceLock;

use hierarch_source::Result;

use super::Host;
use super::constructor::{Constructor, cannot};
use crate::Value;

pub(super) static CONSTRUCTOR: Constructor = Constructor {
    name: "new_boolean",
    locals: &[],
    dispatches: &[(
        &["Variant[Integer, Float, Boolean, Enum['false','true','yes','no','y','n',true]] from"],
        convert,
    )],
    complaints: &[(&["Any from"], complain)],
    read: OnceLock::new(),
};

fn convert(arguments: &[Value], _: &dyn Host) -> Result<Value> {
    Ok(match &arguments[0] {
        Value::Integer(number) => *number != 0,
        Value::Float(number) => *number != 0.0,
        Value::Boolean(truth) => *truth,
        Value::String(text) => !matches!(&text.to_lowercase()[..], "false" | "no" | "n"),
        _ => true,
    }
    .into())
}

fn complain(arguments: &[Value]) -> Result<String> {
    Ok(cannot(&arguments[0], "Boolean"))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_prints;

    #[test]
    fn words_and_numbers_become_booleans() {
        for (code, expected) in [
            ("Boolean('true')", "true"),
            ("Boolean('TRUE')", "true"),
            ("Boolean('yes')", "true"),
            ("Boolean('y')", "true"),
            ("Boolean('no')", "false"),
            ("Boolean('N')", "false"),
            ("Boolean('false')", "false"),
            ("Boolean('')", "'new_boolean' The string '' cannot be converted to Boolean"),
        ] {
            check_prints(code, expected);
        }
    }
}
