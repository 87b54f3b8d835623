//! A scalar that is written anew gets the spelling that its writer chose: `0644` where the value is 644.

use std::ops::Range;

use hierarch_source::Source;

use super::lines::side_comment;
use super::path::find_at;
use crate::limits::DocumentLimits;
use crate::node::{Dialect, Kind, Style};
use crate::scan::read;
use crate::schema::reads_as;

/// Returns a text in which the plain scalar at a path is spelled otherwise; `None` if that is not possible without
/// changing what it means.
///
/// ```
/// use hierarch_yaml::{Dialect, respelled};
///
/// let text = respelled("mode: 644 # all\n", Dialect::Core, &["mode"], "0644");
/// assert_eq!(text.as_deref(), Some("mode: 0644 # all\n"));
/// assert_eq!(respelled("mode: 644\n", Dialect::Core, &["mode"], "0645"), None);
/// ```
pub fn respelled(text: &str, dialect: Dialect, path: &[&str], spelling: &str) -> Option<String> {
    let tree = read(&Source::unnamed(text), dialect, DocumentLimits::default()).ok()?;
    let node = find_at(&tree, tree.root()?, path).ok()?;
    if tree.kind(node) != Kind::Scalar || tree.style(node) != Style::Plain || tree.tag(node).is_some() {
        return None;
    }
    let span = tree.span(node);
    let means_it = reads_as(spelling, &tree.scalar(node).ok()?, dialect);
    if !means_it || span.is_empty() || tree.text(node) == spelling {
        return None;
    }
    let mut new = text.to_owned();
    let (range, words) = in_column(text, span.range(), spelling.to_owned());
    new.replace_range(range, &words);
    let again = read(&Source::unnamed(new.as_str()), dialect, DocumentLimits::default()).ok()?;
    let found = find_at(&again, again.root()?, path).ok()?;
    (again.text(found) == spelling && again.len() == tree.len()).then_some(new)
}

/// Lets the blanks before a comment beside a scalar make up for the width of other words.
pub(super) fn in_column(text: &str, range: Range<usize>, words: String) -> (Range<usize>, String) {
    let Some(gap) = side_comment(text, range.end as u32) else { return (range, words) };
    if words.contains('\n') || text[range.clone()].contains('\n') {
        return (range, words);
    }
    let width = text[range.clone()].chars().count() + gap as usize;
    let blanks = width.saturating_sub(words.chars().count()).max(1);
    (range.start..range.end + gap as usize, words + &" ".repeat(blanks))
}
