//! Random control repositories and edits: hierarchies, merges, knockouts, tokens, aliases, module data, links between keys.

use std::collections::BTreeMap;

use hierarch_bits::dice::Dice;
use hierarch_fleet::Edit;
use hierarch_pcore::{Hash, Value};
use hierarch_site::NodeFacts;

/// A repository before and after some edits, its nodes and keys.
pub(crate) struct Generated {
    pub(crate) old: BTreeMap<String, String>,
    pub(crate) new: BTreeMap<String, String>,
    pub(crate) nodes: Vec<(String, NodeFacts)>,
    pub(crate) keys: Vec<String>,
    pub(crate) edits: Vec<String>,
}

const KEYS: [&str; 12] = [
    "plain",
    "hash",
    "list",
    "deep",
    "text",
    "alias",
    "chain",
    "m::x",
    "m::y",
    "profile::port",
    "profile::users",
    "motd",
];

/// Makes a node.
pub(crate) fn node(number: usize, site: usize) -> (String, NodeFacts) {
    let name = format!("n{number}");
    let mut facts: Hash =
        [("clientcert", name.as_str()), ("hostname", name.as_str()), ("fqdn", name.as_str()), ("domain", "")]
            .into_iter()
            .collect();
    facts.insert("site", format!("s{site}"));
    facts.insert("role", ["web", "db", "mail"][number % 3]);
    (name, NodeFacts::from(facts))
}

/// Generates a repository and edits it.
pub(crate) fn generate(seed: u64) -> Generated {
    let mut dice = Dice::new(seed.wrapping_mul(7919).wrapping_add(17));
    let mut old: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for file in ["common", "site/s0", "site/s1", "role/web", "role/db", "nodes/n1", "nodes/n2", "nodes/n5"] {
        if dice.below(5) > 0 || file == "common" {
            old.insert(format!("e/data/{file}.yaml"), document(&mut dice, file == "common"));
        }
    }
    old.insert("e/modules/m/data/common.yaml".to_owned(), module_data(&mut dice));
    let mut new = old.clone();
    let edits: Vec<String> = (0..=dice.below(3)).map(|_| edit(&mut dice, &mut new)).collect();
    let config = config(&mut dice);
    let mut changed_config = config.clone();
    if dice.below(4) == 0 {
        changed_config = config.replace("- {name: Role, path: 'role/%{facts.role}.yaml'}\n", "");
    }
    let count = 6 + dice.below(4);
    let nodes = (0..count).map(|number| node(number, dice.below(3))).collect();
    let keys = KEYS.iter().map(|key| (*key).to_owned()).chain(["added".to_owned()]).collect();
    Generated { old: files(&old, &config), new: files(&new, &changed_config), nodes, keys, edits }
}

fn config(dice: &mut Dice) -> String {
    let role = if dice.below(2) == 0 { "- {name: Role, path: 'role/%{facts.role}.yaml'}\n" } else { "" };
    let sites = if dice.below(4) == 0 {
        "- {name: Sites, glob: 'site/%{facts.site}*.yaml'}\n"
    } else {
        "- {name: Site, path: 'site/%{facts.site}.yaml'}\n"
    };
    format!(
        "version: 5\nhierarchy:\n- {{name: Node, path: 'nodes/%{{trusted.certname}}.yaml'}}\n{role}{sites}- {{name: Common, path: common.yaml}}\n"
    )
}

fn files(documents: &BTreeMap<String, BTreeMap<String, String>>, config: &str) -> BTreeMap<String, String> {
    let mut files: BTreeMap<String, String> =
        documents.iter().map(|(path, document)| (path.clone(), text(document))).collect();
    files.insert("e/hiera.yaml".to_owned(), config.to_owned());
    files.insert(
        "e/modules/m/hiera.yaml".to_owned(),
        "version: 5\nhierarchy: [{name: M, path: common.yaml}]\n".to_owned(),
    );
    files
}

fn text(document: &BTreeMap<String, String>) -> String {
    document.iter().map(|(key, value)| format!("{key}: {value}\n")).collect()
}

fn document(dice: &mut Dice, is_common: bool) -> BTreeMap<String, String> {
    let mut document = BTreeMap::new();
    for key in KEYS {
        if is_common || dice.below(3) == 0 {
            document.insert(key.to_owned(), value(dice, key));
        }
    }
    if is_common || dice.below(5) == 0 {
        document.insert("lookup_options".to_owned(), options(dice));
    }
    document
}

fn module_data(dice: &mut Dice) -> BTreeMap<String, String> {
    let mut document: BTreeMap<String, String> =
        ["m::x", "m::y"].into_iter().map(|key| (key.to_owned(), value(dice, key))).collect();
    document.insert("lookup_options".to_owned(), "{'m::x': {merge: unique}}".to_owned());
    document
}

fn options(dice: &mut Dice) -> String {
    let list = dice.pick(&["unique", "first", "unique"]);
    let deep = dice.pick(&["deep", "hash", "{strategy: deep, knockout_prefix: '--'}"]);
    let pattern = dice.pick(&["hash", "first"]);
    format!("{{list: {{merge: {list}}}, deep: {{merge: {deep}}}, '^profile::.*s$': {{merge: {pattern}}}}}")
}

