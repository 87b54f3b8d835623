//! `unused`: what may be deleted, and how sure that is.
//!
//! `known.rs` finds what code and hierarchies by themselves show; `standing.rs` asks the nodes which entries never count;
//! `proof.rs` proves each by taking it out: all answers of all nodes must stay the same.

mod known;
mod proof;
mod standing;

use std::collections::BTreeMap;

use hierarch_pcore::Value;
use hierarch_site::Site;
use hierarch_source::Overlay;

use crate::ask::{Fleet, UnansweredNode};
use crate::check::key_place;
use crate::code::OpenCall;
use crate::ground::{Ground, grounds};
use crate::inputs::CatalogInputs;
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
    /// Nothing may ask for it without anybody knowing.
    pub certain: bool,
    /// How many nodes the evidence rests on.
    pub nodes: usize,
}

/// What may be deleted.
#[derive(Clone, Debug, Default)]
pub struct Unused {
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
pub fn unused(search: &Search) -> Unused {
    let mut found = Unused { asked: search.fleet.nodes.len(), ..Unused::default() };
    for ground in grounds(search.fleet) {
        let (candidates, unanswered) = candidates(search, &ground);
        let prover = Prover::new(search, &ground);
        let is_dead = prover.prove_each(&candidates);
        let dead = candidates.into_iter().zip(is_dead).filter(|(_, is_dead)| *is_dead);
        found.findings.extend(dead.map(|(candidate, _)| candidate.dead));
        found.open_calls.extend(ground.code.open.iter().cloned());
        found.unanswered.extend(unanswered);
    }
    found.findings.sort();
    found.findings.dedup();
    found.unanswered.extend(search.inputs.iter().flat_map(|inputs| inputs.unanswered.iter().cloned()));
    found.unanswered.sort();
    found.unanswered.dedup();
    found
}

/// As often all is searched again for what may go now that other things are gone.
const MOST_PASSES: usize = 100;

/// Takes out what may be deleted, one finding after the other, each proved on what the ones before have left, until nothing is
/// left to take out.
pub fn fix(search: &Search) -> (Vec<DeadEntry>, FixedTexts) {
    let (mut all, mut fixed) = pass(search);
    let mut is_more = !all.is_empty();
    for _ in 0..MOST_PASSES {
        if !is_more || search.fleet.nodes.is_stopped() {
            break;
        }
        let site = (search.reopen)(fixed.over(search.fleet.site));
        let fleet = Fleet {
            site: &site,
            nodes: search.fleet.nodes,
            progress: search.fleet.progress,
            compiles: search.fleet.compiles,
        };
        let (removed, changed) = pass(&Search { fleet: &fleet, ..*search });
        is_more = !removed.is_empty();
        all.extend(removed);
        fixed.add(changed);
    }
    all.sort();
    (all, fixed)
}

/// Takes out what is found once.
fn pass(search: &Search) -> (Vec<DeadEntry>, FixedTexts) {
    let (mut all, mut fixed) = (Vec::new(), FixedTexts::default());
    for ground in grounds(search.fleet) {
        let (candidates, _) = candidates(search, &ground);
        let prover = Prover::new(search, &ground);
        let (removed, changed) = prover.remove_all(candidates);
        all.extend(removed);
        fixed.add(changed);
    }
    (all, fixed)
}

/// Collects what is or may be dead, with evidence of the wanted strength.
fn candidates(search: &Search, ground: &Ground) -> (Vec<Candidate>, Vec<UnansweredNode>) {
    let mut found = known::candidates(ground, search.fleet.nodes.len());
    let mut unanswered = Vec::new();
    if !search.fleet.nodes.is_empty() {
        let (more, failed) = standing::candidates(ground, search.fleet);
        found.extend(more);
        unanswered = failed;
    }
    found.extend(search.inputs.iter().flat_map(|inputs| known::not_compiled(ground, inputs)));
    found.retain_mut(|candidate| is_told(ground, &mut candidate.dead));
    found.retain(|candidate| candidate.dead.evidence >= search.proof);
    // A file or key that is dead as a whole is not told of in parts.
    let mut known: BTreeMap<(String, Vec<String>), Candidate> = BTreeMap::new();
    for candidate in found {
        known.entry((candidate.dead.file.clone(), candidate.dead.path.clone())).or_insert(candidate);
    }
    let whole: Vec<String> =
        known.keys().filter(|(_, path)| path.is_empty()).map(|(file, _)| file.clone()).collect();
    known.retain(|(file, path), _| path.is_empty() || !whole.contains(file));
    (known.into_values().collect(), unanswered)
}

/// Tells whether a finding about what levels hide holds for code, too: a call that merges them itself sees what others do not.
fn is_told(ground: &Ground, dead: &mut DeadEntry) -> bool {
    let is_about_levels =
        matches!(dead.kind, DeadKind::Shadowed | DeadKind::Redundant | DeadKind::DeadKnockout);
    let merge = dead.path.first().filter(|_| is_about_levels).and_then(|key| ground.code.merge_of(key));
    match merge {
        Some((_, true)) => false,
        Some((_, false)) => {
            dead.certain = false;
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
    DeadEntry { file: file.to_owned(), line, column, path, kind, evidence, certain: true, nodes }
}

impl DeadEntry {
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
            ("certain", Value::from(self.certain)),
            ("nodes", Value::from(self.nodes)),
        ];
        Value::hash(fields.into_iter().collect())
    }
}

impl Unused {
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
