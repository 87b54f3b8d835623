//! What the answers over many nodes say of a change: values before and after, places that changed, types with their articles.

mod common;

use std::fs;

use common::control_repo::{example, replace};
use common::hierarch;

const NODE: &str = "web02.berlin.example.com";

#[test]
fn a_change_that_is_not_the_edit_itself_shows_what_was_and_what_is() {
    let folder = example();
    let path = folder.path();
    let file = format!("data/nodes/{NODE}.yaml");
    fs::write(path.join(&file), "profile::web::port: 1234\n").expect("written");
    let text = hierarch(path, &["impact"], "").out;
    assert!(text.contains(&format!("{file}:1  profile::web::port: (none) -> 1234\n")), "{text}");
    let row = text.lines().find(|line| line.starts_with("  profile::web::port ")).unwrap_or_default();
    assert!(row.ends_with(&format!("1 node  8080 -> 1234, trusted.certname={NODE}")), "{text}");
    for form in ["github", "sarif", "codeclimate"] {
        let told = hierarch(path, &["impact", "--keys", "profile::web::port", "--render-as", form], "").out;
        assert!(told.contains("profile::web::port on 1 node: 8080 -> 1234"), "{form}: {told}");
    }
}

#[test]
fn a_line_that_stands_alone_shows_the_values_of_the_edit_too() {
    let folder = example();
    let path = folder.path();
    replace(path, "data/locations/berlin.yaml", "ntp2.berlin", "ntp3.berlin");
    let told = hierarch(path, &["impact", "--render-as", "github"], "").out;
    assert!(
        told.contains("1: \"ntp2.berlin.example.com\" -> \"ntp3.berlin.example.com\", facts.location=berlin"),
        "{told}"
    );
}

#[test]
fn notes_are_told_of_files_that_changed_and_of_no_others() {
    let folder = example();
    let path = folder.path();
    replace(path, "data/common.yaml", "profile::web::port: 80\n", "profile::web::port: 81\n");
    let told = hierarch(path, &["check", "--changed"], "").out;
    assert!(!told.contains("data/locations/"), "{told}");
    replace(path, "data/locations/berlin.yaml", "ntp2.berlin", "ntp3.berlin");
    let told = hierarch(path, &["check", "--changed"], "").out;
    assert!(told.contains("data/locations/berlin.yaml") && !told.contains("tokyo"), "{told}");
}

#[test]
fn types_have_the_article_that_belongs_to_them() {
    let folder = example();
    for (expression, words) in [("profile::web::port", "is an Integer,"), ("'text'", "is a String,")] {
        let run = hierarch(folder.path(), &["where", expression], "");
        assert!(format!("{}{}", run.out, run.err).contains(words), "{expression}: {}{}", run.out, run.err);
    }
}
