//! What arithmetic on long numbers costs, in steps: some of it grows with the square of their length.

use num_bigint::BigInt;

use crate::run::{Res, Vm};

/// So many operations on single words take about as long as a step.
const WORDS_PER_STEP: u64 = 64;

fn words(number: &BigInt) -> u64 {
    number.bits() / 64 + 1
}

impl Vm<'_> {
    /// Counts what goes once through a long number.
    pub(crate) fn count_pass(&mut self, number: &BigInt) -> Res<()> {
        self.work(words(number) / WORDS_PER_STEP)
    }

    /// Counts a division.
    pub(super) fn count_division(&mut self, a: &BigInt, b: &BigInt) -> Res<()> {
        let turns = words(a).saturating_sub(words(b)) + 1;
        self.work(turns.saturating_mul(words(b)) / WORDS_PER_STEP)
    }

    /// Counts the search for a common divisor, which takes a turn per bit.
    pub(super) fn count_divisor(&mut self, a: &BigInt, b: &BigInt) -> Res<()> {
        // A small number leaves a small remainder after one division.
        let bits = a.bits().min(b.bits()).saturating_mul(2);
        self.count_division(a, b)?;
        self.work(bits.saturating_mul(words(a).min(words(b))) / WORDS_PER_STEP)
    }

    /// Counts a power that is cut at a modulus: a product and a division per bit of the exponent.
    pub(super) fn count_modular_power(&mut self, exponent: &BigInt, modulus: &BigInt) -> Res<()> {
        let square = words(modulus).saturating_mul(words(modulus));
        self.work(exponent.bits().saturating_mul(square).saturating_mul(2) / WORDS_PER_STEP)
    }

    /// Counts a root: a few divisions.
    pub(super) fn count_root(&mut self, number: &BigInt) -> Res<()> {
        self.work(words(number).saturating_mul(words(number)) / 4)
    }

    /// Counts the reading of a number that is written with so many digits.
    pub(crate) fn count_digits(&mut self, digits: usize, radix: u32) -> Res<()> {
        let bits = (digits as u64).saturating_mul(u64::from(radix.max(2).ilog2()) + 1);
        self.count_conversion(bits, radix)
    }

    fn count_conversion(&mut self, bits: u64, radix: u32) -> Res<()> {
        let words = bits / 64;
        let turns = if radix.is_power_of_two() { 64 } else { words };
        self.work(words.saturating_mul(turns) / (WORDS_PER_STEP * 8))
    }

    /// Writes a long number.
    pub(crate) fn digits_of(&mut self, number: &BigInt, radix: u32) -> Res<String> {
        self.check_size(usize::try_from(number.bits()).unwrap_or(usize::MAX))?;
        self.count_conversion(number.bits().saturating_mul(2), radix)?;
        Ok(number.to_str_radix(radix))
    }
}
