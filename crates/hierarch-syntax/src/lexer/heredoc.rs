//! Heredocs: the tag, the text on the lines below, and its margin.

use std::ops::Range;

use hierarch_source::Result;

use super::escape::{Escapes, HeredocFlags};
use super::place::{Margin, Placement};
use super::string::Quoting;
use super::{Lexer, blank_or_return, is_blank};
use crate::issues;
use crate::token::TokenKind;

/// What stands between `@(` and `)`.
struct Tag {
    text: String,
    syntax: Range<usize>,
    interpolates: bool,
    escapes: HeredocFlags,
}

/// The last line of a heredoc: how it wants the text.
struct EndLine {
    /// The blanks before `|`, cut off every line that starts with them.
    margin: Option<String>,
    trims_last_break: bool,
}

impl Lexer<'_> {
    pub(super) fn heredoc(&mut self) -> Result<()> {
        let start = self.pos;
        if !matches!(self.placement, Placement::Whole) {
            return Err(self.place(issues::heredoc_in_heredoc(), start));
        }
        let Some(length) = memchr::memchr(b')', &self.bytes[start..]) else {
            let error = issues::heredoc_unclosed_parenthesis(&self.followed_by());
            return Err(self.place(error, start));
        };
        let after_tag = start + length + 1;
        let tag = parse_tag(self.text, start, after_tag).map_err(|error| self.place(error, after_tag))?;
        let syntax = self.text_at(tag.syntax.start, tag.syntax.end);
        self.push_token(TokenKind::Heredoc, start, after_tag, syntax);
        let text_start = self.heredoc_text_start(after_tag)?;
        let (text_end, next_line, end_line) = self.heredoc_end(text_start, &tag.text)?;
        self.newline_jump = Some(next_line);
        self.push(TokenKind::HeredocText, text_start, text_end);
        self.heredoc_text(text_start..text_end, &tag, &end_line)?;
        self.matched(start, after_tag);
        self.pos = after_tag;
        Ok(())
    }

    /// Finds where the text starts: on the next line, or behind the text of an earlier heredoc of this line.
    fn heredoc_text_start(&self, after_tag: usize) -> Result<usize> {
        if let Some(jump) = self.newline_jump {
            return Ok(jump);
        }
        match memchr::memchr(b'\n', &self.bytes[after_tag..]) {
            Some(length) => Ok(after_tag + length + 1),
            None => Err(self.place(issues::heredoc_without_text(), after_tag)),
        }
    }

    /// Finds the end line: returns where it starts, where the line after it starts, and what it says.
    fn heredoc_end(&self, text_start: usize, tag: &str) -> Result<(usize, usize, EndLine)> {
        let mut line_start = text_start;
        while line_start < self.bytes.len() {
            let rest = &self.bytes[line_start..];
            let next = line_start + memchr::memchr(b'\n', rest).map_or(rest.len(), |length| length + 1);
            if let Some(end_line) = parse_end_line(&self.text[line_start..next], tag) {
                return Ok((line_start, next, end_line));
            }
            line_start = next;
        }
        Err(self.place(issues::heredoc_without_end(), text_start))
    }

    /// Lexes the text, with a lexer of its own over the lines as they are without their margin.
    fn heredoc_text(&mut self, lines: Range<usize>, tag: &Tag, end_line: &EndLine) -> Result<()> {
        let raw = &self.text[lines.clone()];
        let start = lines.start as u32;
        let cut;
        let (text, placement) = match end_line.margin.as_deref().filter(|margin| !margin.is_empty()) {
            None => (raw, Placement::Slice(start)),
            Some(margin) => {
                let (text, lines) = cut_margin(raw, margin);
                cut = text;
                (cut.as_str(), Placement::Margin(Margin { start, lines }))
            }
        };
        let text = if end_line.trims_last_break { without_last_break(text) } else { text };
        let quoting =
            Quoting { quoted: false, interpolates: tag.interpolates, escapes: Escapes::heredoc(tag.escapes) };
        let sink = std::mem::take(&mut self.sink);
        let mut inner = Lexer::over(&self.source, text, placement, sink);
        let done = inner.interpolated(0, quoting);
        self.sink = inner.sink;
        done.map(|_| ())
    }
}

