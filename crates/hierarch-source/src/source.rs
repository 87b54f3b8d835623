//! One source text with its name, and where its lines begin.

use std::sync::{Arc, OnceLock};

use crate::{Error, Result, Span, issues};

/// A text that positions refer to: a file, a piece of a command line, standard input.
///
/// Lines are counted only when a position is asked for, so a file without problems never pays.
#[derive(Debug)]
pub struct Source {
    name: Option<String>,
    text: String,
    /// How many lines stand before the text, if it is a part of a larger one.
    lines_before: u32,
    line_starts: OnceLock<Vec<u32>>,
    /// How many characters begin before each block of bytes; known once there is a long line.
    characters: OnceLock<Vec<u32>>,
}

/// Characters are counted by blocks of so many bytes where a line is longer than two of them, as that of a JSON file without
/// line breaks: every value in it would count from its beginning.
const BLOCK: usize = 256;

/// A place as people count it: both numbers start at 1, the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

impl Source {
    /// Makes a source with a name that is printed in messages.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        Self::make(Some(name.into()), text.into())
    }

    /// Makes a source that has no name, as the text behind `-e`.
    pub fn unnamed(text: impl Into<String>) -> Arc<Self> {
        Self::make(None, text.into())
    }

    /// Makes a source from bytes that may not be UTF-8 or may be too large for 32-bit positions.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Arc<Self>> {
        let name = name.into();
        if u32::try_from(bytes.len()).is_err() {
            return Err(issues::too_large(&name));
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::make(Some(name), text)),
            Err(error) => Err(not_utf8(&name, error.utf8_error().valid_up_to(), error.as_bytes())),
        }
    }

    /// Makes a source from whole lines of a larger text, so many lines from its top.
    pub fn part(name: impl Into<String>, text: impl Into<String>, lines_before: u32) -> Arc<Self> {
        let (name, text) = (Some(name.into()), text.into());
        Arc::new(Self { name, text, lines_before, line_starts: OnceLock::new(), characters: OnceLock::new() })
    }

    fn make(name: Option<String>, text: String) -> Arc<Self> {
        Arc::new(Self {
            name,
            text,
            lines_before: 0,
            line_starts: OnceLock::new(),
            characters: OnceLock::new(),
        })
    }

    /// Returns the name, if the text has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text that a span covers; of a span that does not fit the text, what of it does.
    pub fn slice(&self, span: Span) -> &str {
        let span = self.fitted(span);
        &self.text[span.range()]
    }

    /// Returns a span that lies within the text, begins and ends between characters, and does not run backwards.
    pub fn fitted(&self, span: Span) -> Span {
        let mut start = (span.start as usize).min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (span.end as usize).clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        Span::new(start as u32, end as u32)
    }

    /// Returns the line and column of a byte offset; an offset inside a character counts as that character.
    pub fn position(&self, offset: u32) -> Position {
        let starts = self.line_starts();
        let offset = self.fitted(Span::point(offset)).start;
        let line = starts.partition_point(|&start| start <= offset).max(1);
        let column = self.characters_between(starts[line - 1] as usize, offset as usize);
        Position { line: line as u32 + self.lines_before, column: column as u32 + 1 }
    }

    fn characters_between(&self, start: usize, end: usize) -> usize {
        let bytes = self.text.as_bytes();
        if end - start <= 2 * BLOCK {
            return characters_in(&bytes[start..end]);
        }
        let blocks = self.characters.get_or_init(|| counted_blocks(bytes));
        let before = |offset: usize| {
            let block = offset / BLOCK;
            blocks[block] as usize + characters_in(&bytes[block * BLOCK..offset])
        };
        before(end) - before(start)
    }

    /// Returns the byte offset where a line (counted from 1) begins; past the last line, the end of the text.
    pub fn line_start(&self, line: u32) -> u32 {
        let index = line.saturating_sub(1 + self.lines_before) as usize;
        self.line_starts().get(index).copied().unwrap_or(self.text.len() as u32)
    }

    /// Returns a line (counted from 1) without its line break.
    pub fn line(&self, line: u32) -> &str {
        let start = self.line_start(line) as usize;
        let rest = &self.text[start..];
        let end = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        rest[..end].strip_suffix('\r').unwrap_or(&rest[..end])
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at as u32 + 1);
            std::iter::once(0).chain(breaks).collect()
        })
    }
}

/// Returns how many characters begin before each block, and how many there are.
fn counted_blocks(bytes: &[u8]) -> Vec<u32> {
    let mut counts = vec![0];
    for block in bytes.chunks(BLOCK) {
        let before = counts.last().copied().unwrap_or_default();
        counts.push(before + characters_in(block) as u32);
    }
    counts
}

