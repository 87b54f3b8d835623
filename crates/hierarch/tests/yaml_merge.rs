//! `hierarch yaml merge`: layers without directives.

mod common;

use common::{folder_of, hierarch};

const BASE: &str = "\
# the web server
web:
  port: 80 # plain
  mode: 0644
  hosts: [a, b]
drop: 1
";
const PROD: &str = "\
web:
  # encrypted
  port: 0x1BB
  hosts: [c]
new: yes
";

fn merged(arguments: &[&str]) -> (i32, String, String) {
    let files = [
        ("base.yaml", BASE),
        ("prod.yaml", PROD),
        ("knock.yaml", "web: {hosts: [--a, c]}\n--drop: ''\n"),
        ("k8s.yaml", "kind: A\nspec: {containers: [{name: a, image: x}, {name: b}]}\n---\nkind: B\nn: 1\n"),
        (
            "over.yaml",
            "kind: B\nn: 2\n---\nkind: A\nspec: {containers: [{name: a, image: z}]}\n---\nkind: C\n",
        ),
        ("header.yaml", "web: {hosts: [{+%: replace}, z]}\n"),
        ("two.yaml", "a: 1\n---\nb: 1\n"),
    ];
    let folder = folder_of(&files);
    let mut words = vec!["yaml", "merge"];
    words.extend(arguments);
    let run = hierarch(folder.path(), &words, "a: 1\n");
    (run.code, run.out, run.err)
}

fn check(arguments: &[&str], expected: &str) {
    let (code, out, err) = merged(arguments);
    assert_eq!((code, out.as_str()), (0, expected), "{arguments:?}: {err}");
}

#[test]
fn spelling_and_comments_come_along() {
    check(
        &["base.yaml", "prod.yaml"],
        "# the web server\nweb:\n  # encrypted\n  port: 0x1BB\n  mode: 0644\n  hosts:\n  - a\n  - b\n  - c\ndrop: 1\nnew: yes\n",
    );
    check(&["base.yaml"], BASE);
}

#[test]
fn strategies_are_hieras() {
    check(
        &["base.yaml", "prod.yaml", "--strategy", "hash", "--render-as", "json"],
        "{\n  \"web\": {\n    \"port\": 443,\n    \"hosts\": [\n      \"c\"\n    ]\n  },\n  \"drop\": 1,\n  \"new\": \"yes\"\n}\n",
    );
    check(&["base.yaml", "header.yaml", "--strategy", "first"], "web:\n  hosts:\n  - z\n");
    let (_, out, err) = merged(&["base.yaml", "prod.yaml", "--strategy", "replace"]);
    assert!(out.contains("  hosts: [c]\ndrop: 1\n"), "{out}{err}");
    let (_, out, err) = merged(&["base.yaml", "knock.yaml", "--knockout", "--"]);
    assert!(out.contains("  hosts:\n  - b\n  - c\n"), "{out}{err}");
}

#[test]
fn headers_and_keys_say_how_lists_meet() {
    let (_, out, err) = merged(&["base.yaml", "header.yaml"]);
    assert!(out.contains("  hosts:\n  - z\n"), "{out}{err}");
    check(
        &["k8s.yaml", "over.yaml", "--match", "kubernetes"],
        "kind: A\nspec:\n  containers:\n  - {name: a, image: z}\n  - {name: b}\n---\nkind: B\nn: 2\n---\nkind: C\n",
    );
    let (_, out, err) = merged(&["k8s.yaml", "over.yaml", "--match", "containers=name"]);
    assert!(out.contains("  - {name: a, image: z}\n  - {name: b}\n"), "{out}{err}");
}

#[test]
fn origins_name_file_line_and_column_and_what_is_hidden() {
    for more in [&[][..], &["--strategy", "replace"]] {
        let mut words = vec!["base.yaml", "prod.yaml", "--origin"];
        words.extend(more);
        let (code, out, err) = merged(&words);
        assert_eq!(code, 0, "{err}");
        assert!(
            out.contains("web.port = 443\n    prod.yaml:3:9\n    hides 80 base.yaml:3:9\n"),
            "{more:?} {out}"
        );
        assert!(out.contains("drop = 1\n    base.yaml:6:7\n"), "{out}");
    }
}

#[test]
fn what_cannot_be_merged_says_so() {
    let (code, _, err) = merged(&["base.yaml", "two.yaml"]);
    assert_eq!(code, 1);
    assert!(err.contains("base.yaml has 1 document and two.yaml 2 documents"), "{err}");
    let (code, _, err) = merged(&["base.yaml", "prod.yaml", "--knockout", "--", "--strategy", "hash"]);
    assert_eq!(code, 1);
    assert!(err.contains("--knockout goes with --strategy deep"), "{err}");
    check(
        &["-", "base.yaml", "--strategy", "first", "--render-as", "json"],
        "{\n  \"web\": {\n    \"port\": 80,\n    \"mode\": 644,\n    \"hosts\": [\n      \"a\",\n      \"b\"\n    ]\n  },\n  \"drop\": 1\n}\n",
    );
}

