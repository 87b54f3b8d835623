//! Ruby's `strftime`: directives with flags and widths.

use super::NANOS;
use super::calendar::{MONTHS, Moment, WEEKDAYS};

/// A moment with all that a directive may ask for.
struct Clock {
    moment: Moment,
    nanos: u32,
    seconds: i64,
    /// Seconds east of UTC, or UTC itself.
    offset: Option<i32>,
}

/// What stands between `%` and the letter.
#[derive(Clone, Copy, Default)]
struct Flags {
    pad: Option<char>,
    no_pad: bool,
    upcase: bool,
    swapcase: bool,
    colons: usize,
    width: Option<usize>,
}

/// Writes nanoseconds since 1970 in a format; `offset` is seconds east of UTC, none for UTC.
pub fn strftime(nanos: i128, offset: Option<i32>, format: &str) -> String {
    let seconds = i64::try_from(nanos.div_euclid(NANOS)).unwrap_or(0);
    let local = seconds.saturating_add(i64::from(offset.unwrap_or(0)));
    let clock =
        Clock { moment: Moment::from_seconds(local), nanos: nanos.rem_euclid(NANOS) as u32, seconds, offset };
    clock.write(format)
}

impl Clock {
    fn write(&self, format: &str) -> String {
        let mut out = String::new();
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let (flags, length) = Flags::read(&rest[at + 1..]);
            let letter = rest[at + 1 + length..].chars().next();
            let end = at + 1 + length + letter.map_or(0, char::len_utf8);
            match letter.and_then(|letter| self.directive(letter, flags)) {
                Some(text) => out.push_str(&text),
                // What is not a directive stands as it is.
                None => out.push_str(&rest[at..end]),
            }
            rest = &rest[end..];
        }
        out.push_str(rest);
        out
    }

    fn directive(&self, letter: char, flags: Flags) -> Option<String> {
        self.number(letter, flags)
            .or_else(|| self.name(letter, flags))
            .or_else(|| self.composite(letter, flags))
    }

    fn number(&self, letter: char, flags: Flags) -> Option<String> {
        let moment = &self.moment;
        let hour12 = (moment.hour + 11) % 12 + 1;
        let (value, width, pad) = match letter {
            'Y' => (moment.year, if moment.year < 0 { 5 } else { 4 }, '0'),
            'C' => (moment.year.div_euclid(100), 2, '0'),
            'y' => (moment.year.rem_euclid(100), 2, '0'),
            'm' => (moment.month.into(), 2, '0'),
            'j' => (moment.day_of_year().into(), 3, '0'),
            'd' => (moment.day.into(), 2, '0'),
            'e' => (moment.day.into(), 2, ' '),
            'H' => (moment.hour.into(), 2, '0'),
            'k' => (moment.hour.into(), 2, ' '),
            'I' => (hour12.into(), 2, '0'),
            'l' => (hour12.into(), 2, ' '),
            'M' => (moment.minute.into(), 2, '0'),
            'S' => (moment.second.into(), 2, '0'),
            'u' => (i64::from((moment.weekday() + 6) % 7 + 1), 1, '0'),
            'w' => (moment.weekday().into(), 1, '0'),
            'G' => (moment.iso_week().0, if moment.iso_week().0 < 0 { 5 } else { 4 }, '0'),
            'g' => (moment.iso_week().0.rem_euclid(100), 2, '0'),
            'V' => (moment.iso_week().1.into(), 2, '0'),
            'U' => (moment.week_from(0).into(), 2, '0'),
            'W' => (moment.week_from(1).into(), 2, '0'),
            's' => (self.seconds, 1, '0'),
            'L' => return Some(self.fraction(flags.width.unwrap_or(3))),
            'N' => return Some(self.fraction(flags.width.unwrap_or(9))),
            _ => return None,
        };
        Some(flags.pad_number(value, width, pad))
    }

    fn name(&self, letter: char, flags: Flags) -> Option<String> {
        let moment = &self.moment;
        let month = MONTHS[moment.month as usize - 1];
        let weekday = WEEKDAYS[moment.weekday() as usize];
        let half = if moment.hour < 12 { "AM" } else { "PM" };
        let (text, swapped) = match letter {
            'B' => (month.to_owned(), month.to_uppercase()),
            'b' | 'h' => (month[..3].to_owned(), month[..3].to_uppercase()),
            'A' => (weekday.to_owned(), weekday.to_uppercase()),
            'a' => (weekday[..3].to_owned(), weekday[..3].to_uppercase()),
            'p' => (half.to_owned(), half.to_lowercase()),
            'P' => (half.to_lowercase(), half.to_lowercase()),
            'Z' => (self.zone_name().to_owned(), self.zone_name().to_lowercase()),
            _ => return None,
        };
        Some(flags.pad_text(if flags.swapcase { swapped } else { text }))
    }

    fn composite(&self, letter: char, flags: Flags) -> Option<String> {
        let format = match letter {
            'c' => "%a %b %e %H:%M:%S %Y",
            'D' | 'x' => "%m/%d/%y",
            'F' => "%Y-%m-%d",
            'v' => "%e-%^b-%4Y",
            'X' | 'T' => "%H:%M:%S",
            'r' => "%I:%M:%S %p",
            'R' => "%H:%M",
            'n' => return Some(flags.pad_text("\n".into())),
            't' => return Some(flags.pad_text("\t".into())),
            '%' => return Some(flags.pad_text("%".into())),
            'z' => return Some(self.zone_offset(flags)),
            _ => return None,
        };
        Some(flags.pad_text(self.write(format)))
    }

    fn fraction(&self, digits: usize) -> String {
        let digits = digits.min(4096);
        let text = format!("{:09}", self.nanos);
        if digits <= 9 { text[..digits].to_owned() } else { format!("{text}{}", "0".repeat(digits - 9)) }
    }

    /// Only UTC has a name; a bare offset has none.
    fn zone_name(&self) -> &'static str {
        if self.offset.is_none() { "UTC" } else { "" }
    }

    fn zone_offset(&self, flags: Flags) -> String {
        let offset = self.offset.unwrap_or(0);
        // `-` marks UTC, as a moment whose own offset is not known; it does not take zeros away.
        let is_unknown = self.offset.is_none() && flags.no_pad;
        let sign = if offset < 0 || is_unknown { '-' } else { '+' };
        let total = offset.abs();
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
        let tail = match flags.colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            _ => format!(":{minutes:02}:{seconds:02}"),
        };
        let width = flags.width.unwrap_or(0).saturating_sub(tail.len() + 1).max(2);
        match flags.pad {
            Some(' ') => format!("{:>width$}{tail}", format!("{sign}{hours}"), width = width + 1),
            _ => format!("{sign}{hours:0width$}{tail}"),
        }
    }
}

