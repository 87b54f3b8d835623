//! The new value, as it was typed and as it is meant.

use std::sync::Arc;

use hierarch_source::{Result, Source};
use hierarch_yaml::{Data, Dialect, DocumentLimits, Kind, NodeId, Scalar, Style, Tree, read as read_yaml};

use super::KeyEdit;
use crate::issues;

/// A value to write.
#[derive(Clone, Debug)]
pub(super) struct NewValue {
    pub(super) data: Data,
    /// How it was written, where that says more than the value: `0755`, `1e3`, `~`.
    pub(super) spelling: Option<String>,
    /// A list or a hash as it was written.
    pub(super) given: Option<Arc<Tree>>,
    /// What stands inside of it and is not what it was typed as, each with what it is.
    pub(super) surprises: Vec<(String, String)>,
}

/// Makes a text.
pub(super) fn verbatim(text: &str) -> NewValue {
    NewValue { data: Data::text(text), spelling: None, given: None, surprises: Vec::new() }
}

/// Reads a value as YAML, as a data file would be read.
pub(super) fn read(edit: &KeyEdit) -> Result<NewValue> {
    if edit.is_verbatim { Ok(verbatim(&edit.value)) } else { read_text(&edit.value) }
}

/// Reads a value as it is typed.
pub(super) fn read_text(text: &str) -> Result<NewValue> {
    // YAML has no values that begin so, and data are full of them. Nothing at all would be null there, which is written ~.
    if text.is_empty() || text.trim_start().starts_with("%{") {
        return Ok(verbatim(text));
    }
    let source = Source::new("the new value", text);
    let tree =
        read_yaml(&source, Dialect::Psych, DocumentLimits::default()).map_err(issues::value_is_not_yaml)?;
    check_nothing_is_lost(&tree)?;
    let typed = text.trim_matches([' ', '\t', '\n', '\r']);
    let Some(root) = tree.root() else { return Ok(nothing(typed)) };
    let is_plain =
        tree.style(root) == Style::Plain && tree.tag(root).is_none() && tree.anchor(root).is_none();
    // YAML would make one line of several that are not marked as a block.
    if is_plain && text.trim().contains('\n') {
        return Ok(verbatim(text));
    }
    match tree.data(root, DocumentLimits::default()) {
        Ok(data) if is_plain && data == Data::NULL => Ok(nothing(typed)),
        // The mark of a document's start, and characters that YAML takes for a line break or passes over.
        Ok(data) if is_plain && data.as_str().is_some_and(|read| read != typed) => Ok(verbatim(text)),
        Ok(data) => {
            let spelling = is_plain.then(|| typed.to_owned());
            let surprises = surprises_inside(&tree);
            let given = (tree.kind(root) != Kind::Scalar).then(|| Arc::new(tree));
            Ok(NewValue { data, spelling, given, surprises })
        }
        // A date is not data to Hiera unless it is a text.
        Err(_) if is_plain => Ok(verbatim(text.trim())),
        Err(error) => Err(issues::value_is_not_yaml(error)),
    }
}

/// Makes null of what means it, and a text of what merely has no value in YAML: `---`.
fn nothing(typed: &str) -> NewValue {
    match typed {
        "" => null(None),
        "~" | "null" | "Null" | "NULL" => null(Some(typed.to_owned())),
        mark => verbatim(mark),
    }
}

fn null(spelling: Option<String>) -> NewValue {
    NewValue { data: Data::NULL, spelling, given: None, surprises: Vec::new() }
}

/// Refuses what YAML would pass over without a word: a comment behind a value, a tag or an anchor in front of it.
fn check_nothing_is_lost(tree: &Tree) -> Result<()> {
    let text = tree.source().text();
    let end = tree.root().map_or(0, |root| tree.outer_span(root).end as usize);
    let rest = text.get(end..).unwrap_or_default().trim_start();
    if rest.starts_with('#') && !text.trim().contains('\n') {
        return Err(issues::lost_in_value(text, "what follows # is a comment in YAML"));
    }
    let Some(root) = tree.root() else { return Ok(()) };
    let is_known = |tag: &str| tag == "!" || tag.starts_with("tag:yaml.org,2002:");
    match (tree.tag(root), tree.anchor(root)) {
        (Some(tag), _) if !is_known(tag) => {
            Err(issues::lost_in_value(text, &format!("{tag} is a tag in YAML")))
        }
        (_, Some(_)) => Err(issues::lost_in_value(text, "what follows & is an anchor in YAML")),
        _ => Ok(()),
    }
}

/// Tells whether a text is a list or a hash in YAML.
pub(super) fn is_collection(text: &str) -> bool {
    let source = Source::new("the new value", text);
    let tree = read_yaml(&source, Dialect::Psych, DocumentLimits::default());
    tree.is_ok_and(|tree| {
        tree.root().is_some_and(|root| !matches!(tree.kind(root), Kind::Scalar | Kind::Alias))
    })
}

impl NewValue {
    /// Returns how it was typed and what it is, where the two differ: `12:30` is 45000.
    pub(super) fn surprise(&self) -> Option<(&str, String)> {
        let typed = self.spelling.as_deref()?;
        Some((typed, meant(typed, &self.data)?))
    }

    /// Tells whether it was encrypted before it came here.
    pub(super) fn is_encrypted(&self) -> bool {
        has_secret(&self.data)
    }
}

/// Returns what a value is, where that is not how it was typed.
fn meant(typed: &str, data: &Data) -> Option<String> {
    let meant = match data {
        Data::Scalar(Scalar::Int(number)) => number.to_string(),
        Data::Scalar(Scalar::Bool(truth)) => truth.to_string(),
        Data::Scalar(Scalar::Float(number)) if typed.contains([':', '_', ',']) => number.to_string(),
        _ => return None,
    };
    let plain = typed.strip_prefix('+').unwrap_or(typed);
    (!plain.eq_ignore_ascii_case(&meant)).then_some(meant)
}

/// Returns the values inside a list or a hash that are not what they were typed as, each with what it is: `{mode: 0644}`.
fn surprises_inside(tree: &Tree) -> Vec<(String, String)> {
    let nodes = (0..tree.len()).map(NodeId::from_index);
    let scalars = nodes.filter(|&node| Some(node) != tree.root() && tree.kind(node) == Kind::Scalar);
    let plain = scalars.filter(|&node| tree.style(node) == Style::Plain && tree.tag(node).is_none());
    plain
        .filter_map(|node| {
            let typed = tree.text(node);
            let data = tree.data(node, DocumentLimits::default()).ok()?;
            Some((typed.to_owned(), meant(typed, &data)?))
        })
        .collect()
}

/// Tells whether something in a value is encrypted.
pub(super) fn has_secret(data: &Data) -> bool {
    match data {
        Data::Scalar(_) => data.as_str().is_some_and(|text| text.contains("ENC[")),
        Data::List(items) => items.iter().any(has_secret),
        Data::Map(entries) => entries.iter().any(|(_, value)| has_secret(value)),
    }
}
