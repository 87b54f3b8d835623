//! Scalars of the fast lane: plain, quoted, and blocks of lines.

use hierarch_source::Span;

use super::Scanner;
use crate::build::Properties;
use crate::node::Style;
use crate::scan::psych::block_scalar_span;

impl Scanner<'_, '_> {
    pub(super) fn starts_plain(&self, first: u8, at: usize) -> bool {
        match first {
            b'-' | b'?' | b':' => !matches!(self.byte(at + 1), b' ' | b'\n' | b'\t'),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"'
            | b'%' | b'@' | b'`' | b'\t' | b'\n' => false,
            _ => true,
        }
    }

    /// Finds the end of a plain scalar in its line, and whether it is a key; `None` at a tab.
    pub(super) fn plain_end(&mut self, start: usize) -> Option<(usize, bool)> {
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

    pub(super) fn trimmed(&self, start: usize, mut end: usize) -> usize {
        while end > start && self.bytes[end - 1] == b' ' {
            end -= 1;
        }
        end
    }

    /// Reads a value that begins in this line, for something at a column; the next line must not continue it.
    pub(super) fn value_on_line(&mut self, column: usize, props: &Properties) -> Option<()> {
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
                let after = self.at;
                if self.next_line().is_some_and(|next| next.column > column) {
                    self.at = after;
                    let commented = self.bytes[end..after.min(self.bytes.len())].contains(&b'#');
                    return if commented { None } else { self.plain_lines(start, end, column, props) };
                }
                let span = Span::new(start as u32, end as u32);
                self.builder.verbatim(span, span, Style::Plain, props).ok()?;
            }
            _ => return None,
        }
        // A deeper line would be a second line of this value, or an error.
        match self.next_line() {
            Some(next) if next.column > column => None,
            None if !self.ends() => None,
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
        // A comment before the deeper line: it belongs to nothing.
        if !self.is_continued(column) {
            return None;
        }
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
        match self.next_line() {
            Some(next) if next.column > column => None,
            None if !self.ends() => None,
            _ => Some(()),
        }
    }

    /// Finds the end of a quoted scalar in its line, behind the quote.
    pub(super) fn quote_end(&mut self, start: usize) -> Option<usize> {
        if self.quote.0 == start {
            return Some(self.quote.1);
        }
        let quote = self.byte(start);
        let mut at = start + 1;
        loop {
            // Most bytes are none of the four that matter.
            let rest = self.bytes.get(at..).unwrap_or_default();
            at += rest.iter().take_while(|&&b| !matches!(b, b'\n' | b'\\' | b'\'' | b'"')).count();
            match self.byte(at) {
                b'\n' => return None,
                b'\\' if quote == b'"' => at += 2,
                b if b == quote && quote == b'\'' && self.byte(at + 1) == b'\'' => at += 2,
                b if b == quote => break,
                _ => at += 1,
            }
        }
        self.quote = (start, at + 1);
        Some(at + 1)
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

    pub(super) fn quoted(&mut self, start: usize, props: &Properties) -> Option<usize> {
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
        self.builder.scalar(&value, block_scalar_span(self.text, span), style, props).ok()
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
