//! What a store needs of a server: to run statements, and to run several of them whole or not at all.

use hierarch_source::Result;

/// A parameter or a column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Cell {
    Nothing,
    Text(String),
    Bytes(Vec<u8>),
}

impl Cell {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn optional(text: Option<String>) -> Self {
        text.map_or(Self::Nothing, Self::Text)
    }

    /// Returns the text, if there is one.
    pub(crate) fn into_text(self) -> Option<String> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A row of an answer.
pub(crate) type Row = Vec<Cell>;

/// A database. Statements are written for PostgreSQL; SQLite leaves their casts out.
pub(crate) trait Database: Send {
    /// Runs statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<()>;

    /// Runs a statement, and tells how many rows it changed.
    fn execute(&mut self, sql: &str, parameters: &[Cell]) -> Result<u64>;

    /// Runs a question.
    fn query(&mut self, sql: &str, parameters: &[Cell]) -> Result<Vec<Row>>;
}
