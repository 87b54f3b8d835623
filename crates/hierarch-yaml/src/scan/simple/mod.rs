//! The fast lane: what nearly every data file consists of, read in one pass without a tokenizer.
//!
//! Block maps and lists, scalars on one line, plain and quoted, literal blocks, brackets, anchors, aliases, tags,
//! keys behind `? `, several documents and comments, where all YAML readers agree. At the first sign of anything else the lane is left, and the
//! dialect's full parser reads the text from the start; so nothing here needs to know an error, and
//! whatever is accepted must be exactly what both full parsers make of it. `scripts/check-yaml-files` compares.

mod flow;
mod properties;
mod scalar;

use hierarch_source::Span;

use crate::build::{Builder, Properties};
use crate::node::{Kind, Style};

/// How much of a text is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All its documents.
    All,
    /// The first one; what follows it is not looked at.
    First,
}

/// Reads the text into the builder; `None` if it is not simple, and the builder is then of no use.
pub(super) fn scan(text: &str, extent: Extent, builder: &mut Builder) -> Option<()> {
    if has_odd_characters(text) {
        return None;
    }
    let text = without_end_marker(text);
    let mut scanner = Scanner {
        bytes: text.as_bytes(),
        text,
        at: 0,
        builder,
        plain: (usize::MAX, 0, false),
        quote: (usize::MAX, 0),
        line: Line { start: usize::MAX, at: 0, column: 0 },
        is_later: false,
    };
    scanner.documents(extent)
}

/// Cuts a text before a last `...`, if only blank lines and comments follow it.
fn without_end_marker(text: &str) -> &str {
    let mut rest = text;
    loop {
        let lines = rest.strip_suffix('\n').unwrap_or(rest);
        let start = memchr::memrchr(b'\n', lines.as_bytes()).map_or(0, |at| at + 1);
        match lines.as_bytes()[start..].first() {
            Some(b'.') if lines[start..].trim_end_matches(' ') == "..." => return &text[..start],
            None | Some(b'#') if start > 0 => rest = &text[..start],
            _ => return text,
        }
    }
}

/// Characters that some reader takes for a line break, or refuses. Tabs are looked at where they stand.
#[expect(clippy::needless_bitwise_bool, reason = "lazy operators are branches")]
pub(super) fn has_odd_characters(text: &str) -> bool {
    // Without branches, so that many bytes are looked at at once.
    let odd_ascii =
        text.bytes().fold(false, |odd, b| odd | ((b < 0x20) & (b != b'\n') & (b != b'\t')) | (b == 0x7f));
    odd_ascii || has_odd_beyond_ascii(text.as_bytes())
}

/// Looks for U+0080 to U+009F, U+2028, U+2029, U+FEFF, U+FFFE and U+FFFF by the bytes they begin with.
fn has_odd_beyond_ascii(bytes: &[u8]) -> bool {
    memchr::memchr3_iter(0xC2, 0xE2, 0xEF, bytes).any(|at| {
        matches!(
            &bytes[at..],
            [0xC2, 0x80..=0x9F, ..]
                | [0xE2, 0x80, 0xA8 | 0xA9, ..]
                | [0xEF, 0xBB, 0xBF, ..]
                | [0xEF, 0xBF, 0xBE | 0xBF, ..]
        )
    })
}

/// A key longer than this is none to the full parsers.
const LONGEST_KEY: usize = 1000;

struct Scanner<'t, 'b> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    builder: &'b mut Builder,
    /// The plain scalar that was looked at last: where it starts and ends, and whether it is a key.
    plain: (usize, usize, bool),
    /// The quoted scalar that was looked at last: where it starts and ends.
    quote: (usize, usize),
    /// The line that was found last.
    line: Line,
    /// Documents have been read before this one.
    is_later: bool,
}

/// A line with something on it.
#[derive(Clone, Copy)]
struct Line {
    /// Where it begins.
    start: usize,
    /// Where its content begins.
    at: usize,
    column: usize,
}

