//! What the files that were read hold, tokens not filled in: for those who compare revisions or look for dead data.

use hierarch_pcore::Value;
use hierarch_source::Result;

use crate::config::Locations;
use crate::data::Data;
use crate::document::Document;
use crate::hiera::Hiera;
use crate::template::{Method, Template, TemplatePart, Variable, has_tokens};

/// What one data file holds.
#[derive(Clone, Debug)]
pub struct Content {
    /// The file.
    pub file: String,
    /// The function that read it.
    pub backend: &'static str,
    /// Its top-level keys and their values as they are written, or why it cannot be read.
    pub entries: Result<Vec<(String, Value)>>,
    /// All files that were read for it: itself, and those it includes.
    pub files: Vec<String>,
}

/// A key that a token asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The key, as it stands between the quotes.
    pub key: String,
    /// The token as it is written, without the braces.
    pub token: String,
    /// It is an alias inside of a longer text, which is refused.
    pub is_misplaced: bool,
}

impl Hiera {
    /// Returns what the files hold that were read so far, by file and function.
    pub fn contents(&self) -> Vec<Content> {
        let mut found: Vec<Content> = self
            .documents_read()
            .into_iter()
            .map(|(file, backend, document, stamps)| Content {
                file,
                backend,
                entries: document.and_then(|document| entries_of(&document)),
                files: stamps,
            })
            .collect();
        found.sort_by(|a, b| (&a.file, a.backend).cmp(&(&b.file, b.backend)));
        found
    }
}

impl Hiera {
    /// Tells whether a level of a hierarchy that was read calls a function instead of reading a file: what such a
    /// function reads, nobody knows.
    pub fn calls_functions(&self) -> bool {
        self.layers().any_level(|level| self.backend(&level.function).is_none())
    }

    /// Tells whether a level of a hierarchy that was read finds its files by a pattern.
    pub fn uses_globs(&self) -> bool {
        self.layers().any_level(|level| matches!(level.locations, Some(Locations::Globs(_))))
    }

    /// Returns the variable expressions in the hierarchies that were read, each once, without leading colons.
    pub fn hierarchy_variables(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.layers().any_level(|level| {
            crate::survey::level_variables(level, &mut names);
            false
        });
        names
    }
}

pub(crate) fn entries_of(document: &Document) -> Result<Vec<(String, Value)>> {
    let mut entries = Vec::new();
    for key in document.keys() {
        if let Some(entry) = document.entry(key) {
            entries.push((key.to_string(), written(document.data(entry)?)));
        }
    }
    Ok(entries)
}

/// Returns a value as it is written.
pub(crate) fn written(data: &Data) -> Value {
    match data {
        Data::Plain(value) => value.clone(),
        Data::Text(template) => Value::String(template.source.clone()),
        Data::List(items) => Value::array(items.iter().map(written).collect()),
        Data::Map(entries) => {
            Value::hash(entries.iter().map(|(key, value)| (written(key), written(value))).collect())
        }
    }
}

/// Returns the keys that the tokens of a value ask for, in order.
///
/// ```
/// use hierarch_hiera::references;
/// let found = references(&"%{lookup('a::b')} at %{facts.site}".into());
/// assert_eq!((found[0].key.as_str(), found[0].token.as_str()), ("a::b", "lookup('a::b')"));
/// assert_eq!(found.len(), 1);
/// ```
pub fn references(value: &Value) -> Vec<Reference> {
    let mut found = Vec::new();
    each_part(value, &mut |part| {
        if let TemplatePart::Call(call) = part
            && matches!(call.method, Method::Lookup | Method::Alias)
        {
            found.push(Reference {
                key: call.argument.to_string(),
                token: call.to_string(),
                is_misplaced: call.method == Method::Alias && !call.is_whole,
            });
        }
    });
    found
}

/// Returns the variable expressions that the tokens of a value read, in order: `facts.os.family`.
pub fn variables(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    each_part(value, &mut |part| found.extend(variable_of(part).map(|variable| variable.text.to_string())));
    found
}

/// Returns the variable that a part of a text reads.
pub(crate) fn variable_of(part: &TemplatePart) -> Option<&Variable> {
    match part {
        TemplatePart::Variable(variable) => Some(variable),
        TemplatePart::Call(call) if call.method == Method::Scope => call.variable.as_ref(),
        _ => None,
    }
}

fn each_part(value: &Value, visit: &mut dyn FnMut(&TemplatePart)) {
    match value {
        Value::String(text) if has_tokens(text) => Template::new(text).parts.iter().for_each(visit),
        Value::Array(items) => items.iter().for_each(|item| each_part(item, visit)),
        Value::Hash(hash) => hash.iter().for_each(|(key, value)| {
            each_part(key, visit);
            each_part(value, visit);
        }),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use crate::{Hiera, Query, Scope};

    #[test]
    fn files_that_were_read_tell_what_they_hold() {
        let files = MemoryFiles::from([
            (
                "hiera.yaml",
                "version: 5\nhierarchy: [{name: A, path: a.yaml}, {name: J, path: j.json, data_hash: json_data}]",
            ),
            ("data/a.yaml", "k: ['%{x}']\n"),
            ("data/j.json", "{\"j\": {\"%{y}\": 1}}"),
        ]);
        let hiera = Hiera::open(files, "hiera.yaml");
        let scope = Scope::new();
        let _ = hiera.session(&scope).lookup(&Query::new(["none"]), None);
        let shown: Vec<String> = hiera
            .contents()
            .into_iter()
            .map(|content| {
                let entries = content.entries.expect("well-formed");
                let entries = entries.iter().map(|(key, value)| format!("{key}={}", value.to_json()));
                format!("{} {} {}", content.file, content.backend, entries.collect::<String>())
            })
            .collect();
        assert_eq!(shown, ["data/a.yaml yaml_data k=[\"%{x}\"]", "data/j.json json_data j={\"%{y}\":1}"]);
    }
}
