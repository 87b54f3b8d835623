//! For tests of the evaluator beside its code: what programs give, or how they fail and where. There are no functions but
//! those that a program has itself.

use std::sync::Arc;

use hierarch_source::{MemoryFiles, Source};

use crate::catalog::Resource;
use crate::{Codebase, Evaluator, ProgramSettings};

/// Checks what each of these programs gives, or the whole text of its error, and tells of all that differ at once. The
/// answers are Puppet's. A program that gives a value is compiled as well, so that what is wrong with its catalog is told.
#[track_caller]
pub(crate) fn check_programs(facts: &[(&str, &str)]) {
    check_in(&Codebase::default(), facts);
}

/// Checks the same of programs beside which there are modules, in `ENV/modules`.
#[track_caller]
pub(crate) fn check_modules(files: &[(&str, &str)], facts: &[(&str, &str)]) {
    let mut memory = MemoryFiles::default();
    files.iter().for_each(|(path, text)| memory.insert(*path, *text));
    let modules = vec!["ENV/modules".into()];
    check_in(&Codebase::default().with_files(Arc::new(memory)).with_modulepath(modules), facts);
}

#[track_caller]
fn check_in(environment: &Codebase, facts: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let source = Source::unnamed(*code);
        let value = Evaluator::new(environment).evaluate(&source);
        let outcome = value.and_then(|value| {
            Evaluator::new(environment).compile(std::slice::from_ref(&source)).map(|_| value)
        });
        let found = match outcome {
            Ok(value) => value.program_text(),
            Err(error) => error.to_string(),
        };
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What every catalog has.
const ALWAYS_THERE: [&str; 3] = ["Stage[main]", "Class[Settings]", "Class[main]"];

/// Checks the resources of catalogs with their attributes, or the whole text of an error behind `fails: `.
#[track_caller]
pub(crate) fn check_catalogs(facts: &[(&str, &str)]) {
    let environment = Codebase::default();
    let mut wrong = Vec::new();
    for (code, expected) in facts {
        let settings = ProgramSettings { node: "case.example.com".to_owned(), ..ProgramSettings::default() };
        let mut evaluator = Evaluator::new(&environment).with_settings(settings);
        let found = match evaluator.compile(&[Source::unnamed(*code)]) {
            Ok(catalog) => {
                let is_told =
                    |one: &&Resource| !one.is_virtual && !ALWAYS_THERE.contains(&one.to_string().as_str());
                catalog.resources.iter().filter(is_told).map(written).collect::<Vec<_>>().join("; ")
            }
            Err(error) => format!("fails: {error}"),
        };
        if found != *expected {
            wrong.push(format!("{code}\n   is {found}\n  not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Writes a resource: its reference, and its attributes as JSON, by name.
fn written(resource: &Resource) -> String {
    let attribute = |(name, value): &(crate::Str, crate::Value)| format!(" {name}={}", value.to_json());
    let mut attributes: Vec<String> = resource.parameters.iter().map(attribute).collect();
    attributes.sort();
    format!("{resource}{}", attributes.concat())
}

/// Checks what templates render with `a` and `b` given as parameters where they have any, or the whole text of an error behind
/// `fails: `. There are variables `x` and `l`.
#[track_caller]
pub(crate) fn check_templates(facts: &[(&str, &str)]) {
    let environment = Codebase::default();
    let mut wrong = Vec::new();
    for (template, expected) in facts {
        let mut evaluator = Evaluator::new(&environment);
        evaluator.set_variable("x", "X".into());
        evaluator.set_variable("l", crate::Value::array(vec![1.into(), "two".into()]));
        let given = [("a", crate::Value::from(1)), ("b", "B".into())].into_iter().collect();
        let parameters = template.contains('|').then_some(&given);
        let found = match evaluator.render_epp(template, parameters) {
            Ok(text) => text.to_string(),
            Err(error) => format!("fails: {error}"),
        };
        if found != *expected {
            wrong.push(format!("{template:?}\n   is {found:?}\n  not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
