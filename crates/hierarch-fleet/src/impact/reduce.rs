//! Of many edits that bring an old answer back together, as few as do.
//!
//! Up to a few dozen are left out one by one. More are halved: where one edit is enough, it is found with a number of tries that
//! grows with the logarithm of their number.

/// Up to so many are left out one by one.
pub(crate) const MANY: usize = 32;
/// As often what is left over is searched for a smaller set.
const ROUNDS: usize = 4;

/// A set that works, and whether it is known that nothing can be left out.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct ReducedSet<T> {
    pub(crate) items: Vec<T>,
    /// More would have to be tried than is allowed.
    pub(crate) is_limited: bool,
}

/// Finds a set of items that works and from which none can be left out; one that works alone, if there is such a one. All of them
/// together work. Where `works` tells nothing, enough was tried.
pub(crate) fn smallest<T: Clone + PartialEq>(
    items: &[T],
    works: impl FnMut(&[T]) -> Option<bool>,
) -> ReducedSet<T> {
    let mut search = Reduction { works, is_limited: false };
    let mut best = search.reduced(items);
    let mut left = items.to_vec();
    for _ in 0..ROUNDS {
        // What works alone is not in a set of several from which none can be left out.
        left.retain(|item| !best.contains(item));
        if best.len() < 2 || left.is_empty() || items.len() <= MANY || !search.does_work(&left) {
            break;
        }
        let other = search.reduced(&left);
        if other.len() < best.len() {
            best = other;
        } else {
            left.retain(|item| !other.contains(item));
        }
    }
    ReducedSet { items: best, is_limited: search.is_limited }
}

struct Reduction<F> {
    works: F,
    is_limited: bool,
}

impl<F> Reduction<F> {
    fn does_work<T>(&mut self, items: &[T]) -> bool
    where
        F: FnMut(&[T]) -> Option<bool>,
    {
        if self.is_limited {
            return false;
        }
        let told = (self.works)(items);
        self.is_limited |= told.is_none();
        told == Some(true)
    }

    fn reduced<T: Clone>(&mut self, items: &[T]) -> Vec<T>
    where
        F: FnMut(&[T]) -> Option<bool>,
    {
        if items.len() <= MANY {
            return self.each_left_out(items);
        }
        let halved = self.halved(&[], false, items);
        if halved.len() > MANY { halved } else { self.each_left_out(&halved) }
    }

    fn each_left_out<T: Clone>(&mut self, items: &[T]) -> Vec<T>
    where
        F: FnMut(&[T]) -> Option<bool>,
    {
        let mut needed = items.to_vec();
        let mut at = 0;
        while at < needed.len() && needed.len() > 1 {
            let item = needed.remove(at);
            if !self.does_work(&needed) {
                needed.insert(at, item);
                at += 1;
            }
        }
        needed
    }

    /// Returns as many of some items as work with others that stay. All of them work with these.
    fn halved<T: Clone>(&mut self, others: &[T], is_tried: bool, items: &[T]) -> Vec<T>
    where
        F: FnMut(&[T]) -> Option<bool>,
    {
        if is_tried && self.does_work(others) {
            return Vec::new();
        }
        if items.len() < 2 || self.is_limited {
            return items.to_vec();
        }
        let (first, second) = items.split_at(items.len() / 2);
        let of_second = self.halved(&[others, first].concat(), true, second);
        let of_first = self.halved(&[others, &of_second].concat(), !of_second.is_empty(), first);
        [of_first, of_second].concat()
    }
}

#[cfg(test)]
mod tests {
    use hierarch_bits::dice::Dice;

    use super::*;

    fn found(count: usize, works: impl Fn(&[usize]) -> bool) -> (Vec<usize>, usize) {
        let mut tries = 0;
        let items: Vec<usize> = (0..count).collect();
        let reduced = smallest(&items, |some| {
            tries += 1;
            Some(works(some))
        });
        assert!(!reduced.is_limited);
        (reduced.items, tries)
    }

    fn has_all(needed: &[usize]) -> impl Fn(&[usize]) -> bool {
        move |some| needed.iter().all(|item| some.contains(item))
    }

    #[test]
    fn one_of_many_is_found_with_few_tries() {
        for (count, one) in [(33, 0), (1_000, 0), (1_000, 999), (1_000, 500), (20_000, 12_345)] {
            let (items, tries) = found(count, has_all(&[one]));
            assert_eq!(items, [one]);
            assert!(tries <= 2 * 16, "{tries} tries among {count}");
        }
    }

    #[test]
    fn all_that_are_needed_are_found_in_order_and_nothing_else() {
        for (count, needed) in
            [(1, &[0][..]), (5, &[1, 3]), (32, &[0, 31]), (100, &[3, 50, 99]), (400, &[1, 2, 3, 4, 398])]
        {
            assert_eq!(found(count, has_all(needed)).0, needed, "of {count}");
        }
        let all: Vec<usize> = (0..100).collect();
        let (items, tries) = found(100, has_all(&all));
        assert_eq!(items, all);
        assert!(tries <= 200, "{tries} tries");
    }

    #[test]
    fn what_works_alone_wins_over_several_that_work_together() {
        let works = |some: &[usize]| some.contains(&90) || (some.contains(&1) && some.contains(&2));
        assert_eq!(found(100, works).0, [90]);
    }

    #[test]
    fn nothing_can_be_left_out_of_what_is_found_whatever_is_needed() {
        let mut dice = Dice::new(15);
        for _ in 0..200 {
            let count = 1 + dice.below(120);
            let ways: Vec<Vec<usize>> = (0..=dice.below(3))
                .map(|_| (0..=dice.below(6)).map(|_| dice.below(count)).collect())
                .collect();
            let works = |some: &[usize]| ways.iter().any(|way| has_all(way)(some));
            let (items, _) = found(count, works);
            assert!(works(&items), "{items:?} of {ways:?}");
            for out in &items {
                let rest: Vec<usize> = items.iter().copied().filter(|item| item != out).collect();
                assert!(rest.is_empty() || !works(&rest), "{out} of {items:?} is not needed: {ways:?}");
            }
        }
    }

    #[test]
    fn where_enough_was_tried_what_is_left_still_works_and_is_marked() {
        for most in 0..40 {
            let needed = [7, 300, 301, 900];
            let mut tries = 0;
            let items: Vec<usize> = (0..1_000).collect();
            let reduced = smallest(&items, |some| {
                tries += 1;
                (tries <= most).then(|| has_all(&needed)(some))
            });
            assert!(has_all(&needed)(&reduced.items));
            assert!(reduced.is_limited || reduced.items == needed, "after {most} tries");
        }
    }
}
