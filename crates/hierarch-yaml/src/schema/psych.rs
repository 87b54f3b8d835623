//! Scalars as Ruby's Psych resolves them: nearly YAML 1.1, with habits of its own.
//!
//! The order of the questions is Psych's and matters: `1:30` is asked for as a time of day before it is
//! asked for as a number, and a text that begins with a letter is never asked for as anything but a word.

use std::borrow::Cow;

use hierarch_bits::base64;
use hierarch_source::Result;

use super::{Scalar, based_number, whole_number};
use crate::issues;
use crate::node::{NodeId, Style, Tree};

pub(super) fn resolve(tree: &Tree, id: NodeId) -> Result<Scalar<'_>> {
    let text = tree.text(id);
    let quoted = tree.style(id) != Style::Plain;
    match tree.tag(id) {
        // A quoted text with a tag of its own does not count as quoted, also with the bare `!` that old Rubys wrote.
        None if quoted => Ok(Scalar::Str(text.into())),
        None | Some("!") => plain(text),
        Some(tag) => tagged(tag, text),
    }
}

/// Tags of maps that are texts and hashes with variables of their own to Ruby: `!str {str: a, "@b": c}` is the text `a`.
const WITH_VARIABLES: [&str; 4] = ["!str", "tag:yaml.org,2002:str", "!ruby/string", "!ruby/hash-with-ivars"];

/// Refuses collections whose tag asks for a Ruby class that data may not have.
pub(super) fn check_collection_tag(tag: &str, is_map: bool) -> Result<()> {
    if is_map && WITH_VARIABLES.contains(&tag) {
        return Err(issues::ruby_object_as_map(tag));
    }
    // Only a map becomes a set, and only a list an ordered map: the tag of the other kind is passed over, or refused.
    let class = match tag {
        "!set" | "tag:yaml.org,2002:set" if !is_map => None,
        "!omap" | "tag:yaml.org,2002:omap" if is_map => Some("Psych::Omap"),
        _ => disallowed_collection(tag),
    };
    match class {
        Some(class) => Err(issues::disallowed_class(class)),
        None => Ok(()),
    }
}

/// Returns the Ruby class that the tag of a collection asks for, if data may not have it.
pub fn disallowed_collection(tag: &str) -> Option<&str> {
    match tag {
        "!set" | "tag:yaml.org,2002:set" => Some("Psych::Set"),
        "!ruby/range" => Some("Range"),
        "!ruby/struct" => Some("Struct"),
        "!ruby/exception" => Some("Exception"),
        "!ruby/object" => Some("Object"),
        "!ruby/object:Hash" => None,
        _ => {
            let prefixes =
                ["!ruby/object:", "!ruby/struct:", "!ruby/exception:", "!ruby/hash:", "!ruby/array:"];
            let more =
                ["!ruby/hash-with-ivars:", "!ruby/marshalable:", "!map:", "!seq:", "!str:", "!ruby/string:"];
            prefixes.iter().chain(&more).find_map(|prefix| tag.strip_prefix(prefix))
        }
    }
}

fn tagged<'t>(tag: &str, text: &'t str) -> Result<Scalar<'t>> {
    match tag {
        "!binary" | "tag:yaml.org,2002:binary" => Ok(Scalar::Binary(base64::decode(text))),
        "!str" | "tag:yaml.org,2002:str" | "!ruby/string" => Ok(Scalar::Str(text.into())),
        "!float" | "tag:yaml.org,2002:float" => to_float(plain(text)?, text),
        _ if tag.starts_with("!ruby/sym") => Ok(Scalar::Symbol(text.into())),
        "!ruby/object:BigDecimal" => Err(issues::disallowed_class("BigDecimal")),
        "!ruby/object:DateTime" => Err(issues::disallowed_class("DateTime")),
        "!ruby/object:Complex" => Err(issues::disallowed_class("Complex")),
        "!ruby/object:Rational" => Err(issues::disallowed_class("Rational")),
        "!ruby/class" | "!ruby/module" => Err(issues::disallowed_class(text)),
        "!ruby/regexp" => Err(issues::disallowed_class("Regexp")),
        "!ruby/range" => Err(issues::disallowed_class("Range")),
        _ => plain(text),
    }
}

