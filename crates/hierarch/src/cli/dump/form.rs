//! How a dump is printed: as a table, or as data. An answer is made text once, whoever gives it.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::ValueEnum;
use hierarch_hiera::origin::{Origin, TracedValue};
use hierarch_hiera::{Found, Query, Session};
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Dump, Environment};
use hierarch_source::{Error, Result as Answered};

use super::DumpArguments;
use super::nodes::Nodes;
use crate::cli::failure::Failure;
use crate::cli::issues;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// One object: `{node: {key: value}}`
    Json,
    /// One document
    Yaml,
    /// `{node, key, value}` a line
    Jsonl,
    /// Columns: node, key, strategy, origin, value
    #[value(alias = "s")]
    Table,
    /// The tables `answers`, `leaves` and `facts` as Parquet, into what `-o` names
    Parquet,
}

/// Returns where Parquet goes, if that is asked for.
pub(super) fn target(arguments: &DumpArguments) -> Result<Option<&Path>, Failure> {
    match (arguments.render_as, &arguments.output) {
        (Form::Parquet, Some(target)) => Ok(Some(target)),
        (Form::Parquet, None) => Err(issues::parquet_needs_output()),
        (_, None) => Ok(None),
        (_, Some(_)) => Err(issues::output_needs_parquet()),
    }
}

/// What a node answers to a key.
pub(super) enum Answer {
    /// There is no such key.
    Missing,
    /// The text that is printed for it.
    Text(String),
    /// It cannot be looked up.
    Failed(Error),
}

/// How a run prints.
pub(super) struct Style {
    form: Form,
    has_origin: bool,
    node_width: usize,
    key_width: usize,
    folder: String,
    /// The longest text of a node so far.
    room: AtomicUsize,
}

impl Style {
    pub(super) fn new(arguments: &DumpArguments, nodes: &Nodes, dumps: &[Dump<Answer>]) -> Self {
        let width = |names: &mut dyn Iterator<Item = &str>| names.map(|name| name.chars().count()).max();
        let mut keys = dumps.iter().flat_map(Dump::keys);
        let mut names = nodes.list.iter().map(|node| node.name.as_str());
        let folder = dumps.first().and_then(|dump| dump.environment().folder());
        Self {
            form: arguments.render_as,
            has_origin: arguments.origin || arguments.render_as == Form::Table,
            node_width: width(&mut names).unwrap_or(0).max("NODE".len()),
            key_width: width(&mut keys).unwrap_or(0).max("KEY".len()),
            folder: folder.map_or_else(String::new, |folder| format!("{}/", folder.display())),
            room: AtomicUsize::new(0),
        }
    }

    /// Makes room for texts of this length: what the next nodes answer is about as long.
    pub(super) fn make_room(&self, bytes: usize) {
        self.room.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Returns what stands before all nodes.
    pub(super) fn head(&self) -> String {
        match self.form {
            Form::Json => "{".to_owned(),
            Form::Yaml => "---\n".to_owned(),
            Form::Jsonl | Form::Parquet => String::new(),
            Form::Table => {
                format!("{}{}", cell("NODE", self.node_width), self.row("KEY", "STRATEGY", "ORIGIN", "VALUE"))
            }
        }
    }

    /// Returns what stands between two nodes.
    pub(super) fn between(&self, is_first: bool) -> &'static str {
        if self.form == Form::Json && !is_first { "," } else { "" }
    }