impl<'t> Scanner<'t, '_> {
    fn byte(&self, at: usize) -> u8 {
        // Behind the end the text looks like one more line break.
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |found| at + found)
    }

    fn documents(&mut self, extent: Extent) -> Option<()> {
        loop {
            self.document()?;
            self.is_later = true;
            if extent == Extent::First || self.at >= self.bytes.len() {
                return Some(());
            }
            if self.byte(self.at) == b'.' {
                self.at += 3;
                self.end_of_line()?;
                self.comments();
                if self.at >= self.bytes.len() {
                    return Some(());
                }
                // A document without a marker of its own is the full parsers' business.
                if !self.is_document_marker(self.at) || self.byte(self.at) == b'.' {
                    return None;
                }
            }
        }
    }

    /// Skips comments that begin a line, and empty lines.
    fn comments(&mut self) {
        while matches!(self.byte(self.at), b'#' | b'\n') && self.at < self.bytes.len() {
            self.at = self.line_end(self.at) + 1;
        }
    }

    fn document(&mut self) -> Option<()> {
        self.builder.document_start();
        self.comments();
        let marked = self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"---"));
        if marked {
            self.at += 3;
        }
        if marked && self.byte(self.at) == b' ' && matches!(self.byte(self.at + 1), b'[' | b'{') {
            self.at += 1;
            self.top_brackets()?;
        } else {
            if marked {
                self.end_of_line()?;
            }
            self.top_block(marked)?;
        }
        if self.at < self.bytes.len() && self.next_line().is_some() {
            return None;
        }
        self.builder.document_end();
        self.ends().then_some(())
    }

    /// Tells whether the document ends here: with the text, or at the marker of the next.
    fn ends(&self) -> bool {
        self.at >= self.bytes.len() || self.is_document_marker(self.at)
    }

    fn is_document_marker(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        (rest.starts_with(b"---") || rest.starts_with(b"..."))
            && matches!(self.byte(at + 3), b' ' | b'\n')
            && (at == 0 || self.bytes[at - 1] == b'\n')
    }

    fn top_block(&mut self, marked: bool) -> Option<()> {
        let Some(line) = self.next_line() else {
            // Behind a `---` there is a document, even if there is nothing.
            // Where the nothing of a later document stands the full parsers do not agree.
            let empty = marked && !self.is_later && self.at >= self.bytes.len();
            return if empty { self.empty(self.bytes.len() as u32, &Properties::default()) } else { None };
        };
        if !matches!(self.byte(line.at), b'[' | b'{') {
            return self.block(line, -1);
        }
        self.at = line.at;
        self.top_brackets()
    }

    fn top_brackets(&mut self) -> Option<()> {
        self.flow_node(0)?;
        self.end_of_line()
    }

    /// Finds the next line with content, from the start of a line; `None` at the end, and at what is not simple.
    fn next_line(&mut self) -> Option<Line> {
        // Whoever ends asks, and then whatever it ends in asks again.
        if self.line.start == self.at {
            return Some(self.line);
        }
        while self.at < self.bytes.len() {
            let start = self.at;
            let mut at = start;
            while self.byte(at) == b' ' {
                at += 1;
            }
            match self.byte(at) {
                b'\n' => self.at = at + 1,
                b'#' => self.at = self.line_end(at) + 1,
                b'\t' => return None,
                b'%' | b'.' | b'-' if at == start && self.is_marker(at) => return None,
                _ => {
                    self.line = Line { start, at, column: at - start };
                    return Some(self.line);
                }
            }
        }
        None
    }

    fn is_marker(&self, at: usize) -> bool {
        self.byte(at) == b'%' || self.bytes[at..].starts_with(b"---") || self.bytes[at..].starts_with(b"...")
    }

    /// Takes the rest of a line that may only hold a comment.
    fn end_of_line(&mut self) -> Option<()> {
        self.blanks();
        match self.byte(self.at) {
            b'\n' => self.at += 1,
            b'#' if self.at > 0 && self.byte(self.at - 1) == b' ' => self.at = self.line_end(self.at) + 1,
            _ => return None,
        }
        Some(())
    }

    fn is_dash(&self, at: usize) -> bool {
        self.byte(at) == b'-' && matches!(self.byte(at + 1), b' ' | b'\n')
    }

    /// Reads the block collection or scalar that begins at a line, inside something at column `outer`.
    fn block(&mut self, line: Line, outer: isize) -> Option<()> {
        self.block_with(line, outer, &Properties::default())
    }

    fn block_with(&mut self, line: Line, outer: isize, props: &Properties) -> Option<()> {
        if self.is_dash(line.at) {
            return self.list(line, props);
        }
        self.at = line.at;
        if self.is_explicit(line.at) || self.is_key(line.at)? {
            self.map(line, props)
        } else {
            // A value on a line of its own below its key.
            if outer < 0 {
                return None;
            }
            self.value_on_line(outer as usize, props)
        }
    }

    fn map(&mut self, first: Line, props: &Properties) -> Option<()> {
        self.builder.begin(Kind::Map, Style::Block, first.at as u32, props).ok()?;
        let mut line = first;
        loop {
            self.at = line.at;
            if self.is_explicit(line.at) {
                self.explicit_key(first.column)?;
            } else {
                self.key()?;
            }
            self.map_value(first.column)?;
            match self.next_line() {
                Some(next) if next.column == first.column && !self.is_dash(next.at) => {
                    if !self.is_explicit(next.at) && !self.is_key(next.at)? {
                        return None;
                    }
                    line = next;
                }
                Some(next) if next.column < first.column => break,
                Some(_) => return None,
                None if self.ends() => break,
                None => return None,
            }
        }
        self.builder.end(self.at as u32).ok()
    }

    /// Reads what stands behind a colon.
    fn map_value(&mut self, column: usize) -> Option<()> {
        let colon_end = self.at;
        let mut props = Properties::default();
        self.blanks();
        if matches!(self.byte(self.at), b'&' | b'!') {
            props = self.properties()?;
            self.blanks();
        }
        let ends = matches!(self.byte(self.at), b'\n')
            || (self.byte(self.at) == b'#' && self.byte(self.at - 1) == b' ');
        if !ends {
            return self.value_on_line(column, &props);
        }
        self.end_of_line()?;
        match self.next_line() {
            Some(line) if line.column > column => self.block_with(line, column as isize, &props),
            Some(line) if line.column == column && self.is_dash(line.at) => self.list(line, &props),
            next => {
                if next.is_none() && !self.ends() {
                    return None;
                }
                let at = if props.end > 0 { props.end } else { colon_end as u32 };
                self.empty(at, &props)
            }
        }
    }

    fn list(&mut self, first: Line, props: &Properties) -> Option<()> {
        self.builder.begin(Kind::List, Style::Block, first.at as u32, props).ok()?;
        let mut line = first;
        loop {
            self.at = line.at + 1;
            self.item(first.column)?;
            match self.next_line() {
                Some(next) if next.column == first.column && self.is_dash(next.at) => line = next,
                Some(next) if next.column <= first.column => break,
                Some(_) => return None,
                None if self.ends() => break,
                None => return None,
            }
        }
        self.builder.end(self.at as u32).ok()
    }

    /// Reads what stands behind a dash.
    fn item(&mut self, column: usize) -> Option<()> {
        let dash_end = self.at;
        self.blanks();
        let mut props = Properties::default();
        if matches!(self.byte(self.at), b'&' | b'!') {
            props = self.properties()?;
            self.blanks();
        }
        let ends =
            self.byte(self.at) == b'\n' || (self.byte(self.at) == b'#' && self.byte(self.at - 1) == b' ');
        if !ends {
            let here = Line { start: self.at, at: self.at, column: column + (self.at - (dash_end - 1)) };
            let nested = self.is_dash(self.at) || self.is_key(self.at)?;
            return match (nested, props.end > 0) {
                // Whether an anchor is the key's or the map's the full parsers know.
                (true, true) => None,
                (true, false) => self.block(here, column as isize),
                (false, _) => self.value_on_line(column, &props),
            };
        }
        self.end_of_line()?;
        match self.next_line() {
            Some(line) if line.column > column => self.block_with(line, column as isize, &props),
            next => {
                if next.is_none() && !self.ends() {
                    return None;
                }
                let at = if props.end > 0 { props.end } else { dash_end as u32 };
                self.empty(at, &props)
            }
        }
    }

    fn empty(&mut self, at: u32, props: &Properties) -> Option<()> {
        let point = Span::point(at);
        self.builder.verbatim(point, point, Style::Plain, props).ok()
    }

    fn blanks(&mut self) {
        while self.byte(self.at) == b' ' {
            self.at += 1;
        }
    }

    /// Tells whether a key begins here: a scalar with a colon and a blank or line end behind it.
    fn is_key(&mut self, at: usize) -> Option<bool> {
        match self.byte(at) {
            b'\'' | b'"' => {
                // A key must end in its line.
                let Some(end) = self.quote_end(at) else { return Some(false) };
                let mut after = end;
                while self.byte(after) == b' ' {
                    after += 1;
                }
                Some(self.byte(after) == b':' && matches!(self.byte(after + 1), b' ' | b'\n'))
            }
            b'[' | b'{' | b'|' | b'>' | b'*' => Some(false),
            first if self.starts_plain(first, at) => Some(self.plain_end(at)?.1),
            _ => None,
        }
    }

    fn is_explicit(&self, at: usize) -> bool {
        self.byte(at) == b'?' && self.byte(at + 1) == b' '
    }

    /// Reads a scalar behind `? ` and goes to the end of its colon, which must begin the next line.
    fn explicit_key(&mut self, column: usize) -> Option<()> {
        self.at += 1;
        self.blanks();
        if matches!(self.byte(self.at), b'[' | b'{' | b'*' | b'|' | b'>') {
            return None;
        }
        self.value_on_line(column, &Properties::default())?;
        let line = self.next_line()?;
        let is_colon = self.byte(line.at) == b':' && matches!(self.byte(line.at + 1), b' ' | b'\n');
        if line.column != column || !is_colon {
            return None;
        }
        self.at = line.at + 1;
        Some(())
    }

    fn key(&mut self) -> Option<()> {
        let start = self.at;
        let no_props = Properties::default();
        let end = match self.byte(start) {
            b'\'' | b'"' => {
                let end = self.quoted(start, &no_props)?;
                let mut after = end;
                while self.byte(after) == b' ' {
                    after += 1;
                }
                after
            }
            _ => {
                let (end, _) = self.plain_end(start)?;
                let span = Span::new(start as u32, end as u32);
                self.builder.verbatim(span, span, Style::Plain, &no_props).ok()?;
                let mut after = end;
                while self.byte(after) == b' ' {
                    after += 1;
                }
                after
            }
        };
        if end - start > LONGEST_KEY || self.byte(end) != b':' {
            return None;
        }
        self.at = end + 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_characters_are_those_that_some_reader_minds() {
        for odd in
            ["\u{1}", "\r", "\u{7f}", "\u{80}", "\u{9f}", "\u{2028}", "\u{2029}", "\u{feff}", "\u{ffff}"]
        {
            assert!(has_odd_characters(&format!("a: é{odd} b")), "{odd:?}");
        }
        for usual in ["\t", "\n", "\u{a0}", "é", "\u{2027}", "\u{202a}", "\u{feee}", "\u{fffd}", "日本"] {
            assert!(!has_odd_characters(&format!("a: é{usual} b")), "{usual:?}");
        }
    }
}
