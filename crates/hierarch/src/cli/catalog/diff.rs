//! `hierarch catalog diff A B`: what a change does to nodes.
//!
//! Each side is a catalog file, a folder with one per node, a control repository, or a revision of the one around the
//! current folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use hierarch_source::unified;
use serde_json::{Map, Value as Json};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::input;
use super::super::report::{print, warning_line};
use super::super::ruby::StandInArguments;
use super::compare::{ChangedResource, Difference, Resource, Rules, compare};
use super::side::{Given, Side};
use crate::cli::issues;

#[derive(Args)]
pub(crate) struct DiffArguments {
    /// Before: a catalog, a folder with a catalog per node, a control repository, or a git revision
    old: String,
    /// After
    new: String,
    /// The node; otherwise all that folders have catalogs or facts of are compared
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// The node's facts: a YAML or JSON file, or a folder with a file per node
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    stand_ins: StandInArguments,
    /// Pass over resources and parameters: `Type`, `Type[title]`, `Type[title]/parameter`, with `*`
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<String>,
    /// Compare tags too
    #[arg(long)]
    tags: bool,
    /// Show the values of sensitive parameters, and decrypted ones
    #[arg(long, alias = "reveal")]
    show_secrets: bool,
    /// Print nothing; the exit code says whether there are differences
    #[arg(long, short)]
    quiet: bool,
    /// How to print differences
    #[arg(long = "render-as", alias = "format", value_enum, default_value = "text")]
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
    arguments.site.refuse_at("catalog diff")?;
    let (old, new) = (Side::find(&arguments.old)?, Side::find(&arguments.new)?);
    let (mut differences, mut failures) = (Vec::new(), Vec::new());
    let nodes = nodes(arguments, &old, &new)?;
    let is_alone = nodes.len() == 1;
    for node in nodes {
        match difference(arguments, node.as_deref(), (&old, &new), &rules) {
            Ok(difference) => differences.push((node, difference)),
            Err(failure) if is_alone => return Err(failure),
            // The others are compared nevertheless.
            Err(failure) => failures.push(failure),
        }
    }
    match arguments.format {
        _ if arguments.quiet => {}
        Format::Json => print(&format_args!("{:#}", for_tools(&differences)))?,
        Format::Text => {
            for (node, difference) in &differences {
                print_text(node.as_deref(), difference)?;
            }
            print_text_of(&summary(&differences))?;
        }
    }
    if !arguments.quiet {
        warn_of_hidden(&differences);
    }
    if !failures.is_empty() {
        failures.iter().for_each(|failure| {
            failure.end();
        });
        return Ok(ExitCode::FAILURE);
    }
    let same = differences.iter().all(|(_, difference)| difference.is_empty());
    Ok(ExitCode::from(if same { 0 } else { DIFFERENT }))
}

/// Says where all is hidden, and why: each reason once.
fn warn_of_hidden(differences: &[(Option<String>, Difference)]) {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, difference) in differences.iter().filter(|(_, difference)| !difference.is_empty()) {
        difference.hidden_because.iter().for_each(|why| *reasons.entry(why).or_default() += 1);
    }
    for (why, count) in reasons {
        warning_line(&issues::all_hidden(count, why));
    }
}

/// Compares the catalogs of one node.
fn difference(
    arguments: &DiffArguments,
    node: Option<&str>,
    (old, new): (&Side, &Side),
    rules: &Rules,
) -> Result<Difference, Failure> {
    let given = Given {
        site: &arguments.site,
        stand_ins: &arguments.stand_ins,
        facts: arguments.facts.as_deref(),
        shows_secrets: arguments.show_secrets,
    };
    let catalog = |side: &Side| side.catalog(node, &given);
    compare(&catalog(old)?, &catalog(new)?, rules).map_err(|why| Failure::told(&why))
}

/// Lists the nodes to compare: the one that is asked for, all that folders have, or the one whose catalog is given.
fn nodes(arguments: &DiffArguments, old: &Side, new: &Side) -> Result<Vec<Option<String>>, Failure> {
    if let Some(node) = &arguments.node {
        return Ok(vec![Some(node.clone())]);
    }
    let mut names: BTreeSet<String> = BTreeSet::new();
    for side in [old, new] {
        names.extend(side.nodes()?);
    }
    if old.must_be_compiled() || new.must_be_compiled() {
        match &arguments.facts {
            Some(folder) if folder.is_dir() => {
                names.extend(input::nodes_of(folder, &["yaml", "yml", "json"])?);
            }
            _ => return Err(issues::no_node_to_compile()),
        }
    }
    match (old, new) {
        (Side::File(_), Side::File(_)) => Ok(vec![None]),
        _ if names.is_empty() => Err(issues::no_catalogs()),
        _ => Ok(names.into_iter().map(Some).collect()),
    }
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
    text.push_str(&counts(&[difference]));
    print_text_of(&text)
}

