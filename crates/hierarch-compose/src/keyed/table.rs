//! Tables of keys: which lists of well-known documents meet by which key.
//!
//! ```yaml
//! lists:
//!   containers: name                       # every list under this key
//!   containers/*/ports: [containerPort, protocol=TCP]
//!   services/*/command: {replace: true}    # not merged at all
//! ```

use std::sync::Arc;

use hierarch_source::{Result, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Tree, read};

use super::{Header, Match};
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
    rules: Vec<Rule>,
}

#[derive(Debug)]
struct Rule {
    /// The end of the path to a list, the last key first; `*` is any key or position.
    pattern: Vec<String>,
    header: Header,
}

impl KeyTable {
    /// Reads a table that comes with the program.
    pub fn built_in(name: &str) -> Option<Result<Self>> {
        let text = built_in_table(name)?;
        let read = read(&Source::new(name, text), Dialect::Core, DocumentLimits::default());
        Some(read.and_then(|tree| Self::of_tree(&tree)))
    }

    /// Makes a table of `PATTERN=KEY` pairs; several keys are separated by commas.
    pub fn of_pairs(pairs: &[(String, Vec<String>)]) -> Self {
        let rules = pairs.iter().map(|(pattern, names)| Rule {
            pattern: reversed(pattern),
            header: Header::Match(Match::new(names, true).into()),
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
            Some(Rule { pattern: reversed(pattern.as_str()?), header: header_of(keys)? })
        };
        let rules = lists.iter().map(rule).collect::<Option<Vec<_>>>().ok_or_else(wrong)?;
        Ok(Self { rules })
    }

    /// Finds the header for the list at a path, given from its last step back: the longest pattern wins.
    pub(crate) fn header<'s>(&self, back: impl Iterator<Item = &'s str> + Clone) -> Option<Header> {
        let fits = |rule: &&Rule| {
            let mut steps = back.clone();
            rule.pattern.iter().all(|part| steps.next().is_some_and(|step| part == "*" || part == step))
        };
        let best = self.rules.iter().filter(fits).max_by_key(|rule| rule.pattern.len());
        best.map(|rule| rule.header.clone())
    }
}

fn reversed(pattern: &str) -> Vec<String> {
    let segments = pattern.trim_start_matches('/').split('/').rev();
    segments.map(|segment| hierarch_source::pointer::unescape(segment).into_owned()).collect()
}

fn header_of(keys: &Data) -> Option<Header> {
    let names = match keys {
        Data::List(names) => {
            names.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?
        }
        Data::Map(_) => return keys.get("replace").map(|_| Header::Replace),
        Data::Scalar(name) => vec![name.as_str()?.to_owned()],
    };
    (!names.is_empty()).then(|| Header::Match(Arc::new(Match::new(&names, true))))
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
        assert_eq!(key(&table, "spec/rules"), "-");
    }

    #[test]
    fn commands_of_compose_are_not_merged() {
        let table = KeyTable::built_in("compose").expect("known").expect("a table");
        assert_eq!(key(&table, "services/web/command"), "replace");
        assert_eq!(key(&table, "services/web/volumes"), "target");
    }
}
