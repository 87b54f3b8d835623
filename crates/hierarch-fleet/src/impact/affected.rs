//! Which keys an edit can affect at all. Whatever is not sure to be unaffected is compared.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use hierarch_hiera::{Content, references, variables};
use hierarch_pcore::Value;
use hierarch_site::Environment;
use hierarch_source::Files;

use super::Comparison;
use crate::edits::{Edit, edits, whole_file};
use crate::equality::same_order;
use crate::ground::{reachable, turned_round};

/// The keys that are compared.
pub(crate) enum AffectedKeys {
    /// All: a hierarchy, a function, or something of which nobody knows what it does has changed.
    Everything,
    /// These, and no others.
    Keys(BTreeSet<String>),
}

/// What an edit can have to do with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// A key, and those that ask for it.
    Key(String),
    /// The lookup options of keys, by a name or a pattern.
    Options(String),
    /// The nodes whose facts a file holds.
    Facts,
    /// Any key.
    Anything,
}

/// Data files by path and function.
type Contents = BTreeMap<(String, &'static str), Content>;

/// The data files of both sides, once all nodes have read theirs.
pub(crate) struct Ground {
    old: Contents,
    new: Contents,
    /// The paths of all data files, links followed: they hold top-level keys.
    data: BTreeSet<String>,
    /// The same with what they include, which may hold anything.
    files: BTreeSet<String>,
    /// What each key asks for by tokens, on either side.
    asks: BTreeMap<String, BTreeSet<String>>,
    /// The keys that stand in some file before or after, and not in both.
    come_or_gone: BTreeSet<String>,
    has_functions: bool,
    has_globs: bool,
}

impl Ground {
    /// Takes what the environments of both sides have read.
    pub(crate) fn new(old: &[Arc<Environment>], new: &[Arc<Environment>]) -> Self {
        let contents = |list: &[Arc<Environment>]| -> Contents {
            let all = list.iter().flat_map(|environment| environment.hiera().contents());
            all.map(|content| ((content.file.clone(), content.backend), content)).collect()
        };
        let (before, after) = (contents(old), contents(new));
        let both = |names: fn(&Content) -> Vec<String>| {
            paths(&before, old, names).into_iter().chain(paths(&after, new, names)).collect()
        };
        let data = both(|content| vec![content.file.clone()]);
        let files = both(|content| content.files.clone());
        let mut asks: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (key, value) in
            before.values().chain(after.values()).flat_map(|content| content.entries.iter().flatten())
        {
            let found = references(value).into_iter().map(|reference| root_of(&reference.key).to_owned());
            asks.entry(key.clone()).or_default().extend(found);
        }
        let any = |test: fn(&Environment) -> bool| old.iter().chain(new).any(|environment| test(environment));
        Self {
            come_or_gone: come_or_gone(&before, &after),
            old: before,
            new: after,
            data,
            files,
            asks,
            has_functions: any(|environment| environment.hiera().calls_functions()),
            has_globs: any(|environment| environment.hiera().uses_globs()),
        }
    }

    /// Tells whether some data file has others in it, which are read with it.
    pub(crate) fn has_includes(&self) -> bool {
        let contents = self.old.values().chain(self.new.values());
        contents.into_iter().any(|content| content.files.iter().any(|file| *file != content.file))
    }

    /// Tells whether functions make data up, which may ask for anything.
    pub(crate) fn has_functions(&self) -> bool {
        self.has_functions
    }

    /// Tells whether a key stands in the same data files before and after.
    pub(crate) fn stands_in_the_same_files(&self, key: &str) -> bool {
        !self.come_or_gone.contains(key)
    }

    /// Returns a key and all that it asks for, directly or not.
    pub(crate) fn needs(&self, key: &str) -> BTreeSet<String> {
        reachable(&self.asks, [key.to_owned()].into())
    }

    /// Returns the variables that tokens in the values of keys read.
    pub(crate) fn variables(&self) -> BTreeSet<String> {
        let contents = self.old.values().chain(self.new.values());
        let values = contents.flat_map(|content| content.entries.iter().flatten());
        let names = values.flat_map(|(_, value)| variables(value));
        names.map(|name| name.trim_start_matches("::").to_owned()).collect()
    }

    /// Finds out which keys may have another answer, given the files that differ.
    pub(crate) fn affected(&self, changed: &[String]) -> AffectedKeys {
        let mut others = changed.iter().filter(|file| !self.files.contains(*file));
        if others.any(|file| !self.is_harmless(file)) {
            return AffectedKeys::Everything;
        }
        let mut keys = BTreeSet::new();
        for id in self.old.keys().chain(self.new.keys().filter(|id| !self.old.contains_key(*id))) {
            match self.different(self.old.get(id), self.new.get(id)) {
                Some(some) => keys.extend(some),
                None => return AffectedKeys::Everything,
            }
        }
        AffectedKeys::Keys(self.with_askers(keys))
    }

    /// Lists the keys by which two versions of a file differ; nothing where that says nothing about other keys.
    fn different(&self, old: Option<&Content>, new: Option<&Content>) -> Option<BTreeSet<String>> {
        if (old.is_none() || new.is_none()) && self.has_globs {
            return None;
        }
        let entries = |content: Option<&Content>| -> Option<Vec<(String, Value)>> {
            content.map_or(Some(Vec::new()), |content| content.entries.as_ref().ok().cloned())
        };
        let (old, new) = match (old, new) {
            // What cannot be read now as before gives the same message.
            (Some(Content { entries: Err(old), .. }), Some(Content { entries: Err(new), .. })) => {
                return (old.to_string() == new.to_string()).then(BTreeSet::new);
            }
            (old, new) => (entries(old)?, entries(new)?),
        };
        let keys = names_that_differ(&old, &new);
        // An option that is malformed fails all keys of its layer.
        (!keys.contains("lookup_options")).then_some(keys)
    }

    fn with_askers(&self, keys: BTreeSet<String>) -> BTreeSet<String> {
        reachable(&turned_round(&self.asks), keys)
    }

    /// Tells whether a file that no lookup has read can have nothing to do with answers.
    fn is_harmless(&self, file: &str) -> bool {
        let path = Path::new(file);
        let end = path.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_under = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
        if matches!(name, "hiera.yaml" | "environment.conf" | "metadata.json" | "puppet.conf") {
            return false;
        }
        let is_text =
            matches!(end, "md" | "epp" | "erb" | "txt" | "rst" | "adoc" | "svg" | "png" | "sh" | "py");
        let is_manifest = end == "pp" && is_under("manifests");
        let is_outside =
            is_under("spec") || is_under(".github") || name.starts_with('.') || name == "Puppetfile";
        if self.has_functions {
            return is_text && matches!(end, "md" | "rst" | "adoc" | "svg" | "png");
        }
        // Data that no node of either side reads change no answer of theirs.
        is_text || is_manifest || is_outside || matches!(end, "yaml" | "yml" | "eyaml" | "json" | "conf")
    }

    /// Lists the edits in files that differ, with what they can have to do with.
    pub(crate) fn edits(&self, comparison: &Comparison) -> Vec<(Edit, Reach)> {
        let (old, new) = (comparison.old, comparison.new);
        let mut found = Vec::new();
        for file in comparison.changed {
            let read = |files: &dyn Files| files.read(Path::new(file)).ok();
            let (before, after) = (read(&**old.files()), read(&**new.files()));
            let is_data = self.data.contains(file);
            let is_config = file.ends_with("/hiera.yaml") || file == "hiera.yaml";
            if is_data || is_config {
                let list = edits(file, before.as_deref(), after.as_deref());
                found.extend(
                    list.into_iter()
                        .map(|edit| (reach(&edit, is_data), edit))
                        .map(|(reach, edit)| (edit, reach)),
                );
            } else if before != after
                && (comparison.compiles || self.files.contains(file) || !self.is_harmless(file))
            {
                found.push((whole_file(file, before.as_deref()), Reach::Anything));
            }
        }
        found
    }
}

/// Returns the paths of data files, as they are named and where links lead.
fn paths(
    contents: &Contents,
    environments: &[Arc<Environment>],
    names: fn(&Content) -> Vec<String>,
) -> Vec<String> {
    let files = environments.first().map(|environment| environment.hiera().files());
    let resolve = |path: &String| Some(files?.resolve(Path::new(path)).ok()?.display().to_string());
    let named: Vec<String> = contents.values().flat_map(names).collect();
    let resolved: Vec<String> = named.iter().filter_map(resolve).collect();
    named.into_iter().chain(resolved).collect()
}

fn reach(edit: &Edit, is_data: bool) -> Reach {
    match edit.root() {
        Some("lookup_options") if is_data => {
            edit.path.get(1).map_or(Reach::Anything, |name| Reach::Options(name.clone()))
        }
        Some(key) if is_data => Reach::Key(key.to_owned()),
        _ => Reach::Anything,
    }
}

impl Reach {
    /// Returns the key whose data an edit changes, if it is one.
    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Self::Key(key) => Some(key),
            Self::Options(_) | Self::Facts | Self::Anything => None,
        }
    }

    /// Tells whether an edit can have to do with a key that needs others, and how likely that is: less is likelier.
    pub(crate) fn distance(&self, key: &str, needs: &BTreeSet<String>) -> Option<u8> {
        match self {
            Self::Key(own) if own == key => Some(0),
            Self::Key(other) => needs.contains(other).then_some(1),
            Self::Facts => Some(1),
            Self::Options(name) if name.starts_with('^') || needs.contains(name) => Some(2),
            Self::Anything => Some(3),
            // An option that is malformed fails all keys of its layer.
            Self::Options(_) => Some(4),
        }
    }
}

