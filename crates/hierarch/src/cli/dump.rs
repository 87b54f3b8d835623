//! `hierarch dump`: all or many keys of one or many nodes.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_hiera::{Hiera, Query, Scope, facts};
use hierarch_pcore::{Hash, Value};
use hierarch_source::DiskFiles;
use rayon::prelude::*;

use super::failure::Failure;
use super::report::{error_line, warning_line};
use super::star;
use super::world::{NodeArguments, WorldArguments, puppets, scope_of};

#[derive(Args)]
pub(crate) struct DumpArguments {
    /// The keys, `*` standing for anything; all if there are none
    #[arg(value_name = "KEY-GLOB")]
    keys: Vec<String>,
    #[command(flatten)]
    world: WorldArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// Many nodes: a folder of fact files named after them, or a list of `{node, facts | facts_file}`
    #[arg(long, value_name = "FILE|FOLDER", conflicts_with = "node")]
    nodes: Option<PathBuf>,
    /// A file with a key a line
    #[arg(long = "keys", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Form::Yaml)]
    render_as: Form,
    /// Show decrypted values
    #[arg(long)]
    show_secrets: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One object
    Json,
    /// One document
    Yaml,
    /// `{node, key, value}` a line
    Jsonl,
    /// `node key value` a line
    S,
}

/// What one node answers, key by key, in the order of the keys.
type Answers = Vec<(String, Value)>;

