//! `shellquote`: words quoted for a Bourne shell.

use crate::prelude::*;

/// The function `shellquote`.
pub(super) static SHELLQUOTE: Function = Function {
    name: "shellquote",
    doc: "Returns its arguments, and the elements of those that are Arrays, as words of a Bourne shell: each quoted where needed, with blanks between them.",
    dispatches: &[legacy(-1, shellquote)],
    examples: &[
        Gives("shellquote('a', 'b c')", "'a \"b c\"'"),
        Gives("shellquote(['$x', ''])", "'\\'$x\\' \"\"'"),
        Fails("shellquote(1)", "Integer"),
    ],
};

fn shellquote(call: &mut Call) -> Result<Value> {
    let mut words = Vec::new();
    quote_all(call.arguments(), &mut words)?;
    Ok(words.join(" ").into())
}

fn quote_all(values: &[Value], words: &mut Vec<String>) -> Result<()> {
    for value in values {
        match value {
            Value::Array(elements) => quote_all(elements, words)?,
            other => words.push(quoted(crate::ruby::implicit_text(other)?)),
        }
    }
    Ok(())
}

fn quoted(word: &str) -> String {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "@%_+=:,./-".contains(c);
    let is_dangerous = |c: char| "!\"`$\\".contains(c);
    if !word.is_empty() && word.chars().all(is_safe) {
        return word.to_owned();
    }
    if !word.contains(is_dangerous) {
        return format!("\"{word}\"");
    }
    if !word.contains('\'') {
        return format!("'{word}'");
    }
    let escaped = word.chars().flat_map(|c| is_dangerous(c).then_some('\\').into_iter().chain([c]));
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn words_for_a_shell() {
        check_calls(&[
            ("shellquote('a')", "'a'"),
            ("shellquote('a b')", r#"'"a b"'"#),
            (r#"shellquote("it's")"#, r#"'"it\'s"'"#),
            (r#"shellquote('a"b')"#, r#"'\'a"b\''"#),
            (r#"shellquote("a'b\"c")"#, r#"'"a\'b\"c"'"#),
            ("shellquote('$x')", r"'\'$x\''"),
            ("shellquote('a`b')", r"'\'a`b\''"),
            ("shellquote('')", r#"'""'"#),
            ("shellquote(['a', 'b c'], 'd')", r#"'a "b c" d'"#),
            ("shellquote()", "''"),
            ("shellquote('a!b')", r"'\'a!b\''"),
            (r"shellquote('a\b')", r"'\'a\b\''"),
        ]);
    }
}
