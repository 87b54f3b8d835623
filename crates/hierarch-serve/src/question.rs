//! A question that is asked of one state of the site.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hierarch_fleet::NodeSet;
use hierarch_hiera::facts::check_known;
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Node, NodeFacts, Site};
use hyper::body::Bytes;

use crate::access::Caller;
use crate::issues;
use crate::problem::Problem;
use crate::serve::Shared;
use crate::state::State;

/// A question: what was asked, by whom, and the state that is asked.
pub(crate) struct Question {
    pub(crate) shared: Arc<Shared>,
    pub(crate) state: Arc<State>,
    pub(crate) given: BTreeMap<&'static str, String>,
    pub(crate) body: Bytes,
    pub(crate) caller: Caller,
    pub(crate) if_match: Option<String>,
    /// Set when nobody waits for the answer any more.
    pub(crate) stop: Arc<AtomicBool>,
}

/// Tells whoever answers to stop when it goes: the time is over, or the client has left.
pub(crate) struct Waiting(pub(crate) Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Whom a question is about.
pub(crate) struct Subject {
    pub(crate) site: Arc<Site>,
    pub(crate) node: Arc<Node>,
    /// The state whose remembered answers may be used: that of now, or of a revision.
    pub(crate) state: Arc<State>,
    /// It is one of the known nodes, of which there are only so many: its answers may be remembered.
    pub(crate) is_known: bool,
}

impl Question {
    /// Returns a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.given.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Returns a parameter that the route requires.
    pub(crate) fn required(&self, name: &str) -> &str {
        self.given.get(name).map_or("", String::as_str)
    }

    /// Returns a number; `usual` if it is not given.
    pub(crate) fn number(&self, name: &str, usual: usize) -> usize {
        self.get(name).and_then(|text| text.parse().ok()).unwrap_or(usual)
    }

    /// Tells whether secrets are asked for; the caller's roles were checked before.
    pub(crate) fn wants_secrets(&self) -> bool {
        self.get("secrets") == Some("true")
    }

    /// Returns a tag for an answer that is the same for this question as long as this state is.
    pub(crate) fn tag(&self) -> String {
        let asked: String = self.given.iter().map(|(name, text)| format!("{name}={text}\0")).collect();
        let (start, generation) = (self.shared.start(), self.state.generation);
        format!("\"{start}-{generation}-{:016x}\"", crate::state::sum(&asked))
    }

    /// Returns the state that is meant: that of a revision, or the present one.
    pub(crate) fn state(&self) -> Result<Arc<State>, Problem> {
        match self.get("at") {
            Some(name) => self.state.at(&self.shared, name),
            None => Ok(Arc::clone(&self.state)),
        }
    }

    /// Returns the nodes of a state, to be asked as long as the client waits for the answer.
    pub(crate) fn nodes(&self, state: &State) -> Result<NodeSet, Problem> {
        let mut nodes = (*state.nodes()?).clone();
        nodes.until(Arc::clone(&self.stop));
        Ok(nodes)
    }

    /// Finds the node that the query names.
    pub(crate) fn asked(&self) -> Result<Subject, Problem> {
        self.asked_about(self.required("node"))
    }

    /// Finds a node by its name.
    pub(crate) fn asked_about(&self, name: &str) -> Result<Subject, Problem> {
        let state = self.state()?;
        let site = state.site(&self.shared, self.wants_secrets())?;
        let node = state.node(&site, &self.state, name, self.wants_secrets())?;
        Ok(Subject { site, node, state, is_known: true })
    }

    /// Reads the body as an object of which only some fields are known.
    pub(crate) fn object(
        &self,
        known: &[&str],
    ) -> Result<serde_json::Map<String, serde_json::Value>, Problem> {
        let body =
            serde_json::from_slice(&self.body).map_err(|error| issues::bad_body(&error.to_string()))?;
        check_numbers(&body)?;
        let serde_json::Value::Object(object) = body else {
            return Err(issues::bad_body("it is no JSON object"));
        };
        if let Some(name) = object.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(issues::bad_body(&format!(
                "there is no field '{name}'; known are {}",
                known.join(", ")
            )));
        }
        Ok(object)
    }

    /// Finds the node that a body names, or makes one of the facts that it gives.
    pub(crate) fn asked_in(
        &self,
        body: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<Subject, Problem> {
        let given = ["facts", "trusted", "environment"].iter().any(|field| body.contains_key(*field));
        match (body.get("node").map(|name| name.as_str()), given) {
            (Some(Some(name)), false) => self.asked_about(name),
            (Some(None), _) => Err(issues::bad_body("'node' is the name of a node, a text")),
            (name, true) => self.asked_with(name.flatten(), body),
            (None, false) => Err(issues::bad_body("it has neither 'node' nor 'facts'")),
        }
    }

    fn asked_with(
        &self,
        name: Option<&str>,
        body: &serde_json::Map<String, serde_json::Value>,
    ) -> Result<Subject, Problem> {
        let facts = hash_of(body, "facts")?.unwrap_or_default();
        let known = NodeFacts {
            trusted: hash_of(body, "trusted")?,
            environment: environment_of(&self.state, &self.shared, body)?,
            facts,
        };
        let own = |name: &str| known.facts.get_str(name).and_then(Value::as_str).map(str::to_owned);
        let name = name.map(str::to_owned).or_else(|| own("clientcert")).or_else(|| own("fqdn"));
        let name = name.unwrap_or_else(|| "localhost".to_owned());
        if known.trusted.is_none() {
            check_known(&known.facts, &name).map_err(|error| Problem::from_error(&error))?;
        }
        let state = self.state()?;
        let site = state.site(&self.shared, self.wants_secrets())?;
        let node = Arc::new(site.node_with(&name, known));
        check_inside(&node)?;
        Ok(Subject { site, node, state, is_known: false })
    }
}

/// Refuses whole numbers beyond 64 bits, which would become others.
fn check_numbers(body: &serde_json::Value) -> Result<(), Problem> {
    match body {
        serde_json::Value::Array(items) => items.iter().try_for_each(check_numbers),
        serde_json::Value::Object(entries) => entries.values().try_for_each(check_numbers),
        serde_json::Value::Number(number) if number.as_i64().is_none() => {
            let is_exact =
                number.as_f64().is_some_and(|float| float.fract() != 0.0 || float.abs() < MOST_EXACT);
            if is_exact { Ok(()) } else { Err(issues::big_number(&number.to_string())) }
        }
        _ => Ok(()),
    }
}

/// Two to the power of 63: from there on whole numbers are not exact.
const MOST_EXACT: f64 = 9_223_372_036_854_775_808.0;

/// Refuses facts of the caller's choice that make a level name a file outside of its folder: who asks over the network chooses among
/// data, not among all files of the machine.
fn check_inside(node: &Node) -> Result<(), Problem> {
    let environment = node.environment();
    let modules: Vec<String> = environment.modules().into_iter().map(|(name, _)| name).collect();
    let (layouts, _) = environment.hiera().layouts(&modules);
    let folders: Vec<&str> = layouts.iter().filter_map(|level| level.folder.as_deref()).collect();
    let is_inside = |path: &str| {
        let path = hierarch_source::without_dots(Path::new(path));
        folders.iter().any(|folder| path.starts_with(hierarch_source::without_dots(Path::new(folder))))
    };
    let locations = node.asking(|lookups| lookups.session().locations(&modules)).0;
    let outside = locations.iter().find(|level| {
        level.location.as_deref().is_some_and(|path| path.starts_with('/') && !is_inside(path))
    });
    outside.map_or(Ok(()), |level| Err(issues::facts_lead_outside(&level.level)))
}

fn environment_of(
    state: &State,
    shared: &Shared,
    body: &serde_json::Map<String, serde_json::Value>,
) -> Result<Option<String>, Problem> {
    match body.get("environment") {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(serde_json::Value::String(name)) => {
            state.check_environment(shared, name)?;
            Ok(Some(name.clone()))
        }
        Some(_) => Err(issues::bad_body("'environment' is a text")),
    }
}

fn hash_of(body: &serde_json::Map<String, serde_json::Value>, field: &str) -> Result<Option<Hash>, Problem> {
    match body.get(field) {
        None | Some(serde_json::Value::Null) => Ok(None),
        Some(value @ serde_json::Value::Object(_)) => match to_value(value) {
            Value::Hash(hash) => Ok(Some((*hash).clone())),
            _ => Ok(None),
        },
        Some(_) => Err(issues::bad_body(&format!("'{field}' is an object"))),
    }
}

/// Makes a value of JSON, as facts in a file become values.
pub(crate) fn to_value(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Undef,
        serde_json::Value::Bool(truth) => Value::from(*truth),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => Value::from(integer),
            (None, Some(float)) => Value::from(float),
            (None, None) => Value::from(number.to_string()),
        },
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => Value::array(items.iter().map(to_value).collect()),
        serde_json::Value::Object(entries) => Value::hash(
            entries.iter().map(|(key, value)| (Value::from(key.as_str()), to_value(value))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whole numbers that a float cannot hold exactly are refused, wherever they stand.
    #[test]
    fn numbers_that_would_become_others_are_refused() {
        for (text, fits) in [
            ("1", true),
            ("-9223372036854775808", true),
            ("9223372036854775807", true),
            ("9223372036854775808", false),
            ("-9223372036854775809", false),
            ("1.5", true),
            ("1e3", true),
            ("1e300", false),
            ("[1, [9223372036854775808]]", false),
            ("{\"a\": {\"b\": 1e19}}", false),
            ("{\"a\": [0.1, -0.0]}", true),
            ("\"9223372036854775808\"", true),
        ] {
            let body = serde_json::from_str(text).expect(text);
            let refused = check_numbers(&body).map_err(|problem| problem.status);
            assert_eq!(refused, if fits { Ok(()) } else { Err(400) }, "{text}");
        }
    }

    #[test]
    fn json_becomes_values_as_in_a_file_of_facts() {
        for (text, expected) in [
            ("null", "undef"),
            ("true", "true"),
            ("5", "5"),
            ("5.0", "5.0"),
            ("\"a\"", "'a'"),
            ("[1, [null]]", "[1, [undef]]"),
            ("{\"b\": 1, \"a\": {}}", "{'b' => 1, 'a' => {}}"),
        ] {
            let json = serde_json::from_str(text).expect(text);
            assert_eq!(to_value(&json).program_text(), expected, "{text}");
        }
    }

    #[test]
    fn a_field_of_facts_is_an_object_or_nothing() {
        let body = |text: &str| -> serde_json::Map<String, serde_json::Value> {
            serde_json::from_str(text).expect(text)
        };
        let given = |text: &str| hash_of(&body(text), "facts").map(|hash| hash.map(|hash| hash.len()));
        assert_eq!(given("{}").map_err(|problem| problem.status), Ok(None));
        assert_eq!(given("{\"facts\": null}").map_err(|problem| problem.status), Ok(None));
        assert_eq!(given("{\"facts\": {\"a\": 1}}").map_err(|problem| problem.status), Ok(Some(1)));
        for wrong in ["{\"facts\": []}", "{\"facts\": \"a\"}", "{\"facts\": 1}"] {
            let problem = given(wrong).expect_err(wrong);
            assert!(problem.status == 400 && problem.detail.contains("facts"), "{}", problem.detail);
        }
    }

    #[test]
    fn who_answers_is_told_when_nobody_waits_any_more() {
        let stop = Arc::new(AtomicBool::new(false));
        let waiting = Waiting(Arc::clone(&stop));
        assert!(!stop.load(Ordering::Relaxed));
        drop(waiting);
        assert!(stop.load(Ordering::Relaxed));
    }
}
