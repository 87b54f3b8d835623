//! The functions of expressions: one table, a file per family.

mod data;
mod environment;
mod files;
mod labels;
mod logic;
mod lookups;
mod numbers;
mod password;
mod ports;
mod schema;
mod text;

use std::cell::Cell;
use std::sync::Arc;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Result, nearest};

use super::scope::Scope;
use super::{Matches, evaluate, issues, python};

pub use self::lookups::PLUGINS;
pub(crate) use self::lookups::lookup;
pub(crate) use self::text::percent_encoded;

/// A function that expressions can call.
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// What it does with its argument.
    pub doc: &'static str,
    /// A map with this key alone is an expression, even without `eval`.
    pub alone: bool,
    /// It reaches nothing beyond the document.
    pub safe: bool,
    /// How it is used. The examples are run.
    pub examples: &'static [Example],
    run: fn(&Call) -> Result<Matches>,
}

/// A use of a function, over the document of [`EXAMPLE_DOCUMENT`].
#[derive(Clone, Copy, Debug)]
pub enum Example {
    /// An expression as YAML, and what it gives.
    Gives(&'static str, &'static str),
    /// An expression as YAML, and what the error says.
    Fails(&'static str, &'static str),
}

/// The document that examples are about.
pub const EXAMPLE_DOCUMENT: &str = "\
title: Demo
port: 80
tags: [a, b]
inputs: {region: eu}
web: {port: 8080, host: w1}
";

/// Makes an entry of the table.
const fn function(name: &'static str, doc: &'static str, run: fn(&Call) -> Result<Matches>) -> Function {
    Function { name, doc, alone: false, safe: true, examples: &[], run }
}

impl Function {
    const fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    const fn reaching_out(mut self) -> Self {
        self.safe = false;
        self
    }

    const fn examples(mut self, examples: &'static [Example]) -> Self {
        self.examples = examples;
        self
    }
}

/// All functions.
static FAMILIES: &[&[Function]] = &[
    logic::FUNCTIONS,
    text::FUNCTIONS,
    labels::FUNCTIONS,
    ports::FUNCTIONS,
    numbers::FUNCTIONS,
    data::FUNCTIONS,
    lookups::FUNCTIONS,
    environment::FUNCTIONS,
    files::FUNCTIONS,
];

/// Returns all functions, those that belong together one after the other.
pub fn functions() -> impl Iterator<Item = &'static Function> {
    FAMILIES.iter().flat_map(|family| family.iter())
}

/// Functions of Unfurl that need types, jobs or Python.
pub const ORCHESTRATION: &[&str] = &[
    "python",
    "external",
    "secret",
    "local",
    "get_property",
    "get_nodes_of_type",
    "get_artifact",
    "get_ensemble_metadata",
    "container_image",
    "find_connection",
    "scalar",
    "scalar_value",
];

/// Those of them that are expressions when they stand alone in a map.
const ORCHESTRATION_ALONE: &[&str] = &["get_property", "get_nodes_of_type", "get_artifact"];

fn find(name: &str) -> Option<&'static Function> {
    functions().find(|function| function.name == name)
}

/// Returns the functions whose names are like one, if there are any.
pub(crate) fn like(name: &str) -> Option<Vec<&'static str>> {
    let near = nearest(name, functions().map(|function| function.name));
    (!near.is_empty()).then_some(near)
}

pub(crate) fn is_function(name: &str) -> bool {
    find(name).is_some()
}

pub(crate) fn is_orchestration(name: &str) -> bool {
    ORCHESTRATION.contains(&name)
}

pub(crate) fn stands_alone(name: &str) -> bool {
    find(name).is_some_and(|function| function.alone) || ORCHESTRATION_ALONE.contains(&name)
}

/// Calls a function. Null is not a match.
pub(crate) fn call(name: &str, call: &Call) -> Result<Matches> {
    let Some(function) = find(name) else { return Err(issues::function_missing(name, &[])) };
    if call.scope.world.safe && !function.safe {
        return Err(issues::function_unsafe(name));
    }
    let found = (function.run)(call);
    let found = if call.has_secret.get() { secret(call, found) } else { found }?;
    let nothing = name != "q" && !found.list && matches!(found.all.as_slice(), [Value::Undef]);
    Ok(if nothing { Matches::default() } else { found })
}

