//! What a user wants of a document, read from the command line.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use hierarch_compose::{Definition, Document, Edit, Notations, Selector, Val, segments};
use hierarch_source::{Error, Source};
use hierarch_yaml::{
    Data, Dialect, DocumentLimits, Fidelity, GivenValue, Kind, Scalar, Style, Tree, dressed, is_date, line,
    read, respelled, scalar_text, split_documents,
};

use super::super::failure::Failure;
use super::super::foreign::Foreign;
use super::super::input;
use super::as_json::is_json;
use super::input::standard_input;
use super::many::Adding;
use super::{DeleteArguments, Reach, RenameArguments, SetArguments, Stop};
use crate::cli::issues;

/// What shall change.
#[derive(Clone)]
pub(super) enum Wish {
    /// The document shall expand to this.
    Whole(Whole),
    /// These edits at these places, one after the other.
    Places(Vec<Place>),
}

/// A whole new content.
#[derive(Clone)]
pub(super) struct Whole {
    data: Data,
    /// The documents behind the first.
    more: Vec<Data>,
    /// The documents as they are written, with their tags and quotes; none of JSON and other notations.
    trees: Vec<Arc<Tree>>,
    /// JSON has no keys but texts: `"200"` means the key 200 where there is one.
    is_json: bool,
}

/// An edit and its place.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) pointer: String,
    pub(super) edit: Edit,
    /// Maps that are missing on the way are made.
    pub(super) with_parents: bool,
    /// How the new value is spelled, if it is a scalar without quotes.
    spelling: Option<String>,
    /// The new value as it was given, with its tags and quotes.
    given: Option<Arc<Tree>>,
    /// What its plain scalars mean.
    dialect: Dialect,
    /// Where the pointer leads as a selector, once it was read.
    selector: OnceLock<Selector>,
}

impl Place {
    /// Tells whether it may become a new entry.
    pub(super) fn may_add(&self, adding: Adding) -> bool {
        match self.edit {
            Edit::Insert(_) => true,
            Edit::Set(_) => self.with_parents || adding == Adding::Anywhere,
            _ => false,
        }
    }
}

impl Wish {
    /// Tells whether something shall be set at a position of a list, which `--parents` does not help to.
    pub(super) fn is_beyond_a_list(&self) -> bool {
        let Self::Places(places) = self else { return false };
        let is_position = |place: &Place| {
            let last = place.pointer.rsplit('/').next().unwrap_or_default();
            matches!(place.edit, Edit::Set(_)) && last.parse::<u32>().is_ok()
        };
        places.iter().any(is_position)
    }

    /// Tells whether a value is to be set where the maps around it may be missing, and nothing says to make them.
    pub(super) fn lacks_parents(&self) -> bool {
        let Self::Places(places) = self else { return false };
        let lacks = |place: &Place| {
            let depth = place.pointer.matches('/').count();
            matches!(place.edit, Edit::Set(_)) && !place.with_parents && depth > 1
        };
        places.iter().any(lacks)
    }

    pub(super) fn whole(path: &Path, reach: &Reach) -> Result<Self, Stop> {
        let source = new_data(path)?;
        let foreign = Foreign::default();
        if foreign.knows(source.name().unwrap_or_default()) {
            let tree = foreign.read(&source, reach.limits())?;
            let root = tree.root().map(|root| tree.data(root, reach.limits())).transpose()?;
            let data = root.unwrap_or(Data::NULL);
            return Ok(Self::Whole(Whole { data, more: Vec::new(), trees: Vec::new(), is_json: true }));
        }
        let is_json = serde_json::from_str::<serde_json::Value>(source.text()).is_ok();
        let (mut all, mut trees) = (Vec::new(), Vec::new());
        for part in split_documents(source.text()) {
            let part = Source::new(source.name().unwrap_or("-"), &source.text()[part]);
            all.push(data(&part, reach.dialect())?);
            if !is_json {
                trees.push(Arc::new(read(&part, reach.dialect(), DocumentLimits::default())?));
            }
        }
        let data = all.remove(0);
        Ok(Self::Whole(Whole { data, more: all, trees, is_json }))
    }

