//! A database that lives as long as a query: made empty, filled with what the query needs, asked once.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_fleet::Table;
use hierarch_source::{Error, Result};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql, params_from_iter};

use crate::issues;
use crate::plan::Plan;
use crate::rows::{self, Field, Row};
use crate::shape::{ANSWERS, CHANGES, Change, FACTS, KnownNode, LEAVES, NODES, SHAPES, Shape};

/// How much a query may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// As many rows each table may have.
    pub rows: usize,
    /// As many steps of SQLite's machine.
    pub steps: u64,
    /// Set from outside, it ends the query.
    pub stop: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 10_000_000, steps: 20_000_000_000, stop: Arc::default() }
    }
}

/// A field of an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell {
    /// `null`.
    Nothing,
    /// A whole number.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => Ok(()),
            Self::Integer(number) => number.fmt(f),
            Self::Float(number) => number.fmt(f),
            Self::Text(text) => f.pad(text),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
        }
    }
}

impl Cell {
    fn of(value: ValueRef) -> Self {
        match value {
            ValueRef::Null => Self::Nothing,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Float(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}

/// The database.
pub struct Database {
    connection: Connection,
    limits: Limits,
    steps: Arc<AtomicU64>,
    /// What the statement under way reads; nothing while tables are filled.
    read: Arc<Mutex<Option<BTreeSet<String>>>>,
}

/// So many steps pass between two looks at the limits.
const PACE: i32 = 100_000;
/// The longest text that a query may make.
const LONGEST: i32 = 256 << 20;

fn failed(error: &rusqlite::Error) -> Error {
    match error {
        rusqlite::Error::SqliteFailure(error, _) | rusqlite::Error::SqlInputError { error, .. }
            if error.code == ErrorCode::AuthorizationForStatementDenied =>
        {
            issues::not_a_question()
        }
        rusqlite::Error::SqlInputError { msg, .. } => issues::failed(msg),
        rusqlite::Error::MultipleStatement => issues::not_a_question(),
        other => issues::failed(&other.to_string()),
    }
}

impl Database {
    /// Makes the tables, empty, in a temporary file that nobody else sees.
    pub fn new(limits: Limits) -> Result<Self> {
        let made = || -> rusqlite::Result<Connection> {
            let connection = Connection::open("")?;
            connection.pragma_update(None, "journal_mode", "off")?;
            connection.pragma_update(None, "synchronous", "off")?;
            connection.pragma_update(None, "cache_size", -65_536)?;
            connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST)?;
            for shape in SHAPES {
                connection.execute(&shape.make(), [])?;
            }
            Ok(connection)
        };
        let mut database = Self {
            connection: made().map_err(|error| failed(&error))?,
            limits,
            steps: Arc::default(),
            read: Arc::default(),
        };
        database.guard().map_err(|error| failed(&error))?;
        Ok(database)
    }

    /// Lets queries read, and nothing else: no other file, no setting.
    fn guard(&mut self) -> rusqlite::Result<()> {
        let read = Arc::clone(&self.read);
        let decide = move |context: AuthContext| {
            let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(tables) = read.as_mut() else { return Authorization::Allow };
            match context.action {
                AuthAction::Read { table_name, .. } => {
                    tables.insert(table_name.to_owned());
                    Authorization::Allow
                }
                AuthAction::Function { function_name: "load_extension" } => Authorization::Deny,
                AuthAction::Select | AuthAction::Function { .. } | AuthAction::Recursive => {
                    Authorization::Allow
                }
                _ => Authorization::Deny,
            }
        };
        self.connection.authorizer(Some(decide))?;
        let (steps, most, stop) = (Arc::clone(&self.steps), self.limits.steps, Arc::clone(&self.limits.stop));
        let is_over = move || {
            let now = steps.fetch_add(PACE as u64, Ordering::Relaxed) + PACE as u64;
            now > most || stop.load(Ordering::Relaxed)
        };
        self.connection.progress_handler(PACE, Some(is_over))
    }

    /// Says what a query needs, and fails if it is not a question.
    pub fn plan(&mut self, query: &str) -> Result<Plan> {
        let read =
            self.watching(|connection| connection.prepare(query).map(|statement| statement.column_count()))?;
        match read {
            (0, _) => Err(issues::not_a_question()),
            (_, tables) => Ok(Plan::new(query, &tables)),
        }
    }

    /// Does something while what is read is noted and all else refused.
    fn watching<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<(T, BTreeSet<String>)> {
        *self.read.lock().unwrap_or_else(PoisonError::into_inner) = Some(BTreeSet::new());
        let done = work(&self.connection);
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
        match done {
            Ok(answer) => Ok((answer, read)),
            Err(error) => Err(self.told(&error)),
        }
    }

    fn told(&self, error: &rusqlite::Error) -> Error {
        let is_interrupted = error.sqlite_error_code() == Some(rusqlite::ErrorCode::OperationInterrupted);
        if !is_interrupted {
            failed(error)
        } else if self.limits.stop.load(Ordering::Relaxed) {
            issues::stopped()
        } else {
            issues::too_much_work(self.limits.steps)
        }
    }

    /// Fills `nodes` and `facts`.
    pub fn fill_nodes(&mut self, nodes: &[KnownNode]) -> Result<()> {
        self.fill(&NODES, rows::nodes(nodes))?;
        self.fill(&FACTS, rows::facts(nodes))
    }

    /// Fills `answers`.
    pub fn fill_answers(&mut self, table: &Table) -> Result<()> {
        self.check_rows(&ANSWERS, table.sizes().0)?;
        self.fill(&ANSWERS, rows::answers(table))
    }

    /// Fills `leaves`.
    pub fn fill_leaves(&mut self, table: &Table) -> Result<()> {
        self.check_rows(&LEAVES, table.sizes().1)?;
        self.fill(&LEAVES, rows::leaves(table))
    }

    /// Fills `changes`.
    pub fn fill_changes(&mut self, changes: &[Change]) -> Result<()> {
        self.fill(&CHANGES, rows::changes(changes))
    }

    fn check_rows(&self, shape: &Shape, rows: usize) -> Result<()> {
        if rows > self.limits.rows {
            Err(issues::too_many_rows(shape.name, rows, self.limits.rows))
        } else {
            Ok(())
        }
    }

    fn fill<'r>(&mut self, shape: &Shape, rows: impl Iterator<Item = Row<'r>>) -> Result<()> {
        let put = |connection: &Connection| -> rusqlite::Result<usize> {
            let mut count = 0;
            let mut statement = connection.prepare(&shape.insert())?;
            for row in rows {
                count += 1;
                if count > self.limits.rows {
                    break;
                }
                statement.execute(params_from_iter(row))?;
            }
            Ok(count)
        };
        self.connection.execute_batch("begin").map_err(|error| failed(&error))?;
        let count = put(&self.connection).map_err(|error| failed(&error))?;
        self.connection.execute_batch("commit").map_err(|error| failed(&error))?;
        // Filling is not the query's work.
        self.steps.store(0, Ordering::Relaxed);
        self.check_rows(shape, count)
    }

    /// Runs the query, hands out each row, and returns the names of the columns.
    pub fn run(&mut self, query: &str, mut tell: impl FnMut(Vec<Cell>) -> Result<()>) -> Result<Vec<String>> {
        let mut refused = None;
        let (names, _) = self.watching(|connection| {
            let mut statement = connection.prepare(query)?;
            let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let cells = (0..names.len()).map(|index| row.get_ref(index).map(Cell::of));
                if let Err(error) = tell(cells.collect::<rusqlite::Result<_>>()?) {
                    refused = Some(error);
                    break;
                }
            }
            Ok(names)
        })?;
        refused.map_or(Ok(names), Err)
    }
}

