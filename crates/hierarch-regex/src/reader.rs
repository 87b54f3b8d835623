//! The pattern being read, and what its escapes of single characters stand for.

use super::translate::{Problem, is_repeated};

/// The pattern being read.
pub(super) struct Reader<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a str) -> Self {
        Self { source, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub(super) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Takes plain characters, up to one that has a meaning or is repeated.
    pub(super) fn plain_run(&mut self, extended: bool) -> Vec<char> {
        let mut run = Vec::new();
        while let Some(c) = self.rest().chars().next() {
            let has_meaning = r"\[](){}|^$.*+?#".contains(c) || (extended && c.is_ascii_whitespace());
            if has_meaning || is_repeated(&self.rest()[c.len_utf8()..]) {
                break;
            }
            run.push(c);
            self.at += c.len_utf8();
        }
        run
    }

    fn digits(&mut self, radix: u32, most: usize) -> &'a str {
        let length = self.rest().chars().take(most).take_while(|c| c.is_digit(radix)).count();
        let digits = &self.rest()[..length];
        self.at += length;
        digits
    }

    /// Reads the rest of an escape that stands for one character; `c` follows the backslash.
    pub(super) fn character_escape(&mut self, c: char) -> Result<char, Problem> {
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            'x' | '0'..='7' => {
                let first = self.escaped_byte(c)?;
                return self.character_of_bytes(first);
            }
            'u' => {
                let digits = self.digits(16, 4);
                return code(if digits.len() < 4 { "" } else { digits }, 16, "invalid Unicode escape");
            }
            'c' => return self.control(),
            'C' if self.take('-') => return self.control(),
            'C' => return Err("too short control escape".into()),
            'M' => return Err("too short meta escape".into()),
            c => c,
        })
    }

    /// Reads the byte that is written after a backslash in hexadecimal or octal digits; `c` follows the backslash.
    fn escaped_byte(&mut self, c: char) -> Result<u8, Problem> {
        let (digits, radix) = if c == 'x' {
            (self.digits(16, 2), 16)
        } else {
            self.at -= 1;
            (self.digits(8, 3), 8)
        };
        if digits.is_empty() {
            return Err("invalid hex escape".into());
        }
        u8::from_str_radix(digits, radix).map_err(|_| "invalid escape code".into())
    }

    /// Reads on after an escaped byte: those of a character beyond ASCII stand one after another.
    fn character_of_bytes(&mut self, first: u8) -> Result<char, Problem> {
        let needed = match first {
            0..=0x7f => 1,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return Err("invalid multibyte escape".into()),
        };
        let mut bytes = vec![first];
        while bytes.len() < needed {
            if !self.take('\\') {
                return Err("too short escaped multibyte character".into());
            }
            match self.next() {
                Some(c @ ('x' | '0'..='7')) => bytes.push(self.escaped_byte(c)?),
                _ => return Err("unexpected escape sequence".into()),
            }
        }
        let text = String::from_utf8(bytes).map_err(|_| "invalid multibyte escape")?;
        text.chars().next().ok_or_else(|| "invalid multibyte escape".into())
    }

    fn control(&mut self) -> Result<char, Problem> {
        let c = self.next().ok_or("too short control escape")?;
        Ok(char::from((u32::from(c) & 0x1f) as u8))
    }

    /// Reads `{61 62}` after `\u`.
    pub(super) fn unicode_list(&mut self) -> Result<Vec<char>, Problem> {
        let end = self.rest().find('}').ok_or("invalid Unicode list")?;
        let list = &self.rest()[1..end];
        self.at += end + 1;
        list.split_whitespace().map(|digits| code(digits, 16, "invalid Unicode range")).collect()
    }
}

fn code(digits: &str, radix: u32, problem: &str) -> Result<char, Problem> {
    u32::from_str_radix(digits, radix).ok().and_then(char::from_u32).ok_or_else(|| problem.into())
}
