//! Points and lengths of time, kept in nanoseconds.

pub mod calendar;
mod span_format;
mod strftime;
mod strptime;
mod zone;

use std::fmt;

use hierarch_source::Result;

use crate::issues;

pub use span_format::SpanFormat;
pub use strftime::strftime;
pub use zone::offset_of;

/// Nanoseconds in a second.
pub const NANOS: i128 = 1_000_000_000;

/// Returns nanoseconds in seconds: whole ones as the nearest number, however many they are.
pub fn in_seconds(nanos: i128) -> f64 {
    if nanos % NANOS == 0 { (nanos / NANOS) as f64 } else { nanos as f64 / NANOS as f64 }
}

/// A point in time: nanoseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timestamp(pub i128);

/// A length of time in nanoseconds, negative ones included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Timespan(pub i128);

/// The formats tried when none is given: with a zone, and without.
const WITH_ZONE: [&str; 5] = ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z"];
const WITHOUT_ZONE: [&str; 5] = ["%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

/// Which formats a text may have.
#[derive(Clone, Debug)]
pub enum Formats {
    /// Those tried when none is given.
    Default,
    /// Exactly one.
    One(String),
    /// The first that fits.
    Any(Vec<String>),
}

impl Timestamp {
    /// Makes the point that many seconds after 1970.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds * NANOS as f64).clamp(-8e37, 8e37) as i128)
    }

    /// Fails if it is further away than a calendar tells.
    pub fn checked(self) -> Result<Self> {
        check(self.0).map(|()| self)
    }

    /// Reads a text. A zone given apart excludes one in the format.
    pub fn parse(text: &str, formats: &Formats, zone: Option<&str>) -> Result<Self> {
        let zone = zone.filter(|zone| !zone.is_empty());
        let parsed = match formats {
            Formats::One(format) => Self::parse_one(text, format, zone)?,
            Formats::Any(formats) => Self::parse_any(text, formats, zone)?,
            Formats::Default => {
                let zoned = if zone.is_some() { &[][..] } else { &WITH_ZONE[..] };
                let formats: Vec<String> =
                    zoned.iter().chain(&WITHOUT_ZONE).map(|&format| format.into()).collect();
                Self::parse_any(text, &formats, zone)?
            }
        };
        let zone = zone.map(str::to_owned).or_else(|| parsed.zone.clone());
        let offset =
            zone.map_or(Ok(0), |zone| offset_of(&zone).ok_or_else(|| issues::bad_timezone(&zone)))?;
        Ok(Self(parsed.nanos()? - i128::from(offset) * NANOS))
    }

    fn parse_one(text: &str, format: &str, zone: Option<&str>) -> Result<strptime::ParsedMoment> {
        let parsed = strptime::strptime(text, format).ok_or_else(|| issues::bad_time(text, format))?;
        if zone.is_some() && parsed.zone.is_some() {
            return Err(issues::zone_given_twice());
        }
        Ok(parsed)
    }

    fn parse_any(text: &str, formats: &[String], zone: Option<&str>) -> Result<strptime::ParsedMoment> {
        formats
            .iter()
            .filter_map(|format| strptime::strptime(text, format))
            .find(|parsed| zone.is_none() || parsed.zone.is_none())
            .ok_or_else(|| issues::bad_time_formats(text, &formats.join(", ")))
    }

    /// Writes it in a format of Ruby's `strftime`, in UTC or the zone given.
    pub fn format(&self, format: &str, zone: Option<&str>) -> Result<String> {
        let Some(zone) = zone.filter(|zone| !zone.is_empty()) else {
            return Ok(strftime(self.0, None, format));
        };
        let offset = offset_of(zone).ok_or_else(|| issues::bad_timezone(zone))?;
        // The reference keeps hours and minutes of a zone only.
        Ok(strftime(self.0, Some(offset / 60 * 60), format))
    }

    /// Returns whole seconds, rounded down.
    pub fn seconds(&self) -> i128 {
        self.0.div_euclid(NANOS)
    }
}

/// So many nanoseconds can be added to as many without a loss.
const LONGEST: u128 = 1 << 125;

/// Fails if so many nanoseconds are more than a time may have: seconds that fit 64 bits.
fn check(nanos: i128) -> Result<()> {
    match i64::try_from(nanos / NANOS) {
        Ok(seconds) if seconds.unsigned_abs() < u64::MAX / 4 => Ok(()),
        _ => Err(issues::time_out_of_range()),
    }
}

impl Timespan {
    /// Fails if it is longer than can be told.
    pub fn checked(self) -> Result<Self> {
        if self.0.unsigned_abs() < LONGEST { Ok(self) } else { Err(issues::time_out_of_range()) }
    }

    /// Makes a span of that many seconds, rounded toward zero to a nanosecond.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds * NANOS as f64).clamp(-8e37, 8e37) as i128)
    }

    /// Makes a span of days, hours, minutes, seconds, milli-, micro- and nanoseconds.
    pub fn from_fields(negative: bool, fields: [i64; 7]) -> Self {
        let scales = [24, 60, 60, 1000, 1000, 1000];
        let nanos = fields[1..].iter().zip(scales).fold(i128::from(fields[0]), |total, (field, scale)| {
            total.saturating_mul(scale).saturating_add(i128::from(*field))
        });
        Self(if negative { -nanos } else { nanos })
    }

    /// Reads a text in one of several formats.
    pub fn parse(text: &str, formats: &Formats) -> Result<Self> {
        match formats {
            Formats::One(format) => SpanFormat::parse(format)?.read(text),
            Formats::Any(formats) => {
                for format in formats {
                    if let Ok(span) = SpanFormat::parse(format)?.read(text) {
                        return Ok(span);
                    }
                }
                Err(issues::bad_time_formats(text, &formats.join(", ")))
            }
            Formats::Default => Self::parse(
                text,
                &Formats::Any(span_format::DEFAULTS.iter().map(|&format| format.into()).collect()),
            ),
        }
    }

    /// Writes it in a format such as `%D-%H:%M:%S`.
    pub fn format(&self, format: &str) -> Result<String> {
        Ok(SpanFormat::parse(format)?.write(*self))
    }

    /// Returns whole seconds, rounded down.
    pub fn seconds(&self) -> i128 {
        self.0.div_euclid(NANOS)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&strftime(self.0, None, WITH_ZONE[0]))
    }
}

impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.format(span_format::DEFAULTS[0]).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_read_in_default_formats_and_print_in_the_first() {
        for (text, expected) in [
            ("2020-01-01", "2020-01-01T00:00:00.000000000 UTC"),
            ("2020-02-29T12:34:56.789", "2020-02-29T12:34:56.789000000 UTC"),
            ("2020-01-01 01:00:00 EST", "2020-01-01T06:00:00.000000000 UTC"),
            ("1969-12-31T23:59:59.5 UTC", "1969-12-31T23:59:59.500000000 UTC"),
        ] {
            assert_eq!(Timestamp::parse(text, &Formats::Default, None).expect(text).to_string(), expected);
        }
    }

    #[test]
    fn timespans_read_and_print() {
        for (text, expected) in [
            ("1-02:03:04.5", "1-02:03:04.5"),
            ("02:03:04", "0-02:03:04.0"),
            ("90", "0-00:01:30.0"),
            ("-1-00:00", "-1-00:00:00.0"),
        ] {
            assert_eq!(Timespan::parse(text, &Formats::Default).expect(text).to_string(), expected);
        }
        assert!(Timespan::parse("02:03", &Formats::Default).is_err());
    }
}
