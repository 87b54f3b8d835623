//! Laws of lookups that hold for all data: what strategies make of layers, that every way to ask gives the same answer, and
//! that changed files give what they would give from the start.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use hierarch_bits::dice::Dice;
use hierarch_hiera::{Hiera, Key, Query, Scope, Segment, issues};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{MemoryFiles, Overlay};

const CONFIG: &str = "version: 5\nhierarchy:\n- {name: L, paths: [a.yaml, b.yaml, c.yaml]}\n";
const NAMES: [&str; 3] = ["data/a.yaml", "data/b.yaml", "data/c.yaml"];

/// A small generator of numbers, the same in every run.
struct Maker(Dice);

impl Maker {
    fn roll(&mut self, below: u64) -> u64 {
        self.0.below(usize::try_from(below).unwrap_or(usize::MAX)) as u64
    }

    /// A leaf: few different ones, so that layers meet.
    fn leaf(&mut self) -> Value {
        match self.roll(5) {
            0 => Value::from(i64::try_from(self.roll(3)).unwrap_or(0)),
            1 => Value::from(true),
            _ => Value::from(["x", "y", "z"][self.roll(3) as usize]),
        }
    }

    /// A list without duplicates.
    fn list(&mut self) -> Value {
        let mut items: Vec<Value> = Vec::new();
        for _ in 0..self.roll(4) {
            let leaf = self.leaf();
            if !items.contains(&leaf) {
                items.push(leaf);
            }
        }
        Value::array(items)
    }

    fn hash(&mut self, depth: u64) -> Value {
        let mut hash = Hash::new();
        for _ in 0..=self.roll(3) {
            let key = ["p", "q", "r"][self.roll(3) as usize];
            let value = match self.roll(4) {
                0 if depth > 0 => self.hash(depth - 1),
                1 => self.list(),
                _ => self.leaf(),
            };
            hash.insert(Value::from(key), value);
        }
        Value::hash(hash)
    }
}

/// A document with one key.
fn document(value: &Value) -> String {
    format!("k: {}\n", value.to_json())
}

fn open(layers: &[Value]) -> Hiera {
    let mut files = MemoryFiles::from([("hiera.yaml", CONFIG)]);
    for (name, value) in NAMES.iter().zip(layers) {
        files.insert(*name, document(value));
    }
    Hiera::open(files, "hiera.yaml")
}

fn query(strategy: &str) -> Query {
    Query { merge: Some(Value::from(strategy)), ..Query::new(["k"]) }
}

fn asked(hiera: &Hiera, strategy: &str) -> Value {
    let answer = hiera.session(&Scope::new()).lookup(&query(strategy), None);
    answer.unwrap_or_else(|error| panic!("{strategy}: {error}"))
}

/// Checks a law of random layers.
fn for_layers(make: impl Fn(&mut Maker) -> Value, law: impl Fn(&[Value])) {
    let mut dice = Maker(Dice::new(42));
    for _ in 0..300 {
        let layers: Vec<Value> = (0..=dice.roll(3)).map(|_| make(&mut dice)).collect();
        law(&layers);
    }
}

