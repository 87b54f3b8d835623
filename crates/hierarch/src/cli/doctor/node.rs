//! What the catalog of one node is made of.

use std::path::{Path, PathBuf};

use super::super::arguments::NodeArguments;
use super::super::failure::Failure;
use super::super::language::{STACK, on_large_stack};
use super::{DoctorArguments, Finding, Obstacle, repository};

/// Lists the files of the classes and defined types in a node's catalog, with what else always counts: the environment's
/// manifests, hierarchies, templates and functions. Where the catalog cannot be compiled, that is a finding, and everything counts.
pub(super) fn places(
    arguments: &DoctorArguments,
    name: &str,
    modules: &[(String, String)],
) -> Result<(Vec<PathBuf>, Option<Finding>), Failure> {
    let node = NodeArguments { node: Some(name.to_owned()), facts: arguments.facts.clone() };
    let site = &arguments.site;
    let builder = site.builder()?.with_limits(site.limits().with_stack_of(STACK));
    let site = node.add_to(arguments.stand_ins.add_to(builder)?)?.build();
    let node = node.find_trusted(&site)?;
    let environment = node.environment().folder().map(Path::to_path_buf);
    let catalog = match on_large_stack(|| node.compile())? {
        Ok(catalog) => catalog,
        Err(error) => {
            let diagnostic = error.into_diagnostic();
            let file = diagnostic.file().unwrap_or_default().to_owned();
            let finding =
                Finding { obstacle: Obstacle::NoCatalog, subject: name.to_owned(), diagnostic, file };
            return Ok((repository(environment.as_deref(), modules), Some(finding)));
        }
    };
    let classes = catalog.classes.iter().map(|class| class.to_string());
    let types = catalog.resources.iter().map(|resource| resource.type_name.to_lowercase().to_string());
    let mut names: Vec<String> = classes.chain(types).collect();
    names.sort_unstable();
    names.dedup();
    let mut places = repository(environment.as_deref(), &[]);
    places.extend(names.iter().filter_map(|name| file_of(name, modules)));
    let used =
        |module: &&(String, String)| names.iter().any(|name| name.split("::").next() == Some(&module.0));
    for (_, folder) in modules.iter().filter(used) {
        let always =
            ["functions", "types", "templates", "hiera.yaml"].map(|part| Path::new(folder).join(part));
        places.extend(always.into_iter().filter(|place| place.exists()));
    }
    Ok((places, None))
}

/// Returns the file that a class or defined type stands in.
fn file_of(name: &str, modules: &[(String, String)]) -> Option<PathBuf> {
    let (module, rest) = name.split_once("::").unwrap_or((name, "init"));
    let (_, folder) = modules.iter().find(|(known, _)| known == module)?;
    let file = Path::new(folder).join("manifests").join(format!("{}.pp", rest.replace("::", "/")));
    file.is_file().then_some(file)
}
