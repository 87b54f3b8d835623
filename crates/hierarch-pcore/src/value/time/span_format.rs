//! Formats of lengths of time: `%D` days, `%H`, `%M`, `%S`, `%L` milliseconds, `%N` nanoseconds.
//!
//! The largest unit of a format holds all that is above it: `%H` alone counts more than 23 hours.

use hierarch_source::Result;

use super::{NANOS, Timespan};
use crate::issues;

/// The formats tried when none is given.
pub(super) const DEFAULTS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

/// A format taken apart.
#[derive(Clone, Debug)]
pub struct SpanFormat {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
enum Segment {
    Literal(String),
    Field(Field),
}

#[derive(Clone, Debug)]
struct Field {
    unit: Unit,
    pad: Option<char>,
    width: Option<usize>,
    /// It is the first of the largest unit, and holds the whole.
    total: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Unit {
    Nano,
    Milli,
    Second,
    Minute,
    Hour,
    Day,
}

impl SpanFormat {
    /// Takes a format apart.
    pub fn parse(text: &str) -> Result<Self> {
        let mut format = Self { text: text.to_owned(), segments: Vec::new() };
        let chars: Vec<char> = text.chars().collect();
        let mut at = 0;
        while at < chars.len() {
            if chars[at] == '%' {
                at = format.read_field(&chars, at)?;
            } else {
                format.literal(chars[at]);
                at += 1;
            }
        }
        format.mark_total();
        Ok(format)
    }

    /// Reads a text that has this format.
    pub fn read(&self, text: &str) -> Result<Timespan> {
        let unreadable = || issues::bad_time(text, &self.text);
        let body = text.strip_prefix('-').unwrap_or(text);
        let groups = captures(&self.segments, body).ok_or_else(unreadable)?;
        let mut nanos: i128 = 0;
        for (field, group) in self.fields().zip(groups.iter().rev()) {
            let digits = group.trim_start();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(unreadable());
            }
            nanos = field.nanos(digits)?.checked_add(nanos).ok_or_else(issues::time_out_of_range)?;
        }
        Ok(Timespan(if text.starts_with('-') { -nanos } else { nanos }))
    }

    /// Writes a span.
    pub fn write(&self, span: Timespan) -> String {
        let mut out = String::new();
        if span.0 < 0 {
            out.push('-');
        }
        for segment in &self.segments {
            match segment {
                Segment::Literal(text) => out.push_str(text),
                Segment::Field(field) => out.push_str(&field.write(span.0.abs())),
            }
        }
        out
    }

    fn fields(&self) -> impl Iterator<Item = &Field> {
        self.segments
            .iter()
            .filter_map(|segment| if let Segment::Field(field) = segment { Some(field) } else { None })
    }

    fn literal(&mut self, c: char) {
        if let Some(Segment::Literal(text)) = self.segments.last_mut() {
            text.push(c);
        } else {
            self.segments.push(Segment::Literal(c.into()));
        }
    }

    /// Reads one `%` directive and returns the position after it.
    fn read_field(&mut self, chars: &[char], start: usize) -> Result<usize> {
        let (mut pad, mut width, mut padded) = (Some('0'), None::<usize>, false);
        for (index, &c) in chars.iter().enumerate().skip(start + 1) {
            let bad = || {
                issues::bad_span_format(&chars[start..index].iter().collect::<String>(), &self.text, index)
            };
            match c {
                '%' => {
                    self.literal(c);
                    return Ok(index + 1);
                }
                '-' | '_' if !padded => pad = if c == '-' { None } else { Some(' ') },
                '0'..='9' => {
                    if padded || c != '0' {
                        width = Some((width.unwrap_or(0) * 10 + (c as usize - '0' as usize)).min(4096));
                    }
                }
                c => {
                    let unit = Unit::of(c).ok_or_else(bad)?;
                    self.segments.push(Segment::Field(Field { unit, pad, width, total: false }));
                    return Ok(index + 1);
                }
            }
            padded = true;
        }
        let position = chars.len() - 1;
        let text: String = chars[start..position].iter().collect();
        Err(issues::bad_span_format(&text, &self.text, position))
    }

