//! `--repository NAME=DIR@REV`: includes from git revisions without a checkout, pinned by a lock file.
#![cfg(feature = "git")]

mod common;

use std::path::Path;

use common::{Run, folder_of, git, hierarch};

fn commit(folder: &Path, version: &str) -> String {
    std::fs::create_dir_all(folder.join("lib")).expect("a folder");
    std::fs::write(
        folder.join("lib/base.yaml"),
        format!("version: {version}\npart: {{+include: part.yaml}}\n"),
    )
    .expect("a file");
    std::fs::write(folder.join("lib/part.yaml"), format!("of: {version}\n")).expect("a file");
    git(folder, &["add", "."]);
    git(folder, &["commit", "-qm", version]);
    git(folder, &["rev-parse", "HEAD"])
}

/// A folder with a document, and a repository beside it whose branch has moved on since the tag `v1`.
fn work() -> (tempfile::TempDir, String, String) {
    let folder =
        folder_of(&[("doc/main.yaml", "+include: {file: lib/base.yaml, repository: base}\nown: 1\n")]);
    let base = folder.path().join("base");
    std::fs::create_dir(&base).expect("a folder");
    git(&base, &["init", "-q"]);
    let first = commit(&base, "one");
    git(&base, &["tag", "v1"]);
    let second = commit(&base, "two");
    // What is not committed is not seen.
    std::fs::write(base.join("lib/base.yaml"), "version: dirty\n").expect("a file");
    (folder, first, second)
}

fn expand(folder: &Path, arguments: &[&str]) -> Run {
    let mut words = vec!["yaml", "expand", "main.yaml"];
    words.extend(arguments);
    hierarch(&folder.join("doc"), &words, "")
}

#[track_caller]
fn check(folder: &Path, arguments: &[&str], version: &str) {
    let run = expand(folder, arguments);
    let expected = format!("own: 1\nversion: {version}\npart:\n  of: {version}\n");
    assert_eq!((run.code, run.out.as_str()), (0, expected.as_str()), "{arguments:?}: {}", run.err);
}

#[test]
fn includes_come_from_the_revision_that_is_named() {
    let (folder, first, _) = work();
    let path = folder.path();
    check(path, &["--repository", "base=../base@v1"], "one");
    check(path, &["--repository", "base=../base@main"], "two");
    check(path, &["--repository", &format!("base=../base@{first}")], "one");
    check(path, &["--repository", &format!("base=file://{}/base@main~1", path.display())], "one");
    check(path, &["--repository", &format!("base=file://{}/base", path.display())], "two");
    assert!(!path.join("doc/hierarch.lock").exists(), "nobody asked for a lock");
}

#[test]
fn a_bare_clone_is_a_repository_too() {
    let (folder, ..) = work();
    git(folder.path(), &["clone", "-q", "--bare", "base", "bare.git"]);
    check(folder.path(), &["--repository", "base=../bare.git@v1"], "one");
    check(folder.path(), &["--repository", "base=../bare.git@main"], "two");
}

#[test]
fn origins_and_errors_name_the_commit() {
    let (folder, first, _) = work();
    let run = expand(folder.path(), &["--repository", "base=../base@v1", "--explain"]);
    assert!(run.out.contains(&format!("base@{}/lib/base.yaml:1:10", &first[..12])), "{}", run.out);
    for (place, wanted) in [
        ("base=../base@v2", "v2 is no revision of this repository; did you mean v1?"),
        ("base=../nowhere@v1", "Could not find ../nowhere"),
        ("base=../doc@v1", "is in no git repository"),
        ("other=../base@v1", "the repository 'base', which is not known"),
    ] {
        let run = expand(folder.path(), &["--repository", place]);
        assert_eq!(run.code, 1, "{place}");
        assert!(run.err.contains(wanted), "{place}: {}", run.err);
    }
}

#[test]
fn includes_do_not_leave_the_revision() {
    let (folder, ..) = work();
    for file in ["../../doc/main.yaml", "/etc/passwd", "lib/../../x.yaml"] {
        let text = format!("+include: {{file: {file}, repository: base}}\n");
        std::fs::write(folder.path().join("doc/main.yaml"), text).expect("a file");
        let run = expand(folder.path(), &["--repository", "base=../base@v1"]);
        assert_eq!(run.code, 1, "{file}: {}", run.out);
    }
}

#[test]
fn a_lock_holds_a_branch_where_it_was() {
    let (folder, _, second) = work();
    let (path, lock) = (folder.path(), folder.path().join("doc/hierarch.lock"));
    let branch = ["--repository", "base=../base@main"];
    check(path, &[&branch[..], &["--lock", "hierarch.lock"]].concat(), "two");
    let text = std::fs::read_to_string(&lock).expect("a lock");
    assert!(text.contains(&format!("    commit: {second}\n")), "{text}");
    let third = commit(&path.join("base"), "three");
    // The lock is used where it lies, without being named.
    check(path, &branch, "two");
    assert_eq!(std::fs::read_to_string(&lock).expect("a lock"), text);
    check(path, &[&branch[..], &["--relock"]].concat(), "three");
    let text = std::fs::read_to_string(&lock).expect("a lock");
    assert!(text.contains(&third) && !text.contains(&second), "{text}");
    // Another revision is another question.
    check(path, &["--repository", "base=../base@v1"], "one");
    std::fs::write(&lock, "nonsense: 1\n").expect("a file");
    let run = expand(path, &branch);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("hierarch.lock is not a lock file"), "{}", run.err);
}

#[test]
fn urls_are_not_fetched_unless_that_is_allowed() {
    let (folder, ..) = work();
    for url in ["https://git.invalid/x.git@v1", "git@git.invalid:x.git@v1", "ssh://git.invalid/x@v1"] {
        let run = expand(folder.path(), &["--repository", &format!("base={url}")]);
        assert_eq!(run.code, 1, "{url}");
        assert!(run.err.contains("fetch it with --allow-remote"), "{url}: {}", run.err);
    }
}

#[test]
fn edits_keep_the_directive_of_a_repository() {
    let (folder, ..) = work();
    let words = ["yaml", "set", "main.yaml", "/part/of", "mine", "--repository", "base=../base@v1"];
    let run = hierarch(&folder.path().join("doc"), &words, "");
    assert_eq!(run.code, 0, "{}", run.err);
    let text = std::fs::read_to_string(folder.path().join("doc/main.yaml")).expect("a file");
    assert_eq!(text, "+include: {file: lib/base.yaml, repository: base}\nown: 1\npart:\n  of: mine\n");
}
