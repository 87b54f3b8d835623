//! Where things stand in the text: lines, comments, colons, dashes, indentation.

use std::path::Path;

use crate::emit::Layout;
use crate::node::{Kind, NodeId, Style, Tree};

use super::Editor;

/// Finds out how a document is laid out, so that new text looks like the old.
pub(super) fn layout(tree: &Tree) -> Layout {
    let text = tree.source().text();
    let mut layout = Layout { dialect: tree.dialect(), ..Layout::default() };
    if text.contains("\r\n") {
        layout.newline = "\r\n";
    }
    layout.json = is_json(tree);
    let (mut step, mut list_step) = (None, None);
    for map in (0..tree.len()).map(NodeId::from_index) {
        if tree.kind(map) != Kind::Map || tree.style(map) != Style::Block {
            continue;
        }
        for (key, value) in tree.entries(map) {
            if tree.style(value) != Style::Block {
                continue;
            }
            let outer = column(text, tree.outer_span(key).start);
            let inner = column(text, tree.span(value).start);
            match tree.kind(value) {
                Kind::Map if inner > outer => step = step.or(Some(inner - outer)),
                Kind::List if inner >= outer => list_step = list_step.or(Some(inner - outer)),
                _ => {}
            }
        }
        if step.is_some() && list_step.is_some() {
            break;
        }
    }
    layout.step = step.unwrap_or(2);
    layout.list_step = list_step.unwrap_or(0);
    layout
}

fn is_json(tree: &Tree) -> bool {
    if tree.source().name().is_some_and(|name| Path::new(name).extension().is_some_and(|end| end == "json")) {
        return true;
    }
    let quoted = |id| {
        tree.kind(id) == Kind::Map
            && tree.style(id) == Style::Flow
            && tree.entries(id).len() > 0
            && tree.entries(id).all(|(key, _)| tree.style(key) == Style::Double)
    };
    tree.root().is_some_and(quoted)
}

/// Returns the start of the line that a place is in.
pub(super) fn line_start(text: &str, at: u32) -> u32 {
    memchr::memrchr(b'\n', &text.as_bytes()[..at as usize]).map_or(0, |at| at as u32 + 1)
}

/// Returns the end of the line that a place is in, before its break.
pub(super) fn line_end(text: &str, at: u32) -> u32 {
    let bytes = text.as_bytes();
    let end = memchr::memchr(b'\n', &bytes[at as usize..]).map_or(bytes.len(), |found| at as usize + found);
    if end > at as usize && bytes[end - 1] == b'\r' { end as u32 - 1 } else { end as u32 }
}

/// Returns the start of the next line, or the end of the text.
pub(super) fn next_line(text: &str, at: u32) -> u32 {
    let bytes = text.as_bytes();
    memchr::memchr(b'\n', &bytes[at as usize..]).map_or(bytes.len() as u32, |found| at + found as u32 + 1)
}

/// Returns how far from the start of its line a place is.
pub(super) fn column(text: &str, at: u32) -> usize {
    text[line_start(text, at) as usize..at as usize].trim_start_matches('\u{feff}').chars().count()
}

/// Returns the next place that is not a blank, line break or comment.
pub(super) fn skip(text: &str, mut at: u32) -> u32 {
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at as usize) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'#' => at = line_end(text, at),
            _ => break,
        }
    }
    at
}

/// A comment beside a value: how many blanks stand before it.
pub(super) fn side_comment(text: &str, at: u32) -> Option<u32> {
    let rest = &text[at as usize..];
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (blanks > 0 && rest[blanks..].starts_with('#')).then_some(blanks as u32)
}

/// Tells whether a text needs one more line break: it ended without one, and ends in a block scalar now that has some at its end.
pub(super) fn lacks_break(tree: &Tree, text: &str) -> bool {
    let last = (0..tree.len()).map(NodeId::from_index).max_by_key(|&node| tree.span(node).start);
    let head = last.map(|node| text[tree.span(node).range()].lines().next().unwrap_or_default());
    let keeps = head.is_some_and(|head| head.split('#').next().unwrap_or_default().contains('+'));
    ends_in_open_scalar(tree) && (keeps || !text.ends_with('\n'))
}

/// Tells whether a document ends in a block scalar that would keep a last line break.
fn ends_in_open_scalar(tree: &Tree) -> bool {
    let last = (0..tree.len()).map(NodeId::from_index).max_by_key(|&node| tree.span(node).start);
    last.filter(|&node| matches!(tree.style(node), Style::Literal | Style::Folded)).is_some_and(|node| {
        let text = &tree.source().text()[tree.span(node).range()];
        !text.split([' ', '\t', '\r', '\n', '#']).next().unwrap_or_default().contains('-')
    })
}

