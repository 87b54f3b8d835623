//! The Mersenne Twister as Ruby seeds and limits it, so that the same seed gives the same numbers.

const SIZE: usize = 624;
const MIDDLE: usize = 397;

/// A generator of random numbers.
pub(crate) struct Twister {
    state: [u32; SIZE],
    next: usize,
}

impl Twister {
    /// Makes a generator of a big number, given by its bytes from the highest.
    pub(crate) fn seeded(number: &[u8]) -> Self {
        let mut words: Vec<u32> = number
            .rchunks(4)
            .map(|chunk| chunk.iter().fold(0, |word, byte| word << 8 | u32::from(*byte)))
            .collect();
        while words.len() > 1 && words.last() == Some(&0) {
            words.pop();
        }
        // Ruby takes a highest word of one for a guard of its own and drops it.
        if words.len() > 1 && words.last() == Some(&1) {
            words.pop();
        }
        match words.as_slice() {
            [] => Self::of_word(0),
            [word] => Self::of_word(*word),
            words => Self::of_words(words),
        }
    }

    fn of_word(seed: u32) -> Self {
        let mut state = [seed; SIZE];
        for index in 1..SIZE {
            let before = state[index - 1];
            state[index] = (before ^ before >> 30).wrapping_mul(1_812_433_253).wrapping_add(index as u32);
        }
        Self { state, next: SIZE }
    }

    fn of_words(words: &[u32]) -> Self {
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

    fn word(&mut self) -> u32 {
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

    /// Returns a number from zero up to a limit, the limit included.
    pub(crate) fn up_to(&mut self, limit: u64) -> u64 {
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
    }
}
