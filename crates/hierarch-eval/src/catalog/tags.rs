//! Tags of resources and catalogs: words in the order in which they were added, each once.

use hierarch_pcore::Str;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// All words that are tags, as numbers.
#[derive(Default)]
pub(crate) struct TagNames {
    numbers: FxHashMap<Str, u32>,
    words: Vec<Str>,
}

/// An ordered set of tags. Few of them are searched one by one, many have an index.
#[derive(Clone, Default)]
pub(crate) struct Tags {
    order: SmallVec<[u32; 8]>,
    index: Option<Box<FxHashSet<u32>>>,
}

/// So many tags are searched one by one.
const FEW: usize = 32;

impl TagNames {
    /// Returns the number of a word; a new word gets the next.
    pub(crate) fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.numbers.get(word) {
            return *number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.into());
        self.numbers.insert(word.into(), number);
        number
    }

    /// Returns the number of a word that is a tag of something.
    pub(crate) fn find(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// Returns the words of a set, in order.
    pub(crate) fn words(&self, tags: &Tags) -> Vec<Str> {
        tags.order.iter().map(|number| self.words[*number as usize].clone()).collect()
    }

    /// Adds a word and, if it is qualified, its segments. The word is in lower case.
    pub(crate) fn add_to(&mut self, tags: &mut Tags, word: &str) {
        if tags.add(self.number(word)) && word.contains("::") {
            for segment in word.split("::") {
                tags.add(self.number(segment));
            }
        }
    }
}

impl Tags {
    /// Adds a tag and tells whether it is new.
    pub(crate) fn add(&mut self, tag: u32) -> bool {
        if self.has(tag) {
            return false;
        }
        self.order.push(tag);
        match &mut self.index {
            Some(index) => {
                index.insert(tag);
            }
            None if self.order.len() > FEW => {
                self.index = Some(Box::new(self.order.iter().copied().collect()));
            }
            None => {}
        }
        true
    }

    /// Tells whether a tag is there.
    pub(crate) fn has(&self, tag: u32) -> bool {
        match &self.index {
            Some(index) => index.contains(&tag),
            None => self.order.contains(&tag),
        }
    }

    /// Returns the tags in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.order.iter().copied()
    }

    /// Adds all tags of another set.
    pub(crate) fn add_all(&mut self, other: &Tags) {
        for tag in &other.order {
            self.add(*tag);
        }
    }
}

/// Tells whether a text may be a tag: letters, digits and `_`, and after the first also `:`, `.` and `-`.
pub(crate) fn is_valid_tag(text: &str) -> bool {
    // The pattern of the reference lets one line break stand at the end.
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(is_word) && text.chars().all(|c| is_word(c) || matches!(c, ':' | '.' | '-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qualified_tag_brings_its_segments_and_each_stands_once() {
        let (mut names, mut tags) = (TagNames::default(), Tags::default());
        for word in ["class", "a::b", "b", "class"] {
            names.add_to(&mut tags, word);
        }
        assert_eq!(names.words(&tags), ["class", "a::b", "a", "b"]);
    }

    #[test]
    fn many_tags_are_still_a_set() {
        let mut tags = Tags::default();
        assert!((0..100).all(|tag| tags.add(tag)));
        assert!((0..100).all(|tag| tags.has(tag) && !tags.add(tag)) && !tags.has(100));
    }

    #[test]
    fn not_every_text_is_a_tag() {
        assert!(["a", "A::b", "1.2-x", "é", "_"].into_iter().all(is_valid_tag));
        assert!(!["", "/tmp", "a b", "-a", ":a"].into_iter().any(is_valid_tag));
    }
}
