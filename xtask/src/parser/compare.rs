//! Puppet's answers about files beside ours: what differs.
//!
//! Both sides are JSON objects as `scripts/puppet-parser.rb` writes them: `path`, `pn` or `dump_error`, `logs`, `error`.

use serde_json::{Map, Value as Json};

/// How two answers about one file relate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// They say the same.
    Equal,
    /// Puppet broke down on this part of its answer, so there is nothing to hold ours against.
    ReferenceCrashed,
    /// They differ; in words.
    Different(String),
}

/// Compares the trees: the dump, or the error that prevented it.
pub fn trees(theirs: &Json, ours: &Json) -> Comparison {
    parts(theirs, ours, "dump_error", &["pn", "dump_error"])
}

/// Compares what validation says: logged warnings and errors, and the error raised.
pub fn validations(theirs: &Json, ours: &Json) -> Comparison {
    parts(theirs, ours, "error", &["logs", "error"])
}

fn parts(theirs: &Json, ours: &Json, error: &str, names: &[&str]) -> Comparison {
    if theirs[error].get("class").is_some() {
        return Comparison::ReferenceCrashed;
    }
    let differences: Vec<String> =
        names.iter().filter_map(|name| difference(name, &theirs[*name], &ours[*name])).collect();
    if differences.is_empty() { Comparison::Equal } else { Comparison::Different(differences.join("\n")) }
}

fn difference(name: &str, theirs: &Json, ours: &Json) -> Option<String> {
    if theirs == ours {
        return None;
    }
    let (theirs, ours) = match (theirs, ours) {
        (Json::String(theirs), Json::String(ours)) => around_first_difference(theirs, ours),
        (theirs, ours) => (brief(theirs), brief(ours)),
    };
    Some(format!("{name}\n  puppet:   {theirs}\n  hierarch: {ours}"))
}

/// Trees are long; what surrounds the first difference is enough.
fn around_first_difference(theirs: &str, ours: &str) -> (String, String) {
    const BEFORE: usize = 60;
    const LENGTH: usize = 160;
    let same = theirs.chars().zip(ours.chars()).take_while(|(one, other)| one == other).count();
    let excerpt = |text: &str| {
        let start = same.saturating_sub(BEFORE);
        let mark = if start > 0 { "…" } else { "" };
        format!("{mark}{}", text.chars().skip(start).take(LENGTH).collect::<String>())
    };
    (excerpt(theirs), excerpt(ours))
}

fn brief(value: &Json) -> String {
    const LONGEST: usize = 400;
    let text = match value {
        Json::Null => "(nothing)".to_owned(),
        other => other.to_string(),
    };
    if text.chars().count() > LONGEST { text.chars().take(LONGEST).chain(['…']).collect() } else { text }
}

/// What came of comparing many files.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Files looked at.
    pub files: usize,
    /// Files whose trees are equal.
    pub trees: usize,
    /// Files about which validation says the same.
    pub validations: usize,
    /// Answers that Puppet failed to give.
    pub crashes: usize,
    /// Parts that differ.
    pub differences: usize,
}

impl Tally {
    /// Counts one comparison of trees.
    pub fn count_tree(&mut self, comparison: &Comparison) {
        self.trees += usize::from(*comparison == Comparison::Equal);
        self.count(comparison);
    }

    /// Counts one comparison of validations.
    pub fn count_validation(&mut self, comparison: &Comparison) {
        self.validations += usize::from(*comparison == Comparison::Equal);
        self.count(comparison);
    }

    fn count(&mut self, comparison: &Comparison) {
        match comparison {
            Comparison::Equal => {}
            Comparison::ReferenceCrashed => self.crashes += 1,
            Comparison::Different(_) => self.differences += 1,
        }
    }
}

/// Makes an answer from its parts, leaving out those that are not there.
pub fn answer(path: &str, parts: impl IntoIterator<Item = (&'static str, Option<Json>)>) -> Json {
    let mut object = Map::new();
    object.insert("path".to_owned(), path.into());
    for (name, value) in parts {
        if let Some(value) = value {
            object.insert(name.to_owned(), value);
        }
    }
    Json::Object(object)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn equal_answers_are_equal_whatever_the_order_of_their_parts() {
        let one = json!({"pn": "1", "logs": [{"level": "err", "line": 1}]});
        let other = json!({"logs": [{"line": 1, "level": "err"}], "pn": "1"});
        assert_eq!(trees(&one, &other), Comparison::Equal);
        assert_eq!(validations(&one, &other), Comparison::Equal);
    }

    #[test]
    fn every_part_of_an_answer_counts() {
        let theirs = json!({"pn": "1", "logs": [{"line": 1}], "error": {"message": "m", "col": 1}});
        for ours in [
            json!({"pn": "1", "logs": [], "error": {"message": "m", "col": 1}}),
            json!({"pn": "1", "logs": [{"line": 1}], "error": {"message": "m", "col": 2}}),
            json!({"pn": "1", "logs": [{"line": 1}]}),
        ] {
            assert!(matches!(validations(&theirs, &ours), Comparison::Different(_)), "{ours}");
        }
        assert!(matches!(trees(&theirs, &json!({"pn": "2"})), Comparison::Different(_)));
        assert!(matches!(trees(&theirs, &json!({"dump_error": {}})), Comparison::Different(_)));
    }

    #[test]
    fn a_crash_of_the_reference_binds_nobody() {
        let theirs =
            json!({"dump_error": {"message": "undefined method", "class": "NoMethodError"}, "logs": []});
        assert_eq!(trees(&theirs, &json!({"pn": "1", "logs": []})), Comparison::ReferenceCrashed);
        assert_eq!(validations(&theirs, &json!({"pn": "1", "logs": []})), Comparison::Equal);
    }
}
