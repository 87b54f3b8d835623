//! `Init[T, args…]`: values of which `T.new(value, args…)` can be made.

use super::guide::Guide;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use hierarch_source::Error;

use super::build::{KeyError, Keyed};
use super::{Guard, IntegerType, Kind, Rules, TupleType, Type, VariantType};
use crate::assign::really_has;
use crate::ruby_class;
use crate::{Value, convert, infer, issues};

/// Values that a type can be made of.
#[derive(Clone, Default)]
pub struct InitType {
    target: Option<Type>,
    arguments: Vec<Value>,
    prepared: OnceLock<Option<TargetSignature>>,
}

/// What the constructor of the target takes.
#[derive(Clone)]
struct TargetSignature {
    /// A single value of this type will do.
    single: Type,
    /// Or an array of arguments of this type.
    several: Option<Type>,
    /// An array of arguments may have just one element.
    one_will_do: bool,
}

impl TargetSignature {
    fn accepts(&self, target: &Type, other: &Type, guard: &mut Guard) -> bool {
        target.accepts_guarded(other, guard)
            || self.single.accepts_guarded(other, guard)
            || self.several.as_ref().is_some_and(|several| {
                several.accepts_guarded(other, guard)
                    || (self.one_will_do
                        && several.accepts_guarded(&Type::tuple_of(vec![other.clone()]), guard))
            })
    }
}

/// Returns a number by which a value is known again, wherever a copy of it stands.
fn identity(value: &Value) -> usize {
    match value {
        Value::Array(array) => Arc::as_ptr(array) as usize,
        Value::Hash(hash) => Arc::as_ptr(hash) as usize,
        Value::Object(object) => Arc::as_ptr(object) as usize,
        other => {
            let mut hasher = std::hash::DefaultHasher::new();
            other.hash(&mut hasher);
            hasher.finish() as usize
        }
    }
}

impl InitType {
    /// Makes the type.
    pub fn new(target: Option<Type>, arguments: Vec<Value>) -> Self {
        Self { target, arguments, prepared: OnceLock::new() }
    }

    /// Returns the type to be made.
    pub fn contained(&self) -> Option<&Type> {
        self.target.as_ref()
    }

    /// Returns the further arguments of `new`.
    pub fn arguments(&self) -> &[Value] {
        &self.arguments
    }

    /// Tells whether an array stands for the arguments of `new` rather than for its first one.
    pub fn spreads(&self, value: &Value) -> bool {
        matches!(value, Value::Array(_))
            && self.arguments.is_empty()
            && self.prepared().is_some_and(|prepared| !prepared.single.has(value))
    }

    pub(crate) fn really_has(&self, value: &Value, guard: &mut Guard) -> i8 {
        if self.target.is_none() {
            // What an alias around it remembers does not count here.   case: lang/exactness
            return really_has(&Type::rich_data(), value, &mut Guard::new());
        }
        // A constructor may take what the type itself can be made of.
        guard.started(|guard| {
            guard.with_that(identity(value), |guard| {
                guard.with_this(self.address(), |guard| {
                    if guard.recurs_in_both() { 0 } else { self.is_made_of(value, guard) }
                })
            })
        })
    }

    fn address(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }

    fn is_made_of(&self, value: &Value, guard: &mut Guard) -> i8 {
        let Some(target) = &self.target else { return -1 };
        let mut found = really_has(target, value, guard);
        let Some(prepared) = self.prepared() else { return found };
        if found < 1 {
            found = found.max(really_has(&prepared.single, value, guard));
        }
        if found < 1
            && let Some(several) = &prepared.several
        {
            let mut other = really_has(several, value, guard);
            if other < 0 && prepared.one_will_do {
                other = really_has(several, &Value::array(vec![value.clone()]), guard);
            }
            found = found.max(other);
        }
        found
    }

    fn prepared(&self) -> Option<&TargetSignature> {
        self.prepared.get_or_init(|| self.prepare()).as_ref()
    }

    fn prepare(&self) -> Option<TargetSignature> {
        let target = self.target.as_ref()?;
        if matches!(target.kind(), Kind::Init(_) | Kind::Optional(_) | Kind::NotUndef(_)) {
            return None;
        }
        let tuples = convert::parameters(target)?;
        let mut singles = vec![target.clone()];
        if !self.arguments.is_empty() {
            let fitting =
                tuples.iter().filter(|tuple| self.fits(tuple)).filter_map(|tuple| tuple.at(0).cloned());
            singles.extend(fitting);
            return Some(TargetSignature {
                single: VariantType::of(singles),
                several: None,
                one_will_do: false,
            });
        }
        let one = IntegerType::exactly(1);
        let (single, several): (Vec<_>, Vec<_>) =
            tuples.into_iter().partition(|tuple| tuple.size_range() == one);
        singles.extend(single.iter().filter_map(|tuple| tuple.at(0).cloned()));
        let one_will_do = several.iter().any(|tuple| tuple.size_range().min == Some(1));
        let several =
            (!several.is_empty()).then(|| VariantType::of(several.into_iter().map(Type::from).collect()));
        Some(TargetSignature { single: VariantType::of(singles), several, one_will_do })
    }

