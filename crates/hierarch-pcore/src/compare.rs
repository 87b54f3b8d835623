//! The language's own equality and order, as the operators `==`, `<` and their kin use them.
//!
//! Equality never fails: what cannot be compared is different. Order fails with the reference's words.

use std::cmp::Ordering;

use hierarch_source::Result;

use crate::value::time::{NANOS, in_seconds};
use crate::{Value, issues};

impl Value {
    /// Tells whether two values are the same to Ruby's `==`, which some functions and operators of the language use: numbers by
    /// value, texts by case too.
    ///
    /// ```
    /// use hierarch_pcore::Value;
    ///
    /// assert!(Value::from(1).is_same_in_ruby(&Value::from(1.0)));
    /// assert!(!Value::from("a").is_same_in_ruby(&Value::from("A")));
    /// ```
    pub fn is_same_in_ruby(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Integer(_) | Self::Float(_), Self::Integer(_) | Self::Float(_)) => self.equals(other),
            (Self::Array(a), Self::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.is_same_in_ruby(b))
            }
            (Self::Hash(a), Self::Hash(b)) => {
                let has = |(key, value): (&Self, &Self)| {
                    b.get(key).is_some_and(|other| value.is_same_in_ruby(other))
                };
                a.len() == b.len() && a.iter().all(has)
            }
            (Self::Timestamp(_) | Self::Timespan(_), _) | (_, Self::Timestamp(_) | Self::Timespan(_)) => {
                is_same_time(self, other)
            }
            _ => self == other,
        }
    }

    /// Tells whether two values are equal to the language: numbers by value, strings ignoring ASCII case.
    ///
    /// ```
    /// use hierarch_pcore::Value;
    ///
    /// assert!(Value::from(1).equals(&Value::from(1.0)));
    /// assert!(Value::from("a").equals(&Value::from("A")));
    /// assert!(!Value::from("1").equals(&Value::from(1)));
    /// ```
    #[expect(clippy::float_cmp, reason = "the language compares floats exactly")]
    pub fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String(a), Self::String(b)) => a.eq_ignore_ascii_case(b),
            (Self::Integer(a), Self::Integer(b)) => a == b,
            (Self::Float(a), Self::Float(b)) => a == b,
            (Self::Integer(a), Self::Float(b)) | (Self::Float(b), Self::Integer(a)) => same_number(*a, *b),
            (Self::Array(a), Self::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b))
            }
            // Keys compare by identity, so that `{a => 1}` and `{A => 1}` differ.
            (Self::Hash(a), Self::Hash(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, value)| b.get(key).unwrap_or(&Self::Undef).equals(value))
            }
            (Self::Type(a), Self::Type(b)) => a == b || (a.accepts(b) && b.accepts(a)),
            (Self::Timestamp(_) | Self::Timespan(_), _) | (_, Self::Timestamp(_) | Self::Timespan(_)) => {
                is_same_time(self, other)
            }
            _ => self == other,
        }
    }

    /// Orders two values as `<` does, or says why they have no order.
    pub fn order(&self, other: &Self) -> Result<Ordering> {
        match (self, other) {
            (Self::String(a), Self::String(b)) => Ok(case_insensitive_order(a, b)),
            (Self::String(_), _) => Err(issues::string_order()),
            (Self::Integer(a), Self::Integer(b)) => Ok(a.cmp(b)),
            (Self::Integer(_) | Self::Float(_), _) => number_order(self, other),
            (Self::Timespan(_), Self::Timespan(_) | Self::Integer(_) | Self::Float(_))
            | (Self::Timestamp(_), Self::Timestamp(_) | Self::Integer(_) | Self::Float(_)) => {
                Ok(time_order(self, other).unwrap_or(Ordering::Equal))
            }
            (Self::Timespan(_), _) => Err(issues::timespan_order()),
            (Self::Timestamp(_), _) => Err(issues::timestamp_order()),
            (Self::SemVer(a), Self::SemVer(b)) => Ok(a.precedence(b)),
            (Self::SemVer(_), _) => Err(issues::version_order()),
            _ => Err(issues::no_order()),
        }
    }
}

