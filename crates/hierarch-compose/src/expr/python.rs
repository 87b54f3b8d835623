//! How Python sees values: its texts, its truth, its equality, its literals.

use hierarch_bits::decimal;
use hierarch_pcore::{Hash, Value};

/// Returns what `str(value)` gives.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Sensitive(inner) => text(inner),
        other => repr(other),
    }
}

/// Returns what `repr(value)` gives.
pub(crate) fn repr(value: &Value) -> String {
    match value {
        Value::Undef => "None".into(),
        Value::Boolean(true) => "True".into(),
        Value::Boolean(false) => "False".into(),
        Value::Float(number) => float(*number),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("[{}]", items.iter().map(repr).collect::<Vec<_>>().join(", ")),
        Value::Hash(map) => {
            let pairs = map.iter().map(|(key, value)| format!("{}: {}", repr(key), repr(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
        Value::Sensitive(_) => "<<REDACTED>>".into(),
        other => other.to_string(),
    }
}

/// Returns what `repr` of a float gives.
pub(crate) fn float(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let plain = format!("{number:?}");
    let Some((digits, exponent)) = plain.split_once('e') else {
        let shortest = decimal::plain(number);
        return if shortest.contains('.') { shortest } else { shortest + ".0" };
    };
    // Python writes at least two digits of the exponent, and its sign.
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Returns what `repr` of a text gives.
pub(crate) fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            c if c == quote => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

/// Tells whether a value counts as true: nothing that is empty or zero does.
pub(crate) fn is_true(value: &Value) -> bool {
    match value {
        Value::Undef => false,
        Value::Boolean(truth) => *truth,
        Value::Integer(number) => *number != 0,
        Value::Float(number) => *number != 0.0,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Hash(map) => !map.is_empty(),
        Value::Sensitive(inner) => is_true(inner),
        _ => true,
    }
}

/// Tells whether two values are equal: `1`, `1.0` and `True` are.
#[expect(clippy::float_cmp, reason = "Python compares floats exactly")]
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Sensitive(a), b) | (b, Value::Sensitive(a)) => equal(a, b),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(a, b))
        }
        (Value::Hash(a), Value::Hash(b)) => a.len() == b.len() && a.iter().all(|pair| has_pair(b, pair)),
        (Value::Integer(a), Value::Integer(b)) => a == b,
        _ => match (number(a), number(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a == b,
        },
    }
}

fn has_pair(map: &Hash, (key, value): (&Value, &Value)) -> bool {
    map.get(key).is_some_and(|found| equal(found, value))
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Boolean(truth) => Some(f64::from(u8::from(*truth))),
        other => other.as_number(),
    }
}

/// Reads a text as Python's `int()` does.
pub(crate) fn int(text: &str) -> Option<i64> {
    digits(text.trim())?.parse().ok()
}

/// Takes the underscores between digits out; none if they stand elsewhere.
pub(crate) fn without_underscores(text: &str) -> Option<String> {
    digits(text)
}

fn digits(text: &str) -> Option<String> {
    let fine = !text.starts_with('_') && !text.ends_with('_') && !text.contains("__");
    (fine && !text.is_empty()).then(|| text.replace('_', ""))
}

/// Reads a text as Python's `float()` does.
pub(crate) fn float_of(text: &str) -> Option<f64> {
    digits(text.trim())?.parse().ok()
}

/// Reads a text as a Python literal, if it is one.
pub(crate) fn literal(text: &str) -> Option<Value> {
    let text = without_blank_lines(text);
    // Most texts are none, and their first character tells.
    let first = text.chars().next()?;
    if !matches!(first, '0'..='9' | '-' | '+' | '.' | '[' | '{' | '(' | '\'' | '"' | 'T' | 'F' | 'N') {
        return None;
    }
    let mut reader = Literal { rest: text, depth: 0 };
    let value = reader.value()?;
    reader.skip();
    if let Some(rest) = reader.rest.strip_prefix(',') {
        // A tuple may do without parentheses.
        reader.rest = rest;
        let mut items = vec![value];
        reader.skip();
        if !reader.rest.is_empty() {
            items.extend(reader.items(None)?);
        }
        return Some(items.into());
    }
    reader.rest.is_empty().then_some(value)
}

