//! Brackets in the fast lane.

use hierarch_source::Span;

use super::{LONGEST_KEY, Scanner};
use crate::build::Properties;
use crate::node::{Kind, Style};

impl Scanner<'_, '_> {
    pub(super) fn flow_node(&mut self, depth: usize) -> Option<()> {
        self.flow_with(depth, &Properties::default())
    }

    pub(super) fn flow_with(&mut self, depth: usize, props: &Properties) -> Option<()> {
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
            _ => self.flow_plain(true, &Properties::default())?,
        }
        if self.at - start > LONGEST_KEY {
            return None;
        }
        self.at += 1;
        self.flow_blanks()?;
        self.flow_value(depth)
    }

    fn flow_value(&mut self, depth: usize) -> Option<()> {
        let mut props = Properties::default();
        if matches!(self.byte(self.at), b'&' | b'!') {
            props = self.properties()?;
            self.blanks();
        }
        match self.byte(self.at) {
            b'\'' | b'"' => {
                self.at = self.quoted(self.at, &props)?;
                self.blanks();
                // `"a" : b` in a list is a map of its own.
                matches!(self.byte(self.at), b',' | b']' | b'}' | b'\n').then_some(())
            }
            b'[' | b'{' => {
                self.flow_with(depth + 1, &props)?;
                // So is `[a]: b`.
                matches!(self.byte(self.at), b',' | b']' | b'}' | b' ' | b'\n').then_some(())
            }
            b'*' if props.end == 0 => self.flow_alias(),
            _ => self.flow_plain(false, &props),
        }
    }

    fn flow_alias(&mut self) -> Option<()> {
        let start = self.at;
        let name = self.letters(start + 1);
        self.at = start + 1 + name.len();
        self.builder.alias(name, Span::new(start as u32, self.at as u32)).ok()?;
        let ends = matches!(self.byte(self.at), b',' | b']' | b'}' | b' ' | b'\n');
        (!name.is_empty() && ends).then_some(())
    }

    /// Reads a plain scalar between brackets; only such as no reader sees more in.
    fn flow_plain(&mut self, key: bool, props: &Properties) -> Option<()> {
        let start = self.at;
        let first = self.byte(start);
        if !self.starts_plain(first, start)
            || matches!(first, b':' | b'?')
            || (first == b'-' && !matches!(self.byte(start + 1), b'-' | b'0'..=b'9' | b'a'..=b'z'))
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
        self.builder.verbatim(span, span, Style::Plain, props).ok()?;
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
