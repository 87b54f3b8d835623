//! What helps while typing: names are completed, and an input that lacks its end goes on in the next line.

use std::borrow::Cow;
use std::cell::RefCell;

use hierarch_source::Source;
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper};

/// Completes names, and knows when an input is unfinished.
pub(super) struct Assistant {
    pub(super) words: Vec<String>,
    pub(super) variables: RefCell<Vec<String>>,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
        let before = &line[..position];
        let start = before
            .rfind(|c: char| !is_part(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let prefix = &before[start..];
        if prefix.is_empty() {
            return Ok((position, Vec::new()));
        }
        let variables = self.variables.borrow();
        let all = self.words.iter().chain(variables.iter());
        let mut found: Vec<String> = all.filter(|word| word.starts_with(prefix)).cloned().collect();
        found.sort();
        Ok((start, found))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_unfinished(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

/// Tells whether more text could make this a program.
fn is_unfinished(input: &str) -> bool {
    if input.starts_with(':') || input.ends_with('\n') {
        return false;
    }
    match hierarch_syntax::parse(&Source::unnamed(input)).program {
        Ok(_) => false,
        Err(error) => {
            error.has_detail(hierarch_syntax::issues::END_OF_INPUT)
                || matches!(
                    error.code,
                    "UNCLOSED_QUOTE"
                        | "UNCLOSED_MLCOMMENT"
                        | "HEREDOC_WITHOUT_END_TAGGED_LINE"
                        | "HEREDOC_WITHOUT_TEXT"
                )
        }
    }
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Borrowed(line)
    }
}

impl Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lacks_an_end_goes_on_in_the_next_line() {
        for (input, expected) in [
            ("[1, 2].each |$x| {", true),
            ("$x = ", true),
            ("'abc", true),
            ("@(END)\nabc", true),
            ("1 + 1", false),
            ("1 + )", false),
            (":type [", false),
        ] {
            assert_eq!(is_unfinished(input), expected, "{input}");
        }
    }
}
