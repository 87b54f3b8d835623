//! A runner that cannot fail is worthless: every case of every kind it judges, spoiled in every way, must fail.

use std::collections::BTreeMap;

use xtask::cases::{self, Answer, Case, Judge, lang, spoil};
use xtask::tidy::repository;

#[test]
fn a_spoiled_expectation_of_any_kind_fails() {
    let all = cases::load(&repository().join("tests/cases"));
    let mut spoiled: BTreeMap<&str, usize> = BTreeMap::new();
    let mut missed = Vec::new();
    for found in cases::side_by_side(&all, spoil_each).into_iter().flatten() {
        *spoiled.entry(found.kind).or_default() += found.spoiled;
        missed.extend(found.missed);
    }
    assert!(missed.is_empty(), "{} went unnoticed:\n{}", missed.len(), missed.join("\n"));
    for kind in cases::JUDGES.iter().map(|judge| judge.kind()) {
        let count = spoiled.get(kind).copied().unwrap_or_default();
        assert!(count > 0, "no case of kind {kind} holds, so nothing was spoiled");
    }
}

/// What came of spoiling one case.
struct Found {
    kind: &'static str,
    spoiled: usize,
    missed: Vec<String>,
}

/// Asks once and holds the answer against every spoiled record. Cases on which the reference crashed bind nobody, and
/// those that fail anyway prove nothing.
fn spoil_each(case: &Case) -> Option<Found> {
    let (judge, answer) = cases::ask(case).ok()?;
    if lang::reference_crashed(case) || !judge.compare(case, &answer).passed() {
        return None;
    }
    let spoiled = spoil::spoil(case, judge.decisive(case));
    let missed = spoiled.iter().filter_map(|spoiled| unnoticed(judge, spoiled, &answer)).collect();
    Some(Found { kind: judge.kind(), spoiled: spoiled.len(), missed })
}

fn unnoticed(judge: &dyn Judge, spoiled: &spoil::Spoiled, answer: &Answer) -> Option<String> {
    let case = &spoiled.case;
    let passed = judge.compare(case, answer).passed();
    passed.then(|| format!("{} {}:{} {}", judge.kind(), case.file.display(), case.at, spoiled.how))
}