    pub(super) fn set(arguments: &SetArguments, edit: fn(Data) -> Edit) -> Result<Self, Stop> {
        let mut places = Vec::new();
        for (pointer, value) in pairs(&arguments.edits, issues::PATH_NEEDS_VALUE)? {
            let verbatim = arguments.string || arguments.from_file;
            let spelling = (!verbatim).then(|| value.trim().to_owned());
            let given = given(arguments, &value);
            let data = new_value(arguments, value)?;
            // A text that is given without quotes is spelled as itself, wherever it may stand without them.
            let spelling = spelling.filter(|spelling| data != Data::text(spelling.as_str()));
            let place = Place::new(pointer, edit(data), arguments.parents, spelling);
            places.push(Place { given, dialect: arguments.reach.dialect(), ..place });
        }
        Ok(Self::Places(places))
    }

    pub(super) fn rename(arguments: &RenameArguments) -> Result<Self, Stop> {
        let edits = pairs(&arguments.edits, issues::PATH_NEEDS_KEY)?;
        Ok(Self::places(edits.into_iter().map(|(path, key)| (path, Edit::Rename(key)))))
    }

    pub(super) fn delete(arguments: &DeleteArguments) -> Self {
        Self::places(arguments.paths.iter().map(|path| (path.clone(), Edit::Delete)))
    }

    fn places(edits: impl Iterator<Item = (String, Edit)>) -> Self {
        Self::Places(edits.map(|(pointer, edit)| Place::new(pointer, edit, false, None)).collect())
    }

    /// Tells whether every place is named by a JSON Pointer alone.
    pub(super) fn is_simple(&self) -> bool {
        let is_plain = |place: &Place| {
            let parents = place.pointer.strip_suffix("/-").unwrap_or(&place.pointer);
            Selector::parse(parents).is_ok_and(|selector| selector.is_plain())
        };
        match self {
            Self::Whole(_) => true,
            Self::Places(places) => places.iter().all(is_plain),
        }
    }

    /// Returns how new scalars are spelled.
    pub(super) fn spellings(&self) -> impl Iterator<Item = &str> {
        let places: &[Place] = match self {
            Self::Whole(_) => &[],
            Self::Places(places) => places,
        };
        places.iter().filter_map(|place| place.spelling.as_deref())
    }

    /// Returns a text that a wish made of nothing, with the tags and quotes that were given.
    pub(super) fn dressed(&self, text: String, position: usize) -> Result<String, Stop> {
        match self {
            Self::Whole(whole) => whole.dressed(0, text, position),
            Self::Places(places) => {
                let places = places.iter().map(|place| (place.pointer.as_str(), place));
                dressed_places(text, position, places, Fidelity::Fresh)
            }
        }
    }

    /// A wish that names places means the same on what another writer left; a whole content would undo it.
    pub(super) fn names_places(&self) -> bool {
        matches!(self, Self::Places(_))
    }
}

impl Whole {
    /// Returns all documents, the first one's keys as they are.
    pub(super) fn documents(&self) -> Vec<&Data> {
        std::iter::once(&self.data).chain(&self.more).collect()
    }

    /// Saves a document that gets one of these contents.
    pub(super) fn saved(&self, number: usize, document: &mut Document, edited: Val) -> Result<String, Stop> {
        let Some((tree, node)) = self.trees.get(number).and_then(|tree| Some((tree, tree.root()?))) else {
            let edited = document.as_written(edited)?;
            return Ok(document.save(edited)?);
        };
        let given = GivenValue { path: Vec::new(), tree, node };
        saved_in_words(document, edited, &[given], Fidelity::Exact)
    }

    /// Returns a text that was given the content of a document with the tags and quotes of that content.
    pub(super) fn dressed(&self, number: usize, text: String, position: usize) -> Result<String, Stop> {
        let Some((tree, node)) = self.trees.get(number).and_then(|tree| Some((tree, tree.root()?))) else {
            return Ok(text);
        };
        let given = GivenValue { path: Vec::new(), tree, node };
        dressed_text(text, position, &[given], Fidelity::Exact)
    }

    /// Returns the content, its keys those of the old one where JSON cannot say them.
    pub(super) fn data(&self, old: &Data) -> Data {
        if self.is_json { with_keys_of(&self.data, old) } else { self.data.clone() }
    }
}

impl Place {
    fn new(pointer: String, edit: Edit, with_parents: bool, spelling: Option<String>) -> Self {
        let (dialect, selector) = (Dialect::Core, OnceLock::new());
        Self { pointer, edit, with_parents, spelling, given: None, dialect, selector }
    }

    /// Reads the pointer as a selector, once for all documents.
    pub(super) fn selector(&self) -> Result<&Selector, Error> {
        if let Some(selector) = self.selector.get() {
            return Ok(selector);
        }
        let selector = Selector::parse(&self.pointer)?;
        Ok(self.selector.get_or_init(|| selector))
    }

