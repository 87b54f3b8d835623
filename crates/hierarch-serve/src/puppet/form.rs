//! The fields of an agent's form, and the facts in it, which are escaped twice.

use std::collections::BTreeMap;

use hierarch_pcore::{Hash, Value};

use super::Refusal;
use crate::http::decoded;
use crate::question::to_value;

/// Fields by name.
pub(super) struct Form {
    fields: BTreeMap<String, String>,
}

impl Form {
    /// Reads `name=text&…`.
    pub(super) fn parse(text: &str) -> Result<Self, Refusal> {
        let mut fields = BTreeMap::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let read =
                |text: &str| decoded(text, true).map_err(|problem| Refusal::plain(400, problem.detail));
            fields.insert(read(name)?, read(value)?);
        }
        Ok(Self { fields })
    }

    /// Returns a field that says something.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.fields.get(name).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Reads the facts of a node; none if the agent sends none.
    pub(super) fn facts(&self, node: &str) -> Result<Option<Hash>, Refusal> {
        let Some(text) = self.get("facts") else { return Ok(None) };
        let failed = |why: String| Refusal::failure(500, "RUNTIME_ERROR", format!("Server Error: {why}"));
        let bad = |why: &str| failed(format!("Could not intern from json: {why}"));
        match self.get("facts_format") {
            Some("application/json" | "text/json" | "pson" | "text/pson" | "json") => {}
            Some(_) => return Err(failed("Unsupported facts format".to_owned())),
            None => return Err(failed(format!("Facts but no fact format provided for {node}"))),
        }
        // Agents escape them once more than a form needs; once is accepted.
        let once = serde_json::from_str(text).ok();
        let twice = || decoded(text, true).ok().and_then(|text| serde_json::from_str(&text).ok());
        let facts: serde_json::Value = once.or_else(twice).ok_or_else(|| bad("the facts are not JSON"))?;
        match to_value(facts.get("values").unwrap_or(&facts)) {
            Value::Hash(hash) => Ok(Some((*hash).clone())),
            _ => Err(bad("the facts are no object")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_escaped_once_or_twice() {
        let once = "facts_format=application%2Fjson&facts=%7B%22name%22%3A%22a%22%2C%22values%22%3A%7B%22role%22%3A%22web%22%7D%7D";
        let twice = "facts_format=pson&facts=%257B%2522role%2522%253A%2522web%2522%257D";
        for text in [once, twice] {
            let facts = Form::parse(text).expect("a form").facts("a").expect("facts").expect("some");
            assert_eq!(facts.get_str("role").and_then(Value::as_str), Some("web"), "{text}");
        }
        assert_eq!(Form::parse("environment=x").expect("a form").facts("a").expect("none"), None);
        for (text, words) in [
            ("facts=%7B&facts_format=pson", "Could not intern from json: "),
            ("facts=1&facts_format=pson", "Could not intern from json: "),
            ("facts=%7B%7D", "Facts but no fact format provided for a"),
            ("facts=%7B%7D&facts_format=b64_zlib_yaml", "Unsupported facts format"),
        ] {
            let refusal = Form::parse(text).expect("a form").facts("a").expect_err(text);
            assert!(refusal.status == 500 && refusal.message.contains(words), "{text}: {refusal:?}");
        }
    }
}
