//! `hierarch nodes`: the store gives the answers that the folder gives, and servers that misbehave leave it whole.
#![cfg(feature = "store")]

mod common;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

use common::{Run, copy_folder, folder_of, hierarch};

fn example() -> tempfile::TempDir {
    let folder = folder_of(&[]);
    copy_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/control-repo"), folder.path());
    folder
}

fn nodes(folder: &Path, arguments: &[&str]) -> Run {
    hierarch(folder, &[&["nodes"], arguments].concat(), "")
}

#[test]
fn a_store_answers_as_the_folder_that_it_was_made_from() {
    let folder = example();
    let path = folder.path();
    let ask = |source: &[&str]| {
        let words = ["values", "ntp::servers", "profile::web::port", "motd::message", "--render-as", "json"];
        let run = hierarch(path, &[&words, source].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    let from_folder = ask(&["--nodes", "facts"]);
    let first = nodes(path, &["import", "facts"]);
    assert_eq!(first.out, "facts: 12 nodes: 12 new, 0 changed, 0 the same, 0 gone\n", "{}", first.err);
    assert_eq!(
        nodes(path, &["import", "facts"]).out,
        "facts: 12 nodes: 0 new, 0 changed, 12 the same, 0 gone\n"
    );
    assert_eq!(fs::read_to_string(path.join(".hierarch/.gitignore")).expect("a file"), "*\n");
    fs::rename(path.join("facts"), path.join("elsewhere")).expect("moved");
    assert_eq!(ask(&[]), from_folder, "the store of the repository is found");
    assert_eq!(ask(&["--nodes", "sqlite:.hierarch/nodes.db"]), from_folder);
    for target in ["out", "out.json"] {
        assert_eq!(nodes(path, &["export", target]).out, "wrote 12 nodes\n");
        assert_eq!(ask(&["--nodes", target]), from_folder, "{target}");
    }
}

#[cfg(unix)]
#[test]
fn a_store_is_its_owners_alone_and_first_imports_at_once_all_succeed() {
    use std::os::unix::fs::PermissionsExt;

    let folder = example();
    let path = folder.path();
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let imports: Vec<_> = (0..6).map(|_| scope.spawn(|| nodes(path, &["import", "facts"]))).collect();
        imports.into_iter().map(|import| import.join().expect("an end")).collect()
    });
    for run in &runs {
        assert_eq!(run.code, 0, "{}", run.err);
    }
    let store = path.join(".hierarch/nodes.db");
    let mode = |path: &Path| fs::metadata(path).expect("a store").permissions().mode() & 0o777;
    assert_eq!(mode(&store), 0o600);
    fs::set_permissions(&store, fs::Permissions::from_mode(0o644)).expect("a mode");
    nodes(path, &["import", "facts"]);
    assert_eq!(mode(&store), 0o640, "of a store that is there others lose what they may");
}

#[cfg(unix)]
#[test]
fn what_is_not_a_store_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;

    let folder = example();
    let path = folder.path();
    fs::write(path.join("precious"), "precious\n").expect("a file");
    fs::set_permissions(path.join("precious"), fs::Permissions::from_mode(0o644)).expect("a mode");
    fs::create_dir_all(path.join(".hierarch")).expect("a folder");
    std::os::unix::fs::symlink(path.join("precious"), path.join(".hierarch/nodes.db")).expect("a link");
    for more in [&[][..], &["--store", "sqlite:precious"]] {
        let run = nodes(path, &[&["import", "facts"], more].concat());
        assert_eq!(run.code, 1, "{}", run.err);
        let mode = fs::metadata(path.join("precious")).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o644);
    }
    assert_eq!(fs::read_to_string(path.join("precious")).expect("a file"), "precious\n");
}

#[test]
fn nodes_are_listed_shown_and_forgotten() {
    let folder = example();
    let path = folder.path();
    let none = nodes(path, &["list"]);
    assert!(none.code == 1 && none.err.contains("there is no store"), "{}", none.err);
    nodes(path, &["import", "facts"]);
    let list = nodes(path, &["list", "--only", "web*"]);
    assert!(
        list.out.starts_with("web01.berlin.example.com") && list.out.ends_with("4 nodes\n"),
        "{}",
        list.out
    );
    let chosen = nodes(path, &["list", "--where", "$facts['location'] == 'tokyo'"]);
    assert!(chosen.out.ends_with("5 nodes\n"), "{}{}", chosen.out, chosen.err);
    let show = nodes(path, &["show", "web01.berlin.example.com"]);
    assert!(show.out.contains("\"location\": \"berlin\""), "{}", show.out);
    let wrong = nodes(path, &["show", "web01.berlin.example.co"]);
    assert!(wrong.code == 1 && wrong.err.contains("did you mean web01.berlin.example.com"), "{}", wrong.err);
    assert_eq!(
        nodes(path, &["forget", "web01.berlin.example.com", "nobody"]).code,
        1,
        "all of them, or none"
    );
    assert!(nodes(path, &["list"]).out.ends_with("12 nodes\n"));
    assert_eq!(nodes(path, &["forget", "web01.berlin.example.com"]).out, "forgot 1 node\n");
    assert!(nodes(path, &["list"]).out.ends_with("11 nodes\n"));
    let bad = nodes(path, &["list", "--store", "mysql:x"]);
    assert!(bad.err.contains("'mysql:x' is not a store"), "{}", bad.err);
}

