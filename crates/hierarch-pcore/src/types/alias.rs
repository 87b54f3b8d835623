//! Aliases: named types, which may contain themselves.

use crate::convert::Constructor;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use hierarch_source::Result;

use super::build::{KeyError, Keyed};
use super::{Guard, Kind, Printer, Rules, Type, VariantType};
use crate::assign::really_has;
use crate::{Str, Value, issues};

/// A named type. It is declared first and defined after, so that its definition may name it.
#[derive(Clone)]
pub struct AliasType(Arc<Alias>);

struct Alias {
    name: Str,
    resolved: OnceLock<Type>,
    is_recursive: AtomicBool,
    /// Answers for values without following the definition.
    quick: Option<fn(&Value) -> bool>,
}

impl AliasType {
    /// Declares an alias that is not defined yet.
    pub fn declare(name: impl Into<Str>) -> Self {
        Self::declare_quick(name, None)
    }

    /// Declares an alias whose values are known without following its definition.
    pub(super) fn declare_quick(name: impl Into<Str>, quick: Option<fn(&Value) -> bool>) -> Self {
        Self(Arc::new(Alias {
            name: name.into(),
            resolved: OnceLock::new(),
            is_recursive: AtomicBool::new(false),
            quick,
        }))
    }

    /// Defines the alias. A definition by nothing but aliases is refused; a second definition is ignored.
    pub fn define(&self, type_: &Type) -> Result<()> {
        self.define_exactly(&type_.normalized())
    }

    /// Defines the alias by a type that is not simplified first, as the built-in ones are.
    pub(super) fn define_exactly(&self, type_: &Type) -> Result<()> {
        let type_ = self.without_itself(type_.clone());
        if !is_real(&type_, &mut vec![self.address()]) {
            return Err(issues::unreal_alias(&self.0.name));
        }
        let _ = self.0.resolved.set(type_);
        self.find_recursion();
        Ok(())
    }

    /// Makes an alias that is defined at once.
    pub fn of(name: impl Into<Str>, type_: &Type) -> Result<Type> {
        let alias = Self::declare(name);
        alias.define(type_)?;
        Ok(alias.into())
    }

    /// Returns the definition, once there is one.
    pub fn resolved(&self) -> Option<&Type> {
        self.0.resolved.get()
    }

    /// Tells whether the definition contains the alias itself.
    pub fn is_recursive(&self) -> bool {
        self.0.is_recursive.load(Ordering::Relaxed)
    }

    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    /// Drops members of a variant that are nothing but this alias again.
    fn without_itself(&self, type_: Type) -> Type {
        let Kind::Variant(variant) = type_.kind() else { return type_ };
        let is_other = |member: &&Type| is_real(member, &mut vec![self.address()]);
        let real: Vec<Type> = variant.types().iter().filter(is_other).cloned().collect();
        if real.len() == variant.types().len() || real.is_empty() { type_ } else { VariantType::of(real) }
    }

    /// Marks this alias, and all it names, as recursive if they contain themselves.
    fn find_recursion(&self) {
        let mut aliases = vec![self.clone()];
        if let Some(resolved) = self.resolved() {
            resolved.walk(&mut Vec::new(), &mut |type_| {
                if let Kind::Alias(alias) = type_.kind() {
                    aliases.push(alias.clone());
                }
            });
        }
        for alias in aliases {
            let address = alias.address();
            let mut found = false;
            if let Some(resolved) = alias.resolved() {
                resolved.walk(&mut Vec::new(), &mut |type_| {
                    found |= matches!(type_.kind(), Kind::Alias(other) if other.address() == address);
                });
            }
            alias.0.is_recursive.store(found, Ordering::Relaxed);
        }
    }
}

/// Tells whether a type is made of more than aliases and variants.
fn is_real(type_: &Type, seen: &mut Vec<usize>) -> bool {
    match type_.kind() {
        Kind::Alias(alias) => {
            if seen.contains(&alias.address()) {
                return false;
            }
            seen.push(alias.address());
            // One that is still being defined counts as real; it will answer for itself.
            alias.resolved().is_none_or(|resolved| is_real(resolved, seen))
        }
        Kind::Variant(variant) => variant.types().iter().any(|member| is_real(member, seen)),
        _ => true,
    }
}

impl PartialEq for AliasType {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for AliasType {}

impl Hash for AliasType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl Rules for AliasType {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn constructor(&self) -> Option<&'static Constructor> {
        self.resolved()?.kind().rules().constructor()
    }

    fn write(&self, printer: &mut Printer) {
        printer.alias(self);
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        if let Some(quick) = self.0.quick {
            return quick(value);
        }
        let Some(resolved) = self.resolved() else { return false };
        if self.is_recursive() {
            really_has(&Type::from(self.clone()), value, guard) == 1
        } else {
            resolved.has_guarded(value, guard)
        }
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        self.resolved().is_some_and(|resolved| resolved.accepts_guarded(other, guard))
    }

    fn element(&self) -> Option<Type> {
        self.resolved()?.element()
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.resolved().into_iter().for_each(visit);
    }

    fn parametrize(&self, _: &[Value]) -> Keyed {
        Err(KeyError::left(issues::access_not_applicable(&Type::from(self.clone()).to_string())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check_facts;

    fn tree() -> Type {
        let alias = AliasType::declare("Tree");
        let own: Type = alias.clone().into();
        alias.define(&Type::variant_of(vec![Type::integer(), Type::array_of(own)])).expect("a definition");
        alias.into()
    }

    #[test]
    fn an_alias_may_contain_itself() {
        let one = Value::from(1);
        let nested = Value::array(vec![one.clone(), Value::array(vec![one.clone(), Value::array(vec![])])]);
        assert!(tree().has(&nested));
        assert!(!tree().has(&Value::array(vec![Value::array(vec![Value::from("a")])])));
        assert!(tree().accepts(&tree()));
        assert_eq!(tree().to_string(), "Tree = Variant[Integer, Array[Tree]]");
        assert_eq!(Type::array_of(tree()).to_string(), "Array[Tree]");
    }

    #[test]
    fn an_alias_of_nothing_but_itself_is_refused() {
        let alias = AliasType::declare("A");
        let error = alias.define(&alias.clone().into()).expect_err("no type");
        assert_eq!(error.message, "Type alias 'A' cannot be resolved to a real type");
    }

    #[test]
    fn an_alias_must_end_in_a_real_type() {
        check_facts(&[
            ("type A = Integer\nA", "A = Integer"),
            ("type A = Array[A]\nA", "A = Array[A]"),
            ("type A = A\nA", "Type alias 'A' cannot be resolved to a real type"),
            ("type A = Variant[A, Integer]\nA", "A = Integer"),
            ("type A = Variant[Integer, Array[A]]\nA", "A = Variant[Integer, Array[A]]"),
            ("type A = Hash[String, Variant[Integer, A]]\nA", "A = Hash[String, Variant[Integer, A]]"),
            ("type A = Integer\ntype B = Array[A]\nB", "B = Array[A = Integer]"),
            ("type A = Integer\nA[1]", "Operator '[]' is not applicable to an A = Integer-Type."),
            ("type A = Integer\nA[1, 2]", "Operator '[]' is not applicable to an A = Integer-Type."),
        ]);
    }
}
