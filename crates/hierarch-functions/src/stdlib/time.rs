//! `time`: the seconds since 1970.

use crate::prelude::*;
use issues::stdlib::bare_count;

/// The function `time`.
pub(super) static TIME: Function = Function {
    name: "time",
    doc: "Returns the seconds since the beginning of 1970, the same in every time zone.",
    dispatches: &[legacy(-1, time)],
    examples: &[
        Gives("time() =~ Integer", "true"),
        Fails("time('UTC', 1)", "time(): Wrong number of arguments given 2 for 0 or 1"),
    ],
};

fn time(call: &mut Call) -> Result<Value> {
    if call.count() > 1 {
        return Err(bare_count("time", call.count(), "0 or 1").into());
    }
    Ok(i64::try_from(call.host().now().seconds()).unwrap_or(i64::MAX).into())
}