/// Answers each request in turn, and returns the address.
fn serve(answers: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("puppetdb:http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let _ = stream.read(&mut [0; 8192]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    address
}

fn page(names: std::ops::Range<usize>) -> String {
    let node = |number: usize| {
        format!(
            r#"{{"certname":"n{number:04}","environment":"production","timestamp":"t","facts":{{"n":{number}}},"trusted":{{"certname":"n{number:04}"}}}}"#
        )
    };
    let body = format!("[{}]", names.map(node).collect::<Vec<_>>().join(","));
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(feature = "fetch")]
#[test]
fn puppetdb_is_asked_page_by_page() {
    let folder = example();
    let path = folder.path();
    let address = serve(vec![page(0..500), page(500..620)]);
    let run = nodes(path, &["import", &address]);
    assert!(run.out.contains("620 nodes: 620 new"), "{}{}", run.out, run.err);
    let cut = page(0..500);
    let address = serve(vec![page(0..500), cut[..cut.len() / 2].to_owned()]);
    let run = nodes(path, &["import", &address]);
    assert_eq!(run.code, 1, "a server that stops in the middle of a page: {}", run.out);
    assert!(nodes(path, &["list"]).out.ends_with("620 nodes\n"), "the store is whole");
    let head = |status: &str, body: &str| {
        format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
    };
    for (answer, words) in [
        (head("401 Unauthorized", ""), "status 401; give a certificate with --cert"),
        (head("200 OK", "<html></html>"), "answers with HTML"),
        (head("200 OK", "{}"), "the answer is no list"),
        (head("200 OK", "[{\"certname\": \"a\"}]"), "item 1 of the answer is no node"),
    ] {
        let run = nodes(path, &["import", &serve(vec![answer])]);
        assert!(run.code == 1 && run.err.contains(words), "{words}: {}", run.err);
    }
}

#[test]
fn no_name_leads_out_of_a_folder() {
    for name in ["../out", "a/b", "", "\\u001b[31mred"] {
        let list = format!(r#"[{{"node": "{name}", "facts": {{"a": 1}}}}]"#);
        let folder = folder_of(&[("nodes.json", &list)]);
        let run = nodes(folder.path(), &["--store", "sqlite:n.db", "import", "nodes.json"]);
        assert!(run.code == 1 && run.err.contains("entry 1"), "{name:?}: {}", run.err);
    }
}

#[test]
fn a_store_that_is_empty_hides_nothing() {
    let folder = example();
    let path = folder.path();
    assert_eq!(nodes(path, &["import", "nowhere"]).code, 1);
    let run = hierarch(path, &["values", "ntp::servers"], "");
    assert!(run.code == 0 && run.out.contains("on 12 nodes"), "{}", run.err);
}

#[test]
fn facts_that_cannot_be_read_are_named_and_left_out() {
    let folder =
        folder_of(&[("facts/a.yaml", "a: 1\n"), ("facts/b.yaml", "a: [\n"), ("facts/c.json", "{\"a\": 1}")]);
    let run = nodes(folder.path(), &["--store", "sqlite:n.db", "import", "facts"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("2 nodes: 2 new") && run.err.contains("b.yaml"), "{}{}", run.out, run.err);
}

#[test]
fn a_store_that_is_broken_says_so() {
    let folder = example();
    let path = folder.path();
    fs::write(path.join("bad.db"), "this is not a database, and never was").expect("written");
    let run = hierarch(path, &["values", "ntp::servers", "--nodes", "sqlite:bad.db"], "");
    assert!(run.code == 1 && run.err.contains("not a database"), "{}", run.err);
}

#[test]
fn commands_of_one_node_take_it_from_the_store_too() {
    let folder = example();
    let path = folder.path();
    let node = "web01.berlin.example.com";
    assert_eq!(nodes(path, &["import", "facts"]).code, 0);
    let file = path.join(format!("facts/{node}.yaml"));
    let text = fs::read_to_string(&file).expect("facts");
    fs::write(&file, text.replace("location: berlin", "location: tokyo")).expect("written");
    let lookup = |from: &Path| hierarch(from, &["lookup", "ntp::servers", "--node", node], "");
    assert!(lookup(path).out.contains("ntp1.berlin"), "as `values` says: {}", lookup(path).out);
    fs::rename(path.join("facts"), path.join("elsewhere")).expect("moved");
    assert!(lookup(path).out.contains("ntp1.berlin"), "{}", lookup(path).err);
    let run = hierarch(path, &["dump", "--node", node, "ntp::servers"], "");
    assert!(run.out.contains("ntp1.berlin"), "{}{}", run.out, run.err);
}

#[test]
fn a_node_that_its_folder_has_no_more_is_gone() {
    let folder =
        folder_of(&[("facts/a.yaml", "x: 1\n"), ("facts/b.yaml", "x: 1\n"), ("facts/c.yaml", "x: 1\n")]);
    let path = folder.path();
    let store = ["--store", "sqlite:n.db"];
    let import = || nodes(path, &[&store[..], &["import", "facts"]].concat());
    assert_eq!(import().code, 0);
    fs::remove_file(path.join("facts/a.yaml")).expect("removed");
    // One that cannot be read is still named.
    fs::write(path.join("facts/b.yaml"), "x: [\n").expect("written");
    assert_eq!(import().out, "facts: 1 node: 0 new, 0 changed, 1 the same, 1 gone\n");
    let list = nodes(path, &[&store[..], &["list"]].concat()).out;
    assert!(!list.contains("a  ") && list.ends_with("2 nodes\n"), "{list}");
}

#[test]
fn facts_that_are_newer_than_the_store_are_told() {
    let folder = example();
    let path = folder.path();
    nodes(path, &["import", "facts"]);
    let ask = |words: &[&str]| hierarch(path, words, "").err;
    let (lookup, values) =
        (["lookup", "ntp::servers", "--node", "web01.berlin.example.com"], ["values", "ntp::servers"]);
    let touch = |file: &Path, minutes: u64| {
        let then = std::time::SystemTime::now() - std::time::Duration::from_mins(minutes);
        let touched = fs::File::options().append(true).open(file).and_then(|file| file.set_modified(then));
        touched.expect("touched");
    };
    for entry in fs::read_dir(path.join("facts")).expect("a folder") {
        touch(&entry.expect("a file").path(), 30);
    }
    touch(&path.join(".hierarch/nodes.db"), 20);
    assert_eq!((ask(&lookup), ask(&values)), (String::new(), String::new()));
    // Newer than the store and older than now, when asking opens it.
    touch(&path.join("facts/web01.berlin.example.com.yaml"), 10);
    for words in [&lookup[..], &values] {
        let err = ask(words);
        assert!(err.contains("facts/web01.berlin.example.com.yaml is newer than the store"), "{err}");
    }
    assert_eq!(ask(&["values", "ntp::servers", "--nodes", "facts"]), "");
    let all = hierarch(path, &[], "").out;
    assert!(all.contains("12, from .hierarch/nodes.db"), "{all}");
}

#[test]
fn an_export_keeps_environments_or_says_so() {
    let folder = folder_of(&[
        ("hiera.yaml", "version: 5\n"),
        ("l.yaml", "- {node: x.example.com, environment: dev, facts: {location: tokyo}}\n"),
    ]);
    let path = folder.path();
    nodes(path, &["import", "l.yaml"]);
    let run = nodes(path, &["export", "out"]);
    assert!(run.err.contains("1 node in an environment of their own"), "{}", run.err);
    for target in ["out.yaml", "out.yml", "out.json"] {
        let run = nodes(path, &["export", target]);
        assert_eq!((run.out.as_str(), run.err.as_str()), ("wrote 1 node\n", ""), "{target}");
        let store = format!("sqlite:{target}.db");
        nodes(path, &["import", target, "--store", &store]);
        let listed = nodes(path, &["list", "--store", &store]).out;
        assert!(listed.starts_with("x.example.com  dev  "), "{target}: {listed}");
    }
}

#[cfg(feature = "fetch")]
#[test]
fn an_import_that_broke_off_is_told_and_proves_nothing() {
    let folder = example();
    let path = folder.path();
    let pages = || (0..3).map(|number| page(number * 500..(number + 1) * 500)).collect::<Vec<_>>();
    let broken =
        [pages(), vec!["HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".to_owned()]]
            .concat();
    assert_eq!(nodes(path, &["import", &serve(broken)]).code, 1);
    assert!(nodes(path, &["list"]).out.ends_with("1,000 nodes\n"));
    let run = hierarch(path, &["values", "timezone"], "");
    assert!(run.err.contains("its last import broke off"), "{}", run.err);
    let run = hierarch(path, &["unused", "--fix"], "");
    assert!(run.code == 1 && run.out.is_empty() && run.err.contains("broke off"), "{}", run.err);
}

#[test]
fn facts_that_json_cannot_say_are_not_taken_in() {
    let deep = format!("{}1{}", "[".repeat(125), "]".repeat(125));
    let list = format!(
        "- {{node: n, facts: {{x: .inf}}}}\n- {{node: m, facts: {{}}}}\n- {{node: d, facts: {{x: {deep}}}}}\n"
    );
    let folder = folder_of(&[("hiera.yaml", "version: 5\n"), ("b.yaml", &list)]);
    let run = nodes(folder.path(), &["import", "b.yaml"]);
    assert_eq!(
        (run.code, run.out.as_str()),
        (1, "b.yaml: 1 node: 1 new, 0 changed, 0 the same, 0 gone\n"),
        "{}",
        run.err
    );
    assert!(
        run.err.contains("n: a fact is infinite") && run.err.contains("d: a fact is nested"),
        "{}",
        run.err
    );
}
