//! Comments that belong to a document as a whole: those at its top and at its end.

use crate::node::{NodeId, Tree};

impl Tree {
    /// Returns the comments above the top of a document that are not those of its first key or item, and the ones behind its end.
    ///
    /// ```
    /// use hierarch_source::Source;
    /// use hierarch_yaml::{Dialect, DocumentLimits, read};
    ///
    /// let text = "# all of it\n---\n# about a\na: 1 # one\n# the end\n";
    /// let tree = read(&Source::unnamed(text), Dialect::Core, DocumentLimits::default())?;
    /// let (above, behind) = tree.comments_around(tree.root().unwrap());
    /// assert_eq!((above, behind), (vec!["# all of it".to_owned()], vec!["# the end".to_owned()]));
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn comments_around(&self, root: NodeId) -> (Vec<String>, Vec<String>) {
        if self.is_foreign {
            return (Vec::new(), Vec::new());
        }
        let (text, span) = (self.source.text(), self.outer_span(root));
        let line = text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
        // Behind the line of a tag the first key has its own.
        let is_bare = span.start == self.span(root).start;
        let own = if is_bare { self.comments(root, span.end).0.len() } else { 0 };
        let mut above: Vec<String> = comment_lines(&text[..line]).collect();
        above.truncate(above.len() - own.min(above.len()));
        let rest = &text[span.end as usize..];
        let behind = comment_lines(rest.split_once('\n').map_or("", |(_, rest)| rest)).collect();
        (above, behind)
    }
}

fn comment_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(str::trim).filter(|line| line.starts_with('#')).map(str::to_owned)
}