/// Compares two texts ignoring the case of ASCII letters.
pub fn case_insensitive_order(a: &str, b: &str) -> Ordering {
    let lower = |byte: u8| byte.to_ascii_lowercase();
    a.bytes().map(lower).cmp(b.bytes().map(lower))
}

fn number_order(a: &Value, b: &Value) -> Result<Ordering> {
    if let Some(order) = time_order(b, a) {
        return Ok(order.reverse());
    }
    match (a, b) {
        (Value::Integer(a), Value::Float(b)) => return mixed_order(*a, *b),
        (Value::Float(a), Value::Integer(b)) => return mixed_order(*b, *a).map(Ordering::reverse),
        (Value::Integer(a), Value::Integer(b)) => return Ok(a.cmp(b)),
        _ => {}
    }
    let (Some(x), Some(y)) = (a.as_number(), b.as_number()) else { return Err(issues::number_order()) };
    // NaN has no order; the reference fails on it in its own way.
    x.partial_cmp(&y).ok_or_else(issues::number_order)
}

#[expect(clippy::float_cmp, reason = "the language compares floats exactly")]
fn same_number(integer: i64, float: f64) -> bool {
    float == integer as f64 && float as i128 == i128::from(integer)
}

/// Orders an integer and a float exactly: not all integers are floats.
fn mixed_order(integer: i64, float: f64) -> Result<Ordering> {
    let Some(whole) = crate::value::number::whole(float) else {
        return (integer as f64).partial_cmp(&float).ok_or_else(issues::number_order);
    };
    let order = i128::from(integer).cmp(&whole);
    let fraction = 0.0f64.partial_cmp(&float.fract()).unwrap_or(Ordering::Equal);
    Ok(order.then(fraction))
}

/// Tells whether two values, one of them a time, are the same: of one kind, or a number of as many seconds.
fn is_same_time(a: &Value, b: &Value) -> bool {
    a == b || [time_order(a, b), time_order(b, a)].contains(&Some(Ordering::Equal))
}