/// What a function gives that had a secret: what is made of one is one, and so may be the words about it.
fn secret(call: &Call, found: Result<Matches>) -> Result<Matches> {
    match found {
        Ok(mut found) => {
            found.all = found.all.into_iter().map(marked).collect();
            Ok(found)
        }
        Err(error) if call.scope.world.reveals => Err(error),
        Err(error) => Err(issues::failed_on_secret(call.name, error)),
    }
}

/// Marks a value as secret: a truth, too, for it tells whether a guess is right. What has marks of its own was handed on.
fn marked(value: Value) -> Value {
    match value {
        Value::Undef | Value::Sensitive(_) => value,
        value if has_secret(&value) => value,
        value => Value::sensitive(value),
    }
}

/// Takes the marks off the secrets in a value.
fn revealed(value: Value) -> Value {
    match value {
        value if !has_secret(&value) => value,
        Value::Sensitive(inner) => revealed(Arc::unwrap_or_clone(inner)),
        Value::Array(items) => Value::array(items.iter().cloned().map(revealed).collect()),
        Value::Hash(map) => map
            .iter()
            .map(|(key, value)| (revealed(key.clone()), revealed(value.clone())))
            .collect::<Hash>()
            .into(),
        other => other,
    }
}

/// Tells whether a secret is in a value.
fn has_secret(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Array(items) => items.iter().any(has_secret),
        Value::Hash(map) => map.iter().any(|(key, value)| has_secret(key) || has_secret(value)),
        _ => false,
    }
}

/// One call: where it stands, its argument as written, and the arguments beside it.
pub(crate) struct Call<'a> {
    pub(crate) scope: &'a Scope,
    pub(crate) name: &'a str,
    pub(crate) argument: &'a Value,
    pub(crate) named: &'a Hash,
    /// The arguments come from a template and are finished: what looks like one in them is text.
    pub(crate) ready: bool,
    /// An argument that was looked at has a secret in it.
    pub(crate) has_secret: Cell<bool>,
}

