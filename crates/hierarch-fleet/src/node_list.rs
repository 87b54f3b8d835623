//! Numbers of nodes in few bytes: each is kept as its distance from the one before.
//!
//! Ten thousand nodes times two thousand keys are twenty million numbers; nodes that share an answer mostly stand close
//! together, so that one byte is enough for nearly all of them.

use std::sync::Arc;

/// Numbers of nodes, in the order they came.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct NodeList {
    bytes: Vec<u8>,
    last: usize,
    count: usize,
}

/// The bits of a byte that hold a part of a number; the bit above them says that more follows.
const PART: u32 = 7;

impl NodeList {
    /// Adds a number at the end.
    pub(crate) fn push(&mut self, node: usize) {
        let is_back = node < self.last;
        // The lowest bit says in which direction: parts of the nodes come in any order.
        let mut left = (node.abs_diff(self.last) << 1) | usize::from(is_back);
        while left >> PART > 0 {
            self.bytes.push(low_byte(left) | 0x80);
            left >>= PART;
        }
        self.bytes.push(low_byte(left));
        self.last = node;
        self.count += 1;
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the first one.
    pub(crate) fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// Lists them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let (mut bytes, mut last) = (self.bytes.iter(), 0usize);
        std::iter::from_fn(move || {
            let (mut distance, mut shift) = (0usize, 0);
            loop {
                let byte = *bytes.next()?;
                distance |= usize::from(byte & 0x7f) << shift;
                shift += PART;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            let by = distance >> 1;
            last = if distance & 1 == 1 { last.saturating_sub(by) } else { last.saturating_add(by) };
            Some(last)
        })
    }

    /// Puts them in order, in as few bytes as that takes.
    pub(crate) fn sorted(&self) -> Self {
        let mut nodes: Vec<usize> = self.iter().collect();
        nodes.sort_unstable();
        nodes.into_iter().collect()
    }
}

fn low_byte(number: usize) -> u8 {
    number.to_le_bytes()[0]
}

impl FromIterator<usize> for NodeList {
    fn from_iter<I: IntoIterator<Item = usize>>(nodes: I) -> Self {
        let mut list = Self::default();
        nodes.into_iter().for_each(|node| list.push(node));
        list.bytes.shrink_to_fit();
        list
    }
}

/// The names of some nodes. The names of all are there once, whoever names some of them.
#[derive(Clone, Debug)]
pub struct NodeNames {
    all: Arc<Vec<String>>,
    chosen: Arc<NodeList>,
}

impl NodeNames {
    pub(crate) fn new(all: &Arc<Vec<String>>, chosen: &Arc<NodeList>) -> Self {
        Self { all: Arc::clone(all), chosen: Arc::clone(chosen) }
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lists them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &String> {
        self.chosen.iter().filter_map(|number| self.all.get(number))
    }

    /// Tells whether a node is among them.
    pub fn contains(&self, name: &str) -> bool {
        self.iter().any(|known| known == name)
    }

    /// Returns their numbers, which have the order of the names.
    pub(crate) fn numbers(&self) -> Arc<NodeList> {
        Arc::clone(&self.chosen)
    }
}

impl PartialOrd for NodeList {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for NodeList {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.iter().cmp(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use hierarch_bits::dice::Dice;

    use super::*;

    fn list(nodes: &[usize]) -> NodeList {
        nodes.iter().copied().collect()
    }

    #[test]
    fn what_goes_in_comes_out_in_the_same_order() {
        for nodes in [
            &[][..],
            &[0],
            &[0, 0, 0],
            &[5],
            &[63, 64, 65, 127, 128],
            &[9_999, 0, 9_999],
            &[70_000, 3, 1 << 40, 2],
        ] {
            let list = list(nodes);
            assert_eq!(list.iter().collect::<Vec<_>>(), nodes);
            assert_eq!((list.len(), list.first()), (nodes.len(), nodes.first().copied()));
        }
    }

    #[test]
    fn any_numbers_are_sorted_as_lists_are() {
        let mut dice = Dice::new(20_261_116);
        for _ in 0..500 {
            let count = dice.below(40);
            let mut nodes: Vec<usize> = (0..count).map(|_| dice.below(20_000)).collect();
            let sorted = list(&nodes).sorted();
            nodes.sort_unstable();
            assert_eq!(sorted.iter().collect::<Vec<_>>(), nodes);
            assert_eq!(sorted, list(&nodes));
        }
    }

    #[test]
    fn neighbours_take_a_byte_each() {
        let all: NodeList = (0..10_000).collect();
        assert_eq!(all.bytes.len(), 10_000);
        let some: NodeList = (0..10_000).step_by(63).collect();
        assert_eq!(some.bytes.len(), some.len());
    }

    #[test]
    fn lists_are_compared_as_lists_of_numbers() {
        for (a, b, expected) in [
            (&[1, 2][..], &[1, 2][..], std::cmp::Ordering::Equal),
            (&[1], &[1, 2], std::cmp::Ordering::Less),
            (&[300], &[2, 400], std::cmp::Ordering::Greater),
            (&[], &[0], std::cmp::Ordering::Less),
        ] {
            assert_eq!(list(a).cmp(&list(b)), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn names_are_those_of_the_numbers() {
        let all = Arc::new(["a", "b", "c"].map(str::to_owned).to_vec());
        let names = NodeNames::new(&all, &Arc::new(list(&[0, 2])));
        assert_eq!(names.iter().collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!((names.len(), names.is_empty()), (2, false));
        assert_eq!(["a", "b", "c"].map(|name| names.contains(name)), [true, false, true]);
        assert!(NodeNames::new(&all, &Arc::default()).is_empty());
    }
}
