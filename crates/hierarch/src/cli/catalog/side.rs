//! Where the catalogs of one side of a comparison come from.

use std::collections::HashMap;
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
use super::compare::{HIDDEN_BECAUSE, SECRET_CLASSES, SECRET_TAGS, SECRET_TITLE};
use super::compile::compile;

/// What flags say about catalogs that must be compiled.
#[derive(Clone, Copy)]
pub(super) struct Given<'g> {
    pub(super) site: &'g SiteArguments,
    pub(super) stand_ins: &'g StandInArguments,
    pub(super) facts: Option<&'g Path>,
    pub(super) shows_secrets: bool,
}

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
    pub(super) fn catalog(&self, node: Option<&str>, given: &Given) -> Result<Json, Failure> {
        match self {
            Self::File(file) => read(file),
            Self::Folder(folder) => {
                let file = folder.join(format!("{}.json", node.unwrap_or_default()));
                // A node that only one side knows has nothing on the other.
                if file.exists() { read(&file) } else { Ok(json!({"resources": []})) }
            }
            Self::Repository(folder) => {
                let catalog = compiled(folder, node, given, &str::to_owned)?;
                let whole = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.clone());
                Ok(without_folder(catalog, &whole))
            }
            #[cfg(feature = "git")]
            Self::Revision(revision, folder) => {
                let below = format!("{}/", folder.display());
                // As git names a file of a revision.
                let named = |text: &str| text.replace(&below, &format!("{revision}:"));
                given.stand_ins.refuse_command("catalog diff with a revision")?;
                let site = SiteArguments { at: Some(revision.clone()), ..given.site.clone() };
                let catalog = compiled(folder, node, &Given { site: &site, ..*given }, &named)?;
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
    node: Option<&str>,
    given: &Given,
    written: &(dyn Fn(&str) -> String + Sync),
) -> Result<Json, Failure> {
    let site = given.site.in_repository(repository);
    let given = Given { site: &site, ..*given };
    // Facts are found as the user sees them, and otherwise in the repository itself.
    let node = NodeArguments { node: node.map(str::to_owned), facts: given.facts.map(Path::to_owned) };
    let catalog = on_large_stack(|| compile(&given, &node, written))??;
    let catalog = catalog.map_err(|error| issues::of_node(&node.name(), &written(&error.to_string())))?;
    let read = |catalog: &Catalog| {
        serde_json::from_str::<Json>(&catalog.to_json("")).map_err(|error| issues::broken_catalog(&error))
    };
    let real = read(&catalog.real)?;
    Ok(match &catalog.shown {
        Ok(shown) => marking_secrets(real, &read(shown)?),
        Err(why) => marking_all(real, why),
    })
}

/// Marks everything in a catalog as secret: nothing is known of what secrets came to.
fn marking_all(real: Json, why: &str) -> Json {
    let mut marked = marking_secrets(real, &Json::Null);
    marked[HIDDEN_BECAUSE] = why.into();
    marked
}

/// Marks what is not the same in a catalog that may be shown: parameters as sensitive ones, which are compared, and hidden; titles, tags
/// and names of classes likewise.
fn marking_secrets(mut real: Json, shown: &Json) -> Json {
    let name = |resource: &Json| format!("{}[{}]", resource["type"], resource["title"]);
    let known = shown["resources"].as_array().into_iter().flatten();
    let known: HashMap<String, &Json> = known.map(|resource| (name(resource), resource)).collect();
    let resources = real.get_mut("resources").and_then(Json::as_array_mut);
    for resource in resources.into_iter().flatten() {
        mark(resource, known.get(&name(resource)).copied());
    }
    let classes = |catalog: &Json| catalog["classes"].as_array().cloned().unwrap_or_default();
    let open = classes(shown);
    let secret: Vec<Json> = classes(&real).into_iter().filter(|class| !open.contains(class)).collect();
    if !secret.is_empty() {
        real[SECRET_CLASSES] = secret.into();
    }
    real
}

/// Marks what is not the same in a resource that may be shown.
fn mark(resource: &mut Json, shown: Option<&Json>) {
    if shown.is_none() {
        resource[SECRET_TITLE] = true.into();
    }
    if shown.is_none_or(|shown| shown.get("tags") != resource.get("tags")) {
        resource[SECRET_TAGS] = true.into();
    }
    let mut secret = resource["sensitive_parameters"].as_array().cloned().unwrap_or_default();
    for (name, value) in resource["parameters"].as_object().into_iter().flatten() {
        let is_known = secret.iter().any(|known| known.as_str() == Some(name));
        if !is_known && shown.and_then(|shown| shown["parameters"].get(name)) != Some(value) {
            secret.push(name.as_str().into());
        }
    }
    if !secret.is_empty() {
        resource["sensitive_parameters"] = secret.into();
    }
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
        let marked = marking_secrets(catalog("x", "hi y"), &catalog("[hidden]", "hi [hidden]"));
        assert_eq!(marked["resources"][0]["sensitive_parameters"], json!(["a", "b"]));
        assert_eq!(marked["resources"][1].get("sensitive_parameters"), None);
        assert_eq!(marked["resources"][1].get(SECRET_TITLE), None);
        let other = json!({"resources": [{"type": "T", "title": "u", "parameters": {"c": 1}}]});
        let marked = marking_secrets(catalog("x", "hi y"), &other);
        assert_eq!(marked["resources"][0][SECRET_TITLE], json!(true), "a title that is made of a secret");
        assert_eq!(marked["resources"][0]["sensitive_parameters"], json!(["a", "b", "c"]));
    }

    #[test]
    fn nothing_is_open_where_the_catalog_does_not_compile_without_secrets() {
        let catalog = json!({
            "classes": ["settings", "x4711"],
            "resources": [{"type": "T", "title": "u", "parameters": {"c": 1}, "tags": ["t"]}],
        });
        let marked = marking_all(catalog, "it fails");
        let resource = &marked["resources"][0];
        assert_eq!(resource[SECRET_TITLE], json!(true));
        assert_eq!(resource[SECRET_TAGS], json!(true));
        assert_eq!(resource["sensitive_parameters"], json!(["c"]));
        assert_eq!(marked[SECRET_CLASSES], json!(["settings", "x4711"]));
        assert_eq!(marked[HIDDEN_BECAUSE], json!("it fails"));
    }

    #[test]
    fn classes_and_tags_are_hidden_where_they_differ() {
        let catalog = |class: &str, tag: &str| {
            json!({
                "classes": ["a", class],
                "resources": [
                    {"type": "T", "title": "t", "tags": ["t", tag]},
                    {"type": "T", "title": "u", "tags": ["t"]},
                ],
            })
        };
        let marked = marking_secrets(catalog("x4711", "x4711"), &catalog("xhidden", "xhidden"));
        assert_eq!(marked[SECRET_CLASSES], json!(["x4711"]));
        assert_eq!(marked["resources"][0][SECRET_TAGS], json!(true));
        assert_eq!(marked["resources"][1].get(SECRET_TAGS), None);
    }
}
