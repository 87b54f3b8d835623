//! Edits of many places at once: of all that a selector leads to, in several documents of a stream.

use std::collections::HashMap;

use hierarch_compose::expr::{Context, Expressions};
use hierarch_compose::{Access, Choice, Document, Edit, SelectedPlace, Selector, Stream, Val};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, Result};
use hierarch_yaml::{Data, Kind, Scalar};

use super::super::expressions::read_value;
use super::super::failure::Failure;
use super::Stop;
use super::input::Input;
use super::wish::{Place, Whole, saved_places};
use crate::cli::issues;

/// So many documents are named where several could be meant.
const MOST_NAMED: usize = 10;

/// Whether a place that is missing may be added.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Adding {
    /// Wherever it could be.
    Anywhere,
    /// Only where the edit says so: it inserts, or makes what is missing on the way.
    IfToldSo,
}

/// What became of a stream.
pub(super) struct EditedStream {
    pub(super) text: String,
    /// The places that were edited, as people read them.
    pub(super) places: Vec<String>,
}

/// Says whether an expression holds for a value, which is what the expression starts from.
pub(super) fn holds(expression: &str, data: &Data) -> Result<bool> {
    let item = hierarch_pcore::data::from_data(&data.clone(), hierarch_pcore::data::Rules::Text);
    let document = match &item {
        Value::Hash(hash) => (**hash).clone(),
        other => [("value", other.clone())].into_iter().collect::<Hash>(),
    };
    // In a template the keys of the item are names.
    let mut variables = document.clone();
    variables.insert("item", item);
    let context = Context { variables, ..Context::default() };
    let expressions = Expressions::new(document)?;
    let text = expression.trim();
    let found = if text.contains("{{") {
        // What has no such key is not what is looked for.
        match expressions.render_value(text, &context) {
            Err(error) if hierarch_compose::expr::is_undefined(&error) => return Ok(false),
            found => found?,
        }
    } else if text.starts_with('{') {
        expressions.query(&read_value(text)?, &context)?.one()
    } else {
        expressions.query(&Value::from(text), &context)?.one()
    };
    Ok(is_true(&found))
}

/// Nothing, no, and what is empty do not hold.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Undef | Value::Boolean(false) => false,
        Value::Integer(number) => *number != 0,
        Value::Array(items) => !items.is_empty(),
        Value::Hash(hash) => !hash.is_empty(),
        other => other.as_str().is_none_or(|text| !text.is_empty()),
    }
}

/// Finds the places that a selector leads to in a document, as it has been edited so far.
pub(super) fn select(document: &Document, selector: &Selector, new: bool) -> Result<Vec<SelectedPlace>> {
    let top = document.edited_at_pointer("").unwrap_or(document.value());
    selector.select(document.forest(), top, new, &mut holds)
}

/// Makes edits in the documents that are chosen, or in the one that they can mean.
pub(super) fn edited(
    (input, stream): (&Input, &Stream),
    access: &Access,
    choice: Option<&Choice>,
    places: &[Place],
    adding: Adding,
) -> std::result::Result<EditedStream, Stop> {
    let chosen = match choice {
        Some(choice) => stream.chosen(&input.files, access, choice)?,
        None => (0..stream.len()).collect(),
    };
    let mut documents = Vec::new();
    for place in chosen.into_iter().filter(|&place| !stream.is_blank(place)) {
        documents.push((place, stream.document(&input.files, access, place)?));
    }
    let mut shown = Vec::new();
    let mut spellings: HashMap<usize, Vec<(String, &Place)>> = HashMap::default();
    for place in places {
        let met = edit_all(&mut documents, place, choice.is_some(), adding)?;
        if met.is_empty() {
            return Ok(EditedStream { text: stream.text().to_owned(), places: Vec::new() });
        }
        let several = met.iter().any(|(document, _)| *document != met[0].0);
        if several && choice.is_none() {
            return Err(meets_several(input, place, &met).into());
        }
        let is_stream = stream.len() > 1;
        for (document, pointer) in met {
            let number = if is_stream { format!("[{document}]") } else { String::new() };
            shown.push(format!("{}{number}: {pointer}", input.path.display()));
            spellings.entry(document).or_default().push((pointer, place));
        }
    }
    let mut changed = Vec::new();
    for (place, mut document) in documents {
        let edited = document.edited_at_pointer("").unwrap_or(document.value());
        let here = spellings.remove(&place).unwrap_or_default();
        changed.push((place, saved_places(&mut document, edited, &here)?));
    }
    Ok(EditedStream { text: stream.with(&changed), places: shown })
}

