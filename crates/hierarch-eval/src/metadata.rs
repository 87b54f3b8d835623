//! `metadata.json`: a module that has one with too little in it does not exist, as far as the reference is concerned.

use std::path::Path;

use hierarch_source::{Files, Place, Source, Span};
use serde_json::Value as Json;

use crate::issues;

/// What there must be, in the order in which it is missed.
const REQUIRED: [&str; 5] = ["source", "author", "version", "license", "dependencies"];

/// Returns the first number of a module's release.
pub(crate) fn major(files: &dyn Files, folder: &Path) -> Option<u64> {
    let bytes = files.read(&folder.join("metadata.json")).ok()?;
    let metadata: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    metadata["version"].as_str()?.split('.').next()?.parse().ok()
}

/// Why a module is refused.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The words of the reference.
    pub(crate) message: String,
    /// Where the file is wrong, which the words do not say; of what is missing, its beginning.
    pub(crate) place: Option<Place>,
}

/// Returns why a module is refused. An empty object is taken for no metadata at all, and so is another value.
pub(crate) fn refusal(files: &dyn Files, module: &str, folder: &Path) -> Option<Refusal> {
    let path = folder.join("metadata.json");
    let bytes = files.read(&path).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let (message, at) = wrong(module, &text)?;
    let source = Source::new(path.display().to_string(), text.clone().into_owned());
    let at = u32::try_from(at).unwrap_or_default();
    Some(Refusal { message, place: Some(Place::new(&source, Span::new(at, at))) })
}

/// Returns what is wrong with metadata, and where.
fn wrong(module: &str, text: &str) -> Option<(String, usize)> {
    let data = match serde_json::from_str::<Json>(text) {
        Ok(Json::Object(data)) => data,
        Ok(_) => return None,
        Err(_) if text.trim().is_empty() => return None,
        Err(error) => {
            let rest = rest_from(text, &error);
            return Some((issues::unparsable_metadata(module, rest), text.len() - rest.len()));
        }
    };
    if data.is_empty() {
        return None;
    }
    let is_missing = |name: &&&str| data.get(**name).is_none_or(Json::is_null);
    if let Some(name) = REQUIRED.iter().find(is_missing) {
        return Some((issues::missing_metadata(name, module), 0));
    }
    let dependencies = data.get("dependencies").filter(|dependencies| !dependencies.is_array())?;
    let shown = dependencies.as_str().map_or_else(|| dependencies.to_string(), str::to_owned);
    Some((issues::dependencies_are_no_list(module, &shown), text.find("\"dependencies\"").unwrap_or(0)))
}

/// Returns the text from the word on that is no JSON.
fn rest_from<'t>(text: &'t str, error: &serde_json::Error) -> &'t str {
    let before: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut start = (before + error.column().saturating_sub(1)).min(text.len());
    while start > 0 && (!text.is_char_boundary(start) || text[..start].ends_with(char::is_alphanumeric)) {
        start -= 1;
    }
    &text[start..]
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    #[test]
    fn metadata_are_whole_or_none() {
        let whole = r#""source": "u", "author": "a", "version": "1", "license": "l""#;
        for (text, expected) in [
            ("{}".to_owned(), None),
            (String::new(), None),
            (
                "no JSON".to_owned(),
                Some(
                    "m has an invalid and unparsable metadata.json file. The parse error: unexpected token at 'no JSON'",
                ),
            ),
            (r#"{"name": "x-m"}"#.to_owned(), Some("No source module metadata provided for m")),
            (format!("{{{whole}}}"), Some("No dependencies module metadata provided for m")),
            (format!(r#"{{{whole}, "dependencies": []}}"#), None),
        ] {
            let files = MemoryFiles::from([("m/metadata.json", text.as_str())]);
            let refusal = refusal(&files, "m", Path::new("m"));
            assert_eq!(refusal.as_ref().map(|refusal| refusal.message.as_str()), expected, "{text}");
        }
    }

    #[test]
    fn the_place_is_known_where_something_stands_there() {
        for (text, place) in [
            ("{\n  \"name\": nope\n}", "file: m/metadata.json, line: 2, column: 11"),
            ("{\"name\": 1}", "file: m/metadata.json, line: 1, column: 1"),
        ] {
            let refusal = refusal(&MemoryFiles::from([("m/metadata.json", text)]), "m", Path::new("m"));
            let found = refusal.and_then(|refusal| refusal.place).map(|place| place.to_string());
            assert_eq!(found.as_deref(), Some(place), "{text}");
        }
    }
}
