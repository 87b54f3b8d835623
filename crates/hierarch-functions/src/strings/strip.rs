//! `strip`, `lstrip`, `rstrip`, `chomp` and `chop`: texts without what stands at their ends.

use super::each_text::text_functions;
use crate::prelude::*;

text_functions! {
    STRIP, strip, stripped, "strip",
    "Returns a String without blanks, line ends and NULs at both ends.", [
        Gives("strip(\" a\\n\")", "'a'"),
        Gives("strip([' a', 'b '])", "['a', 'b']"),
        Fails("strip(true)", "'strip' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
    LSTRIP, lstrip, left_stripped, "lstrip",
    "Returns a String without blanks, line ends and NULs at its start.", [
        Gives("lstrip(\"\\t a \")", "'a '"),
        Fails("lstrip(undef)", "'lstrip' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
    RSTRIP, rstrip, right_stripped, "rstrip",
    "Returns a String without blanks, line ends and NULs at its end.", [
        Gives("rstrip(\" a \\n\")", "' a'"),
        Fails("rstrip(undef)", "'rstrip' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
    CHOMP, chomp, chomped, "chomp",
    "Returns a String without the line end at its end.", [
        Gives("chomp(\"a\\r\\n\")", "'a'"),
        Gives("chomp(\"a\\n\\n\")", "\"a\\n\""),
        Fails("chomp(undef)", "'chomp' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
    CHOP, chop, chopped, "chop",
    "Returns a String without its last character, or without the two of a line end.", [
        Gives("chop('ab')", "'a'"),
        Gives("chop(\"a\\r\\n\")", "'a'"),
        Fails("chop(undef)", "'chop' parameter 'arg' expects a value of type Numeric, String, or Iterable"),
    ];
}

/// Only ASCII counts: a no-break space stays.
fn is_space(c: char) -> bool {
    matches!(c, '\0' | '\t'..='\r' | ' ')
}

fn stripped(text: &str) -> String {
    text.trim_matches(is_space).into()
}

fn left_stripped(text: &str) -> String {
    text.trim_start_matches(is_space).into()
}

fn right_stripped(text: &str) -> String {
    text.trim_end_matches(is_space).into()
}

fn chomped(text: &str) -> String {
    let shorter = ["\r\n", "\n", "\r"].iter().find_map(|end| text.strip_suffix(end));
    shorter.unwrap_or(text).into()
}

fn chopped(text: &str) -> String {
    let mut chars = text.chars();
    chars.next_back();
    text.strip_suffix("\r\n").unwrap_or(chars.as_str()).into()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn blanks_go() {
        check_calls(&[
            (r#"strip("  a b \t\n")"#, "'a b'"),
            (r#"lstrip("  a ")"#, "'a '"),
            (r#"rstrip("  a ")"#, "'  a'"),
            (r#"strip("\u00a0a")"#, "' a'"),
            ("strip('')", "''"),
            ("strip([' a ', 'b '])", "['a', 'b']"),
            ("strip(1)", "1"),
            (
                "strip([1, ' a '])",
                "Evaluation Error: Error while evaluating a Function Call, The function 'strip' was called with arguments it does not accept. It expects one of:\n  (Numeric arg)\n    rejected: parameter 'arg' expects a Numeric value, got Tuple\n  (String arg)\n    rejected: parameter 'arg' expects a String value, got Tuple\n  (Iterable[Variant[String, Numeric]] arg) (line: 1, column: 1)",
            ),
            (r#"chomp("a\n\n")"#, r#""a\n""#),
            (r#"chomp("a\r\n")"#, "'a'"),
            ("chomp('a')", "'a'"),
            ("chop('ab')", "'a'"),
            (r#"chop("a\r\n")"#, "'a'"),
            ("chop('')", "''"),
            (r#"chomp(['a', "b\n"])"#, "['a', 'b']"),
            (
                "strip({a => 1})",
                "Evaluation Error: Error while evaluating a Function Call, 'strip' parameter 'arg' expects a value of type Numeric, String, or Iterable[Variant[String, Numeric]], got Struct (line: 1, column: 1)",
            ),
        ]);
    }
}
