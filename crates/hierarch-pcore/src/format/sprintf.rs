//! Ruby's own formatting of numbers and texts: what one `%` directive does.

use hierarch_bits::digits::{Digits, decimals, significant};

/// The flags, width and precision of a directive.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spec {
    /// `#`
    pub alt: bool,
    /// `-`
    pub left: bool,
    /// `0`
    pub zero: bool,
    /// `+`
    pub plus: bool,
    /// A blank.
    pub space: bool,
    /// The least number of characters.
    pub width: Option<usize>,
    /// The number of digits, or the most characters of a text.
    pub precision: Option<usize>,
}

/// Formats a text: cut to the precision, padded to the width.
pub fn text(spec: &Spec, text: &str) -> String {
    let cut: String = match spec.precision {
        Some(most) => text.chars().take(most).collect(),
        None => text.to_owned(),
    };
    pad(spec, cut)
}

fn pad(spec: &Spec, text: String) -> String {
    let missing = spec.width.unwrap_or(0).saturating_sub(text.chars().count());
    match missing {
        0 => text,
        missing if spec.left => text + &" ".repeat(missing),
        missing => " ".repeat(missing) + &text,
    }
}

/// Returns the sign that a number gets.
fn sign(spec: &Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    }
}

/// A number without a fraction: an integer, or a float of which the fraction is cut off.
#[derive(Clone, Copy, Debug)]
pub enum Whole {
    /// What 128 bits hold.
    Integer(i128),
    /// What only a float holds.
    Float(f64),
}

impl From<i128> for Whole {
    fn from(number: i128) -> Self {
        Self::Integer(number)
    }
}

impl From<i64> for Whole {
    fn from(number: i64) -> Self {
        Self::Integer(number.into())
    }
}

impl From<f64> for Whole {
    fn from(number: f64) -> Self {
        crate::value::number::whole(number).map_or(Self::Float(number), Self::Integer)
    }
}

impl Whole {
    fn is_negative(self) -> bool {
        match self {
            Self::Integer(number) => number < 0,
            Self::Float(number) => number < 0.0,
        }
    }

    fn is_zero(self) -> bool {
        matches!(self, Self::Integer(0))
    }

    /// Returns the digits of the number without its sign.
    fn digits(self, radix: u32) -> String {
        match self {
            Self::Integer(number) => digits(number.unsigned_abs(), radix),
            Self::Float(number) if radix == 10 => format!("{:.0}", number.abs()),
            Self::Float(number) => {
                // So large a float is its 53 bits and zeros behind them; of these as many as whole digits need stay with the bits.
                let zeros = (((number.to_bits() >> 52) & 0x7ff) as u32).saturating_sub(1075);
                let mantissa = (number.to_bits() & ((1 << 52) - 1)) | (1 << 52);
                let bits = radix.trailing_zeros();
                let body = digits(u128::from(mantissa) << (zeros % bits), radix);
                body + &"0".repeat((zeros / bits) as usize)
            }
        }
    }
}

/// Formats an integer by one of the letters `d i u x X o b B`.
///
/// ```
/// use hierarch_pcore::format::sprintf::{Spec, integer};
///
/// assert_eq!(integer(&Spec::default(), 'x', -255i64), "..f01");
/// assert_eq!(integer(&Spec { plus: true, ..Spec::default() }, 'd', 3i64), "+3");
/// assert_eq!(integer(&Spec::default(), 'x', 1e39), "2f050fe938943a0000000000000000000");
/// ```
pub fn integer(spec: &Spec, letter: char, number: impl Into<Whole>) -> String {
    let number = number.into();
    let (radix, prefix) = match letter {
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        'o' => (8, "0"),
        'b' => (2, "0b"),
        'B' => (2, "0B"),
        _ => (10, ""),
    };
    if radix != 10 && number.is_negative() && !spec.plus && !spec.space {
        return complement(spec, letter, (radix, prefix), number);
    }
    let is_nothing = number.is_zero() && spec.precision == Some(0) && !(spec.alt && letter == 'o');
    let digits = if is_nothing { String::new() } else { cased(letter, number.digits(radix)) };
    let prefix = if spec.alt && !number.is_zero() { prefix } else { "" };
    let sign = sign(spec, number.is_negative());
    let lead = sign.len() + prefix.len();
    let wanted = match spec.precision {
        Some(precision) => precision,
        None if spec.zero && !spec.left => spec.width.unwrap_or(0).saturating_sub(lead),
        None => 0,
    };
    // An octal prefix is a digit.
    let given = digits.len() + usize::from(prefix == "0" && spec.precision.is_some());
    let zeros = "0".repeat(wanted.saturating_sub(given));
    pad(spec, format!("{sign}{prefix}{zeros}{digits}"))
}

