//! Where exported resources come from, and where they are kept: files, stores, PuppetDB.

use std::path::Path;

use hierarch_eval::catalog::Catalog;
use hierarch_eval::substitute::ExportedResource;
use hierarch_site::{exported_of, read_exported};
use hierarch_source::DiskFiles;

use super::super::arguments::puppets;
use super::super::failure::Failure;
use super::super::fleet::nodes::PuppetdbArguments;
#[cfg(not(feature = "store"))]
use super::super::issues;
use super::given::check_there;

/// Reads what nodes exported.
pub(super) fn read(source: &str, puppetdb: &PuppetdbArguments) -> Result<Vec<ExportedResource>, Failure> {
    if source.starts_with("puppetdb:") {
        return exported_of(&puppetdb.exported(source)?, source).map_err(Failure::from);
    }
    if is_store(source) {
        return of_store(source);
    }
    let path = Path::new(source);
    check_there(path)?;
    read_exported(&DiskFiles, path).map_err(|error| puppets(&error))
}

/// Tells whether this names a database, and not a file of resources.
fn is_store(source: &str) -> bool {
    ["sqlite:", "postgres://", "postgresql://"].iter().any(|start| source.starts_with(start))
}

#[cfg(feature = "store")]
fn of_store(source: &str) -> Result<Vec<ExportedResource>, Failure> {
    use hierarch_store::Store;

    let address = address(source)?;
    let store = Store::open_existing(&address).map_err(Failure::from)?;
    let list = store.exports().map_err(Failure::from)?;
    exported_of(&list, &address.shown()).map_err(Failure::from)
}

/// Keeps what a node exports in a store, which is made where there is none. It may be secret.
#[cfg(feature = "store")]
pub(super) fn keep(store: &str, catalog: &Catalog) -> Result<(), Failure> {
    let address = address(store)?;
    crate::cli::fleet::store::keep_from_others(&address)?;
    let mut store = hierarch_store::Store::open(&address).map_err(Failure::from)?;
    store.keep_exports(&catalog.name, &catalog.exports_as_data()).map_err(Failure::from)
}

/// Fails unless this names a store.
#[cfg(feature = "store")]
pub(super) fn check_store(store: &str) -> Result<(), Failure> {
    address(store).map(drop)
}

#[cfg(feature = "store")]
fn address(store: &str) -> Result<hierarch_store::Address, Failure> {
    hierarch_store::Address::parse(store).ok_or_else(|| super::super::issues::bad_store(store))
}

#[cfg(not(feature = "store"))]
fn of_store(source: &str) -> Result<Vec<ExportedResource>, Failure> {
    Err(issues::without_feature(source, "store"))
}

#[cfg(not(feature = "store"))]
pub(super) fn check_store(store: &str) -> Result<(), Failure> {
    Err(issues::without_feature(store, "store"))
}

#[cfg(not(feature = "store"))]
pub(super) fn keep(store: &str, _: &Catalog) -> Result<(), Failure> {
    Err(issues::without_feature(store, "store"))
}
