//! Keys set in memory: where, what, and what is refused.

use hierarch_source::{Files, MemoryFiles};

use super::*;
use crate::{KnownNodes, Root, Site};

const HIERARCHY: &str = "version: 5\nhierarchy:\n- name: Node\n  path: nodes/%{trusted.certname}.yaml\n- name: Role\n  path: roles/%{facts.role}.yaml\n- name: Json\n  path: more.json\n  data_hash: json_data\n- name: Common\n  path: common.yaml\n";

fn site(files: &[(&str, &str)]) -> Site {
    let mut all = MemoryFiles::from([("repo/hiera.yaml", HIERARCHY)]);
    for (path, text) in files {
        all.insert(format!("repo/data/{path}"), *text);
    }
    let nodes = KnownNodes::from([("web", [("role", "front"), ("clientcert", "web")])]);
    Site::on(all).with_root(Root::Repository("repo".to_owned())).with_nodes(nodes).build()
}

fn edit(key: &str, value: &str) -> KeyEdit {
    KeyEdit { key: key.to_owned(), value: value.to_owned(), ..KeyEdit::default() }
}

fn plan(files: &[(&str, &str)], edit: &KeyEdit) -> Result<SetPlan> {
    let site = site(files);
    let node = site.node("web")?;
    site.plan_set(&node, edit)
}

/// Sets a key of common.yaml and compares the new text.
fn check(old: &str, key: &str, value: &str, new: &str) {
    let common = KeyEdit { level: Some("Common".to_owned()), ..edit(key, value) };
    let plan = plan(&[("common.yaml", old)], &common);
    let plan = plan.unwrap_or_else(|error| panic!("{key} {value}: {error}"));
    assert_eq!(
        (plan.path.as_path(), plan.new.as_str()),
        (Path::new("repo/data/common.yaml"), new),
        "{key} {value}"
    );
}

fn refused(files: &[(&str, &str)], edit: &KeyEdit) -> String {
    match plan(files, edit) {
        Ok(plan) => panic!("{} was planned: {}", edit.key, plan.new),
        Err(error) => format!("{error} {:?}", error.notes.iter().map(|note| &note.text).collect::<Vec<_>>()),
    }
}

#[test]
fn a_value_changes_and_nothing_else() {
    check("a: 1 # one\nb:  2\n", "a", "5", "a: 5 # one\nb:  2\n");
    check("a: {b: [1, 2]}\n", "a.b.1", "x", "a: {b: [1, x]}\n");
    check("a: [1]\n", "a.1", "2", "a: [1, 2]\n");
    check("a:\n  b: 1\n", "a.c.d", "2", "a:\n  b: 1\n  c:\n    d: 2\n");
    check("a:\n", "a.b", "1", "a:\n  b: 1\n");
    check("'x.y': 1\n", "'x.y'", "2", "'x.y': 2\n");
}

#[test]
fn aliases_and_merge_keys_are_written_out_where_they_must_be() {
    check(
        "base: &b {a: 1, l: [1]}\ncopy: *b\n",
        "copy.a",
        "7",
        "base: &b {a: 1, l: [1]}\ncopy:\n  a: 7\n  l:\n  - 1\n",
    );
    check(
        "base: &b {b: [1, 2]}\nd: {<<: *b}\n",
        "d.b.0",
        "X",
        "base: &b {b: [1, 2]}\nd: {<<: *b, b: [X, 2]}\n",
    );
    let text = refused(&[("common.yaml", "base: &b {a: 1}\ncopy: *b\n")], &edit("base.a", "2"));
    assert!(text.contains("other keys would change"), "{text}");
}

