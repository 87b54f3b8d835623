//! The lexer: text to tokens, one unit at a time, as the parser asks for them.
//!
//! A unit is a token, a string with all its interpolations, or a heredoc with its text. What a
//! character means depends on little: the token before it (`/` after a value divides), white space
//! before it (`[` after a blank starts a list), and the place on the line (`(` first on a line starts
//! no call). Reading ahead only on demand keeps errors in Puppet's order: whichever of a bad token and
//! a bad sentence comes first is the one reported.

mod epp;
mod escape;
mod heredoc;
mod number;
mod place;
mod string;
mod word;

use std::sync::Arc;

use hierarch_source::{Diagnostic, Error, Result, Source, Span};

use self::epp::EppMode;
use self::number::is_word;
use self::place::Placement;
use self::word::{bare_word, blank_or_return, is_blank, operator, regex_end, type_name_end, variable_end};
use crate::ast::{OwnTexts, Text, text_in};
use crate::issues;
use crate::token::{Token, TokenKind};

/// What the lexer has made so far; a heredoc's own lexer borrows it while it works.
#[derive(Default)]
struct Sink {
    queue: Vec<Token>,
    head: usize,
    own_texts: OwnTexts,
    warnings: Vec<Diagnostic>,
    /// How many strings are open around the current place.
    depth: usize,
}

/// What lexing one unit gave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// White space or a comment.
    Nothing,
    /// One token.
    Token,
    /// A string with interpolations, a heredoc, or template text: any number of tokens.
    Group,
}

/// Strings nested deeper than this in each other's interpolations are refused.
const DEEPEST_STRING: usize = 100;

/// Reads tokens from a text.
pub(crate) struct Lexer<'t> {
    source: Arc<Source>,
    text: &'t str,
    bytes: &'t [u8],
    pos: usize,
    placement: Placement,
    sink: Sink,
    /// The last token given out: it decides what `/` and `{` are.
    after: Option<TokenKind>,
    open_braces: i64,
    /// Where the current line starts, counting only line breaks between tokens.
    line_start: usize,
    /// Where the line after the last heredoc text begins.
    newline_jump: Option<usize>,
    epp: EppMode,
    /// What the last pattern matched: the message about an unclosed quote names it.
    last_match: Option<(usize, usize)>,
}

impl<'t> Lexer<'t> {
    /// Starts reading a manifest.
    pub(crate) fn new(source: &Arc<Source>, text: &'t str) -> Result<Self> {
        if text.starts_with('\u{FEFF}') {
            return Err(issues::illegal_bom("UTF-8", "[EF BB BF]"));
        }
        if text.len() >= 1 << 31 {
            return Err(issues::source_too_large());
        }
        Ok(Self::over(source, text, Placement::Whole, Sink::default()))
    }

    /// Starts reading a template.
    pub(crate) fn new_epp(source: &Arc<Source>, text: &'t str) -> Result<Self> {
        let mut lexer = Self::new(source, text)?;
        lexer.start_epp()?;
        Ok(lexer)
    }

    /// Starts reading the same text once more.
    pub(crate) fn again(&self) -> Result<Self> {
        let start = if self.epp == EppMode::Off { Self::new } else { Self::new_epp };
        start(&self.source, self.text)
    }

    /// Returns the text with its name.
    pub(crate) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    fn over(source: &Arc<Source>, text: &'t str, placement: Placement, sink: Sink) -> Self {
        Self {
            source: Arc::clone(source),
            text,
            bytes: text.as_bytes(),
            pos: 0,
            placement,
            sink,
            after: None,
            open_braces: 0,
            line_start: 0,
            newline_jump: None,
            epp: EppMode::Off,
            last_match: None,
        }
    }

    /// Returns the token that `ahead` tokens lie before, without taking it.
    pub(crate) fn peek(&mut self, ahead: usize) -> Result<Token> {
        while self.sink.queue.len() <= self.sink.head + ahead {
            self.fill()?;
        }
        Ok(self.sink.queue[self.sink.head + ahead])
    }

    /// Takes the token that was peeked at.
    pub(crate) fn advance(&mut self) {
        self.sink.head += 1;
    }

    /// Returns a token's value as messages quote it.
    pub(crate) fn token_text(&self, token: Token) -> &str {
        token.kind.spelling().unwrap_or_else(|| self.text_of(token.text))
    }

    /// Returns the text that a reference names.
    pub(crate) fn text_of(&self, text: Text) -> &str {
        text_in(self.source.text(), &self.sink.own_texts, text)
    }

    /// Keeps a text that does not stand in the source.
    pub(crate) fn own_text(&mut self, text: &str) -> Text {
        self.sink.own_texts.add(text)
    }

    /// Gives up what was gathered beside the tokens.
    pub(crate) fn finish(self) -> (OwnTexts, Vec<Diagnostic>) {
        (self.sink.own_texts, self.sink.warnings)
    }

