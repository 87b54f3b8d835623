//! `to_bytes`: sizes such as `4 kB` as numbers.

use crate::prelude::*;
use crate::ruby::{implicit_text, leading_float};
use issues::stdlib::{count, unknown_unit};

/// The function `to_bytes`.
pub(super) static TO_BYTES: Function = Function {
    name: "to_bytes",
    doc: "Returns the number of bytes that a text such as `4 kB` means; k, M, G, T, P and E are powers of 1024.",
    dispatches: &[legacy(-1, to_bytes)],
    examples: &[
        Gives("to_bytes('4 kB')", "4096"),
        Gives("to_bytes('1.5M')", "1572864"),
        Fails("to_bytes('4x')", "to_bytes(): Unknown prefix x"),
    ],
};

fn to_bytes(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("to_bytes", call.count(), "1").into());
    }
    if let number @ (Value::Integer(_) | Value::Float(_)) = call.value(0) {
        return Ok(number.clone());
    }
    let text = match call.value(0) {
        Value::Default => "default",
        other => implicit_text(other)?,
    };
    let end = text.find(|c: char| !c.is_ascii_digit() && !".e+-".contains(c)).unwrap_or(text.len());
    let unit = text[end..].trim_start().chars().next().filter(|c| !matches!(c, 'b' | 'B'));
    let power = match unit {
        None => 0,
        Some('k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some('E') => 60,
        Some(other) => return Err(unknown_unit(&other.to_string()).into()),
    };
    let bytes = leading_float(&text[..end]) * 2f64.powi(power);
    if bytes.abs() >= 2f64.powi(63) {
        return Err(issues::too_large("to_bytes", bytes).into());
    }
    Ok(Value::from(bytes as i64))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn sizes_with_units() {
        check_calls(&[
            ("to_bytes('1 kB')", "1024"),
            ("to_bytes('2MB')", "2097152"),
            ("to_bytes('1.5 G')", "1610612736"),
            ("to_bytes('5')", "5"),
            (
                "to_bytes('1 X')",
                "Evaluation Error: Error while evaluating a Function Call, to_bytes(): Unknown prefix X (line: 1, column: 1)",
            ),
            ("to_bytes('kB')", "0"),
            ("to_bytes(5)", "5"),
            ("to_bytes('1 PB')", "1125899906842624"),
            ("to_bytes('-1k')", "-1024"),
        ]);
    }
}
