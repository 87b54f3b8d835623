//! Edits: the leaves by which two versions of a data file differ, and how to undo one of them in the text.

use std::cmp::Reverse;
use std::collections::HashSet;

use hierarch_pcore::Value;
use hierarch_pcore::data::{Rules, from_data};
use hierarch_source::Source;
use hierarch_yaml::{self as yaml, Data, Datum, Dialect, DocumentLimits, Kind, Scalar, Tree};
use hierarch_yaml::{Change, EntryChange, KeyedEntries, MapChange, edit, read, try_edit_toward};

use crate::file_tree::FileTree;

/// One changed leaf of a file, or a file as a whole.
#[derive(Clone, PartialEq, Debug)]
pub struct Edit {
    /// The file.
    pub file: String,
    /// The keys and positions that lead to the leaf; empty for a whole file.
    pub path: Vec<String>,
    /// What was there before; nothing if the leaf is new.
    pub old: Option<Value>,
    /// What is there now; nothing if the leaf is gone.
    pub new: Option<Value>,
    /// Where it stands: in the new text, or in the old one if it is gone. Counted from 1.
    pub line: Option<u32>,
    /// The column.
    pub column: Option<u32>,
    undo: Undo,
}

/// What undoes an edit.
#[derive(Clone, PartialEq, Debug)]
enum Undo {
    /// The leaf gets its old value, goes, or comes back.
    Leaf(yaml::Edit),
    /// The file gets its old text; nothing: it goes.
    File(Option<Vec<u8>>),
}

/// A version of a file: its bytes, or nothing where there is no such file.
pub(crate) type Version<'v> = Option<&'v [u8]>;

/// Lists the edits that lead from one version of a file to another.
pub fn edits(file: &str, old: Option<&[u8]>, new: Option<&[u8]>) -> Vec<Edit> {
    if old == new {
        return Vec::new();
    }
    leaf_edits(file, old, new).unwrap_or_else(|| vec![whole_file(file, old)])
}

/// Makes the edit of a file as a whole.
pub(crate) fn whole_file(file: &str, old: Version) -> Edit {
    Edit {
        file: file.to_owned(),
        path: Vec::new(),
        old: None,
        new: None,
        line: None,
        column: None,
        undo: Undo::File(old.map(<[u8]>::to_vec)),
    }
}

impl Edit {
    /// Tells whether a file as a whole is meant.
    pub fn is_whole_file(&self) -> bool {
        self.path.is_empty()
    }

    /// Hides what was and what is: the values of this edit are secrets.
    pub(crate) fn hide(&mut self) {
        for value in [&mut self.old, &mut self.new].into_iter().flatten() {
            *value = Value::from(hierarch_hiera::eyaml::HIDDEN);
        }
    }

    /// Returns the top-level key.
    pub fn root(&self) -> Option<&str> {
        self.path.first().map(String::as_str)
    }
}

/// Undoes some edits of one file in its new text. Nothing is returned if that is not possible without touching more:
/// where anchors or merge keys carry a value elsewhere, the whole file has to be undone.
pub fn undone(new: Option<&[u8]>, some: &[&Edit]) -> Option<Option<Vec<u8>>> {
    if let Some(Undo::File(old)) =
        some.iter().map(|edit| &edit.undo).find(|undo| matches!(undo, Undo::File(_)))
    {
        return Some(old.clone());
    }
    let mut text = match new {
        Some(bytes) => String::from_utf8(bytes.to_vec()).ok()?,
        None => "{}\n".to_owned(),
    };
    let mut steps: Vec<&Edit> = some.to_vec();
    // What is deleted or inserted moves the positions behind it.
    steps.sort_by_key(|edit| order_of(edit));
    if steps.len() > 1
        && let Some(text) = undo_together(&text, &steps)
    {
        return Some(Some(text.into_bytes()));
    }
    for step in steps {
        text = undo_one(&text, step)?;
    }
    Some(Some(text.into_bytes()))
}