#[test]
fn what_leads_nowhere_is_refused() {
    for (old, key, words) in [
        ("list: [1, 2]\n", "list.7", "list is a list of 2 items, the next is 2"),
        ("port: 80\n", "port.x", "port is a number"),
        ("list: [1]\n", "list.x", "list is a list"),
        ("a: 1\n", "new.3", "not there, and a list begins with 0"),
        ("- 1\n", "a", "file does not contain a valid yaml hash"),
    ] {
        let text = refused(&[("common.yaml", old)], &edit(key, "1"));
        assert!(text.contains(words), "{key}: {text}");
    }
}

#[test]
fn values_are_written_as_they_are_typed() {
    check("a: 1\n", "a", "0755", "a: 0755\n");
    check("a: 1\n", "a", "1e3", "a: 1e3\n");
    check("a: 1\n", "a", "%{facts.role}", "a: '%{facts.role}'\n");
    check("a: 1\n", "a", "2020-01-01", "a: '2020-01-01'\n");
    check("a: x\n", "a", "yes", "a: yes\n");
    check("a: x\n", "a", "'5'", "a: '5'\n");
    let verbatim = KeyEdit { is_verbatim: true, ..edit("a", "0755") };
    assert_eq!(plan(&[("common.yaml", "a: 1\n")], &verbatim).expect("planned").new, "a: '0755'\n");
    let text = refused(&[("common.yaml", "a: 1\n")], &edit("a", "[1"));
    assert!(text.contains("--string"), "{text}");
}

/// Marks of documents, byte order marks and rare line breaks are part of a text; nothing at all is an empty text.
#[test]
fn what_yaml_takes_for_marks_and_breaks_is_text() {
    for text in ["--- pass", "---", "\u{feff}bom", "a\u{85}b", "\u{2028}ls", "a\u{2029}b", ""] {
        let plan = plan(&[("common.yaml", "a: x\n")], &edit("a", text)).expect(text);
        let source = hierarch_source::Source::unnamed(plan.new.as_str());
        let tree = hierarch_yaml::read(
            &source,
            hierarch_yaml::Dialect::Psych,
            hierarch_yaml::DocumentLimits::default(),
        );
        let tree = tree.expect("YAML");
        let data =
            tree.data(tree.root().expect("a map"), hierarch_yaml::DocumentLimits::default()).expect("data");
        assert_eq!(data.child("a").and_then(|a| a.as_str()), Some(text), "{}", plan.new);
    }
    check("a: x\n", "a", "~", "a: ~\n");
    check("a: x\n", "a", "null", "a: null\n");
    check("a: x\n", "a", " padded ", "a: padded\n");
}

#[test]
fn what_yaml_reads_otherwise_is_said() {
    for (typed, meant) in [
        ("12:30", "45000"),
        ("1_000", "1000"),
        ("0755", "493"),
        ("0x1f", "31"),
        ("yes", "true"),
        ("Off", "false"),
    ] {
        let plan = plan(&[("common.yaml", "a: x\n")], &edit("a", typed)).expect(typed);
        let words = format!("{typed} is {meant} in YAML as Puppet reads it; --string writes the text");
        assert_eq!(plan.warnings, [words], "{typed}");
    }
    for (typed, parts) in [
        ("[12:30, 5]", &[("12:30", "45000")][..]),
        ("{mode: 0644, b: [x, yes]}", &[("0644", "420"), ("yes", "true")]),
    ] {
        let plan = plan(&[("common.yaml", "a: x\n")], &edit("a", typed)).expect(typed);
        let words = |(typed, meant): &(&str, &str)| {
            format!("{typed} is {meant} in YAML as Puppet reads it; in quotes it is the text")
        };
        assert_eq!(plan.warnings, parts.iter().map(words).collect::<Vec<_>>(), "{typed}");
    }
    for plain in
        ["5", "-5", "+5", "true", "True", "1.5", "1e3", "x", "~", "'12:30'", "['12:30', 5]", "{a: x}"]
    {
        let plan = plan(&[("common.yaml", "a: x\n")], &edit("a", plain)).expect(plain);
        assert!(plan.warnings.is_empty(), "{plain}: {:?}", plan.warnings);
    }
}

