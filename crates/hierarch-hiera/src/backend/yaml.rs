//! `yaml_data`: a YAML file with a hash at its top.

use hierarch_source::Result;

use super::{Around, Backend};
use crate::document::{Content, Document, read_yaml};
use crate::issues;
use crate::settings::Strict;

pub(super) struct Yaml;

impl Backend for Yaml {
    fn name(&self) -> &'static str {
        "yaml_data"
    }

    fn read(&self, path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
        read(path, bytes, around)
    }
}

/// Reads YAML data. A file that holds nothing is warned of, one that holds no hash is refused. Of a key that stands twice
/// Psych says nothing, and one of its values is lost: a warning of our own.
pub(super) fn read(path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
    let document = read_yaml(path, bytes).map_err(issues::malformed_data)?;
    for warning in document.warnings() {
        around.log.warn_on_our_own(warning.to_string());
    }
    match document.content() {
        Content::Hash => return Ok(document),
        Content::Other if around.settings.strict == Strict::Error => return Err(issues::no_yaml_hash(path)),
        Content::Nothing | Content::Other => around.log.warn(issues::no_yaml_hash_text(path)),
    }
    Ok(Document::empty())
}
