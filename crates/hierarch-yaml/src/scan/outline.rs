//! The top-level keys of a text that is plainly a map, found by looking at every line and building nothing.
//!
//! A lookup asks each file of a hierarchy for a key that most of them do not have. What is accepted here the fast lane
//! reads without an error or a warning, to a map with exactly these keys; so a file whose outline lacks the key need not be
//! read at all. Whatever is not the simplest of its kind has no outline. `scripts/check-yaml-files` compares.

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

/// What a simple key consists of, colons aside: they may end it.
const IS_IN_KEY: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128u8 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/');
        byte += 1;
    }
    table
};

/// What may end a plain value, or the line that it stands on.
const MAY_END_PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    table[b'\n' as usize] = true;
    table[b':' as usize] = true;
    table[b'#' as usize] = true;
    table
};

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

impl<'t> Outliner<'t> {
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

    /// Looks at a line, from its start.
    fn line(&mut self) -> Option<()> {
        let at = self.blanks(self.at);
        let column = at - self.at;
        match self.byte(at) {
            b'\n' => self.at = at + 1,
            b'#' => self.at = self.line_end(at) + 1,
            b'-' if self.byte(at + 1) == b' ' => self.item(at, column)?,
            _ => self.entry(at, column)?,
        }
        Some(())
    }

    /// Looks at an item of a block list.
    fn item(&mut self, at: usize, column: usize) -> Option<()> {
        match self.waits.take() {
            Some(outer) if column >= outer => self.begin(column, true)?,
            _ => self.close(column, true)?,
        }
        let inner = self.blanks(at + 1);
        if self.key_end(inner).is_some() {
            let column = column + (inner - at);
            self.begin(column, false)?;
            return self.entry_here(inner, column);
        }
        match self.byte(inner) {
            // A list in a list, or an item on lines of its own.
            b'-' if !self.byte(inner + 1).is_ascii_digit() => None,
            b'\n' | b'#' => None,
            _ => self.value(inner, column),
        }
    }

    /// Looks at an entry of a block map.
    fn entry(&mut self, at: usize, column: usize) -> Option<()> {
        match self.waits.take() {
            Some(outer) if column > outer => self.begin(column, false)?,
            None if self.open.is_empty() && column == 0 => self.begin(0, false)?,
            _ => self.close(column, false)?,
        }
        self.entry_here(at, column)
    }

