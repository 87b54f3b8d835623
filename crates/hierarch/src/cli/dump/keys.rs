//! Which keys a dump asks for: those given, those that match a glob, or all that any node's files hold.

use hierarch_hiera::Survey;
use rayon::prelude::*;

use super::nodes::Nodes;
use super::{Asked, DumpArguments, Ground};
use crate::cli::failure::Failure;
use crate::cli::star;

/// Finds the keys of each environment.
pub(super) fn find(arguments: &DumpArguments, nodes: &Nodes, grounds: &mut [Ground]) -> Result<(), Failure> {
    let wanted = wanted(arguments)?;
    let is_list = !wanted.is_empty() && wanted.iter().all(|key| !key.contains('*'));
    for (index, ground) in grounds.iter_mut().enumerate() {
        let keys = if is_list { wanted.clone() } else { matching(&wanted, nodes, index, ground)? };
        ground.keys = keys.into_iter().map(|key| Asked { key, survey: Survey::new() }).collect();
    }
    Ok(())
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
    environment: usize,
    ground: &Ground,
) -> Result<Vec<String>, Failure> {
    let hiera = ground.language.hiera();
    let modules: Vec<String> =
        hiera.environment().modules(hiera.files()).into_iter().map(|(name, _)| name).collect();
    nodes.list.par_iter().filter(|node| node.environment == environment).try_for_each(|node| {
        let scope = node.scope(hiera)?;
        hiera.session(&scope).read_all(&modules);
        Ok::<(), Failure>(())
    })?;
    let (_, mut keys) = hiera.known_keys();
    keys.retain(|key| {
        key != "lookup_options" && (globs.is_empty() || globs.iter().any(|glob| star::matches(glob, key)))
    });
    Ok(keys)
}