pub(crate) fn run(arguments: &DumpArguments) -> Result<ExitCode, Failure> {
    let hiera = arguments.world.open()?;
    let nodes = arguments.nodes(&hiera)?;
    let keys = arguments.keys(&hiera, &nodes)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut complaints = Vec::new();
    let mut whole = Hash::new();
    // As many nodes at a time as keeps memory small and all cores busy.
    for some in nodes.chunks(256) {
        let answers: Vec<(Answers, Vec<String>)> =
            some.par_iter().map(|(_, scope)| arguments.ask(&hiera, scope, &keys)).collect();
        for ((name, _), (answers, failed)) in some.iter().zip(answers) {
            complaints.extend(failed.into_iter().map(|why| format!("{name}: {why}")));
            match arguments.render_as {
                Form::Jsonl => write_lines(&mut out, name, &answers)?,
                Form::S => {
                    for (key, value) in &answers {
                        writeln!(out, "{name} {key} {}", value.to_plain())?;
                    }
                }
                Form::Json | Form::Yaml => {
                    whole.insert(name.as_str(), answers.into_iter().collect::<Hash>());
                }
            }
        }
    }
    match arguments.render_as {
        Form::Json => writeln!(out, "{}", Value::hash(whole).to_json())?,
        Form::Yaml => write!(out, "{}", Value::hash(whole).to_yaml())?,
        Form::Jsonl | Form::S => {}
    }
    out.flush()?;
    hiera.log().take().iter().chain(&hiera.log().take_our_own()).for_each(|warning| warning_line(warning));
    for complaint in &complaints {
        error_line(&hiera.without_secrets(complaint));
    }
    Ok(if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write_lines(out: &mut impl Write, name: &str, answers: &Answers) -> Result<(), Failure> {
    let name = Value::from(name).to_json();
    for (key, value) in answers {
        let key = Value::from(key.as_str()).to_json();
        writeln!(out, "{{\"node\":{name},\"key\":{key},\"value\":{}}}", value.to_json())?;
    }
    Ok(())
}

impl DumpArguments {
    fn nodes(&self, hiera: &Hiera) -> Result<Vec<(String, Scope)>, Failure> {
        let Some(path) = &self.nodes else {
            let name = self.node.node.clone().unwrap_or_else(|| "localhost".to_owned());
            return Ok(vec![(name, self.node.scope(hiera)?)]);
        };
        let files = if path.is_dir() { fact_files(path)? } else { listed(path)? };
        let scopes: Result<Vec<_>, Failure> = files
            .into_par_iter()
            .map(|(name, facts)| Ok((name.clone(), scope_of(hiera, name, facts.read()?, None))))
            .collect();
        scopes
    }

    fn keys(&self, hiera: &Hiera, nodes: &[(String, Scope)]) -> Result<Vec<String>, Failure> {
        if let Some(path) = &self.key_file {
            let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
            return Ok(text
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(str::to_owned)
                .collect());
        }
        if !self.keys.is_empty() && self.keys.iter().all(|key| !key.contains('*')) {
            return Ok(self.keys.clone());
        }
        // Asking for any key reads all files of a node's hierarchy.
        for (_, scope) in nodes {
            let names =
                hiera.environment().modules(hiera.files()).into_iter().map(|(name, _)| format!("{name}::"));
            for probe in names.chain(["__global__".to_owned()]) {
                let _ = hiera.session(scope).search(&Query::new([probe]), None);
            }
        }
        let (_, mut keys) = hiera.known_keys();
        keys.retain(|key| {
            key != "lookup_options"
                && (self.keys.is_empty() || self.keys.iter().any(|glob| star::matches(glob, key)))
        });
        Ok(keys)
    }

    fn ask(&self, hiera: &Hiera, scope: &Scope, keys: &[String]) -> (Answers, Vec<String>) {
        let session = hiera.session(scope);
        let (mut answers, mut failed) = (Vec::with_capacity(keys.len()), Vec::new());
        for key in keys {
            // A key is a top-level name here, dots and all.
            let name = if key.contains('.') { format!("'{key}'") } else { key.clone() };
            match session.search(&Query::new([name]), None) {
                Ok(found) => answers.extend(found.into_option().map(|value| {
                    let value = if self.show_secrets { value } else { hiera.value_without_secrets(&value) };
                    (key.clone(), value)
                })),
                Err(error) => failed.push(format!("{key}: {error}")),
            }
        }
        (answers, failed)
    }
}

/// Where the facts of a node are.
enum Facts {
    File(PathBuf),
    Known(Hash),
}

impl Facts {
    fn read(self) -> Result<Hash, Failure> {
        match self {
            Self::Known(facts) => Ok(facts),
            Self::File(path) => {
                facts::read(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))
            }
        }
    }
}

fn fact_files(folder: &Path) -> Result<Vec<(String, Facts)>, Failure> {
    let failure = |error: &std::io::Error| Failure::io("read", folder, error);
    let mut files = HashMap::new();
    for entry in std::fs::read_dir(folder).map_err(|error| failure(&error))? {
        let path = entry.map_err(|error| failure(&error))?.path();
        let is_facts = path.extension().is_some_and(|end| end == "yaml" || end == "yml" || end == "json");
        if let Some(name) = path.file_stem().filter(|_| is_facts) {
            files.insert(name.display().to_string(), path);
        }
    }
    let mut nodes: Vec<(String, Facts)> =
        files.into_iter().map(|(name, path)| (name, Facts::File(path))).collect();
    nodes.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(nodes)
}

fn listed(path: &Path) -> Result<Vec<(String, Facts)>, Failure> {
    let bad = || Failure::new(format!("{} is no list of {{node, facts | facts_file}}", path.display()));
    let list = facts::read_list(&DiskFiles, &path.display().to_string()).map_err(|error| puppets(&error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    list.iter()
        .map(|item| {
            let item = item.as_hash().ok_or_else(bad)?;
            let name = item.get_str("node").and_then(Value::as_str).ok_or_else(bad)?.to_owned();
            let facts = match (item.get_str("facts"), item.get_str("facts_file").and_then(Value::as_str)) {
                (Some(Value::Hash(facts)), _) => Facts::Known((**facts).clone()),
                (_, Some(file)) => Facts::File(folder.join(file)),
                _ => return Err(bad()),
            };
            Ok((name, facts))
        })
        .collect()
}