    fn mark_total(&mut self) {
        let largest = self.fields().map(|field| field.unit).max();
        for segment in &mut self.segments {
            if let Segment::Field(field) = segment
                && Some(field.unit) == largest
            {
                field.total = true;
                return;
            }
        }
    }
}

/// Matches segments with backtracking; returns the fields' texts, last first.
fn captures<'a>(segments: &[Segment], text: &'a str) -> Option<Vec<&'a str>> {
    let Some((first, rest)) = segments.split_first() else { return text.is_empty().then(Vec::new) };
    match first {
        Segment::Literal(literal) => captures(rest, text.strip_prefix(literal.as_str())?),
        Segment::Field(field) => {
            let text = if field.skips_blanks() { text.trim_start() } else { text };
            let (least, most) = field.lengths();
            let room = text.bytes().take_while(|byte| field.takes(*byte)).count().min(most);
            (least..=room).rev().find_map(|length| {
                let mut groups = captures(rest, &text[length..])?;
                groups.push(&text[..length]);
                Some(groups)
            })
        }
    }
}

impl Unit {
    fn of(letter: char) -> Option<Self> {
        Some(match letter {
            'D' => Self::Day,
            'H' => Self::Hour,
            'M' => Self::Minute,
            'S' => Self::Second,
            'L' => Self::Milli,
            'N' => Self::Nano,
            _ => return None,
        })
    }

    fn default_width(self) -> usize {
        match self {
            Self::Day => 1,
            Self::Hour | Self::Minute | Self::Second => 2,
            Self::Milli => 3,
            Self::Nano => 9,
        }
    }

    /// Returns how many nanoseconds one is, and how many of them make one of the next unit.
    fn scale(self) -> (i128, i128) {
        match self {
            Self::Day => (NANOS * 86_400, i128::MAX),
            Self::Hour => (NANOS * 3600, 24),
            Self::Minute => (NANOS * 60, 60),
            Self::Second => (NANOS, 60),
            Self::Milli => (NANOS / 1000, 1000),
            Self::Nano => (1, NANOS),
        }
    }
}

impl Field {
    fn is_fraction(&self) -> bool {
        matches!(self.unit, Unit::Milli | Unit::Nano)
    }

    fn skips_blanks(&self) -> bool {
        self.width.is_none() && self.pad == Some(' ') && self.total
    }

    fn takes(&self, byte: u8) -> bool {
        let blanks = self.pad == Some(' ') && !self.skips_blanks();
        byte.is_ascii_digit() || (blanks && byte.is_ascii_whitespace())
    }

    /// Returns the least and the most characters it takes.
    fn lengths(&self) -> (usize, usize) {
        match (self.width, self.pad) {
            (None, _) if self.total => (1, usize::MAX),
            (None, _) => (1, self.unit.default_width()),
            (Some(width), None) => (1, width),
            (Some(width), Some(_)) => (width, width),
        }
    }

    fn nanos(&self, digits: &str) -> Result<i128> {
        let number: i128 = digits.parse().map_err(|_| issues::time_out_of_range())?;
        if !self.is_fraction() {
            return number.checked_mul(self.unit.scale().0).ok_or_else(issues::time_out_of_range);
        }
        if self.total {
            return Err(issues::fraction_without_whole());
        }
        let missing = 9usize.saturating_sub(digits.len());
        number.checked_mul(10i128.pow(missing as u32)).ok_or_else(issues::time_out_of_range)
    }

    fn write(&self, nanos: i128) -> String {
        let (scale, limit) = self.unit.scale();
        let width = self.width.unwrap_or(self.unit.default_width());
        let (scale, limit) = if self.unit == Unit::Nano && width < 9 {
            (10i128.pow(9 - width as u32), 10i128.pow(width as u32))
        } else {
            (scale, limit)
        };
        let value = if self.total { nanos / scale } else { nanos / scale % limit };
        if self.is_fraction() { self.write_fraction(value, width) } else { self.write_number(value, width) }
    }

    fn write_number(&self, value: i128, width: usize) -> String {
        match self.pad {
            None => value.to_string(),
            Some(' ') => format!("{value:>width$}"),
            Some(_) => format!("{value:0>width$}"),
        }
    }

    /// A fraction is left-justified, and loses its trailing zeros unless padded with zeros.
    fn write_fraction(&self, value: i128, width: usize) -> String {
        let text = value.to_string();
        let text = if self.total || self.pad == Some('0') { &text[..] } else { strip_zeros(&text) };
        if self.pad.is_none() { text.to_owned() } else { format!("{text:<width$}") }
    }
}

