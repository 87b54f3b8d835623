//! Assignability: whether a type may be used where another is wanted.
//!
//! What concerns the type being assigned (an alias, a variant, an optional, a `NotUndef`) is the same for
//! nearly all types and stands here, before the wanted type is asked. Recursion is guarded here.

use crate::types::{AliasType, Guard, Kind};
use crate::{Type, Value};

/// Tells whether `other` may be used where `wanted` is.
pub(crate) fn assignable(wanted: &Type, other: &Type, guard: &mut Guard) -> bool {
    match wanted.kind() {
        // Unit stands for whatever it meets.
        Kind::Unit(_) => true,
        Kind::Variant(variant) if variant.types().is_empty() => match other.kind() {
            Kind::Undef(_) => false,
            Kind::Variant(_) => true,
            _ => general(wanted, other, guard),
        },
        Kind::Alias(alias) if alias.is_recursive() => guard.started(|guard| {
            guard.with_this(wanted.address(), |guard| guard.recurs_in_both() || general(wanted, other, guard))
        }),
        _ => general(wanted, other, guard),
    }
}

/// Takes the assigned type apart, then asks the wanted one.
fn general(wanted: &Type, other: &Type, guard: &mut Guard) -> bool {
    let rules = wanted.kind().rules();
    match other.kind() {
        Kind::Unit(_) => true,
        Kind::Alias(alias) => assignable_alias(wanted, alias, other.address(), guard),
        Kind::Variant(variant) => match wanted.kind() {
            Kind::Any(_) => true,
            Kind::NotUndef(_) if variant.types().is_empty() => rules.accepts(other, guard),
            _ => {
                !variant.types().is_empty()
                    && variant.types().iter().all(|member| assignable(wanted, member, guard))
            }
        },
        // The guard goes along, so that an alias with an optional member ends here; the reference's stack does.
        Kind::Optional(optional) => {
            assignable(wanted, &Type::undef(), guard)
                && optional.contained().is_none_or(|inner| assignable(wanted, inner, guard))
        }
        Kind::NotUndef(not_undef) => match not_undef.contained() {
            Some(inner) if !inner.accepts(&Type::undef()) => assignable(wanted, inner, guard),
            _ => rules.accepts(other, guard),
        },
        _ => rules.accepts(other, guard),
    }
}

/// Follows an alias that is assigned. A recursion on both sides that nothing stopped holds.
fn assignable_alias(wanted: &Type, alias: &AliasType, address: usize, guard: &mut Guard) -> bool {
    let Some(resolved) = alias.resolved() else { return false };
    if !alias.is_recursive() {
        return assignable(wanted, resolved, guard);
    }
    guard.started(|guard| {
        guard.add_that(address);
        guard.recurs_in_both() || assignable(wanted, resolved, guard)
    })
}

/// Tells whether a value belongs to a type, three ways: no, only through a recursion, yes.
pub(crate) fn really_has(type_: &Type, value: &Value, guard: &mut Guard) -> i8 {
    match type_.kind() {
        Kind::Alias(alias) => match alias.resolved() {
            None => -1,
            Some(resolved) if alias.is_recursive() => {
                really_has_alias(resolved, type_.address(), value, guard)
            }
            Some(resolved) => really_has(resolved, value, guard),
        },
        Kind::Variant(variant) => {
            let mut best = -1;
            for member in variant.types() {
                let found = really_has(member, value, guard);
                if found > 0 {
                    return found;
                }
                best = best.max(found);
            }
            best
        }
        Kind::Init(init) => init.really_has(value, guard),
        _ if type_.has_guarded(value, guard) => 1,
        _ => -1,
    }
}

fn really_has_alias(resolved: &Type, this: usize, value: &Value, guard: &mut Guard) -> i8 {
    let that = std::ptr::from_ref(value) as usize;
    guard.started(|guard| {
        guard.with_that(that, |guard| {
            guard.with_this(
                this,
                |guard| {
                    if guard.recurs_in_both() { 0 } else { really_has(resolved, value, guard) }
                },
            )
        })
    })
}