    /// Returns the same edit at another place.
    pub(super) fn at(&self, pointer: String) -> Self {
        Self { pointer, selector: OnceLock::new(), ..self.clone() }
    }

    /// Returns a text that was saved with the new value spelled as it was given.
    pub(super) fn spelled(&self, pointer: &str, text: String) -> String {
        // What data are written as need not be looked at.
        let is_said = |data: &Data| self.spelling.as_deref() == Some(line(data).as_str());
        let Some(spelling) = &self.spelling else { return text };
        if matches!(&self.edit, Edit::Set(data) | Edit::Insert(data) if is_said(data)) {
            return text;
        }
        let Ok(path) = segments(pointer) else { return text };
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        match respelled(&text, self.dialect, &path, spelling) {
            // JSON has other spellings than YAML: there the value counts.
            Some(spelled) if is_json(&text) && !is_json(&spelled) => text,
            Some(spelled) => spelled,
            None => text,
        }
    }

    /// Returns the new value as it was given for a place, if that says more than its data.
    fn given_at(&self, pointer: &str) -> Option<GivenValue<'_>> {
        let tree = self.given.as_deref()?;
        Some(GivenValue { path: segments(pointer).ok()?, tree, node: tree.root()? })
    }

    /// Returns an edit of this place as one of the definition of what stands there.
    pub(super) fn definition(&self, pointer: String, edit: Edit) -> Definition<'_> {
        // With parents, the value is a part of what is written.
        let tree = self.given.as_deref().filter(|_| !self.with_parents);
        Definition { pointer, edit, given: tree.and_then(|tree| Some((tree, tree.root()?))) }
    }

    /// Tells whether the new value may have more words than the spelling of one scalar.
    fn says_more(&self) -> bool {
        let Some((tree, root)) = self.given.as_deref().and_then(|tree| Some((tree, tree.root()?))) else {
            return false;
        };
        tree.kind(root) != Kind::Scalar
            || tree.source().text().contains(['!', '"', '\''])
            || is_date(tree, root)
    }

    /// Returns where the edit begins and what it is, given which places are there: with parents, the first
    /// missing place gets all that shall be below it.
    pub(super) fn edit(&self, exists: impl Fn(&str) -> bool) -> Result<(String, Edit), Stop> {
        let (Edit::Set(data) | Edit::Insert(data), true) = (&self.edit, self.with_parents) else {
            return Ok((self.pointer.clone(), self.edit.clone()));
        };
        let segments = segments(&self.pointer)?;
        let ends = self.pointer.match_indices('/').map(|(at, _)| at).skip(1);
        for (depth, end) in ends.enumerate() {
            if !exists(&self.pointer[..end]) {
                let inner = segments[depth + 1..].iter().rev().fold(data.clone(), |inner, segment| {
                    if segment == "-" {
                        Data::List(vec![inner])
                    } else {
                        Data::Map(vec![(Data::text(segment.as_str()), inner)])
                    }
                });
                return Ok((self.pointer[..end].to_owned(), Edit::Set(inner)));
            }
        }
        Ok((self.pointer.clone(), self.edit.clone()))
    }

    /// Tells whether there is something that can have places below it.
    pub(super) fn is_parent(document: &Document, pointer: &str) -> bool {
        let forest = document.forest();
        let is_null = |value| forest.kind(value) == Kind::Scalar && forest.scalar(value) == Scalar::Null;
        document.edited_at_pointer(pointer).is_some_and(|value| !is_null(value))
    }
}

/// So many values of a document get the spelling that they were given in: a thousand would be a thousand readings.
const MOST_SPELLINGS: usize = 100;

/// Saves a document that was edited at places, with the tags, quotes and spellings of the values that were given for them.
pub(super) fn saved_places(
    document: &mut Document,
    edited: Val,
    places: &[(String, &Place)],
) -> Result<String, Stop> {
    let is_elsewhere = document.has_directives();
    let needed = places.iter().filter(|(_, place)| is_elsewhere || place.says_more());
    let given: Vec<GivenValue> = needed.filter_map(|(pointer, place)| place.given_at(pointer)).collect();
    let text = saved_in_words(document, edited, &given, Fidelity::Loose)?;
    let spelled = places.iter().take(MOST_SPELLINGS);
    Ok(spelled.fold(text, |text, (pointer, place)| place.spelled(pointer, text)))
}

