//! Changing maps and lists that are written in brackets; JSON among them.

use super::block::staying;
use super::lines::line_start;
use super::{Editor, EntryChange, Item, MapChange, Outer};
use crate::data::Data;
use crate::emit;
use crate::node::NodeId;

/// A member of a flow collection: where it starts and ends.
type Member = (u32, u32);

impl Editor<'_> {
    pub(super) fn change_flow_map(&mut self, map: NodeId, change: &MapChange) {
        let entries: Vec<(NodeId, NodeId)> = self.tree.entries(map).collect();
        let members: Vec<Member> =
            entries.iter().map(|&(key, value)| self.flow_entry_span(key, value)).collect();
        let deleted: Vec<bool> =
            (0..entries.len()).map(|index| matches!(change.of(index), Some(EntryChange::Delete))).collect();
        self.delete_members(&members, &deleted);
        for (index, &(key, value)) in entries.iter().enumerate() {
            match change.of(index) {
                Some(EntryChange::Value(change)) => {
                    let end = self.colon_end(key);
                    if end.is_none() && !matches!(change, super::Change::Keep) {
                        // `{a}` has no colon yet.
                        self.insert(self.tree.outer_span(key).end, ":");
                    }
                    let key_end = end.or(Some(self.tree.outer_span(key).end));
                    self.apply(value, change, Outer { column: None, dash: false, key_end, flow: true });
                }
                Some(EntryChange::Rename(name)) => {
                    let span = self.tree.span(key);
                    let text = emit::flow(name, &self.layout);
                    self.replace(span.start, span.end, text);
                }
                _ => {}
            }
        }
        if let Some(last) = deleted.iter().rposition(|gone| !gone) {
            let colon = if self.has_compact_colon(entries[last]) { ":" } else { ": " };
            let write = |data| emit::flow(data, &self.layout);
            let texts: Vec<String> =
                change.added.iter().map(|(k, v)| format!("{}{colon}{}", write(k), write(v))).collect();
            self.insert_members(&members, last, &texts);
        }
    }

    /// Tells whether an entry is written as JSON without blanks has it.
    fn has_compact_colon(&self, (key, value): (NodeId, NodeId)) -> bool {
        self.layout.json && self.colon_end(key) == Some(self.tree.outer_span(value).start)
    }

    /// An entry with an empty value ends behind the blank that must follow its colon.
    fn flow_entry_span(&self, key: NodeId, value: NodeId) -> Member {
        let start = self.tree.outer_span(key).start;
        let end = self.tree.outer_span(value).end.max(self.colon_end(key).unwrap_or(0));
        let end = end.max(self.tree.outer_span(key).end);
        let empty = self.tree.outer_span(value).is_empty() && self.colon_end(key).is_some();
        let blank = u32::from(empty && self.text[end as usize..].starts_with(' '));
        (start, end + blank)
    }

    pub(super) fn change_flow_list(&mut self, list: NodeId, items: &[Item]) {
        let old: Vec<NodeId> = self.tree.children(list).to_vec();
        let members: Vec<Member> = old
            .iter()
            .map(|&item| {
                let span = self.tree.outer_span(item);
                (span.start, span.end)
            })
            .collect();
        let deleted: Vec<bool> = staying(old.len(), items).iter().map(|stays| !stays).collect();
        self.delete_members(&members, &deleted);
        let mut before = None;
        let mut waiting: Vec<String> = Vec::new();
        for item in items {
            match item {
                Item::New(data) => waiting.push(emit::flow(data, &self.layout)),
                Item::Old(index, change) => {
                    if let Some(last) = before {
                        self.insert_members(&members, last, &waiting);
                    } else {
                        let separator = self.separator(&members, *index);
                        for text in &waiting {
                            self.insert(members[*index].0, format!("{text}{separator}"));
                        }
                    }
                    waiting.clear();
                    self.apply(
                        old[*index],
                        change,
                        Outer { column: None, dash: false, key_end: None, flow: true },
                    );
                    before = Some(*index);
                }
            }
        }
        if let Some(last) = before {
            self.insert_members(&members, last, &waiting);
        }
    }

    /// Inserts members behind one, separated as the others are.
    fn insert_members(&mut self, members: &[Member], after: usize, texts: &[String]) {
        if texts.is_empty() {
            return;
        }
        let separator = self.separator(members, after);
        let mut new = String::new();
        for text in texts {
            new.push_str(&separator);
            new.push_str(text);
        }
        self.insert(members[after].1, new);
    }

    /// What stands between two members near one: a line break where each has a line, the blanks of the others.
    fn separator(&self, members: &[Member], near: usize) -> String {
        let start = members[near].0;
        if self.begins_line(start) && start > 0 {
            let column = start - line_start(self.text, start);
            return format!(",{}{}", self.layout.newline, " ".repeat(column as usize));
        }
        // An empty member may end behind the start of the next.
        let gap = |pair: &[Member]| self.text.get(pair[0].1 as usize..pair[1].0 as usize);
        match members.windows(2).next().and_then(gap).map(str::trim_start) {
            Some(",") if self.layout.json => ",".to_owned(),
            _ => ", ".to_owned(),
        }
    }

    /// Deletes members with the comma that goes with them.
    fn delete_members(&mut self, members: &[Member], deleted: &[bool]) {
        let mut index = 0;
        while index < members.len() {
            if !deleted[index] {
                index += 1;
                continue;
            }
            let run_end = (index..members.len()).find(|&next| !deleted[next]).unwrap_or(members.len());
            if run_end < members.len() {
                self.replace(members[index].0, members[run_end].0, "");
            } else if index > 0 {
                self.replace(members[index - 1].1, members[run_end - 1].1, "");
            } else {
                self.replace(members[0].0, members[run_end - 1].1, "");
            }
            index = run_end;
        }
    }

    /// Gives a flow collection other content.
    pub(super) fn refill_flow(&mut self, node: NodeId, data: &Data) {
        let span = self.tree.span(node);
        let text = emit::flow(data, &self.layout);
        self.replace(span.start, span.end, text);
    }
}
