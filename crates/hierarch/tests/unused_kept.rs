//! `hierarch unused --fix`: what may be needed in a way that facts do not show stays, and is said to be uncertain.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder_of, hierarch};

/// Two nodes of two roles, and classes that data name.
const SITE: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - {name: R, path: \"roles/%{facts.role}.yaml\"}\n  - {name: C, path: common.yaml}\n",
    ),
    ("environment.conf", "modulepath = modules\n"),
    ("manifests/site.pp", "lookup('classes').include\n"),
    ("modules/p/manifests/base.pp", "class p::base {}\n"),
    ("modules/p/manifests/web.pp", "class p::web {}\n"),
    ("modules/p/manifests/db.pp", "class p::db {}\n"),
    ("data/common.yaml", "classes: [p::base]\n"),
    ("data/roles/web.yaml", "classes: [p::web]\n"),
    ("data/roles/db.yaml", "classes: [p::db]\n"),
    ("facts/a.yaml", "clientcert: a\nrole: web\n"),
    ("facts/b.yaml", "clientcert: b\nrole: db\n"),
];

fn site(changes: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder_of(SITE);
    for (file, text) in changes {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

fn fix(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["unused", "--fix"], arguments].concat(), "")
}

/// All data files with their texts.
fn data(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for part in ["data", "data/roles", "data/nodes"] {
        for entry in fs::read_dir(folder.join(part)).into_iter().flatten().flatten() {
            if let Ok(text) = fs::read_to_string(entry.path()) {
                found.push((entry.path().display().to_string(), text));
            }
        }
    }
    found.sort();
    found
}

/// Nothing is removed, and it is said that something is not certain.
fn check_kept(folder: &Path, arguments: &[&str], what: &str) {
    let before = data(folder);
    let run = fix(folder, arguments);
    assert_eq!(data(folder), before, "{what}: {}{}", run.out, run.err);
    assert!(run.out.contains("0 findings removed"), "{what}: {}{}", run.out, run.err);
}