/// Merges files that are given by their texts.
fn laid_over(texts: &[&str]) -> (i32, String, String) {
    let names: Vec<String> = (0..texts.len()).map(|place| format!("{place}.yaml")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().copied()).collect();
    let folder = folder_of(&files);
    let mut words = vec!["yaml", "merge", "--match", "kubernetes"];
    words.extend(names.iter().map(String::as_str));
    let run = hierarch(folder.path(), &words, "");
    (run.code, run.out, run.err)
}

#[test]
fn files_of_one_document_meet_by_kind_and_name_too() {
    let db = "kind: StatefulSet\nmetadata:\n  name: db\n";
    let web = "kind: Deployment\nmetadata:\n  name: web\n";
    for (texts, expected) in [
        (&[db, web][..], format!("{db}---\n{web}")),
        (&[db, web, "kind: StatefulSet\nmetadata: {name: db}\nn: 1\n"], format!("{db}n: 1\n---\n{web}")),
        // What a patch does not say fits any.
        (&[web, "kind: Deployment\nn: 1\n"], format!("{web}n: 1\n")),
        (&[web, "n: 1\n"], format!("{web}n: 1\n")),
    ] {
        let (code, out, err) = laid_over(texts);
        assert_eq!((code, out), (0, expected), "{err}");
    }
    // By position they are different things.
    for texts in [&[db, web, "n: 1\n"][..], &["kind: A\n---\nkind: A\n", "kind: A\n---\nkind: B\n"]] {
        let (code, out, err) = laid_over(texts);
        assert_eq!((code, out.as_str()), (1, ""), "{err}");
        assert!(err.contains("would become one document"), "{err}");
    }
}

#[test]
fn what_does_not_change_stays_as_it_is() {
    let base = "# top\na: 1 # one\nb:\n  # inner\n  c: 2 # two\n  f: {x: 1, y: [1, 2]} # brackets\nl:\n# item\n- {n: 1}\n";
    let over = "a: 5\nb:\n  d: 3 # three\n";
    let expected = "# top\na: 5\nb:\n  # inner\n  c: 2 # two\n  f: {x: 1, y: [1, 2]} # brackets\n  d: 3 # three\nl:\n# item\n- {n: 1}\n";
    let folder = folder_of(&[("base.yaml", base), ("over.yaml", over)]);
    for more in [&[][..], &["--strategy", "replace"], &["--match", "kubernetes"]] {
        let words = [&["yaml", "merge", "base.yaml", "over.yaml"][..], more].concat();
        let run = hierarch(folder.path(), &words, "");
        assert_eq!((run.code, run.out.as_str()), (0, expected), "{more:?}: {}", run.err);
    }
}

