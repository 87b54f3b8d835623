//! Impact for people: changes below the edits that made them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use hierarch_fleet::{CatalogGroup, CatalogImpact, Edit, Example, Group, Impact, Kind, part_at};
use hierarch_pcore::Value;

use super::findings::{Finding, Severity, code_span};
#[cfg(feature = "store")]
use super::form::csv_field;
use super::form::{because_text, counted, number};
use super::nodes::unanswered_text;

/// As many leaves of a change are shown before `+N`.
const LEAVES: usize = 3;
/// A leaf longer than this is cut; other forms have it whole.
const WIDEST: usize = 80;

/// Returns the answer as text: a line per edit, below it a line per group.
pub(super) fn text(answer: &Impact, folder: &str, limit: usize) -> String {
    let mut out = summary(answer);
    out.push('\n');
    let shown = &answer.groups[..answer.groups.len().min(limit)];
    if !shown.is_empty() {
        out.push('\n');
    }
    let width = shown.iter().map(|group| group.key.chars().count()).max().unwrap_or(0);
    let counts = shown.iter().map(|group| counted(group.nodes.len(), "node").len()).max().unwrap_or(0);
    for part in shown.chunk_by(|a, b| heads(a, folder) == heads(b, folder)) {
        push_heads(&mut out, &heads(&part[0], folder));
        for group in part {
            let count = counted(group.nodes.len(), "node");
            let _ = writeln!(out, "  {:width$}  {count:counts$}  {}", group.key, change(group));
        }
    }
    if shown.len() < answer.groups.len() {
        let _ = writeln!(out, "+{} more", number(answer.groups.len() - shown.len()));
    }
    for note in &answer.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out + &unanswered_text(&answer.unanswered, answer.asked)
}

/// Returns changes as comma-separated values; old and new are JSON.
#[cfg(feature = "store")]
pub(super) fn csv_lines(changes: &[hierarch_sql::Change]) -> String {
    let mut out = "node,key,kind,old,new,file,line,proof\n".to_owned();
    for change in changes {
        let line = change.line.map_or_else(String::new, |line| line.to_string());
        let perhaps = |text: &Option<String>| csv_field(text.as_deref().unwrap_or_default());
        let (node, key) = (csv_field(&change.node), csv_field(&change.key));
        let (old, new, file) = (perhaps(&change.old), perhaps(&change.new), perhaps(&change.file));
        let _ = writeln!(
            out,
            "{node},{key},{},{old},{new},{file},{line},{}",
            change.kind,
            perhaps(&change.proof)
        );
    }
    out
}

/// Returns changes as an object a line.
#[cfg(feature = "store")]
pub(super) fn json_lines(changes: &[hierarch_sql::Change]) -> String {
    let text = |text: &str| Value::from(text).to_json();
    let perhaps = |value: &Option<String>| value.as_deref().map_or_else(|| "null".to_owned(), text);
    let line = |change: &hierarch_sql::Change| {
        let json = |value: &Option<String>| value.clone().unwrap_or_else(|| "null".to_owned());
        let line = change.line.map_or_else(|| "null".to_owned(), |line| line.to_string());
        format!(
            "{{\"node\":{},\"key\":{},\"kind\":{},\"old\":{},\"new\":{},\"file\":{},\"line\":{line},\"proof\":{}}}\n",
            text(&change.node),
            text(&change.key),
            text(&change.kind),
            json(&change.old),
            json(&change.new),
            perhaps(&change.file),
            perhaps(&change.proof),
        )
    };
    changes.iter().map(line).collect()
}

/// Returns how catalogs differ: a line per edit, below it a line per resource.
pub(super) fn catalogs_text(answer: &CatalogImpact, folder: &str, limit: usize) -> String {
    let mut out = if answer.is_empty() {
        format!("no catalog of {} changes\n", counted(answer.asked, "node"))
    } else {
        let resources = counted(answer.resources(), "resource");
        let word = if answer.resources() == 1 { "changes" } else { "change" };
        format!("{resources} {word} on {} of {}\n\n", number(answer.changed), counted(answer.asked, "node"))
    };
    let shown = &answer.groups[..answer.groups.len().min(limit)];
    let width = shown.iter().map(|group| group.resource.chars().count()).max().unwrap_or(0);
    let heads = |group: &CatalogGroup| edit_heads(group.proof.is_some(), &group.causes, folder);
    for part in shown.chunk_by(|a, b| heads(a) == heads(b)) {
        push_heads(&mut out, &heads(&part[0]));
        for group in part {
            let count = counted(group.nodes.len(), "node");
            let _ = writeln!(out, "  {:width$}  {count}  {}", group.resource, resource_change(group));
        }
    }
    if shown.len() < answer.groups.len() {
        let _ = writeln!(out, "+{} more", number(answer.groups.len() - shown.len()));
    }
    out + &unanswered_text(&answer.unanswered, answer.asked)
}

