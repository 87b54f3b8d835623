//! The words of a Ruby file, tolerantly: enough to see which calls are made with which names.
//!
//! Comments, documentation and heredocs are passed over. What is not understood is a mark like any other.

use std::borrow::Cow;

/// One word of a Ruby file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A name, a constant with its `::`, a keyword or a number.
    Word(&'t str),
    /// `:name`, or `name:` before a value.
    Symbol(&'t str),
    /// A text in quotes.
    Text(Cow<'t, str>),
    /// `%w[…]` or `%i[…]`.
    Words(Vec<&'t str>),
    /// A regular expression and its flags.
    Pattern(&'t str, &'t str),
    /// Any other character.
    Mark(char),
}

/// Splits a Ruby file into words.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { text, at: 0, found: Vec::new(), heredocs: Vec::new() };
    while lexer.next().is_some() {}
    lexer.found
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    found: Vec<Token<'t>>,
    /// Heredocs that begin with the next line, by the words that end them.
    heredocs: Vec<&'t str>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<()> {
        let rest = self.rest();
        let c = rest.chars().next()?;
        match c {
            '\n' => self.line_break(),
            '#' => self.at += rest.find('\n').unwrap_or(rest.len()),
            '\'' | '"' | '`' => self.text_in(c),
            ':' if rest.starts_with("::") => self.at += 2,
            ':' => self.symbol(),
            '<' if rest.starts_with("<<") => self.heredoc(),
            '%' => self.percent(),
            '/' if self.may_be_pattern() => self.pattern(1, '/', '/'),
            _ if c.is_alphanumeric() || matches!(c, '_' | '@' | '$') => self.word(),
            _ if c.is_whitespace() => self.at += c.len_utf8(),
            _ => self.mark(c),
        }
        Some(())
    }

    fn mark(&mut self, c: char) {
        self.at += c.len_utf8();
        self.found.push(Token::Mark(c));
    }

    /// Goes to the next line, over heredocs and documentation between `=begin` and `=end`.
    fn line_break(&mut self) {
        self.at += 1;
        for end in std::mem::take(&mut self.heredocs) {
            self.skip_lines(|line| line.trim() == end);
        }
        if self.rest().starts_with("=begin") {
            self.skip_lines(|line| line.starts_with("=end"));
        }
        if self.rest().starts_with("__END__") {
            self.at = self.text.len();
        }
    }

    fn skip_lines(&mut self, is_last: impl Fn(&str) -> bool) {
        while self.at < self.text.len() {
            let line = self.rest().split('\n').next().unwrap_or_default();
            self.at = (self.at + line.len() + 1).min(self.text.len());
            if is_last(line) {
                return;
            }
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$' | '?' | '!');
        let mut length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // `Puppet::Type` is one word.
        while let Some(more) = rest[length..].strip_prefix("::").filter(|more| more.starts_with(is_part)) {
            length += 2 + more.find(|c| !is_part(c)).unwrap_or(more.len());
        }
        let word = &rest[..length];
        self.at += length;
        let after = &rest[length..];
        if after.starts_with(": ") || after.starts_with(":\n") {
            self.at += 1;
            self.found.push(Token::Symbol(word));
        } else {
            self.found.push(Token::Word(word));
        }
    }

    fn symbol(&mut self) {
        let rest = &self.rest()[1..];
        let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if length > 0 {
            self.found.push(Token::Symbol(&rest[..length]));
            self.at += 1 + length;
        } else {
            self.mark(':');
        }
    }

    fn text_in(&mut self, quote: char) {
        let inner = self.text_until(self.at + 1, quote, quote);
        let plain = inner.replace("\\'", "'").replace("\\\"", "\"");
        let value = if inner.contains('\\') { Cow::Owned(plain) } else { Cow::Borrowed(inner) };
        // `"name": value` is a symbol to Ruby; it comes to the same.
        self.found.push(Token::Text(value));
    }

    /// Reads up to a closing character, over escapes, nested brackets and `#{…}`, and goes behind it.
    fn text_until(&mut self, start: usize, open: char, close: char) -> &'t str {
        let mut depth = 0;
        let mut chars = self.text[start..].char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if c == '\\' {
                chars.next();
            } else if c == '#' && open == close && chars.peek().is_some_and(|(_, next)| *next == '{') {
                let _ = chars.find(|(_, c)| *c == '}');
            } else if c == close && depth == 0 {
                self.at = start + at + close.len_utf8();
                return &self.text[start..start + at];
            } else if c == close {
                depth -= 1;
            } else if c == open {
                depth += 1;
            }
        }
        self.at = self.text.len();
        &self.text[start..]
    }

    fn heredoc(&mut self) {
        let rest = self.rest();
        let name = rest[2..].trim_start_matches(['-', '~']).trim_start_matches(['\'', '"']);
        let length = name.find(|c: char| !(c.is_ascii_uppercase() || c == '_')).unwrap_or(name.len());
        if length == 0 {
            return self.mark('<');
        }
        self.heredocs.push(&name[..length]);
        let offset = rest.len() - name.len() + length;
        self.at += offset + usize::from(rest[offset..].starts_with(['\'', '"']));
        self.found.push(Token::Text("".into()));
    }

    fn percent(&mut self) {
        let mut chars = self.rest()[1..].chars();
        let kind = chars.next().unwrap_or(' ');
        let (kind, open, skip) = match kind {
            'w' | 'W' | 'i' | 'I' | 'q' | 'Q' | 'r' => (kind, chars.next().unwrap_or(' '), 3),
            '(' | '[' | '{' => ('Q', kind, 2),
            _ => return self.mark('%'),
        };
        let close = match open {
            '(' => ')',
            '[' => ']',
            '{' => '}',
            '<' => '>',
            '|' | '!' | '/' => open,
            _ => return self.mark('%'),
        };
        if kind == 'r' {
            return self.pattern(skip, open, close);
        }
        let inner = self.text_until(self.at + skip, open, close);
        self.found.push(match kind {
            'w' | 'W' | 'i' | 'I' => Token::Words(inner.split_whitespace().collect()),
            _ => Token::Text(inner.into()),
        });
    }

    /// A slash behind a value divides.
    fn may_be_pattern(&self) -> bool {
        let spaced = self.text[..self.at].ends_with([' ', '\n']) && !self.rest()[1..].starts_with([' ', '=']);
        match self.found.last() {
            Some(Token::Word(_)) => spaced,
            Some(Token::Mark(c)) => !matches!(c, ')' | ']' | '}'),
            Some(_) => false,
            None => true,
        }
    }

    fn pattern(&mut self, skip: usize, open: char, close: char) {
        let inner = self.text_until(self.at + skip, open, close);
        let rest = self.rest();
        let length = rest.find(|c| !matches!(c, 'i' | 'm' | 'x' | 'o' | 'u' | 'n')).unwrap_or(rest.len());
        self.at += length;
        self.found.push(Token::Pattern(inner, &rest[..length]));
    }
}
