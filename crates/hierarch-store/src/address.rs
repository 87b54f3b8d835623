//! Where a store is: `sqlite:FILE` or `postgres://…`.

use std::path::PathBuf;

use hierarch_source::Result;

use crate::database::Database;
use crate::issues;

/// Where a store is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Address {
    /// A file.
    Sqlite(PathBuf),
    /// A server; the address as it was given, which may hold a password.
    Postgres(String),
}

impl Address {
    /// Understands an address; nothing if the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(file) = text.strip_prefix("sqlite:") {
            return Some(Self::Sqlite(file.into()));
        }
        let is_server = text.starts_with("postgres://") || text.starts_with("postgresql://");
        is_server.then(|| Self::Postgres(text.to_owned()))
    }

    /// Returns the address as it may be shown: without a password.
    pub fn shown(&self) -> String {
        match self {
            Self::Sqlite(file) => format!("sqlite:{}", file.display()),
            Self::Postgres(text) => without_password(text),
        }
    }

    /// Opens the database; a file is made where there is none if it is to be written.
    pub(crate) fn open(&self, is_written: bool) -> Result<Box<dyn Database>> {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(file) => Ok(Box::new(crate::sqlite::Sqlite::open(file, is_written)?)),
            #[cfg(feature = "postgres")]
            Self::Postgres(text) => Ok(Box::new(crate::postgres::Postgres::open(text, &self.shown())?)),
            #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
            other => {
                let _ = is_written;
                Err(issues::not_built(&other.shown(), other.feature()))
            }
        }
    }

    #[cfg(not(all(feature = "sqlite", feature = "postgres")))]
    fn feature(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }
}

fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let plain = rest.split('?').next().unwrap_or(rest);
    let shown = match plain.rsplit_once('@') {
        Some((user, host)) => format!("{}@{host}", user.split(':').next().unwrap_or(user)),
        None => plain.to_owned(),
    };
    format!("{scheme}://{shown}")
}

#[cfg(all(feature = "sqlite", feature = "postgres"))]
const _: fn(&str, &str) -> hierarch_source::Error = issues::not_built;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart_and_hide_passwords() {
        assert_eq!(Address::parse("sqlite:a/b.db"), Some(Address::Sqlite("a/b.db".into())));
        assert_eq!(Address::parse("facts"), None);
        let server =
            Address::parse("postgres://me:s3cret@db.example.com/nodes?sslmode=disable").expect("a server");
        assert_eq!(server.shown(), "postgres://me@db.example.com/nodes");
        assert_eq!(without_password("postgres:///nodes?password=x"), "postgres:///nodes");
    }
}
