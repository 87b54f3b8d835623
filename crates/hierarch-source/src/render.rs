//! Diagnostics as text: Puppet's one line, a report with the source line, and JSON.

use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde_json::{Map, Value as Json, json};

use crate::{Diagnostic, Place, Severity};

/// How a report for people looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Text alone.
    Plain,
    /// With colours, for a terminal.
    Colour,
}

/// Puppet's own form: the message and, in parentheses, where.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.place {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

/// `file: F, line: L, column: C`, less what is not known.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position();
        match self.source.name() {
            Some(name) if !self.has_line => return write!(f, "file: {name}"),
            Some(name) => write!(f, "file: {name}, ")?,
            None => {}
        }
        write!(f, "line: {line}")?;
        column.map_or(Ok(()), |column| write!(f, ", column: {column}"))
    }
}

impl Severity {
    /// Returns the word for it, in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A line longer than this is not shown: it is data, not something a person wrote.
const LONGEST_LINE: usize = 2_000;

impl Diagnostic {
    /// Renders a report for people: message, place, the source line with a mark below, hints, and the calls.
    pub fn render(&self, style: Style) -> String {
        let renderer = match style {
            Style::Plain => Renderer::plain(),
            Style::Colour => Renderer::styled(),
        };
        let level = match self.severity {
            Severity::Warning => Level::WARNING,
            Severity::Error => Level::ERROR,
        };
        let mut report = Group::with_title(level.primary_title(self.message.as_str()));
        for place in self.excerpt.iter().chain(&self.place).filter(|place| place.has_line) {
            report = with_place(report, place);
        }
        for note in &self.notes {
            report = report.element(Level::HELP.message(note.text.as_str()));
        }
        for frame in &self.stack {
            report =
                report.element(Level::NOTE.message(format!("called from {} ({})", frame.name, frame.place)));
        }
        renderer.render(&[report])
    }

