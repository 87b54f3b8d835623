//! `GET /files`: the data files in the order of the hierarchy, and how many nodes load each.

use std::collections::{BTreeMap, HashMap};

use hierarch_hiera::LevelLocation;
use rayon::prelude::*;

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::{Problem, relative};
use crate::question::Question;
use crate::route::{Method, Outcome, Route};
use crate::state::environments;

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/files",
    summary: "The data files in the order of the hierarchy, with who loads each",
    role: Role::Read,
    parameters: &[],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"asked":{"type":"integer"},"files":{"type":"array","items":{"type":"object","properties":{"file":{"type":"string"},"layer":{"type":"string"},"module":{"type":["string","null"]},"level":{"type":"string"},"nodes":{"type":"integer"},"some":{"type":"array","items":{"type":"string"}},"keys":{"type":"array","items":{"type":"string"}}}}}}}"#,
    run,
};

/// So many nodes of a file are named.
const MOST_NAMED: usize = 5;

/// A file as nodes see it.
struct VisibleFile {
    layer: &'static str,
    module: Option<String>,
    level: String,
    /// Where its level stands: layers, then levels.
    order: usize,
    count: usize,
    some: Vec<String>,
}

fn run(question: &Question) -> Outcome {
    let body = question.state.remembered("files", || find(question))?;
    Ok(Answer::json((*body).clone()))
}

fn find(question: &Question) -> Result<String, Problem> {
    let site = question.state.site(&question.shared, false)?;
    let nodes = question.state.nodes()?;
    let names: Vec<&str> = nodes.names().collect();
    let seen: Vec<(&str, Vec<LevelLocation>)> = names
        .par_iter()
        .filter_map(|name| {
            let node = question.state.open_node(&site, name).ok()?;
            let modules: Vec<String> =
                node.environment().modules().into_iter().map(|(name, _)| name).collect();
            let _ = node.environment().read_data_of(&node);
            Some((*name, node.asking(|lookups| lookups.session().locations(&modules)).0))
        })
        .collect();
    let mut files: HashMap<String, VisibleFile> = HashMap::new();
    for (name, locations) in &seen {
        for (order, location) in locations.iter().enumerate().filter(|(_, location)| location.exists) {
            let Some(path) = &location.location else { continue };
            let file = files.entry(path.clone()).or_insert_with(|| VisibleFile {
                layer: location.layer,
                module: location.module.clone(),
                level: location.level.clone(),
                order,
                count: 0,
                some: Vec::new(),
            });
            file.count += 1;
            if file.some.len() < MOST_NAMED {
                file.some.push((*name).to_owned());
            }
        }
    }
    let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for environment in environments(&site) {
        for content in environment.hiera().contents() {
            let entries = content.entries.iter().flatten().map(|(key, _)| key.clone());
            keys.insert(content.file.clone(), entries.collect());
        }
    }
    let folder = site.environment().folder().map(|folder| folder.display().to_string()).unwrap_or_default();
    let mut files: Vec<(String, VisibleFile)> = files.into_iter().collect();
    files.sort_by(|(a, one), (b, other)| (one.order, a).cmp(&(other.order, b)));
    let row = |(path, file): &(String, VisibleFile)| {
        let own = keys.get(path).map(Vec::as_slice).unwrap_or_default();
        json::object([
            ("file", json::text(relative(path, &folder))),
            ("layer", json::text(file.layer)),
            ("module", json::optional(file.module.as_deref())),
            ("level", json::text(&file.level)),
            ("nodes", file.count.to_string()),
            ("some", json::texts(file.some.iter().map(String::as_str))),
            ("keys", json::texts(own.iter().map(String::as_str))),
        ])
    };
    Ok(json::object([("asked", names.len().to_string()), ("files", json::list(files.iter().map(row)))]))
}
