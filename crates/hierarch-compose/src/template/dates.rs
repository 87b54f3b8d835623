//! Dates, in UTC: what `now` and `to_datetime` give, and the time between two of them.

use std::any::Any;
use std::cmp::Ordering;
use std::rc::Rc;

use hierarch_pcore::value::time::calendar::{MONTHS, Moment, WEEKDAYS, days_in_month, days_of};

use super::call::{BoundArguments, function};
use super::fault::Checked;
use super::issues;
use super::object::{CallArguments, Object};
use super::renderer::Renderer;
use super::tree::Binary;
use super::value::Val;

/// A date with its time, as microseconds since 1970.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DateTime {
    micros: i128,
    /// The difference from UTC in seconds, if the date has one.
    offset: Option<i32>,
}

/// The time between two dates, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TimeDelta(i128);

const SECOND: i128 = 1_000_000;
const DAY: i128 = 86_400 * SECOND;

/// Dates of the years 1 to 9999.
const YEARS: std::ops::Range<i128> = -62_135_596_800 * SECOND..253_402_300_800 * SECOND;

/// Returns what the clock says.
pub(super) fn clock(renderer: &Renderer) -> Checked<f64> {
    renderer.scope.world.host.now().ok_or_else(issues::no_clock)
}

/// The function `now`.
pub(super) fn now(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let second = clock(renderer)?;
    let moment = DateTime::of_second(second).ok_or_else(|| issues::no_second(&second.to_string()))?;
    match given.get(1) {
        None | Some(Val::None) => Ok(moment.value()),
        Some(format) => {
            let format = renderer.printed(format)?;
            let text = written(&format, &moment)?;
            renderer.text(text)
        }
    }
}

impl DateTime {
    pub(super) fn of_second(second: f64) -> Option<Self> {
        Self::of_micros((second * 1e6).round() as i128)
    }

    fn of_micros(micros: i128) -> Option<Self> {
        YEARS.contains(&micros).then_some(Self { micros, offset: None })
    }

    pub(super) fn value(self) -> Val {
        Val::Object(Rc::new(self))
    }

    fn seconds(&self) -> i64 {
        self.micros.div_euclid(SECOND) as i64
    }

    fn moment(&self) -> Moment {
        Moment::from_seconds(self.seconds())
    }

    fn iso(&self, between: char) -> String {
        let micros = self.micros.rem_euclid(SECOND);
        let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
        let whole = written(&format!("%Y-%m-%d{between}%H:%M:%S"), self).unwrap_or_default();
        format!("{whole}{fraction}{}", self.zone(':'))
    }

    fn zone(&self, between: char) -> String {
        let Some(offset) = self.offset else { return String::new() };
        let (sign, size) = if offset < 0 { ('-', -offset) } else { ('+', offset) };
        let between = if between == ':' { ":" } else { "" };
        format!("{sign}{:02}{between}{:02}", size / 3_600, size / 60 % 60)
    }

    fn part(&self, name: &str) -> Option<i128> {
        let moment = self.moment();
        let of_day = i128::from(self.seconds().rem_euclid(86_400));
        Some(match name {
            "year" => i128::from(moment.year),
            "month" => i128::from(moment.month),
            "day" => i128::from(moment.day),
            "hour" => of_day / 3_600,
            "minute" => of_day / 60 % 60,
            "second" => of_day % 60,
            "microsecond" => self.micros.rem_euclid(SECOND),
            _ => return None,
        })
    }

    /// Reads a date as Python's `strptime` does.
    pub(super) fn read(text: &str, format: &str) -> Checked<Self> {
        let mut reading = DateReader { rest: text, ..DateReader::default() };
        let fine = reading.follow(format);
        if fine.is_none() {
            return Err(issues::date_does_not_match(text, format));
        }
        if !reading.rest.is_empty() {
            return Err(issues::date_has_more(reading.rest));
        }
        reading.date().ok_or_else(issues::date_out_of_range)
    }
}

/// A date that is being read.
struct DateReader<'t> {
    rest: &'t str,
    year: i64,
    month: u32,
    day: u32,
    yearday: Option<u32>,
    hour: u32,
    afternoon: Option<bool>,
    minute: u32,
    second: u32,
    micros: u32,
    offset: Option<i32>,
}

