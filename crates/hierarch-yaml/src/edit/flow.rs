//! Changing maps and lists that are written in brackets; JSON among them.

use std::ops::Range;

use super::block::staying;
use super::lines::{line_end, line_start, next_line, skip};
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
        self.delete_members(map, &members, &deleted);
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
        self.delete_members(list, &members, &deleted);
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
                        let at = self.before_member(members[*index].0);
                        for text in &waiting {
                            self.insert(at, format!("{text}{separator}"));
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
        if let Some((line, has_comma)) = self.commented_end(members[after].1, &separator) {
            // The comment stays beside what it is about.
            if !has_comma {
                self.insert(members[after].1, ",");
            }
            let between = separator.trim_start_matches(',');
            let lines = texts.join(&separator);
            let comma = if has_comma { "," } else { "" };
            return self.insert(line, format!("{between}{lines}{comma}"));
        }
        let mut new = String::new();
        for text in texts {
            new.push_str(&separator);
            new.push_str(text);
        }
        self.insert(members[after].1, new);
    }

    /// The end of the line of a member that has a comment beside it, where members have lines, and whether a comma stands between.
    fn commented_end(&self, end: u32, separator: &str) -> Option<(u32, bool)> {
        let line = line_end(self.text, end);
        let rest = self.text[end as usize..line as usize].trim_start_matches([' ', '\t']);
        let behind = rest.strip_prefix(',').map(|behind| behind.trim_start_matches([' ', '\t']));
        let is_comment = behind.unwrap_or(rest).starts_with('#') && separator.contains('\n');
        is_comment.then_some((line, behind.is_some()))
    }

    /// Where new members go before one: above the comments above it.
    fn before_member(&self, start: u32) -> u32 {
        let line = line_start(self.text, start);
        let above = self.with_comments(line, 0);
        if self.begins_line(start) && above < line { above + (start - line) } else { start }
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
    fn delete_members(&mut self, collection: NodeId, members: &[Member], deleted: &[bool]) {
        let mut index = 0;
        while index < members.len() {
            if !deleted[index] {
                index += 1;
                continue;
            }
            let run_end = (index..members.len()).find(|&next| !deleted[next]).unwrap_or(members.len());
            let (run, is_all) = (index..run_end, index == 0 && run_end == members.len());
            if !is_all && self.has_comments(collection, members, &run) {
                self.delete_with_comments(collection, members, &run);
            } else if run_end < members.len() {
                self.replace(members[index].0, members[run_end].0, "");
            } else if index > 0 {
                self.replace(members[index - 1].1, members[run_end - 1].1, "");
            } else {
                self.replace(members[0].0, members[run_end - 1].1, "");
            }
            index = run_end;
        }
    }

    /// Where the member before a run ends, and where the one behind it begins; the brackets, if there is none.
    fn around(&self, collection: NodeId, members: &[Member], run: &Range<usize>) -> Member {
        let span = self.tree.span(collection);
        let before = run.start.checked_sub(1).map_or(span.start + 1, |before| members[before].1);
        (before, members.get(run.end).map_or(span.end.saturating_sub(1), |next| next.0))
    }

    /// Tells whether comments stand between members that go and those beside them.
    fn has_comments(&self, collection: NodeId, members: &[Member], run: &Range<usize>) -> bool {
        let (before, next) = self.around(collection, members, run);
        let inner = members[run.clone()].windows(2).map(|pair| (pair[0].1, pair[1].0));
        let mut gaps = inner.chain([(before, members[run.start].0), (members[run.end - 1].1, next)]);
        gaps.any(|(from, to)| self.text.get(from as usize..to as usize).is_some_and(|gap| gap.contains('#')))
    }

    /// Deletes members with the comments above them, and with those beside them where nothing else is left in their lines.
    fn delete_with_comments(&mut self, collection: NodeId, members: &[Member], run: &Range<usize>) {
        let (before, next) = self.around(collection, members, run);
        let (start, end) = (members[run.start].0, members[run.end - 1].1);
        if run.end == members.len() {
            // A comma behind the last one would look as if something were missing.
            let comma = skip(self.text, before);
            if self.text.as_bytes().get(comma as usize) == Some(&b',') && comma < start {
                self.replace(comma, comma + 1, "");
            }
        }
        let begins = self.begins_line(start);
        let own = line_start(self.text, start);
        let above = if begins { self.with_comments(own, next_line(self.text, before)) } else { start };
        let comma = skip(self.text, end);
        let is_comma = self.text.as_bytes().get(comma as usize) == Some(&b',') && comma < next;
        let end = if is_comma { comma + 1 } else { end };
        let is_line = skip(self.text, end) >= line_end(self.text, end);
        let shares_line = run.start > 0 && before >= own;
        match (begins, is_line) {
            (true, true) => self.replace(above, next_line(self.text, end), ""),
            (true, false) => {
                self.replace(above, own, "");
                self.replace(start, next.max(end), "");
            }
            // What stands before it in its line has the comment.
            (false, true) if shares_line && line_start(self.text, end) == own => {
                self.replace(self.behind_comma(before).min(start), end, "");
            }
            (false, true) => self.replace(start, line_end(self.text, end), ""),
            (false, false) if shares_line && run.end == members.len() => {
                self.replace(self.behind_comma(before).min(start), next.max(end), "");
            }
            (false, false) => self.replace(start, next.max(end), ""),
        }
    }

    /// The place behind a member and its comma.
    fn behind_comma(&self, end: u32) -> u32 {
        let comma = skip(self.text, end);
        if self.text.as_bytes().get(comma as usize) == Some(&b',') { comma + 1 } else { end }
    }

    /// Gives a flow collection other content.
    pub(super) fn refill_flow(&mut self, node: NodeId, data: &Data) {
        let span = self.tree.span(node);
        let text = emit::flow(data, &self.layout);
        self.replace(span.start, span.end, text);
    }
}
