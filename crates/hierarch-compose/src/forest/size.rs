//! How much may be built, and what a try built, which is forgotten again.

use super::{BUILT, Forest};

/// How much a forest holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForestSize {
    trees: usize,
    made: usize,
    vias: usize,
}

impl Forest {
    /// Starts counting anew: what is expanded or planned next has its own budget.
    pub(crate) fn refill(&mut self) {
        self.budget = self.limit;
    }

    /// Tells how much there is, to go back to with [`Forest::shrink_to`].
    pub(crate) fn size(&self) -> ForestSize {
        ForestSize { trees: self.trees.len(), made: self.made.len(), vias: self.vias.len() }
    }

    /// Forgets what was built since, and the one document that was planted, and returns how many values these were. If further
    /// documents were read, which may be asked for again, everything stays.
    pub(crate) fn shrink_to(&mut self, size: ForestSize) -> usize {
        let built = self.made.len() - size.made;
        if self.trees.len() > size.trees + 1 {
            return built;
        }
        let is_kept = |doc: u32, id: u32| match doc {
            BUILT => (id as usize) < size.made,
            doc => (doc as usize) < size.trees,
        };
        self.trees.truncate(size.trees);
        self.made.truncate(size.made);
        self.vias.truncate(size.vias);
        self.merged.borrow_mut().retain(|&(doc, id), _| is_kept(doc, id));
        self.indexes.borrow_mut().retain(|&(doc, id), _| is_kept(doc, id));
        self.headers.retain(|&id, _| is_kept(BUILT, id));
        self.tagged_by.retain(|&id, _| is_kept(BUILT, id));
        built
    }
}
