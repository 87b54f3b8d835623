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

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn words_begin_in_upper_case() {
        check_calls(&[
            ("capitalize('hello world')", "'Hello world'"),
            ("capitalize('HELLO')", "'Hello'"),
            ("capitalize('éa')", "'Éa'"),
            ("capitalize('')", "''"),
            ("capitalize(['a', 'b'])", "['A', 'B']"),
            ("capitalize(1)", "1"),
            (
                "capitalize({a => b})",
                "Evaluation Error: Error while evaluating a Function Call, 'capitalize' parameter 'arg' expects a value of type Numeric, String, or Iterable[Variant[String, Numeric]], got Struct (line: 1, column: 1)",
            ),
            ("camelcase('hello_world')", "'HelloWorld'"),
            ("camelcase('_a__b_')", "'AB'"),
            ("camelcase(['a_b'])", "['AB']"),
            ("camelcase('')", "''"),
            ("camelcase(1)", "1"),
        ]);
    }
}
