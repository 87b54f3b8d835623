//! Where the catalogs of one side of a comparison come from.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use hierarch_eval::catalog::Catalog;
#[cfg(feature = "git")]
use hierarch_hiera::environment::control_repository;
#[cfg(feature = "git")]
use hierarch_source::DiskFiles;
use serde_json::{Value as Json, json};

use super::super::arguments::{NodeArguments, SiteArguments};
use super::super::failure::Failure;
#[cfg(feature = "git")]
use super::super::fleet::at::OpenRepository;
use super::super::language::on_large_stack;
use super::super::ruby::StandInArguments;
use super::super::{input, issues};
use super::compare::SECRET_TITLE;
use super::compile::{Manifest, compile};

/// One side of a comparison.
pub(super) enum Side {
    /// A catalog.
    File(PathBuf),
    /// A folder with `NODE.json` for each node.
    Folder(PathBuf),
    /// A control repository.
    Repository(PathBuf),
    /// A revision of the control repository around the current folder, which stands in this folder.
    #[cfg(feature = "git")]
    Revision(String, PathBuf),
}

impl Side {
    /// Finds out what an argument names.
    pub(super) fn find(argument: &str) -> Result<Self, Failure> {
        let path = Path::new(argument);
        if path.exists() && !path.is_dir() {
            return Ok(Self::File(path.to_owned()));
        }
        if path.is_dir() {
            let is_repository =
                ["hiera.yaml", "environment.conf"].iter().any(|name| path.join(name).exists());
            let folder = path.to_owned();
            return Ok(if is_repository { Self::Repository(folder) } else { Self::Folder(folder) });
        }
        Self::revision(argument)
    }

    #[cfg(feature = "git")]
    fn revision(name: &str) -> Result<Self, Failure> {
        let here = std::env::current_dir().map_err(|error| Failure::io("find", Path::new("."), &error))?;
        let repository = control_repository(&DiskFiles, &here.display().to_string());
        let folder = repository.ok_or_else(|| issues::no_side(name, issues::NO_REPOSITORY_AROUND))?;
        let opened = OpenRepository::around(&SiteArguments::around(PathBuf::from(&folder)));
        opened
            .and_then(|opened| opened.revision(name))
            .map_err(|error| issues::no_side(name, &error.to_string()))?;
        Ok(Self::Revision(name.to_owned(), PathBuf::from(folder)))
    }

    #[cfg(not(feature = "git"))]
    fn revision(name: &str) -> Result<Self, Failure> {
        Err(issues::no_side(name, issues::BUILT_WITHOUT_GIT))
    }

    /// Tells whether the catalog is there only once it is compiled.
    pub(super) fn must_be_compiled(&self) -> bool {
        !matches!(self, Self::File(_) | Self::Folder(_))
    }

    /// Lists the nodes whose catalogs are there.
    pub(super) fn nodes(&self) -> Result<Vec<String>, Failure> {
        let Self::Folder(folder) = self else { return Ok(Vec::new()) };
        input::nodes_of(folder, &["json"])
    }

    /// Reads or compiles a catalog.
    pub(super) fn catalog(
        &self,
        node: Option<&str>,
        facts: Option<&Path>,
        (site, stand_ins): (&SiteArguments, &StandInArguments),
    ) -> Result<Json, Failure> {
        match self {
            Self::File(file) => read(file),
            Self::Folder(folder) => {
                let file = folder.join(format!("{}.json", node.unwrap_or_default()));
                // A node that only one side knows has nothing on the other.
                if file.exists() { read(&file) } else { Ok(json!({"resources": []})) }
            }
            Self::Repository(folder) => {
                let catalog = compiled(folder, (node, facts), (site, stand_ins), &str::to_owned)?;
                let whole = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
                Ok(without_folder(catalog, &whole))
            }
            #[cfg(feature = "git")]
            Self::Revision(revision, folder) => {
                let below = format!("{}/", folder.display());
                // As git names a file of a revision.
                let named = |text: &str| text.replace(&below, &format!("{revision}:"));
                stand_ins.refuse_command("catalog diff with a revision")?;
                let site = SiteArguments { at: Some(revision.clone()), ..site.clone() };
                let catalog = compiled(folder, (node, facts), (&site, stand_ins), &named)?;
                Ok(without_folder(catalog, folder))
            }
        }
    }
}

fn read(file: &Path) -> Result<Json, Failure> {
    let bytes = input::bytes(file)?;
    serde_json::from_slice(&bytes).map_err(|error| issues::not_json(&file.display().to_string(), &error))
}