/// What YAML passes over without a word was meant by whoever typed it.
#[test]
fn nothing_of_a_value_is_lost() {
    for (value, words) in [
        ("pass #1", "comment"),
        ("# x", "comment"),
        ("a: b # c", "comment"),
        ("[1] # c", "comment"),
        ("!foo bar", "!foo is a tag"),
        ("!foo {a: 1}", "!foo is a tag"),
        ("&a pw", "anchor"),
    ] {
        let text = refused(&[("common.yaml", "a: 1\n")], &edit("a", value));
        assert!(text.contains(words) && text.contains("--string"), "{value}: {text}");
        let verbatim = KeyEdit { is_verbatim: true, ..edit("a", value) };
        plan(&[("common.yaml", "a: 1\n")], &verbatim).expect("the text as it stands");
    }
    check("a: 1\n", "a", "'pass #1'", "a: 'pass #1'\n");
    check("a: 1\n", "a", "pass#1", "a: pass#1\n");
    check("a: 1\n", "a", "!!str 5", "a: '5'\n");
}

/// YAML would make one line of them.
#[test]
fn lines_stay_lines() {
    check("a: 1\nb: 2\n", "a", "x\ny", "a: |-\n  x\n  y\nb: 2\n");
    check("a: 1\nb: 2\n", "a", "x\n\ny\n", "a: |\n  x\n\n  y\nb: 2\n");
    check("a: 1\n", "a", "- x\n- y", "a:\n- x\n- y\n");
    check("a: 1\n", "a", "|\n  x\n  y\n", "a: |\n  x\n  y\n");
    check("a: 1\n", "a", "x\n", "a: x\n");
}

#[test]
fn a_hash_with_a_merge_key_is_replaced_as_a_whole() {
    let old = "_base: &base {a: 1, b: 2}\nh:\n  <<: *base\n  c: 3 # three\nz: 9\n";
    check(old, "h", "{y: 1}", "_base: &base {a: 1, b: 2}\nh:\n  y: 1\nz: 9\n");
    check(old, "h", "[1]", "_base: &base {a: 1, b: 2}\nh:\n- 1\nz: 9\n");
    check(old, "h", "x", "_base: &base {a: 1, b: 2}\nh: x\nz: 9\n");
}

#[test]
fn comments_stay_in_a_file_that_has_nothing_else() {
    check("# about\n---\n# more", "a", "1", "# about\n---\n# more\na: 1\n");
    check("", "a", "1", "a: 1\n");
}

#[test]
fn a_comment_behind_a_value_keeps_its_column() {
    check("a: Example   # why\nb: 1\n", "a", "Neu", "a: Neu       # why\nb: 1\n");
    check("a: Example   # why\n", "a", "Examples", "a: Examples  # why\n");
    check("a: 1 # why\n", "a", "1000", "a: 1000 # why\n");
}

#[test]
fn a_key_is_written_where_it_decides() {
    let files = [
        ("common.yaml", "a: 1\n"),
        ("roles/front.yaml", "a: 2\nb: 1\n"),
        ("more.json", "{\"j\": {\"x\": 1}}\n"),
    ];
    let path = |edit: &KeyEdit| plan(&files, edit).map(|plan| plan.path.display().to_string());
    assert_eq!(path(&edit("a", "3")).expect("planned"), "repo/data/roles/front.yaml");
    assert_eq!(path(&edit("new", "3")).expect("planned"), "repo/data/nodes/web.yaml", "the first level");
    let json = plan(&files, &edit("j.x", "3")).expect("planned");
    assert_eq!((json.level.as_str(), json.new.as_str()), ("Json", "{\"j\": {\"x\": 3}}\n"));
    let common = KeyEdit { level: Some("Common".to_owned()), ..edit("a", "3") };
    let hidden = plan(&files, &common).expect("planned");
    assert!(
        hidden.warnings[0].contains("repo/data/roles/front.yaml (level Role) hides"),
        "{:?}",
        hidden.warnings
    );
    let into = KeyEdit { into: Some("repo/data/common.yaml".into()), ..edit("c", "3") };
    assert_eq!(path(&into).ok().as_deref(), Some("repo/data/common.yaml"));
    let text = refused(&files, &KeyEdit { into: Some("repo/data/other.yaml".into()), ..edit("c", "3") });
    assert!(text.contains("its files are: repo/data/nodes/web.yaml"), "{text}");
    let text = refused(&files, &KeyEdit { level: Some("Nope".to_owned()), ..edit("c", "3") });
    assert!(text.contains("levels with files are: Node, Role, Json, Common"), "{text}");
}

