//! For tests of lookups beside their code: what layers of data give, and what becomes of tokens. The answers are those of
//! Puppet's `lookup`.

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Error, MemoryFiles};

use crate::{Hiera, Query, Scope};

const CONFIG: &str = "version: 5\nhierarchy:\n- {name: L, paths: [a.yaml, b.yaml, c.yaml]}\n";

/// What is merged how, the highest layer first, and what comes of it: JSON, or `fails: ` and the words.
pub(crate) type Layers<'a> = (&'a str, &'a [&'a str], &'a str);

/// Writes an answer as the tables have it.
fn told(answer: Result<Value, Error>) -> String {
    match answer {
        Ok(value) => value.to_json(),
        Err(error) if error.code == crate::issues::NOT_FOUND => "not found".to_owned(),
        Err(error) => format!("fails: {}", error.message),
    }
}

/// Checks what layers give when they are merged as `lookup_options` say, and tells of all that differ at once.
#[track_caller]
pub(crate) fn check_layers(facts: &[Layers<'_>]) {
    let mut wrong = Vec::new();
    for (merge, layers, expected) in facts {
        let mut files = MemoryFiles::from([("hiera.yaml", CONFIG)]);
        for (index, (name, layer)) in ["a", "b", "c"].iter().zip(*layers).enumerate() {
            let options = if index == 0 {
                format!("lookup_options: {{k: {{merge: {merge}}}}}\n")
            } else {
                String::new()
            };
            files.insert(format!("data/{name}.yaml"), format!("k: {layer}\n{options}"));
        }
        let found = told(Hiera::open(files, "hiera.yaml").lookup("k").value());
        if found != *expected {
            wrong.push(format!("{merge} {layers:?}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Checks what configurations find in a `data/c.yaml` where `k` is 1 and a `data/common.yaml` where it is 2.
#[track_caller]
pub(crate) fn check_configurations(facts: &[(&str, &str)]) {
    compare(facts, |config| {
        let files = [("hiera.yaml", config), ("data/c.yaml", "k: 1\n"), ("data/common.yaml", "k: 2\n")];
        let mut scope = Scope::new();
        scope.set("x", Value::array(vec!["".into()]));
        told(
            Hiera::open(MemoryFiles::from(files), "hiera.yaml")
                .session(&scope)
                .lookup(&Query::new(["k"]), None),
        )
    });
}

/// Checks what keys find in a document.
#[track_caller]
pub(crate) fn check_keys(document: &str, facts: &[(&str, &str)]) {
    let config = "version: 5\nhierarchy:\n- {name: L, path: c.yaml}\n";
    let hiera =
        Hiera::open(MemoryFiles::from([("hiera.yaml", config), ("data/c.yaml", document)]), "hiera.yaml");
    compare(facts, |key| told(hiera.lookup(key).value()));
}

/// Checks what `k` is in data files.
#[track_caller]
pub(crate) fn check_data(facts: &[(&str, &str)]) {
    compare(facts, |data| {
        let config = "version: 5\nhierarchy:\n- {name: L, path: c.yaml}\n";
        let files = MemoryFiles::from([("hiera.yaml", config), ("data/c.yaml", data)]);
        told(Hiera::open(files, "hiera.yaml").lookup("k").value())
    });
}

/// Tells of all that differ at once.
#[track_caller]
fn compare(facts: &[(&str, &str)], found: impl Fn(&str) -> String) {
    let mut wrong = Vec::new();
    for (text, expected) in facts {
        let found = found(text);
        if found != *expected {
            wrong.push(format!("{text:?}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Checks what becomes of texts with tokens. The texts are given as JSON and are called `t1`, `t2` and so on; beside them
/// there are other keys and a few facts.
#[track_caller]
pub(crate) fn check_tokens(facts: &[(&str, &str)]) {
    let mut data = "s: text\nl: [1, '%{x}']\nm: {a: {b: 5}}\nu: null\n".to_owned();
    for (index, (text, _)) in facts.iter().enumerate() {
        data.push_str(&format!("t{}: {text}\n", index + 1));
    }
    let files = MemoryFiles::from([("hiera.yaml", CONFIG.to_owned()), ("data/c.yaml", data)]);
    let hiera = Hiera::open(files, "hiera.yaml");
    let mut wrong = Vec::new();
    for (index, (text, expected)) in facts.iter().enumerate() {
        let query = Query::new([format!("t{}", index + 1)]);
        let found = told(hiera.session(&scope()).lookup(&query, None));
        if found != *expected {
            wrong.push(format!("{text}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The facts that the tables were asked with.
fn scope() -> Scope {
    let hash = |key: &str, value: Value| Value::hash([(key, value)].into_iter().collect::<Hash>());
    let mut scope = Scope::new();
    scope.set("x", "X");
    scope.set("h", hash("a", hash("b", "deep".into())));
    scope.set("l2", Value::array(vec!["one".into()]));
    scope.set("b", true);
    scope.set("n", 5);
    scope.set("f", 1.5);
    scope.set("facts", hash("x", "X".into()));
    scope
}
