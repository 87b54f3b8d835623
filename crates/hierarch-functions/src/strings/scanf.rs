//! `scanf`: values read from a text by a format.

use hierarch_pcore::regex::Regexp;

use crate::prelude::*;
use crate::ruby::read_hex_float;

/// The function `scanf`.
pub(super) static SCANF: Function = Function {
    name: "scanf",
    doc: "Returns an Array of what a format such as `%d %s` reads from a String, up to the first thing that does not fit; or what a block makes of that Array.",
    dispatches: &[on(&["String data", "String format", "?&Callable block"], scanf)],
    examples: &[
        Gives("scanf('12 ab', '%d %s')", "[12, 'ab']"),
        Gives("scanf('10GB', '%d%[A-Z]')", "[10, 'GB']"),
        Gives("scanf('0x1F 1.5', '%i %f')", "[31, 1.5]"),
        Gives("scanf('x', '%d')", "[]"),
        Gives("scanf('12', '%d') |$read| { $read[0] }", "12"),
        Fails("scanf(1, '%d')", "'scanf' parameter 'data' expects a String value, got Integer"),
    ],
};

fn scanf(call: &mut Call) -> Result<Value> {
    let read = Value::array(scanned(call.str(0), call.str(1))?);
    if call.has_block() { call.yield_values([read]) } else { Ok(read) }
}

fn scanned(text: &str, format: &str) -> Result<Vec<Value>> {
    let mut values = Vec::new();
    let mut rest = text;
    for directive in directives(format) {
        let start = if directive.keeps_space() { rest } else { rest.trim_start_matches(is_space) };
        let Some((length, value)) = directive.read(start)? else { break };
        if !directive.is_skipped {
            values.extend(value);
        }
        rest = &start[length..];
        if rest.is_empty() {
            break;
        }
    }
    Ok(values)
}

fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ')
}

/// One part of a format.
struct Directive<'f> {
    after_space: bool,
    is_skipped: bool,
    width: Option<usize>,
    kind: Kind<'f>,
}

enum Kind<'f> {
    /// Text that must be there.
    Literal(&'f str),
    /// A conversion by its letter.
    Letter(char),
    /// `%[…]` with what stands between the brackets.
    Set(&'f str),
}

/// Cuts a format into its parts; blanks between them and stray percent signs do not count.
fn directives(format: &str) -> Vec<Directive<'_>> {
    let mut found = Vec::new();
    let mut rest = format;
    loop {
        let trimmed = rest.trim_start_matches(is_space);
        let after_space = trimmed.len() < rest.len();
        rest = trimmed;
        if rest.is_empty() {
            return found;
        }
        if let Some((directive, after)) = conversion(rest, after_space) {
            found.push(directive);
            rest = after;
            continue;
        }
        let end = rest.find(|c: char| c == '%' || is_space(c)).unwrap_or(rest.len());
        let (literal, after) = rest.split_at(end);
        if literal.is_empty() {
            rest = &rest[1..];
        } else {
            found.push(Directive {
                after_space,
                is_skipped: true,
                width: None,
                kind: Kind::Literal(literal),
            });
            rest = after;
        }
    }
}

fn conversion(text: &str, after_space: bool) -> Option<(Directive<'_>, &str)> {
    let rest = text.strip_prefix('%')?;
    if let Some(after) = rest.strip_prefix('%') {
        let kind = Kind::Literal("%");
        return Some((Directive { after_space, is_skipped: true, width: None, kind }, after));
    }
    let unmarked = rest.strip_prefix('*');
    let rest = unmarked.unwrap_or(rest);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (width, rest) = rest.split_at(digits);
    let (kind, after) = if let Some(inside) = rest.strip_prefix('[') {
        let end = if inside.starts_with("[:") { inside.find(":]]").map(|end| end + 2) } else { None };
        let end = end.or_else(|| inside.find(']'))?;
        (Kind::Set(&inside[..end]), &inside[end + 1..])
    } else {
        let letter = rest.chars().next().filter(|c| "diuXxofFeEgGscaA".contains(*c))?;
        (Kind::Letter(letter), &rest[1..])
    };
    Some((Directive { after_space, is_skipped: unmarked.is_some(), width: width.parse().ok(), kind }, after))
}

