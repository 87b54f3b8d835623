//! `GET /nodes`: the names of nodes, searched and page by page.

use std::collections::HashSet;

use hierarch_fleet::{Fleet, NodeSet, holds};
use hierarch_pcore::Value;
use hierarch_site::NodeFacts;
use rayon::prelude::*;

use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::json;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{Kind, Method, Outcome, Parameter, Route};

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/nodes",
    summary: "The known nodes, with the facts that hierarchies read",
    role: Role::Read,
    parameters: &[
        Parameter::text("search", "what a name, or a fact chosen by --label, contains").like("web"),
        Parameter::text("where", "a Puppet expression that is true for the node"),
        Parameter::text("after", "the name after which the list begins"),
        Parameter::text("limit", "how many; 100 unless said otherwise, at most 10,000").of(Kind::Number),
    ],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","required":["total","nodes"],"properties":{"total":{"type":"integer"},"next":{"type":["string","null"]},"nodes":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"environment":{"type":"string"},"facts":{"type":"object"}}}},"unanswered":{"type":"array"}}}"#,
    run,
};

/// So many nodes that a condition cannot be answered for are named.
const MOST_NAMED: usize = 100;
/// As many names are listed at once.
pub(super) const MOST_LISTED: usize = 10_000;

fn run(question: &Question) -> Outcome {
    let nodes = question.state.nodes()?;
    let mut names: Vec<&str> = nodes.names().collect();
    let mut unanswered: Vec<String> = Vec::new();
    if let Some(search) = question.get("search") {
        names = found(question, &nodes, names, search);
    }
    if let Some(expression) = question.get("where") {
        let condition = super::condition::read(question, expression)?;
        let site = question.state.site(&question.shared, false)?;
        let mut chosen = question.nodes(&question.state)?;
        chosen.retain(|name| names.binary_search(&name).is_ok());
        let fleet = Fleet { compiles: question.shared.settings.compiles, ..Fleet::new(&site, &chosen) };
        let answer = holds(&fleet, &condition);
        let chosen: HashSet<&str> = answer.nodes.iter().map(|(node, _)| node.as_str()).collect();
        names.retain(|name| chosen.contains(name));
        unanswered = answer.unanswered.iter().take(MOST_NAMED).map(|one| one.to_value().to_json()).collect();
    }
    let total = names.len();
    let after = question.get("after");
    names.retain(|name| after.is_none_or(|after| *name > after));
    let limit = question.number("limit", 100).min(MOST_LISTED);
    let next = (names.len() > limit && limit > 0).then(|| names[limit - 1]);
    names.truncate(limit);
    let shown = shown(question, &nodes, &names)?;
    let mut fields =
        vec![("total", total.to_string()), ("next", json::optional(next)), ("nodes", json::list(shown))];
    if !unanswered.is_empty() {
        fields.push(("unanswered", json::list(unanswered)));
    }
    Ok(Answer::json(json::object(fields)))
}

/// Names that begin with what is searched come first in meaning, but the order stays that of names.
fn found<'n>(question: &Question, nodes: &'n NodeSet, names: Vec<&'n str>, search: &str) -> Vec<&'n str> {
    let search = search.to_lowercase();
    let labels = &question.shared.settings.labels;
    let has = |name: &str| {
        name.to_lowercase().contains(&search)
            || !labels.is_empty()
                && nodes.find(name).and_then(Result::ok).is_some_and(|known| {
                    labels
                        .iter()
                        .filter_map(|label| fact(&known, label))
                        .any(|text| text.to_lowercase().contains(&search))
                })
    };
    names.into_par_iter().filter(|name| has(name)).collect()
}

fn shown(question: &Question, nodes: &NodeSet, names: &[&str]) -> Result<Vec<String>, Problem> {
    let site = question.state.site(&question.shared, false)?;
    let environment = site.environment();
    // What cannot be read has no variables; asking for a key tells why.
    let _ = environment.hiera().hierarchies(&[]);
    let mut variables: Vec<String> = question.shared.settings.labels.clone();
    variables.extend(environment.hiera().hierarchy_variables());
    let may_see = question.caller.has(Role::Facts);
    Ok(names
        .par_iter()
        .map(|name| {
            let known = nodes.find(name).and_then(Result::ok).unwrap_or_default();
            let mut seen = Vec::new();
            for variable in variables.iter().filter(|_| may_see) {
                let path = variable.trim_start_matches("::").trim_start_matches("facts.");
                if let Some(text) = fact(&known, path)
                    && !seen.iter().any(|(own, _)| own == path)
                {
                    seen.push((path.to_owned(), text));
                }
            }
            let facts = seen.iter().map(|(path, text)| (path.as_str(), json::text(text)));
            let own = known.environment.as_deref().unwrap_or(&site.settings().environment);
            json::object([
                ("name", json::text(name)),
                ("environment", json::text(own)),
                ("facts", json::object(facts)),
            ])
        })
        .collect())
}

/// Reads a fact by its dotted path.
fn fact(known: &NodeFacts, path: &str) -> Option<String> {
    let mut parts = path.trim_start_matches("facts.").split('.');
    let mut value = known.facts.get_str(parts.next()?)?;
    for part in parts {
        value = value.as_hash()?.get_str(part)?;
    }
    match value {
        Value::Undef | Value::Hash(_) | Value::Array(_) => None,
        value => Some(value.to_plain()),
    }
}
