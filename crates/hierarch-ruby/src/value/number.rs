//! Numbers of all kinds, as arithmetic sees them.

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::{Payload, Value};

/// A fraction in lowest terms, the denominator positive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rational {
    /// Above the line.
    pub top: BigInt,
    /// Below it.
    pub bottom: BigInt,
}

impl Payload for Rational {}

impl Rational {
    /// Makes a fraction in lowest terms.
    pub fn new(top: BigInt, bottom: BigInt) -> Self {
        use num_integer::Integer;
        let common = top.gcd(&bottom);
        let (mut top, mut bottom) =
            if common == BigInt::from(0) { (top, bottom) } else { (top / &common, bottom / &common) };
        if bottom < BigInt::from(0) {
            top = -top;
            bottom = -bottom;
        }
        Self { top, bottom }
    }

    /// Returns it as a float.
    pub fn to_f64(&self) -> f64 {
        match (self.top.to_f64(), self.bottom.to_f64()) {
            (Some(top), Some(bottom)) if top.is_finite() && bottom.is_finite() => top / bottom,
            _ => {
                let shift = self.top.bits().max(self.bottom.bits()).saturating_sub(1000);
                let (top, bottom) = (&self.top >> shift, &self.bottom >> shift);
                top.to_f64().unwrap_or(0.0) / bottom.to_f64().unwrap_or(1.0)
            }
        }
    }
}

/// Divides two integers to a float as Ruby does, to the last bit: those it keeps in a word as floats, longer ones after
/// cutting them to what a float can show.
pub(crate) fn quotient(top: &BigInt, bottom: &BigInt) -> f64 {
    use num_integer::Integer;
    let common = top.gcd(bottom);
    let (a, b) = (top / &common, bottom / &common);
    let is_word = |number: &BigInt| number.bits() <= 62;
    let float = |number: &BigInt| number.to_f64().unwrap_or(f64::INFINITY);
    let fits = match (is_word(&a), is_word(&b)) {
        (true, true) => b.bits() <= 53,
        (false, true) => float(&a).is_finite(),
        _ => false,
    };
    if fits { float(&a) / float(&b) } else { long_quotient(&a, &b) }
}

fn long_quotient(a: &BigInt, b: &BigInt) -> f64 {
    use num_traits::Signed;
    let shifted = |number: BigInt, by: i64| {
        let distance = by.unsigned_abs() as usize;
        if by >= 0 { number >> distance } else { number << distance }
    };
    let cut_b = b.bits() as i64 - 64;
    let cut_a = match a.bits() as i64 - 128 {
        cut if cut > 64 => cut - 64,
        cut => cut.min(0),
    };
    let digits = shifted(a.abs(), cut_a) / shifted(b.abs(), cut_b);
    let power = cut_a - cut_b;
    let half = power / 2;
    let two = |power: i64| 2f64.powi(power.clamp(-2_000, 2_000) as i32);
    let size = digits.to_f64().unwrap_or(f64::INFINITY) * two(half) * two(power - half);
    if a.is_negative() == b.is_negative() { size } else { -size }
}

/// A number.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "Ruby's kinds")]
pub enum Number {
    Int(i64),
    Big(BigInt),
    Float(f64),
    Rational(Rational),
}

impl Number {
    /// Reads a value that is a number.
    pub fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Int(number) => Self::Int(*number),
            Value::Big(number) => Self::Big((**number).clone()),
            Value::Float(number) => Self::Float(*number),
            other => Self::Rational((*other.payload::<Rational>()?).clone()),
        })
    }

    /// Returns it as a float.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Int(number) => *number as f64,
            Self::Big(number) => number.to_f64().unwrap_or(f64::INFINITY),
            Self::Float(number) => *number,
            Self::Rational(number) => number.to_f64(),
        }
    }

    /// Returns it as a big integer, if it is one.
    pub fn to_big(&self) -> Option<BigInt> {
        match self {
            Self::Int(number) => Some(BigInt::from(*number)),
            Self::Big(number) => Some(number.clone()),
            _ => None,
        }
    }

    /// Returns it as a fraction, if it is one.
    pub fn to_rational(&self) -> Option<Rational> {
        match self {
            Self::Rational(number) => Some(number.clone()),
            other => Some(Rational { top: other.to_big()?, bottom: 1.into() }),
        }
    }
}
