//! Names that are nearly the same as one that does not exist.

use super::lookup_hint::distance;

/// Returns the names that are at most a third of a name's length away, nearest first, three at most.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let most = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = known
        .into_iter()
        .map(|other| (distance(name, other), other))
        .filter(|(far, _)| *far <= most)
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, name)| name).collect()
}
