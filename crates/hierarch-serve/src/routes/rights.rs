//! What an edit may do, and what may be shown of it, by who asks: an edit must not be a way to what its author may not see.

use std::collections::BTreeSet;

use hierarch_fleet::{
    Edit, Fleet, NodeSet, diff_without, edited_keys, edits, given_options, keys_beside_secrets, near_keys,
    open_keys, plain_keys,
};
use hierarch_hiera::eyaml::HIDDEN;
use hierarch_hiera::{Found, Query, Session};
use hierarch_pcore::Value;
use hierarch_site::{Environment, FilePlan, Node, Site};
use hierarch_source::unified;

use super::edits::PlannedEdit;
use super::lookup::merge_value;
use crate::access::Role;
use crate::issues;
use crate::problem::Problem;
use crate::question::Question;

/// Looks up what a caller may be told. Of a merged list in which secrets were compared with something else nothing is told to who may
/// not see secrets: whoever can write guesses into a higher level would see which of them is right.
pub(super) fn told(
    session: &Session,
    environment: &Environment,
    query: &Query,
    is_merged: bool,
) -> hierarch_source::Result<Found> {
    if environment.may_show_secrets() {
        return session.search(query, None);
    }
    let found = session.search_shown(query)?;
    let is_list = |value: &Value| matches!(value, Value::Array(_) | Value::Hash(_));
    match found {
        Found::Value(value) if is_merged && is_list(&value) && has_compared(session, environment, query) => {
            Ok(Found::Value(Value::from(HIDDEN)))
        }
        found => Ok(found),
    }
}

fn has_compared(session: &Session, environment: &Environment, query: &Query) -> bool {
    environment.hiera().has_secrets() && session.trace(query).is_ok_and(|traced| traced.compares_secrets())
}

/// Refuses to say how a merged list came about that has been compared with a secret.
pub(super) fn check_compared(node: &Node, key: &str, merge: Option<&str>) -> Result<(), Problem> {
    let environment = node.environment();
    let compares = node.asking(|lookups| {
        let session = lookups.session();
        let query = Query { merge: merge.map(merge_value), ..Query::new([key]) };
        is_merged(session, key, merge) && has_compared(session, environment, &query)
    });
    if !environment.may_show_secrets() && compares.0 { Err(issues::compared_secrets()) } else { Ok(()) }
}

/// Refuses to say when a value changed that has to do with a secret: a commit with a guess that changes nothing has the right one.
pub(super) fn check_past(question: &Question, key: &str, nodes: &NodeSet) -> Result<(), Problem> {
    if question.caller.has(Role::Secrets) {
        return Ok(());
    }
    let site = question.state.site(&question.shared, false)?;
    let root = key.split('.').next().unwrap_or(key).trim_matches(['\'', '"']).to_owned();
    let beside = keys_beside_secrets(&[&Fleet::new(&site, nodes)], Some([root.clone()].into()));
    if beside.contains(&root) { Err(issues::compared_secrets()) } else { Ok(()) }
}

/// Tells whether values of several levels become one.
pub(super) fn is_merged(session: &Session, key: &str, merge: Option<&str>) -> bool {
    let is_first = |name: &str| name == "first";
    let by_options = || session.strategy(key).is_ok_and(|strategy| is_first(strategy.shown_name()));
    !merge.map_or_else(by_options, is_first)
}

/// The key whose value says what is made of others.
const OPTIONS: &str = "lookup_options";
/// The options by which a secret could be made plain, or be guessed.
const TELLING: [&str; 2] = ["convert_to", "knockout_prefix"];
/// Functions in tokens that read data, whose secrets stay secrets; all other tokens read what is known of a node.
const OF_DATA: [&str; 4] = ["lookup", "hiera", "alias", "literal"];

/// Refuses what would show a caller more than its roles do.
pub(super) fn check(question: &Question, planned: &PlannedEdit) -> Result<(), Problem> {
    let (may_see_secrets, may_see_facts) =
        (question.caller.has(Role::Secrets), question.caller.has(Role::Facts));
    for file in &planned.files {
        let old = file.old.as_ref().map(String::as_bytes);
        for edit in edits(&file.path.display().to_string(), old, Some(file.new.as_bytes())) {
            if !may_see_secrets && (is_telling(&edit) || !are_open(question, planned, &given_options(&edit))?)
            {
                return Err(issues::telling_edit());
            }
            if !may_see_facts && reads_facts(&edit) {
                return Err(issues::edit_reads_facts());
            }
        }
    }
    Ok(())
}

/// Tells whether an edit changes by which options values are converted or left out.
fn is_telling(edit: &Edit) -> bool {
    let names = |text: &str| TELLING.contains(&text);
    let is_named = edit.path.iter().any(|part| names(part));
    let holds = [&edit.old, &edit.new].into_iter().flatten().any(|value| has_text(value, &names));
    edit.is_whole_file() || edit.root() == Some(OPTIONS) && (is_named || holds)
}

/// Tells whether all of some keys have no secret in them. Patterns may fit others.
fn are_open(question: &Question, planned: &PlannedEdit, names: &[String]) -> Result<bool, Problem> {
    if names.is_empty() {
        return Ok(true);
    }
    let nodes = question.nodes(&question.state)?;
    let open = plain_keys(&Fleet::new(&planned.site, &nodes), names);
    Ok(names.iter().all(|name| open.contains(name)))
}

