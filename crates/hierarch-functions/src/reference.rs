//! What the table of functions says to people: `hierarch doc`, and the reference page `docs/functions.md`.

use std::fmt::Write;

use hierarch_eval::function::{Dispatch, Example, Function};

use crate::{FAMILIES, STDLIB_FAMILIES, registry};

/// What stands above each family on the page, in the order of [`FAMILIES`] and [`STDLIB_FAMILIES`].
const TITLES: &[&str] = &[
    "Catalogs",
    "Collections",
    "Control and messages",
    "Files",
    "Data lookup",
    "Iteration",
    "Numbers",
    "Texts",
    "Templates",
    "Time",
    "Types and conversions",
    "puppetlabs-stdlib",
    "puppetlabs-stdlib: resources",
    "Older releases of puppetlabs-stdlib",
];

fn families() -> impl Iterator<Item = &'static &'static [&'static Function]> {
    FAMILIES.iter().chain(STDLIB_FAMILIES)
}

/// Explains a function: its signatures, what it does, examples.
///
/// ```
/// let text = hierarch_functions::reference::of("length").expect("it is a function");
/// assert!(text.contains("length(Collection arg)"));
/// ```
pub fn of(name: &str) -> Option<String> {
    let function = registry().find(name)?;
    let mut text = format!("{name}\n\n");
    for signature in signatures(function) {
        let _ = writeln!(text, "  {signature}");
    }
    let _ = write!(text, "\n{}\n", function.doc);
    if !function.examples.is_empty() {
        text.push_str("\nExamples:\n");
    }
    for example in function.examples {
        let (code, result) = shown(example);
        let _ = writeln!(text, "  {code}\n    # {result}");
    }
    Some(text)
}

/// Lists all functions with the first sentence of what each does.
pub fn overview() -> String {
    let mut text = String::from("Functions:\n");
    for function in registry().all() {
        let _ = writeln!(text, "  {:<18} {}", function.name, first_sentence(function));
    }
    text
}

/// Returns the reference page, in Markdown.
pub fn page() -> String {
    let count: usize = families().map(|family| family.len()).sum();
    let mut text = format!(
        "<!-- Written by `cargo xtask docs` from the table of functions; change that, not this. -->\n\n\
         # Functions\n\n\
         The {count} built-in functions; those of puppetlabs-stdlib are there where the module is on the modulepath. Functions that other modules have, in Puppet or in Ruby, are run as they are. Every example is run by the tests. `hierarch doc NAME` shows the same in a terminal.\n"
    );
    for (title, family) in TITLES.iter().zip(families()).filter(|(_, family)| !family.is_empty()) {
        let mut functions = family.to_vec();
        functions.sort_by_key(|function| function.name);
        let names: Vec<String> = functions.iter().map(|function| link(function.name)).collect();
        let _ = write!(text, "\n## {title}\n\n{}\n", names.join(", "));
        functions.iter().for_each(|function| text.push_str(&section(function)));
    }
    text
}

fn link(name: &str) -> String {
    // Headings lose their colons where they become addresses.
    format!("[`{name}`](#{})", name.replace(':', ""))
}

fn section(function: &Function) -> String {
    let mut text = format!("\n### {}\n\n```\n{}\n```\n", function.name, signatures(function).join("\n"));
    let _ = write!(text, "\n{}\n", function.doc);
    if function.examples.is_empty() {
        return text;
    }
    text.push_str("\n```puppet\n");
    for example in function.examples {
        let (code, result) = shown(example);
        let result = result.lines().collect::<Vec<_>>().join("\n# ");
        let _ = writeln!(text, "{code}\n# {result}");
    }
    text.push_str("```\n");
    text
}

fn first_sentence(function: &Function) -> &str {
    let sentence = function.doc.split_once(". ").map_or(function.doc, |(first, _)| first);
    sentence.trim_end_matches('.')
}

fn shown(example: &Example) -> (&str, String) {
    match example {
        Example::Gives(code, value) => (code, (*value).to_owned()),
        Example::Fails(code, words) => (code, format!("error: {words}")),
    }
}

fn signatures(function: &Function) -> Vec<String> {
    let shown = function.dispatches.iter().filter(|dispatch| !dispatch.is_mismatch());
    shown.map(|dispatch| signature(function.name, dispatch)).collect()
}

/// Writes a signature as a person would: `f(Integer x, String y?, Any rest...) block: Callable`.
fn signature(name: &str, dispatch: &Dispatch) -> String {
    if dispatch.is_legacy() {
        return format!("{name}(...)");
    }
    let mut parameters = Vec::new();
    let mut block = String::new();
    for parameter in dispatch.params() {
        let declared = parameter.trim_start_matches(['?', '*', '+', '&']);
        match &parameter[..parameter.len() - declared.len()] {
            marks if marks.contains('&') => block = block_text(declared, marks.contains('?')),
            "?" => parameters.push(format!("{declared}?")),
            "" => parameters.push(declared.to_owned()),
            _ => parameters.push(format!("{declared}...")),
        }
    }
    let returns = dispatch.return_type().map_or(String::new(), |type_| format!(" >> {type_}"));
    format!("{name}({}){block}{returns}", parameters.join(", "))
}

fn block_text(declared: &str, is_optional: bool) -> String {
    let type_ = declared.rsplit_once(' ').map_or(declared, |(type_, _)| type_);
    if is_optional { format!(" block: Optional[{type_}]") } else { format!(" block: {type_}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_shows_signatures_words_and_examples() {
        let text = of("length").expect("it is there");
        assert!(text.contains("length(Collection arg)"), "{text}");
        assert!(text.contains("'grüße'.length"), "{text}");
        assert!(of("no_such_thing").is_none());
    }

    #[test]
    fn blocks_and_rests_read_as_in_the_reference() {
        let text = of("with").expect("it is there");
        assert!(text.contains("with(Any arg...) block: Callable"), "{text}");
    }

    #[test]
    fn every_family_has_a_title() {
        assert_eq!(TITLES.len(), families().count());
    }
}
