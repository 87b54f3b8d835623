//! `impact --catalogs`: how catalogs differ between two states of a site, for whom, and because of which edit.
//!
//! Every node is compiled on both sides. A group is a resource, what happens to it and the parameters concerned, and its cause:
//! edits are undone in an overlay of the new state, one node of each different pair is compiled again, and the old resource must
//! be back. Edits of data are leaves of their files, edits of code whole files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hierarch_eval::Catalog;
use hierarch_hiera::eyaml::HIDDEN;
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Environment, Node, Site};
use hierarch_source::Overlay;

use super::cause::Proof;
use super::compare::read_all;
use super::difference::Kind;
use super::{Cause, Comparison};
use crate::ask::{Ready, UnansweredNode, open};
use crate::because::in_order;
use crate::edits::{Edit, edits, undone, whole_file};
use crate::values::names_value;

/// How catalogs differ.
#[derive(Clone, Debug, Default)]
pub struct CatalogImpact {
    /// How many nodes were compiled.
    pub asked: usize,
    /// How many of them get another catalog.
    pub changed: usize,
    /// The changes, by cause, then by resource.
    pub groups: Vec<CatalogGroup>,
    /// The nodes whose catalog fails on both sides for the same reason.
    pub unanswered: Vec<UnansweredNode>,
}

/// Changes of one resource with the same cause.
#[derive(Clone, Debug)]
pub struct CatalogGroup {
    /// The resource, as in `File[/etc/motd]`; `Catalog` where the catalog as a whole fails or is mended.
    pub resource: String,
    /// What happens.
    pub kind: Kind,
    /// The parameters that differ, those of one node with their values; secrets are hidden.
    pub parameters: Vec<(String, Option<Value>, Option<Value>)>,
    /// Why a catalog fails, or failed.
    pub failure: Option<String>,
    /// The nodes, in order.
    pub nodes: Vec<String>,
    /// The edits that made the change.
    pub causes: Vec<Edit>,
    /// How that was proved; nothing where no cause was found.
    pub proof: Option<Proof>,
}

/// The name that stands for a catalog as a whole.
const WHOLE: &str = "Catalog";

/// What a catalog has: resources with their parameters, or why there is none.
#[derive(PartialEq, Debug)]
enum CatalogContent {
    Resources(BTreeMap<String, Parameters>),
    Failed(String),
}

/// Parameters with their values, and whether they are secret.
type Parameters = BTreeMap<String, (Value, bool)>;

/// Catalogs that are compiled from what stands for secrets: whatever a program makes of that tells nothing.
struct OpenCatalogs<'c> {
    comparison: &'c Comparison<'c>,
    known: HashMap<String, Option<OpenSides>>,
}

/// Both catalogs of a node from what stands for secrets, and why the real one fails, as far as it may be said.
struct OpenSides {
    old: CatalogContent,
    new: CatalogContent,
    failure: Option<String>,
}

impl OpenCatalogs<'_> {
    /// Takes what is shown of groups from such catalogs; what is not the same there is made of a secret.
    fn shown(mut self, groups: Vec<CatalogGroup>) -> Vec<CatalogGroup> {
        groups.into_iter().map(|group| self.shown_group(group)).collect()
    }

    fn shown_group(&mut self, mut group: CatalogGroup) -> CatalogGroup {
        let first = group.nodes.first().cloned().unwrap_or_default();
        let comparison = self.comparison;
        let known = self.known.entry(first).or_insert_with_key(|name| compile_open(comparison, name));
        let hidden = || Some(Value::from(HIDDEN));
        let side = |content: &CatalogContent, name: &str| match content.find(&group.resource) {
            Found::Parameters(parameters) => parameters
                .get(name)
                .map(|(value, is_secret)| if *is_secret { Value::from(HIDDEN) } else { value.clone() }),
            _ => None,
        };
        for (name, old, new) in &mut group.parameters {
            let sides = known.as_ref();
            *old = old.take().and_then(|_| sides.and_then(|sides| side(&sides.old, name)).or_else(hidden));
            *new = new.take().and_then(|_| sides.and_then(|sides| side(&sides.new, name)).or_else(hidden));
        }
        let is_gone = group.kind == Kind::Removed;
        let kept = known.as_ref().map(|sides| if is_gone { &sides.old } else { &sides.new });
        let is_title_open = kept.is_some_and(|kept| !matches!(kept.find(&group.resource), Found::Nothing));
        if group.resource == WHOLE {
            let said = known.as_ref().and_then(|sides| sides.failure.clone());
            group.failure = group.failure.take().map(|_| said.unwrap_or_else(|| HIDDEN.to_owned()));
        } else if !is_title_open {
            let kind = group.resource.split('[').next().unwrap_or_default();
            group.resource = format!("{kind}[{HIDDEN}]");
        }
        group
    }
}