fn to_float<'t>(value: Scalar<'t>, text: &str) -> Result<Scalar<'t>> {
    match value {
        Scalar::Int(number) => Ok(Scalar::Float(number as f64)),
        Scalar::Float(_) => Ok(value),
        Scalar::Big(digits) => Ok(Scalar::Float(digits.parse().unwrap_or(f64::INFINITY))),
        Scalar::Str(word) => match word.replace('_', "").trim().parse() {
            Ok(number) if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') => {
                Ok(Scalar::Float(number))
            }
            _ => Err(issues::bad_tagged_value("float", text)),
        },
        _ => Err(issues::bad_tagged_value("float", text)),
    }
}

/// Resolves a text that has neither quotes nor tag.
pub(super) fn plain(text: &str) -> Result<Scalar<'_>> {
    if text.is_empty() {
        return Ok(Scalar::Null);
    }
    if begins_like_a_word(text) || text.contains('\n') {
        return Ok(word(text));
    }
    if let Some(number) = few_digits(text) {
        return Ok(Scalar::Int(number));
    }
    if is_time(text) {
        return Err(issues::disallowed_class("Time"));
    }
    if is_date(text) {
        return Err(issues::disallowed_class("Date"));
    }
    Ok(special_float(text)
        .or_else(|| symbol(text))
        .or_else(|| sexagesimal(text))
        .or_else(|| float(text))
        .or_else(|| integer(text))
        .unwrap_or(Scalar::Str(text.into())))
}

/// Digits alone, not too many and without a leading zero: nothing but a number to every question below.
fn few_digits(text: &str) -> Option<i64> {
    let bytes = text.as_bytes();
    let fits = bytes.len() <= 18 && (bytes[0] != b'0' || bytes.len() == 1);
    if !fits || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(bytes.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
}

/// An optional first character that is not a digit, dot, colon or hyphen, then a letter, a blank or one of
/// many signs: such a text can be no number.
fn begins_like_a_word(text: &str) -> bool {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return false };
    if is_word_char(first) {
        return true;
    }
    !matches!(first, '0'..='9' | '.' | ':' | '-') && chars.next().is_some_and(is_word_char)
}

fn is_word_char(c: char) -> bool {
    c.is_alphabetic()
        || matches!(c, '_' | ' ' | '\t' | '\r' | '\n' | '\x0b' | '\x0c')
        || matches!(c, '!' | '@' | '#' | '$' | '%' | '^' | '&' | '*' | '(' | ')' | '{' | '}')
        || matches!(c, '<' | '>' | '|' | '/' | '\\' | '~' | ';' | '=')
}

/// Resolves a text that begins like a word.
pub(crate) fn word(text: &str) -> Scalar<'_> {
    if text.len() > 5 && text.chars().nth(5).is_some() {
        return Scalar::Str(text.into());
    }
    let first = text.as_bytes().first().map_or(0, u8::to_ascii_lowercase);
    if !matches!(first, b'y' | b't' | b'o' | b'n' | b'f' | b'~' | b'\r' | b'\n') {
        return Scalar::Str(text.into());
    }
    // Ruby's ^ and $ match at every line, so each line counts by itself.
    let any_line =
        |words: &[&str]| text.lines().any(|line| words.iter().any(|w| line.eq_ignore_ascii_case(w)));
    let foreign = |line: &str| {
        line.chars()
            .next()
            .is_some_and(|c| !matches!(c.to_ascii_lowercase(), 'y' | 't' | 'o' | 'n' | 'f' | '~'))
    };
    if text.lines().any(foreign) {
        Scalar::Str(text.into())
    } else if text == "~" || any_line(&["null"]) {
        Scalar::Null
    } else if any_line(&["yes", "true", "on"]) {
        Scalar::Bool(true)
    } else if any_line(&["no", "false", "off"]) {
        Scalar::Bool(false)
    } else {
        Scalar::Str(text.into())
    }
}

