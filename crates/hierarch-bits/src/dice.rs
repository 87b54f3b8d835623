//! Numbers by chance for tests, fuzzing and measurements: the same for the same seed, on every machine.
//!
//! Not for programs: what a language calls random is its own business (see [`Twister`](crate::Twister)).

/// A source of numbers by chance.
///
/// ```
/// use hierarch_bits::dice::Dice;
///
/// let (mut one, mut other) = (Dice::new(7), Dice::new(7));
/// assert_eq!(one.below(1_000), other.below(1_000));
/// assert!(["a", "b"].contains(one.pick(&["a", "b"])));
/// ```
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Starts a sequence.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below a limit; 0 where there is none.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % limit.max(1)
    }

    /// Tells `true` once in so many times.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns one of some choices, of which there is at least one.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Makes a text of up to so many pieces.
    pub fn text(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.below(most + 1)).map(|_| *self.pick(pieces)).collect()
    }

    /// Makes a text and what a program is expected to make of it, of up to so many pairs of pieces. A full stop ends each, so that
    /// two pieces never make a third.
    pub fn modelled(
        &mut self,
        most: usize,
        mut pair: impl FnMut(&mut Self) -> (String, String),
    ) -> (String, String) {
        let (mut text, mut expected) = (String::new(), String::new());
        for _ in 0..self.below(most + 1) {
            let (piece, gives) = pair(self);
            text.push_str(&piece);
            expected.push_str(&gives);
            text.push('.');
            expected.push('.');
        }
        (text, expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_come_up_about_as_often() {
        let mut dice = Dice::new(1);
        let mut counts = [0_u32; 6];
        for _ in 0..6_000 {
            counts[dice.below(6)] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_model_has_a_piece_for_each_piece() {
        let mut dice = Dice::new(2);
        for _ in 0..50 {
            let (text, expected) = dice.modelled(4, |dice| (dice.text(&["a"], 3), "b".to_owned()));
            assert!(expected.len() <= 8 && text.matches('.').count() == expected.matches('.').count());
        }
    }

    #[test]
    fn seeds_give_different_sequences_and_limits_hold() {
        let sequence = |seed| {
            let mut dice = Dice::new(seed);
            (0..20).map(|_| dice.below(100)).collect::<Vec<_>>()
        };
        assert_ne!(sequence(1), sequence(2));
        assert_eq!(sequence(3), sequence(3));
        let mut dice = Dice::new(4);
        assert_eq!(dice.below(0), 0);
        assert!((0..100).all(|_| dice.below(1) == 0 && dice.once_in(1)));
    }
}
