//! The Psych dialect: libyaml's events, with their places turned into byte spans.

use std::sync::Arc;

use hierarch_source::{Result, Source, Span};

use super::libyaml::{Event, Events, Mark, Problem};
use crate::build::{Builder, Properties};
use crate::issues;
use crate::node::{Kind, Style};

pub(super) fn scan(source: &Arc<Source>, builder: &mut Builder, only_first: bool) -> Result<()> {
    let text = source.text();
    let Some(mut events) = Events::new(text) else { return Ok(()) };
    let mut places = Places::new(text);
    loop {
        let mut ends_document = false;
        let step = events.next(|event, start, end| {
            ends_document = matches!(event, Event::DocumentEnd);
            take(&event, start, end, &mut places, builder)
        });
        match step {
            Ok(Ok(true)) if only_first && ends_document => return Ok(()),
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return Ok(()),
            Ok(Err(error)) => return Err(error),
            Err(problem) => return Err(unreadable(source, &problem)),
        }
    }
}

fn unreadable(source: &Arc<Source>, problem: &Problem) -> hierarch_source::Error {
    let line = source.line_start(problem.line);
    let width: usize =
        source.text()[line as usize..].chars().take(problem.column as usize - 1).map(char::len_utf8).sum();
    issues::of_libyaml(&problem.words, &problem.context).at(source, Span::point(line + width as u32))
}

/// Adds one event to the tree; false at the end of the stream.
fn take(event: &Event, start: Mark, end: Mark, places: &mut Places, builder: &mut Builder) -> Result<bool> {
    match *event {
        Event::StreamStart => {}
        Event::StreamEnd => return Ok(false),
        Event::DocumentStart => builder.document_start(),
        Event::DocumentEnd => builder.document_end(),
        Event::Alias { name } => builder.alias(name, places.span(start, end))?,
        Event::Scalar { anchor, tag, value, style } => {
            let span = places.span(start, end);
            let props = places.properties(span, anchor, tag);
            let start = if props.end > span.start { props.end } else { span.start };
            let content = places.content(Span::new(start.min(span.end), span.end), style);
            builder.scalar(value, content, style, &props)?;
        }
        Event::ListStart { anchor, tag, style } => {
            begin(Kind::List, style, (anchor, tag), places.span(start, end), places, builder)?;
        }
        Event::MapStart { anchor, tag, style } => {
            begin(Kind::Map, style, (anchor, tag), places.span(start, end), places, builder)?;
        }
        Event::ListEnd | Event::MapEnd => builder.end(places.byte(end))?,
    }
    Ok(true)
}

fn begin(
    kind: Kind,
    style: Style,
    (anchor, tag): (Option<&str>, Option<&str>),
    span: Span,
    places: &Places,
    builder: &mut Builder,
) -> Result<()> {
    let props = places.properties(span, anchor, tag);
    let start = if anchor.is_some() || tag.is_some() { places.skip_blank(props.end) } else { span.start };
    builder.begin(kind, style, start, &props)
}

