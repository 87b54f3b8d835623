//! Directives and marks that do nothing: without them the document expands to the same.

use std::sync::Arc;

use hierarch_source::{Diagnostic, Severity};
use hierarch_yaml::{Change, EntryChange, Item, Kind, MapChange, NodeId, Tree};

use crate::directive::{Directive, NAME, STRATEGY};
use crate::document::Document;
use crate::issues;

/// Directives are tried until so many nodes and values were made for it: each try costs an expansion.
pub const MOST_TRIED: usize = 2_000_000;

/// What could be taken out, and what is said if nothing changes.
struct Candidate {
    /// The entry of a map, by its key, or the item of a list.
    part: NodeId,
    /// The key or mark that is shown.
    shown: NodeId,
    /// It refers to something that need not be there.
    optional: bool,
}

impl Document<'_> {
    /// Finds the directives and marks that could be taken out.
    pub(crate) fn idle(&mut self) -> Vec<Diagnostic> {
        let tree = Arc::clone(self.expander.forest.tree(0));
        let Some(root) = tree.root() else { return Vec::new() };
        let mut candidates = Vec::new();
        find(&tree, root, &mut candidates);
        candidates.retain(|candidate| !self.is_needed(&tree, candidate.shown));
        let most = self.expander.access().most_tried.unwrap_or(MOST_TRIED);
        let mut found = Vec::new();
        let (mut nodes, count) = (0, candidates.len());
        for (tried, candidate) in candidates.into_iter().enumerate() {
            if nodes > most {
                let said = issues::not_all_tried(tried, count, most);
                let warning = Diagnostic::new(Severity::Warning, "LINT_INCOMPLETE", said);
                found.push(warning.at(tree.source(), tree.span(candidate.shown)));
                break;
            }
            let Some(change) = without(&tree, candidate.part) else { continue };
            let before = self.forest().size();
            let result = self.expand_again(&tree, root, &change);
            if result.is_some_and(|(_, result)| self.forest().same(result, self.value())) {
                let text = tree.source().slice(tree.span(candidate.shown)).to_owned();
                let said = issues::idle_directive(&text, candidate.optional);
                let warning = Diagnostic::new(Severity::Warning, "DIRECTIVE_WITHOUT_EFFECT", said);
                let warning = warning.note(issues::IDLE_ADVICE);
                found.push(warning.at(tree.source(), tree.span(candidate.shown)));
            }
            nodes += tree.len() + self.expander.forest.shrink_to(before);
        }
        found
    }

    /// Tells, without trying it, that a directive brings a key which its map has from nowhere else.
    fn is_needed(&self, tree: &Tree, key: NodeId) -> bool {
        let Some((map, _)) = tree.parent(key).filter(|_| tree.text(key) != STRATEGY) else { return false };
        let brought = self.expander.held_before.get(&map).and_then(|effect| effect.inherited);
        let Some(brought) = brought.filter(|&brought| !self.forest().is_active(brought)) else {
            return false;
        };
        let own = self.forest().val(0, map);
        let brings_key =
            self.forest().entries(brought).any(|(key, _)| self.forest().find(own, key).is_none());
        let is_alone = |map| tree.entries(map).filter(|&(key, _)| is_special(tree, key)).count() == 1;
        brings_key && is_alone(map) && meets_nothing(tree, map)
    }
}

/// Tells whether a map stands where nothing else is merged with what is around it.
fn meets_nothing(tree: &Tree, map: NodeId) -> bool {
    std::iter::successors(tree.parent(map), |&(parent, _)| tree.parent(parent)).all(|(parent, _)| match tree
        .kind(parent)
    {
        Kind::Map => !tree.entries(parent).any(|(key, _)| is_special(tree, key)),
        _ => tree.children(parent).iter().all(|&item| tree.get(item, STRATEGY).is_none()),
    })
}

/// A directive, a mark, or a merge key of YAML.
fn is_special(tree: &Tree, key: NodeId) -> bool {
    let text = tree.text(tree.target(key));
    text.starts_with('+') || text == "<<"
}

/// Finds what could be taken out of a node.
fn find(tree: &Tree, node: NodeId, found: &mut Vec<Candidate>) {
    match tree.kind(node) {
        Kind::Map => find_in_map(tree, node, found),
        Kind::List => tree.children(node).iter().for_each(|&item| find(tree, item, found)),
        Kind::Scalar | Kind::Alias => {}
    }
}

fn find_in_map(tree: &Tree, map: NodeId, found: &mut Vec<Candidate>) {
    // What is alone in its map is taken out with the map: an empty map would say something else.
    let alone = tree.children(map).len() == 2;
    let holder = || tree.parent(map).map(|(parent, slot)| part_at(tree, parent, slot));
    for (key, value) in tree.entries(map) {
        let text = tree.text(key);
        let part = if alone { holder() } else { Some(key) };
        match Directive::parse(text) {
            Ok(Some(directive)) => {
                // A file that may be missing is there on other machines.
                let waits = directive.include && directive.optional;
                let shown = Candidate { part: part.unwrap_or(key), shown: key, optional: directive.optional };
                found.extend(part.filter(|_| !waits).map(|_| shown));
            }
            _ if text == STRATEGY => {
                // A guard does nothing until something is wrong.
                let guards = tree.text(value) == "error";
                let shown = Candidate { part: part.unwrap_or(key), shown: key, optional: false };
                found.extend(part.filter(|_| !guards).map(|_| shown));
            }
            _ if text == NAME => {}
            _ => find(tree, value, found),
        }
    }
}

