//! What needs nodes: types of answers, variables that no node has, levels that hide each other, values nobody can decrypt.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use hierarch_eval::issues::{MISSING_PARAMETER, PARAMETERS_OF, WRONG_PARAMETER};
use hierarch_hiera::issues::{ENCRYPTED_KEY, undefined_name as undefined_variable};
use hierarch_hiera::origin::{Other, TracedValue};
use hierarch_hiera::{Panel, Session, is_encrypted, variables};
use hierarch_pcore::{Type, Value};
use hierarch_site::Node;
use hierarch_source::Error;

use super::files::{key_place, token_at, token_place};
use super::unfit::unfit_parts;
use super::{Finding, Severity};
use crate::ask::{Fleet, Ready, Surveys, UnansweredNode, open, whole, with_sessions};
use crate::ground::{DataFile, Ground};
use crate::issues;
use crate::reason::Reason;
use crate::unset::OF_NODES;

/// A finding of one answer, before it is known how many nodes share it, and the variable that is not defined there.
type OpenFinding = (Finding, Option<String>);

/// The findings of one answer.
type SharedFindings = Arc<Vec<OpenFinding>>;

/// What a part of the nodes says.
#[derive(Default)]
struct PartFindings {
    /// The variables that some node has.
    defined: BTreeSet<String>,
    findings: Vec<OpenFinding>,
    failed: Vec<UnansweredNode>,
}

struct CheckRun<'a> {
    ground: &'a Ground,
    fleet: &'a Fleet<'a>,
    types: &'a BTreeMap<String, Type>,
    /// The keys that are looked at, each with what is looked for.
    keys: Vec<WantedKey<'a>>,
    names: Vec<String>,
    surveys: Surveys<SharedFindings>,
}

/// Why a key is asked for.
struct WantedKey<'a> {
    key: &'a str,
    type_: Option<&'a Type>,
    may_hide: bool,
    is_encrypted: bool,
    /// Its tokens call functions, or read variables that need not be there.
    may_fail: bool,
}

/// Checks what nodes are answered.
pub(super) fn findings(
    ground: &Ground,
    fleet: &Fleet,
    types: &BTreeMap<String, Type>,
) -> (Vec<Finding>, Vec<UnansweredNode>) {
    let paths = ground.environment.hiera().hierarchy_variables();
    let tokens = token_variables(ground);
    let keys = wanted(ground, types);
    let asking = CheckRun {
        ground,
        fleet,
        types,
        names: paths.iter().chain(tokens.keys()).cloned().collect(),
        surveys: Surveys::new(keys.len()),
        keys,
    };
    let (parts, unread) = fleet.in_parts(|ready| asking.ask(&ready));
    let mut unanswered: Vec<UnansweredNode> = unread.into_iter().map(|(_, unanswered)| unanswered).collect();
    let mut defined = BTreeSet::new();
    let (mut counts, mut found) = (Counts::new(), Vec::new());
    for part in parts {
        defined.extend(part.defined);
        unanswered.extend(part.failed);
        found.extend(part.findings);
    }
    for (finding, variable) in found {
        // Of a variable that no node has HC205 tells.
        if variable.is_none_or(|name| defined.contains(&name)) {
            count(&mut counts, finding);
        }
    }
    let mut findings: Vec<Finding> = merged(counts);
    findings.extend(undefined(ground, &paths, &tokens, &defined, fleet.nodes.len()));
    (findings, unanswered)
}

/// Findings, each with how many nodes it concerns and with the files beside its own of all of them.
type Counts = BTreeMap<Finding, (usize, BTreeSet<String>)>;

fn count(counts: &mut Counts, mut finding: Finding) {
    let also = std::mem::take(&mut finding.also);
    let (number, known) = counts.entry(finding).or_default();
    *number += 1;
    known.extend(also);
}

