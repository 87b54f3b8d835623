//! `hierarch sql QUERY`: small questions in SQL, over what the nodes answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_fleet::{
    Fleet, KnownKeys, NodeSet, Reason, Table, UnansweredNode, fact_leaves, known_keys, table,
};
use hierarch_pcore::{Hash, Value};
use hierarch_site::Site;
use hierarch_source::Error;
use hierarch_sql::{ANSWERS, CHANGES, Cell, Database, FACTS, KnownNode, LEAVES, Limits, NODES, Narrow, Plan};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::issues;
use super::super::report::{error_line, print_text};
use super::form::csv_field;
use super::nodes::{
    NodesArguments, ask, interrupts, is_nobody_asked, print_warnings, show_places, unanswered_text,
};

#[derive(Args)]
pub(crate) struct SqlArguments {
    /// One `select` in SQLite's SQL over nodes(name, environment, seen, facts), facts(node, path, value),
    /// answers(node, key, value, type, strategy, file, line), leaves(node, key, path, value, file, line, column) and
    /// changes(node, key, kind, old, new, file, line, proof); values are JSON, as text: to compare numbers, take them out with
    /// `value ->> '$'`. What `where` names of `node` and `key` with =, in,
    /// like or glob is all that is looked up
    #[arg(value_name = "QUERY")]
    query: String,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// Fill the table `changes` with what differs between revisions, as `impact` says
    #[cfg(feature = "git")]
    #[arg(long, value_name = "REV | A..B | A...B")]
    impact: Option<String>,
    /// How many rows each table and the answer may have
    #[arg(long, value_name = "N", default_value_t = Limits::default().rows)]
    max_rows: usize,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Columns
    Text,
    /// One object
    Json,
    /// An object a line
    Jsonl,
    /// Comma-separated values
    Csv,
}

fn failed(error: Error) -> Failure {
    Failure::from(error)
}

