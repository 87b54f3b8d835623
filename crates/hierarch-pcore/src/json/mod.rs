//! JSON as Ruby's library reads it, to the words of its errors.
//!
//! A value that cannot be read is told by the list that it stands in, quoted from there on. An object says nothing: it is
//! itself a value that cannot be read.

use crate::value::symbol::BigInteger;
use crate::{Hash, Value, issues};

/// Collections inside collections; Ruby's own limit.
const DEPTH: usize = 100;

/// What is wrong with a text, and where reading it stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotJson {
    /// The words of Ruby's library.
    pub words: String,
    /// The byte at which reading stopped.
    pub at: usize,
    /// What kind of thing is wrong.
    pub kind: NotJsonKind,
}

/// What kind of thing is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotJsonKind {
    /// There is nothing but spaces and comments.
    Empty,
    /// Something stands where it must not, or is missing.
    Malformed,
    /// Collections stand too deep inside each other.
    TooDeep,
}

/// Parses JSON. What is wrong is told in the words of Ruby's library.
pub fn parse(text: &str) -> Result<Value, NotJson> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.skip().map_err(|at| parser.unexpected(at, at))?;
    if parser.at == text.len() {
        return Err(NotJson { kind: NotJsonKind::Empty, ..parser.unexpected(text.len(), 0) });
    }
    let start = parser.at;
    let value = parser.value().map_err(|problem| parser.told(problem, start))?;
    parser.skip().map_err(|at| parser.unexpected(at, at))?;
    if parser.at < text.len() {
        return Err(parser.unexpected(parser.at, parser.at));
    }
    Ok(value)
}

/// Tells for each value of a well-formed text which bytes it has: the keys and positions that lead to it, its start and its end.
pub fn each_value(text: &str, tell: Tell<'_>) {
    let mut parser = Parser { text, at: 0, depth: 0 };
    // A text that was read before has no errors.
    let _ =
        parser.skip().map_err(|at| Problem::NoValue { at }).and_then(|()| parser.mark(&mut Vec::new(), tell));
}

/// Why there is no value.
enum Problem {
    /// What the value stands in tells of it; reading stopped here.
    NoValue { at: usize },
    /// It is told of at once.
    Told(NotJson),
}

type Step<T> = Result<T, Problem>;

