//! Keys against classes, and lookup options against keys.

use std::collections::{BTreeMap, BTreeSet};

use hierarch_hiera::{is_encrypted, references};
use hierarch_pcore::Value;
use hierarch_pcore::regex::Regexp;
use hierarch_source::nearest;

use super::files::key_place;
use super::{Finding, Severity};
use crate::ground::{DataFile, Ground};
use crate::issues;

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
            if references(value).iter().any(|reference| reference.is_misplaced) {
                findings.push(finding(ground, file.path(), &[key], "HC205", issues::misplaced_alias(key)));
            }
            if decrypts && file.content.backend != EYAML && is_encrypted(value) {
                let found = finding(ground, file.path(), &[key], "HC210", issues::not_decrypted(key));
                findings.push(found.with_severity(Severity::Error));
            }
        }
    }
    findings
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
    let mut patterns: BTreeMap<Option<&str>, Vec<OptionEntry>> = BTreeMap::new();
    let mut exact = BTreeSet::new();
    for entry in option_entries(ground) {
        if !ground.has_functions() && !keys.iter().any(|key| matches(entry.name, key)) {
            let path = ["lookup_options", entry.name];
            findings.push(finding(
                ground,
                entry.file.path(),
                &path,
                "HC208",
                issues::dead_option(entry.name),
            ));
        }
        if entry.name.starts_with('^') {
            patterns.entry(entry.file.module.as_deref()).or_default().push(entry);
        } else {
            exact.insert(entry.name);
        }
    }
    for entries in patterns.values() {
        findings.extend(contradictions(ground, entries, &exact, keys));
    }
    findings
}

fn option_entries(ground: &Ground) -> impl Iterator<Item = OptionEntry<'_>> {
    ground.files.iter().flat_map(|file| {
        let options = file.entries().filter(|(key, _)| *key == "lookup_options");
        let hashes = options.filter_map(|(_, value)| value.as_hash());
        let entries = hashes.flat_map(|hash| hash.iter());
        entries.filter_map(move |(name, value)| Some(OptionEntry { file, name: name.as_str()?, value }))
    })
}

fn contradictions(
    ground: &Ground,
    entries: &[OptionEntry],
    exact: &BTreeSet<&str>,
    keys: &BTreeSet<&str>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (number, second) in entries.iter().enumerate() {
        let differs = |first: &&OptionEntry| first.name != second.name && first.value != second.value;
        for first in entries[..number].iter().filter(differs) {
            let is_both =
                |key: &&&str| !exact.contains(**key) && matches(first.name, key) && matches(second.name, key);
            if let Some(key) = keys.iter().find(is_both) {
                let message = issues::two_patterns(first.name, second.name, key);
                let path = ["lookup_options", second.name];
                let found = finding(ground, second.file.path(), &path, "HC207", message);
                findings.push(found.beside([first.file.path()]));
            }
        }
    }
    findings
}

/// Tells whether the name or pattern of an option matches a key.
pub(crate) fn matches(name: &str, key: &str) -> bool {
    if !name.starts_with('^') {
        return name == key;
    }
    // A pattern that cannot be understood is told when it is used.
    Regexp::new(name).map_or(true, |pattern| pattern.is_match(key).unwrap_or(true))
}