impl Directive<'_> {
    /// Tells whether blanks before it are read rather than skipped.
    fn keeps_space(&self) -> bool {
        match self.kind {
            Kind::Letter('c') => !self.after_space,
            Kind::Set(_) => !self.is_skipped,
            _ => false,
        }
    }

    /// Returns how many bytes are read and what they stand for; nothing if the text does not fit.
    fn read(&self, text: &str) -> Result<Option<(usize, Option<Value>)>> {
        let limited = limited(text, self.width);
        let length = match &self.kind {
            Kind::Literal(literal) => return Ok(text.starts_with(literal).then_some((literal.len(), None))),
            Kind::Set(set) => self.set_length(set, limited)?,
            Kind::Letter('s') => limited.find(is_space).unwrap_or(limited.len()),
            Kind::Letter('c') if self.width.is_some() => limited.len(),
            Kind::Letter('c') => text.chars().next().map_or(0, char::len_utf8),
            Kind::Letter('d' | 'u') => signed(limited, |text| digits(text, 10)),
            Kind::Letter('o') => signed(limited, |text| digits(text, 8)),
            Kind::Letter('x' | 'X') => signed(limited, hex_length),
            Kind::Letter('i') => signed(limited, |text| integer_length(text, self.width.is_some())),
            // With a width, whatever follows is read if it only starts like a number.
            Kind::Letter(_) => match signed(text, float_length) {
                0 => 0,
                _ if self.width.is_some() => limited.find(is_space).unwrap_or(limited.len()),
                length => length,
            },
        };
        if length == 0 {
            return Ok(None);
        }
        Ok(Some((length, Some(self.value(&text[..length])?))))
    }

    fn set_length(&self, set: &str, text: &str) -> Result<usize> {
        let _ = self;
        let pattern = Regexp::new(format!("(?m:\\A[{set}]+)"))?;
        Ok(pattern.captures(text)?.and_then(|captures| captures.get(0)).map_or(0, |(_, end)| end))
    }

    fn value(&self, text: &str) -> Result<Value> {
        match self.kind {
            Kind::Letter('d' | 'u') => integer(text, 10),
            Kind::Letter('x' | 'X') => integer(text, 16),
            Kind::Letter('o') => integer(text, 8),
            Kind::Letter('i') => integer(text, radix(text)),
            Kind::Letter('s' | 'c') | Kind::Set(_) | Kind::Literal(_) => Ok(text.into()),
            Kind::Letter(_) => Ok(float(text).into()),
        }
    }
}

/// Returns the first so many characters.
fn limited(text: &str, width: Option<usize>) -> &str {
    let end = width.and_then(|width| text.char_indices().nth(width)).map_or(text.len(), |(index, _)| index);
    &text[..end]
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

/// Returns the length of a number with its sign; zero if there is none.
fn signed(text: &str, length: impl Fn(&str) -> usize) -> usize {
    let number = unsigned(text);
    match length(number) {
        0 => 0,
        length => length + text.len() - number.len(),
    }
}

fn digits(text: &str, radix: u32) -> usize {
    text.find(|c: char| !c.is_digit(radix)).unwrap_or(text.len())
}

fn without_hex_prefix(text: &str) -> Option<&str> {
    text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))
}

fn hex_length(text: &str) -> usize {
    match without_hex_prefix(text).map(|rest| digits(rest, 16)) {
        Some(length) if length > 0 => length + 2,
        _ => digits(text, 16),
    }
}

/// A lone zero is not an integer here, unless a width is given.
fn integer_length(text: &str, has_width: bool) -> usize {
    if text.starts_with('0') {
        if let Some(length) =
            without_hex_prefix(text).map(|rest| digits(rest, 16)).filter(|length| *length > 0)
        {
            return length + 2;
        }
        let length = digits(text, 8);
        return if length > 1 || has_width { length } else { 0 };
    }
    digits(text, 10)
}

fn radix(text: &str) -> u32 {
    let number = unsigned(text);
    match without_hex_prefix(number) {
        Some(_) => 16,
        None if number.starts_with('0') => 8,
        None => 10,
    }
}

fn integer(text: &str, radix: u32) -> Result<Value> {
    let number = unsigned(text);
    let number = if radix == 16 { without_hex_prefix(number).unwrap_or(number) } else { number };
    let sign = if text.starts_with('-') { "-" } else { "" };
    let value = i64::from_str_radix(&format!("{sign}{number}"), radix);
    Ok(value.map_err(|_| issues::too_large("scanf", text))?.into())
}

/// An exponent counts only after a point.
fn float_length(text: &str) -> usize {
    if let Some(length) = hex_float_length(text) {
        return length;
    }
    let whole = digits(text, 10);
    let Some(fraction) = text[whole..].strip_prefix('.') else { return whole };
    let length = whole + 1 + digits(fraction, 10);
    length + exponent_length(&text[length..], ['e', 'E'])
}