fn compile_open(comparison: &Comparison, name: &str) -> Option<OpenSides> {
    let facts = comparison.nodes.asked(name)?;
    let before = comparison.before(name, &facts).unwrap_or_else(|| facts.clone());
    let compiled = |site: &Site, facts| {
        let node = site.node_with(name, facts);
        let failure = node.compile().err();
        let told = failure.map(|failure| node.environment().shown_text(&failure.to_string()));
        (CatalogContent::of(&node.without_secrets()), told)
    };
    let (old, fails_before) = compiled(comparison.old, before);
    let (new, fails) = compiled(comparison.new, facts);
    Some(OpenSides { old, new, failure: fails.or(fails_before) })
}

impl CatalogContent {
    fn of(node: &Node) -> Self {
        match node.compile() {
            Ok(catalog) => Self::Resources(resources(&catalog)),
            Err(error) => Self::Failed(node.environment().shown_text(&error.to_string())),
        }
    }

    fn find(&self, resource: &str) -> Found<'_> {
        match self {
            Self::Failed(message) if resource == WHOLE => Found::Failed(message),
            Self::Failed(_) => Found::Nothing,
            Self::Resources(all) => all.get(resource).map_or(Found::Nothing, Found::Parameters),
        }
    }
}

#[derive(PartialEq)]
enum Found<'c> {
    Nothing,
    Failed(&'c str),
    Parameters(&'c Parameters),
}

fn resources(catalog: &Catalog) -> BTreeMap<String, Parameters> {
    let real = catalog.resources.iter().filter(|resource| !resource.is_virtual || resource.is_exported);
    let one = |resource: &hierarch_eval::catalog::Resource| {
        let parameter = |(name, value): &(hierarch_pcore::Str, Value)| {
            let is_secret = resource.sensitive.contains(name) || value.has_sensitive();
            (name.to_string(), (value.clone(), is_secret))
        };
        // What a node exports is for others, and called as code writes it.
        let sign = if resource.is_virtual { "@@" } else { "" };
        (format!("{sign}{resource}"), resource.parameters.iter().map(parameter).collect())
    };
    real.map(one).collect()
}

/// What differs for one node.
struct Difference {
    resource: String,
    kind: Kind,
    names: Vec<String>,
}

fn differences(old: &CatalogContent, new: &CatalogContent) -> Vec<Difference> {
    let whole = |kind| vec![Difference { resource: WHOLE.to_owned(), kind, names: Vec::new() }];
    match (old, new) {
        (CatalogContent::Failed(_), CatalogContent::Failed(_)) => whole(Kind::Changed),
        (_, CatalogContent::Failed(_)) => whole(Kind::Failing),
        (CatalogContent::Failed(_), _) => whole(Kind::Mended),
        (CatalogContent::Resources(old), CatalogContent::Resources(new)) => {
            let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            names.into_iter().filter_map(|name| difference(name, old.get(name), new.get(name))).collect()
        }
    }
}

fn difference(resource: &str, old: Option<&Parameters>, new: Option<&Parameters>) -> Option<Difference> {
    let (kind, names) = match (old, new) {
        (None, _) => (Kind::Added, Vec::new()),
        (_, None) => (Kind::Removed, Vec::new()),
        (Some(old), Some(new)) => {
            let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            let changed = all.into_iter().filter(|name| old.get(*name) != new.get(*name)).cloned().collect();
            (Kind::Changed, changed)
        }
    };
    let is_same = kind == Kind::Changed && names.is_empty();
    (!is_same).then(|| Difference { resource: resource.to_owned(), kind, names })
}

/// Finds out how catalogs differ between two states of a site.
pub fn catalogs(comparison: &Comparison) -> CatalogImpact {
    let fleet = comparison.fleet(comparison.new);
    let (parts, unread) = fleet.in_parts(|ready| compile_both(comparison, &ready));
    let mut answer = CatalogImpact {
        asked: comparison.nodes.len(),
        unanswered: unread.into_iter().map(|(_, one)| one).collect(),
        ..CatalogImpact::default()
    };
    let mut sorted: BTreeMap<(String, Kind, Vec<String>), Vec<Pair>> = BTreeMap::new();
    for (index, name, sides) in parts.into_iter().flatten() {
        match (&*sides.0, &*sides.1) {
            (CatalogContent::Failed(old), CatalogContent::Failed(new)) if old == new => {
                answer.unanswered.push(UnansweredNode { node: name, reason: old.clone().into() });
            }
            (old, new) => {
                let found = differences(old, new);
                answer.changed += usize::from(!found.is_empty());
                for one in found {
                    add(sorted.entry((one.resource, one.kind, one.names)).or_default(), index, &sides);
                }
            }
        }
    }
    answer.unanswered.sort();
    let prover = Prover::new(comparison);
    let names: Vec<&str> = comparison.nodes.names().collect();
    for ((resource, kind, parameters), pairs) in sorted {
        answer.groups.extend(prover.groups(&resource, kind, &parameters, pairs, &names));
    }
    answer.groups.sort_by_key(order);
    if !comparison.new.permissions().may_show_secrets {
        let (old, new) = read_all(comparison);
        let met: Vec<Arc<Environment>> = old.into_iter().chain(new).collect();
        if met.iter().any(|environment| environment.hiera().has_secrets()) {
            let open = OpenCatalogs { comparison, known: HashMap::new() };
            answer.groups = open.shown(answer.groups);
        }
        answer.groups.iter_mut().for_each(|group| group.hide(&met));
    }
    answer
}

fn order(group: &CatalogGroup) -> impl Ord + use<> {
    let causes: Vec<_> =
        group.causes.iter().map(|edit| (edit.file.clone(), edit.line, edit.path.clone())).collect();
    (causes.is_empty(), causes, group.resource.clone(), group.nodes.clone())
}

type Sides = (Arc<CatalogContent>, Arc<CatalogContent>);

fn compile_both(comparison: &Comparison, ready: &[Ready]) -> Vec<(usize, String, Sides)> {
    let (old, new) = (comparison.open_old(ready), open(comparison.new, ready));
    let sides = old.iter().zip(&new).map(|(old, new)| {
        let before = Arc::new(CatalogContent::of(old));
        let after = CatalogContent::of(new);
        // Most catalogs are the same: one of them is kept.
        let after = if after == *before { Arc::clone(&before) } else { Arc::new(after) };
        (before, after)
    });
    ready.iter().zip(sides).map(|(node, sides)| (node.index, node.name.clone(), sides)).collect()
}

/// Nodes for which a resource changes in the same way.
struct Pair {
    nodes: Vec<usize>,
    sides: Sides,
    is_same_as: Vec<usize>,
    /// It has other facts than before, and therefore perhaps a cause of its own.
    is_alone: bool,
}

/// Adds a node to the pairs of a resource. Whether nodes are the same is found out later, by the resource alone.
fn add(pairs: &mut Vec<Pair>, node: usize, sides: &Sides) {
    pairs.push(Pair { nodes: vec![node], sides: sides.clone(), is_same_as: Vec::new(), is_alone: false });
}

/// Catalogs by the edits that were undone, and the node.
type KnownCatalogs = HashMap<(Vec<usize>, usize), Arc<CatalogContent>>;

/// Finds causes by undoing edits.
struct Prover<'c> {
    comparison: &'c Comparison<'c>,
    edits: Vec<Edit>,
    tried: AtomicUsize,
    /// What was compiled already, by edits that were undone and node.
    known: Mutex<KnownCatalogs>,
}

