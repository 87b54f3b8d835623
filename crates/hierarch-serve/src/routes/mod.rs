//! The routes of the API: one file and one line each.

mod about;
pub(crate) mod catalog;
mod check;
mod condition;
mod dump;
mod edit;
mod edits;
mod environments;
mod explain;
mod facts;
mod files;
mod history;
mod impact;
mod keys;
mod layers;
pub(crate) mod lookup;
mod lookups;
mod nodes;
mod origin;
mod preview;
mod rights;
mod unused;
mod values;

use crate::route::Route;

/// All routes.
pub(crate) static ROUTES: &[&Route] = &[
    &about::ROUTE,
    &environments::ROUTE,
    &nodes::ROUTE,
    &facts::ROUTE,
    &keys::ROUTE,
    &lookup::ROUTE,
    &lookups::ROUTE,
    &explain::ROUTE,
    &origin::ROUTE,
    &layers::ROUTE,
    &dump::ROUTE,
    &values::ROUTE,
    &condition::ROUTE,
    &history::ROUTE,
    &impact::ROUTE,
    &files::ROUTE,
    &check::ROUTE,
    &unused::ROUTE,
    &preview::ROUTE,
    &edit::ROUTE,
    &catalog::ROUTE,
];