/// JSON has neither tags nor other quotes: there a tag is refused, and the rest stays.
fn saved_in_words(
    document: &mut Document,
    edited: Val,
    given: &[GivenValue],
    fidelity: Fidelity,
) -> Result<String, Stop> {
    let is_json = !given.is_empty() && is_json(document.text());
    if is_json && given.iter().any(|given| given.tree.has_own_tags()) {
        return Err(issues::tags_in_json().into());
    }
    let given = if is_json { &[] } else { given };
    Ok(document.save_in_words(edited, given, fidelity)?)
}

/// Returns the text of the document at a position with the tags and quotes of the values that were given for places in it.
pub(super) fn dressed_places<'p>(
    text: String,
    position: usize,
    places: impl IntoIterator<Item = (&'p str, &'p Place)>,
    fidelity: Fidelity,
) -> Result<String, Stop> {
    let given: Vec<GivenValue> =
        places.into_iter().filter_map(|(pointer, place)| place.given_at(pointer)).collect();
    if given.is_empty() { Ok(text) } else { dressed_text(text, position, &given, fidelity) }
}

/// JSON has neither tags nor other quotes: there a tag is refused, and the rest stays.
fn dressed_text(
    text: String,
    position: usize,
    given: &[GivenValue],
    fidelity: Fidelity,
) -> Result<String, Stop> {
    if !is_json(&text) {
        return Ok(dressed(&text, position, given, fidelity)?);
    }
    if given.iter().any(|given| given.tree.has_own_tags()) {
        Err(issues::tags_in_json().into())
    } else {
        Ok(text)
    }
}

/// Reads the value as it was given; nothing where it is a text that may take any form.
fn given(arguments: &SetArguments, value: &str) -> Option<Arc<Tree>> {
    let text = match (arguments.from_file, arguments.string) {
        (true, _) => return None,
        (false, true) if value.contains(['\n', '\r']) => return None,
        (false, true) => format!("'{}'", value.replace('\'', "''")),
        (false, false) if is_folded(value) => return None,
        (false, false) => value.to_owned(),
    };
    read(&Source::unnamed(text), arguments.reach.dialect(), DocumentLimits::default()).ok().map(Arc::new)
}

fn new_value(arguments: &SetArguments, value: String) -> Result<Data, Stop> {
    if arguments.from_file {
        return Ok(Data::text(new_data(Path::new(&value))?.text()));
    }
    if arguments.string {
        return Ok(Data::text(value));
    }
    if has_comment(&value) {
        return Err(issues::comment_in_value(value.trim()).into());
    }
    if is_folded(&value) {
        return Ok(Data::text(value));
    }
    if let Some(name) = lone_anchor(&value) {
        return Err(issues::anchor_in_value(&name).into());
    }
    data(&Source::new("the new value", value), arguments.reach.dialect())
}

/// Tells whether YAML would make one line of a value that has several: a text without quotes and without the mark of a block.
fn is_folded(value: &str) -> bool {
    let Ok(tree) = read(&Source::unnamed(value), Dialect::Core, DocumentLimits::default()) else {
        return false;
    };
    let is_plain =
        |root| tree.style(root) == Style::Plain && tree.tag(root).is_none() && tree.anchor(root).is_none();
    value.trim().contains('\n') && tree.root().is_some_and(is_plain)
}

/// Returns an anchor of a value that no alias in it refers to: what else it is for would be lost.
fn lone_anchor(value: &str) -> Option<String> {
    let tree = read(&Source::unnamed(value), Dialect::Core, DocumentLimits::default()).ok()?;
    let all = || (0..tree.len()).map(hierarch_yaml::NodeId::from_index);
    let mut anchors = tree.anchors();
    let lone = anchors.find(|&(_, node)| all().filter(|&other| tree.target(other) == node).count() < 2);
    lone.map(|(name, _)| name.to_owned())
}

/// Tells whether something in a one-line value would be read as a comment and lost, which nobody means.
fn has_comment(value: &str) -> bool {
    let source = Source::unnamed(value);
    let Ok(tree) = read(&source, Dialect::Core, DocumentLimits::default()) else { return false };
    let end = tree.root().map_or(0, |root| tree.outer_span(root).end as usize);
    let rest = source.text().get(end..).unwrap_or_default().trim_start();
    !value.trim_end().contains('\n') && rest.starts_with('#')
}

