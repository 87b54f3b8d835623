//! Types and values against each other: what each type accepts and has, how it is written, what is inferred. All of it is
//! recorded from Puppet's `TypeCalculator`; the laws below it need no record.

use hierarch_pcore::types::{NoDefinitions, literal};
use hierarch_pcore::{Type, Value, infer};
use hierarch_source::Source;

/// A type: as it is read, as it is written, without its parameters; whether it accepts each of these types, in their order
/// (`?`: Puppet ends in an error of its own); whether it has each of the values, in their order.
type TypeRow = [&'static str; 5];

/// A value: as it is read; the type that knows all of it, the type of collections by their elements, the general type.
type ValueRow = [&'static str; 4];

/// Two types, and the narrowest type that Puppet finds for both.
const COMMON: &str = include_str!("common_types.tsv");

/// Types, a row each.
const TYPES: &str = include_str!("types.tsv");

/// Values, a row each.
const VALUES: &str = include_str!("values.tsv");

fn parsed(text: &str) -> Type {
    Type::parse(text, &NoDefinitions).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn value(text: &str) -> Value {
    let program = hierarch_syntax::parse(&Source::unnamed(text)).program;
    let program = program.unwrap_or_else(|error| panic!("{text}: {error}"));
    literal(&program.ast, program.root, &NoDefinitions).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Takes a row of a table apart.
fn row<const COLUMNS: usize>(line: &'static str) -> [&'static str; COLUMNS] {
    let columns: Vec<&str> = line.split('\t').collect();
    columns.try_into().unwrap_or_else(|columns| panic!("{columns:?}"))
}

fn types() -> Vec<(TypeRow, Type)> {
    TYPES.lines().map(row).map(|row: TypeRow| (row, parsed(row[0]))).collect()
}

fn values() -> Vec<(ValueRow, Value)> {
    VALUES.lines().map(row).map(|row: ValueRow| (row, value(row[0]))).collect()
}

/// Fails with everything that is wrong at once.
fn hold(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn types_are_written_as_puppet_writes_them() {
    let mut wrong = Vec::new();
    for (row, type_) in types() {
        if type_.to_string() != row[1] {
            wrong.push(format!("{}: {type_}, not {}", row[0], row[1]));
        }
        if type_.generalized().to_string() != row[2] {
            wrong.push(format!("{} in general: {}, not {}", row[0], type_.generalized(), row[2]));
        }
    }
    hold(&wrong);
}

#[test]
fn what_is_written_is_read_as_the_same_type() {
    let mut wrong = Vec::new();
    for (row, type_) in types() {
        let text = type_.to_string();
        match Type::parse(&text, &NoDefinitions) {
            Ok(again) if again == type_ => {}
            other => wrong.push(format!("{}: {text} is {other:?}", row[0])),
        }
    }
    hold(&wrong);
}

#[test]
fn types_accept_the_types_that_they_accept_in_puppet() {
    let all = types();
    let mut wrong = Vec::new();
    for (row, type_) in &all {
        for ((_, other), expected) in all.iter().zip(row[3].chars()) {
            if expected != '?' && type_.accepts(other) != (expected == '1') {
                wrong.push(format!("{type_} accepts {other}: {}", type_.accepts(other)));
            }
        }
    }
    hold(&wrong);
}

#[test]
fn types_have_the_values_that_they_have_in_puppet() {
    let (types, values) = (types(), values());
    let mut wrong = Vec::new();
    for (row, type_) in &types {
        for ((text, value), expected) in values.iter().zip(row[4].chars()) {
            if type_.has(value) != (expected == '1') {
                wrong.push(format!("{type_} has {}: {}", text[0], type_.has(value)));
            }
        }
    }
    hold(&wrong);
}

#[test]
fn values_have_the_types_that_puppet_infers() {
    let mut wrong = Vec::new();
    for (row, value) in values() {
        for (got, expected) in [
            (infer::detailed(&value).to_string(), row[1]),
            (infer::reduced(&value).to_string(), row[2]),
            (infer::detailed(&value).generalized().to_string(), row[3]),
        ] {
            if got != expected {
                wrong.push(format!("{}: {got}, not {expected}", row[0]));
            }
        }
    }
    hold(&wrong);
}

#[test]
fn a_value_is_of_the_type_that_is_inferred_for_it() {
    for (row, value) in values() {
        for inferred in [infer::detailed(&value), infer::reduced(&value), infer::generic(&value)] {
            assert!(inferred.has(&value), "{inferred} does not have {}", row[0]);
        }
    }
}

#[test]
fn two_types_have_in_common_what_puppet_says() {
    let mut wrong = Vec::new();
    for line in COMMON.lines() {
        let [a, b, expected] = row(line);
        let got = infer::common_type(&parsed(a), &parsed(b)).to_string();
        if got != expected {
            wrong.push(format!("{a} and {b}: {got}, not {expected}"));
        }
    }
    hold(&wrong);
}

#[test]
fn what_a_type_is_in_general_accepts_it() {
    for (row, type_) in types() {
        assert!(type_.generalized().accepts(&type_), "{}", row[0]);
        assert!(type_.normalized().accepts(&type_), "{}", row[0]);
    }
}