impl<'c> Prover<'c> {
    fn new(comparison: &'c Comparison<'c>) -> Self {
        let read = |site: &Site, file: &str| site.files().read(Path::new(file)).ok();
        let of = |file: &String| {
            let (old, new) = (read(comparison.old, file), read(comparison.new, file));
            let is_data = [".yaml", ".yml", ".json"].iter().any(|end| file.ends_with(end));
            if is_data {
                edits(file, old.as_deref(), new.as_deref())
            } else if old == new {
                Vec::new()
            } else {
                vec![whole_file(file, old.as_deref())]
            }
        };
        let edits = comparison.changed.iter().flat_map(of).collect();
        Self { comparison, edits, tried: AtomicUsize::new(0), known: Mutex::default() }
    }

    /// Sorts the nodes of one change by their causes.
    fn groups(
        &self,
        resource: &str,
        kind: Kind,
        parameters: &[String],
        pairs: Vec<Pair>,
        names: &[&str],
    ) -> Vec<CatalogGroup> {
        let mut different: Vec<Pair> = Vec::new();
        for pair in pairs {
            let is_alone = pair.nodes.first().is_some_and(|node| self.comparison.is_moved(*node));
            let is_same = |known: &&mut Pair| {
                !is_alone
                    && !known.is_alone
                    && known.sides.0.find(resource) == pair.sides.0.find(resource)
                    && known.sides.1.find(resource) == pair.sides.1.find(resource)
            };
            match different.iter_mut().find(is_same) {
                Some(known) => known.is_same_as.extend(pair.nodes),
                None => different.push(Pair { is_alone, ..pair }),
            }
        }
        let mut by_cause: BTreeMap<Cause, (Vec<usize>, Sides)> = BTreeMap::new();
        for pair in different {
            let cause = self.cause(resource, &pair);
            let nodes = pair.nodes.iter().chain(&pair.is_same_as).copied();
            by_cause.entry(cause).or_insert_with(|| (Vec::new(), pair.sides.clone())).0.extend(nodes);
        }
        let group = |(cause, (mut nodes, sides)): (Cause, (Vec<usize>, Sides))| {
            nodes.sort_unstable();
            CatalogGroup {
                resource: resource.to_owned(),
                kind,
                parameters: shown(parameters, resource, &sides),
                failure: failure(&sides).filter(|_| resource == WHOLE),
                nodes: nodes
                    .iter()
                    .filter_map(|index| names.get(*index))
                    .map(|name| (*name).to_owned())
                    .collect(),
                causes: cause.edits.iter().map(|number| self.edits[*number].clone()).collect(),
                proof: cause.proof,
            }
        };
        by_cause.into_iter().map(group).collect()
    }

