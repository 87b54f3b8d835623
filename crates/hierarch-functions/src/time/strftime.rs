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

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn times_as_text() {
        check_calls(&[
            ("strftime(Timestamp(0), '%F')", "'1970-01-01'"),
            ("strftime(Timestamp(0), '%F %T', 'EST')", "'1969-12-31 19:00:00'"),
            ("strftime(Timestamp(0), '%F %T', '+02:00')", "'1970-01-01 02:00:00'"),
            (
                "strftime(Timestamp(0), '%F', 'nope')",
                "Evaluation Error: Error while evaluating a Function Call, Illegal timezone 'nope' (line: 1, column: 1)",
            ),
            ("strftime(Timespan(90061.5), '%D-%H:%M:%S.%L')", "'1-01:01:01.500'"),
            ("strftime(Timespan(-5), '%S')", "'-05'"),
            (
                "strftime(Timespan(5), '%Q')",
                "Evaluation Error: Error while evaluating a Function Call, Bad format specifier '%' in '%Q', at position 1 (line: 1, column: 1)",
            ),
            ("strftime(Timespan(5), '%_5S|%-S|%05S')", "'    5|5|00005'"),
            (
                "strftime(1, '%F')",
                "Evaluation Error: Error while evaluating a Function Call, The function 'strftime' was called with arguments it does not accept. It expects one of:\n  (Timespan time_object, String format)\n    rejected: parameter 'time_object' expects a Timespan value, got Integer\n  (Timestamp time_object, String format, String timezone?)\n    rejected: parameter 'time_object' expects a Timestamp value, got Integer\n  (String format, String timezone?)\n    rejected: parameter 'format' expects a String value, got Integer (line: 1, column: 1)",
            ),
            (
                "strftime(Timestamp(0), 1)",
                "Evaluation Error: Error while evaluating a Function Call, The function 'strftime' was called with arguments it does not accept. It expects one of:\n  (Timespan time_object, String format)\n    rejected: parameter 'time_object' expects a Timespan value, got Timestamp\n  (Timestamp time_object, String format, String timezone?)\n    rejected: parameter 'format' expects a String value, got Integer\n  (String format, String timezone?)\n    rejected: parameter 'format' expects a String value, got Timestamp (line: 1, column: 1)",
            ),
            ("strftime(Timestamp(0), '')", "''"),
        ]);
    }
}