impl Default for DateReader<'_> {
    fn default() -> Self {
        Self {
            rest: "",
            year: 1900,
            month: 1,
            day: 1,
            yearday: None,
            hour: 0,
            afternoon: None,
            minute: 0,
            second: 0,
            micros: 0,
            offset: None,
        }
    }
}

impl DateReader<'_> {
    fn follow(&mut self, format: &str) -> Option<()> {
        let mut letters = format.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '%' => self.directive(letters.next()?)?,
                c if c.is_whitespace() => {
                    // Blanks stand for any blanks, of which there must be one.
                    let trimmed = self.rest.trim_start();
                    if trimmed.len() == self.rest.len() {
                        return None;
                    }
                    self.rest = trimmed;
                }
                c => self.rest = self.rest.strip_prefix(c)?,
            }
        }
        Some(())
    }

    fn directive(&mut self, code: char) -> Option<()> {
        match code {
            'Y' => self.year = i64::from(self.digits(4, 4)?),
            'y' => {
                let year = i64::from(self.digits(2, 2)?);
                self.year = if year < 69 { 2_000 + year } else { 1_900 + year };
            }
            'm' => self.month = self.within(2, 1..=12)?,
            'd' | 'e' => self.day = self.within(2, 1..=31)?,
            'j' => self.yearday = Some(self.within(3, 1..=366)?),
            'H' => self.hour = self.within(2, 0..=23)?,
            'I' => self.hour = self.within(2, 1..=12)?,
            'M' => self.minute = self.within(2, 0..=59)?,
            'S' => self.second = self.within(2, 0..=61)?,
            'p' => self.afternoon = Some(self.word(&["AM", "PM"])? == 1),
            'f' => {
                let before = self.rest.len();
                let number = self.digits(1, 6)?;
                self.micros = number * 10_u32.pow(6 - (before - self.rest.len()) as u32);
            }
            'b' | 'h' => self.month = self.word(&MONTHS.map(|name| &name[..3]))? as u32 + 1,
            'B' => self.month = self.word(&MONTHS)? as u32 + 1,
            'a' => drop(self.word(&WEEKDAYS.map(|name| &name[..3]))?),
            'A' => drop(self.word(&WEEKDAYS)?),
            'z' => self.zone()?,
            'Z' => drop(self.word(&["UTC", "GMT"])?),
            'T' => self.follow("%H:%M:%S")?,
            'D' => self.follow("%m/%d/%y")?,
            'F' => self.follow("%Y-%m-%d")?,
            'R' => self.follow("%H:%M")?,
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<u32> {
        let count = self.rest.bytes().take(most).take_while(u8::is_ascii_digit).count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        digits.parse().ok()
    }

    /// Reads as many digits as give a number within bounds.
    fn within(&mut self, most: usize, bounds: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let start = self.rest;
        for count in (1..=most).rev() {
            self.rest = start;
            if let Some(number) = self.digits(count, count).filter(|number| bounds.contains(number)) {
                return Some(number);
            }
        }
        None
    }

    fn word(&mut self, words: &[&str]) -> Option<usize> {
        let fits =
            |word: &str| self.rest.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
        let at = words.iter().position(|word| fits(word))?;
        self.rest = &self.rest[words[at].len()..];
        Some(at)
    }

    fn zone(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            (self.rest, self.offset) = (rest, Some(0));
            return Some(());
        }
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        let hours = self.digits(2, 2)?;
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        let seconds = (hours * 3_600 + self.digits(2, 2)? * 60) as i32;
        self.offset = Some(if negative { -seconds } else { seconds });
        Some(())
    }

    fn date(&self) -> Option<DateTime> {
        let days = match self.yearday {
            Some(day) => days_of(self.year, 1, 1) + i64::from(day) - 1,
            None if self.day <= days_in_month(self.year, self.month) => {
                days_of(self.year, self.month, self.day)
            }
            None => return None,
        };
        let hour = match self.afternoon {
            Some(afternoon) => self.hour % 12 + if afternoon { 12 } else { 0 },
            None => self.hour,
        };
        let seconds = i128::from(hour * 3_600 + self.minute * 60 + self.second.min(59));
        let micros = (i128::from(days) * 86_400 + seconds) * SECOND + i128::from(self.micros);
        DateTime::of_micros(micros).map(|date| DateTime { offset: self.offset, ..date })
    }
}

