//! Broken variants of the example's modules compile or fail; nothing panics, hangs or runs out of stack.

use std::path::Path;

use xtask::evaluation::Mutants;
use xtask::tidy::repository;

#[test]
fn broken_modules_end_in_a_catalog_or_an_error() {
    const VARIANTS: usize = 150;
    let repository = repository();
    let mutants = Mutants {
        modules: repository.join("examples/control-repo/modules"),
        facts: repository.join("scripts/catalog-facts.json"),
        from: 0,
        to: VARIANTS,
        seed: 1,
    };
    let kept = tempfile::tempdir().expect("a temporary folder");
    let mut out = Vec::new();
    let tally = mutants.run(Path::new(env!("CARGO_BIN_EXE_xtask")), kept.path(), &mut out);
    let tally = tally.expect("the program runs");
    assert_eq!((tally.variants, tally.findings), (VARIANTS, 0), "{}", String::from_utf8_lossy(&out));
    assert!(tally.catalogs > 0 && tally.errors > 0, "{tally}");
}

#[test]
fn a_process_that_dies_is_a_finding() {
    let mutants = Mutants {
        modules: repository().join("examples/control-repo/modules"),
        facts: repository().join("scripts/catalog-facts.json"),
        from: 0,
        to: 2,
        seed: 1,
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dies = folder.path().join("dies");
    std::fs::write(&dies, "#!/bin/sh\necho \"$5\"\nexit 3\n").expect("written");
    make_runnable(&dies);
    let tally = mutants.run(&dies, &folder.path().join("kept"), &mut Vec::new()).expect("it runs");
    assert_eq!((tally.variants, tally.findings), (0, 2));
    assert!(folder.path().join("kept/1/module").is_file(), "what was damaged is kept");
}

fn make_runnable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("allowed");
}
