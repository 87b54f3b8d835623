//! The shortest decimal text that reads back as a float, as Ruby and Python write it.
//!
//! Where a float lies exactly between two such texts, both languages take the one whose last digit is even; the standard
//! library takes the upper one.

/// Writes a float without an exponent.
///
/// ```
/// use hierarch_bits::decimal;
///
/// assert_eq!(decimal::plain(1.5), "1.5");
/// assert_eq!(decimal::plain(658_344_884_584_302.25), "658344884584302.2");
/// ```
#[must_use]
pub fn plain(number: f64) -> String {
    let text = format!("{number}");
    let decimals = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    even_neighbour(number, decimals).unwrap_or(text)
}

/// Writes a float with one digit before the point and an exponent: `6.5e-7`.
#[must_use]
pub fn scientific(number: f64) -> String {
    let text = format!("{number:e}");
    even_of_scientific(number, &text).unwrap_or(text)
}

fn even_of_scientific(number: f64, text: &str) -> Option<String> {
    let (mantissa, exponent) = text.split_once('e')?;
    let (_, fraction) = mantissa.split_once('.')?;
    let decimals = fraction.len().checked_sub(exponent.parse().ok()?)?;
    let even = even_neighbour(number, decimals)?;
    let (sign, digits) = even.strip_prefix('-').map_or(("", even.as_str()), |rest| ("-", rest));
    let digits = digits.replace('.', "");
    let (first, rest) = digits.split_at_checked(1)?;
    Some(format!("{sign}{first}.{rest}e{exponent}"))
}

/// Returns the neighbour whose last digit is even, where the float lies in the middle between two texts of so many decimals.
fn even_neighbour(number: f64, decimals: usize) -> Option<String> {
    // A float with so many binary digits behind the point has as many decimal ones, the last of which is 5.
    if decimals == 0 || fraction_bits(number)? != decimals + 1 {
        return None;
    }
    let mut exact = format!("{number:.*}", decimals + 1);
    exact.pop();
    let is_even = exact.ends_with(['0', '2', '4', '6', '8']);
    (is_even && exact.parse() == Ok(number)).then_some(exact)
}

/// Counts the binary digits behind the point.
fn fraction_bits(number: f64) -> Option<usize> {
    const MANTISSA: u32 = 52;
    let bits = number.to_bits();
    let exponent = i64::try_from(bits >> MANTISSA & 0x7ff).ok()?;
    // Floats that are not normal, zero and infinity have none or too many for a tie.
    if exponent == 0 || exponent == 0x7ff {
        return None;
    }
    let zeros = i64::from((bits | 1 << MANTISSA).trailing_zeros());
    usize::try_from(1023 + i64::from(MANTISSA) - exponent - zeros).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;

    /// Floats between two shortest texts, and what Ruby 3.3 and Python 3.11 write.
    #[test]
    fn in_the_middle_the_even_digit_counts() {
        for (number, text) in [
            (658_344_884_584_302.0 + 0.25, "658344884584302.2"),
            (658_344_884_584_302.0 + 0.75, "658344884584302.8"),
            (-(658_344_884_584_302.0 + 0.25), "-658344884584302.2"),
            (108_887_710_015_655.0 + 0.859_375, "108887710015655.86"),
            (562_949_953_421_312.0 + 0.25, "562949953421312.2"),
            (562_949_953_421_313.0 + 0.75, "562949953421313.8"),
        ] {
            assert_eq!(plain(number), text);
        }
        assert_eq!(scientific(658_344_884_584_302.0 + 0.25), "6.583448845843022e14");
        assert_eq!(scientific(-(658_344_884_584_302.0 + 0.25)), "-6.583448845843022e14");
    }

    #[test]
    fn elsewhere_the_standard_library_is_right() {
        let mut dice = Dice::new(3);
        for _ in 0..20_000 {
            let bits = (dice.below(1 << 31) as u64) << 33
                ^ (dice.below(1 << 31) as u64) << 11
                ^ dice.below(1 << 11) as u64;
            let number = f64::from_bits(bits);
            // Ties stand only where there are few binary digits behind the point.
            if number.is_finite() && !(1e12..1e16).contains(&number.abs()) {
                assert_eq!(plain(number), format!("{number}"));
                assert_eq!(scientific(number), format!("{number:e}"));
            }
        }
        for number in
            [0.0, -0.0, 0.5, 0.25, 0.125, 1e15, 9_007_199_254_740_993.0, f64::MIN_POSITIVE, f64::MAX, 5e-324]
        {
            assert_eq!(plain(number), format!("{number}"));
        }
        assert_eq!((plain(f64::NAN), scientific(f64::INFINITY)), ("NaN".to_owned(), "inf".to_owned()));
    }

    /// Numbers with a few binary digits behind the point, where half of the texts of the standard library differ.
    #[test]
    fn texts_of_large_halves_read_back_and_end_evenly_where_both_neighbours_do() {
        let mut dice = Dice::new(4);
        let mut ties = 0;
        for _ in 0..20_000 {
            let mantissa = (1u64 << 52) + ((dice.below(1 << 30) as u64) << 21 | dice.below(1 << 21) as u64);
            let number = mantissa as f64 / f64::from(1 << (2 + dice.below(6)));
            let text = plain(number);
            assert_eq!(text.parse(), Ok(number), "{text}");
            assert_eq!(text.len(), format!("{number}").len());
            if text != format!("{number}") {
                ties += 1;
                assert!(text.ends_with(['0', '2', '4', '6', '8']), "{text}");
            }
        }
        assert!(ties > 100, "{ties}");
    }
}