impl Call<'_> {
    /// Returns the argument as a value: expressions and templates in it evaluated, a text being text. What the function makes
    /// of a secret in it is marked as one, so that the function itself may see it as what it is.
    fn value(&self) -> Result<Value> {
        Ok(revealed(self.resolve(self.argument)?))
    }

    /// Returns the argument of a function that hands on parts of it as they are, each secret with its mark.
    fn handed_on(&self) -> Result<Value> {
        self.resolve(self.argument)
    }

    fn resolve(&self, data: &Value) -> Result<Value> {
        let value = if self.ready { data.clone() } else { evaluate::resolve(self.scope, data)? };
        self.scope.world.budget.check(&value)?;
        self.note(&value);
        Ok(value)
    }

    fn note(&self, value: &Value) {
        if has_secret(value) {
            self.has_secret.set(true);
        }
    }

    /// Evaluates something as an expression: a text is a path.
    fn evaluate(&self, expression: &Value) -> Result<Matches> {
        let found = evaluate::expression(self.scope, expression)?;
        found.all.iter().for_each(|value| self.note(value));
        Ok(found)
    }

    /// Returns a named argument as a value.
    fn named(&self, name: &str) -> Result<Option<Value>> {
        self.named.get_str(name).map(|value| self.resolve(value).map(revealed)).transpose()
    }

    /// Returns the argument as a list of values of a certain length.
    fn list(&self, lengths: std::ops::RangeInclusive<usize>) -> Result<Vec<Value>> {
        match self.value()? {
            Value::Array(items) if lengths.contains(&items.len()) => Ok(items.to_vec()),
            other => Err(issues::wrong_shape(&python::repr(&other))),
        }
    }

    /// Returns the argument as a list, a single value being a list of one.
    fn one_or_list(&self) -> Result<Vec<Value>> {
        Ok(match self.value()? {
            Value::Array(items) => items.to_vec(),
            other => vec![other],
        })
    }

    fn wrong(&self, wanted: &str, found: &Value) -> hierarch_source::Error {
        issues::wrong_argument(self.name, wanted, &python::repr(found))
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::{Path, PathBuf};
    use std::sync::Arc;

    use super::*;
    use crate::expr::{Context, ExpressionHost, Expressions, Options};

    /// A machine with one variable, one file and one key, whose chance is always the same.
    struct Demo;

    impl ExpressionHost for Demo {
        fn base(&self) -> PathBuf {
            "/srv/demo".into()
        }

        fn variable(&self, name: &str) -> Result<Option<String>> {
            Ok((name == "REGION").then(|| "eu".into()))
        }

        fn variables(&self) -> Result<Vec<(String, String)>> {
            Ok(vec![("REGION".into(), "eu".into())])
        }

        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            let text = path.ends_with("motd").then(|| b"hello {{ '::web::host' | eval }}".to_vec());
            text.ok_or_else(|| io::ErrorKind::NotFound.into())
        }

        fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
            Ok(())
        }

        fn temporary_folder(&self) -> io::Result<PathBuf> {
            Ok("/tmp/demo".into())
        }

        fn random(&self, bytes: &mut [u8]) -> Result<()> {
            bytes.fill(0);
            Ok(())
        }

        fn hiera(&self, key: &str, _: Option<&str>) -> Result<Option<Value>> {
            Ok((key == "ntp::servers").then(|| Value::array(vec!["ntp1".into()])))
        }
    }

    fn yaml(text: &str) -> Value {
        let source = hierarch_source::Source::unnamed(text);
        let limits = hierarch_yaml::DocumentLimits::default();
        let tree = hierarch_yaml::read(&source, hierarch_yaml::Dialect::Core, limits).expect(text);
        tree.root()
            .map(|root| {
                hierarch_pcore::data::from_data(
                    &tree.data(root, limits).expect(text),
                    hierarch_pcore::data::Rules::Text,
                )
            })
            .unwrap_or_default()
    }

    fn query(expression: &Value) -> Result<Value> {
        let document = yaml(EXAMPLE_DOCUMENT);
        let options = Options { host: Arc::new(Demo), ..Options::default() };
        let expressions = Expressions::with(document.as_hash().cloned().unwrap_or_default(), options)?;
        Ok(expressions.query(expression, &Context::default())?.one())
    }

    fn ask(expression: &str) -> Result<String> {
        Ok(match &query(&yaml(expression))? {
            Value::Sensitive(_) => "<<REDACTED>>".into(),
            other => python::repr(other),
        })
    }

    /// Returns an argument whose texts and numbers are secrets.
    fn kept_secret(argument: &Value) -> Value {
        let map = |name: &str, value: Value| Value::from([(name, value)].into_iter().collect::<Hash>());
        match argument {
            Value::Array(items) => Value::array(items.iter().map(kept_secret).collect()),
            Value::Hash(form) if !form.contains_str("eval") => {
                form.iter().map(|(key, value)| (key.clone(), kept_secret(value))).collect::<Hash>().into()
            }
            other => map("eval", map("sensitive", other.clone())),
        }
    }

    #[test]
    fn a_secret_is_seen_as_what_it_is_and_what_is_made_of_it_is_one() {
        // These evaluate their arguments as paths.
        let paths = ["if", "and", "or", "not", "foreach", "q", "template"];
        let mut asked = 0;
        for function in functions().filter(|function| !paths.contains(&function.name)) {
            for example in function.examples {
                let Example::Gives(code, wanted) = example else { continue };
                let form = yaml(code);
                let Some(form) = form
                    .as_hash()
                    .filter(|form| form.get_str(function.name).is_some_and(|value| !value.is_undef()))
                else {
                    continue;
                };
                let hide = |(key, value): (&Value, &Value)| {
                    let is_argument = key.as_str() == Some(function.name);
                    (key.clone(), if is_argument { kept_secret(value) } else { value.clone() })
                };
                let hidden: Hash = form.iter().map(hide).collect();
                let found = query(&hidden.into()).unwrap_or_else(|error| panic!("{code}: {error}"));
                assert!(has_secret(&found) || found.is_undef(), "{code} tells {}", python::repr(&found));
                if *wanted != "<<REDACTED>>" {
                    assert_eq!(python::repr(&revealed(found)), *wanted, "{code}");
                }
                asked += 1;
            }
        }
        assert!(asked > 40, "only {asked} examples have arguments");
    }

    #[test]
    fn every_example_holds() {
        for example in functions().flat_map(|function| function.examples) {
            match example {
                Example::Gives(code, wanted) => {
                    let found = ask(code).unwrap_or_else(|error| panic!("{code}: {error}"));
                    assert_eq!(found, *wanted, "{code}");
                }
                Example::Fails(code, wanted) => {
                    let error = ask(code).expect_err(code);
                    assert!(error.message.contains(wanted), "{code}: {error}");
                }
            }
        }
    }

    #[test]
    fn every_function_says_what_it_does_and_shows_it() {
        for function in functions() {
            assert!(function.doc.ends_with('.'), "{}", function.name);
            assert!(!function.examples.is_empty(), "{}", function.name);
        }
    }
}
