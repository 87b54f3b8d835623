//! No text makes the front end or the evaluator panic: the fuzz targets' bounded cousin, the same texts on every run.

use hierarch_eval::{Evaluator, ProgramLimits};
use hierarch_source::Source;
use xtask::mutate::{Random, mutate};
use xtask::parser::ours;
use xtask::seeds::{Language, seeds};

/// Parses, dumps and validates damaged versions of every seed.
fn read_damaged(language: Language, name: &str, versions: usize) {
    let mut random = Random::new(1);
    for seed in seeds(language).expect("the cases are readable") {
        for _ in 0..versions {
            let text = mutate(&seed, &mut random);
            ours::read_all(&Source::new(name, text));
        }
    }
}

#[test]
fn damaged_manifests_are_read_or_refused() {
    read_damaged(Language::Parse, "damaged.pp", 8);
}

#[test]
fn damaged_templates_are_read_or_refused() {
    read_damaged(Language::Epp, "damaged.epp", 50);
}

/// A manifest that is read as a template and a template as a manifest: strange, but texts.
#[test]
fn texts_of_the_other_language_are_read_or_refused() {
    read_damaged(Language::Parse, "damaged.epp", 1);
    read_damaged(Language::Epp, "damaged.pp", 5);
}

#[test]
fn damaged_manifests_are_evaluated_or_refused() {
    let environment = hierarch_functions::environment();
    let limits = ProgramLimits { steps: 5_000, depth: 100, size: 20_000, ..ProgramLimits::default() };
    let mut random = Random::new(2);
    for seed in seeds(Language::Parse).expect("the cases are readable") {
        for text in [seed.clone(), mutate(&seed, &mut random), mutate(&seed, &mut random)] {
            let mut evaluator = Evaluator::new(&environment).with_limits(limits);
            if let Ok(value) = evaluator.evaluate(&Source::unnamed(text)) {
                value.program_text();
                value.to_json();
            }
        }
    }
}
