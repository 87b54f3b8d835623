//! Just enough of Rust's grammar to find words, functions and comments without being fooled by strings.

/// A word or a sign, and the line it stands on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// The word, or the sign as a text of one character.
    pub text: String,
    /// The line, counted from 1.
    pub line: usize,
}

/// A source text taken apart.
#[derive(Clone, Default, Debug)]
pub struct Scanned {
    /// Words and signs outside comments and literals.
    pub tokens: Vec<Token>,
    /// Comments, with the line each begins on.
    pub comments: Vec<Token>,
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The line of its `fn`.
    pub line: usize,
    /// How many lines it has, from `fn` to the closing brace.
    pub length: usize,
}

/// Takes a source text apart.
pub fn scan(text: &str) -> Scanned {
    let mut scanner = Scanner { chars: text.chars().collect(), at: 0, line: 1, found: Scanned::default() };
    while scanner.step() {}
    scanner.found
}

struct Scanner {
    chars: Vec<char>,
    at: usize,
    line: usize,
    found: Scanned,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn bump(&mut self) -> char {
        let char = self.peek(0);
        self.line += usize::from(char == '\n');
        self.at += 1;
        char
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    /// Takes one token, comment or literal; false at the end.
    fn step(&mut self) -> bool {
        match (self.peek(0), self.peek(1)) {
            _ if self.at >= self.chars.len() => return false,
            ('/', '/') => self.comment(|scanner| scanner.peek(0) == '\n'),
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(),
            ('\'', _) => self.quote(),
            ('b' | 'c', 'r') if matches!(self.peek(2), '"' | '#') => self.skip(1),
            ('r', '"' | '#') if self.raw_string() => {}
            (char, _) if char.is_alphanumeric() || char == '_' => self.word(),
            (char, _) => {
                if !char.is_whitespace() {
                    self.found.tokens.push(Token { text: char.to_string(), line: self.line });
                }
                self.bump();
            }
        }
        true
    }

    fn word(&mut self) {
        let (line, mut text) = (self.line, String::new());
        while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
            text.push(self.bump());
        }
        // The prefix of `b"…"` or `c"…"`: what follows is scanned as the string it is.
        if !(matches!(text.as_str(), "b" | "c") && matches!(self.peek(0), '"' | '\'')) {
            self.found.tokens.push(Token { text, line });
        }
    }

    fn comment(&mut self, ends: impl Fn(&Self) -> bool) {
        let (line, mut text) = (self.line, String::new());
        while self.at < self.chars.len() && !ends(self) {
            text.push(self.bump());
        }
        self.found.comments.push(Token { text, line });
    }

    fn block_comment(&mut self) {
        let (line, mut text, mut depth) = (self.line, String::new(), 0_usize);
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                _ => {
                    text.push(self.bump());
                    continue;
                }
            }
            text.extend([self.bump(), self.bump()]);
            if depth == 0 {
                break;
            }
        }
        self.found.comments.push(Token { text, line });
    }

    fn string(&mut self) {
        self.bump();
        while self.at < self.chars.len() {
            match self.bump() {
                '"' => break,
                '\\' => drop(self.bump()),
                _ => {}
            }
        }
    }

    /// A character, or a lifetime, which ends without a quote.
    fn quote(&mut self) {
        self.bump();
        if self.peek(0) == '\\' {
            self.bump();
            self.bump();
            while self.at < self.chars.len() && self.bump() != '\'' {}
        } else if self.peek(1) == '\'' {
            self.bump();
            self.bump();
        }
    }

    /// Takes `r"…"`, `r#"…"#` and so on; false if it is a raw identifier.
    fn raw_string(&mut self) -> bool {
        let hashes = self.chars[self.at + 1..].iter().take_while(|char| **char == '#').count();
        if self.peek(1 + hashes) != '"' {
            return false;
        }
        self.skip(hashes + 2);
        while self.at < self.chars.len() {
            if self.bump() == '"' && (0..hashes).all(|ahead| self.peek(ahead) == '#') {
                self.skip(hashes);
                break;
            }
        }
        true
    }
}

impl Scanned {
    /// Returns all functions that have a body.
    pub fn functions(&self) -> Vec<Function> {
        let starts = self.tokens.windows(2).enumerate().filter(|(_, pair)| pair[0].text == "fn");
        starts.filter_map(|(index, pair)| self.function(index, &pair[1].text)).collect()
    }

    fn function(&self, start: usize, name: &str) -> Option<Function> {
        // `fn(u8)` is a type.
        name.starts_with(|first: char| first.is_alphabetic() || first == '_').then_some(())?;
        let rest = &self.tokens[start..];
        // An array type such as `[u8; 4]` may stand before the body, so a `;` counts only outside brackets.
        let mut brackets = 0_i32;
        let open = rest.iter().position(|token| {
            brackets += i32::from(token.text == "[") - i32::from(token.text == "]");
            token.text == "{" || (token.text == ";" && brackets == 0)
        })?;
        (rest[open].text == "{").then_some(())?;
        let mut depth = 0_usize;
        let close = rest[open..].iter().find(|token| {
            match token.text.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        let line = rest[0].line;
        Some(Function { name: name.to_owned(), line, length: close.line - line + 1 })
    }

    /// Tells on which lines a sequence of tokens stands.
    pub fn lines_with<'a>(&'a self, words: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
        let runs = self.tokens.windows(words.len());
        runs.filter(move |run| run.iter().zip(words).all(|(token, word)| token.text == *word))
            .map(|run| run[0].line)
    }

    /// Tells on which lines a sequence of tokens stands, up to where the tests begin.
    pub fn lines_outside_tests<'a>(&'a self, words: &'a [&str]) -> impl Iterator<Item = usize> + 'a {
        let tests = self.lines_with(&["#", "[", "cfg", "(", "test", ")", "]"]).next().unwrap_or(usize::MAX);
        self.lines_with(words).filter(move |line| *line < tests)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        scan(text).tokens.into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn strings_characters_and_comments_hide_what_is_in_them() {
        assert_eq!(words(r#"a("x \" {") b"#), "a ( ) b");
        assert_eq!(words("a(b\"{\", br#\"}\"}\"#, '{', '\\'', b'{')"), "a ( , , , , )");
        assert_eq!(words("a /* { /* } */ */ b // {\nc"), "a b c");
        assert_eq!(words("fn f<'a>(x: &'a str) {}"), "fn f < a > ( x : & a str ) { }");
        assert_eq!(words("r#type + \"\\u{1F600}\" + '\\u{7f}'"), "r # type + +");
    }

    #[test]
    fn a_function_is_as_long_as_its_lines() {
        let text = "fn a();\nfn b(f: fn(u8) -> [u8; 4]) {\n  {\n  }\n}\nimpl X { fn c(&self) { } }\n";
        let functions: Vec<_> =
            scan(text).functions().into_iter().map(|f| (f.name, f.line, f.length)).collect();
        assert_eq!(functions, [("b".to_owned(), 2, 4), ("c".to_owned(), 6, 1)]);
    }

    #[test]
    fn sequences_are_found_where_they_stand() {
        let scanned = scan("use std::env;\nlet x = 1;\nenv::var(\"X\");\n");
        assert_eq!(scanned.lines_with(&["env", ":", ":"]).collect::<Vec<_>>(), [3]);
    }
}
