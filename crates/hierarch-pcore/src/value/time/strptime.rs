//! Ruby's `strptime`, as far as it makes a point in time.

use hierarch_source::Result;

use super::NANOS;
use super::calendar::{MONTHS, WEEKDAYS, days_in_month, days_of};
use crate::issues;

/// What a text said about a moment.
#[derive(Clone, Default, Debug)]
pub(super) struct ParsedMoment {
    pub(super) zone: Option<String>,
    year: Option<i64>,
    month: Option<u32>,
    day: Option<u32>,
    hour: Option<u32>,
    minute: Option<u32>,
    second: Option<u32>,
    nanos: Option<i128>,
    century: Option<i64>,
    afternoon: Option<bool>,
}

/// Reads a text by a format; nothing if it does not fit or something is left over.
pub(super) fn strptime(text: &str, format: &str) -> Option<ParsedMoment> {
    let mut reader = Reader { rest: text, parsed: ParsedMoment::default() };
    reader.follow(format)?;
    reader.rest.is_empty().then(|| reader.parsed.completed())
}

struct Reader<'a> {
    rest: &'a str,
    parsed: ParsedMoment,
}

impl ParsedMoment {
    /// Puts century and half of the day where they belong.
    fn completed(mut self) -> Self {
        if let (Some(century), Some(year)) = (self.century, self.year) {
            self.year = Some(century * 100 + year);
        }
        if let (Some(afternoon), Some(hour)) = (self.afternoon, self.hour) {
            self.hour = Some(hour % 12 + if afternoon { 12 } else { 0 });
        }
        self
    }

    /// Returns nanoseconds since 1970, the zone left aside.
    pub(super) fn nanos(&self) -> Result<i128> {
        let year = self.year.ok_or_else(issues::time_without_year)?;
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let fits = (1..=12).contains(&month) && (1..=31).contains(&day) && self.hour.unwrap_or(0) <= 24;
        if !fits {
            return Err(issues::time_out_of_range());
        }
        // A day past the end of its month runs over into the next, as Ruby's does.
        let over = day.saturating_sub(days_in_month(year, month));
        let days = days_of(year, month, day - over) + i64::from(over);
        let clock = self.hour.unwrap_or(0) * 3600 + self.minute.unwrap_or(0) * 60 + self.second.unwrap_or(0);
        Ok((i128::from(days) * 86_400 + i128::from(clock)) * NANOS + self.nanos.unwrap_or(0))
    }
}

impl<'a> Reader<'a> {
    fn follow(&mut self, format: &str) -> Option<()> {
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            match c {
                '%' => {
                    let mut letter = chars.next()?;
                    while matches!(letter, 'E' | 'O' | ':' | '-' | '0' | '^' | '#' | '_') {
                        letter = chars.next()?;
                    }
                    let next_is_digits = chars.as_str().starts_with(|c: char| c.is_ascii_digit())
                        || chars.as_str().strip_prefix('%').is_some_and(|rest| {
                            rest.starts_with(|c: char| "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(c))
                        });
                    self.directive(letter, next_is_digits)?;
                }
                c if c.is_whitespace() => self.rest = self.rest.trim_start(),
                c => self.rest = self.rest.strip_prefix(c)?,
            }
        }
        Some(())
    }

    fn directive(&mut self, letter: char, next_is_digits: bool) -> Option<()> {
        match letter {
            'Y' => self.parsed.year = Some(self.signed(if next_is_digits { 4 } else { 18 })?),
            'C' => self.parsed.century = Some(self.signed(if next_is_digits { 2 } else { 18 })?),
            'y' => self.short_year()?,
            'm' => self.parsed.month = Some(self.within(2, 1, 12)?),
            'd' | 'e' => self.parsed.day = Some(self.spaced(1, 31)?),
            'H' | 'k' => self.parsed.hour = Some(self.spaced(0, 24)?),
            'I' | 'l' => self.parsed.hour = Some(self.spaced(1, 12)?),
            'M' => self.parsed.minute = Some(self.within(2, 0, 59)?),
            'S' => self.parsed.second = Some(self.within(2, 0, 60)?),
            'L' => self.parsed.nanos = Some(self.fraction(if next_is_digits { 3 } else { 36 })?),
            'N' => self.parsed.nanos = Some(self.fraction(if next_is_digits { 9 } else { 36 })?),
            'j' => {
                self.within(3, 1, 366)?;
            }
            'B' | 'b' | 'h' => self.parsed.month = Some(self.name(&MONTHS)? + 1),
            'A' | 'a' => {
                self.name(&WEEKDAYS)?;
            }
            'p' | 'P' => self.half_of_day()?,
            'z' | 'Z' => self.zone()?,
            _ => return self.composite(letter),
        }
        Some(())
    }

