//! `GET /keys`: the keys of the data files, searched and page by page.

use std::path::Path;

use hierarch_site::Environment;

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{Kind, Method, Outcome, Parameter, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/keys",
    summary: "The keys that data files hold",
    role: Role::Read,
    parameters: &[
        Parameter::text("search", "what a key contains").like("port"),
        Parameter::text("node", "only keys in files that this node loads").like("web01.berlin.example.com"),
        Parameter::text("after", "the key after which the list begins"),
        Parameter::text("limit", "how many; 100 unless said otherwise, at most 10,000").of(Kind::Number),
    ],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","required":["total","keys"],"properties":{"total":{"type":"integer"},"next":{"type":["string","null"]},"keys":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"strategy":{"type":"string"},"files":{"type":"integer"},"class":{"type":["string","null"]}}}}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let mut keys: Vec<(String, usize)> = match question.get("node") {
        Some(name) => of_node(question, name)?,
        None => {
            question.state.keys(&question.shared)?.iter().map(|(key, files)| (key.clone(), *files)).collect()
        }
    };
    if let Some(search) = question.get("search").map(str::to_lowercase) {
        keys.retain(|(key, _)| key.to_lowercase().contains(&search));
    }
    let total = keys.len();
    if let Some(after) = question.get("after") {
        keys.retain(|(key, _)| key.as_str() > after);
    }
    let limit = question.number("limit", 100).min(super::nodes::MOST_LISTED);
    let next = (keys.len() > limit && limit > 0).then(|| keys[limit - 1].0.clone());
    keys.truncate(limit);
    let shown = shown(question, &keys)?;
    Ok(Answer::json(json::object([
        ("total", total.to_string()),
        ("next", json::optional(next.as_deref())),
        ("keys", json::list(shown)),
    ])))
}

/// Counts the keys in the files that a node loads.
fn of_node(question: &Question, name: &str) -> Result<Vec<(String, usize)>, Problem> {
    let asked = question.asked_about(name)?;
    let environment = asked.node.environment();
    // What cannot be read is told when a key is asked for.
    let _ = environment.read_data_of(&asked.node);
    let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
    let locations = asked.node.asking(|lookups| lookups.session().locations(&modules)).0;
    let own: std::collections::HashSet<&str> =
        locations.iter().filter_map(|location| location.location.as_deref()).collect();
    let mut keys = std::collections::BTreeMap::new();
    for content in environment.hiera().contents() {
        if own.contains(content.file.as_str()) {
            for (key, _) in content.entries.iter().flatten() {
                *keys.entry(key.clone()).or_insert(0) += 1;
            }
        }
    }
    keys.remove("lookup_options");
    Ok(keys.into_iter().collect())
}

fn shown(question: &Question, keys: &[(String, usize)]) -> Result<Vec<String>, Problem> {
    let site = question.state.site(&question.shared, false)?;
    let nodes = question.state.nodes()?;
    let name = question.get("node").or_else(|| nodes.names().next());
    let node = name.and_then(|name| question.state.node(&site, &question.state, name, false).ok());
    let environment = node.as_ref().map_or_else(|| site.environment(), |node| node.environment().clone());
    let strategies: Vec<Option<&'static str>> = match &node {
        None => vec![None; keys.len()],
        Some(node) => {
            let ask = |(key, _): &(String, usize)| (key.clone(), node);
            let asked: Vec<_> = keys.iter().map(ask).collect();
            node.asking(|lookups| {
                let strategy = |(key, _): &(String, &std::sync::Arc<hierarch_site::Node>)| {
                    lookups.session().strategy(key).ok().map(|strategy| strategy.shown_name())
                };
                asked.iter().map(strategy).collect()
            })
            .0
        }
    };
    let modules = environment.modules();
    let row = |((key, files), strategy): (&(String, usize), Option<&'static str>)| {
        json::object([
            ("key", json::text(key)),
            ("strategy", json::text(strategy.unwrap_or("first"))),
            ("files", files.to_string()),
            ("class", json::optional(class_of(&environment, &modules, key))),
        ])
    };
    Ok(keys.iter().zip(strategies).map(row).collect())
}

/// Returns the class that a key is a parameter of by its name, if there is such a class.
fn class_of<'k>(environment: &Environment, modules: &[(String, String)], key: &'k str) -> Option<&'k str> {
    let (class, _) = key.rsplit_once("::")?;
    let mut parts = class.split("::");
    let module = parts.next()?;
    let (_, folder) = modules.iter().find(|(name, _)| name == module)?;
    let rest: Vec<&str> = parts.collect();
    let file = if rest.is_empty() { "init".to_owned() } else { rest.join("/") };
    let path = Path::new(folder).join("manifests").join(format!("{file}.pp"));
    environment.hiera().files().is_file(&path).then_some(class)
}
