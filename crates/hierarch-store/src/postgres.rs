//! PostgreSQL, 13 or newer: a store that a site shares.

use hierarch_source::{Error, Result};
use postgres::types::{ToSql, Type};
use postgres::{Client, NoTls};

use crate::database::{Cell, Database, Row};
use crate::issues;

pub(crate) struct Postgres {
    client: Client,
    name: String,
}

impl Postgres {
    pub(crate) fn open(address: &str, shown: &str) -> Result<Self> {
        let client = Client::connect(address, NoTls).map_err(|error| issues::failed(shown, &told(&error)))?;
        Ok(Self { client, name: shown.to_owned() })
    }

    fn failed(&self, error: &postgres::Error) -> Error {
        issues::failed(&self.name, &told(error))
    }
}

/// Returns what the server says, not only that it says something.
pub(crate) fn told(error: &postgres::Error) -> String {
    if let Some(server) = error.as_db_error() {
        return server.message().to_owned();
    }
    let mut text = error.to_string();
    let mut inner = std::error::Error::source(error);
    while let Some(cause) = inner {
        text = format!("{text}: {cause}");
        inner = cause.source();
    }
    text
}

fn parameters(cells: &[Cell]) -> Vec<Box<dyn ToSql + Sync + '_>> {
    let boxed = |cell| -> Box<dyn ToSql + Sync + '_> {
        match cell {
            &Cell::Nothing => Box::new(None::<String>),
            Cell::Text(text) => Box::new(text),
            Cell::Bytes(bytes) => Box::new(bytes),
        }
    };
    cells.iter().map(boxed).collect()
}

impl Database for Postgres {
    fn batch(&mut self, sql: &str) -> Result<()> {
        let result = self.client.batch_execute(sql);
        result.map_err(|error| self.failed(&error))
    }

    fn execute(&mut self, sql: &str, cells: &[Cell]) -> Result<u64> {
        let boxed = parameters(cells);
        let borrowed: Vec<&(dyn ToSql + Sync)> = boxed.iter().map(|one| &**one).collect();
        let result = self.client.execute(sql, &borrowed);
        result.map_err(|error| self.failed(&error))
    }

    fn query(&mut self, sql: &str, cells: &[Cell]) -> Result<Vec<Row>> {
        let boxed = parameters(cells);
        let borrowed: Vec<&(dyn ToSql + Sync)> = boxed.iter().map(|one| &**one).collect();
        let rows = self.client.query(sql, &borrowed).map_err(|error| self.failed(&error))?;
        Ok(rows.iter().map(|row| (0..row.len()).map(|column| cell(row, column)).collect()).collect())
    }
}

fn cell(row: &postgres::Row, column: usize) -> Cell {
    match *row.columns()[column].type_() {
        Type::BYTEA => row.get::<_, Option<Vec<u8>>>(column).map_or(Cell::Nothing, Cell::Bytes),
        Type::INT4 => {
            row.get::<_, Option<i32>>(column).map_or(Cell::Nothing, |number| Cell::Text(number.to_string()))
        }
        Type::INT8 => {
            row.get::<_, Option<i64>>(column).map_or(Cell::Nothing, |number| Cell::Text(number.to_string()))
        }
        _ => row.try_get::<_, Option<String>>(column).ok().flatten().map_or(Cell::Nothing, Cell::Text),
    }
}