/// Merges two Compose files that hold one service, and returns that service.
fn composed(lower: &str, upper: &str) -> String {
    let file = |service: &str| format!("services:\n  web:\n{service}");
    let folder = folder_of(&[("a.yaml", &file(lower)), ("b.yaml", &file(upper))]);
    let run = hierarch(folder.path(), &["yaml", "merge", "a.yaml", "b.yaml", "--match", "compose"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.strip_prefix("services:\n  web:\n").unwrap_or(&run.out).to_owned()
}

#[test]
fn lists_that_stand_for_maps_are_merged_by_their_keys_as_compose_does() {
    for (lower, upper, wanted) in [
        ("environment: [A=1, B=2]", "environment: [B=3]", "environment:\n    - A=1\n    - B=3"),
        ("environment: [A=1, B]", "environment: [B=3, C]", "environment:\n    - A=1\n    - B=3\n    - C"),
        ("environment: [A=1, A=2]", "environment: [B=3]", "environment:\n    - A=2\n    - B=3"),
        ("environment: [A=1]", "environment: {B: 2, C: }", "environment:\n    - A=1\n    - B=2\n    - C"),
        (
            "environment: {A: 1, B: 2}",
            "environment: [B=3, C]",
            "environment:\n      A: 1\n      B: '3'\n      C:",
        ),
        ("environment: {A: 1}", "environment: {A: 2}", "environment:\n      A: 2"),
        ("labels: [x.y=1]", "labels: [x.y=2, z]", "labels: [x.y=2, z]"),
        (
            "volumes: ['./a:/data:ro', /log]",
            "volumes: ['./b:/data', './l:/log']",
            "volumes: ['./b:/data', './l:/log']",
        ),
        (
            "volumes: ['./a:/data:ro']",
            "volumes: [{type: bind, target: /data}]",
            "volumes: [{type: bind, target: /data}]",
        ),
        (
            "volumes: [{target: /data, source: x}]",
            "volumes: [{target: /data, read_only: true}]",
            "volumes:\n    - target: /data\n      source: x\n      read_only: true",
        ),
        ("ports: ['80:80']", "ports: ['81:80', '80:80']", "ports:\n    - '80:80'\n    - '81:80'"),
        ("command: [a, b]", "command: [c]", "command: [c]"),
        ("dns: [a]", "dns: [b]", "dns:\n    - a\n    - b"),
    ] {
        let found = composed(&format!("    {lower}\n"), &format!("    {upper}\n"));
        assert_eq!(found.trim(), wanted, "{lower} under {upper}");
    }
}

#[test]
fn lists_without_a_key_are_replaced_as_kubernetes_does() {
    let pod = |container: &str| format!("kind: Pod\nspec:\n  containers:\n  - {{name: c, {container}}}\n");
    for (lower, upper, wanted) in [
        ("command: [sh, -c, old]", "command: [sh, -c, new]", r#""command":["sh","-c","new"]"#),
        (
            "envFrom: [{configMapRef: {name: x}}, {configMapRef: {name: z}}]",
            "envFrom: [{configMapRef: {name: y}}]",
            r#""envFrom":[{"configMapRef":{"name":"y"}}]"#,
        ),
        (
            "env: [{name: A, value: a}]",
            "env: [{name: B}]",
            r#""env":[{"name":"A","value":"a"},{"name":"B"}]"#,
        ),
    ] {
        let folder = folder_of(&[("a.yaml", &pod(lower)), ("b.yaml", &pod(upper))]);
        let words = ["yaml", "merge", "a.yaml", "b.yaml", "--match", "kubernetes", "--render-as", "json"];
        let run = hierarch(folder.path(), &words, "");
        let found: String = run.out.split_whitespace().collect();
        assert!(found.contains(wanted), "{upper} over {lower}: {found}{}", run.err);
    }
}

/// Merges two texts with some arguments.
fn laid(below: &str, above: &str, arguments: &[&str]) -> String {
    let folder = folder_of(&[("a.yaml", below), ("b.yaml", above)]);
    let mut words = vec!["yaml", "merge", "a.yaml", "b.yaml"];
    words.extend(arguments);
    let run = hierarch(folder.path(), &words, "");
    assert_eq!(run.code, 0, "{}", run.err);
    run.out
}

#[test]
fn merged_maps_and_lists_have_the_tag_of_the_highest_that_has_one() {
    let (below, above) = ("f: !T {k: 1}\nl: !L [a]\ng: !S {z: 1}\n", "f: {m: 2}\nl: [b]\ng: !U {y: 1}\n");
    let merged = "f: !T\n  k: 1\n  m: 2\nl: !L\n- a\n- b\ng: !U\n  z: 1\n  y: 1\n";
    assert_eq!(laid(below, above, &[]), merged);
    assert_eq!(laid(below, above, &["--match", "x=name"]), merged);
    assert_eq!(laid(below, above, &["--strategy", "replace"]), merged.replace("!L\n- a\n- b", "[b]"));
    for alone in ["hash", "first"] {
        assert_eq!(laid(below, above, &["--strategy", alone]), above);
    }
    // Equal data are not the same under another tag, and what hides a map hides its tag.
    assert_eq!(laid("l: [!Ref x]\n", "l: [!GetAtt x]\n", &[]), "l:\n- !Ref x\n- !GetAtt x\n");
    assert_eq!(
        laid("l: [{n: 1, a: !Ref x}]\n", "l: [{n: 1, a: !Sub x}]\n", &["--match", "z=name"]),
        "l:\n- {n: 1, a: !Ref x}\n- {n: 1, a: !Sub x}\n"
    );
    assert_eq!(laid("m: {f: !T {k: 1}}\n", "m: {f: 1}\n", &[]), "m:\n  f: 1\n");
    assert_eq!(laid("m: !T {}\nl: [!E {}]\n", "l: [1]\n", &[]), "m: !T {}\nl:\n- !E {}\n- 1\n");
    let keyed = laid("l: [!I {name: a, x: 1}]\n", "l: [{name: a, y: 2}]\n", &["--match", "l=name"]);
    assert_eq!(keyed, "l:\n- !I\n  name: a\n  x: 1\n  y: 2\n");
}

#[test]
fn comments_above_items_stand_once_above_their_dash() {
    let below = "# c0\nl:\n# the app\n- name: app # x\n# side\n- name: side\nb: 1\n";
    for arguments in [&[][..], &["--match", "kubernetes"]] {
        assert_eq!(laid(below, "b: 2\n", arguments), below.replace("b: 1", "b: 2"), "{arguments:?}");
    }
}
