//! Keys against classes, and lookup options against keys.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use hierarch_hiera::{is_encrypted, references};
use hierarch_pcore::Value;
use hierarch_source::nearest;

use super::files::key_place;
use super::{Finding, Severity};
use crate::ground::{DataFile, Ground};
use crate::impact::root_of;
use crate::issues;
use crate::option_name::OptionName;

/// The function that opens encrypted values.
const EYAML: &str = "eyaml_lookup_key";

/// Checks all keys and options.
pub(super) fn findings(ground: &Ground) -> Vec<Finding> {
    let keys = ground.keys();
    let decrypts = ground.layouts.iter().any(|layout| layout.function == EYAML);
    let mut findings = options(ground, &keys);
    for file in &ground.files {
        for (key, value) in file.entries().filter(|(key, _)| *key != "lookup_options") {
            findings.extend(of_class(ground, file.path(), key));
            findings.extend(tokens(ground, &keys, file.path(), (key, value)));
            if decrypts && file.content.backend != EYAML && is_encrypted(value) {
                let found = finding(ground, file.path(), &[key], "HC210", issues::not_decrypted(key));
                findings.push(found.with_severity(Severity::Error));
            }
        }
    }
    findings
}

/// Checks the tokens of an entry.
fn tokens(ground: &Ground, keys: &BTreeSet<&str>, file: &str, (key, value): (&str, &Value)) -> Vec<Finding> {
    let told = |message: String| finding(ground, file, &[key], "HC205", message);
    let mut findings = Vec::new();
    let references = references(value);
    if references.iter().any(|reference| reference.is_misplaced) {
        findings.push(told(issues::misplaced_alias(key)));
    }
    // What a function may say, nobody knows here.
    let is_known = !ground.has_functions() && ground.broken.is_empty();
    for reference in references.iter().filter(|_| is_known) {
        let asked = root_of(&reference.key);
        if !keys.contains(asked) && !asked.contains("%{") {
            let near = nearest(asked, keys.iter().copied());
            findings.push(told(issues::asks_for_nothing(&reference.token, asked, &near)));
        }
    }
    if has_open_token(value) {
        findings.push(told(issues::open_token(key)));
    }
    findings
}

/// Tells whether a text in a value has a token without its end.
fn has_open_token(value: &Value) -> bool {
    match value {
        Value::String(text) => text.rsplit_once("%{").is_some_and(|(_, rest)| !rest.contains('}')),
        Value::Array(items) => items.iter().any(has_open_token),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_open_token(key) || has_open_token(value)),
        _ => false,
    }
}

fn finding(ground: &Ground, file: &str, path: &[&str], code: &'static str, message: String) -> Finding {
    Finding::warning(file, key_place(ground, file, path), code, message)
}

fn of_class(ground: &Ground, file: &str, key: &str) -> Option<Finding> {
    let (class, parameter) = key.rsplit_once("::")?;
    if ground.is_asked_for(key) {
        return None;
    }
    match ground.code.classes.get(class) {
        Some(known) if known.parameters.contains_key(parameter) => None,
        Some(known) => {
            let near = nearest(parameter, known.parameters.keys().map(String::as_str));
            let found = finding(ground, file, &[key], "HC102", issues::no_parameter(class, parameter, &near));
            Some(found.beside([&known.file]))
        }
        None => {
            let near = nearest(class, ground.code.classes.keys().map(String::as_str));
            Some(finding(ground, file, &[key], "HC103", issues::no_class(class, &near)))
        }
    }
}

/// One entry of `lookup_options`.
struct OptionEntry<'o> {
    file: &'o DataFile,
    name: &'o str,
    value: &'o Value,
}

/// Checks `lookup_options`: entries that match nothing, patterns that contradict each other.
fn options(ground: &Ground, keys: &BTreeSet<&str>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut patterns: BTreeMap<Option<&str>, Vec<(OptionEntry, Vec<&str>)>> = BTreeMap::new();
    let mut exact = BTreeSet::new();
    for entry in option_entries(ground) {
        let name = OptionName::new(entry.name);
        if !ground.has_functions() && name.keys_in(keys).next().is_none() {
            let path = ["lookup_options", entry.name];
            let message = issues::dead_option(entry.name);
            findings.push(finding(ground, entry.file.path(), &path, "HC208", message));
        }
        for option in unknown_options(entry.value) {
            let near = nearest(option, OPTIONS);
            let path = ["lookup_options", entry.name, option];
            let message = issues::unknown_option(entry.name, option, &near);
            findings.push(finding(ground, entry.file.path(), &path, "HC208", message));
        }
        if entry.name.starts_with('^') {
            let matched = name.keys_in(keys).collect();
            patterns.entry(entry.file.module.as_deref()).or_default().push((entry, matched));
        } else {
            exact.insert(entry.name);
        }
    }
    for entries in patterns.values() {
        findings.extend(contradictions(ground, entries, &exact));
    }
    findings
}

/// What an entry of `lookup_options` can say.
const OPTIONS: [&str; 2] = ["merge", "convert_to"];

/// Lists what an entry of `lookup_options` says that nothing heeds.
fn unknown_options(value: &Value) -> impl Iterator<Item = &str> {
    let names = value.as_hash().into_iter().flat_map(|hash| hash.keys());
    names.filter_map(|name| name.as_str()).filter(|name| !OPTIONS.contains(name))
}

fn option_entries(ground: &Ground) -> impl Iterator<Item = OptionEntry<'_>> {
    ground.files.iter().flat_map(|file| {
        let options = file.entries().filter(|(key, _)| *key == "lookup_options");
        let hashes = options.filter_map(|(_, value)| value.as_hash());
        let entries = hashes.flat_map(|hash| hash.iter());
        entries.filter_map(move |(name, value)| Some(OptionEntry { file, name: name.as_str()?, value }))
    })
}

/// Finds patterns that match the same key and say different things, each two of them once, with the first such key.
fn contradictions(
    ground: &Ground,
    entries: &[(OptionEntry, Vec<&str>)],
    exact: &BTreeSet<&str>,
) -> Vec<Finding> {
    let mut by_key: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, (_, matched)) in entries.iter().enumerate() {
        for key in matched.iter().filter(|key| !exact.contains(*key)) {
            by_key.entry(key).or_default().push(number);
        }
    }
    let (mut pairs, mut seen) = (BTreeMap::new(), HashSet::new());
    for (key, numbers) in &by_key {
        // Keys that the same patterns match say nothing new.
        if !seen.insert(numbers) {
            continue;
        }
        for (at, second) in numbers.iter().enumerate() {
            for first in &numbers[..at] {
                pairs.entry((*second, *first)).or_insert(*key);
            }
        }
    }
    let told = pairs.into_iter().filter_map(|((second, first), key)| {
        let (first, second) = (&entries[first].0, &entries[second].0);
        let differs = first.name != second.name && first.value != second.value;
        differs.then(|| {
            let message = issues::two_patterns(first.name, second.name, key);
            let path = ["lookup_options", second.name];
            let found = finding(ground, second.file.path(), &path, "HC207", message);
            found.beside([first.file.path()])
        })
    });
    told.collect()
}
