//! The decimal digits of a float to a precision, as Ruby's formats write them.
//!
//! Up to fourteen digits, Ruby calculates with floats alone. What comes so near to a half that floats cannot tell goes to the even
//! digit, though the exact value may lie beside the half: `8.05` to two digits is `8.0`, `869.1805` to three decimals `869.180`.
//! Beyond that, and where floats cannot even tell whether there is a digit, the exact value counts.

/// A number as `0.DIGITS × 10^point`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits {
    /// The digits; none for zero. Zeros at the end are left out, except where Ruby leaves them: behind what it took for a half.
    pub digits: String,
    /// Where the decimal point stands, counted from the first digit.
    pub point: i32,
}

/// Returns the first digits of a number that is not negative, rounded: at most `count`, at least one.
///
/// ```
/// use hierarch_bits::digits;
///
/// assert_eq!(digits::significant(1234.5, 2), digits::Digits { digits: "12".into(), point: 4 });
/// assert_eq!(digits::significant(8.05, 2).digits, "80");
/// ```
#[must_use]
pub fn significant(number: f64, count: usize) -> Digits {
    let count = count.max(1);
    let guess = Guess::of(number);
    let quick = (count <= QUICK_MOST).then(|| quick(number, guess, count as i32, count as i32)).flatten();
    quick.unwrap_or_else(|| exact_digits(number, count))
}

/// Returns the digits of a number that is not negative down to a place behind the point, rounded.
///
/// ```
/// use hierarch_bits::digits;
///
/// assert_eq!(digits::decimals(1234.56, 1), digits::Digits { digits: "12346".into(), point: 4 });
/// assert_eq!(digits::decimals(0.01, 1).digits, "");
/// ```
#[must_use]
pub fn decimals(number: f64, places: usize) -> Digits {
    let guess = Guess::of(number);
    let count = i32::try_from(places).unwrap_or(i32::MAX).saturating_add(guess.power + 1);
    let is_quick = (0..=QUICK_MOST as i32).contains(&count);
    let quick = is_quick.then(|| quick(number, guess, count, count - 1)).flatten();
    quick.unwrap_or_else(|| exact_decimals(number, places))
}

/// Ruby tries floats for so many digits.
const QUICK_MOST: usize = 14;

/// More digits, and more decimals, than any float has.
const MOST_DIGITS: usize = 800;
const MOST_DECIMALS: usize = 1100;

/// The largest power of ten that is a float exactly, and so the last by which a guess is checked.
const EXACT_POWER: i32 = 22;

/// Powers of ten that are multiplied to those beyond fifteen.
const LARGE_POWERS: [f64; 5] = [1e16, 1e32, 1e64, 1e128, 1e256];

/// The power of ten below a number.
#[derive(Clone, Copy)]
struct Guess {
    power: i32,
    /// It may be one too large.
    is_vague: bool,
}

impl Guess {
    fn of(number: f64) -> Self {
        let (mantissa, exponent) = parts(number);
        // The logarithm to base ten, by its tangent at 1.5.
        let logarithm = (mantissa - 1.5) * 0.289_529_654_602_168
            + 0.176_091_259_055_8
            + f64::from(exponent) * std::f64::consts::LOG10_2;
        let power = logarithm.floor() as i32;
        if !(0..=EXACT_POWER).contains(&power) {
            return Self { power, is_vague: true };
        }
        Self { power: power - i32::from(number < 10f64.powi(power)), is_vague: false }
    }
}

/// Splits a number in a mantissa from 1 to 2 and a power of two.
fn parts(number: f64) -> (f64, i32) {
    const SMALLEST: f64 = f64::MIN_POSITIVE;
    let (number, shift) = if number < SMALLEST { (number * 2f64.powi(64), 64) } else { (number, 0) };
    let bits = number.to_bits();
    let mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    (mantissa, (bits >> 52) as i32 - 1023 - shift)
}

