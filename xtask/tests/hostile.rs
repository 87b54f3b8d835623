//! Texts made to hurt end in an answer, in time that grows with their length and on a small stack.

use std::thread;
use std::time::{Duration, Instant};

use hierarch_source::Source;
use xtask::parser::ours;

/// What test threads and worker pools have; frames that are not optimised take several times as much.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 2 << 20 };

/// Far more than any of these needs, even unoptimised on a busy machine; what grows with the square takes hours.
const TIME_LIMIT: Duration = Duration::from_secs(30);

fn check(what: &str, text: String) {
    let what = what.to_owned();
    let read = move || {
        for name in ["hostile.pp", "hostile.epp"] {
            let start = Instant::now();
            ours::read_all(&Source::new(name, text.as_str()));
            let taken = start.elapsed();
            assert!(taken < TIME_LIMIT, "{what} as {name}: {taken:?}");
        }
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(read).expect("a thread can be started");
    thread.join().expect("no panic");
}

#[test]
fn deep_nesting_ends_in_an_answer() {
    const DEPTH: usize = 100_000;
    let openings = [
        "(",
        "[",
        "{",
        "{a => ",
        "f(",
        "$a[",
        "a[",
        "if true {",
        "unless true {",
        "case 1 { 1: {",
        "1 ? {",
        "1 ? { 1 => ",
        "class a {",
        "define a {",
        "node a {",
        "function f() {",
        "function f($a = ",
        "class a($a = ",
        "$a.each |$x| {",
        "\"${",
        "\"${\"",
        "-",
        "!",
        "*",
        "- (",
        "file { a: b => ",
        "file { ",
        "File { a => ",
        "@",
        "@@",
        "File <| a == ",
        "File <| (",
        "type A = ",
        "type A = B[",
        "$a = ",
        "a -> ",
        "not ",
        "!(",
        "[(",
        "({",
        "if ",
        "elsif ",
        "|",
        "| $x | {",
        "@(\"E\")\n${",
        "/*",
        "${",
        "$a ? ",
        "1 + (",
        "a::",
        "::",
        "$a.b(",
        "[[",
        "<%",
        "<%= ",
        "<% if true { %>",
    ];
    for opening in openings {
        check(opening, opening.repeat(DEPTH));
    }
}

#[test]
fn closed_nesting_ends_in_an_answer() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{a=>", "}"), ("f(", ")"), ("if true {", "}"), ("\"${", "}\"")]
    {
        for depth in [100, 900, 1_100, 50_000] {
            check(open, format!("$x = {}1{}", open.repeat(depth), close.repeat(depth)));
        }
    }
}

#[test]
fn long_chains_end_in_an_answer() {
    const LENGTH: usize = 20_000;
    let links = [
        ("1", " + 1"),
        ("1", " == 1"),
        ("a", " -> a"),
        ("$a", " = $a"),
        ("$a", ".b"),
        ("$a", ".b(1)"),
        ("$a", "[1]"),
        ("$a", " and $b"),
        ("1", " ? 1"),
        ("1", ", 1"),
        ("[1", ", 1"),
        ("{a => 1", ", a => 1"),
        ("f(1", ", 1"),
        ("if 1 {}", " elsif 1 {}"),
        ("case 1 { 1: {}", " 1: {}"),
        ("class a { }", " class a { }"),
        ("file { a:", "; a:"),
        ("\"", "${a}"),
        ("\"", "$a "),
        ("'", "\\'"),
        ("a", "::a"),
        ("1", " in 1"),
        ("notice 1", ", 1"),
        ("a", " a"),
        ("$a =~ /x/", " =~ /x/"),
        ("@(A)\nA", "\n@(A)\nA"),
        ("", "#\n"),
        ("", "/**/"),
        ("", "<%%"),
        ("", "<%= 1 %>"),
        ("", "<% %>\n"),
        ("", "\r"),
        ("", "\n"),
        ("", " "),
        ("", "\t-%>"),
        ("", ";"),
        ("", "}"),
        ("", "\\"),
        ("", "é"),
    ];
    for (start, link) in links {
        check(link, format!("{start}{}", link.repeat(LENGTH)));
    }
}

#[test]
fn unterminated_texts_end_in_an_answer() {
    let texts = [
        "",
        "'",
        "\"",
        "\"${",
        "\"${a",
        "\"$",
        "\"\\",
        "'\\",
        "/",
        "/a",
        "/\\",
        "/*",
        "#",
        "@(",
        "@(A",
        "@(\"A",
        "@(A:",
        "@(A/",
        "@(A)",
        "@(A)\n",
        "@(A)\nx",
        "@(\"A\")\n${\nA",
        "<%",
        "<%=",
        "<%#",
        "<%-",
        "<% '",
        "<% %",
        "<%= @(A) %>\nA",
        "$",
        "$$",
        "${",
        "0x",
        "0b",
        "1e",
        "1.",
        "1.e",
        "0.",
        ".",
        "..",
        "::",
        "a::",
        "$a::",
        "$::",
        "A::",
        "\0",
        "a\0b",
        "'\0'",
        "\u{feff}",
        "\u{feff}\u{feff}",
        "\u{2028}",
        "\u{200b}",
        "a\u{a0}b",
        "\"\\u\"",
        "\"\\u{\"",
        "\"\\u{110000}\"",
        "\"\\ud800\"",
        "\"\\u{d800}\"",
        "@(A/$)\n\\\nA",
        "@(A/u)\n\\u{}\nA",
        "class",
        "class a",
        "class a(",
        "node",
        "node /",
        "type",
        "if",
        "case",
        "unless",
        "a ?",
        "a {",
        "a { b",
        "a { b:",
        "a { b: c",
        "a { b: c =>",
        "A <|",
        "A <<| |>",
        "@",
        "@@",
        "function",
        "define",
        "|",
        "|$",
    ];
    for text in texts {
        check(text, text.to_owned());
        for further in texts {
            let together = format!("{text}{further}");
            ours::read_all(&Source::new("hostile.pp", together.as_str()));
            ours::read_all(&Source::new("hostile.epp", together));
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for bytes in [&b"\xff"[..], b"a\xc3", b"'\xed\xa0\x80'", b"\xfe\xff\0a", b"\xff\xfea\0"] {
        Source::from_bytes("hostile.pp", bytes.to_vec()).expect_err("not UTF-8");
    }
}
