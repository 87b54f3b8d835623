//! What in a document does nothing, leads nowhere, or means something else than it looks like.

use std::path::Path;
use std::sync::Arc;

use hierarch_source::{Diagnostic, Files, Result, Severity, Source, nearest};
use hierarch_yaml::{Dialect, Kind, NodeId, Tree, is_date, read, surprising};

use crate::directive::{Directive, NAME, STRATEGY};

use crate::include::Access;
use crate::issues;
use crate::stream::Stream;

/// What directives begin with, to be compared with what does so nearly.
const WORDS: &[&str] = &["+include", "+?include", "+%", "+&"];

/// Looks at every document of a file. What cannot be read is a finding, too.
pub fn lint(files: &dyn Files, path: &Path, access: &Access) -> Result<Vec<Diagnostic>> {
    let stream = Stream::open(files, path, access)?;
    let mut found = Vec::new();
    if access.notations.is_some_and(|notations| notations.knows(&path.display().to_string())) {
        found.extend(expansion_problem(&stream, files, access, 0, true));
        return Ok(found);
    }
    for (place, part) in stream.sources().iter().enumerate() {
        // Read as Psych does, a key that stands twice is a warning: all of them are told.
        found.extend(repeated_keys(part, access));
        match read(part, Dialect::Core, access.limits) {
            Ok(tree) => {
                let mut linter = Linter { tree: &tree, found: Vec::new() };
                tree.roots().iter().for_each(|&root| linter.look(root, true));
                let quiet = linter.found.is_empty();
                found.append(&mut linter.found);
                if let Some(problem) = expansion_problem(&stream, files, access, place, quiet) {
                    found.push(problem);
                } else {
                    add_elsewhere(&mut found, idle(&stream, files, access, place));
                }
            }
            // The rest of the text is looked at all the same.
            Err(error) if error.code == "YAML_DUPLICATE_KEY" => found.extend(looked_at(part, access)),
            Err(error) => found.push(error.into_diagnostic()),
        }
    }
    Ok(found)
}

/// What is told of a text in which a key stands twice, which only Psych reads.
fn looked_at(part: &Arc<Source>, access: &Access) -> Vec<Diagnostic> {
    let Ok(tree) = read(part, Dialect::Psych, access.limits) else { return Vec::new() };
    let mut linter = Linter { tree: &tree, found: Vec::new() };
    tree.roots().iter().for_each(|&root| linter.look(root, true));
    linter.found
}

/// Adds findings about places that have none yet.
fn add_elsewhere(found: &mut Vec<Diagnostic>, new: Vec<Diagnostic>) {
    let known: Vec<_> = found.iter().filter_map(|known| Some(known.place.as_ref()?.span)).collect();
    let is_new = |new: &Diagnostic| new.place.as_ref().is_none_or(|place| !known.contains(&place.span));
    found.extend(new.into_iter().filter(is_new));
}

/// Finds keys that look like directives and are ordinary keys, such as `+inclde`.
pub fn misspelt(source: &Arc<Source>, access: &Access) -> Vec<Diagnostic> {
    let Ok(tree) = read(source, Dialect::Core, access.limits) else { return Vec::new() };
    let mut linter = Linter { tree: &tree, found: Vec::new() };
    tree.roots().iter().for_each(|&root| linter.look(root, true));
    linter.found.retain(|found| found.code == "DIRECTIVE_MISSPELT");
    linter.found
}

fn repeated_keys(part: &Arc<Source>, access: &Access) -> Vec<Diagnostic> {
    let tree = read(part, Dialect::Psych, access.limits);
    let mut found = tree.map(|tree| tree.warnings().to_vec()).unwrap_or_default();
    for warning in &mut found {
        if let Some(place) = &warning.place {
            warning.message = issues::key_stands_twice(place.source.slice(place.span));
        }
    }
    found
}

/// Targets that are not there, rings, and everything else that keeps a document from being expanded.
fn expansion_problem(
    stream: &Stream,
    files: &dyn Files,
    access: &Access,
    place: usize,
    quiet: bool,
) -> Option<Diagnostic> {
    if stream.is_blank(place) {
        return None;
    }
    match stream.document(files, access, place) {
        Ok(_) => None,
        // A document that is not a map has no directives to carry out.
        Err(error) if error.code == "DIRECTIVE_DOCUMENT" => None,
        // What was found above is the reason.
        Err(error) if error.code == "DIRECTIVE_STRATEGY" && !quiet => None,
        Err(error) => Some(error.into_diagnostic()),
    }
}

