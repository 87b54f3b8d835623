//! Documents that want to hurt: each ends in a clear error, soon.

use std::path::Path;

use hierarch_compose::{Access, Document, kind};
use hierarch_source::{DiskFiles, Error, Files, MemoryFiles};
use hierarch_yaml::DocumentLimits;

fn open(files: &dyn Files, path: &str, roots: &[&Path]) -> Result<String, Error> {
    let access = Access { roots: roots.iter().map(|root| (*root).to_owned()).collect(), ..Access::default() };
    Document::open(files, Path::new(path), &access).map(|document| hierarch_yaml::brief(&document.data()))
}

fn check(text: &str, code: &str) {
    let files = MemoryFiles::from([("main.yaml", text)]);
    match open(&files, "main.yaml", &[]) {
        Ok(data) => panic!("expected {code}, got {data}"),
        Err(error) => assert_eq!(error.code, code, "{error}"),
    }
}

#[test]
fn nesting_without_end_is_noticed() {
    check(&"[".repeat(200_000), "YAML_TOO_DEEP");
    check(&"{a: ".repeat(100_000), "YAML_TOO_DEEP");
    check(&format!("a:\n{}", "- ".repeat(50_000)), "YAML_TOO_DEEP");
}

/// Ten times ten times ten …: a text of a few lines that stands for more than there is memory.
fn bomb(first: &str, line: impl Fn(usize, usize) -> String) -> String {
    (1..30).fold(format!("{first}\n"), |text, level| text + &line(level, level - 1) + "\n")
}

#[test]
fn alias_bombs_are_noticed_when_they_are_read() {
    let uses = |below: usize| vec![format!("*a{below}"); 10].join(", ");
    let lists = bomb("a0: &a0 [x, x]", |level, below| format!("a{level}: &a{level} [{}]", uses(below)));
    let maps = bomb("a0: &a0 {x: 1}", |level, below| {
        format!("a{level}: &a{level} {{a: *a{below}, b: *a{below}, c: *a{below}}}")
    });
    let merges =
        bomb("a0: &a0 {x: 1}", |level, below| format!("a{level}: &a{level} {{<<: [{}]}}", uses(below)));
    let keys = bomb("a0: &a0 [x, x]", |level, below| format!("? &a{level} [{}]\n: 1", uses(below)));
    for text in [lists, maps, merges, keys] {
        check(&text, "YAML_ALIAS_BUDGET");
    }
}

#[test]
fn a_chain_of_aliases_is_bounded_like_nesting() {
    let text = (1..5000).fold(String::from("a0: &a0 [x]\n"), |text, level| {
        text + &format!("a{level}: &a{level} [*a{}]\n", level - 1)
    });
    check(&text, "YAML_TOO_DEEP");
}

#[test]
fn merging_many_keys_takes_no_longer_than_reading_them() {
    let keys = |name: char| (0..50_000).fold(String::new(), |text, n| text + &format!("  {name}{n}: 1\n"));
    let text = format!("base: &b\n{}use:\n  <<: *b\n{}", keys('x'), keys('y'));
    let files = MemoryFiles::from([("main.yaml", text.as_str())]);
    assert!(open(&files, "main.yaml", &[]).is_ok());
}

#[test]
fn numbers_without_end_stay_text() {
    let files = MemoryFiles::from([("main.yaml", format!("a: 0x{}\n", "f".repeat(1_000_000)).as_str())]);
    assert!(open(&files, "main.yaml", &[]).is_ok());
}

#[test]
fn directives_that_double_each_other_run_out_of_budget() {
    let mut text = String::from("l0: {x: {+?/nowhere: , y: 1}}\n");
    for level in 1..40 {
        let below = level - 1;
        let line = format!("l{level}: {{a: {{+/l{below}: }}, b: {{+/l{below}: }}}}\n");
        text.push_str(&line);
    }
    let files = MemoryFiles::from([("main.yaml", text.as_str())]);
    let access = Access {
        limits: DocumentLimits { expanded: 100_000, ..DocumentLimits::default() },
        ..Access::default()
    };
    let opened = Document::open(&files, Path::new("main.yaml"), &access);
    assert_eq!(opened.err().map(|error| error.code), Some("DIRECTIVE_TOO_LARGE"));
}