/// Returns the order in which edits are undone.
fn order_of(edit: &Edit) -> impl Ord + use<> {
    match edit.undo {
        Undo::Leaf(yaml::Edit::Delete) => (1, Some(Reverse(position(&edit.path))), None),
        Undo::Leaf(yaml::Edit::Insert(_)) => (2, None, Some(position(&edit.path))),
        Undo::Leaf(_) | Undo::File(_) => (0, None, None),
    }
}

/// Returns a path by which positions of lists are in the order of their numbers.
fn position(path: &[String]) -> Vec<(usize, String)> {
    path.iter().map(|part| (part.parse().unwrap_or(usize::MAX), part.clone())).collect()
}

/// Takes an entry out of a text; nothing if that is not possible without touching more.
pub(crate) fn without(text: &str, path: &[String]) -> Option<String> {
    let edit = Edit { path: path.to_vec(), undo: Undo::Leaf(yaml::Edit::Delete), ..whole_file("", None) };
    undo_one(text, &edit)
}

/// Takes top-level keys out of a text, all at once; nothing if that is not possible without touching more.
pub(crate) fn without_keys(text: &str, keys: &HashSet<&str>) -> Option<String> {
    let tree = read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).ok()?;
    let root = tree.root().filter(|root| tree.kind(*root) == Kind::Map)?;
    let is_meant = |key: yaml::NodeId| tree.kind(key) == Kind::Scalar && keys.contains(tree.text(key));
    let numbers = tree.entries(root).enumerate().filter(|(_, (key, _))| is_meant(*key));
    let entries: Vec<_> = numbers.map(|(number, _)| (number, EntryChange::Delete)).collect();
    // Of a key that stands twice one would stay.
    if entries.len() != keys.len() {
        return None;
    }
    let Datum::Map(mut left) = data(&tree)? else { return None };
    left.retain(|(key, _)| key_text(key).is_none_or(|key| !keys.contains(key.as_str())));
    let mut changed = edit(&tree, root, &Change::Map(MapChange { entries, added: Vec::new() })).ok()?;
    // The blank lines above the last entries go with them.
    if !text.ends_with("\n\n") {
        while changed.ends_with("\n\n") {
            changed.pop();
        }
    }
    let after = read(&Source::unnamed(changed.as_str()), Dialect::Psych, DocumentLimits::default()).ok()?;
    same(&data(&after)?, &Datum::Map(left)).then_some(changed)
}

/// Undoes several edits with one change of the text; nothing if that is not possible.
fn undo_together(text: &str, steps: &[&Edit]) -> Option<String> {
    let tree = read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).ok()?;
    let root = tree.root()?;
    let mut wanted = data(&tree)?;
    for step in steps {
        let Undo::Leaf(undo) = &step.undo else { return None };
        wanted = applied(wanted, &step.path, undo)?;
    }
    let changed = try_edit_toward(&tree, root, &wanted).ok()??;
    let after = read(&Source::unnamed(changed.as_str()), Dialect::Psych, DocumentLimits::default()).ok()?;
    same(&data(&after)?, &wanted).then_some(changed)
}

fn undo_one(text: &str, step: &Edit) -> Option<String> {
    let source = Source::unnamed(text);
    let tree = read(&source, Dialect::Psych, DocumentLimits::default()).ok()?;
    let root = tree.root()?;
    let path: Vec<&str> = step.path.iter().map(String::as_str).collect();
    let Undo::Leaf(wanted) = &step.undo else { return None };
    let change = wanted.clone().at(&tree, root, &path);
    let before = data(&tree)?;
    let changed = edit(&tree, root, &change.ok()?).ok()?;
    let after = read(&Source::unnamed(changed.as_str()), Dialect::Psych, DocumentLimits::default()).ok()?;
    // An anchor that is changed changes its aliases, too: then more differs than was asked for.
    same(&data(&after)?, &applied(before, &step.path, wanted)?).then_some(changed)
}

