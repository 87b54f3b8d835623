//! What is wrong, where, and what to do: one type for the whole workspace.

use std::fmt;
use std::sync::Arc;

use crate::{Source, Span};

/// The result of anything that can fail with a [`Diagnostic`].
pub type Result<T> = std::result::Result<T, Error>;

/// A failure, one machine word wide so that results stay small.
#[derive(Clone)]
pub struct Error(Box<Diagnostic>);

/// One thing to tell the user.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name such as `UNKNOWN_VARIABLE`: what tests and callers match on. Empty where the reference has none.
    pub code: &'static str,
    /// The words, those of the reference where it has some.
    pub message: String,
    /// Where it is.
    pub place: Option<Place>,
    /// A place that the words name in their own way, or not at all: shown with its line, never repeated in the words.
    pub excerpt: Option<Place>,
    /// Hints of our own, never mixed into `message`.
    pub notes: Vec<Note>,
    /// The calls that led there, innermost first.
    pub stack: Vec<Frame>,
    /// What callers need to know of it besides its code: nobody has to read the words.
    pub details: Vec<Detail>,
}

/// Something that is known of a failure, for callers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Detail {
    /// What it is: a constant beside the issue that has it.
    pub name: &'static str,
    /// The name of the variable, class or whatever it is about.
    pub text: String,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// It works, but probably not as meant.
    Warning,
    /// It does not work.
    Error,
}

/// A range in a text, kept together with the text so that it can be shown.
#[derive(Clone, Debug)]
pub struct Place {
    /// The text.
    pub source: Arc<Source>,
    /// The range in it.
    pub span: Span,
    /// False where the reference names only a line.
    pub has_column: bool,
    /// False where the reference names only a file.
    pub has_line: bool,
}

/// A hint below a message, with a place of its own or without.
#[derive(Clone, Debug)]
pub struct Note {
    /// The hint.
    pub text: String,
    /// What it points at.
    pub place: Option<Place>,
}

/// One call on the way to a failure.
#[derive(Clone, Debug)]
pub struct Frame {
    /// What was called.
    pub name: String,
    /// Where the call stands.
    pub place: Place,
}

impl Place {
    /// Makes a place with line and column.
    pub fn new(source: &Arc<Source>, span: Span) -> Self {
        Self { source: Arc::clone(source), span, has_column: true, has_line: true }
    }

    /// Returns the line and, where there is one, the column.
    pub fn position(&self) -> (u32, Option<u32>) {
        let position = self.source.position(self.span.start);
        (position.line, self.has_column.then_some(position.column))
    }
}

impl Diagnostic {
    /// Makes a diagnostic that has no place yet.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            place: None,
            excerpt: None,
            notes: Vec::new(),
            stack: Vec::new(),
            details: Vec::new(),
        }
    }

    /// Gives it a place unless it has one: the innermost place wins.
    #[must_use]
    pub fn at(mut self, source: &Arc<Source>, span: Span) -> Self {
        self.place.get_or_insert_with(|| Place::new(source, span));
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(Note { text: text.into(), place: None });
        self
    }

    /// Returns the place to show: the innermost that is known.
    pub fn shown_place(&self) -> Option<&Place> {
        self.excerpt.as_ref().or(self.place.as_ref())
    }

    /// Returns what is known of it under a name.
    pub fn details(&self, name: &'static str) -> impl Iterator<Item = &str> {
        self.details.iter().filter(move |detail| detail.name == name).map(|detail| detail.text.as_str())
    }

    /// Tells whether anything is known of it under a name.
    pub fn has_detail(&self, name: &'static str) -> bool {
        self.details(name).next().is_some()
    }

    /// Returns the line and, where there is one, the column.
    pub fn position(&self) -> Option<(u32, Option<u32>)> {
        self.place.as_ref().filter(|place| place.has_line).map(Place::position)
    }

    /// Returns the name of the file it is about.
    pub fn file(&self) -> Option<&str> {
        self.place.as_ref().and_then(|place| place.source.name())
    }
}

