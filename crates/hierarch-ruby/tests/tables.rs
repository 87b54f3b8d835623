//! What is true of every method in the tables, so that no entry can be forgotten.

use std::collections::BTreeSet;

use hierarch_ruby::ScriptLimits;
use hierarch_ruby::core::specs;
use hierarch_ruby::run::outcome;

fn shown(code: &str) -> String {
    let limits = ScriptLimits { steps: 200_000, ..ScriptLimits::default() };
    outcome(code, limits).unwrap_or_else(|failure| failure.to_string())
}

/// An object of each class that has most of the methods.
const RECEIVERS: &[(&str, &str)] = &[
    ("Array", "[3, 1, 2]"),
    ("Hash", "{ a: 1 }"),
    ("String", "'abc'.dup"),
    ("Symbol", ":abc"),
    ("Integer", "7"),
    ("Float", "1.5"),
    ("Range", "(1..3)"),
    ("NilClass", "nil"),
    ("TrueClass", "true"),
    ("FalseClass", "false"),
    ("Proc", "proc { |x| x }"),
    ("Regexp", "/a(b)/"),
    ("Time", "Time.at(0)"),
    ("Exception", "RuntimeError.new('x')"),
    ("Comparable", "7"),
    ("Enumerable", "[3, 1, 2].each_entry"),
];

/// Methods for which another method of the same name goes before, because the object is of a class below.
const HIDDEN: &[&str] = &["Comparable", "Enumerable", "Exception"];

#[test]
fn too_many_arguments_are_refused_by_their_number() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for (class, receiver) in RECEIVERS.iter().filter(|(class, _)| !HIDDEN.contains(class)) {
        let spec = specs().find(|spec| spec.name == *class).unwrap_or_else(|| panic!("no {class}"));
        for method in spec.methods.iter().flat_map(|table| table.iter()) {
            let Ok(most) = usize::try_from(method.most) else { continue };
            if method.is_private || !method.keywords.is_empty() {
                continue;
            }
            let arguments = vec!["1"; most + 1].join(", ");
            let got = shown(&format!("({receiver}).public_send(:\"{}\", {arguments}) {{ }}", method.name));
            asked += 1;
            let given = format!("given {}", most + 1);
            if !got.starts_with("ArgumentError: wrong number of arguments") || !got.contains(&given) {
                wrong.push(format!("{class}#{}: {got}", method.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked > 300, "{asked} methods");
}

#[test]
fn too_few_arguments_are_refused_by_their_number() {
    let mut wrong = Vec::new();
    for (class, receiver) in RECEIVERS.iter().filter(|(class, _)| !HIDDEN.contains(class)) {
        let spec = specs().find(|spec| spec.name == *class).unwrap_or_else(|| panic!("no {class}"));
        let methods = spec.methods.iter().flat_map(|table| table.iter());
        for method in methods.filter(|method| method.least > 0 && !method.is_private) {
            let got = shown(&format!("({receiver}).public_send(:\"{}\")", method.name));
            if !got.starts_with("ArgumentError: wrong number of arguments (given 0") {
                wrong.push(format!("{class}#{}: {got}", method.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

/// A method with a bang changes its object, so it refuses one that is frozen, and leaves it as it was. Only `scrub!` looks first
/// whether there is anything to change, in Ruby too.
#[test]
fn what_is_frozen_does_not_change() {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for class in ["Array", "Hash", "String"] {
        let (_, receiver) = RECEIVERS.iter().find(|(known, _)| *known == class).expect("a receiver");
        let spec = specs().find(|spec| spec.name == class).expect("a table");
        let methods = spec.methods.iter().flat_map(|table| table.iter());
        for method in methods.filter(|method| method.name.ends_with('!') && method.name != "scrub!") {
            let arguments = vec!["1"; usize::from(method.least)].join(", ");
            let code = format!(
                "x = ({receiver}).freeze; before = x.inspect; e = begin; x.{}({arguments}) {{ true }}; nil; rescue FrozenError, TypeError, ArgumentError => e; e.class; end; [e, x.inspect == before]",
                method.name
            );
            let got = shown(&code);
            asked += 1;
            if !got.ends_with("true]") || got.starts_with("[nil") {
                wrong.push(format!("{class}#{}: {got}", method.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {asked}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(asked > 40, "{asked} methods");
}

/// The tables, `instance_methods` and `respond_to?` say the same.
#[test]
fn every_method_is_known_by_its_name() {
    for (class, receiver) in RECEIVERS {
        let spec = specs().find(|spec| spec.name == *class).unwrap_or_else(|| panic!("no {class}"));
        let names: BTreeSet<&str> = spec
            .methods
            .iter()
            .flat_map(|table| table.iter())
            .filter(|method| !method.is_private)
            .map(|method| method.name)
            .collect();
        let list: Vec<String> = names.iter().map(|name| format!(":\"{name}\"")).collect();
        let code = format!("x = ({receiver}); [{}].reject {{ |name| x.respond_to?(name) }}", list.join(", "));
        assert_eq!(shown(&code), "[]", "{class}");
        let code = format!("[{}] - {class}.instance_methods", list.join(", "));
        assert_eq!(shown(&code), "[]", "{class}");
    }
}

#[test]
fn no_table_has_a_name_twice() {
    for spec in specs() {
        for (kind, tables) in [("#", spec.methods), (".", spec.singleton)] {
            let mut seen = BTreeSet::new();
            for method in tables.iter().flat_map(|table| table.iter()) {
                assert!(seen.insert(method.name), "{}{kind}{} is there twice", spec.name, method.name);
                assert!(
                    method.most < 0 || u8::try_from(method.most).is_ok_and(|most| most >= method.least),
                    "{}{kind}{} takes fewer arguments than it needs",
                    spec.name,
                    method.name
                );
            }
        }
    }
}

/// Every class that is named as one above or as a module that is included has a table of its own.
#[test]
fn every_class_above_is_there() {
    let names: BTreeSet<&str> = specs().map(|spec| spec.name).collect();
    for spec in specs() {
        let above = spec.superclass.iter().chain(spec.includes);
        for name in above {
            assert!(names.contains(name), "{} stands above {} and has no table", name, spec.name);
        }
    }
}

/// JSON is read by one reader: what Ruby's library said of these texts, a script gets to hear.
#[test]
fn texts_are_refused_in_the_words_of_the_library() {
    const ASKED: &str = include_str!("../../hierarch-pcore/src/json/asked.jsonl");
    let mut refused = 0;
    for line in ASKED.lines() {
        let asked: Vec<String> = serde_json::from_str(line).expect("a list of texts");
        let [text, kind, expected] = asked.as_slice() else { panic!("{line}") };
        let hex: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
        let code = format!(
            "require 'json'\ntext = ['{hex}'].pack('H*').force_encoding('UTF-8')\nbegin; [true, JSON.parse(text).inspect]; rescue JSON::ParserError => e; [false, e.message]; end"
        );
        let expected = shown(&format!("[{}, ['{}'].pack('H*').force_encoding('UTF-8')]", kind == "ok", {
            expected.bytes().map(|byte| format!("{byte:02x}")).collect::<String>()
        }));
        assert_eq!(shown(&code), expected, "{text}");
        refused += usize::from(kind == "err");
    }
    assert!(refused > 50, "{refused}");
}
