//! Edits of many places at once: of all that a selector leads to, in several documents of a stream.

use hierarch_compose::expr::{Context, Expressions};
use hierarch_compose::{Access, Choice, Document, Edit, Selected, Selector, Stream};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, Result};
use hierarch_yaml::Data;

use super::super::expressions::read_value;
use super::super::failure::Failure;
use super::Stop;
use super::input::Input;
use super::wish::{Place, Whole};
use crate::cli::issues;

/// So many values of a document get the spelling that they were given in.
const MOST_SPELLINGS: usize = 100;

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
        expressions.render_value(text, &context)?
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
pub(super) fn select(document: &Document, selector: &Selector, new: bool) -> Result<Vec<Selected>> {
    let top = document.edited_at_pointer("").unwrap_or(document.value());
    selector.select(document.forest(), top, new, &mut holds)
}

/// Makes edits in the documents that are chosen, or in the one that they can mean.
pub(super) fn edited(
    (input, stream): (&Input, &Stream),
    access: &Access,
    choice: Option<&Choice>,
    places: &[Place],
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
    let mut spellings = Vec::new();
    for place in places {
        let met = edit_all(&mut documents, place, choice.is_some())?;
        if met.is_empty() {
            return Ok(EditedStream { text: stream.text().to_owned(), places: Vec::new() });
        }
        let several = met.iter().any(|(document, _)| *document != met[0].0);
        if several && choice.is_none() {
            return Err(meets_several(input, place, &met).into());
        }
        let is_stream = stream.len() > 1;
        spellings.extend(met.iter().map(|(document, pointer)| (*document, pointer.clone(), place)));
        shown.extend(met.into_iter().map(|(document, pointer)| {
            let number = if is_stream { format!("[{document}]") } else { String::new() };
            format!("{}{number}: {pointer}", input.path.display())
        }));
    }
    let mut changed = Vec::new();
    for (place, mut document) in documents {
        let edited = document.edited_at_pointer("").unwrap_or(document.value());
        let text = document.save(edited)?;
        // A thousand places would be a thousand readings: spelling is for edits by hand.
        let here = spellings.iter().filter(|(number, ..)| *number == place).take(MOST_SPELLINGS);
        let text = here.fold(text, |text, (_, pointer, wish)| wish.spelled(pointer, text));
        changed.push((place, text));
    }
    Ok(EditedStream { text: stream.with(&changed), places: shown })
}

/// Makes one edit wherever it leads to; returns the documents and the pointers.
fn edit_all(
    documents: &mut [(usize, Document)],
    place: &Place,
    chosen: bool,
) -> Result<Vec<(usize, String)>> {
    let writes = matches!(place.edit, Edit::Set(_) | Edit::Insert(_));
    let mut found = find_all(documents, place, writes && chosen)?;
    // A document that has the place is meant rather than one that could have it.
    if writes && found.iter().all(Vec::is_empty) {
        found = find_all(documents, place, true)?;
    }
    let new = writes;
    let mut met = Vec::new();
    for ((number, document), found) in documents.iter_mut().zip(found) {
        // From the last to the first, so that what goes does not move what comes after it.
        for selected in found.iter().rev() {
            match document.with(&selected.pointer, place.edit.clone()) {
                Ok(edited) => document.edit_further(edited),
                // Of a list, only a whole item can be named; a key is not a place in it.
                Err(error) if new && selected.value.is_none() && is_missing(&error) => continue,
                Err(error) => return Err(error),
            }
            met.push((*number, selected.pointer.clone()));
        }
    }
    met.sort();
    Ok(met)
}

fn find_all(documents: &[(usize, Document)], place: &Place, new: bool) -> Result<Vec<Vec<Selected>>> {
    documents.iter().map(|(_, document)| select(document, place.selector()?, new)).collect()
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
        changed.push((place, document.save(wanted)?));
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
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    issues::meets_several(&place.pointer, &input.path, &numbers.join(", "))
}
