//! `hocon_data`: a HOCON file, read as the Ruby library that Puppet uses reads it.
//!
//! [`parse`](parse::parse) makes a tree of assignments, [`resolve`](resolve::resolve) fills in substitutions and merges
//! objects. The keys of a later object come before those of an earlier one that it is merged with.

mod parse;
mod resolve;

use std::collections::HashMap;

use hierarch_pcore::Value;
use hierarch_source::Result;

use self::parse::{Node, Object, Placed};
use super::{Around, Backend, json};
use crate::document::Document;
use crate::issues;
use crate::marks::Marks;

pub(super) struct Hocon;

impl Backend for Hocon {
    fn name(&self) -> &'static str {
        "hocon_data"
    }

    fn read(&self, path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let value = read(&text, &around.settings.variables);
        let value = value.map_err(|problem| issues::unparsable(&format!("({path}): {problem}")))?;
        Ok(json::document_of(&value, self.name(), path)?.with_text(path, text, marks))
    }
}

/// Finds the places of the values in a text that is well-formed. What a substitution brings stands where it does.
fn marks(text: &str) -> Marks {
    let mut marks = Marks::default();
    if let Ok(root) = parse::parse(text) {
        mark_object(&root, &mut Vec::new(), &mut marks);
    }
    marks
}

fn mark_object(object: &Object, path: &mut Vec<Value>, marks: &mut Marks) {
    for (key, values) in &object.0 {
        path.push(Value::from(key.as_str()));
        values.iter().for_each(|value| mark(value, path, marks));
        path.pop();
    }
}

fn mark(value: &Placed, path: &mut Vec<Value>, marks: &mut Marks) {
    marks.put(path, value.start, value.end);
    match &value.node {
        Node::Object(object) => mark_object(object, path, marks),
        Node::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Value::from(index));
                mark(item, path, marks);
                path.pop();
            }
        }
        _ => {}
    }
}

/// Reads a text; variables fill in what it does not define.
pub(crate) fn read(text: &str, variables: &HashMap<String, String>) -> std::result::Result<Value, String> {
    resolve::resolve(&parse::parse(text)?, variables)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    fn check(text: &str, expected: &str) {
        let tree = super::parse::parse(text).expect(text);
        let value = super::resolve::resolve(&tree, &HashMap::new()).expect(text);
        assert_eq!(value.to_json(), expected, "{text}");
    }

    #[test]
    fn values_are_joined_where_they_stand_side_by_side() {
        check("a = one two, b = 1 s", r#"{"a":"one two","b":"1 s"}"#);
        check("l = [1] [2]\nl += 3", r#"{"l":[1,2,3]}"#);
        check("a = 1\nb = ${a}\nc = x${a}y", r#"{"a":1,"b":1,"c":"x1y"}"#);
    }

    #[test]
    fn later_objects_come_first_and_win() {
        check("a = {x: 1, y: 1}\na = {y: 2, z: 3}", r#"{"a":{"y":2,"z":3,"x":1}}"#);
        check("c.d = 1\nc.e.f = 10s", r#"{"c":{"e":{"f":"10s"},"d":1}}"#);
    }

    #[test]
    fn what_may_be_missing_vanishes() {
        check("a = ${?nope}, b = [${?nope}, 1], c = x${?nope}", r#"{"b":[1],"c":"x"}"#);
        check("n = 0010, f = 1.5, t = true, u = null", r#"{"n":8,"f":1.5,"t":true,"u":null}"#);
    }

    #[test]
    fn what_leads_to_itself_or_nowhere_is_refused() {
        for text in ["a = ${b}\nb = ${a}", "a = ${nope}", "a = {", "a = ]", "= 1", "a = \"x"] {
            let value =
                super::parse::parse(text).and_then(|tree| super::resolve::resolve(&tree, &HashMap::new()));
            assert!(value.is_err(), "{text}");
        }
    }
}
