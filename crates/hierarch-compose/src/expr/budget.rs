//! How much an evaluation may make: bytes of texts and collections, in one value and in all of them together.
//!
//! Without it, a text that is put behind itself in a loop of forty turns is larger than any memory.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::{ExpressionLimits, issues};

/// What a value takes besides its text, about.
pub(crate) const NODE: usize = 24;

/// All values together may be this many times as large as one.
const TOGETHER: usize = 16;

/// As many bytes gone through are a step.
const STEP: u64 = 1_024;

/// What may still be made, and gone through.
pub(crate) struct Budget {
    most: usize,
    depth: usize,
    steps: u64,
    gone_through: AtomicU64,
    taken: AtomicUsize,
}

impl Budget {
    pub(crate) fn new(limits: &ExpressionLimits) -> Self {
        Self {
            most: limits.size,
            depth: limits.depth,
            steps: limits.steps,
            gone_through: AtomicU64::new(0),
            taken: AtomicUsize::new(0),
        }
    }

    /// Forgets what was made so far: each question has its own budget.
    pub(crate) fn begin(&self) {
        self.taken.store(0, Ordering::Relaxed);
        self.gone_through.store(0, Ordering::Relaxed);
    }

    /// Checks the size of one value.
    pub(crate) fn fits(&self, bytes: usize) -> Result<()> {
        if bytes > self.most { Err(issues::too_large(self.most)) } else { Ok(()) }
    }

    /// Counts bytes that are gone through: one operator, however much it works on, is one instruction.
    pub(crate) fn go_through(&self, bytes: usize) -> Result<()> {
        let all = self.gone_through.fetch_add(bytes as u64, Ordering::Relaxed);
        if all / STEP > self.steps { Err(issues::too_many_steps(self.steps)) } else { Ok(()) }
    }

    /// Checks how deep a value is.
    pub(crate) fn fits_depth(&self, depth: usize) -> Result<()> {
        if depth > self.depth { Err(issues::too_deep_a_value(self.depth)) } else { Ok(()) }
    }

    /// Takes bytes for something that is to be kept.
    pub(crate) fn take(&self, bytes: usize) -> Result<()> {
        self.fits(bytes)?;
        let taken = self.taken.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        if taken > self.together() { Err(issues::too_much(self.together())) } else { Ok(()) }
    }

    /// Gives back what is kept no longer.
    pub(crate) fn give_back(&self, bytes: usize) {
        // A new question may have begun in the meantime.
        let _ = self
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| Some(taken.saturating_sub(bytes)));
    }

    /// Checks a finished value, however often its parts are shared.
    pub(crate) fn check(&self, value: &Value) -> Result<()> {
        let mut left = self.most;
        self.weigh(value, &mut left, 0)?;
        self.go_through(self.most - left)
    }

    /// Checks a finished value, and returns what it takes.
    pub(crate) fn weighed(&self, value: &Value) -> Result<usize> {
        let mut left = self.most;
        self.weigh(value, &mut left, 0)?;
        self.go_through(self.most - left)?;
        Ok(self.most - left)
    }

    /// Checks everything that is to be written out.
    pub(crate) fn check_together(&self, value: &Value) -> Result<()> {
        let mut left = self.together();
        self.weigh(value, &mut left, 0)
    }

    fn weigh(&self, value: &Value, left: &mut usize, depth: usize) -> Result<()> {
        let bytes = NODE + value.as_str().map_or(0, str::len);
        *left = left.checked_sub(bytes).ok_or_else(|| issues::too_large(self.most))?;
        match value {
            Value::Array(items) => {
                self.fits_depth(depth)?;
                items.iter().try_for_each(|item| self.weigh(item, left, depth + 1))
            }
            Value::Hash(map) => {
                self.fits_depth(depth)?;
                map.iter().try_for_each(|(key, value)| {
                    self.weigh(key, left, depth + 1)?;
                    self.weigh(value, left, depth + 1)
                })
            }
            Value::Sensitive(inner) => self.weigh(inner, left, depth + 1),
            _ => Ok(()),
        }
    }

    fn together(&self) -> usize {
        self.most.saturating_mul(TOGETHER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget() -> Budget {
        Budget::new(&ExpressionLimits { size: 1_000, depth: 3, ..ExpressionLimits::default() })
    }

    #[test]
    fn one_value_and_all_together_are_bounded() {
        let budget = budget();
        assert!(budget.take(1_001).is_err());
        for _ in 0..16 {
            assert!(budget.take(1_000).is_ok());
        }
        assert!(budget.take(1).is_err());
        budget.give_back(10_000);
        assert!(budget.take(1_000).is_ok());
    }

    #[test]
    fn shared_parts_count_each_time_they_are_seen() {
        let doubled = |value: Value| Value::array(vec![value.clone(), value]);
        let deep = (0..6).fold(Value::from(1), |value, _| Value::array(vec![value]));
        assert_eq!(budget().check(&deep).expect_err("too deep").code, "EXPR_LIMIT");
        let bomb = (0..3).fold(Value::from("x".repeat(200)), |value, _| doubled(value));
        assert_eq!(budget().check(&bomb).expect_err("too large").code, "EXPR_LIMIT");
    }
}
