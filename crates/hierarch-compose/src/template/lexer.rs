//! A template's source as tokens: text outside of the marks, and words, numbers, texts and signs inside.

use hierarch_pcore::Str;

use super::fault::{Checked, Fault};
use super::issues;
use super::settings::TemplateSettings;
use super::tree::Range;

/// What stands somewhere in a template.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// Text outside of the marks.
    Data(Str),
    VariableBegin,
    VariableEnd,
    BlockBegin,
    BlockEnd,
    Name(Str),
    Integer(i128),
    Float(f64),
    Text(Str),
    /// `+`, `==`, `(` and so on.
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range,
}

/// Signs, the longer ones first.
const SIGNS: &[&str] = &[
    "**", "//", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<",
    "=", ".", ":", "|", ",", ";",
];

/// Cuts a source into tokens. With `raw_texts`, a backslash in a text of `{{ … }}` is a backslash and nothing more.
pub(super) fn tokens(source: &str, settings: &TemplateSettings, raw_texts: bool) -> Checked<Vec<Token>> {
    let end = match source.strip_suffix('\n') {
        Some(shorter) if !settings.keep_trailing_newline => shorter.len(),
        _ => source.len(),
    };
    let text = &source[..end];
    let mut lexer =
        Lexer { text, at: 0, settings, raw_texts, found: Vec::new(), starts_line: true, ahead: [None; 5] };
    lexer.outside()?;
    let end = lexer.text.len();
    lexer.push(Kind::End, end, end);
    Ok(lexer.found)
}

/// What begins where text ends.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Opening {
    Variable,
    Block,
    Comment,
    LineStatement,
    LineComment,
}

/// How what is inside of marks ends.
#[derive(Clone, Copy, PartialEq)]
enum Closing {
    Variable,
    Block,
    Line,
}

struct Lexer<'s> {
    text: &'s str,
    at: usize,
    settings: &'s TemplateSettings,
    raw_texts: bool,
    found: Vec<Token>,
    /// The last thing read ended with a line break, so that what follows begins a line.
    starts_line: bool,
    /// Where each kind of opening was last found, behind all text if there is none: what is not there is looked for once.
    ahead: [Option<usize>; 5],
}

impl<'s> Lexer<'s> {
    fn push(&mut self, kind: Kind, from: usize, to: usize) {
        self.found.push(Token { kind, range: Range::new(from, to) });
    }

    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn outside(&mut self) -> Checked<()> {
        while self.at < self.text.len() {
            let Some((found, opening)) = self.next_opening() else {
                self.data(self.text.len());
                self.at = self.text.len();
                return Ok(());
            };
            self.open(found, opening)?;
        }
        Ok(())
    }

    /// Finds the next mark; of several at one place, the longest counts.
    fn next_opening(&mut self) -> Option<(usize, Opening)> {
        let settings = self.settings;
        let marks = [
            (Opening::Variable, settings.variable.0.as_str()),
            (Opening::Block, &settings.block.0),
            (Opening::Comment, &settings.comment.0),
        ];
        let inline = marks.map(|(opening, mark)| {
            let at = self.next(opening, |lexer| Some(lexer.at + lexer.rest().find(mark)?))?;
            Some((at, std::cmp::Reverse(mark.len()), opening))
        });
        let inline = inline.into_iter().flatten();
        let first = inline.min_by_key(|(at, length, _)| (*at, *length)).map(|(at, _, opening)| (at, opening));
        match (first, self.next_line_opening()) {
            (Some(first), Some(line)) => Some(if line.0 <= first.0 { line } else { first }),
            (first, line) => first.or(line),
        }
    }

    /// Returns where the next opening of a kind is, which is searched for only if it is not known.
    fn next(&mut self, opening: Opening, search: impl Fn(&Self) -> Option<usize>) -> Option<usize> {
        let kind = opening as usize;
        if self.ahead[kind].is_none_or(|known| known < self.at) {
            self.ahead[kind] = Some(search(self).unwrap_or(usize::MAX));
        }
        self.ahead[kind].filter(|at| *at != usize::MAX)
    }

