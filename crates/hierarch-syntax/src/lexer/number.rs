//! Numbers: where they end, and what is wrong with those that do not end well.

use hierarch_source::Result;

use super::Lexer;
use crate::issues;
use crate::token::TokenKind;

impl Lexer<'_> {
    pub(super) fn number(&mut self) -> Result<()> {
        let start = self.pos;
        let Some(end) = number_end(self.text, start) else { return self.malformed_number(start) };
        self.matched(start, end);
        self.pos = end;
        check_number(&self.text[start..end]).map_err(|error| self.place(error, start))?;
        self.push_text(TokenKind::Number, start, end);
        Ok(())
    }

    /// Digits that no number pattern fits, as `1x` or, after a point, `1.5x`: the message quotes the whole.
    fn malformed_number(&mut self, mut start: usize) -> Result<()> {
        let end = start + self.bytes[start..].iter().take_while(|&&byte| is_word(byte)).count();
        // The reference looks back over `digits.` only from the third byte on.
        if start > 1 && self.bytes[start - 1] == b'.' {
            let digits =
                self.bytes[..start - 1].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            if digits > 0 {
                start -= digits + 1;
            }
        }
        let text = &self.text[start..end];
        check_number(text).map_err(|error| self.place(error, start))?;
        Err(self.place(issues::illegal_number(text), start + 1))
    }
}

/// Tells whether a byte belongs to names: an ASCII letter, digit or underscore.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Finds the end of the number that starts here, if a well-bounded one does.
fn number_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let digits = |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if bytes[start] == b'0' && matches!(bytes.get(start + 1), Some(b'x' | b'X')) {
        let end = start + 2 + bytes[start + 2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if end > start + 2 && is_boundary(text, end) {
            return Some(end);
        }
    }
    let whole = digits(start);
    let fraction =
        (bytes.get(whole) == Some(&b'.')).then(|| digits(whole + 1)).filter(|&end| end > whole + 1);
    [fraction, Some(whole)].into_iter().flatten().find_map(|mantissa| {
        exponent_end(bytes, mantissa).into_iter().chain([mantissa]).find(|&end| is_boundary(text, end))
    })
}

fn exponent_end(bytes: &[u8], at: usize) -> Option<usize> {
    if !matches!(bytes.get(at), Some(b'e' | b'E')) {
        return None;
    }
    let from = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'-'));
    let count = bytes.get(from..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then_some(from + count)
}

/// Tells whether the character here ends a number: anything that is not a letter, digit or connector in Unicode's sense.
fn is_boundary(text: &str, at: usize) -> bool {
    match text.as_bytes().get(at) {
        None => true,
        Some(byte) if byte.is_ascii() => !is_word(*byte),
        Some(_) => !text[at..].starts_with(char::is_alphanumeric),
    }
}

fn check_number(text: &str) -> Result<()> {
    let bytes = text.as_bytes();
    let all = |digits: &[u8], fits: fn(&u8) -> bool| !digits.is_empty() && digits.iter().all(fits);
    if bytes[0] == b'0' && matches!(bytes.get(1), Some(b'x' | b'X')) {
        return all(&bytes[2..], u8::is_ascii_hexdigit)
            .then_some(())
            .ok_or_else(|| issues::invalid_hex(text));
    }
    if bytes[0] == b'0' && bytes.get(1).is_some_and(|&second| second != b'.') {
        let octal = all(&bytes[1..], |byte| (b'0'..=b'7').contains(byte));
        return octal.then_some(()).ok_or_else(|| issues::invalid_octal(text));
    }
    let whole = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if whole > 0 && matches!(bytes.get(whole), Some(b'e' | b'E' | b'.')) {
        return is_decimal(bytes, whole).then_some(()).ok_or_else(|| issues::invalid_decimal(text));
    }
    if whole == bytes.len() { Ok(()) } else { Err(issues::illegal_number(text)) }
}

