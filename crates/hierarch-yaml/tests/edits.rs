//! Edits as facts: a text, what is done to it, and the text afterwards.

use hierarch_source::Source;
use hierarch_yaml::{
    Change, Data, Dialect, DocumentLimits, NodeId, Scalar, Tree, change_at, delete_at, edit, insert_at, read,
    rename_at,
};

fn check(old: &str, make: impl Fn(&Tree, NodeId) -> hierarch_source::Result<Change>, new: &str) {
    for dialect in [Dialect::Psych, Dialect::Core] {
        let tree = read(&Source::unnamed(old), dialect, DocumentLimits::default()).expect("YAML");
        let root = tree.root().expect("content");
        let found = make(&tree, root).and_then(|change| edit(&tree, root, &change));
        assert_eq!(found.map_err(|error| error.to_string()), Ok(new.to_owned()), "{dialect:?}: {old:?}");
    }
}

fn set(old: &str, path: &[&str], value: &Data, new: &str) {
    check(old, |tree, root| change_at(tree, root, path, Change::Set(value.clone())), new);
}

fn int(value: i64) -> Data {
    Data::Scalar(Scalar::Int(value))
}

fn map(entries: &[(&str, i64)]) -> Data {
    Data::Map(entries.iter().map(|&(key, value)| (Data::text(key), int(value))).collect())
}

#[test]
fn a_scalar_keeps_its_quotes_its_comment_and_the_comments_column() {
    set("a: 'one' # c\nb: 2\n", &["a"], &Data::text("it's"), "a: 'it''s' # c\nb: 2\n");
    set("a: \"one\"\n", &["a"], &Data::text("two\nlines"), "a: \"two\\nlines\"\n");
    set("a: 1   # c\n", &["a"], &int(100), "a: 100 # c\n");
    set("a: 100 # c\n", &["a"], &int(1), "a: 1   # c\n");
    set("a: &x one # c\n", &["a"], &Data::text("two"), "a: &x two # c\n");
}

#[test]
fn a_text_is_quoted_where_a_reader_would_take_it_for_something_else() {
    for (value, written) in [("yes", "'yes'"), ("1", "'1'"), ("a: b", "'a: b'"), ("", "''"), ("ok", "ok")] {
        set("a: x\n", &["a"], &Data::text(value), &format!("a: {written}\n"));
    }
    set("a: x\n", &["a"], &Data::text("one\ntwo\n"), "a: |\n  one\n  two\n");
    set("[x, y]\n", &["0"], &Data::text("a, b"), "['a, b', y]\n");
}

#[test]
fn null_is_written_as_nothing_in_a_block_and_by_name_in_brackets() {
    set("a: 1 # c\nb: 2\n", &["a"], &Data::NULL, "a:   # c\nb: 2\n");
    set("a: {x: 1}\n", &["a", "x"], &Data::NULL, "a: {x: null}\n");
    set("a:\nb: 2\n", &["a"], &int(5), "a: 5\nb: 2\n");
    set("{a: , b: 1}\n", &["a"], &int(5), "{a: 5, b: 1}\n");
}

#[test]
fn scalars_become_collections_and_back() {
    set("a: 1 # c\nb: 2\n", &["a"], &map(&[("x", 1)]), "a: # c\n  x: 1\nb: 2\n");
    set("a:\n  x: 1\n  y: 2 # in\nb: 2\n", &["a"], &int(3), "a: 3\nb: 2\n");
    set("a: # c\n  x: 1\nb: 2\n", &["a"], &int(3), "a: 3 # c\nb: 2\n");
    set("- 1\n- 2\n", &["0"], &map(&[("x", 1), ("y", 2)]), "- x: 1\n  y: 2\n- 2\n");
    set("a: |\n  text\nb: 1\n", &["a"], &int(3), "a: 3\nb: 1\n");
    set("a:\n- 1\n- 2\nb: 1\n", &["a"], &Data::List(Vec::new()), "a: []\nb: 1\n");
}

#[test]
fn a_block_that_keeps_its_line_breaks_leaves_one_to_what_takes_its_place() {
    set("a: |+\n  text\nb: 1\n", &["a"], &int(3), "a: 3\nb: 1\n");
    set("a: |+\n  text\n\nb: 1\n", &["a"], &Data::NULL, "a:\nb: 1\n");
    set("a: >+\r\n  text\r\nb: 1\r\n", &["a"], &int(3), "a: 3\r\nb: 1\r\n");
    set("a: |+\n  text\nb: 1\n", &["a"], &map(&[("x", 1)]), "a:\n  x: 1\nb: 1\n");
    set("a: |+\n  text\nb: 1\n", &["a"], &Data::text("one\n\n"), "a: |+\n  one\n\nb: 1\n");
    set("- x: |+\n    text\n- 2\n", &["0"], &int(3), "- 3\n- 2\n");
    set("a:\n  x: |+\n    text\nb: 1\n", &["a"], &map(&[("y", 2)]), "a:\n  y: 2\nb: 1\n");
    set("a:\n  x: |+\n    text\nb: 1\n", &["a"], &int(3), "a: 3\nb: 1\n");
}

