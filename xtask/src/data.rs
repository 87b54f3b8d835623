//! YAML case files as JSON values, with every number, key and order kept.
//!
//! The reader is not the product's own, so that a mistake in that one cannot hide itself. Plain scalars are read by the
//! rules of whoever wrote the file: Ruby's for Hiera cases (`1e3` is text), JSON's for the others (`1e3` is a number).

use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value as Json, json};

/// Who wrote a file, hence what an unquoted word in it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writer {
    /// Ruby's Psych.
    Ruby,
    /// The Python recorder, which writes values as JSON.
    Json,
}

/// Reads one YAML document. Keys that are not strings become their JSON text, as the recorders write them.
pub fn from_yaml(text: &str, writer: Writer) -> Result<Json, String> {
    let mut reader = Reader { parser: Parser::new_from_str(text), anchors: HashMap::new(), writer };
    loop {
        match reader.next()? {
            Event::StreamStart | Event::DocumentStart(..) => {}
            Event::StreamEnd | Event::DocumentEnd => return Ok(Json::Null),
            event => return reader.node(event),
        }
    }
}

/// Returns the form of an integer that JSON values of this program cannot hold: its digits, marked as a number.
pub fn big_integer(digits: &str) -> Json {
    json!({ "integer": digits })
}

struct Reader<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    anchors: HashMap<usize, Json>,
    writer: Writer,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Event<'a>, String> {
        loop {
            match self.parser.next() {
                Some(Ok((Event::Comment(..), _))) => {}
                Some(Ok((event, _))) => return Ok(event),
                Some(Err(error)) => return Err(error.to_string()),
                None => return Ok(Event::StreamEnd),
            }
        }
    }

    fn node(&mut self, event: Event<'a>) -> Result<Json, String> {
        let (anchor, value) = match event {
            Event::Alias(anchor) => {
                return self
                    .anchors
                    .get(&anchor)
                    .cloned()
                    .ok_or_else(|| "an alias inside its anchor".to_owned());
            }
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let value = if plain { scalar(&text, self.writer) } else { Json::from(text.as_ref()) };
                (anchor, value)
            }
            Event::SequenceStart(_, anchor, _) => (anchor, self.list()?),
            Event::MappingStart(_, anchor, _) => (anchor, self.map()?),
            other => return Err(format!("unexpected {other:?}")),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        Ok(value)
    }

    fn list(&mut self) -> Result<Json, String> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                Event::SequenceEnd => return Ok(Json::Array(items)),
                event => items.push(self.node(event)?),
            }
        }
    }

    fn map(&mut self) -> Result<Json, String> {
        let mut map = Map::new();
        loop {
            let key = match self.next()? {
                Event::MappingEnd => return Ok(Json::Object(map)),
                event => match self.node(event)? {
                    Json::String(text) => text,
                    other => other.to_string(),
                },
            };
            let event = self.next()?;
            let value = self.node(event)?;
            if map.contains_key(&key) {
                return Err(format!("the key {key:?} stands twice in one map"));
            }
            map.insert(key, value);
        }
    }
}

fn scalar(text: &str, writer: Writer) -> Json {
    match text {
        "" | "~" | "null" => Json::Null,
        "true" => true.into(),
        "false" => false.into(),
        _ => number(text, writer).unwrap_or_else(|| text.into()),
    }
}

fn number(text: &str, writer: Writer) -> Option<Json> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // `007` is octal to some and decimal to others; the recorders write neither.
        let plain = digits == "0" || !digits.starts_with('0');
        return plain.then(|| integer(text));
    }
    let is_float = digits.contains('.') || writer == Writer::Json;
    let number = text.parse().ok().filter(|_| is_float).and_then(Number::from_f64);
    number.map(Json::Number)
}

fn integer(text: &str) -> Json {
    text.parse::<i64>()
        .map(Json::from)
        .or_else(|_| text.parse::<u64>().map(Json::from))
        .unwrap_or_else(|_| big_integer(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(yaml: &str, expected: &Json) {
        assert_eq!(&from_yaml(yaml, Writer::Ruby).expect("readable"), expected, "{yaml}");
    }

    #[test]
    fn scalars_are_read_as_the_recorders_wrote_them() {
        check(
            "[1, -1, 1.5, true, yes, ~, '1', 18446744073709551615, 0o7, 007, 1.0e+20, !!str 5, 1.2.3, -x]",
            &json!([1, -1, 1.5, true, "yes", null, "1", u64::MAX, "0o7", "007", 1e20, "5", "1.2.3", "-x"]),
        );
    }

    #[test]
    fn a_float_without_a_dot_is_text_to_ruby_and_a_number_to_json() {
        check("1e3", &json!("1e3"));
        assert_eq!(from_yaml("1e+3", Writer::Json), Ok(json!(1000.0)));
    }

    #[test]
    fn integers_beyond_64_bits_keep_their_digits() {
        check("123456789012345678901234567890", &big_integer("123456789012345678901234567890"));
        check("-123456789012345678901234567890", &big_integer("-123456789012345678901234567890"));
    }

    #[test]
    fn keys_become_text_and_keep_their_order() {
        check("{z: 1, 5: 2, true: 3, ~: 4}", &json!({"z": 1, "5": 2, "true": 3, "null": 4}));
        let read = from_yaml("{z: 1, a: 2}", Writer::Ruby).expect("readable");
        assert_eq!(read.to_string(), r#"{"z":1,"a":2}"#);
    }

    #[test]
    fn aliases_block_texts_and_carriage_returns_are_read() {
        check(
            "# x\r\na: &x |\r\n  one\r\n  two\r\nb: *x\r\nc:\r\n",
            &json!({"a": "one\ntwo\n", "b": "one\ntwo\n", "c": null}),
        );
        check("", &Json::Null);
    }

    #[test]
    fn a_key_that_stands_twice_and_broken_yaml_are_refused() {
        for text in ["{a: 1, a: 2}", "[1", "a: *x"] {
            assert!(from_yaml(text, Writer::Ruby).is_err(), "{text}");
        }
    }
}