fn hex_float_length(text: &str) -> Option<usize> {
    let rest = without_hex_prefix(text)?;
    let whole = digits(rest, 16);
    let length = match rest[whole..].strip_prefix('.') {
        Some(fraction) => whole + 1 + digits(fraction, 16),
        None => whole,
    };
    match exponent_length(&rest[length..], ['p', 'P']) {
        0 => None,
        exponent => Some(2 + length + exponent),
    }
}

fn exponent_length(text: &str, letters: [char; 2]) -> usize {
    let Some(rest) = text.strip_prefix(letters) else { return 0 };
    match signed(rest, |rest| digits(rest, 10)) {
        0 => 0,
        length => length + 1,
    }
}

/// Reads as much of a text as is a number.
fn float(text: &str) -> f64 {
    let number = unsigned(text);
    let magnitude = match without_hex_prefix(number).and_then(read_hex_float) {
        Some(number) => number,
        None => {
            format!("0{}", &number[..float_length(number)].replace(".e", ".0e")).parse().unwrap_or_default()
        }
    };
    if text.starts_with('-') { -magnitude } else { magnitude }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_calls;

    fn check(text: &str, format: &str, expected: &str) {
        let read = scanned(text, format).expect("no failure");
        assert_eq!(Value::array(read).program_text(), expected, "{text} {format}");
    }

    #[test]
    fn numbers_are_read_in_all_bases_and_widths() {
        check("-12 0x1f 017 1.5e3", "%d %x %o %f", "[-12, 31, 15, 1500.0]");
        check("017", "%i", "[15]");
        check("0", "%i", "[]");
        check("12345", "%2d%3d", "[12, 345]");
        check("-0xff", "%x", "[-255]");
        check("-077", "%3o", "[-7]");
        check("0x", "%x", "[0]");
        check("123456", "%4f", "[1234.0]");
        check("0x1.8p3", "%a", "[12.0]");
        check(".5 1.", "%f%f", "[0.5, 1.0]");
        check("-5.5e-1x", "%g", "[-0.55]");
    }

    #[test]
    fn texts_are_read_up_to_blanks_or_out_of_a_set() {
        check("abc def", "%s %s", "['abc', 'def']");
        check("abc def", "%5c", "['abc d']");
        check("a  b", "%c%c%c", "['a', ' ', ' ']");
        check("a b", "%c %c", "['a', 'b']");
        check("abc123", "%[^0-9]%d", "['abc', 123]");
        check("abc123", "%2[a-z]", "['ab']");
        check("abc", "%[[:alpha:]]", "['abc']");
    }

    #[test]
    fn literals_must_be_there_and_skipped_values_are_not_kept() {
        check("x=5, y=6", "x=%d, y=%d", "[5, 6]");
        check("x=5, y=6", "x=%d y=%d", "[5]");
        check("5%", "%d%%", "[5]");
        check("12 13", "%*d %d", "[13]");
    }

    #[test]
    fn texts_are_taken_apart() {
        check_calls(&[
            ("'5'.scanf('%d')", "[5]"),
            ("'5 6'.scanf('%d %d')", "[5, 6]"),
            ("'5x'.scanf('%d')", "[5]"),
            ("'x5'.scanf('%d')", "[]"),
            ("'x5'.scanf('x%d')", "[5]"),
            ("'0x1f'.scanf('%i')", "[31]"),
            ("'017'.scanf('%i')", "[15]"),
            ("'0b11'.scanf('%i')", "[]"),
            ("'ff'.scanf('%x')", "[255]"),
            ("'17'.scanf('%o')", "[15]"),
            ("'1.5e3'.scanf('%f')", "[1500.0]"),
            ("'-5'.scanf('%u')", "[-5]"),
            ("'abc def'.scanf('%s %s')", "['abc', 'def']"),
            ("'abc'.scanf('%2s')", "['ab']"),
            ("'abc'.scanf('%c')", "['a']"),
            ("'abc'.scanf('%2c')", "['ab']"),
            ("'abc123'.scanf('%[a-z]%d')", "['abc', 123]"),
            ("'abc123'.scanf('%[^0-9]%d')", "['abc', 123]"),
            ("'5%'.scanf('%d%%')", "[5]"),
            ("'5 6'.scanf('%*d %d')", "[6]"),
            ("''.scanf('%d')", "[]"),
            ("'5'.scanf('')", "[]"),
            ("'12345'.scanf('%2d%2d')", "[12, 34]"),
            ("'a-b'.scanf('%[-a]%s')", "['a-', 'b']"),
            ("'5'.scanf('%q')", "[]"),
        ]);
    }
}
