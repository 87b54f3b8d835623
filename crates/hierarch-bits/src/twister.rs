//! The Mersenne Twister, a generator of numbers that look random: the same seed gives the same numbers.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// A generator of numbers.
#[derive(Clone)]
pub struct Twister {
    state: Box<[u32; SIZE]>,
    next: usize,
}

impl Twister {
    /// Seeds it with one word.
    pub fn of_word(seed: u32) -> Self {
        let mut state = Box::new([seed; SIZE]);
        for index in 1..SIZE {
            let before = state[index - 1];
            state[index] = (before ^ before >> 30).wrapping_mul(1_812_433_253).wrapping_add(index as u32);
        }
        Self { state, next: SIZE }
    }

    /// Seeds it with several words, or with none.
    pub fn of_words(words: &[u32]) -> Self {
        let words = if words.is_empty() { &[0] } else { words };
        let mut twister = Self::of_word(19_650_218);
        let mut index = 1;
        for turn in 0..SIZE.max(words.len()) {
            let position = turn % words.len();
            let mixed = twister.mixed(index, 1_664_525);
            twister.state[index] = mixed.wrapping_add(words[position]).wrapping_add(position as u32);
            index = twister.after(index);
        }
        for _ in 1..SIZE {
            twister.state[index] = twister.mixed(index, 1_566_083_941).wrapping_sub(index as u32);
            index = twister.after(index);
        }
        twister.state[0] = 0x8000_0000;
        twister
    }

    /// Seeds it as Ruby does, with the words of a number, the lowest first.
    pub fn seeded_by_ruby(mut words: Vec<u32>) -> Self {
        while words.len() > 1 && words.last() == Some(&0) {
            words.pop();
        }
        match words.as_slice() {
            [] => Self::of_word(0),
            [word] => Self::of_word(*word),
            // Ruby takes a highest word of one for a guard of its own and drops it.
            [words @ .., 1] => Self::of_words(words),
            words => Self::of_words(words),
        }
    }

    fn mixed(&self, index: usize, factor: u32) -> u32 {
        let before = self.state[index - 1];
        self.state[index] ^ (before ^ before >> 30).wrapping_mul(factor)
    }

    /// Returns the next index; the first word takes over the last at the end.
    fn after(&mut self, index: usize) -> usize {
        if index + 1 < SIZE {
            return index + 1;
        }
        self.state[0] = self.state[SIZE - 1];
        1
    }

    fn refill(&mut self) {
        for index in 0..SIZE {
            let joined = self.state[index] & 0x8000_0000 | self.state[(index + 1) % SIZE] & 0x7fff_ffff;
            let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[index] = self.state[(index + MIDDLE) % SIZE] ^ joined >> 1 ^ odd;
        }
        self.next = 0;
    }

    /// Returns the next 32 bits.
    pub fn word(&mut self) -> u32 {
        if self.next == SIZE {
            self.refill();
        }
        let mut word = self.state[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// Returns a float from zero up to, but without, one.
    pub fn float(&mut self) -> f64 {
        let (high, low) = (self.word() >> 5, self.word() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// Returns a number from zero up to a limit, the limit included, drawn as Ruby draws it.
    pub fn up_to(&mut self, limit: u64) -> u64 {
        if limit == 0 {
            return 0;
        }
        let mask = u64::MAX >> limit.leading_zeros();
        loop {
            let high = if mask >> 32 == 0 { 0 } else { (u64::from(self.word()) << 32) & mask };
            // What is too large already is drawn anew before the lower half is.
            if high > limit {
                continue;
            }
            let number = high | u64::from(self.word()) & mask;
            if number <= limit {
                return number;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_reference_generator() {
        let mut twister = Twister::of_words(&[0x123, 0x234, 0x345, 0x456]);
        let words: Vec<u32> = (0..4).map(|_| twister.word()).collect();
        assert_eq!(words, [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783]);
        let mut twister = Twister::of_word(5489);
        assert_eq!((0..10_000).map(|_| twister.word()).last(), Some(4_123_659_995));
    }

    #[test]
    fn numbers_are_rubys() {
        // Random.new(42).rand(100), Random.new(1).rand
        assert_eq!(Twister::seeded_by_ruby(vec![42]).up_to(99), 51);
        let float = Twister::seeded_by_ruby(vec![1]).float();
        assert!((float - 0.417_022_004_702_574).abs() < 1e-15, "{float}");
    }

    #[test]
    fn seeds_of_several_words_are_taken_as_ruby_takes_them() {
        // Random.new(2**32 + 5).rand(1_000_000) and so on, the words from the lowest.
        let drawn: &[(&[u32], u64)] = &[
            (&[5], 297_827),
            (&[5, 1], 425_029),
            (&[7, 5], 219_917),
            (&[7, 5, 1], 219_917),
            (&[7, 0, 1], 409_864),
            (&[7, 0, 0], 585_903),
        ];
        for (words, wanted) in drawn {
            assert_eq!(Twister::seeded_by_ruby(words.to_vec()).up_to(999_999), *wanted, "{words:?}");
        }
    }

    #[test]
    fn numbers_stay_within_their_limit() {
        let mut twister = Twister::of_word(1);
        for limit in [0, 1, 2, 9, 255, 256, u64::from(u32::MAX), u64::from(u32::MAX) + 1, 1 << 40, u64::MAX] {
            assert!((0..50).all(|_| twister.up_to(limit) <= limit), "{limit}");
        }
    }
}
