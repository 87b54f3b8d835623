//! Replacing a value where it stands.

use super::lines::{before_break, behind_blanks, line_end, side_comment};
use super::{Editor, Outer};
use crate::data::Data;
use crate::emit::{self, Spot};
use crate::node::{Kind, NodeId, Style};

impl Editor<'_> {
    /// Replaces a node by data.
    pub(super) fn set(&mut self, node: NodeId, data: &Data, outer: Outer) {
        let in_block = !outer.flow;
        let lines = self.is_in_lines(node);
        match (in_block && is_block(data) && !self.layout.json, lines) {
            (false, false) => self.set_inline(node, data, outer),
            (false, true) => self.lines_to_inline(node, data, outer),
            (true, false) => self.inline_to_lines(node, data, outer),
            (true, true) => self.lines_to_lines(node, data, outer),
        }
    }

    /// Tells whether a node is a collection by indentation.
    fn is_in_lines(&self, node: NodeId) -> bool {
        self.tree.style(node) == Style::Block
    }

    /// The text of a value that stands in one place, anchor included.
    fn inline_text(&self, node: NodeId, data: &Data, outer: Outer) -> String {
        let spot = match outer.column {
            Some(column) => Spot::Block(column),
            None => Spot::Flow,
        };
        let text = match data {
            Data::Scalar(value) => {
                let old = (self.tree.kind(node) == Kind::Scalar).then(|| self.tree.style(node));
                emit::scalar(value, old, spot, &self.layout)
            }
            data => emit::flow(data, &self.layout),
        };
        match self.tree.anchor(node) {
            Some(name) if text.is_empty() => format!("&{name}"),
            Some(name) => format!("&{name} {text}"),
            None => text,
        }
    }

    /// The comment in the head of a block text, with the blanks before it.
    fn head_comment(&self, node: NodeId) -> Option<&str> {
        let head = self.text[self.tree.span(node).range()].lines().next()?;
        let is_block = matches!(self.tree.style(node), Style::Literal | Style::Folded);
        let signs = head.find([' ', '\t']).filter(|_| is_block)?;
        head[signs..].trim_start().starts_with('#').then(|| head[signs..].trim_end())
    }

    fn set_inline(&mut self, node: NodeId, data: &Data, outer: Outer) {
        let mut text = self.inline_text(node, data, outer);
        if let Some(comment) = self.head_comment(node) {
            text.insert_str(text.find(['\r', '\n']).unwrap_or(text.len()), comment);
        }
        let span = self.tree.outer_span(node);
        if outer.key_end.is_none() && !outer.flow && span.is_empty() {
            return self.fill_document(&text);
        }
        let (mut start, end) = (span.start, before_break(self.text, span.end));
        let mut new = text;
        if let Some(key_end) = outer.key_end {
            // Between the colon and an empty value there is nothing, or one blank is wanted, or none.
            if new.is_empty() {
                start = key_end;
            } else if start <= key_end {
                start = key_end;
                new.insert(0, ' ');
            }
        }
        // `{a: , b: 1}`: the blank behind the colon is used up by the value.
        let blank = if outer.flow && span.is_empty() && new.starts_with(' ') {
            u32::from(self.text[end as usize..].starts_with([' ']))
        } else {
            0
        };
        let end = match new.find('\n') {
            Some(_) => self.comment_to_header(end, &mut new),
            None => self.keep_comment_in_column(start, end + blank, &mut new),
        };
        self.replace(start, end, new);
    }

    /// A document of nothing but markers and comments gets a value below them.
    fn fill_document(&mut self, value: &str) {
        let newline = self.layout.newline;
        let before = if self.text.is_empty() || self.text.ends_with('\n') { "" } else { newline };
        self.insert(self.text.len() as u32, format!("{before}{value}{newline}"));
    }

    /// A comment beside a value that becomes a block scalar goes beside its sign; returns the new end.
    fn comment_to_header(&self, end: u32, new: &mut String) -> u32 {
        let line = line_end(self.text, end);
        let at = new.find(['\r', '\n']).unwrap_or(new.len());
        if side_comment(self.text, end).is_some() {
            new.insert_str(at, &self.text[end as usize..line as usize]);
            line
        } else {
            // Blanks behind the value would become a line of the new one.
            behind_blanks(self.text, end)
        }
    }

    /// Lets the blanks before a comment make up for the new width; returns the new end of the range.
    fn keep_comment_in_column(&self, start: u32, end: u32, new: &mut String) -> u32 {
        let Some(gap) = side_comment(self.text, end) else { return end };
        let old = &self.text[start as usize..end as usize];
        if old.contains('\n') || new.contains('\n') {
            return end;
        }
        let width = old.chars().count() + gap as usize;
        let blanks = width.saturating_sub(new.chars().count()).max(1);
        new.push_str(&" ".repeat(blanks));
        end + gap
    }

    /// `key:` with lines below it gets a value behind the colon.
    fn lines_to_inline(&mut self, node: NodeId, data: &Data, outer: Outer) {
        let span = self.tree.span(node);
        let end = before_break(self.text, self.content_line_end(span.end));
        let text = self.inline_text(node, data, outer);
        let anchor_kept = self.tree.props(node).map(|props| props.span.start);
        match outer.key_end {
            Some(key_end) if line_end(self.text, key_end) < span.start => {
                let from = anchor_kept.unwrap_or(key_end);
                let until = self.tree.props(node).map_or(key_end, |props| props.span.end);
                let mut new =
                    if text.is_empty() || anchor_kept.is_some() { text } else { format!(" {text}") };
                let until = match new.find('\n') {
                    Some(_) => self.comment_to_header(until, &mut new),
                    None => self.keep_comment_in_column(from, until, &mut new),
                };
                self.replace(from, until, new);
                let key_line_end =
                    line_end(self.text, self.tree.props(node).map_or(key_end, |props| props.span.end));
                self.replace(key_line_end.max(until), end.max(until), "");
            }
            _ => self.replace(self.tree.outer_span(node).start, end, text),
        }
    }

    /// A value behind a colon makes room for lines below it; a comment beside it stays beside the key.
    fn inline_to_lines(&mut self, node: NodeId, data: &Data, outer: Outer) {
        let span = self.tree.outer_span(node);
        let block = self.block_text(data, outer);
        let Some(key_end) = outer.key_end else {
            let text = block.trim_start().to_owned();
            return self.replace(span.start, before_break(self.text, span.end), text);
        };
        let anchor = self.tree.anchor(node).map(|name| format!(" &{name}")).unwrap_or_default();
        let anchor = anchor + self.head_comment(node).unwrap_or_default();
        let end = before_break(self.text, span.end).max(key_end);
        let comment = side_comment(self.text, end).is_some();
        let end = behind_blanks(self.text, end);
        if outer.dash && !comment && anchor.is_empty() {
            return self.replace(key_end, end, block);
        }
        self.replace(key_end, end, anchor);
        let line = line_end(self.text, end);
        let below = if outer.dash { self.below_dash(data, outer) } else { block };
        self.insert(line, below);
    }

    fn lines_to_lines(&mut self, node: NodeId, data: &Data, outer: Outer) {
        let span = self.tree.span(node);
        let end = before_break(self.text, self.content_line_end(span.end));
        match outer.key_end {
            Some(key_end) if line_end(self.text, key_end) < span.start => {
                let below =
                    if outer.dash { self.below_dash(data, outer) } else { self.block_text(data, outer) };
                let props_end = self.tree.props(node).map_or(key_end, |props| props.span.end);
                self.replace(line_end(self.text, props_end), end, below);
            }
            _ => {
                let text = self.block_text(data, outer).trim_start().to_owned();
                self.replace(span.start, end, text);
            }
        }
    }

    fn block_text(&self, data: &Data, outer: Outer) -> String {
        match outer.column {
            Some(column) => emit::block_value(data, column, outer.dash, &self.layout),
            None => match data {
                Data::Map(entries) => emit::block_entries(entries, 0, &self.layout),
                Data::List(items) => emit::block_items(items, 0, &self.layout),
                Data::Scalar(_) => String::new(),
            },
        }
    }

    /// Lines below a dash that has a comment beside it.
    fn below_dash(&self, data: &Data, outer: Outer) -> String {
        let column = outer.column.unwrap_or(0) + 2;
        let body = match data {
            Data::Map(entries) => emit::block_entries(entries, column, &self.layout),
            Data::List(items) => emit::block_items(items, column, &self.layout),
            Data::Scalar(_) => String::new(),
        };
        format!("{}{}{body}", self.layout.newline, " ".repeat(column))
    }
}

fn is_block(data: &Data) -> bool {
    match data {
        Data::Scalar(_) => false,
        Data::List(items) => !items.is_empty(),
        Data::Map(entries) => !entries.is_empty(),
    }
}
