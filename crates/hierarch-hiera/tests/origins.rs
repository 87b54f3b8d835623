//! Origins by property: other text at the place that an origin names changes exactly that leaf.

use std::sync::LazyLock;

use hierarch_hiera::origin::Leaf;
use hierarch_hiera::{Hiera, Query, Scope, eyaml};
use hierarch_pcore::{Hash, Value};
use hierarch_source::{DiskFiles, Files, MemoryFiles};

const CONFIG: &str = "version: 5\nhierarchy:\n- {name: J, data_hash: json_data, path: j.json}\n\
    - {name: H, data_hash: hocon_data, path: h.conf}\n\
    - {name: E, lookup_key: eyaml_lookup_key, path: e.eyaml, options: {pkcs7_private_key: key.pem}}\n\
    - {name: Y, paths: [a.yaml, b.yaml]}\n";

const FILES: [(&str, &str); 6] = [
    (
        "data/j.json",
        "{\n  // a comment\n  \"j\": {\"a\": 1, \"list\": [true, \"x\", {\"b\": null}]},\n  \"both\": {\"json\": \"one\"}\n}\n",
    ),
    (
        "data/h.conf",
        "include file(\"data/more.conf\")\nh {\n  a = one two\n  list = [1, 2]\n  inner.b = \"x\"\n}\nboth = {hocon: 5, json: 6}\n",
    ),
    ("data/more.conf", "h.more {\n  c: 3\n}\nboth.more = yes\n"),
    (
        "data/e.eyaml",
        "e:\n  secret: TOKEN\n  plain: x\n  list: [\"TOKEN\", {d: \"<TOKEN>\"}]\n  block: >\n    TOKEN\n  z: &z 1\nboth: {eyaml: \"TOKEN\"}\n",
    ),
    (
        "data/a.yaml",
        "y:\n  a: 1 # one\n  'b c': \"two\"\n  list: [x, {d: 3}]\n  flow: {e: [4, five]}\nboth: {yaml: 7}\n",
    ),
    ("data/b.yaml", "y:\n  z: last\n  list:\n  - low\nboth:\n  hocon: hidden\n  low: [8]\n"),
];