/// Adds how many nodes a finding concerns. Where some have it for sure and others if the class is included, both are told.
fn merged(counts: Counts) -> Vec<Finding> {
    let counted = |(finding, (number, also)): (Finding, (usize, BTreeSet<String>))| {
        let message = issues::on_nodes(&finding.message, number);
        Finding { message, also, ..finding }
    };
    counts.into_iter().map(counted).collect()
}

fn undefined(
    ground: &Ground,
    paths: &[String],
    tokens: &BTreeMap<String, (String, String)>,
    defined: &BTreeSet<String>,
    nodes: usize,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for name in paths.iter().filter(|name| !defined.contains(*name)) {
        let configs = ground.layouts.iter().filter_map(|layout| layout.config.as_deref());
        let configs: BTreeSet<&str> = configs.collect();
        let place = configs.into_iter().find_map(|file| Some((file, token_at(&ground.text(file)?, name)?)));
        if let Some((file, place)) = place {
            findings.push(Finding::warning(file, place, "HC204", issues::undefined_in_path(name, nodes)));
        }
    }
    for (name, (file, key)) in tokens.iter().filter(|(name, _)| !defined.contains(*name)) {
        let place = token_place(ground, file, name).unwrap_or_else(|| key_place(ground, file, &[key]));
        findings.push(Finding::warning(file, place, "HC205", issues::undefined_token(name, nodes)));
    }
    findings
}

/// Returns the variables that tokens in loaded data read, each with the first file and key.
fn token_variables(ground: &Ground) -> BTreeMap<String, (String, String)> {
    let mut found = BTreeMap::new();
    for file in ground.files.iter().filter(|file| file.is_loaded) {
        for (key, value) in file.entries() {
            for name in variables(value) {
                let name = name.trim_start_matches("::").to_owned();
                found.entry(name).or_insert_with(|| (file.path().to_owned(), key.to_owned()));
            }
        }
    }
    found
}

/// Finds the keys that are worth a question.
fn wanted<'a>(ground: &'a Ground, types: &'a BTreeMap<String, Type>) -> Vec<WantedKey<'a>> {
    let mut collections: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut encrypted, mut failing) = (BTreeSet::new(), BTreeSet::new());
    for (key, value) in ground.files.iter().filter(|file| file.is_loaded).flat_map(|file| file.entries()) {
        if is_collection(value) {
            *collections.entry(key).or_default() += 1;
        }
        if is_encrypted(value) {
            encrypted.insert(key);
        }
        if may_fail(&value.to_json()) {
            failing.insert(key);
        }
    }
    let all = ground.keys().into_iter().map(|key| WantedKey {
        key,
        type_: types.get(key),
        may_hide: collections.get(key).is_some_and(|count| *count > 1),
        is_encrypted: encrypted.contains(key),
        may_fail: failing.contains(key),
    });
    let is_worth_it = |wanted: &WantedKey| {
        wanted.type_.is_some() || wanted.may_hide || wanted.is_encrypted || wanted.may_fail
    };
    all.filter(is_worth_it).collect()
}

/// Tells whether a token in a text may fail: it calls a function, `%{lookup('x')}`, or reads a variable that need not be there.
/// What is missing in facts is an empty text.
fn may_fail(text: &str) -> bool {
    let is_open = |token: &str| {
        let root = token.trim().trim_start_matches("::").split('.').next().unwrap_or_default();
        token.contains('(') || !OF_NODES.contains(&root)
    };
    text.split("%{").skip(1).any(|rest| rest.split('}').next().is_some_and(is_open))
}

fn is_collection(value: &Value) -> bool {
    matches!(value, Value::Hash(_) | Value::Array(_))
}

