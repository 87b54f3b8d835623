//! How important a message of a program is: the levels of Puppet and of syslog.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_found_by_its_name_and_by_no_other() {
        let names = ["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit"];
        for name in names {
            assert_eq!(Level::parse(name).map(Level::name), Some(name));
        }
        for name in ["", "Debug", "error", "warn", " info"] {
            assert_eq!(Level::parse(name), None, "{name}");
        }
        assert!(
            Level::Debug < Level::Notice && Level::Notice < Level::Warning && Level::Warning < Level::Err
        );
    }
}
