//! Law 4: lines that hold no changed leaf, header or separator are the same bytes. Law 5: a holder whose base still gives
//! it something keeps its directive.

use hierarch_source::Source;
use hierarch_yaml::{Data, Dialect, DocumentLimits, Kind, NodeId, Style, Tree, read};

/// What was there, what was wanted, and what came of it.
pub(crate) struct Save<'a> {
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) before: &'a Data,
    pub(crate) edited: &'a Data,
}

/// Says which line was changed without a reason.
pub(crate) fn touched(save: &Save) -> Option<String> {
    let tree = parse(save.old)?;
    let mut lines = Lines { tree: &tree, text: save.old, free: vec![false; save.old.lines().count() + 1] };
    lines.map(tree.root()?, Meaning { before: save.before, edited: save.edited }, false);
    lines.free_what_belongs();
    let mut left = save.new.lines();
    for (line, _) in save.old.lines().zip(&lines.free).filter(|(_, free)| !**free) {
        if !left.any(|new| new == line) {
            return Some(line.to_owned());
        }
    }
    None
}

fn parse(text: &str) -> Option<Tree> {
    read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default()).ok()
}

/// A value before and after.
#[derive(Clone, Copy)]
struct Meaning<'a> {
    before: &'a Data,
    edited: &'a Data,
}

impl Meaning<'_> {
    fn is_same(self) -> bool {
        self.before.means(self.edited)
    }
}

/// The lines of a text, and which of them may change.
struct Lines<'a> {
    tree: &'a Tree,
    text: &'a str,
    free: Vec<bool>,
}

impl Lines<'_> {
    /// Frees the lines of a node whose meaning changes. What stands in a holder may also change because its base does.
    fn node(&mut self, id: NodeId, meaning: Meaning, inherits: bool) {
        match (self.tree.kind(id), self.tree.style(id)) {
            (Kind::Map, Style::Block) => self.map(id, meaning, inherits),
            (Kind::List, Style::Block) => self.list(id, meaning, inherits),
            // What aliases, directives and marks say depends on other places.
            _ if inherits || !meaning.is_same() || self.refers(id) => self.free(id),
            _ => {}
        }
    }

    fn map(&mut self, id: NodeId, meaning: Meaning, inherits: bool) {
        let (Data::Map(before), Data::Map(edited)) = (meaning.before, meaning.edited) else {
            return self.free_with_key(id);
        };
        let entries: Vec<(NodeId, NodeId)> =
            self.tree.children(id).chunks(2).map(|pair| (pair[0], pair[1])).collect();
        let inherits = inherits || entries.iter().any(|&(key, _)| is_reference(self.tree.text(key)));
        let loses_first = entries.first().is_some_and(|&(key, _)| !has(edited, self.tree.text(key)));
        if edited.is_empty() || inherits && !meaning.is_same() && loses_first {
            return self.free_with_key(id);
        }
        if loses_first && !inherits && self.is_compact(id) {
            return self.free_with_key(id);
        }
        for (key, value) in entries {
            let name = self.tree.text(key);
            match (find(before, name), find(edited, name)) {
                _ if is_reference(name) || name == "+%" => {
                    self.free(key);
                    self.free(value);
                }
                (Some(before), Some(edited)) => self.node(value, Meaning { before, edited }, inherits),
                _ => {
                    self.free(key);
                    self.free(value);
                }
            }
        }
    }

    fn list(&mut self, id: NodeId, meaning: Meaning, inherits: bool) {
        let items = self.tree.children(id).to_vec();
        let (Data::List(before), Data::List(edited)) = (meaning.before, meaning.edited) else {
            return self.free_with_key(id);
        };
        // Positions are those of the document only where nothing else puts items into it.
        let shifts = inherits || before.len() != items.len() || items.iter().any(|&item| self.splices(item));
        if edited.is_empty() || shifts {
            return self.free_with_key(id);
        }
        let same = |(a, b): &(&Data, &Data)| a.means(b);
        let head = before.iter().zip(edited).take_while(same).count();
        let tail = before[head..].iter().rev().zip(edited[head..].iter().rev()).take_while(same).count();
        let (middle, new) = (before.len() - tail, edited.len() - tail);
        // What changes places is written in the new place.
        let moves = |index: usize| {
            (head..middle.min(new)).any(|other| other != index && edited[other].means(&before[index]))
        };
        let is_pairwise = middle == new && !(head..middle).any(moves);
        for (index, &item) in items.iter().enumerate() {
            if index < head || index >= middle {
                self.node(item, Meaning { before: &before[index], edited: &before[index] }, false);
            } else if is_pairwise {
                self.node(item, Meaning { before: &before[index], edited: &edited[index] }, false);
            } else {
                self.free(item);
            }
        }
        if !is_pairwise && self.is_compact(id) {
            self.free(id);
        }
    }

    /// A collection whose first line is also the line of a dash.
    fn is_compact(&self, id: NodeId) -> bool {
        let start = self.tree.span(id).start as usize;
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..start].trim_start().starts_with('-')
    }

    fn splices(&self, item: NodeId) -> bool {
        self.tree.kind(item) == Kind::Alias
            || self.tree.children(item).iter().any(|&key| self.tree.text(key).starts_with('+'))
    }

    /// Whether an alias, an anchor, a directive or a mark stands in a node.
    fn refers(&self, id: NodeId) -> bool {
        let text = self.tree.text(id);
        self.tree.kind(id) == Kind::Alias
            || self.tree.anchor(id).is_some()
            || is_reference(text)
            || text == "+%"
            || self.tree.children(id).iter().any(|&child| self.refers(child))
    }

    fn free(&mut self, id: NodeId) {
        let span = self.tree.outer_span(id);
        self.free_range(span.start as usize, span.end as usize);
    }

    /// Frees a value and the line that its key stands on.
    fn free_with_key(&mut self, id: NodeId) {
        let start = self.tree.outer_span(id).start as usize;
        let before = self.text[..start].trim_end_matches([' ', '\r', '\n', '-']);
        let key = before.rfind('\n').map_or(0, |at| at + 1);
        let key =
            if before.ends_with(':') || before.lines().next_back().is_some_and(|line| line.contains('#')) {
                key
            } else {
                start
            };
        self.free_range(key, self.tree.span(id).end as usize);
    }

    fn free_range(&mut self, start: usize, end: usize) {
        let line = |at: usize| self.text[..at.min(self.text.len())].matches('\n').count();
        let ends = if end > start && self.text[..end].ends_with('\n') { end - 1 } else { end };
        for index in line(start)..=line(ends) {
            self.free[index] = true;
        }
    }

    /// Comments and blank lines beside what may change may go with it.
    fn free_what_belongs(&mut self) {
        let lines: Vec<&str> = self.text.lines().collect();
        let loose = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        for index in (0..lines.len()).rev() {
            self.free[index] |= loose(lines[index]) && self.free[index + 1];
        }
        for (index, line) in lines.iter().enumerate().skip(1) {
            self.free[index] |= loose(line) && self.free[index - 1];
        }
    }
}