    /// Lexes until there is one more token in the queue.
    fn fill(&mut self) -> Result<()> {
        if self.sink.head == self.sink.queue.len() {
            self.sink.queue.clear();
            self.sink.head = 0;
        }
        let before = self.sink.queue.len();
        while self.sink.queue.len() == before {
            if self.pos >= self.bytes.len() {
                return self.end_of_input();
            }
            self.unit()?;
        }
        self.after = self.sink.queue.last().map(|token| token.kind);
        if self.sink.own_texts.is_full() {
            return Err(issues::source_too_large());
        }
        Ok(())
    }

    fn end_of_input(&mut self) -> Result<()> {
        self.check_epp_closed()?;
        let end = self.bytes.len();
        self.push(TokenKind::EndOfInput, end, end);
        Ok(())
    }

    /// Lexes one unit. There is at least one more byte.
    fn unit(&mut self) -> Result<Unit> {
        use TokenKind as K;
        let second = self.bytes.get(self.pos + 1).copied().unwrap_or(0);
        let third = self.bytes.get(self.pos + 2).copied().unwrap_or(0);
        let kind = match self.bytes[self.pos] {
            b' ' | b'\t' | b'\r' => return Ok(self.blanks()),
            b'\n' => return Ok(self.line_break()),
            b'#' => return Ok(self.line_comment()),
            b'a'..=b'z' | b'_' => return Ok(self.word()),
            b'A'..=b'Z' => return self.type_name(1, issues::illegal_class_reference),
            b'0'..=b'9' => return self.number().map(|()| Unit::Token),
            b'$' => return Ok(self.variable()),
            b'\'' => return self.single_quoted().map(|()| Unit::Token),
            b'"' => return self.double_quoted(),
            b':' if second == b':' => return self.qualified(),
            b'@' if second == b'(' => return self.heredoc().map(|()| Unit::Group),
            b'/' if second == b'*' => return self.block_comment(),
            b'/' => return self.regex_or_slash(),
            b'%' if second == b'>' && self.epp != EppMode::Off => {
                return self.epp_end(K::EppEnd, 2).map(|()| Unit::Group);
            }
            b'-' if second == b'%' && third == b'>' && self.epp != EppMode::Off => {
                return self.epp_end(K::EppEndTrim, 3).map(|()| Unit::Group);
            }
            b'[' if self.follows_white_space() => K::ListStart,
            b'[' => K::LeftBracket,
            b'(' if self.is_first_on_line() => K::LineParen,
            b'(' => K::LeftParen,
            b'{' => self.left_brace(),
            b'}' => {
                self.open_braces -= 1;
                K::RightBrace
            }
            byte => match operator(byte, second, third) {
                Some(kind) => kind,
                None => return Ok(self.other()),
            },
        };
        let length = kind.spelling().map_or(1, str::len);
        self.push(kind, self.pos, self.pos + length);
        self.pos += length;
        Ok(Unit::Token)
    }

    fn left_brace(&mut self) -> TokenKind {
        self.open_braces += 1;
        if self.after == Some(TokenKind::Question) { TokenKind::SelectorBrace } else { TokenKind::LeftBrace }
    }

    fn blanks(&mut self) -> Unit {
        let start = self.pos;
        while let Some(length) = blank_or_return(self.text, self.pos) {
            self.pos += length;
        }
        self.last_match = (self.pos > start).then_some((start, self.pos));
        Unit::Nothing
    }

    fn line_break(&mut self) -> Unit {
        self.pos = self.newline_jump.take().unwrap_or(self.pos + 1);
        self.line_start = self.pos;
        Unit::Nothing
    }

    fn line_comment(&mut self) -> Unit {
        let rest = &self.bytes[self.pos..];
        let end = self.pos + memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.matched(self.pos, end);
        self.pos = end;
        Unit::Nothing
    }

    fn block_comment(&mut self) -> Result<Unit> {
        let Some(length) = memchr::memmem::find(&self.bytes[self.pos + 2..], b"*/") else {
            return Err(self.place(issues::unclosed_comment(), self.pos));
        };
        let end = self.pos + length + 4;
        self.matched(self.pos, end);
        self.pos = end;
        Ok(Unit::Nothing)
    }

    /// Tells whether the character before is white space, or there is none.
    fn follows_white_space(&self) -> bool {
        match self.text[..self.pos].chars().next_back() {
            None | Some('\r' | '\n') => true,
            Some(character) => is_blank(character),
        }
    }

    /// Tells whether only blanks stand between the start of the line and here.
    fn is_first_on_line(&self) -> bool {
        let before = &self.text[self.line_start.min(self.pos)..self.pos];
        before.chars().all(|character| character == '\r' || is_blank(character))
    }

    fn word(&mut self) -> Unit {
        let start = self.pos;
        let (end, is_name) = bare_word(self.bytes, start);
        self.matched(start, end);
        self.pos = end;
        let text = &self.text[start..end];
        match TokenKind::keyword(text) {
            Some(keyword) => self.push(keyword, start, end),
            None if is_name => self.push_text(TokenKind::Name, start, end),
            None => self.push_text(TokenKind::Word, start, end),
        }
        Unit::Token
    }