    /// Finds the next line that is a statement, or the next comment that ends a line.
    fn next_line_opening(&mut self) -> Option<(usize, Opening)> {
        let settings = self.settings;
        let statement = settings.line_statement.as_deref().and_then(|mark| {
            let at = self.next(Opening::LineStatement, |lexer| lexer.next_line_statement(mark))?;
            Some((at, Opening::LineStatement))
        });
        let comment = settings.line_comment.as_deref().and_then(|mark| {
            let at = self.next(Opening::LineComment, |lexer| Some(lexer.at + lexer.rest().find(mark)?))?;
            let blanks = self.text[..at].trim_end_matches([' ', '\t', '\u{b}']).len();
            Some((blanks.max(self.at), Opening::LineComment))
        });
        match (statement, comment) {
            (Some(a), Some(b)) => Some(if a.0 <= b.0 { a } else { b }),
            (a, b) => a.or(b),
        }
    }

    fn next_line_statement(&self, mark: &str) -> Option<usize> {
        let mut at = self.at;
        loop {
            let begins = at == 0 || self.text.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\n');
            let line = &self.text[at..];
            if begins && line.trim_start_matches([' ', '\t', '\u{b}']).starts_with(mark) {
                return Some(at);
            }
            at += line.find('\n')? + 1;
        }
    }

    /// Keeps text up to a place.
    fn data(&mut self, end: usize) {
        if end > self.at {
            let text = normalised(&self.text[self.at..end], &self.settings.newline);
            self.push(Kind::Data(text), self.at, end);
            self.starts_line = self.text[..end].ends_with('\n');
        }
    }

    fn open(&mut self, found: usize, opening: Opening) -> Checked<()> {
        if matches!(opening, Opening::LineStatement | Opening::LineComment) {
            return self.open_line(found, opening);
        }
        let (begin, _) = self.marks(opening);
        let inner = found + begin.len();
        let sign = self.text[inner..].chars().next().filter(|c| matches!(c, '-' | '+'));
        self.data(self.stripped(found, sign, opening));
        self.at = inner + sign.map_or(0, char::len_utf8);
        self.starts_line = false;
        match opening {
            Opening::Comment => self.comment(found),
            Opening::Block if self.is_tag("raw") => self.raw(found),
            Opening::Block => {
                self.push(Kind::BlockBegin, found, self.at);
                self.inside(Closing::Block, found)
            }
            _ => {
                self.push(Kind::VariableBegin, found, self.at);
                self.inside(Closing::Variable, found)
            }
        }
    }

    fn marks(&self, opening: Opening) -> (&'s str, &'s str) {
        let pair = match opening {
            Opening::Variable => &self.settings.variable,
            Opening::Comment => &self.settings.comment,
            _ => &self.settings.block,
        };
        (&pair.0, &pair.1)
    }

    /// Returns where the text in front of a mark ends when blanks are taken away as asked for.
    fn stripped(&self, found: usize, sign: Option<char>, opening: Opening) -> usize {
        let text = &self.text[self.at..found];
        if sign == Some('-') {
            return self.at + text.trim_end().len();
        }
        if sign == Some('+') || !self.settings.lstrip_blocks || opening == Opening::Variable {
            return found;
        }
        let line = text.rfind('\n').map_or(0, |at| at + 1);
        let blank = text[line..].chars().all(char::is_whitespace);
        let begins = line > 0 || self.starts_line;
        if blank && begins { self.at + line } else { found }
    }

    fn comment(&mut self, found: usize) -> Checked<()> {
        let (_, end) = self.marks(Opening::Comment);
        let Some(close) = self.rest().find(end) else {
            return Err(Fault::syntax(issues::missing_end_of_comment(), Range::new(found, self.at)));
        };
        let close = self.at + close;
        self.finish(close, end.len());
        Ok(())
    }

