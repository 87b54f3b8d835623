//! `hierarch set`: writes a key into the right data file and leaves the rest of it as it is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hierarch_hiera::{DataPlace, Key};
use hierarch_source::{FileChange, Source};
use hierarch_yaml::{
    Change, Data, Dialect, Limits, NodeId, Tree, change_at, document, edit, insert_at, read,
};

use super::arguments::{NodeArguments, SiteArguments, puppets};
use super::failure::Failure;
use super::saving::save_files;

#[derive(Args)]
pub(crate) struct SetArguments {
    /// The key
    key: String,
    /// The value, read as YAML
    #[arg(allow_hyphen_values = true)]
    value: String,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// The level of the hierarchy to write to; the first that has the key, or else the first, if not given
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: &SetArguments) -> Result<ExitCode, Failure> {
    let site = arguments.node.open(&arguments.site)?;
    let node = arguments.node.find(&site)?;
    let key = Key::new(&arguments.key).map_err(|error| puppets(&error))?;
    let places =
        node.environment().hiera().session(node.scope()).places(&key).map_err(|error| puppets(&error))?;
    let wanted = |level: &str| arguments.level.as_deref().is_none_or(|name| name == level);
    let mut fitting: Vec<_> = places.iter().filter(|place| wanted(&place.level)).collect();
    // Without a name, the file that decides now is the one to change.
    fitting.sort_by_key(|place| (!place.has_key, arguments.level.is_none() && !place.exists));
    let Some(place) = fitting.first() else {
        return Err(no_place(arguments.level.as_deref(), &places));
    };
    let path = PathBuf::from(&place.path);
    let old = if place.exists { read_text(&path)? } else { String::new() };
    let new = changed(&path, &old, &key, &arguments.value)?;
    let encrypted = |text: &str| text.matches("ENC[").count();
    if encrypted(&new) < encrypted(&old) {
        return Err(Failure::new(format!(
            "{} is encrypted in {}: change it with hierarch eyaml edit, or give a value that hierarch eyaml encrypt made",
            arguments.key,
            path.display()
        )));
    }
    let mut out = std::io::stdout().lock();
    if arguments.dry_run {
        write_difference(&mut out, &path, &old, &new)?;
    } else {
        let change = if place.exists {
            FileChange::replace(&path, old.as_bytes(), new.as_bytes())
        } else {
            FileChange::create(&path, new.as_bytes())
        };
        save_files(&[change])?;
        writeln!(out, "{}", path.display())?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn no_place(wanted: Option<&str>, places: &[DataPlace]) -> Failure {
    let mut levels: Vec<&str> = places.iter().map(|place| place.level.as_str()).collect();
    levels.dedup();
    let levels = if levels.is_empty() { "none".to_owned() } else { levels.join(", ") };
    let missing = wanted.map_or_else(|| "no level".to_owned(), |name| format!("no level {name}"));
    Failure::new(format!("there is {missing} with YAML files to write to; those with YAML files: {levels}"))
}

fn changed(path: &Path, old: &str, key: &Key, value: &str) -> Result<String, Failure> {
    let failure = |error: hierarch_source::Error| Failure::new(error.to_string());
    let value = Source::unnamed(value);
    let tree = read(&value, Dialect::Psych, Limits::default()).map_err(failure)?;
    let data = match tree.root() {
        Some(root) => tree.data(root, Limits::default()).map_err(failure)?,
        None => Data::NULL,
    };
    let path_in: Vec<String> = std::iter::once(key.root().to_owned())
        .chain(key.segments().iter().map(ToString::to_string))
        .collect();
    let source = Source::new(path.display().to_string(), old);
    let tree = read(&source, Dialect::Psych, Limits::default()).map_err(failure)?;
    let parts: Vec<&str> = path_in.iter().map(String::as_str).collect();
    let Some(root) = tree.root().filter(|_| !old.trim().is_empty()) else {
        let nested = parts.iter().rev().fold(data, |inner, part| Data::Map(vec![(Data::text(*part), inner)]));
        return Ok(document(
            &nested,
            &hierarch_yaml::Layout { dialect: Dialect::Psych, ..Default::default() },
        ));
    };
    let change = change_at(&tree, root, &parts, Change::Set(data.clone()))
        .or_else(|error| added(&tree, root, &parts, &data).ok_or(error))
        .map_err(failure)?;
    edit(&tree, root, &change).map_err(failure)
}

fn nested(parts: &[&str], data: Data) -> Data {
    parts.iter().rev().fold(data, |inner, part| Data::Map(vec![(Data::text(*part), inner)]))
}

/// Adds what is missing of a path below what is there.
fn added(tree: &Tree, root: NodeId, parts: &[&str], data: &Data) -> Option<Change> {
    (1..=parts.len())
        .rev()
        .find_map(|depth| insert_at(tree, root, &parts[..depth], nested(&parts[depth..], data.clone())).ok())
}

fn write_difference(out: &mut impl Write, path: &Path, old: &str, new: &str) -> Result<(), Failure> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let tail = old[same..].iter().rev().zip(new[same..].iter().rev()).take_while(|(a, b)| a == b).count();
    writeln!(out, "--- {0}\n+++ {0}\n@@ line {1} @@", path.display(), same + 1)?;
    for line in &old[same..old.len() - tail] {
        writeln!(out, "-{line}")?;
    }
    for line in &new[same..new.len() - tail] {
        writeln!(out, "+{line}")?;
    }
    Ok(())
}

fn read_text(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))
}
