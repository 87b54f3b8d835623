//! Quoted text and what is interpolated into it.
//!
//! `"a ${x} b"` becomes the tokens *string start* `a `, those of the expression, *string end* ` b`.
//! A lone word inside `${…}` stands for a variable, as does a first word before `[` or `.`.

use hierarch_source::Result;

use super::escape::{DOUBLE_QUOTED, Escapes, unescape, unescape_single_quoted};
use super::{DEEPEST_STRING, Lexer, Unit, variable_end};
use crate::ast::Text;
use crate::issues;
use crate::token::{Token, TokenKind};

/// How a text with interpolations ends and what can stop it.
#[derive(Clone, Copy)]
pub(super) struct Quoting {
    /// Whether `"` ends it; otherwise the end of the text does.
    pub(super) quoted: bool,
    /// Whether `$` interpolates.
    pub(super) interpolates: bool,
    pub(super) escapes: Escapes,
}

const DOUBLE_QUOTES: Quoting = Quoting { quoted: true, interpolates: true, escapes: DOUBLE_QUOTED };

/// What stopped a run of literal text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    /// The closing quote, or the end of the text.
    End,
    /// `${`
    Expression,
    /// `$` and the end of the variable's name.
    Variable(usize),
}

/// Literal text up to a stop.
struct Run {
    text: Text,
    /// Where the stop begins.
    end: usize,
    stop: Stop,
}

