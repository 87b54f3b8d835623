//! Why a question has no answer, as RFC 9457 writes it.

use hierarch_source::Error;

use crate::json;

/// What is wrong with a question, or with the data that it is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Problem {
    /// The status of the answer.
    pub(crate) status: u16,
    /// A stable name.
    pub(crate) code: String,
    /// What is wrong, and what to do.
    pub(crate) detail: String,
    /// The file that is at fault, with line and column.
    pub(crate) place: Option<(String, u32, Option<u32>)>,
    /// How many seconds to wait before the question is asked again.
    pub(crate) retry_after: Option<u32>,
    /// How to say who one is.
    pub(crate) challenge: bool,
}

impl Problem {
    pub(crate) fn new(status: u16, code: &str, detail: impl Into<String>) -> Self {
        Self {
            status,
            code: code.to_owned(),
            detail: detail.into(),
            place: None,
            retry_after: None,
            challenge: false,
        }
    }

    /// The data are at fault: the words and the place of the engine.
    pub(crate) fn from_error(error: &Error) -> Self {
        let code = if error.code.is_empty() { "FAILED" } else { error.code };
        let place = error.file().zip(error.position());
        Self {
            place: place.map(|(file, (line, column))| (file.to_owned(), line, column)),
            ..Self::new(422, code, error.to_string())
        }
    }

    /// Names the file relative to a folder.
    pub(crate) fn below(mut self, folder: &str) -> Self {
        if let Some((file, ..)) = &mut self.place {
            *file = relative(file, folder).to_owned();
        }
        self
    }

    /// Returns the body of the answer.
    pub(crate) fn body(&self) -> String {
        let mut fields = vec![
            ("type", json::text("about:blank")),
            ("title", json::text(title(self.status))),
            ("status", self.status.to_string()),
            ("detail", json::text(&self.detail)),
            ("code", json::text(&self.code)),
        ];
        if let Some((file, line, column)) = &self.place {
            fields.push(("file", json::text(file)));
            fields.push(("line", line.to_string()));
            fields.extend(column.map(|column| ("column", column.to_string())));
        }
        json::object(fields)
    }
}

/// Returns a path below a folder without the folder.
pub(crate) fn relative<'p>(path: &'p str, folder: &str) -> &'p str {
    let rest = path.strip_prefix(folder).filter(|_| !folder.is_empty());
    rest.and_then(|rest| rest.strip_prefix('/')).unwrap_or(path)
}

fn title(status: u16) -> &'static str {
    let status = hyper::StatusCode::from_u16(status).ok();
    status.and_then(|status| status.canonical_reason()).unwrap_or("Problem")
}

#[cfg(test)]
mod tests {
    use hierarch_source::{Source, Span};

    use super::*;

    #[test]
    fn a_problem_names_its_place_below_the_environment() {
        let source = Source::new("/repo/data/a.yaml", "a: 1\nb: [\n");
        let error = Error::new("BAD", "it is broken").at(&source, Span::new(8, 9));
        let problem = Problem::from_error(&error).below("/repo");
        let body = problem.body();
        assert!(body.contains(r#""status":422"#) && body.contains(r#""code":"BAD""#), "{body}");
        assert!(body.contains(r#""file":"data/a.yaml","line":2,"column":4"#), "{body}");
    }

    #[test]
    fn only_whole_folders_are_taken_off() {
        assert_eq!(relative("/repo/a", "/repo"), "a");
        assert_eq!(relative("/repository/a", "/repo"), "/repository/a");
        assert_eq!(relative("/repo/a", ""), "/repo/a");
    }
}
