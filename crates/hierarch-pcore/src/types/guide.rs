//! What the built-in types are, for people: `hierarch doc TYPE`, completion in the REPL.

use std::fmt::Write;
use std::sync::LazyLock;

use super::{BARE, Type};

/// A type in words.
#[derive(Clone, Copy, Debug)]
pub struct Guide {
    /// Its name.
    pub name: &'static str,
    /// How it is parametrized; empty where it cannot be.
    pub parameters: &'static str,
    /// What belongs to it.
    pub what: &'static str,
}

const fn guide(name: &'static str, parameters: &'static str, what: &'static str) -> Guide {
    Guide { name, parameters, what }
}

/// Types that are made of others; all others are explained in their own files.
const MADE_OF_OTHERS: &[Guide] = &[
    guide("Data", "", "What JSON can hold"),
    guide("Deferred", "", "Calls that are made later"),
    guide("Error", "kind[, issue code]", "Failures as values"),
    guide("RichData", "", "What can be put into a catalog"),
    guide("RichDataKey", "", "Keys of hashes that can be put into a catalog"),
];

/// All types in words, by name.
static GUIDES: LazyLock<Vec<Guide>> = LazyLock::new(|| {
    let own = BARE.iter().filter_map(|bare| bare().kind().rules().guide());
    let mut all: Vec<Guide> = own.chain(MADE_OF_OTHERS.iter().copied()).collect();
    all.sort_by_key(|guide| guide.name);
    all
});

/// Explains a built-in type, if there is one of that name; the case after the first letter does not matter.
///
/// ```
/// let text = hierarch_pcore::types::guide::of("Integer").expect("it is a type");
/// assert!(text.contains("Integer[min[, max]]"));
/// ```
pub fn of(name: &str) -> Option<String> {
    if !name.starts_with(char::is_uppercase) {
        return None;
    }
    let Some(guide) = GUIDES.iter().find(|guide| guide.name.eq_ignore_ascii_case(name)) else {
        return Type::builtin(name).map(|type_| format!("{}\n\nThe built-in type {type_}.\n", type_.name()));
    };
    let Guide { name, parameters, what } = guide;
    let mut text = format!("{name}\n\n  {name}\n");
    if !parameters.is_empty() {
        let _ = writeln!(text, "  {name}[{parameters}]");
    }
    let _ = writeln!(text, "\n{what}.");
    Some(text)
}

/// Lists the built-in types with a line on each.
pub fn overview() -> String {
    let mut text = String::from("Types:\n");
    for guide in GUIDES.iter() {
        let _ = writeln!(text, "  {:<18} {}", guide.name, guide.what);
    }
    text
}

/// Returns the names of the built-in types.
pub fn names() -> impl Iterator<Item = &'static str> {
    GUIDES.iter().map(|guide| guide.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_is_a_type_and_every_bare_type_is_explained() {
        for guide in GUIDES.iter() {
            assert!(Type::builtin(guide.name).is_some(), "{}", guide.name);
        }
        for bare in BARE {
            let type_ = bare();
            assert!(type_.kind().rules().guide().is_some(), "{}", type_.name());
        }
    }

    #[test]
    fn names_are_found_whatever_their_case_but_not_those_of_functions() {
        assert!(of("Catalogentry").is_some_and(|text| text.starts_with("CatalogEntry")));
        assert!(of("File").is_some());
        assert!(of("integer").is_none());
        assert!(of("Nope").is_none());
    }
}
