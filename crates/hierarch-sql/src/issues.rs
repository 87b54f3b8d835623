//! The words of this crate.

use hierarch_source::Error;

/// SQLite did not do what it was asked for.
pub(crate) fn failed(why: &str) -> Error {
    Error::new("SQL_FAILED", format!("SQL: {why}"))
}

/// A statement that is not a question.
pub(crate) fn not_a_question() -> Error {
    Error::new(
        "SQL_NO_QUESTION",
        "SQL: only questions are answered: one `select`, nothing that writes or reaches out",
    )
}

/// A table would have too many rows.
pub fn too_many_rows(table: &str, rows: usize, most: usize) -> Error {
    Error::new(
        "SQL_TOO_MANY_ROWS",
        format!(
            "SQL: the table {table} would have {rows} rows, and --max-rows is {most}: name keys or nodes in `where`, raise the \
             limit, or write the answers with `hierarch dump --render-as parquet -o FOLDER` and ask DuckDB or Spark"
        ),
    )
}

/// A query works for too long.
pub(crate) fn too_much_work(most: u64) -> Error {
    Error::new("SQL_TOO_MUCH_WORK", format!("SQL: the query takes more than {most} steps; raise --max-steps"))
}

/// A query was ended from outside.
pub(crate) fn stopped() -> Error {
    Error::new("SQL_STOPPED", "SQL: the query was stopped")
}

/// The engine that writes Parquet failed.
#[cfg(feature = "parquet")]
pub(crate) fn parquet(why: &str) -> Error {
    Error::new("SQL_PARQUET", format!("Parquet: {why}"))
}