#[test]
fn a_level_whose_facts_are_missing_has_no_file() {
    let files = MemoryFiles::from([("repo/hiera.yaml", HIERARCHY), ("repo/data/common.yaml", "a: 1\n")]);
    let nodes = KnownNodes::from([("web", [("os", "Debian")])]);
    let site = Site::on(files).with_root(Root::Repository("repo".to_owned())).with_nodes(nodes).build();
    let node = site.node("web").expect("a node");
    let role = KeyEdit { level: Some("Role".to_owned()), ..edit("a", "1") };
    let error = site.plan_set(&node, &role).expect_err("refused").to_string();
    assert!(error.contains("roles/%{facts.role}.yaml has no value"), "{error}");
}

/// A hierarchy with mapped paths and one with HOCON.
fn plan_in(config: &str, files: &[(&str, &str)], edit: &KeyEdit) -> Result<SetPlan> {
    let mut all = MemoryFiles::from([("repo/hiera.yaml", config)]);
    for (path, text) in files {
        all.insert(format!("repo/data/{path}"), *text);
    }
    let nodes = KnownNodes::from([("web", [("net", "dmz"), ("clientcert", "web")])]);
    let site = Site::on(all).with_root(Root::Repository("repo".to_owned())).with_nodes(nodes).build();
    let node = site.node("web")?;
    site.plan_set(&node, edit)
}

#[test]
fn mapped_paths_are_files_of_the_node() {
    let config = "version: 5\nhierarchy:\n- {name: Nets, mapped_paths: [facts.net, n, 'net/%{n}.yaml']}\n- {name: Role, mapped_paths: [facts.net, n, 'net/%{n}-%{facts.role}.yaml']}\n";
    let files = [("net/dmz.yaml", "open: [22]\n")];
    let plan = plan_in(config, &files, &edit("open", "[1]")).expect("planned");
    assert_eq!(
        (plan.path.display().to_string().as_str(), plan.new.as_str()),
        ("repo/data/net/dmz.yaml", "open: [1]\n")
    );
    let role = KeyEdit { level: Some("Role".to_owned()), ..edit("open", "[1]") };
    let error = plan_in(config, &files, &role).expect_err("refused").to_string();
    assert!(error.contains("net/%{n}-%{facts.role}.yaml has no value"), "{error}");
}

#[test]
fn only_levels_that_can_be_written_are_proposed() {
    let config = "version: 5\nhierarchy:\n- {name: Node, path: node.yaml}\n- {name: Hocon, path: h.conf, data_hash: hocon_data}\n- {name: Common, path: common.yaml}\n";
    let error = plan_in(config, &[("h.conf", "a = 1")], &edit("a", "2")).expect_err("refused");
    assert!(error.notes[0].text.ends_with("--level: Node, Common"), "{:?}", error.notes);
}

