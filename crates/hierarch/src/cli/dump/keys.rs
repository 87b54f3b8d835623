//! Which keys a dump asks for: those given, those that match a glob, or all that any node's files hold.

use std::collections::{BTreeMap, BTreeSet};

use hierarch_hiera::UnlistedKeys;
use hierarch_site::{Dump, Environment};
use hierarch_source::nearest;
use rayon::prelude::*;

use super::DumpArguments;
use super::form::Answer;
use super::nodes::Nodes;
use crate::cli::failure::Failure;
use crate::cli::issues;
use crate::cli::{input, star};

/// What could not be listed, to be told once.
#[derive(Default)]
pub(super) struct Gaps {
    /// What is broken, by what is said of it.
    pub(super) complaints: BTreeMap<String, Failure>,
    /// What is not listed by its nature, and what fits nothing.
    pub(super) notes: BTreeSet<String>,
    /// Something that was asked for is no key of any node.
    pub(super) has_unmatched: bool,
}

/// Finds the keys of each environment.
pub(super) fn find(
    arguments: &DumpArguments,
    nodes: &Nodes,
    gaps: &mut Gaps,
) -> Result<Vec<Dump<Answer>>, Failure> {
    let wanted = wanted(arguments)?;
    let is_list = !wanted.is_empty() && wanted.iter().all(|key| !key.contains('*'));
    let mut dumps = Vec::new();
    for (index, environment) in nodes.open_environments().into_iter().enumerate() {
        let keys =
            if is_list { wanted.clone() } else { matching(&wanted, nodes, (index, &environment), gaps) };
        dumps.push(Dump::new(environment, keys));
    }
    Ok(dumps)
}

/// Returns the keys and globs of the command line and of the file.
pub(super) fn wanted(arguments: &DumpArguments) -> Result<Vec<String>, Failure> {
    let mut wanted = arguments.keys.clone();
    if let Some(path) = &arguments.key_file {
        if path.to_string_lossy().contains('*') && !path.exists() {
            return Err(issues::glob_for_a_file_of_keys(&path.to_string_lossy()));
        }
        let text = input::text(path)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        wanted.extend(lines.map(str::to_owned));
        if wanted.is_empty() {
            return Err(issues::no_key_in(path));
        }
    }
    Ok(wanted)
}

fn matching(
    globs: &[String],
    nodes: &Nodes,
    (index, environment): (usize, &Environment),
    gaps: &mut Gaps,
) -> Vec<String> {
    let asked = nodes.list.par_iter().filter(|node| node.environment == index);
    // A node of which nothing is known is told of when it is asked for its keys.
    let unlisted: Vec<UnlistedKeys> = asked
        .filter_map(|node| nodes.find(node).ok())
        .flat_map_iter(|node| environment.read_data_of(&node))
        .collect();
    unlisted.iter().for_each(|gap| gaps.add(gap, environment));
    let mut keys = environment.known_keys();
    keys.retain(|key| globs.is_empty() || globs.iter().any(|glob| star::matches(glob, key)));
    keys
}

impl Gaps {
    /// Notes the keys and globs that fit no key. Where a name without `*` has any answer, a function may have given it.
    pub(super) fn note_unmatched(&mut self, wanted: &[String], dumps: &[Dump<Answer>], are_any: bool) {
        let known: BTreeSet<String> = dumps.iter().flat_map(|dump| dump.environment().known_keys()).collect();
        for glob in wanted {
            let is_certain = glob.contains('*') || !are_any;
            if is_certain && !known.iter().any(|key| star::matches(glob, key)) {
                let near = nearest(glob, known.iter().map(String::as_str));
                self.notes.insert(issues::fits_no_key(glob, &near));
                self.has_unmatched = true;
            }
        }
    }

    /// Notes what cannot be listed.
    fn add(&mut self, gap: &UnlistedKeys, environment: &Environment) {
        match gap {
            UnlistedKeys::Broken(error) => {
                let text = environment.shown_text(&error.to_string());
                self.complaints.entry(text.clone()).or_insert_with(|| Failure::of(text, error));
            }
            UnlistedKeys::Function { level, function } => {
                self.notes.insert(issues::unlisted_keys(level, function));
            }
        }
    }
}