/// The key of the entry, or the item, that a child of a node belongs to.
fn part_at(tree: &Tree, parent: NodeId, slot: usize) -> NodeId {
    let slot = if tree.kind(parent) == Kind::Map { slot / 2 * 2 } else { slot };
    tree.children(parent)[slot]
}

/// The change that takes an entry or an item out of the document.
fn without(tree: &Tree, part: NodeId) -> Option<Change> {
    let (parent, slot) = tree.parent(part)?;
    let change = match tree.kind(parent) {
        Kind::Map => {
            Change::Map(MapChange { entries: vec![(slot / 2, EntryChange::Delete)], added: Vec::new() })
        }
        _ => Change::List(others(tree, parent, slot).collect()),
    };
    Some(inside(tree, parent, change))
}

fn others(tree: &Tree, list: NodeId, slot: usize) -> impl Iterator<Item = Item> {
    (0..tree.children(list).len())
        .filter(move |&index| index != slot)
        .map(|index| Item::Old(index, Change::Keep))
}

/// A change of a node as a change of the whole document.
fn inside(tree: &Tree, node: NodeId, change: Change) -> Change {
    let Some((parent, slot)) = tree.parent(node) else { return change };
    let outer = if tree.kind(parent) == Kind::Map {
        let entries = vec![(slot / 2, EntryChange::Value(change))];
        Change::Map(MapChange { entries, added: Vec::new() })
    } else {
        let mut items: Vec<Item> =
            (0..tree.children(parent).len()).map(|index| Item::Old(index, Change::Keep)).collect();
        items[slot] = Item::Old(slot, change);
        Change::List(items)
    };
    inside(tree, parent, outer)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use hierarch_source::MemoryFiles;

    use crate::{Access, Document};

    fn idle(text: &str) -> Vec<String> {
        let files = MemoryFiles::from([("main.yaml", text), ("part.yaml", "p: 1\n")]);
        let access = Access::default();
        let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
        document.idle().iter().map(|found| found.message.clone()).collect()
    }

    #[test]
    fn what_changes_nothing_is_found() {
        assert_eq!(idle("base: {a: 1}\nuse: {+/base: , a: 2}\n"), ["+/base changes nothing here"]);
        assert_eq!(idle("use: {+?/nope: , a: 2}\n"), ["+?/nope leads nowhere"]);
        assert_eq!(idle("a: 1\nuse: {+?/nope: }\n"), ["+?/nope leads nowhere"]);
        assert_eq!(idle("base: {a: 1}\nuse: {+/base: , z: {+%: whiteout}}\n"), ["+% changes nothing here"]);
        assert_eq!(idle("l:\n- +%: {match: name}\n- {name: a}\n"), ["+% changes nothing here"]);
    }

    #[test]
    fn what_comes_from_elsewhere_as_well_is_found() {
        // What is around the map brings the same key.
        let around = "base: {u: {a: 1}, v: 1}\nuse:\n  +/base:\n  u:\n    +/base/u:\n    b: 1\n";
        assert_eq!(idle(around), ["+/base/u changes nothing here"]);
        // So does another directive beside it: one of the two is enough.
        let beside = "x: {a: 1}\nuse:\n  +/x:\n  +../x:\n  b: 1\n";
        assert_eq!(idle(beside), ["+/x changes nothing here", "+../x changes nothing here"]);
        // Each is tried by itself, whatever the one before built.
        let several = "base: {a: 1}\nx: {+/base: , a: 2}\nl: [{+/base: }]\ny: {+/x: , a: 3}\n";
        assert_eq!(idle(several), ["+/base changes nothing here", "+/x changes nothing here"]);
    }

    #[test]
    fn what_was_not_tried_is_said() {
        let text = "base: {a: 1}\nuse: {+/base: , a: 2}\nmore: {+/base: , a: 3}\n";
        let files = MemoryFiles::from([("main.yaml", text)]);
        let access = Access { most_tried: Some(5), ..Access::default() };
        let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
        let found: Vec<String> = document.idle().iter().map(|found| found.message.clone()).collect();
        let expected = "1 of 2 directives and marks were tried: more would make more than 5 values";
        assert_eq!(found, ["+/base changes nothing here", expected]);
    }

    #[test]
    fn what_does_something_is_not() {
        for text in [
            "base: {a: 1}\nuse: {+/base: }\n",
            "use: {+include: part.yaml}\n",
            "use: {+?include: local.yaml, a: 1}\n",
            "base: {a: 1, b: 2}\nuse: {+/base: , a: {+%: whiteout}}\n",
            "base: {l: [{name: a, v: 1}, {name: b}]}\nuse: {+/base: , l: [{+%: {match: name}}, {name: a, v: 2}]}\n",
            "base: {a: 1}\nuse: {+/base: , m: {+%: error, b: 1}}\n",
        ] {
            assert_eq!(idle(text), [""; 0], "{text}");
        }
    }
}
