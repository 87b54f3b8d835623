//! Comments that silence findings: `# hierarch: ignore HC206`, on the line or above it.

use std::collections::{BTreeMap, BTreeSet};

use super::{CODES, Finding};
use crate::ground::Ground;
use crate::issues;

/// What a comment starts with.
const MARK: &str = "# hierarch: ignore ";

/// Comments, by their lines.
type Comments = BTreeMap<u32, Comment>;

struct Comment {
    /// The codes that it silences.
    codes: Vec<String>,
    /// It stands on a line of its own, above what it is about.
    is_alone: bool,
}

/// Takes out what comments silence, and adds a finding for each code that a comment silences for nothing.
pub(super) fn silenced(
    ground: &Ground,
    findings: Vec<Finding>,
    is_without_nodes: bool,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let configs = ground.layouts.iter().filter_map(|layout| layout.config.clone());
    let files: BTreeSet<String> =
        ground.files.iter().map(|file| file.path().to_owned()).chain(configs).collect();
    let comments: BTreeMap<String, Comments> = files
        .into_iter()
        .filter_map(|file| Some((ground.text(&file).map(|text| comments(&text))?, file)))
        .filter(|(comments, _)| !comments.is_empty())
        .map(|(comments, file)| (file, comments))
        .collect();
    let mut used = BTreeSet::new();
    let mut left: Vec<Finding> =
        findings.into_iter().filter(|finding| !is_silenced(finding, &comments, &mut used)).collect();
    if is_wanted("HC001") {
        left.extend(idle(&comments, &used, is_without_nodes, is_wanted));
    }
    left
}

fn comments(text: &str) -> Comments {
    let mut found = Comments::new();
    for (number, line) in text.lines().enumerate() {
        if let Some((_, rest)) = line.split_once(MARK) {
            let codes = rest.split([',', ' ']).filter(|word| !word.is_empty());
            let is_alone = line.trim_start().starts_with('#');
            let comment = Comment { codes: codes.map(str::to_owned).collect(), is_alone };
            found.insert(number as u32 + 1, comment);
        }
    }
    found
}

fn is_silenced(
    finding: &Finding,
    comments: &BTreeMap<String, Comments>,
    used: &mut BTreeSet<(String, u32, String)>,
) -> bool {
    let Some((known, line)) = comments.get(&finding.file).zip(finding.line) else { return false };
    let names = |comment: &Comment| comment.codes.iter().any(|code| code == finding.code);
    let is_on = known.get(&line).is_some_and(names);
    let above = line.saturating_sub(1);
    let is_above = || known.get(&above).is_some_and(|comment| comment.is_alone && names(comment));
    let hit = if is_on { Some(line) } else { is_above().then_some(above) };
    if let Some(line) = hit {
        used.insert((finding.file.clone(), line, finding.code.to_owned()));
    }
    hit.is_some()
}

/// Reports what silences nothing, of the codes that were checked.
fn idle(
    comments: &BTreeMap<String, Comments>,
    used: &BTreeSet<(String, u32, String)>,
    is_without_nodes: bool,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let was_checked = |code: &str| match CODES.iter().find(|known| known.name == code) {
        Some(known) => is_wanted(code) && !(known.needs_nodes && is_without_nodes),
        None => true,
    };
    let mut findings = Vec::new();
    for (file, known) in comments {
        for (line, comment) in known {
            for code in comment.codes.iter().filter(|code| was_checked(code)) {
                if !used.contains(&(file.clone(), *line, code.clone())) {
                    let place = (Some(*line), None);
                    findings.push(Finding::warning(file, place, "HC001", issues::idle_ignore(code)));
                }
            }
        }
    }
    findings
}