fn digits(mut number: u128, radix: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit((number % u128::from(radix)) as u32, radix).unwrap_or('0'));
        number /= u128::from(radix);
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Returns the digits of what is missing to the next power of the radix.
fn complemented(digits: &str, radix: u32) -> String {
    let mut carry = 1;
    let mut flipped: Vec<char> = Vec::with_capacity(digits.len());
    for digit in digits.chars().rev() {
        let sum = radix - 1 - digit.to_digit(radix).unwrap_or(0) + carry;
        carry = sum / radix;
        flipped.push(char::from_digit(sum % radix, radix).unwrap_or('0'));
    }
    flipped.into_iter().rev().collect()
}

fn cased(letter: char, digits: String) -> String {
    if letter == 'X' { digits.to_uppercase() } else { digits }
}

/// A negative number as two's complement, whose endless leading digits are written as `..`.
fn complement(spec: &Spec, letter: char, (radix, prefix): (u32, &str), number: Whole) -> String {
    let all = complemented(&number.digits(radix), radix);
    let fill = char::from_digit(radix - 1, radix).unwrap_or('1');
    let body = cased(letter, format!("{fill}{}", all.trim_start_matches(fill)));
    let fill = cased(letter, fill.to_string());
    // An octal prefix would look like a digit.
    let prefix = if spec.alt && letter != 'o' { prefix } else { "" };
    let wanted = match spec.precision {
        Some(precision) => precision,
        None if spec.zero && !spec.left => spec.width.unwrap_or(0).saturating_sub(prefix.len()),
        None => 0,
    };
    let filled = fill.repeat(wanted.saturating_sub(body.len() + 2));
    pad(spec, format!("{prefix}..{filled}{body}"))
}

/// Formats a float by one of the letters `e E f g G a A`.
///
/// ```
/// use hierarch_pcore::format::sprintf::{Spec, float};
///
/// assert_eq!(float(&Spec::default(), 'e', 1.5), "1.500000e+00");
/// assert_eq!(float(&Spec::default(), 'a', 1.5), "0x1.8p+0");
/// ```
pub fn float(spec: &Spec, letter: char, number: f64) -> String {
    let sign = sign(spec, number.is_sign_negative() && !number.is_nan());
    if !number.is_finite() {
        let word = if number.is_nan() { "NaN" } else { "Inf" };
        return pad(spec, format!("{sign}{word}"));
    }
    let magnitude = number.abs();
    let precision = spec.precision.unwrap_or(6);
    let (prefix, body) = match letter {
        'f' => ("", fixed(spec, magnitude, precision)),
        'e' | 'E' => ("", scientific(spec, magnitude, precision)),
        'g' | 'G' => ("", general(spec, magnitude, precision.max(1))),
        _ => ("0x", hexadecimal(spec, magnitude)),
    };
    let (prefix, body) = if letter.is_uppercase() {
        (prefix.to_uppercase(), body.to_uppercase())
    } else {
        (prefix.to_owned(), body)
    };
    let zeros = if spec.zero && !spec.left {
        spec.width.unwrap_or(0).saturating_sub(sign.len() + prefix.len() + body.len())
    } else {
        0
    };
    pad(spec, format!("{sign}{prefix}{}{body}", "0".repeat(zeros)))
}