fn is_decimal(bytes: &[u8], whole: usize) -> bool {
    let mut at = whole;
    if bytes[at] == b'.' {
        let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return false;
        }
        at += 1 + digits;
    }
    at = exponent_end(bytes, at).unwrap_or(at);
    at == bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_trees, check_words};

    #[test]
    fn a_number_ends_where_a_word_ends() {
        for (text, end) in
            [("1", 1), ("1.5", 3), ("1.x", 1), ("1e5", 3), ("1e-5", 4), ("0x1F)", 4), ("1.5e3.2", 5)]
        {
            assert_eq!(number_end(text, 0), Some(end), "{text}");
        }
        // `1.5x` is the number 1 and then something malformed.
        assert_eq!(number_end("1.5x", 0), Some(1));
        for text in ["1x", "0xZ", "1é", "1e", "1_0"] {
            assert_eq!(number_end(text, 0), None, "{text}");
        }
    }

    #[test]
    fn malformed_numbers_are_named_by_their_kind() {
        for (text, code) in [
            ("0x1G", "INVALID_HEX_NUMBER"),
            ("08", "INVALID_OCTAL_NUMBER"),
            ("07.5", "INVALID_OCTAL_NUMBER"),
            ("1.5x", "INVALID_DECIMAL_NUMBER"),
            ("1x", "ILLEGAL_NUMBER"),
        ] {
            assert_eq!(check_number(text).expect_err(text).code, code);
        }
    }

    #[test]
    fn numbers_in_their_notations() {
        check_trees(&[
            ("0", "0"),
            ("00", "(int {:radix 8 :value 0})"),
            ("07", "(int {:radix 8 :value 7})"),
            ("0x1F", "(int {:radix 16 :value 31})"),
            ("0XaB", "(int {:radix 16 :value 171})"),
            ("1.5", "1.5"),
            ("1.5e3", "1500.0"),
            ("1e3", "1000.0"),
            ("1e-3", "0.001"),
            ("1E+3", "Not a valid decimal number 1E (line: 1, column: 1)"),
            ("-1", "-1"),
            ("- 1", "-1"),
            ("1.e3", r#"(call-method {:functor (. 1 (qn "e3")) :args []})"#),
            ("1..2", "Syntax error at '.' (line: 1, column: 3)"),
            ("1.0.0", "Syntax error at '0' (line: 1, column: 5)"),
            ("1.foo", r#"(call-method {:functor (. 1 (qn "foo")) :args []})"#),
            ("1.foo()", r#"(call-method {:functor (. 1 (qn "foo")) :args []})"#),
            ("0.5", "0.5"),
        ]);
    }

    #[test]
    fn numbers_that_are_none() {
        check_words(&[
            ("08", "Not a valid octal number 08 (line: 1, column: 1)"),
            ("0xg", "Not a valid hex number 0xg (line: 1, column: 1)"),
            ("0x", "Not a valid hex number 0x (line: 1, column: 1)"),
            ("1a", "Illegal number '1a' (line: 1, column: 1)"),
            ("1e", "Not a valid decimal number 1e (line: 1, column: 1)"),
            ("1ee", "Not a valid decimal number 1ee (line: 1, column: 1)"),
            ("1.5x", "Not a valid decimal number 1.5x (line: 1, column: 1)"),
            ("0b1", "Not a valid octal number 0b1 (line: 1, column: 1)"),
            ("1_000", "Illegal number '1_000' (line: 1, column: 1)"),
            (
                "9223372036854775808",
                "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000' (line: 1, column: 1)",
            ),
            (
                "-9223372036854775808",
                "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000' (line: 1, column: 2)",
            ),
            (
                "99999999999999999999999",
                "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x152d02c7e14af67fffff' (line: 1, column: 1)",
            ),
            (
                "$x = 0x8000000000000000",
                "A Literal Integer resulted in a value outside of Puppet Integer max range, got '+0x8000000000000000' (line: 1, column: 6)",
            ),
        ]);
    }
}