/// Lists the keys that a file has on one side alone.
fn come_or_gone(old: &Contents, new: &Contents) -> BTreeSet<String> {
    let names = |content: Option<&Content>| {
        let entries = content.and_then(|content| content.entries.as_ref().ok());
        entries.into_iter().flatten().map(|(name, _)| name.clone()).collect::<BTreeSet<String>>()
    };
    let files: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    let differ = |file| {
        let (before, after) = (names(old.get(file)), names(new.get(file)));
        before.symmetric_difference(&after).cloned().collect::<Vec<String>>()
    };
    files.into_iter().flat_map(differ).collect()
}

/// Lists the names whose values differ, or that only one side has.
fn names_that_differ(old: &[(String, Value)], new: &[(String, Value)]) -> BTreeSet<String> {
    let known: HashMap<&str, &Value> = old.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let now: HashMap<&str, &Value> = new.iter().map(|(name, value)| (name.as_str(), value)).collect();
    let names = known.keys().chain(now.keys());
    let is_other = |name: &&&str| match (known.get(**name), now.get(**name)) {
        (Some(old), Some(new)) => old != new || !same_order(old, new),
        (old, new) => old != new,
    };
    names.filter(is_other).map(|name| (*name).to_owned()).collect()
}

/// Returns the top-level name of a key that may dig: `a.b` is in `a`, `'a.b'.c` in `a.b`.
pub(crate) fn root_of(key: &str) -> &str {
    let key = key.trim();
    for quote in ['\'', '"'] {
        if let Some(rest) = key.strip_prefix(quote) {
            return rest.split(quote).next().unwrap_or(rest);
        }
    }
    key.split('.').next().unwrap_or(key)
}
