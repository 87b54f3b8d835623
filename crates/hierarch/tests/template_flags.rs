//! The flags of `hierarch template`: notations, several documents, folders, what is written and what is not.

mod common;

use std::fs;
use std::path::Path;

use common::{folder_of, hierarch};

#[track_caller]
fn check(template: &str, flags: &[&str], expected: &str) {
    let folder = folder_of(&[("t.j2", template), ("d.yaml", "list: [1, 2]\nnothing: ~\nname: web\n")]);
    let words = [&["template", "t.j2", "--data", "d.yaml"][..], flags].concat();
    let run = hierarch(folder.path(), &words, "");
    assert_eq!((run.code, run.out.as_str()), (0, expected), "{template:?} {flags:?}: {}", run.err);
}

#[track_caller]
fn fails(template: &str, flags: &[&str], wanted: &str) {
    let folder = folder_of(&[("t.j2", template)]);
    let run = hierarch(folder.path(), &[&["template", "t.j2"][..], flags].concat(), "");
    assert_eq!(run.code, 1, "{template:?} {flags:?}: {}", run.out);
    assert!(run.err.contains(wanted), "{template:?} {flags:?}: {}", run.err);
}

#[test]
fn blocks_keep_their_lines_unless_flags_say_otherwise() {
    let template = "a\n  {% if true %}\nb\n  {% endif %}\nc\n";
    check(template, &[], "a\n  \nb\n  \nc\n");
    check(template, &["--trim-blocks"], "a\n  b\n  c\n");
    check(template, &["--lstrip-blocks"], "a\n\nb\n\nc\n");
    check(template, &["--trim-blocks", "--lstrip-blocks"], "a\nb\nc\n");
    check(template, &["--ansible"], "a\n  b\n  c\n");
    check(template, &["--ansible", "--lstrip-blocks"], "a\nb\nc\n");
}

#[test]
fn ansible_writes_nothing_for_null_and_says_that_it_manages_the_file() {
    check("<{{ nothing }}>\n", &["--ansible"], "<>\n");
    check("# {{ ansible_managed }}\n", &["--ansible"], "# Ansible managed\n");
    check("# {{ ansible_managed }}\n", &["--ansible", "--var", "ansible_managed=by hand"], "# by hand\n");
    fails("# {{ ansible_managed }}\n", &[], "ansible_managed");
}

#[test]
fn a_header_line_of_ansible_chooses_the_notation() {
    check("#jinja2: trim_blocks: False\na\n{% if true %}\nb\n{% endif %}\n", &["--ansible"], "a\n\nb\n");
    check("#jinja2: lstrip_blocks: True\na\n  {% if true %}\nb\n  {% endif %}\n", &["--ansible"], "a\nb\n");
}

#[test]
fn what_would_be_written_can_be_seen_before() {
    let folder = folder_of(&[
        ("in/a.txt.j2", "a {{ host }}\n"),
        ("in/b.txt.j2", "b\n"),
        ("out/a.txt", "a old\n"),
        ("out/b.txt", "b\n"),
        ("d.yaml", "host: w1\n"),
    ]);
    let ask =
        |more: &[&str]| hierarch(folder.path(), &[&["template", "--data", "d.yaml"][..], more].concat(), "");
    let run = ask(&["in", "-o", "out", "--diff"]);
    assert!(run.code == 0 && run.out.contains("-a old\n+a w1") && !run.out.contains("b.txt"), "{}", run.out);
    let run = ask(&["in", "-o", "out", "--check"]);
    assert_eq!((run.code, run.out.as_str()), (2, "out/a.txt\n"), "{}", run.err);
    let run = ask(&["in/a.txt.j2", "-o", "new.txt", "--dry-run", "--check"]);
    assert!(run.code == 2 && run.out.contains("+a w1"), "{} {}", run.out, run.err);
    assert_eq!(fs::read_to_string(folder.path().join("out/a.txt")).expect("a file"), "a old\n");
    assert!(!folder.path().join("new.txt").exists());
    assert_eq!(ask(&["in", "-o", "out"]).code, 0);
    assert_eq!(ask(&["in", "-o", "out", "--check"]).code, 0, "all is written");
    assert_ne!(ask(&["in", "--check"]).code, 0, "there is nothing to compare with");
}

