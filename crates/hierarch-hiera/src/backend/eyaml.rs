//! `eyaml_lookup_key`: a YAML file with encrypted values in it. They are decrypted when their key is asked for.

use hierarch_source::Result;

use super::{Around, Backend, yaml};
use crate::config::FunctionKind;
use crate::document::Document;

pub(super) struct Eyaml;

impl Backend for Eyaml {
    fn name(&self) -> &'static str {
        "eyaml_lookup_key"
    }

    fn kind(&self) -> FunctionKind {
        FunctionKind::LookupKey
    }

    fn read(&self, path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
        yaml::read(path, bytes, around)
    }
}
