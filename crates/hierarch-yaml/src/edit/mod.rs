//! Edits that touch nothing else: a change is a few replaced ranges of the old text.
//!
//! What shall become of a node is said by a [`Change`]; what is not mentioned stays byte for byte. The new
//! text is read again and compared node by node with what was wanted before it is handed out.

mod block;
mod check;
mod dress;
mod flow;
mod lines;
mod path;
mod respell;
mod toward;
mod value;

use hierarch_source::{Result, Source};

use crate::data::Data;
use crate::emit::Layout;
use crate::issues;
use crate::limits::DocumentLimits;
use crate::node::{NodeId, Style, Tree};
use crate::scan::read;

/// What shall become of a node.
#[derive(Clone, Debug)]
pub enum Change {
    /// It stays.
    Keep,
    /// It is replaced; a scalar keeps its quotes, if they can hold the new value.
    Set(Data),
    /// Some entries of a map change.
    Map(MapChange),
    /// Some items of a list change: what the list holds afterwards, in order.
    List(Vec<Item>),
}

impl Change {
    /// Makes the change of a list to these items; none if they are those that it has, so many, in their order.
    pub fn of_items(items: Vec<Item>, count: usize) -> Self {
        let is_old =
            |(at, item): (usize, &Item)| matches!(item, Item::Old(index, Self::Keep) if *index == at);
        let is_untouched = items.len() == count && items.iter().enumerate().all(is_old);
        if is_untouched { Self::Keep } else { Self::List(items) }
    }
}

/// What shall become of the entries of a map. Entries not mentioned stay.
#[derive(Clone, Debug, Default)]
pub struct MapChange {
    /// Changes by the number of the entry as written; numbers must grow.
    pub entries: Vec<(usize, EntryChange)>,
    /// New entries, in order, behind the last one.
    pub added: Vec<(Data, Data)>,
}

/// What shall become of an entry.
#[derive(Clone, Debug)]
pub enum EntryChange {
    /// Its value changes.
    Value(Change),
    /// It goes, with the comments that belong to it.
    Delete,
    /// It gets another key.
    Rename(Data),
}

/// One item of a list after a change.
#[derive(Clone, Debug)]
pub enum Item {
    /// The item that had this number, possibly changed. Numbers must grow.
    Old(usize, Change),
    /// A new item.
    New(Data),
}

impl MapChange {
    /// Tells whether nothing would change.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.added.is_empty()
    }

    /// Returns what becomes of an entry, if it is mentioned.
    pub fn of(&self, index: usize) -> Option<&EntryChange> {
        let found = self.entries.binary_search_by_key(&index, |(entry, _)| *entry).ok()?;
        Some(&self.entries[found].1)
    }
}

/// Changes a document and returns the new text.
///
/// ```
/// use hierarch_source::Source;
/// use hierarch_yaml::{Change, Data, Dialect, DocumentLimits, change_at, edit, read};
///
/// let source = Source::unnamed("a: 'one' # first\nb: [1, 2]\n");
/// let tree = read(&source, Dialect::Core, DocumentLimits::default())?;
/// let root = tree.root().unwrap();
/// let change = change_at(&tree, root, &["a"], Change::Set(Data::text("two")))?;
/// assert_eq!(edit(&tree, root, &change)?, "a: 'two' # first\nb: [1, 2]\n");
/// # Ok::<(), hierarch_source::Error>(())
/// ```
pub fn edit(tree: &Tree, root: NodeId, change: &Change) -> Result<String> {
    let (text, new) = rewrite(tree, root, change)?;
    let position = tree.roots().iter().position(|&known| known == root).unwrap_or(0);
    let fits = new.roots().len() == tree.roots().len()
        && tree.roots().iter().zip(new.roots()).enumerate().all(|(index, (&old_root, &new_root))| {
            let change = if index == position { change } else { &Change::Keep };
            check::holds(tree, old_root, change, &new, new_root)
        });
    if fits { Ok(text) } else { Err(issues::edit_would_spill().at(tree.source(), tree.span(root))) }
}

/// Changes a document and returns the new text with its tree, read but not compared: for callers that
/// have a stricter check of their own.
pub fn rewrite(tree: &Tree, root: NodeId, change: &Change) -> Result<(String, Tree)> {
    let mut editor = Editor::new(tree);
    let outer = Outer { column: None, dash: false, key_end: None, flow: false };
    editor.apply(root, change, outer);
    let mut text = editor.finish();
    let again = |text: &str| {
        let source = Source::new(tree.source().name().unwrap_or(""), text);
        read(&source, tree.dialect(), DocumentLimits::default()).map_err(|error| {
            issues::edit_would_spill().note(error.to_string()).at(tree.source(), tree.span(root))
        })
    };
    let mut new = again(&text)?;
    // A new block scalar at the end of a text without a last line break needs that break.
    if editor.wrote_end && !editor.text.ends_with('\n') && lines::lacks_break(&new, &text) {
        text.push_str(editor.layout.newline);
        new = again(&text)?;
    }
    Ok((text, new))
}