    /// Renders all that is known as one JSON object.
    pub fn to_json(&self) -> Json {
        let mut object = Map::new();
        object.insert("severity".into(), self.severity.word().into());
        if !self.code.is_empty() {
            object.insert("code".into(), self.code.into());
        }
        object.insert("message".into(), self.message.as_str().into());
        if let Some(place) = self.place.as_ref().or(self.excerpt.as_ref()) {
            insert_place(&mut object, place);
        }
        if !self.notes.is_empty() {
            object.insert("notes".into(), self.notes.iter().map(|note| json!(note.text)).collect());
        }
        if !self.stack.is_empty() {
            let calls = self.stack.iter().map(|frame| {
                let mut call = Map::from_iter([("name".to_owned(), json!(frame.name))]);
                insert_place(&mut call, &frame.place);
                Json::Object(call)
            });
            object.insert("stack".into(), calls.collect());
        }
        Json::Object(object)
    }
}

fn insert_place(object: &mut Map<String, Json>, place: &Place) {
    let (line, column) = place.position();
    if let Some(name) = place.source.name() {
        object.insert("file".into(), name.into());
    }
    if !place.has_line {
        return;
    }
    object.insert("line".into(), line.into());
    if let Some(column) = column {
        object.insert("column".into(), column.into());
        let end = place.source.position(place.span.end);
        object.insert("end_line".into(), end.line.into());
        object.insert("end_column".into(), end.column.into());
    }
}

fn with_place<'a>(report: Group<'a>, place: &'a Place) -> Group<'a> {
    let (line, _) = place.position();
    let span = place.source.fitted(place.span);
    let text = place.source.line(line);
    if text.len() > LONGEST_LINE {
        return report.element(Level::NOTE.message(format!("at {place}; the line is too long to show")));
    }
    let start = place.source.line_start(line) as usize;
    // A span may run over many lines; the mark covers what is on the first.
    let from = (span.start as usize - start).min(text.len());
    let to = (span.end as usize - start).clamp(from, text.len());
    let range = if place.has_column { from..to } else { 0..text.len() };
    let snippet =
        Snippet::source(text).line_start(line as usize).annotation(AnnotationKind::Primary.span(range));
    report.element(match place.source.name() {
        Some(name) => snippet.path(name),
        None => snippet,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, Source, Span};

    fn sample() -> Error {
        let source = Source::new("site.pp", "$a = 1\nnotice($x)\n");
        Error::new("UNKNOWN_VARIABLE", "Unknown variable: 'x'.")
            .at(&source, Span::new(14, 16))
            .note("set it first")
    }

    #[test]
    fn one_line_is_what_puppet_prints() {
        assert_eq!(sample().to_string(), "Unknown variable: 'x'. (file: site.pp, line: 2, column: 8)");
        assert_eq!(Error::new("", "boo").to_string(), "boo");
        let unnamed = Source::unnamed("x");
        assert_eq!(Error::new("", "boo").on_line_of(&unnamed, Span::new(0, 1)).to_string(), "boo (line: 1)");
    }

    #[test]
    fn a_report_shows_the_line_and_the_hint() {
        let report = sample().render(Style::Plain);
        for part in ["Unknown variable: 'x'.", "site.pp:2:8", "notice($x)", "^^", "set it first"] {
            assert!(report.contains(part), "{part} in\n{report}");
        }
    }

    #[test]
    fn json_has_everything() {
        let expected = json!({"severity": "error", "code": "UNKNOWN_VARIABLE", "message": "Unknown variable: 'x'.",
            "file": "site.pp", "line": 2, "column": 8, "end_line": 2, "end_column": 10, "notes": ["set it first"]});
        assert_eq!(sample().to_json(), expected);
    }

    #[test]
    fn a_span_past_the_line_or_on_the_line_break_is_still_shown() {
        let source = Source::unnamed("ab\r\ncd\n");
        for span in [Span::new(1, 6), Span::new(2, 3), Span::new(3, 4), Span::new(8, 8)] {
            Error::new("", "boo").at(&source, span).render(Style::Colour);
        }
    }

    #[test]
    fn any_span_can_be_shown_whatever_the_text() {
        for text in ["", "é", "{{ “a” }}\n→\r\n", "a\u{1F600}\n\n\u{301}b", "\t\u{200B}ﬁ"] {
            let source = Source::new("t.j2", text);
            for (start, end) in (0..25).flat_map(|start| (0..25).map(move |end| (start, end))) {
                let error = Error::new("", "boo").at(&source, Span::new(start, end));
                let line =
                    error.clone().into_diagnostic().place.map(|place| Place { has_column: false, ..place });
                assert!(error.render(Style::Plain).contains("boo"), "{text:?} {start}..{end}");
                assert!(error.to_json().is_object() && error.to_string().contains("line: "));
                let whole = Diagnostic { place: line, ..error.into_diagnostic() };
                assert!(whole.render(Style::Colour).contains("boo"), "{text:?} {start}..{end}");
            }
        }
    }

    /// Whatever a span is, a report of it can be written, in every style, and names its line.
    #[test]
    fn any_place_can_be_shown() {
        let mut dice = hierarch_bits::dice::Dice::new(5);
        for _ in 0..300 {
            let text = dice.text(&["a", "é", "😀", "\n", "\r\n", "\t", "word ", "\u{200b}"], 10);
            let source = crate::Source::new("site.pp", text.clone());
            let span = crate::Span::new(dice.below(40) as u32, dice.below(40) as u32);
            let error = crate::Error::new("CODE", "what is wrong").at(&source, span).note("a hint");
            let plain = error.render(Style::Plain);
            assert!(plain.contains("what is wrong") && plain.contains("a hint"), "{plain}");
            assert!(error.render(Style::Colour).contains("what is wrong"));
            let json = error.to_json();
            let line = source.position(span.start).line;
            assert_eq!(json["line"], line, "{text:?} {span:?}");
            assert_eq!(json["file"], "site.pp");
            assert!(error.to_string().contains(&format!("line: {line}")), "{error}");
        }
    }
}