fn fixed(spec: &Spec, number: f64, precision: usize) -> String {
    let found = decimals(number, precision);
    let point = if spec.alt && precision == 0 { "." } else { "" };
    format!("{}{point}", with_point(&found, precision))
}

/// Writes digits without an exponent, with zeros up to so many decimals.
fn with_point(found: &Digits, least: usize) -> String {
    let point = usize::try_from(found.point).unwrap_or(0);
    let zeros = if found.digits.is_empty() { 0 } else { found.point.min(0).unsigned_abs() as usize };
    let (whole, fraction) = found.digits.split_at(found.digits.len().min(point));
    let whole = if point == 0 { "0".to_owned() } else { filled(whole, point) };
    let fraction = format!("{}{fraction}", "0".repeat(zeros));
    if fraction.is_empty() && least == 0 { whole } else { format!("{whole}.{}", filled(&fraction, least)) }
}

/// Adds zeros up to a length. Formats of the standard library end at 65,535 characters.
fn filled(digits: &str, length: usize) -> String {
    format!("{digits}{}", "0".repeat(length.saturating_sub(digits.len())))
}

fn scientific(spec: &Spec, number: f64, precision: usize) -> String {
    let found = significant(number, precision + 1);
    with_exponent(&found, precision, spec.alt)
}

