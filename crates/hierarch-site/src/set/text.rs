//! The new text of a data file: one value changes, everything else stays as it is written.

use std::path::Path;

use hierarch_hiera::eyaml::token_of;
use hierarch_hiera::{DataPlace, Key, Segment};
use hierarch_pcore::Value;
use hierarch_source::{Result, Source};
use hierarch_yaml::{
    Data, Dialect, DocumentLimits, Fidelity, GivenValue, Layout, NodeId, Scalar, Tree, document, dressed,
    find_at, json, read, try_edit_toward,
};

use super::file::shown;
use super::value::{NewValue, has_secret};
use super::{KeyEdit, choose};
use crate::issues;

/// What stands for a value until its spelling takes its place.
const PLACEHOLDER: &str = "hierarch_writes_the_value_here";

/// What shall be written and what a lookup shall give.
#[derive(Clone, Debug)]
pub(super) struct WantedValue {
    written: NewValue,
    /// The value before it was encrypted.
    secret: Option<String>,
    pub(super) is_encrypted: bool,
}

impl WantedValue {
    pub(super) fn plain(written: NewValue) -> Self {
        let is_encrypted = written.is_encrypted();
        Self { written, secret: None, is_encrypted }
    }

    pub(super) fn encrypted(public_key: &str, secret: String) -> Result<Self> {
        let written = super::value::verbatim(&token_of(public_key, &secret)?);
        Ok(Self { written, secret: Some(secret), is_encrypted: true })
    }

    /// Returns what the user should know about what is written.
    pub(super) fn warnings(&self, edit: &KeyEdit, place: &DataPlace) -> Vec<String> {
        let is_open = place.function == choose::EYAML && !self.is_encrypted;
        let open = is_open.then(|| issues::plain_among_secrets(&edit.key, &place.level));
        let whole = self.written.surprise().map(|(typed, meant)| issues::read_otherwise(typed, &meant));
        let parts =
            self.written.surprises.iter().map(|(typed, meant)| issues::part_read_otherwise(typed, meant));
        open.into_iter().chain(whole).chain(parts).collect()
    }

    /// Tells whether a lookup makes something else of the value.
    pub(super) fn has_tokens(&self) -> bool {
        has_tokens(&self.written.data) || (self.is_encrypted && self.secret.is_none())
    }

    /// Tells whether a looked-up value has this one in it: other levels may have added to it.
    pub(super) fn is_in(&self, found: &Value) -> bool {
        match &self.secret {
            Some(secret) => contains(found, &Data::text(secret.as_str())),
            None => contains(found, &self.written.data),
        }
    }

    /// Tells whether a value that a lookup gave holds more than what was wanted: a list or hash that levels were merged into.
    pub(super) fn is_part_of(&self, found: &Value) -> bool {
        let size = |value: &Value| match value {
            Value::Array(items) => Some(items.len()),
            Value::Hash(hash) => Some(hash.len()),
            _ => None,
        };
        let own = match &self.written.data {
            Data::List(items) => items.len(),
            Data::Map(entries) => entries.len(),
            Data::Scalar(_) => return false,
        };
        self.is_in(found) && size(found).is_some_and(|size| size > own)
    }
}

fn has_tokens(data: &Data) -> bool {
    match data {
        Data::Scalar(_) => data.as_str().is_some_and(|text| text.contains("%{")),
        Data::List(items) => items.iter().any(has_tokens),
        Data::Map(entries) => entries.iter().any(|(key, value)| has_tokens(key) || has_tokens(value)),
    }
}

fn contains(found: &Value, wanted: &Data) -> bool {
    match (found, wanted) {
        (Value::Sensitive(inner), wanted) => contains(inner, wanted),
        (Value::Hash(found), Data::Map(wanted)) => wanted.iter().all(|(key, value)| {
            found.iter().any(|(other, found)| contains(other, key) && contains(found, value))
        }),
        (Value::Array(found), Data::List(wanted)) => {
            wanted.iter().all(|item| found.iter().any(|found| contains(found, item)))
        }
        (found, Data::Scalar(scalar)) => is_scalar(found, scalar),
        _ => false,
    }
}

fn is_scalar(found: &Value, wanted: &Scalar) -> bool {
    match (found, wanted) {
        (Value::Undef, Scalar::Null) => true,
        (Value::Boolean(found), Scalar::Bool(wanted)) => found == wanted,
        (Value::Integer(found), Scalar::Int(wanted)) => found == wanted,
        (Value::Float(found), Scalar::Float(wanted)) => found.to_bits() == wanted.to_bits(),
        (Value::String(found), Scalar::Str(wanted) | Scalar::Symbol(wanted)) => **found == **wanted,
        _ => false,
    }
}

/// Tells whether what a key leads to is encrypted.
pub(super) fn is_encrypted(path: &Path, text: &str, key: &Key) -> Result<bool> {
    is_encrypted_at(path, text, &way_of(key))
}

