//! `hierarch check`: every code is found where it is planted, nothing else is, and each form and exit code says so.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, folder_of, hierarch};
use serde_json::Value as Json;

/// A repository in which nothing is wrong.
const GOOD: &[(&str, &str)] = &[
    (
        "hiera.yaml",
        "version: 5\nhierarchy:\n  - name: Node\n    path: \"nodes/%{trusted.certname}.yaml\"\n  - name: Common\n    path: common.yaml\n",
    ),
    ("environment.conf", "modulepath = modules\n"),
    ("manifests/site.pp", "node default { include web }\n"),
    (
        "modules/web/manifests/init.pp",
        "class web (\n  Integer[1, 65535] $port,\n  String $mode = 'x',\n  Web::Hosts $hosts = [],\n) {}\n",
    ),
    ("modules/web/types/hosts.pp", "type Web::Hosts = Array[String[1]]\n"),
    ("data/common.yaml", "web::port: 80\n"),
    ("data/nodes/a.yaml", "web::port: 81\n"),
    ("facts/a.yaml", "clientcert: a\nnetworking: {fqdn: a}\nrole: web\n"),
    ("facts/b.yaml", "clientcert: b\nnetworking: {fqdn: b}\nrole: db\n"),
];

fn site(changes: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = folder_of(GOOD);
    for (file, text) in changes {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

fn check(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["check"], arguments].concat(), "")
}

#[test]
fn nothing_is_found_where_nothing_is_wrong() {
    let folder = site(&[]);
    for arguments in [&[][..], &["--compile"], &["--fail-on", "note"]] {
        let run = check(folder.path(), arguments);
        assert_eq!((run.code, run.out.as_str()), (0, "nothing found on 2 nodes\n"), "{}", run.err);
    }
}

/// Files, flags, and the line that is printed.
type Planted = (&'static [(&'static str, &'static str)], &'static [&'static str], &'static str);

/// Each code with what plants it.
const PLANTED: &[Planted] = &[
    (
        &[("data/nodes/a.yaml", "web::port: '81'\n")],
        &[],
        "data/nodes/a.yaml:1:12: warning HC101: web::port expects an Integer value, got String, if the class is included (1 node)",
    ),
    (
        &[("data/nodes/a.yaml", "web::port: '81'\n")],
        &["--compile"],
        "data/nodes/a.yaml:1:12: error HC101: web::port expects an Integer value, got String (1 node)",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nweb::hosts: ['']\n")],
        &[],
        "data/common.yaml:2:14: warning HC101: web::hosts index 0 expects a String[1] value, got String, if the class is included (2 nodes)",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nweb::prot: 1\n")],
        &[],
        "data/common.yaml:2:1: warning HC102: class web has no parameter prot; did you mean port?",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nwep::port: 1\n")],
        &[],
        "data/common.yaml:2:1: warning HC103: there is no class wep in the modulepath; did you mean web?",
    ),
    (
        &[("data/common.yaml", "{}\n")],
        &["--compile"],
        "modules/web/manifests/init.pp:2:21: error HC104: web::port is required and has no value (1 node)",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nx: 1\nx: 2\n")],
        &[],
        "data/common.yaml:3:1: warning HC201: the key x stands in this map before; the last one counts",
    ),
    (
        &[("data/common.yaml", "web::port: 80\n---\ny: 1\n")],
        &[],
        "data/common.yaml:3:1: warning HC202: a second document, which is not read",
    ),
    (
        &[("data/nodes/b.yaml", "- 1\n")],
        &[],
        "data/nodes/b.yaml:1:1: error HC203: the file holds no hash, so that no key of it is found",
    ),
    (
        &[(
            "hiera.yaml",
            "version: 5\nhierarchy:\n  - name: Os\n    paths: ['os/%{facts.oss}.yaml', common.yaml]\n",
        )],
        &[],
        "hiera.yaml:4:17: warning HC204: '%{facts.oss}' is a variable of none of 2 nodes; if a manifest sets it, use --compile",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nx: \"%{facts.rolle}\"\n")],
        &[],
        "data/common.yaml:2:5: warning HC205: '%{facts.rolle}' is a variable of none of 2 nodes",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nx: \"a %{alias('web::port')}\"\n")],
        &[],
        "data/common.yaml:2:1: warning HC205: x: an alias must be the whole text; use lookup inside of a longer one",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nl: [1]\n"), ("data/nodes/a.yaml", "l: [2]\n")],
        &[],
        "data/nodes/a.yaml:1:1: note HC206: l: lower levels have values, too, which are hidden; to merge them, add lookup_options: {l: {merge: unique}} (1 node)",
    ),
    (
        &[(
            "data/common.yaml",
            "web::port: 80\nlookup_options:\n  '^we.*': {merge: first}\n  '^web::.*': {merge: unique}\n",
        )],
        &[],
        "data/common.yaml:4:3: warning HC207: ^web::.* and ^we.* both match web::port and say different things; the one that comes first counts",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nlookup_options:\n  nobody: {merge: unique}\n")],
        &[],
        "data/common.yaml:3:3: warning HC208: the options of nobody match no key that any node sees",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nweb::mode: 0644\n")],
        &["--only", "HC209"],
        "data/common.yaml:2:12: warning HC209: web::mode wants a text here, and 0644 without quotes is the number 420",
    ),
    (
        &[("data/common.yaml", "web::port: 80\nweb::hosts: [a, on]\n")],
        &["--only", "HC209"],
        "data/common.yaml:2:17: warning HC209: web::hosts wants a text here, and on without quotes is the boolean true",
    ),
];