fn entries(value: &Value) -> Vec<(Value, Value)> {
    value.as_hash().expect("a hash").iter().map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn items(value: &Value) -> Vec<Value> {
    value.as_array().expect("a list").to_vec()
}

#[test]
fn first_is_the_value_of_the_highest_layer() {
    for_layers(|dice| dice.hash(2), |layers| assert_eq!(asked(&open(layers), "first"), layers[0]));
}

#[test]
fn unique_has_every_item_once_in_the_order_of_layers() {
    for_layers(Maker::list, |layers| {
        let got = items(&asked(&open(layers), "unique"));
        let mut expected: Vec<Value> = Vec::new();
        for item in layers.iter().flat_map(items) {
            if !expected.contains(&item) {
                expected.push(item);
            }
        }
        assert_eq!(got, expected, "{layers:?}");
    });
}

#[test]
fn hash_has_every_key_with_the_value_of_the_highest_layer_that_has_it() {
    for_layers(
        |dice| dice.hash(1),
        |layers| {
            let got = asked(&open(layers), "hash");
            let keys: BTreeSet<String> =
                layers.iter().flat_map(entries).map(|(key, _)| key.to_string()).collect();
            assert_eq!(entries(&got).len(), keys.len(), "{layers:?}");
            for (key, value) in entries(&got) {
                let highest = layers.iter().find_map(|layer| layer.as_hash()?.get(&key).cloned());
                assert_eq!(Some(value), highest, "{layers:?}");
            }
        },
    );
}

#[test]
fn deep_of_flat_hashes_is_hash() {
    let flat = |dice: &mut Maker| {
        let hash: Hash =
            entries(&dice.hash(0)).into_iter().filter(|(_, value)| value.as_array().is_none()).collect();
        Value::hash(hash)
    };
    for_layers(flat, |layers| {
        let hiera = open(layers);
        let sorted = |value: &Value| {
            let mut entries = entries(value);
            entries.sort_by_key(|(key, _)| key.to_string());
            entries
        };
        assert_eq!(sorted(&asked(&hiera, "deep")), sorted(&asked(&hiera, "hash")), "{layers:?}");
    });
}

#[test]
fn deep_reaches_into_hashes_and_joins_lists() {
    fn check(got: &Value, layers: &[&Value]) {
        let highest = layers[0];
        match highest {
            Value::Hash(_) => {
                let hashes: Vec<&Value> =
                    layers.iter().copied().filter(|layer| layer.as_hash().is_some()).collect();
                for (key, value) in entries(got) {
                    let inner: Vec<&Value> =
                        hashes.iter().filter_map(|layer| layer.as_hash()?.get(&key)).collect();
                    check(&value, &inner);
                }
            }
            Value::Array(own) => {
                let all = items(got);
                assert!(own.iter().all(|item| all.contains(item)), "{got:?} of {layers:?}");
            }
            leaf => assert_eq!(got, leaf, "{layers:?}"),
        }
    }
    for_layers(
        |dice| dice.hash(2),
        |layers| {
            check(&asked(&open(layers), "deep"), &layers.iter().collect::<Vec<_>>());
        },
    );
}

#[test]
fn a_layer_below_itself_adds_nothing() {
    for_layers(
        |dice| dice.hash(2),
        |layers| {
            let (once, twice) = (open(&layers[..1]), open(&[layers[0].clone(), layers[0].clone()]));
            for strategy in ["first", "hash", "deep"] {
                assert_eq!(asked(&once, strategy), asked(&twice, strategy), "{strategy} of {:?}", layers[0]);
            }
        },
    );
}

#[test]
fn every_way_to_ask_gives_the_same_value() {
    let scope = Scope::new();
    for_layers(
        |dice| dice.hash(2),
        |layers| {
            let hiera = open(layers);
            for strategy in ["first", "hash", "unique", "deep"] {
                let query = query(strategy);
                let session = hiera.session(&scope);
                let plain = session.lookup(&query, None).map_err(|error| error.to_string());
                let traced = session
                    .trace(&query)
                    .map(|traced| traced.plain().clone())
                    .map_err(|error| error.to_string());
                assert_eq!(plain, traced, "{strategy} of {layers:?}");
                let shown = session.search_shown(&query).map_err(|error| error.to_string());
                assert_eq!(plain.is_ok(), shown.is_ok(), "{strategy} of {layers:?}");
            }
        },
    );
}

#[test]
fn changed_files_give_what_they_would_give_from_the_start() {
    for_layers(
        |dice| dice.hash(2),
        |layers| {
            let before = open(&layers[..1]);
            asked(&before, "deep");
            let mut files = MemoryFiles::from([("hiera.yaml", CONFIG)]);
            files.insert(NAMES[0], document(&layers[0]));
            let mut overlay = Overlay::new(files);
            let other = layers.last().expect("at least one layer");
            overlay.insert(NAMES[0], document(other));
            let edited = before.edited(Arc::new(overlay), |path| path == Path::new(NAMES[0]));
            for strategy in ["first", "hash", "deep"] {
                assert_eq!(asked(&edited, strategy), asked(&open(std::slice::from_ref(other)), strategy));
            }
        },
    );
}

#[test]
fn threads_share_one_hiera_and_get_one_answer() {
    let mut dice = Maker(Dice::new(7));
    let hiera = open(&[dice.hash(2), dice.hash(2), dice.hash(2)]);
    let expected: Vec<Value> = ["first", "hash", "deep"].map(|strategy| asked(&hiera, strategy)).to_vec();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let got: Vec<Value> = ["first", "hash", "deep"].map(|one| asked(&hiera, one)).to_vec();
                    assert_eq!(got, expected);
                }
            });
        }
    });
}

#[test]
fn digging_is_looking_into_the_whole_value() {
    for_layers(
        |dice| dice.hash(2),
        |layers| {
            let hiera = open(layers);
            let session_scope = Scope::new();
            let session = hiera.session(&session_scope);
            for (key, value) in entries(&asked(&hiera, "first")) {
                let query = Query::new([format!("k.{key}")]);
                let dug = session.lookup(&query, None);
                match dug {
                    Ok(dug) => assert_eq!(dug, value),
                    Err(error) => panic!("k.{key} of {layers:?}: {error}"),
                }
            }
            let missing = session.lookup(&Query::new(["k.nowhere"]), None);
            assert_eq!(missing.map_err(|error| error.code), Err(issues::NOT_FOUND));
        },
    );
}

#[test]
fn keys_are_taken_apart_at_dots_outside_of_quotes() {
    let name = |text: &str| Segment::Name(text.into());
    for (text, root, module, segments) in [
        ("a", "a", None, vec![]),
        ("a.b", "a", None, vec![name("b")]),
        ("a.0", "a", None, vec![Segment::Index(0)]),
        ("a.-1", "a", None, vec![Segment::Index(-1)]),
        ("a.'0'", "a", None, vec![name("0")]),
        ("a.'b.c'.d", "a", None, vec![name("b.c"), name("d")]),
        ("a.\"b'c\"", "a", None, vec![name("b'c")]),
        ("'a.b'", "a.b", None, vec![]),
        ("ntp::servers.0.name", "ntp::servers", Some("ntp"), vec![Segment::Index(0), name("name")]),
        ("a::b::c", "a::b::c", Some("a"), vec![]),
        ("grüße.ü", "grüße", None, vec![name("ü")]),
    ] {
        let key = Key::new(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((key.root(), key.module()), (root, module), "{text}");
        assert_eq!(key.segments(), segments, "{text}");
        assert_eq!(&**key.text(), text);
    }
}

#[test]
fn malformed_keys_are_refused_with_their_text() {
    for text in ["a.", ".a", "a..b", "a.'b", "a.'b'c", "'", "a.''", "0.a"] {
        let error = Key::new(text).expect_err(text);
        assert!(error.message.contains(text), "{text}: {}", error.message);
    }
}
