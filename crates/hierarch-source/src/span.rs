//! A range of bytes in one source text.

use std::ops::Range;

/// A half-open range of byte offsets. It does not know its text: whoever holds a span holds the [`crate::Source`] too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Makes the span from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Makes an empty span, a point between two bytes.
    pub const fn point(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// Returns the smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span as a range for slicing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Tells how many bytes it covers.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Tells whether it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_cover_ranges_of_bytes() {
        let (left, right) = (Span::new(2, 5), Span::new(9, 12));
        assert_eq!(left.to(right), Span::new(2, 12));
        assert_eq!(right.to(left), left.to(right));
        assert_eq!(left.to(Span::point(3)), left, "what lies within adds nothing");
        assert_eq!((left.len(), left.is_empty(), left.range()), (3, false, 2..5));
        assert_eq!((Span::point(7).len(), Span::point(7).is_empty()), (0, true));
        assert_eq!(Span::default(), Span::point(0));
    }
}
