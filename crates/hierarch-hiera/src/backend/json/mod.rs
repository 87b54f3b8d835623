//! `json_data`: a JSON file with a hash at its top, read as Ruby's JSON library reads it.
//!
//! Comments are accepted, the last of equal keys wins, numbers may be of any size.

use hierarch_pcore::{Type, Value};
use hierarch_source::{Place, Result, Source, Span};

pub(crate) use self::parse::{NotJson, marks, parse};
use super::{Around, Backend};
use crate::document::{Document, Malformed};
use crate::issues;
use crate::merge::type_mismatch;

mod parse;

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

impl NotJson {
    /// Returns where it is in a file.
    pub(crate) fn place(&self, path: &str, text: &str) -> Place {
        let at = u32::try_from(self.at).unwrap_or(u32::MAX);
        Place::new(&Source::new(path, text), Span::new(at, at))
    }

    /// Says it of a file.
    pub(crate) fn in_file(&self, path: &str, text: &str) -> Malformed {
        let words = format!("({path}): {}", self.words);
        Malformed { words, place: Some(self.place(path, text)), hint: None }
    }
}
