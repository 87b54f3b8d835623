//! The pages that are made of tables in the code; a test tells when one is not current.

use std::{fs, io};

use crate::tidy::repository;

/// The name of each page below the repository, and what stands in it.
pub fn pages() -> [(&'static str, String); 1] {
    [("docs/functions.md", hierarch_functions::reference::page())]
}

/// Writes all pages.
pub fn write() -> io::Result<()> {
    for (name, text) in pages() {
        fs::write(repository().join(name), text)?;
    }
    Ok(())
}