type Tell<'a> = &'a mut dyn FnMut(&[Value], usize, usize);

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Quotes the text from a place on; reading stopped at another.
    fn unexpected(&self, from: usize, at: usize) -> NotJson {
        NotJson { words: issues::unexpected_token(&self.text[from..]), at, kind: NotJsonKind::Malformed }
    }

    /// Tells of a value that began at a place.
    fn told(&self, problem: Problem, start: usize) -> NotJson {
        match problem {
            Problem::NoValue { at } => self.unexpected(start, at),
            Problem::Told(error) => error,
        }
    }

    fn no_value<T>(&self) -> Step<T> {
        Err(Problem::NoValue { at: self.at })
    }

    /// Goes on to what is neither space nor comment. A comment that does not end is an error where it should.
    fn skip(&mut self) -> Result<(), usize> {
        loop {
            let trimmed = self.rest().trim_start_matches([' ', '\t', '\n', '\r']);
            self.at = self.text.len() - trimmed.len();
            let Some(comment) = trimmed.strip_prefix('/') else { return Ok(()) };
            let end = match comment.as_bytes().first() {
                Some(b'/') => comment.find('\n').map(|end| end + 1),
                Some(b'*') => comment.get(1..).and_then(|rest| rest.find("*/")).map(|end| end + 3),
                Some(_) => return Err(self.at + 1),
                None => None,
            };
            self.at += 1 + end.ok_or(self.text.len())?;
        }
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += usize::from(found);
        found
    }

    fn value(&mut self) -> Step<Value> {
        match self.rest().as_bytes().first() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::from),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Step<Value> {
        for (word, value) in
            [("null", Value::Undef), ("true", Value::from(true)), ("false", Value::from(false))]
        {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.refuse_no_numbers()?;
        self.no_value()
    }

    /// What other writers make of numbers that JSON has not.
    fn refuse_no_numbers(&self) -> Step<()> {
        if ["NaN", "Infinity", "-Infinity"].iter().any(|word| self.rest().starts_with(word)) {
            return Err(Problem::Told(self.unexpected(self.at, self.at)));
        }
        Ok(())
    }

    fn nested(&mut self, read: fn(&mut Self) -> Step<Value>) -> Step<Value> {
        self.depth += 1;
        if self.depth > DEPTH {
            let words = issues::json_too_deep(self.depth);
            return Err(Problem::Told(NotJson { words, at: self.at, kind: NotJsonKind::TooDeep }));
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Step<Value> {
        let mut hash = Hash::new();
        self.skip_in_object()?;
        if self.take('}') {
            return Ok(Value::hash(hash));
        }
        loop {
            let key = self.key()?;
            let value = self.value()?;
            hash.insert(key, value);
            self.skip_in_object()?;
            if self.take('}') {
                return Ok(Value::hash(hash));
            }
            if !self.take(',') {
                return self.no_value();
            }
            self.skip_in_object()?;
        }
    }

    fn key(&mut self) -> Step<String> {
        if !self.rest().starts_with('"') {
            return self.no_value();
        }
        let key = self.string()?;
        self.skip_in_object()?;
        if !self.take(':') {
            return self.no_value();
        }
        self.skip_in_object()?;
        Ok(key)
    }

    fn skip_in_object(&mut self) -> Step<()> {
        self.skip().map_err(|at| Problem::NoValue { at })
    }

    fn array(&mut self) -> Step<Value> {
        let mut items = Vec::new();
        self.skip_in_array()?;
        if self.take(']') {
            return Ok(Value::array(items));
        }
        loop {
            let start = self.at;
            let item = self.value().map_err(|problem| Problem::Told(self.told(problem, start)))?;
            items.push(item);
            self.skip_in_array()?;
            if self.take(']') {
                return Ok(Value::array(items));
            }
            if !self.take(',') {
                return Err(Problem::Told(self.unexpected(self.at, self.at)));
            }
            self.skip_in_array()?;
        }
    }

    fn skip_in_array(&mut self) -> Step<()> {
        self.skip().map_err(|at| Problem::Told(self.unexpected(at, at)))
    }

    fn string(&mut self) -> Step<String> {
        let start = self.at + 1;
        let Some(length) = string_length(&self.text[start..]) else { return self.no_value() };
        let mut out = String::with_capacity(length);
        let mut left = &self.text[start..start + length];
        while let Some((plain, escape)) = left.split_once('\\') {
            out.push_str(plain);
            let at = start + length - escape.len() - 1;
            left = unescape(escape, &mut out).ok_or_else(|| {
                let words = issues::incomplete_surrogate(&self.text[at..]);
                Problem::Told(NotJson { words, at, kind: NotJsonKind::Malformed })
            })?;
        }
        out.push_str(left);
        self.at = start + length + 1;
        Ok(out)
    }

    fn number(&mut self) -> Step<Value> {
        self.refuse_no_numbers()?;
        let rest = self.rest();
        let Some(whole) = integer_length(rest) else { return self.no_value() };
        if let Some(length) = float_length(rest, whole)
            && let Ok(number) = rest[..length].parse()
        {
            self.at += length;
            return Ok(Value::Float(number));
        }
        self.at += whole;
        let text = &rest[..whole];
        Ok(text.parse().map_or_else(|_| BigInteger::value(text.to_owned()), Value::Integer))
    }

    /// Walks over a value, telling where it and what it holds stand.
    fn mark(&mut self, path: &mut Vec<Value>, tell: Tell<'_>) -> Step<()> {
        let start = self.at;
        match self.rest().as_bytes().first() {
            Some(open @ (b'{' | b'[')) => {
                let is_object = *open == b'{';
                self.at += 1;
                self.mark_items(is_object, path, tell)?;
            }
            _ => {
                self.value()?;
            }
        }
        tell(path, start, self.at);
        Ok(())
    }

    fn mark_items(&mut self, is_object: bool, path: &mut Vec<Value>, tell: Tell<'_>) -> Step<()> {
        let end = if is_object { '}' } else { ']' };
        let mut index = 0;
        loop {
            self.skip_in_object()?;
            if self.take(end) {
                return Ok(());
            }
            if self.take(',') {
                continue;
            }
            let key = if is_object { Value::from(self.key()?) } else { Value::Integer(index) };
            index += 1;
            path.push(key);
            let item = self.mark(path, tell);
            path.pop();
            item?;
        }
    }
}

/// Returns how long a string is up to its closing quote, if there is one and nothing in it that must not be.
fn string_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at),
            0..0x20 => return None,
            b'\\' if *bytes.get(at + 1)? < 0x20 => return None,
            b'\\' if bytes[at + 1] == b'u' => {
                bytes.get(at + 2..at + 6)?.iter().all(u8::is_ascii_hexdigit).then_some(())?;
                at += 6;
            }
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Writes what an escape means, and returns what follows it; none for half a character.
fn unescape<'t>(escape: &'t str, out: &mut String) -> Option<&'t str> {
    let mut chars = escape.chars();
    match chars.next()? {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        'b' => out.push('\u{8}'),
        'f' => out.push('\u{c}'),
        'u' => return unicode(escape, out),
        other => out.push(other),
    }
    Some(chars.as_str())
}