/// Tells whether what a path leads to is encrypted.
pub(super) fn is_encrypted_at(path: &Path, text: &str, way: &[Segment]) -> Result<bool> {
    let file = File::read(path, text)?;
    let Some(root) = file.data.as_ref() else { return Ok(false) };
    let found = way.iter().try_fold(root, |data, segment| data.child(&segment.to_string()));
    Ok(found.is_some_and(has_secret))
}

/// Returns the text with a key set, proved to differ in that key only.
pub(super) fn changed(path: &Path, old: &str, key: &Key, wanted: &WantedValue) -> Result<String> {
    changed_at(path, old, &way_of(key), Some(&wanted.written))
}

/// Returns the text with the value at a path set or taken out, proved to differ there only.
pub(super) fn changed_at(
    path: &Path,
    old: &str,
    way: &[Segment],
    written: Option<&NewValue>,
) -> Result<String> {
    let file = File::read(path, old)?;
    let data = match written {
        Some(written) => file.with(way, written.data.clone())?,
        None => file.without(path, way)?,
    };
    let spelling = written.and_then(|written| written.spelling.as_deref());
    if let Some(spelling) = spelling.filter(|_| !file.is_json)
        && let Some(text) = file.spelled(way, spelling)?
        && File::read(path, &text).is_ok_and(|new| new.data.as_ref() == Some(&data))
    {
        return Ok(text);
    }
    if let Some(text) = file.written(&data)? {
        let given = written.and_then(|written| written.given.as_deref()).filter(|_| !file.is_json);
        return Ok(given.and_then(|given| in_words(path, &text, way, given, &data)).unwrap_or(text));
    }
    let replaced = written.map(|_| file.replaced(path, way, &data)).transpose()?.flatten();
    replaced.ok_or_else(|| issues::others_would_change(&shown(way), path))
}

/// Returns a text with a list or a hash in the words that it was typed in, if it means the same then.
fn in_words(path: &Path, text: &str, way: &[Segment], given: &Tree, data: &Data) -> Option<String> {
    let at = way.iter().map(ToString::to_string).collect();
    let given = GivenValue { path: at, tree: given, node: given.root()? };
    let new = dressed(text, 0, &[given], Fidelity::Fresh).ok()?;
    File::read(path, &new).is_ok_and(|file| file.data.as_ref() == Some(data)).then_some(new)
}

/// Returns the way from the top of a file to what a key means.
fn way_of(key: &Key) -> Vec<Segment> {
    std::iter::once(Segment::Name(key.root().into())).chain(key.segments().iter().cloned()).collect()
}

/// A data file as it was read.
struct File {
    tree: Tree,
    /// None if there is nothing but comments.
    root: Option<NodeId>,
    data: Option<Data>,
    is_json: bool,
}

impl File {
    fn read(path: &Path, text: &str) -> Result<Self> {
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let dialect = if is_json { Dialect::Core } else { Dialect::Psych };
        let tree = read(&Source::new(path.display().to_string(), text), dialect, DocumentLimits::default())?;
        let is_blank = text.lines().all(|line| is_blank_line(line.trim_start_matches('\u{feff}').trim()));
        let root = tree.root().filter(|_| !is_blank);
        let data = root.map(|root| tree.data(root, DocumentLimits::default())).transpose()?;
        if let (Some(root), Some(Data::List(_) | Data::Scalar(_))) = (root, &data) {
            return Err(issues::data_is_not_a_map(path).at(tree.source(), tree.span(root)));
        }
        Ok(Self { tree, root, data, is_json })
    }

    /// Returns the data with the value at a path set.
    fn with(&self, way: &[Segment], value: Data) -> Result<Data> {
        let old = self.data.as_ref().unwrap_or(&Data::NULL);
        let mut wrong = None;
        let data = with(old, way, 0, &value, &mut wrong);
        match wrong {
            Some((depth, found)) => {
                let around = shown(way.get(..depth.max(1)).unwrap_or(way));
                Err(issues::does_not_lead_there(&shown(way), &around, &found))
            }
            None => Ok(data),
        }
    }

    /// Returns the data without what a path leads to.
    fn without(&self, path: &Path, way: &[Segment]) -> Result<Data> {
        let mut data = self.data.clone().unwrap_or(Data::NULL);
        if remove(&mut data, way) { Ok(data) } else { Err(issues::nothing_to_remove(&shown(way), path)) }
    }

    /// Returns the text that means other data; none if more than the difference would change.
    fn written(&self, data: &Data) -> Result<Option<String>> {
        if let Some(root) = self.root {
            return try_edit_toward(&self.tree, root, data);
        }
        let old = self.tree.source().text();
        let newline = if old.contains("\r\n") { "\r\n" } else { "\n" };
        let layout = Layout { dialect: self.tree.dialect(), newline, ..Layout::default() };
        let content = if self.is_json { json(data, true) + newline } else { document(data, &layout) };
        let gap = if old.is_empty() || old.ends_with('\n') { "" } else { newline };
        let new = format!("{old}{gap}{content}");
        let name = self.tree.source().name().unwrap_or_default().to_owned();
        let again = Self::read(Path::new(&name), &new)?;
        Ok((again.data.as_ref() == Some(data)).then_some(new))
    }

