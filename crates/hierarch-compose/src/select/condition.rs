//! What must hold for a value to be selected: `kind=Service,spec.type!=ClusterIP,image~=^nginx:`.

use std::sync::Arc;

use hierarch_pcore::regex::Regexp;
use hierarch_source::{Result, Source};
use hierarch_yaml::{Dialect, DocumentLimits, Kind, Scalar, read};

use crate::forest::{Forest, Val};
use crate::issues;

/// One comparison.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The names on the way to what is compared; none for the value itself.
    path: Vec<String>,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Is(Scalar<'static>),
    IsNot(Scalar<'static>),
    Matches(Arc<Regexp>),
}

/// Reads comparisons that are separated by commas; values are read as YAML.
pub fn conditions(text: &str) -> Result<Vec<Condition>> {
    split(text).into_iter().map(|part| condition(part, text)).collect()
}

/// Tells whether all comparisons hold for a value.
pub(crate) fn all_hold(conditions: &[Condition], forest: &Forest, value: Val) -> Result<bool> {
    for condition in conditions {
        if !condition.holds(forest, value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Splits at commas that stand outside of quotes.
fn split(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            (Some(open), sign) if sign == open => quote = None,
            (Some(_), _) => {}
            // A quote opens where a value begins, not in the middle of a word.
            (None, '\'' | '"') if text[..at].ends_with('=') => quote = Some(sign),
            (None, ',') => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

fn condition(part: &str, whole: &str) -> Result<Condition> {
    let wrong = || issues::bad_condition(whole);
    let equals = part.find('=').ok_or_else(wrong)?;
    let (name, value) = (&part[..equals], &part[equals + 1..]);
    let (name, test) = match name.as_bytes().last() {
        Some(b'!') => (&name[..equals - 1], Test::IsNot(scalar(value).ok_or_else(wrong)?)),
        Some(b'~') => (&name[..equals - 1], Test::Matches(pattern(unquoted(value), whole)?)),
        _ => (name, Test::Is(scalar(value).ok_or_else(wrong)?)),
    };
    let path = match name.trim() {
        "" => return Err(wrong()),
        "." => Vec::new(),
        name => name.split('.').map(str::to_owned).collect(),
    };
    Ok(Condition { path, test })
}

fn pattern(text: &str, whole: &str) -> Result<Arc<Regexp>> {
    Ok(Regexp::new(text).map_err(|error| error.note(issues::in_condition(whole)))?.into())
}

fn unquoted(text: &str) -> &str {
    let quoted = |sign: char| text.strip_prefix(sign).and_then(|rest| rest.strip_suffix(sign));
    quoted('\'').or_else(|| quoted('"')).unwrap_or(text)
}

/// Reads a value as YAML, which must be a scalar.
fn scalar(text: &str) -> Option<Scalar<'static>> {
    let tree = read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default()).ok()?;
    match tree.root() {
        None => Some(Scalar::Null),
        Some(root) if tree.kind(root) == Kind::Scalar => Some(tree.scalar(root).ok()?.into_owned()),
        Some(_) => None,
    }
}

impl Condition {
    fn holds(&self, forest: &Forest, value: Val) -> Result<bool> {
        let found = self.path.iter().try_fold(value, |value, name| forest.child(value, name));
        let found = found.filter(|&found| forest.kind(found) == Kind::Scalar);
        match &self.test {
            Test::Is(wanted) => Ok(found.is_some_and(|found| forest.scalar(found) == *wanted)),
            Test::IsNot(wanted) => Ok(!found.is_some_and(|found| forest.scalar(found) == *wanted)),
            Test::Matches(pattern) => match found {
                Some(found) => pattern.is_match(&forest.text(found)),
                None => Ok(false),
            },
        }
    }
}
