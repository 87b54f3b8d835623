//! `hocon_data`: a HOCON file.

use hierarch_source::Result;

use super::{Around, Backend};
use crate::document::Document;
use crate::issues;

pub(super) struct Hocon;

impl Backend for Hocon {
    fn name(&self) -> &'static str {
        "hocon_data"
    }

    fn read(&self, path: &str, _: Vec<u8>, _: &Around) -> Result<Document> {
        Err(issues::unparsable(&format!("({path}): HOCON is not understood yet")))
    }
}