/// Finds the place that a path of keys and positions leads to, and wraps a change for it.
pub fn change_at(tree: &Tree, root: NodeId, path: &[&str], change: Change) -> Result<Change> {
    path::wrap(tree, root, path, change)
}

pub use dress::{
    Fidelity, GivenValue, Rewording, TagChange, dressed, reworded, scalar_words, verbatim_words,
};
pub use respell::respelled;

pub use path::{Edit, delete_at, find_at, insert_at, rename_at};
pub use toward::{edit_toward, try_edit_toward};

/// What a value hangs on.
#[derive(Clone, Copy)]
struct Outer {
    /// Where the key or the dash stands; none at the top and in flow style.
    column: Option<usize>,
    /// The value hangs on a dash.
    dash: bool,
    /// The end of the colon or dash in front of the value.
    key_end: Option<u32>,
    /// The value stands between brackets.
    flow: bool,
}

struct Editor<'t> {
    tree: &'t Tree,
    text: &'t str,
    layout: Layout,
    /// Replacements in the order they were made; those at one place are kept in that order.
    edits: Vec<(u32, u32, String)>,
    /// The end of the text was written anew.
    wrote_end: bool,
}

impl<'t> Editor<'t> {
    fn new(tree: &'t Tree) -> Self {
        Self {
            tree,
            text: tree.source().text(),
            layout: lines::layout(tree),
            edits: Vec::new(),
            wrote_end: false,
        }
    }

    fn replace(&mut self, start: u32, end: u32, text: impl Into<String>) {
        self.edits.push((start, end, text.into()));
    }

    fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.replace(at, at, text);
    }

    fn apply(&mut self, node: NodeId, change: &Change, outer: Outer) {
        match change {
            Change::Keep => {}
            Change::Set(data) => self.set(node, data, outer),
            Change::Map(change) => self.change_map(node, change, outer),
            Change::List(items) => self.change_list(node, items, outer),
        }
    }

    fn change_map(&mut self, map: NodeId, change: &MapChange, outer: Outer) {
        let count = self.tree.children(map).len() / 2;
        let kept = (0..count).filter(|&index| !matches!(change.of(index), Some(EntryChange::Delete))).count();
        if kept == 0 && (count > 0 || !change.added.is_empty()) {
            let data = Data::Map(change.added.clone());
            if self.tree.style(map) == Style::Flow {
                self.refill_flow(map, &data);
            } else {
                self.set(map, &data, outer);
            }
        } else if self.tree.style(map) == Style::Flow {
            self.change_flow_map(map, change);
        } else {
            self.change_block_map(map, change);
        }
    }

    fn change_list(&mut self, list: NodeId, items: &[Item], outer: Outer) {
        let kept = items.iter().filter(|item| matches!(item, Item::Old(..))).count();
        if kept == 0 {
            let new = items.iter().filter_map(|item| match item {
                Item::New(data) => Some(data.clone()),
                Item::Old(..) => None,
            });
            let data = Data::List(new.collect());
            if self.tree.style(list) == Style::Flow {
                self.refill_flow(list, &data);
            } else {
                self.set(list, &data, outer);
            }
        } else if self.tree.style(list) == Style::Flow {
            self.change_flow_list(list, items);
        } else {
            self.change_block_list(list, items);
        }
    }

    /// An edit inside a range that is already gone: only new lines are still wanted, behind what is left.
    fn put_lines(&self, text: &str, result: &mut String) {
        match text.strip_prefix(self.layout.newline) {
            Some(lines) if result.is_empty() || result.ends_with('\n') => {
                result.push_str(lines);
                result.push_str(self.layout.newline);
            }
            Some(_) => result.push_str(text),
            None => {}
        }
    }

    fn finish(&mut self) -> String {
        self.close_last_text();
        let mut edits = std::mem::take(&mut self.edits);
        edits.sort_by_key(|&(start, end, _)| (start, end));
        self.wrote_end =
            edits.iter().any(|(_, end, text)| *end as usize == self.text.len() && !text.is_empty());
        let mut result = String::with_capacity(self.text.len() + 256);
        let mut at = 0;
        for (start, end, text) in &edits {
            if *start < at {
                self.put_lines(text, &mut result);
                continue;
            }
            result.push_str(&self.text[at as usize..*start as usize]);
            result.push_str(text);
            at = *end;
        }
        result.push_str(&self.text[at as usize..]);
        result
    }
}
