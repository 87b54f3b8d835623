//! Heredocs that name a syntax: their text has to follow it.
//!
//! `@(END:json)` is checked as JSON, `pp` and `epp` with this very parser, `base64` by its alphabet;
//! other names are accepted as they are. In `a+b` the most specific name that is known counts.

use hierarch_bits::{base64, json};
use hierarch_source::{Result, Source};

use super::{ValidateOptions, Validator};
use crate::ast::{Expr, ExprId, Text};
use crate::{check, check_epp, issues};

impl Validator<'_> {
    pub(super) fn check_heredoc(&mut self, syntax: Text, text: ExprId) -> Result<()> {
        // Text with interpolations is not known yet.
        let Expr::String(content) = self.ast.expr(text) else { return Ok(()) };
        check_syntax(self.ast.text(syntax), self.ast.text(content))
            .map_err(|error| error.at(self.ast.source(), self.ast.span(text)))
    }
}

/// Checks a text against a syntax by name; names that nobody knows are fine.
pub fn check_syntax(syntax: &str, text: &str) -> Result<()> {
    let mut rest = syntax;
    loop {
        let problem = match rest {
            "json" => json_problem(text).map(|problem| ("ILLEGAL_JSON", problem)),
            "pp" => pp_problem(text, false)
                .map(|problem| ("ILLEGAL_PP", format!("PP syntax checker: \"{problem}\""))),
            "epp" => pp_problem(text, true)
                .map(|problem| ("ILLEGAL_EPP", format!("EPP syntax checker: \"{problem}\""))),
            "base64" => base64_problem(text).map(|problem| ("ILLEGAL_BASE64", problem.to_owned())),
            _ => match rest.split_once('+') {
                Some((_, more)) => {
                    rest = more;
                    continue;
                }
                None => return Ok(()),
            },
        };
        return match problem {
            Some((code, problem)) => Err(issues::invalid_heredoc_text(code, syntax, &problem)),
            None => Ok(()),
        };
    }
}

fn pp_problem(text: &str, is_template: bool) -> Option<String> {
    let source = Source::unnamed(text);
    let options = ValidateOptions::default();
    let checked = if is_template { check_epp(&source, &options) } else { check(&source, &options) };
    let message = checked.failure()?.to_string();
    Some(quoted(&message, 500))
}

/// The words are those of Ruby's own JSON reader, which quotes the text from where it stumbled.
fn json_problem(text: &str) -> Option<String> {
    let problem = json::parse::<()>(text).err()?;
    let message = issues::not_json(problem.kind, &text[problem.from..], text.trim().is_empty());
    Some(format!("JSON syntax checker: Cannot parse invalid JSON string. \"{}\"", quoted(&message, 100)))
}

fn quoted(message: &str, longest: usize) -> String {
    let cut: String = message.chars().take(longest).collect();
    cut.replace("\r\n", "\\n").replace('\n', "\\n")
}

fn base64_problem(text: &str) -> Option<&'static str> {
    let clean: Vec<u8> = text.bytes().filter(|byte| !b"\r\n?\t ".contains(byte)).collect();
    if is_strict_base64(&clean) {
        return None;
    }
    Some(if (clean.len() * 8).is_multiple_of(6) {
        "Base64 syntax checker: Cannot parse invalid Base64 string - contains letters outside strict base 64 range (or whitespace)"
    } else {
        "Base64 syntax checker: Cannot parse invalid Base64 string - padding is not correct"
    })
}

fn is_strict_base64(bytes: &[u8]) -> bool {
    let padding = bytes.iter().rev().take_while(|&&byte| byte == b'=').count();
    let digits = &bytes[..bytes.len() - padding];
    bytes.len().is_multiple_of(4) && padding <= 2 && digits.iter().all(|byte| base64::digit(*byte).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(syntax: &str, text: &str) -> &'static str {
        check_syntax(syntax, text).map_or_else(|error| error.code, |()| "")
    }

    #[test]
    fn known_syntaxes_are_checked_and_others_are_not() {
        assert_eq!(code("json", "{\"a\": [1]}"), "");
        assert_eq!(code("json", "{"), "ILLEGAL_JSON");
        assert_eq!(code("data+json", "{"), "ILLEGAL_JSON");
        assert_eq!(code("pp", "notice(1"), "ILLEGAL_PP");
        assert_eq!(code("epp", "<%= 1"), "ILLEGAL_EPP");
        assert_eq!(code("base64", "YWJj\n"), "");
        assert_eq!(code("base64", "YWJ"), "ILLEGAL_BASE64");
        assert_eq!(code("nobody", "{"), "");
    }
}