impl Lexer<'_> {
    pub(super) fn single_quoted(&mut self) -> Result<()> {
        let start = self.pos;
        self.pos += 1;
        let Some(end) = quote_end(self.bytes, self.pos) else {
            let error = issues::unclosed_quote("\"'\"", &self.followed_by());
            return Err(self.place(error, self.pos));
        };
        let inner = &self.text[self.pos..end];
        let text = if inner.contains('\\') {
            let mut value = String::with_capacity(inner.len());
            unescape_single_quoted(inner, &mut value);
            self.sink.own_texts.add(&value)
        } else {
            self.text_at(self.pos, end)
        };
        self.matched(end.saturating_sub(1), end + 1);
        self.pos = end + 1;
        self.push_token(TokenKind::String, start, end + 1, text);
        Ok(())
    }

    pub(super) fn double_quoted(&mut self) -> Result<Unit> {
        let start = self.pos;
        self.matched(start, start + 1);
        self.pos += 1;
        self.interpolated(start, DOUBLE_QUOTES)
    }

    /// Lexes a text with interpolations; its first part counts from `start`.
    pub(super) fn interpolated(&mut self, start: usize, quoting: Quoting) -> Result<Unit> {
        self.sink.depth += 1;
        if self.sink.depth > DEEPEST_STRING {
            return Err(self.place(issues::nesting_too_deep(DEEPEST_STRING), start));
        }
        let unit = self.interpolated_parts(start, quoting)?;
        self.sink.depth -= 1;
        Ok(unit)
    }

    fn interpolated_parts(&mut self, start: usize, quoting: Quoting) -> Result<Unit> {
        let mut from = start;
        let mut kinds = (TokenKind::String, TokenKind::StringStart);
        let mut unit = Unit::Token;
        loop {
            let run = self.literal_run(quoting)?;
            match run.stop {
                Stop::End => {
                    self.push_token(kinds.0, from, self.pos, run.text);
                    return Ok(unit);
                }
                Stop::Expression => {
                    self.push_token(kinds.1, from, self.pos, run.text);
                    self.expression()?;
                }
                Stop::Variable(end) => {
                    self.push_token(kinds.1, from, run.end, run.text);
                    let name = self.text_at(run.end + 1, end);
                    self.push_token(TokenKind::Variable, run.end, end, name);
                    self.matched(run.end + 1, end);
                    self.pos = end;
                }
            }
            from = self.pos;
            kinds = (TokenKind::StringEnd, TokenKind::StringMiddle);
            unit = Unit::Group;
        }
    }

    /// Lexes the tokens of `${…}` up to its closing brace.
    fn expression(&mut self) -> Result<()> {
        let outer_braces = self.open_braces;
        self.open_braces += 1;
        let first = self.sink.queue.len();
        self.blanks();
        while self.pos < self.bytes.len() {
            match self.unit()? {
                Unit::Nothing => {
                    self.blanks();
                }
                // What a group leaves behind as the last token is not what `/` looks at: so the reference has it.
                Unit::Group => {}
                Unit::Token => {
                    let kind = self.sink.queue.last().map(|token| token.kind);
                    self.after = kind;
                    if kind == Some(TokenKind::RightBrace) && self.open_braces == outer_braces {
                        self.sink.queue.pop();
                        self.name_to_variable(first);
                        return Ok(());
                    }
                }
            }
        }
        // The text ended inside the braces: the literal run that comes next reports the unclosed quote.
        Ok(())
    }

    /// `${x}`, `${x[…]}` and `${x.…}` mean the variable `x`.
    fn name_to_variable(&mut self, first: usize) {
        let tokens = &self.sink.queue[first..];
        let stands_for_variable = match tokens {
            [_] => true,
            [_, second, ..] => matches!(second.kind, TokenKind::Dot | TokenKind::LeftBracket),
            [] => false,
        };
        let Some(&token) = tokens.first().filter(|_| stands_for_variable) else { return };
        let is_word = matches!(token.kind, TokenKind::Number | TokenKind::Name | TokenKind::Word);
        if is_word || token.kind.is_keyword() {
            let text = match token.kind.spelling() {
                Some(spelling) => self.sink.own_texts.add(spelling),
                None => token.text,
            };
            self.sink.queue[first] = Token { kind: TokenKind::Variable, text, ..token };
        }
    }

    /// Reads literal text up to what stops it. A `$` that starts no variable belongs to the text.
    fn literal_run(&mut self, quoting: Quoting) -> Result<Run> {
        let start = self.pos;
        let mut value: Option<String> = None;
        loop {
            let piece = self.pos;
            let Some(found) = self.find_stop(piece, quoting) else { return Err(self.unclosed()) };
            let has_escapes =
                memchr::memchr(b'\\', &self.bytes[piece..found.at]).is_some() && quoting.escapes.any();
            self.last_match = Some((found.from, found.at + found.length));
            self.pos = found.at + found.length;
            if has_escapes {
                let value = value.get_or_insert_with(|| self.text[start..piece].to_owned());
                self.unescape_piece(piece, found.at, quoting.escapes, value)?;
            } else if let Some(value) = &mut value {
                value.push_str(&self.text[piece..found.at]);
            }
            let stop = if found.length == 2 {
                Stop::Expression
            } else if self.bytes.get(found.at) != Some(&b'$') {
                Stop::End
            } else if let Some(end) = variable_end(self.bytes, self.pos) {
                Stop::Variable(end)
            } else {
                self.last_match = None;
                if let Some(value) = &mut value {
                    value.push('$');
                }
                continue;
            };
            let text = match value {
                Some(value) => self.sink.own_texts.add(&value),
                None => self.text_at(start, found.at),
            };
            return Ok(Run { text, end: found.at, stop });
        }
    }

    fn unescape_piece(
        &mut self,
        start: usize,
        end: usize,
        escapes: Escapes,
        value: &mut String,
    ) -> Result<()> {
        let mut warnings = Vec::new();
        let done = unescape(&self.text[start..end], escapes, value, |warning| warnings.push(warning));
        let pos = self.pos;
        for warning in warnings {
            self.warn(warning, pos);
        }
        done.map_err(|_| self.place(issues::illegal_unicode_escape(), pos))
    }

    /// Finds what stops literal text: a `$`, `${` or the end, none of them behind an odd backslash.
    fn find_stop(&self, from: usize, quoting: Quoting) -> Option<FoundStop> {
        let escaped = quoting.quoted || quoting.escapes.dollar();
        let stops = |byte: u8| (quoting.quoted && byte == b'"') || (quoting.interpolates && byte == b'$');
        let bytes = self.bytes;
        if escaped && bytes.get(from).is_some_and(|&byte| stops(byte)) {
            // A stop right at the start is passed over as text when another follows at once, as in `"""`.
            let next = from + 1 + bytes[from + 1..].iter().take_while(|&&byte| byte == b'\\').count();
            let pairs = (next - from - 1).is_multiple_of(2);
            if pairs && bytes.get(next).is_some_and(|&byte| stops(byte)) {
                return Some(self.found(from, next));
            }
            return Some(self.found(from, from));
        }
        let mut at = from;
        while let Some(step) = next_stop(&bytes[at..], quoting) {
            at += step;
            let backslashes = bytes[from..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
            if !escaped || backslashes % 2 == 0 {
                return Some(self.found((at - backslashes).saturating_sub(1).max(from), at));
            }
            at += 1;
        }
        // A heredoc's text ends where it ends; a quoted one has no end then.
        (!quoting.quoted).then_some(FoundStop { from: bytes.len(), at: bytes.len(), length: 0 })
    }

    fn found(&self, from: usize, at: usize) -> FoundStop {
        let is_expression = self.bytes[at] == b'$' && self.bytes.get(at + 1) == Some(&b'{');
        FoundStop { from, at, length: if is_expression { 2 } else { 1 } }
    }

    fn unclosed(&self) -> hierarch_source::Error {
        let last = self.last_match.map_or("", |(start, end)| self.text.get(start..end).unwrap_or_default());
        let after = if last == "'" { "\"'\"".to_owned() } else { format!("'{last}'") };
        self.place(issues::unclosed_quote(&after, &self.followed_by()), self.pos)
    }

    /// Quotes the next five characters for a message.
    pub(super) fn followed_by(&self) -> String {
        if self.pos >= self.bytes.len() {
            return "<eof>".to_owned();
        }
        let next: String = self.text[self.pos..].chars().take(5).collect();
        next.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r") + "..."
    }
}

