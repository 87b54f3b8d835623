//! `stdlib::shell_escape`, `shell_join` and `shell_split`: words of a Bourne shell.

use crate::prelude::*;
use issues::stdlib::{count, no_words, unmatched_quote};

/// The function `stdlib::shell_escape`.
pub(super) static SHELL_ESCAPE: Function = Function {
    name: "stdlib::shell_escape",
    doc: "Returns the text of a value so that a Bourne shell reads it as one word.",
    dispatches: &[on(&["Any string"], shell_escape)],
    examples: &[
        Gives("stdlib::shell_escape('a b')", "'a\\ b'"),
        Gives("stdlib::shell_escape('')", "'\\'\\''"),
        Fails("stdlib::shell_escape()", "'stdlib::shell_escape' expects 1 argument, got none"),
    ],
};

/// The function `shell_join`.
pub(super) static SHELL_JOIN: Function = Function {
    name: "shell_join",
    doc: "Returns the elements of an Array as a line of words for a Bourne shell.",
    dispatches: &[legacy(-1, shell_join)],
    examples: &[
        Gives("shell_join(['foo', 'bar baz'])", "'foo bar\\ baz'"),
        Fails("shell_join('foo')", "First argument is not an Array: \"foo\""),
    ],
};

/// The function `shell_split`.
pub(super) static SHELL_SPLIT: Function = Function {
    name: "shell_split",
    doc: "Returns the words of a text as a Bourne shell reads them.",
    dispatches: &[legacy(-1, shell_split)],
    examples: &[
        Gives("shell_split('foo \"bar baz\" a\\ b')", "['foo', 'bar baz', 'a b']"),
        Fails("shell_split('a \"b')", "Unmatched quote: \"a \\\"b\""),
    ],
};

fn shell_escape(call: &mut Call) -> Result<Value> {
    Ok(escaped(&ruby_text(call.value(0))).into())
}

fn shell_join(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("shell_join", call.count(), "1").into());
    }
    let words = call.value(0).as_array().ok_or_else(|| no_words(call.value(0)))?;
    Ok(words.iter().map(|word| escaped(&ruby_text(word))).collect::<Vec<_>>().join(" ").into())
}

fn shell_split(call: &mut Call) -> Result<Value> {
    if call.count() != 1 {
        return Err(count("shell_split", call.count(), "1").into());
    }
    let line = ruby_text(call.value(0));
    let words = words_of(&line).ok_or_else(|| unmatched_quote(&line))?;
    Ok(Value::array(words.into_iter().map(Value::from).collect()))
}

fn escaped(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => out.push(c),
            c => out.extend(['\\', c]),
        }
    }
    out
}

/// Cuts a line into words; none if a quote is not closed.
fn words_of(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        if is_blank(c) {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        match c {
            '\'' => loop {
                match rest.next()? {
                    '\'' => break,
                    c => word.push(c),
                }
            },
            '"' => quoted(&mut rest, word)?,
            // A backslash before a line break stays, and at the very end too.
            '\\' => match rest.next() {
                Some(c @ '\n') => word.extend(['\\', c]),
                Some(c) => word.push(c),
                None => word.push('\\'),
            },
            c => word.push(c),
        }
    }
    words.extend(word);
    Some(words)
}

/// Inside double quotes a backslash escapes only what is special there.
fn quoted(rest: &mut std::str::Chars, word: &mut String) -> Option<()> {
    loop {
        match rest.next()? {
            '"' => return Some(()),
            '\\' => match rest.next()? {
                c @ ('$' | '`' | '"' | '\\' | '\n') => word.push(c),
                c => word.extend(['\\', c]),
            },
            c => word.push(c),
        }
    }
}

fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r')
}

#[cfg(test)]
mod tests {
    use crate::testing::check_calls;

    #[test]
    fn words_of_a_shell() {
        check_calls(&[
            ("shell_escape('a b')", r"'a\ b'"),
            ("shell_escape('')", r"'\'\''"),
            (r#"shell_escape("a\nb")"#, r#""a'\n'b""#),
            (r#"shell_escape('é$`"')"#, r#"'\é\$\`\"'"#),
            ("shell_escape(1)", "'1'"),
            ("shell_join(['a b', 'c'])", r"'a\ b c'"),
            ("shell_join([])", "''"),
            (
                "shell_join('a')",
                r#"Evaluation Error: Error while evaluating a Function Call, First argument is not an Array: "a" (line: 1, column: 1)"#,
            ),
            (r#"shell_split('a "b c" d')"#, "['a', 'b c', 'd']"),
            (
                r#"shell_split("a 'b")"#,
                r#"Evaluation Error: Error while evaluating a Function Call, Unmatched quote: "a 'b" (line: 1, column: 1)"#,
            ),
            ("shell_split('')", "[]"),
            ("shell_split(1)", "['1']"),
            (r#"batch_escape('a "b" \c')"#, r#"'"a ""b"" \\c"'"#),
            ("batch_escape('%x%')", r#"'"%x%"'"#),
            (r#"powershell_escape('a "b" $c')"#, r#"'a` \`"b\`"` `$c'"#),
            (r#"powershell_escape("it's `x`")"#, r"'it`\'s` ``x``'"),
        ]);
    }
}