    /// A type name; `faulty` is how far behind its end a dangling `::` is reported.
    fn type_name(&mut self, faulty: usize, issue: fn() -> Error) -> Result<Unit> {
        let start = self.pos;
        let end = type_name_end(self.bytes, start);
        if self.bytes[end..].starts_with(b"::") {
            return Err(self.place(issue(), end + faulty));
        }
        self.matched(start, end);
        self.pos = end;
        self.push_text(TokenKind::TypeName, start, end);
        Ok(Unit::Token)
    }

    /// `::` and what must follow it.
    fn qualified(&mut self) -> Result<Unit> {
        let start = self.pos;
        match self.bytes.get(start + 2) {
            Some(b'A'..=b'Z') => self.type_name(3, issues::illegal_qualified_class_reference),
            Some(b'a'..=b'z' | b'_') => {
                let (end, is_name) = bare_word(self.bytes, start);
                self.matched(start, end);
                self.pos = end;
                self.push_text(if is_name { TokenKind::Name } else { TokenKind::Word }, start, end);
                Ok(Unit::Token)
            }
            _ => Err(self.place(issues::illegal_qualified_name(), start + 2)),
        }
    }

    fn variable(&mut self) -> Unit {
        let start = self.pos;
        // A lone `$` is a variable without a name, which validation refuses with a better message.
        let end = variable_end(self.bytes, start + 1).unwrap_or(start + 1);
        self.matched(start, end);
        self.pos = end;
        let text = self.text_at(start + 1, end);
        self.push_token(TokenKind::Variable, start, end, text);
        Unit::Token
    }

    fn regex_or_slash(&mut self) -> Result<Unit> {
        let start = self.pos;
        let end = if self.takes_regex() { regex_end(self.bytes, start) } else { None };
        let Some(end) = end else {
            self.pos += 1;
            self.push(TokenKind::Slash, start, start + 1);
            return Ok(Unit::Token);
        };
        self.matched(start, end);
        self.pos = end;
        let inner = &self.text[start + 1..end - 1];
        let text = if inner.contains("\\/") {
            self.sink.own_texts.add(&inner.replace("\\/", "/"))
        } else {
            self.text_at(start + 1, end - 1)
        };
        // The reference compiles the pattern as it meets it, so a bad one ends the reading right here.
        hierarch_regex::check(self.text_of(text)).map_err(|error| self.place(error, start))?;
        self.push_token(TokenKind::Regex, start, end, text);
        Ok(Unit::Token)
    }

    /// Tells whether `/` may start a regular expression: not after anything that could be divided.
    fn takes_regex(&self) -> bool {
        use TokenKind as K;
        !matches!(
            self.after,
            Some(
                K::RightParen
                    | K::RightBracket
                    | K::CollectorEnd
                    | K::ExportedCollectorEnd
                    | K::Name
                    | K::TypeName
                    | K::Number
                    | K::String
                    | K::True
                    | K::False
                    | K::StringStart
                    | K::StringMiddle
                    | K::StringEnd
                    | K::Heredoc
                    | K::Regex
                    | K::Variable
                    | K::Word
            )
        )
    }

    /// A character that starts no token, unless it is one of Unicode's blanks.
    fn other(&mut self) -> Unit {
        if self.text.is_char_boundary(self.pos) && blank_or_return(self.text, self.pos).is_some() {
            return self.blanks();
        }
        // The whole character at once, so that positions stay between characters.
        let length = self.text[self.pos..].chars().next().map_or(1, char::len_utf8);
        self.push(TokenKind::Other, self.pos, self.pos + length);
        self.pos += length;
        Unit::Token
    }

    fn matched(&mut self, start: usize, end: usize) {
        self.last_match = Some((start, end));
    }

    /// Refers to a part of the text, which for a heredoc with a margin is not part of the source.
    fn text_at(&mut self, start: usize, end: usize) -> Text {
        match self.placement.in_source(start, end) {
            Some(text) => text,
            None => self.sink.own_texts.add(&self.text[start..end]),
        }
    }

    fn push(&mut self, kind: TokenKind, start: usize, end: usize) {
        self.push_token(kind, start, end, Text::default());
    }

    fn push_text(&mut self, kind: TokenKind, start: usize, end: usize) {
        let text = self.text_at(start, end);
        self.push_token(kind, start, end, text);
    }

    fn push_token(&mut self, kind: TokenKind, start: usize, end: usize, text: Text) {
        let span = self.placement.span(start, end);
        self.sink.queue.push(Token { kind, span, text });
    }

    fn place(&self, error: Error, pos: usize) -> Error {
        error.at(&self.source, self.point(pos))
    }

    fn warn(&mut self, warning: Diagnostic, pos: usize) {
        let warning = warning.at(&self.source, self.point(pos));
        self.sink.warnings.push(warning);
    }

    fn point(&self, pos: usize) -> Span {
        // Some places are reported a few bytes behind what was read, perhaps past the end or inside a character.
        let mut pos = pos.min(self.bytes.len());
        while !self.text.is_char_boundary(pos) {
            pos += 1;
        }
        Span::point(self.placement.offset(pos))
    }
}

#[cfg(test)]
mod tests;
