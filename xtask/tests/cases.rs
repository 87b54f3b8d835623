//! Every case below `tests/cases` as a named test, held against the lists of those that do not pass.

use std::path::Path;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use xtask::cases::{Case, Verdict, judge, load, pending};

/// An entry with the words for the list that it stands in.
#[derive(Clone)]
struct Listed {
    entry: pending::Entry,
    list: &'static str,
    mark: &'static str,
}

fn main() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
    let root: Arc<Path> = tests.join("cases").into();
    let cases: Arc<[Case]> = load(&root).into();
    let mut trials = Vec::new();
    let mut listed = Vec::new();
    for (list, mark) in pending::LISTS {
        match read(&tests.join(list)) {
            Ok(entries) => listed.extend(entries.into_iter().map(|entry| Listed { entry, list, mark })),
            Err(error) => trials.push(Trial::test(list, move || Err(error.into()))),
        }
    }
    let listed: Arc<[Listed]> = listed.into();
    trials.extend((0..cases.len()).map(|index| case_trial(&cases, &listed, &root, index)));
    trials.extend((0..listed.len()).map(|index| entry_trial(&cases, &listed, &root, index)));
    // The code under test is asked not to panic; where it does, the case says so.
    std::panic::set_hook(Box::new(|_| {}));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn read(list: &Path) -> Result<Vec<pending::Entry>, String> {
    let text = std::fs::read_to_string(list).map_err(|error| format!("{}: {error}", list.display()))?;
    pending::parse(&text)
}

fn case_trial(cases: &Arc<[Case]>, listed: &[Listed], root: &Path, index: usize) -> Trial {
    let case = &cases[index];
    let found = listed.iter().find(|listed| listed.entry.matches(case, root)).cloned();
    let mark = found.as_ref().map(|listed| format!(" ({})", listed.mark)).unwrap_or_default();
    let name = format!("{} {}{mark}", case.name_below(root), case.about);
    let kind = case.kind.clone();
    let cases = Arc::clone(cases);
    Trial::test(name, move || verdict_of(&cases[index], found.as_ref())).with_kind(kind)
}

fn verdict_of(case: &Case, found: Option<&Listed>) -> Result<(), Failed> {
    match (judge(case), found) {
        (Verdict::Passed, None) | (Verdict::Failed(_), Some(_)) => Ok(()),
        (Verdict::Passed, Some(listed)) => {
            Err(format!("it passes now; take `{}` off tests/{}", listed.entry.line, listed.list).into())
        }
        (Verdict::Failed(difference), None) => Err(difference.into()),
    }
}

fn entry_trial(cases: &Arc<[Case]>, listed: &Arc<[Listed]>, root: &Arc<Path>, index: usize) -> Trial {
    let name = format!("{} {}", listed[index].list, listed[index].entry.line);
    let (cases, listed, root) = (Arc::clone(cases), Arc::clone(listed), Arc::clone(root));
    Trial::test(name, move || {
        listed[index].entry.complaint(&cases, &root).map_or(Ok(()), |why| Err(why.into()))
    })
}
