//! What a program says while it runs.

use hierarch_source::{Level, Place};

/// One message.
#[derive(Clone, Debug)]
pub struct Log {
    /// How important it is.
    pub level: Level,
    /// The message.
    pub message: String,
    /// Where it was logged.
    pub place: Option<Place>,
    /// What the program's own messages come from: `Class[A]`. None for a message about the program.
    pub scope: Option<String>,
    /// A place that the words do not name, to be shown with its line.
    pub excerpt: Option<Place>,
}
