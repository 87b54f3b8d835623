//! A text with several documents, cut where one begins.

use std::ops::Range;

use memchr::memmem;

/// Cuts a text into its documents. Every byte belongs to one of them: a document begins with its `---`, or with the
/// `%` lines before it, and goes on up to the next.
///
/// ```
/// use hierarch_yaml::split_documents;
///
/// let text = "# first\na: 1\n---\nb: 2\n...\n";
/// let parts: Vec<&str> = split_documents(text).into_iter().map(|part| &text[part]).collect();
/// assert_eq!(parts, ["# first\na: 1\n", "---\nb: 2\n...\n"]);
/// ```
pub fn split_documents(text: &str) -> Vec<Range<usize>> {
    // Nearly all files are one document, which is seen without looking at their lines: the first line never cuts.
    let may_hold = |marker: &str| memmem::find(text.as_bytes(), marker.as_bytes()).is_some();
    if !may_hold("\n---") && !may_hold("\n...") {
        return std::iter::once(0..text.len()).collect();
    }
    let mut cutter = Cutter::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        cutter.take(at, if at == 0 { line.trim_start_matches('\u{feff}') } else { line });
        at += line.len();
    }
    cutter.starts.push(text.len());
    let mut from = 0;
    cutter.starts.into_iter().map(|to| std::mem::replace(&mut from, to)..to).collect()
}

#[derive(Default)]
struct Cutter {
    /// Where the second and every later document begins.
    starts: Vec<usize>,
    /// The document has begun: it has its `---`, or content.
    begun: bool,
    /// The document has ended with `...`.
    ended: bool,
    /// Where the `%` lines behind an end begin.
    directives: Option<usize>,
}

impl Cutter {
    // A marker at the start of a line is one wherever it stands: no scalar can hold it.
    fn take(&mut self, at: usize, line: &str) {
        if is_marker(line, "---") {
            self.begin(at);
        } else if is_marker(line, "...") {
            self.ended = self.begun;
        } else if self.ended && line.starts_with('%') {
            self.directives.get_or_insert(at);
        } else if has_content(line) && (self.ended || !self.begun && !line.starts_with('%')) {
            self.begin(at);
        }
    }

    fn begin(&mut self, at: usize) {
        if self.begun {
            self.starts.push(self.directives.unwrap_or(at));
        }
        *self = Self { starts: std::mem::take(&mut self.starts), begun: true, ..Self::default() };
    }
}

fn is_marker(line: &str, marker: &str) -> bool {
    line.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn has_content(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with('#')
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::{Dialect, DocumentLimits, read};

    /// Every part is one document, as many as the parser finds in the whole.
    fn check(text: &str, expected: &[&str]) {
        let parts: Vec<&str> = split_documents(text).into_iter().map(|part| &text[part]).collect();
        assert_eq!(parts, expected, "{text:?}");
        let roots = |text: &str| {
            let tree = read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default()).expect("YAML");
            tree.roots().len()
        };
        assert_eq!(parts.iter().map(|part| roots(part)).sum::<usize>(), roots(text), "{text:?}");
    }

    #[test]
    fn documents_begin_at_their_marker() {
        check("a: 1\n", &["a: 1\n"]);
        check("---\na: 1\n---\n- b\n", &["---\na: 1\n", "---\n- b\n"]);
        check("a: 1\n--- # more\nb: 2", &["a: 1\n", "--- # more\nb: 2"]);
        check("--- {a: 1}\n--- text\n", &["--- {a: 1}\n", "--- text\n"]);
        check("a: |\n  ---\n  x\n---\nb: 1\n", &["a: |\n  ---\n  x\n", "---\nb: 1\n"]);
        check("a: 1\r\n---\r\nb: 2\r\n", &["a: 1\r\n", "---\r\nb: 2\r\n"]);
    }

    #[test]
    fn documents_may_be_empty_and_end_by_themselves() {
        check("---\n---\na: 1\n", &["---\n", "---\na: 1\n"]);
        check("a: 1\n---\n", &["a: 1\n", "---\n"]);
        check("a: 1\n...\n# end\n", &["a: 1\n...\n# end\n"]);
        check("a: 1\n...\nb: 2\n", &["a: 1\n...\n", "b: 2\n"]);
        check(
            "%YAML 1.2\n---\na: 1\n...\n# c\n%YAML 1.2\n---\nb: 1\n",
            &["%YAML 1.2\n---\na: 1\n...\n# c\n", "%YAML 1.2\n---\nb: 1\n"],
        );
        check("# nothing\n", &["# nothing\n"]);
        check("", &[""]);
        check("--- a\n", &["--- a\n"]);
        check("%YAML 1.2\n--- a\n", &["%YAML 1.2\n--- a\n"]);
        check("\u{feff}a: 1\n", &["\u{feff}a: 1\n"]);
    }
}
