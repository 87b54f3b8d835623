//! Facts from files: the shapes in which they are usually kept.

use std::io::ErrorKind;
use std::path::Path;

use hierarch_pcore::{Hash, Value};
use hierarch_source::{Files, Result, Source};
use hierarch_yaml::DocumentLimits;

use crate::backend::json;
use crate::document::{MalformedText, malformed, read_yaml, value_of};
use crate::issues;

/// The facts that say who a node is. Who gives one must give all.
const TRUSTED: [&str; 4] = ["hostname", "domain", "fqdn", "clientcert"];

/// Reads a file of facts: a map in JSON or YAML, the output of `puppet facts`, Puppet's own cache, or an answer of
/// PuppetDB.
pub fn read(files: &dyn Files, path: &str) -> Result<Hash> {
    let bytes = bytes_of(files, path)?;
    let value = match Notation::of(path) {
        Notation::Json => from_json(path, &bytes)?,
        Notation::Yaml => from_yaml(path, without_ruby(bytes))?,
        Notation::Either => from_either(path, without_ruby(bytes))?,
    };
    match unwrapped(value) {
        Value::Hash(given) => Ok((*given).clone()),
        Value::Undef => Ok(Hash::new()),
        _ => Err(issues::no_map(path)),
    }
}

/// Reads a file of facts that a flag names: what is wrong with it is told in the words of `puppet lookup --facts`.
pub fn read_given(files: &dyn Files, path: &str) -> Result<Hash> {
    let notation = Notation::of(path);
    let bytes = match files.read(Path::new(path)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound && notation == Notation::Either => {
            return Err(issues::bad_facts(path));
        }
        Err(error) => return Err(issues::unopened(path, &error)),
    };
    let value = match notation {
        Notation::Json => given_json(path, &bytes)?,
        Notation::Yaml => given_yaml(path, without_ruby(bytes))?,
        Notation::Either => from_either(path, without_ruby(bytes)).unwrap_or(Value::Undef),
    };
    match unwrapped(value) {
        Value::Hash(given) => Ok((*given).clone()),
        _ => Err(issues::bad_facts(path)),
    }
}

/// How a file is written, as its name says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    Json,
    Yaml,
    Either,
}

impl Notation {
    fn of(path: &str) -> Self {
        match Path::new(path).extension().and_then(|extension| extension.to_str()) {
            Some("json") => Self::Json,
            Some("yaml" | "yml") => Self::Yaml,
            _ => Self::Either,
        }
    }
}

fn bytes_of(files: &dyn Files, path: &str) -> Result<Vec<u8>> {
    files.read(Path::new(path)).map_err(|error| issues::unreadable(path, &error))
}

/// Refuses facts that say who a node is, but not all of it: `puppet lookup --facts` does.
pub fn check_trusted(given: &Hash, path: &str) -> Result<()> {
    let count = TRUSTED.iter().filter(|name| given.contains_str(name)).count();
    if count > 0 && count < TRUSTED.len() {
        return Err(issues::incomplete_trusted_facts(&TRUSTED.join(","), path));
    }
    Ok(())
}

/// Reads a list, in JSON or YAML: of nodes, for instance.
pub fn read_list(files: &dyn Files, path: &str) -> Result<Vec<Value>> {
    match from_either(path, bytes_of(files, path)?)? {
        Value::Array(items) => Ok(items.to_vec()),
        _ => Err(issues::no_list(path)),
    }
}

/// Reads a map, in JSON or YAML, as it stands there: what a classifier says of a node, for instance.
pub fn read_map(files: &dyn Files, path: &str) -> Result<Hash> {
    match from_either(path, bytes_of(files, path)?)? {
        Value::Hash(map) => Ok((*map).clone()),
        _ => Err(issues::no_map(path)),
    }
}

/// Refuses a node of which nothing is known.
pub fn check_known(facts: &Hash, node: &str) -> Result<()> {
    if facts.is_empty() { Err(issues::no_facts(node)) } else { Ok(()) }
}

/// Reads what may be JSON or YAML, which most JSON is too.
fn from_either(path: &str, bytes: Vec<u8>) -> Result<Value> {
    match from_json(path, &bytes) {
        Ok(value) => Ok(value),
        Err(_) => from_yaml(path, bytes),
    }
}

