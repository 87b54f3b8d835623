//! JSON as Ruby's library reads it, and where it stumbles.
//!
//! A value that cannot be read is told by the list that it stands in, quoted from there on. An object says nothing: it is
//! itself a value that cannot be read.

use std::marker::PhantomData;

/// Collections inside collections; Ruby's own limit.
const DEPTH: usize = 100;

/// What can be made of JSON. `()` only checks a text.
pub trait FromJson: Sized {
    /// Makes `null`.
    fn null() -> Self;
    /// Makes `true` or `false`.
    fn truth(is_true: bool) -> Self;
    /// Makes a string.
    fn text(text: String) -> Self;
    /// Makes an integer of its digits, which may be more than 64 bits hold.
    fn integer(digits: &str) -> Self;
    /// Makes a number with a fraction or an exponent.
    fn float(number: f64) -> Self;
    /// Makes a list.
    fn list(items: Vec<Self>) -> Self;
    /// Makes an object; of pairs with the same name the last counts.
    fn object(pairs: Vec<(String, Self)>) -> Self;
}

impl FromJson for () {
    fn null() {}
    fn truth(_: bool) {}
    fn text(_: String) {}
    fn integer(_: &str) {}
    fn float(_: f64) {}
    fn list(_: Vec<Self>) {}
    fn object(_: Vec<(String, Self)>) {}
}

/// What is wrong with a text, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotJson {
    /// The byte from which Ruby quotes the text.
    pub from: usize,
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
    /// An escape names the first half of a character.
    HalfCharacter,
    /// Collections stand too deep inside each other: so many.
    TooDeep(usize),
}

/// Parses JSON.
///
/// ```
/// use hierarch_bits::json;
///
/// assert_eq!(json::parse::<()>("[1, 2.5] // numbers\n"), Ok(()));
/// assert_eq!(json::parse::<()>("[2024-02]").unwrap_err().from, 5);
/// ```
pub fn parse<T: FromJson>(text: &str) -> Result<T, NotJson> {
    let mut parser = Parser::<T>::of(text);
    parser.skip().map_err(|at| unexpected(at, at))?;
    if parser.at == text.len() {
        return Err(NotJson { kind: NotJsonKind::Empty, ..unexpected(text.len(), 0) });
    }
    let start = parser.at;
    let value = parser.value().map_err(|problem| told(problem, start))?;
    parser.skip().map_err(|at| unexpected(at, at))?;
    if parser.at < text.len() {
        return Err(unexpected(parser.at, parser.at));
    }
    Ok(value)
}

/// Tells for each value of a well-formed text which bytes it has: the keys and positions that lead to it, its start and its end.
pub fn each_value<T: FromJson>(text: &str, tell: Tell<'_, T>) {
    let mut parser = Parser::<T>::of(text);
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

/// Hears of each value.
pub type Tell<'a, T> = &'a mut dyn FnMut(&[T], usize, usize);

struct Parser<'t, T> {
    text: &'t str,
    at: usize,
    depth: usize,
    made: PhantomData<T>,
}

impl<'t, T: FromJson> Parser<'t, T> {
    fn of(text: &'t str) -> Self {
        Self { text, at: 0, depth: 0, made: PhantomData }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn no_value<U>(&self) -> Step<U> {
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

    fn value(&mut self) -> Step<T> {
        match self.rest().as_bytes().first() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(T::text),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Step<T> {
        for (word, made) in
            [("null", T::null as fn() -> T), ("true", || T::truth(true)), ("false", || T::truth(false))]
        {
            if self.rest().starts_with(word) {
                self.at += word.len();
                return Ok(made());
            }
        }
        self.refuse_no_numbers()?;
        self.no_value()
    }

    /// What other writers make of numbers that JSON has not.
    fn refuse_no_numbers(&self) -> Step<()> {
        if ["NaN", "Infinity", "-Infinity"].iter().any(|word| self.rest().starts_with(word)) {
            return Err(Problem::Told(unexpected(self.at, self.at)));
        }
        Ok(())
    }

    fn nested(&mut self, read: fn(&mut Self) -> Step<T>) -> Step<T> {
        self.depth += 1;
        if self.depth > DEPTH {
            let kind = NotJsonKind::TooDeep(self.depth);
            return Err(Problem::Told(NotJson { from: self.at, at: self.at, kind }));
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self) -> Step<T> {
        let mut pairs = Vec::new();
        self.skip_in_object()?;
        if self.take('}') {
            return Ok(T::object(pairs));
        }
        loop {
            let key = self.key()?;
            let value = self.value()?;
            pairs.push((key, value));
            self.skip_in_object()?;
            if self.take('}') {
                return Ok(T::object(pairs));
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

    fn array(&mut self) -> Step<T> {
        let mut items = Vec::new();
        self.skip_in_array()?;
        if self.take(']') {
            return Ok(T::list(items));
        }
        loop {
            let start = self.at;
            let item = self.value().map_err(|problem| Problem::Told(told(problem, start)))?;
            items.push(item);
            self.skip_in_array()?;
            if self.take(']') {
                return Ok(T::list(items));
            }
            if !self.take(',') {
                return Err(Problem::Told(unexpected(self.at, self.at)));
            }
            self.skip_in_array()?;
        }
    }

    fn skip_in_array(&mut self) -> Step<()> {
        self.skip().map_err(|at| Problem::Told(unexpected(at, at)))
    }

    fn string(&mut self) -> Step<String> {
        let start = self.at + 1;
        let Some(length) = string_length(&self.text[start..]) else { return self.no_value() };
        let mut out = String::with_capacity(length);
        let mut left = &self.text[start..start + length];
        while let Some((plain, escape)) = left.split_once('\\') {
            out.push_str(plain);
            let at = start + length - escape.len() - 1;
            left = unescape(escape, &mut out).ok_or(Problem::Told(NotJson {
                from: at,
                at,
                kind: NotJsonKind::HalfCharacter,
            }))?;
        }
        out.push_str(left);
        self.at = start + length + 1;
        Ok(out)
    }

    fn number(&mut self) -> Step<T> {
        self.refuse_no_numbers()?;
        let rest = self.rest();
        let Some(whole) = integer_length(rest) else { return self.no_value() };
        if let Some(length) = float_length(rest, whole)
            && let Ok(number) = rest[..length].parse()
        {
            self.at += length;
            return Ok(T::float(number));
        }
        self.at += whole;
        Ok(T::integer(&rest[..whole]))
    }

    /// Walks over a value, telling where it and what it holds stand.
    fn mark(&mut self, path: &mut Vec<T>, tell: Tell<'_, T>) -> Step<()> {
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

    fn mark_items(&mut self, is_object: bool, path: &mut Vec<T>, tell: Tell<'_, T>) -> Step<()> {
        let end = if is_object { '}' } else { ']' };
        let mut index = 0usize;
        loop {
            self.skip_in_object()?;
            if self.take(end) {
                return Ok(());
            }
            if self.take(',') {
                continue;
            }
            let key = if is_object { T::text(self.key()?) } else { T::integer(&index.to_string()) };
            index += 1;
            path.push(key);
            let item = self.mark(path, tell);
            path.pop();
            item?;
        }
    }
}

/// What is quoted from a place on; reading stopped at another.
fn unexpected(from: usize, at: usize) -> NotJson {
    NotJson { from, at, kind: NotJsonKind::Malformed }
}

/// Tells of a value that began at a place.
fn told(problem: Problem, start: usize) -> NotJson {
    match problem {
        Problem::NoValue { at } => unexpected(start, at),
        Problem::Told(error) => error,
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