#[test]
fn merged_values_count_when_they_arrive() {
    let files = [
        ("common.yaml", "lookup_options: {h: {merge: deep}, n: {convert_to: Integer}}\nh: {a: 1}\nn: '1'\n"),
        ("nodes/web.yaml", "h: {b: 2}\n"),
    ];
    let new = |edit: &KeyEdit| plan(&files, edit).map(|plan| (plan.path, plan.new, plan.warnings));
    let common = KeyEdit { level: Some("Common".to_owned()), ..edit("h.a", "5") };
    let (_, text, warnings) = new(&common).expect("planned");
    assert!(text.contains("h: {a: 5}") && warnings.is_empty(), "{text} {warnings:?}");
    let (_, text, _) = new(&edit("n", "'7'")).expect("planned");
    assert!(text.contains("n: '7'"), "{text}");
}

#[test]
fn tokens_are_proved_by_their_place() {
    let files = [("common.yaml", "a: 1\nb: other\n")];
    for value in ["%{facts.role}", "x %{facts.role}", "%{alias('b')}", "%{lookup('b')}"] {
        assert!(plan(&files, &edit("a", value)).is_ok(), "{value}");
    }
}

#[test]
fn nothing_is_written_by_a_plan() {
    let site = site(&[("common.yaml", "a: 1\n")]);
    let node = site.node("web").expect("a node");
    let plan = site.plan_set(&node, &edit("a", "2")).expect("planned");
    assert_eq!(plan.old.as_deref(), Some("a: 1\n"));
    assert_eq!(site.files().read(Path::new("repo/data/common.yaml")).expect("there"), b"a: 1\n");
}

/// Edits common.yaml by path and compares the new text.
fn check_edits(old: &str, edits: &[(&str, Option<&str>)], new: &str) {
    let site = site(&[("common.yaml", old)]);
    let edits: Vec<FileEdit> = edits.iter().map(|(path, value)| file_edit(path, *value)).collect();
    let plans = site.plan_edits(&edits).expect("planned");
    assert_eq!(plans.len(), 1);
    assert_eq!((plans[0].old.as_deref(), plans[0].new.as_str()), (Some(old), new));
}

fn file_edit(path: &str, value: Option<&str>) -> FileEdit {
    let segment = |text: &str| match text.parse() {
        Ok(index) => hierarch_hiera::Segment::Index(index),
        Err(_) => hierarch_hiera::Segment::Name(text.into()),
    };
    FileEdit {
        file: "repo/data/common.yaml".into(),
        path: path.split('/').map(segment).collect(),
        value: value.map(str::to_owned),
    }
}

#[test]
fn files_are_edited_by_path() {
    let old = "# all\na::b: {c: 1, d: 2}  # kept\nl: [x, y, z]\n";
    check_edits(old, &[("a::b/c", Some("3"))], "# all\na::b: {c: 3, d: 2}  # kept\nl: [x, y, z]\n");
    check_edits(old, &[("a::b/c", None)], "# all\na::b: {d: 2}  # kept\nl: [x, y, z]\n");
    check_edits(
        old,
        &[("l/1", None), ("a.b", Some("\"t\""))],
        "# all\na::b: {c: 1, d: 2}  # kept\nl: [x, z]\na.b: t\n",
    );
    check_edits(old, &[("l", None)], "# all\na::b: {c: 1, d: 2}  # kept\n");
}

#[test]
fn edits_by_path_that_lead_nowhere_or_show_secrets_are_refused() {
    let site = site(&[("common.yaml", "a: 1\ns: ENC[PKCS7,MIIx]\n")]);
    for (path, value, code) in [
        ("b", None, "SET_NOTHING_THERE"),
        ("a/b", None, "SET_NOTHING_THERE"),
        ("a/b", Some("1"), "SET_NO_SUCH_PLACE"),
        ("s", Some("open"), "SET_WOULD_SHOW_SECRET"),
    ] {
        let error = site.plan_edits(&[file_edit(path, value)]).expect_err(path);
        assert_eq!(error.code, code, "{path}");
    }
    assert!(site.plan_edits(&[file_edit("s", Some("ENC[PKCS7,MIIy]")), file_edit("a", None)]).is_ok());
}