impl Flags {
    /// Reads flags and width; returns them and how many bytes they took.
    fn read(text: &str) -> (Self, usize) {
        let mut flags = Self::default();
        for (index, c) in text.char_indices() {
            match c {
                '-' => (flags.no_pad, flags.pad) = (true, None),
                '0' if flags.width.is_none() => flags.pad = Some('0'),
                '_' => flags.pad = Some(' '),
                '^' => flags.upcase = true,
                '#' => flags.swapcase = true,
                ':' => flags.colons += 1,
                '0'..='9' => {
                    let digit = c as usize - '0' as usize;
                    flags.width = Some((flags.width.unwrap_or(0) * 10 + digit).min(4096));
                }
                'E' | 'O' if text[index + 1..].starts_with(|c: char| c.is_ascii_alphabetic()) => {}
                _ => return (flags, index),
            }
        }
        (flags, text.len())
    }

    fn pad_number(self, value: i64, width: usize, pad: char) -> String {
        if self.no_pad {
            return value.to_string();
        }
        let width = self.width.unwrap_or(width);
        match self.pad.unwrap_or(pad) {
            ' ' => format!("{value:>width$}"),
            // Zeros stand between the sign and the digits, and the sign counts.
            _ => format!("{value:0width$}"),
        }
    }

    fn pad_text(self, text: String) -> String {
        let text = if self.upcase { text.to_uppercase() } else { text };
        let missing = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        if self.no_pad || missing == 0 {
            return text;
        }
        self.pad.unwrap_or(' ').to_string().repeat(missing) + &text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_write_as_ruby_writes_them() {
        let nanos = 1_583_066_096_789_000_000; // 2020-03-01 12:34:56.789 UTC, a Sunday
        for (format, expected) in [
            ("%F %T.%L %Z", "2020-03-01 12:34:56.789 UTC"),
            ("%-d/%-m/%y", "1/3/20"),
            ("%e|%k|%l|%3N|%6N", " 1|12|12|789|789000"),
            ("%A %^a %B %b %p %P %#p", "Sunday SUN March Mar PM pm pm"),
            ("%j %U %W %V %G %u %w", "061 09 08 09 2020 7 0"),
            ("%z %:z %::z", "+0000 +00:00 +00:00:00"),
            ("%s %% %10A|%-5d|%05d", "1583066096 %     Sunday|1|00001"),
            ("%c|%D|%v|%r|%R", "Sun Mar  1 12:34:56 2020|03/01/20| 1-MAR-2020|12:34:56 PM|12:34"),
            ("%Q %", "%Q %"),
        ] {
            assert_eq!(strftime(nanos, None, format), expected);
        }
        assert_eq!(strftime(nanos, Some(-12600), "%H:%M %z"), "09:04 -0330");
    }

    /// Every directive, with flags and widths, and what is none.
    const DIRECTIVES: &[&str] = &[
        "%Y", "%C", "%y", "%G", "%g", "%V", "%U", "%W", "%u", "%w", "%j", "%e", "%k", "%l", "%I", "%p", "%P",
        "%B", "%b", "%^a", "%#a", "%#p", "%#Z", "%Z", "%z", "%:z", "%::z", "%_z", "%-z", "%10z", "%s", "%N",
        "%L", "%3N", "%12N", "%F", "%D", "%v", "%c", "%x", "%X", "%r", "%R", "%T", "%n", "%t", "%%", "%E",
        "%Q", "%+", "%8Y", "%-Y", "%_8Y", "%_m", "%-d", "%05d", "%^10B", "%010B", "%-10B", "%Ey", "%Od",
        "%é",
    ];

    /// The directives that tell an offset.
    const ZONES: &[&str] = &["%z", "%:z", "%::z", "%_z", "%-z", "%10z", "%Z", "%H:%M", "%s"];

    fn written(nanos: i128, offset: Option<i32>, directives: &[&str]) -> String {
        directives.iter().map(|format| strftime(nanos, offset, format)).collect::<Vec<_>>().join("|")
    }

    /// Moments before and after the first year, before and after 1970, and at the end of a year of four digits.
    #[test]
    fn every_directive_writes_as_ruby_writes_it() {
        for (nanos, expected) in [
            (
                0,
                "1970|19|70|1970|70|01|00|00|4|4|001| 1| 0|12|12|AM|am|January|Jan|THU|THU|am|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|0|000000000|000|000|000000000000|1970-01-01|01/01/70| 1-JAN-1970|Thu Jan  1 00:00:00 1970|01/01/70|00:00:00|12:00:00 AM|00:00|00:00:00|\n|\t|%|%E|%Q|%+|00001970|1970|    1970| 1|1|00001|   JANUARY|000January|January|70|01|%é",
            ),
            (
                1_580_780_645_678_901_234,
                "2020|20|20|2020|20|06|05|05|2|2|035| 4| 1| 1|01|AM|am|February|Feb|TUE|TUE|am|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|1580780645|678901234|678|678|678901234000|2020-02-04|02/04/20| 4-FEB-2020|Tue Feb  4 01:44:05 2020|02/04/20|01:44:05|01:44:05 AM|01:44|01:44:05|\n|\t|%|%E|%Q|%+|00002020|2020|    2020| 2|4|00004|  FEBRUARY|00February|February|20|04|%é",
            ),
            (
                -999_999_999,
                "1969|19|69|1970|70|01|52|52|3|3|365|31|23|11|11|PM|pm|December|Dec|WED|WED|pm|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|-1|000000001|000|000|000000001000|1969-12-31|12/31/69|31-DEC-1969|Wed Dec 31 23:59:59 1969|12/31/69|23:59:59|11:59:59 PM|23:59|23:59:59|\n|\t|%|%E|%Q|%+|00001969|1969|    1969|12|31|00031|  DECEMBER|00December|December|69|31|%é",
            ),
            (
                -62_135_596_800_000_000_000,
                "0001|00|01|0001|01|01|00|01|1|1|001| 1| 0|12|12|AM|am|January|Jan|MON|MON|am|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|-62135596800|000000000|000|000|000000000000|0001-01-01|01/01/01| 1-JAN-0001|Mon Jan  1 00:00:00 0001|01/01/01|00:00:00|12:00:00 AM|00:00|00:00:00|\n|\t|%|%E|%Q|%+|00000001|1|       1| 1|1|00001|   JANUARY|000January|January|01|01|%é",
            ),
            (
                -66_969_763_200_000_000_000,
                "-0153|-2|47|-0153|47|43|43|43|1|1|298|25| 0|12|12|AM|am|October|Oct|MON|MON|am|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|-66969763200|000000000|000|000|000000000000|-0153-10-25|10/25/47|25-OCT--153|Mon Oct 25 00:00:00 -0153|10/25/47|00:00:00|12:00:00 AM|00:00|00:00:00|\n|\t|%|%E|%Q|%+|-0000153|-153|    -153|10|25|00025|   OCTOBER|000October|October|47|25|%é",
            ),
            (
                253_402_300_799_999_999_999,
                "9999|99|99|9999|99|52|52|52|5|5|365|31|23|11|11|PM|pm|December|Dec|FRI|FRI|pm|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|253402300799|999999999|999|999|999999999000|9999-12-31|12/31/99|31-DEC-9999|Fri Dec 31 23:59:59 9999|12/31/99|23:59:59|11:59:59 PM|23:59|23:59:59|\n|\t|%|%E|%Q|%+|00009999|9999|    9999|12|31|00031|  DECEMBER|00December|December|99|31|%é",
            ),
            (
                951_782_400_500_000_000,
                "2000|20|00|2000|00|09|09|09|2|2|060|29| 0|12|12|AM|am|February|Feb|TUE|TUE|am|utc|UTC|+0000|+00:00|+00:00:00| +000|-0000|+000000000|951782400|500000000|500|500|500000000000|2000-02-29|02/29/00|29-FEB-2000|Tue Feb 29 00:00:00 2000|02/29/00|00:00:00|12:00:00 AM|00:00|00:00:00|\n|\t|%|%E|%Q|%+|00002000|2000|    2000| 2|29|00029|  FEBRUARY|00February|February|00|29|%é",
            ),
        ] {
            assert_eq!(written(nanos, None, DIRECTIVES), expected, "{nanos}");
        }
    }

    #[test]
    fn offsets_are_written_with_their_sign_and_width() {
        for (offset, expected) in [
            (5_400, "+0130|+01:30|+01:30:00| +130|+0130|+000000130||03:14|1580780645"),
            (-12_600, "-0330|-03:30|-03:30:00| -330|-0330|-000000330||22:14|1580780645"),
            (0, "+0000|+00:00|+00:00:00| +000|+0000|+000000000||01:44|1580780645"),
            (45_296, "+1234|+12:34|+12:34:56|+1234|+1234|+000001234||14:19|1580780645"),
            (-86_399, "-2359|-23:59|-23:59:59|-2359|-2359|-000002359||01:44|1580780645"),
        ] {
            assert_eq!(written(1_580_780_645_000_000_005, Some(offset), ZONES), expected, "{offset}");
        }
    }
}
