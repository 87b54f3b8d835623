//! The core dialect: granit-parser's events, whose grammar agrees with ruamel's on real documents.

use std::borrow::Cow;
use std::sync::Arc;

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, StructureStyle, Tag};
use hierarch_source::{Error, Result, Source, Span};

use super::psych::{block_scalar_span, skip_blank};
use crate::build::{Builder, Properties, Slot};
use crate::issues;
use crate::limits::DocumentLimits;
use crate::node::{Kind, Style};

type Item<'i> = (Event<'i>, granit_parser::Span);

pub(super) fn scan(source: &Arc<Source>, limits: DocumentLimits, builder: &mut Builder) -> Result<()> {
    let options = granit_parser::options! {
        emit_anchor_events: true,
        emit_comments: false,
        // One more than ours, so that the error is worded by us.
        flow_nesting_limit: limits.depth + 1,
        block_nesting_limit: limits.depth + 1,
    };
    // A byte order mark is not content.
    let text = source.text();
    let skipped = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut scan = Scan { source, text, skipped, at: skipped, depth: limits.depth };
    let mut events = Parser::new_from_str_with_options(&text[skipped as usize..], options).peekable();
    while let Some(item) = events.next() {
        let item = item.map_err(|error| scan.unreadable(&error))?;
        let anchor = match events.peek() {
            Some(Ok((Event::Anchor(_, name), at))) => Some((name.clone(), scan.span(at))),
            _ => None,
        };
        if anchor.is_some() {
            events.next();
        }
        scan.take(item, anchor.as_ref(), builder)?;
    }
    Ok(())
}

struct Scan<'s> {
    source: &'s Arc<Source>,
    text: &'s str,
    skipped: u32,
    /// The end of the last token that was seen.
    at: u32,
    /// How many collections may stand inside each other.
    depth: usize,
}

