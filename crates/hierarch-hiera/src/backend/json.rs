//! `json_data`: a JSON file with a hash at its top, read as Ruby's JSON library reads it.
//!
//! Comments are accepted, the last of equal keys wins, numbers may be of any size.

use hierarch_pcore::json::{self, NotJson, NotJsonKind};
use hierarch_pcore::{Type, Value};
use hierarch_source::{Place, Result, Source, Span};

use super::{Around, Backend};
use crate::document::{Document, MalformedText};
use crate::issues;
use crate::marks::Marks;
use crate::merge::type_mismatch;

pub(super) struct Json;

impl Backend for Json {
    fn name(&self) -> &'static str {
        "json_data"
    }

    fn read(&self, path: &str, bytes: Vec<u8>, _: &Around) -> Result<Document> {
        let text =
            String::from_utf8(bytes).map_err(|_| issues::unparsable(&format!("({path}): invalid UTF-8")))?;
        let value = parse(&text).map_err(|problem| issues::malformed_data(problem.in_file(path, &text)))?;
        Ok(document_of(&value, self.name(), path)?.with_text(path, text, Box::new(|text, _| marks(text))))
    }
}

/// Makes a document of a value, which must be a hash.
pub(super) fn document_of(value: &Value, function: &str, path: &str) -> Result<Document> {
    match value {
        Value::Hash(hash) => Ok(Document::of_hash(hash)),
        other => {
            let subject =
                format!("Value returned from data_hash function '{function}', when using location '{path}',");
            Err(type_mismatch(&subject, &Type::hash(), other))
        }
    }
}

/// What is wrong with a text that is meant to be JSON.
pub(crate) struct MalformedJson(NotJson);

/// Parses JSON. What is wrong is told in the words of the reference, which has its own for a text without any JSON in it.
pub(crate) fn parse(text: &str) -> std::result::Result<Value, MalformedJson> {
    json::parse(text).map_err(|problem| {
        MalformedJson(match problem.kind {
            NotJsonKind::Empty => NotJson { words: issues::NO_JSON_AT_ALL.to_owned(), ..problem },
            _ => problem,
        })
    })
}

/// Finds the places of the values in a text that is well-formed.
pub(crate) fn marks(text: &str) -> Marks {
    let mut marks = Marks::default();
    json::each_value(text, &mut |path, start, end| marks.put(path, start, end, None));
    marks
}

impl MalformedJson {
    /// Returns what is wrong, without a place.
    pub(crate) fn words(&self) -> &str {
        &self.0.words
    }

    /// Returns the byte at which reading stopped.
    pub(crate) fn at(&self) -> usize {
        self.0.at
    }

    /// Returns where it is in a file.
    pub(crate) fn place(&self, path: &str, text: &str) -> Place {
        let at = u32::try_from(self.0.at).unwrap_or(u32::MAX);
        Place::new(&Source::new(path, text), Span::new(at, at))
    }

    /// Says it of a file.
    pub(crate) fn in_file(&self, path: &str, text: &str) -> MalformedText {
        let words = format!("({path}): {}", self.words());
        MalformedText { words, place: Some(self.place(path, text)), hint: None }
    }
}