fn idle(stream: &Stream, files: &dyn Files, access: &Access, place: usize) -> Vec<Diagnostic> {
    if stream.is_blank(place) {
        return Vec::new();
    }
    stream.document(files, access, place).map(|mut document| document.idle()).unwrap_or_default()
}

struct Linter<'t> {
    tree: &'t Tree,
    found: Vec<Diagnostic>,
}

impl Linter<'_> {
    fn warn(&mut self, node: NodeId, code: &'static str, text: String, note: &str) {
        let warning = Diagnostic::new(Severity::Warning, code, text);
        let warning = if note.is_empty() { warning } else { warning.note(note) };
        self.found.push(warning.at(self.tree.source(), self.tree.span(node)));
    }

    fn look(&mut self, node: NodeId, top: bool) {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::Scalar => self.look_at_scalar(node),
            Kind::Map => self.look_at_map(node, top),
            Kind::List => {
                for (index, &item) in tree.children(node).iter().enumerate() {
                    if index > 0 && self.is_header(item) {
                        let text = "a header counts only as the first item of its list".to_owned();
                        self.warn(item, "DIRECTIVE_WITHOUT_EFFECT", text, "");
                    }
                    self.look(item, false);
                }
            }
            Kind::Alias => {}
        }
    }

    /// A map that holds only `+%: {match: …}`.
    fn is_header(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let mark = tree.get(node, STRATEGY).filter(|_| tree.children(node).len() == 2);
        mark.is_some_and(|mark| tree.kind(mark) == Kind::Map && tree.get(mark, "match").is_some())
    }

    fn look_at_map(&mut self, map: NodeId, top: bool) {
        let tree = self.tree;
        for (key, value) in tree.entries(map) {
            let text = tree.text(tree.target(key)).to_owned();
            if let Some(rest) = text.strip_prefix('+') {
                self.look_at_plus_key(key, value, &text, rest);
            } else if tree.kind(key) == Kind::Scalar {
                self.look_at_scalar(key);
            }
            if text == STRATEGY && top && tree.kind(value) == Kind::Scalar {
                let text = format!("+%: {} at the top of a document meets nothing", tree.text(value));
                self.warn(key, "DIRECTIVE_WITHOUT_EFFECT", text, "");
            }
            if text != STRATEGY {
                self.look(value, false);
            }
        }
    }

    fn look_at_plus_key(&mut self, key: NodeId, value: NodeId, text: &str, rest: &str) {
        let tree = self.tree;
        match Directive::parse(text) {
            Err(error) => self.found.push(error.at(tree.source(), tree.span(key)).into_diagnostic()),
            Ok(None) if text == STRATEGY || text == NAME => {}
            Ok(None) => {
                let word = text.split(['/', ' ']).next().unwrap_or(text);
                let note = match nearest(word, WORDS.iter().copied()).first() {
                    Some(near) => issues::perhaps(near),
                    None => String::new(),
                };
                if !note.is_empty() || rest.starts_with(['.', '*', '?']) {
                    let said = format!("{text} looks like a directive and is an ordinary key");
                    self.warn(key, "DIRECTIVE_MISSPELT", said, &note);
                }
            }
            Ok(Some(directive)) if !directive.include && tree.kind(value) == Kind::Scalar => {
                let word = tree.text(value);
                if !matches!(word, "" | "raw" | "~" | "null") {
                    let said = format!("the value {word} of {text} is not looked at");
                    self.warn(value, "DIRECTIVE_WITHOUT_EFFECT", said, "only `raw` means something here");
                }
            }
            Ok(Some(_)) => {}
        }
    }

    fn look_at_scalar(&mut self, node: NodeId) {
        if is_date(self.tree, node) {
            let text = self.tree.text(node);
            let said = format!("{text} is a date in YAML 1.1 and the text {text} in YAML 1.2");
            self.warn(
                node,
                "YAML_SURPRISING_SCALAR",
                said,
                "put it in quotes, or leave it where a date is meant",
            );
        }
        if let Some((older, newer)) = surprising(self.tree, node) {
            let show = |scalar: &hierarch_yaml::Scalar| match scalar {
                hierarch_yaml::Scalar::Str(text) => format!("the text {text}"),
                other => hierarch_yaml::scalar_text(other),
            };
            let said = format!(
                "{} is {} in YAML 1.1 and {} in YAML 1.2",
                self.tree.text(node),
                show(&older),
                show(&newer)
            );
            self.warn(
                node,
                "YAML_SURPRISING_SCALAR",
                said,
                "put it in quotes, or write the value that is meant",
            );
        }
    }
}
