//! The template engine: whatever its filters and functions give is held within the budget.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use minijinja::functions::Function;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{FunctionArgs, FunctionResult, Rest, Value as JinjaValue, ValueOrKwargs};
use minijinja::{Environment, Error as JinjaError, ErrorKind, State, UndefinedBehavior, filters};

use super::failure::to_jinja_error;
use super::held::{go_through, hold, holding, keep};
use super::issues;
use super::operators::{percent, plus, times};
use super::{compile, methods};
use crate::expr::budget::{Budget, NODE};
use crate::expr::world::World;

/// How deep macros and blocks may nest.
const RECURSION: usize = 60;

/// An engine that filters, tests and functions are put into.
#[derive(Clone)]
pub(super) struct Engine {
    pub(super) environment: Environment<'static>,
    pub(super) syntax: SyntaxConfig,
    /// The names of its filters and tests, for who has misspelt one.
    pub(super) filters: BTreeSet<Cow<'static, str>>,
    pub(super) tests: BTreeSet<Cow<'static, str>>,
    budget: Arc<Budget>,
}

impl Engine {
    /// Makes an engine with what Jinja2 has.
    pub(super) fn new(world: &World) -> Self {
        let mut environment = Environment::new();
        // It writes out all there is, whatever its size.
        environment.remove_global("debug");
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_unknown_method_callback(methods::call);
        environment.set_fuel(Some(world.limits.fuel));
        environment.set_recursion_limit(RECURSION);
        environment.set_debug(true);
        let mut engine = Self {
            environment,
            syntax: SyntaxConfig::builder().keep_trailing_newline(true).build().unwrap_or_default(),
            filters: BTreeSet::new(),
            tests: BUILTIN_TESTS.iter().map(|name| Cow::Borrowed(*name)).collect(),
            budget: Arc::clone(&world.budget),
        };
        engine.add_steps();
        engine.add_builtin_filters();
        engine
    }

    pub(super) fn add_filter<F, Rv, Args>(&mut self, name: impl Into<Cow<'static, str>>, filter: F)
    where
        F: Function<Rv, Args>,
        Rv: FunctionResult,
        Args: for<'a> FunctionArgs<'a>,
    {
        let name = name.into();
        let held = holding(&self.budget, JinjaValue::from_function(filter));
        self.filters.insert(name.clone());
        self.environment.add_filter(name, move |state: &mut State, arguments: Rest<ValueOrKwargs>| {
            held(state, &arguments.into_values())
        });
    }

    pub(super) fn add_test<F, Rv, Args>(&mut self, name: impl Into<Cow<'static, str>>, test: F)
    where
        F: Function<Rv, Args>,
        Rv: FunctionResult,
        Args: for<'a> FunctionArgs<'a>,
    {
        let name = name.into();
        self.tests.insert(name.clone());
        self.environment.add_test(name, test);
    }

    pub(super) fn add_function<F, Rv, Args>(&mut self, name: &'static str, function: F)
    where
        F: Function<Rv, Args>,
        Rv: FunctionResult,
        Args: for<'a> FunctionArgs<'a>,
    {
        self.environment.add_function(name, function);
    }

    /// Adds what compiled templates pipe values through.
    fn add_steps(&mut self) {
        let budget = Arc::clone(&self.budget);
        self.environment.add_filter(compile::HOLD, move |value: JinjaValue| hold(&budget, value));
        let budget = Arc::clone(&self.budget);
        self.environment.add_filter(compile::KEEP, move |value: JinjaValue| keep(&budget, value));
        let budget = Arc::clone(&self.budget);
        self.environment.add_filter(compile::PLUS, move |a: JinjaValue, b: JinjaValue| plus(&budget, &a, &b));
        let budget = Arc::clone(&self.budget);
        self.environment.add_filter(compile::KNOWN, move |state: &mut State, value: JinjaValue| {
            let strict = state.undefined_behavior() == UndefinedBehavior::Strict;
            if strict && value.is_undefined() {
                return Err(ErrorKind::UndefinedError.into());
            }
            go_through(&budget, &value)?;
            Ok::<_, JinjaError>(value)
        });
        let budget = Arc::clone(&self.budget);
        self.environment.add_filter(compile::TESTED, move |value: JinjaValue| {
            go_through(&budget, &value)?;
            Ok::<_, JinjaError>(value)
        });
        self.environment.add_filter(compile::WALKED, |value: JinjaValue| {
            if value.is_none() { Err(issues::null_has_no_items()) } else { Ok(value) }
        });
        let budget = Arc::clone(&self.budget);
        self.environment
            .add_filter(compile::TIMES, move |a: JinjaValue, b: JinjaValue| times(&budget, &a, &b));
        self.environment.add_filter(compile::PERCENT, |state: &mut State, a: JinjaValue, b: JinjaValue| {
            percent(state, &a, &b)
        });
    }

    /// Adds the engine's own filters once more, so that they hold what they give.
    fn add_builtin_filters(&mut self) {
        self.add_filter("safe", filters::safe);
        self.add_filter("lower", filters::lower);
        self.add_filter("upper", filters::upper);
        self.add_filter("title", filters::title);
        self.add_filter("capitalize", filters::capitalize);
        self.add_filter("length", filters::length);
        self.add_filter("count", filters::length);
        self.add_filter("dictsort", filters::dictsort);
        self.add_filter("items", filters::items);
        self.add_filter("reverse", filters::reverse);
        self.add_filter("trim", filters::trim);
        self.add_filter("split", filters::split);
        self.add_filter("lines", filters::lines);
        self.add_filter("round", filters::round);
        self.add_filter("abs", filters::abs);
        self.add_filter("attr", filters::attr);
        self.add_filter("first", filters::first);
        self.add_filter("last", filters::last);
        self.add_filter("min", filters::min);
        self.add_filter("max", filters::max);
        self.add_filter("sort", filters::sort);
        self.add_filter("list", filters::list);
        self.add_filter("sum", filters::sum);
        self.add_filter("select", filters::select);
        self.add_filter("reject", filters::reject);
        self.add_filter("selectattr", filters::selectattr);
        self.add_filter("rejectattr", filters::rejectattr);
        self.add_filter("map", filters::map);
        self.add_filter("groupby", filters::groupby);
        self.add_filter("chain", filters::chain);
        self.add_filter("pprint", filters::pprint);
        let budget = Arc::clone(&self.budget);
        self.add_filter("batch", move |state: &mut State, list, count: usize, fill| {
            fits_list(&budget, count)?;
            filters::batch(state, list, count, fill)
        });
        let budget = Arc::clone(&self.budget);
        self.add_filter("slice", move |state: &mut State, list, count: usize, fill| {
            fits_list(&budget, count)?;
            filters::slice(state, list, count, fill)
        });
    }
}

fn fits_list(budget: &Budget, length: usize) -> Result<(), JinjaError> {
    budget.fits(length.saturating_mul(NODE)).map_err(to_jinja_error)
}

/// The tests that the engine itself brings.
const BUILTIN_TESTS: &[&str] = &[
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "escaped",
    "even",
    "false",
    "filter",
    "float",
    "ge",
    "greaterthan",
    "gt",
    "in",
    "int",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "safe",
    "sameas",
    "sequence",
    "startingwith",
    "string",
    "test",
    "true",
    "undefined",
    "upper",
];
