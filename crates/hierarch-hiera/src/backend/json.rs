//! `json_data`: a JSON file with a hash at its top, read as Ruby's JSON library reads it.
//!
//! Comments are accepted, the last of equal keys wins, numbers may be of any size.

use hierarch_pcore::value::symbol::BigInteger;
use hierarch_pcore::{Hash, Type, Value};
use hierarch_source::Result;

use super::{Around, Backend};
use crate::document::Document;
use crate::issues;
use crate::marks::Marks;
use crate::merge::type_mismatch;

pub(super) struct Json;

impl Backend for Json {
    fn name(&self) -> &'static str {
        "json_data"
    }

    fn read(&self, path: &str, bytes: Vec<u8>, _: &Around) -> Result<Document> {
        let text =
            String::from_utf8(bytes).map_err(|_| issues::unparsable(&format!("({path}): invalid UTF-8")))?;
        let value = parse(&text).map_err(|problem| issues::unparsable(&format!("({path}): {problem}")))?;
        Ok(document_of(&value, self.name(), path)?.with_text(path, text, Box::new(|text, _| marks(text))))
    }
}

/// Makes a document of a value, which must be a hash.
pub(super) fn document_of(value: &Value, function: &str, path: &str) -> Result<Document> {
    match value {
        Value::Hash(hash) => Ok(Document::of_hash(hash)),
        other => {
            let subject =
                format!("Value returned from data_hash function '{function}', when using location '{path}',");
            Err(type_mismatch(&subject, &Type::hash(), other))
        }
    }
}

/// Collections inside collections; Ruby's own limit.
const DEPTH: usize = 100;

/// Parses JSON. What is wrong is told in the words of Ruby's library.
pub(crate) fn parse(text: &str) -> std::result::Result<Value, String> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.skip()?;
    if parser.at == text.len() {
        return Err("JSON::ParserError".to_owned());
    }
    let value = parser.value()?;
    parser.skip()?;
    if parser.at < text.len() {
        return Err(parser.unexpected(parser.at));
    }
    Ok(value)
}

