//! `hierarch catalog diff A B`: what a change does to nodes.
//!
//! Each side is a catalog file, or a folder with one per node.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value as Json};

use super::super::failure::Failure;
use super::super::report::print;
use super::compare::{Changed, Difference, Resource, Rules, compare};

#[derive(Args)]
pub(crate) struct DiffArguments {
    /// The catalog before: a file, or a folder with a catalog per node
    old: PathBuf,
    /// The catalog after
    new: PathBuf,
    /// Look only at this node; of folders, all nodes are compared otherwise
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Pass over resources and parameters: `Type`, `Type[title]`, `Type[title]/parameter`, with `*`
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<String>,
    /// Compare tags too
    #[arg(long)]
    tags: bool,
    /// Show the values of sensitive parameters
    #[arg(long)]
    show_secrets: bool,
    /// How to print differences
    #[arg(long = "render-as", value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Lines for people, in colour on a terminal
    Text,
    /// One object for tools
    Json,
}

/// The exit code for differences, as diff programs have it.
const DIFFERENT: u8 = 2;

pub(crate) fn run(arguments: &DiffArguments) -> Result<ExitCode, Failure> {
    let rules = Rules {
        ignored: arguments.ignore.clone(),
        tags: arguments.tags,
        show_secrets: arguments.show_secrets,
    };
    let nodes = nodes(arguments)?;
    let mut differences = Vec::new();
    for node in nodes {
        let (old, new) =
            (catalog(&arguments.old, node.as_deref())?, catalog(&arguments.new, node.as_deref())?);
        let difference = compare(&old, &new, &rules).map_err(Failure::new)?;
        differences.push((node, difference));
    }
    match arguments.format {
        Format::Json => print(&format_args!("{:#}", for_tools(&differences)))?,
        Format::Text => {
            for (node, difference) in &differences {
                print_text(node.as_deref(), difference)?;
            }
        }
    }
    let same = differences.iter().all(|(_, difference)| difference.is_empty());
    Ok(ExitCode::from(if same { 0 } else { DIFFERENT }))
}

/// Lists the nodes to compare: of two folders all, otherwise the one that is there.
fn nodes(arguments: &DiffArguments) -> Result<Vec<Option<String>>, Failure> {
    for path in [&arguments.old, &arguments.new] {
        if !path.exists() {
            return Err(Failure::new(format!("{} does not exist", path.display())));
        }
    }
    if let Some(node) = &arguments.node {
        return Ok(vec![Some(node.clone())]);
    }
    if !arguments.old.is_dir() && !arguments.new.is_dir() {
        return Ok(vec![None]);
    }
    let mut names = BTreeSet::new();
    for folder in [&arguments.old, &arguments.new].into_iter().filter(|path| path.is_dir()) {
        let files = super::super::input::find(std::slice::from_ref(folder), "json")?.files;
        names.extend(files.iter().filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned())));
    }
    if names.is_empty() {
        return Err(Failure::new("there is no catalog (NODE.json) in these folders"));
    }
    Ok(names.into_iter().map(Some).collect())
}

fn catalog(path: &Path, node: Option<&str>) -> Result<Json, Failure> {
    let file = match node {
        Some(node) if path.is_dir() => path.join(format!("{node}.json")),
        _ => path.to_owned(),
    };
    // A node that only one side knows has nothing on the other.
    if path.is_dir() && !file.exists() {
        return Ok(serde_json::json!({"resources": []}));
    }
    let bytes = std::fs::read(&file).map_err(|error| Failure::io("read", &file, &error))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{} is no JSON: {error}", file.display())))
}

fn for_tools(differences: &[(Option<String>, Difference)]) -> Json {
    match differences {
        [(None, difference)] => difference.to_json(),
        several => {
            let named =
                several.iter().filter_map(|(node, difference)| Some((node.clone()?, difference.to_json())));
            Json::Object(named.collect::<Map<_, _>>())
        }
    }
}

const GREEN: &str = "\u{1b}[32m";
const RED: &str = "\u{1b}[31m";
const YELLOW: &str = "\u{1b}[33m";
const BOLD: &str = "\u{1b}[1m";
const PLAIN: &str = "\u{1b}[0m";

fn print_text(node: Option<&str>, difference: &Difference) -> Result<(), Failure> {
    if difference.is_empty() {
        return Ok(());
    }
    let mut text = String::new();
    if let Some(node) = node {
        let _ = writeln!(text, "{BOLD}{node}{PLAIN}");
    }
    difference.removed.iter().for_each(|resource| whole(&mut text, "-", RED, resource));
    difference.added.iter().for_each(|resource| whole(&mut text, "+", GREEN, resource));
    difference.changed.iter().for_each(|changed| parts(&mut text, changed));
    for (sign, colour, names) in
        [("-", RED, &difference.classes.removed), ("+", GREEN, &difference.classes.added)]
    {
        for name in names {
            let _ = writeln!(text, "{colour}{sign} class {name}{PLAIN}");
        }
    }
    for (sign, colour, edges) in
        [("-", RED, &difference.edges.removed), ("+", GREEN, &difference.edges.added)]
    {
        for (around, inside) in edges {
            let _ = writeln!(text, "{colour}{sign} {inside} in {around}{PLAIN}");
        }
    }
    let (added, removed, changed) =
        (difference.added.len(), difference.removed.len(), difference.changed.len());
    let _ = writeln!(text, "resources: {added} added, {removed} removed, {changed} changed");
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

fn whole(text: &mut String, sign: &str, colour: &str, resource: &Resource) {
    let place = place(resource.place.as_deref());
    let _ = writeln!(text, "{colour}{sign} {}{PLAIN}{place}", resource.name);
    for (name, value) in &resource.parameters {
        let _ = writeln!(text, "{colour}{sign}   {name} => {value}{PLAIN}");
    }
}

fn parts(text: &mut String, changed: &Changed) {
    let _ = match (&changed.old_place, &changed.new_place) {
        (Some(old), Some(new)) if old != new => {
            writeln!(text, "{YELLOW}~ {}{PLAIN} ({old}, now {new})", changed.name)
        }
        (old, new) => {
            let place = place(new.as_deref().or(old.as_deref()));
            writeln!(text, "{YELLOW}~ {}{PLAIN}{place}", changed.name)
        }
    };
    for (name, (old, new)) in &changed.parameters {
        if let Some(old) = old {
            let _ = writeln!(text, "{RED}-   {name} => {old}{PLAIN}");
        }
        if let Some(new) = new {
            let _ = writeln!(text, "{GREEN}+   {name} => {new}{PLAIN}");
        }
    }
}

fn place(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!(" ({place})"))
}