fn compiled(
    repository: &Path,
    (node, facts): (Option<&str>, Option<&Path>),
    (site, stand_ins): (&SiteArguments, &StandInArguments),
    written: &(dyn Fn(&str) -> String + Sync),
) -> Result<Json, Failure> {
    let site = site.in_repository(repository);
    // Facts are found as the user sees them, and otherwise in the repository itself.
    let node = NodeArguments { node: node.map(str::to_owned), facts: facts.map(Path::to_owned) };
    let catalog = on_large_stack(|| compile((&site, stand_ins), &node, &Manifest::OfEnvironment, written))??;
    let catalog = catalog.map_err(|error| issues::of_node(&node.name(), &written(&error.to_string())))?;
    let read = |catalog: &Catalog| {
        serde_json::from_str::<Json>(&catalog.to_json("")).map_err(|error| issues::broken_catalog(&error))
    };
    let (real, shown) = catalog;
    let shown = shown.as_ref().map(read).transpose()?;
    Ok(marking_secrets(read(&real)?, shown.as_ref()))
}

/// Marks parameters that may not be shown as they are as sensitive ones: they are compared, and hidden; and titles likewise.
fn marking_secrets(mut real: Json, shown: Option<&Json>) -> Json {
    let name = |resource: &Json| format!("{}[{}]", resource["type"], resource["title"]);
    let known = shown.and_then(|shown| shown["resources"].as_array()).into_iter().flatten();
    let known: HashMap<String, &Json> = known.map(|resource| (name(resource), resource)).collect();
    let resources = real.get_mut("resources").and_then(Json::as_array_mut);
    for resource in resources.into_iter().flatten() {
        let hidden = known.get(&name(resource));
        // Where nothing compiles without secrets, any title may be made of one.
        if hidden.is_none() {
            resource[SECRET_TITLE] = true.into();
        }
        let mut secret = resource["sensitive_parameters"].as_array().cloned().unwrap_or_default();
        for (name, value) in resource["parameters"].as_object().into_iter().flatten() {
            let is_known = secret.iter().any(|known| known.as_str() == Some(name));
            if !is_known && hidden.and_then(|hidden| hidden["parameters"].get(name)) != Some(value) {
                secret.push(name.as_str().into());
            }
        }
        if !secret.is_empty() {
            resource["sensitive_parameters"] = secret.into();
        }
    }
    let open: HashSet<&str> = shown
        .and_then(|shown| shown["classes"].as_array())
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    if let Some(classes) = real.get_mut("classes").and_then(Json::as_array_mut) {
        classes.retain(|class| class.as_str().is_some_and(|class| open.contains(class)));
    }
    real
}

/// Names files as the repository does, not by the folder it stands in: two copies of it have the same files.
fn without_folder(mut catalog: Json, folder: &Path) -> Json {
    let resources = catalog.get_mut("resources").and_then(Json::as_array_mut);
    for resource in resources.into_iter().flatten() {
        if let Some(file) = resource.get_mut("file") {
            let relative = file.as_str().and_then(|path| Path::new(path).strip_prefix(folder).ok());
            if let Some(relative) = relative.map(|path| path.display().to_string()) {
                *file = relative.into();
            }
        }
    }
    catalog
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_marked_once() {
        let catalog = |a: &str, b: &str| {
            json!({"resources": [
                {"type": "T", "title": "t", "parameters": {"a": a, "b": b, "c": 1}, "sensitive_parameters": ["a"]},
                {"type": "T", "title": "u", "parameters": {"c": 1}},
            ]})
        };
        let marked = marking_secrets(catalog("x", "hi y"), Some(&catalog("[hidden]", "hi [hidden]")));
        assert_eq!(marked["resources"][0]["sensitive_parameters"], json!(["a", "b"]));
        assert_eq!(marked["resources"][1].get("sensitive_parameters"), None);
        assert_eq!(marked["resources"][1].get(SECRET_TITLE), None);
        let other = json!({"resources": [{"type": "T", "title": "u", "parameters": {"c": 1}}]});
        let marked = marking_secrets(catalog("x", "hi y"), Some(&other));
        assert_eq!(marked["resources"][0][SECRET_TITLE], json!(true), "a title that is made of a secret");
        assert_eq!(marked["resources"][0]["sensitive_parameters"], json!(["a", "b", "c"]));
        let marked = marking_secrets(catalog("x", "hi y"), None);
        assert_eq!(
            marked["resources"][1]["sensitive_parameters"],
            json!(["c"]),
            "nothing is known to be open"
        );
        assert_eq!(marked["resources"][1][SECRET_TITLE], json!(true), "not even a title");
    }

    #[test]
    fn a_class_that_only_secrets_bring_is_not_named() {
        let catalog = |classes: &[&str]| json!({"resources": [], "classes": classes});
        let marked = marking_secrets(catalog(&["a", "ends_with_x"]), Some(&catalog(&["a"])));
        assert_eq!(marked["classes"], json!(["a"]));
        assert_eq!(marking_secrets(catalog(&["a"]), None)["classes"], json!([]));
    }
}
