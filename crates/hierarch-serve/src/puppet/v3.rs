//! `/puppet/v3/catalog/NODE`: the catalog of an agent that shows its own certificate.

use std::sync::Arc;

use hierarch_eval::Log;
use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;

use super::Refusal;
use super::form::Form;
use crate::access::{Caller, Certificate};
use crate::issues;
use crate::routes::catalog::{compiled, known, uuid};
use crate::serve::Shared;
use crate::state::State;

/// Compiles the catalog that an agent asks for.
pub(super) fn catalog(
    shared: &Arc<Shared>,
    state: &State,
    caller: &Caller,
    name: &str,
    fields: &str,
) -> Result<String, Refusal> {
    let certificate = caller.certificate.as_ref().filter(|certificate| certificate.name == name);
    let certificate =
        certificate.ok_or_else(|| Refusal::new(403, "FORBIDDEN", issues::not_your_catalog(name)))?;
    let form = Form::parse(fields)?;
    let environment = form.get("environment").map(str::to_owned);
    if let Some(environment) = &environment {
        check(shared, state, environment)?;
    }
    let facts = match form.facts()? {
        Some(facts) => facts,
        None => known(state, name).map_err(Refusal::from)?.facts,
    };
    let node = NodeFacts { facts, trusted: Some(trusted(certificate)), environment };
    let uuid = form.get("transaction_uuid").map_or_else(|| uuid(shared), str::to_owned);
    compile(shared, state, name, node, &uuid)
}

/// Refuses an environment that there is not, in the words that agents know.
pub(super) fn check(shared: &Arc<Shared>, state: &State, name: &str) -> Result<(), Refusal> {
    state.check_environment(shared, name).map_err(|_| {
        Refusal::new(404, "RESOURCE_NOT_FOUND", format!("Not Found: Could not find environment '{name}'"))
    })
}

/// Compiles a catalog; what goes wrong is told as agents expect it.
fn compile(
    shared: &Arc<Shared>,
    state: &State,
    name: &str,
    known: NodeFacts,
    uuid: &str,
) -> Result<String, Refusal> {
    compile_logged(shared, state, name, known, uuid).map(|(catalog, _)| catalog)
}

/// Compiles a catalog, and returns what was logged meanwhile, too.
pub(super) fn compile_logged(
    shared: &Arc<Shared>,
    state: &State,
    name: &str,
    known: NodeFacts,
    uuid: &str,
) -> Result<(String, Vec<Log>), Refusal> {
    let site = state.compiler(shared)?;
    let node = site.node_with(name, known);
    let (catalog, logs) = compiled(shared, &node)?;
    let failed = |error: hierarch_source::Error| {
        let message = format!("Server Error: {error} on node {name}");
        Refusal::new(500, "RUNTIME_ERROR", message)
    };
    Ok((catalog.map_err(failed)?.to_json(uuid).trim_end().to_owned(), logs))
}

/// Returns what a checked certificate says about its owner.
fn trusted(certificate: &Certificate) -> Hash {
    let (host, domain) = match certificate.name.split_once('.') {
        Some((host, domain)) => (host, Some(domain)),
        None => (certificate.name.as_str(), None),
    };
    let extensions: Hash =
        certificate.extensions.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    [
        ("authenticated", Value::from("remote")),
        ("certname", Value::from(certificate.name.as_str())),
        ("extensions", Value::hash(extensions)),
        ("hostname", Value::from(host)),
        ("domain", domain.map_or(Value::Undef, Value::from)),
        ("external", Value::hash(Hash::new())),
    ]
    .into_iter()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_makes_trusted_facts() {
        let certificate = Certificate {
            name: "web01.example.com".to_owned(),
            extensions: vec![("pp_role".to_owned(), "web".to_owned())],
        };
        let trusted = Value::hash(trusted(&certificate)).to_json();
        assert_eq!(
            trusted,
            r#"{"authenticated":"remote","certname":"web01.example.com","extensions":{"pp_role":"web"},"hostname":"web01","domain":"example.com","external":{}}"#
        );
    }
}