/// Orders a time against another of its kind, or against seconds.
fn time_order(a: &Value, b: &Value) -> Option<Ordering> {
    let nanos = match a {
        Value::Timestamp(time) => time.0,
        Value::Timespan(time) => time.0,
        _ => return None,
    };
    match (a, b) {
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.cmp(b)),
        (Value::Timespan(a), Value::Timespan(b)) => Some(a.cmp(b)),
        (_, Value::Integer(seconds)) => Some(nanos.div_euclid(NANOS).cmp(&i128::from(*seconds))),
        (_, Value::Float(seconds)) => in_seconds(nanos).partial_cmp(seconds),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;
    use crate::testing::value;

    #[test]
    fn hashes_are_equal_by_typed_keys_in_any_order() {
        let one: Hash = [("a", "X"), ("b", "y")].into_iter().collect();
        let two: Hash = [("b", "Y"), ("a", "x")].into_iter().collect();
        let three: Hash = [("A", "x"), ("b", "y")].into_iter().collect();
        assert!(Value::from(one.clone()).equals(&Value::from(two)));
        assert!(!Value::from(one).equals(&Value::from(three)));
    }

    #[test]
    fn only_ascii_letters_lose_their_case() {
        assert!(!Value::from("å").equals(&Value::from("Å")));
        assert_eq!(Value::from("B").order(&Value::from("a")).expect("ordered"), Ordering::Greater);
    }

    #[test]
    fn different_kinds_have_no_order() {
        for (a, b, words) in [
            (Value::from(1), Value::from("a"), "A Numeric is not comparable to non Numeric"),
            (Value::from("a"), Value::from(1), "A String is not comparable to a non String"),
            (
                Value::from(true),
                Value::from(1),
                "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable",
            ),
        ] {
            assert_eq!(a.order(&b).expect_err("no order").message, words);
        }
    }

    /// What cannot be put in order is told, with what stands on the left in the first place.
    #[test]
    fn what_has_no_order_says_so() {
        for (left, right) in [
            ("'a'", "1"),
            ("1", "'a'"),
            ("1", "true"),
            ("true", "false"),
            ("undef", "undef"),
            ("[1]", "[2]"),
            ("{a => 1}", "{a => 2}"),
            ("/a/", "/b/"),
            ("default", "default"),
            ("Timespan(1)", "'1'"),
            ("Timestamp(1)", "Timespan(1)"),
            ("Timespan(1)", "Timestamp(1)"),
            ("SemVer('1.0.0')", "'1.0.0'"),
            ("SemVer('1.0.0')", "1"),
            ("Binary('YQ==')", "Binary('YQ==')"),
        ] {
            let error = value(left).order(&value(right)).expect_err(left);
            assert!(!error.message.is_empty(), "{left} {right}");
        }
    }

    #[test]
    fn integers_and_floats_are_put_in_order_exactly() {
        let large = 9_007_199_254_740_993_i64;
        for (left, right, expected) in [
            (Value::from(large), Value::from(9_007_199_254_740_992.0), Ordering::Greater),
            (Value::from(large - 1), Value::from(9_007_199_254_740_992.0), Ordering::Equal),
            (Value::from(i64::MAX), Value::from(9_223_372_036_854_775_808.0), Ordering::Less),
            (Value::from(i64::MIN), Value::from(-9_223_372_036_854_775_808.0), Ordering::Equal),
            (Value::from(1), Value::from(1.5), Ordering::Less),
            (Value::from(-1), Value::from(-1.5), Ordering::Greater),
            (Value::from(0), Value::from(-0.0), Ordering::Equal),
            (Value::from(0), Value::from(f64::INFINITY), Ordering::Less),
            (Value::from(0), Value::from(f64::NEG_INFINITY), Ordering::Greater),
        ] {
            assert_eq!(left.order(&right).ok(), Some(expected), "{left} {right}");
            assert_eq!(right.order(&left).ok(), Some(expected.reverse()), "{right} {left}");
            assert_eq!(left.equals(&right), expected == Ordering::Equal, "{left} {right}");
        }
        assert!(Value::from(1).order(&Value::from(f64::NAN)).is_err());
        assert!(!Value::from(f64::NAN).equals(&Value::from(1)));
    }

    #[test]
    fn equality_of_the_language_is_wider_than_identity() {
        for (left, right, equal) in [
            ("'a'", "'A'", true),
            ("'ä'", "'Ä'", false),
            ("1", "1.0", true),
            ("1", "'1'", false),
            ("['a']", "['A']", true),
            ("[1]", "[1.0]", true),
            ("[1, 2]", "[2, 1]", false),
            ("{a => 'x'}", "{a => 'X'}", true),
            ("{a => 1}", "{'A' => 1}", false),
            ("{a => 1, b => 2}", "{b => 2, a => 1}", true),
            ("undef", "''", false),
            ("undef", "undef", true),
            ("Integer", "Integer", true),
            ("Integer", "Variant[Integer]", true),
            ("Variant[Integer, String]", "Variant[String, Integer]", true),
            ("Optional[Undef]", "Undef", true),
            ("Timespan(60)", "60", true),
            ("60", "Timespan(60)", true),
            ("Timespan(60)", "Timestamp(60)", false),
            ("SemVer('1.0.0')", "'1.0.0'", false),
            ("/a/", "/a/", true),
            ("/a/", "'a'", false),
        ] {
            let (one, other) = (value(left), value(right));
            assert_eq!(one.equals(&other), equal, "{left} == {right}");
            assert_eq!(other.equals(&one), equal, "{right} == {left}");
        }
    }
}
