//! A line of the log for each request: never a query, a header or a body, which may hold what is secret.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::json;
use crate::settings::LogForm;

/// What a line says.
pub(crate) struct Line<'l> {
    pub(crate) time: SystemTime,
    pub(crate) method: &'l str,
    pub(crate) path: &'l str,
    pub(crate) status: u16,
    pub(crate) took: Duration,
    pub(crate) name: &'l str,
    pub(crate) generation: u64,
    pub(crate) id: Option<&'l str>,
}

impl Line<'_> {
    /// Writes the line.
    pub(crate) fn write(&self, form: LogForm) -> String {
        let (time, took) = (rfc3339(self.time), self.took.as_secs_f64() * 1e3);
        match form {
            LogForm::Text => {
                let id = self.id.map(|id| format!(" id={id}")).unwrap_or_default();
                let path: String =
                    self.path.chars().map(|one| if one.is_control() { '?' } else { one }).collect();
                format!(
                    "{time} {} {path} {} {took:.2}ms {} gen={}{id}",
                    self.method, self.status, self.name, self.generation
                )
            }
            LogForm::Json => {
                let mut fields = vec![
                    ("time", json::text(&time)),
                    ("method", json::text(self.method)),
                    ("path", json::text(self.path)),
                    ("status", self.status.to_string()),
                    ("ms", format!("{took:.3}")),
                    ("name", json::text(self.name)),
                    ("generation", self.generation.to_string()),
                ];
                fields.extend(self.id.map(|id| ("id", json::text(id))));
                json::object(fields)
            }
        }
    }
}

/// Writes a time as RFC 3339 does, in UTC.
pub(crate) fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

/// Counts from the first of March of the year 0, so that a leap day is the last of its year.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_utc() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_794_816_045, "2026-11-16T08:00:45.000Z"),
        ] {
            assert_eq!(rfc3339(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn a_line_has_no_line_breaks_of_others() {
        let line = Line {
            time: UNIX_EPOCH,
            method: "GET",
            path: "/a\nb",
            status: 404,
            took: Duration::from_micros(1500),
            name: "-",
            generation: 3,
            id: Some("x"),
        };
        assert_eq!(line.write(LogForm::Text), "1970-01-01T00:00:00.000Z GET /a?b 404 1.50ms - gen=3 id=x");
        assert_eq!(
            line.write(LogForm::Json),
            r#"{"time":"1970-01-01T00:00:00.000Z","method":"GET","path":"/a\nb","status":404,"ms":"1.500","name":"-","generation":3,"id":"x"}"#
                .replace("\"1.500\"", "1.500")
        );
    }
}
