//! What is still open where a text ends too early. The reference says neither where that is nor what lacks its end.

use hierarch_source::{Error, Source};

use crate::issues;
use crate::lexer::Lexer;
use crate::token::{Token, TokenKind};

/// More open brackets than these are not named.
const MOST_NAMED: usize = 3;

/// Returns the error of a text that ends too early, with a hint that names its last line and the brackets without an end.
pub(super) fn error_at_end(lexer: &Lexer<'_>) -> Error {
    let source = lexer.source();
    let error = issues::syntax_error_at_end().in_file_of(source);
    let last = u32::try_from(source.text().trim_end().len()).unwrap_or(u32::MAX);
    let line = source.position(last.saturating_sub(1)).line;
    let open = lexer.again().map(open_brackets).unwrap_or_default();
    let named: Vec<String> =
        open.iter().rev().take(MOST_NAMED).map(|token| described(source, *token)).collect();
    error.note(issues::ends_too_early(line, &named))
}

fn described(source: &Source, token: Token) -> String {
    let position = source.position(token.span.start);
    let bracket = token.kind.spelling().unwrap_or_default();
    format!("'{bracket}' of line {}, column {}", position.line, position.column)
}

/// Reads a text that has nothing but tokens in it, as the parser has found out, and keeps the brackets without an end.
fn open_brackets(mut lexer: Lexer<'_>) -> Vec<Token> {
    let mut open: Vec<Token> = Vec::new();
    while let Ok(token) = lexer.peek(0) {
        lexer.advance();
        match token.kind {
            TokenKind::EndOfInput => break,
            kind if closing(kind).is_some() => open.push(token),
            kind if open.last().is_some_and(|last| closing(last.kind) == Some(kind)) => {
                open.pop();
            }
            _ => {}
        }
    }
    open
}

/// Returns what closes an opening bracket.
fn closing(kind: TokenKind) -> Option<TokenKind> {
    Some(match kind {
        TokenKind::LeftBracket | TokenKind::ListStart => TokenKind::RightBracket,
        TokenKind::LeftBrace | TokenKind::SelectorBrace => TokenKind::RightBrace,
        TokenKind::LeftParen | TokenKind::LineParen => TokenKind::RightParen,
        TokenKind::CollectorStart => TokenKind::CollectorEnd,
        TokenKind::ExportedCollectorStart => TokenKind::ExportedCollectorEnd,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    fn hint(parse: fn(&std::sync::Arc<Source>) -> crate::ParseOutcome, text: &str) -> String {
        let error = parse(&Source::unnamed(text)).program.expect_err("the text lacks its end");
        assert_eq!(error.message, "Syntax error at end of input", "{text}");
        error.notes.iter().map(|note| note.text.as_str()).collect()
    }

    #[test]
    fn the_last_line_and_what_is_open_are_named() {
        let ends = |line: u32| format!("the text ends on line {line}");
        for (text, expected) in [
            (
                "class a {\n  if true {\n",
                format!("{}; '{{' of line 2, column 11 and '{{' of line 1, column 9 are not closed", ends(2)),
            ),
            ("$x = [1,\n", format!("{}; '[' of line 1, column 6 is not closed", ends(1))),
            ("$x =\n\n", format!("{}, where something is expected to follow", ends(1))),
        ] {
            assert_eq!(hint(crate::parse, text), expected, "{text}");
        }
        assert!(hint(crate::parse_epp, "a\n<% if true { %>\nb").contains("line 2, column 12"));
    }
}
