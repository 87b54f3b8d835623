//! `hierarch check`: what is wrong is told where it was written, and files that have a part in it choose it.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder_of, hierarch};

/// A site with a level for roles, whose node `a` is a web server.
const SITE: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: R, path: \"roles/%{facts.role}.yaml\"}\n  - {name: C, path: common.yaml}\n",
    ),
    ("environment.conf", "modulepath = modules\n"),
    ("manifests/site.pp", "include p\n"),
    (
        "modules/p/manifests/init.pp",
        "class p (Hash[String, Hash] $users = {}, Array[String] $packages = [], Integer $port = 1, Optional[Struct[{a => Integer, b => Integer}]] $pair = undef) {}\n",
    ),
    ("facts/a.yaml", "clientcert: a\nrole: web\n"),
    ("data/roles/web.yaml", "x: 1\n"),
];

fn site(common: &str, web: &str) -> tempfile::TempDir {
    let folder = folder_of(SITE);
    fs::write(folder.path().join("data/common.yaml"), common).expect("written");
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "--all"]);
    git(folder.path(), &["commit", "--quiet", "-m", "x"]);
    fs::write(folder.path().join("data/roles/web.yaml"), web).expect("written");
    folder
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=A", "-c", "user.email=a@b"];
    let run = std::process::Command::new("git").args(identity).args(arguments).current_dir(folder).status();
    assert!(run.expect("git runs").success());
}

fn check(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["check", "--skip", "HC001,HC103,HC206"], arguments].concat(), "")
}

/// The places of all findings, with the words behind the code.
fn told(run: &Run) -> Vec<String> {
    let lines = run.out.lines().filter(|line| line.contains(" HC1"));
    lines.map(|line| line.split(", if the class").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_part_that_does_not_fit_is_told_where_it_was_written() {
    let users = "lookup_options: {p::users: {merge: deep}}\np::users:\n  alice: {uid: 1}\n";
    let packages = "lookup_options: {p::packages: {merge: unique}}\np::packages: [vim]\n";
    for (common, web, expected) in [
        (
            users,
            "p::users:\n  carol: nope\n",
            "data/roles/web.yaml:2:10: warning HC101: p::users entry 'carol' expects a Hash value, got String",
        ),
        (
            "x: 1\n",
            "p::packages: [tools, 5]\n",
            "data/roles/web.yaml:1:22: warning HC101: p::packages index 1 expects a String value, got Integer",
        ),
        (
            packages,
            "p::packages: [5]\n",
            "data/roles/web.yaml:1:15: warning HC101: p::packages index 0 expects a String value, got Integer",
        ),
        (
            "lookup_options: {p::users: {merge: hash}}\np::users:\n  bob: {}\n",
            "p::users: {nproc: 4}\n",
            "data/roles/web.yaml:1:19: warning HC101: p::users entry 'nproc' expects a Hash value, got Integer",
        ),
        (
            "lookup_options: {p::pair: {merge: deep}}\np::pair: {a: 1, b: 2}\n",
            "p::pair: {c: 3}\n",
            "data/roles/web.yaml:1:14: warning HC101: p::pair unrecognized key 'c'",
        ),
    ] {
        let folder = site(common, web);
        assert_eq!(told(&check(folder.path(), &[])), [expected]);
        for arguments in
            [&["--changed"][..], &["data/roles/web.yaml"], &["data/roles"], &["--compile", "--changed"]]
        {
            let run = check(folder.path(), arguments);
            assert_eq!(told(&run).len(), 1, "{arguments:?}: {}{}", run.out, run.err);
            assert_eq!(run.code, if arguments[0] == "--compile" { 2 } else { 0 }, "{}", run.out);
        }
        let web = format!("# hierarch: ignore HC101\n{web}");
        if !web.contains("\n  ") {
            fs::write(folder.path().join("data/roles/web.yaml"), web).expect("written");
            assert!(told(&check(folder.path(), &[])).is_empty());
        }
    }
}

#[test]
fn several_parts_are_several_findings() {
    let folder = site("x: 1\n", "p::users:\n  a: 1\n  b: {}\n  c: no\n");
    let places: Vec<String> = told(&check(folder.path(), &[]))
        .iter()
        .filter_map(|line| line.split(": ").next().map(str::to_owned))
        .collect();
    assert_eq!(places, ["data/roles/web.yaml:2:6", "data/roles/web.yaml:4:6"]);
}

#[test]
fn a_change_elsewhere_that_makes_a_value_wrong_is_reported() {
    // Where a token leads, what options convert, what a knockout takes away, the type itself.
    for (common, web, changed) in [
        ("p::port: \"%{alias('base')}\"\n", "base: nope\n", "data/roles/web.yaml"),
        ("p::port: 5\n", "lookup_options: {p::port: {convert_to: String}}\n", "data/roles/web.yaml"),
        (
            "p::pair: {a: 1, b: 2}\nlookup_options: {p::pair: {merge: {strategy: deep, knockout_prefix: '--'}}}\n",
            "p::pair: {b: '--'}\n",
            "data/roles/web.yaml",
        ),
    ] {
        let folder = site(common, web);
        let run = check(folder.path(), &["--changed"]);
        assert_eq!(told(&run).len(), 1, "{web}: {}", run.out);
        assert_eq!(told(&check(folder.path(), &[changed])).len(), 1, "{web}");
        assert!(told(&check(folder.path(), &["facts"])).is_empty(), "{web}");
    }
    let folder = site("p::port: 5\n", "x: 1\n");
    let class = folder.path().join("modules/p/manifests/init.pp");
    fs::write(&class, "class p (String $port) {}\n").expect("written");
    assert_eq!(told(&check(folder.path(), &["--changed", "--compile"])).len(), 1);
}

#[test]
fn a_required_value_that_was_taken_away_is_reported_for_changed_data() {
    let folder = site("p::port: 5\n", "x: 1\n");
    fs::write(folder.path().join("modules/p/manifests/init.pp"), "class p (Integer $port) {}\n")
        .expect("written");
    git(folder.path(), &["commit", "--quiet", "-am", "y"]);
    assert!(told(&check(folder.path(), &["--compile", "--changed"])).is_empty());
    fs::write(folder.path().join("data/common.yaml"), "y: 1\n").expect("written");
    let run = check(folder.path(), &["--compile", "--changed"]);
    assert!(run.code == 2 && run.out.contains("HC104: p::port is required"), "{}", run.out);
}

#[test]
fn catalogs_that_do_not_compile_are_one_finding() {
    let folder = site("x: 1\n", "x: 1\n");
    fs::write(folder.path().join("facts/b.yaml"), "clientcert: b\nrole: db\n").expect("written");
    fs::write(folder.path().join("manifests/site.pp"), "include p\n  include q::missing\n").expect("written");
    let run = check(folder.path(), &["--compile"]);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    let line = run.out.lines().next().unwrap_or_default();
    assert!(line.starts_with("manifests/site.pp:2:3: error HC106: the catalog does not compile: "), "{line}");
    assert!(line.contains("q::missing") && line.ends_with("(2 nodes)"), "{line}");
    let github = check(folder.path(), &["--compile", "--render-as", "github"]);
    assert!(
        github.out.contains("::error file=manifests/site.pp,line=2,col=3,title=HC106::"),
        "{}",
        github.out
    );
    assert_eq!(check(folder.path(), &["--compile", "--skip", "HC106"]).code, 0);
}
