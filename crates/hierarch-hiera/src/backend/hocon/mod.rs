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

    /// Texts, and what Ruby's hocon makes of them: JSON, or nothing.
    const TEXTS: &[(&str, &str)] = &[
        ("a = 1", r#"{"a":1}"#),
        ("a: 1", r#"{"a":1}"#),
        ("a { b = 1 }", r#"{"a":{"b":1}}"#),
        ("a.b = 1", r#"{"a":{"b":1}}"#),
        ("a.b.c = 1, a.b.d = 2", r#"{"a":{"b":{"d":2,"c":1}}}"#),
        ("{a: 1}", r#"{"a":1}"#),
        (r#"{"a": 1}"#, r#"{"a":1}"#),
        ("a = 1\nb = 2", r#"{"a":1,"b":2}"#),
        ("a = [1\n2\n3]", r#"{"a":[1,2,3]}"#),
        ("a = [1, 2,]", r#"{"a":[1,2]}"#),
        ("a = [,]", "fails"),
        ("a = {b: 1,}", r#"{"a":{"b":1}}"#),
        ("a = yes", r#"{"a":"yes"}"#),
        ("a = null", r#"{"a":null}"#),
        ("a = 1e3", r#"{"a":1000}"#),
        ("a = -5", r#"{"a":-5}"#),
        ("a = x y z", r#"{"a":"x y z"}"#),
        (r#"a = "x" y"#, r#"{"a":"x y"}"#),
        (r#"a = x"y"z"#, r#"{"a":"xyz"}"#),
        ("a = \"\"\"multi\nline\"\"\"", r#"{"a":"multi\nline"}"#),
        (r#"a = """a"b""""#, r#"{"a":"a\"b"}"#),
        (r#"a = "\n\u0041""#, r#"{"a":"\nA"}"#),
        (r#""a b" = 1"#, r#"{"a b":1}"#),
        (r#""a.b" = 1"#, r#"{"a.b":1}"#),
        (r#"a."b.c".d = 1"#, r#"{"a":{"b.c":{"d":1}}}"#),
        ("# c\na = 1", r#"{"a":1}"#),
        ("// c\na = 1", r#"{"a":1}"#),
        ("a = 1 # c", r#"{"a":1}"#),
        ("a = x // c", r#"{"a":"x"}"#),
        (r#"a = "x # y""#, r#"{"a":"x # y"}"#),
        ("a = 1, a = 2", r#"{"a":2}"#),
        ("a = {b: 1}, a = {c: 2}", r#"{"a":{"c":2,"b":1}}"#),
        ("a = {b: 1}, a = 5", r#"{"a":5}"#),
        ("a = 5, a = {b: 1}", r#"{"a":{"b":1}}"#),
        ("a = [1], a = [2]", r#"{"a":[2]}"#),
        ("a = ${b}, b = 1", r#"{"a":1,"b":1}"#),
        ("a = ${?nope}", "{}"),
        ("a = [${?nope}]", r#"{"a":[]}"#),
        ("a = x${?nope}y", r#"{"a":"xy"}"#),
        ("b = {c: 1}, a = ${b} {d: 2}", r#"{"b":{"c":1},"a":{"d":2,"c":1}}"#),
        ("b = [1], a = ${b} [2]", r#"{"b":[1],"a":[1,2]}"#),
        ("a = [1] [2]", r#"{"a":[1,2]}"#),
        ("a = {b: 1} {c: 2}", r#"{"a":{"c":2,"b":1}}"#),
        ("b = x, a = ${b}y", r#"{"b":"x","a":"xy"}"#),
        ("a += 1", r#"{"a":[1]}"#),
        ("a = [1], a += 2", r#"{"a":[1,2]}"#),
        ("a = 1, a += 2", "fails"),
        ("path = a, path = ${path}b", r#"{"path":"ab"}"#),
        ("a { b = ${c} }, c = 3", r#"{"a":{"b":3},"c":3}"#),
        ("a.b = 1, a.c = ${a.b}", r#"{"a":{"c":1,"b":1}}"#),
        ("a = 10 b", r#"{"a":"10 b"}"#),
        ("a = 10b", r#"{"a":"10b"}"#),
        ("a = 1.", r#"{"a":"1."}"#),
        ("a = 1e+3", r#"{"a":1000}"#),
        ("a = 1.e3", r#"{"a":"1.e3"}"#),
        ("a = -1.", r#"{"a":"-1."}"#),
        ("a = 1.5.", r#"{"a":"1.5."}"#),
        ("a = +1", "fails"),
        ("a = 01", r#"{"a":1}"#),
        ("a = 1e5x", r#"{"a":"1e5x"}"#),
        ("a = .5", r#"{"a":".5"}"#),
        ("a = 0x1", r#"{"a":"0x1"}"#),
        ("a = 1 2", r#"{"a":"1 2"}"#),
        ("a =", "fails"),
        ("a", "fails"),
        ("a = }", "fails"),
        ("{a = 1", "fails"),
        ("a = 1}", "fails"),
        ("[1, 2]", "fails"),
        ("", "{}"),
        ("{}", "{}"),
        ("a = [1", "fails"),
        (r#"a = "x"#, "fails"),
        ("= 1", "fails"),
        ("a b = 1", r#"{"a b":1}"#),
        ("a : : 1", "fails"),
        ("a = ${", "fails"),
        ("a = ${b", "fails"),
        ("a = ${b c}", "fails"),
        ("a = $b", "fails"),
        ("a = @x", "fails"),
        ("a = x:y", "fails"),
        ("a = x=y", "fails"),
        ("a = x+y", "fails"),
        ("a = a/b", r#"{"a":"a/b"}"#),
        ("a = 5 # x\nb = 6", r#"{"a":5,"b":6}"#),
        (r#"a."" = 1"#, r#"{"a":{"":1}}"#),
        ("a = [[1], [2]]", r#"{"a":[[1],[2]]}"#),
        ("a = [{b: 1}, {c: 2}]", r#"{"a":[{"b":1},{"c":2}]}"#),
        (r#"a = [1, "x", true, null]"#, r#"{"a":[1,"x",true,null]}"#),
        ("a.b = 1, a = null", r#"{"a":null}"#),
        ("a = null, a.b = 1", r#"{"a":{"b":1}}"#),
        ("a = [x y, z]", r#"{"a":["x y","z"]}"#),
        ("a = 1;b = 2", "fails"),
        ("a = http://x", "fails"),
        ("a = http", r#"{"a":"http"}"#),
        ("a = tr ue", r#"{"a":"tr ue"}"#),
        ("a=1,,b=2", "fails"),
        ("a = 9223372036854775808", r#"{"a":9223372036854775808}"#),
        ("a = 1_000", r#"{"a":"1_000"}"#),
        ("ä = ö", r#"{"ä":"ö"}"#),
        ("a-b = 1", r#"{"a-b":1}"#),
        ("1 = 2", r#"{"1":2}"#),
        ("1.2 = 3", r#"{"1":{"2":3}}"#),
        ("true = 1", r#"{"true":1}"#),
        (r#"a = 1 "b" 2"#, r#"{"a":"1 b 2"}"#),
        ("a = {\n b = 1\n c = 2\n}\n", r#"{"a":{"b":1,"c":2}}"#),
        ("a = 1\r\nb = 2\r\n", r#"{"a":1,"b":2}"#),
        ("a =\n  1", r#"{"a":1}"#),
        ("a {\n}\n", r#"{"a":{}}"#),
        ("a = [\n\n1\n\n]", r#"{"a":[1]}"#),
    ];

    #[test]
    fn texts_are_read_as_the_library_of_ruby_reads_them() {
        let mut wrong = Vec::new();
        for (text, expected) in TEXTS {
            let value = super::read(text, &HashMap::new());
            let found = value.map_or_else(|_| "fails".to_owned(), |value| value.to_json());
            if found != *expected {
                wrong.push(format!("{text:?}\n   is {found}\n  not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
