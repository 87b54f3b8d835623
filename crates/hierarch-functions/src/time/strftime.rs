//! `strftime`: times as texts.

use crate::prelude::*;

/// The function `strftime`.
pub(super) static STRFTIME: Function = Function {
    name: "strftime",
    doc: "Returns a Timestamp as text by a format such as `%F %T`, in UTC or another time zone, or a Timespan by one such as `%D-%H:%M:%S`. A format alone stands for the current time, which is deprecated.",
    dispatches: &[
        on(&["Timespan time_object", "String format"], of_timespan),
        on(&["Timestamp time_object", "String format", "?String timezone"], of_timestamp),
        on(&["String format", "?String timezone"], of_now),
    ],
    examples: &[
        Gives("strftime(Timestamp(0), '%F %T')", "'1970-01-01 00:00:00'"),
        Gives("strftime(Timestamp(0), '%H:%M', '+02:00')", "'02:00'"),
        Gives("strftime(Timespan(93600), '%H')", "'26'"),
        Fails("strftime(Timestamp(0), '%H', 'nope')", "Illegal timezone 'nope'"),
    ],
};

fn of_timespan(call: &mut Call) -> Result<Value> {
    match call.value(0) {
        Value::Timespan(time) => Ok(time.format(call.str(1))?.into()),
        _ => Ok(Value::Undef),
    }
}

fn of_timestamp(call: &mut Call) -> Result<Value> {
    match call.value(0) {
        Value::Timestamp(time) => Ok(time.format(call.str(1), call.value(2).as_str())?.into()),
        _ => Ok(Value::Undef),
    }
}

fn of_now(call: &mut Call) -> Result<Value> {
    deprecated_here(call, issues::STRFTIME_NOW);
    let now = call.host().now();
    Ok(now.format(call.str(0), call.value(1).as_str())?.into())
}
