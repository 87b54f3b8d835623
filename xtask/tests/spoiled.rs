//! A runner that cannot fail is worthless: every case of every kind it judges, spoiled in every way, must fail.

use xtask::cases::{self, Case, Judge, lang, spoil};
use xtask::tidy::repository;

#[test]
fn a_spoiled_expectation_of_any_kind_fails() {
    let all = cases::load(&repository().join("tests/cases"));
    for judge in cases::JUDGES {
        let passing: Vec<&Case> = all.iter().filter(|case| is_judged(*judge, case)).collect();
        let spoiled: Vec<_> =
            passing.iter().flat_map(|case| spoil::spoil(case, judge.decisive(case))).collect();
        let questions: Vec<Case> = spoiled.iter().map(|spoiled| spoiled.case.clone()).collect();
        let missed: Vec<String> = (spoiled.iter().zip(cases::run_all(&questions)))
            .filter(|(_, verdict)| verdict.passed())
            .map(|(spoiled, _)| {
                format!("{}:{} {}", spoiled.case.file.display(), spoiled.case.at, spoiled.how)
            })
            .collect();
        let (kind, count) = (judge.kind(), spoiled.len());
        assert!(
            missed.is_empty(),
            "{kind}: {} of {count} went unnoticed:\n{}",
            missed.len(),
            missed.join("\n")
        );
        assert!(count > 0, "no case of kind {kind} holds, so nothing was spoiled");
    }
}

/// Cases on which the reference crashed bind nobody, and those that fail anyway prove nothing.
fn is_judged(judge: &dyn Judge, case: &Case) -> bool {
    case.kind == judge.kind() && !lang::reference_crashed(case) && cases::judge(case).passed()
}