fn special_float(text: &str) -> Option<Scalar<'static>> {
    let unsigned = text.strip_prefix('+').unwrap_or(text);
    if unsigned.eq_ignore_ascii_case(".inf") {
        Some(Scalar::Float(f64::INFINITY))
    } else if text.eq_ignore_ascii_case("-.inf") {
        Some(Scalar::Float(f64::NEG_INFINITY))
    } else if text.eq_ignore_ascii_case(".nan") {
        Some(Scalar::Float(f64::NAN))
    } else {
        None
    }
}

fn symbol(text: &str) -> Option<Scalar<'_>> {
    let name = text.strip_prefix(':').filter(|name| !name.is_empty())?;
    let quote = name.as_bytes()[0];
    let name = match quote {
        b'"' | b'\'' => match name[1..].rfind(quote as char) {
            // Inside the quotes one more colon is dropped.
            Some(end) => name[1..=end].strip_prefix(':').unwrap_or(&name[1..=end]),
            None => name,
        },
        _ => name,
    };
    Some(Scalar::Symbol(Cow::Borrowed(name)))
}

/// `1:30` and `12:30:45` are hours, minutes and seconds, in seconds; a sign belongs to the hours alone.
fn sexagesimal(text: &str) -> Option<Scalar<'static>> {
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    let fields: Vec<&str> = whole.split(':').collect();
    if !(2..=3).contains(&fields.len())
        || !is_first_field(fields[0])
        || !fields[1..].iter().all(|f| is_sixty(f))
    {
        return None;
    }
    let Some(fraction) = fraction else {
        let parts = fields.iter().zip([3600i64, 60, 1]);
        return Some(Scalar::Int(
            parts.fold(0i64, |sum, (field, unit)| sum.saturating_add(ruby_to_i(field).saturating_mul(unit))),
        ));
    };
    if !fraction.bytes().all(|b| b.is_ascii_digit() || b == b'_') {
        return None;
    }
    let last = fields.len() - 1;
    let seconds =
        fields.iter().zip([3600.0, 60.0, 1.0]).enumerate().fold(0.0, |sum, (index, (field, unit))| {
            let tail = if index == last { format!(".{}", fraction.replace('_', "")) } else { String::new() };
            let number: f64 =
                format!("{}{tail}", field.replace('_', "")).trim_end_matches('.').parse().unwrap_or(0.0);
            sum + number * unit
        });
    Some(Scalar::Float(seconds))
}

fn is_first_field(field: &str) -> bool {
    let digits = field.strip_prefix(['-', '+']).unwrap_or(field);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.bytes().all(|b| b.is_ascii_digit() || b == b'_')
}

fn is_sixty(field: &str) -> bool {
    matches!(field.as_bytes(), [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9'])
}

/// Reads a number as Ruby's `to_i` does: an underscore counts only between two digits.
fn ruby_to_i(field: &str) -> i64 {
    let (sign, digits) = match field.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, field.strip_prefix('+').unwrap_or(field)),
    };
    let mut value = 0i64;
    let mut after_underscore = false;
    for byte in digits.bytes() {
        match byte {
            b'_' if after_underscore => break,
            b'_' => after_underscore = true,
            _ => {
                after_underscore = false;
                value = value.saturating_mul(10).saturating_add(i64::from(byte - b'0'));
            }
        }
    }
    sign * value
}

fn float(text: &str) -> Option<Scalar<'static>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = unsigned.split_once('.')?;
    let whole_fits = whole.is_empty()
        || (whole.as_bytes()[0].is_ascii_digit()
            && whole.bytes().all(|b| b.is_ascii_digit() || b == b'_' || b == b','));
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let exponent = &rest[digits..];
    if !whole_fits || !(exponent.is_empty() || is_signed_exponent(exponent)) || unsigned == "." {
        return None;
    }
    let text = text.replace([',', '_'], "");
    // `.e+3` has no digits at all: Ruby refuses it, and the file with it; nobody writes it.
    text.parse().ok().map(Scalar::Float)
}

