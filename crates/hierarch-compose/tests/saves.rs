//! Saves as facts: a document, an edit of its expansion, and the document afterwards.

use std::path::Path;

use hierarch_compose::{Access, Document, Edit};
use hierarch_source::MemoryFiles;
use hierarch_yaml::{Data, Scalar};

fn check(old: &str, pointer: &str, edit: Edit, new: &str) {
    let files = MemoryFiles::from([("main.yaml", old)]);
    let access = Access::default();
    let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let saved = document.with(pointer, edit).and_then(|edited| document.save(edited));
    assert_eq!(saved.map_err(|error| error.to_string()), Ok(new.to_owned()), "{old:?} {pointer}");
}

#[test]
fn a_directive_follows_a_target_that_gets_another_key() {
    let rename = |old, pointer, name: &str, new| check(old, pointer, Edit::Rename(name.to_owned()), new);
    rename(
        "base: {x: 1}\nuse:\n  +/base:  # why\n  y: 2\nlist: [{+/base: }]\n",
        "/base",
        "new/base",
        "new/base: {x: 1}\nuse:\n  +/new~1base:  # why\n  y: 2\nlist: [{+/new~1base: }]\n",
    );
    rename("use: {+?/a/b: }\na:\n  b: {x: 1}\n", "/a/b", "c", "use: {+?/a/c: }\na:\n  c: {x: 1}\n");
    rename("a: {b: {x: 1}}\nuse: {+/a/b: , y: 2}\n", "/a", "z", "z: {b: {x: 1}}\nuse: {+/z/b: , y: 2}\n");
    // Another map took the place, with other content: the directive is not led to it.
    check(
        "base: {x: 1}\nuse: {+/base: , y: 2}\n",
        "",
        Edit::Set(Data::Map(vec![
            (Data::text("other"), Data::Map(vec![(Data::text("x"), Data::Scalar(Scalar::Int(5)))])),
            (
                Data::text("use"),
                Data::Map(vec![
                    (Data::text("y"), Data::Scalar(Scalar::Int(2))),
                    (Data::text("x"), Data::Scalar(Scalar::Int(1))),
                ]),
            ),
        ])),
        "use: {y: 2, x: 1}\nother:\n  x: 5\n",
    );
}

#[test]
fn a_text_at_the_end_gains_no_line_break() {
    let five = || Data::Scalar(Scalar::Int(5));
    check(
        "base: {x: 1}\nuse: {+/base: }\nlast: |\n  text",
        "/use/x",
        Edit::Set(five()),
        "base: {x: 1}\nuse: {+/base: , x: 5}\nlast: |\n  text",
    );
    check(
        "base: {x: 1}\nuse:\n  +/base:\n  last: |\n    text",
        "/use/x",
        Edit::Set(five()),
        "base: {x: 1}\nuse:\n  +/base:\n  last: |-\n    text\n  x: 5",
    );
}

#[test]
fn a_renamed_holder_keeps_its_directives_comments_and_place() {
    let base = "base: {x: 1}\n";
    for (old, pointer, name, new) in [
        (
            "use: # beside\n  # above\n  +/base:\n  y: 2 # own\nlast: 1\n",
            "/use",
            "uses",
            "uses: # beside\n  # above\n  +/base:\n  y: 2 # own\nlast: 1\n",
        ),
        ("m:\n  use: # c\n    +/base:\nlast: 1\n", "/m", "n", "n:\n  use: # c\n    +/base:\nlast: 1\n"),
        ("a: &n {z: 1} # c\nu: {+*n: }\n", "/a", "b", "b: &n {z: 1} # c\nu: {+*n: }\n"),
        ("a: # c\n  +&: n\n  z: 1\nu: {+*n: }\n", "/a", "b", "b: # c\n  +&: n\n  z: 1\nu: {+*n: }\n"),
        (
            "a: {+/base: , y: 1} # c\nu: {+/a: }\nv: {+?/a/y: }\n",
            "/a",
            "b",
            "b: {+/base: , y: 1} # c\nu: {+/b: }\nv: {+?/b/y: }\n",
        ),
    ] {
        let (old, new) = (format!("{base}{old}"), format!("{base}{new}"));
        let files = MemoryFiles::from([("main.yaml", old.as_str())]);
        let access = Access::default();
        let mut document = Document::open(&files, Path::new("main.yaml"), &access).expect("opened");
        let edited = document.with(pointer, Edit::Rename(name.to_owned())).expect("renamed");
        assert_eq!(document.save(edited).expect("saved"), new);
    }
}
