//! Comments: what goes with an entry that is deleted, what stays where it is, and what a merge keeps.

mod common;

use common::{folder_of, hierarch};

/// Deletes a place of a document and returns the new text.
fn without(text: &str, place: &str) -> String {
    let folder = folder_of(&[("f.yaml", text)]);
    let run = hierarch(folder.path(), &["yaml", "delete", "f.yaml", place], "");
    assert_eq!(run.code, 0, "{place}: {}", run.err);
    std::fs::read_to_string(folder.path().join("f.yaml")).expect("a file")
}

#[test]
fn in_brackets_comments_go_with_what_they_are_about() {
    let list = "d: [1,\n    # two\n    2, 3]\nz: 1\n";
    assert_eq!(without(list, "/d/0"), "d: [\n    # two\n    2, 3]\nz: 1\n");
    assert_eq!(without(list, "/d/1"), "d: [1,\n    3]\nz: 1\n");
    assert_eq!(without(list, "/d/2"), "d: [1,\n    # two\n    2]\nz: 1\n");
    let map = "c: {a: 1, # one\n    b: 2, # two\n    # three\n    c: 3 # 3\n    }\n";
    assert_eq!(without(map, "/c/a"), "c: {\n    b: 2, # two\n    # three\n    c: 3 # 3\n    }\n");
    assert_eq!(without(map, "/c/b"), "c: {a: 1, # one\n    # three\n    c: 3 # 3\n    }\n");
    assert_eq!(without(map, "/c/c"), "c: {a: 1, # one\n    b: 2 # two\n    }\n");
    assert_eq!(without("c: {a: 1, # inner\n    b: 2}\n", "/c/b"), "c: {a: 1 # inner\n    }\n");
    // A comment beside two belongs to the one that is left.
    assert_eq!(without("c: [1, 2, # both\n    3]\n", "/c/1"), "c: [1, # both\n    3]\n");
}

#[test]
fn comments_at_the_end_of_a_block_go_with_it() {
    let text = "a: 1\nb:\n  c: 2\n  # end of b\n# about d\nd:\n- x: 1\n  y: 2\n  # end of x\n- z\n";
    assert_eq!(without(text, "/b"), "a: 1\n# about d\nd:\n- x: 1\n  y: 2\n  # end of x\n- z\n");
    assert_eq!(without(text, "/d/0"), "a: 1\nb:\n  c: 2\n  # end of b\n# about d\nd:\n- z\n");
    // What stands at the column of the entry belongs to what is around it.
    let inside = "b:\n  j: 0\n  k: {x:\n    1}\n  # end of b\nc: 1\n";
    assert_eq!(without(inside, "/b/k"), "b:\n  j: 0\n  # end of b\nc: 1\n");
}

#[test]
fn a_merge_keeps_the_comments_of_the_whole_document() {
    let base = "# licence\n\n# top\n---\n# about a\na: 1 # one\n\n# the end\n";
    let folder = folder_of(&[("base.yaml", base), ("over.yaml", "# over\n---\na: 2\nb: 3\n# end of over\n")]);
    let run = hierarch(folder.path(), &["yaml", "merge", "base.yaml", "over.yaml"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "# licence\n# top\n# about a\na: 2\nb: 3\n# the end\n"));
}

#[test]
fn blanks_at_the_end_of_a_text_are_its_own() {
    let texts = [
        "l: |\n  x\n  echo hi   \nk: 1\n",
        "l: >-\n  x\n  echo hi   \nk: 1\n",
        // Lines of blanks that stand further in than the text are a part of it.
        "l: |\n  x\n     \nk: 1\n",
        "l: |\n  x\n\n     \n\nk: 1\n",
        "l: >\n  x\n     \nk: 1\n",
        "l: >-\n  x\n     \n",
        "a: &q |\n  x \nb: *q\n",
    ];
    for text in texts {
        let folder = folder_of(&[("f.yaml", text)]);
        for command in ["expand", "merge"] {
            let new = hierarch(folder.path(), &["yaml", command, "f.yaml"], "").out;
            std::fs::write(folder.path().join("g.yaml"), &new).expect("a file");
            let json =
                |file| hierarch(folder.path(), &["yaml", "expand", file, "--render-as", "json"], "").out;
            assert_eq!(json("f.yaml"), json("g.yaml"), "{command} {text:?}: {new:?}");
        }
    }
}

#[test]
fn a_key_of_match_that_nothing_has_is_refused() {
    let files = [("base.yaml", "l:\n- {name: a, v: 1}\n"), ("over.yaml", "l:\n- {name: a, v: 3}\n")];
    let folder = folder_of(&files);
    let merge = |rule: &str| {
        hierarch(folder.path(), &["yaml", "merge", "base.yaml", "over.yaml", "--match", rule], "")
    };
    let run = merge("l=nam");
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
    assert!(run.err.contains("no item of the lists there has the key nam"), "{}", run.err);
    assert!(run.err.contains("did you mean l=name?"), "{}", run.err);
    let run = merge("q=name");
    assert!(run.err.contains("no document has a list there"), "{}", run.err);
    for rule in ["l=name", "/l=name"] {
        let run = merge(rule);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{rule}");
        assert!(run.out.contains("v: 3") && !run.out.contains("v: 1"), "{}", run.out);
    }
    // With a slash at its start it is the whole path.
    assert!(merge("/m/l=name").err.contains("no document has a list there"));
}

#[test]
fn an_anchor_that_would_be_lost_is_refused() {
    let folder = folder_of(&[("f.yaml", "a: 1\n")]);
    let set = |value: &str| hierarch(folder.path(), &["yaml", "set", "f.yaml", "/a", value, "--dry-run"], "");
    let run = set("&x foo");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.err.contains("the anchor &x would be lost"), "{}", run.err);
    // One that stands for something in the value itself is written out.
    let run = set("{b: &x 1, c: *x}");
    assert_eq!(run.code, 0, "{}", run.err);
}