/// Finds the places of the values in a text that is well-formed.
pub(super) fn marks(text: &str) -> Marks {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let mut marks = Marks::default();
    // A text that was read before has no errors.
    let _ = parser.skip().and_then(|()| parser.mark(&mut Vec::new(), &mut marks));
    marks
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

type ParseResult<T> = std::result::Result<T, String>;

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn unexpected(&self, at: usize) -> String {
        format!("unexpected token at '{}'", &self.text[at..])
    }

    fn skip(&mut self) -> ParseResult<()> {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r']);
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                let end = comment.find("*/").ok_or_else(|| self.unexpected(self.at))?;
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self) -> ParseResult<Value> {
        let start = self.at;
        match self.rest().as_bytes().first() {
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::array),
            Some(b'"') => self.string().map(Value::from),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                for (word, value) in
                    [("null", Value::Undef), ("true", Value::from(true)), ("false", Value::from(false))]
                {
                    if self.rest().starts_with(word) {
                        self.at += word.len();
                        return Ok(value);
                    }
                }
                Err(self.unexpected(start))
            }
        }
    }

    /// Walks over a value, noting where it and its parts stand.
    fn mark(&mut self, path: &mut Vec<Value>, marks: &mut Marks) -> ParseResult<()> {
        let start = self.at;
        match self.rest().as_bytes().first() {
            Some(open @ (b'{' | b'[')) => {
                let is_object = *open == b'{';
                self.at += 1;
                self.mark_parts(is_object, path, marks)?;
            }
            _ => {
                self.value()?;
            }
        }
        marks.put(path, start, self.at, None);
        Ok(())
    }

    fn mark_parts(&mut self, is_object: bool, path: &mut Vec<Value>, marks: &mut Marks) -> ParseResult<()> {
        let end = if is_object { '}' } else { ']' };
        let mut index = 0;
        loop {
            self.skip()?;
            if self.take(end) {
                return Ok(());
            }
            if self.take(',') {
                continue;
            }
            let key = if is_object { Value::from(self.string()?) } else { Value::Integer(index) };
            index += 1;
            self.skip()?;
            if is_object && self.take(':') {
                self.skip()?;
            }
            path.push(key);
            let part = self.mark(path, marks);
            path.pop();
            part?;
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> ParseResult<Value>) -> ParseResult<Value> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(format!("nesting of {} is too deep", self.depth));
        }
        self.at += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn take(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += usize::from(found);
        found
    }

    fn object(&mut self) -> ParseResult<Value> {
        let start = self.at - 1;
        let mut hash = Hash::new();
        self.skip()?;
        if self.take('}') {
            return Ok(Value::hash(hash));
        }
        loop {
            self.skip()?;
            if !self.rest().starts_with('"') {
                return Err(self.unexpected(start));
            }
            let key = self.string()?;
            self.skip()?;
            if !self.take(':') {
                return Err(self.unexpected(start));
            }
            self.skip()?;
            let value = self.value()?;
            hash.insert(key, value);
            self.skip()?;
            if self.take('}') {
                return Ok(Value::hash(hash));
            }
            if !self.take(',') {
                return Err(self.unexpected(start));
            }
        }
    }

    fn array(&mut self) -> ParseResult<Value> {
        let mut items = Vec::new();
        self.skip()?;
        if self.take(']') {
            return Ok(Value::array(items));
        }
        loop {
            self.skip()?;
            items.push(self.value()?);
            self.skip()?;
            if self.take(']') {
                return Ok(Value::array(items));
            }
            if !self.take(',') {
                return Err(self.unexpected(self.at));
            }
        }
    }

    fn string(&mut self) -> ParseResult<String> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = self.rest();
            let end = rest.find(['"', '\\']).ok_or_else(|| self.unexpected(start))?;
            out.push_str(&rest[..end]);
            let is_end = rest.as_bytes()[end] == b'"';
            self.at += end + 1;
            if is_end {
                return Ok(out);
            }
            self.escape(&mut out).ok_or_else(|| self.unexpected(start))?;
        }
    }

    fn escape(&mut self, out: &mut String) -> Option<()> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' => out.push('\u{8}'),
            'f' => out.push('\u{c}'),
            'u' => out.push(self.unicode()?),
            other => out.push(other),
        }
        Some(())
    }

    fn unicode(&mut self) -> Option<char> {
        let high = self.hex()?;
        if (0xD800..0xDC00).contains(&high) && self.rest().starts_with("\\u") {
            self.at += 2;
            let low = self.hex()?;
            return char::from_u32(0x10000 + ((high - 0xD800) << 10) + (low.wrapping_sub(0xDC00) & 0x3FF));
        }
        Some(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Option<u32> {
        let number = u32::from_str_radix(self.rest().get(..4)?, 16).ok()?;
        self.at += 4;
        Some(number)
    }

    fn number(&mut self) -> ParseResult<Value> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        // A sign within ends the number, unless it is that of an exponent.
        let is_sign = |at: usize| at > 0 && matches!(rest.as_bytes()[at], b'-' | b'+');
        let has_exponent = |at: usize| matches!(rest.as_bytes()[at - 1], b'e' | b'E');
        let end = (0..end).find(|&at| is_sign(at) && !has_exponent(at)).unwrap_or(end);
        let text = &rest[..end];
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let has_leading_zero =
            digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit();
        let value = if has_leading_zero {
            None
        } else if is_integer {
            Some(text.parse().map_or_else(|_| BigInteger::value(text.to_owned()), Value::Integer))
        } else {
            text.parse().ok().map(Value::Float)
        };
        let value = value.ok_or_else(|| self.unexpected(self.at))?;
        self.at += end;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_repeated_keys_are_fine() {
        let value =
            parse("// c\n{\"a\": 1, /* d */ \"a\": [2, null, -1.5e3, \"\\u00e9\\n\"]}").expect("parsed");
        assert_eq!(value.to_json(), r#"{"a":[2,null,-1500.0,"é\n"]}"#);
    }

    #[test]
    fn malformed_text_is_quoted_from_where_it_goes_wrong() {
        assert_eq!(parse("{\"a\": x}").expect_err("malformed"), "unexpected token at 'x}'");
        assert!(parse("").is_err());
        assert!(parse(&"[".repeat(200)).is_err());
    }
}