/// Writes a date as `strftime` does.
pub(super) fn written(format: &str, date: &DateTime) -> Checked<String> {
    let whole = [
        ("%F", "%Y-%m-%d"),
        ("%T", "%H:%M:%S"),
        ("%R", "%H:%M"),
        ("%D", "%m/%d/%y"),
        ("%c", "%a %b %e %H:%M:%S %Y"),
        ("%x", "%m/%d/%y"),
        ("%X", "%H:%M:%S"),
        ("%r", "%I:%M:%S %p"),
    ];
    let moment = date.moment();
    let mut out = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        let code = if letter == '%' { letters.next() } else { None };
        match code {
            None => out.push(letter),
            Some(code) => match whole.iter().find(|(short, _)| short.ends_with(code)) {
                Some((_, long)) => out.push_str(&written(long, date)?),
                None => {
                    out.push_str(&part(date, &moment, code).ok_or_else(|| issues::unknown_in_dates(code))?);
                }
            },
        }
    }
    Ok(out)
}

fn part(date: &DateTime, moment: &Moment, code: char) -> Option<String> {
    let of_day = date.seconds().rem_euclid(86_400);
    let (hour, minute) = (of_day / 3_600, of_day / 60 % 60);
    let (month, weekday) = (MONTHS.get(moment.month as usize - 1)?, WEEKDAYS.get(moment.weekday() as usize)?);
    Some(match code {
        'Y' => moment.year.to_string(),
        'C' => format!("{:02}", moment.year / 100),
        'm' => format!("{:02}", moment.month),
        'd' => format!("{:02}", moment.day),
        'e' => format!("{:2}", moment.day),
        'H' => format!("{hour:02}"),
        'k' => format!("{hour:2}"),
        'I' => format!("{:02}", (hour + 11) % 12 + 1),
        'l' => format!("{:2}", (hour + 11) % 12 + 1),
        'M' => format!("{minute:02}"),
        'S' => format!("{:02}", of_day % 60),
        'f' => format!("{:06}", date.micros.rem_euclid(SECOND)),
        'p' => if hour < 12 { "AM" } else { "PM" }.into(),
        'P' => if hour < 12 { "am" } else { "pm" }.into(),
        'y' => format!("{:02}", moment.year.rem_euclid(100)),
        'j' => format!("{:03}", moment.day_of_year()),
        'B' => (*month).to_owned(),
        'b' | 'h' => month[..3].to_owned(),
        'A' => (*weekday).to_owned(),
        'a' => weekday[..3].to_owned(),
        'w' => moment.weekday().to_string(),
        'u' => ((moment.weekday() + 6) % 7 + 1).to_string(),
        'U' => format!("{:02}", moment.week_from(0)),
        'W' => format!("{:02}", moment.week_from(1)),
        'V' => format!("{:02}", moment.iso_week().1),
        'G' => moment.iso_week().0.to_string(),
        'g' => format!("{:02}", moment.iso_week().0.rem_euclid(100)),
        's' => date.seconds().to_string(),
        'Z' => "UTC".into(),
        'z' => "+0000".into(),
        'n' => "\n".into(),
        't' => "\t".into(),
        '%' => "%".into(),
        _ => return None,
    })
}

