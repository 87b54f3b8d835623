//! Answers that were given in a state, by the question as it was written: who asks the same again needs no thread.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock};

use hyper::body::Bytes;

/// So many answers are kept.
const MOST: usize = 50_000;
/// So many bytes they may have together, with their questions.
const MOST_BYTES: usize = 32 << 20;
/// Longer answers are made again.
const LONGEST: usize = 16 << 10;

/// An answer as it is sent.
#[derive(Clone, Debug)]
pub(crate) struct KeptReply {
    pub(crate) body: Bytes,
    pub(crate) tag: Bytes,
}

/// Answers by their questions.
#[derive(Default)]
pub(crate) struct Replies {
    known: RwLock<HashMap<String, KeptReply>>,
    bytes: AtomicUsize,
}

impl Replies {
    /// Returns the answer to a question.
    pub(crate) fn find(&self, question: &str) -> Option<KeptReply> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).get(question).cloned()
    }

    /// Keeps an answer; where there is no room, all others make place.
    pub(crate) fn keep(&self, question: &str, kept: KeptReply) {
        let size = question.len() + kept.body.len() + kept.tag.len();
        if size > LONGEST {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST || self.bytes.load(Ordering::Relaxed) + size > MOST_BYTES {
            known.clear();
            self.bytes.store(0, Ordering::Relaxed);
        }
        if known.insert(question.to_owned(), kept).is_none() {
            self.bytes.fetch_add(size, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> KeptReply {
        KeptReply { body: Bytes::from(text.to_owned()), tag: Bytes::from_static(b"\"1\"") }
    }

    #[test]
    fn answers_are_kept_within_bounds() {
        let replies = Replies::default();
        replies.keep("a", kept("1"));
        assert_eq!(replies.find("a").map(|kept| kept.body), Some(Bytes::from_static(b"1")));
        replies.keep("long", kept(&"x".repeat(LONGEST)));
        assert!(replies.find("long").is_none());
        for number in 0..MOST {
            replies.keep(&format!("{number}"), kept("2"));
        }
        assert!(replies.find("a").is_none(), "it made place");
        assert!(replies.known.read().expect("nobody writes").len() <= MOST);
    }
}
