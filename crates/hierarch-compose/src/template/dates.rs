//! Dates as texts, in UTC: `strftime` and `now`.

use hierarch_pcore::value::time::calendar::{MONTHS, WEEKDAYS};
use minijinja::value::{Kwargs, Value as JinjaValue};
use minijinja::{Error as JinjaError, State};

use super::bridge::Bridge;
use super::engine::Engine;
use super::issues;

type Made = Result<JinjaValue, JinjaError>;

pub(super) fn add(engine: &mut Engine) {
    engine.add_filter(
        "strftime",
        |state: &mut State, format: String, second: Option<f64>, named: Kwargs| -> Made {
            let second = second.or(named.get("second")?);
            let _: Option<bool> = named.get("utc")?;
            let second = match second {
                Some(second) => second,
                None => clock(state)?,
            };
            Ok(formatted(&format, second)?.into())
        },
    );
    engine.add_function("now", |state: &mut State, named: Kwargs| -> Made {
        let _: Option<bool> = named.get("utc")?;
        let format: Option<String> = named.get("fmt")?;
        let format = format.unwrap_or_else(|| "%Y-%m-%d %H:%M:%S".into());
        Ok(formatted(&format, clock(state)?)?.into())
    });
}

fn clock(state: &State) -> Result<f64, JinjaError> {
    Bridge::of(state)?.scope.world.host.now().ok_or_else(issues::no_clock)
}

/// A moment, taken apart.
struct Moment {
    year: i64,
    month: i64,
    day: i64,
    /// Of the year, from 0.
    yearday: i64,
    /// From Sunday, which is 0.
    weekday: i64,
    /// Of the day.
    second: i64,
    epoch: i64,
}

impl Moment {
    /// Takes seconds since 1970 apart, for years of four digits.
    fn new(second: f64) -> Option<Self> {
        let epoch = second.floor() as i64;
        if !(-62_135_596_800..253_402_300_800).contains(&epoch) {
            return None;
        }
        let days = epoch.div_euclid(86_400);
        // Years begin in March here, so that the day of a leap year is its last.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let yearday = if month > 2 { of_year + 59 + i64::from(leap) } else { of_year - 306 };
        Some(Self {
            year,
            month,
            day: of_year - (153 * shifted_month + 2) / 5 + 1,
            yearday,
            weekday: (days + 4).rem_euclid(7),
            second: epoch.rem_euclid(86_400),
            epoch,
        })
    }

    fn part(&self, code: char) -> Option<String> {
        let (hour, minute) = (self.second / 3_600, self.second / 60 % 60);
        let (month, weekday) = (MONTHS[(self.month - 1) as usize], WEEKDAYS[self.weekday as usize]);
        Some(match code {
            'Y' => format!("{:04}", self.year),
            'm' => format!("{:02}", self.month),
            'd' => format!("{:02}", self.day),
            'e' => format!("{:2}", self.day),
            'H' => format!("{hour:02}"),
            'I' => format!("{:02}", (hour + 11) % 12 + 1),
            'M' => format!("{minute:02}"),
            'S' => format!("{:02}", self.second % 60),
            'p' => if hour < 12 { "AM" } else { "PM" }.into(),
            'y' => format!("{:02}", self.year % 100),
            'j' => format!("{:03}", self.yearday + 1),
            'B' => month.into(),
            'b' | 'h' => month[..3].into(),
            'A' => weekday.into(),
            'a' => weekday[..3].into(),
            'w' => self.weekday.to_string(),
            'u' => ((self.weekday + 6) % 7 + 1).to_string(),
            's' => self.epoch.to_string(),
            'Z' => "UTC".into(),
            'z' => "+0000".into(),
            'n' => "\n".into(),
            't' => "\t".into(),
            '%' => "%".into(),
            _ => return None,
        })
    }
}

fn formatted(format: &str, second: f64) -> Result<String, JinjaError> {
    let moment = Moment::new(second).ok_or_else(|| issues::no_second(second))?;
    let whole = [("%F", "%Y-%m-%d"), ("%T", "%H:%M:%S"), ("%R", "%H:%M"), ("%D", "%m/%d/%y")];
    let format = whole.iter().fold(format.to_owned(), |format, (code, long)| format.replace(code, long));
    let mut out = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match (letter, if letter == '%' { letters.next() } else { None }) {
            ('%', Some(code)) => {
                let part = moment.part(code).ok_or_else(|| issues::unknown_in_dates(code))?;
                out.push_str(&part);
            }
            (letter, _) => out.push(letter),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(formatted("%Y", f64::NAN).is_ok());
        assert!(formatted("%Y", 1e300).is_err());
    }
}
