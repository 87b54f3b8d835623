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
            'G' => (moment.iso_week().0, 4, '0'),
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
        let sign = if offset < 0 { '-' } else { '+' };
        let total = offset.abs();
        let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
        let tail = match flags.colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            _ => format!(":{minutes:02}:{seconds:02}"),
        };
        let width = flags.width.unwrap_or(0).saturating_sub(tail.len() + 1).max(2);
        match (flags.no_pad, flags.pad) {
            (true, _) => format!("{sign}{hours}{tail}"),
            (_, Some(' ')) => format!("{:>width$}{tail}", format!("{sign}{hours}"), width = width + 1),
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
                '-' => flags.no_pad = true,
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
            _ => format!("{value:0>width$}"),
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
}
