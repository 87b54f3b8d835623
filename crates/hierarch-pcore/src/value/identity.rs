//! Identity of values: what makes two hash keys the same. It is Ruby's `eql?`.
//!
//! Numbers of different kinds differ, strings differ by case, arrays and hashes compare by their parts.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::Value;

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Undef, Self::Undef) | (Self::Default, Self::Default) => true,
            (Self::Boolean(a), Self::Boolean(b)) => a == b,
            (Self::Integer(a), Self::Integer(b)) => a == b,
            // The same NaN is its own key, so that `Eq` holds.
            (Self::Float(a), Self::Float(b)) => a == b || a.to_bits() == b.to_bits(),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Array(a), Self::Array(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Hash(a), Self::Hash(b)) => Arc::ptr_eq(a, b) || a == b,
            (Self::Type(a), Self::Type(b)) => a == b,
            (Self::Sensitive(a), Self::Sensitive(b)) => a == b,
            _ => self.same_rare(other),
        }
    }
}

impl Eq for Value {}

impl Value {
    fn same_rare(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Regexp(a), Self::Regexp(b)) => a == b,
            (Self::Binary(a), Self::Binary(b)) => a == b,
            (Self::SemVer(a), Self::SemVer(b)) => a == b,
            (Self::SemVerRange(a), Self::SemVerRange(b)) => a == b,
            (Self::Timestamp(a), Self::Timestamp(b)) => a == b,
            (Self::Timespan(a), Self::Timespan(b)) => a == b,
            (Self::Uri(a), Self::Uri(b)) => a == b,
            (Self::Object(a), Self::Object(b)) => a == b,
            (Self::Foreign(a), Self::Foreign(b)) => {
                Arc::ptr_eq(a, b) || a.digits().is_some_and(|digits| b.digits() == Some(digits))
            }
            _ => false,
        }
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Self::String(text) => hash_str(text, state),
            Self::Integer(number) => (1u8, number).hash(state),
            Self::Float(number) => (2u8, float_bits(*number)).hash(state),
            Self::Boolean(truth) => (3u8, truth).hash(state),
            Self::Array(elements) => (4u8, elements).hash(state),
            Self::Hash(hash) => (5u8, hash.len(), hash_of_entries(hash)).hash(state),
            Self::Sensitive(value) => (6u8, value).hash(state),
            Self::Type(type_) => (7u8, type_).hash(state),
            other => other.hash_rare(state),
        }
    }
}

impl Value {
    fn hash_rare<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::Regexp(regexp) => regexp.hash(state),
            Self::Binary(binary) => binary.hash(state),
            Self::SemVer(version) => version.hash(state),
            Self::SemVerRange(range) => range.hash(state),
            Self::Timestamp(time) => time.hash(state),
            Self::Timespan(time) => time.hash(state),
            Self::Uri(uri) => uri.hash(state),
            Self::Object(object) => object.hash(state),
            Self::Foreign(foreign) => foreign.digits().hash(state),
            _ => {}
        }
    }
}

/// Hashes entries whatever their order, because hashes are equal whatever it is.
fn hash_of_entries(hash: &super::Hash) -> u64 {
    hash.iter().fold(0, |sum, (key, value)| sum.wrapping_add(ENTRIES.hash_one((key, value))))
}

/// Equal hashes in different tables must have one hash, so its seed is fixed. What a program can make of it is no
/// more than slow, and its steps are counted.
const ENTRIES: FixedState = FixedState::with_seed(0x6869_6572);

/// Hashes a text as the string value of that text.
pub(super) fn hash_str<H: Hasher>(text: &str, state: &mut H) {
    state.write(text.as_bytes());
    state.write_u8(0xff);
}

/// Returns the bits by which a float is hashed: both zeros are one key.
fn float_bits(number: f64) -> u64 {
    if number == 0.0 { 0 } else { number.to_bits() }
}

#[cfg(test)]
mod tests {
    use crate::testing::value;
    use foldhash::fast::RandomState;

    use super::*;

    fn hash_of(state: &RandomState, entries: &[(&str, i64)]) -> u64 {
        let hash: super::super::Hash = entries.iter().map(|(key, value)| (*key, *value)).collect();
        state.hash_one(Value::hash(hash))
    }

    #[test]
    fn hashes_are_told_apart_by_what_they_hold_and_not_by_its_order() {
        let state = RandomState::default();
        let one = hash_of(&state, &[("a", 1), ("b", 2)]);
        assert_eq!(one, hash_of(&state, &[("b", 2), ("a", 1)]));
        for other in [&[("a", 1)][..], &[("a", 2), ("b", 1)], &[("a", 1), ("c", 2)], &[("a", 1), ("b", 3)]] {
            assert_ne!(one, hash_of(&state, other), "{other:?}");
        }
    }