fn without_last_break(text: &str) -> &str {
    let Some(text) = text.strip_suffix('\n') else { return text };
    text.strip_suffix('\r').unwrap_or(text)
}

/// Cuts `margin` off each line that starts with it; a line that does not is left untouched.
fn cut_margin(raw: &str, margin: &str) -> (String, Vec<(u32, u32)>) {
    let mut text = String::with_capacity(raw.len());
    let mut lines = Vec::new();
    let mut cut = 0;
    for line in raw.split_inclusive('\n') {
        let kept = line.strip_prefix(margin).unwrap_or(line);
        cut += (line.len() - kept.len()) as u32;
        lines.push((text.len() as u32, cut));
        text.push_str(kept);
    }
    (text, lines)
}

/// Reads `@(tag:syntax/escapes)`. `start` is at the `@`, `end` behind the `)`.
fn parse_tag(text: &str, start: usize, end: usize) -> Result<Tag> {
    // A tag that does not fit from the first `@(` may still fit from a later one before the same `)`.
    let openings = text[start..end].match_indices("@(").map(|(at, _)| start + at + 2);
    let parts = openings.into_iter().find_map(|inner| split_tag(text, inner, end - 1));
    let (tag, syntax, escapes) = parts.ok_or_else(issues::heredoc_invalid_syntax)?;
    let strip = |text: &str| text.trim_matches([' ', '\t', '\n', '\x0B', '\x0C', '\r', '\0']).to_owned();
    let mut tag = strip(&text[tag]);
    let interpolates = tag.len() >= 2 && tag.starts_with('"') && tag.ends_with('"');
    if interpolates {
        tag = strip(&tag[1..tag.len() - 1]);
    }
    if tag.is_empty() {
        return Err(issues::heredoc_empty_tag());
    }
    let escapes = escapes.map_or(Ok(HeredocFlags::default()), |range| parse_escapes(&text[range]))?;
    Ok(Tag { text: tag, syntax, interpolates, escapes })
}

type TagParts = (Range<usize>, Range<usize>, Option<Range<usize>>);

/// Splits the inside of a tag into its three parts, if it has the right form.
fn split_tag(text: &str, start: usize, end: usize) -> Option<TagParts> {
    let blanks = |mut at: usize| {
        while let Some(length) = blank_or_return(text, at).filter(|_| !text[at..].starts_with('\r')) {
            at += length;
        }
        at
    };
    let while_word = |from: usize, extra: &[u8]| {
        let bytes = &text.as_bytes()[from..end];
        from + bytes.iter().take_while(|&&byte| super::is_word(byte) || extra.contains(&byte)).count()
    };
    let tag_end = start + text[start..end].find([':', '/', '\r', '\n']).unwrap_or(end - start);
    if tag_end == start {
        return None;
    }
    let mut at = tag_end;
    let mut syntax = at..at;
    if text[at..end].starts_with(':') {
        let from = blanks(at + 1);
        let to = while_word(from, b"+");
        let fits = text[from..end].starts_with(|first: char| first.is_ascii_lowercase()) && to > from + 1;
        if !fits {
            return None;
        }
        syntax = from..to;
        at = blanks(to);
    }
    let mut escapes = None;
    if text[at..end].starts_with('/') {
        let to = while_word(at + 1, b"$");
        escapes = Some(at + 1..to);
        at = blanks(to);
    }
    (at == end).then_some((start..tag_end, syntax, escapes))
}

