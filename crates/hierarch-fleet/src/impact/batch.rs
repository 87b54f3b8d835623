//! Edits that have nothing to do with each other are undone in one state.

use std::collections::{BTreeSet, HashSet};

use super::cause::Prover;

/// Edits that are undone for changes of keys: what these need must not be touched by others that are undone with them.
pub(crate) struct Claim<'c> {
    pub(crate) edits: &'c [usize],
    pub(crate) needs: &'c BTreeSet<String>,
}

/// Sorts claims into batches that can be undone together without being in each other's way.
pub(crate) fn batches(prover: &Prover, claims: &[Claim]) -> Vec<Vec<usize>> {
    /// A batch, the keys that its members need, and those that they edit.
    type Batch<'c> = (Vec<usize>, HashSet<&'c str>, HashSet<&'c str>);
    let mut shared: Vec<Batch> = Vec::new();
    let mut found = Vec::new();
    for (number, claim) in claims.iter().enumerate() {
        if prover.comparison.compiles || !claim.edits.iter().all(|edit| prover.is_apart(*edit)) {
            found.push(vec![number]);
            continue;
        }
        let needs: Vec<&str> = claim.needs.iter().map(String::as_str).collect();
        let edited: Vec<&str> = claim.edits.iter().filter_map(|edit| prover.edits[*edit].1.key()).collect();
        let fits = |(_, needed, touched): &Batch| {
            needs.iter().all(|key| !touched.contains(key)) && edited.iter().all(|key| !needed.contains(key))
        };
        let place = shared.iter().position(fits).unwrap_or_else(|| {
            shared.push(Batch::default());
            shared.len() - 1
        });
        shared[place].0.push(number);
        shared[place].1.extend(needs);
        shared[place].2.extend(edited);
    }
    found.extend(shared.into_iter().map(|(members, _, _)| members));
    found
}
