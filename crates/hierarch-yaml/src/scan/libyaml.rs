//! libyaml's events behind a safe face: the only `unsafe` code of the project.
//!
//! The parser struct lives pinned in a box because libyaml keeps pointers into it. Every event is copied
//! out as borrowed text for the length of one call and deleted before the next one is asked for.
#![allow(unsafe_code)]
#![allow(clippy::unsafe_removed_from_name)] // `sys` says as much

use std::ffi::CStr;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

#[allow(
    clippy::unsafe_removed_from_name,
    reason = "every use of it stands in an `unsafe` block that says so"
)]
use unsafe_libyaml as sys;

use crate::node::Style;

/// A place in the text, counted in characters from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) index: usize,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// One event; texts are borrowed from libyaml until the next one.
#[derive(Debug)]
pub(crate) enum Event<'e> {
    StreamStart,
    StreamEnd,
    DocumentStart,
    DocumentEnd,
    Alias { name: &'e str },
    Scalar { anchor: Option<&'e str>, tag: Option<&'e str>, value: &'e str, style: Style },
    ListStart { anchor: Option<&'e str>, tag: Option<&'e str>, style: Style },
    ListEnd,
    MapStart { anchor: Option<&'e str>, tag: Option<&'e str>, style: Style },
    MapEnd,
}

/// What libyaml says about a text it cannot read.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) words: String,
    pub(crate) context: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A parser over one text.
pub(crate) struct Events<'i> {
    parser: Box<MaybeUninit<sys::yaml_parser_t>>,
    input: PhantomData<&'i str>,
}

impl<'i> Events<'i> {
    /// Starts reading; `None` when memory is short.
    pub(crate) fn new(text: &'i str) -> Option<Self> {
        let mut parser = Box::new(MaybeUninit::<sys::yaml_parser_t>::uninit());
        let raw = parser.as_mut_ptr();
        // SAFETY: `raw` points to memory of the right size and alignment that stays where it is (the box is
        // never moved out of), and is initialised by the first call before anything else uses it. The input
        // outlives the parser by the lifetime 'i.
        unsafe {
            if sys::yaml_parser_initialize(raw).fail {
                return None;
            }
            sys::yaml_parser_set_encoding(raw, sys::YAML_UTF8_ENCODING);
            sys::yaml_parser_set_input_string(raw, text.as_ptr(), text.len() as u64);
        }
        Some(Self { parser, input: PhantomData })
    }

    /// Hands the next event with its start and end to `take`.
    pub(crate) fn next<R>(&mut self, take: impl FnOnce(Event<'_>, Mark, Mark) -> R) -> Result<R, Problem> {
        let raw = self.parser.as_mut_ptr();
        let mut event = MaybeUninit::<sys::yaml_event_t>::uninit();
        // SAFETY: the parser was initialised by `new`. On success libyaml has filled the event; the guard
        // deletes it when this function ends, after `take` has returned (or unwound) and with it all borrows.
        unsafe {
            if sys::yaml_parser_parse(raw, event.as_mut_ptr()).fail {
                return Err(problem(&*raw));
            }
            let guard = FilledEvent(event);
            let event = &*guard.0.as_ptr();
            Ok(take(view(event), mark(event.start_mark), mark(event.end_mark)))
        }
    }
}

impl Drop for Events<'_> {
    fn drop(&mut self) {
        // SAFETY: initialised by `new`, deleted once, here.
        unsafe { sys::yaml_parser_delete(self.parser.as_mut_ptr()) }
    }
}

/// An event that libyaml filled and that must be given back.
struct FilledEvent(MaybeUninit<sys::yaml_event_t>);

impl Drop for FilledEvent {
    fn drop(&mut self) {
        // SAFETY: only made around an event that a successful parse call filled.
        unsafe { sys::yaml_event_delete(self.0.as_mut_ptr()) }
    }
}

fn mark(mark: sys::yaml_mark_t) -> Mark {
    Mark { index: mark.index as usize, line: mark.line as u32, column: mark.column as u32 }
}

/// Reads the variant that the event's type names.
unsafe fn view(event: &sys::yaml_event_t) -> Event<'_> {
    // SAFETY (whole function): libyaml fills the union's member that belongs to `type_`, with strings that
    // end in NUL and live as long as the event.
    unsafe {
        match event.type_ {
            sys::YAML_STREAM_END_EVENT => Event::StreamEnd,
            sys::YAML_DOCUMENT_START_EVENT => Event::DocumentStart,
            sys::YAML_DOCUMENT_END_EVENT => Event::DocumentEnd,
            sys::YAML_ALIAS_EVENT => Event::Alias { name: text(event.data.alias.anchor).unwrap_or_default() },
            sys::YAML_SCALAR_EVENT => scalar(event),
            sys::YAML_SEQUENCE_START_EVENT => {
                let data = &event.data.sequence_start;
                let flow = data.style == sys::YAML_FLOW_SEQUENCE_STYLE;
                Event::ListStart { anchor: text(data.anchor), tag: text(data.tag), style: collection(flow) }
            }
            sys::YAML_SEQUENCE_END_EVENT => Event::ListEnd,
            sys::YAML_MAPPING_START_EVENT => {
                let data = &event.data.mapping_start;
                let flow = data.style == sys::YAML_FLOW_MAPPING_STYLE;
                Event::MapStart { anchor: text(data.anchor), tag: text(data.tag), style: collection(flow) }
            }
            sys::YAML_MAPPING_END_EVENT => Event::MapEnd,
            _ => Event::StreamStart,
        }
    }
}

unsafe fn scalar(event: &sys::yaml_event_t) -> Event<'_> {
    // SAFETY: called for scalar events only; `value` has `length` bytes; anchor and tag end in NUL or are null.
    unsafe {
        let data = &event.data.scalar;
        let bytes = std::slice::from_raw_parts(data.value, data.length as usize);
        Event::Scalar {
            anchor: text(data.anchor),
            tag: text(data.tag),
            value: std::str::from_utf8(bytes).unwrap_or_default(),
            style: scalar_style(data.style),
        }
    }
}

fn scalar_style(style: sys::yaml_scalar_style_t) -> Style {
    match style {
        sys::YAML_SINGLE_QUOTED_SCALAR_STYLE => Style::Single,
        sys::YAML_DOUBLE_QUOTED_SCALAR_STYLE => Style::Double,
        sys::YAML_LITERAL_SCALAR_STYLE => Style::Literal,
        sys::YAML_FOLDED_SCALAR_STYLE => Style::Folded,
        _ => Style::Plain,
    }
}

fn collection(flow: bool) -> Style {
    if flow { Style::Flow } else { Style::Block }
}

/// Borrows a C string; `None` for null.
unsafe fn text<'e>(chars: *const u8) -> Option<&'e str> {
    if chars.is_null() {
        return None;
    }
    // SAFETY: libyaml's strings end in NUL and live as long as the event they belong to.
    let text = unsafe { CStr::from_ptr(chars.cast()) };
    Some(text.to_str().unwrap_or_default())
}

fn problem(parser: &sys::yaml_parser_t) -> Problem {
    let words = |chars: *const std::ffi::c_char| {
        if chars.is_null() {
            return String::new();
        }
        // SAFETY: libyaml's messages are static C strings.
        unsafe { CStr::from_ptr(chars) }.to_string_lossy().into_owned()
    };
    // Psych names the place of the context, not that of the problem.
    Problem {
        words: words(parser.problem.cast()),
        context: words(parser.context.cast()),
        line: parser.context_mark.line as u32 + 1,
        column: parser.context_mark.column as u32 + 1,
    }
}
