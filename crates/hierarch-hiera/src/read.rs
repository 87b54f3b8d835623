//! Data out of texts, and paths out of patterns, as Ruby's libraries read them.

use std::collections::HashMap;

use hierarch_pcore::Value;
use hierarch_source::{Files, Place, Source};
use hierarch_yaml::{DocumentLimits, Kind, NodeId, Scalar, Tree};

use crate::backend::{hocon as hocon_backend, json as json_backend};
use crate::document::{self, psych_words};
use crate::marks::Marks;

/// What a YAML text may hold.
#[derive(Clone, Copy, Debug)]
pub struct Yaml {
    /// Aliases of what is written elsewhere.
    pub aliases: bool,
    /// Ruby's symbols.
    pub symbols: bool,
}

/// Reads JSON. What is wrong is told in the words of Ruby's library.
pub fn json(text: &str) -> Result<Value, String> {
    json_backend::parse(text).map_err(|problem| problem.words().to_owned())
}

/// Reads the JSON of a file. What is wrong is told in the words of Ruby's library, and where it is.
pub fn json_of(path: &str, text: &str) -> Result<Value, (String, Place)> {
    json_backend::parse(text).map_err(|problem| {
        let place = problem.place(path, text);
        (problem.words().to_owned(), place)
    })
}

/// Reads HOCON, without variables of the process to fill in.
pub fn hocon(text: &str) -> Result<Value, String> {
    hocon_backend::read(text, &HashMap::new())
}

/// Reads HOCON as [`hocon`] does, with where its values stand.
pub fn hocon_with_places(text: &str) -> Result<(Value, HoconPlaces), String> {
    let (value, marks) = hocon_backend::read_marked(text, &HashMap::new())?;
    Ok((value, HoconPlaces(marks)))
}

/// Where the values of a HOCON text stand.
#[derive(Debug)]
pub struct HoconPlaces(Marks);

impl HoconPlaces {
    /// Returns the first byte of the value that keys and positions lead to, and the byte behind its last; of the nearest
    /// one around it if it has no place of its own.
    pub fn at(&self, path: &[Value]) -> Option<(u32, u32)> {
        self.0.at(path).map(|mark| (mark.start, mark.end))
    }
}

/// Reads the first YAML document of a text. What is wrong is told in the words of Psych.
///
/// ```
/// use hierarch_hiera::read::{Yaml, yaml};
///
/// let rules = Yaml { aliases: false, symbols: true };
/// assert_eq!(yaml("a: [1, ~]", rules).map(|value| value.to_json()), Ok(r#"{"a":[1,null]}"#.into()));
/// ```
pub fn yaml(text: &str, rules: Yaml) -> Result<Value, String> {
    let source = Source::new("<unknown>", text);
    let words = |error| psych_words("<unknown>", &error);
    let tree = hierarch_yaml::read_first(&source, DocumentLimits::default()).map_err(words)?;
    refuse(&tree, rules)?;
    let root = tree.root().map(|root| document::value_of(&tree, root));
    root.transpose().map_err(|error| error.message.clone()).map(Option::unwrap_or_default)
}

fn refuse(tree: &Tree, rules: Yaml) -> Result<(), String> {
    for node in (0..tree.len()).map(NodeId::from_index) {
        match tree.kind(node) {
            Kind::Alias if !rules.aliases => {
                return Err("Alias parsing was not enabled. To enable it, pass `aliases: true` to `Psych::load` or `Psych::safe_load`.".into());
            }
            Kind::Scalar if !rules.symbols && matches!(tree.scalar(node), Ok(Scalar::Symbol(_))) => {
                return Err("Tried to load unspecified class: Symbol".into());
            }
            _ => {}
        }
    }
    Ok(())
}

/// Finds what a pattern matches, folders left out, after at most so many steps.
pub fn files_of(files: &dyn Files, pattern: &str, most: u64) -> hierarch_source::Result<Vec<String>> {
    let mut left = most;
    crate::glob::glob(files, pattern, &mut left).map_err(|stopped| stopped.error(most))
}

/// Finds the files and folders that a pattern matches, after at most so many steps.
pub fn paths(files: &dyn Files, pattern: &str, most: u64) -> hierarch_source::Result<Vec<String>> {
    let mut left = most;
    crate::glob::glob_all(files, pattern, &mut left).map_err(|stopped| stopped.error(most))
}