#[test]
fn what_is_dead_for_certain_goes() {
    let folder = site(&[("data/roles/mail.yaml", "classes: [p::web]\n")]);
    let run = fix(folder.path(), &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(!folder.path().join("data/roles/mail.yaml").exists(), "{}", run.out);
    assert_eq!(fs::read_to_string(folder.path().join("data/common.yaml")).expect("read").trim(), "{}");
}

const BY_ROLE: &str =
    "version: 5\nhierarchy:\n  - {name: R, path: \"roles/%{role}.yaml\"}\n  - {name: C, path: common.yaml}\n";

#[test]
fn a_variable_that_some_node_lacks_or_code_sets_proves_nothing() {
    let lacking = ("facts/b.yaml", "clientcert: b\n");
    let same = ("facts/b.yaml", "clientcert: b\nrole: web\n");
    for (facts, manifest) in [
        (
            lacking,
            "node 'b' { $role = 'db' lookup('classes').include }\nnode default { lookup('classes').include }\n",
        ),
        (lacking, "lookup('classes').include\n"),
        (same, "class q { $role = 'db' lookup('classes').include }\ninclude q\n"),
        (same, "['db', 'web'].each |$role| { lookup('classes').include }\n"),
        (same, "class q($role = 'db') { lookup('classes').include }\ninclude q\n"),
        (same, "define d($role) { lookup('classes').include }\nd { x: role => 'db' }\n"),
    ] {
        let folder = site(&[("hiera.yaml", BY_ROLE), facts, ("manifests/site.pp", manifest)]);
        check_kept(folder.path(), &[], manifest);
        let listed = hierarch(folder.path(), &["unused"], "");
        assert!(!listed.out.contains("none of 2 nodes loads this file\n"), "{manifest}: {}", listed.out);
    }
    let folder = site(&[("hiera.yaml", BY_ROLE), same]);
    assert!(
        fix(folder.path(), &[]).out.contains("1 finding removed")
            || !folder.path().join("data/roles/db.yaml").exists()
    );
}

#[test]
fn a_variable_that_the_language_sets_proves_nothing() {
    for (variable, fact, manifest) in [
        ("title", "title", "define d { lookup('classes').include }\nd { db: }\n"),
        ("name", "name", "define d { lookup('classes').include }\nd { db: }\n"),
        ("1", "'1'", "if 'db' =~ /(.*)/ { lookup('classes').include }\n"),
    ] {
        let hiera = BY_ROLE.replace("%{role}", &format!("%{{{variable}}}"));
        let facts = |node: &str| format!("clientcert: {node}\n{fact}: web\n");
        let folder = site(&[
            ("hiera.yaml", &hiera),
            ("facts/a.yaml", &facts("a")),
            ("facts/b.yaml", &facts("b")),
            ("manifests/site.pp", manifest),
        ]);
        check_kept(folder.path(), &[], variable);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_through_a_link_is_read() {
    use std::os::unix::fs::symlink;
    let folder = site(&[("data/roles/legacy.yaml", "classes: [p::db]\n")]);
    let db = folder.path().join("data/roles/db.yaml");
    fs::remove_file(&db).expect("removed");
    symlink("legacy.yaml", &db).expect("linked");
    fix(folder.path(), &[]);
    assert!(db.exists(), "the link leads somewhere");

    let hiera = "version: 5\nhierarchy:\n  - {name: N, path: \"nodes/%{trusted.certname}.yaml\"}\n  - {name: R, path: \"roles/%{facts.role}.yaml\"}\n  - {name: C, path: common.yaml}\n";
    let folder = site(&[
        ("hiera.yaml", hiera),
        ("data/nodes/a.yaml", "classes: [p::web]\n"),
        ("data/roles/web.yaml", "classes: [p::db]\ny: 1\n"),
        ("manifests/site.pp", "lookup('y')\nlookup('classes').include\n"),
    ]);
    let db = folder.path().join("data/roles/db.yaml");
    fs::remove_file(&db).expect("removed");
    symlink("web.yaml", &db).expect("linked");
    let before = hierarch(folder.path(), &["lookup", "classes", "--node", "b"], "").out;
    fix(folder.path(), &[]);
    assert_eq!(hierarch(folder.path(), &["lookup", "classes", "--node", "b"], "").out, before);
    let text = fs::read_to_string(folder.path().join("data/roles/web.yaml")).expect("read");
    assert!(text.contains("classes"), "{text}");
    let listed = hierarch(folder.path(), &["unused"], "");
    assert!(listed.out.contains("the file is also read as data/roles/"), "{}", listed.out);
}

#[test]
fn a_file_that_code_names_stays() {
    for manifest in [
        "notice(inline_template('<%= YAML.load_file(%(/srv/data/roles/old.yaml))[%(x)] %>'))\n",
        "$all = loadyaml('/srv/data/roles/old.yaml')\n",
        "$all = loadyaml(\"/srv/data/roles/${x}.yaml\")\n",
    ] {
        let manifest = format!("lookup('classes').include\n{manifest}");
        let folder = site(&[("data/roles/old.yaml", "x: [1]\n"), ("manifests/site.pp", &manifest)]);
        fix(folder.path(), &[]);
        assert!(folder.path().join("data/roles/old.yaml").exists(), "{manifest}");
    }
}

#[test]
fn templates_and_helpers_are_read_wherever_they_are() {
    let erb = "<%= scope.call_function(\"lookup\",[\"classes\",{\"merge\"=>\"unique\"}]).join(\",\") %>\n";
    let epp = "<%= lookup(\"classes\",Array,\"unique\") %>\n";
    let helper = "module PuppetX; module P; def self.go(s, k) s.call_function(\"lookup\", [k, {\"merge\"=>\"unique\"}]); end; end; end\n";
    let data = "classes: [p::base]\ntpl: '<%%{}= lookup(\"classes\",Array,\"unique\") %%{}>'\n";
    for (file, text, manifest) in [
        ("modules/p/templates/x.conf", erb, "notify { x: message => template('p/x.conf') }\n"),
        ("modules/p/templates/x.conf", epp, "notify { x: message => epp('p/x.conf') }\n"),
        ("modules/p/files/x", epp, "notify { x: message => inline_epp(file('p/x')) }\n"),
        ("data/common.yaml", data, "notify { x: message => inline_epp(lookup('tpl')) }\n"),
        ("modules/p/lib/puppet_x/p/h.rb", helper, "p::x('a')\n"),
        ("tpl/x.erb", erb, "notify { x: message => template('/srv/tpl/x.erb') }\n"),
        ("tpl/x.erb", erb, "notify { x: message => inline_template($x) }\n"),
    ] {
        let manifest = format!("lookup('classes').include\n{manifest}");
        let folder = site(&[(file, text), ("manifests/site.pp", &manifest)]);
        check_kept(folder.path(), &[], &manifest);
    }
}

#[test]
fn a_key_that_only_such_a_template_names_is_no_unused_key() {
    let erb = "<%= scope.call_function(\"lookup\",[\"motd_text\"]) %>\n";
    let common = ("data/common.yaml", "classes: [p::base]\nmotd_text: hello\n");
    for (file, name) in [("modules/p/templates/x.conf", "p/x.conf"), ("tpl/x.erb", "/srv/tpl/x.erb")] {
        let manifest = format!("lookup('classes').include\nnotify {{ x: message => template('{name}') }}\n");
        let folder = site(&[(file, erb), common, ("manifests/site.pp", &manifest)]);
        fix(folder.path(), &["--proof", "static"]);
        let text = fs::read_to_string(folder.path().join("data/common.yaml")).expect("read");
        assert!(text.contains("motd_text"), "{file}: {text}");
    }
}

#[test]
fn a_file_that_another_one_includes_is_read() {
    let directives = "version: 5\ndefaults: {data_hash: directives_data}\nhierarchy:\n  - {name: R, path: \"roles/%{facts.role}.yaml\"}\n  - {name: C, path: common.yaml}\n";
    let folder = site(&[
        ("hiera.yaml", directives),
        ("data/roles/web.yaml", "+include: basis.yaml\n"),
        ("data/roles/basis.yaml", "classes: [p::web]\n"),
    ]);
    let before = hierarch(folder.path(), &["lookup", "classes", "--node", "a"], "");
    assert!(before.out.contains("p::web"), "{}", before.err);
    fix(folder.path(), &[]);
    assert_eq!(hierarch(folder.path(), &["lookup", "classes", "--node", "a"], "").out, before.out);
    let listed = hierarch(folder.path(), &["unused"], "");
    assert!(!listed.out.contains("basis.yaml: unloaded-file"), "{}", listed.out);

    let hocon = "version: 5\ndefaults: {data_hash: hocon_data}\nhierarchy:\n  - {name: R, path: \"roles/%{facts.role}.conf\"}\n";
    let folder = site(&[("hiera.yaml", hocon), ("data/roles/db.conf", "classes: [p::db]\n")]);
    let basis = folder.path().join("data/roles/basis.conf");
    fs::write(&basis, "classes: [p::web]\n").expect("written");
    let text = format!("include file(\"{}\")\n", basis.display());
    fs::write(folder.path().join("data/roles/web.conf"), text).expect("written");
    fix(folder.path(), &[]);
    assert!(basis.exists());
}

#[test]
fn what_code_asks_for_is_not_unused_because_no_catalog_has_that_code() {
    let class = (
        "modules/p/manifests/web.pp",
        "class p::web($port = 1) { notify { 'x': message => \"${port}\" } }\n",
    );
    let folder = site(&[
        ("manifests/site.pp", "P::D <<| |>>\n"),
        class,
        ("modules/p/manifests/d.pp", "define p::d() { notify { $title: message => lookup('dkey') } }\n"),
        ("data/common.yaml", "p::web::port: 80\ndkey: 5\nnobody: 1\n"),
    ]);
    fix(folder.path(), &["--proof", "compiled"]);
    let text = fs::read_to_string(folder.path().join("data/common.yaml")).expect("read");
    assert!(text.contains("p::web::port") && text.contains("dkey"), "{text}");
}
