//! Where a place in the text being read stands in the source.

use hierarch_source::Span;

use crate::ast::Text;

/// How offsets in a lexer's text relate to offsets in the source.
pub(super) enum Placement {
    /// The text is the source.
    Whole,
    /// The text is a part of the source that starts at this offset.
    Slice(u32),
    /// The text is a heredoc's, a margin cut off its lines.
    Margin(Margin),
}

/// The lines of a heredoc whose margin was cut off.
pub(super) struct Margin {
    /// Where the heredoc's first line starts in the source.
    pub(super) start: u32,
    /// For each line, where it starts in the cut text and how much was cut off up to and including it.
    pub(super) lines: Vec<(u32, u32)>,
}

impl Placement {
    pub(super) fn offset(&self, at: usize) -> u32 {
        match self {
            Self::Whole => at as u32,
            Self::Slice(start) => start + at as u32,
            Self::Margin(margin) => margin.offset(at as u32),
        }
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let start = self.offset(start);
        Span::new(start, self.offset(end).max(start))
    }

    /// Refers to the text between two offsets, if it stands in the source as it is.
    pub(super) fn in_source(&self, start: usize, end: usize) -> Option<Text> {
        match self {
            Self::Whole | Self::Slice(_) => Some(Text::in_source(self.offset(start), self.offset(end))),
            Self::Margin(_) => None,
        }
    }
}

impl Margin {
    fn offset(&self, at: u32) -> u32 {
        // The very first place is the start of the line, before its margin: so the reference has it.
        if at == 0 {
            return self.start;
        }
        let line = self.lines.partition_point(|&(start, _)| start <= at);
        let cut = line.checked_sub(1).map_or(0, |line| self.lines[line].1);
        self.start + at + cut
    }
}
