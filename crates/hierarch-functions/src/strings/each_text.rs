//! How functions change one text, or all texts of something iterable.

use crate::prelude::*;

/// Returns the argument changed: a text, or the elements of an iterable; numbers stay as they are.
pub(super) fn change(call: &mut Call, change: fn(&str) -> String) -> Result<Value> {
    match call.value(0) {
        Value::String(text) => Ok(change(text).into()),
        Value::Integer(_) | Value::Float(_) => Ok(call.take(0)),
        _ => {
            let mut changed = Vec::new();
            for item in call.items(0) {
                call.step()?;
                changed.push(item.as_str().map_or_else(|| item.clone(), |text| change(text).into()));
            }
            Ok(Value::array(changed))
        }
    }
}

/// Declares functions that change texts in this way, each with its code.
macro_rules! text_functions {
    ($($static:ident, $body:ident, $change:path, $name:literal, $doc:literal, [$($example:expr),* $(,)?];)*) => {$(
        #[doc = concat!("The function `", $name, "`.")]
        pub(super) static $static: Function = Function {
            name: $name,
            doc: concat!($doc, " Of an iterable value, it returns an Array of its elements, each changed so. Numbers stay as they are."),
            dispatches: &[
                on(&["Numeric arg"], $body),
                on(&["String arg"], $body),
                on(&["Iterable[Variant[String, Numeric]] arg"], $body),
            ],
            examples: &[$($example),*],
        };

        fn $body(call: &mut Call) -> Result<Value> {
            super::each_text::change(call, $change)
        }
    )*};
}

pub(super) use text_functions;
