//! Templates and expressions end within their limits, and reach nothing that nobody allowed.

use std::io;
use std::path::Path;
use std::sync::Arc;

use hierarch_compose::expr::{Context, Expressions, Host, Limits, Options};
use hierarch_pcore::{Hash, Value};
use hierarch_source::Error;

const SMALL: Limits = Limits { depth: 60, steps: 20_000, fuel: 50_000, output: 10_000 };

fn failure(template: &str, options: Options) -> Error {
    let expressions = Expressions::with(Hash::new(), options).expect("good");
    let text = expressions.render(template, &Context::default());
    text.expect_err(template)
}

fn check(template: &str, wanted: &str) {
    let error = failure(template, Options { limits: SMALL, ..Options::default() });
    assert!(error.message.contains(wanted), "{template}: {error}");
}

#[test]
fn a_template_has_only_so_much_fuel() {
    check(
        "{% for a in range(1000) %}{% for b in range(1000) %}{% endfor %}{% endfor %}",
        "more than 50000 steps",
    );
}

#[test]
fn a_template_prints_only_so_much() {
    check("{% for a in range(1000) %}0123456789abcdef{% endfor %}", "more than 10000 bytes");
    check(
        "{% set x %}{% for a in range(1000) %}{{ '0123456789abcdef' }}{% endfor %}{% endset %}",
        "more than 10000 bytes",
    );
    check("{{ 'x' * 20000 }}", "more than 10000 bytes");
    check("{{ 'x' * 1000000000000 }}", "too large");
    check("{{ ('x' * 50000) | replace('x', 'y' * 50000) | length }}", "too long");
}

#[test]
fn macros_call_themselves_only_so_often() {
    check("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "recursion limit");
}

#[test]
fn lists_of_lists_have_only_so_many_members() {
    check("{{ range(1000) | product(range(1000)) | length }}", "more than 100000 members");
    check("{{ range(100) | permutations(5) | length }}", "more than 100000 ways");
    check("{{ query('nested', range(1000), range(1000)) }}", "steps");
    check("{{ query('sequence', 'end=99999999999') }}", "that long");
}

#[test]
fn patterns_do_not_run_away() {
    check("{{ ('a' * 60) | regex_search('^(a|aa)+\\\\1b$') }}", "steps");
}

#[test]
fn an_expression_takes_only_so_many_steps() {
    let list = Value::array((0..300).map(Value::from).collect());
    let document: Hash = [("list", list)].into_iter().collect();
    let options = Options { limits: SMALL, ..Options::default() };
    let expressions = Expressions::with(document, options).expect("good");
    let inner: Hash =
        [("eval", Value::from("::root::list")), ("foreach", "$item".into())].into_iter().collect();
    let outer: Hash = [("eval", Value::from("list")), ("foreach", inner.into())].into_iter().collect();
    let error = expressions.query(&outer.into(), &Context::default()).expect_err("too many");
    assert!(error.message.contains("steps"), "{error}");
}

/// A host that must not be asked anything.
struct Untouchable;

impl Host for Untouchable {
    fn variable(&self, _: &str) -> hierarch_source::Result<Option<String>> {
        panic!("the environment was asked")
    }

    fn variables(&self) -> hierarch_source::Result<Vec<(String, String)>> {
        panic!("the environment was asked")
    }

    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        panic!("a file was read")
    }

    fn write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        panic!("a file was written")
    }

    fn make_folder(&self, _: &Path) -> io::Result<()> {
        panic!("a folder was made")
    }

    fn is_program(&self, _: &Path) -> bool {
        panic!("programs were looked for")
    }

    fn hiera(&self, _: &str, _: Option<&str>) -> hierarch_source::Result<Option<Value>> {
        panic!("Hiera was asked")
    }
}

#[test]
fn in_safe_mode_nothing_beyond_the_document_is_touched() {
    for template in [
        "{{ lookup('env', 'HOME') }}",
        "{{ lookup('file', '/etc/passwd') }}",
        "{{ lookup('template', 'x') }}",
        "{{ lookup('hiera', 'x') }}",
        "{{ {'get_env': 'HOME'} | eval }}",
        "{{ {'file': 'x', 'contents': 'y'} | eval }}",
        "{{ {'template': {'path': 'x'}} | eval }}",
        "{{ {'lookup': {'env': 'HOME'}} | eval }}",
        "{{ __unfurl.get_env('HOME') }}",
        "{{ __unfurl.tempfile('x') }}",
        "{{ 'sh' | which }}",
        "{{ 'x' | abspath('.', true) }}",
        "{{ 'tmp' | get_dir(true) }}",
        "{% include '/etc/passwd' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
    ] {
        let options = Options { host: Arc::new(Untouchable), safe: true, ..Options::default() };
        failure(template, options);
    }
}

#[test]
fn without_a_host_everything_beyond_the_document_is_refused() {
    for (template, wanted) in [
        ("{{ lookup('env', 'HOME') }}", "not allowed"),
        ("{{ lookup('file', '/etc/passwd') }}", "not read"),
        ("{{ lookup('hiera', 'x') }}", "no Hiera data"),
        ("{{ {'file': 'x', 'contents': 'y'} | eval }}", "not written"),
        ("{{ 'sh' | which }}", "not allowed"),
        ("{{ lookup('pipe', 'ls') }}", "not found"),
        ("{{ lookup('url', 'http://x') }}", "not found"),
        ("{{ ''.__class__.__mro__ }}", "__mro__"),
    ] {
        let error = failure(template, Options::default());
        assert!(error.message.contains(wanted), "{template}: {error}");
    }
}