/// A place that an edit leads to.
struct Met {
    pointer: String,
    /// Where the edit begins, which is higher up where maps on the way are made, and what it is there.
    edit: (String, Edit),
    /// Something stands there.
    is_there: bool,
}

/// Makes one edit wherever it leads to; returns the documents and the pointers.
fn edit_all(
    documents: &mut [(usize, Document)],
    place: &Place,
    chosen: bool,
    adding: Adding,
) -> std::result::Result<Vec<(usize, String)>, Stop> {
    let found = found_in(documents, place, chosen, adding)?;
    let mut met = Vec::new();
    for ((number, document), found) in documents.iter_mut().zip(found).filter(|(_, found)| !found.is_empty())
    {
        // From the last to the first, as renames of keys inside each other need it.
        let edits: Vec<(String, Edit)> = found.iter().rev().map(|met| met.edit.clone()).collect();
        match document.with_all(&edits) {
            Ok(edited) => document.edit_further(edited),
            // Of a list, only a whole item can be named; a key is not a place in it.
            Err(error) if is_missing(&error) && may_be_missing(place, &found) => continue,
            Err(error) => return Err(error.into()),
        }
        met.extend(found.iter().map(|found| (*number, document.settled_pointer(&found.pointer))));
    }
    met.sort();
    Ok(met)
}

fn may_be_missing(place: &Place, found: &[Met]) -> bool {
    !place.with_parents && matches!(found, [only] if !only.is_there)
}

/// Finds what an edit leads to in every document. One that has the place is meant rather than one that could have it,
/// unless they were chosen.
fn found_in(
    documents: &[(usize, Document)],
    place: &Place,
    chosen: bool,
    adding: Adding,
) -> std::result::Result<Vec<Vec<Met>>, Stop> {
    let writes = place.may_add(adding);
    let selector = place.selector()?;
    let all = |new: bool| {
        documents
            .iter()
            .map(|(_, document)| there(document, place, selector, new))
            .collect::<Result<Vec<_>>>()
    };
    let mut found = all(writes && chosen)?;
    if writes && found.iter().all(Vec::is_empty) {
        found = all(true)?;
    }
    // A search at any depth finds only places that exist.
    if !writes || !place.with_parents || selector.is_of_any_depth() {
        return Ok(found);
    }
    let is_anywhere = found.iter().any(|found| !found.is_empty());
    let is_meant = |found: &Vec<Met>| chosen || !is_anywhere || !found.is_empty();
    let made = documents.iter().zip(found);
    made.map(
        |((_, document), found)| if is_meant(&found) { with_parents(document, place) } else { Ok(found) },
    )
    .collect()
}

/// Finds the edits of one document that a place asks for: one for each place that its selector leads to.
pub(super) fn edits_in(document: &Document, place: &Place) -> std::result::Result<Vec<(String, Edit)>, Stop> {
    let writes = place.may_add(Adding::Anywhere);
    let selector = place.selector()?;
    let mut found = there(document, place, selector, false)?;
    if writes && found.is_empty() {
        found = there(document, place, selector, true)?;
    }
    if writes && place.with_parents && !selector.is_of_any_depth() {
        found = with_parents(document, place)?;
    }
    if found.is_empty() {
        return Err(nowhere(std::slice::from_ref(place)).into());
    }
    // From the last to the first, so that positions of lists stay what they are.
    Ok(found.into_iter().rev().map(|met| met.edit).collect())
}