/// Rounds to `count` digits with floats alone, to `fewer` if the guess is too large; none if they cannot tell.
fn quick(number: f64, guess: Guess, count: i32, fewer: i32) -> Option<Digits> {
    let (mut scaled, mut doubt) = scaled(number, guess.power);
    let (mut power, mut count) = (guess.power, count);
    if guess.is_vague && scaled < 1.0 && count > 0 {
        if fewer <= 0 {
            return None;
        }
        (count, power, scaled, doubt) = (fewer, power - 1, scaled * 10.0, doubt + 1);
    }
    let doubt = (f64::from(doubt) * scaled + 7.0) * f64::EPSILON;
    if count == 0 {
        return match scaled - 5.0 {
            above if above > doubt => Some(Digits { digits: "1".into(), point: power + 2 }),
            below if below < -doubt => Some(Digits { digits: String::new(), point: 0 }),
            _ => None,
        };
    }
    let (digits, rest) = first_digits(scaled, count);
    let doubt = doubt * 10f64.powi(count - 1);
    let is_odd = digits.ends_with(['1', '3', '5', '7', '9']);
    match rest {
        rest if rest < 0.5 - doubt => Some(trimmed(digits, power + 1)),
        rest if rest > 0.5 + doubt || is_odd => Some(raised(&digits, power + 1)),
        _ => Some(half(number, digits, power)),
    }
}

/// Divides a number by a power of ten, and counts the steps by which it may be wrong.
fn scaled(number: f64, power: i32) -> (f64, i32) {
    let (mut large, mut doubt, mut number) = (power.unsigned_abs() >> 4, 2, number);
    let mut factor = 10f64.powi(power.abs() & 15);
    if power > 0 && large & 16 != 0 {
        number /= LARGE_POWERS[4];
        doubt += 1;
        large &= 15;
    }
    // What is multiplied is multiplied step by step; what is divided is divided once.
    if power <= 0 {
        number *= factor;
    }
    for (_, &large_power) in LARGE_POWERS.iter().enumerate().filter(|(step, _)| large >> step & 1 != 0) {
        doubt += 1;
        if power > 0 {
            factor *= large_power;
        } else {
            number *= large_power;
        }
    }
    (if power > 0 { number / factor } else { number }, doubt)
}

/// Takes digits off a number below ten, and returns what is left; fewer where nothing is.
fn first_digits(mut number: f64, count: i32) -> (String, f64) {
    let mut digits = String::new();
    for position in 1.. {
        let digit = number as u8;
        number -= f64::from(digit);
        digits.push(char::from(b'0' + digit));
        if position >= count || number == 0.0 {
            break;
        }
        number *= 10.0;
    }
    (digits, number)
}

/// What is taken for a half stays at its even digit. Whether a zero at the end is left goes by the exact value.
fn half(number: f64, digits: String, power: i32) -> Digits {
    let is_small_integer = number.fract() == 0.0 && power <= QUICK_MOST as i32;
    let exact = format!("{number:.MOST_DIGITS$e}").replace('.', "");
    let rest = exact.split_once('e').map_or("", |(all, _)| &all[digits.len()..]);
    let is_above = rest.starts_with('5') && rest[1..].contains(|digit| digit != '0');
    if is_small_integer || is_above {
        Digits { digits, point: power + 1 }
    } else {
        trimmed(digits, power + 1)
    }
}

/// Adds one to the last digit.
fn raised(digits: &str, point: i32) -> Digits {
    let kept = digits.trim_end_matches('9');
    match kept.as_bytes().split_last() {
        Some((last, before)) => {
            let digits = format!("{}{}", String::from_utf8_lossy(before), char::from(last + 1));
            Digits { digits, point }
        }
        None => Digits { digits: "1".into(), point: point + 1 },
    }
}

fn trimmed(digits: String, point: i32) -> Digits {
    let length = digits.trim_end_matches('0').len();
    let mut digits = digits;
    digits.truncate(length);
    Digits { digits, point }
}

fn exact_digits(number: f64, count: usize) -> Digits {
    let text = format!("{number:.*e}", count.min(MOST_DIGITS) - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    trimmed(mantissa.replace('.', ""), exponent.parse::<i32>().unwrap_or(0) + 1)
}

fn exact_decimals(number: f64, places: usize) -> Digits {
    let places = places.min(MOST_DECIMALS);
    let digits = format!("{number:.places$}").replace('.', "");
    let point = digits.len() as i32 - places as i32;
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    trimmed(digits[zeros..].to_owned(), point - zeros as i32)
}
