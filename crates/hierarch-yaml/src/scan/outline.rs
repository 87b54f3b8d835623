//! The top-level keys of a text that is plainly a map, found by looking at every line and building nothing.
//!
//! A lookup asks each file of a hierarchy for a key that most of them do not have. What is accepted here the fast lane
//! reads without an error or a warning, to a map with exactly these keys; so a file whose outline lacks the key need not be
//! read at all. Whatever is not the simplest of its kind has no outline. `scripts/check-yaml-files` compares.

use std::ops::Range;

use hierarch_source::Span;
use rustc_hash::FxHashSet;

use super::simple::has_odd_characters;
use crate::schema::{Scalar, plain_word};

/// Returns where the keys of a text stand, in order; `None` if it is not plainly a map without repeated keys.
///
/// ```
/// let text = "port: 80\n'name': {}\n";
/// let keys: Vec<&str> = hierarch_yaml::outline(text).unwrap().iter().map(|key| &text[key.range()]).collect();
/// assert_eq!(keys, ["port", "name"]);
/// assert_eq!(hierarch_yaml::outline("port: &anchor 80\n"), None);
/// ```
pub fn outline(text: &str) -> Option<Vec<Span>> {
    if text.len() > LARGEST || has_odd_characters(text) || memchr::memchr(b'\t', text.as_bytes()).is_some() {
        return None;
    }
    let mut outliner =
        Outliner { text, bytes: text.as_bytes(), at: 0, open: Vec::new(), names: Vec::new(), waits: None };
    if text.starts_with("---\n") {
        outliner.at = 4;
    }
    while outliner.at < text.len() {
        outliner.line()?;
    }
    outliner.finish()
}

/// Larger texts are left to the readers, which have limits.
const LARGEST: usize = 1 << 22;
/// Deeper ones, too.
const DEEPEST: usize = 32;
const LONGEST_KEY: usize = 128;
/// No word that means something else than itself is longer.
const LONGEST_WORD: usize = 5;
/// Maps with at most this many keys are searched for repeated keys pair by pair.
const FEW_KEYS: usize = 8;
/// Maps with at most this many keys are searched by a small table.
const MANY_KEYS: usize = 256;

/// Kinds of bytes, as bits: a byte may be of several.
mod kind {
    /// Simple keys consist of these, colons aside: they may end one.
    pub(super) const KEY: u8 = 1;
    /// A simple key may begin with it.
    pub(super) const KEY_START: u8 = 1 << 1;
    /// A short key that begins with it may mean something else than itself.
    pub(super) const SUSPECT: u8 = 1 << 2;
    /// Plain values consist of these; the others may end one, or the line that it stands on.
    pub(super) const PLAIN: u8 = 1 << 3;
    /// A plain value may begin with it.
    pub(super) const PLAIN_START: u8 = 1 << 4;
    /// Words between brackets consist of these.
    pub(super) const FLOW: u8 = 1 << 5;
    /// A word between brackets may begin with it.
    pub(super) const FLOW_START: u8 = 1 << 6;
}

/// What kinds of byte each is.
const KINDS: [u8; 256] = {
    let mut table = [kind::PLAIN; 256];
    let mut byte = 0;
    while byte < 128u8 {
        let is_letter = byte.is_ascii_alphabetic();
        let is_word = byte.is_ascii_alphanumeric();
        let kinds = [
            (kind::KEY, is_word || matches!(byte, b'_' | b'-' | b'.' | b'/')),
            (kind::KEY_START, is_letter || byte == b'_'),
            (kind::SUSPECT, !is_letter || matches!(byte | 0x20, b'y' | b'n' | b'f' | b't' | b'o')),
            (kind::PLAIN, !matches!(byte, b'\n' | b':' | b'#')),
            (kind::PLAIN_START, is_word || matches!(byte, b'_' | b'.' | b'/' | b'~' | b'$' | b'(' | b'+')),
            (kind::FLOW, is_word || matches!(byte, b'_' | b'-' | b'.' | b'/' | b' ')),
            (kind::FLOW_START, is_word || matches!(byte, b'_' | b'/' | b'.')),
        ];
        let (mut bits, mut at) = (0, 0);
        while at < kinds.len() {
            if kinds[at].1 {
                bits |= kinds[at].0;
            }
            at += 1;
        }
        table[byte as usize] = bits;
        byte += 1;
    }
    table
};

fn is(byte: u8, kinds: u8) -> bool {
    KINDS[usize::from(byte)] & kinds != 0
}

