//! `unused`: what may be deleted, and how sure that is.
//!
//! `known.rs` finds what code and hierarchies by themselves show; `standing.rs` asks the nodes which entries never count;
//! `proof.rs` proves each by taking it out: all answers of all nodes must stay the same.

mod known;
mod proof;
mod standing;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use hierarch_pcore::Value;
use hierarch_site::Site;
use hierarch_source::Overlay;

use crate::ask::{Fleet, UnansweredNode};
use crate::check::key_place;
use crate::code::{CodeMerge, OpenCall};
use crate::ground::{DataFile, Ground, grounds};
use crate::inputs::CatalogInputs;
use crate::unset::unknown_variable;
use crate::values::{names_value, relative};

pub use self::proof::FixedTexts;
use self::proof::{Candidate, Prover};

/// How something is known to be dead; later ones are stronger.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Evidence {
    /// No code and no hierarchy names it.
    Static,
    /// No catalog of the chosen nodes asked for it.
    Compiled,
    /// Without it all answers of all chosen nodes are the same.
    Fleet,
}

impl Evidence {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Compiled => "compiled",
            Self::Fleet => "fleet",
        }
    }
}

/// What kind of dead data something is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names are explained by `message` in issues.rs")]
pub enum DeadKind {
    UnloadedFile,
    UnknownParameter,
    UnusedKey,
    Shadowed,
    Redundant,
    DeadOption,
    DeadKnockout,
    DeadLevel,
}

impl DeadKind {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnloadedFile => "unloaded-file",
            Self::UnknownParameter => "unknown-parameter",
            Self::UnusedKey => "unused-key",
            Self::Shadowed => "shadowed",
            Self::Redundant => "redundant",
            Self::DeadOption => "dead-option",
            Self::DeadKnockout => "dead-knockout",
            Self::DeadLevel => "dead-level",
        }
    }
}

/// Why something that seems dead may be needed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Doubt {
    /// Code asks for keys whose names are not known, or a function reads files that nobody knows.
    OpenCode,
    /// The module of the key is not in the modulepath.
    MissingModule(String),
    /// The catalogs of some nodes are not known.
    UnknownCatalogs,
    /// Some nodes could not be asked.
    UnaskedNodes,
    /// The file is read by another name as well, through a link, or as a part of another file.
    Linked(String),
    /// Catalogs that are compiled here may lack classes: those of a classifier, and what is collected.
    OpenCatalogs,
    /// Code names the file, or reads files whose names it puts together.
    ReadByCode,
    /// A path reads a variable that may be another in a catalog: it is not known of the nodes.
    UnknownVariable(String),
}

/// Something that may be deleted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DeadEntry {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// The keys that lead to it; empty for a file as a whole.
    pub path: Vec<String>,
    /// What kind of dead data.
    pub kind: DeadKind,
    /// How it is known.
    pub evidence: Evidence,
    /// Why it is not certain, if it is not.
    pub doubt: Option<Doubt>,
    /// How many nodes the evidence rests on.
    pub nodes: usize,
}

/// What may be deleted.
#[derive(Clone, Debug, Default)]
pub struct UnusedReport {
    /// How many nodes were asked.
    pub asked: usize,
    /// What was found, by place.
    pub findings: Vec<DeadEntry>,
    /// The calls that may ask for any key.
    pub open_calls: Vec<OpenCall>,
    /// The nodes that could not be asked.
    pub unanswered: Vec<UnansweredNode>,
}

/// What is asked, and how other states of the site are opened.
pub struct Search<'s> {
    /// The site and the nodes.
    pub fleet: &'s Fleet<'s>,
    /// Opens the site with other files.
    pub reopen: &'s (dyn Fn(Overlay) -> Site + Sync),
    /// What counts as evidence: this, or stronger.
    pub proof: Evidence,
    /// What catalogs asked for, where that is known.
    pub inputs: Option<&'s CatalogInputs>,
}

/// Finds what may be deleted.
pub fn unused(search: &Search) -> UnusedReport {
    let mut found = UnusedReport { asked: search.fleet.nodes.len(), ..UnusedReport::default() };
    let searched = searched(search);
    for (ground, candidates) in searched.grounds {
        let prover = Prover::new(search, &ground);
        let is_dead = prover.prove_each(&candidates);
        let dead = candidates.into_iter().zip(is_dead).filter(|(_, is_dead)| *is_dead);
        found.findings.extend(dead.map(|(candidate, _)| candidate.dead));
        found.open_calls.extend(ground.code.open.iter().cloned());
    }
    found.findings.sort();
    found.findings.dedup();
    found.unanswered = searched.unanswered;
    found.unanswered.extend(unknown_catalogs(search));
    found.unanswered.sort();
    found.unanswered.dedup();
    found
}

/// Returns the nodes whose catalogs would count and are not known.
fn unknown_catalogs(search: &Search) -> Vec<UnansweredNode> {
    let nodes = search.fleet.nodes;
    search.inputs.map_or_else(Vec::new, |inputs| inputs.unknown(nodes))
}