/// Tells whether data are equal, the order of keys ignored.
fn same(a: &Data, b: &Data) -> bool {
    match (a, b) {
        (Datum::List(a), Datum::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Datum::Map(a), Datum::Map(b)) => {
            let mut others = KeyedEntries::new(b);
            a.len() == b.len()
                && a.iter().all(|(key, value)| others.find(key).is_some_and(|other| same(value, other)))
        }
        (a, b) => a == b,
    }
}

/// Returns what data become when an edit is undone in them.
fn applied(data: Data, path: &[String], undo: &yaml::Edit) -> Option<Data> {
    let Some((first, rest)) = path.split_first() else {
        return match undo {
            yaml::Edit::Set(old) => Some(old.clone()),
            _ => None,
        };
    };
    let is_last = rest.is_empty();
    match data {
        Datum::Map(mut entries) => {
            let found = entries.iter().position(|(key, _)| key_text(key).as_deref() == Some(first));
            match (found, undo) {
                (Some(at), yaml::Edit::Delete) if is_last => {
                    entries.remove(at);
                }
                (None, yaml::Edit::Insert(old)) if is_last => entries.push((Data::text(first), old.clone())),
                (Some(at), _) => {
                    let inner = std::mem::replace(&mut entries[at].1, Data::NULL);
                    entries[at].1 = applied(inner, rest, undo)?;
                }
                (None, _) => return None,
            }
            Some(Datum::Map(entries))
        }
        Datum::List(mut items) => {
            let at: usize = first.parse().ok()?;
            match undo {
                yaml::Edit::Delete if is_last && at < items.len() => {
                    items.remove(at);
                }
                yaml::Edit::Insert(old) if is_last && at <= items.len() => items.insert(at, old.clone()),
                _ => {
                    let item = items.get_mut(at)?;
                    *item = applied(std::mem::replace(item, Data::NULL), rest, undo)?;
                }
            }
            Some(Datum::List(items))
        }
        Datum::Scalar(_) => None,
    }
}

/// Tells whether a text has aliases, which carry what stands at their anchors elsewhere; one that cannot be read may have some.
pub(crate) fn has_aliases(text: &[u8]) -> bool {
    let tree = std::str::from_utf8(text)
        .ok()
        .and_then(|text| read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).ok());
    tree.is_none_or(|tree| {
        (0..tree.len()).any(|number| tree.kind(yaml::NodeId::from_index(number)) == Kind::Alias)
    })
}

fn data(tree: &Tree) -> Option<Data> {
    tree.data(tree.root()?, DocumentLimits::default()).ok()
}

/// Only texts, numbers and words lead into a map.
fn key_text(key: &Data) -> Option<String> {
    match key {
        Datum::Scalar(Scalar::Str(text) | Scalar::Symbol(text)) => Some(text.to_string()),
        _ => None,
    }
}

/// A version of a file that is a map in YAML.
struct Side {
    tree: FileTree,
    entries: Vec<(Data, Data)>,
}

impl Side {
    fn read(version: Version) -> Option<Self> {
        let text = match version {
            Some(bytes) => std::str::from_utf8(bytes).ok()?.to_owned(),
            None => String::new(),
        };
        let tree = read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).ok()?;
        let entries = match tree.root().map(|_| data(&tree)) {
            None | Some(Some(Datum::Scalar(Scalar::Null))) => Vec::new(),
            Some(Some(Datum::Map(entries))) => entries,
            Some(_) => return None,
        };
        let is_plain = entries.iter().all(|(key, _)| key_text(key).is_some());
        is_plain.then(|| Self { tree: FileTree::new(tree), entries })
    }

    /// Returns line and column of what a path leads to.
    fn place(&self, path: &[String]) -> (Option<u32>, Option<u32>) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let found = self.tree.value_at(&path);
        let position = found.map(|node| self.tree.source().position(self.tree.span(node).start));
        (position.as_ref().map(|position| position.line), position.as_ref().map(|position| position.column))
    }
}

