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
    (method, fields): (&str, &str),
) -> Result<String, Refusal> {
    let certificate = caller.certificate.as_ref().filter(|certificate| certificate.name == name);
    let certificate =
        certificate.ok_or_else(|| Refusal::plain(403, issues::not_your_catalog(name, method)))?;
    let form = Form::parse(fields)?;
    let environment = form.get("environment").unwrap_or("null");
    if form.get("environment").is_none() || !is_name(environment) {
        return Err(Refusal::plain(400, issues::bad_environment(environment)));
    }
    // An agent may ask for an environment that is gone; it is told by the catalog which one it is in.
    let is_there = state.check_environment(shared, environment).is_ok();
    let environment = is_there.then(|| environment.to_owned());
    let facts = match form.facts(name)? {
        Some(facts) => facts,
        None => known(state, name).map(|known| known.facts).unwrap_or_default(),
    };
    let node = NodeFacts { facts, trusted: Some(trusted(certificate)), environment };
    compile(shared, state, name, node)
}

/// Tells whether a text can be the name of an environment.
fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Compiles a catalog; what goes wrong is told as agents expect it.
fn compile(shared: &Arc<Shared>, state: &State, name: &str, known: NodeFacts) -> Result<String, Refusal> {
    let failed = |error: hierarch_source::Error| {
        Refusal::failure(500, "RUNTIME_ERROR", format!("Server Error: {error} on node {name}"))
    };
    let (catalog, _) = compile_logged(shared, state, name, known)?;
    catalog.map_err(failed)
}

/// Compiles a catalog, and returns what was logged meanwhile, too.
pub(super) fn compile_logged(
    shared: &Arc<Shared>,
    state: &State,
    name: &str,
    known: NodeFacts,
) -> Result<(CatalogText, Vec<Log>), Refusal> {
    let site = state.compiler(shared)?;
    // The agent gets the secrets of its node.
    let node = site.node_with(name, known).telling_failures(true);
    let (catalog, logs) = compiled(shared, &node)?;
    Ok((catalog.map(|catalog| catalog.to_json(&uuid(shared)).trim_end().to_owned()), logs))
}

/// A catalog as JSON, or why there is none.
pub(super) type CatalogText = hierarch_source::Result<String>;

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