    fn entry_here(&mut self, at: usize, column: usize) -> Option<()> {
        let (name, end) = self.key_end(at)?;
        self.names.push(name);
        let value = self.blanks(end + 1);
        match self.byte(value) {
            b'\n' => {
                self.waits = Some(column);
                self.at = value + 1;
                Some(())
            }
            b'#' => {
                self.waits = Some(column);
                self.at = self.line_end(value) + 1;
                Some(())
            }
            _ => self.value(value, column),
        }
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
    fn key_end(&self, at: usize) -> Option<(Span, usize)> {
        let (name, end, is_simple): (&str, usize, fn(&str) -> bool) = match self.byte(at) {
            quote @ (b'\'' | b'"') => {
                let end = self.quote_end(at, quote)?;
                (&self.text[at + 1..end - 1], end, means_itself_in_quotes)
            }
            first if first.is_ascii_alphabetic() || first == b'_' => {
                let end = self.word_end(at);
                (&self.text[at..end], end, means_itself)
            }
            _ => return None,
        };
        let is_key = self.byte(end) == b':' && matches!(self.byte(end + 1), b' ' | b'\n');
        if !is_key || name.len() > LONGEST_KEY || !is_simple(name) {
            return None;
        }
        let start = at + (end - at - name.len()) / 2;
        Some((Span::new(start as u32, (start + name.len()) as u32), end))
    }

    /// Finds the end of a plain key: a colon with a blank behind it, or what no simple key holds.
    fn word_end(&self, mut at: usize) -> usize {
        loop {
            at = self.first(at, |byte| !IS_IN_KEY[usize::from(byte)]);
            match (self.byte(at), self.byte(at + 1)) {
                (b':', b' ' | b'\n') => return at,
                (b':', _) => at += 1,
                _ => return at,
            }
        }
    }

    /// Finds the first byte that is one of those looked for; the end if there is none.
    #[inline]
    fn first(&self, at: usize, is_it: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.iter().position(|&byte| is_it(byte)).map_or(self.bytes.len(), |found| at + found)
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
            first if starts_plain(first) => self.plain(at),
            b'-' if self.byte(at + 1).is_ascii_digit() => self.plain(at),
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
        // Most values are so short that one look at each byte is cheaper than a search for those that matter.
        let end = loop {
            at = self.first(at, |byte| MAY_END_PLAIN[usize::from(byte)]);
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
                first if first.is_ascii_alphanumeric() || b"_/.".contains(&first) => {
                    self.flow_word_end(at)?
                }
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
        let mut end = start;
        while self.byte(end).is_ascii_alphanumeric() || b"_-./ ".contains(&self.byte(end)) {
            end += 1;
        }
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

fn starts_plain(first: u8) -> bool {
    first.is_ascii_alphanumeric() || b"_./~$(+".contains(&first)
}

/// A date makes a file unreadable: it begins with a digit or a sign, and holds a hyphen.
fn may_be_date(text: &[u8]) -> bool {
    matches!(text, [b'0'..=b'9' | b'-' | b'+', rest @ ..] if rest.contains(&b'-'))
}

fn means_itself(word: &str) -> bool {
    // No word but these and their like (`yes`, `No`, `TRUE`, `f`, `Off`, `null`) begins with a letter and means something else.
    let is_suspect = |first: u8| !first.is_ascii_alphabetic() || b"ynftoYNFTO".contains(&first);
    let may_mean_else = word.len() <= LONGEST_WORD && word.bytes().next().is_none_or(is_suspect);
    !may_mean_else || matches!(plain_word(word), Scalar::Str(text) if text == word)
}

/// Escapes would have to be read, and what begins with a colon may be a symbol.
fn means_itself_in_quotes(text: &str) -> bool {
    !text.contains(['\\', '\'']) && !text.starts_with(':')
}

fn are_different(text: &str, names: &[Span]) -> bool {
    let name = |span: &Span| &text[span.range()];
    if names.len() <= FEW_KEYS {
        let is_new = |(place, one)| !names[..place].iter().any(|other| name(other) == name(one));
        return names.iter().enumerate().all(is_new);
    }
    let mut seen = FxHashSet::with_capacity_and_hasher(names.len(), rustc_hash::FxBuildHasher);
    names.iter().all(|one| seen.insert(name(one)))
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;
    use proptest::prelude::*;

    use super::*;
    use crate::{DocumentLimits, Kind, read_first};

    fn keys_outlined(text: &str) -> Option<Vec<String>> {
        Some(outline(text)?.iter().map(|key| text[key.range()].to_owned()).collect())
    }

    /// The keys that a reader finds; none if it fails, warns, or finds something else.
    fn keys_read(text: &str) -> Option<Vec<String>> {
        let tree = read_first(&Source::new("a.yaml", text), DocumentLimits::default()).ok()?;
        let root = tree.root().filter(|&root| tree.kind(root) == Kind::Map && tree.warnings().is_empty())?;
        let key = |(key, _)| match tree.scalar(key) {
            Ok(Scalar::Str(text)) => Some(text.into_owned()),
            _ => None,
        };
        tree.entries(root).map(key).collect()
    }

    #[test]
    fn ordinary_files_have_an_outline() {
        for text in [
            "a: 1\nb::c: text # why\n",
            "---\n# above\nlookup_options:\n  '^x$':\n    merge: deep\nx: [a, 'b', \"c\\n\"]\n",
            "list:\n- a\n- k: v\n  w: |\n    text: [\n\n    more\n- 'q'\nnext:\n  deep:\n    - 1\n",
            "empty:\nmap: {}\nquoted: 'it''s'\nnumber: -1\n",
        ] {
            let keys = keys_outlined(text);
            assert_eq!(keys, keys_read(text), "{text}");
            assert!(keys.is_some(), "{text}");
        }
    }

    #[test]
    fn words_mean_what_readers_make_of_them() {
        let letters = || ('a'..='z').chain('A'..='Z').chain(['_', '0', '9', '.', '-']);
        let two = letters().flat_map(|one| letters().map(move |two| format!("{one}{two}")));
        let known = [
            "yes", "No", "TRUE", "false", "Off", "on", "null", "Null", "nul", "inf", "NaN", "nan", "infinity",
        ];
        let words = letters().map(String::from).chain(two).chain(known.map(str::to_owned));
        for word in words.filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')) {
            let is_itself = matches!(plain_word(&word), Scalar::Str(text) if text == word);
            assert_eq!(means_itself(&word), is_itself, "{word}");
        }
    }

    #[test]
    fn what_is_not_plain_has_none() {
        for text in [
            "",
            "- a\n",
            "a: &x 1\n",
            "a: *x\n",
            "<<: {a: 1}\n",
            "a: 1\na: 2\n",
            "a: 2020-01-01\n",
            "a: b: c\n",
            "yes: 1\n",
            "a: 1\n  b\n",
            "a: [1,\n 2]\n",
            "a: 1\n---\nb: 1\n",
            "a:\n  b: 1\n c: 1\n",
            "a: !t b\n",
        ] {
            assert_eq!(outline(text), None, "{text}");
        }
    }

    /// Pieces of lines that have a meaning.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "a",
            "b",
            "key",
            "x::y",
            "yes",
            "null",
            "12",
            "-1",
            "2020-01-01",
            "'q'",
            "\"d\\n\"",
            "'it''s'",
            ":",
            ": ",
            "- ",
            "-",
            "  ",
            "    ",
            " ",
            "\n",
            "\n",
            "\n  ",
            "\n- ",
            "\n  - ",
            "\na: ",
            "\n  b: ",
            "# c",
            " # c",
            "|",
            ">-",
            "[",
            "]",
            "[]",
            "{}",
            ", ",
            ",",
            "{",
            "}",
            "&x ",
            "*x",
            "!t ",
            "? ",
            "---\n",
            "...",
            "%",
            "@",
            "~",
            "é",
            "\\",
            "$(x)",
        ]);
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn an_outline_is_what_a_reader_finds(text in pieces()) {
            let keys = keys_outlined(&text);
            if keys.is_some() {
                prop_assert_eq!(keys, keys_read(&text));
            }
        }
    }
}