fn print_text_of(text: &str) -> Result<(), Failure> {
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

/// Counts what differs over all nodes, where there are several.
fn summary(differences: &[(Option<String>, Difference)]) -> String {
    let all = differences.iter().map(|(_, difference)| difference);
    let different: Vec<&Difference> = all.filter(|difference| !difference.is_empty()).collect();
    if differences.len() < 2 || different.is_empty() {
        return String::new();
    }
    format!("{} of {} nodes differ; {}", different.len(), differences.len(), counts(&different))
}

fn counts(differences: &[&Difference]) -> String {
    let sum =
        |of: fn(&Difference) -> usize| differences.iter().map(|difference| of(difference)).sum::<usize>();
    format!(
        "resources: {} added, {} removed, {} changed\n",
        sum(|difference| difference.added.len()),
        sum(|difference| difference.removed.len()),
        sum(|difference| difference.changed.len())
    )
}

fn whole(text: &mut String, sign: &str, colour: &str, resource: &Resource) {
    let place = place(resource.place.as_deref());
    let _ = writeln!(text, "{colour}{sign} {}{PLAIN}{place}", resource.name);
    for (name, value) in &resource.parameters {
        let _ = writeln!(text, "{colour}{sign}   {name} => {value}{PLAIN}");
    }
}

fn parts(text: &mut String, changed: &ChangedResource) {
    let _ = match (&changed.old_place, &changed.new_place) {
        (Some(old), Some(new)) if is_moved(old, new) => {
            writeln!(text, "{YELLOW}~ {}{PLAIN} ({old}, now {new})", changed.name)
        }
        (old, new) => {
            let place = place(new.as_deref().or(old.as_deref()));
            writeln!(text, "{YELLOW}~ {}{PLAIN}{place}", changed.name)
        }
    };
    for (name, (old, new)) in &changed.parameters {
        if let (Some(Json::String(old)), Some(Json::String(new))) = (old, new)
            && old.contains('\n')
            && new.contains('\n')
        {
            lines(text, name, old, new);
            continue;
        }
        if let Some(old) = old {
            let _ = writeln!(text, "{RED}-   {name} => {old}{PLAIN}");
        }
        if let Some(new) = new {
            let _ = writeln!(text, "{GREEN}+   {name} => {new}{PLAIN}");
        }
    }
}

/// Shows the lines of a long text that differ, with some around them.
fn lines(text: &mut String, name: &str, old: &str, new: &str) {
    let _ = writeln!(text, "    {name} =>");
    for line in unified::diff(name, old, new).lines().skip(2) {
        let colour = match line.as_bytes().first() {
            Some(b'-') => RED,
            Some(b'+') => GREEN,
            _ => "",
        };
        let _ = writeln!(text, "{colour}      {line}{PLAIN}");
    }
}

/// How many names at the end of a path tell files apart that stand in copies of one repository.
const TELLING: usize = 3;

/// Tells whether a resource is declared in another file. Another line is not a move: something above it grew, and neither is
/// another copy of the repository.
fn is_moved(old: &str, new: &str) -> bool {
    fn file(place: &str) -> Vec<&str> {
        let file = place.rsplit_once(':').map_or(place, |(file, _)| file);
        file.rsplit('/').take(TELLING).collect()
    }
    file(old) != file(new)
}

fn place(place: Option<&str>) -> String {
    place.map_or_else(String::new, |place| format!(" ({place})"))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_resource_moves_only_to_another_file() {
        for (old, new, expected) in [
            ("/a/site/p/manifests/web.pp:3", "/b/site/p/manifests/web.pp:9", false),
            ("site.pp:1", "site.pp:2", false),
            ("/a/m/manifests/x.pp:1", "/a/m/manifests/y.pp:1", true),
            ("/a/m/manifests/x.pp:1", "/a/n/manifests/x.pp:1", true),
        ] {
            assert_eq!(is_moved(old, new), expected, "{old} {new}");
        }
    }

    #[test]
    fn long_texts_show_the_lines_that_differ() {
        let value = |text: &str| Some(Json::String(text.to_owned()));
        let long: String = (0..40).map(|line| format!("line {line}\n")).collect();
        let parameters = BTreeMap::from([(
            "content".to_owned(),
            (value(&long), value(&long.replace("line 20\n", "other\n"))),
        )]);
        let changed =
            ChangedResource { name: "File[/a]".to_owned(), parameters, old_place: None, new_place: None };
        let mut text = String::new();
        parts(&mut text, &changed);
        assert!(text.contains("-line 20") && text.contains("+other") && !text.contains("line 3\n"), "{text}");
    }
}
