//! `assert_private`: classes and defined types that only their own module may use.

use crate::prelude::*;
use issues::stdlib::{is_private, odd_count};

/// The function `assert_private`.
pub(super) static ASSERT_PRIVATE: Function = Function {
    name: "assert_private",
    doc: "Fails, with its argument as the message, if the class or defined type around it is used from another module.",
    dispatches: &[legacy(-1, assert_private)],
    examples: &[
        Fails("assert_private()", "Class  is private"),
        Fails("assert_private('Keep out')", "Keep out"),
        Fails("assert_private(1, 2)", "assert_private(): Wrong number of arguments given (2}) for 0 or 1)"),
    ],
};

fn assert_private(call: &mut Call) -> Result<Value> {
    if call.count() > 1 {
        // The brace is the reference's.
        return Err(odd_count("assert_private", call.count(), "}) for 0 or 1)").into());
    }
    let [own, caller] =
        ["module_name", "caller_module_name"].map(|name| call.variable(name).unwrap_or_default());
    // The main program has no module, and knows of no caller either.
    if own == caller && !is_main(call) {
        return Ok(Value::Undef);
    }
    if let Value::String(message) = call.value(0) {
        return Err(issues::argument(message.as_str()).into());
    }
    let (is_class, name) = call.definition_around();
    Err(is_private(is_class, &name).into())
}

fn is_main(call: &Call) -> bool {
    call.definition_around().1.is_empty()
}