fn resource_change(group: &CatalogGroup) -> String {
    if let Some(failure) = &group.failure {
        return format!("{}: {failure}", group.kind.name());
    }
    let one = |(name, old, new): &(String, Option<Value>, Option<Value>)| {
        format!("{name}: {}", arrow(old.as_ref(), new.as_ref()))
    };
    match group.parameters.as_slice() {
        [] => group.kind.name().to_owned(),
        some => some.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}

fn summary(answer: &Impact) -> String {
    if answer.is_empty() {
        let lost: BTreeSet<&str> = answer.unanswered.iter().map(|one| one.node.as_str()).collect();
        let all = counted(answer.asked, "node");
        return match lost.len() {
            0 => format!("nothing changes on {all}"),
            lost => format!("nothing changes on {} of {all}", number(answer.asked.saturating_sub(lost))),
        };
    }
    let keys = counted(answer.keys.len(), "key");
    let word = if answer.keys.len() == 1 { "changes" } else { "change" };
    format!("{keys} {word} on {} of {}", number(answer.changed), counted(answer.asked, "node"))
}

/// As many edits that made a group are shown before `+N`; other forms have all of them.
const HEADS: usize = 12;

fn push_heads(out: &mut String, heads: &[String]) {
    let shown = if heads.len() > HEADS { HEADS - 1 } else { heads.len() };
    heads[..shown].iter().for_each(|head| out.push_str(&format!("{head}\n")));
    if shown < heads.len() {
        let _ = writeln!(out, "+{} edits", number(heads.len() - shown));
    }
}

/// Returns the lines of the edits that made a group.
fn heads(group: &Group, folder: &str) -> Vec<String> {
    edit_heads(group.proof.is_some(), &group.causes, folder)
}

fn edit_heads(is_proved: bool, causes: &[Edit], folder: &str) -> Vec<String> {
    if !is_proved {
        return vec!["cause not found".to_owned()];
    }
    causes.iter().map(|edit| head(edit, folder)).collect()
}

fn head(edit: &Edit, folder: &str) -> String {
    let file = below(&edit.file, folder);
    let place = edit.line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
    if edit.is_whole_file() {
        return format!("{place}  (the whole file)");
    }
    format!("{place}  {}: {}", edit.path.join("."), arrow(edit.old.as_ref(), edit.new.as_ref()))
}

fn below<'p>(path: &'p str, folder: &str) -> &'p str {
    path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

fn arrow(old: Option<&Value>, new: Option<&Value>) -> String {
    let text = |value: Option<&Value>| value.map_or_else(|| "(none)".to_owned(), leaf_text);
    format!("{} -> {}", text(old), text(new))
}

fn leaf_text(value: &Value) -> String {
    let text = value.to_json();
    if text.chars().count() <= WIDEST { text } else { text.chars().take(WIDEST - 1).chain(['…']).collect() }
}

/// Returns what a group's line says: what changed, through what, for whom.
fn change(group: &Group) -> String {
    // What the edit's own line says already is not said again where there is something better to say.
    if group.because.is_some() && is_own(group) {
        return group.because.as_ref().map(because_text).unwrap_or_default();
    }
    whole_change(group)
}

/// Returns what changed, through what, for whom, for a line that stands alone.
fn whole_change(group: &Group) -> String {
    let mut parts = vec![examples(group)];
    if !is_own(group) && !group.through.is_empty() {
        parts.push(format!("through {}", group.through.join(" ")));
    }
    parts.extend(group.because.as_ref().map(because_text));
    parts.join(", ")
}