fn strip_zeros(text: &str) -> &str {
    let stripped = text.trim_end_matches('0');
    if stripped.is_empty() { "0" } else { stripped }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_facts;

    #[test]
    fn the_largest_unit_holds_the_whole() {
        let span = Timespan(NANOS * 93_784 + 5_600_000);
        for (format, expected) in [
            ("%D-%H:%M:%S", "1-02:03:04"),
            ("%H:%M", "26:03"),
            ("%M", "1563"),
            ("%S.%L", "93784.5  "),
            ("%-S %%", "93784 %"),
            ("%_3H", " 26"),
        ] {
            assert_eq!(span.format(format).expect(format), expected);
        }
    }

    #[test]
    fn malformed_formats_are_refused() {
        for format in ["%", "%x", "%H:%", "%5"] {
            assert!(SpanFormat::parse(format).is_err(), "{format}");
        }
    }

    /// Programs, and what Puppet makes of them.
    const A_SPAN_IS_READ_BY_ITS_FORMAT: &[(&str, &str)] = &[
        ("Timespan('1-02:03:04', '%D-%H:%M:%S')", "Timespan('1-02:03:04.0')"),
        ("Timespan('1-02:03:04')", "Timespan('1-02:03:04.0')"),
        ("Timespan('02:03:04')", "Timespan('0-02:03:04.0')"),
        (
            "Timespan('03:04')",
            "Unable to parse '03:04' using any of the formats %D-%H:%M:%S.%-N, %H:%M:%S.%-N, %M:%S.%-N, %S.%-N, %D-%H:%M:%S, %H:%M:%S, %D-%H:%M, %S",
        ),
        ("Timespan('1')", "Timespan('0-00:00:01.0')"),
        ("Timespan('1-02:03:04.5')", "Timespan('1-02:03:04.5')"),
        ("Timespan('-1-02:03:04')", "Timespan('-1-02:03:04.0')"),
        ("Timespan('100:00', '%H:%M')", "Timespan('4-04:00:00.0')"),
        ("Timespan('25:61', '%H:%M')", "Timespan('1-02:01:00.0')"),
        ("Timespan('90', '%M')", "Timespan('0-01:30:00.0')"),
        ("Timespan('90', '%S')", "Timespan('0-00:01:30.0')"),
        (
            "Timespan('1500', '%L')",
            "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude",
        ),
        ("Timespan('1.5', '%S.%N')", "Timespan('0-00:00:01.5')"),
        ("Timespan('1.500', '%S.%L')", "Timespan('0-00:00:01.5')"),
        ("Timespan('1.25', '%S.%3N')", "Unable to parse '1.25' using format '%S.%3N'"),
        ("Timespan('x', '%S')", "Unable to parse 'x' using format '%S'"),
        ("Timespan('1x', '%S')", "Unable to parse '1x' using format '%S'"),
        (
            "Timespan('', '%S')",
            "The function 'new_timespan' was called with arguments it does not accept. It expects one of:\n  (Variant[Integer, Float] seconds)\n    rejected: expects 1 argument, got 2\n  (String[1] string, Formats = Variant[String[2], Array[String[2], 1]] format?)\n    rejected: parameter 'string' expects a String[1] value, got String\n  (Integer days, Integer hours, Integer minutes, Integer seconds, Integer milliseconds?, Integer microseconds?, Integer nanoseconds?)\n    rejected: expects between 4 and 7 arguments, got 2\n  (Struct[{'string' => String[1], Optional['format'] => Formats}] hash_arg)\n    rejected: expects 1 argument, got 2\n  (Struct[{Optional['negative'] => Boolean, Optional['days'] => Integer, Optional['hours'] => Integer, Optional['minutes'] => Integer, Optional['seconds'] => Integer, Optional['milliseconds'] => Integer, Optional['microseconds'] => Integer, Optional['nanoseconds'] => Integer}] hash_arg)\n    rejected: expects 1 argument, got 2",
        ),
        ("Timespan('10:20', ['%S', '%H:%M'])", "Timespan('0-10:20:00.0')"),
        ("Timespan('10:20', ['%S', '%D'])", "Unable to parse '10:20' using any of the formats %S, %D"),
        ("Timespan('1', '%Q')", "Bad format specifier '%' in '%Q', at position 1"),
        ("Timespan('1', '%5')", "Bad format specifier '%' in '%5', at position 1"),
        ("Timespan('5%', '%S%%')", "Timespan('0-00:00:05.0')"),
        ("Timespan('  5', '%_3S')", "Timespan('0-00:00:05.0')"),
        ("Timespan('005', '%03S')", "Timespan('0-00:00:05.0')"),
        ("Timespan('5', '%-S')", "Timespan('0-00:00:05.0')"),
        ("Timespan(90)", "Timespan('0-00:01:30.0')"),
        ("Timespan(90.25)", "Timespan('0-00:01:30.25')"),
        ("Timespan(-90.25)", "Timespan('-0-00:01:30.25')"),
        ("Timespan(1, 2, 3, 4)", "Timespan('1-02:03:04.0')"),
        ("Timespan(1, 2, 3, 4, 5)", "Timespan('1-02:03:04.5')"),
        ("Timespan(1, 2, 3, 4, 5, 6, 7)", "Timespan('1-02:03:04.5006007')"),
        ("Timespan(1, 2, 3, 4, 5, 6, 7, 8)", "'new_timespan' expects between 1 and 7 arguments, got 8"),
        ("Timespan({days => 1, hours => -2})", "Timespan('0-22:00:00.0')"),
        (
            "Timespan({seconds => 1, milliseconds => 2, microseconds => 3, nanoseconds => 4, negative => true})",
            "Timespan('-0-00:00:01.2003004')",
        ),
        ("Timespan({string => '5', format => '%S'})", "Timespan('0-00:00:05.0')"),
        (
            "Timespan({weeks => 1})",
            "The function 'new_timespan' was called with arguments it does not accept. It expects one of:\n  (Variant[Integer, Float] seconds)\n    rejected: parameter 'seconds' expects a value of type Integer or Float, got Struct\n  (String[1] string, Formats = Variant[String[2], Array[String[2], 1]] format?)\n    rejected: parameter 'string' expects a String value, got Struct\n  (Integer days, Integer hours, Integer minutes, Integer seconds, Integer milliseconds?, Integer microseconds?, Integer nanoseconds?)\n    rejected: expects between 4 and 7 arguments, got 1\n  (Struct[{'string' => String[1], Optional['format'] => Formats}] hash_arg)\n    rejected: parameter 'hash_arg' expects a value for key 'string'\n    rejected: parameter 'hash_arg' unrecognized key 'weeks'\n  (Struct[{Optional['negative'] => Boolean, Optional['days'] => Integer, Optional['hours'] => Integer, Optional['minutes'] => Integer, Optional['seconds'] => Integer, Optional['milliseconds'] => Integer, Optional['microseconds'] => Integer, Optional['nanoseconds'] => Integer}] hash_arg)\n    rejected: parameter 'hash_arg' unrecognized key 'weeks'",
        ),
        (
            "Timespan('5', 5)",
            "The function 'new_timespan' was called with arguments it does not accept. It expects one of:\n  (Variant[Integer, Float] seconds)\n    rejected: expects 1 argument, got 2\n  (String[1] string, Formats = Variant[String[2], Array[String[2], 1]] format?)\n    rejected: parameter 'format' expects a Formats = Variant[String[2], Array[String[2], 1]] value, got Integer\n  (Integer days, Integer hours, Integer minutes, Integer seconds, Integer milliseconds?, Integer microseconds?, Integer nanoseconds?)\n    rejected: expects between 4 and 7 arguments, got 2\n  (Struct[{'string' => String[1], Optional['format'] => Formats}] hash_arg)\n    rejected: expects 1 argument, got 2\n  (Struct[{Optional['negative'] => Boolean, Optional['days'] => Integer, Optional['hours'] => Integer, Optional['minutes'] => Integer, Optional['seconds'] => Integer, Optional['milliseconds'] => Integer, Optional['microseconds'] => Integer, Optional['nanoseconds'] => Integer}] hash_arg)\n    rejected: expects 1 argument, got 2",
        ),
    ];

    #[test]
    fn a_span_is_read_by_its_format() {
        check_facts(A_SPAN_IS_READ_BY_ITS_FORMAT);
    }

    #[test]
    fn a_span_is_written_by_its_format() {
        check_facts(&[
            ("String(Timespan(1, 2, 3, 4, 5, 6, 7), '%s')", "'1-02:03:04.5006007'"),
            ("String(Timespan(93784.5), '%s')", "'1-02:03:04.5'"),
            ("String(Timespan(-93784.5), '%s')", "'-1-02:03:04.5'"),
            ("String(Timespan(0), '%s')", "'0-00:00:00.0'"),
            ("String(Timespan(0.000000001), '%s')", "'0-00:00:00.1'"),
        ]);
    }
}