/// Turns libyaml's marks into byte offsets. In ASCII its index is one; beyond, the index counts now characters
/// and now bytes, so line and column are used: events come nearly in order, and a cursor is enough.
struct Places<'t> {
    text: &'t str,
    ascii: bool,
    line_starts: Vec<u32>,
    line: usize,
    column: usize,
    byte: usize,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        let ascii = text.is_ascii();
        let line_starts = if ascii { Vec::new() } else { line_starts(text) };
        Self { text, ascii, line_starts, line: 0, column: 0, byte: 0 }
    }

    fn byte(&mut self, mark: Mark) -> u32 {
        if self.ascii {
            return mark.index.min(self.text.len()) as u32;
        }
        let (line, column) = (mark.line as usize, mark.column as usize);
        if line != self.line || column < self.column {
            self.line = line;
            self.column = 0;
            self.byte = self.line_starts.get(line).map_or(self.text.len(), |&start| start as usize);
        }
        for c in self.text[self.byte..].chars().take(column - self.column) {
            self.byte += c.len_utf8();
        }
        self.column = column;
        self.byte as u32
    }

    fn span(&mut self, start: Mark, end: Mark) -> Span {
        let start = self.byte(start);
        Span::new(start, self.byte(end).max(start))
    }

    /// Finds how far `&anchor` and `!tag` reach; libyaml lets a node begin at the first of them.
    fn properties<'e>(&self, span: Span, anchor: Option<&'e str>, tag: Option<&'e str>) -> Properties<'e> {
        let mut at = span.start;
        let mut end = at;
        let wanted = usize::from(anchor.is_some()) + usize::from(tag.is_some());
        for _ in 0..wanted {
            at = self.skip_blank(at);
            let rest = &self.text[at as usize..];
            if !rest.starts_with(['&', '!']) {
                break;
            }
            at += token_length(rest) as u32;
            end = at;
        }
        Properties { start: span.start, end, anchor, tag }
    }

    /// Where a scalar's own text stands: after the blanks behind its properties, and for a block scalar up
    /// to its last line, not to the next token.
    fn content(&self, span: Span, style: Style) -> Span {
        let start = if span.is_empty() { span.start } else { self.skip_blank(span.start).min(span.end) };
        match style {
            Style::Literal | Style::Folded => block_scalar_span(self.text, Span::new(start, span.end)),
            _ => Span::new(start, span.end),
        }
    }

    fn skip_blank(&self, at: u32) -> u32 {
        skip_blank(self.text, at)
    }
}

/// Where lines begin for libyaml, which breaks them at more characters than we do elsewhere.
fn line_starts(text: &str) -> Vec<u32> {
    let mut starts = vec![0];
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let breaks = match c {
            '\r' => chars.peek().is_none_or(|&(_, next)| next != '\n'),
            '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => true,
            _ => false,
        };
        if breaks {
            starts.push((at + c.len_utf8()) as u32);
        }
    }
    starts
}

/// Returns the offset of the next byte that is not a blank, line break or comment.
pub(super) fn skip_blank(text: &str, mut at: u32) -> u32 {
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(at as usize) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'#' => {
                at +=
                    memchr::memchr(b'\n', &bytes[at as usize..]).unwrap_or(bytes.len() - at as usize) as u32;
            }
            _ => break,
        }
    }
    at
}

fn token_length(rest: &str) -> usize {
    if rest.starts_with("!<") {
        return rest.find('>').map_or(rest.len(), |at| at + 1);
    }
    rest.find([' ', '\t', '\r', '\n', ',', '[', ']', '{', '}']).unwrap_or(rest.len())
}

/// Cuts the line break and blank lines behind a block scalar; with `+` those lines are its own, and so are blanks that reach
/// further in than its lines begin.
pub(in crate::scan) fn block_scalar_span(text: &str, span: Span) -> Span {
    let body = &text[span.range()];
    let header = body.lines().next().unwrap_or_default();
    let header = header.split('#').next().unwrap_or_default();
    let kept = if header.contains('+') { body.trim_end_matches([' ', '\t']) } else { body.trim_end() };
    let end = kept.len().max(header.trim_end().len());
    let end = if header.contains('+') { end } else { end_of_blanks(body, end) };
    Span::new(span.start, span.start + end as u32)
}

/// Where the blanks behind the last words of a block scalar end that are a part of it.
fn end_of_blanks(body: &str, from: usize) -> usize {
    let blanks = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shown = body.lines().skip(1).find(|line| !line.trim().is_empty());
    let Some(indentation) = shown.map(blanks) else { return from };
    let (mut at, mut end) = (from, from);
    for line in body[from..].split_inclusive('\n') {
        let words = line.trim_end_matches(['\r', '\n']);
        // The first piece is what stands behind the last words, in their line.
        if (at == from && from > 0) || words.len() > indentation {
            end = at + words.len();
        }
        at += line.len();
    }
    end
}
