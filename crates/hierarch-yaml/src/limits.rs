//! How much of everything a reader accepts before it says no.

/// Bounds on what a text may ask for. Each ends in an error that names the bound.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimits {
    /// Collections inside collections.
    pub depth: usize,
    /// Nodes of one text.
    pub nodes: usize,
    /// Bytes of one text.
    pub bytes: usize,
    /// Nodes a value may have once its aliases are followed.
    pub expanded: usize,
}

impl Default for DocumentLimits {
    fn default() -> Self {
        Self { depth: 1000, nodes: 100_000_000, bytes: 1 << 30, expanded: 10_000_000 }
    }
}