impl Object for DateTime {
    fn type_name(&self) -> &'static str {
        "datetime"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let part = |name: &str| self.part(name).unwrap_or(0);
        let mut parts: Vec<String> =
            ["year", "month", "day", "hour", "minute"].map(|name| part(name).to_string()).into();
        if part("second") != 0 || part("microsecond") != 0 {
            parts.push(part("second").to_string());
        }
        if part("microsecond") != 0 {
            parts.push(part("microsecond").to_string());
        }
        Ok(format!("datetime.datetime({})", parts.join(", ")))
    }

    fn printed(&self, _: &mut Renderer) -> Checked<String> {
        Ok(self.iso(' '))
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(match name {
            "tzinfo" => Some(Val::None),
            _ => self.part(name).map(Val::Int),
        })
    }

    fn method(&self, renderer: &mut Renderer, name: &str, given: CallArguments) -> Option<Checked<Val>> {
        let moment = self.moment();
        Some(match name {
            "strftime" => function("strftime", &["format"], |_, _| Ok(Val::None))
                .bind(renderer, given)
                .and_then(|given| {
                    let format = given.text(renderer, 0)?;
                    let text = written(&format, self)?;
                    renderer.text(text)
                }),
            "isoformat" => {
                let between =
                    given.positional.first().and_then(Val::as_text).and_then(|text| text.chars().next());
                renderer.text(self.iso(between.unwrap_or('T')))
            }
            "timestamp" => Ok(Val::Float(self.micros as f64 / 1e6)),
            "weekday" => Ok(Val::Int(i128::from((moment.weekday() + 6) % 7))),
            "isoweekday" => Ok(Val::Int(i128::from((moment.weekday() + 6) % 7 + 1))),
            "toordinal" => Ok(Val::Int(self.micros.div_euclid(DAY) + 719_163)),
            "date" => {
                let micros = self.micros.div_euclid(DAY) * DAY;
                Ok(Val::Object(Rc::new(Date(Self { micros, offset: None }))))
            }
            "utcnow" | "now" => return None,
            _ => return None,
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A date without a time.
struct Date(DateTime);

impl Object for Date {
    fn type_name(&self) -> &'static str {
        "date"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let moment = self.0.moment();
        Ok(format!("datetime.date({}, {}, {})", moment.year, moment.month, moment.day))
    }

    fn printed(&self, _: &mut Renderer) -> Checked<String> {
        written("%Y-%m-%d", &self.0)
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        let known = ["year", "month", "day"].contains(&name);
        Ok(self.0.part(name).filter(|_| known).map(Val::Int))
    }

    fn method(&self, renderer: &mut Renderer, name: &str, given: CallArguments) -> Option<Checked<Val>> {
        match name {
            "isoformat" => Some(written("%Y-%m-%d", &self.0).and_then(|text| renderer.text(text))),
            "strftime" | "weekday" | "isoweekday" | "toordinal" => self.0.method(renderer, name, given),
            _ => None,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl Object for TimeDelta {
    fn type_name(&self) -> &'static str {
        "timedelta"
    }

    fn shown(&self, _: &mut Renderer) -> Checked<String> {
        let parts =
            [("days", self.days()), ("seconds", self.seconds()), ("microseconds", self.0.rem_euclid(SECOND))];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(_, value)| *value != 0)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        Ok(format!("datetime.timedelta({})", if parts.is_empty() { "0".into() } else { parts.join(", ") }))
    }

    fn printed(&self, _: &mut Renderer) -> Checked<String> {
        let (days, seconds, micros) = (self.days(), self.seconds(), self.0.rem_euclid(SECOND));
        let days = match days {
            0 => String::new(),
            1 | -1 => format!("{days} day, "),
            days => format!("{days} days, "),
        };
        let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
        Ok(format!("{days}{}:{:02}:{:02}{fraction}", seconds / 3_600, seconds / 60 % 60, seconds % 60))
    }

    fn attribute(&self, _: &mut Renderer, name: &str) -> Checked<Option<Val>> {
        Ok(match name {
            "days" => Some(Val::Int(self.days())),
            "seconds" => Some(Val::Int(self.seconds())),
            "microseconds" => Some(Val::Int(self.0.rem_euclid(SECOND))),
            _ => None,
        })
    }

    fn method(&self, _: &mut Renderer, name: &str, _: CallArguments) -> Option<Checked<Val>> {
        (name == "total_seconds").then_some(Ok(Val::Float(self.0 as f64 / 1e6)))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl TimeDelta {
    fn days(self) -> i128 {
        self.0.div_euclid(DAY)
    }

    fn seconds(self) -> i128 {
        self.0.rem_euclid(DAY) / SECOND
    }
}

fn date_of(value: &Val) -> Option<DateTime> {
    match value {
        Val::Object(object) => object.as_any().downcast_ref::<DateTime>().copied(),
        _ => None,
    }
}

fn delta_of(value: &Val) -> Option<TimeDelta> {
    match value {
        Val::Object(object) => object.as_any().downcast_ref::<TimeDelta>().copied(),
        _ => None,
    }
}

/// Calculates with dates; none if these are not dates.
pub(super) fn calculated(operator: Binary, a: &Val, b: &Val) -> Option<Val> {
    let delta = |micros: i128| Val::Object(Rc::new(TimeDelta(micros)));
    match (operator, date_of(a), date_of(b), delta_of(a), delta_of(b)) {
        (Binary::Subtract, Some(a), Some(b), ..) => Some(delta(a.micros - b.micros)),
        (Binary::Subtract, Some(a), _, _, Some(b)) => {
            DateTime::of_micros(a.micros - b.0).map(DateTime::value)
        }
        (Binary::Add, Some(a), _, _, Some(b)) => DateTime::of_micros(a.micros + b.0).map(DateTime::value),
        (Binary::Add, _, Some(b), Some(a), _) => DateTime::of_micros(b.micros + a.0).map(DateTime::value),
        (Binary::Add, _, _, Some(a), Some(b)) => Some(delta(a.0 + b.0)),
        (Binary::Subtract, _, _, Some(a), Some(b)) => Some(delta(a.0 - b.0)),
        _ => None,
    }
}

/// Says which of two dates, or of two times between dates, comes first.
pub(super) fn compared(a: &dyn Object, b: &dyn Object) -> Option<Ordering> {
    let (a, b) = (a.as_any(), b.as_any());
    if let (Some(a), Some(b)) = (a.downcast_ref::<DateTime>(), b.downcast_ref::<DateTime>()) {
        return Some(a.micros.cmp(&b.micros));
    }
    if let (Some(a), Some(b)) = (a.downcast_ref::<TimeDelta>(), b.downcast_ref::<TimeDelta>()) {
        return Some(a.cmp(b));
    }
    match (a.downcast_ref::<Date>(), b.downcast_ref::<Date>()) {
        (Some(a), Some(b)) => Some(a.0.micros.cmp(&b.0.micros)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formatted(format: &str, second: f64) -> Checked<String> {
        let moment = DateTime::of_second(second).ok_or_else(|| issues::no_second("?"))?;
        written(format, &moment)
    }

    #[test]
    fn moments_are_written_as_strftime_does() {
        let cases = [
            (0.0, "%F %T %a %j", "1970-01-01 00:00:00 Thu 001"),
            (951_782_400.0, "%d %B %Y %A %j", "29 February 2000 Tuesday 060"),
            (1_709_251_199.0, "%D %I:%M %p", "02/29/24 11:59 PM"),
            (4_107_542_400.0, "%F %j", "2100-03-01 060"),
            (-1.0, "%F %T", "1969-12-31 23:59:59"),
        ];
        for (second, format, wanted) in cases {
            assert_eq!(formatted(format, second).expect(format), wanted);
        }
        assert!(formatted("%Q", 0.0).is_err());
        assert!(formatted("%Y", 1e300).is_err());
    }

    #[test]
    fn dates_are_read_as_strptime_does() {
        for (text, format, wanted) in [
            ("2024-02-29 13:05:09", "%Y-%m-%d %H:%M:%S", "2024-02-29 13:05:09"),
            ("1 Mar 99", "%d %b %y", "1999-03-01 00:00:00"),
            ("2024-060", "%Y-%j", "2024-02-29 00:00:00"),
            ("12:30 AM", "%I:%M %p", "1900-01-01 00:30:00"),
            ("2024-01-01T00:00:00.5", "%Y-%m-%dT%H:%M:%S.%f", "2024-01-01 00:00:00.500000"),
        ] {
            assert_eq!(DateTime::read(text, format).expect(text).iso(' '), wanted);
        }
        for (text, format) in [("2023-02-29", "%Y-%m-%d"), ("x", "%Y"), ("2024x", "%Y"), ("é", "%b")] {
            assert!(DateTime::read(text, format).is_err(), "{text}");
        }
    }
}