/// What was taken out.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The findings.
    pub removed: Vec<DeadEntry>,
    /// The files without them.
    pub texts: FixedTexts,
    /// The nodes that could not be asked: then nothing is taken out, because they may need it.
    pub unanswered: Vec<UnansweredNode>,
    /// Something may be needed, and stays.
    pub has_doubtful: bool,
    /// The nodes whose catalogs are not known: what no other catalog asks for stays.
    pub unknown_catalogs: Vec<UnansweredNode>,
}

/// As often all is searched again for what may go now that other things are gone.
const MOST_PASSES: usize = 100;

/// Takes out what may be deleted, one finding after the other, each proved on what the ones before have left, until nothing is
/// left to take out.
pub fn fix(search: &Search) -> Fixed {
    let mut fixed = pass(search);
    fixed.unknown_catalogs = unknown_catalogs(search);
    let mut is_more = !fixed.removed.is_empty();
    for _ in 0..MOST_PASSES {
        if !is_more || search.fleet.nodes.is_stopped() {
            break;
        }
        let site = (search.reopen)(fixed.texts.over(search.fleet.site));
        let fleet = Fleet { site: &site, ..*search.fleet };
        let more = pass(&Search { fleet: &fleet, ..*search });
        is_more = !more.removed.is_empty();
        fixed.removed.extend(more.removed);
        fixed.texts.add(more.texts);
    }
    fixed.removed.sort();
    fixed
}

/// Takes out what is found once.
fn pass(search: &Search) -> Fixed {
    let searched = searched(search);
    if !searched.unanswered.is_empty() {
        return Fixed { unanswered: searched.unanswered, ..Fixed::default() };
    }
    let is_doubtful = |(_, candidates): &(Ground, Vec<Candidate>)| {
        candidates.iter().any(|candidate| !candidate.dead.is_certain())
    };
    let has_doubtful = searched.grounds.iter().any(is_doubtful);
    let mut fixed = Fixed { has_doubtful, ..Fixed::default() };
    for (ground, candidates) in searched.grounds {
        let (removed, changed) = Prover::new(search, &ground).remove_all(candidates);
        fixed.removed.extend(removed);
        fixed.texts.add(changed);
    }
    fixed
}

/// What may be dead in each environment, and the nodes that could not be asked.
struct Searched {
    grounds: Vec<(Ground, Vec<Candidate>)>,
    unanswered: Vec<UnansweredNode>,
}

fn searched(search: &Search) -> Searched {
    let (grounds, unanswered) = grounds(search.fleet);
    let mut found: Vec<Vec<Candidate>> = grounds.iter().map(|ground| candidates(search, ground)).collect();
    for (ground, found) in grounds.iter().zip(&mut found) {
        let unknown =
            (!search.fleet.nodes.is_empty()).then(|| unknown_variable(search.fleet, ground)).flatten();
        let unasked = (!unanswered.is_empty()).then_some(Doubt::UnaskedNodes);
        let Some(doubt) = unasked.or(unknown.map(Doubt::UnknownVariable)) else { continue };
        let rests_on_nodes = |one: &&mut Candidate| one.dead.evidence == Evidence::Fleet;
        for candidate in found.iter_mut().filter(rests_on_nodes) {
            candidate.dead.doubt.get_or_insert_with(|| doubt.clone());
        }
    }
    keep_dead_everywhere(&grounds, &mut found);
    doubt_links(&grounds, &mut found);
    Searched { grounds: grounds.into_iter().zip(found).collect(), unanswered }
}

/// Leaves alone what stands in a file that has several names: what is dead under one of them may be needed under another.
fn doubt_links(grounds: &[Ground], found: &mut [Vec<Candidate>]) {
    let mut names: BTreeMap<PathBuf, BTreeSet<&str>> = BTreeMap::new();
    for ground in grounds {
        let unnamed = ground.unnamed.iter().map(String::as_str);
        for path in ground.files.iter().map(DataFile::path).chain(unnamed) {
            names.entry(ground.resolved(path)).or_default().insert(path);
        }
        // What another file includes is read as a part of that one.
        for file in &ground.files {
            for included in &file.content.files {
                names.entry(ground.resolved(included)).or_default().insert(file.path());
            }
        }
    }
    let mut loaded: BTreeSet<PathBuf> = BTreeSet::new();
    for ground in grounds {
        let files = ground.files.iter().filter(|file| file.is_loaded).flat_map(|file| &file.content.files);
        loaded.extend(files.map(|file| ground.resolved(file)));
    }
    for (ground, found) in grounds.iter().zip(found) {
        let is_loaded = |dead: &DeadEntry| {
            dead.kind == DeadKind::UnloadedFile && loaded.contains(&ground.resolved(&dead.file))
        };
        found.retain(|candidate| !is_loaded(&candidate.dead));
        for candidate in found {
            let file = &candidate.dead.file;
            let others = names.get(&ground.resolved(file)).into_iter().flatten();
            if let Some(other) = others.copied().find(|other| other != file) {
                let folder = ground.environment.folder().map(|folder| folder.display().to_string());
                let other = relative(other, &folder.unwrap_or_default()).to_owned();
                candidate.dead.doubt = Some(Doubt::Linked(other));
            }
        }
    }
}

