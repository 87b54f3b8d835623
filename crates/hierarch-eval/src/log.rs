//! What a program says while it runs.

use hierarch_source::Place;

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
}

/// How important a message is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs, reason = "the names are Puppet's and syslog's")]
pub enum Level {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl Level {
    /// Returns the name of the function that logs at this level.
    pub fn name(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Err => "err",
            Self::Alert => "alert",
            Self::Emerg => "emerg",
            Self::Crit => "crit",
        }
    }

    /// Finds the level that a name means.
    pub fn parse(name: &str) -> Option<Self> {
        let levels = [
            Self::Debug,
            Self::Info,
            Self::Notice,
            Self::Warning,
            Self::Err,
            Self::Alert,
            Self::Emerg,
            Self::Crit,
        ];
        levels.into_iter().find(|level| level.name() == name)
    }
}