/// Tells whether the change is the edit itself: the same key, the same leaf, the same values before and after.
fn is_own(group: &Group) -> bool {
    let [edit] = group.causes.as_slice() else { return false };
    let [(path, Kind::Changed)] = group.paths.as_slice() else { return false };
    // What is hidden is hidden in the line of the edit, too.
    let is_said = |said: &Option<Value>, value: &Option<Value>| {
        group.hides_secrets || said.as_ref() == value.as_ref().and_then(|value| part_at(value, path))
    };
    let tells = |example: &Example| is_said(&edit.old, &example.old) && is_said(&edit.new, &example.new);
    edit.root() == Some(group.key.as_str())
        && edit.path[1..] == path[..]
        && group.different == 1
        && group.examples.iter().all(tells)
}

fn examples(group: &Group) -> String {
    let mut texts: Vec<String> = group.examples.iter().map(|example| one_example(group, example)).collect();
    if group.different > 1 {
        for (text, example) in texts.iter_mut().zip(&group.examples) {
            let _ = write!(text, " ({})", number(example.count));
        }
    }
    if group.different > group.examples.len() {
        texts.push(format!("+{}", number(group.different - group.examples.len())));
    }
    texts.join(", ")
}

fn one_example(group: &Group, example: &Example) -> String {
    match (group.kind, &example.failure) {
        (Kind::Failing, Some(failure)) => return format!("fails now: {failure}"),
        (Kind::Mended, Some(failure)) => return format!("failed before: {failure}"),
        _ => {}
    }
    let (Some(old), Some(new)) = (&example.old, &example.new) else {
        return arrow(example.old.as_ref(), example.new.as_ref());
    };
    let leaf = |(path, kind): &(Vec<String>, Kind)| {
        let name = if path.is_empty() { String::new() } else { format!("{}: ", path.join(".")) };
        match kind {
            Kind::Reordered => format!("{name}reordered"),
            Kind::Added => format!("{name}{}", arrow(None, part_at(new, path))),
            Kind::Removed => format!("{name}{}", arrow(part_at(old, path), None)),
            _ => format!("{name}{}", arrow(part_at(old, path), part_at(new, path))),
        }
    };
    let mut texts: Vec<String> = group.paths.iter().take(LEAVES).map(leaf).collect();
    if group.paths.len() > LEAVES {
        texts.push(format!("+{} leaves", group.paths.len() - LEAVES));
    }
    texts.join("; ")
}

/// Returns the answer as Markdown, for a comment in a merge request.
pub(super) fn markdown(answer: &Impact, (from, to): (&str, &str), folder: &str, limit: usize) -> String {
    let short = |id: &str| if id.len() == 40 { id[..10].to_owned() } else { id.to_owned() };
    let mut out =
        format!("### {}\n\n{} to {}\n", summary(answer), code_span(&short(from)), code_span(&short(to)));
    let shown = &answer.groups[..answer.groups.len().min(limit)];
    for part in shown.chunk_by(|a, b| heads(a, folder) == heads(b, folder)) {
        let heads: Vec<String> = heads(&part[0], folder).iter().map(|head| code_span(head)).collect();
        let _ = writeln!(out, "\n{}\n\n| key | nodes | change |\n|---|---|---|", heads.join("<br>"));
        for group in part {
            let (key, change) = (code_span(&group.key), code_span(&change(group)));
            let _ = writeln!(out, "| {key} | {} | {change} |", number(group.nodes.len()));
        }
    }
    if shown.len() < answer.groups.len() {
        let _ = writeln!(out, "\n+{} more", number(answer.groups.len() - shown.len()));
    }
    for note in &answer.notes {
        let _ = writeln!(out, "\n> {note}");
    }
    if !answer.unanswered.is_empty() {
        let _ = writeln!(out, "\n```\n{}```", unanswered_text(&answer.unanswered, answer.asked));
    }
    out
}

/// Returns the groups as findings at the edits that made them, files named from a folder.
pub(super) fn as_findings(answer: &Impact, folder: &str) -> Vec<Finding> {
    let finding = |group: &Group| {
        let cause = group.causes.first();
        let message =
            format!("{} on {}: {}", group.key, counted(group.nodes.len(), "node"), whole_change(group));
        Finding {
            code: "impact".to_owned(),
            severity: if group.kind == Kind::Failing { Severity::Error } else { Severity::Warning },
            message,
            file: cause.map_or_else(String::new, |edit| below(&edit.file, folder).to_owned()),
            line: cause.and_then(|edit| edit.line),
            column: cause.and_then(|edit| edit.column),
        }
    };
    answer.groups.iter().map(finding).collect()
}