fn leaf_edits(file: &str, old: Version, new: Version) -> Option<Vec<Edit>> {
    let is_tree = [".yaml", ".yml", ".eyaml", ".json"].iter().any(|end| file.ends_with(end));
    if !is_tree {
        return None;
    }
    let (old, new) = (Side::read(old)?, Side::read(new)?);
    let mut differences = Vec::new();
    compare_maps(&old.entries, &new.entries, &mut Vec::new(), &mut differences)?;
    let edit = |(path, undo, before, after): Difference| {
        let side = if after.is_some() { &new } else { &old };
        let (line, column) = side.place(&path);
        let (old, new) = (before.as_ref().map(value_of), after.as_ref().map(value_of));
        Edit { file: file.to_owned(), path, old, new, line, column, undo }
    };
    let found: Vec<Edit> = differences.into_iter().map(edit).collect();
    // Bytes differ and data do not: comments, order or layout.
    Some(found)
}

/// Path, what undoes it, what was, what is.
type Difference = (Vec<String>, Undo, Option<Data>, Option<Data>);

fn compare_maps(
    old: &[(Data, Data)],
    new: &[(Data, Data)],
    path: &mut Vec<String>,
    found: &mut Vec<Difference>,
) -> Option<()> {
    let (mut after_all, mut before_all) = (KeyedEntries::new(new), KeyedEntries::new(old));
    for (key, before) in old {
        path.push(key_text(key)?);
        match after_all.find(key) {
            Some(after) => compare(before, after, path, found)?,
            None => found.push((
                path.clone(),
                Undo::Leaf(yaml::Edit::Insert(before.clone())),
                Some(before.clone()),
                None,
            )),
        }
        path.pop();
    }
    for (key, after) in new.iter().filter(|(key, _)| before_all.find(key).is_none()) {
        path.push(key_text(key)?);
        found.push((path.clone(), Undo::Leaf(yaml::Edit::Delete), None, Some(after.clone())));
        path.pop();
    }
    Some(())
}

fn compare(old: &Data, new: &Data, path: &mut Vec<String>, found: &mut Vec<Difference>) -> Option<()> {
    match (old, new) {
        (Datum::Map(a), Datum::Map(b)) if keys_are_texts(a) && keys_are_texts(b) => {
            compare_maps(a, b, path, found)
        }
        (Datum::List(a), Datum::List(b)) => {
            compare_lists(a, b, path, found);
            Some(())
        }
        (old, new) => {
            // 1 and 1.0 are one number and two answers.
            if old != new || value_of(old) != value_of(new) {
                found.push((
                    path.clone(),
                    Undo::Leaf(yaml::Edit::Set(old.clone())),
                    Some(old.clone()),
                    Some(new.clone()),
                ));
            }
            Some(())
        }
    }
}

fn keys_are_texts(entries: &[(Data, Data)]) -> bool {
    entries.iter().all(|(key, _)| key_text(key).is_some())
}

/// Items at the same position are compared; where items came or went in one place, each is an edit; else the list is.
fn compare_lists(old: &[Data], new: &[Data], path: &mut Vec<String>, found: &mut Vec<Difference>) {
    if old.len() == new.len() {
        for (index, (before, after)) in old.iter().zip(new).enumerate() {
            path.push(index.to_string());
            // A list in a list has no keys that could fail.
            let _ = compare(before, after, path, found);
            path.pop();
        }
        return;
    }
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let shorter = old.len().min(new.len());
    let back =
        old.iter().rev().zip(new.iter().rev()).take(shorter - front).take_while(|(a, b)| a == b).count();
    let mut one = |index: usize, undo: Undo, before: Option<&Data>, after: Option<&Data>| {
        let path = path.iter().cloned().chain([index.to_string()]).collect();
        found.push((path, undo, before.cloned(), after.cloned()));
    };
    if front + back == old.len() && !old.is_empty() {
        (front..new.len() - back)
            .for_each(|index| one(index, Undo::Leaf(yaml::Edit::Delete), None, new.get(index)));
    } else if front + back == new.len() && !new.is_empty() {
        for index in front..old.len() - back {
            one(index, Undo::Leaf(yaml::Edit::Insert(old[index].clone())), old.get(index), None);
        }
    } else {
        let (before, after) = (Datum::List(old.to_vec()), Datum::List(new.to_vec()));
        found.push((path.clone(), Undo::Leaf(yaml::Edit::Set(before.clone())), Some(before), Some(after)));
    }
}

