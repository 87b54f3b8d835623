//! Templates: text between tags, and where the tags switch to code.

use hierarch_source::Result;

use super::Lexer;
use crate::issues;
use crate::token::TokenKind;

/// What a template's lexer is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EppMode {
    /// Not a template at all.
    Off,
    /// Behind the last tag.
    Text,
    /// `<% … %>`
    Code,
    /// `<%= … %>`
    Expression,
}

impl Lexer<'_> {
    pub(super) fn start_epp(&mut self) -> Result<()> {
        self.epp = EppMode::Text;
        self.push(TokenKind::EppStart, 0, 0);
        self.epp_text(false)?;
        self.after = self.sink.queue.last().map(|token| token.kind);
        Ok(())
    }

    /// A closing tag of the given length, and the text behind it.
    pub(super) fn epp_end(&mut self, kind: TokenKind, length: usize) -> Result<()> {
        if self.epp == EppMode::Expression {
            self.push(kind, self.pos, self.pos + length);
        }
        self.pos += length;
        self.epp = EppMode::Text;
        self.epp_text(kind == TokenKind::EppEndTrim)
    }

    pub(super) fn check_epp_closed(&self) -> Result<()> {
        match self.epp {
            EppMode::Off | EppMode::Text => Ok(()),
            EppMode::Code | EppMode::Expression => {
                Err(self.place(issues::epp_unbalanced_tag(), self.bytes.len()))
            }
        }
    }

    /// Reads text up to the next tag that starts code.
    fn epp_text(&mut self, trims_start: bool) -> Result<()> {
        let start = self.pos;
        if start == self.bytes.len() {
            return Ok(());
        }
        let (text, mode) = self.scan_epp_text(trims_start)?;
        let Some(text) = text else { return Ok(()) };
        if mode == EppMode::Text || !text.is_empty() {
            let text = self.sink.own_texts.add(&text);
            self.push_token(TokenKind::RenderString, start, self.pos, text);
        }
        if mode == EppMode::Expression {
            self.push(TokenKind::RenderExpression, start, start);
        }
        self.epp = mode;
        Ok(())
    }

    /// Returns the text, and what follows it. A comment that ends the template takes all text since the last tag along, as
    /// it does in the reference.   case: lang/exactness
    fn scan_epp_text(&mut self, mut trims_start: bool) -> Result<(Option<String>, EppMode)> {
        let mut text = String::new();
        while self.pos < self.bytes.len() {
            let rest = &self.text[self.pos..];
            let tag = rest.find("<%");
            let mut part = &rest[..tag.unwrap_or(rest.len())];
            self.pos += tag.map_or(rest.len(), |at| at + 2);
            if trims_start {
                part = without_leading_blanks(part);
                trims_start = false;
            }
            // `%%>` stands for `%>`.
            text.push_str(&part.replace("%%>", "%>"));
            if tag.is_none() {
                break;
            }
            match self.bytes.get(self.pos) {
                None => return Err(self.place(issues::epp_unbalanced_expression(), self.pos)),
                Some(b'-') => {
                    self.pos += 1;
                    text.truncate(text.trim_end_matches([' ', '\t']).len());
                    return Ok((Some(text), EppMode::Code));
                }
                Some(b'=') => {
                    self.pos += 1;
                    return Ok((Some(text), EppMode::Expression));
                }
                Some(b'%') => {
                    self.pos += 1;
                    text.push_str("<%");
                }
                Some(b'#') => {
                    trims_start = self.epp_comment(&mut text)?;
                    if self.pos == self.bytes.len() {
                        return Ok((None, EppMode::Text));
                    }
                }
                Some(_) => return Ok((Some(text), EppMode::Code)),
            }
        }
        Ok((Some(text), EppMode::Text))
    }

    /// Skips `<%# … %>`; returns whether the text behind it loses its leading blanks.
    fn epp_comment(&mut self, text: &mut String) -> Result<bool> {
        let comment = &self.text[self.pos..];
        // The `%>` that ends it has a character before it that is not a `%`.
        let end = comment
            .match_indices("%>")
            .map(|(at, _)| at)
            .find(|&at| at > 0 && comment.as_bytes()[at - 1] != b'%');
        let Some(end) = end else { return Err(self.place(issues::epp_unbalanced_comment(), self.pos)) };
        if comment.as_bytes()[1] == b'-' {
            text.truncate(text.trim_end_matches([' ', '\t']).len());
        }
        self.pos += end + 2;
        Ok(comment[..end].ends_with('-'))
    }
}

/// Cuts blanks and one line break off the start of the text behind `-%>`.
fn without_leading_blanks(text: &str) -> &str {
    let text = text.trim_start_matches([' ', '\t']);
    let text = text.strip_prefix('\r').unwrap_or(text);
    text.strip_prefix('\n').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leading_blanks_go_with_one_line_break() {
        for (text, rest) in [("  \r\n a", " a"), (" a", "a"), ("\n\na", "\na"), ("", "")] {
            assert_eq!(without_leading_blanks(text), rest);
        }
    }
}