/// Makes a value that suits a key, in YAML's flow style.
fn value(dice: &mut Dice, key: &str) -> String {
    let number = dice.below(4);
    match key {
        "list" | "m::x" => match dice.below(3) {
            0 => format!("[{number}]"),
            1 => format!("[{number}, 1, x{number}]"),
            _ => format!("['--x1', {number}]"),
        },
        "hash" | "deep" | "profile::users" => match dice.below(3) {
            0 => format!("{{a: {number}}}"),
            1 => format!("{{a: {{b: {number}, c: [1, {number}]}}, k{number}: x}}"),
            _ => format!("{{a: {{'--b': 0, d: {number}}}, e: \"%{{facts.role}}\"}}"),
        },
        "text" => format!("\"%{{facts.site}} %{{lookup('plain')}} {number}\""),
        "alias" => {
            dice.pick(&["\"%{alias('hash')}\"", "\"%{alias('list')}\"", "\"%{alias('plain')}\""]).to_string()
        }
        "chain" => format!("[\"%{{lookup('text')}}\", \"%{{lookup('profile::port')}}\", {number}]"),
        "motd" => format!("\"%{{trusted.certname}} of %{{facts.role}} {number}\""),
        _ => dice
            .pick(&["80", "'80'", "80.0", "true", "x", "~"])
            .to_string()
            .replace("80", &format!("8{number}")),
    }
}

/// Changes something, and says what.
fn edit(dice: &mut Dice, documents: &mut BTreeMap<String, BTreeMap<String, String>>) -> String {
    let names: Vec<String> = documents.keys().cloned().collect();
    let file = dice.pick(&names).clone();
    let key = (*dice.pick(&KEYS)).to_owned();
    match dice.below(7) {
        0 => {
            documents.remove(&file).map(|_| ()).unwrap_or_default();
            format!("without {file}")
        }
        1 => {
            let number = dice.below(8);
            let (path, value) = (format!("e/data/nodes/n{number}.yaml"), value(dice, &key));
            documents.entry(path.clone()).or_default().insert(key.clone(), value);
            format!("{path} {key} set")
        }
        2 => {
            documents.entry(file.clone()).or_default().remove(&key);
            format!("{file} {key} removed")
        }
        3 => {
            documents.entry(file.clone()).or_default().insert("added".to_owned(), value(dice, "hash"));
            format!("{file} added")
        }
        4 => {
            let options = options(dice);
            documents.entry(file.clone()).or_default().insert("lookup_options".to_owned(), options);
            format!("{file} lookup_options")
        }
        _ => {
            let value = value(dice, &key);
            documents.entry(file.clone()).or_default().insert(key.clone(), value);
            format!("{file} {key} changed")
        }
    }
}

/// Brings a leaf of a file back to what it was. The texts are read into values, changed, and written as JSON, which is YAML:
/// none of the tool's own edits has a part in it.
pub(crate) fn undo(
    files: &mut BTreeMap<String, String>,
    old: &BTreeMap<String, String>,
    edit: &Edit,
    whole: bool,
) {
    let (file, path) = (edit.file.as_str(), edit.path.as_slice());
    let before = old.get(file);
    if path.is_empty() || whole {
        match before {
            Some(text) => files.insert(file.to_owned(), text.clone()),
            None => files.remove(file),
        };
        return;
    }
    let rules = hierarch_hiera::read::Yaml { aliases: true, symbols: true };
    let read = |text: Option<&String>| {
        let value = text.map(|text| hierarch_hiera::read::yaml(text, rules).expect("well-formed"));
        value.filter(|value| value.as_hash().is_some()).unwrap_or_else(|| Value::hash(Hash::new()))
    };
    let value = set(&read(files.get(file)), path, get(&read(before), path), edit);
    files.insert(file.to_owned(), value.to_json());
}

fn get(value: &Value, path: &[String]) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else { return Some(value.clone()) };
    match value {
        Value::Hash(hash) => get(hash.get_str(first)?, rest),
        Value::Array(items) => get(items.get(first.parse::<usize>().ok()?)?, rest),
        _ => None,
    }
}

fn set(value: &Value, path: &[String], old: Option<Value>, edit: &Edit) -> Value {
    let Some((first, rest)) = path.split_first() else { return old.unwrap_or_default() };
    match value {
        Value::Hash(hash) => {
            let mut hash = (**hash).clone();
            if rest.is_empty() && old.is_none() {
                hash.remove(&Value::from(first.as_str()));
            } else {
                let inner = hash.get_str(first).cloned().unwrap_or_default();
                hash.insert(first.as_str(), set(&inner, rest, old, edit));
            }
            Value::hash(hash)
        }
        Value::Array(items) => {
            let mut items: Vec<Value> = items.to_vec();
            let at: usize = first.parse().expect("a position");
            match (rest.is_empty(), old) {
                (true, _) if edit.old.is_none() => drop(items.remove(at)),
                (true, Some(old)) if edit.new.is_none() => items.insert(at, old),
                (_, old) => items[at] = set(&items[at], rest, old, edit),
            }
            Value::array(items)
        }
        _ => old.unwrap_or_default(),
    }
}
