//! Lines of at most so many letters, as Python's `textwrap` breaks them.

use std::collections::VecDeque;

/// How a text is broken.
pub(super) struct Wrap {
    pub(super) width: usize,
    /// Words that fit into no line are cut.
    pub(super) breaks_words: bool,
    /// Words may be broken behind their hyphens.
    pub(super) breaks_hyphens: bool,
}

impl Wrap {
    /// Breaks a line.
    pub(super) fn lines(&self, line: &str) -> Vec<String> {
        let mut chunks: VecDeque<&str> =
            if self.breaks_hyphens { hyphenated(line) } else { words(line) }.into();
        let mut lines: Vec<String> = Vec::new();
        while !chunks.is_empty() {
            // Blanks at the beginning of a line that was broken are dropped.
            if !lines.is_empty() && chunks.front().is_some_and(|chunk| is_blank(chunk)) {
                chunks.pop_front();
            }
            let mut here = self.line(&mut chunks);
            if here.last().is_some_and(|chunk| is_blank(chunk)) {
                here.pop();
            }
            if !here.is_empty() {
                lines.push(here.concat());
            }
        }
        lines
    }

    /// Takes the chunks of one line.
    fn line<'t>(&self, chunks: &mut VecDeque<&'t str>) -> Vec<&'t str> {
        let (mut here, mut room) = (Vec::new(), self.width);
        while let Some(chunk) = chunks.front()
            && let Some(length) = length_within(chunk, room)
        {
            room -= length;
            here.extend(chunks.pop_front());
        }
        let Some(chunk) = chunks.front_mut() else { return here };
        if length_within(chunk, self.width).is_some() {
            return here;
        }
        // It fits into no line at all.
        if self.breaks_words {
            let (first, rest) = chunk.split_at(self.cut(chunk, room));
            here.push(first);
            *chunk = rest;
        } else if here.is_empty() {
            here.extend(chunks.pop_front());
        }
        here
    }

    /// Returns where a word is cut: behind the last hyphen that has a place, or where the room ends.
    fn cut(&self, chunk: &str, room: usize) -> usize {
        let end = chunk.char_indices().nth(room).map_or(chunk.len(), |(at, _)| at);
        let hyphen = chunk[..end].rfind('-').filter(|_| self.breaks_hyphens);
        hyphen.filter(|at| chunk[..*at].contains(|c| c != '-')).map_or(end, |at| at + 1)
    }
}

/// Counts the letters of a chunk, if they are not more than there is room for.
fn length_within(chunk: &str, room: usize) -> Option<usize> {
    let length = chunk.chars().take(room.saturating_add(1)).count();
    (length <= room).then_some(length)
}

fn is_blank(chunk: &str) -> bool {
    chunk.trim().is_empty()
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

/// Cuts a line into words and blanks.
fn words(line: &str) -> Vec<&str> {
    let mut chunks = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_space(c) != is_space(first)).unwrap_or(rest.len());
        let (chunk, after) = rest.split_at(end);
        chunks.push(chunk);
        rest = after;
    }
    chunks
}

/// Cuts a line into blanks, parts of words that end with a hyphen, and dashes between words.
fn hyphenated(line: &str) -> Vec<&str> {
    let letters: Vec<(usize, char)> = line.char_indices().collect();
    let text = Letters { letters: &letters };
    let (mut chunks, mut start) = (Vec::new(), 0);
    while start < letters.len() {
        let end = text.chunk_end(start);
        let byte = |at: usize| letters.get(at).map_or(line.len(), |(byte, _)| *byte);
        chunks.push(&line[byte(start)..byte(end)]);
        start = end;
    }
    chunks
}

/// A line by its letters.
struct Letters<'t> {
    letters: &'t [(usize, char)],
}

impl Letters<'_> {
    fn at(&self, at: usize) -> Option<char> {
        self.letters.get(at).map(|(_, c)| *c)
    }

    fn is(&self, at: Option<usize>, test: impl Fn(char) -> bool) -> bool {
        at.and_then(|at| self.at(at)).is_some_and(test)
    }

    /// Returns where the chunk ends that begins here.
    fn chunk_end(&self, start: usize) -> usize {
        if self.is(Some(start), is_space) {
            return self.run_end(start, is_space);
        }
        if self.is_dash(start) {
            return self.run_end(start, |c| c == '-');
        }
        let mut end = start + 1;
        while self.is(Some(end), |c| !is_space(c)) && !self.is_dash(end) {
            if self.is_break(end) {
                return end + 1;
            }
            end += 1;
        }
        end
    }

    fn run_end(&self, start: usize, test: impl Fn(char) -> bool) -> usize {
        let end = self.letters.len();
        (start..end).find(|at| !self.is(Some(*at), &test)).unwrap_or(end)
    }

    /// Tells whether a dash of two or more hyphens between words begins here.
    fn is_dash(&self, at: usize) -> bool {
        let follows_word = self.is(at.checked_sub(1), |c| is_word(c) || "!\"'&.,?".contains(c));
        if !follows_word || self.at(at) != Some('-') {
            return false;
        }
        let end = self.run_end(at, |c| c == '-');
        end - at >= 2 && self.is(Some(end), is_word)
    }

    /// Tells whether a word may be broken behind the hyphen that stands here: `ab-cd`, `a-b-cd`, `ab-c-d`.
    fn is_break(&self, at: usize) -> bool {
        let letter = |at: Option<usize>| self.is(at, is_letter);
        let hyphen = |at: Option<usize>| self.is(at, |c| c == '-');
        let before = |count: usize| at.checked_sub(count);
        let after = |count: usize| at.checked_add(count);
        hyphen(Some(at))
            && letter(before(1))
            && (letter(before(2)) || hyphen(before(2)) && letter(before(3)))
            && letter(after(1))
            && (letter(after(2)) || hyphen(after(2)) && letter(after(3)))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_letter(c: char) -> bool {
    is_word(c) && !c.is_numeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(width: usize, line: &str, expected: &[&str]) {
        let wrap = Wrap { width, breaks_words: true, breaks_hyphens: true };
        assert_eq!(wrap.lines(line), expected, "{line}");
    }

    #[test]
    fn a_long_word_fills_the_line_and_is_cut_behind_hyphens() {
        check(8, "ab abcdefghijkl", &["ab abcde", "fghijkl"]);
        check(8, "de819021-9db3-531c", &["de819021", "-9db3-", "531c"]);
        check(5, "aaaa-bb", &["aaaa-", "bb"]);
    }

    #[test]
    fn words_are_broken_behind_hyphens_between_letters() {
        assert_eq!(
            hyphenated("well-known a1-foo-bar 1-2"),
            ["well-", "known", " ", "a1-foo-", "bar", " ", "1-2"]
        );
        assert_eq!(hyphenated("a--b x-y-zz"), ["a", "--", "b", " ", "x-y-", "zz"]);
    }

    #[test]
    fn a_long_line_takes_time_in_its_length_only() {
        let long = "x".repeat(300_000);
        let wrap = Wrap { width: 1, breaks_words: true, breaks_hyphens: true };
        assert_eq!(wrap.lines(&long).len(), long.len());
    }
}
