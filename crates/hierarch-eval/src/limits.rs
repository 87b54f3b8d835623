//! How much a program may use before it is stopped with an error that names the limit.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hierarch_pcore::Value;
use hierarch_pcore::value::extent::DEEPEST;
use hierarch_source::Error;

use crate::environment::Codebase;
use crate::{Result, issues};

/// The limits of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgramLimits {
    /// How many calls and turns of loops.
    pub steps: u64,
    /// How many calls deep.
    pub depth: u32,
    /// How long a text or collection that grows in one operation.
    pub size: usize,
    /// How many resources in a catalog.
    pub resources: usize,
    /// How many bytes of memory the process may use, where the environment can tell.
    pub memory: u64,
    /// How many bytes of the thread's stack. Keep it well below what the thread has.
    pub stack: usize,
}

impl Default for ProgramLimits {
    fn default() -> Self {
        // A thread that Rust starts has 2 MiB.
        Self {
            steps: 200_000_000,
            depth: 10_000,
            size: 50_000_000,
            resources: 1_000_000,
            memory: 4 << 30,
            stack: 1_200_000,
        }
    }
}

impl ProgramLimits {
    /// Returns limits for a thread with this much stack.
    #[must_use]
    pub fn with_stack_of(self, bytes: usize) -> Self {
        Self { stack: bytes / 4 * 3, ..self }
    }
}

/// After how many steps the memory and the order to stop are looked at: to ask the system takes as long as some hundred steps.
const MEMORY_INTERVAL: u64 = 1 << 14;

/// So many parts and characters count as one step of a built-in, which goes through them much faster than a program takes steps, and
/// often needs only a few of them.
const PER_STEP: u64 = 256;

/// What is larger than this is looked at when it is made.
const LARGE: usize = 1 << 20;

/// Returns roughly where the stack is.
#[inline]
fn stack_position() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(&marker) as usize
}

/// What a run has used of its limits.
pub(crate) struct Budget<'e> {
    environment: &'e Codebase,
    pub(crate) limits: ProgramLimits,
    steps: u64,
    depth: u32,
    stack_start: usize,
    /// Set from outside when nobody waits for the result any more.
    pub(crate) stop: Option<Arc<AtomicBool>>,
}

impl<'e> Budget<'e> {
    /// Makes a budget of which nothing is used.
    pub(crate) fn new(environment: &'e Codebase, limits: ProgramLimits) -> Self {
        Self { environment, limits, steps: 0, depth: 0, stack_start: 0, stop: None }
    }

    /// Starts to count anew; the stack is measured from here.
    pub(crate) fn start(&mut self) {
        self.stack_start = stack_position();
        self.steps = 0;
        self.depth = 0;
    }