#[test]
fn every_code_is_found_where_it_is_planted() {
    for (changes, arguments, line) in PLANTED {
        let folder = site(changes);
        let run = check(folder.path(), arguments);
        let lines: Vec<&str> = run.out.lines().filter(|line| line.contains(": ")).collect();
        assert_eq!(lines, [*line], "{changes:?}\n{}{}", run.out, run.err);
        let is_error = line.contains(" error ");
        assert_eq!(run.code, if is_error { 2 } else { 0 }, "{line}");
        let fails = check(folder.path(), &[*arguments, &["--fail-on", "note"]].concat());
        assert_eq!(fails.code, 2, "{line}");
    }
}

#[test]
fn a_value_that_no_key_opens_is_found() {
    let hiera = "version: 5\nhierarchy:\n  - {name: Secrets, lookup_key: eyaml_lookup_key, path: secrets.eyaml, options: {pkcs7_private_key: keys/private_key.pkcs7.pem, pkcs7_public_key: keys/public_key.pkcs7.pem}}\n  - {name: Common, path: common.yaml}\n";
    let folder = site(&[("hiera.yaml", hiera)]);
    let path = folder.path();
    assert_eq!(hierarch(path, &["eyaml", "createkeys"], "").code, 0);
    let encrypt =
        || hierarch(path, &["eyaml", "encrypt", "-o", "string", "-s", "s3cret"], "").out.trim().to_owned();
    let mine = encrypt();
    fs::write(path.join("data/secrets.eyaml"), format!("good: {mine}\n")).expect("written");
    assert_eq!(check(path, &[]).out, "nothing found on 2 nodes\n");
    fs::rename(path.join("keys"), path.join("old")).expect("moved");
    assert_eq!(hierarch(path, &["eyaml", "createkeys"], "").code, 0);
    fs::write(path.join("data/common.yaml"), format!("web::port: 80\nplain: {mine}\n")).expect("written");
    let run = check(path, &[]);
    assert!(run.out.contains("data/secrets.eyaml:1:1: error HC210: good is encrypted, and the configured keys do not open it (2 nodes)"), "{}", run.out);
    assert!(run.out.contains("data/common.yaml:2:1: error HC210: plain is encrypted, and the level of this file does not decrypt"), "{}", run.out);
    assert!(!run.out.contains("s3cret") && run.code == 2);
}

#[test]
fn comments_silence_and_silence_for_nothing_is_told() {
    let folder = site(&[(
        "data/common.yaml",
        "web::port: 80\n# hierarch: ignore HC102\nweb::prot: 1\nwep::x: 1 # hierarch: ignore HC103, HC209\n",
    )]);
    let run = check(folder.path(), &[]);
    assert_eq!(
        run.out.lines().next(),
        Some("data/common.yaml:4: warning HC001: this comment ignores HC209, which was not found here")
    );
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
    assert_eq!(check(folder.path(), &["--skip", "HC001"]).out, "nothing found on 2 nodes\n");
}

#[test]
fn paths_codes_and_changes_limit_what_is_reported() {
    let folder =
        site(&[("data/common.yaml", "web::port: 80\nweb::prot: 1\n"), ("data/nodes/b.yaml", "wep::x: 1\n")]);
    let path = folder.path();
    let count =
        |arguments: &[&str]| check(path, arguments).out.lines().filter(|line| line.contains(" HC")).count();
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&["data/nodes"]), 1);
    assert_eq!(count(&["--only", "HC103"]), 1);
    assert_eq!(count(&["--only", "HC103", "--only", "a"]), 1);
    assert_eq!(count(&["--skip", "HC102,HC103"]), 0);
    let unknown = check(path, &["--skip", "HC999"]);
    assert!(unknown.code == 1 && unknown.err.contains("there is no code HC999"), "{}", unknown.err);
    let git = |arguments: &[&str]| {
        let status = std::process::Command::new("git")
            .args(["-c", "user.name=A", "-c", "user.email=a@b"])
            .args(arguments)
            .current_dir(path)
            .status();
        assert!(status.expect("git runs").success());
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "-m", "x"]);
    assert_eq!(count(&["--changed"]), 0);
    fs::write(path.join("data/nodes/b.yaml"), "wep::y: 1\n").expect("written");
    assert_eq!(count(&["--changed"]), 1);
    assert_eq!(count(&["--changed=HEAD"]), 1);
    assert_eq!(count(&["--at", "HEAD"]), 2);
}

