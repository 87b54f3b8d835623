//! `GET /catalog/{node}`: the catalog of a node, as `catalog compile --render-as json` prints it. Unless secrets are asked for, the
//! program is given what stands for them, so that nothing that it makes of a secret tells of it.

use std::sync::Arc;

use hierarch_eval::{Catalog, Log};
use hierarch_site::Node;
use hierarch_source::Error;

use super::lookup::folder;
use crate::access::Role;
use crate::answer::{Answer, JSON};
use crate::issues;
use crate::problem::Problem;
use crate::question::Question;
use crate::route::{Method, NODE, Outcome, Route, SECRETS};
use crate::serve::Shared;
use crate::state::State;

pub(crate) static ROUTE: Route = Route {
    method: Method::Get,
    path: "/api/v1/catalog/{node}",
    summary: "The compiled catalog of a node",
    role: Role::Read,
    parameters: &[NODE, SECRETS],
    body: None,
    media: JSON,
    schema: r#"{"type":"object","properties":{"name":{"type":"string"},"version":{},"environment":{"type":"string"},"resources":{"type":"array"},"edges":{"type":"array"},"classes":{"type":"array"}}}"#,
    run,
};

fn run(question: &Question) -> Outcome {
    let name = question.required("node");
    let known = known(&question.state, name)?;
    let shared = &question.shared;
    let site = question.state.compiler(shared)?;
    let shows_secrets = question.wants_secrets();
    let node = site.node_with(name, known.trusting(name)).until(Arc::clone(&question.stop));
    let node = node.hiding_secrets(!shows_secrets).telling_failures(shows_secrets);
    let (catalog, _) = compiled(shared, &node)?;
    let catalog = catalog.map_err(|error| Problem::from_error(&error).below(&folder(&node)))?;
    let catalog = if shows_secrets { catalog } else { node.environment().shown_catalog(catalog) };
    let body = catalog.to_json(&uuid(shared));
    let answer = Answer { tag: Some(question.tag()), ..Answer::json(body.trim_end().to_owned()) };
    Ok(answer.secret_if(shows_secrets))
}

/// Returns what is known of a node.
pub(crate) fn known(state: &State, name: &str) -> Result<hierarch_site::NodeFacts, Problem> {
    let nodes = state.nodes()?;
    let found = nodes.find(name);
    let found =
        found.ok_or_else(|| issues::unknown_node(name, &hierarch_source::nearest(name, nodes.names())))?;
    found.map_err(|error| issues::unusable_node(name, &error.to_string()))
}

/// Compiles the catalog of a node on a thread with room for deeply nested calls.
pub(crate) fn compiled(
    shared: &Arc<Shared>,
    node: &Node,
) -> Result<(Result<Catalog, Error>, Vec<Log>), Problem> {
    let manifests = node.environment().manifests().map_err(|error| Problem::from_error(&error))?;
    let begin = shared.program.clock();
    let work = || {
        let compilation = node.compile_from(&manifests);
        (compilation.catalog, compilation.logs)
    };
    let outcome = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("catalog".to_owned());
        let thread = thread.stack_size(shared.program.stack_of_programs()).spawn_scoped(scope, work);
        thread.map(|thread| thread.join())
    });
    shared.metrics.catalogs.observe(shared.program.clock().saturating_sub(begin).as_secs_f64());
    match outcome {
        Ok(Ok(compiled)) => Ok(compiled),
        Ok(Err(panic)) => std::panic::resume_unwind(panic),
        Err(_) => Err(issues::busy()),
    }
}

/// Makes a name that no other catalog has: a random UUID.
pub(crate) fn uuid(shared: &Shared) -> String {
    let mut bytes = [0; 16];
    shared.program.random(&mut bytes);
    // Version 4, and the variant that all of them are of.
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}
