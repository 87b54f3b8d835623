//! `directives_data`: a document with merge directives as a source of data, as a Hiera level uses one.

use std::path::Path;

use hierarch_source::{Files, Result};
use hierarch_yaml::Data;

use crate::document::Document;
use crate::include::Access;

/// Returns what a document expands to, a map.
///
/// ```
/// use std::path::Path;
/// use hierarch_compose::{Access, directives_data};
/// use hierarch_source::MemoryFiles;
///
/// let files = MemoryFiles::from([("data/web.yaml", "base: &b {port: 80}\nweb: {+*b: , name: www}\n")]);
/// let data = directives_data(&files, Path::new("data/web.yaml"), &Access::default())?;
/// assert_eq!(hierarch_yaml::brief(data.get("web").unwrap()), "{name: www, port: 80}");
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn directives_data(files: &dyn Files, path: &Path, access: &Access) -> Result<Data> {
    Document::open(files, path, access).map(|document| document.data())
}