#[test]
fn without_nodes_the_rest_is_checked() {
    let folder = site(&[("data/common.yaml", "web::prot: 1\n")]);
    fs::remove_dir_all(folder.path().join("facts")).expect("removed");
    let run = check(folder.path(), &[]);
    assert!(
        run.out.contains("HC102")
            && run.out.contains("not checked, because no nodes were given (--nodes): HC101 HC104"),
        "{}{}",
        run.out,
        run.err
    );
    let json: Json = serde_json::from_str(&check(folder.path(), &["--render-as", "json"]).out).expect("JSON");
    assert_eq!(
        (json["format"].as_str(), json["findings"][0]["code"].as_str()),
        (Some("hierarch.check/1"), Some("HC102"))
    );
    assert_eq!(json["left_out"][0], "HC101");
    for (form, part) in [
        ("jsonl", "\"code\":\"HC102\""),
        ("csv", "HC102,warning,data/common.yaml,1,1,"),
        ("markdown", "| `data/common.yaml:1` | warning HC102 |"),
        ("github", "::warning file=data/common.yaml,line=1,col=1,title=HC102::class web"),
        ("sarif", "\"ruleId\": \"HC102\""),
        ("codeclimate", "\"check_name\": \"HC102\""),
        ("junit", "name=\"HC102 data/common.yaml:1\""),
    ] {
        let run = check(folder.path(), &["--render-as", form]);
        assert!(run.out.contains(part), "{form}: {}", run.out);
    }
}

#[test]
fn the_schema_tells_types_defaults_and_words() {
    let folder = site(&[(
        "modules/web/manifests/doc.pp",
        "# @param port Deprecated: the port\nclass web::doc (Integer[1, 9] $port = 3, Optional[Enum['a']] $way = undef, Struct[{x => Integer}] $all = {x => 1}) {}\n",
    )]);
    fs::write(
        folder.path().join("data/common.yaml"),
        "web::port: 80\nlookup_options:\n  web::doc::all: {merge: deep}\n",
    )
    .expect("written");
    let run = hierarch(folder.path(), &["schema"], "");
    let json: Json = serde_json::from_str(&run.out).expect("JSON");
    let property = |name: &str| json["properties"][name].clone();
    let port = property("web::doc::port");
    assert_eq!(port["anyOf"][0], serde_json::json!({"type": "integer", "minimum": 1, "maximum": 9}));
    assert_eq!(port["anyOf"][1]["pattern"], "%\\{|ENC\\[");
    assert_eq!((port["default"].as_i64(), port["deprecated"].as_bool()), (Some(3), Some(true)));
    assert_eq!(property("web::doc::way")["anyOf"][0]["anyOf"][1]["type"], "null");
    assert_eq!(
        property("web::doc::all")["anyOf"][0],
        serde_json::json!({"type": "object"}),
        "parts are merged"
    );
    assert_eq!(
        property("web::hosts")["anyOf"][0]["items"]["anyOf"][0]["minLength"],
        1,
        "aliases of modules are known"
    );
    assert_eq!(json["$schema"], "http://json-schema.org/draft-07/schema#");
    let hiera: Json =
        serde_json::from_str(&hierarch(folder.path(), &["schema", "--for", "hiera"], "").out).expect("JSON");
    assert_eq!(hiera["properties"]["version"]["const"], 5);
    let line = hierarch(folder.path(), &["schema", "--modeline", "x.json"], "").out;
    assert_eq!(line, "# yaml-language-server: $schema=x.json\n");
}

#[test]
fn a_lookup_that_fails_is_an_error() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\nhierarchy: [{name: N, paths: ['%{facts.role}.yaml', common.yaml]}]\n"),
        (
            "data/common.yaml",
            "h: {a: 1}\nx: \"%{lookup('y')}\"\ny: \"%{lookup('x')}\"\nlookup_options: {h: {merge: hash}}\n",
        ),
        ("data/web.yaml", "h: [1]\n"),
        ("facts/a.yaml", "role: web\n"),
    ]);
    let run = hierarch(folder.path(), &["check", "--only", "HC105"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    for start in
        ["error HC105: the lookup of h fails: ", "data/common.yaml:2:1: error HC105: the lookup of x fails: "]
    {
        assert!(run.out.contains(start), "{start}: {}", run.out);
    }
}

#[test]
fn a_comment_behind_an_entry_is_about_that_entry_alone() {
    let data = "web::port: 80\ny::z: 1   # hierarch: ignore HC103\nw::z: 1\n# hierarch: ignore HC103\nv::z: 1\nu::z: 1\n";
    let folder = site(&[("data/common.yaml", data)]);
    let run = check(folder.path(), &["--only", "HC103", "--only", "HC001"]);
    let lines: Vec<&str> =
        run.out.lines().filter_map(|line| line.split_once(": ").map(|(place, _)| place)).collect();
    assert_eq!(lines, ["data/common.yaml:3:1", "data/common.yaml:6:1"], "{}", run.out);
}