    /// Goes behind a closing mark, with the sign in front of it and the blanks behind it taken into account.
    fn finish(&mut self, close: usize, length: usize) {
        let sign = self.text[self.at..close].chars().next_back();
        self.at = close + length;
        match sign {
            Some('-') => self.skip_blanks(),
            Some('+') => {}
            _ if self.settings.trim_blocks && self.rest().starts_with('\n') => {
                self.at += 1;
                self.starts_line = true;
            }
            _ if self.settings.trim_blocks && self.rest().starts_with("\r\n") => {
                self.at += 2;
                self.starts_line = true;
            }
            _ => {}
        }
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        let blanks = rest.len() - rest.trim_start().len();
        if blanks > 0 {
            self.starts_line = self.text[..self.at + blanks].ends_with('\n');
        }
        self.at += blanks;
    }

    /// Tells whether a block that is just open holds a word and nothing else.
    fn is_tag(&self, word: &str) -> bool {
        let inside = self.rest().trim_start().strip_prefix(word);
        let Some(after) = inside.map(str::trim_start) else { return false };
        let end = self.settings.block.1.as_str();
        after.starts_with(end) || after.strip_prefix('-').is_some_and(|after| after.starts_with(end))
    }

    /// Reads text that is not looked into, up to `endraw`.
    fn raw(&mut self, found: usize) -> Checked<()> {
        let (begin, end) = self.marks(Opening::Block);
        let unclosed = || Fault::syntax(issues::missing_end_of_raw(), Range::new(found, found + begin.len()));
        let close = self.at + self.rest().find(end).ok_or_else(unclosed)?;
        let strips = self.text[..close].ends_with('-');
        self.at = close + end.len();
        if strips {
            self.skip_blanks();
        }
        let start = self.at;
        let mut search = start;
        loop {
            let mark = search + self.text[search..].find(begin).ok_or_else(unclosed)?;
            let inner = mark + begin.len();
            let sign = self.text[inner..].chars().next().filter(|c| matches!(c, '-' | '+'));
            let name = inner + sign.map_or(0, char::len_utf8);
            let after = self.text[name..].trim_start().strip_prefix("endraw").map(str::trim_start);
            let closed = after.and_then(|after| {
                let after = after.strip_prefix(['-', '+']).unwrap_or(after);
                after.strip_prefix(end)
            });
            let Some(behind) = closed else {
                search = inner;
                continue;
            };
            self.data(self.stripped(mark, sign, Opening::Block));
            let close = self.text.len() - behind.len() - end.len();
            self.at = name;
            self.finish(close, end.len());
            return Ok(());
        }
    }

    fn open_line(&mut self, found: usize, opening: Opening) -> Checked<()> {
        self.data(found);
        self.at = found;
        let line = self.rest().find('\n').map_or(self.text.len(), |at| self.at + at);
        if opening == Opening::LineComment {
            self.at = line;
            return Ok(());
        }
        let mark = self.settings.line_statement.as_deref().unwrap_or_default();
        let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\u{b}']).len();
        self.at += blanks + mark.len();
        let sign = self.rest().chars().next().filter(|c| matches!(c, '-' | '+'));
        self.at += sign.map_or(0, char::len_utf8);
        self.push(Kind::BlockBegin, found, self.at);
        self.inside(Closing::Line, found)?;
        self.starts_line = true;
        Ok(())
    }

