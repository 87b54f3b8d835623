//! Texts that lead into a value: `a.0.'b.c'` has the keys `a`, 0 and `b.c`.

use crate::prelude::*;

/// Returns the keys that a text stands for; nothing if it is malformed.
pub(super) fn keys(text: &str) -> Option<Vec<Value>> {
    let mut keys = Vec::new();
    let mut rest = text;
    loop {
        let (key, after) = first_key(rest)?;
        keys.push(key);
        match after.strip_prefix('.') {
            Some(after) => rest = after,
            None if after.is_empty() => return Some(keys),
            None => return None,
        }
    }
}

/// Splits off the first key; blanks around it do not count.
fn first_key(text: &str) -> Option<(Value, &str)> {
    let start = text.trim_start_matches(is_space);
    if let Some(quote @ ('"' | '\'')) = start.chars().next() {
        let (inside, after) = start[1..].split_once(quote)?;
        let after = after.trim_start_matches(is_space);
        return (!inside.is_empty()).then(|| (inside.into(), after));
    }
    let end = text.find(['.', '"', '\'']).unwrap_or(text.len());
    let bare = text[..end].trim_matches(is_space);
    (end > 0).then(|| (bare_key(bare), &text[end..]))
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '\0' | '\u{b}')
}

/// A key that looks like a number is an index.
fn bare_key(text: &str) -> Value {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<i64>() {
        Ok(index) if is_number => index.into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_points_outside_quotes() {
        for (text, expected) in [
            ("a.b", Some("['a', 'b']")),
            ("a.0.-1", Some("['a', 0, -1]")),
            ("'a.b'.\"c'd\"", Some("['a.b', \"c'd\"]")),
            (" a . 'b' ", Some("['a', 'b']")),
            ("a b", Some("['a b']")),
            ("a..b", None),
            ("a.", None),
            (".a", None),
            ("'a", None),
            ("a'b'", None),
            ("''", None),
        ] {
            let expected = expected.map(str::to_owned);
            let got = keys(text).map(|keys| Value::array(keys).program_text());
            assert_eq!(
                got.map(|got| got.replace("\\'", "'").replace("'c'd'", "\"c'd\"")),
                expected,
                "{text}"
            );
        }
    }
}
