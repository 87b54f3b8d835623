//! The rows of all tables, for SQL and for Parquet alike.

use hierarch_fleet::{Entry, EntryLeaf, Table, TableNode};

use crate::shape::{Change, KnownNode};

/// A field of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field<'r> {
    /// There is nothing.
    Nothing,
    /// A text.
    Text(&'r str),
    /// A whole number.
    Number(u32),
}

/// A row, in the order of the table's columns.
pub type Row<'r> = Vec<Field<'r>>;

fn perhaps(text: Option<&String>) -> Field<'_> {
    text.map_or(Field::Nothing, |text| Field::Text(text))
}

fn number<'r>(number: Option<u32>) -> Field<'r> {
    number.map_or(Field::Nothing, Field::Number)
}

/// Returns the rows of `nodes`.
pub fn nodes(nodes: &[KnownNode]) -> impl Iterator<Item = Row<'_>> {
    nodes.iter().map(|node| {
        vec![
            Field::Text(&node.name),
            perhaps(node.environment.as_ref()),
            perhaps(node.seen.as_ref()),
            Field::Text(&node.facts),
        ]
    })
}

/// Returns the rows of `facts`.
pub fn facts<'r>(nodes: impl IntoIterator<Item = &'r KnownNode>) -> impl Iterator<Item = Row<'r>> {
    nodes.into_iter().flat_map(|node| {
        node.leaves
            .iter()
            .map(|(path, value)| vec![Field::Text(&node.name), Field::Text(path), Field::Text(value)])
    })
}

/// Returns the rows of `answers`, by key, then by node.
pub fn answers(table: &Table) -> impl Iterator<Item = Row<'_>> {
    table.by_key().map(|(node, key, entry)| answer(node, key, entry))
}

/// Returns a row of `answers`.
pub fn answer<'r>(node: &'r TableNode, key: &'r str, entry: &'r Entry) -> Row<'r> {
    vec![
        Field::Text(&node.name),
        Field::Text(key),
        Field::Text(&entry.json),
        Field::Text(&entry.kind),
        Field::Text(&entry.strategy),
        perhaps(entry.place.file.as_ref()),
        number(entry.place.line),
    ]
}

/// Returns the rows of `leaves`, by key, then by node.
pub fn leaves(table: &Table) -> impl Iterator<Item = Row<'_>> {
    table.by_key().flat_map(|(node, key, entry)| entry.leaves.iter().map(move |one| leaf(node, key, one)))
}

/// Returns a row of `leaves`.
pub fn leaf<'r>(node: &'r TableNode, key: &'r str, leaf: &'r EntryLeaf) -> Row<'r> {
    vec![
        Field::Text(&node.name),
        Field::Text(key),
        Field::Text(&leaf.path),
        Field::Text(&leaf.json),
        perhaps(leaf.place.file.as_ref()),
        number(leaf.place.line),
        number(leaf.place.column),
    ]
}

/// Returns the rows of `changes`.
pub fn changes(changes: &[Change]) -> impl Iterator<Item = Row<'_>> {
    changes.iter().map(|change| {
        vec![
            Field::Text(&change.node),
            Field::Text(&change.key),
            Field::Text(&change.kind),
            perhaps(change.old.as_ref()),
            perhaps(change.new.as_ref()),
            perhaps(change.file.as_ref()),
            number(change.line),
            perhaps(change.proof.as_ref()),
        ]
    })
}