/// What stands on a line behind its blanks and dashes.
struct Part {
    at: usize,
    column: usize,
    has_key: bool,
}

/// A block map or list that has begun.
struct Open {
    column: usize,
    is_list: bool,
    /// Where the keys of a map begin in the list of all.
    names: usize,
}

struct Outliner<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    open: Vec<Open>,
    /// The keys of the maps that have begun.
    names: Vec<Span>,
    /// A key without a value on its line, by the column of its map: a collection may follow.
    waits: Option<usize>,
}

impl Outliner<'_> {
    fn byte(&self, at: usize) -> u8 {
        // Behind the end the text looks like one more line break.
        self.bytes.get(at).copied().unwrap_or(b'\n')
    }

    fn line_end(&self, at: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[at..]).map_or(self.bytes.len(), |found| at + found)
    }

    fn blanks(&self, mut at: usize) -> usize {
        while self.byte(at) == b' ' {
            at += 1;
        }
        at
    }

    /// Looks at a line, from its start. Each step has one caller, so that all of them become one function.
    fn line(&mut self) -> Option<()> {
        let at = self.blanks(self.at);
        let column = at - self.at;
        let part = match self.byte(at) {
            b'\n' | b'#' => {
                self.at = self.line_end(at) + 1;
                return Some(());
            }
            b'-' if self.byte(at + 1) == b' ' => self.item(at, column)?,
            _ => {
                self.entry(column)?;
                Part { at, column, has_key: true }
            }
        };
        self.part(part)
    }

    /// Begins an item of a block list, and returns what stands behind its dash.
    fn item(&mut self, at: usize, column: usize) -> Option<Part> {
        match self.waits.take() {
            Some(outer) if column >= outer => self.begin(column, true)?,
            _ => self.close(column, true)?,
        }
        let inner = self.blanks(at + 1);
        if self.key_end(inner).is_some() {
            let column = column + (inner - at);
            self.begin(column, false)?;
            return Some(Part { at: inner, column, has_key: true });
        }
        match self.byte(inner) {
            // A list in a list, or an item on lines of its own.
            b'-' if !self.byte(inner + 1).is_ascii_digit() => None,
            b'\n' | b'#' => None,
            _ => Some(Part { at: inner, column, has_key: false }),
        }
    }

    /// Begins an entry of a block map.
    fn entry(&mut self, column: usize) -> Option<()> {
        match self.waits.take() {
            Some(outer) if column > outer => self.begin(column, false),
            None if self.open.is_empty() && column == 0 => self.begin(0, false),
            _ => self.close(column, false),
        }
    }

    /// Looks at a value and the key before it, if it has one.
    fn part(&mut self, part: Part) -> Option<()> {
        let mut at = part.at;
        if part.has_key {
            let (name, end) = self.key_end(at)?;
            self.names.push(name);
            at = self.blanks(end + 1);
            if matches!(self.byte(at), b'\n' | b'#') {
                self.waits = Some(part.column);
                self.at = self.line_end(at) + 1;
                return Some(());
            }
        }
        self.value(at, part.column)
    }

    fn begin(&mut self, column: usize, is_list: bool) -> Option<()> {
        self.open.push(Open { column, is_list, names: self.names.len() });
        (self.open.len() <= DEEPEST).then_some(())
    }

    /// Ends what is deeper than a line; what is left must be a list or a map at its column.
    fn close(&mut self, column: usize, is_list: bool) -> Option<()> {
        while let Some(last) = self.open.last() {
            // An entry at the column of a list ends the list, which stands at the column of its map.
            let is_over = last.column > column || (last.column == column && last.is_list && !is_list);
            if !is_over {
                return (last.column == column && last.is_list == is_list).then_some(());
            }
            self.end_last()?;
        }
        None
    }

    fn end_last(&mut self) -> Option<()> {
        let last = self.open.pop()?;
        let is_fine = are_different(self.text, &self.names[last.names..]);
        if !self.open.is_empty() {
            self.names.truncate(last.names);
        }
        is_fine.then_some(())
    }

    fn finish(mut self) -> Option<Vec<Span>> {
        while !self.open.is_empty() {
            self.end_last()?;
        }
        (!self.names.is_empty()).then_some(self.names)
    }

    /// Finds a key and its colon.
    #[inline]
    fn key_end(&self, at: usize) -> Option<(Span, usize)> {
        let first = self.byte(at);
        let (name, end) = if is(first, kind::KEY_START) {
            let end = self.word_end(at);
            let may_mean_else = end - at <= LONGEST_WORD && is(first, kind::SUSPECT);
            if may_mean_else && !means_itself(&self.text[at..end]) {
                return None;
            }
            (at..end, end)
        } else {
            self.quoted_key(at)?
        };
        let is_key = self.byte(end) == b':' && matches!(self.byte(end + 1), b' ' | b'\n');
        (is_key && name.len() <= LONGEST_KEY).then(|| (Span::new(name.start as u32, name.end as u32), end))
    }

    /// Finds what a key in quotes is, and where it ends.
    fn quoted_key(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let quote = self.byte(at);
        if quote != b'\'' && quote != b'"' {
            return None;
        }
        let end = self.quote_end(at, quote)?;
        let name = at + 1..end - 1;
        means_itself_in_quotes(&self.text[name.clone()]).then_some((name, end))
    }

    /// Finds the end of a plain key: a colon with a blank behind it, or what no simple key holds.
    #[inline]
    fn word_end(&self, mut at: usize) -> usize {
        loop {
            at = self.skip(at, kind::KEY);
            match (self.byte(at), self.byte(at + 1)) {
                (b':', b' ' | b'\n') => return at,
                (b':', _) => at += 1,
                _ => return at,
            }
        }
    }

    /// Finds the first byte that is not of a kind; the end if there is none.
    #[inline]
    fn skip(&self, mut at: usize, kinds: u8) -> usize {
        while at < self.bytes.len() && is(self.bytes[at], kinds) {
            at += 1;
        }
        at
    }

    /// Finds the first byte that may end a plain value, or the line that it stands on; the end if there is none.
    #[inline]
    fn plain_end(&self, mut at: usize) -> usize {
        // Most values are so short that eight bytes at a time are faster than a search that is made for long texts.
        while let Some((eight, _)) = self.bytes.get(at..).and_then(<[u8]>::split_first_chunk) {
            let eight = u64::from_le_bytes(*eight);
            let found = [b'\n', b':', b'#'].into_iter().fold(0, |found, byte| found | places_of(byte, eight));
            if found != 0 {
                return at + found.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        self.skip(at, kind::PLAIN)
    }

    /// Finds the end of a quoted text that stands on one line.
    fn quote_end(&self, start: usize, quote: u8) -> Option<usize> {
        let mut at = start + 1;
        loop {
            at += memchr::memchr3(quote, b'\\', b'\n', &self.bytes[at..])?;
            match self.bytes[at] {
                b'\n' => return None,
                b'\\' if quote == b'\'' => at += 1,
                b'\\' => {
                    let is_simple = matches!(self.byte(at + 1), b'n' | b't' | b'r' | b'"' | b'\\' | b'0');
                    at += if is_simple { 2 } else { return None };
                }
                _ if self.byte(at + 1) == quote && quote == b'\'' => at += 2,
                _ => return Some(at + 1),
            }
        }
    }

    /// Looks at a value that begins here and must end on this line, for something at a column.
    fn value(&mut self, at: usize, column: usize) -> Option<()> {
        match self.byte(at) {
            quote @ (b'\'' | b'"') => {
                let end = self.quote_end(at, quote)?;
                self.end_of_line(end)
            }
            b'[' => {
                let end = self.flow_list(at)?;
                self.end_of_line(end)
            }
            b'{' if self.byte(at + 1) == b'}' => self.end_of_line(at + 2),
            b'|' | b'>' => self.block(at, column),
            first
                if is(first, kind::PLAIN_START) || (first == b'-' && self.byte(at + 1).is_ascii_digit()) =>
            {
                self.plain(at)
            }
            _ => None,
        }
    }

    fn end_of_line(&mut self, end: usize) -> Option<()> {
        let at = self.blanks(end);
        match self.byte(at) {
            b'\n' => self.at = at + 1,
            b'#' if at > end => self.at = self.line_end(at) + 1,
            _ => return None,
        }
        Some(())
    }

    fn plain(&mut self, start: usize) -> Option<()> {
        let mut at = start;
        let end = loop {
            at = self.plain_end(at);
            match self.byte(at) {
                b'\n' => break at,
                b':' if matches!(self.byte(at + 1), b' ' | b'\n') => return None,
                b'#' if at > start && self.bytes[at - 1] == b' ' => break self.line_end(at),
                _ => at += 1,
            }
        };
        self.at = end + 1;
        (!may_be_date(&self.bytes[start..end])).then_some(())
    }

    /// Finds the end of a list between brackets, of words and quoted texts.
    fn flow_list(&self, start: usize) -> Option<usize> {
        let mut at = self.blanks(start + 1);
        if self.byte(at) == b']' {
            return Some(at + 1);
        }
        loop {
            let end = match self.byte(at) {
                quote @ (b'\'' | b'"') => self.quote_end(at, quote)?,
                first if is(first, kind::FLOW_START) => self.flow_word_end(at)?,
                _ => return None,
            };
            at = self.blanks(end);
            match self.byte(at) {
                b']' => return Some(at + 1),
                b',' if self.byte(at + 1) == b' ' => at = self.blanks(at + 1),
                _ => return None,
            }
        }
    }

    fn flow_word_end(&self, start: usize) -> Option<usize> {
        let end = self.skip(start, kind::FLOW);
        (!may_be_date(&self.bytes[start..end])).then_some(end)
    }

    /// Looks at a text on lines of its own, for something at a column.
    fn block(&mut self, at: usize, column: usize) -> Option<()> {
        let header_end = at + 1 + usize::from(matches!(self.byte(at + 1), b'-' | b'+'));
        if self.byte(header_end) != b'\n' {
            return None;
        }
        self.at = header_end + 1;
        let depth = self.blanks(self.at) - self.at;
        if depth <= column || self.byte(self.at + depth) == b'\n' {
            return None;
        }
        while self.at < self.bytes.len() {
            let content = self.blanks(self.at);
            if self.byte(content) != b'\n' && content - self.at < depth {
                return Some(());
            }
            self.at = self.line_end(content) + 1;
        }
        Some(())
    }
}

/// Marks the first place of a byte among eight, the lowest first, by its highest bit. Marks behind the first may be wrong.
fn places_of(byte: u8, eight: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let zero_there = eight ^ (ONES * u64::from(byte));
    zero_there.wrapping_sub(ONES) & !zero_there & (ONES << 7)
}

/// A date makes a file unreadable: it begins with a digit or a sign, and holds a hyphen.
fn may_be_date(text: &[u8]) -> bool {
    matches!(text, [b'0'..=b'9' | b'-' | b'+', rest @ ..] if rest.contains(&b'-'))
}

/// No word but `yes`, `No`, `TRUE`, `f`, `Off`, `null` and their like begins with a letter and means something else.
fn means_itself(word: &str) -> bool {
    matches!(plain_word(word), Scalar::Str(text) if text == word)
}

/// Escapes would have to be read, and what begins with a colon may be a symbol.
fn means_itself_in_quotes(text: &str) -> bool {
    !text.contains(['\\', '\'']) && !text.starts_with(':')
}

fn are_different(text: &str, names: &[Span]) -> bool {
    let name = |span: &Span| &text.as_bytes()[span.range()];
    match names {
        [] | [_] => true,
        [one, other] => name(one) != name(other),
        few if few.len() <= FEW_KEYS => {
            let is_new = |(place, one)| !few[..place].iter().any(|other| name(other) == name(one));
            few.iter().enumerate().all(is_new)
        }
        some if some.len() <= MANY_KEYS => are_apart(some.len(), |index| name(&some[index])),
        many => {
            let mut seen = FxHashSet::with_capacity_and_hasher(many.len(), rustc_hash::FxBuildHasher);
            many.iter().all(|one| seen.insert(name(one)))
        }
    }
}

/// Tells whether so many names differ, by a table of their numbers at the places that their ends and lengths mark.
fn are_apart<'t>(count: usize, name: impl Fn(usize) -> &'t [u8]) -> bool {
    const SLOTS: usize = 4 * MANY_KEYS;
    let mut table = [0u16; SLOTS];
    let table = &mut table[..(4 * count).next_power_of_two().min(SLOTS)];
    (0..count).all(|index| {
        let own = name(index);
        let mut at = mark(own) as usize & (table.len() - 1);
        while table[at] != 0 {
            if name(usize::from(table[at]) - 1) == own {
                return false;
            }
            at = (at + 1) & (table.len() - 1);
        }
        table[at] = index as u16 + 1;
        true
    })
}

/// Returns a number that the first and the last bytes of a name, and its length, make.
fn mark(name: &[u8]) -> u64 {
    let (first, last) = match (name.first_chunk::<8>(), name.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (name.first_chunk::<4>(), name.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into())
            }
            _ => name.iter().fold((0, 0), |(all, _), byte| (all << 8 | u64::from(*byte), 0)),
        },
    };
    let mixed = (first ^ last.rotate_left(29) ^ name.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed >> 40
}

#[cfg(test)]
mod tests;