    fn composite(&mut self, letter: char) -> Option<()> {
        match letter {
            'F' => self.follow("%Y-%m-%d"),
            'T' | 'X' => self.follow("%H:%M:%S"),
            'R' => self.follow("%H:%M"),
            'D' | 'x' => self.follow("%m/%d/%y"),
            'c' => self.follow("%a %b %e %H:%M:%S %Y"),
            'r' => self.follow("%I:%M:%S %p"),
            'v' => self.follow("%e-%b-%Y"),
            '+' => self.follow("%a %b %e %H:%M:%S %Z %Y"),
            'n' | 't' => {
                self.rest = self.rest.trim_start();
                Some(())
            }
            '%' => {
                self.rest = self.rest.strip_prefix('%')?;
                Some(())
            }
            _ => None,
        }
    }

    /// Takes up to `most` digits.
    fn digits(&mut self, most: usize) -> Option<&'a str> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        (count > 0).then_some(digits)
    }

    fn signed(&mut self, most: usize) -> Option<i64> {
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let number: i64 = self.digits(most)?.parse().ok()?;
        (number <= 1_000_000).then_some(if negative { -number } else { number })
    }

    fn within(&mut self, most: usize, low: u32, high: u32) -> Option<u32> {
        let number = self.digits(most)?.parse().ok()?;
        (low..=high).contains(&number).then_some(number)
    }

    /// Two digits, or a blank and one.
    fn spaced(&mut self, low: u32, high: u32) -> Option<u32> {
        match self.rest.strip_prefix(' ') {
            Some(rest) => {
                self.rest = rest;
                self.within(1, low, high)
            }
            None => self.within(2, low, high),
        }
    }

    fn short_year(&mut self) -> Option<()> {
        let year = i64::from(self.within(2, 0, 99)?);
        self.parsed.year = Some(year);
        self.parsed.century.get_or_insert(if year >= 69 { 19 } else { 20 });
        Some(())
    }

    /// A fraction of a second in nanoseconds.
    fn fraction(&mut self, most: usize) -> Option<i128> {
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let digits = self.digits(most)?;
        let nanos: i128 = format!("{digits:0<9}")[..9].parse().ok()?;
        Some(if negative { -nanos } else { nanos })
    }

    fn name(&mut self, names: &[&str]) -> Option<u32> {
        let index = names.iter().position(|name| starts_with_ignoring_case(self.rest, &name[..3]))?;
        let length = if starts_with_ignoring_case(self.rest, names[index]) { names[index].len() } else { 3 };
        self.rest = &self.rest[length..];
        Some(index as u32)
    }

    fn half_of_day(&mut self) -> Option<()> {
        let (text, afternoon) = [("a.m.", false), ("p.m.", true), ("am", false), ("pm", true)]
            .into_iter()
            .find(|(text, _)| starts_with_ignoring_case(self.rest, text))?;
        self.rest = &self.rest[text.len()..];
        self.parsed.afternoon = Some(afternoon);
        Some(())
    }

    fn zone(&mut self) -> Option<()> {
        let length = zone_length(self.rest);
        if length == 0 {
            return None;
        }
        let (zone, rest) = self.rest.split_at(length);
        self.parsed.zone = Some(zone.to_owned());
        self.rest = rest;
        Some(())
    }
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// Tells how much of a text is a zone: an offset, maybe after `UTC` or `GMT`, or letters.
fn zone_length(text: &str) -> usize {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let offset = |text: &str| {
        let signed = text.starts_with(['+', '-']);
        let body =
            text.bytes().skip(1).take_while(|byte| byte.is_ascii_digit() || b":,.".contains(byte)).count();
        if signed && body > 0 { body + 1 } else { 0 }
    };
    match &text[..letters].to_ascii_lowercase()[..] {
        "" => offset(text),
        "utc" | "gmt" | "ut" => letters + offset(&text[letters..]),
        _ if starts_with_ignoring_case(&text[letters..], " dst") => letters + 4,
        _ => letters,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// Each directive of a format, and what does not fit it.
    const A_MOMENT_IS_READ_BY_ITS_FORMAT: &[(&str, &str)] = &[
        ("Timestamp('2020-02-03', '%Y-%m-%d')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ("Timestamp('2020-2-3', '%Y-%m-%d')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ("Timestamp('20200203', '%Y%m%d')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ("Timestamp('20-02-03', '%y-%m-%d')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ("Timestamp('68-01-01', '%y-%m-%d')", "Timestamp('2068-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp('69-01-01', '%y-%m-%d')", "Timestamp('1969-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp('2021 02 29', '%Y %m %d')", "Timestamp('2021-03-01T00:00:00.000000000 UTC')"),
        ("Timestamp('2021-04-31', '%Y-%m-%d')", "Timestamp('2021-05-01T00:00:00.000000000 UTC')"),
        ("Timestamp('2020-13-01', '%Y-%m-%d')", "Unable to parse '2020-13-01' using format '%Y-%m-%d'"),
        ("Timestamp('2020-00-01', '%Y-%m-%d')", "Unable to parse '2020-00-01' using format '%Y-%m-%d'"),
        ("Timestamp('2020-01-00', '%Y-%m-%d')", "Unable to parse '2020-01-00' using format '%Y-%m-%d'"),
        ("Timestamp('2020-01-32', '%Y-%m-%d')", "Unable to parse '2020-01-32' using format '%Y-%m-%d'"),
        ("Timestamp('2020', '%Y')", "Timestamp('2020-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp('02', '%m')", "no implicit conversion of nil into Integer"),
        ("Timestamp('2020-06', '%Y-%m')", "Timestamp('2020-06-01T00:00:00.000000000 UTC')"),
        ("Timestamp('2020-01-02 03:04:05', '%F %T')", "Timestamp('2020-01-02T03:04:05.000000000 UTC')"),
        ("Timestamp('2020-01-02 03:04', '%F %R')", "Timestamp('2020-01-02T03:04:00.000000000 UTC')"),
        ("Timestamp('2020-01-02 24:00:00', '%F %T')", "Timestamp('2020-01-03T00:00:00.000000000 UTC')"),
        (
            "Timestamp('2020-01-02 25:00:00', '%F %T')",
            "Unable to parse '2020-01-02 25:00:00' using format '%F %T'",
        ),
        (
            "Timestamp('2020-01-02 23:60:00', '%F %T')",
            "Unable to parse '2020-01-02 23:60:00' using format '%F %T'",
        ),
        ("Timestamp('2020-01-02 23:59:60', '%F %T')", "Timestamp('2020-01-03T00:00:00.000000000 UTC')"),
        (
            "Timestamp('2020-01-02 23:59:61', '%F %T')",
            "Unable to parse '2020-01-02 23:59:61' using format '%F %T'",
        ),
        (
            "Timestamp('2020-01-02 03:04:05.678', '%F %T.%L')",
            "Timestamp('2020-01-02T03:04:05.678000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05.678901234', '%F %T.%N')",
            "Timestamp('2020-01-02T03:04:05.678901234 UTC')",
        ),
        ("Timestamp('2020-01-02 03:04:05.6', '%F %T.%N')", "Timestamp('2020-01-02T03:04:05.600000000 UTC')"),
        ("Timestamp('2020-01-02 12:04:05 AM', '%F %r')", "Timestamp('2020-01-02T00:04:05.000000000 UTC')"),
        ("Timestamp('2020-01-02 12:04:05 pm', '%F %r')", "Timestamp('2020-01-02T12:04:05.000000000 UTC')"),
        ("Timestamp('2020-01-02 01:04:05 p.m.', '%F %r')", "Timestamp('2020-01-02T13:04:05.000000000 UTC')"),
        (
            "Timestamp('2020-01-02 13:04:05 PM', '%F %r')",
            "Unable to parse '2020-01-02 13:04:05 PM' using format '%F %r'",
        ),
        ("Timestamp('2020 Feb 3', '%Y %b %d')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ("Timestamp('2020 february 3', '%Y %B %d')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        ("Timestamp('2020 Febr 3', '%Y %b %d')", "Unable to parse '2020 Febr 3' using format '%Y %b %d'"),
        ("Timestamp('2020 Foo 3', '%Y %b %d')", "Unable to parse '2020 Foo 3' using format '%Y %b %d'"),
        ("Timestamp('Mon 2020-01-02', '%a %F')", "Timestamp('2020-01-02T00:00:00.000000000 UTC')"),
        ("Timestamp('Thursday, 2020-01-02', '%A, %F')", "Timestamp('2020-01-02T00:00:00.000000000 UTC')"),
        ("Timestamp('01/02/20', '%D')", "Timestamp('2020-01-02T00:00:00.000000000 UTC')"),
        ("Timestamp(' 3-Feb-2020', '%v')", "Timestamp('2020-02-03T00:00:00.000000000 UTC')"),
        (
            "Timestamp('2020-01-02 03:04:05 +0100', '%F %T %z')",
            "Timestamp('2020-01-02T02:04:05.000000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05 -01:30', '%F %T %z')",
            "Timestamp('2020-01-02T04:34:05.000000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05 UTC', '%F %T %Z')",
            "Timestamp('2020-01-02T03:04:05.000000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05 EST', '%F %T %Z')",
            "Timestamp('2020-01-02T08:04:05.000000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05 GMT+2', '%F %T %Z')",
            "Timestamp('2020-01-02T01:04:05.000000000 UTC')",
        ),
        ("Timestamp('2020-01-02 03:04:05 Nowhere', '%F %T %Z')", "Illegal timezone 'Nowhere'"),
        (
            "Timestamp('2020-01-02 03:04:05', '%F %T', 'EST')",
            "Timestamp('2020-01-02T08:04:05.000000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05', '%F %T', '+02:00')",
            "Timestamp('2020-01-02T01:04:05.000000000 UTC')",
        ),
        (
            "Timestamp('2020-01-02 03:04:05 UTC', '%F %T %Z', 'EST')",
            "Using a Timezone designator in format specification is mutually exclusive to providing an explicit timezone argument",
        ),
        ("Timestamp('2020-01-02 03:04:05', '%F %T', 'Nowhere')", "Illegal timezone 'Nowhere'"),
        ("Timestamp('2020-01-02', ['%Y', '%F'])", "Timestamp('2020-01-02T00:00:00.000000000 UTC')"),
        (
            "Timestamp('2020-01-02', ['%Y', '%m'])",
            "Unable to parse '2020-01-02' using any of the formats %Y, %m",
        ),
        ("Timestamp('2020-01-02x', '%F')", "Unable to parse '2020-01-02x' using format '%F'"),
        ("Timestamp('x2020-01-02', '%F')", "Unable to parse 'x2020-01-02' using format '%F'"),
        ("Timestamp('100%', '%Y%%')", "Timestamp('0100-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp('2020   01', '%Y %m')", "Timestamp('2020-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp('2020 032', '%Y %j')", "Timestamp('2020-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp('-0001-01-01', '%F')", "Timestamp('-0001-01-01T00:00:00.000000000 UTC')"),
        (
            "Timestamp('', '%F')",
            "The function 'new_timestamp' was called with arguments it does not accept. It expects one of:\n  ()\n    rejected: expects no arguments, got 2\n  (Variant[Integer, Float] seconds)\n    rejected: expects 1 argument, got 2\n  (String[1] string, Formats = Variant[String[2], Array[String[2], 1]] format?, String[1] timezone?)\n    rejected: parameter 'string' expects a String[1] value, got String\n  (Struct[{'string' => String[1], Optional['format'] => Formats, Optional['timezone'] => String[1]}] hash_arg)\n    rejected: expects 1 argument, got 2",
        ),
        (
            "Timestamp('nonsense')",
            "Unable to parse 'nonsense' using any of the formats %FT%T.%N %Z, %FT%T %Z, %F %T.%N %Z, %F %T %Z, %F %Z, %FT%T.%N, %FT%T, %F %T.%N, %F %T, %F",
        ),
        ("Timestamp('2020-01-02')", "Timestamp('2020-01-02T00:00:00.000000000 UTC')"),
        ("Timestamp('2020-01-02T03:04:05')", "Timestamp('2020-01-02T03:04:05.000000000 UTC')"),
        ("Timestamp('2020-01-02 03:04:05')", "Timestamp('2020-01-02T03:04:05.000000000 UTC')"),
        ("Timestamp('2020-01-02T03:04:05.678')", "Timestamp('2020-01-02T03:04:05.678000000 UTC')"),
        ("Timestamp('2020-01-02T03:04:05 UTC')", "Timestamp('2020-01-02T03:04:05.000000000 UTC')"),
        ("Timestamp('2020-01-02T03:04:05.5 +01:00')", "Timestamp('2020-01-02T02:04:05.500000000 UTC')"),
        ("Timestamp(0)", "Timestamp('1970-01-01T00:00:00.000000000 UTC')"),
        ("Timestamp(-1)", "Timestamp('1969-12-31T23:59:59.000000000 UTC')"),
        ("Timestamp(1.5)", "Timestamp('1970-01-01T00:00:01.500000000 UTC')"),
        (
            "Timestamp({string => '2020-01-02', format => '%F'})",
            "Timestamp('2020-01-02T00:00:00.000000000 UTC')",
        ),
        (
            "Timestamp({string => '2020-01-02', format => '%F', timezone => 'EST'})",
            "Timestamp('2020-01-02T05:00:00.000000000 UTC')",
        ),
        (
            "Timestamp(true)",
            "The function 'new_timestamp' was called with arguments it does not accept. It expects one of:\n  ()\n    rejected: expects no arguments, got 1\n  (Variant[Integer, Float] seconds)\n    rejected: parameter 'seconds' expects a value of type Integer or Float, got Boolean\n  (String[1] string, Formats = Variant[String[2], Array[String[2], 1]] format?, String[1] timezone?)\n    rejected: parameter 'string' expects a String value, got Boolean\n  (Struct[{'string' => String[1], Optional['format'] => Formats, Optional['timezone'] => String[1]}] hash_arg)\n    rejected: parameter 'hash_arg' expects a Struct value, got Boolean",
        ),
    ];

    #[test]
    fn a_moment_is_read_by_its_format() {
        check_facts(A_MOMENT_IS_READ_BY_ITS_FORMAT);
    }

    /// Where nothing says which year it is, there is no moment.
    #[test]
    fn a_moment_needs_a_year() {
        check_facts(&[
            ("Timestamp('02', '%d')", "no implicit conversion of nil into Integer"),
            ("Timestamp('02:03', '%H:%M')", "no implicit conversion of nil into Integer"),
            ("Timestamp('Feb', '%b')", "no implicit conversion of nil into Integer"),
            ("Timestamp('UTC', '%Z')", "no implicit conversion of nil into Integer"),
            ("Timestamp('02', '%m', 'EST')", "no implicit conversion of nil into Integer"),
            ("Timestamp('50', '%y')", "Timestamp('2050-01-01T00:00:00.000000000 UTC')"),
            ("Timestamp('20', '%C')", "no implicit conversion of nil into Integer"),
            ("Timestamp('-0100-02-03', '%F')", "Timestamp('-0100-02-03T00:00:00.000000000 UTC')"),
            ("Timestamp('-12345-02-03', '%F')", "Timestamp('-12345-02-03T00:00:00.000000000 UTC')"),
            ("Timestamp('12345-02-03', '%F')", "Timestamp('12345-02-03T00:00:00.000000000 UTC')"),
        ]);
    }
}
