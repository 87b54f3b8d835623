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
