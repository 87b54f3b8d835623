//! Laws of values: what is written is read again, equality and order hold together, collections keep what they are given.

use std::cmp::Ordering;

use hierarch_bits::dice::Dice;
use hierarch_pcore::data::from_json;
use hierarch_pcore::types::{NoDefinitions, literal};
use hierarch_pcore::value::{SemVer, SemVerRange};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Source;

/// A small generator of numbers, the same in every run.
struct Maker(Dice);

impl Maker {
    fn roll(&mut self, below: u64) -> u64 {
        self.0.below(usize::try_from(below).unwrap_or(usize::MAX)) as u64
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        *self.0.pick(list)
    }

    /// A text; none with a backslash before a quote, which Puppet writes as if the backslash were not there.
    fn text(&mut self) -> Value {
        Value::from(self.pick(&[
            "", "a", "A", "it's", "a\"b", "$x", "${x}", "a\\b", "tab\t", "nl\n", "grüße", "😀", "true", "1",
            " ", "a'b\\c",
        ]))
    }

    fn leaf(&mut self) -> Value {
        match self.roll(6) {
            0 => Value::from(self.pick(&[0, 1, -1, 42, i64::MAX, -i64::MAX])),
            // Large ones are written with `e+`, which the language does not read.
            1 => Value::from(self.pick(&[0.5, -2.25, 12_345.5, 1e-7, 3.0])),
            2 => Value::from(self.roll(2) == 0),
            _ => self.text(),
        }
    }

    /// A value of data, as deep as is said.
    fn value(&mut self, depth: u64) -> Value {
        match self.roll(if depth == 0 { 3 } else { 5 }) {
            3 => Value::array((0..self.roll(4)).map(|_| self.value(depth - 1)).collect()),
            4 => {
                let mut hash = Hash::new();
                for _ in 0..self.roll(4) {
                    hash.insert(self.text(), self.value(depth - 1));
                }
                Value::hash(hash)
            }
            _ => self.leaf(),
        }
    }
}

fn values() -> Vec<Value> {
    let mut dice = Maker(Dice::new(11));
    (0..400).map(|_| dice.value(3)).collect()
}