    /// Returns the text with a value put in the place of another as a whole: a hash that gets entries from another by `<<` cannot
    /// be changed entry by entry.
    fn replaced(&self, path: &Path, way: &[Segment], data: &Data) -> Result<Option<String>> {
        match self.written(&self.with(way, Data::text(PLACEHOLDER))?)? {
            Some(text) => Self::read(path, &text)?.written(data),
            None => Ok(None),
        }
    }

    /// Returns the text with the value as it was typed.
    fn spelled(&self, way: &[Segment], spelling: &str) -> Result<Option<String>> {
        let Some(text) = self.written(&self.with(way, Data::text(stand_in(spelling)))?)? else {
            return Ok(None);
        };
        let name = self.tree.source().name().unwrap_or_default().to_owned();
        let new = Self::read(Path::new(&name), &text)?;
        let path: Vec<String> = way.iter().map(ToString::to_string).collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let Some(node) = new.root.and_then(|root| find_at(&new.tree, root, &path).ok()) else {
            return Ok(None);
        };
        let span = new.tree.span(node);
        let (start, end) = (span.start as usize, span.end as usize);
        Ok(Some(format!("{}{spelling}{}", &text[..start], &text[end..])))
    }
}

/// Returns a text that takes a spelling's place for a moment: as long as it, so that a comment behind it keeps its column.
fn stand_in(spelling: &str) -> String {
    match spelling.chars().count() {
        0 => PLACEHOLDER.to_owned(),
        _ if spelling.contains('\n') => PLACEHOLDER.to_owned(),
        length => "x".repeat(length),
    }
}

fn is_blank_line(line: &str) -> bool {
    line.is_empty() || line.starts_with('#') || line == "---"
}

/// Returns data with one place set; what does not lead there is noted with its depth.
fn with(
    old: &Data,
    path: &[Segment],
    depth: usize,
    value: &Data,
    wrong: &mut Option<(usize, String)>,
) -> Data {
    let Some(segment) = path.get(depth) else { return value.clone() };
    let mut inside = |old: &Data| with(old, path, depth + 1, value, wrong);
    match (old, segment) {
        (Data::Map(entries), segment) => {
            let mut entries = entries.clone();
            let key = key_of(segment);
            match entries.iter_mut().find(|(other, _)| *other == key) {
                Some((_, old)) => *old = inside(old),
                None => entries.push((key, inside(&Data::NULL))),
            }
            Data::Map(entries)
        }
        (Data::List(items), Segment::Index(index)) => {
            let mut items = items.clone();
            match usize::try_from(*index).ok().filter(|&index| index <= items.len()) {
                Some(index) if index < items.len() => items[index] = inside(&items[index].clone()),
                Some(_) => items.push(inside(&Data::NULL)),
                None => *wrong = Some((depth, issues::list_of(items.len()))),
            }
            Data::List(items)
        }
        (Data::Scalar(Scalar::Null), Segment::Index(0)) => Data::List(vec![inside(&Data::NULL)]),
        (Data::Scalar(Scalar::Null), Segment::Index(_)) => {
            *wrong = Some((depth, issues::list_of(0)));
            Data::NULL
        }
        (Data::Scalar(Scalar::Null), Segment::Name(_)) => {
            Data::Map(vec![(key_of(segment), inside(&Data::NULL))])
        }
        (old, _) => {
            *wrong = Some((depth, kind_of(old).to_owned()));
            old.clone()
        }
    }
}

/// Takes out what a path leads to; tells whether there was anything.
fn remove(data: &mut Data, way: &[Segment]) -> bool {
    let Some((segment, rest)) = way.split_first() else { return false };
    match (data, segment) {
        (Data::Map(entries), segment) => {
            let key = key_of(segment);
            let Some(index) = entries.iter().position(|(other, _)| *other == key) else { return false };
            if rest.is_empty() {
                entries.remove(index);
                return true;
            }
            remove(&mut entries[index].1, rest)
        }
        (Data::List(items), Segment::Index(index)) => {
            let Some(index) = usize::try_from(*index).ok().filter(|index| *index < items.len()) else {
                return false;
            };
            if rest.is_empty() {
                items.remove(index);
                return true;
            }
            remove(&mut items[index], rest)
        }
        _ => false,
    }
}

fn key_of(segment: &Segment) -> Data {
    match segment {
        Segment::Name(name) => Data::text(name.as_str()),
        Segment::Index(index) => Data::Scalar(Scalar::Int(*index)),
    }
}

fn kind_of(data: &Data) -> &'static str {
    match data {
        Data::Map(_) => "a map",
        Data::List(_) => "a list",
        Data::Scalar(Scalar::Bool(_)) => "a boolean",
        Data::Scalar(Scalar::Int(_) | Scalar::Big(_) | Scalar::Float(_)) => "a number",
        Data::Scalar(_) => "a text",
    }
}
