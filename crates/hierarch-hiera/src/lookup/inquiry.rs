//! What a walk asks at the moment, and on whose behalf.
//!
//! A part of a walk that asks for something else gets an inquiry of its own, by value, so that nothing has to be put back
//! when that part ends.

use std::cell::{Cell, RefCell};
use std::sync::LazyLock;

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Result;

use super::context::Invocation;
use super::{Context, Mode, VariableRead};
use crate::glob::WalkStop;
use crate::hiera::Hiera;
use crate::host::LookupHost;
use crate::issues;
use crate::lookup::Memory;
use crate::query::OldCall;
use crate::settings::LookupLimits;
use crate::trace::Listener;

/// How many names may be under way at once.
const MOST_NAMES: usize = 100;

pub(super) static NO_VALUES: LazyLock<Hash> = LazyLock::new(Hash::new);

/// What a walk starts from.
pub(crate) struct Start<'w> {
    pub(crate) hiera: &'w Hiera,
    pub(crate) host: &'w dyn LookupHost,
    pub(crate) memory: &'w RefCell<Memory>,
    pub(crate) budget: &'w Budget,
    pub(crate) listener: Option<&'w mut (dyn Listener + 'w)>,
    pub(crate) overrides: &'w Hash,
    pub(crate) defaults: &'w Hash,
    pub(crate) global_only: bool,
    pub(crate) old_call: Option<&'w OldCall>,
    /// The lookup in the middle of which this one starts.
    pub(crate) within: Option<&'w Context>,
}

/// What is asked, and on whose behalf.
#[derive(Clone)]
pub(crate) struct Inquiry<'w> {
    /// The names under way, those of the lookup around this one first.
    pub(super) outer_names: &'w [Str],
    pub(super) names: Option<&'w NameUnderWay<'w>>,
    pub(super) overrides: &'w Hash,
    pub(super) defaults: &'w Hash,
    /// A name of hiera.yaml that stands for a value.
    pub(super) local: Option<(&'w Str, &'w Value)>,
    pub(super) mode: Mode,
    /// Where it is noted which variables were read.
    pub(super) reads: Option<&'w RefCell<Vec<VariableRead>>>,
    /// The key that a failure of the global layer names.
    pub(super) top_key: Str,
    pub(super) module: Option<Str>,
    pub(super) global_only: bool,
    pub(super) old_call: Option<&'w OldCall>,
    /// Version 3 takes an empty text for an undefined variable.
    pub(super) hiera3_scope: bool,
    /// A survey wants to know what the answer depends on.
    pub(crate) is_recorded: bool,
    /// The tokens under way stand in something secret: nobody is told what they ask for.
    pub(super) is_secret: bool,
}

/// A name that must not lead back to itself, and those under way before it.
pub(super) struct NameUnderWay<'w> {
    name: Str,
    outer: Option<&'w NameUnderWay<'w>>,
}

impl<'w> Inquiry<'w> {
    pub(super) fn new(start: &Start<'w>) -> Self {
        let outer = start.within.map(|context| &context.invocation);
        Self {
            outer_names: outer.map_or(&[], |outer| &outer.names),
            names: None,
            overrides: start.overrides,
            defaults: start.defaults,
            local: None,
            mode: Mode::Data,
            reads: None,
            top_key: Str::new(),
            module: None,
            global_only: start.global_only || outer.is_some_and(|outer| outer.global_only),
            old_call: start.old_call.or(outer.and_then(|outer| outer.old_call.as_ref())),
            hiera3_scope: false,
            is_recorded: !start.memory.borrow().recordings.is_empty(),
            is_secret: false,
        }
    }

    /// Goes on as the lookup did that a data function was called in.
    pub(super) fn resumed(self, context: &'w Context) -> Self {
        let outer = &context.invocation;
        Self {
            overrides: &outer.overrides,
            defaults: &outer.defaults,
            top_key: outer.top_key.clone(),
            module: outer.module.clone(),
            hiera3_scope: outer.hiera3_scope,
            ..self
        }
    }

    /// Asks on behalf of a key, which may be one of a module.
    pub(super) fn on_behalf_of(self, top_key: Str, module: Option<Str>) -> Self {
        Self { top_key, module, ..self }
    }

    /// Says whether a survey wants to know what the answer depends on.
    pub(crate) fn recorded(self, is_recorded: bool) -> Self {
        Self { is_recorded, ..self }
    }

    /// Asks for something that no overrides and defaults reach.
    pub(super) fn without_given_values(self) -> Self {
        Self { overrides: &NO_VALUES, defaults: &NO_VALUES, ..self }
    }

    /// Asks for the levels of hiera.yaml, which depend on variables alone.
    pub(super) fn for_levels(self, reads: &'w RefCell<Vec<VariableRead>>) -> Self {
        let (names, reads) = (None, Some(reads));
        Self { names, outer_names: &[], mode: Mode::Data, is_recorded: false, reads, ..self }
            .without_given_values()
    }