/// The places that are there, or with `new` those that only lack a last key.
fn there(document: &Document, place: &Place, selector: &Selector, new: bool) -> Result<Vec<Met>> {
    let found = select(document, selector, new)?.into_iter();
    let met = |selected: SelectedPlace| Met {
        edit: (selected.pointer.clone(), place.edit.clone()),
        is_there: selected.value.is_some(),
        pointer: selected.pointer,
    };
    Ok(found.map(met).collect())
}

/// The places with all that is missing on the way to them. What a selector chooses must be there; the keys behind it
/// are made.
fn with_parents(document: &Document, place: &Place) -> std::result::Result<Vec<Met>, Stop> {
    let (around, keys) = split_at_keys(&place.pointer);
    let around = if around.is_empty() { vec![String::new()] } else { holders(document, around)? };
    let met = around.into_iter().map(|around| {
        let place = place.at(format!("{around}{keys}"));
        let edit = place.edit(|pointer| Place::is_parent(document, pointer))?;
        Ok(Met { pointer: place.pointer, edit, is_there: false })
    });
    met.collect()
}

/// What a selector leads to that can have places below it.
fn holders(document: &Document, selector: &str) -> Result<Vec<String>> {
    let forest = document.forest();
    let holds = |value: Val| forest.kind(value) != Kind::Scalar || forest.scalar(value) == Scalar::Null;
    let found = select(document, &Selector::parse(selector)?, false)?.into_iter();
    Ok(found.filter(|found| found.value.is_some_and(holds)).map(|found| found.pointer).collect())
}

/// Splits a selector before the keys at its end.
fn split_at_keys(selector: &str) -> (&str, &str) {
    let mut at = selector.strip_suffix("/-").unwrap_or(selector).len();
    while let Some(start) = selector[..at].rfind('/') {
        if !Selector::parse(&selector[start..at]).is_ok_and(|segment| segment.is_plain()) {
            break;
        }
        at = start;
    }
    selector.split_at(at)
}

pub(super) fn is_missing(error: &Error) -> bool {
    matches!(error.code, "DIRECTIVE_NO_SUCH_PLACE" | "YAML_NO_SUCH_PLACE")
}

/// Gives the chosen documents a whole new content.
pub(super) fn replaced(
    (input, stream): (&Input, &Stream),
    access: &Access,
    choice: Option<&Choice>,
    whole: &Whole,
) -> std::result::Result<EditedStream, Stop> {
    let chosen = match choice {
        Some(choice) => stream.chosen(&input.files, access, choice)?,
        None => (0..stream.len()).collect(),
    };
    let mut changed = Vec::new();
    for &place in &chosen {
        let mut document = stream.document(&input.files, access, place)?;
        let wanted = document.grow(&whole.data(&document.data()))?;
        changed.push((place, whole.saved(0, &mut document, wanted)?));
    }
    let places = chosen.iter().map(|place| format!("{}[{place}]", input.path.display())).collect();
    Ok(EditedStream { text: stream.with(&changed), places })
}

/// Nothing was found to edit.
pub(super) fn nowhere(places: &[Place]) -> Error {
    let pointers: Vec<&str> = places.iter().map(|place| place.pointer.as_str()).collect();
    issues::nothing_at(&pointers.join(", "))
}

fn meets_several(input: &Input, place: &Place, met: &[(usize, String)]) -> Failure {
    let mut numbers: Vec<usize> = met.iter().map(|(number, _)| *number).collect();
    numbers.dedup();
    let more = numbers.len().saturating_sub(MOST_NAMED);
    let mut numbers: Vec<String> = numbers.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    numbers.extend((more > 0).then(|| format!("{more} more")));
    issues::meets_several(&place.pointer, &input.path, &numbers.join(", "))
}