    /// Two hashes may be equal though one of them is a sum that keeps another below it.
    #[test]
    fn a_sum_has_the_hash_of_what_it_is_equal_to() {
        let state = RandomState::default();
        let base: super::super::Hash = (0..5000).map(|number| (number, number)).collect();
        let more: super::super::Hash = [(7, -7), (9999, 1)].into_iter().collect();
        let sum = super::super::Hash::sum(Arc::new(base.clone()), &more);
        let mut copied = base;
        more.iter().for_each(|(key, value)| drop(copied.insert(key.clone(), value.clone())));
        let (sum, copied) = (Value::hash(sum), Value::hash(copied));
        assert_eq!(sum, copied);
        assert_eq!(state.hash_one(&sum), state.hash_one(&copied));
    }

    /// Values of every kind; none is the same as another.
    const DIFFERENT: &[&str] = &[
        "undef",
        "default",
        "true",
        "false",
        "0",
        "1",
        "1.0",
        "1.5",
        "''",
        "'1'",
        "'a'",
        "'A'",
        "[]",
        "[[]]",
        "[1]",
        "[1.0]",
        "['1']",
        "[1, undef]",
        "[undef, 1]",
        "[{}]",
        "{}",
        "{a => 1}",
        "{a => 1.0}",
        "{'A' => 1}",
        "{a => undef}",
        "{1 => a}",
        "{'1' => a}",
        "{a => {b => 1}}",
        "/a/",
        "/A/",
        "Integer",
        "Integer[1]",
        "Integer[1, 1]",
        "String",
        "Array[Integer]",
        "Tuple[Integer]",
        "Sensitive(1)",
        "Sensitive('1')",
        "Sensitive([1])",
        "Binary('YQ==')",
        "Binary('Yg==')",
        "SemVer('1.0.0')",
        "SemVer('1.0.0-a')",
        "SemVer('1.0.0+a')",
        "SemVerRange('1.x')",
        "SemVerRange('2.x')",
        "Timestamp(1)",
        "Timestamp(1.5)",
        "Timespan(1)",
        "Timespan(1.5)",
        "URI('http://a')",
        "URI('http://b')",
        "File['a']",
        "File['b']",
        "Class['a']",
        "type A = Object[{attributes => {a => Integer}}]\nA(1)",
        "type A = Object[{attributes => {a => Integer}}]\nA(2)",
        "type B = Object[{attributes => {a => Integer}}]\nB(1)",
    ];

    #[test]
    fn a_value_is_the_same_as_itself_and_as_nothing_else() {
        let state = RandomState::default();
        let values: Vec<Value> = DIFFERENT.iter().map(|text| value(text)).collect();
        let again: Vec<Value> = DIFFERENT.iter().map(|text| value(text)).collect();
        for (at, one) in values.iter().enumerate() {
            for (other_at, other) in again.iter().enumerate() {
                assert_eq!(one == other, at == other_at, "{} and {}", DIFFERENT[at], DIFFERENT[other_at]);
            }
            assert_eq!(state.hash_one(one), state.hash_one(&again[at]), "{}", DIFFERENT[at]);
        }
    }

    #[test]
    fn every_value_is_a_key_of_its_own() {
        let mut hash = super::super::Hash::new();
        for (at, text) in DIFFERENT.iter().enumerate() {
            assert_eq!(hash.insert(value(text), at as i64), None, "{text}");
        }
        for (at, text) in DIFFERENT.iter().enumerate() {
            assert_eq!(hash.get(&value(text)), Some(&Value::from(at as i64)), "{text}");
        }
        assert_eq!(hash.len(), DIFFERENT.len());
    }

    /// Both zeros are one key, and a number that is not equal to itself is found again.
    #[test]
    fn odd_floats_are_keys_as_well() {
        let state = RandomState::default();
        let (zero, minus) = (Value::from(0.0), Value::from(-0.0));
        assert_eq!(zero, minus);
        assert_eq!(state.hash_one(&zero), state.hash_one(&minus));
        let nan = Value::from(f64::NAN);
        assert_eq!(nan, nan.clone());
        let hash: super::super::Hash = [(nan.clone(), 1)].into_iter().collect();
        assert_eq!(hash.get(&nan), Some(&Value::from(1)));
    }

    #[test]
    fn large_integers_are_the_same_by_their_digits() {
        use super::super::symbol::{BigInteger, Symbol};
        let state = RandomState::default();
        let big = |digits: &str| BigInteger::value(digits.to_owned());
        let (one, same, other) =
            (big("100000000000000000000"), big("100000000000000000000"), big("100000000000000000001"));
        assert_eq!(one, same);
        assert_eq!(state.hash_one(&one), state.hash_one(&same));
        assert_ne!(one, other);
        // A symbol has no digits: it is the same as itself alone.
        let symbol = Symbol::value("a");
        assert_eq!(symbol, symbol.clone());
        assert_ne!(symbol, Symbol::value("a"));
        assert_ne!(symbol, Value::from("a"));
    }

    #[test]
    fn values_are_shared_by_threads() {
        fn shared<T: Send + Sync + Clone + 'static>() {}
        shared::<Value>();
        shared::<crate::Type>();
        shared::<super::super::Hash>();
        let values: Vec<Value> = DIFFERENT.iter().map(|text| value(text)).collect();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for (value, text) in values.iter().zip(DIFFERENT) {
                        assert!(crate::infer::detailed(value).has(value), "{text}");
                        assert_eq!(*value, value.clone(), "{text}");
                    }
                });
            }
        });
    }
}