    /// Returns the chain of names with one more, unless that leads back to itself or too far.
    pub(super) fn name_under_way(&self, name: Str) -> Result<NameUnderWay<'w>> {
        if self.inner_names().any(|known| *known == name) || self.outer_names.contains(&name) {
            return Err(issues::recursive(&self.all_names()));
        }
        if self.outer_names.len() + self.inner_names().count() >= MOST_NAMES {
            return Err(issues::too_deep(MOST_NAMES));
        }
        Ok(NameUnderWay { name, outer: self.names })
    }

    /// Asks under a name.
    pub(super) fn under<'n>(&self, name: &'n NameUnderWay<'n>) -> Inquiry<'n>
    where
        'w: 'n,
    {
        Inquiry { names: Some(name), ..self.clone() }
    }

    fn inner_names(&self) -> impl Iterator<Item = &'w Str> {
        let first: Option<&'w NameUnderWay<'w>> = self.names;
        std::iter::successors(first, |name| name.outer).map(|name| &name.name)
    }

    /// Returns all names under way, the outermost first.
    pub(super) fn all_names(&self) -> Vec<Str> {
        let mut inner: Vec<Str> = self.inner_names().cloned().collect();
        inner.reverse();
        self.outer_names.iter().cloned().chain(inner).collect()
    }

    /// Returns what outlives the walk.
    pub(super) fn invocation(&self) -> Invocation {
        Invocation {
            names: self.all_names(),
            overrides: self.overrides.clone(),
            defaults: self.defaults.clone(),
            top_key: self.top_key.clone(),
            module: self.module.clone(),
            global_only: self.global_only,
            old_call: self.old_call.cloned(),
            hiera3_scope: self.hiera3_scope,
        }
    }

    /// Notes that a variable was read; a name of hiera.yaml is none that could change.
    pub(super) fn note_read(&self, read: impl FnOnce() -> VariableRead) {
        if let Some(reads) = self.reads {
            let read = read();
            if self.local.is_none_or(|(name, _)| read.variable.root.as_ref() != Some(name)) {
                reads.borrow_mut().push(read);
            }
        }
    }
}

/// How many steps are left to a lookup, and how much text it may still make.
pub(crate) struct Budget {
    limits: LookupLimits,
    steps: Cell<u64>,
    text: Cell<usize>,
}

impl Budget {
    pub(crate) fn new(limits: LookupLimits) -> Self {
        Self { limits, steps: Cell::new(limits.steps), text: Cell::new(limits.size) }
    }

    /// Counts a token.
    pub(super) fn count_step(&self) -> Result<()> {
        self.count_steps(|left| {
            *left = left.checked_sub(1).ok_or(WalkStop::OutOfSteps)?;
            Ok(())
        })
    }

    /// Does something that takes steps from those that are left, and has nothing to show once none is.
    pub(crate) fn count_steps<T>(
        &self,
        body: impl FnOnce(&mut u64) -> std::result::Result<T, WalkStop>,
    ) -> Result<T> {
        let mut left = self.steps.get();
        let result = body(&mut left);
        self.steps.set(left);
        result.map_err(|stopped| stopped.error(self.limits.steps))
    }

    /// Counts text that tokens made.
    pub(super) fn count_text(&self, bytes: usize) -> Result<()> {
        let left = self.text.get().checked_sub(bytes);
        self.text.set(left.ok_or_else(|| issues::too_much_text(self.limits.size))?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inquiry() -> Inquiry<'static> {
        Inquiry {
            outer_names: &[],
            names: None,
            overrides: &NO_VALUES,
            defaults: &NO_VALUES,
            local: None,
            mode: Mode::Data,
            reads: None,
            top_key: Str::new(),
            module: None,
            global_only: false,
            old_call: None,
            hiera3_scope: false,
            is_recorded: false,
            is_secret: false,
        }
    }

    #[test]
    fn a_name_under_way_leads_to_itself_by_no_detour() {
        let outer = inquiry();
        let a = outer.name_under_way("a".into()).expect("the first name");
        let inside = outer.under(&a);
        let b = inside.name_under_way("b".into()).expect("another name");
        let deepest = inside.under(&b);
        assert_eq!(deepest.all_names(), ["a", "b"]);
        assert!(deepest.name_under_way("a".into()).is_err());
        assert!(outer.name_under_way("a".into()).is_ok(), "nothing has to be put back");
    }

    #[test]
    fn names_of_the_lookup_around_count() {
        let outer = ["a".into(), "b".into()];
        let inquiry = Inquiry { outer_names: &outer, ..inquiry() };
        let Err(error) = inquiry.name_under_way("a".into()) else { panic!("a is under way") };
        assert!(error.message.contains("a, b"), "{}", error.message);
        let many: Vec<Str> = (0..MOST_NAMES).map(|number| number.to_string().into()).collect();
        assert!(Inquiry { outer_names: &many, ..inquiry }.name_under_way("new".into()).is_err());
    }

    #[test]
    fn steps_and_text_end_at_their_limits() {
        let budget = Budget::new(LookupLimits { steps: 2, size: 3 });
        assert!(budget.count_step().is_ok() && budget.count_step().is_ok());
        assert!(budget.count_step().is_err());
        assert!(budget.count_text(3).is_ok());
        assert!(budget.count_text(1).is_err());
    }
}