fn is_signed_exponent(text: &str) -> bool {
    matches!(text.as_bytes(), [b'e' | b'E', b'-' | b'+', digits @ ..]
        if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

fn integer(text: &str) -> Option<Scalar<'static>> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let grouped = |rest: &str, base: u32| rest.chars().all(|c| c == '_' || c == ',' || c.is_digit(base));
    let based = |rest: &str, base: u32| {
        let bare = rest.replace(['_', ','], "");
        (grouped(rest, base) && !bare.is_empty()).then(|| based_number(negative, &bare, base)).flatten()
    };
    match digits.as_bytes() {
        [b'0'] => Some(Scalar::Int(0)),
        [b'0', b'b', ..] => based(&digits[2..], 2),
        [b'0', b'x', ..] => based(&digits[2..], 16),
        [b'0', ..] => {
            let bare = digits.replace(['_', ','], "");
            grouped(&digits[1..], 8).then(|| based_number(negative, &bare, 8)).flatten()
        }
        [b'1'..=b'9', ..] => decimal(negative, digits),
        _ => None,
    }
}

/// Digits with single separators between them.
fn decimal(negative: bool, digits: &str) -> Option<Scalar<'static>> {
    let mut after_separator = false;
    for byte in digits.bytes() {
        match byte {
            b'0'..=b'9' => after_separator = false,
            b'_' | b',' if !after_separator => after_separator = true,
            _ => return None,
        }
    }
    let bare = digits.replace(['_', ','], "");
    (!after_separator).then(|| whole_number(&if negative { format!("-{bare}") } else { bare }))
}

fn is_date(text: &str) -> bool {
    if text.as_bytes().get(4) != Some(&b'-') {
        return false;
    }
    let fields: Vec<&str> = text.split('-').collect();
    let [year, month, day] = fields[..] else { return false };
    let digits = |field: &str, most: usize| {
        (1..=most).contains(&field.len()) && field.bytes().all(|b| b.is_ascii_digit())
    };
    if year.len() != 4 || !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
        return false;
    }
    // Nobody asks whether there is such a day before the class is refused: 2001-02-30 and 2001-00-00 are dates.
    let number = |field: &str| field.parse::<u32>().unwrap_or(0);
    number(month) <= 12 && number(day) <= 31
}

/// A date, then `t` or blanks, then a time with optional fraction and zone.
fn is_time(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let mut eat = Eat(rest);
    eat.digits(4, 4)
        && eat.one("-")
        && eat.digits(1, 2)
        && eat.one("-")
        && eat.digits(1, 2)
        && (eat.one("tT") || eat.blanks())
        && eat.digits(1, 2)
        && eat.one(":")
        && eat.digits(2, 2)
        && eat.one(":")
        && eat.digits(2, 2)
        && eat.fraction()
        && eat.zone()
        && eat.0.is_empty()
}

struct Eat<'t>(&'t str);