    /// Reads what stands between marks. A closing mark inside of brackets does not count.
    fn inside(&mut self, closing: Closing, found: usize) -> Checked<()> {
        let mut open: Vec<(&'static str, usize)> = Vec::new();
        loop {
            if open.is_empty() && self.close(closing) {
                return Ok(());
            }
            let Some(first) = self.rest().chars().next() else {
                if closing == Closing::Line && open.is_empty() {
                    self.push(Kind::BlockEnd, self.at, self.at);
                    return Ok(());
                }
                let range = Range::new(found, self.text.len());
                return Err(Fault::syntax(issues::unexpected_end(), range));
            };
            if first.is_whitespace() {
                self.at += first.len_utf8();
                continue;
            }
            self.token(first, closing, &mut open)?;
        }
    }

    /// Reads a closing mark, if there is one.
    fn close(&mut self, closing: Closing) -> bool {
        let end = match closing {
            Closing::Line => {
                let rest = self.rest().trim_start_matches([' ', '\t', '\u{b}', ':', '\r']);
                if !rest.starts_with('\n') {
                    return false;
                }
                let from = self.at;
                self.at = self.text.len() - rest.len() + 1;
                self.push(Kind::BlockEnd, from, self.at);
                return true;
            }
            Closing::Variable => self.settings.variable.1.as_str(),
            Closing::Block => self.settings.block.1.as_str(),
        };
        let rest = self.rest();
        let signed =
            rest.strip_prefix('-').or_else(|| rest.strip_prefix('+').filter(|_| closing == Closing::Block));
        let length = match signed {
            Some(after) if after.starts_with(end) => end.len() + 1,
            _ if rest.starts_with(end) => end.len(),
            _ => return false,
        };
        let (from, close) = (self.at, self.at + length - end.len());
        let kind = if closing == Closing::Variable { Kind::VariableEnd } else { Kind::BlockEnd };
        if closing == Closing::Variable {
            self.at += length;
            self.push(kind, from, self.at);
            if length > end.len() {
                self.skip_blanks();
            }
        } else {
            let to = close + end.len();
            self.push(kind, from, to);
            if length == end.len() {
                // Without a sign in front of it: what was read before does not count as one.
                self.at = close;
            }
            self.finish(close, end.len());
        }
        true
    }

    fn token(&mut self, first: char, closing: Closing, open: &mut Vec<(&'static str, usize)>) -> Checked<()> {
        let from = self.at;
        let kind = match first {
            '\'' | '"' => self.quoted(first, closing == Closing::Variable)?,
            c if c.is_ascii_digit() => self.number()?,
            c if is_word(c) => {
                let rest = self.rest();
                let name = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
                self.at += name.len();
                Kind::Name(name.into())
            }
            _ => self.sign(first, open)?,
        };
        self.push(kind, from, self.at);
        Ok(())
    }

    fn sign(&mut self, first: char, open: &mut Vec<(&'static str, usize)>) -> Checked<Kind> {
        let here = Range::new(self.at, self.at + first.len_utf8());
        let Some(sign) = SIGNS.iter().find(|sign| self.rest().starts_with(**sign)) else {
            return Err(Fault::syntax(issues::unexpected_character(first), here));
        };
        match *sign {
            "(" => open.push((")", self.at)),
            "[" => open.push(("]", self.at)),
            "{" => open.push(("}", self.at)),
            ")" | "]" | "}" => match open.pop() {
                None => return Err(Fault::syntax(issues::unexpected_sign(sign), here)),
                Some((wanted, _)) if wanted != *sign => {
                    return Err(Fault::syntax(issues::other_sign_expected(sign, wanted), here));
                }
                Some(_) => {}
            },
            _ => {}
        }
        self.at += sign.len();
        Ok(Kind::Sign(sign))
    }

    fn quoted(&mut self, quote: char, printed: bool) -> Checked<Kind> {
        let rest = self.rest();
        let mut escaped = false;
        let end = rest[1..].char_indices().find(|(_, c)| {
            let ends = !escaped && *c == quote;
            escaped = !escaped && *c == '\\';
            ends
        });
        let from = self.at;
        let Some((end, _)) = end else {
            let range = Range::new(from, from + 1);
            return Err(Fault::syntax(issues::unexpected_character(quote), range));
        };
        let inner = &rest[1..=end];
        if self.raw_texts && printed {
            // Doubled backslashes end a text at a quote that was meant to be in it, as in Ansible.
            if let Some(at) = inner.find(quote) {
                let range = Range::new(from + at + 1, from + at + 2);
                return Err(Fault::syntax(issues::unexpected_character(quote), range));
            }
            self.at += end + 2;
            return Ok(Kind::Text(inner.into()));
        }
        self.at += end + 2;
        let text =
            unescaped(inner).ok_or_else(|| Fault::syntax(issues::bad_escape(), Range::new(from, self.at)))?;
        Ok(Kind::Text(normalised(&text, &self.settings.newline)))
    }

    fn number(&mut self) -> Checked<Kind> {
        let rest = self.rest();
        // In `a.1.2` the numbers are positions.
        let is_position = self.text[..self.at].ends_with('.');
        let (length, kind) = if let Some(length) = float_length(rest).filter(|_| !is_position) {
            let digits = rest[..length].replace('_', "");
            (length, digits.parse().ok().map(Kind::Float))
        } else {
            let (length, radix, skip) = integer_length(rest);
            let digits = rest[skip..length].replace('_', "");
            (length, i128::from_str_radix(&digits, radix).ok().map(Kind::Integer))
        };
        let range = Range::new(self.at, self.at + length);
        self.at += length;
        kind.ok_or_else(|| Fault::syntax(issues::number_too_large(), range))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Writes all line breaks alike.
fn normalised(text: &str, newline: &str) -> Str {
    if newline == "\n" && !text.contains('\r') {
        return text.into();
    }
    text.replace("\r\n", "\n").replace('\r', "\n").replace('\n', newline).into()
}

/// Counts digits with single underscores between them.
fn digits_length(text: &str, is_digit: impl Fn(char) -> bool) -> usize {
    let mut end = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        if is_digit(c) {
            end = at + 1;
        } else if c != '_' || at == 0 || end != at || !letters.peek().is_some_and(|(_, next)| is_digit(*next))
        {
            break;
        }
    }
    end
}

/// Returns how long a float is that a text begins with: `1.5`, `1e3`, `1.5e-3`.
fn float_length(text: &str) -> Option<usize> {
    let digit = |c: char| c.is_ascii_digit();
    let whole = digits_length(text, digit);
    let mut end = whole;
    if let Some(rest) = text[end..].strip_prefix('.') {
        let more = digits_length(rest, digit);
        if more > 0 {
            end += 1 + more;
        }
    }
    if let Some(rest) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(rest.starts_with(['+', '-']));
        let more = digits_length(&rest[sign..], digit);
        if more > 0 {
            end += 1 + sign + more;
        }
    }
    (end > whole).then_some(end)
}

/// Returns how long an integer is, its base, and how long what stands before its digits is.
fn integer_length(text: &str) -> (usize, u32, usize) {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2), ("0X", 16), ("0O", 8), ("0B", 2)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            let length = digits_length(rest, |c| c.is_digit(radix));
            if length > 0 {
                return (2 + length, radix, 2);
            }
        }
    }
    let digit = |c: char| c.is_ascii_digit();
    // Nothing but further zeros may follow a zero.
    let length =
        if text.starts_with('0') { digits_length(text, |c| c == '0') } else { digits_length(text, digit) };
    (length.max(1), 10, 0)
}