fn pairs(words: &[String], odd: &str) -> Result<Vec<(String, String)>, Failure> {
    if words.len().is_multiple_of(2) {
        Ok(words.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
    } else {
        let last = words.last().map_or("", String::as_str);
        Err(issues::without_pair(last, odd))
    }
}

/// Reads a text as the one value it is.
fn data(source: &Arc<Source>, dialect: Dialect) -> Result<Data, Stop> {
    let tree = read(source, dialect, DocumentLimits::default())?;
    let value = tree.root().map(|root| tree.data(root, DocumentLimits::default())).transpose()?;
    Ok(value.unwrap_or(Data::NULL))
}

fn new_data(path: &Path) -> Result<Arc<Source>, Stop> {
    if path == Path::new("-") {
        return Ok(Source::from_bytes("standard input", standard_input()?)?);
    }
    Ok(Source::from_bytes(path.display().to_string(), input::bytes(path)?)?)
}

/// Gives the maps of a new content the keys of the old one that have the same text.
fn with_keys_of(new: &Data, old: &Data) -> Data {
    match (new, old) {
        (Data::Map(entries), Data::Map(others)) => {
            Data::Map(entries.iter().map(|(key, value)| entry_like(key, value, others)).collect())
        }
        (Data::List(items), Data::List(others)) => {
            let nothing = Data::NULL;
            let others = others.iter().chain(std::iter::repeat(&nothing));
            Data::List(items.iter().zip(others).map(|(item, other)| with_keys_of(item, other)).collect())
        }
        (new, _) => new.clone(),
    }
}

fn entry_like(key: &Data, value: &Data, others: &[(Data, Data)]) -> (Data, Data) {
    let is_text = |other: &Data| matches!((key, other), (Data::Scalar(key), Data::Scalar(other)) if scalar_text(key) == scalar_text(other));
    let found = others.iter().find(|(other, _)| other == key);
    match found.or_else(|| others.iter().find(|(other, _)| is_text(other))) {
        Some((other, old)) => (other.clone(), with_keys_of(value, old)),
        None => (key.clone(), value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_data(text: &str) -> Data {
        data(&Source::unnamed(text), Dialect::Core).unwrap_or(Data::NULL)
    }

    #[test]
    fn keys_of_json_are_those_that_were_there() {
        for (new, old, expected) in [
            (r#"{"200": 1}"#, "200: x", "200: 1"),
            (r#"{"200": 1}"#, "'200': x", "'200': 1"),
            (r#"{"200": 1, "201": 2}"#, "200: x", "{200: 1, '201': 2}"),
            (r#"[{"true": 1}, {"1": 1}]"#, "[{true: 0}]", "[{true: 1}, {'1': 1}]"),
            (r#"{"a": {"1.5": 1}}"#, "a: {1.5: 0}", "a: {1.5: 1}"),
        ] {
            assert_eq!(with_keys_of(&read_data(new), &read_data(old)), read_data(expected), "{new}");
        }
    }

    #[test]
    fn what_would_be_a_comment_is_noticed() {
        for value in ["a # b", "# b", "5 # c", "'q' # c", "[1] # c", "{a: 1} # x"] {
            assert!(has_comment(value), "{value}");
        }
        for value in ["a#b", "'a # b'", "\"# x\"", "a", "", "[1, 2]", "|\n  a # b\n", "a: 1 # c\nb: 2\n"] {
            assert!(!has_comment(value), "{value}");
        }
    }

    #[test]
    fn missing_parents_become_part_of_the_value() {
        let place = |pointer: &str| Place::new(pointer.to_owned(), Edit::Set(Data::text("v")), true, None);
        let edit = |pointer, known: &'static [&str]| {
            place(pointer).edit(|path| known.contains(&path)).ok().map(|(pointer, edit)| match edit {
                Edit::Set(data) => (pointer, hierarch_yaml::brief(&data)),
                _ => (pointer, String::new()),
            })
        };
        assert_eq!(edit("/a/b/c", &[]), Some(("/a".to_owned(), "{b: {c: v}}".to_owned())));
        assert_eq!(edit("/a/b/c", &["/a"]), Some(("/a/b".to_owned(), "{c: v}".to_owned())));
        assert_eq!(edit("/a/b~1c/d", &["/a"]), Some(("/a/b~1c".to_owned(), "{d: v}".to_owned())));
        assert_eq!(edit("/a/b/-", &["/a"]), Some(("/a/b".to_owned(), "[v]".to_owned())));
        assert_eq!(edit("/a/b", &["/a"]), Some(("/a/b".to_owned(), "v".to_owned())));
    }
}
