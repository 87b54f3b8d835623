//! Every case below `tests/cases` as a named test, held against the list of those that do not pass yet.

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use xtask::cases::{Case, Verdict, judge, load, pending};

fn main() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let root: Arc<Path> = tests.join("cases").into();
    let cases: Arc<[Case]> = load(&root).into();
    let list =
        std::fs::read_to_string(tests.join("pending")).expect("tests/pending is part of the repository");
    let mut trials = Vec::new();
    let entries: Arc<[pending::Entry]> = match pending::parse(&list) {
        Ok(entries) => entries.into(),
        Err(error) => {
            trials.push(Trial::test("pending", move || Err(error.into())));
            Arc::default()
        }
    };
    trials.extend((0..cases.len()).map(|index| case_trial(&cases, &entries, &root, index)));
    trials.extend((0..entries.len()).map(|index| entry_trial(&cases, &entries, &root, index)));
    // The code under test is asked not to panic; where it does, the case says so.
    std::panic::set_hook(Box::new(|_| {}));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn case_trial(cases: &Arc<[Case]>, entries: &[pending::Entry], root: &Path, index: usize) -> Trial {
    let case = &cases[index];
    let entry = entries.iter().find(|entry| entry.matches(case, root)).cloned();
    let mark = if entry.is_some() { " (pending)" } else { "" };
    let name = format!("{} {}{mark}", case.name_below(root), case.about);
    let kind = case.kind.clone();
    let cases = Arc::clone(cases);
    Trial::test(name, move || verdict_of(&cases[index], entry.as_ref())).with_kind(kind)
}

fn verdict_of(case: &Case, entry: Option<&pending::Entry>) -> Result<(), Failed> {
    match (judge(case), entry) {
        (Verdict::Passed, None) | (Verdict::Failed(_), Some(_)) => Ok(()),
        (Verdict::Passed, Some(entry)) => {
            Err(format!("it passes now; take `{}` off tests/pending", entry.line).into())
        }
        (Verdict::Failed(difference), None) => Err(difference.into()),
    }
}

fn entry_trial(
    cases: &Arc<[Case]>,
    entries: &Arc<[pending::Entry]>,
    root: &Arc<Path>,
    index: usize,
) -> Trial {
    let name = format!("pending {}", entries[index].line);
    let (cases, entries, root) = (Arc::clone(cases), Arc::clone(entries), Arc::clone(root));
    Trial::test(name, move || entries[index].complaint(&cases, &root).map_or(Ok(()), |why| Err(why.into())))
}