impl CheckRun<'_> {
    fn ask(&self, ready: &[Ready]) -> PartFindings {
        let nodes = open(self.fleet.site, ready);
        let is_here = |node: &&Node| node.environment().name() == self.ground.environment.name();
        let Some(_) = nodes.first().filter(is_here) else { return PartFindings::default() };
        let mut part =
            if self.fleet.compiles { self.compiled(ready, &nodes) } else { PartFindings::default() };
        with_sessions(&nodes, |sessions| {
            let is_defined = |name: &&String| {
                let values = sessions.iter().filter_map(|session| session.variable_value(name));
                values.into_iter().any(|value| !value.is_undef())
            };
            part.defined.extend(self.names.iter().filter(is_defined).cloned());
            let surveys = self.surveys.of(&self.ground.environment);
            let panel = Panel::new(sessions);
            for (number, wanted) in self.keys.iter().enumerate() {
                let find = |session: &Session| Arc::new(self.look(session, wanted, !self.fleet.compiles));
                surveys[number].ask_all(&panel, find, |_, found| part.findings.extend(found.iter().cloned()));
            }
        });
        part
    }

    /// Looks at one answer.
    fn look(&self, session: &Session, wanted: &WantedKey, has_types: bool) -> Vec<OpenFinding> {
        let traced = match session.trace(&whole(wanted.key)) {
            Ok(traced) => traced,
            Err(error) if wanted.is_encrypted && error.has_detail(ENCRYPTED_KEY) => {
                return self.undecrypted(wanted.key).map(|found| (found, None)).into_iter().collect();
            }
            // A catalog may have the variable; it is asked when it is compiled.
            Err(error) if self.fleet.compiles && undefined_variable(&error).is_some() => return Vec::new(),
            Err(error) => {
                let variable = undefined_variable(&error).map(str::to_owned);
                return self.failing(wanted.key, &error).map(|found| (found, variable)).into_iter().collect();
            }
        };
        let mut findings = Vec::new();
        if has_types && let Some(type_) = wanted.type_ {
            findings.extend(self.misfits(session, wanted.key, type_, Severity::Warning));
        }
        if wanted.may_hide && is_collection(traced.plain()) {
            findings.extend(self.hiding(session, wanted.key, &traced));
        }
        findings.into_iter().map(|found| (found, None)).collect()
    }

    /// Tells of a collection that hides others of lower levels, though nothing says how to merge them.
    fn hiding(&self, session: &Session, key: &str, traced: &TracedValue) -> Option<Finding> {
        let collections = traced.collections();
        let top = collections.iter().filter(|part| part.path.is_empty());
        let hidden = top.flat_map(|part| part.hides).filter(|other| is_collection(&other.value));
        let hidden: Vec<&Other> = hidden.collect();
        let is_first = session.strategy(key).is_ok_and(|strategy| strategy.is_first());
        let is_merged = self.ground.code.sure_merge_of(key).is_some();
        let origin = traced.origins().first().copied()?;
        if hidden.is_empty() || !is_first || is_merged {
            return None;
        }
        let kind = if traced.plain().as_hash().is_some() { "hash" } else { "unique" };
        let (line, column) = key_place(self.ground, &origin.file, &[key]);
        let place = (line.or(origin.line), column.or(origin.column));
        let files = hidden.iter().filter_map(|other| Some(other.origin.as_ref()?.file.to_string()));
        let found = Finding::warning(&origin.file, place, "HC206", issues::hides_collections(key, kind));
        Some(found.with_severity(Severity::Note).beside(files))
    }

    /// Tells of a lookup that fails, unless a file that cannot be read is the reason: that is told of by itself.
    fn failing(&self, key: &str, error: &Error) -> Option<Finding> {
        let is_broken =
            |file: &DataFile| file.content.entries.is_err() && error.message.contains(file.path());
        let is_known = error.code == hierarch_hiera::issues::NOT_FOUND || !self.ground.broken.is_empty();
        // HC205 says it of an alias inside of a longer text.
        let is_alias = error.code == hierarch_hiera::issues::ALIAS_NOT_ALONE;
        if is_known || is_alias || self.ground.files.iter().any(is_broken) {
            return None;
        }
        let holders: Vec<&DataFile> = self.holders(key, |_| true).collect();
        // Mostly it is a token that fails.
        let file =
            self.holders(key, |value| may_fail(&value.to_json())).next().or(holders.first().copied())?;
        let place = key_place(self.ground, file.path(), &[key]);
        let why = self.ground.environment.shown_text(&error.to_string());
        // Without a catalog nobody knows what a manifest sets.
        let is_open = !self.fleet.compiles && undefined_variable(error).is_some();
        let message = issues::lookup_fails(key, why.trim_end_matches([' ', ';']), is_open);
        let severity = if is_open { Severity::Warning } else { Severity::Error };
        let found = Finding::warning(file.path(), place, "HC105", message).with_severity(severity);
        Some(found.beside(holders.iter().map(|file| file.path())))
    }

    fn undecrypted(&self, key: &str) -> Option<Finding> {
        let file = self.holders(key, is_encrypted).next()?;
        let place = key_place(self.ground, file.path(), &[key]);
        let found = Finding::warning(file.path(), place, "HC210", issues::no_key_opens(key));
        let found = found.with_severity(Severity::Error);
        Some(found.beside(self.holders(key, is_encrypted).map(DataFile::path)))
    }

    /// Returns the loaded files that have a key with such a value.
    fn holders(&self, key: &str, is_such: impl Fn(&Value) -> bool) -> impl Iterator<Item = &DataFile> {
        self.ground.files.iter().filter(move |file| {
            file.is_loaded && file.entries().any(|(name, value)| name == key && is_such(value))
        })
    }

    /// Compiles catalogs: what does not fit there is an error, and a value that is missing, too.
    fn compiled(&self, ready: &[Ready], nodes: &[Node]) -> PartFindings {
        let mut part = PartFindings::default();
        let manifests = match self.ground.environment.manifests() {
            Ok(manifests) => manifests,
            Err(error) => {
                let reason = Reason::of(&self.ground.environment, &error);
                let failed =
                    |ready: &Ready| UnansweredNode { node: ready.name.clone(), reason: reason.clone() };
                part.failed.extend(ready.iter().map(failed));
                return part;
            }
        };
        for node in nodes {
            let mut compilation = node.compile_from(&manifests);
            let (classes, failure) = match &compilation.catalog {
                Ok(catalog) => (catalog.classes.iter().map(ToString::to_string).collect(), None),
                Err(error) => (BTreeSet::new(), Some(error.clone())),
            };
            let (findings, _) = compilation.asking(|lookups| {
                let session = lookups.session();
                let is_set =
                    |name: &&String| session.variable_value(name).is_some_and(|value| !value.is_undef());
                part.defined.extend(self.names.iter().filter(is_set).cloned());
                let failing = self.keys.iter().filter(|wanted| wanted.may_fail);
                let failing = failing.filter_map(|wanted| {
                    let error = session.trace(&whole(wanted.key)).err()?;
                    undefined_variable(&error).and_then(|_| self.failing(wanted.key, &error))
                });
                let mut findings = self.typed(session, &classes, failure.as_ref());
                findings.extend(failing);
                findings
            });
            let is_explained = findings.iter().any(|finding| finding.severity == Severity::Error);
            let failure = failure.filter(|_| !is_explained).map(|failure| self.uncompiled(node, &failure));
            part.findings.extend(findings.into_iter().chain(failure).map(|found| (found, None)));
        }
        part
    }

    /// Tells of a catalog that does not compile, in words that are the same for all nodes.
    fn uncompiled(&self, node: &Node, failure: &Error) -> Finding {
        let place = failure.shown_place();
        let folder = self.ground.environment.folder().map(|folder| folder.display().to_string());
        let file = place
            .and_then(|place| place.source.name())
            .map_or_else(|| folder.unwrap_or_default(), str::to_owned);
        let place = place.map_or((None, None), |place| {
            let (line, column) = place.position();
            (Some(line), column)
        });
        let words = failure.message.strip_suffix(node.name()).and_then(|rest| rest.strip_suffix(" for "));
        let why = words.unwrap_or(&failure.message);
        let found = Finding::warning(&file, place, "HC106", issues::no_catalog(why));
        found.with_severity(Severity::Error).beside(self.sources_of_data())
    }

    /// Checks the types of one node's answers. A class that is in the catalog was given values that fit: those of data, or
    /// others instead. A class that the catalog failed in is named by the failure.
    fn typed(&self, session: &Session, classes: &BTreeSet<String>, failure: Option<&Error>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (key, type_) in self.types {
            let Some((class, parameter)) = key.rsplit_once("::") else { continue };
            if classes.contains(class) {
                continue;
            }
            let has_failed = failure.is_some_and(|failure| blames(failure, class, parameter));
            let severity = if has_failed { Severity::Error } else { Severity::Warning };
            findings.extend(self.misfits(session, key, type_, severity));
        }
        findings.extend(failure.into_iter().flat_map(|failure| self.lacking(failure)));
        findings
    }

    /// Returns why the answer of a node does not fit a type, part by part.
    fn misfits(&self, session: &Session, key: &str, wanted: &Type, severity: Severity) -> Vec<Finding> {
        let Ok(traced) = session.trace(&whole(key)) else { return Vec::new() };
        // An undefined value leaves the parameter its default.
        if traced.plain().is_undef() || wanted.has(traced.plain()) {
            return Vec::new();
        }
        let class = self.ground.code.parameter(key).map(|(class, _)| class.file.clone());
        let options = session.used_options(key).ok().flatten().and_then(|used| used.origin);
        let beside: Vec<String> =
            class.into_iter().chain(options.map(|origin| origin.file.to_string())).collect();
        let mut findings = Vec::new();
        for part in unfit_parts(key, wanted, &traced) {
            // Messages quote texts and numbers, decrypted ones too.
            let message = self.ground.environment.shown_text(&part.text);
            let message = if severity == Severity::Error { message } else { issues::if_included(&message) };
            let found = Finding::warning(&part.file, part.place, "HC101", message).with_severity(severity);
            findings.push(found.beside(part.also).beside(beside.clone()));
        }
        findings
    }

    /// Returns the files and folders in which a value that is missing may have stood.
    fn sources_of_data(&self) -> impl Iterator<Item = String> {
        let layouts = self.ground.layouts.iter();
        layouts.flat_map(|layout| [&layout.config, &layout.folder]).flatten().cloned()
    }

    /// Finds the parameters of which a failure says that they have no value.
    fn lacking(&self, failure: &Error) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (name, class) in &self.ground.code.classes {
            if !is_about(failure, name) {
                continue;
            }
            for (parameter, known) in &class.parameters {
                if known.default.is_none()
                    && failure.details(MISSING_PARAMETER).any(|missing| missing == parameter)
                {
                    let place = (Some(known.line), Some(known.column));
                    let message = issues::no_required_value(name, parameter);
                    let found = Finding::warning(&class.file, place, "HC104", message);
                    findings.push(found.with_severity(Severity::Error).beside(self.sources_of_data()));
                }
            }
        }
        findings
    }
}

/// Returns a class as failures name it: `Class[A::B]`.
fn reference(class: &str) -> String {
    let part = |part: &str| {
        let mut letters = part.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect::<String>())
    };
    format!("Class[{}]", class.split("::").map(part).collect::<Vec<_>>().join("::"))
}

/// Tells whether a failure is about the parameters of a class.
fn is_about(failure: &Error, class: &str) -> bool {
    failure.details(PARAMETERS_OF).any(|name| name == reference(class))
}

/// Tells whether a failure is about a parameter of a class.
fn blames(failure: &Error, class: &str, parameter: &str) -> bool {
    is_about(failure, class)
        && failure
            .details(MISSING_PARAMETER)
            .chain(failure.details(WRONG_PARAMETER))
            .any(|name| name == parameter)
}
