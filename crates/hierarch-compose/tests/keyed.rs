//! Lists that meet by a key: what they expand to, and how edits of them are saved.

use std::path::Path;

use hierarch_compose::{Access, Document, Edit};
use hierarch_source::MemoryFiles;
use hierarch_yaml::{Data, Dialect, DocumentLimits, brief, read};

const BASE: &str = "\
base:
  l:
  - name: a
    v: 1
  - name: b
    v: 2
  - name: c
    v: 3
";

fn files(main: &str) -> MemoryFiles {
    MemoryFiles::from([
        ("main.yaml", main),
        ("keys.yaml", "lists:\n  l: name\n"),
        ("broken.yaml", "lists: [a]\n"),
    ])
}

/// Expands `BASE` with `use: {+/base: , l: …}` and shows `use.l`.
fn expanded(over: &str) -> Result<String, String> {
    let files = files(&format!("{BASE}use:\n  +/base:\n  l:\n{over}"));
    let access = Access::default();
    let document =
        Document::open(&files, Path::new("main.yaml"), &access).map_err(|error| error.to_string())?;
    let list = document.at("/use/l").map_err(|error| error.to_string())?;
    Ok(brief(&document.forest().data(list)))
}

fn check(over: &str, expected: &str) {
    assert_eq!(expanded(over).as_deref(), Ok(expected), "{over}");
}

#[test]
fn items_meet_by_their_key() {
    check(
        "  - +%: {match: name}\n  - {name: b, v: 9}\n",
        "[{name: a, v: 1}, {name: b, v: 9}, {name: c, v: 3}]",
    );
    check("  - +%: {match: name}\n  - {name: b, +%: whiteout}\n", "[{name: a, v: 1}, {name: c, v: 3}]");
    check(
        "  - +%: {match: name}\n  - {name: b, +%: replace, w: 1}\n",
        "[{name: a, v: 1}, {name: b, w: 1}, {name: c, v: 3}]",
    );
    check("  - +%: replace\n  - 1\n", "[1]");
    check("  - +%: replace\n", "[]");
    check(
        "  - +%: {match: ./keys.yaml}\n  - {name: b, +%: whiteout}\n",
        "[{name: a, v: 1}, {name: c, v: 3}]",
    );
}

#[test]
fn items_are_placed() {
    let check = |mark: &str, expected: &str| {
        check(&format!("  - +%: {{match: name}}\n  - {{name: n, +%: {mark}}}\n"), expected);
    };
    let long = |order: &str| {
        let item = |name: char| match name {
            'n' => "{name: n}".to_owned(),
            name => format!("{{name: {name}, v: {}}}", name as u32 - 'a' as u32 + 1),
        };
        let text = format!("[{}]", order.chars().map(item).collect::<Vec<_>>().join(", "));
        if text.len() > 60 { text[..57].to_owned() + "..." } else { text }
    };
    check("first", &long("nabc"));
    check("last", &long("abcn"));
    check("{before: b}", &long("anbc"));
    check("{after: b}", &long("abnc"));
}

#[test]
fn known_items_move() {
    check(
        "  - +%: {match: name}\n  - {name: c, +%: first}\n",
        "[{name: c, v: 3}, {name: a, v: 1}, {name: b, v: 2}]",
    );
    check(
        "  - +%: {match: name}\n  - {name: a, +%: {after: b}}\n",
        "[{name: b, v: 2}, {name: a, v: 1}, {name: c, v: 3}]",
    );
}

