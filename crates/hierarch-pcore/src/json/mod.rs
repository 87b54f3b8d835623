//! JSON as Ruby's library reads it, to the words of its errors.

use hierarch_bits::json::{self, FromJson};
pub use hierarch_bits::json::{NotJsonKind, each_value};

use crate::value::symbol::BigInteger;
use crate::{Hash, Value, issues};

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

/// Parses JSON. What is wrong is told in the words of Ruby's library.
pub fn parse(text: &str) -> Result<Value, NotJson> {
    json::parse(text).map_err(|problem| {
        let rest = &text[problem.from..];
        let words = match problem.kind {
            NotJsonKind::TooDeep(depth) => issues::json_too_deep(depth),
            NotJsonKind::HalfCharacter => issues::incomplete_surrogate(rest),
            NotJsonKind::Empty | NotJsonKind::Malformed => issues::unexpected_token(rest),
        };
        NotJson { words, at: problem.at, kind: problem.kind }
    })
}

impl FromJson for Value {
    fn null() -> Self {
        Self::Undef
    }

    fn truth(is_true: bool) -> Self {
        Self::from(is_true)
    }

    fn text(text: String) -> Self {
        Self::from(text)
    }

    fn integer(digits: &str) -> Self {
        digits.parse().map_or_else(|_| BigInteger::value(digits.to_owned()), Self::Integer)
    }

    fn float(number: f64) -> Self {
        Self::Float(number)
    }

    fn list(items: Vec<Self>) -> Self {
        Self::array(items)
    }

    fn object(pairs: Vec<(String, Self)>) -> Self {
        Self::hash(pairs.into_iter().collect::<Hash>())
    }
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