/// Tells whether what an edit writes has tokens that read facts or other variables.
fn reads_facts(edit: &Edit) -> bool {
    let reads = |text: &str| text.split("%{").skip(1).any(|token| !is_of_data(token));
    edit.new.as_ref().is_some_and(|value| has_text(value, &reads)) || edit.path.iter().any(|part| reads(part))
}

fn is_of_data(token: &str) -> bool {
    let name = token.split('(').next().unwrap_or("").trim();
    token.contains('(') && OF_DATA.contains(&name)
}

/// Tells whether a text anywhere in a value fits; keys count.
fn has_text(value: &Value, fits: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| has_text(item, fits)),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| has_text(key, fits) || has_text(value, fits))
        }
        value => value.as_str().is_some_and(fits),
    }
}

/// Returns the keys that an edit has to do with and of which a caller who may not see secrets is told nothing: whether a guess changes
/// something would tell whether it is right.
pub(super) fn withheld(
    question: &Question,
    planned: &PlannedEdit,
    new: &Site,
) -> Result<BTreeSet<String>, Problem> {
    if question.caller.has(Role::Secrets) {
        return Ok(BTreeSet::new());
    }
    let mut edited = planned.keys.clone();
    for file in &planned.files {
        let old = file.old.as_ref().map(String::as_bytes);
        edited.extend(edited_keys(&file.path.display().to_string(), old, Some(file.new.as_bytes())));
    }
    let nodes = question.nodes(&question.state)?;
    Ok(keys_beside_secrets(&[&Fleet::new(&planned.site, &nodes), &Fleet::new(new, &nodes)], Some(edited)))
}

/// Returns the diff of all files, without the lines of keys that are secret to the caller.
pub(super) fn diff(question: &Question, planned: &PlannedEdit) -> Result<String, Problem> {
    let one = |file: &FilePlan| {
        let (name, old) = (planned.shown(file), file.old.as_deref().unwrap_or(""));
        if question.caller.has(Role::Secrets) {
            return Ok(unified::diff(&name, old, &file.new));
        }
        let near: BTreeSet<String> = near_keys(old, &file.new);
        let secret = secret_keys(question, planned, near)?;
        Ok(diff_without(&name, old, &file.new, &secret))
    };
    planned.files.iter().map(one).collect()
}

fn secret_keys(
    question: &Question,
    planned: &PlannedEdit,
    mut keys: BTreeSet<String>,
) -> Result<BTreeSet<String>, Problem> {
    keys.remove(OPTIONS);
    let asked: Vec<String> = keys.iter().cloned().collect();
    let nodes = question.nodes(&question.state)?;
    for key in open_keys(&Fleet::new(&planned.site, &nodes), &asked) {
        keys.remove(&key);
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(old: &str, new: &str) -> Vec<Edit> {
        edits("a.yaml", Some(old.as_bytes()), Some(new.as_bytes()))
    }

    #[test]
    fn edits_of_conversions_are_telling() {
        let options = "lookup_options:\n  a: {convert_to: Sensitive, merge: unique}\n";
        for new in ["b: 1\n", "lookup_options:\n  a: {convert_to: Array, merge: unique}\n", "[]\n"] {
            assert!(edit(options, new).iter().any(is_telling), "{new}");
        }
        let merge = options.replace("unique", "first");
        assert!(!edit(options, &merge).iter().any(is_telling));
        assert!(!edit("a: 1\n", "a: 1\nconvert_to: 2\n").iter().any(is_telling));
    }

    #[test]
    fn options_that_take_the_place_of_others_are_named() {
        for (old, new, names) in [
            ("b: 1\n", "b: 1\nlookup_options: {a: {merge: first}}\n", vec!["a"]),
            (
                "lookup_options: {b: {merge: deep}}\n",
                "lookup_options: {b: {merge: deep}, a: {}}\n",
                vec!["a"],
            ),
            ("lookup_options: {'^a': {merge: deep}}\n", "lookup_options: {a: {merge: deep}}\n", vec!["a"]),
            ("lookup_options: {a: deep}\n", "lookup_options: {a: {merge: first}}\n", vec!["a"]),
            ("lookup_options: {a: {merge: deep}}\n", "b: 1\n", vec![]),
            ("lookup_options: {a: {merge: deep}}\n", "lookup_options: {a: {merge: first}}\n", vec!["a"]),
            ("a: 1\n", "a: 1\nb: {merge: first}\n", vec![]),
        ] {
            let edits = edit(old, new);
            assert_eq!(edits.iter().flat_map(given_options).collect::<Vec<_>>(), names, "{new}");
        }
    }

    #[test]
    fn tokens_that_read_variables_are_found_wherever_they_stand() {
        for new in [
            "a: 'x %{facts.os}'",
            "a: [{b: '%{trusted.certname}'}]",
            "a: {'%{role}': 1}",
            "a: '%{::x}%{lookup(\"k\")}'",
        ] {
            assert!(edit("a: 1\n", new).iter().any(reads_facts), "{new}");
        }
        for new in [
            "a: '%{lookup(\"k\")}'",
            "a: '%{ alias(\"k\") }'",
            "a: 'per cent %'",
            "a: '%{literal(\"%\")}{x}'",
        ] {
            assert!(!edit("a: 1\n", new).iter().any(reads_facts), "{new}");
        }
        assert!(!edit("a: '%{facts.os}'\n", "b: 1\n").iter().any(reads_facts), "what goes is not read");
    }
}
