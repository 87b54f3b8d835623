//! Tables of keys: which lists of well-known documents meet by which key.
//!
//! ```yaml
//! lists:
//!   containers: name                       # every list under this key
//!   containers/*/ports: [containerPort, protocol=TCP]
//!   services/*/command: {replace: true}    # not merged at all
//!   finalizers: {append: true}             # as lists without a rule; for what a rule for `*` would replace
//!   services/*/environment: {before: "="}  # texts, each with its key before the sign
//!   services/*/volumes: {key: target, second: ":"}  # maps, or texts whose second part is the key
//! ```

use std::sync::Arc;

use hierarch_source::{Result, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Tree, read};

use super::{Header, Match, TextKey};
use crate::issues;

/// The tables that come with the program, by name.
const BUILT_IN: &[(&str, &str)] =
    &[("kubernetes", include_str!("kubernetes.yaml")), ("compose", include_str!("compose.yaml"))];

/// Returns the text of a table that comes with the program.
pub fn built_in_table(name: &str) -> Option<&'static str> {
    BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Tells whether the word after `match` names a table, not a key.
pub(crate) fn is_name(word: &str) -> bool {
    built_in_table(word).is_some() || ["./", "../", "/"].iter().any(|start| word.starts_with(start))
}

/// Which lists meet by which key.
#[derive(Debug, Default)]
pub struct KeyTable {
    pub(super) rules: Vec<Rule>,
}

#[derive(Debug)]
pub(super) struct Rule {
    /// The end of the path to a list, the last key first; `*` is any key or position.
    pattern: Vec<String>,
    /// It is the whole path.
    is_whole: bool,
    /// None where items of both lists are kept, as without a rule.
    pub(super) header: Option<Header>,
}

impl Rule {
    /// Tells whether it is about the list at a path, given from its last step back.
    pub(super) fn fits<'s>(&self, mut back: impl Iterator<Item = &'s str>) -> bool {
        let is_end =
            self.pattern.iter().all(|part| back.next().is_some_and(|step| part == "*" || part == step));
        is_end && (!self.is_whole || back.next().is_none())
    }

    /// Returns the pattern as it was written.
    pub(super) fn text(&self) -> String {
        let parts: Vec<&str> = self.pattern.iter().rev().map(String::as_str).collect();
        format!("{}{}", if self.is_whole { "/" } else { "" }, parts.join("/"))
    }
}

impl KeyTable {
    /// Reads a table that comes with the program.
    pub fn built_in(name: &str) -> Option<Result<Self>> {
        let text = built_in_table(name)?;
        let read = read(&Source::new(name, text), Dialect::Core, DocumentLimits::default());
        Some(read.and_then(|tree| Self::of_tree(&tree)))
    }

    /// Makes a table of `PATTERN=KEY` pairs; several keys are separated by commas. A pattern that begins with a slash is the whole
    /// path.
    pub fn of_pairs(pairs: &[(String, Vec<String>)]) -> Self {
        let rules = pairs.iter().map(|(pattern, names)| Rule {
            pattern: reversed(pattern),
            is_whole: pattern.starts_with('/'),
            header: Some(Header::Match(Match::new(names, true).into())),
        });
        Self { rules: rules.collect() }
    }

    /// Reads a table from a document.
    pub fn of_tree(tree: &Tree) -> Result<Self> {
        let wrong = || issues::bad_table(tree.source().name().unwrap_or("-"));
        let root = tree.root().ok_or_else(wrong)?;
        let data = tree.data(root, DocumentLimits::default())?;
        let Some(Data::Map(lists)) = data.get("lists") else { return Err(wrong()) };
        let rule = |(pattern, keys): &(Data, Data)| {
            let pattern = reversed(pattern.as_str()?);
            Some(Rule { pattern, is_whole: false, header: header_of(keys).ok()? })
        };
        let rules = lists.iter().map(rule).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
        Ok(Self { rules })
    }

    /// Finds the header for the list at a path, given from its last step back: the longest pattern wins, of several the last.
    pub(crate) fn header<'s>(&self, back: impl Iterator<Item = &'s str> + Clone) -> Option<Header> {
        self.best(back).and_then(|rule| rule.header.clone())
    }

    /// Finds the same where a rule is about this list and not about all.
    pub(crate) fn own_header<'s>(&self, back: impl Iterator<Item = &'s str> + Clone) -> Option<Header> {
        self.best(back).filter(|rule| rule.pattern != ["*"]).and_then(|rule| rule.header.clone())
    }

    fn best<'s>(&self, back: impl Iterator<Item = &'s str> + Clone) -> Option<&Rule> {
        let fits = |rule: &&Rule| rule.fits(back.clone());
        self.rules.iter().filter(fits).max_by_key(|rule| rule.pattern.len())
    }
}

