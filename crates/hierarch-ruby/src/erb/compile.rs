//! A template's text becomes the source of a program, line by line the same, so that `__LINE__` and errors hold.
//!
//! It must be *one* source, as in the original: constructs span tags, and a comment in a tag swallows what follows it on
//! its line, texts included. That is why a text is written as a literal on one line, with its line breaks behind it.

/// Returns the source of a template, with the trim mode that Puppet uses (`-`).
///
/// ```
/// let source = hierarch_ruby::erb::compile("a <%= 1 %>\n");
/// assert_eq!(source, "_erbout = +''; _erbout.<< \"a \"; _erbout.<<(( 1 ).to_s); _erbout.<< \"\\n\"\n; _erbout");
/// ```
pub fn compile(template: &str) -> String {
    let template = template.strip_prefix('\u{feff}').unwrap_or(template);
    let mut compiler = Compiler { text: format!("{}_erbout = +''", magic(template)), pending: String::new() };
    let mut scanner = Scanner { rest: template, is_line_start: true };
    while let Some((before, tag)) = scanner.next_tag() {
        compiler.pending.push_str(before);
        match tag {
            Tag::Escaped => compiler.pending.push_str("<%"),
            Tag::Code => compiler.code(&mut scanner),
            Tag::Output => compiler.output(&mut scanner),
            Tag::Comment => compiler.comment(&mut scanner),
        }
    }
    compiler.pending.push_str(scanner.rest);
    compiler.put_pending();
    compiler.statement("_erbout");
    compiler.text
}

/// What opens a tag.
#[derive(Clone, Copy)]
enum Tag {
    /// `<%%`
    Escaped,
    /// `<%`, `<%-`
    Code,
    /// `<%=`
    Output,
    /// `<%#`
    Comment,
}

struct Scanner<'t> {
    rest: &'t str,
    /// Whether the rest stands at the start of a line, or right behind a tag, which counts as one.
    is_line_start: bool,
}

impl<'t> Scanner<'t> {
    /// Returns the text before the next tag, and the tag; nothing if there is none.
    fn next_tag(&mut self) -> Option<(&'t str, Tag)> {
        let rest = self.rest;
        let start = rest.find("<%")?;
        let behind = &rest[start + 2..];
        let (tag, length) = match behind.as_bytes().first() {
            Some(b'%') => (Tag::Escaped, 3),
            Some(b'=') => (Tag::Output, 3),
            Some(b'#') => (Tag::Comment, 3),
            Some(b'-') => (Tag::Code, 3),
            _ => (Tag::Code, 2),
        };
        let is_dashed = behind.starts_with('-');
        let end = if is_dashed { indentation(&rest[..start], self.is_line_start) } else { start };
        self.rest = &rest[start + length..];
        self.is_line_start = true;
        Some((&rest[..end], tag))
    }

    /// Returns the content of a tag with how it ended.
    fn content(&mut self) -> (String, End) {
        let mut content = String::new();
        loop {
            let Some(end) = self.rest.find("%>") else {
                content.push_str(std::mem::take(&mut self.rest));
                return (content, End::Missing);
            };
            let before = &self.rest[..end];
            self.rest = &self.rest[end + 2..];
            if let Some(before) = before.strip_suffix('%') {
                content.push_str(before);
                content.push_str("%>");
                continue;
            }
            let Some(before) = before.strip_suffix('-') else {
                content.push_str(before);
                return (content, End::Plain);
            };
            content.push_str(before);
            return (content, if self.skip_line_break() { End::Line } else { End::Plain });
        }
    }

    fn skip_line_break(&mut self) -> bool {
        let without = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n'));
        let is_there = without.is_some() || self.rest.is_empty();
        self.rest = without.unwrap_or(self.rest);
        is_there
    }
}

/// How a tag ended.
enum End {
    /// `%>`
    Plain,
    /// `-%>` with a line break behind it, which goes.
    Line,
    /// Not at all: its content is text.
    Missing,
}

/// Returns where the blanks begin that stand between the start of the line and a dashed tag; the end if something else does.
fn indentation(before: &str, is_line_start: bool) -> usize {
    let blank = before.trim_end_matches([' ', '\t']);
    let begins_line = if blank.is_empty() { is_line_start } else { blank.ends_with('\n') };
    if begins_line { blank.len() } else { before.len() }
}

struct Compiler {
    text: String,
    /// Text of the template that is not written yet.
    pending: String,
}

impl Compiler {
    fn code(&mut self, scanner: &mut Scanner<'_>) {
        self.put_pending();
        let (content, end) = scanner.content();
        match end {
            End::Missing => self.pending = content,
            End::Plain => self.statement(&content),
            End::Line => {
                self.statement(&content);
                self.text.push('\n');
            }
        }
    }

    fn output(&mut self, scanner: &mut Scanner<'_>) {
        self.put_pending();
        let (content, end) = scanner.content();
        match end {
            End::Missing => self.pending = content,
            End::Plain => self.statement(&format!("_erbout.<<(({content}).to_s)")),
            End::Line => {
                self.statement(&format!("_erbout.<<(({content}).to_s)"));
                self.text.push('\n');
            }
        }
    }

    /// A comment leaves only its line breaks.
    fn comment(&mut self, scanner: &mut Scanner<'_>) {
        self.put_pending();
        let (content, end) = scanner.content();
        if matches!(end, End::Missing) {
            self.pending = content;
            return;
        }
        let breaks = content.matches('\n').count() + usize::from(matches!(end, End::Line));
        self.text.push_str(&"\n".repeat(breaks));
    }

    fn put_pending(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.pending);
        let breaks = "\n".repeat(text.matches('\n').count());
        self.statement(&format!("_erbout.<< {}{breaks}", literal(&text)));
    }

    fn statement(&mut self, code: &str) {
        if !self.text.is_empty() {
            self.text.push_str("; ");
        }
        self.text.push_str(code);
    }
}

/// Writes a text as a literal on one line.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        match c {
            '\\' | '"' | '#' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\0' => literal.push_str("\\0"),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// Returns the magic comment that a comment of the template asks for. As in the original it is a line of its own, so that lines are
/// counted one too high.
fn magic(template: &str) -> &'static str {
    let comments = template.split("<%#").skip(1).filter_map(|rest| rest.split_once("%>"));
    let freezes =
        comments.map(|(comment, _)| comment.to_ascii_lowercase().replace('-', "_")).any(|comment| {
            let value = comment
                .split_once("frozen_string_literal")
                .map(|(_, value)| value.trim_start_matches([':', ' ']).to_owned());
            value.is_some_and(|value| value.starts_with("true"))
        });
    if freezes { "# frozen_string_literal: true\n" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_where_they_are() {
        for template in ["a\nb\n<% x = 1 -%>\nc <%= x %>\n", "<%# a\nb -%>\n<%= 1 %>\n", "\r\n<% 1 -%>\r\nx"]
        {
            let source = compile(template);
            assert_eq!(source.matches('\n').count(), template.matches('\n').count(), "{source}");
        }
    }

    #[test]
    fn a_tag_without_end_is_text() {
        assert_eq!(compile("a<% b"), "_erbout = +''; _erbout.<< \"a\"; _erbout.<< \" b\"; _erbout");
    }

    #[test]
    fn a_dashed_tag_takes_the_blanks_of_its_line() {
        assert!(compile("a\n  <%- x -%>\nb").contains("\"a\\n\"\n;  x "));
        assert!(compile("q  <%- x %>").contains("\"q  \""));
    }
}
