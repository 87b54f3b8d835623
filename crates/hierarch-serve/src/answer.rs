//! What a question gives: a body, what it is, and who may keep it.

/// The type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The type of JSON lines.
pub(crate) const JSON_LINES: &str = "application/x-ndjson";
/// The type of plain text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// What makes the slices of a long answer, one after the other.
pub(crate) type Slices = Box<dyn FnMut() -> Option<String> + Send>;

/// An answer.
pub(crate) struct Answer {
    /// What the body is.
    pub(crate) media: &'static str,
    /// The body.
    pub(crate) body: String,
    /// What follows the body; none: it is whole.
    pub(crate) rest: Option<Slices>,
    /// It shows a secret: nobody may keep it.
    pub(crate) is_secret: bool,
    /// A tag of its own; none: one is made of the body, if it is whole.
    pub(crate) tag: Option<String>,
    /// The status, if it is not the usual one.
    pub(crate) status: u16,
}

impl Answer {
    /// Answers with JSON.
    pub(crate) fn json(body: String) -> Self {
        Self::of(JSON, body)
    }

    /// Answers with another kind of text.
    pub(crate) fn of(media: &'static str, body: String) -> Self {
        Self { media, body, rest: None, is_secret: false, tag: None, status: 200 }
    }

    /// Answers in slices that are made when they are wanted.
    pub(crate) fn sliced(media: &'static str, slices: Slices) -> Self {
        Self { rest: Some(slices), ..Self::of(media, String::new()) }
    }

    /// Marks an answer that may hold secrets.
    pub(crate) fn secret_if(self, is_secret: bool) -> Self {
        Self { is_secret, ..self }
    }
}