/// Where a value ends without its last line break: a block scalar with `+` has one of its own, which is needed by whatever takes
/// its place.
pub(super) fn before_break(text: &str, end: u32) -> u32 {
    let value = &text[..end as usize];
    let rest = value.strip_suffix('\n').map_or(value, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    rest.len() as u32
}

/// Returns the end of the line where only blanks stand between a place and it.
pub(super) fn behind_blanks(text: &str, at: u32) -> u32 {
    let end = line_end(text, at);
    if text[at as usize..end as usize].trim_matches([' ', '\t']).is_empty() { end } else { at }
}

impl Editor<'_> {
    /// Returns where the colon behind a key ends; `None` if there is none.
    pub(super) fn colon_end(&self, key: NodeId) -> Option<u32> {
        let at = skip(self.text, self.tree.outer_span(key).end);
        (self.text.as_bytes().get(at as usize) == Some(&b':')).then_some(at + 1)
    }

    /// Returns where what a node covers ends in its line, a comment beside it included. A block scalar that
    /// keeps its last line breaks ends where a line begins; that stays so.
    pub(super) fn content_line_end(&self, end: u32) -> u32 {
        let inside_break = end > 0 && self.text.as_bytes()[end as usize - 1] == b'\n';
        if inside_break { end } else { line_end(self.text, end) }
    }

    /// Inserts lines behind a place that `content_line_end` returned.
    pub(super) fn insert_lines(&mut self, at: u32, column: usize, text: &str) {
        let pad = " ".repeat(column);
        let newline = self.layout.newline;
        let after_break = at == 0 || self.text.as_bytes()[at as usize - 1] == b'\n';
        if after_break {
            self.insert(at, format!("{pad}{text}{newline}"));
        } else {
            self.insert(at, format!("{newline}{pad}{text}"));
        }
    }

    /// Tells whether only blanks stand before a place in its line.
    pub(super) fn begins_line(&self, at: u32) -> bool {
        self.text[line_start(self.text, at) as usize..at as usize].bytes().all(|byte| byte == b' ')
    }

    /// Returns the start of the comment lines directly above a line; they belong to what comes after them.
    pub(super) fn with_comments(&self, line: u32, floor: u32) -> u32 {
        let mut start = line;
        while start > floor {
            let above = line_start(self.text, start - 1);
            if above < floor || !self.text[above as usize..start as usize].trim_start().starts_with('#') {
                break;
            }
            start = above;
        }
        start
    }

    /// Returns the start of the blank lines directly above a line.
    pub(super) fn with_blank_lines(&self, line: u32, floor: u32) -> u32 {
        let mut start = line;
        while start > floor {
            let above = line_start(self.text, start - 1);
            if above < floor || !self.text[above as usize..start as usize].trim().is_empty() {
                break;
            }
            start = above;
        }
        start
    }

    /// Returns the place behind the comments at the end of the block that an entry or item of several lines has: they stand further
    /// in than the entry itself.
    fn behind_inner_comments(&self, start: u32, end: u32, mut after: u32) -> u32 {
        let outer = column(self.text, start);
        let is_block = line_start(self.text, end) > start;
        while is_block && (after as usize) < self.text.len() {
            let line = &self.text[after as usize..line_end(self.text, after) as usize];
            let inner = line.trim_start_matches(' ');
            if !inner.starts_with('#') || line.len() - inner.len() <= outer {
                break;
            }
            after = next_line(self.text, after);
        }
        after
    }

    /// Deletes the lines of an entry or item that begins its line at `start` and ends at `end`, with its
    /// comments, and with the blank line that would otherwise separate nothing. `floor` is where the entry
    /// before ends.
    pub(super) fn delete_lines(&mut self, start: u32, end: u32, floor: u32, last: bool) {
        let after = if self.content_line_end(end) == end
            && end > 0
            && self.text.as_bytes()[end as usize - 1] == b'\n'
        {
            end
        } else {
            next_line(self.text, end)
        };
        let after = self.behind_inner_comments(start, end, after);
        // A text that keeps its last line breaks ends where a line begins.
        let begins_line = floor == 0 || self.text.as_bytes()[floor as usize - 1] == b'\n';
        let floor = if begins_line { floor } else { next_line(self.text, floor) };
        let mut from = self.with_comments(line_start(self.text, start), floor);
        let blank_follows = line_is_blank(self.text, after);
        if last || blank_follows {
            from = self.with_blank_lines(from, floor);
        }
        // The last line may have no break: then the one before goes instead, unless it is a text's own.
        if after == self.text.len() as u32
            && !self.text.ends_with('\n')
            && from > 0
            && self.block_scalar_before(from).is_none()
        {
            let break_length = if self.text[..from as usize].ends_with("\r\n") { 2 } else { 1 };
            self.replace(from - break_length, after, "");
        } else {
            self.replace(from, after, "");
        }
    }
}

impl Editor<'_> {
    /// The block scalar that is the last node before a place.
    fn block_scalar_before(&self, at: u32) -> Option<NodeId> {
        let nodes = &self.tree.nodes;
        let last = nodes.partition_point(|node| node.span.start < at).checked_sub(1)?;
        matches!(nodes[last].style, Style::Literal | Style::Folded).then(|| NodeId::from_index(last))
    }

    /// A block scalar that the text ends in has no last line break; when lines come behind it, it must say so.
    pub(super) fn close_last_text(&mut self) {
        let end = self.text.len() as u32;
        let Some(scalar) = self.block_scalar_before(end).filter(|_| !self.text.ends_with('\n')) else {
            return;
        };
        let span = self.tree.span(scalar);
        let grows = self.edits.iter().any(|(start, _, text)| *start >= span.end && !text.is_empty());
        let stays = !self.edits.iter().any(|(start, end, _)| *start < span.end && *end > span.start);
        if span.end < end || !grows || !stays || self.tree.text(scalar).ends_with('\n') {
            return;
        }
        let header = self.text[span.range()].lines().next().unwrap_or_default();
        let signs = header.len()
            - header.trim_start_matches(|c: char| "|>+-".contains(c) || c.is_ascii_digit()).len();
        match header[..signs].find(['+', '-']) {
            Some(at) => self.replace(span.start + at as u32, span.start + at as u32 + 1, "-"),
            None => self.insert(span.start + 1, "-"),
        }
    }
}

fn line_is_blank(text: &str, at: u32) -> bool {
    (at as usize) < text.len() && text[at as usize..next_line(text, at) as usize].trim().is_empty()
}
