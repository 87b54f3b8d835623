//! What is wrong with the text of a template, and what names stand for that are not there.

use hierarch_pcore::Str;

use crate::expr::python;

pub(in crate::template) fn missing_end_of_comment() -> String {
    "Missing end of comment tag".into()
}

pub(in crate::template) fn missing_end_of_raw() -> String {
    "Missing end of raw directive".into()
}

pub(in crate::template) fn unexpected_end() -> String {
    "unexpected end of template inside of a tag: its closing mark is missing".into()
}

pub(in crate::template) fn unexpected_character(c: char) -> String {
    format!("unexpected char {}", python::quoted(&c.to_string()))
}

pub(in crate::template) fn unexpected_sign(sign: &str) -> String {
    format!("unexpected '{sign}'")
}

pub(in crate::template) fn other_sign_expected(sign: &str, wanted: &str) -> String {
    format!("unexpected '{sign}', expected '{wanted}'")
}

pub(in crate::template) fn bad_escape() -> String {
    "a backslash in a text is followed by too few digits".into()
}

pub(in crate::template) fn number_too_large() -> String {
    "a number has more than 128 bits".into()
}

pub(in crate::template) fn expected_token(wanted: &str, found: &str) -> String {
    format!("expected token '{wanted}', got '{found}'")
}

pub(in crate::template) fn unexpected_token(found: &str) -> String {
    format!("unexpected '{found}'")
}

pub(in crate::template) fn expression_expected(found: &str) -> String {
    format!("Expected an expression, got '{found}'")
}

pub(in crate::template) fn name_or_number_expected() -> String {
    "expected name or number".into()
}

pub(in crate::template) fn nested_too_deep(limit: usize) -> String {
    format!(
        "the template is nested more than {limit} levels deep; a bracket, an operator, a filter or a block is a level"
    )
}

pub(in crate::template) fn tag_name_expected() -> String {
    "tag name expected".into()
}

pub(in crate::template) fn bad_arguments() -> String {
    "invalid syntax for function call expression".into()
}

pub(in crate::template) fn chained_tests() -> String {
    "You cannot chain multiple tests with is".into()
}

pub(in crate::template) fn not_assigned_to(what: &str) -> String {
    format!("can't assign to '{what}'")
}

pub(in crate::template) fn call_expected() -> String {
    "expected call".into()
}

pub(in crate::template) fn parameter_without_default() -> String {
    "non-default argument follows default argument".into()
}

pub(in crate::template) fn outside_of_loop() -> String {
    "break and continue stand in loops only".into()
}

pub(in crate::template) fn block_name_with_hyphen() -> String {
    "Block names in Jinja have to be valid Python identifiers and may not contain hyphens, use an underscore instead.".into()
}

pub(in crate::template) fn block_twice(name: &str) -> String {
    format!("block '{name}' defined twice")
}

pub(in crate::template) fn required_block_not_empty() -> String {
    "Required blocks can only contain comments or whitespace".into()
}

pub(in crate::template) fn private_import() -> String {
    "names starting with an underline can not be imported".into()
}

pub(in crate::template) fn no_else_part() -> String {
    "the inline if-expression evaluated to false and no else section was defined.".into()
}

pub(in crate::template) fn no_previous_item() -> String {
    "there is no previous item".into()
}

pub(in crate::template) fn no_next_item() -> String {
    "there is no next item".into()
}

pub(in crate::template) fn no_caller() -> String {
    "No caller defined".into()
}

pub(in crate::template) fn parameter_not_given(name: &str) -> String {
    format!("parameter '{name}' was not provided")
}

pub(in crate::template) fn no_parent_block(name: &str) -> String {
    format!("there is no parent block called '{name}'.")
}

pub(in crate::template) fn empty_sequence(what: &str) -> String {
    format!("No {what} item, sequence was empty.")
}

pub(in crate::template) fn no_attribute(kind: &str, name: &str) -> String {
    format!("'{kind} object' has no attribute '{name}'")
}

pub(in crate::template) fn no_attribute_of_none(name: &str) -> String {
    format!("'None' has no attribute '{name}'")
}

pub(in crate::template) fn no_element(kind: &str, key: &str) -> String {
    format!("'{kind} object' has no element {key}")
}

pub(in crate::template) fn not_exported(template: Option<&str>, name: &str) -> String {
    let template = python::quoted(template.unwrap_or_default());
    format!("the template {template} (imported on this line) does not export the requested name '{name}'")
}

pub(in crate::template) fn unexpected_end_in(open: &[(Str, Vec<&'static str>)]) -> String {
    format!("Unexpected end of template.{}", looking_for(open))
}

pub(in crate::template) fn unknown_tag(name: &str, open: &[(Str, Vec<&'static str>)]) -> String {
    let expected = open.iter().any(|(_, ends)| ends.contains(&name));
    let begin = if expected {
        format!("Unexpected end tag '{name}'.")
    } else {
        format!("Encountered unknown tag '{name}'.")
    };
    let extension = match name {
        "do" | "break" | "continue" => " It needs --extensions do or --extensions loopcontrols.",
        _ => "",
    };
    format!("{begin}{}{extension}", looking_for(open))
}

fn looking_for(open: &[(Str, Vec<&'static str>)]) -> String {
    let Some((tag, ends)) = open.last() else { return String::new() };
    let ends = ends.iter().map(|end| format!("'{end}'")).collect::<Vec<_>>().join(" or ");
    format!(
        " Jinja was looking for the following tags: {ends}. The innermost block that needs to be closed is '{tag}'."
    )
}