impl Eat<'_> {
    fn digits(&mut self, least: usize, most: usize) -> bool {
        let count = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        self.0 = &self.0[count..];
        count >= least
    }

    fn one(&mut self, of: &str) -> bool {
        let fits = self.0.chars().next().is_some_and(|c| of.contains(c));
        self.0 = if fits { &self.0[1..] } else { self.0 };
        fits
    }

    fn blanks(&mut self) -> bool {
        let rest = self.0.trim_start_matches([' ', '\t']);
        let some = rest.len() < self.0.len();
        self.0 = rest;
        some
    }

    fn fraction(&mut self) -> bool {
        if self.one(".") {
            self.0 = self.0.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        true
    }

    fn zone(&mut self) -> bool {
        self.blanks();
        if self.0.is_empty() || self.one("Z") {
            return true;
        }
        self.one("-+") && self.digits(1, 2) && {
            self.one(":");
            self.digits(0, 2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[allow(clippy::needless_pass_by_value)] // so that the tables below read as tables
    fn check(text: &str, expected: Scalar) {
        match plain(text) {
            Ok(found) => assert_eq!(found, expected, "{text:?}"),
            Err(error) => panic!("{text:?}: {error}"),
        }
    }

    fn check_text(texts: &[&str]) {
        for text in texts {
            check(text, Scalar::Str((*text).into()));
        }
    }

    /// Ruby makes a text, or the hash below `elements`, of such a map; a map would be a wrong answer.
    #[test]
    fn maps_that_are_ruby_objects_are_refused() {
        for tag in WITH_VARIABLES {
            let error = check_collection_tag(tag, true).expect_err("a Ruby object");
            assert!(error.message.contains(tag), "{}", error.message);
            check_collection_tag(tag, false).expect("a list with that tag is a list");
        }
    }

    #[test]
    fn words() {
        for (text, value) in [("yes", true), ("On", true), ("tRue", true), ("no", false), ("OFF", false)] {
            check(text, Scalar::Bool(value));
        }
        for text in ["~", "null", "Null", "NULL", ""] {
            check(text, Scalar::Null);
        }
        check_text(&["y", "n", "Y", "N", "yess", "nulls", "word", "<<", "="]);
    }

    #[test]
    fn whole_numbers() {
        for (text, value) in
            [("0777", 511), ("0_7", 7), ("0x1F", 31), ("0b101", 5), ("0x_1", 1), ("-0x1F", -31)]
        {
            check(text, Scalar::Int(value));
        }
        for (text, value) in
            [("1_000", 1000), ("1,000", 1000), ("1,2", 12), ("-017", -15), ("+5", 5), ("0", 0)]
        {
            check(text, Scalar::Int(value));
        }
        check_text(&["08", "09", "0o777", "0b2", "1__0", "1_", "_1", ",1", "1-2", "10.0.0.1", "1.2.3"]);
        check("123456789012345678901234567890", Scalar::Big("123456789012345678901234567890".into()));
    }

    #[test]
    fn floats_need_a_dot_and_a_signed_exponent() {
        for (text, value) in
            [("1.", 1.0), (".5", 0.5), ("1.10", 1.1), ("1,234.5", 1234.5), ("1.5e+3", 1500.0)]
        {
            check(text, Scalar::Float(value));
        }
        check("1.5e-3", Scalar::Float(0.0015));
        check("-.INF", Scalar::Float(f64::NEG_INFINITY));
        check("+.inf", Scalar::Float(f64::INFINITY));
        check_text(&["1e3", "1.5e3", "12e03", ".1e2", "1e400", "1e+3", ".", "-."]);
    }

    #[test]
    fn colons_make_seconds() {
        for (text, value) in [("190:20:30", 685_230), ("1:30", 5400), ("59:59", 215_940), ("60:00", 216_000)]
        {
            check(text, Scalar::Int(value));
        }
        check("+12:30", Scalar::Int(45_000));
        check("-1:30", Scalar::Int(-1800));
        check("12:30:45.5", Scalar::Float(45_045.5));
        check_text(&["1:60", "1:2:3:4"]);
    }

    #[test]
    fn symbols() {
        for (text, name) in [(":sym", "sym"), (":\"q\"", "q"), ("::x", ":x"), (":a:b", "a:b")] {
            check(text, Scalar::Symbol(name.into()));
        }
        check_text(&[":"]);
    }

    #[test]
    fn dates_and_times_are_refused_and_what_cannot_be_one_is_text() {
        for text in [
            "2001-12-14",
            "2001-1-1",
            "2001-02-30",
            "2001-00-10",
            "2001-12-00",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43",
        ] {
            assert_eq!(plain(text).map_err(|e| e.code).err(), Some("YAML_DISALLOWED_CLASS"), "{text}");
        }
        check_text(&["2001-13-01", "2001-12-32", "2001-12-14-1"]);
    }
}
