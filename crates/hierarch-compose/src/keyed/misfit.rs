//! Rules of `--match` that fit nothing: a name that is not there would leave lists as if nothing had been said.

use hierarch_source::{Place, nearest};
use hierarch_yaml::Kind;

use super::table::Rule;
use super::{Header, KeyTable, Match, POSITION};
use crate::forest::{Forest, Val};

/// A rule that does nothing in some documents.
#[derive(Debug)]
pub enum Misfit {
    /// There is no list where it looks for one.
    NoList(String),
    /// No item of its lists has the key.
    NoKey {
        /// Where the lists are.
        pattern: String,
        /// The key that no item has.
        key: String,
        /// A key of the items that may be meant.
        near: Option<String>,
        /// Where the first of the lists stands.
        place: Option<Place>,
    },
}

/// What was seen of the lists that a rule is about.
#[derive(Default)]
struct Seen {
    list: Option<Val>,
    has_key: bool,
    /// An item that could have the key.
    item: Option<Val>,
}

impl KeyTable {
    /// Finds the rules that do nothing in some documents.
    pub fn misfits(&self, forest: &Forest, documents: impl Iterator<Item = Val>) -> Vec<Misfit> {
        let mut seen: Vec<Seen> = self.rules.iter().map(|_| Seen::default()).collect();
        for document in documents {
            self.look(forest, document, &mut Vec::new(), &mut seen);
        }
        let found = self.rules.iter().zip(&seen).filter_map(|(rule, seen)| misfit(forest, rule, seen));
        found.collect()
    }

    fn look(&self, forest: &Forest, val: Val, path: &mut Vec<String>, seen: &mut [Seen]) {
        match forest.kind(val) {
            Kind::Map => {
                for (key, value) in forest.entries(val) {
                    path.push(forest.text(key).into_owned());
                    self.look(forest, value, path, seen);
                    path.pop();
                }
            }
            Kind::List => {
                let back = || path.iter().rev().map(String::as_str);
                for (rule, seen) in
                    self.rules.iter().zip(seen.iter_mut()).filter(|(rule, _)| rule.fits(back()))
                {
                    seen.note(forest, val, rule);
                }
                path.push(POSITION.to_owned());
                forest.items(val).for_each(|item| self.look(forest, item, path, seen));
                path.pop();
            }
            _ => {}
        }
    }
}

impl Seen {
    fn note(&mut self, forest: &Forest, list: Val, rule: &Rule) {
        self.list = self.list.or(Some(list));
        let Some(Header::Match(by)) = &rule.header else { return };
        for item in forest.items(list).filter(|&item| forest.is_map(item)) {
            self.item = self.item.or(Some(item));
            self.has_key |= forest.key_of(item, by).is_some();
        }
    }
}

fn misfit(forest: &Forest, rule: &Rule, seen: &Seen) -> Option<Misfit> {
    let Some(Header::Match(by)) = &rule.header else { return None };
    let pattern = rule.text();
    match (seen.list, seen.item) {
        (None, _) => Some(Misfit::NoList(pattern)),
        (Some(list), Some(item)) if !seen.has_key => {
            let key = by.names();
            Some(Misfit::NoKey { pattern, near: near(forest, item, by), key, place: forest.place(list) })
        }
        _ => None,
    }
}

fn near(forest: &Forest, item: Val, by: &Match) -> Option<String> {
    let keys: Vec<String> = forest.entries(item).map(|(key, _)| forest.text(key).into_owned()).collect();
    let near = nearest(&by.parts.first()?.name, keys.iter().map(String::as_str));
    near.first().map(|&near| near.to_owned())
}
