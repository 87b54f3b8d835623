//! Days and dates of the Gregorian calendar, without leap seconds.

/// A moment taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// The year, zero and negative ones included.
    pub year: i64,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// 0 to 23.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
    /// 0 to 59.
    pub second: u32,
    /// Days since 1970-01-01.
    pub days: i64,
}

impl Moment {
    /// Takes seconds since 1970 apart.
    pub fn from_seconds(seconds: i64) -> Self {
        let days = seconds.div_euclid(86_400);
        let rest = seconds.rem_euclid(86_400) as u32;
        let (year, month, day) = date_of(days);
        Self { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60, days }
    }

    /// Returns the day of the week, Sunday 0.
    pub fn weekday(&self) -> u32 {
        (self.days + 4).rem_euclid(7) as u32
    }

    /// Returns the day of the year, from 1.
    pub fn day_of_year(&self) -> u32 {
        (self.days - days_of(self.year, 1, 1)) as u32 + 1
    }

    /// Returns the week of the year, weeks starting on Sunday (0) or Monday (1); days before the first are week 0.
    pub fn week_from(&self, first: u32) -> u32 {
        (self.day_of_year() + 6 - (self.weekday() + 7 - first) % 7) / 7
    }

    /// Returns the year and week of ISO 8601.
    pub fn iso_week(&self) -> (i64, u32) {
        let monday_based = i64::from((self.weekday() + 6) % 7);
        let thursday = self.days - monday_based + 3;
        let (year, _, _) = date_of(thursday);
        (year, ((thursday - days_of(year, 1, 1)) / 7 + 1) as u32)
    }
}

/// Returns the days from 1970-01-01 to a date.
pub fn days_of(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * i64::from((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Returns year, month and day of a day counted from 1970-01-01.
fn date_of(days: i64) -> (i64, u32, u32) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = (day_of_year - (153 * shifted + 2) / 5 + 1) as u32;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 } as u32;
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Tells how many days a month has.
pub fn days_in_month(year: i64, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// English names of the months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// English names of the days of the week.
pub const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_go_both_ways() {
        for (year, month, day, days) in
            [(1970, 1, 1, 0), (2000, 2, 29, 11_016), (1969, 12, 31, -1), (0, 3, 1, -719_468)]
        {
            assert_eq!(days_of(year, month, day), days);
            assert_eq!(date_of(days), (year, month, day));
        }
    }

    #[test]
    fn iso_weeks_belong_to_the_year_of_their_thursday() {
        assert_eq!(Moment::from_seconds(days_of(2021, 1, 1) * 86_400).iso_week(), (2020, 53));
        assert_eq!(Moment::from_seconds(days_of(2020, 12, 28) * 86_400).iso_week(), (2020, 53));
        assert_eq!(Moment::from_seconds(days_of(2018, 12, 31) * 86_400).iso_week(), (2019, 1));
    }
}
