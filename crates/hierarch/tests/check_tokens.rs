//! `check` tells of tokens that fail, that are empty everywhere, and that lack their end, each where it stands.

mod common;

use common::{folder_of, hierarch};

const HIERA: &str = "version: 5\nhierarchy: [{name: C, path: c.yaml}]\n";
const A: (&str, &str) = ("facts/a.yaml", "clientcert: a\n");
const B: (&str, &str) = ("facts/b.yaml", "clientcert: b\nx: here\n");

/// Checks data for two nodes, of which one has the fact x.
fn told(data: &str, flags: &[&str]) -> Vec<String> {
    let folder = folder_of(&[("hiera.yaml", HIERA), ("data/c.yaml", data), A, B]);
    let run = hierarch(folder.path(), &[&["check"], flags].concat(), "");
    run.out.lines().filter(|line| line.contains(": ") && line.contains("HC")).map(str::to_owned).collect()
}

#[test]
fn a_lookup_that_fails_for_some_nodes_is_told() {
    assert_eq!(
        told("mixed: 'user=%{x} end'\n", &[]),
        [
            "data/c.yaml:1:1: warning HC105: the lookup of mixed fails: Undefined variable 'x'; if a manifest sets it, use --compile (1 node)"
        ]
    );
    assert_eq!(
        told("mixed: 'user=%{x} end'\n", &["--compile"]),
        ["data/c.yaml:1:1: error HC105: the lookup of mixed fails: Undefined variable 'x' (1 node)"]
    );
    assert_eq!(
        told("mixed: 'user=%{y} end'\n", &[]),
        ["data/c.yaml:1:14: warning HC205: '%{y}' is a variable of none of 2 nodes"]
    );
    assert!(told("mixed: 'user=%{facts.x} end'\n", &[]).is_empty(), "a fact that is missing is empty");
}

#[test]
fn a_variable_that_a_manifest_sets_does_not_fail_a_compiled_lookup() {
    let data = "mixed: 'user=%{x} end'\n";
    let site = ("manifests/site.pp", "$x = 'set'\n");
    let facts = ("facts/a.yaml", "clientcert: a\n");
    let folder = folder_of(&[("hiera.yaml", HIERA), ("data/c.yaml", data), site, facts]);
    let run = hierarch(folder.path(), &["check", "--compile"], "");
    assert_eq!((run.code, run.out.contains("HC")), (0, false), "{}{}", run.out, run.err);
}

#[test]
fn a_token_for_a_key_that_is_nowhere_is_told() {
    assert_eq!(
        told("k: \"url=%{lookup('ports')}\"\nport: 1\n", &[]),
        [
            "data/c.yaml:1:1: warning HC205: '%{lookup('ports')}' is empty everywhere: no data file has ports; did you mean port?"
        ]
    );
    for data in ["k: \"%{lookup('port.http')}\"\nport: {http: 1}\n", "k: \"%{alias('port')}\"\nport: 1\n"] {
        assert!(told(data, &[]).is_empty(), "{data}");
    }
}

#[test]
fn a_token_without_its_end_is_told() {
    assert_eq!(
        told("a: 1\nk: [x, 'www.%{facts.site.x']\n", &[]),
        ["data/c.yaml:2:1: warning HC205: k: '%{' without its '}' is taken as it stands"]
    );
}

#[test]
fn letters_that_are_the_name_of_a_variable_are_no_token() {
    let data = "a: ENC[PKCS7,xyz]\n# hierarch: ignore HC205\nmixed: 'user=%{y} end'\n";
    assert!(told(data, &[]).is_empty(), "{:?}", told(data, &[]));
}

#[test]
fn an_option_that_does_not_exist_is_told() {
    assert_eq!(
        told("pw: x\nlookup_options:\n  pw: {convert-to: Sensitive}\n", &[]),
        [
            "data/c.yaml:3:8: warning HC208: the options of pw have no convert-to, which is passed over; did you mean convert_to?"
        ]
    );
    assert!(told("pw: x\nlookup_options: {pw: {convert_to: String, merge: deep}}\n", &[]).is_empty());
}