#[test]
fn files_that_include_each_other_are_named() {
    let files = MemoryFiles::from([
        ("main.yaml", "a: {+include: b.yaml}"),
        ("b.yaml", "b: {+include: c.yaml}"),
        ("c.yaml", "c: {+include: b.yaml}"),
    ]);
    let error = open(&files, "main.yaml", &[]).expect_err("a loop");
    assert_eq!(kind(&error), "cycle");
    assert!(error.message.contains("main.yaml -> b.yaml -> c.yaml -> b.yaml"), "{error}");
}

#[test]
fn the_way_to_what_is_missing_is_shown() {
    let text = "a: {+/nowhere: }\nb: {+/a: }\nc: {x: {+/b: }}\n";
    let files = MemoryFiles::from([("main.yaml", "b: {+include: part.yaml}\n"), ("part.yaml", text)]);
    let error = open(&files, "main.yaml", &[]).expect_err("nothing there");
    let notes: Vec<&str> = error.notes.iter().map(|note| note.text.as_str()).collect();
    assert!(notes.contains(&"used through +include (main.yaml:1:5)"), "{notes:?}");
}

#[test]
fn a_chain_of_directives_as_long_as_a_document_is_bounded() {
    let mut text = String::from("l0: {x: 1}\n");
    for level in 1..3000 {
        let line = format!("l{level}: {{+/l{}: }}\n", level - 1);
        text.push_str(&line);
    }
    check(&text, "DIRECTIVE_CYCLE");
}

#[test]
fn devices_folders_and_what_lies_outside_are_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a path");
    let main = root.join("main.yaml");
    let include = |name: &str| {
        std::fs::write(&main, format!("a: {{+include: '{name}'}}\n")).expect("written");
        open(&DiskFiles, &main.display().to_string(), &[&root]).expect_err("refused")
    };
    assert_eq!(include("/etc/passwd").code, "DIRECTIVE_FORBIDDEN");
    assert_eq!(include("../../../etc/passwd").code, "DIRECTIVE_FORBIDDEN");
    assert_eq!(include("/dev/zero").code, "DIRECTIVE_FORBIDDEN");
    assert_eq!(kind(&include(".")), "include");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/passwd", root.join("link")).expect("a link");
        assert_eq!(include("link").code, "DIRECTIVE_FORBIDDEN");
    }
    std::fs::write(&main, "a: {+include: /dev/zero}\n").expect("written");
    let anywhere = open(&DiskFiles, &main.display().to_string(), &[]).expect_err("no regular file");
    assert!(anywhere.message.contains("no regular file"), "{anywhere}");
}

#[test]
fn urls_are_refused_unless_somebody_fetches_them() {
    check("a: {+include: 'http://127.0.0.1:1/x'}", "DIRECTIVE_FORBIDDEN");
}

#[test]
fn includes_that_multiply_end_at_a_limit_that_is_named_with_its_flag() {
    let mut files = MemoryFiles::default();
    for level in 0..20 {
        let below: String = ["a", "b", "c", "d"]
            .iter()
            .map(|key| format!("{key}:\n  +include: f{}.yaml\n", level + 1))
            .collect();
        files.insert(format!("f{level}.yaml"), below);
    }
    files.insert("f20.yaml", "x: 1\n");
    let access = Access::default();
    let start = std::time::Instant::now();
    let error = Document::open(&files, Path::new("f0.yaml"), &access).err().expect("4^20 includes");
    assert!(error.to_string().contains("--max-includes raises the limit"), "{error}");
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    let few = Access { most_includes: Some(3), ..Access::default() };
    let error = Document::open(&files, Path::new("f19.yaml"), &few).err().expect("four includes");
    assert!(error.to_string().contains("more than 3 includes"), "{error}");
    assert!(Document::open(&files, Path::new("f19.yaml"), &access).is_ok());
}
