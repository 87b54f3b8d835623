//! What flags give `hierarch catalog compile` beside manifests and data.

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

/// A control repository with functions that cannot run here, or are not there.
fn repository(site: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in [
        ("environment.conf", "modulepath = site:modules\nmanifest = manifests\n"),
        ("manifests/b/site.pp", site),
        ("manifests/a.pp", "$first = 'from a.pp'\n"),
        ("site/web/manifests/init.pp", "class web($port = 80) { notify { \"web ${port} ${::tier}\": } }\n"),
        ("modules/db/manifests/init.pp", "class db { notify { 'db': } }\n"),
        (
            "modules/ask/lib/puppet/functions/ask/world.rb",
            "Puppet::Functions.create_function(:'ask::world') do\n  def world(x)\n    `date`\n  end\nend\n",
        ),
        ("modules/ask/templates/env.erb", "<%= ENV['HIERARCH_TEST'].inspect %> <%= File.read(@outside) %>"),
        ("overlay/functions/ask/world.pp", "function ask::world($x) { \"overlaid ${x}\" }\n"),
        ("overlay/lookup_host.pp", "not a function\n"),
        ("overlay/functions/lookup_host.pp", "function lookup_host($x) { \"host ${x}\" }\n"),
        (
            "answers.yaml",
            "- {function: ask::world, arguments: [a], result: [1, 2]}\n- {function: ipresolve, result: 192.0.2.1}\n",
        ),
        ("enc.yaml", "classes: {db: , web: {port: 8080}}\nparameters: {tier: gold}\n"),
        ("trusted.yaml", "certname: other\nextensions: {pp_role: web}\n"),
        ("outside/secret.txt", "read me"),
        ("dns.yaml", "web.example.com: [192.0.2.7, '2001:db8::7']\nexample.com: {TXT: v=1}\n"),
    ] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
    folder
}

