//! From a whole new content to the few changes that lead there.

use hierarch_source::Result;

use super::{Change, EntryChange, Item, MapChange, edit};
use crate::data::Data;
use crate::keyed::KeyedEntries;
use crate::limits::DocumentLimits;
use crate::node::{Kind, NodeId, Tree};
use crate::schema;

/// Changes a document so that it means this data; whatever means it already stays as it is written. The order
/// of keys does not count.
///
/// ```
/// use hierarch_source::Source;
/// use hierarch_yaml::{Data, Dialect, DocumentLimits, edit_toward, read};
///
/// let data = |text: &str| {
///     let tree = read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default()).unwrap();
///     tree.data(tree.root().unwrap(), DocumentLimits::default()).unwrap()
/// };
/// let source = Source::unnamed("a: 0x1F # hex\nb: [1,2]\nc: x\n");
/// let tree = read(&source, Dialect::Core, DocumentLimits::default())?;
/// let text = edit_toward(&tree, tree.root().unwrap(), &data("{b: [1, 3], a: 31, d: y}"))?;
/// assert_eq!(text, "a: 0x1F # hex\nb: [1,3]\nd: y\n");
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn edit_toward(tree: &Tree, root: NodeId, data: &Data) -> Result<String> {
    // A change of what carries an anchor shows where its aliases are; then only the whole can be written.
    match try_edit_toward(tree, root, data)? {
        Some(text) => Ok(text),
        None => edit(tree, root, &Change::Set(data.clone())),
    }
}

/// Changes a document like [`edit_toward`]; none if that would change more than what differs.
pub fn try_edit_toward(tree: &Tree, root: NodeId, data: &Data) -> Result<Option<String>> {
    let change = toward(tree, root, data)?;
    if matches!(change, Change::Keep) {
        return Ok(Some(tree.source().text().to_owned()));
    }
    let text = edit(tree, root, &change).ok();
    Ok(text.filter(|text| means(tree, root, text, data)))
}

fn means(tree: &Tree, root: NodeId, text: &str, data: &Data) -> bool {
    let position = tree.roots().iter().position(|&known| known == root).unwrap_or(0);
    let source = hierarch_source::Source::new(tree.source().name().unwrap_or_default(), text);
    let Ok(new) = crate::scan::read(&source, tree.dialect(), DocumentLimits::default()) else { return false };
    let root = new.roots().get(position).copied();
    root.is_some_and(|root| new.data(root, DocumentLimits::default()).is_ok_and(|found| found.means(data)))
}

fn toward(tree: &Tree, node: NodeId, data: &Data) -> Result<Change> {
    if tree.data(node, DocumentLimits::default())?.means(data) {
        return Ok(Change::Keep);
    }
    match (tree.kind(node), data) {
        (Kind::Map, Data::Map(entries)) if tree.tag(node).is_none() => map_toward(tree, node, entries),
        (Kind::List, Data::List(items)) if tree.tag(node).is_none() => list_toward(tree, node, items),
        _ => Ok(Change::Set(data.clone())),
    }
}

fn map_toward(tree: &Tree, map: NodeId, wanted: &[(Data, Data)]) -> Result<Change> {
    let mut change = MapChange::default();
    let mut known: Vec<(Data, Data)> = Vec::new();
    let mut wanted_entries = KeyedEntries::new(wanted);
    for (index, (key, value)) in tree.entries(map).enumerate() {
        if schema::is_merge_key(tree, key) {
            continue;
        }
        let key = tree.data(key, DocumentLimits::default())?;
        match wanted_entries.find(&key) {
            Some(data) => match toward(tree, value, data)? {
                Change::Keep => {}
                inner => change.entries.push((index, EntryChange::Value(inner))),
            },
            None => change.entries.push((index, EntryChange::Delete)),
        }
        known.push((key, Data::NULL));
    }
    // What a merge key brings is there already, unless it shall be something else.
    let merged = if tree.means_what_it_shows(map) { Vec::new() } else { merged_entries(tree, map)? };
    let (mut known, mut merged) = (KeyedEntries::new(&known), KeyedEntries::new(&merged));
    let mut is_there = |(key, value): &(Data, Data)| {
        known.find(key).is_some() || merged.find(key).is_some_and(|found| found.means(value))
    };
    change.added = wanted.iter().filter(|entry| !is_there(entry)).cloned().collect();
    Ok(Change::Map(change))
}