    /// Returns what stands after all nodes.
    pub(super) fn tail(&self, is_empty: bool) -> &'static str {
        match self.form {
            Form::Json => "}\n",
            Form::Yaml if is_empty => "{}\n",
            _ => "",
        }
    }

    /// Begins the answers of a node.
    pub(super) fn node(&self, name: &str) -> Writer {
        let quoted = Value::from(name).to_json();
        let (head, before, between, tail) = match self.form {
            Form::Json => (format!("{quoted}:{{"), String::new(), ",", "}"),
            Form::Yaml => (yaml_key(name), String::new(), "", ""),
            Form::Jsonl => (String::new(), format!("{{\"node\":{quoted},"), "", ""),
            Form::Table | Form::Parquet => (String::new(), cell(name, self.node_width), "", ""),
        };
        let mut out = Vec::with_capacity(self.room.load(Ordering::Relaxed));
        out.extend_from_slice(head.as_bytes());
        let empty = if self.form == Form::Yaml { " {}\n" } else { "" };
        Writer { out, before, between, tail, empty, is_yaml: self.form == Form::Yaml, count: 0 }
    }

    /// Looks a key up for a node and returns the text of the answer.
    pub(super) fn answer(&self, key: &str, session: &Session, environment: &Environment) -> Answered<Answer> {
        // A key is a top-level name here, dots and all.
        let name = if key.contains('.') { format!("'{key}'") } else { key.to_owned() };
        let query = Query::new([name.clone()]);
        if !self.has_origin {
            let found = if environment.may_show_secrets() {
                session.search(&query, None)?
            } else {
                session.search_shown(&query)?
            };
            let Found::Value(value) = found else { return Ok(Answer::Missing) };
            return Ok(Answer::Text(self.text(key, &value, None)));
        }
        let traced = match session.trace(&query) {
            Ok(traced) => traced,
            Err(error) if error.code == hierarch_hiera::issues::NOT_FOUND => return Ok(Answer::Missing),
            Err(error) => return Err(error),
        };
        let strategy = session.strategy(&name)?;
        let value = environment.shown(&traced);
        Ok(Answer::Text(self.text(key, &value, Some((strategy.shown_name(), &traced)))))
    }

    fn text(&self, key: &str, value: &Value, more: Option<(&str, &TracedValue)>) -> String {
        match self.form {
            Form::Table | Form::Parquet => {
                let (strategy, traced) = more.unzip();
                let origin = traced.map_or_else(String::new, |traced| self.place(&traced.origins()));
                self.row(key, strategy.unwrap_or_default(), &origin, &value.to_json())
            }
            Form::Jsonl => {
                let mut line: Hash =
                    [("key", Value::from(key)), ("value", value.clone())].into_iter().collect();
                put_more(&mut line, more);
                // The node is put in front.
                format!("{}\n", &Value::hash(line).to_json()[1..])
            }
            Form::Json => format!("{}:{}", Value::from(key).to_json(), with_more(value, more).to_json()),
            Form::Yaml => {
                let entry: Hash = [(key, with_more(value, more))].into_iter().collect();
                indented(Value::hash(entry).to_yaml().trim_start_matches("---\n"))
            }
        }
    }

    fn row(&self, key: &str, strategy: &str, origin: &str, value: &str) -> String {
        let key = cell(key, self.key_width);
        format!("{key}{strategy:8}  {origin:40}  {value}\n")
    }

    /// Returns the first place, below the environment's folder, and how many there are besides.
    fn place(&self, origins: &[&Origin]) -> String {
        let Some(first) = origins.first() else { return "-".to_owned() };
        let first = first.to_string();
        let short = first.strip_prefix(&self.folder).unwrap_or(&first);
        match origins.len() {
            1 => short.to_owned(),
            count => format!("{short} +{}", count - 1),
        }
    }
}

/// Collects the answers of a node.
pub(super) struct Writer {
    out: Vec<u8>,
    before: String,
    between: &'static str,
    tail: &'static str,
    empty: &'static str,
    is_yaml: bool,
    count: usize,
}

impl Writer {
    /// Adds an answer.
    pub(super) fn add(&mut self, text: &str) {
        if self.count == 0 && self.is_yaml {
            self.out.push(b'\n');
        }
        if self.count > 0 {
            self.out.extend_from_slice(self.between.as_bytes());
        }
        self.out.extend_from_slice(self.before.as_bytes());
        self.out.extend_from_slice(text.as_bytes());
        self.count += 1;
    }

    /// Ends the node and returns all of its text.
    pub(super) fn end(mut self) -> Vec<u8> {
        let end = if self.count == 0 { self.empty } else { "" };
        self.out.extend_from_slice(end.as_bytes());
        self.out.extend_from_slice(self.tail.as_bytes());
        self.out
    }
}

fn cell(text: &str, width: usize) -> String {
    format!("{text:width$}  ")
}

/// Returns a key of a YAML hash with its colon.
fn yaml_key(name: &str) -> String {
    let entry: Hash = [(name, Value::Undef)].into_iter().collect();
    Value::hash(entry).to_yaml().trim_start_matches("---\n").trim_end().to_owned()
}

fn indented(text: &str) -> String {
    text.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("  {line}\n") }).collect()
}

fn with_more(value: &Value, more: Option<(&str, &TracedValue)>) -> Value {
    if more.is_none() {
        return value.clone();
    }
    let mut hash: Hash = [("value", value.clone())].into_iter().collect();
    put_more(&mut hash, more);
    Value::hash(hash)
}

fn put_more(hash: &mut Hash, more: Option<(&str, &TracedValue)>) {
    let Some((strategy, traced)) = more else { return };
    hash.insert("strategy", strategy);
    hash.insert("origin", Value::array(traced.origins().iter().map(|origin| origin.to_value()).collect()));
}
