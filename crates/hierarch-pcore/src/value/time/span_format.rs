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
}