fn reversed(pattern: &str) -> Vec<String> {
    let segments = pattern.trim_start_matches('/').split('/').rev();
    segments.map(|segment| hierarch_source::pointer::unescape(segment).into_owned()).collect()
}

/// What stands behind a pattern says nothing of a list.
struct NotARule;

/// What a table says of a list: a header, or nothing but that both lists are kept.
fn header_of(keys: &Data) -> std::result::Result<Option<Header>, NotARule> {
    let matched = |text: Option<TextKey>, names: Vec<String>| {
        Some(Header::Match(Arc::new(Match { text, ..Match::new(&names, true) })))
    };
    let Data::Map(_) = keys else {
        let names = names_of(keys).filter(|names| !names.is_empty()).ok_or(NotARule)?;
        return Ok(matched(None, names));
    };
    if keys.get("replace").is_some() {
        return Ok(Some(Header::Replace));
    }
    if keys.get("append").is_some() {
        return Ok(None);
    }
    let sign = |word: &str| keys.get(word).and_then(Data::as_str).filter(|sign| !sign.is_empty());
    let before = sign("before").map(|sign| TextKey::Before(sign.to_owned()));
    let text = before.or_else(|| sign("second").map(|sign| TextKey::Second(sign.to_owned())));
    let names = keys.get("key").map_or_else(|| Some(Vec::new()), names_of).ok_or(NotARule)?;
    Ok(matched(Some(text.ok_or(NotARule)?), names))
}

fn names_of(keys: &Data) -> Option<Vec<String>> {
    match keys {
        Data::List(names) => names.iter().map(|name| name.as_str().map(str::to_owned)).collect(),
        Data::Scalar(name) => Some(vec![name.as_str()?.to_owned()]),
        Data::Map(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(table: &KeyTable, path: &str) -> String {
        match table.header(path.split('/').rev()) {
            Some(Header::Match(by)) => by.names(),
            Some(_) => "replace".into(),
            None => "-".into(),
        }
    }

    #[test]
    fn the_tables_of_the_program_are_tables() {
        for (name, _) in BUILT_IN {
            let table = KeyTable::built_in(name).expect("known").expect("a table");
            assert!(table.rules.len() > 3, "{name}");
        }
    }

    #[test]
    fn the_longest_pattern_wins() {
        let table = KeyTable::built_in("kubernetes").expect("known").expect("a table");
        assert_eq!(key(&table, "spec/containers"), "name");
        assert_eq!(key(&table, "spec/containers/0/ports"), "containerPort, protocol");
        assert_eq!(key(&table, "spec/ports"), "port, protocol");
        assert_eq!(key(&table, "spec/rules"), "replace");
        assert_eq!(key(&table, "spec/containers/0/command"), "replace");
        assert_eq!(key(&table, "metadata/finalizers"), "-");
    }

    fn table(text: &str) -> Result<KeyTable> {
        KeyTable::of_tree(&read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default())?)
    }

    #[test]
    fn what_is_not_a_table_is_refused() {
        for text in [
            "a: 1",
            "lists: [a]",
            "lists: {a: []}",
            "lists: {a: {}}",
            "lists: {a: {before: ''}}",
            "lists: {a: {before: 1}}",
            "lists: {a: {before: '=', key: {}}}",
            "lists: {a: [[b]]}",
            "lists: {1: a}",
        ] {
            assert!(table(text).is_err(), "{text}");
        }
        for text in ["lists: {}", "lists: {a: b}", "lists: {a: [b, c=1]}", "lists: {a: {replace: true}}"] {
            assert!(table(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn texts_have_keys_where_a_table_says_so() {
        for (sign, text, wanted) in [
            ("before", "LOG=debug", "LOG"),
            ("before", "LOG", "LOG"),
            ("before", "LOG=a=b", "LOG"),
            ("before", "=", ""),
            ("second", "./files=/data=ro", "/data"),
            ("second", "/data", "/data"),
        ] {
            let table = table(&format!("lists: {{a: {{{sign}: '='}}}}")).expect("a table");
            let Some(Header::Match(by)) = table.header(["a"].into_iter()) else { panic!("a key") };
            assert_eq!(by.text.as_ref().map(|by| by.of(text)), Some(wanted), "{sign} {text}");
        }
    }

    #[test]
    fn commands_of_compose_are_not_merged() {
        let table = KeyTable::built_in("compose").expect("known").expect("a table");
        assert_eq!(key(&table, "services/web/command"), "replace");
        assert_eq!(key(&table, "services/web/volumes"), "target");
    }
}
