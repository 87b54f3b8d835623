//! `deprecation`: a warning about a use that is going out.

use crate::prelude::*;
use hierarch_eval::Strict;

/// The function `deprecation`.
pub(super) static DEPRECATION: Function = Function {
    name: "deprecation",
    doc: "Warns, once per key, that something should not be used any more. Unless the third argument is false, the setting `strict` decides: `error` fails, `off` is silent.",
    dispatches: &[on(&["String key", "String message", "?Boolean use_strict_setting"], deprecation)],
    examples: &[
        Gives("deprecation('key', 'Use something else', false)", "undef"),
        Fails(
            "deprecation('key', 'Use something else')",
            "deprecation. key. Use something else at [\"unknown\", 1]:[\"unknown\", 0]",
        ),
    ],
};

fn deprecation(call: &mut Call) -> Result<Value> {
    let (key, message) = (call.str(0).to_owned(), call.str(1).to_owned());
    let is_strict = call.count() < 3 || call.is_true(2);
    if is_strict {
        strictly_deprecated(call, &key, &message)?;
    } else {
        warn_of_use(call, &key, &message);
    }
    Ok(Value::Undef)
}

/// Does what the setting `strict` says about a deprecated use.
pub(super) fn strictly_deprecated(call: &mut Call, key: &str, message: &str) -> Result<()> {
    match call.settings().strict {
        Strict::Off => {}
        Strict::Warning => warn_of_use(call, key, message),
        Strict::Error => return Err(issues::stdlib::deprecation(key, &placed(call, message)).into()),
    }
    Ok(())
}

/// Warns of a deprecated use, the first time only: uses with the same key are one, whatever is said of them.
pub(super) fn warn_of_use(call: &mut Call, key: &str, message: &str) {
    if call.notes_use(key) {
        let text = placed(call, message);
        call.warn(text);
    }
}

fn placed(call: &Call, message: &str) -> String {
    let place = call.place();
    let file = place.as_ref().and_then(|place| place.source.name()).unwrap_or("unknown");
    let line = place.as_ref().map_or(0, |place| place.position().0);
    issues::stdlib::deprecated_at(message, file, line as usize)
}
