//! The fast lane: what nearly every data file consists of, read in one pass without a tokenizer.
//!
//! Block maps and lists, scalars on one line, plain and quoted, literal blocks, brackets, anchors, aliases
//! and comments, where all YAML readers agree. At the first sign of anything else the lane is left, and the
//! dialect's full parser reads the text from the start; so nothing here needs to know an error, and
//! whatever is accepted must be exactly what both full parsers make of it. `scripts/check-yaml-files` compares.

use hierarch_source::Span;

use crate::build::{Builder, Properties};
use crate::node::{Kind, Style};

/// Reads the text into the builder; `None` if it is not simple, and the builder is then of no use.
pub(super) fn scan(text: &str, builder: &mut Builder) -> Option<()> {
    if has_odd_characters(text) {
        return None;
    }
    let mut scanner = Scanner { bytes: text.as_bytes(), text, at: 0, builder, plain: (usize::MAX, 0, false) };
    scanner.document()
}

/// Characters that some reader takes for a line break, or refuses. Tabs are looked at where they stand.
fn has_odd_characters(text: &str) -> bool {
    let odd_ascii =
        text.bytes().fold(false, |odd, b| odd || ((b < 0x20) && (b != b'\n') && (b != b'\t')) || (b == 0x7f));
    let odd_other = |c: char| {
        matches!(c, '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
    };
    odd_ascii || (!text.is_ascii() && text.chars().any(odd_other))
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
}

/// A line with something on it.
#[derive(Clone, Copy)]
struct Line {
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

    fn document(&mut self) -> Option<()> {
        self.builder.document_start();
        while matches!(self.byte(self.at), b'#' | b'\n') && self.at < self.bytes.len() {
            self.at = self.line_end(self.at) + 1;
        }
        if self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(b"---")) {
            self.at += 3;
            self.end_of_line()?;
        }
        let line = self.next_line()?;
        match self.byte(line.at) {
            b'[' | b'{' => {
                self.at = line.at;
                self.flow_node(0)?;
                self.end_of_line()?;
            }
            _ => self.block(line, -1)?,
        }
        if self.at < self.bytes.len() && self.next_line().is_some() {
            return None;
        }
        self.builder.document_end();
        (self.at >= self.bytes.len()).then_some(())
    }

    /// Finds the next line with content, from the start of a line; `None` at the end, and at what is not simple.
    fn next_line(&mut self) -> Option<Line> {
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
                _ => return Some(Line { at, column: at - start }),
            }
        }
        None
    }

    fn is_marker(&self, at: usize) -> bool {
        self.byte(at) == b'%' || self.bytes[at..].starts_with(b"---") || self.bytes[at..].starts_with(b"...")
    }

    /// Looks at the next line without taking it.
    fn peek(&mut self) -> Option<Line> {
        self.next_line()
    }

    /// Takes the rest of a line that may only hold a comment.
    fn end_of_line(&mut self) -> Option<()> {
        let start = self.at;
        while self.byte(self.at) == b' ' {
            self.at += 1;
        }
        match self.byte(self.at) {
            b'\n' => self.at += 1,
            b'#' if self.at > start => self.at = self.line_end(self.at) + 1,
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
        if self.is_key(line.at)? {
            self.map(line, props)
        } else {
            // A value on a line of its own below its key.
            if outer < 0 {
                return None;
            }
            self.value_on_line(outer as usize, props)
        }
    }

    // ---- block collections

    fn map(&mut self, first: Line, props: &Properties) -> Option<()> {
        self.builder.begin(Kind::Map, Style::Block, first.at as u32, props).ok()?;
        let mut line = first;
        loop {
            self.at = line.at;
            self.key()?;
            self.map_value(first.column)?;
            match self.peek() {
                Some(next) if next.column == first.column && !self.is_dash(next.at) => {
                    if !self.is_key(next.at)? {
                        return None;
                    }
                    line = next;
                }
                Some(next) if next.column < first.column => break,
                Some(_) => return None,
                None if self.at >= self.bytes.len() => break,
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
        match self.peek() {
            Some(line) if line.column > column => self.block_with(line, column as isize, &props),
            Some(line) if line.column == column && self.is_dash(line.at) => self.list(line, &props),
            next => {
                if next.is_none() && self.at < self.bytes.len() {
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
            match self.peek() {
                Some(next) if next.column == first.column && self.is_dash(next.at) => line = next,
                Some(next) if next.column <= first.column => break,
                Some(_) => return None,
                None if self.at >= self.bytes.len() => break,
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
            let here = Line { at: self.at, column: column + (self.at - (dash_end - 1)) };
            let nested = self.is_dash(self.at) || self.is_key(self.at)?;
            return match (nested, props.end > 0) {
                // Whether an anchor is the key's or the map's the full parsers know.
                (true, true) => None,
                (true, false) => self.block(here, column as isize),
                (false, _) => self.value_on_line(column, &props),
            };
        }
        self.end_of_line()?;
        match self.peek() {
            Some(line) if line.column > column => self.block_with(line, column as isize, &props),
            next => {
                if next.is_none() && self.at < self.bytes.len() {
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

    /// Reads an anchor, or a local tag such as `!name`; with both, or another tag, this is no simple text.
    fn properties(&mut self) -> Option<Properties<'t>> {
        let start = self.at;
        let name = self.name(start + 1)?;
        self.at = start + 1 + name.len();
        let (anchor, tag) = match self.byte(start) {
            b'&' => (Some(name), None),
            _ => (None, Some(&self.text[start..self.at])),
        };
        Some(Properties { start: start as u32, end: self.at as u32, anchor, tag })
    }

    fn name(&self, at: usize) -> Option<&'t str> {
        let rest = &self.bytes[at..];
        let length =
            rest.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
        let ends = matches!(self.byte(at + length), b' ' | b'\n');
        (length > 0 && ends).then(|| &self.text[at..at + length])
    }

    // ---- keys

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

    // ---- scalars

    fn starts_plain(&self, first: u8, at: usize) -> bool {
        match first {
            b'-' | b'?' | b':' => !matches!(self.byte(at + 1), b' ' | b'\n' | b'\t'),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"'
            | b'%' | b'@' | b'`' | b'\t' | b'\n' => false,
            _ => true,
        }
    }

    /// Finds the end of a plain scalar in its line, and whether it is a key; `None` at a tab.
    fn plain_end(&mut self, start: usize) -> Option<(usize, bool)> {
        if self.plain.0 == start {
            return Some((self.plain.1, self.plain.2));
        }
        let mut at = start;
        let key = loop {
            // Most bytes are none of the four that matter.
            let rest = self.bytes.get(at..).unwrap_or_default();
            at += rest.iter().take_while(|&&b| b > b':' || !matches!(b, b'\n' | b':' | b'#' | b'\t')).count();
            match self.byte(at) {
                b'\n' => break false,
                b':' if matches!(self.byte(at + 1), b' ' | b'\n') => break true,
                b'#' if self.byte(at - 1) == b' ' && at > start => break false,
                b'\t' => return None,
                _ => at += 1,
            }
        };
        self.plain = (start, self.trimmed(start, at), key);
        Some((self.plain.1, key))
    }

    fn trimmed(&self, start: usize, mut end: usize) -> usize {
        while end > start && self.bytes[end - 1] == b' ' {
            end -= 1;
        }
        end
    }

    /// Reads a value that begins in this line, for something at a column; the next line must not continue it.
    fn value_on_line(&mut self, column: usize, props: &Properties) -> Option<()> {
        let start = self.at;
        match self.byte(start) {
            b'\'' | b'"' => {
                self.at = match self.quoted(start, props) {
                    Some(end) => end,
                    None => self.quoted_lines(start, column, props)?,
                };
                self.end_of_line()?;
            }
            b'[' | b'{' => {
                self.flow_with(0, props)?;
                self.end_of_line()?;
            }
            b'|' | b'>' => return self.literal(column, props),
            b'*' => {
                let name = self.name(start + 1)?;
                if props.end > 0 {
                    return None;
                }
                self.at = start + 1 + name.len();
                self.builder.alias(name, Span::new(start as u32, self.at as u32)).ok()?;
                self.end_of_line()?;
            }
            first if self.starts_plain(first, start) => {
                let (end, key) = self.plain_end(start)?;
                if key {
                    return None;
                }
                self.at = end;
                self.end_of_line()?;
                let commented = self.bytes[end..self.at.min(self.bytes.len())].contains(&b'#');
                if !commented && self.is_continued(column) {
                    return self.plain_lines(start, end, column, props);
                }
                let span = Span::new(start as u32, end as u32);
                self.builder.verbatim(span, span, Style::Plain, props).ok()?;
            }
            _ => return None,
        }
        // A deeper line would be a second line of this value, or an error.
        match self.peek() {
            Some(next) if next.column > column => None,
            None if self.at < self.bytes.len() => None,
            _ => Some(()),
        }
    }

    /// Tells whether the next line that is not blank is deeper than `column` and no comment.
    fn is_continued(&self, column: usize) -> bool {
        let mut at = self.at;
        while at < self.bytes.len() {
            let start = at;
            while self.byte(at) == b' ' {
                at += 1;
            }
            match self.byte(at) {
                b'\n' => at += 1,
                b'#' => return false,
                _ => return at - start > column,
            }
        }
        false
    }

    /// Reads a plain scalar over several lines, each deeper than `column`, and joins them.
    fn plain_lines(
        &mut self,
        start: usize,
        first_end: usize,
        column: usize,
        props: &Properties,
    ) -> Option<()> {
        let mut value = self.text[start..first_end].to_owned();
        let mut end = first_end;
        while self.is_continued(column) {
            let mut breaks = 1;
            loop {
                self.blanks();
                if self.byte(self.at) != b'\n' {
                    break;
                }
                breaks += 1;
                self.at += 1;
            }
            let begin = self.at;
            let (line_end, key) = self.plain_end(begin)?;
            if key {
                return None;
            }
            match breaks {
                1 => value.push(' '),
                more => value.extend(std::iter::repeat_n('\n', more - 1)),
            }
            value.push_str(&self.text[begin..line_end]);
            end = line_end;
            self.at = line_end;
            self.end_of_line()?;
            if self.bytes[end..self.at.min(self.bytes.len())].contains(&b'#') {
                break;
            }
        }
        let span = Span::new(start as u32, end as u32);
        self.builder.scalar(&value, span, Style::Plain, props).ok()?;
        match self.peek() {
            Some(next) if next.column > column => None,
            None if self.at < self.bytes.len() => None,
            _ => Some(()),
        }
    }

    /// Finds the end of a quoted scalar in its line, behind the quote.
    fn quote_end(&self, start: usize) -> Option<usize> {
        let quote = self.byte(start);
        let mut at = start + 1;
        loop {
            match self.byte(at) {
                b'\n' => return None,
                b'\\' if quote == b'"' => at += 2,
                b if b == quote && quote == b'\'' && self.byte(at + 1) == b'\'' => at += 2,
                b if b == quote => return Some(at + 1),
                _ => at += 1,
            }
        }
    }

    /// Reads a quoted scalar over several lines, each deeper than `column`, and joins them.
    fn quoted_lines(&mut self, start: usize, column: usize, props: &Properties) -> Option<usize> {
        let quote = self.byte(start);
        let mut value = String::new();
        let mut at = start + 1;
        let mut first = true;
        let mut breaks = 0;
        loop {
            if at >= self.bytes.len() {
                return None;
            }
            let line_end = self.line_end(at);
            let mut begin = at;
            if !first {
                while self.byte(begin) == b' ' {
                    begin += 1;
                }
                if begin < line_end && begin - at <= column {
                    return None;
                }
            }
            let line = &self.text[begin..line_end];
            let (inner, close) = quoted_part(line, quote)?;
            let part = if close { inner } else { inner.trim_end_matches(' ') };
            if part.is_empty() && !close && !first {
                breaks += 1;
            } else {
                match breaks {
                    0 => {}
                    1 => value.push(' '),
                    more => value.extend(std::iter::repeat_n('\n', more - 1)),
                }
                value.push_str(&if quote == b'\'' { part.replace("''", "'") } else { unescape(part)? });
                breaks = 1;
            }
            if close {
                let end = begin + inner.len() + 1;
                let style = if quote == b'"' { Style::Double } else { Style::Single };
                self.builder.scalar(&value, Span::new(start as u32, end as u32), style, props).ok()?;
                return Some(end);
            }
            first = false;
            at = line_end + 1;
        }
    }

    fn quoted(&mut self, start: usize, props: &Properties) -> Option<usize> {
        let end = self.quote_end(start)?;
        let style = if self.byte(start) == b'"' { Style::Double } else { Style::Single };
        let inner = &self.text[start + 1..end - 1];
        let span = Span::new(start as u32, end as u32);
        let escape = if style == Style::Double { b'\\' } else { b'\'' };
        if memchr::memchr(escape, inner.as_bytes()).is_none() {
            let text = Span::new(start as u32 + 1, end as u32 - 1);
            self.builder.verbatim(text, span, style, props).ok()?;
        } else if style == Style::Single {
            self.builder.scalar(&inner.replace("''", "'"), span, style, props).ok()?;
        } else {
            self.builder.scalar(&unescape(inner)?, span, style, props).ok()?;
        }
        Some(end)
    }

    /// Reads `|`, `|-`, `>` or `>-` with lines below it that are deeper than `column`.
    fn literal(&mut self, column: usize, props: &Properties) -> Option<()> {
        let start = self.at;
        let folded = self.byte(start) == b'>';
        self.at += 1;
        let strip = self.byte(self.at) == b'-';
        self.at += usize::from(strip);
        self.end_of_line()?;
        let mut indent = None;
        let mut value = String::new();
        let mut blank_lines = 0;
        let mut end = self.at;
        while self.at < self.bytes.len() {
            let line_end = self.line_end(self.at);
            let line = &self.text[self.at..line_end];
            let spaces = line.bytes().take_while(|&b| b == b' ').count();
            if spaces == line.len() {
                // Blank lines with more blanks than the text has are text, or an error before it.
                if indent.is_none_or(|indent| spaces > indent) && spaces > 0 {
                    return None;
                }
                blank_lines += 1;
            } else {
                // A tab where indentation could be is the full parsers' business.
                if line.as_bytes()[spaces] == b'\t' && indent.is_none_or(|indent| spaces <= indent) {
                    return None;
                }
                let indent = *indent.get_or_insert(spaces);
                if spaces < indent || indent <= column {
                    // A line between the two indentations belongs to nothing.
                    if spaces > column {
                        return None;
                    }
                    break;
                }
                let line = &line[indent..];
                if folded {
                    // Lines that are deeper still are not folded; that is the full parsers' business.
                    if line.starts_with([' ', '\t']) || (value.is_empty() && blank_lines > 0) {
                        return None;
                    }
                    fold(&mut value, blank_lines);
                } else {
                    value.extend(std::iter::repeat_n('\n', blank_lines));
                }
                blank_lines = 0;
                value.push_str(line);
                value.push('\n');
                end = line_end;
            }
            self.at = line_end + 1;
        }
        indent?;
        // Without a last line break the readers differ in what they add.
        if end >= self.bytes.len() {
            return None;
        }
        if strip {
            value.pop();
        }
        let span = Span::new(start as u32, end as u32);
        let style = if folded { Style::Folded } else { Style::Literal };
        self.builder.scalar(&value, super::psych::block_scalar_span(self.text, span), style, props).ok()
    }

    // ---- brackets

    fn flow_node(&mut self, depth: usize) -> Option<()> {
        self.flow_with(depth, &Properties::default())
    }

    fn flow_with(&mut self, depth: usize, props: &Properties) -> Option<()> {
        if depth > 200 {
            return None;
        }
        let start = self.at;
        let (kind, close) = if self.byte(start) == b'{' { (Kind::Map, b'}') } else { (Kind::List, b']') };
        self.builder.begin(kind, Style::Flow, start as u32, props).ok()?;
        self.at += 1;
        self.flow_blanks()?;
        while self.byte(self.at) != close {
            if kind == Kind::Map {
                self.flow_entry(depth)?;
            } else {
                self.flow_value(depth)?;
            }
            self.flow_blanks()?;
            match self.byte(self.at) {
                b',' => {
                    self.at += 1;
                    self.flow_blanks()?;
                    // A comma before the bracket: allowed, but not worth a thought here.
                    if self.byte(self.at) == close {
                        return None;
                    }
                }
                b if b == close => {}
                _ => return None,
            }
        }
        self.at += 1;
        self.builder.end(self.at as u32).ok()
    }

    fn flow_entry(&mut self, depth: usize) -> Option<()> {
        let start = self.at;
        match self.byte(start) {
            b'\'' | b'"' => {
                self.at = self.quoted(start, &Properties::default())?;
                if self.byte(self.at) != b':' || !matches!(self.byte(self.at + 1), b' ' | b'\n') {
                    return None;
                }
            }
            _ => self.flow_plain(true)?,
        }
        if self.at - start > LONGEST_KEY {
            return None;
        }
        self.at += 1;
        self.flow_blanks()?;
        self.flow_value(depth)
    }

    fn flow_value(&mut self, depth: usize) -> Option<()> {
        match self.byte(self.at) {
            b'\'' | b'"' => {
                self.at = self.quoted(self.at, &Properties::default())?;
                // `"a" : b` in a list is a map of its own.
                matches!(self.byte(self.at), b',' | b']' | b'}' | b'\n').then_some(())
            }
            b'[' | b'{' => {
                self.flow_node(depth + 1)?;
                // So is `[a]: b`.
                matches!(self.byte(self.at), b',' | b']' | b'}' | b' ' | b'\n').then_some(())
            }
            _ => self.flow_plain(false),
        }
    }

    /// Reads a plain scalar between brackets; only such as no reader sees more in.
    fn flow_plain(&mut self, key: bool) -> Option<()> {
        let start = self.at;
        let first = self.byte(start);
        if !self.starts_plain(first, start)
            || matches!(first, b':' | b'?')
            || (first == b'-' && !self.byte(start + 1).is_ascii_digit())
        {
            return None;
        }
        let mut at = start;
        loop {
            match self.byte(at) {
                b',' | b']' | b'}' | b'\n' => break,
                b':' if key && self.byte(at + 1) == b' ' => break,
                b':' if self.byte(at + 1).is_ascii_alphanumeric() || self.byte(at + 1) == b'/' => at += 1,
                b'#' if self.byte(at - 1) != b' ' => at += 1,
                b':' | b'[' | b'{' | b'#' | b'\t' | b'?' => return None,
                _ => at += 1,
            }
        }
        if key != (self.byte(at) == b':') {
            return None;
        }
        let end = self.trimmed(start, at);
        let span = Span::new(start as u32, end as u32);
        self.builder.verbatim(span, span, Style::Plain, &Properties::default()).ok()?;
        self.at = if key { at } else { end };
        Some(())
    }

    /// Skips blanks and line breaks between brackets.
    fn flow_blanks(&mut self) -> Option<()> {
        loop {
            match self.byte(self.at) {
                b' ' => self.at += 1,
                b'\n' if self.at < self.bytes.len() => {
                    self.at += 1;
                    if matches!(self.byte(self.at), b'-' | b'.' | b'%') {
                        return None;
                    }
                }
                b'\n' | b'\t' | b'#' => return None,
                _ => return Some(()),
            }
        }
    }
}

/// Joins a folded text with its next line: one line break becomes a blank, of more the first goes.
fn fold(value: &mut String, blank_lines: usize) {
    if value.pop().is_some() {
        match blank_lines {
            0 => value.push(' '),
            lines => value.extend(std::iter::repeat_n('\n', lines)),
        }
    }
}

/// Cuts a line at the closing quote, if it is in it; `None` at a tab or a backslash at the end.
fn quoted_part(line: &str, quote: u8) -> Option<(&str, bool)> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\t' => return None,
            b'\\' if quote == b'"' => {
                if at + 1 == bytes.len() {
                    return None;
                }
                at += 2;
            }
            b if b == quote && quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => at += 2,
            b if b == quote => return Some((&line[..at], true)),
            _ => at += 1,
        }
    }
    Some((line, false))
}

/// Undoes the escapes that JSON has too, but for `\u`.
fn unescape(text: &str) -> Option<String> {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        value.push(match chars.next()? {
            '"' => '"',
            '\\' => '\\',
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            _ => return None,
        });
    }
    Some(value)
}