/// A key, and the files with a text encrypted for it.
struct Data {
    key: String,
    files: Vec<(&'static str, String)>,
}

static DATA: LazyLock<Data> = LazyLock::new(|| {
    let keys = eyaml::create_keys(1024).expect("a pair of keys");
    let token = eyaml::token_of(&keys.public, "canary").expect("encrypted");
    let files = FILES.map(|(path, text)| (path, text.replace("TOKEN", &token)));
    Data { key: keys.private, files: files.to_vec() }
});

fn open(files: MemoryFiles) -> Hiera {
    Hiera::open(files, "hiera.yaml")
}

fn files(change: Option<(&str, u32, u32)>) -> MemoryFiles {
    let mut files = MemoryFiles::from([("hiera.yaml", CONFIG), ("key.pem", &DATA.key)]);
    for (path, text) in &DATA.files {
        let mut text = text.clone();
        if let Some((_, start, end)) = change.filter(|(file, ..)| file == path) {
            text.replace_range(start as usize..end as usize, "\"changed\"");
        }
        files.insert(*path, text);
    }
    files
}

fn query(key: &str) -> Query {
    let merge: Hash = [("strategy", "deep")].into_iter().collect();
    Query { merge: Some(Value::hash(merge)), ..Query::new([key.to_owned()]) }
}

fn value(hiera: &Hiera, key: &str) -> Value {
    hiera.session(&Scope::new()).lookup(&query(key), None).expect(key)
}

/// Puts a value at the end of a path.
fn with(value: &Value, path: &[Value], leaf: &Value) -> Value {
    let Some((first, rest)) = path.split_first() else { return leaf.clone() };
    match value {
        Value::Hash(hash) => {
            let mut hash = (**hash).clone();
            let inner = with(hash.get(first).expect("the path exists"), rest, leaf);
            hash.insert(first.clone(), inner);
            Value::hash(hash)
        }
        Value::Array(items) => {
            let index = first.to_string().parse::<usize>().expect("a position");
            let mut items = items.to_vec();
            items[index] = with(&items[index], rest, leaf);
            Value::array(items)
        }
        other => panic!("nothing below {other}"),
    }
}

fn check_leaf(key: &str, whole: &Value, leaf: &Leaf) {
    let origin = leaf.origin.expect("every leaf has an origin");
    let (start, end) = origin.range.expect("every origin has a range");
    let (_, text) = DATA.files.iter().find(|(path, _)| *path == origin.file.as_str()).expect("a file");
    let before = &text[..start as usize];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    assert_eq!(
        (origin.line, origin.column),
        (u32::try_from(line).ok(), u32::try_from(column).ok()),
        "{origin}"
    );
    let changed = value(&open(files(Some((&origin.file, start, end)))), key);
    assert_eq!(
        changed,
        with(whole, &leaf.path, &Value::from("changed")),
        "{key} {:?} at {origin}",
        leaf.path
    );
}

#[test]
fn to_edit_the_range_of_an_origin_changes_exactly_its_leaf() {
    let hiera = open(files(None));
    let mut count = 0;
    for key in ["j", "h", "e", "y", "both"] {
        let whole = value(&hiera, key);
        let scope = Scope::new();
        let traced = hiera.session(&scope).trace(&query(key)).expect(key);
        assert_eq!(traced.plain(), &whole, "{key}");
        for leaf in traced.leaves() {
            check_leaf(key, &whole, &leaf);
            count += 1;
        }
    }
    assert!(count > 28, "{count} leaves were checked");
}

#[test]
fn tokens_and_options_are_part_of_an_origin() {
    let files = MemoryFiles::from([
        ("hiera.yaml", "version: 5\n"),
        (
            "data/common.yaml",
            "lookup_options:\n  ^gre: {merge: first}\nname: World\ngreeting: \"Hello %{lookup('name')} %{mood}\"\n",
        ),
    ]);
    let hiera = open(files);
    let mut scope = Scope::new();
    scope.set("mood", "!");
    let session = hiera.session(&scope);
    let traced = session.trace(&Query::new(["greeting".to_owned()])).expect("found");
    let leaves = traced.leaves();
    let tokens: Vec<String> = leaves[0]
        .filled
        .iter()
        .map(|token| {
            let origins: Vec<String> = token.origins.iter().map(ToString::to_string).collect();
            format!("{} {} {}", token.expression, token.value, origins.join(" "))
        })
        .collect();
    assert_eq!(tokens, ["lookup('name') World data/common.yaml:3:7", "mood ! "]);
    let used = session.used_options("greeting").expect("no error").expect("a pattern matches");
    let origin = used.origin.map(|origin| origin.to_string());
    assert_eq!((used.name.as_str(), origin.as_deref()), ("^gre", Some("data/common.yaml:2:9")));
}

#[test]
fn files_that_changed_are_read_again_after_a_refresh() {
    let folder = std::env::temp_dir().join(format!("hierarch-refresh-{}", std::process::id()));
    let data = folder.join("data");
    std::fs::create_dir_all(&data).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("hiera.yaml", "version: 5\n");
    write("data/common.yaml", "a: 1\n");
    assert!(DiskFiles.is_folder(&data));
    let hiera = Hiera::open(DiskFiles, &folder.join("hiera.yaml").display().to_string());
    let ask = || hiera.lookup("a").value().map(|value| value.to_string());
    assert_eq!(ask().expect("found"), "1");
    write("data/common.yaml", "a: 22\n");
    assert_eq!(ask().expect("found"), "1");
    hiera.refresh();
    assert_eq!(ask().expect("found"), "22");
    write("hiera.yaml", "version: 5\nhierarchy: [{name: other, path: other.yaml}]\n");
    write("data/other.yaml", "a: 333\n");
    hiera.refresh();
    assert_eq!(ask().expect("found"), "333");
    let included = folder.join("more.conf");
    write("hiera.yaml", "version: 5\nhierarchy: [{name: hocon, data_hash: hocon_data, path: h.conf}]\n");
    write("data/h.conf", &format!("a = 1\ninclude file(\"{}\")\n", included.display()));
    hiera.refresh();
    assert_eq!(ask().expect("found"), "1");
    write("more.conf", "a = 4444\n");
    hiera.refresh();
    assert_eq!(ask().expect("an included file that is new"), "4444");
    write("more.conf", "a = 55555\n");
    hiera.refresh();
    assert_eq!(ask().expect("an included file that has changed"), "55555");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn threads_share_data() {
    let hiera = open(files(None));
    let expected = value(&hiera, "both");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(value(&hiera, "both"), expected));
        }
    });
}