/// Of files that several environments share, keeps what is dead in all of them.
fn keep_dead_everywhere(grounds: &[Ground], found: &mut [Vec<Candidate>]) {
    if grounds.len() < 2 {
        return;
    }
    let places: Vec<BTreeSet<(String, Vec<String>)>> = found
        .iter()
        .map(|found| found.iter().map(|one| (one.dead.file.clone(), one.dead.path.clone())).collect())
        .collect();
    let files: Vec<BTreeSet<&str>> =
        grounds.iter().map(|ground| ground.files.iter().map(DataFile::path).collect()).collect();
    for found in found {
        found.retain(|candidate| {
            let (file, path) = (&candidate.dead.file, &candidate.dead.path);
            files.iter().zip(&places).all(|(files, places)| {
                !files.contains(file.as_str())
                    || places.contains(&(file.clone(), path.clone()))
                    || places.contains(&(file.clone(), Vec::new()))
            })
        });
    }
}

/// Collects what is or may be dead, with evidence of the wanted strength.
fn candidates(search: &Search, ground: &Ground) -> Vec<Candidate> {
    let nodes = search.fleet.nodes;
    let mut found = known::candidates(ground, nodes.len());
    if !nodes.is_empty() {
        found.extend(standing::candidates(ground, search.fleet));
    }
    found.extend(search.inputs.iter().flat_map(|inputs| known::not_compiled(ground, inputs, nodes)));
    found.retain_mut(|candidate| is_told(ground, &mut candidate.dead));
    found.retain(|candidate| candidate.dead.evidence >= search.proof);
    // A file or key that is dead as a whole is not told of in parts.
    let mut known: BTreeMap<(String, Vec<String>), Candidate> = BTreeMap::new();
    for candidate in found {
        known.entry((candidate.dead.file.clone(), candidate.dead.path.clone())).or_insert(candidate);
    }
    let whole: BTreeSet<String> =
        known.keys().filter(|(_, path)| path.is_empty()).map(|(file, _)| file.clone()).collect();
    known.retain(|(file, path), _| path.is_empty() || !whole.contains(file));
    known.into_values().collect()
}

/// Tells whether a finding about what levels hide holds for code, too: a call that merges them itself sees what others do not.
fn is_told(ground: &Ground, dead: &mut DeadEntry) -> bool {
    let is_about_levels =
        matches!(dead.kind, DeadKind::Shadowed | DeadKind::Redundant | DeadKind::DeadKnockout);
    let merge = dead.path.first().filter(|_| is_about_levels).and_then(|key| ground.code.merge_of(key));
    match merge {
        Some(CodeMerge::Sure(_)) => false,
        Some(CodeMerge::Possible) => {
            dead.doubt.get_or_insert(Doubt::OpenCode);
            true
        }
        None => true,
    }
}

/// Makes a finding about an entry of a file.
fn dead(
    ground: &Ground,
    file: &str,
    path: &[&str],
    kind: DeadKind,
    evidence: Evidence,
    nodes: usize,
) -> DeadEntry {
    let (line, column) = if path.is_empty() { (None, None) } else { key_place(ground, file, path) };
    let path = path.iter().map(|part| (*part).to_owned()).collect();
    DeadEntry { file: file.to_owned(), line, column, path, kind, evidence, doubt: None, nodes }
}

impl DeadEntry {
    /// Tells whether nothing may ask for it without anybody knowing.
    pub fn is_certain(&self) -> bool {
        self.doubt.is_none()
    }

    /// Returns what it says for people.
    pub fn message(&self) -> String {
        crate::issues::dead(self)
    }

    /// Returns it for tools, its file named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let number =
            |number: Option<u32>| number.map_or(Value::Undef, |number| Value::from(i64::from(number)));
        let fields = [
            ("kind", Value::from(self.kind.name())),
            ("file", Value::from(relative(&self.file, folder))),
            ("line", number(self.line)),
            ("column", number(self.column)),
            ("path", names_value(&self.path)),
            ("evidence", Value::from(self.evidence.name())),
            ("certain", Value::from(self.is_certain())),
            ("nodes", Value::from(self.nodes)),
        ];
        Value::hash(fields.into_iter().collect())
    }
}

impl UnusedReport {
    /// Returns the answer for tools, files named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let call = |call: &OpenCall| {
            let fields = [
                ("file", Value::from(relative(&call.file, folder))),
                ("line", Value::from(i64::from(call.line))),
            ];
            Value::hash(fields.into_iter().collect())
        };
        let fields = [
            ("format", Value::from("hierarch.unused/1")),
            ("asked", Value::from(self.asked)),
            ("findings", Value::array(self.findings.iter().map(|dead| dead.to_value(folder)).collect())),
            ("open_calls", Value::array(self.open_calls.iter().map(call).collect())),
            ("unanswered", Value::array(self.unanswered.iter().map(UnansweredNode::to_value).collect())),
        ];
        Value::hash(fields.into_iter().collect())
    }
}