pub(crate) fn run(arguments: &SqlArguments) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    // The flag is for steps of any kind: of SQLite's machine, and of programs that data come from.
    let steps = arguments.site.work_limits.max_steps.unwrap_or(Limits::default().steps);
    let limits = Limits { rows: arguments.max_rows, steps, stop: interrupts() };
    let mut database = Database::new(limits).map_err(failed)?;
    // A malformed query is told before anything is looked up.
    let plan = database.plan(&arguments.query).map_err(failed)?;
    let site = arguments.nodes.open(&arguments.site)?;
    let mut nodes = arguments.nodes.read(&arguments.site, &site)?;
    let asked = nodes.len();
    nodes.retain(|name| plan.nodes.wants(name));
    let mut unanswered = Vec::new();
    arguments.fill(&mut database, &plan, (&site, &nodes), &mut unanswered)?;
    print(arguments, &mut database)?;
    print_warnings(&site, &nodes, arguments.nodes.compile);
    if !unanswered.is_empty() {
        error_line(unanswered_text(&unanswered, asked).trim_start().trim_end());
        show_places(&unanswered);
    }
    let is_whole = unanswered.is_empty() || !arguments.nodes.fail_on_unanswered;
    Ok(if is_whole && !is_nobody_asked(&unanswered, nodes.len()) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

impl SqlArguments {
    /// Fills the tables that the query reads.
    fn fill(
        &self,
        database: &mut Database,
        plan: &Plan,
        (site, nodes): (&Site, &NodeSet),
        unanswered: &mut Vec<UnansweredNode>,
    ) -> Result<(), Failure> {
        if plan.reads(&NODES) || plan.reads(&FACTS) {
            let known = self.known((site, nodes), unanswered)?;
            database.fill_nodes(&known).map_err(failed)?;
        }
        if plan.reads(&ANSWERS) || plan.reads(&LEAVES) {
            let answers = self.answers(plan, (site, nodes), unanswered)?;
            unanswered.extend(answers.unanswered.iter().cloned());
            if plan.reads(&ANSWERS) {
                database.fill_answers(&answers).map_err(failed)?;
            }
            if plan.reads(&LEAVES) {
                database.fill_leaves(&answers).map_err(failed)?;
            }
        }
        if plan.reads(&CHANGES) {
            let changes = self.changes(nodes)?;
            database.fill_changes(&changes).map_err(failed)?;
        }
        Ok(())
    }

    #[cfg(feature = "git")]
    fn changes(&self, nodes: &NodeSet) -> Result<Vec<hierarch_sql::Change>, Failure> {
        let range = self.impact.as_deref().ok_or_else(issues::changes_need_impact)?;
        super::impact::changes_of(&self.site, range, nodes)
    }

    #[cfg(not(feature = "git"))]
    fn changes(&self, _: &NodeSet) -> Result<Vec<hierarch_sql::Change>, Failure> {
        Err(issues::without_feature("the table changes", "git"))
    }

    fn answers(
        &self,
        plan: &Plan,
        (site, nodes): (&Site, &NodeSet),
        unanswered: &mut Vec<UnansweredNode>,
    ) -> Result<Table, Failure> {
        let compiles = self.nodes.compile;
        let known = keys(&plan.keys, |question| ask(site, nodes, compiles, question));
        unanswered.extend(known.unanswered);
        let keys: Vec<String> = known.keys.into_iter().collect();
        let most = nodes.len().saturating_mul(keys.len());
        if plan.reads(&ANSWERS) && most > self.max_rows {
            return Err(failed(hierarch_sql::issues::too_many_rows(ANSWERS.name, most, self.max_rows)));
        }
        Ok(ask(site, nodes, compiles, |fleet| table(fleet, keys)))
    }

    fn known(
        &self,
        (site, nodes): (&Site, &NodeSet),
        unanswered: &mut Vec<UnansweredNode>,
    ) -> Result<Vec<KnownNode>, Failure> {
        let seen = self.nodes.seen(site)?;
        Ok(known_nodes(nodes, &seen, unanswered))
    }
}

/// Reads the facts of all nodes.
pub(crate) fn known_nodes(
    nodes: &NodeSet,
    seen: &BTreeMap<String, String>,
    unanswered: &mut Vec<UnansweredNode>,
) -> Vec<KnownNode> {
    let mut known = Vec::new();
    for name in nodes.names() {
        match nodes.find(name) {
            Some(Ok(found)) => known.push(KnownNode {
                name: name.to_owned(),
                environment: found.environment,
                seen: seen.get(name).cloned(),
                leaves: fact_leaves(&found.facts),
                facts: Value::hash(found.facts).to_json(),
            }),
            Some(Err(error)) => {
                let reason =
                    Reason { words: error.to_string(), place: error.shown_place().cloned(), is_stop: false };
                unanswered.push(UnansweredNode { node: name.to_owned(), reason });
            }
            None => {}
        }
    }
    known
}

/// Returns the keys that are looked up: those that are named, or all that match.
fn keys(wanted: &Narrow, with: impl FnOnce(fn(&Fleet) -> KnownKeys) -> KnownKeys) -> KnownKeys {
    if let Some(names) = wanted.names() {
        return KnownKeys { keys: names.into_iter().collect(), unanswered: Vec::new() };
    }
    let mut known = with(known_keys);
    known.keys.retain(|key| wanted.wants(key));
    known
}

/// Runs the query and prints its rows.
fn print(arguments: &SqlArguments, database: &mut Database) -> Result<(), Failure> {
    let (query, most) = (&arguments.query, arguments.max_rows);
    let mut rows = Vec::new();
    let columns = database
        .run(query, |row| {
            if rows.len() >= most {
                return Err(hierarch_sql::issues::too_many_rows("of the answer", most + 1, most));
            }
            rows.push(row);
            Ok(())
        })
        .map_err(failed)?;
    match arguments.render_as {
        Form::Text => print_text(&text(&columns, &rows)),
        Form::Json => print_text(&format!("{}\n", object(&columns, &rows).to_json())),
        Form::Jsonl => lines(rows.iter().map(|row| Value::hash(fields(&columns, row)).to_json())),
        Form::Csv => {
            let head: Vec<String> = columns.iter().map(|name| csv_field(name)).collect();
            let line = |row: &Vec<Cell>| {
                row.iter().map(|cell| csv_field(&cell.to_string())).collect::<Vec<_>>().join(",")
            };
            lines([head.join(",")].into_iter().chain(rows.iter().map(line)))
        }
    }
}

fn lines(lines: impl Iterator<Item = String>) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

fn object(columns: &[String], rows: &[Vec<Cell>]) -> Value {
    let names = columns.iter().map(|name| Value::from(name.as_str())).collect();
    let row = |row: &Vec<Cell>| Value::array(row.iter().map(value).collect());
    let parts = [
        ("format", Value::from("hierarch.sql/1")),
        ("columns", Value::array(names)),
        ("rows", Value::array(rows.iter().map(row).collect())),
    ];
    Value::hash(parts.into_iter().collect())
}

fn fields(columns: &[String], row: &[Cell]) -> Hash {
    columns.iter().zip(row).map(|(name, cell)| (Value::from(name.as_str()), value(cell))).collect()
}

fn value(cell: &Cell) -> Value {
    match cell {
        Cell::Nothing => Value::Undef,
        Cell::Integer(number) => Value::from(*number),
        // JSON has no word for what is not finite.
        Cell::Float(number) if !number.is_finite() => Value::from(number.to_string()),
        Cell::Float(number) => Value::from(*number),
        Cell::Text(text) => Value::from(text.as_str()),
        Cell::Bytes(_) => Value::from(cell.to_string()),
    }
}

/// Returns rows in columns, numbers to the right.
fn text(columns: &[String], rows: &[Vec<Cell>]) -> String {
    let shown: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(one_line).collect()).collect();
    let width = |index: usize| {
        let cells = shown.iter().filter_map(|row| row.get(index));
        cells.chain(columns.get(index)).map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let mut out = padded(columns.iter().map(|name| (name.as_str(), false)), &widths);
    for (row, cells) in shown.iter().zip(rows) {
        let is_number = |cell: &Cell| matches!(cell, Cell::Integer(_) | Cell::Float(_));
        let cells = row.iter().zip(cells).map(|(text, cell)| (text.as_str(), is_number(cell)));
        out.push_str(&padded(cells, &widths));
    }
    out
}

fn one_line(cell: &Cell) -> String {
    // What a node calls its facts must do nothing to a terminal.
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    cell.to_string().chars().map(shown).collect()
}

fn padded<'c>(cells: impl Iterator<Item = (&'c str, bool)>, widths: &[usize]) -> String {
    let mut line = String::new();
    for ((text, is_number), width) in cells.zip(widths) {
        let _ = if is_number { write!(line, "{text:>width$}  ") } else { write!(line, "{text:width$}  ") };
    }
    format!("{}\n", line.trim_end())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use hierarch_sql::SHAPES;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        sql: SqlArguments,
    }

    #[test]
    fn help_lists_all_tables_with_their_columns() {
        let help = Line::command().render_long_help().to_string();
        let words: Vec<&str> = help.split_whitespace().collect();
        let help = words.join(" ");
        for shape in SHAPES {
            let columns: Vec<&str> = shape.columns.iter().map(|column| column.name).collect();
            let table = format!("{}({})", shape.name, columns.join(", "));
            assert!(help.contains(&table), "{table} in {help}");
        }
    }

    #[test]
    fn text_stands_in_columns() {
        let columns = ["value".to_owned(), "n".to_owned()];
        let rows =
            [vec![Cell::Text("[\"a\"]".into()), Cell::Integer(12)], vec![Cell::Nothing, Cell::Integer(3)]];
        assert_eq!(text(&columns, &rows), "value  n\n[\"a\"]  12\n        3\n");
    }
}