/// A character begins at every byte that is not a continuation byte.
fn characters_in(bytes: &[u8]) -> usize {
    #[cfg(test)]
    tests::COUNTED.set(tests::COUNTED.get() + bytes.len());
    bytes.iter().filter(|&&byte| !is_continuation(byte)).count()
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

fn not_utf8(name: &str, valid: usize, bytes: &[u8]) -> Error {
    let good = String::from_utf8_lossy(&bytes[..valid]).into_owned();
    let place = Source::new(name, good);
    let offset = place.text.len() as u32;
    issues::not_utf8(bytes[valid]).at(&place, Span::point(offset))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// How many bytes were looked at to count characters.
        pub(super) static COUNTED: Cell<usize> = const { Cell::new(0) };
    }

    #[test]
    fn columns_of_a_long_line_are_exact_and_not_counted_from_its_beginning() {
        let line: String = "ab“é$".repeat(4 * BLOCK);
        let text = format!("é\n{line}\n{line}");
        let source = Source::unnamed(text.as_str());
        COUNTED.set(0);
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
            let wanted = text[start..offset].chars().count() as u32 + 1;
            assert_eq!(source.position(offset as u32).column, wanted, "at {offset}");
        }
        assert!(COUNTED.get() < text.len() * 3 * BLOCK, "{} bytes", COUNTED.get());
    }

    fn check(text: &str, offset: u32, line: u32, column: u32) {
        assert_eq!(Source::unnamed(text).position(offset), Position { line, column }, "{text:?} at {offset}");
    }

    #[test]
    fn a_part_counts_the_lines_of_the_whole() {
        let part = Source::part("stream.yaml", "ab\ncd\n", 10);
        assert_eq!(part.position(3), Position { line: 12, column: 1 });
        assert_eq!((part.line(12), part.line_start(11)), ("cd", 0));
    }

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        check("ab\ncd", 0, 1, 1);
        check("ab\ncd", 2, 1, 3);
        check("ab\ncd", 3, 2, 1);
        check("ab\ncd", 5, 2, 3);
        check("é\nü$x", 4, 2, 1);
        check("é\nü$x", 1, 1, 1);
        check("é\nü$x", 5, 2, 2);
        check("é", 99, 1, 2);
        check("", 0, 1, 1);
    }

    #[test]
    fn a_span_that_does_not_fit_is_cut_to_what_does() {
        let source = Source::unnamed("a“b");
        for (start, end, wanted) in
            [(0, 2, "a“"), (2, 3, "“"), (3, 1, ""), (3, 2, "“"), (4, 99, "b"), (99, 1, ""), (5, 5, "")]
        {
            assert_eq!(source.slice(Span::new(start, end)), wanted, "{start}..{end}");
        }
    }

    #[test]
    fn a_line_is_given_without_its_break() {
        let source = Source::unnamed("one\r\ntwo\nthree");
        assert_eq!(
            (source.line(1), source.line(2), source.line(3), source.line(9)),
            ("one", "two", "three", "")
        );
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let error = Source::from_bytes("a.pp", b"x\ny\xFFz".to_vec()).expect_err("0xFF is never UTF-8");
        assert_eq!(error.position(), Some((2, Some(2))));
    }

    /// Lines and columns are what counting by hand gives, whatever the text.
    #[test]
    fn positions_are_counted_as_people_count() {
        let mut dice = hierarch_bits::dice::Dice::new(8);
        for _ in 0..500 {
            let text = dice.text(&["a", "é", "😀", "\n", "\r\n", "\t", " ", "\u{2028}"], 12);
            let source = Source::unnamed(text.clone());
            let part = Source::part("p", text.clone(), 10);
            for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let before = &text[..offset];
                let line = before.matches('\n').count() as u32 + 1;
                let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u32 + 1;
                assert_eq!(source.position(offset as u32), Position { line, column }, "{text:?} {offset}");
                assert_eq!(part.position(offset as u32), Position { line: line + 10, column }, "{text:?}");
                let start = source.line_start(line) as usize;
                assert!(start <= offset && text[start..offset].find('\n').is_none(), "{text:?} {offset}");
            }
            for (index, line) in text.split('\n').enumerate() {
                let line = line.strip_suffix('\r').unwrap_or(line);
                assert_eq!(source.line(index as u32 + 1), line, "{text:?}");
            }
        }
    }

    /// A span from elsewhere, backwards, too long or inside of a character, is fitted to the text.
    #[test]
    fn any_span_can_be_sliced() {
        let mut dice = hierarch_bits::dice::Dice::new(9);
        let source = Source::unnamed("aé\n😀b");
        for _ in 0..500 {
            let span = Span::new(dice.below(20) as u32, dice.below(20) as u32);
            let fitted = source.fitted(span);
            assert!(fitted.start <= fitted.end && fitted.end as usize <= source.text().len(), "{span:?}");
            assert_eq!(source.slice(span), &source.text()[fitted.range()], "{span:?}");
            assert_eq!(source.fitted(fitted), fitted, "{span:?}");
            let _ = (source.position(span.start), source.line(span.start), source.line_start(span.end));
        }
    }
}