#[test]
fn what_cannot_meet_is_an_error() {
    for (over, words) in [
        ("  - +%: {match: v}\n  - {v: 1}\n  - {v: 1}\n", "has the key of another"),
        ("  - +%: {match: id}\n  - {id: 1}\n", "has no such key"),
        ("  - +%: {match: name}\n  - 1\n", "has no such key"),
        ("  - +%: {match: name}\n  - {name: x, +%: {after: nobody}}\n", "is nobody to be placed beside"),
        ("  - {name: x, +%: first}\n", "lists that are merged by a key"),
        ("  - +%: {match: {}}\n", "wants the name of a key"),
        ("  - +%: {match: name, loose: perhaps}\n", "wants the name of a key"),
        ("  - +%: {match: kubernetes}\n  - {name: x}\n", "has no key for the list at /use/l"),
        ("  - +%: {match: ./broken.yaml}\n", "is no table of keys"),
        ("  - +%: {match: name, other: 1}\n", "is no merge strategy"),
    ] {
        let error = expanded(over).expect_err(over);
        assert!(error.contains(words), "{over}{error}");
    }
}

#[test]
fn items_without_the_key_are_left_alone_where_that_is_said() {
    let main = "base: {l: [x, {name: a}, y]}\nuse: {+/base: , l: [{+%: {match: name, loose: true}}, {name: a, v: 1}, z]}\n";
    let files = files(main);
    let access = Access::default();
    let document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let list = document.at("/use/l").expect("a list");
    assert_eq!(brief(&document.forest().data(list)), "[x, {name: a, v: 1}, y, z]");
}

#[test]
fn keys_reach_into_maps_and_may_be_compound() {
    let main = "\
base:
  pods: [{metadata: {name: a}, v: 1}, {metadata: {name: b}}]
  ports: [{port: 53, protocol: UDP}, {port: 53}]
use:
  +/base:
  pods: [{+%: {match: metadata.name}}, {metadata: {name: a}, v: 2}]
  ports: [{+%: {match: [port, protocol=TCP]}}, {port: 53, protocol: TCP, name: dns}]
";
    let files = files(main);
    let access = Access::default();
    let document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let shown = |path: &str| brief(&document.forest().data(document.at(path).expect("a list")));
    assert_eq!(shown("/use/pods"), "[{metadata: {name: a}, v: 2}, {metadata: {name: b}}]");
    assert_eq!(shown("/use/ports/0"), "{port: 53, protocol: UDP}");
    assert_eq!(shown("/use/ports/1"), "{port: 53, protocol: TCP, name: dns}");
}

#[test]
fn a_table_holds_for_everything_below_the_map_that_names_it() {
    let main = "\
base: {finalizers: [f], spec: {containers: [{name: a, ports: [{containerPort: 1}], args: [x]}, {name: b}]}}
use:
  +/base:
  +%: {match: kubernetes}
  finalizers: [g, f]
  spec: {containers: [{name: a, args: [y], ports: [{containerPort: 1, name: web}]}]}
";
    let files = files(main);
    let access = Access::default();
    let document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let shown = |path: &str| brief(&document.forest().data(document.at(path).expect("an item")));
    assert_eq!(shown("/use/spec/containers/0/args"), "[y]", "atomic in Kubernetes");
    assert_eq!(shown("/use/spec/containers/1"), "{name: b}");
    assert_eq!(shown("/use/finalizers"), "[f, g]", "a set in Kubernetes");
    assert_eq!(shown("/use/spec/containers/0/ports"), "[{containerPort: 1, name: web}]");
}

/// Sets one value and returns the text behind the base.
fn saved(main: &str, path: &str, edit: Edit) -> String {
    let text = format!("{BASE}{main}");
    let files = files(&text);
    let access = Access::default();
    let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let edited = document.with(path, edit).expect("a place");
    let saved = document.save(edited).expect("a text");
    saved.strip_prefix(BASE).unwrap_or(&saved).to_owned()
}

fn set(text: &str) -> Edit {
    let tree = read(&hierarch_source::Source::unnamed(text), Dialect::Core, DocumentLimits::default())
        .expect("a value");
    Edit::Set(
        tree.root().map_or(Data::NULL, |root| tree.data(root, DocumentLimits::default()).expect("data")),
    )
}