    /// Counts a call or a turn of a loop.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > self.limits.steps {
            return Err(issues::too_many_steps(self.limits.steps).into());
        }
        if self.steps.is_multiple_of(MEMORY_INTERVAL) {
            self.check_stop()?;
            return self.check_memory();
        }
        Ok(())
    }

    /// Counts the work of a built-in that goes through values of this size.
    #[inline]
    pub(crate) fn work(&mut self, size: u64) -> Result<()> {
        if size < PER_STEP { Ok(()) } else { self.spend(size / PER_STEP) }
    }

    /// Counts steps.
    #[cold]
    pub(crate) fn spend(&mut self, steps: u64) -> Result<()> {
        let before = self.steps / MEMORY_INTERVAL;
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(issues::too_many_steps(self.limits.steps).into());
        }
        if self.steps / MEMORY_INTERVAL == before {
            return Ok(());
        }
        self.check_stop()?;
        self.check_memory()
    }

    #[cold]
    fn check_stop(&self) -> Result<()> {
        match &self.stop {
            Some(stop) if stop.load(Ordering::Relaxed) => Err(issues::stopped().into()),
            _ => Ok(()),
        }
    }

    /// Fails if the process uses more memory than is allowed.
    #[cold]
    fn check_memory(&self) -> Result<()> {
        match self.environment.memory() {
            Some(used) if used > self.limits.memory => {
                Err(issues::too_much_memory(self.limits.memory).into())
            }
            _ => Ok(()),
        }
    }

    /// Fails if a catalog has more resources than are allowed.
    pub(crate) fn check_resources(&self, count: usize) -> Result<()> {
        if count > self.limits.resources {
            return Err(issues::too_many_resources(self.limits.resources).into());
        }
        if count.is_multiple_of(MEMORY_INTERVAL as usize) {
            return self.check_memory();
        }
        Ok(())
    }

    /// Counts a call that others may nest in.
    #[inline]
    pub(crate) fn enter(&mut self) -> Result<()> {
        self.step()?;
        self.depth += 1;
        if self.depth > self.limits.depth {
            return Err(self.too_deep().into());
        }
        if self.stack_start.abs_diff(stack_position()) > self.limits.stack {
            return Err(self.too_deep().into());
        }
        Ok(())
    }

    /// Tells where the stack was when the run started, and how much of it may be used.
    pub(crate) fn stack(&self) -> (usize, usize) {
        (self.stack_start, self.limits.stack)
    }

    /// Ends a call.
    #[inline]
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    #[cold]
    fn too_deep(&self) -> Error {
        issues::too_deep(self.depth)
    }

    /// Fails if a value that was just made is larger or deeper than is allowed.
    #[inline]
    pub(crate) fn check_extent(&self, value: &Value) -> Result<()> {
        let extent = value.extent();
        if extent.depth > DEEPEST {
            return Err(hierarch_pcore::issues::nested_too_deep(DEEPEST).into());
        }
        self.check_size(usize::try_from(extent.size).unwrap_or(usize::MAX))
    }

    /// Fails if something of this size is more than is allowed.
    #[inline]
    pub(crate) fn check_size(&self, size: usize) -> Result<()> {
        if size > self.limits.size {
            return Err(hierarch_pcore::issues::too_large(self.limits.size).into());
        }
        if size > LARGE { self.check_memory() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::Evaluator;

    /// Compiles a program within limits, and returns what is wrong with it.
    fn outcome(code: &str, limits: ProgramLimits) -> String {
        let environment = Codebase::default();
        let mut evaluator = Evaluator::new(&environment).with_limits(limits);
        match evaluator.compile(&[Source::unnamed(code)]) {
            Ok(_) => "fits".to_owned(),
            Err(error) => error.message.clone(),
        }
    }

    /// Programs that use more than a limit allows end with words that name the flag; with more room they do not.
    #[test]
    fn a_program_that_uses_more_than_a_limit_allows_ends_with_its_name() {
        let roomy = ProgramLimits::default();
        let calls = "function f($n) { if $n > 0 { f($n - 1) } } f(50)";
        let text = "$a = '0123456789' $b = \"${a}${a}${a}\"";
        let resources = "notify { ['a', 'b', 'c']: }";
        for (code, small, large, flag) in [
            (
                calls,
                ProgramLimits { steps: 40, ..roomy },
                ProgramLimits { steps: 400, ..roomy },
                "--max-steps",
            ),
            (
                calls,
                ProgramLimits { depth: 40, ..roomy },
                ProgramLimits { depth: 400, ..roomy },
                "--max-depth",
            ),
            (text, ProgramLimits { size: 15, ..roomy }, ProgramLimits { size: 1000, ..roomy }, "--max-size"),
            (
                resources,
                ProgramLimits { resources: 2, ..roomy },
                ProgramLimits { resources: 20, ..roomy },
                "--max-resources",
            ),
        ] {
            let ended = outcome(code, small);
            assert!(ended.contains(flag), "{code} with {small:?}: {ended}");
            assert_eq!(outcome(code, large), "fits", "{code} with {large:?}");
        }
    }

    #[test]
    fn work_of_built_ins_counts_by_the_hundreds_and_a_new_start_forgets_it() {
        let environment = Codebase::default();
        let mut budget = Budget::new(&environment, ProgramLimits { steps: 10, ..ProgramLimits::default() });
        budget.start();
        for _ in 0..1_000 {
            assert!(budget.work(PER_STEP - 1).is_ok(), "small values are free");
        }
        assert!(budget.work(10 * PER_STEP).is_ok());
        assert!(budget.work(PER_STEP).is_err() && budget.step().is_err());
        budget.start();
        assert!(budget.step().is_ok());
        assert!(budget.work(u64::MAX).is_err(), "no count wraps round");
        assert!(budget.work(u64::MAX).is_err());
    }

    #[test]
    fn whoever_waits_no_longer_ends_a_program() {
        let environment = Codebase::default();
        let mut budget = Budget::new(&environment, ProgramLimits::default());
        let stop = Arc::new(AtomicBool::new(false));
        budget.stop = Some(Arc::clone(&stop));
        let steps = |budget: &mut Budget| (0..=MEMORY_INTERVAL).try_for_each(|_| budget.step());
        assert!(steps(&mut budget).is_ok());
        stop.store(true, Ordering::Relaxed);
        assert!(steps(&mut budget).is_err());
    }

    #[test]
    fn calls_that_ended_are_no_longer_deep() {
        let environment = Codebase::default();
        let mut budget = Budget::new(&environment, ProgramLimits { depth: 2, ..ProgramLimits::default() });
        budget.start();
        for _ in 0..5 {
            assert!(budget.enter().is_ok() && budget.enter().is_ok());
            assert!(budget.enter().is_err(), "a third call inside of two");
            (0..3).for_each(|_| budget.leave());
        }
    }

    #[test]
    fn a_thread_keeps_a_quarter_of_its_stack() {
        assert_eq!(ProgramLimits::default().with_stack_of(8 << 20).stack, 6 << 20);
    }
}
