//! The house rules, held against the repository itself.

use xtask::tidy::manifests::{self, Manifest};
use xtask::tidy::{Complaint, RustFile, documents, merges, repository, rust_files, sources};

fn hold(rule: impl Fn(&RustFile) -> Vec<Complaint>) {
    let files = rust_files(&repository()).expect("the repository is readable");
    report(files.iter().flat_map(rule));
}

fn hold_manifests(rule: impl Fn(&Manifest) -> Vec<Complaint>) {
    let manifests = manifests::manifests(&repository()).expect("the repository is readable");
    report(manifests.iter().flat_map(rule));
}

fn report(complaints: impl Iterator<Item = Complaint>) {
    let lines: Vec<String> =
        complaints.map(|found| format!("{}:{}: {}", found.file, found.line, found.what)).collect();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}

fn text_of(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).expect(path)
}

#[test]
fn every_file_says_what_it_is() {
    hold(sources::module_docs);
}

#[test]
fn no_file_is_too_long() {
    hold(sources::file_lengths);
}

#[test]
fn no_function_is_too_long() {
    hold(sources::function_lengths);
}

#[test]
fn nothing_is_left_undone() {
    hold(sources::nothing_left_undone);
}

#[test]
fn unsafe_stands_in_one_module_only() {
    hold(sources::no_unsafe);
}

#[test]
fn libraries_neither_print_nor_ask_the_machine() {
    hold(sources::libraries_are_pure);
}

#[test]
fn words_about_what_is_wrong_stand_together() {
    hold(sources::words_stand_together);
}

#[test]
fn comments_are_plain() {
    hold(sources::comments_are_plain);
}

#[test]
fn crates_depend_in_one_direction() {
    hold_manifests(manifests::dependency_direction);
}

#[test]
fn every_package_takes_part_in_the_lints() {
    hold_manifests(manifests::lints);
}

#[test]
fn every_dependency_has_a_reason() {
    let root = Manifest { path: "Cargo.toml".to_owned(), text: text_of("Cargo.toml") };
    report(manifests::dependencies_have_reasons(&root).into_iter());
}

#[test]
fn exceptions_name_what_exists() {
    let files = rust_files(&repository()).expect("the repository is readable");
    for (path, _) in sources::LONG_FILES {
        assert!(files.iter().any(|file| file.path == *path), "LONG_FILES names {path}");
    }
    for (name, _) in sources::LONG_FUNCTIONS {
        let exists = |file: &RustFile| {
            file.scanned
                .functions()
                .iter()
                .any(|function| format!("{} {}", file.path, function.name) == *name)
        };
        assert!(files.iter().any(exists), "LONG_FUNCTIONS names {name}");
    }
}

#[test]
fn documents_that_other_programs_read_can_be_read() {
    let root = repository();
    let found = documents::documents(&root).expect("the repository is readable");
    report(found.iter().filter_map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(path).to_string_lossy();
        documents::can_be_read(&name, &text_of(&name))
    }));
}

#[test]
fn the_readme_and_ci_give_the_same_test_command() {
    const COMMAND: &str = "cargo xtask check";
    for path in ["README.md", "CONTRIBUTING.md", ".ci/run"] {
        assert!(text_of(path).lines().any(|line| line.trim() == COMMAND), "{path} has no line `{COMMAND}`");
    }
}

#[test]
fn generated_pages_are_current() {
    for (name, text) in xtask::docs::pages() {
        assert!(text_of(name) == text, "{name} is not current; `cargo xtask docs` writes it");
    }
}

#[test]
fn no_merge_is_half_done() {
    let root = repository();
    let found = merges::texts(&root).expect("the repository is readable");
    assert!(found.iter().any(|path| path.ends_with("docs/fleet.md")), "documents are among them");
    report(found.iter().flat_map(|path| {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let bytes = std::fs::read(path).expect(&name);
        merges::markers(&name, &String::from_utf8_lossy(&bytes))
    }));
}