/// Replaces Python's escapes; none if one is cut short.
fn unescaped(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return Some(text.to_owned());
    }
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match letters.next()? {
            '\n' => {}
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'a' => out.push('\u{7}'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'v' => out.push('\u{b}'),
            c @ ('\\' | '\'' | '"') => out.push(c),
            'x' => out.push(by_number(&mut letters, 2)?),
            'u' => out.push(by_number(&mut letters, 4)?),
            'U' => out.push(by_number(&mut letters, 8)?),
            digit @ '0'..='7' => {
                let mut number = digit.to_digit(8)?;
                for _ in 0..2 {
                    let Some(next) = letters.peek().and_then(|c| c.to_digit(8)) else { break };
                    number = number * 8 + next;
                    letters.next();
                }
                out.push(char::from_u32(number)?);
            }
            other => out.extend(['\\', other]),
        }
    }
    Some(out)
}

fn by_number(letters: &mut impl Iterator<Item = char>, digits: u32) -> Option<char> {
    let number = (0..digits).try_fold(0_u32, |number, _| Some(number * 16 + letters.next()?.to_digit(16)?));
    char::from_u32(number?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_tags_are_read_in_one_go() {
        // Looking for a mark that is not there from every tag on would take minutes.
        let found = tokens(&"{{ 1 }}\n".repeat(100_000), &TemplateSettings::default(), false);
        assert_eq!(found.map(|found| found.len()).ok(), Some(100_000 * 4 + 1));
    }
}