/// Python passes over blank lines before an expression, but not over blanks before it.
fn without_blank_lines(mut text: &str) -> &str {
    while let Some((blank, rest)) = text.split_once('\n')
        && blank.trim().is_empty()
    {
        text = rest;
    }
    text
}

struct Literal<'t> {
    rest: &'t str,
    depth: usize,
}

impl Literal<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
    }

    fn eat(&mut self, mark: char) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self) -> Option<Value> {
        self.skip();
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        let value = match self.rest.chars().next()? {
            '[' => self.list(),
            '(' => self.tuple(),
            '{' => self.map(),
            '\'' | '"' => self.string(),
            '0'..='9' | '.' | '-' | '+' => self.number(),
            _ => self.word(),
        };
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Option<Value> {
        self.rest = &self.rest[1..];
        Some(self.items(Some(']'))?.into())
    }

    fn tuple(&mut self) -> Option<Value> {
        self.rest = &self.rest[1..];
        if self.eat(')') {
            return Some(Value::array(Vec::new()));
        }
        let first = self.value()?;
        if self.eat(')') {
            return Some(first);
        }
        if !self.eat(',') {
            return None;
        }
        let mut items = vec![first];
        items.extend(self.items(Some(')'))?);
        Some(items.into())
    }

    /// Reads items up to a closing mark, or up to the end.
    fn items(&mut self, close: Option<char>) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        loop {
            match close {
                Some(close) if self.eat(close) => return Some(items),
                None if self.rest.trim().is_empty() => return Some(items),
                _ => {}
            }
            items.push(self.value()?);
            let more = self.eat(',');
            match close {
                Some(close) if !more => return self.eat(close).then_some(items),
                None if !more => return self.rest.trim().is_empty().then_some(items),
                _ => {}
            }
        }
    }

    fn map(&mut self) -> Option<Value> {
        self.rest = &self.rest[1..];
        let mut map = Hash::new();
        while !self.eat('}') {
            let key = self.value()?;
            if !self.eat(':') {
                return None;
            }
            let value = self.value()?;
            map.insert(key, value);
            if !self.eat(',') {
                return self.eat('}').then_some(map.into());
            }
        }
        Some(map.into())
    }

    /// Reads a text; several behind each other are one.
    fn string(&mut self) -> Option<Value> {
        let mut out = String::new();
        loop {
            out.push_str(&self.one_string()?);
            let rest = self.rest.trim_start_matches([' ', '\t']);
            if !rest.starts_with(['\'', '"']) {
                return Some(out.into());
            }
            self.rest = rest;
        }
    }

    fn one_string(&mut self) -> Option<String> {
        let quote = self.rest.chars().next()?;
        let mut out = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    self.rest = &self.rest[at + 1..];
                    return Some(out);
                }
                '\n' => return None,
                '\\' => match chars.next()?.1 {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    'r' => out.push('\r'),
                    c @ ('\\' | '\'' | '"') => out.push(c),
                    '\n' => {}
                    'x' => out.push(by_number(&mut chars, 2)?),
                    'u' => out.push(by_number(&mut chars, 4)?),
                    'U' => out.push(by_number(&mut chars, 8)?),
                    // Names and octal numbers are left to those who need them: such a text stays a text.
                    'N' | '0'..='9' => return None,
                    c => out.extend(['\\', c]),
                },
                c => out.push(c),
            }
        }
        None
    }

    fn number(&mut self) -> Option<Value> {
        let signed = self.rest.trim_start_matches(['-', '+']);
        let signs = &self.rest[..self.rest.len() - signed.len()];
        let negative = signs.matches('-').count() % 2 == 1;
        let mut end = signed.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_'));
        // The sign of an exponent.
        if let Some(at) = end
            && at > 0
            && matches!(signed.as_bytes()[at], b'-' | b'+')
            && matches!(signed.as_bytes()[at - 1], b'e' | b'E')
            && !signed.starts_with("0x")
        {
            let more = signed[at + 1..].find(|c: char| !c.is_ascii_digit());
            end = more.map(|more| at + 1 + more);
        }
        let (token, rest) = signed.split_at(end.unwrap_or(signed.len()));
        let value = number_of(token)?;
        self.rest = rest;
        Some(match value {
            Value::Integer(number) if negative => Value::Integer(number.checked_neg()?),
            Value::Float(number) if negative => Value::Float(-number),
            Value::Foreign(digits) if negative => {
                crate::template::integer(digits.digits()?.parse::<i128>().ok()?.checked_neg()?)
            }
            value => value,
        })
    }

    fn word(&mut self) -> Option<Value> {
        let words = [("True", Value::from(true)), ("False", Value::from(false)), ("None", Value::Undef)];
        let (word, value) = words.into_iter().find(|(word, _)| self.rest.starts_with(word))?;
        let rest = &self.rest[word.len()..];
        if rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            return None;
        }
        self.rest = rest;
        Some(value)
    }
}

