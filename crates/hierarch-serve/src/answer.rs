//! What a question gives: a body, what it is, and who may keep it.

/// The type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The type of JSON lines.
pub(crate) const JSON_LINES: &str = "application/x-ndjson";
/// The type of plain text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// What the body is.
    pub(crate) media: &'static str,
    /// The body.
    pub(crate) body: String,
    /// It shows a secret: nobody may keep it.
    pub(crate) is_secret: bool,
    /// A tag of its own; none: one is made of the body.
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
        Self { media, body, is_secret: false, tag: None, status: 200 }
    }

    /// Marks an answer that may hold secrets.
    pub(crate) fn secret_if(self, is_secret: bool) -> Self {
        Self { is_secret, ..self }
    }
}
