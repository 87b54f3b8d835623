//! SQLite: one file that any tool reads.

use std::path::Path;
use std::time::Duration;

use hierarch_source::{Error, Result};
use rusqlite::types::{ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, OpenFlags, ToSql, params_from_iter};

use crate::database::{Cell, Database, Row};
use crate::issues;

/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Sqlite {
    connection: Connection,
    name: String,
}

impl Sqlite {
    /// Opens a file; it is made only where it is to be written.
    pub(crate) fn open(file: &Path, is_written: bool) -> Result<Self> {
        let name = file.display().to_string();
        let failed = |error: rusqlite::Error| issues::failed(&name, &error.to_string());
        if !is_written && !file.is_file() {
            return Err(issues::no_store(&name));
        }
        let connection = match shared(file, is_written) {
            Err(error) if !is_written && is_write_protected(&error) => unchanging(file).map_err(failed)?,
            opened => opened.map_err(failed)?,
        };
        Ok(Self { connection, name })
    }

    fn failed(&self, error: &rusqlite::Error) -> Error {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => issues::broken(&self.name, &error.to_string()),
            _ => issues::failed(&self.name, &error.to_string()),
        }
    }
}

/// Opens a file that others read and write, too.
fn shared(file: &Path, is_made: bool) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let flags = if is_made { flags | OpenFlags::SQLITE_OPEN_CREATE } else { flags };
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "wal")?;
    connection.pragma_update(None, "synchronous", "normal")?;
    Ok(connection)
}

/// Opens a file that nobody may write: SQLite must not put its own files beside it either.
fn unchanging(file: &Path) -> rusqlite::Result<Connection> {
    let escaped: String = file
        .display()
        .to_string()
        .chars()
        .map(|c| if matches!(c, '%' | '?' | '#') { format!("%{:02x}", c as u32) } else { c.to_string() })
        .collect();
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
}

fn is_write_protected(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(error.sqlite_error_code(), Some(CannotOpen | PermissionDenied | ReadOnly))
}

/// Takes the casts out of a statement, and numbers its parameters as SQLite does: `$2` would be a name there.
fn plain(sql: &str) -> String {
    let mut out = String::with_capacity(sql.len());
    let mut parts = sql.split("::");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_lowercase()));
    }
    out.replace('$', "?").replace("jsonb", "text").replace("timestamptz", "text").replace("bytea", "blob")
}

impl Database for Sqlite {
    fn batch(&mut self, sql: &str) -> Result<()> {
        self.connection.execute_batch(&plain(sql)).map_err(|error| self.failed(&error))
    }

    fn execute(&mut self, sql: &str, parameters: &[Cell]) -> Result<u64> {
        let run = || self.connection.prepare_cached(&plain(sql))?.execute(params_from_iter(parameters));
        run().map(|count| count as u64).map_err(|error| self.failed(&error))
    }

    fn query(&mut self, sql: &str, parameters: &[Cell]) -> Result<Vec<Row>> {
        let run = || -> rusqlite::Result<Vec<Row>> {
            let mut statement = self.connection.prepare_cached(&plain(sql))?;
            let columns = statement.column_count();
            let rows = statement.query_map(params_from_iter(parameters), |row| {
                (0..columns).map(|column| Ok(cell(row.get_ref(column)?))).collect()
            })?;
            rows.collect()
        };
        run().map_err(|error| self.failed(&error))
    }
}

fn cell(value: ValueRef) -> Cell {
    match value {
        ValueRef::Null => Cell::Nothing,
        ValueRef::Integer(number) => Cell::Text(number.to_string()),
        ValueRef::Real(number) => Cell::Text(number.to_string()),
        ValueRef::Text(bytes) => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
    }
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Nothing => ToSqlOutput::Owned(Value::Null),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}