/// Reads the digits of an escape such as `\u00e9`.
fn by_number(chars: &mut impl Iterator<Item = (usize, char)>, digits: usize) -> Option<char> {
    let mut number = 0;
    for _ in 0..digits {
        number = number * 16 + chars.next()?.1.to_digit(16)?;
    }
    char::from_u32(number)
}

fn number_of(token: &str) -> Option<Value> {
    let lower = token.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(rest) = lower.strip_prefix(prefix) {
            return i64::from_str_radix(&digits(rest)?, radix).ok().map(Value::from);
        }
    }
    if lower.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        let plain = digits(&lower)?;
        // `012` is not a number in Python, `00` is.
        let leading = plain.len() > 1 && plain.starts_with('0') && plain.bytes().any(|b| b != b'0');
        return if leading { None } else { plain.parse::<i128>().ok().map(crate::template::integer) };
    }
    let fine = lower.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'-' | b'+' | b'_'));
    if fine && lower.bytes().any(|b| b.is_ascii_digit()) {
        digits(&lower)?.parse::<f64>().ok().map(Value::from)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_and_everything_else_is_left() {
        let cases = [
            ("12", "12"),
            ("-1.5", "-1.5"),
            ("1e3", "1000.0"),
            ("1e-3", "0.001"),
            ("[1, 'a', None,]", "[1, 'a', None]"),
            ("{'a': {'b': (1, True)}}", "{'a': {'b': [1, True]}}"),
            ("1, 2", "[1, 2]"),
            ("'x'", "'x'"),
            ("0x1f", "31"),
            ("()", "[]"),
            ("\n \n3", "3"),
        ];
        for (input, wanted) in cases {
            assert_eq!(literal(input).map(|value| repr(&value)).as_deref(), Some(wanted), "{input}");
        }
        for input in [
            "",
            "\n 3",
            "012",
            "a",
            "[true]",
            "{\"a\": true}",
            "1 2",
            "1.2.3",
            "Truely",
            "-",
            "e5",
            "[1",
            "'a",
        ] {
            assert_eq!(literal(input).map(|value| repr(&value)), None, "{input}");
        }
    }

    #[test]
    fn numbers_and_truths_are_equal_across_types() {
        assert!(equal(&1.into(), &1.0.into()));
        assert!(equal(&1.into(), &true.into()));
        assert!(!equal(&"80".into(), &80.into()));
        assert!(!equal(&"a".into(), &"A".into()));
    }

    #[test]
    fn texts_are_pythons() {
        let list = Value::array(vec![true.into(), Value::Undef, 1.0.into(), "it's".into(), 1e22.into()]);
        assert_eq!(text(&list), "[True, None, 1.0, \"it's\", 1e+22]");
    }
}