/// A stop: where the pattern that found it starts, where the stop itself is, and how long it is.
struct FoundStop {
    from: usize,
    at: usize,
    length: usize,
}

fn next_stop(bytes: &[u8], quoting: Quoting) -> Option<usize> {
    match (quoting.quoted, quoting.interpolates) {
        (true, _) => memchr::memchr2(b'"', b'$', bytes),
        (false, true) => memchr::memchr(b'$', bytes),
        (false, false) => None,
    }
}

/// Finds the quote that closes a single-quoted string.
fn quote_end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    if bytes.get(from) == Some(&b'\'') {
        // As with double quotes, a quote right at the start is text when another follows at once.
        let next = from + 1 + bytes[from + 1..].iter().take_while(|&&byte| byte == b'\\').count();
        let pairs = (next - from - 1).is_multiple_of(2);
        return Some(if pairs && bytes.get(next) == Some(&b'\'') { next } else { from });
    }
    loop {
        at += memchr::memchr(b'\'', &bytes[at..])?;
        let backslashes = bytes[from..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_trees, check_words};

    #[test]
    fn texts_in_double_quotes_are_taken_apart() {
        check_trees(&[
            (r#""a""#, r#""a""#),
            (r#""a$x""#, r#"(concat "a" (str (var "x")))"#),
            (r#""a${x}b""#, r#"(concat "a" (str (var "x")) "b")"#),
            (r#""${x}""#, r#"(concat (str (var "x")))"#),
            (r#""$x""#, r#"(concat (str (var "x")))"#),
            (r#""${x}${y}""#, r#"(concat (str (var "x")) (str (var "y")))"#),
            (r#""a$""#, r#""a$""#),
            (r#""a$ b""#, r#""a$ b""#),
            (r#""$""#, r#""$""#),
            (r#""${}""#, "Syntax error at '' (line: 1, column: 5)"),
            (r#""\$x""#, r#""$x""#),
            (r#""\${x}""#, r#""${x}""#),
            (r#""$x::y""#, r#"(concat (str (var "x::y")))"#),
            (r#""$x:y""#, r#"(concat (str (var "x")) ":y")"#),
            (r#""$x::""#, r#"(concat (str (var "x")) "::")"#),
            (r#""${x::y}""#, r#"(concat (str (var "x::y")))"#),
            (r#""$::x""#, r#"(concat (str (var "::x")))"#),
            (r#""$x-y""#, r#"(concat (str (var "x")) "-y")"#),
            (r#""$_x""#, r#"(concat (str (var "_x")))"#),
            (r#""$1""#, r#"(concat (str (var "1")))"#),
            (r#""${1}""#, r#"(concat (str (var "1")))"#),
            (r#""${x[1]}""#, r#"(concat (str (access (var "x") 1)))"#),
            (r#""${x['a']}""#, r#"(concat (str (access (var "x") "a")))"#),
            (r#""$x[1]""#, r#"(concat (str (var "x")) "[1]")"#),
            (r#""${x.y}""#, r#"(concat (str (call-method {:functor (. (var "x") (qn "y")) :args []})))"#),
            (r#""${x.y()}""#, r#"(concat (str (call-method {:functor (. (var "x") (qn "y")) :args []})))"#),
            (
                r#""${x.map |$y| { $y }}""#,
                r#"(concat (str (call-method {:functor (. (var "x") (qn "map")) :args [] :block (lambda {:params {:y {}} :body [(var "y")]})})))"#,
            ),
            (r#""${f(1)}""#, r#"(concat (str (call {:functor (qn "f") :args [1]})))"#),
            (r#""${'a'}""#, r#"(concat (str "a"))"#),
            (r#""${"b"}""#, r#"(concat (str "b"))"#),
            (r#""${if}""#, r#"(concat (str (var "if")))"#),
            (r#""${class}""#, r#"(concat (str (var "class")))"#),
            (r#""${$x}""#, r#"(concat (str (var "x")))"#),
            (r#""${[1, 2]}""#, "(concat (str (array 1 2)))"),
            (r#""${{a => 1}}""#, r#"(concat (str (hash (=> (qn "a") 1))))"#),
            (r#""${1 + 2}""#, "(concat (str (+ 1 2)))"),
            (r#""${x }""#, r#"(concat (str (var "x")))"#),
            (r#""${ x}""#, r#"(concat (str (var "x")))"#),
            (r#""a\nb\tc\sd\re""#, r#""a\nb\tc d\re""#),
            (r#""\u00e9\u{1F600}""#, r#""é😀""#),
            (r#""\x""#, r#""\\x""#),
            ("\"a\nb\"", r#""a\nb""#),
            ("''", r#""""#),
            (r"'a\'b'", r#""a'b""#),
            (r"'a\\b'", r#""a\\b""#),
            (r"'a\nb'", r#""a\\nb""#),
            ("'$x'", r#""$x""#),
        ]);
    }

    #[test]
    fn texts_without_their_end() {
        check_words(&[
            (r#""a"#, r#"Unclosed quote after '"' followed by 'a...' (line: 1, column: 2)"#),
            ("'a", r#"Unclosed quote after "'" followed by 'a...' (line: 1, column: 2)"#),
            (r#""${x"#, "Unclosed quote after 'x' followed by '<eof>' (line: 1, column: 5)"),
            (r#""${x""#, r#"Unclosed quote after '"' followed by '<eof>' (line: 1, column: 6)"#),
            (r#""a${"#, "Unclosed quote after '' followed by '<eof>' (line: 1, column: 5)"),
            (r#""\u12""#, "valid"),
            (r#""\u{}""#, "valid"),
            (r#""${""#, r#"Unclosed quote after '"' followed by '<eof>' (line: 1, column: 5)"#),
            ("\"a\nb", r#"Unclosed quote after '"' followed by 'a\nb...' (line: 1, column: 2)"#),
        ]);
    }
}
