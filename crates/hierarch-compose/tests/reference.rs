//! The reference page says what there is: functions from their table, filters and tests by asking for each.

use std::fmt::Write;

use hierarch_compose::expr::{Example, Expressions, Function, functions};
use hierarch_pcore::Hash;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/expressions.md");

fn page() -> String {
    std::fs::read_to_string(PAGE).expect("the page is part of the repository")
}

/// Returns what stands between two headings, or other marks.
fn between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let start = page.find(from).expect(from) + from.len();
    let end = page[start..].find(to).map_or(page.len(), |end| start + end);
    &page[start..end]
}

fn entry(function: &Function) -> String {
    let marks = [(function.alone, "¹"), (!function.safe, "²")];
    let marks: String = marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| *mark).collect();
    let mut text = format!("- **`{}`**{marks}: {}\n", function.name, function.doc);
    for example in function.examples {
        let (code, result) = match example {
            Example::Gives(code, result) => (code, format!("→ `{result}`")),
            Example::Fails(code, words) => (code, format!("fails: {words}")),
        };
        let _ = writeln!(text, "  - `{code}` {result}");
    }
    text
}

#[test]
fn the_functions_on_the_page_are_those_of_the_table() {
    let wanted: String = functions().map(entry).collect();
    let page = page();
    let found = between(&page, "UPDATE_DOCS=1 -->\n", "<!-- end of functions -->");
    if found == wanted {
        return;
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let mark = "UPDATE_DOCS=1 -->\n";
        let new = page.replace(&format!("{mark}{found}"), &format!("{mark}{wanted}"));
        std::fs::write(PAGE, new).expect("the page can be written");
        return;
    }
    panic!("docs/expressions.md is not current: run this test with UPDATE_DOCS=1");
}

/// Returns the names in the tables of a section, and those it says are not there.
fn names(section: &str) -> (Vec<String>, Vec<String>) {
    let (there, missing) = section.split_once("Not there:").expect("a section says what is not there");
    let tables: String = there.lines().filter(|line| line.starts_with("| ")).collect();
    let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    (quoted(&tables), quoted(missing))
}

fn check(section: &str, known: impl Fn(&Expressions) -> Vec<String>) {
    let page = page();
    let (mut there, missing) = names(between(&page, section, "\n##"));
    let known = known(&Expressions::new(Hash::new()).expect("good"));
    there.sort();
    assert_eq!(there, known, "{section}");
    let wrong: Vec<_> = missing.iter().filter(|name| known.contains(name)).collect();
    assert!(wrong.is_empty(), "{section}: {wrong:?}");
}

#[test]
fn the_filters_on_the_page_are_there_and_the_others_are_not() {
    check("### Filters\n", Expressions::filters);
}

#[test]
fn the_tests_on_the_page_are_there_and_the_others_are_not() {
    check("### Tests\n", Expressions::tests);
}