#[test]
fn entries_are_deleted_with_what_belongs_to_them() {
    let delete =
        |old: &str, path: &[&str], new: &str| check(old, |tree, root| delete_at(tree, root, path), new);
    delete("a: 1\n# of b\nb: 2 # side\nc: 3\n", &["b"], "a: 1\nc: 3\n");
    delete("a: 1\n\nb: 2\n", &["b"], "a: 1\n");
    delete("a: 1\n\nb: 2\n\nc: 3\n", &["b"], "a: 1\n\nc: 3\n");
    delete("a: 1\n\nb: 2\nc: 3\n", &["b"], "a: 1\n\nc: 3\n");
    delete("a: 1\nb: 2", &["b"], "a: 1");
    delete("- a: 1\n  b: 2\n", &["0", "a"], "- b: 2\n");
    delete("a: {x: 1, y: 2, z: 3}\n", &["a", "y"], "a: {x: 1, z: 3}\n");
    delete("a: {x: 1, y: 2}\n", &["a", "y"], "a: {x: 1}\n");
    delete("a: {x: 1}\n", &["a", "x"], "a: {}\n");
    delete("a:\n  x: 1\n", &["a", "x"], "a: {}\n");
    delete("- 1\n- 2 # two\n- 3\n", &["1"], "- 1\n- 3\n");
    delete("a: [1, 2]\n", &["a", "0"], "a: [2]\n");
}

#[test]
fn what_is_new_looks_like_its_neighbours() {
    let insert = |old: &str, path: &[&str], value: Data, new: &str| {
        check(old, |tree, root| insert_at(tree, root, path, value.clone()), new);
    };
    insert(
        "a:\n    x: 1\n\nb: 2\n",
        &["a", "y"],
        map(&[("z", 1)]),
        "a:\n    x: 1\n    y:\n        z: 1\n\nb: 2\n",
    );
    insert("a: {x: 1}\n", &["a", "y"], int(2), "a: {x: 1, y: 2}\n");
    insert("a: {}\n", &["a", "y"], int(2), "a: {y: 2}\n");
    insert("a:\n  - 1\n", &["b"], Data::List(vec![int(1)]), "a:\n  - 1\nb:\n  - 1\n");
    insert("- 1 # one\n- 2\n", &["-"], int(3), "- 1 # one\n- 2\n- 3\n");
    insert("- 1\n- 2\n", &["0"], int(0), "- 0\n- 1\n- 2\n");
    insert("[1, 2]\n", &["1"], int(9), "[1, 9, 2]\n");
    insert("a: 1\r\nb: 2\r\n", &["c"], int(3), "a: 1\r\nb: 2\r\nc: 3\r\n");
    insert("a: 1", &["b"], int(2), "a: 1\nb: 2");
    insert("{\"a\":1,\"l\":[1,2]}\n", &["b"], int(2), "{\"a\":1,\"l\":[1,2],\"b\":2}\n");
    insert("{\"l\":[1,2]}\n", &["l", "0"], int(0), "{\"l\":[0,1,2]}\n");
    insert("[\n  1,\n  2\n]\n", &["0"], int(0), "[\n  0,\n  1,\n  2\n]\n");
    insert("{\n  \"a\": 1\n}\n", &["b"], Data::text("x"), "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n");
}

#[test]
fn a_key_is_renamed_in_its_place() {
    check(
        "a: 1 # c\nb: 2\n",
        |tree, root| rename_at(tree, root, &["a"], Data::text("new")),
        "new: 1 # c\nb: 2\n",
    );
    check("'a': 1\n", |tree, root| rename_at(tree, root, &["a"], Data::text("new")), "'new': 1\n");
}

#[test]
fn odd_members_between_brackets_do_not_confuse_an_insertion() {
    // Found by fuzzing: the empty value of the first ends behind the start of the second.
    for text in ["{a: ,: [1, 2]}\n", "{a  ,:-> }\n"] {
        let tree = read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default());
        let Some((tree, root)) = tree.ok().and_then(|tree| tree.root().map(|root| (tree, root))) else {
            continue;
        };
        let _ = insert_at(&tree, root, &["b"], int(1)).and_then(|change| edit(&tree, root, &change));
    }
}

#[test]
fn other_documents_of_a_stream_stay() {
    set("a: 1\n---\nb: 2\n", &["a"], &int(5), "a: 5\n---\nb: 2\n");
}

#[test]
fn a_text_that_the_document_ends_in_keeps_its_end_when_lines_come_behind_it_or_go() {
    let add = |old: &str, new: &str| {
        check(old, |tree, root| insert_at(tree, root, &["z"], int(1)), new);
    };
    add("a: |\n  text", "a: |-\n  text\nz: 1");
    add("a: >+\n  text", "a: >-\n  text\nz: 1");
    add("a: |-\n  text", "a: |-\n  text\nz: 1");
    check("a: |\n  text\nb: 1", |tree, root| delete_at(tree, root, &["b"]), "a: |\n  text\n");
    set("a: 1\nb: |\n  text", &["a"], &int(2), "a: 2\nb: |\n  text");
}

#[test]
fn a_text_of_several_lines_takes_the_place_of_a_map_and_leaves_the_comment_of_its_key() {
    let text = Data::text("one\ntwo\n");
    set(
        "a: # why\n  k: 1 # ck\n# b\nb: 2 # cb\n",
        &["a"],
        &text,
        "a: | # why\n  one\n  two\n# b\nb: 2 # cb\n",
    );
    set("a: \n  k: 1\nb: 2\n", &["a"], &text, "a: |\n  one\n  two\nb: 2\n");
    set(
        "x:\n- z # c1\n- \n  k: 1\n- 3 # c3\n",
        &["x", "1"],
        &text,
        "x:\n- z # c1\n- |\n  one\n  two\n- 3 # c3\n",
    );
}