#[test]
fn an_edit_in_a_list_of_the_base_writes_one_item() {
    let user = "use:\n  +/base: # all of it\n";
    assert_eq!(
        saved(user, "/use/l/1/v", set("9")),
        format!("{user}  l:\n  - +%: {{match: name}}\n  - name: b\n    v: 9\n")
    );
    assert_eq!(
        saved(user, "/use/l/0", Edit::Delete),
        format!("{user}  l:\n  - +%: {{match: name}}\n  - name: a\n    +%: whiteout\n")
    );
}

#[test]
fn a_written_item_is_changed_in_its_place() {
    let user = "use:\n  +/base:\n  l:\n  - +%: {match: name}\n  - name: b # that one\n    v: 7 # seven\n";
    assert_eq!(saved(user, "/use/l/1/v", set("8")), user.replace("v: 7 #", "v: 8 #"));
    assert_eq!(saved(user, "/use/l/2/v", set("8")), format!("{user}  - name: c\n    v: 8\n"));
    assert_eq!(saved(user, "/use/l/-", set("{name: n}")), format!("{user}  - name: n\n"));
    // The override is over when the item is what it is in the base.
    assert_eq!(saved(user, "/use/l/1/v", set("2")), "use:\n  +/base:\n");
}

#[test]
fn a_table_needs_no_header() {
    let main = "\
pod: {spec: {containers: [{name: a, image: x}, {name: b, image: y, more: texts and texts}]}}
use:
  +/pod:
  +%: {match: kubernetes}
";
    let files = files(main);
    let access = Access::default();
    let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let edited = document.with("/use/spec/containers/0/image", set("z")).expect("a place");
    let saved = document.save(edited).expect("a text");
    assert_eq!(saved, format!("{main}  spec:\n    containers:\n    - name: a\n      image: z\n"));
}

#[test]
fn a_change_of_the_base_keeps_the_directives_of_its_users() {
    let main = "base: {k: 1, f: [1, 2, 3]}\nuse: {+../base: }\n";
    let files = files(main);
    let access = Access::default();
    let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let edited = document.with("/base/f/0", set("9")).expect("a place");
    let saved = document.save(edited).expect("a text");
    assert_eq!(saved, "base: {k: 1, f: [9, 2, 3]}\nuse: {+../base: , f: [{+%: replace}, 1, 2, 3]}\n");
}

#[test]
fn new_items_are_placed_beside_those_of_the_base() {
    let user = "use:\n  +/base:\n  l:\n  - +%: {match: name}\n  - name: c # not wanted\n    +%: whiteout\n";
    let new = || Edit::Insert(Data::Map(vec![(Data::text("name"), Data::text("n"))]));
    assert_eq!(saved(user, "/use/l/0", new()), format!("{user}  - name: n\n    +%: first\n"));
    assert_eq!(saved(user, "/use/l/1", new()), format!("{user}  - name: n\n    +%: {{after: a}}\n"));
}

#[test]
fn a_placed_item_keeps_its_place_while_others_change() {
    let user = "use:\n  +/base:\n  l:\n  - +%: {match: name}\n  - name: n # new\n    +%: {after: a}\n";
    let changed = format!("{user}  - name: b\n    v: 9\n");
    assert_eq!(saved(user, "/use/l/2/v", set("9")), changed);
    // Its neighbour goes: it stands where it stood.
    let gone = user.replace("{after: a}", "first") + "  - name: a\n    +%: whiteout\n";
    assert_eq!(saved(user, "/use/l/0", Edit::Delete), gone);
}

#[test]
fn a_base_that_cannot_be_merged_any_more_takes_only_its_users_along() {
    let main = "inc: {+include: b.yaml}\nbase: {x: '1'}\nuse:\n  +/base:\n  a: 2\nq: 'kept' # so\n";
    let mut files = files(main);
    files.insert("b.yaml", "k: 1\n");
    let access = Access::default();
    let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let edited = document.with("/base", set("~")).expect("a place");
    document.edit_further(edited);
    let edited = document.with("/use", Edit::Delete).expect("a place");
    let saved = document.save(edited).expect("a text");
    assert_eq!(saved, "inc: {+include: b.yaml}\nbase:\nq: 'kept' # so\n");
}
