//! Why something could not be asked: the words, and the place in a file that they speak of.

use std::cmp::Ordering;

use hierarch_site::{Environment, Node};
use hierarch_source::{Error, Place};

use crate::issues;

/// Why something could not be asked.
#[derive(Clone, Debug)]
pub struct Reason {
    /// The words, in which secrets are hidden.
    pub words: String,
    /// The place in a broken file, which can be shown with its line.
    pub place: Option<Place>,
    /// The program was stopped before it could be asked.
    pub is_stop: bool,
}

impl Reason {
    /// Returns what an error says, as far as the environment may show it.
    pub fn of(environment: &Environment, error: &Error) -> Self {
        Self { words: environment.told(error), place: error.shown_place().cloned(), is_stop: false }
    }

    /// Returns what a catalog that does not compile says.
    pub(crate) fn of_compilation(node: &Node, error: &Error) -> Self {
        Self::of(node.environment(), error)
    }

    /// Says that the program was stopped before.
    pub(crate) fn stopped() -> Self {
        Self { words: issues::STOPPED.to_owned(), place: None, is_stop: true }
    }

    /// Says the same in other words.
    #[must_use]
    pub(crate) fn told(self, words: impl FnOnce(&str) -> String) -> Self {
        Self { words: words(&self.words), ..self }
    }
}

/// What no file is to blame for.
impl From<String> for Reason {
    fn from(words: String) -> Self {
        Self { words, place: None, is_stop: false }
    }
}

/// What says the same is the same: the words name the place as well.
impl PartialEq for Reason {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words
    }
}

impl Eq for Reason {}

impl PartialOrd for Reason {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reason {
    fn cmp(&self, other: &Self) -> Ordering {
        self.words.cmp(&other.words)
    }
}

#[cfg(test)]
mod tests {
    use hierarch_site::{NodeFacts, Site};
    use hierarch_source::MemoryFiles;

    use crate::{Condition, Fleet, NodeSet, UnansweredNode, holds, table, values};

    /// Returns the place that each kind of question shows of a broken file.
    fn places(files: &[(&str, &str)]) -> Vec<String> {
        let mut all = MemoryFiles::default();
        files.iter().for_each(|(path, text)| all.insert(*path, *text));
        let site = Site::on(all).build();
        let nodes = NodeSet::of([("n".to_owned(), NodeFacts::default())]);
        let fleet = Fleet::new(&site, &nodes);
        let condition = Condition::parse("m::k == 1").expect("a condition");
        let unanswered: [Vec<UnansweredNode>; 3] = [
            values(&fleet, "m::k").unanswered,
            holds(&fleet, &condition).unanswered,
            table(&fleet, vec!["m::k".to_owned()]).unanswered,
        ];
        let place = |one: &UnansweredNode| one.reason.place.as_ref().expect("a place").to_string();
        unanswered.iter().flatten().map(place).collect()
    }

    #[test]
    fn a_broken_file_is_shown_with_its_place() {
        const CONFIG: &str = "version: 5\nhierarchy: [{name: A, path: a.yaml}]\n";
        const HOCON: &str = "version: 5\nhierarchy: [{name: A, path: a.conf, data_hash: hocon_data}]\n";
        const JSON: &str = "version: 5\nhierarchy: [{name: A, path: a.json, data_hash: json_data}]\n";
        for (files, place) in [
            (
                [("hiera.yaml", CONFIG), ("data/a.yaml", "k: 1\nl: [1\n")],
                "file: data/a.yaml, line: 2, column: 4",
            ),
            (
                [("hiera.yaml", HOCON), ("data/a.conf", "k: 1\nl: [1\n")],
                "file: data/a.conf, line: 3, column: 1",
            ),
            (
                [("hiera.yaml", JSON), ("data/a.json", "{\"k\":\n oops}")],
                "file: data/a.json, line: 2, column: 2",
            ),
            (
                [("hiera.yaml", "version: 5\nhierarchy: [\n"), ("x", "")],
                "file: hiera.yaml, line: 3, column: 1",
            ),
        ] {
            assert_eq!(places(&files), [place; 3], "{files:?}");
        }
    }
}
