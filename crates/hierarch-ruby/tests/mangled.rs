//! Mangled programs and templates end in an answer or an error, never in a panic, and at a limit rather than never.
//!
//! `HIERARCH_MANGLED=N` makes N of each instead of a few; `HIERARCH_SEED` starts elsewhere. The text that is run last is in the file that a
//! failure names.

#![allow(clippy::print_stdout, reason = "the counts are what a long run is for")]

use hierarch_bits::dice::Dice;
use hierarch_ruby::run::NoHost;
use hierarch_ruby::{Ruby, ScriptLimits, Vm, erb};

/// What is put where it does not belong.
const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "|",
    "do",
    "end",
    "if",
    "unless",
    "while",
    "begin",
    "rescue",
    "ensure",
    "def",
    "class",
    "module",
    "=>",
    "&.",
    "**",
    "*",
    "&",
    "..",
    "...",
    "::",
    "->",
    "yield",
    "super",
    "return",
    "break",
    "next",
    "redo",
    "retry",
    "nil",
    "self",
    "-1",
    "2**70",
    "1e400",
    "0.0/0",
    "\"\\u{10ffff}\"",
    "\"\\xff\"",
    "%w[a b]",
    "<<~A\nA\n",
    ":\"a b\"",
    "/(?<a>.)/",
    "$1",
    "@a",
    "@@a",
    "A",
    "case",
    "when",
    "in",
    "then",
    "=~",
    "<=>",
    "===",
    "!",
    "?",
    ":",
    ",",
    ";",
    "\n",
    "#",
    "__FILE__",
    "defined?",
    "alias",
    "undef",
    "lambda",
    "proc",
    "loop",
    "catch",
    "throw",
    ".send",
    ".map",
    ".inject",
    ".pack",
    ".unpack",
    ".gsub",
    ".format",
    "%",
    "<%",
    "%>",
    "<%=",
    "-%>",
    "<%-",
    "<%#",
    "<%%",
    "%%>",
    "BEGIN",
    "END",
    "_1",
    "it",
    "\u{0}",
    "ä",
    "日",
];

fn mangled(chance: &mut Dice, seeds: &[String]) -> String {
    let mut text: Vec<char> = chance.pick(seeds).chars().collect();
    for _ in 0..=chance.below(4) {
        let at = chance.below(text.len() + 1);
        match chance.below(5) {
            0 => drop(text.drain(at..(at + chance.below(8)).min(text.len()))),
            1 => {
                let other: Vec<char> = chance.pick(seeds).chars().collect();
                let from = chance.below(other.len() + 1);
                let to = (from + chance.below(40)).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
            2 => {
                let end = (at + chance.below(20)).min(text.len());
                let part: Vec<char> = text[at..end].to_vec();
                text.splice(at..at, part);
            }
            _ => {
                let piece = PIECES.get(chance.below(PIECES.len())).copied().unwrap_or_default();
                let spaced = format!(" {piece} ");
                text.splice(at..at, spaced.chars());
            }
        }
    }
    text.into_iter().collect()
}

/// The code of all examples in the tables.
fn programs() -> Vec<String> {
    let tables = hierarch_ruby::core::specs().flat_map(|spec| spec.methods.iter().chain(spec.singleton));
    let examples = tables.flat_map(|table| table.iter()).flat_map(|method| method.examples);
    let code = |example: &&str| {
        example.split(" => ").next().and_then(|text| text.split(" !! ").next()).map(str::to_owned)
    };
    let mut seeds: Vec<String> = examples.filter_map(code).collect();
    seeds.sort();
    seeds
}

/// The templates of the recorded cases.
fn templates() -> Vec<String> {
    let cases = include_str!("../../../tests/cases/ruby/erb.jsonl");
    let lines = cases.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter_map(|case| case["template"].as_str().map(str::to_owned)).collect()
}

fn run(code: &str) -> bool {
    let limits = ScriptLimits {
        steps: 20_000,
        memory: 8 << 20,
        size: 1 << 20,
        symbols: 500,
        stack: 4 << 20,
        ..ScriptLimits::default()
    };
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(limits)), &mut host);
    vm.program(code, "mangled.rb").and_then(|program| vm.run(&program)).is_ok()
}

/// Runs mangled texts; the one that is run last is kept in a file.
fn survive(name: &'static str, seeds: Vec<String>, run: fn(&str) -> bool) {
    let number =
        |name: &str, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (count, seed) = (number("HIERARCH_MANGLED", 400), number("HIERARCH_SEED", 1));
    let kept = std::env::temp_dir().join(format!("hierarch-mangled-{name}-{}", std::process::id()));
    let shown = kept.clone();
    let work = move || {
        let mut chance = Dice::new(seed);
        let mut answered = 0;
        for _ in 0..count {
            let text = mangled(&mut chance, &seeds);
            std::fs::write(&kept, &text).expect("written");
            answered += u64::from(run(&text));
        }
        std::fs::remove_file(&kept).expect("removed");
        answered
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(work).expect("a thread");
    let Ok(answered) = thread.join() else { panic!("a panic; the text is in {}", shown.display()) };
    println!("{name}: {count} texts, {answered} of them answered");
    assert!(answered > 0, "a mangled text may still be a good one");
}

#[test]
fn mangled_programs_end() {
    survive("programs", programs(), run);
}

#[test]
fn mangled_templates_end() {
    survive("templates", templates(), |text| run(&erb::compile(text)));
}
