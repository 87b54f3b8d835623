//! Recorded cases: small inputs with the answers that the real programs gave, and how ours are judged by them.
//!
//! A file is a list of cases ([`load`]); a case has a kind; a [`Judge`] knows one kind. To support a further kind, write
//! a file with a judge and add a line to [`JUDGES`].

mod catalog;
mod directives;
mod epp;
mod erb;
mod eval;
mod expressions;
mod function;
pub(crate) mod hiera;
pub mod lang;
mod load;
mod outcome;
mod parse;
pub mod pending;
mod report;
mod ruby;
mod run;
pub mod session;
pub mod spoil;
mod templates;
mod types;
mod validate;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value as Json};

pub use load::load;
pub use report::{Report, write_json, write_text};
pub use run::{ask, judge, run_all, side_by_side};

/// All judges. A kind without one fails, saying so.
pub static JUDGES: &[&dyn Judge] = &[
    &parse::Parse,
    &validate::Validate,
    &directives::Expand,
    &directives::Save,
    &eval::Eval("eval"),
    &eval::Eval("convert"),
    &catalog::Compiled,
    &epp::Epp,
    &types::Instance,
    &types::Assignable,
    &types::Infer,
    &types::Canonical,
    &expressions::Expression,
    &templates::Template,
    &hiera::Lookups,
    &hiera::Compile,
    &ruby::Snippet,
    &erb::Erb,
    &function::Function,
];

/// The kinds in which an error of Ruby itself is an answer as any other.
const COMPARED_EXACTLY: [&str; 3] = ["ruby", "erb", "function"];

/// One recorded question with its answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file it stands in, as it was found.
    pub file: PathBuf,
    /// Where in the file: a line, or the number of the case and, in it, of the entry.
    pub at: String,
    /// What is asked, such as `parse` or `lookup`.
    pub kind: String,
    /// What it is about, in words.
    pub about: String,
    /// Inputs and recorded parts.
    pub fields: Map<String, Json>,
    /// What it shares with its neighbours: of a Hiera entry, the case with files and facts around it.
    pub setting: Arc<Map<String, Json>>,
}

impl Case {
    /// Returns the name that says where it stands: `lang/calls.jsonl:17`, given the folder that `lang` is in.
    pub fn name_below(&self, root: &Path) -> String {
        let file = self.file.strip_prefix(root).unwrap_or(&self.file);
        format!("{}:{}", file.display(), self.at)
    }

    /// Tells whether its file, place, kind or description contains a text.
    pub fn mentions(&self, text: &str) -> bool {
        self.name_below(Path::new("")).contains(text) || self.kind.contains(text) || self.about.contains(text)
    }

    /// Tells whether what passes is not the answer of the original: that one breaks down, or is wrong, and the case says what is right.
    pub fn wants_our_own(&self) -> bool {
        ["recommended", "expected"].iter().any(|field| self.fields.contains_key(*field))
            || !COMPARED_EXACTLY.contains(&self.kind.as_str()) && lang::reference_crashed(self)
    }

    /// Returns a field that holds text, or nothing.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.fields.get(field).and_then(Json::as_str)
    }
}

/// What a judge says about a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The answer is the recorded one.
    Passed,
    /// It is not; the difference in words.
    Failed(String),
}

impl Verdict {
    /// Makes a failure that says why.
    pub fn failed(why: impl Into<String>) -> Self {
        Self::Failed(why.into())
    }

    /// Sums differences up: the case passed if there is none.
    fn of(differences: impl IntoIterator<Item = String>) -> Self {
        let differences: Vec<String> = differences.into_iter().collect();
        if differences.is_empty() { Self::Passed } else { Self::Failed(differences.join("\n")) }
    }

    /// Asks further if the case passed so far.
    fn and(self, further: impl FnOnce() -> Self) -> Self {
        if self.passed() { further() } else { self }
    }

    /// Tells whether the case passed.
    pub fn passed(&self) -> bool {
        *self == Self::Passed
    }
}

/// What Hierarch answered, in parts that are named as the recorder names them.
pub type Answer = Map<String, Json>;

/// One who can say whether Hierarch answers cases of one kind as recorded.
pub trait Judge: Sync {
    /// Returns the kind of case it judges.
    fn kind(&self) -> &'static str;

    /// Returns the fields on which the verdict about a case hangs, those included that must not be there.
    fn decisive(&self, case: &Case) -> &'static [&'static str];

    /// Asks Hierarch.
    fn ask(&self, case: &Case) -> Answer;

    /// Holds an answer against the record.
    fn compare(&self, case: &Case, answer: &Answer) -> Verdict;
}

/// Returns the judge of a kind, if there is one.
pub fn judge_of(kind: &str) -> Option<&'static dyn Judge> {
    JUDGES.iter().find(|judge| judge.kind() == kind).copied()
}
