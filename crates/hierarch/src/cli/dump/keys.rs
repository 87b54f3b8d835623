//! Which keys a dump asks for: those given, those that match a glob, or all that any node's files hold.

use hierarch_site::{Dump, Environment};
use rayon::prelude::*;

use super::DumpArguments;
use super::form::Answer;
use super::nodes::Nodes;
use crate::cli::failure::Failure;
use crate::cli::star;

/// Finds the keys of each environment.
pub(super) fn find(arguments: &DumpArguments, nodes: &Nodes) -> Result<Vec<Dump<Answer>>, Failure> {
    let wanted = wanted(arguments)?;
    let is_list = !wanted.is_empty() && wanted.iter().all(|key| !key.contains('*'));
    let mut dumps = Vec::new();
    for (index, environment) in nodes.open_environments().into_iter().enumerate() {
        let keys = if is_list { wanted.clone() } else { matching(&wanted, nodes, index, &environment)? };
        dumps.push(Dump::new(environment, keys));
    }
    Ok(dumps)
}

/// Returns the keys and globs of the command line and of the file.
fn wanted(arguments: &DumpArguments) -> Result<Vec<String>, Failure> {
    let mut wanted = arguments.keys.clone();
    if let Some(path) = &arguments.key_file {
        let text = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        wanted.extend(lines.map(str::to_owned));
        if wanted.is_empty() {
            return Err(Failure::new(format!("{} holds no key", path.display())));
        }
    }
    Ok(wanted)
}

fn matching(
    globs: &[String],
    nodes: &Nodes,
    index: usize,
    environment: &Environment,
) -> Result<Vec<String>, Failure> {
    nodes.list.par_iter().filter(|node| node.environment == index).try_for_each(|node| {
        environment.read_data_of(&nodes.find(node)?);
        Ok::<(), Failure>(())
    })?;
    let mut keys = environment.known_keys();
    keys.retain(|key| globs.is_empty() || globs.iter().any(|glob| star::matches(glob, key)));
    Ok(keys)
}
