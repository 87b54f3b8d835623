//! Edits one scalar of every file given, in memory: exactly one line may change, and an edit of nothing changes nothing.
//! `touch_one FILE…` prints how many files held.

use std::io::{self, Write};

use hierarch_source::Source;
use hierarch_yaml::{
    Change, Data, Dialect, DocumentLimits, EntryChange, Item, Kind, MapChange, NodeId, Style, Tree, edit,
    read,
};

fn main() -> io::Result<()> {
    let (mut held, mut skipped, mut failed, mut kept) = (0, 0, 0, 0);
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        for dialect in [Dialect::Psych, Dialect::Core] {
            let Ok(tree) =
                read(&Source::new(path.as_str(), text.as_str()), dialect, DocumentLimits::default())
            else {
                skipped += 1;
                continue;
            };
            let Some(root) = tree.root() else { continue };
            match edit(&tree, root, &Change::Keep) {
                Ok(same) if same == text => kept += 1,
                _ => writeln!(io::stdout(), "{path} {dialect:?}: an edit of nothing changed it")?,
            }
            let seed = text.len();
            // A document that is one scalar has no line to change it in.
            if tree.kind(root) == Kind::Scalar {
                skipped += 1;
                continue;
            }
            let Some(change) = touch(&tree, root, seed) else {
                skipped += 1;
                continue;
            };
            match edit(&tree, root, &change) {
                Ok(new) if changed_lines(&text, &new) == Some(1) => held += 1,
                Ok(new) => {
                    failed += 1;
                    writeln!(
                        io::stdout(),
                        "{path} {dialect:?}: {:?} lines changed",
                        changed_lines(&text, &new)
                    )?;
                }
                Err(error) => {
                    failed += 1;
                    writeln!(io::stdout(), "{path} {dialect:?}: {error}")?;
                }
            }
        }
    }
    writeln!(
        io::stdout(),
        "{kept} unchanged byte for byte; {held} with one line changed, {failed} not, {skipped} without a scalar to change"
    )
}

/// Wraps a change of some scalar on one line: which one depends on the seed.
fn touch(tree: &Tree, node: NodeId, seed: usize) -> Option<Change> {
    let children = tree.children(node);
    match tree.kind(node) {
        Kind::Scalar if matches!(tree.style(node), Style::Plain | Style::Single | Style::Double) => {
            let text = tree.source().slice(tree.span(node));
            (!text.contains('\n')).then(|| Change::Set(Data::text("changed: by a 'test'")))
        }
        Kind::Map => (0..children.len() / 2).find_map(|offset| {
            let index = (offset + seed) % (children.len() / 2);
            let change = touch(tree, children[index * 2 + 1], seed / 3)?;
            Some(Change::Map(MapChange {
                entries: vec![(index, EntryChange::Value(change))],
                added: Vec::new(),
            }))
        }),
        Kind::List => (0..children.len()).find_map(|offset| {
            let index = (offset + seed) % children.len();
            let change = touch(tree, children[index], seed / 3)?;
            let mut items: Vec<Item> = (0..children.len()).map(|at| Item::Old(at, Change::Keep)).collect();
            items[index] = Item::Old(index, change);
            Some(Change::List(items))
        }),
        _ => None,
    }
}

/// How many lines differ, if the number of lines does not.
fn changed_lines(old: &str, new: &str) -> Option<usize> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.split('\n').collect(), new.split('\n').collect());
    (old.len() == new.len()).then(|| old.iter().zip(&new).filter(|(a, b)| a != b).count())
}