fn parse_escapes(listed: &str) -> Result<HeredocFlags> {
    let listed = if listed.is_empty() { "trnsuL$" } else { listed };
    if listed.char_indices().any(|(at, character)| listed[..at].contains(character)) {
        return Err(issues::heredoc_repeated_escape(listed));
    }
    let mut flags = HeredocFlags { any: true, ..HeredocFlags::default() };
    for character in listed.chars() {
        match character {
            't' => flags.tab = true,
            'r' => flags.carriage_return = true,
            'n' => flags.newline = true,
            's' => flags.space = true,
            'u' => flags.unicode = true,
            'L' => flags.line_break = true,
            '$' => flags.dollar = true,
            other => return Err(issues::heredoc_invalid_escape(other)),
        }
    }
    Ok(flags)
}

/// Reads a line as an end line. It need only *end* with the tag: what stands before is lost, as in the reference.
fn parse_end_line(line: &str, tag: &str) -> Option<EndLine> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    let before = line.trim_end_matches(is_blank).strip_suffix(tag)?;
    let mut rest = before;
    let unblank = |text: &str| text.trim_end_matches(is_blank).len();
    let trimmed = &rest[..unblank(rest)];
    let dashed = trimmed.strip_suffix('-');
    let trims_last_break = dashed.is_some();
    if let Some(dashed) = dashed {
        rest = dashed;
    }
    let margin = rest[..unblank(rest)].strip_suffix('|').map(|before| before[unblank(before)..].to_owned());
    Some(EndLine { margin, trims_last_break })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_trees, check_words};

    #[test]
    fn an_end_line_says_how_the_text_is_cut() {
        let parts = |line: &str| parse_end_line(line, "END").map(|end| (end.margin, end.trims_last_break));
        assert_eq!(parts("END\n"), Some((None, false)));
        assert_eq!(parts("  | - END  \r\n"), Some((Some("  ".into()), true)));
        assert_eq!(parts(" |END"), Some((Some(" ".into()), false)));
        assert_eq!(parts("- END"), Some((None, true)));
        assert_eq!(parts("two END\n"), Some((None, false)));
        assert_eq!(parts("ENDING\n"), None);
    }

    #[test]
    fn a_tag_has_three_parts() {
        let tag = |text: &str| {
            let tag = parse_tag(text, 0, text.len()).map_err(|error| error.code)?;
            Ok((tag.text, text[tag.syntax].to_owned(), tag.interpolates, tag.escapes.any))
        };
        assert_eq!(tag("@(END)"), Ok(("END".into(), String::new(), false, false)));
        assert_eq!(tag("@( \" END \" : json /n )"), Ok(("END".into(), "json".into(), true, true)));
        assert_eq!(tag("@(END:j)"), Err("HEREDOC_INVALID_SYNTAX"));
        assert_eq!(tag("@(END/q)"), Err("HEREDOC_INVALID_ESCAPE"));
        assert_eq!(tag("@(END/tt)"), Err("HEREDOC_MULTIPLE_AT_ESCAPES"));
        assert_eq!(tag("@(\"\")"), Err("HEREDOC_EMPTY_ENDTAG"));
    }

    #[test]
    fn heredocs_keep_their_text() {
        check_trees(&[
            ("@(E)\na\nb\nE", r#"(heredoc {:text "a\nb\n"})"#),
            ("@(E)\na\n|E", r#"(heredoc {:text "a\n"})"#),
            ("@(E)\n  a\n  b\n  |E", r#"(heredoc {:text "a\nb\n"})"#),
            ("@(E)\n  a\n    b\n  |E", r#"(heredoc {:text "a\n  b\n"})"#),
            ("@(E)\n  a\n b\n  |E", r#"(heredoc {:text "a\n b\n"})"#),
            ("@(E)\na\n-E", r#"(heredoc {:text "a"})"#),
            ("@(E)\n  a\n  |-E", r#"(heredoc {:text "a"})"#),
            ("@(E)\n  a\n  | -E", r#"(heredoc {:text "a"})"#),
            (
                "@(\"E\")\na $x ${y}\nE",
                r#"(heredoc {:text (concat "a " (str (var "x")) " " (str (var "y")) "\n")})"#,
            ),
            ("@(E)\na $x\nE", r#"(heredoc {:text "a $x\n"})"#),
            ("@(E/)\na\\\nb\nE", r#"(heredoc {:text "ab\n"})"#),
            ("@(E/n)\na\\nb\nE", r#"(heredoc {:text "a\nb\n"})"#),
            ("@(E/t)\na\\nb\\tc\nE", r#"(heredoc {:text "a\\nb\tc\n"})"#),
            ("@(E/L)\na\\\nb\nE", r#"(heredoc {:text "ab\n"})"#),
            ("@(\"E\"/$)\na \\$x $y\nE", r#"(heredoc {:text (concat "a $x " (str (var "y")) "\n")})"#),
            ("@(E:json)\n{}\nE", r#"(heredoc {:syntax "json" :text "{}\n"})"#),
            ("@(E:json/n)\n{}\nE", r#"(heredoc {:syntax "json" :text "{}\n"})"#),
            ("@( E )\na\nE", r#"(heredoc {:text "a\n"})"#),
            ("@(END OF)\na\nEND OF", r#"(heredoc {:text "a\n"})"#),
            (
                "f(@(A), @(B))\na\nA\nb\nB",
                r#"(invoke {:functor (qn "f") :args [(heredoc {:text "a\n"}) (heredoc {:text "b\n"})]})"#,
            ),
            ("[@(A)]\na\nA", r#"(array (heredoc {:text "a\n"}))"#),
            ("@(E)\nE", r#"(heredoc {:text ""})"#),
            ("@(E)\n\nE", r#"(heredoc {:text "\n"})"#),
            ("@(E)\na\n\n\nE", r#"(heredoc {:text "a\n\n\n"})"#),
        ]);
    }

    #[test]
    fn heredocs_that_are_not() {
        check_words(&[
            ("@(E)", "Heredoc without any following lines of text (line: 1, column: 5)"),
            ("@(E)\na", "Heredoc without end-tagged line (line: 2, column: 1)"),
            ("@(E", "Unclosed parenthesis after '@(' followed by '@(E...' (line: 1, column: 1)"),
            (
                "@()\na\nE",
                "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes]) (line: 1, column: 4)",
            ),
            (
                "@(E/q)\na\nE",
                "Invalid heredoc escape char. Only t, r, n, s,  u, L, $ allowed. Got 'q' (line: 1, column: 7)",
            ),
            ("@(E/nn)\na\nE", "An escape char for @() may only appear once. Got 'n, n' (line: 1, column: 8)"),
            (
                "@(E:)\na\nE",
                "Invalid syntax in heredoc expected @(endtag[:syntax][/escapes]) (line: 1, column: 6)",
            ),
            ("@(\"E)\na\nE", "Heredoc without end-tagged line (line: 2, column: 1)"),
            ("@(E)\na\n E b", "Heredoc without end-tagged line (line: 2, column: 1)"),
            (
                "@(E:json)\n{\nE",
                r#"Invalid produced text having syntax: 'json'. JSON syntax checker: Cannot parse invalid JSON string. "unexpected token at '{\n'" (line: 2, column: 1)"#,
            ),
            (
                "@(E:epp)\n<% \nE",
                r#"Invalid produced text having syntax: 'epp'. EPP syntax checker: "Unbalanced epp tag, reached <eof> without closing tag. (line: 2, column: 1)" (line: 2, column: 1)"#,
            ),
            (
                "@(E:pp)\n$\nE",
                r#"Invalid produced text having syntax: 'pp'. PP syntax checker: "Illegal variable name, The given name '' does not conform to the naming rule /^((::)?[a-z]\w*)*((::)?[a-z_]\w*)$/ (line: 1, column: 1)" (line: 2, column: 1)"#,
            ),
        ]);
    }
}