impl ToSql for Field<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Nothing => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Number(number) => ToSqlOutput::Borrowed(ValueRef::Integer(i64::from(*number))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str, facts: &str, leaves: &[(&str, &str)]) -> KnownNode {
        KnownNode {
            name: name.into(),
            environment: None,
            seen: None,
            facts: facts.into(),
            leaves: leaves.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect(),
        }
    }

    fn filled(limits: Limits) -> Database {
        let mut database = Database::new(limits).expect("made");
        let nodes = [node("a", "{\"x\":{\"y\":1}}", &[("x.y", "1")]), node("b", "{}", &[])];
        database.fill_nodes(&nodes).expect("filled");
        database
    }

    fn rows(database: &mut Database, query: &str) -> Result<Vec<Vec<String>>> {
        let mut rows = Vec::new();
        database.plan(query)?;
        database.run(query, |row| {
            rows.push(row.iter().map(ToString::to_string).collect());
            Ok(())
        })?;
        Ok(rows)
    }

    #[test]
    fn questions_are_answered_with_what_sqlite_knows_of_json() {
        let mut database = filled(Limits::default());
        let query = "select name, facts->'x'->>'y' from nodes order by name";
        assert_eq!(rows(&mut database, query).expect("answered"), [["a", "1"], ["b", ""]]);
        let plan =
            database.plan("select f.path from nodes n join facts f on f.node = n.name").expect("planned");
        assert!(plan.reads(&NODES) && plan.reads(&FACTS) && !plan.reads(&ANSWERS));
        assert!(database.plan("select count(*) from answers").expect("planned").reads(&ANSWERS));
    }

    #[test]
    fn what_is_no_question_is_refused() {
        for query in [
            "delete from nodes",
            "attach 'x.db' as x",
            "pragma journal_mode",
            "select load_extension('x')",
            "create table t (x)",
            "select 1; select 2",
            "vacuum",
            "",
        ] {
            let error = rows(&mut filled(Limits::default()), query).expect_err(query);
            assert!(["SQL_NO_QUESTION", "SQL_FAILED"].contains(&error.code), "{query}: {error}");
        }
        let error = rows(&mut filled(Limits::default()), "select nowhere from nodes").expect_err("no column");
        assert!(error.to_string().contains("no such column: nowhere"), "{error}");
    }

    #[test]
    fn rows_and_steps_are_bounded() {
        let limits = Limits { rows: 1, ..Limits::default() };
        let nodes = [node("a", "{}", &[]), node("b", "{}", &[])];
        let error = Database::new(limits).expect("made").fill_nodes(&nodes).expect_err("too many");
        assert_eq!(error.code, "SQL_TOO_MANY_ROWS");
        let mut database = filled(Limits { steps: 1_000_000, ..Limits::default() });
        let endless =
            "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n";
        let error = rows(&mut database, endless).expect_err("endless");
        assert!(error.to_string().contains("more than 1000000 steps"), "{error}");
    }
}