    /// Returns why no value can be compared with it: nothing can be made of the type, or not with these arguments.
    pub fn complaint(&self) -> Option<Error> {
        let target = self.target.as_ref()?;
        if !convert::is_creatable(target) {
            return Some(issues::not_creatable(&target.to_string()));
        }
        let fits = self.arguments.is_empty()
            || convert::parameters(target).is_none_or(|tuples| tuples.iter().any(|tuple| self.fits(tuple)));
        (!fits).then(|| issues::init_arguments(&Type::from(self.clone()).to_string(), target.name()))
    }

    /// Tells whether a signature takes the further arguments.
    fn fits(&self, tuple: &TupleType) -> bool {
        let Some(first) = tuple.at(0) else { return false };
        let types =
            std::iter::once(first.clone()).chain(self.arguments.iter().map(infer::detailed)).collect();
        Type::from(tuple.clone()).accepts(&Type::tuple_of(types))
    }
}

impl PartialEq for InitType {
    fn eq(&self, other: &Self) -> bool {
        self.target == other.target && self.arguments == other.arguments
    }
}

impl Eq for InitType {}

impl Hash for InitType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.target.hash(state);
        self.arguments.hash(state);
    }
}

impl Rules for InitType {
    fn name(&self) -> &'static str {
        "Init"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Init", parameters: "T, arguments…", what: "What a value of T can be made of" })
    }

    fn params(&self) -> Vec<Value> {
        self.target.iter().cloned().map(Value::from).chain(self.arguments.iter().cloned()).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        self.really_has(value, guard) == 1
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        let Some(target) = &self.target else {
            return matches!(other.kind(), Kind::Init(_)) || Type::rich_data().accepts_guarded(other, guard);
        };
        if let Kind::Init(other) = other.kind() {
            return other.target.as_ref().is_some_and(|other| target.accepts_guarded(other, guard));
        }
        let Some(prepared) = self.prepared() else { return target.accepts_guarded(other, guard) };
        guard.started(|guard| {
            guard.with_that(other.address(), |guard| {
                guard.with_this(self.address(), |guard| {
                    guard.recurs_in_both() || prepared.accepts(target, other, guard)
                })
            })
        })
    }

    fn generalized(&self) -> Option<Type> {
        Some(Self::new(self.target.as_ref().map(Type::generalized), self.arguments.clone()).into())
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.target.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        match keys {
            [Value::Type(target), arguments @ ..] => {
                Ok(Type::from(Self::new(Some(target.clone()), arguments.to_vec())).into())
            }
            [other, ..] => Err(KeyError::key(0, issues::type_slice_type("Init-Type", ruby_class(other)))),
            [] => Err(KeyError::whole(issues::type_slice_arity("Init-Type", 1, None, 0))),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints};

    #[test]
    fn what_a_constructor_takes_is_an_instance() {
        check_has("Init[Integer]", &["1", "'12'", "true", "['10', 16]"], &["'x'", "undef", "{a => 1}"]);
        check_accepts("Init[Integer]", &["Integer", "Boolean", "Numeric"], &["String", "Array"]);
        check_prints("Init[Integer, 16]", "Init[Integer, 16]");
    }

    #[test]
    fn what_a_constructor_is_given() {
        check_facts(&[
            ("Init[Integer]", "Init[Integer]"),
            ("Init[Integer, 16]", "Init[Integer, 16]"),
            ("Init[Integer, 16, true]", "Init[Integer, 16, true]"),
            ("Init[1]", "Init-Type[] arguments must be types. Got Integer"),
            ("Init(1)", "Creation of new instance of type 'Init' is not supported"),
            ("Init[Integer].new('12')", "12"),
            ("Init[Integer, 16].new('1f')", "'new' The string '1f' cannot be converted to Integer"),
            ("Init[Integer, 16].new('zz')", "'new' The string 'zz' cannot be converted to Integer"),
            ("Init[Boolean].new('yes')", "true"),
            ("Init[Array].new('ab')", "['a', 'b']"),
            ("Init[Array, true].new('ab')", "['ab']"),
        ]);
    }
}
