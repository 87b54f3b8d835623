//! The words of this crate.

use hierarch_source::Error;

/// A database did not do what it was asked for.
pub(crate) fn failed(store: &str, why: &str) -> Error {
    Error::new("STORE_FAILED", format!("{store}: {why}"))
}

/// A file is not a database, or is damaged.
#[cfg(feature = "sqlite")]
pub(crate) fn broken(store: &str, why: &str) -> Error {
    Error::new(
        BROKEN,
        format!("{store}: {why}; put back a copy, or remove the file and import the nodes again"),
    )
}

/// The code for a database that is broken.
pub(crate) const BROKEN: &str = "STORE_BROKEN";

/// There is no such file.
pub(crate) fn no_store(store: &str) -> Error {
    Error::new("STORE_NONE", format!("there is no store {store}; `hierarch nodes import` makes one"))
}

/// A newer program has made the store.
pub(crate) fn newer_format(store: &str, theirs: i64, ours: i64) -> Error {
    Error::new(
        "STORE_NEWER",
        format!(
            "{store} has format {theirs}, and this program knows formats up to {ours}: use a newer hierarch"
        ),
    )
}

/// A database that is not a store of ours.
pub(crate) fn no_tables(store: &str) -> Error {
    Error::new("STORE_NO_TABLES", format!("{store} holds no nodes; `hierarch nodes import` makes the tables"))
}

/// A way to keep nodes that this build does not have.
pub(crate) fn not_built(store: &str, feature: &str) -> Error {
    Error::new(
        "STORE_NOT_BUILT",
        format!("{store} needs a build with the feature `{feature}`, which hierarch-full has"),
    )
}

/// A database that cannot hand out work.
#[cfg(feature = "postgres")]
pub(crate) fn no_queue(store: &str) -> Error {
    Error::new(
        "STORE_NO_QUEUE",
        format!("{store} cannot hand out work: name a PostgreSQL server, postgres://…"),
    )
}

/// Facts hold infinity or what is not a number.
pub(crate) const NOT_FINITE: &str = "a fact is infinite or no number, which JSON cannot say";
/// Facts are nested too deep.
pub(crate) const TOO_DEEP: &str = "a fact is nested deeper than 120 levels";

/// What a store holds is not what was put into it.
pub(crate) fn damaged(store: &str, node: &str) -> Error {
    Error::new("STORE_DAMAGED", format!("{store}: the facts of {node} are no JSON object"))
}

/// What a node exported is not what was put into the store.
pub(crate) fn damaged_exports(store: &str, node: &str) -> Error {
    Error::new(
        "STORE_DAMAGED",
        format!("{store}: what {node} exported is not a list; compile the node again"),
    )
}

/// A server answered something else than a list.
#[cfg(feature = "puppetdb")]
pub(crate) const NO_LIST: &str = "the answer is not a list";

/// More than a compilation is given.
#[cfg(feature = "puppetdb")]
pub(crate) fn too_many_exported(most: usize) -> String {
    format!("more than {most} resources are exported")
}

/// A server did not answer as PuppetDB does.
#[cfg(feature = "puppetdb")]
pub(crate) fn puppetdb(address: &str, why: &str, hint: &str) -> Error {
    Error::new("STORE_PUPPETDB", format!("{address}: {why}{hint}"))
}