/// Writes digits with one before the point, with zeros up to so many decimals.
fn with_exponent(found: &Digits, least: usize, has_point: bool) -> String {
    let (first, rest) = found.digits.split_at_checked(1).unwrap_or(("0", ""));
    let exponent = if found.digits.is_empty() { 0 } else { found.point - 1 };
    let point = if has_point || least > 0 || !rest.is_empty() { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{first}{point}{}e{sign}{:02}", filled(rest, least), exponent.abs())
}

/// The shorter of both forms, with all digits only where `#` asks for them.
fn general(spec: &Spec, number: f64, precision: usize) -> String {
    let found = significant(number, precision);
    let exponent = if found.digits.is_empty() { 0 } else { found.point - 1 };
    let is_fixed = exponent >= -4 && i64::from(exponent) < precision as i64;
    let wanted = if spec.alt { precision } else { 0 };
    if is_fixed {
        let least = (wanted as i64 - 1 - i64::from(exponent)).max(0);
        let point = if spec.alt && least == 0 { "." } else { "" };
        return format!("{}{point}", with_point(&found, least as usize));
    }
    with_exponent(&found, wanted.saturating_sub(1), spec.alt)
}

/// The digits after `0x`: a hexadecimal mantissa and a power of two.
fn hexadecimal(spec: &Spec, number: f64) -> String {
    let precision = spec.precision;
    let bits = number.to_bits();
    let (exponent, mantissa) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
    if number == 0.0 {
        let zeros = "0".repeat(precision.unwrap_or(0));
        let point = if spec.alt || !zeros.is_empty() { "." } else { "" };
        return format!("0{point}{zeros}p+0");
    }
    let (mut exponent, mut whole) =
        if exponent == 0 { (-1022, mantissa) } else { (exponent - 1023, mantissa | 1 << 52) };
    while whole >> 52 == 0 {
        whole <<= 1;
        exponent -= 1;
    }
    let digits = precision.unwrap_or(13).min(13);
    let dropped = 4 * (13 - digits);
    if dropped > 0 {
        whole = rounded(whole, dropped as u32);
    }
    let mut lead = whole >> 52;
    if lead > 1 {
        lead = 1;
        whole >>= 1;
        exponent += 1;
    }
    let fraction = format!("{:013x}", whole & ((1 << 52) - 1));
    let fraction = match precision {
        Some(digits) => filled(&fraction[..digits.min(13)], digits),
        None => fraction.trim_end_matches('0').to_owned(),
    };
    let point = if fraction.is_empty() && !spec.alt { "" } else { "." };
    format!("{lead}{point}{fraction}p{exponent:+}")
}

/// Rounds off low bits, halves to even.
fn rounded(number: u64, bits: u32) -> u64 {
    let unit = 1u64 << bits;
    let (kept, rest) = (number & !(unit - 1), number & (unit - 1));
    let up = rest > unit / 2 || (rest == unit / 2 && kept & unit != 0);
    if up { kept + unit } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(flags: &str) -> (Spec, char) {
        let body = flags.trim_start_matches('%');
        let rest = body.trim_start_matches(['#', '-', '0', '+', ' ']);
        let flags = &body[..body.len() - rest.len()];
        let (numbers, letter) = rest.split_at(rest.len() - 1);
        let (width, precision) = numbers.split_once('.').map_or((numbers, None), |(a, b)| (a, Some(b)));
        let spec = Spec {
            alt: flags.contains('#'),
            left: flags.contains('-'),
            zero: flags.contains('0'),
            plus: flags.contains('+'),
            space: flags.contains(' '),
            width: width.parse().ok(),
            precision: precision.map(|digits| digits.parse().unwrap_or(0)),
        };
        (spec, letter.chars().next().unwrap_or('d'))
    }

    #[test]
    fn integers_format_as_in_ruby() {
        for (format, number, expected) in [
            ("%#x", -255, "0x..f01"),
            ("%08x", -255, "..ffff01"),
            ("%8x", -255, "   ..f01"),
            ("%.8x", -255, "..ffff01"),
            ("%+x", -255, "-ff"),
            ("%o", -8, "..70"),
            ("%#o", -8, "..70"),
            ("%#o", 8, "010"),
            ("%b", -11, "..10101"),
            ("%08b", -11, "..110101"),
            ("%X", -1, "..F"),
            ("%#X", 255, "0XFF"),
            ("%05d", -3, "-0003"),
            ("%8.5d", -3, "  -00003"),
            ("%-5d", 3, "3    "),
            ("%#x", 0, "0"),
            ("%#.3x", 255, "0x0ff"),
            ("%#010x", 255, "0x000000ff"),
            ("%+.0d", 0, "+"),
        ] {
            let (spec, letter) = spec(format);
            assert_eq!(integer(&spec, letter, i64::from(number)), expected, "{format}");
        }
    }

    #[test]
    fn floats_format_as_in_ruby() {
        for (format, number, expected) in [
            ("%g", 1e10, "1e+10"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 100_000.0, "100000"),
            ("%g", 1_000_000.0, "1e+06"),
            ("%G", 1e-10, "1E-10"),
            ("%#g", 1.0, "1.00000"),
            ("%A", 0.1, "0X1.999999999999AP-4"),
            ("%a", 0.0, "0x0p+0"),
            ("%#.0a", 1.5, "0x1.p+1"),
            ("%a", -3.25, "-0x1.ap+1"),
            ("%.2a", 1.999, "0x1.00p+1"),
            ("%.0f", 0.5, "0"),
            ("%.3e", 12345.678, "1.235e+04"),
            ("%010.2f", -2.71, "-000002.71"),
            ("%+.1f", 2.0, "+2.0"),
            ("%f", f64::INFINITY, "Inf"),
            ("%5.1f", f64::NAN, "  NaN"),
            ("%.1f", 99.55, "99.6"),
            ("%.1f", 99.65, "99.6"),
            ("%.0f", 2.5, "2"),
            ("%.1f", 9.95, "10.0"),
            ("%.2f", 0.005, "0.01"),
            ("%.1f", 0.05, "0.1"),
            ("%.6f", 5e-7, "0.000000"),
            ("%.3e", 42.145, "4.214e+01"),
            ("%.0e", 9.5, "1e+01"),
            ("%.20f", 99.55, "99.54999999999999715783"),
        ] {
            let (spec, letter) = spec(format);
            assert_eq!(float(&spec, letter, number), expected, "{format}");
        }
    }

    /// What floats alone cannot tell from a half goes to the even digit; more than fourteen digits are exact. As Ruby 3.3 says.
    #[test]
    fn floats_near_halves_format_as_in_ruby() {
        for (format, number, expected) in [
            ("%.5f", 0.004_795, "0.00480"),
            ("%.13e", 2.722_158_688_401_253e-250, "2.7221586884012e-250"),
            ("%.5e", 7.223_895e-05, "7.22390e-05"),
            ("%.9e", 6_821_209.219_5, "6.821209220e+06"),
            ("%.3f", 296.142_500_000_000_04, "296.142"),
            ("%.11f", 6.125_075e-06, "0.00000612508"),
            ("%.13e", 174.082_041_562_875, "1.7408204156288e+02"),
            ("%.7f", 8_053_439.689_873_549, "8053439.6898736"),
            ("%.6g", 53_112.35, "53112.4"),
            ("%.3f", 869.1805, "869.180"),
            ("%.6g", 0.007_057_885_000_000_001, "0.00705788"),
            ("%.6g", 1.913_805e-06, "1.91380e-06"),
            ("%.14g", 1.184_306_802_860_452_2e202, "1.1843068028604e+202"),
            ("%.4f", 17.410_45, "17.4104"),
            ("%.9f", 9.954_35e-05, "0.000099544"),
            ("%.6g", 743.5465, "743.546"),
            ("%.0f", 65_918_828_973_859.48, "65918828973860"),
            ("%.5e", 3_807.945, "3.80794e+03"),
            ("%.13e", 4.274_180_213_631_549e-69, "4.2741802136316e-69"),
            ("%.2e", 2.235e-09, "2.24e-09"),
            ("%.1e", 3.75e-08, "3.8e-08"),
            ("%.5f", 4.966_685, "4.96668"),
            ("%.4e", 2.738_650_000_000_000_3, "2.7386e+00"),
            ("%.6g", 0.000_863_295_5, "0.000863296"),
            ("%.3f", 398.500_500_000_000_05, "398.500"),
            ("%.7f", 9_156_798.622_238_345, "9156798.6222384"),
            ("%.1g", 0.017_089_843_75, "0.02"),
            ("%.1e", 0.004_541_137_592, "4.5e-03"),
            ("%.15g", 8.249_031_845_835_815e-07, "8.24903184583581e-07"),
            ("%.1g", 0.050_781_25, "0.05"),
            ("%.17g", 47_995.128_275_673_4, "47995.1282756734"),
            ("%.15e", 3_016_665_000_000.0, "3.016665000000000e+12"),
            ("%.14e", 248_417_384_285.2, "2.48417384285200e+11"),
            ("%.15g", 979_716.204_256_8, "979716.2042568"),
            ("%.16e", 13.156_865_247_086_301, "1.3156865247086301e+01"),
            ("%.1g", 0.410_156_25, "0.4"),
            ("%.17f", 2_685_544_964_282_446.0, "2685544964282446.00000000000000000"),
            ("%.17g", 8_444_745_584_356.784, "8444745584356.7842"),
            ("%.17f", 2.092_380_385_610_594e-191, "0.00000000000000000"),
            ("%.1g", 1_999_141_511_987.0, "2e+12"),
            ("%#.3g", 8.05, "8.05"),
            ("%#.6g", 100_000.0, "100000."),
            ("%#.2e", 0.0, "0.00e+00"),
            ("%g", 0.0, "0"),
            ("%.0f", 0.0, "0"),
            ("%.3f", 5e-324, "0.000"),
            ("%.1e", 5e-324, "4.9e-324"),
        ] {
            let (spec, letter) = spec(format);
            assert_eq!(float(&spec, letter, number), expected, "{format} {number}");
        }
    }
}