#[test]
fn templates_of_a_folder_include_what_lies_beside_them() {
    let folder = folder_of(&[
        ("in/top.j2", "top {{ host }}\n"),
        ("in/sub/_inc.j2", "inc {{ host }}"),
        ("in/sub/b.txt.j2", "{% include '_inc.j2' %}!\n{% include 'sub/_inc.j2' %}\n"),
        ("d.yaml", "host: w1\n"),
    ]);
    fs::write(folder.path().join("in/logo.png"), [0, 255, 1]).expect("a picture");
    let run = hierarch(folder.path(), &["template", "in", "-o", "out", "--data", "d.yaml"], "");
    assert!(run.code == 0 && run.err.contains("in/logo.png is no text and is left out"), "{}", run.err);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!((read("out/top"), read("out/sub/b.txt")), ("top w1\n".into(), "inc w1!\ninc w1\n".into()));
}

#[cfg(unix)]
#[test]
fn a_folder_keeps_modes_and_refuses_links_that_lead_out() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder =
        folder_of(&[("s/run.sh.j2", "echo {{ 1 + 1 }}\n"), ("s/a.txt", "a\n"), ("out.txt", "secret\n")]);
    let path = |name: &str| folder.path().join(name);
    fs::set_permissions(path("s/run.sh.j2"), fs::Permissions::from_mode(0o755)).expect("a mode");
    symlink("a.txt", path("s/within.txt")).expect("a link");
    let run = hierarch(folder.path(), &["template", "s", "-o", "o"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let mode = |name: &str| fs::metadata(path(name)).expect("made").permissions().mode() & 0o100;
    assert_eq!((mode("o/run.sh"), mode("o/a.txt"), mode("o/within.txt")), (0o100, 0, 0));
    symlink("../out.txt", path("s/link.txt")).expect("a link");
    let run = hierarch(folder.path(), &["template", "s", "-o", "p"], "");
    assert!(run.code == 1 && run.err.contains("leads out of s"), "{}", run.err);
    assert!(!path("p").exists(), "nothing is written");
}

#[test]
fn tags_of_extensions_are_there_when_asked_for() {
    let broken = "{% for x in list %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% endfor %}\n";
    check(broken, &["--extensions", "loopcontrols"], "1\n");
    fails(broken, &[], "break");
    let done = "{% set l = [] %}{% do l.append(1) %}{{ l }}\n";
    check(done, &["--extensions", "do"], "[1]\n");
    check(done, &["--extensions", "do,loopcontrols"], "[1]\n");
    fails(done, &[], "do");
}

#[test]
fn variables_win_over_documents_and_are_yaml() {
    check("{{ name }} {{ n + 1 }}\n", &["--var", "name=db", "--var", "n=41"], "db 42\n");
    fails("x", &["--var", "novalue"], "write NAME=VALUE");
}

#[test]
fn undefined_names_are_errors_unless_lenient() {
    fails("{{ nope }}\n", &[], "missing variable: \"nope\"");
    check("{{ nope }}\n", &["--lenient"], "{{ nope }}\n");
}

#[test]
fn later_documents_are_merged_over_earlier_ones() {
    let folder = folder_of(&[
        ("t.j2", "{{ a.x }} {{ a.y }} {{ l }}\n"),
        ("1.yaml", "a: {x: 1, y: 1}\nl: [1]\n"),
        ("2.yaml", "a: {y: 2}\nl: [2]\n"),
    ]);
    let run = hierarch(folder.path(), &["template", "t.j2", "--data", "1.yaml", "--data", "2.yaml"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "1 2 [2]\n"), "{}", run.err);
    let run = hierarch(folder.path(), &["template", "t.j2", "--data", "2.yaml", "--data", "1.yaml"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "1 1 [1]\n"), "{}", run.err);
}

#[test]
fn templates_come_from_standard_input_and_are_values_on_demand() {
    let folder = folder_of(&[("d.yaml", "list: [1, 2]\n")]);
    let ask = |words: &[&str]| hierarch(folder.path(), words, "{{ list }}").out;
    assert_eq!(ask(&["template", "-", "--data", "d.yaml"]), "[1, 2]");
    assert_eq!(ask(&["template", "-", "--data", "d.yaml", "--render-as", "yaml"]), "- 1\n- 2\n");
    assert_eq!(ask(&["template", "-", "--data", "d.yaml", "--render-as", "json"]), "[\n  1,\n  2\n]\n");
}

/// Returns the files below a folder with their texts, in order.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, text)| (format!("{name}/{inner}"), text)));
        } else {
            found.push((name, fs::read_to_string(&path).expect("a file")));
        }
    }
    found.sort();
    found
}