fn from_json(path: &str, bytes: &[u8]) -> Result<Value> {
    let text = text_of(path, bytes)?;
    json::parse(text).map_err(|problem| issues::malformed_file(issues::NOT_JSON, &problem.place(path, text)))
}

fn given_json(path: &str, bytes: &[u8]) -> Result<Value> {
    let text = text_of(path, bytes)?;
    json::parse(text).map_err(|problem| {
        let place = Some(problem.place(path, text));
        issues::malformed_facts(MalformedText { words: problem.words().to_owned(), place, hint: None })
    })
}

fn text_of<'t>(path: &str, bytes: &'t [u8]) -> Result<&'t str> {
    std::str::from_utf8(bytes).map_err(|_| issues::unparsable(&format!("({path}): invalid UTF-8")))
}

fn from_yaml(path: &str, bytes: Vec<u8>) -> Result<Value> {
    let source = Source::from_bytes(path, bytes)?;
    let tree = hierarch_yaml::read_first(&source, DocumentLimits::default())?;
    tree.root().map_or(Ok(Value::Undef), |root| value_of(&tree, root))
}

fn given_yaml(path: &str, bytes: Vec<u8>) -> Result<Value> {
    let document = read_yaml(path, bytes).map_err(issues::malformed_facts)?;
    document.whole().map_err(|error| issues::malformed_facts(malformed(path, &error)))
}

/// What Ruby calls the objects that Puppet keeps its facts in.
const CACHE: &str = "!ruby/object:Puppet::Node::Facts";

/// Puppet's cache names its class and holds times, which data must not; both are taken away.
fn without_ruby(bytes: Vec<u8>) -> Vec<u8> {
    let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| text.contains(CACHE)) else {
        return bytes;
    };
    let lines = text.lines().map(|line| match line.trim_start().split_once(": ") {
        Some(("timestamp" | "expiration" | "_timestamp", time)) if !time.starts_with(['"', '\'']) => {
            let start = &line[..line.len() - time.len()];
            format!("{start}'{}'", time.replace('\'', "''"))
        }
        _ => line.replace(CACHE, "").replace("!ruby/sym ", ""),
    });
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

/// Takes facts out of what `puppet facts` and PuppetDB wrap them in.
fn unwrapped(value: Value) -> Value {
    match &value {
        Value::Hash(hash) => match (hash.get_str("name"), hash.get_str("values")) {
            (Some(_), Some(Value::Hash(facts))) => Value::Hash(facts.clone()),
            _ => value,
        },
        Value::Array(items) => from_puppetdb(items).unwrap_or(value),
        _ => value,
    }
}

/// PuppetDB answers with a list of `{certname, name, value}`, or of one `{certname, facts: {data: …}}`.
fn from_puppetdb(items: &[Value]) -> Option<Value> {
    let mut facts = Hash::new();
    for item in items {
        let item = item.as_hash()?;
        if let Some(Value::Hash(inner)) = item.get_str("facts") {
            match inner.get_str("data") {
                Some(Value::Array(data)) => return from_puppetdb(data),
                _ => return Some(Value::Hash(inner.clone())),
            }
        }
        facts.insert(item.get_str("name")?.clone(), item.get_str("value")?.clone());
    }
    (!facts.is_empty()).then(|| Value::hash(facts))
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    fn check(name: &str, text: &str) {
        let facts = super::read(&MemoryFiles::from([(name, text)]), name).expect(text);
        assert_eq!(facts.get_str("kernel").and_then(|value| value.as_str()), Some("Linux"), "{text}");
    }

    #[test]
    fn facts_are_found_in_all_that_they_are_kept_in() {
        check("f.yaml", "kernel: Linux\n");
        check("f.json", r#"{"kernel": "Linux"}"#);
        check("f.json", r#"{"name": "n", "values": {"kernel": "Linux"}}"#);
        check("f", r#"[{"certname": "n", "name": "kernel", "value": "Linux"}]"#);
        check(
            "f.yaml",
            "--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues:\n  kernel: Linux\n  _timestamp: 2020-01-02 \
             03:04:05.678 +00:00\ntimestamp: 2020-01-02 03:04:05.678901234 +00:00\nexpiration: 2020-01-02 03:34:05 Z\n",
        );
    }
}