fn merged_entries(tree: &Tree, map: NodeId) -> Result<Vec<(Data, Data)>> {
    match tree.data(map, DocumentLimits::default())? {
        Data::Map(entries) => Ok(entries),
        _ => Ok(Vec::new()),
    }
}

/// Items that are the same at both ends stay; those between are changed one by one, then added or removed.
fn list_toward(tree: &Tree, list: NodeId, wanted: &[Data]) -> Result<Change> {
    let old = tree.children(list);
    let data: Vec<Data> =
        old.iter().map(|&item| tree.data(item, DocumentLimits::default())).collect::<Result<_>>()?;
    let front = data.iter().zip(wanted).take_while(|(a, b)| a.means(b)).count();
    let back = data[front..].iter().rev().zip(wanted[front..].iter().rev());
    let back = back.take_while(|(a, b)| a.means(b)).count();
    let keep = |index: usize| Item::Old(index, Change::Keep);
    let mut items: Vec<Item> = (0..front).map(keep).collect();
    let (old_end, new_end) = (old.len() - back, wanted.len() - back);
    for (index, data) in (front..new_end).zip(&wanted[front..new_end]) {
        items.push(if index < old_end {
            Item::Old(index, toward(tree, old[index], data)?)
        } else {
            Item::New(data.clone())
        });
    }
    items.extend((old_end..old.len()).map(keep));
    Ok(Change::List(items))
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::node::Dialect;
    use crate::scan::read;

    fn tree(text: &str) -> Tree {
        read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default()).expect("it reads")
    }

    fn check(old: &str, wanted: &str, expected: &str) {
        let (old, wanted) = (tree(old), tree(wanted));
        let data = wanted.data(wanted.root().expect("a value"), DocumentLimits::default()).expect("data");
        let text = edit_toward(&old, old.root().expect("a value"), &data).expect("an edit");
        assert_eq!(text, expected);
    }

    #[test]
    fn what_means_the_same_is_not_touched() {
        let text = "# top\na:   0o17\nb: \"x\"   # beside\n\nc: {d: ~, e: [ 1,2 ]}\n";
        check(text, "{c: {e: [1, 2], d: null}, b: x, a: 15}", text);
        let text = "base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\ncopy: *b\n";
        check(text, "{base: {x: 1}, use: {y: 2, x: 1}, copy: {x: 1}}", text);
    }

    #[test]
    fn only_what_differs_is_written() {
        check("a: 1 # one\nb: 2 # two\n", "{a: 1, b: 3}", "a: 1 # one\nb: 3 # two\n");
        check("- a # one\n- b\n- c\n", "[a, x, b, c]", "- a # one\n- x\n- b\n- c\n");
        check("- a\n- {b: 1, c: 2}\n- d\n", "[a, {b: 5, c: 2}]", "- a\n- {b: 5, c: 2}\n");
        check("a: [1, 2]\n", "{a: {b: 1}}", "a:\n  b: 1\n");
    }

    #[test]
    fn merge_keys_and_aliases_give_way_where_they_must() {
        let text = "base: &b {x: 1}\nuse:\n  <<: *b\n  y: 2\n";
        check(text, "{base: {x: 1}, use: {y: 2, x: 5}}", &text.replace("  y: 2\n", "  y: 2\n  x: 5\n"));
        check("a: &a 1\nb: *a\n", "{a: 1, b: 2}", "a: &a 1\nb: 2\n");
        check("a: &a 1\nb: *a\n", "{a: 2, b: 1}", "a: 2\nb: 1\n");
    }
}