#[test]
fn a_folder_becomes_a_folder_and_only_what_changed_is_written() {
    let folder = folder_of(&[
        ("in/app.conf.j2", "{% include '_head.j2' %}\nname={{ name }}\n"),
        ("in/sub/plain.txt", "{{ 1 + 1 }}\n"),
        ("in/_head.j2", "# head\n"),
        ("d.yaml", "name: web\n"),
    ]);
    let render = |name: &str| {
        let variable = format!("name={name}");
        let words = ["template", "in", "-o", "out", "--data", "d.yaml", "--var", &variable];
        hierarch(folder.path(), &words, "")
    };
    assert_eq!(render("web").code, 0);
    let out = folder.path().join("out");
    let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(files(&out), [text("app.conf", "# head\nname=web\n"), text("sub/plain.txt", "2\n")]);
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    for name in ["app.conf", "sub/plain.txt"] {
        let file = fs::File::options().write(true).open(out.join(name)).expect("a file");
        file.set_modified(old).expect("a time");
    }
    assert_eq!(render("db").code, 0);
    let modified =
        |name: &str| fs::metadata(out.join(name)).and_then(|found| found.modified()).expect("a time");
    assert_eq!(modified("sub/plain.txt"), old, "what is the same is not touched");
    assert_ne!(modified("app.conf"), old);
    assert_eq!(files(&out)[0].1, "# head\nname=db\n");
}

#[test]
fn a_folder_is_written_whole_or_not_at_all() {
    let folder = folder_of(&[("in/a.j2", "a\n"), ("in/b.j2", "{{ nope }}\n")]);
    let run = hierarch(folder.path(), &["template", "in", "-o", "out"], "");
    assert_eq!(run.code, 1);
    assert!(!folder.path().join("out/a").exists());
    let folder = folder_of(&[("in/a.j2", "a\n"), ("in/a", "b\n")]);
    let run = hierarch(folder.path(), &["template", "in", "-o", "out"], "");
    assert!(run.err.contains("two templates would write out/a"), "{}", run.err);
    let run = hierarch(folder.path(), &["template", "in"], "");
    assert!(run.err.contains("name another one with --output"), "{}", run.err);
}

#[test]
fn expand_evaluates_with_the_same_flags() {
    let folder =
        folder_of(&[("m.yaml", "n: 2\na: \"{{ 2 * who }}\"\nb: \"x{% if true %}\\ny{% endif %}\"\n")]);
    let run = hierarch(
        folder.path(),
        &["yaml", "expand", "m.yaml", "--evaluate", "--var", "who=21", "--trim-blocks"],
        "",
    );
    assert_eq!((run.code, run.out.as_str()), (0, "n: 2\na: 42\nb: xy\n"), "{}", run.err);
}

#[test]
fn ansible_reads_data_as_yaml_1_1() {
    let folder = folder_of(&[("v.yaml", "flag: no\nmode: 0644\non_off: off\ntime: 12:30:45\n")]);
    let run = |flags: &[&str]| {
        let text = "{% if flag %}ON{% else %}OFF{% endif %} {{ flag }} {{ mode }} {{ on_off }} {{ time }}";
        let mut words = vec!["template", "-e", text, "--data", "v.yaml"];
        words.extend(flags);
        hierarch(folder.path(), &words, "").out
    };
    assert_eq!(run(&["--ansible"]), "OFF False 420 False 45045\n");
    assert_eq!(run(&["--schema", "1.1"]), run(&["--ansible"]));
    assert_eq!(run(&["--ansible", "--schema", "1.2"]), "ON no 644 off 12:30:45\n");
    assert_eq!(run(&[]), "ON no 644 off 12:30:45\n");
    let asked = hierarch(folder.path(), &["query", ".::mode", "--data", "v.yaml", "--schema", "1.1"], "");
    assert_eq!(asked.out, "420\n");
}

#[test]
fn a_vault_value_is_an_obstacle_only_to_those_who_use_it() {
    let vars = "host: w1\npw: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  6231\nl: [!vault x, b]\n";
    let folder = folder_of(&[("v.yaml", vars)]);
    let run =
        |text: &str| hierarch(folder.path(), &["template", "-e", text, "--data", "v.yaml", "--ansible"], "");
    let unused = run("{{ host }} {{ l[1] }}");
    assert_eq!((unused.code, unused.out.as_str()), (0, "w1 b\n"), "{}", unused.err);
    assert!(unused.err.contains("2 values are undefined here"), "{}", unused.err);
    let used = run("{{ pw }}");
    assert!(used.code == 1 && used.err.contains("pw") && !used.out.contains("6231"), "{}", used.err);
}
