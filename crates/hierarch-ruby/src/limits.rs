//! How much a script may use before it is stopped. A script cannot rescue a limit.

use crate::issues;
use crate::run::{Flow, Res, Vm};
use crate::value::Value;

/// From this length on a walk over a text, list or hash counts.
const LONG: usize = 4_096;

/// Methods of texts that do not look at all of it.
const SHORT_FOR_TEXTS: &[&str] = &[
    "<<",
    "concat",
    "empty?",
    "bytesize",
    "getbyte",
    "to_s",
    "to_str",
    "itself",
    "freeze",
    "frozen?",
    "encoding",
    "class",
    "is_a?",
    "kind_of?",
    "nil?",
    "respond_to?",
    "object_id",
    "equal?",
    "start_with?",
    "tap",
    "then",
    "!",
    "instance_of?",
];

/// Methods that take far longer for a byte of text than others.
const SLOW_FOR_TEXTS: &[&str] = &[
    "Float",
    "Integer",
    "Rational",
    "load",
    "safe_load",
    "parse",
    "generate",
    "pretty_generate",
    "dump",
    "to_yaml",
    "to_json",
    "new",
    "compile",
    "union",
    "match",
    "match?",
    "=~",
    "upto",
    "rindex",
    "rpartition",
    "inspect",
    "unicode_normalize",
    "unicode_normalize!",
    "unicode_normalized?",
    "encode",
    "unpack",
    "unpack1",
    "to_f",
    "to_i",
    "to_r",
    "succ",
];

/// Methods of lists that move or look at all elements in one go; others count what they hand out or make.
const LONG_FOR_LISTS: &[&str] =
    &["shift", "unshift", "prepend", "insert", "delete", "delete_at", "[]=", "slice!"];

/// Methods of hashes that do so.
const LONG_FOR_HASHES: &[&str] = &["shift", "delete", "value?", "has_value?", "key", "rassoc", "rehash"];

/// The limits of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScriptLimits {
    /// How many calls, turns of loops and runs of blocks.
    pub steps: u64,
    /// How many calls deep; beyond it Ruby's own SystemStackError.
    pub depth: u32,
    /// How many bytes may be alive in strings and collections.
    pub memory: usize,
    /// How long one string or collection may be.
    pub size: usize,
    /// How many symbols a script may make of texts.
    pub symbols: u32,
    /// How many bytes of the thread's stack.
    pub stack: usize,
}

impl Default for ScriptLimits {
    fn default() -> Self {
        Self {
            steps: 50_000_000,
            depth: 10_000,
            memory: 512 << 20,
            size: 50_000_000,
            symbols: 100_000,
            stack: 1_200_000,
        }
    }
}

/// Returns roughly where the stack is.
#[inline]
pub(crate) fn stack_position() -> usize {
    let marker = 0u8;
    std::ptr::from_ref(&marker) as usize
}

/// Tells how many steps a walk over a text is worth; over a short one none besides the call.
#[inline]
fn passes_over(text: &crate::value::Str, method: &str) -> usize {
    let bytes = text.len();
    if bytes < LONG || SHORT_FOR_TEXTS.contains(&method) {
        return 0;
    }
    bytes >> if SLOW_FOR_TEXTS.contains(&method) { 3 } else { 7 }
}

impl Vm<'_> {
    /// Counts a call, a turn of a loop or a run of a block.
    #[inline]
    pub fn step(&mut self) -> Res<()> {
        self.steps = self.steps.saturating_add(1);
        // Large texts and lists cost time as well: so many bytes made are a step.
        let copied = self.meter.made().saturating_sub(self.made_before) >> 7;
        if self.steps.saturating_add(copied) > self.limits.steps || self.meter.alive() > self.limits.memory {
            return Err(self.over_limit());
        }
        Ok(())
    }

    /// Counts a walk over a long receiver or argument, which most built-in methods begin or end with.
    pub(crate) fn count_walk(&mut self, receiver: &Value, first: Option<&Value>, method: &str) -> Res<()> {
        let given = match first {
            Some(Value::Str(text)) => passes_over(text, method),
            _ => 0,
        };
        let own = match receiver {
            Value::Str(text) => passes_over(text, method),
            Value::Array(list) if list.len() >= LONG && LONG_FOR_LISTS.contains(&method) => list.len() >> 7,
            Value::Hash(hash) if hash.len() >= LONG && LONG_FOR_HASHES.contains(&method) => hash.len() >> 5,
            _ => 0,
        };
        if own + given == 0 { Ok(()) } else { self.work((own + given) as u64) }
    }

    /// Counts the work of a built-in method that is about to be done.
    pub fn work(&mut self, steps: u64) -> Res<()> {
        self.steps = self.steps.saturating_add(steps);
        self.step()
    }

    #[cold]
    fn over_limit(&self) -> Box<Flow> {
        if self.meter.alive() <= self.limits.memory {
            return Flow::stop(issues::too_many_steps(self.limits.steps));
        }
        Flow::stop(issues::too_much_memory(self.limits.memory))
    }

    /// Fails if something that is about to be made is too large.
    pub fn check_size(&self, size: usize) -> Res<()> {
        if size > self.limits.size {
            return Err(Flow::stop(issues::too_large(self.limits.size)));
        }
        Ok(())
    }

    /// Tells whether there is stack and depth for another call.
    #[inline]
    pub(crate) fn is_too_deep(&self) -> bool {
        self.depth > self.limits.depth || self.stack_start.abs_diff(stack_position()) > self.limits.stack
    }

    /// Returns the symbol of a text, counting those that are new.
    pub fn intern(&mut self, text: &str) -> Res<crate::value::Sym> {
        if let Some(known) = crate::value::Sym::known(text) {
            return Ok(known);
        }
        self.symbols += 1;
        if self.symbols > self.limits.symbols {
            return Err(Flow::stop(issues::too_many_symbols(self.limits.symbols)));
        }
        self.check_size(text.len().saturating_mul(8))?;
        Ok(crate::value::Sym::of(text))
    }
}
