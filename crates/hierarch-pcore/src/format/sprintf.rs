//! Ruby's own formatting of numbers and texts: what one `%` directive does.

use hierarch_bits::decimal;

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

/// Formats an integer by one of the letters `d i u x X o b B`.
///
/// ```
/// use hierarch_pcore::format::sprintf::{Spec, integer};
///
/// assert_eq!(integer(&Spec::default(), 'x', -255), "..f01");
/// assert_eq!(integer(&Spec { plus: true, ..Spec::default() }, 'd', 3), "+3");
/// ```
pub fn integer(spec: &Spec, letter: char, number: i128) -> String {
    let (radix, prefix) = match letter {
        'x' => (16, "0x"),
        'X' => (16, "0X"),
        'o' => (8, "0"),
        'b' => (2, "0b"),
        'B' => (2, "0B"),
        _ => (10, ""),
    };
    if radix != 10 && number < 0 && !spec.plus && !spec.space {
        return complement(spec, letter, radix, number, prefix);
    }
    let is_nothing = number == 0 && spec.precision == Some(0) && !(spec.alt && letter == 'o');
    let digits = if is_nothing { String::new() } else { cased(letter, digits(number.unsigned_abs(), radix)) };
    let prefix = if spec.alt && number != 0 { prefix } else { "" };
    let sign = sign(spec, number < 0);
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

fn cased(letter: char, digits: String) -> String {
    if letter == 'X' { digits.to_uppercase() } else { digits }
}

/// A negative number as two's complement, whose endless leading digits are written as `..`.
fn complement(spec: &Spec, letter: char, radix: u32, number: i128, prefix: &str) -> String {
    let bits = radix.trailing_zeros();
    let all = digits(number as u128 & (u128::MAX >> (128 % bits)), radix);
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
    let point = if spec.alt && precision == 0 { "." } else { "" };
    format!("{}{point}", rounded_at(number, precision))
}

/// Returns a number with so many digits after the point. Ruby decides ties by the shortest digits that read back, not
/// by the exact value, and then goes to the even digit: `99.55` becomes `99.6`, `99.65` as well.
fn rounded_at(number: f64, precision: usize) -> String {
    let exact = format!("{number:.precision$}");
    let shortest = decimal::plain(number);
    let Some((whole, fraction)) = shortest.split_once('.') else { return exact };
    if fraction.len() != precision + 1 || !fraction.ends_with('5') {
        return exact;
    }
    let kept = format!("{whole}{}", &fraction[..precision]);
    let is_even = kept.bytes().last().is_some_and(|digit| digit % 2 == 0);
    let digits = if is_even { kept } else { incremented(&kept) };
    let (whole, fraction) = digits.split_at(digits.len() - precision);
    if precision == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") }
}

/// Returns the scientific form where the shortest digits end in a tie; see [`rounded_at`].
fn tie_broken(number: f64, precision: usize) -> Option<String> {
    let shortest = decimal::scientific(number);
    let (mantissa, exponent) = shortest.split_once('e')?;
    let (whole, fraction) = mantissa.split_once('.')?;
    if fraction.len() != precision + 1 || !fraction.ends_with('5') {
        return None;
    }
    let kept = format!("{whole}{}", &fraction[..precision]);
    let is_even = kept.bytes().last().is_some_and(|digit| digit % 2 == 0);
    let digits = if is_even { kept } else { incremented(&kept) };
    let exponent: i32 = exponent.parse::<i32>().ok()? + (digits.len() - 1 - precision) as i32;
    let (first, rest) = digits[..=precision].split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    Some(format!("{first}{point}{rest}e{exponent}"))
}

/// Adds one to a row of digits.
fn incremented(digits: &str) -> String {
    let kept = digits.trim_end_matches('9');
    let nines = digits.len() - kept.len();
    let zeros = "0".repeat(nines);
    match kept.as_bytes().split_last() {
        Some((last, before)) => format!("{}{}{zeros}", String::from_utf8_lossy(before), char::from(last + 1)),
        None => format!("1{zeros}"),
    }
}

fn scientific(spec: &Spec, number: f64, precision: usize) -> String {
    let text = tie_broken(number, precision).unwrap_or_else(|| format!("{number:.precision$e}"));
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if spec.alt && precision == 0 { "." } else { "" };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

/// The shorter of both forms, trailing zeros dropped unless `#` keeps them.
fn general(spec: &Spec, number: f64, precision: usize) -> String {
    let probe = format!("{number:.*e}", precision - 1);
    let exponent: i32 = probe.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let is_fixed = (-4..precision as i32).contains(&exponent);
    let text = if is_fixed {
        fixed(spec, number, (precision as i32 - 1 - exponent) as usize)
    } else {
        scientific(spec, number, precision - 1)
    };
    if spec.alt {
        return text;
    }
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", without_zeros(mantissa)),
        None => without_zeros(&text).to_owned(),
    }
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
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
        Some(digits) => format!("{:0<digits$}", &fraction[..digits.min(13)]),
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
            assert_eq!(integer(&spec, letter, number), expected, "{format}");
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
            ("%.3e", 42.145, "4.214e+01"),
            ("%.0e", 9.5, "1e+01"),
            ("%.20f", 99.55, "99.54999999999999715783"),
        ] {
            let (spec, letter) = spec(format);
            assert_eq!(float(&spec, letter, number), expected, "{format}");
        }
    }
}
