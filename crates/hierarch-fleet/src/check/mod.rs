//! `check`: whether data fit the code, and what in them is likely not meant.
//!
//! Each finding has a code (`CODES`). What a file or a key says by itself is in `files.rs` and `keys.rs`; what needs nodes
//! is in `answers.rs`: there the values are answers, merged, converted and interpolated, each different one checked once.

mod answers;
mod files;
mod ignore;
mod keys;
mod spelling;
mod unfit;

use std::collections::BTreeSet;
use std::path::Path;

use crate::ask::{Fleet, UnansweredNode};
use crate::ground::{Ground, grounds};
use crate::values::{names_value, relative};
use hierarch_pcore::Value;

pub(crate) use self::files::{key_place, place, token_at, tree};

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// It does not work.
    Error,
    /// It is likely not meant.
    Warning,
    /// It may be worth a look.
    Note,
}

impl Severity {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Something that is wrong, and where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// The code.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Other files, and folders, in which what is wrong may have been written: a change of one of them is the reason for it,
    /// perhaps.
    pub also: BTreeSet<String>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// How many nodes were asked.
    pub asked: usize,
    /// The findings, by place.
    pub findings: Vec<Finding>,
    /// The codes that were not checked, because they need nodes.
    pub left_out: Vec<&'static str>,
    /// The nodes that could not be asked.
    pub unanswered: Vec<UnansweredNode>,
}

/// A code, and whether it is found by asking nodes.
pub struct Code {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub means: &'static str,
    /// It needs nodes.
    pub needs_nodes: bool,
}

const fn of_files(name: &'static str, means: &'static str) -> Code {
    Code { name, means, needs_nodes: false }
}

const fn of_nodes(name: &'static str, means: &'static str) -> Code {
    Code { name, means, needs_nodes: true }
}

/// All codes.
pub const CODES: [Code; 17] = [
    of_files("HC001", "a comment that ignores a code and silences nothing"),
    of_nodes("HC101", "a value does not fit the type of its class parameter"),
    of_files("HC102", "a class has no such parameter"),
    of_files("HC103", "there is no such class"),
    of_nodes("HC104", "a required parameter has no value (with --compile)"),
    of_nodes("HC105", "the lookup of a key fails"),
    of_nodes("HC106", "a catalog does not compile (with --compile)"),
    of_files("HC201", "a key stands twice in a map"),
    of_files("HC202", "a second document, which is not read"),
    of_files("HC203", "a file that is empty or no hash, or a file or manifest that cannot be read"),
    of_nodes("HC204", "a variable in a path that no node has"),
    of_nodes("HC205", "a token of a variable that no node has, or an alias inside of a longer text"),
    of_nodes("HC206", "hashes or lists at several levels, of which only the first is used"),
    of_files("HC207", "two patterns of lookup_options match one key with different options"),
    of_files("HC208", "an entry of lookup_options that matches no key, or an option that does not exist"),
    of_files("HC209", "a plain scalar that is no text where the parameter wants one"),
    of_nodes("HC210", "an encrypted value that no key opens, or in a level that decrypts nothing"),
];

/// Checks the data that nodes see, and the data files beside them. `is_wanted` chooses codes.
pub fn check(fleet: &Fleet, is_wanted: &dyn Fn(&str) -> bool) -> CheckReport {
    let mut checked = CheckReport { asked: fleet.nodes.len(), ..CheckReport::default() };
    for ground in grounds(fleet).0 {
        let (mut findings, unanswered) = found_in(&ground, fleet);
        findings.retain(|finding| is_wanted(finding.code));
        checked.findings.extend(ignore::silenced(&ground, findings, fleet.nodes.is_empty(), is_wanted));
        checked.unanswered.extend(unanswered);
    }
    if fleet.nodes.is_empty() {
        let needs = CODES.iter().filter(|code| code.needs_nodes && is_wanted(code.name));
        checked.left_out = needs.map(|code| code.name).collect();
    }
    checked.findings.sort();
    checked.findings.dedup();
    checked.unanswered.sort();
    checked.unanswered.dedup();
    checked
}

fn found_in(ground: &Ground, fleet: &Fleet) -> (Vec<Finding>, Vec<UnansweredNode>) {
    let types = ground.types(fleet.site);
    let mut findings = files::findings(ground);
    findings.extend(keys::findings(ground));
    findings.extend(spelling::findings(ground, &types));
    if fleet.nodes.is_empty() {
        return (findings, Vec::new());
    }
    let (more, unanswered) = answers::findings(ground, fleet, &types);
    findings.extend(more);
    (findings, unanswered)
}

impl CheckReport {
    /// Returns the answer for tools, files named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let findings = self.findings.iter().map(|finding| finding.to_value(folder)).collect();
        let left_out: Vec<String> = self.left_out.iter().map(|code| (*code).to_owned()).collect();
        let fields = [
            ("format", Value::from("hierarch.check/1")),
            ("asked", Value::from(self.asked)),
            ("findings", Value::array(findings)),
            ("left_out", names_value(&left_out)),
            ("unanswered", Value::array(self.unanswered.iter().map(UnansweredNode::to_value).collect())),
        ];
        Value::hash(fields.into_iter().collect())
    }
}

impl Finding {
    /// Makes a warning at a place.
    fn warning(file: &str, place: files::Place, code: &'static str, message: String) -> Self {
        let ((line, column), severity, also) = (place, Severity::Warning, BTreeSet::new());
        Self { file: file.to_owned(), line, column, code, severity, message, also }
    }

    /// Makes it one of another severity.
    fn with_severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// Adds files that have to do with it.
    fn beside(mut self, files: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.also.extend(files.into_iter().map(Into::into));
        self.also.remove(&self.file);
        self
    }

    /// Tells whether it may come of what is written in a file.
    pub fn concerns(&self, file: &Path) -> bool {
        Path::new(&self.file) == file || self.also.iter().any(|other| file.starts_with(other))
    }

    /// Tells whether it may come of what is written in a folder, or in a file.
    pub fn concerns_part_of(&self, path: &Path) -> bool {
        let files = [&self.file].into_iter().chain(&self.also);
        self.concerns(path) || files.into_iter().any(|file| Path::new(file).starts_with(path))
    }

    /// Returns it for tools, its file named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let number =
            |number: Option<u32>| number.map_or(Value::Undef, |number| Value::from(i64::from(number)));
        let fields = [
            ("code", Value::from(self.code)),
            ("severity", Value::from(self.severity.name())),
            ("message", Value::from(self.message.as_str())),
            ("file", Value::from(relative(&self.file, folder))),
            ("line", number(self.line)),
            ("column", number(self.column)),
        ];
        Value::hash(fields.into_iter().collect())
    }
}