    /// Finds the cause of a change: an edit alone, or the fewest that together bring the old resource back.
    fn cause(&self, resource: &str, pair: &Pair) -> Cause {
        let Some(&node) = pair.nodes.first() else { return Cause::default() };
        let is_back = |numbers: &[usize]| {
            self.undone(numbers, node)
                .is_some_and(|found| found.find(resource) == pair.sides.0.find(resource))
        };
        if let Some(number) = (0..self.edits.len()).find(|number| is_back(&[*number])) {
            let is_file = self.edits[number].is_whole_file();
            let proof = if is_file { Proof::FileUndone } else { Proof::Undone };
            return Cause { edits: vec![number], proof: Some(proof), is_limited: false };
        }
        let mut left: Vec<usize> = (0..self.edits.len()).collect();
        if left.len() < 2 || !is_back(&left) {
            return Cause::default();
        }
        for number in left.clone() {
            let fewer: Vec<usize> = left.iter().copied().filter(|one| *one != number).collect();
            if is_back(&fewer) {
                left = fewer;
            }
        }
        Cause { edits: left, proof: Some(Proof::UndoneTogether), is_limited: false }
    }

    /// Compiles a node in the new state without some edits; nothing if too much was tried.
    fn undone(&self, numbers: &[usize], node: usize) -> Option<Arc<CatalogContent>> {
        let id = (numbers.to_vec(), node);
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Some(Arc::clone(known));
        }
        let is_over = || self.tried.fetch_add(1, Ordering::Relaxed) >= self.comparison.most_tried;
        if self.comparison.nodes.is_stopped() || is_over() {
            return None;
        }
        let site = (self.comparison.reopen)(self.overlay(numbers)?);
        let (name, known) = self.comparison.nodes.at(node)?;
        let is_facts = |number: &usize| {
            self.comparison.tracked.is_some_and(|facts| (facts.is_file)(&self.edits[*number].file))
        };
        let own = if numbers.iter().any(is_facts) { self.comparison.facts_in(&site, name) } else { None };
        let facts = match own {
            Some(facts) => facts,
            None => self.comparison.nodes.facts(name, known).ok()?,
        };
        let compiled = Arc::new(CatalogContent::of(&site.node_with(name, facts)));
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&compiled));
        Some(compiled)
    }

    fn overlay(&self, numbers: &[usize]) -> Option<Overlay> {
        let mut overlay = Overlay::new(Arc::clone(self.comparison.new.files()));
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for number in numbers {
            by_file.entry(&self.edits[*number].file).or_default().push(&self.edits[*number]);
        }
        for (file, edits) in by_file {
            let path = Path::new(file);
            let new = self.comparison.new.files().read(path).ok();
            match undone(new.as_deref(), &edits)? {
                Some(bytes) => overlay.insert(path, bytes),
                None => overlay.remove(path),
            }
        }
        Some(overlay)
    }
}

