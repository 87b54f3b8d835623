//! What the built-in types are, for people: `hierarch doc TYPE`, completion in the REPL.

use std::fmt::Write;

use super::Type;

/// A type in words.
struct Entry {
    name: &'static str,
    /// How it is parametrized; empty where it cannot be.
    parameters: &'static str,
    what: &'static str,
}

const fn entry(name: &'static str, parameters: &'static str, what: &'static str) -> Entry {
    Entry { name, parameters, what }
}

const SIZE: &str = "min[, max]";

const ENTRIES: &[Entry] = &[
    entry("Any", "", "Everything"),
    entry("Array", "T[, min[, max]]", "Sequences of values"),
    entry("Binary", "", "Bytes; made of base64, text or numbers"),
    entry("Boolean", "true or false", "true and false"),
    entry(
        "Callable",
        "T, …[, min[, max]][, block] or [params], result",
        "Lambdas, by what they take and give",
    ),
    entry("CatalogEntry", "", "References to classes and resources"),
    entry("Class", "name, …", "References to classes"),
    entry("Collection", SIZE, "Arrays and hashes"),
    entry("Data", "", "What JSON can hold"),
    entry("Default", "", "The value default"),
    entry("Deferred", "", "Calls that are made later"),
    entry("Enum", "'text', …[, true]", "The listed texts; a last true ignores case"),
    entry("Error", "kind[, issue code]", "Failures as values"),
    entry("Float", SIZE, "Numbers with a fraction"),
    entry("Hash", "K, V[, min[, max]]", "Keys and values in order"),
    entry("Init", "T, arguments…", "What a value of T can be made of"),
    entry("Integer", SIZE, "Whole numbers of 64 bits"),
    entry("Iterable", "T", "What can be walked over: arrays, hashes, texts, numbers, ranges"),
    entry("Iterator", "T", "What step, reverse_each and tree_each give without a block"),
    entry("NotUndef", "T or 'text'", "Everything but undef"),
    entry("Numeric", "", "Integers and floats"),
    entry("Object", "{ … }", "Instances of types with attributes"),
    entry("Optional", "T or 'text'", "T or undef"),
    entry("Pattern", "/regexp/, …", "Texts that match one of the patterns"),
    entry("Regexp", "/regexp/", "Regular expressions"),
    entry("Resource", "type[, title, …]", "References to resources; File['/a'] is one as well"),
    entry("RichData", "", "What can be put into a catalog"),
    entry("RichDataKey", "", "Keys of hashes that can be put into a catalog"),
    entry("Runtime", "runtime, 'name'", "Values that only the runtime knows"),
    entry("Scalar", "", "Values without parts: numbers, texts, booleans, patterns, times, versions"),
    entry("ScalarData", "", "Numbers, texts and booleans"),
    entry("SemVer", "'range', …", "Semantic versions"),
    entry("SemVerRange", "", "Sets of semantic versions"),
    entry("Sensitive", "T", "Values that are never printed"),
    entry("String", SIZE, "Texts, by their length"),
    entry("Struct", "{key => T, …}", "Hashes with exactly these keys"),
    entry("Timespan", "from[, to]", "Lengths of time"),
    entry("Timestamp", "from[, to]", "Points in time"),
    entry("Tuple", "T, …[, min[, max]]", "Arrays by the type at each place"),
    entry("Type", "T", "Types themselves"),
    entry("TypeSet", "{ … }", "Types that belong together, with a version"),
    entry("URI", "text, hash or pattern", "Resource identifiers"),
    entry("Undef", "", "The value undef"),
    entry("Variant", "T, …", "What belongs to any of the types"),
];

/// Explains a built-in type, if there is one of that name; the case after the first letter does not matter.
///
/// ```
/// let text = hierarch_pcore::types::guide::of("Integer").expect("it is a type");
/// assert!(text.contains("Integer[min[, max]]"));
/// ```
pub fn of(name: &str) -> Option<String> {
    if !name.starts_with(char::is_uppercase) {
        return None;
    }
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name.eq_ignore_ascii_case(name)) else {
        return Type::builtin(name).map(|type_| format!("{}\n\nThe built-in type {type_}.\n", type_.name()));
    };
    let Entry { name, parameters, what } = entry;
    let mut text = format!("{name}\n\n  {name}\n");
    if !parameters.is_empty() {
        let _ = writeln!(text, "  {name}[{parameters}]");
    }
    let _ = writeln!(text, "\n{what}.");
    Some(text)
}

/// Lists the built-in types with a line on each.
pub fn overview() -> String {
    let mut text = String::from("Types:\n");
    for entry in ENTRIES {
        let _ = writeln!(text, "  {:<18} {}", entry.name, entry.what);
    }
    text
}

/// Returns the names of the built-in types.
pub fn names() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entry| entry.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_is_a_type_and_stands_in_order() {
        for entry in ENTRIES {
            assert!(Type::builtin(entry.name).is_some(), "{}", entry.name);
        }
        assert!(ENTRIES.is_sorted_by_key(|entry| entry.name));
    }

    #[test]
    fn names_are_found_whatever_their_case_but_not_those_of_functions() {
        assert!(of("Catalogentry").is_some_and(|text| text.starts_with("CatalogEntry")));
        assert!(of("File").is_some());
        assert!(of("integer").is_none());
        assert!(of("Nope").is_none());
    }
}