/// Returns data as a value, for showing.
pub(crate) fn value_of(data: &Data) -> Value {
    from_data(data, Rules::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<String> {
        let found = edits("data/x.yaml", Some(old.as_bytes()), Some(new.as_bytes()));
        let text = |value: &Option<Value>| value.as_ref().map_or_else(|| "-".to_owned(), Value::to_json);
        let line = |edit: &Edit| edit.line.map_or_else(String::new, |line| line.to_string());
        found
            .iter()
            .map(|edit| {
                format!("{} {}: {} -> {}", line(edit), edit.path.join("."), text(&edit.old), text(&edit.new))
            })
            .collect()
    }

    /// Each edit undone alone brings back its part, and all together the old data.
    fn check(old: &str, new: &str, expected: &[&str]) {
        assert_eq!(shown(old, new), expected, "{old}\n{new}");
        let found = edits("data/x.yaml", Some(old.as_bytes()), Some(new.as_bytes()));
        for one in &found {
            let text = undone(Some(new.as_bytes()), &[one]).flatten().expect("undone");
            let left = edits("data/x.yaml", Some(old.as_bytes()), Some(&text));
            assert_eq!(left.len(), found.len() - 1, "{}", String::from_utf8_lossy(&text));
        }
        let all: Vec<&Edit> = found.iter().collect();
        let text = undone(Some(new.as_bytes()), &all).flatten().expect("undone");
        assert_eq!(edits("data/x.yaml", Some(old.as_bytes()), Some(&text)), []);
    }

    #[test]
    fn leaves_are_compared_by_path() {
        check("a: 1\nb: [x, y]\n", "a: 2\nb: [x, z]\n", &["1 a: 1 -> 2", "2 b.1: \"y\" -> \"z\""]);
        check("a: {b: 1, c: 2}\n", "a:\n  b: 1\n  d: 3\n", &["1 a.c: 2 -> -", "3 a.d: - -> 3"]);
        check("a: [1, 2]\n", "a: [1, 5, 2]\n", &["1 a.1: - -> 5"]);
        check("a:\n- 1\n- 2\n- 3\n", "a:\n- 3\n", &["2 a.0: 1 -> -", "3 a.1: 2 -> -"]);
        check("a: [1, 2]\n", "a: [3]\n", &["1 a: [1,2] -> [3]"]);
        check("a: 1\n", "a: 1 # why\n", &[]);
    }

    #[test]
    fn entries_are_found_in_any_order() {
        let side = |text: &str| Side::read(Some(text.as_bytes())).expect("a map").entries;
        let list = side("a: 1\n:b: 2\nb: 3\nc: 4\n");
        let mut entries = KeyedEntries::new(&list);
        for wanted in ["c", "a", ":b", "b", "c", "b", "a"] {
            let key = side(&format!("{wanted}: 0\n")).remove(0).0;
            let expected = list.iter().find(|(other, _)| *other == key).map(|(_, value)| value);
            assert_eq!(entries.find(&key), expected, "{wanted}");
            assert!(expected.is_some(), "{wanted}");
        }
        assert_eq!(entries.find(&Data::text("d")), None);
        // Keys in another order are no change.
        check("a: 1\nb: 2\nc: 3\n", "c: 3\na: 1\nb: 5\n", &["3 b: 2 -> 5"]);
    }

    #[test]
    fn an_anchor_cannot_be_undone_alone() {
        let (old, new) = ("a: &x 1\nb: *x\n", "a: &x 2\nb: *x\n");
        let found = edits("data/x.yaml", Some(old.as_bytes()), Some(new.as_bytes()));
        assert_eq!(found.len(), 2);
        assert_eq!(undone(Some(new.as_bytes()), &[&found[0]]), None);
    }

    #[test]
    fn keys_go_at_once_as_they_go_one_by_one() {
        let text = "# head\na: 1\n# of b\nb:\n- x\n- y\nc: {d: 1} # tail\n\n# of e\ne: |\n  text\nf: 2\n";
        let all = ["a", "b", "c", "e", "f"];
        for chosen in 1..(1usize << all.len()) - 1 {
            let keys: Vec<&str> =
                all.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, key)| *key).collect();
            let mut expected = text.to_owned();
            for key in &keys {
                expected = without(&expected, &[(*key).to_owned()]).expect("possible");
            }
            assert_eq!(without_keys(text, &keys.iter().copied().collect()), Some(expected), "{keys:?}");
        }
        assert_eq!(without_keys(text, &all.into()).as_deref(), Some("# head\n{}\n"));
    }

    #[test]
    fn keys_stay_where_more_would_go_with_them() {
        for (text, key) in [
            ("a: &x 1\nb: *x\n", "a"),
            ("a: 1\na: 2\n", "a"),
            ("a: 1\n", "b"),
            ("- a\n", "a"),
            ("a: [\n", "a"),
        ] {
            assert_eq!(without_keys(text, &HashSet::from([key])), None, "{text}");
        }
    }

    #[test]
    fn many_leaves_are_undone_as_one_by_one() {
        let old = "a: 1\nl: [x, y, z]\nm:\n  p: 1\n  q: {r: 2}\n# last\nz: |\n  text\n";
        let new = "a: 2\nl: [x, w, z, v]\nm:\n  q: {r: 3, s: 4}\n  n: 5\n# last\nz: |\n  other\n";
        let list = edits("f.yaml", Some(old.as_bytes()), Some(new.as_bytes()));
        assert!(list.len() > 5, "{list:?}");
        let value = |text: &[u8]| {
            data(
                &read(
                    &Source::unnamed(std::str::from_utf8(text).expect("UTF-8")),
                    Dialect::Psych,
                    DocumentLimits::default(),
                )
                .expect("YAML"),
            )
        };
        for chosen in 1..1usize << list.len() {
            let some: Vec<&Edit> = list
                .iter()
                .enumerate()
                .filter(|(at, _)| chosen >> at & 1 == 1)
                .map(|(_, edit)| edit)
                .collect();
            let bytes = undone(Some(new.as_bytes()), &some).flatten().expect("possible");
            let mut steps = some.clone();
            steps.sort_by_key(|edit| order_of(edit));
            let one_by_one = steps.iter().try_fold(new.to_owned(), |text, step| undo_one(&text, step));
            let expected = value(one_by_one.expect("possible").as_bytes()).expect("data");
            assert!(same(&value(&bytes).expect("data"), &expected), "{chosen}");
            let is_whole = some.len() == list.len();
            assert_eq!(same(&expected, &value(old.as_bytes()).expect("data")), is_whole, "{chosen}");
        }
    }

    #[test]
    fn aliases_are_seen() {
        for (text, expected) in [
            ("a: &x 1\nb: *x\n", true),
            ("a: {<<: *y}\n", true),
            ("a: '*x & y'\n", false),
            ("a: &x 1\n", false),
            ("a: [\n", true),
        ] {
            assert_eq!(has_aliases(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_map_is_one_edit() {
        let found = edits("functions/f.pp", Some(b"1"), Some(b"2"));
        assert!(found.len() == 1 && found[0].is_whole_file());
        assert_eq!(undone(Some(b"2"), &[&found[0]]), Some(Some(b"1".to_vec())));
        let broken = edits("data/x.yaml", Some(b"a: 1"), Some(b"a: ["));
        assert!(broken.len() == 1 && broken[0].is_whole_file());
        let gone = edits("data/x.yaml", Some(b"a: 1\nb: 2\n"), None);
        assert_eq!(gone.len(), 2);
        let text = undone(None, &[&gone[0]]).flatten().expect("made anew");
        assert_eq!(edits("data/x.yaml", Some(b"a: 1"), Some(&text)), []);
    }
}