/// Returns the parameters that differ as they may be shown.
fn shown(
    names: &[String],
    resource: &str,
    (old, new): &Sides,
) -> Vec<(String, Option<Value>, Option<Value>)> {
    let value = |side: &CatalogContent, name: &String| match side.find(resource) {
        Found::Parameters(parameters) => {
            let (value, is_secret) = parameters.get(name)?;
            Some(if *is_secret { Value::from(HIDDEN) } else { value.clone() })
        }
        _ => None,
    };
    names.iter().map(|name| (name.clone(), value(old, name), value(new, name))).collect()
}

fn failure((old, new): &Sides) -> Option<String> {
    match (&**new, &**old) {
        (CatalogContent::Failed(message), _) | (_, CatalogContent::Failed(message)) => Some(message.clone()),
        _ => None,
    }
}

impl CatalogImpact {
    /// Tells whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the answer for tools, files named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let fields = [
            ("asked", Value::from(self.asked)),
            ("changed", Value::from(self.changed)),
            ("groups", Value::array(self.groups.iter().map(|group| group.to_value(folder)).collect())),
            ("unanswered", Value::array(self.unanswered.iter().map(UnansweredNode::to_value).collect())),
        ];
        Value::hash(fields.into_iter().collect())
    }

    /// Returns the resources that change.
    pub fn resources(&self) -> usize {
        in_order(self.groups.iter().map(|group| vec![group.resource.clone()])).len()
    }
}

impl CatalogGroup {
    /// Hides what environments have decrypted or made sensitive, wherever it came to: titles, parameters, edits.
    fn hide(&mut self, met: &[Arc<Environment>]) {
        let text = |text: &str| met.iter().fold(text.to_owned(), |text, one| one.shown_text(&text));
        let value = |value: &mut Value| {
            for one in met {
                *value = one.hiera().value_without_secrets(value);
            }
        };
        self.resource = text(&self.resource);
        self.failure = self.failure.as_deref().map(text);
        for (_, old, new) in &mut self.parameters {
            [old, new].into_iter().flatten().for_each(value);
        }
        for edit in &mut self.causes {
            [&mut edit.old, &mut edit.new].into_iter().flatten().for_each(value);
        }
    }

    fn to_value(&self, folder: &str) -> Value {
        let side = |(name, old, new): &(String, Option<Value>, Option<Value>)| {
            let sides = [("old", old), ("new", new)];
            let sides: Hash = sides
                .into_iter()
                .filter_map(|(side, value)| Some((Value::from(side), value.clone()?)))
                .collect();
            (Value::from(name.as_str()), Value::hash(sides))
        };
        let parameters: Hash = self.parameters.iter().map(side).collect();
        let causes = self.causes.iter().map(|edit| edit.to_value(folder)).collect();
        let fields = [
            ("resource", Value::from(self.resource.as_str())),
            ("kind", Value::from(self.kind.name())),
            ("parameters", Value::hash(parameters)),
            ("failure", self.failure.as_deref().map_or(Value::Undef, Value::from)),
            ("nodes", names_value(&self.nodes)),
            ("count", Value::from(self.nodes.len())),
            ("causes", if self.proof.is_some() { Value::array(causes) } else { Value::Undef }),
            ("proof", self.proof.map_or(Value::Undef, |proof| Value::from(proof.name()))),
        ];
        Value::hash(fields.into_iter().collect())
    }
}

#[cfg(test)]
mod tests;