/// Names a key that is a directive or `<<`.
fn is_reference(key: &str) -> bool {
    key == "<<" || key.strip_prefix('+').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['%', '&']))
}

fn find<'d>(entries: &'d [(Data, Data)], name: &str) -> Option<&'d Data> {
    entries.iter().find(|(key, _)| key_text(key) == name).map(|(_, value)| value)
}

fn has(entries: &[(Data, Data)], name: &str) -> bool {
    find(entries, name).is_some()
}

fn key_text(key: &Data) -> String {
    match key {
        Data::Scalar(scalar) => hierarch_yaml::scalar_text(scalar),
        _ => String::new(),
    }
}

/// Names a directive that was given up though its base still gives its holder something.
pub(crate) fn given_up(save: &Save, included: &dyn Fn(&str) -> Option<Data>) -> Option<String> {
    let (old, new) = (parse(save.old)?, parse(save.new)?);
    let holders = Holders { old: &old, new: &new, save, included };
    holders.below(old.root()?, new.root(), (save.before, Some(save.edited)), "")
}

struct Holders<'a> {
    old: &'a Tree,
    new: &'a Tree,
    save: &'a Save<'a>,
    included: &'a dyn Fn(&str) -> Option<Data>,
}

impl Holders<'_> {
    fn below(
        &self,
        id: NodeId,
        now: Option<NodeId>,
        meaning: (&Data, Option<&Data>),
        path: &str,
    ) -> Option<String> {
        let (Data::Map(before), Some(Data::Map(edited))) = meaning else { return None };
        if self.old.kind(id) != Kind::Map {
            return None;
        }
        if let Some(lost) = self.lost(id, now, edited) {
            return Some(format!("{lost} at '{path}'"));
        }
        for (key, value) in entries(self.old, id) {
            let meaning = match find(before, key) {
                Some(before) => (before, find(edited, key)),
                None => continue,
            };
            let now = now.and_then(|now| entry(self.new, now, key));
            let lost = self.below(value, now, meaning, &format!("{path}/{key}"));
            if lost.is_some() {
                return lost;
            }
        }
        None
    }

    /// The only directive of a holder, if it is gone without need.
    fn lost(&self, id: NodeId, now: Option<NodeId>, edited: &[(Data, Data)]) -> Option<String> {
        let entries: Vec<(&str, NodeId)> = entries(self.old, id).collect();
        let mut directives = entries.iter().filter(|(key, _)| is_reference(key));
        let (Some((directive, value)), None) = (directives.next(), directives.next()) else { return None };
        if entries.iter().any(|(key, _)| *key == "+%" || *key == "+&") || self.old.text(*value) == "raw" {
            return None;
        }
        let target = self.target(directive, *value);
        // What came through `raw` cannot be written over.
        let Data::Map(given) = target.filter(|target| !crate::has_directive_keys(target))? else {
            return None;
        };
        let own = |key: &str| entries.iter().any(|(own, _)| *own == key);
        let gives = given.iter().any(|(key, value)| {
            let name = key_text(key);
            !own(&name) && find(edited, &name).is_some_and(|found| found.means(value))
        });
        let keeps = now.is_some_and(|now| entry(self.new, now, directive).is_some());
        (gives && !keeps).then(|| (*directive).to_owned())
    }

    /// What a directive refers to after the edit.
    fn target(&self, directive: &str, value: NodeId) -> Option<Data> {
        let directive = directive.strip_prefix('+')?.trim_start_matches('?');
        if directive == "include" {
            return (self.included)(self.old.text(value));
        }
        let pointer = directive.strip_prefix('/')?;
        let mut at = self.save.edited;
        for segment in pointer.split('/') {
            at = at.child(segment).filter(|_| matches!(at, Data::Map(_)))?;
        }
        Some(at.clone())
    }
}

/// The entries of a map as they are written.
fn entries(tree: &Tree, id: NodeId) -> impl Iterator<Item = (&str, NodeId)> {
    let children = if tree.kind(id) == Kind::Map { tree.children(id) } else { &[] };
    children.chunks(2).map(|pair| (tree.text(pair[0]), pair[1]))
}

fn entry(tree: &Tree, id: NodeId, name: &str) -> Option<NodeId> {
    entries(tree, id).find(|(key, _)| *key == name).map(|(_, value)| value)
}