impl Scan<'_> {
    fn unreadable(&self, error: &granit_parser::ScanError) -> Error {
        let words = error.kind().to_string();
        let at = error.marker().byte_offset().unwrap_or(0) as u32 + self.skipped;
        let problem = match error.kind() {
            ErrorKind::RecursionLimitExceeded => issues::too_deep(self.depth),
            ErrorKind::InvalidQuotedScalarIndent => {
                issues::syntax(&words, "").detail(issues::QUOTED_LINES, "")
            }
            _ => issues::syntax(&words, ""),
        };
        problem.at(self.source, Span::point(at.min(self.text.len() as u32)))
    }

    fn span(&self, span: &granit_parser::Span) -> Span {
        let start = span.start.byte_offset().unwrap_or(0) as u32 + self.skipped;
        let end = span.end.byte_offset().unwrap_or(0) as u32 + self.skipped;
        Span::new(start, end.max(start))
    }

    fn take(
        &mut self,
        (event, at): Item,
        anchor: Option<&(Cow<str>, Span)>,
        builder: &mut Builder,
    ) -> Result<()> {
        let span = self.span(&at);
        match event {
            Event::DocumentStart(..) => builder.document_start(),
            Event::DocumentEnd => builder.document_end(),
            Event::Alias(_) => {
                builder.alias(&self.text[span.start as usize + 1..span.end as usize], span)?;
                self.at = span.end;
            }
            Event::Scalar(value, style, _, tag) => {
                let tag = tag.map(|tag| self.tag(&tag, &at));
                let props = properties(anchor, tag.as_ref());
                self.scalar(&value, style, span, &props, builder)?;
            }
            Event::SequenceStart(style, _, tag) => {
                let tag = tag.map(|tag| self.tag(&tag, &at));
                let props = properties(anchor, tag.as_ref());
                let start = self.list_start(span.start, style, &props, builder);
                builder.begin(Kind::List, collection(style), start, &props)?;
                self.at = self.at.max(props.end).max(start + u32::from(style == StructureStyle::Flow));
            }
            Event::MappingStart(style, _, tag) => {
                let tag = tag.map(|tag| self.tag(&tag, &at));
                let props = properties(anchor, tag.as_ref());
                builder.begin(Kind::Map, collection(style), span.start, &props)?;
                self.at = self.at.max(props.end).max(span.start + u32::from(style == StructureStyle::Flow));
            }
            Event::SequenceEnd | Event::MappingEnd => {
                // The end of a block collection is where the next token begins; only a bracket is its own.
                if self.text[span.range()].ends_with([']', '}']) {
                    self.at = self.at.max(span.end);
                }
                builder.end(span.end)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A list whose dashes stand below its key is reported to begin behind the first of them.
    fn list_start(&self, start: u32, style: StructureStyle, props: &Properties, builder: &Builder) -> u32 {
        if style == StructureStyle::Flow || builder.slot() != Slot::Colon {
            return start;
        }
        self.seek(self.at.max(props.end), b"-").unwrap_or(start)
    }

    /// Finds one of the wanted signs behind a place, over blanks, comments and the signs of structure.
    fn seek(&self, from: u32, wanted: &[u8]) -> Option<u32> {
        let mut at = from;
        loop {
            at = skip_blank(self.text, at);
            let byte = *self.text.as_bytes().get(at as usize)?;
            if wanted.contains(&byte) {
                return Some(at);
            }
            if !b":-?,".contains(&byte) {
                return None;
            }
            at += 1;
        }
    }

    /// Where a scalar stands: an absent value right behind its colon or dash, a block scalar from its sign.
    fn place(&self, style: Style, span: Span, props: &Properties, builder: &Builder) -> Span {
        let from = self.at.max(props.end);
        match style {
            Style::Literal | Style::Folded => {
                let start = self.seek(from, b"|>").unwrap_or(span.start).min(span.start);
                block_scalar_span(self.text, Span::new(start, span.end))
            }
            Style::Plain if span.is_empty() && props.end > 0 => Span::point(props.end),
            Style::Plain if span.is_empty() => {
                let sign = match builder.slot() {
                    Slot::Dash => self.seek(from, b"-"),
                    Slot::Colon => self.seek(from, b":"),
                    Slot::Top | Slot::Other => None,
                };
                Span::point(sign.map_or(from, |sign| sign + 1))
            }
            _ => span,
        }
    }

    fn scalar(
        &mut self,
        value: &str,
        style: ScalarStyle,
        span: Span,
        props: &Properties,
        builder: &mut Builder,
    ) -> Result<()> {
        let style = scalar_style(style);
        let span = self.place(style, span, props, builder);
        self.at = self.at.max(span.end);
        let value = match style {
            // An absent value is reported as `~` without extent.
            Style::Plain if span.is_empty() => "",
            // ruamel adds no line break that the text has not.
            Style::Literal | Style::Folded if ends_in(self.text, span) => {
                value.strip_suffix('\n').unwrap_or(value)
            }
            _ => value,
        };
        builder.scalar(value, span, style, props)
    }

    fn tag(&self, tag: &Tag, at: &granit_parser::Span) -> (String, Span) {
        let (handle, suffix) = tag.parts();
        let place = at.tag_span().map_or_else(|| self.span(at), |span| self.span(&span));
        (format!("{handle}{suffix}"), place)
    }
}

/// Tells whether a text ends in the middle of a block scalar's last line.
fn ends_in(text: &str, scalar: Span) -> bool {
    let last = &text[text.rfind('\n').map_or(0, |at| at + 1)..];
    !last.trim_matches([' ', '\t']).is_empty() && scalar.end as usize >= text.trim_end().len()
}

fn properties<'p>(
    anchor: Option<&'p (Cow<'_, str>, Span)>,
    tag: Option<&'p (String, Span)>,
) -> Properties<'p> {
    let spans = anchor.map(|a| a.1).into_iter().chain(tag.map(|t| t.1));
    let whole = spans.reduce(Span::to).unwrap_or_default();
    Properties {
        start: whole.start,
        end: whole.end,
        anchor: anchor.map(|a| a.0.as_ref()),
        tag: tag.map(|t| t.0.as_str()),
    }
}

fn collection(style: StructureStyle) -> Style {
    if style == StructureStyle::Flow { Style::Flow } else { Style::Block }
}

fn scalar_style(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::Single,
        ScalarStyle::DoubleQuoted => Style::Double,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}
