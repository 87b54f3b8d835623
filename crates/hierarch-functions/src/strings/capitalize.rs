//! `capitalize` and `camelcase`: capitals at the start of words.

use super::each_text::text_functions;
use crate::prelude::*;

text_functions! {
    CAPITALIZE, capitalize, capitalized, "capitalize",
    "Returns a String with its first character as a capital and all others in lower case.", [
        Gives("capitalize('hELLO')", "'Hello'"),
        Gives("capitalize(['ab', 'cd'])", "['Ab', 'Cd']"),
        Fails("capitalize(true)", "'capitalize' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
    CAMELCASE, camelcase, camelcased, "camelcase",
    "Returns a String without its underscores, each part between them capitalized.", [
        Gives("camelcase('hello_world')", "'HelloWorld'"),
        Gives("camelcase(['a_b', 'c'])", "['AB', 'C']"),
        Fails("camelcase(undef)", "'camelcase' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return String::new() };
    title(first) + &chars.flat_map(char::to_lowercase).collect::<String>()
}

fn camelcased(text: &str) -> String {
    text.split('_').map(capitalized).collect()
}

/// Returns the title case of a character, which for most is its upper case.
fn title(c: char) -> String {
    match c {
        // Digraphs such as ǆ have a form with only the first letter as a capital.
        'Ǆ' | 'ǅ' | 'ǆ' => "ǅ".into(),
        'Ǉ' | 'ǈ' | 'ǉ' => "ǈ".into(),
        'Ǌ' | 'ǋ' | 'ǌ' => "ǋ".into(),
        'Ǳ' | 'ǲ' | 'ǳ' => "ǲ".into(),
        _ => {
            let mut upper = c.to_uppercase();
            let first = upper.next().map(String::from).unwrap_or_default();
            // ß is SS in capitals and Ss in a title.
            first + &upper.flat_map(char::to_lowercase).collect::<String>()
        }
    }
}
