//! Selectors and streams as facts.

use std::path::Path;

use hierarch_compose::{Access, Document, Selector, Stream};
use hierarch_source::MemoryFiles;
use hierarch_yaml::brief;

const TEXT: &str = "\
spec:
  containers:
  - {name: app, image: 'nginx:1', ports: [80, 443]}
  - {name: side, image: busybox}
'*': star
'[x': bracket
'-1': minus
'1:2': colon
list: [a, b, c, d]
";

fn select(text: &str, selector: &str, new: bool) -> Result<Vec<String>, String> {
    let files = MemoryFiles::from([("main.yaml", text)]);
    let access = Access::default();
    let document = Document::open(&files, Path::new("main.yaml"), &access).expect("a document");
    let selector = Selector::parse(selector).map_err(|error| error.to_string())?;
    let mut holds = |expression: &str, data: &hierarch_yaml::Data| Ok(brief(data).contains(expression));
    let found = selector.select(document.forest(), document.value(), new, &mut holds);
    found
        .map(|found| found.into_iter().map(|place| place.pointer).collect())
        .map_err(|error| error.to_string())
}

fn check(selector: &str, expected: &[&str]) {
    assert_eq!(select(TEXT, selector, false).expect(selector), expected, "{selector}");
}

#[test]
fn pointers_stay_what_they_are() {
    check("", &[""]);
    check("/list/0", &["/list/0"]);
    check("/*", &["/*"]);
    check("/-1", &["/-1"]);
    check("/1:2", &["/1:2"]);
    check("/~2", &["/~2"]);
    check("/~3x", &["/~3x"]);
    check("/nowhere", &[]);
    check("/list/9", &[]);
}

#[test]
fn many_places_are_selected() {
    check("/list/*", &["/list/0", "/list/1", "/list/2", "/list/3"]);
    check("/list/-1", &["/list/3"]);
    check("/list/-9", &[]);
    check("/list/1:3", &["/list/1", "/list/2"]);
    check("/list/-2:", &["/list/2", "/list/3"]);
    check("/spec/containers/[name=app]/image", &["/spec/containers/0/image"]);
    check("/spec/containers/[name!=app]/image", &["/spec/containers/1/image"]);
    check("/spec/containers/[image~=^nginx:]", &["/spec/containers/0"]);
    check("/spec/containers/[name=app,image=busybox]", &[]);
    check("/spec/containers/[ports.0=80]/name", &["/spec/containers/0/name"]);
    check("/**/image", &["/spec/containers/0/image", "/spec/containers/1/image"]);
    check("/**/**/ports/[.=443]", &["/spec/containers/0/ports/1"]);
    check("/spec/containers/[?busybox]/name", &["/spec/containers/1/name"]);
}

#[test]
fn writes_may_lead_to_what_is_not_there_yet() {
    let new = |selector: &str| select(TEXT, selector, true).expect(selector);
    assert_eq!(new("/spec/containers/*/pull"), ["/spec/containers/0/pull", "/spec/containers/1/pull"]);
    assert_eq!(new("/list/-"), ["/list/-"]);
    assert_eq!(new("/new"), ["/new"]);
    assert_eq!(new("/new/deeper"), Vec::<String>::new());
    assert_eq!(select(TEXT, "/list/-", false).expect("none"), Vec::<String>::new());
}

#[test]
fn what_is_no_selector_says_so() {
    for (selector, words) in [
        ("list", "is no selector"),
        ("/[name=app", "is no selector"),
        ("/[name]", "says nothing that can hold"),
        ("/[name={a: 1}]", "says nothing that can hold"),
        ("/a~9", "invalid escape ~9"),
        ("/[a~=(]", "end pattern with unmatched parenthesis"),
    ] {
        let error = select(TEXT, selector, false).expect_err(selector);
        assert!(error.contains(words), "{selector}: {error}");
    }
}

const STREAM: &str =
    "# first\nkind: A\nn: 1 # one\n---\n# second\nkind: B\nn: 2\n...\n--- # third\nkind: B\nn: 3\n";

#[test]
fn one_document_of_a_stream_is_included() {
    let open = |main: &str| -> Result<String, String> {
        let files = MemoryFiles::from([("main.yaml", main), ("all.yaml", STREAM)]);
        let access = Access::default();
        let document = Document::open(&files, Path::new("main.yaml"), &access);
        document.map(|document| brief(&document.data())).map_err(|error| error.to_string())
    };
    assert_eq!(open("a: {+include: 'all.yaml#[kind=A]'}\n").as_deref(), Ok("{a: {kind: A, n: 1}}"));
    assert_eq!(open("a: {+include: 'all.yaml#[kind=B,n=3]/n'}\n").as_deref(), Ok("{a: 3}"));
    assert_eq!(open("a: {+include: 'all.yaml#[kind=B,n=2]n'}\n").as_deref(), Ok("{a: 2}"));
    assert_eq!(open("a: {+?include: 'all.yaml#[kind=C]', x: 1}\n").as_deref(), Ok("{a: {x: 1}}"));
    let several = open("a: {+include: 'all.yaml#[kind=B]'}\n").expect_err("several");
    assert!(several.contains("several documents of all.yaml are chosen: 1, 2"), "{several}");
    let whole = open("a: {+include: all.yaml}\n").expect_err("several");
    assert!(whole.contains("found another document"), "{whole}");
}

#[test]
fn documents_of_a_stream_are_saved_by_themselves() {
    let files = MemoryFiles::from([("all.yaml", STREAM)]);
    let access = Access::default();
    let stream = Stream::open(&files, Path::new("all.yaml"), &access).expect("a stream");
    let mut document = stream.document(&files, &access, 1).expect("a document");
    let value = hierarch_yaml::Data::Scalar(hierarch_yaml::Scalar::Int(9));
    let edited = document.with("/n", hierarch_compose::Edit::Set(value)).expect("a place");
    let text = document.save(edited).expect("a text");
    assert_eq!(stream.with(&[(1, text)]), STREAM.replace("n: 2", "n: 9"));
    let place = document.forest().place(document.at("/n").expect("a place")).expect("a place");
    assert_eq!(place.position(), (7, Some(4)));
}

#[test]
fn includes_name_repositories() {
    let main = "a: {+include: {file: 'x.yaml#/v', repository: lib}}\n";
    let files = MemoryFiles::from([("/work/main.yaml", main), ("/lib/x.yaml", "v: {k: 1}\n")]);
    let open = |access: &Access| {
        let document = Document::open(&files, Path::new("/work/main.yaml"), access);
        document.map(|document| brief(&document.data())).map_err(|error| error.to_string())
    };
    let repositories = [("lib".to_owned(), "/lib".into())].into_iter().collect();
    let known = Access { roots: vec!["/work".into()], repositories, ..Access::default() };
    assert_eq!(open(&known).as_deref(), Ok("{a: {k: 1}}"));
    let error = open(&Access::default()).expect_err("an unknown repository");
    assert!(error.contains("the repository 'lib', which is not known"), "{error}");
    let outside = main.replace("x.yaml", "../work/main.yaml");
    let files = MemoryFiles::from([("/work/main.yaml", outside.as_str())]);
    let document = Document::open(&files, Path::new("/work/main.yaml"), &known);
    assert!(document.is_err_and(|error| error.to_string().contains("outside /lib")));
}