fn read(text: &str) -> Value {
    let program = hierarch_syntax::parse(&Source::unnamed(text)).program;
    let program = program.unwrap_or_else(|error| panic!("{text}: {error}"));
    literal(&program.ast, program.root, &NoDefinitions).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_value_written_as_a_program_is_read_as_the_same_value() {
    for value in values() {
        let text = value.program_text();
        // A list around it, because a hash alone is a block to the parser.
        let again = read(&format!("[{text}]"));
        assert_eq!(again.as_array().and_then(<[Value]>::first), Some(&value), "{text}");
    }
}

#[test]
fn a_value_written_as_json_is_read_as_the_same_value() {
    for value in values() {
        let text = value.to_json();
        let json: serde_json::Value =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(from_json(&json), value, "{text}");
    }
}

#[test]
fn equality_is_an_equivalence_that_order_agrees_with() {
    let values: Vec<Value> = values().into_iter().take(120).collect();
    for a in &values {
        let same = a.clone();
        assert!(a.equals(&same) && *a == same, "{a}");
        for b in &values {
            assert_eq!(a.equals(b), b.equals(a), "{a} {b}");
            assert!(a != b || a.equals(b), "{a} {b}");
            let (order, reverse) = (a.order(b), b.order(a));
            assert_eq!(order.is_ok(), reverse.is_ok(), "{a} {b}");
            if let (Ok(order), Ok(reverse)) = (order, reverse) {
                assert_eq!(order, reverse.reverse(), "{a} {b}");
                assert_eq!(order == Ordering::Equal, a.equals(b), "{a} {b}");
            }
        }
    }
}

#[test]
fn order_is_transitive() {
    let mut dice = Maker(Dice::new(5));
    let numbers: Vec<Value> = (0..12)
        .map(|_| {
            if dice.roll(2) == 0 {
                Value::from(dice.pick(&[0, 1, 2, i64::MAX]))
            } else {
                Value::from(dice.pick(&[0.5, 1.0, 1.5, 1e19]))
            }
        })
        .collect();
    let texts: Vec<Value> = (0..12).map(|_| dice.text()).collect();
    let versions: Vec<Value> =
        ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta", "1.0.0", "1.2.0", "1.10.0", "2.0.0-1", "2.0.0"]
            .iter()
            .map(|text| Value::SemVer(SemVer::parse(text).expect("a version").into()))
            .collect();
    for family in [numbers, texts, versions] {
        for a in &family {
            for b in &family {
                for c in &family {
                    let (ab, bc, ac) = (a.order(b), b.order(c), a.order(c));
                    let at_most = |order: &hierarch_source::Result<Ordering>| {
                        order.as_ref().is_ok_and(|order| *order != Ordering::Greater)
                    };
                    assert!(!(at_most(&ab) && at_most(&bc)) || at_most(&ac), "{a} {b} {c}");
                }
            }
        }
    }
}

#[test]
fn versions_are_ordered_as_they_are_released() {
    let texts = [
        "0.1.0",
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.2.0",
        "1.10.0",
        "2.0.0",
    ];
    let versions: Vec<SemVer> = texts.iter().map(|text| SemVer::parse(text).expect(text)).collect();
    for pair in versions.windows(2) {
        assert_eq!(pair[0].precedence(&pair[1]), Ordering::Less, "{} {}", pair[0], pair[1]);
    }
    for (text, version) in texts.iter().zip(&versions) {
        assert_eq!(version.to_string(), *text);
        assert_eq!(version.is_stable(), !text.contains('-'), "{text}");
    }
}

#[test]
fn a_range_includes_what_lies_between_its_ends() {
    for (text, inside, outside) in [
        ("1.2.3", &["1.2.3"][..], &["1.2.4", "1.2.2"][..]),
        (">=1.0.0 <2.0.0", &["1.0.0", "1.9.9"], &["0.9.9", "2.0.0"]),
        ("~1.2.3", &["1.2.3", "1.2.9"], &["1.3.0", "1.2.2"]),
        ("^1.2.3", &["1.2.3", "1.9.0"], &["2.0.0", "1.2.2"]),
        ("1.x", &["1.0.0", "1.99.0"], &["2.0.0", "0.9.0"]),
        ("1.2.3 - 1.4.0", &["1.2.3", "1.4.0"], &["1.4.1", "1.2.2"]),
        ("*", &["0.0.0", "9.9.9"], &[]),
    ] {
        let range = SemVerRange::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let has = |version: &&str| range.includes(&SemVer::parse(version).expect("a version"));
        assert!(inside.iter().all(&has), "{text} {inside:?}");
        assert!(!outside.iter().any(has), "{text} {outside:?}");
        // What is written of it includes the same.
        let again = SemVerRange::parse(&range.normalized());
        let again = again.unwrap_or_else(|error| panic!("{text}, {}: {error}", range.normalized()));
        let also = |version: &&str| again.includes(&SemVer::parse(version).expect("a version"));
        assert!(inside.iter().all(&also) && !outside.iter().any(also), "{text}");
    }
}

#[test]
fn a_hash_keeps_the_order_in_which_keys_came() {
    let mut dice = Maker(Dice::new(3));
    for _ in 0..200 {
        let mut hash = Hash::new();
        let mut model: Vec<(String, i64)> = Vec::new();
        for step in 0..30_i64 {
            let key = format!("k{}", dice.roll(10));
            if dice.roll(4) == 0 {
                let removed = hash.remove(&Value::from(key.as_str()));
                let at = model.iter().position(|(known, _)| *known == key);
                assert_eq!(removed.is_some(), at.is_some());
                if let Some(at) = at {
                    model.remove(at);
                }
            } else {
                let replaced = hash.insert(key.as_str(), step);
                if let Some((_, value)) = model.iter_mut().find(|(known, _)| *known == key) {
                    assert_eq!(replaced, Some(Value::from(*value)));
                    *value = step;
                } else {
                    assert_eq!(replaced, None);
                    model.push((key, step));
                }
            }
            let got: Vec<(String, i64)> =
                hash.iter().map(|(key, value)| (key.to_string(), value.as_integer().unwrap_or(-1))).collect();
            assert_eq!(got, model);
            assert_eq!(hash.len(), model.len());
            for (index, (key, value)) in model.iter().enumerate() {
                assert_eq!(hash.get_str(key), Some(&Value::from(*value)));
                assert_eq!(hash.at(index).map(|(key, _)| key.to_string()).as_deref(), Some(key.as_str()));
            }
        }
    }
}

#[test]
fn the_sum_of_hashes_is_every_insertion_in_turn() {
    let mut dice = Maker(Dice::new(9));
    for _ in 0..200 {
        let mut some = |count: u64| -> Hash {
            (0..dice.roll(count))
                .map(|_| (format!("k{}", dice.roll(8)), Value::from(dice.pick(&[1, 2, 3]))))
                .collect()
        };
        let (left, right) = (some(8), some(8));
        let mut expected = left.clone();
        for (key, value) in &right {
            expected.insert(key.clone(), value.clone());
        }
        let sum = Hash::sum(left.into(), &right);
        let entries = |hash: &Hash| -> Vec<(Value, Value)> {
            hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
        };
        assert_eq!(entries(&sum), entries(&expected));
    }
}

#[test]
fn values_know_how_large_they_are() {
    let mut deep = Value::from(1);
    for _ in 0..50 {
        deep = Value::array(vec![deep.clone(), deep]);
    }
    // Two to the fiftieth leaves are counted without a walk over them.
    let extent = deep.extent();
    assert!(extent.depth >= 50, "{extent:?}");
    let flat = Value::array(vec![Value::from(1); 10]);
    assert!(flat.extent().depth < extent.depth);
}
