//! Changing maps and lists that are written by indentation.

use super::lines::{column, line_start, skip};
use super::{Editor, EntryChange, Item, MapChange, Outer};
use crate::emit;
use crate::node::NodeId;

impl Editor<'_> {
    pub(super) fn change_block_map(&mut self, map: NodeId, change: &MapChange) {
        let entries: Vec<(NodeId, NodeId)> = self.tree.entries(map).collect();
        let key_column = column(self.text, self.tree.span(map).start);
        let mut floor = 0;
        let mut last_kept = None;
        for (index, &(key, value)) in entries.iter().enumerate() {
            match change.of(index) {
                Some(EntryChange::Delete) => {
                    self.delete_block_entry(&entries, index, floor);
                }
                Some(EntryChange::Value(change)) => {
                    let outer = self.key_outer(key, key_column);
                    self.apply(value, change, outer);
                    last_kept = Some(index);
                }
                Some(EntryChange::Rename(name)) => {
                    let spot = emit::Spot::Key;
                    let text = match name {
                        crate::Data::Scalar(name) => {
                            emit::scalar(name, Some(self.tree.style(key)), spot, &self.layout)
                        }
                        other => emit::flow(other, &self.layout),
                    };
                    let span = self.tree.span(key);
                    self.replace(span.start, span.end, text);
                    last_kept = Some(index);
                }
                None => last_kept = Some(index),
            }
            floor = self.entry_end(key, value);
        }
        if let Some(index) = last_kept {
            let (key, value) = entries[index];
            let at = self.content_line_end(self.entry_end(key, value));
            for (key, value) in &change.added {
                let text = emit::block_entry(key, value, key_column, &self.layout);
                self.insert_lines(at, key_column, &text);
            }
        }
    }

    fn key_outer(&self, key: NodeId, key_column: usize) -> Outer {
        let end = self.colon_end(key).unwrap_or(self.tree.outer_span(key).end);
        Outer { column: Some(key_column), dash: false, key_end: Some(end), flow: false }
    }

    /// Where an entry ends: behind its value, or behind its colon.
    fn entry_end(&self, key: NodeId, value: NodeId) -> u32 {
        let colon = self.colon_end(key).unwrap_or(self.tree.outer_span(key).end);
        self.tree.outer_span(value).end.max(colon)
    }

    fn delete_block_entry(&mut self, entries: &[(NodeId, NodeId)], index: usize, floor: u32) {
        let (key, value) = entries[index];
        let start = self.tree.outer_span(key).start;
        let end = self.entry_end(key, value);
        let start = self.explicit_start(start);
        if self.begins_line(start) {
            let last = index + 1 == entries.len();
            self.delete_lines(start, end, floor, last);
        } else {
            // `- a: 1` shares its line with the dash: the next entry, or its comment, moves up.
            let next = self.next_content(end);
            self.replace(start, next, "");
        }
    }

    /// A key may be announced by a `?`.
    fn explicit_start(&self, start: u32) -> u32 {
        let before = self.text[line_start(self.text, start) as usize..start as usize].trim_end();
        if before.ends_with('?') { line_start(self.text, start) + before.len() as u32 - 1 } else { start }
    }

    /// The next place behind the line of `end` that is not blank.
    fn next_content(&self, end: u32) -> u32 {
        let line = self.content_line_end(end);
        let rest = &self.text[line as usize..];
        line + (rest.len() - rest.trim_start().len()) as u32
    }

    pub(super) fn change_block_list(&mut self, list: NodeId, items: &[Item]) {
        let old: Vec<NodeId> = self.tree.children(list).to_vec();
        let dashes = self.dashes(list, &old);
        let dash_column = column(self.text, dashes[0]);
        self.delete_missing_items(&old, &dashes, items);
        let mut before: Option<usize> = None;
        let mut waiting: Vec<String> = Vec::new();
        for item in items {
            match item {
                Item::New(data) => {
                    let text = emit::block_item(data, dash_column, &self.layout);
                    match before {
                        Some(index) => {
                            let at = self.content_line_end(self.item_end(&old, &dashes, index));
                            self.insert_lines(at, dash_column, &text);
                        }
                        None => waiting.push(text),
                    }
                }
                Item::Old(index, change) => {
                    // A comment at the top of a text is the text's, any other that of the item behind it.
                    let is_top = *index == 0 && self.tree.parent(list).is_none();
                    self.insert_items_before(dashes[*index], dash_column, &waiting, is_top);
                    waiting.clear();
                    let outer = Outer {
                        column: Some(dash_column),
                        dash: true,
                        key_end: Some(dashes[*index] + 1),
                        flow: false,
                    };
                    self.apply(old[*index], change, outer);
                    before = Some(*index);
                }
            }
        }
    }

    fn item_end(&self, old: &[NodeId], dashes: &[u32], index: usize) -> u32 {
        self.tree.outer_span(old[index]).end.max(dashes[index] + 1)
    }

    fn insert_items_before(&mut self, dash: u32, dash_column: usize, texts: &[String], is_top: bool) {
        let pad = " ".repeat(dash_column);
        let newline = self.layout.newline;
        let line = line_start(self.text, dash);
        let at = self.with_comments(line, 0);
        for text in texts {
            if at < line && self.begins_line(dash) && !is_top {
                self.insert(at, format!("{pad}{text}{newline}"));
            } else {
                self.insert(dash, format!("{text}{newline}{pad}"));
            }
        }
    }

    fn delete_missing_items(&mut self, old: &[NodeId], dashes: &[u32], items: &[Item]) {
        let stays = staying(old.len(), items);
        for index in 0..old.len() {
            if stays[index] {
                continue;
            }
            let end = self.item_end(old, dashes, index);
            if self.begins_line(dashes[index]) {
                let floor = if index == 0 { 0 } else { self.item_end(old, dashes, index - 1) };
                self.delete_lines(dashes[index], end, floor, index + 1 == old.len());
            } else {
                let next = self.next_content(end);
                self.replace(dashes[index], next, "");
            }
        }
    }

    /// Finds the dashes of a list: each is the first thing behind the item before.
    fn dashes(&self, list: NodeId, items: &[NodeId]) -> Vec<u32> {
        let mut at = skip(self.text, self.tree.span(list).start);
        items
            .iter()
            .map(|&item| {
                let dash = skip(self.text, at);
                at = self.tree.outer_span(item).end.max(dash + 1);
                dash
            })
            .collect()
    }
}

/// Tells for every old item whether it is still there.
pub(super) fn staying(count: usize, items: &[Item]) -> Vec<bool> {
    let mut stays = vec![false; count];
    for item in items {
        if let Item::Old(index, _) = item {
            stays[*index] = true;
        }
    }
    stays
}
