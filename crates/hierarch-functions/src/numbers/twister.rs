//! Numbers by a seed that is a big number, as Ruby draws them.

use hierarch_bits::Twister;

/// Makes a generator of a big number, given by its bytes from the highest.
pub(crate) fn seeded(number: &[u8]) -> Twister {
    let words = number.rchunks(4);
    let word = |chunk: &[u8]| chunk.iter().fold(0, |word, byte| word << 8 | u32::from(*byte));
    Twister::seeded_by_ruby(words.map(word).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_the_number_that_they_write() {
        let of_words = |words: &[u32]| Twister::seeded_by_ruby(words.to_vec()).word();
        assert_eq!(seeded(&[0, 0, 1, 2, 3, 4]).word(), of_words(&[0x0102_0304]));
        assert_eq!(seeded(&[5, 1, 2, 3, 4]).word(), of_words(&[0x0102_0304, 5]));
        assert_eq!(seeded(&[]).word(), of_words(&[0]));
    }
}
