//! `hocon_data`: a HOCON file, read as the Ruby library that Puppet uses reads it.
//!
//! [`parse`](parse::parse) makes a tree of assignments, [`resolve`](resolve::resolve) fills in substitutions and merges
//! objects. The keys of a later object come before those of an earlier one that it is merged with.

mod include;
mod index;
mod parse;
mod resolve;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::{Place as SourcePlace, Result, Source, Span};

use self::include::Place;
use self::parse::{Expression, NotHocon, Object, PlacedValue};
use super::{Around, Backend, json};
use crate::document::{Document, MalformedText};
use crate::issues;
use crate::marks::Marks;
use crate::settings::LookupLimits;

pub(super) struct Hocon;

impl Backend for Hocon {
    fn name(&self) -> &'static str {
        "hocon_data"
    }

    fn read(&self, path: &str, bytes: Vec<u8>, around: &Around) -> Result<Document> {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let problem = |problem: NotHocon| issues::malformed_data(problem.in_file(path, &text));
        let left = Cell::new(include::MOST_FILES);
        let place = Place { files: Some(around.files), source: None, depth: 0, outside: 0, left: &left };
        let tree = parse::parse(&text, &place).map_err(problem)?;
        let (variables, limits) = (&around.settings.variables, &around.settings.limits);
        let value = resolve::resolve(&tree, variables, limits).map_err(problem)?;
        let document = json::document_of(&value, self.name(), path)?;
        Ok(document.with_text(path, text, Box::new(move |_, _| marks(&tree))))
    }
}

impl NotHocon {
    /// Says it of a file.
    fn in_file(self, path: &str, text: &str) -> MalformedText {
        let shown = |(at, source): (usize, Option<Arc<Source>>)| {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            SourcePlace::new(&source.unwrap_or_else(|| Source::new(path, text)), Span::new(at, at))
        };
        MalformedText { words: format!("({path}): {}", self.words), place: self.at.map(shown), hint: None }
    }
}

/// Finds the places of the values. What a substitution brings stands where it does.
fn marks(root: &Object) -> Marks {
    let mut marks = Marks::default();
    mark_object(root, &mut Vec::new(), &mut marks);
    marks
}

fn mark_object(object: &Object, path: &mut Vec<Value>, marks: &mut Marks) {
    for (key, values) in &object.0 {
        path.push(Value::from(key.as_str()));
        values.iter().for_each(|value| mark(value, path, marks));
        path.pop();
    }
}

fn mark(value: &PlacedValue, path: &mut Vec<Value>, marks: &mut Marks) {
    marks.put(path, value.start, value.end, value.source.as_ref());
    match &value.node {
        Expression::Object(object) => mark_object(object, path, marks),
        Expression::List(items) => {
            for (index, item) in items.iter().enumerate() {
                path.push(Value::from(index));
                mark(item, path, marks);
                path.pop();
            }
        }
        Expression::Added { item, .. } => mark(item, path, marks),
        _ => {}
    }
}

/// Reads a text that includes no files; variables fill in what it does not define.
pub(crate) fn read(text: &str, variables: &HashMap<String, String>) -> std::result::Result<Value, String> {
    read_marked(text, variables).map(|(value, _)| value)
}

/// Does so, and finds where its values stand.
pub(crate) fn read_marked(
    text: &str,
    variables: &HashMap<String, String>,
) -> std::result::Result<(Value, Marks), String> {
    let left = Cell::new(0);
    let place = Place { files: None, source: None, depth: 0, outside: 0, left: &left };
    let words = |problem: NotHocon| problem.words;
    let tree = parse::parse(text, &place).map_err(words)?;
    let value = resolve::resolve(&tree, variables, &LookupLimits::default()).map_err(words)?;
    Ok((value, marks(&tree)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let value = super::read(text, &HashMap::new()).expect(text);
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

    /// The reference breaks down on these.
    #[test]
    fn objects_that_substitutions_bring_are_merged() {
        let base = "base {x = 1, y {z = 2}}\n";
        check(
            &format!("{base}in = ${{base}}\nin {{w = ${{in.x}}, v = ${{in.y.z}}}}\nin.y.u = 5"),
            r#"{"base":{"x":1,"y":{"z":2}},"in":{"y":{"u":5,"z":2},"w":1,"v":2,"x":1}}"#,
        );
        check(
            &format!("{base}t = ${{base}} {{x = 9}}\ns = ${{t.x}}"),
            r#"{"base":{"x":1,"y":{"z":2}},"t":{"x":9,"y":{"z":2}},"s":9}"#,
        );
    }

    #[test]
    fn substitutions_that_grow_without_end_are_refused() {
        let mut text = "a0 = [1, 1]\n".to_owned();
        for n in 1..60 {
            text.push_str(&format!("a{n} = [${{a{}}}, ${{a{}}}]\n", n - 1, n - 1));
        }
        assert!(super::read(&text, &HashMap::new()).expect_err("a bomb").contains("more than"));
    }

    /// Each of these took minutes, or the whole stack.
    #[test]
    fn much_of_everything_is_linear_or_refused() {
        let read = |text: &str| super::read(text, &HashMap::new());
        let count = 5_000;
        let added: String = (0..count).map(|n| format!("l += {n}\n")).collect();
        let list = read(&added).expect("a list");
        assert_eq!(
            list.as_hash().and_then(|hash| hash.get_str("l")?.as_array()).map(<[_]>::len),
            Some(count)
        );
        let keys: String = (0..count).map(|n| format!("a.k{n} = {n}\nb{n} = ${{a.k{n}}}\n")).collect();
        assert!(read(&keys).is_ok_and(|value| value.as_hash().is_some_and(|hash| hash.len() == count + 1)));
        for (text, words) in [
            (format!("{}a = 1", "a.".repeat(10_000)), "more than 200"),
            (format!("{} {} ", "a {".repeat(10_000), "}".repeat(10_000)), "more than 200"),
            ("a = ${a} [1]\n".repeat(10_000), "more than"),
        ] {
            let problem = read(&format!("a = []\n{text}")).expect_err("refused");
            assert!(problem.contains(words), "{problem}");
        }
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        let left = Cell::new(0);
        let around = Place { files: None, source: None, depth: 0, outside: 0, left: &left };
        for (text, place) in [
            ("a = 1\nb = [1, 2\nc = 3", "file: f.conf, line: 3, column: 3"),
            ("a = 1\nb = ${nope}\n", "file: f.conf, line: 2, column: 12"),
        ] {
            let tree = parse::parse(text, &around);
            let limits = LookupLimits::default();
            let value = tree.and_then(|tree| resolve::resolve(&tree, &HashMap::new(), &limits));
            let shown = value.expect_err(text).in_file("f.conf", text).place.expect("a place");
            assert_eq!(shown.to_string(), place, "{text}");
        }
    }

    #[test]
    fn what_leads_to_itself_or_nowhere_is_refused() {
        for text in ["a = ${b}\nb = ${a}", "a = ${nope}", "a = {", "a = ]", "= 1", "a = \"x"] {
            assert!(super::read(text, &HashMap::new()).is_err(), "{text}");
        }
    }
}
