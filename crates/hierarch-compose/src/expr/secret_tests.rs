//! Secrets in expressions and templates: whatever a function, filter or test is given, neither its result nor its error tells one.

use std::path::PathBuf;
use std::sync::Arc;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::{Context, ExpressionHost, Expressions, Options, functions, python};
use crate::template::{filter_names, test_names};

const CANARY: &str = "CANARYcanary";

/// A machine whose only key is a secret.
struct Host;

impl ExpressionHost for Host {
    fn base(&self) -> PathBuf {
        "/srv/demo".into()
    }

    fn hiera(&self, key: &str, _: Option<&str>) -> Result<Option<Value>> {
        Ok((key == "k").then(|| Value::sensitive(CANARY.into())))
    }
}

fn open(reveals: bool) -> Expressions {
    let options = Options { host: Arc::new(Host), reveals, ..Options::default() };
    Expressions::with(Hash::new(), options).expect("a document")
}

/// What a user gets to see of an answer, or of an error and its notes.
fn shown(asked: Result<Value>) -> String {
    match asked {
        Ok(value) => python::repr(&value),
        Err(error) => format!("{error} {:?}", error.notes),
    }
}

fn secret() -> Value {
    map([("eval", map([("lookup", map([("hiera", "k".into())]))]))])
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    entries.into_iter().collect::<Hash>().into()
}

#[test]
fn no_function_of_expressions_tells_a_secret() {
    let (expressions, context) = (open(false), Context::default());
    let arguments = [
        secret(),
        Value::array(vec![secret()]),
        Value::array(vec!["a".into(), secret()]),
        Value::array(vec![secret(), "a".into(), secret()]),
        map([("a", secret())]),
        map([("hiera", secret())]),
        map([("file", secret())]),
        map([("path", secret())]),
    ];
    // What is quoted is not evaluated, so that the secret does not come in.
    for function in functions().filter(|function| function.name != "q") {
        for argument in &arguments {
            let expression = map([(function.name, argument.clone())]);
            let told = shown(expressions.query(&expression, &context).map(|found| found.one()));
            assert!(!told.contains(CANARY), "{}: {told}", python::repr(&expression));
        }
    }
}

#[test]
fn no_filter_and_no_test_of_templates_tells_a_secret() {
    let (expressions, context) = (open(false), Context::default());
    let secret = "lookup('hiera', 'k')";
    let filters = filter_names().into_iter().flat_map(|name| {
        [
            format!("{{{{ {secret} | {name} }}}}"),
            format!("{{{{ [{secret}] | {name} }}}}"),
            format!("{{{{ 'a' | {name}({secret}) }}}}"),
        ]
    });
    let tests = test_names().into_iter().map(|name| format!("{{{{ {secret} is {name} }}}}"));
    let others = [
        "{{ {}[SECRET] }}",
        "{{ lookup('hiera', SECRET) }}",
        "{{ lookup('file', SECRET) }}",
        "{% include SECRET %}",
        "{{ ('%' ~ SECRET) % 1 }}",
        "{{ SECRET.nothing.more }}",
        "{{ SECRET() }}",
        "{{ 1 + SECRET }}",
    ];
    let others = others.map(|text| text.replace("SECRET", secret));
    for template in filters.chain(tests).chain(others) {
        let source = hierarch_source::Source::unnamed(template.clone());
        let told = shown(expressions.render_file(&source, &context));
        // The template itself may be quoted; it names the key and not the secret.
        assert!(!told.contains(CANARY), "{template}: {told}");
    }
}

#[test]
fn what_fails_without_a_secret_or_may_tell_it_says_why() {
    let context = Context::default();
    let render = |expressions: &Expressions, text: &str| {
        shown(expressions.render_file(&hierarch_source::Source::unnamed(text), &context))
    };
    let (closed, open) = (open(false), open(true));
    assert!(render(&closed, "{{ 'x' | to_datetime }}").contains("time data 'x'"));
    let failing = "{{ lookup('hiera', 'k') | to_datetime }}";
    assert!(render(&closed, failing).contains("--reveal"), "{}", render(&closed, failing));
    assert!(render(&open, failing).contains(CANARY));
    let unknown = "{{ lookup('hiera', 'k') ~ nothing_of_that_name }}";
    assert!(
        render(&closed, unknown).contains("nothing_of_that_name"),
        "a name of the template tells nothing"
    );
}