fn unicode<'t>(escape: &'t str, out: &mut String) -> Option<&'t str> {
    let hex = |text: &str| u32::from_str_radix(text.get(1..5)?, 16).ok();
    let (high, rest) = (hex(escape)?, escape.get(5..)?);
    if !(0xD800..0xDC00).contains(&high) {
        out.push(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
        return Some(rest);
    }
    let low = rest.strip_prefix('\\').filter(|rest| rest.starts_with('u'))?;
    let code = 0x10000 + ((high - 0xD800) << 10) + (hex(low)? & 0x3FF);
    out.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    low.get(5..)
}

/// Returns how many bytes at the start are an integer that no digit follows.
fn integer_length(text: &str) -> Option<usize> {
    let sign = usize::from(text.starts_with('-'));
    match digits(&text[sign..]) {
        0 => None,
        count if count > 1 && text[sign..].starts_with('0') => None,
        count => Some(sign + count),
    }
}

/// Returns how many bytes at the start are a number with a fraction or an exponent, and nothing behind it that looks like more.
fn float_length(text: &str, whole: usize) -> Option<usize> {
    let mut end = whole;
    if let Some(fraction) = text[end..].strip_prefix('.') {
        let count = digits(fraction);
        if count == 0 {
            return None;
        }
        end += 1 + count;
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let sign = usize::from(exponent.starts_with(['+', '-']));
        let count = digits(&exponent[sign..]);
        if count == 0 {
            return None;
        }
        end += 1 + sign + count;
    }
    let goes_on = text[end..].starts_with(['e', 'E', '.', '-']);
    (end > whole && !goes_on).then_some(end)
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[text, "ok", Ruby's inspect]` or `[text, "err", message]`, asked from Ruby 3.3 with json 2.7.2.
    const ASKED: &str = include_str!("asked.jsonl");

    #[test]
    fn texts_are_read_or_refused_in_the_words_of_ruby() {
        for line in ASKED.lines() {
            let Ok(Value::Array(asked)) = parse(line) else { panic!("{line}") };
            let asked: Vec<&str> = asked.iter().filter_map(Value::as_str).collect();
            let [text, outcome, expected] = asked.as_slice() else { panic!("{line}") };
            match parse(text) {
                Ok(value) => assert_eq!((*outcome, inspected(&value).as_str()), ("ok", *expected), "{text}"),
                Err(error) => assert_eq!((*outcome, *expected), ("err", error.words.as_str()), "{text}"),
            }
        }
    }

    /// The values above are few: texts, numbers and what holds them.
    fn inspected(value: &Value) -> String {
        match value {
            Value::Undef => "nil".to_owned(),
            Value::Float(number) if number.is_infinite() => "Infinity".to_owned(),
            Value::Array(items) => {
                format!("[{}]", items.iter().map(inspected).collect::<Vec<_>>().join(", "))
            }
            Value::Hash(hash) => {
                let pairs: Vec<String> = hash
                    .iter()
                    .map(|(key, value)| format!("{}=>{}", inspected(key), inspected(value)))
                    .collect();
                format!("{{{}}}", pairs.join(", "))
            }
            other => other.to_json(),
        }
    }

    #[test]
    fn comments_and_repeated_keys_are_fine() {
        let value =
            parse("// c\n{\"a\": 1, /* d */ \"a\": [2, null, -1.5e3, \"\\u00e9\\n\"]}").expect("parsed");
        assert_eq!(value.to_json(), r#"{"a":[2,null,-1500.0,"é\n"]}"#);
    }

    #[test]
    fn the_place_is_where_reading_stopped() {
        for (text, at) in
            [("{\"a\": x}", 6), ("{\"a\": 1 \"b\": 2}", 8), ("[1, {\"a\": 01}]", 10), ("[1 2]", 3)]
        {
            assert_eq!(parse(text).expect_err("malformed").at, at, "{text}");
        }
        assert!(parse("").is_err());
        assert!(parse(&"[".repeat(200)).is_err());
    }
}