impl Error {
    /// Makes an error that has no place yet.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, code, message).into()
    }

    /// Gives it a place unless it has one: the innermost place wins.
    #[must_use]
    pub fn at(self, source: &Arc<Source>, span: Span) -> Self {
        self.map(|diagnostic| diagnostic.at(source, span))
    }

    /// Gives it a line without a column, unless it has a place.
    #[must_use]
    pub fn on_line_of(mut self, source: &Arc<Source>, span: Span) -> Self {
        self.0.place.get_or_insert_with(|| Place { has_column: false, ..Place::new(source, span) });
        self
    }

    /// Gives it a file without a line, unless it has a place or the text has no name.
    #[must_use]
    pub fn in_file_of(mut self, source: &Arc<Source>) -> Self {
        if source.name().is_some() && self.0.place.is_none() {
            let whole = Place::new(source, Span::new(0, 0));
            self.0.place = Some(Place { has_column: false, has_line: false, ..whole });
        }
        self
    }

    /// Gives it a place to show without a word of it, unless it has one.
    #[must_use]
    pub fn showing(mut self, place: Option<Place>) -> Self {
        self.0.excerpt = self.0.excerpt.or(place);
        self
    }

    /// Adds a hint of our own.
    #[must_use]
    pub fn note(self, text: impl Into<String>) -> Self {
        self.map(|diagnostic| diagnostic.note(text))
    }

    /// Adds something that callers may need to know.
    #[must_use]
    pub fn detail(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.0.details.push(Detail { name, text: text.into() });
        self
    }

    /// Adds a call to the stack.
    #[must_use]
    pub fn called_from(mut self, frame: Frame) -> Self {
        self.0.stack.push(frame);
        self
    }

    /// Says the same in other words.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = message.into();
        self
    }

    /// Gives up the box.
    pub fn into_diagnostic(self) -> Diagnostic {
        *self.0
    }

    fn map(mut self, change: impl FnOnce(Diagnostic) -> Diagnostic) -> Self {
        *self.0 = change(*self.0);
        self
    }
}

impl std::ops::Deref for Error {
    type Target = Diagnostic;

    fn deref(&self) -> &Diagnostic {
        &self.0
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self(Box::new(diagnostic))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&*self.0, f)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_place_wins() {
        let (inner, outer) = (Source::new("inner", "abc"), Source::new("outer", "abc"));
        let error = Error::new("CODE", "words").at(&inner, Span::new(1, 2)).at(&outer, Span::new(0, 1));
        assert_eq!((error.file(), error.position()), (Some("inner"), Some((1, Some(2)))));
        let error =
            Error::new("CODE", "words").on_line_of(&inner, Span::new(1, 2)).at(&outer, Span::new(0, 1));
        assert_eq!((error.file(), error.position()), (Some("inner"), Some((1, None))));
        assert_eq!(Error::new("CODE", "words").position(), None);
    }

    #[test]
    fn a_place_to_show_changes_no_word_and_leaves_room_for_another() {
        let (data, manifest) = (Source::new("data", "abc"), Source::new("manifest", "abc"));
        let shown = Some(Place::new(&data, Span::new(1, 2)));
        let error = Error::new("CODE", "words").showing(shown);
        assert_eq!(error.to_string(), "words");
        let error = error.at(&manifest, Span::new(0, 1));
        assert_eq!(error.to_string(), "words (file: manifest, line: 1, column: 1)");
        assert_eq!(error.shown_place().and_then(|place| place.source.name()), Some("data"));
    }

    #[test]
    fn a_file_may_be_all_that_is_known() {
        let (file, unnamed) = (Source::new("file", "abc"), Source::unnamed("abc"));
        let error = Error::new("CODE", "words").in_file_of(&file).at(&unnamed, Span::new(1, 2));
        assert_eq!((error.to_string().as_str(), error.position()), ("words (file: file)", None));
        let error = Error::new("CODE", "words").in_file_of(&unnamed).at(&file, Span::new(1, 2));
        assert_eq!(error.to_string(), "words (file: file, line: 1, column: 2)");
    }

    #[test]
    fn details_are_for_callers_and_change_no_word() {
        let plain = Error::new("CODE", "words");
        let error = plain.clone().detail("variable", "a").detail("variable", "b").detail("class", "C");
        assert_eq!(error.details("variable").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((error.has_detail("class"), error.has_detail("other")), (true, false));
        assert_eq!(error.to_string(), plain.to_string());
    }

    #[test]
    fn other_words_keep_everything_else() {
        let source = Source::new("file", "abc");
        let error =
            Error::new("CODE", "words").at(&source, Span::new(0, 1)).note("hint").detail("variable", "a");
        let other = error.with_message("other words");
        assert_eq!((other.code, other.message.as_str(), other.notes.len()), ("CODE", "other words", 1));
        assert!(other.place.is_some() && other.has_detail("variable"));
    }
}