/// Compiles; returns the exit code, the catalog and what was said.
fn compile(site: &str, flags: &[&str]) -> (i32, Json, String) {
    let folder = repository(site);
    let output = Command::new(env!("CARGO_BIN_EXE_hierarch"))
        .args(["catalog", "compile", "node.example.com", "--render-as", "json"])
        .args(flags)
        .env("HIERARCH_TEST", "seen")
        .current_dir(folder.path())
        .output()
        .expect("the program runs");
    let catalog = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.code().unwrap_or(-1), catalog, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Returns the titles of the resources of a type.
fn titles(catalog: &Json, kind: &str) -> Vec<String> {
    let resources = catalog["resources"].as_array().cloned().unwrap_or_default();
    let is_it = |resource: &&Json| resource["type"] == kind;
    resources.iter().filter(is_it).map(|it| it["title"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn what_is_missing_ends_the_compilation_by_itself() {
    let (code, _, err) = compile("notify { ipresolve('x'): }", &[]);
    assert!(code == 1 && err.contains("Unknown function: 'ipresolve'"), "{err}");
    let (code, _, err) = compile("notify { ask::world('x'): }", &[]);
    assert!(code == 1 && err.contains("is not allowed"), "{err}");
}

#[test]
fn a_placeholder_stands_where_a_function_did_not_run() {
    let site = "notify { 'a': message => ipresolve('x') }\nnotify { 'b': message => ask::world('x') }\nnotify { 'c': }";
    let (code, catalog, err) = compile(site, &["--stub-missing"]);
    assert_eq!(code, 3, "{err}");
    assert_eq!(titles(&catalog, "Notify"), ["a", "b", "c"]);
    let stubs = catalog["stubs"].as_array().expect("stubs");
    assert_eq!(stubs.len(), 2);
    assert_eq!((&stubs[0]["function"], &stubs[0]["line"]), (&Json::from("ipresolve"), &Json::from(1)));
    assert!(catalog.to_string().contains("<<stub: ask::world() did not run>>"), "{catalog}");
    assert!(err.contains("the result of 2 calls"), "{err}");
}

#[test]
fn mistakes_are_no_placeholders() {
    let (code, _, err) = compile("notify { split('a'): }", &["--stub-missing"]);
    assert!(code == 1 && err.contains("'split' expects"), "{err}");
    let (code, catalog, _) = compile("notify { 'x': }", &["--stub-missing"]);
    assert!(code == 0 && catalog.get("stubs").is_none());
}

#[test]
fn answers_are_found_by_name_and_arguments() {
    let site = "notify { \"${ask::world('a')} ${ipresolve('any', 4)}\": }";
    let (code, catalog, err) = compile(site, &["--answers", "answers.yaml"]);
    assert_eq!((code, titles(&catalog, "Notify")), (0, vec!["[1, 2] 192.0.2.1".to_owned()]), "{err}");
    let (code, _, err) = compile("notify { ask::world('b'): }", &["--answers", "answers.yaml"]);
    assert!(code == 1 && err.contains("not allowed"), "{err}");
    let (code, _, err) = compile("", &["--answers", "enc.yaml"]);
    assert!(code == 1 && !err.is_empty(), "{err}");
}

#[test]
fn functions_of_an_overlay_go_first() {
    let site = "notify { \"${ask::world('x')} ${lookup_host('y')}\": }";
    let (code, catalog, err) = compile(site, &["--overlay", "overlay"]);
    assert_eq!((code, titles(&catalog, "Notify")), (0, vec!["overlaid x host y".to_owned()]), "{err}");
    let (code, _, err) = compile("", &["--overlay", "nowhere"]);
    assert!(code == 1 && err.contains("nowhere"), "{err}");
}

#[test]
fn a_classifier_names_classes_and_variables() {
    let (code, catalog, err) = compile("notify { \"${first} ${tier}\": }", &["--enc-answer", "enc.yaml"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(titles(&catalog, "Class"), ["Settings", "main", "Web", "Db"]);
    assert_eq!(titles(&catalog, "Notify"), ["from a.pp gold", "web 8080 gold", "db"]);
    // As Puppet 8 writes it for a classifier that prints the same.
    assert_eq!(catalog["classes"], serde_json::json!(["db", "web", "settings", "web", "db"]));
    assert_eq!(catalog["tags"], serde_json::json!(["db", "web", "settings", "class"]));
    let kinds: Vec<&str> = catalog["resources"]
        .as_array()
        .map(|list| list.iter().filter_map(|resource| resource["type"].as_str()).collect())
        .unwrap_or_default();
    assert_eq!(kinds, ["Stage", "Class", "Class", "Notify", "Class", "Class", "Notify", "Notify"]);
}

#[test]
fn trusted_facts_are_given() {
    let site = "notify { \"${trusted['certname']} ${trusted['extensions']['pp_role']}\": }";
    let (code, catalog, err) = compile(site, &["--trusted", "trusted.yaml"]);
    assert_eq!((code, titles(&catalog, "Notify")), (0, vec!["other web".to_owned()]), "{err}");
}

#[test]
fn ruby_reads_and_sees_what_flags_allow() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("x"), "read me").expect("written");
    let outside = folder.path().canonicalize().expect("a path");
    let site = format!("$outside = '{}/x' notify {{ template('ask/env.erb'): }}", outside.display());
    let (code, _, err) = compile(&site, &[]);
    assert!(code == 1 && err.contains("--ruby-read DIR"), "{err}");
    let read = outside.display().to_string();
    let (code, catalog, err) = compile(&site, &["--ruby-read", &read]);
    assert_eq!((code, titles(&catalog, "Notify")), (0, vec!["nil read me".to_owned()]), "{err}");
    let (_, catalog, err) = compile(&site, &["--ruby-read", &read, "--ruby-env"]);
    assert_eq!(titles(&catalog, "Notify"), ["\"seen\" read me"], "{err}");
}

/// A program that stands for a Ruby: it reads lines and says these, whatever they ask.
#[cfg(unix)]
fn answering(lines: &[&str]) -> (tempfile::TempDir, String) {
    let says: Vec<String> = lines.iter().map(|line| format!("read -r x; echo '{line}'")).collect();
    program(&says.join("\n"))
}

#[cfg(unix)]
fn program(commands: &str) -> (tempfile::TempDir, String) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ruby");
    std::fs::write(&path, format!("#!/bin/sh\n{commands}\n")).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("made a program");
    let path = path.display().to_string();
    (folder, path)
}

#[cfg(unix)]
#[test]
fn a_real_ruby_runs_what_does_not_run_here() {
    let site = "notify { String(ask::world('a')): }";
    let (_folder, ruby) = answering(&[r#"{"value":"3.3"}"#, r#"{"value":["from",1]}"#]);
    let (code, catalog, err) = compile(site, &["--ruby-command", &ruby]);
    assert_eq!((code, titles(&catalog, "Notify")), (0, vec!["['from', 1]".to_owned()]), "{err}");
    assert_eq!(catalog["ruby_command"][0]["ran"], "ask::world()");
    assert_eq!(catalog["ruby_command"][0]["calls"], 1);
    assert!(err.contains("ask::world() was run once by --ruby-command"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_real_ruby_may_ask_back() {
    let ask = r#"{"ask":"variable","arguments":["first"]}"#;
    let failure = r#"{"error":{"message":"no way","file":"/x.rb","line":"3","standard":true}}"#;
    let (_folder, ruby) = answering(&[r#"{"value":"3.3"}"#, ask, failure]);
    let (code, _, err) = compile("ask::world('a')", &["--ruby-command", &ruby]);
    assert!(code == 1 && err.contains("no way") && err.contains("/x.rb"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_real_ruby_is_bounded() {
    let site = "ask::world('a')";
    let (_folder, ruby) = answering(&[]);
    let (code, _, err) = compile(site, &["--ruby-command", &ruby]);
    assert!(code == 1 && err.contains("ended without an answer"), "{err}");
    let (_folder, ruby) = answering(&[r#"{"value":"3.3"}"#, "not JSON"]);
    let (code, _, err) = compile(site, &["--ruby-command", &ruby]);
    assert!(code == 1 && err.contains("cannot be understood"), "{err}");
    let (code, _, err) = compile(site, &["--ruby-command", "/nowhere/ruby"]);
    assert!(code == 1 && err.contains("cannot be started"), "{err}");
    let (_folder, ruby) = program("read -r x; sleep 30");
    let (code, _, err) = compile(site, &["--ruby-command", &ruby, "--max-ruby-time", "0.3"]);
    assert!(code == 1 && err.contains("no answer in 0.3 seconds (--max-ruby-time)"), "{err}");
}

#[test]
fn ruby_asks_for_names_with_a_flag() {
    let site = "notify { inline_template('<%= Resolv.getaddress(\"web.example.com\") %> <%= Resolv.getname(\"192.0.2.7\") %> <%= Resolv.getaddress(\"10.0.0.1\") %>'): }";
    let (code, _, err) = compile(site, &[]);
    assert!(
        code == 1 && err.contains("Resolv.getaddress asks the network") && err.contains("--ruby-net"),
        "{err}"
    );
    let (code, catalog, err) = compile(site, &["--ruby-dns", "dns.yaml"]);
    assert_eq!(
        (code, titles(&catalog, "Notify")),
        (0, vec!["192.0.2.7 web.example.com 10.0.0.1".to_owned()]),
        "{err}"
    );
    let missing = "inline_template('<%= Resolv.getaddress(\"nowhere.example.com\") %>')";
    let (code, _, err) = compile(missing, &["--ruby-dns", "dns.yaml"]);
    assert!(code == 1 && err.contains("no address for nowhere.example.com"), "{err}");
}

#[cfg(feature = "fetch")]
#[test]
fn ruby_asks_for_pages_with_a_flag() {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nX-A: b\r\n\r\nno");
        }
    });
    let site = format!(
        "notify {{ inline_template('<% r = Net::HTTP.get_response(URI(\"http://127.0.0.1:{port}/x\")) %><%= r.class %> <%= r.code %> <%= r.body %> <%= r[\"x-a\"] %>'): }}"
    );
    let (code, _, err) = compile(&site, &["--ruby-dns", "dns.yaml"]);
    assert!(code == 1 && err.contains("--ruby-net"), "{err}");
    let (code, catalog, err) = compile(&site, &["--ruby-net"]);
    assert_eq!(
        (code, titles(&catalog, "Notify")),
        (0, vec!["Net::HTTPNotFound 404 no b".to_owned()]),
        "{err}"
    );
}
