//! `Variant[A, B, …]`: any of several types.

use super::guide::Guide;
use std::hash::{Hash, Hasher};

use foldhash::fast::RandomState;
use indexmap::IndexSet;

use super::build::{KeyKind, Keyed, check_keys, flattened};
use super::{
    EnumType, Guard, Kind, NotUndefType, OptionalType, PatternType, Rules, SemVerType, TimespanType,
    TimestampType, Type,
};
use crate::{Str, Value};

/// Any of several types; of none, nothing.
#[derive(Clone, Default)]
pub struct VariantType(Vec<Type>);

impl VariantType {
    /// Makes a variant of types, flat and each once; one type alone is itself.
    pub fn of(types: Vec<Type>) -> Type {
        let mut unique: Vec<Type> =
            flat(types).into_iter().collect::<IndexSet<Type, RandomState>>().into_iter().collect();
        if unique.len() == 1 { unique.swap_remove(0) } else { Self(unique).into() }
    }

    /// Returns the types.
    pub fn types(&self) -> &[Type] {
        &self.0
    }
}

/// Puts the members of variants in their place.
fn flat(types: Vec<Type>) -> Vec<Type> {
    let is_variant = |type_: &Type| matches!(type_.kind(), Kind::Variant(_));
    if !types.iter().any(is_variant) {
        return types;
    }
    let members = |type_: Type| match type_.kind() {
        Kind::Variant(variant) => variant.0.clone(),
        _ => vec![type_],
    };
    types.into_iter().flat_map(members).collect()
}

impl PartialEq for VariantType {
    /// The order of types does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().all(|type_| other.0.contains(type_))
    }
}

impl Eq for VariantType {}

impl Hash for VariantType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.len().hash(state);
    }
}

impl Rules for VariantType {
    fn name(&self) -> &'static str {
        "Variant"
    }

    fn guide(&self) -> Option<Guide> {
        Some(Guide { name: "Variant", parameters: "T, …", what: "What belongs to any of the types" })
    }

    fn params(&self) -> Vec<Value> {
        self.0.iter().cloned().map(Value::from).collect()
    }

    fn has(&self, value: &Value, guard: &mut Guard) -> bool {
        self.0.iter().any(|type_| type_.has_guarded(value, guard))
    }

    fn accepts(&self, other: &Type, guard: &mut Guard) -> bool {
        self.0.iter().any(|type_| type_.accepts_guarded(other, guard))
    }

    fn generalized(&self) -> Option<Type> {
        (!self.0.is_empty()).then(|| {
            let altered: Vec<Type> = self.0.iter().map(Type::generalized).collect();
            if altered == self.0 { Type::from(self.clone()) } else { Self::of(altered) }
        })
    }

    fn normalized(&self) -> Option<Type> {
        if self.0.is_empty() {
            return None;
        }
        let types: Vec<Type> = self.0.iter().map(Type::normalized).collect();
        if types.len() == 1 {
            return types.into_iter().next();
        }
        let is_optional = |type_: &Type| matches!(type_.kind(), Kind::Undef(_) | Kind::Optional(_));
        if types.iter().any(is_optional) {
            return Some(Type::from(OptionalType::new(Some(Self::of(without_undef(types))))).normalized());
        }
        let changed = types != self.0;
        let flat = flat(types);
        let count = flat.len();
        let merged = merge_all(flat);
        Some(match merged.len() {
            1 => merged.into_iter().next()?,
            length if changed || length != count => Self::of(merged),
            _ => return None,
        })
    }

    fn visit(&self, visit: &mut dyn FnMut(&Type)) {
        self.0.iter().for_each(visit);
    }

    fn parametrize(&self, keys: &[Value]) -> Keyed {
        let keys = flattened(keys);
        check_keys(self, &keys, 1, None, &[KeyKind::Type])?;
        Ok(Self::of(keys.iter().filter_map(|key| key.as_type().cloned()).collect()).into())
    }
}

fn without_undef(types: Vec<Type>) -> Vec<Type> {
    let unwrap = |type_: Type| match type_.kind() {
        Kind::Undef(_) => None,
        Kind::Optional(optional) => optional.contained().cloned(),
        _ => Some(type_),
    };
    types.into_iter().filter_map(unwrap).collect()
}

fn merge_all(types: Vec<Type>) -> Vec<Type> {
    let types = append_merged(types, |type_| matches!(type_.kind(), Kind::NotUndef(_)), merge_not_undefs);
    let types = append_merged(types, is_listed_exactly, merge_enums);
    let types = append_merged(types, is_listed_loosely, merge_loose_enums);
    let types = append_merged(types, |type_| matches!(type_.kind(), Kind::Pattern(_)), merge_patterns);
    let types = prepend_merged(
        types,
        |type_| matches!(type_.kind(), Kind::SemVer(_)),
        |types| merge_versions(&types),
    );
    let types = prepend_merged(
        types,
        |type_| matches!(type_.kind(), Kind::Integer(_)),
        |types| merge_ranges(types, &integers),
    );
    let types = prepend_merged(
        types,
        |type_| matches!(type_.kind(), Kind::Float(_)),
        |types| merge_ranges(types, &floats),
    );
    let types = prepend_merged(
        types,
        |type_| matches!(type_.kind(), Kind::Timespan(_)),
        |types| merge_ranges(types, &timespans),
    );
    prepend_merged(
        types,
        |type_| matches!(type_.kind(), Kind::Timestamp(_)),
        |types| merge_ranges(types, &timestamps),
    )
}

/// Replaces several types of a sort by one at the end.
fn append_merged(types: Vec<Type>, is_one: fn(&Type) -> bool, merge: fn(&[Type]) -> Type) -> Vec<Type> {
    let (ones, mut others): (Vec<Type>, Vec<Type>) = types.iter().cloned().partition(is_one);
    if ones.len() < 2 {
        return types;
    }
    others.push(merge(&ones));
    others
}

/// Replaces several types of a sort by fewer at the front.
fn prepend_merged(
    types: Vec<Type>,
    is_one: fn(&Type) -> bool,
    merge: impl Fn(Vec<Type>) -> Vec<Type>,
) -> Vec<Type> {
    let (ones, others): (Vec<Type>, Vec<Type>) = types.iter().cloned().partition(is_one);
    if ones.len() < 2 {
        return types;
    }
    merge(ones).into_iter().chain(others).collect()
}

fn merge_not_undefs(types: &[Type]) -> Type {
    let inner = |type_: &Type| match type_.kind() {
        Kind::NotUndef(not_undef) => not_undef.contained().cloned().unwrap_or_else(Type::any),
        _ => type_.clone(),
    };
    NotUndefType::new(Some(VariantType::of(types.iter().map(inner).collect()).normalized())).into()
}

fn is_listed_exactly(type_: &Type) -> bool {
    match type_.kind() {
        Kind::Enum(list) => !list.values().is_empty() && !list.ignores_case(),
        Kind::String(string) => string.value().is_some(),
        _ => false,
    }
}

fn is_listed_loosely(type_: &Type) -> bool {
    matches!(type_.kind(), Kind::Enum(list) if !list.values().is_empty() && list.ignores_case())
}

/// Returns the strings that a type lists.
pub(crate) fn listed(type_: &Type) -> Vec<Str> {
    match type_.kind() {
        Kind::Enum(list) => list.values().to_vec(),
        Kind::String(string) => string.value().cloned().into_iter().collect(),
        _ => Vec::new(),
    }
}

fn merge_enums(types: &[Type]) -> Type {
    EnumType::new(types.iter().flat_map(listed), false).into()
}

fn merge_loose_enums(types: &[Type]) -> Type {
    EnumType::new(types.iter().flat_map(listed).map(|text| text.to_lowercase()), true).into()
}

fn merge_patterns(types: &[Type]) -> Type {
    let patterns = |type_: &Type| match type_.kind() {
        Kind::Pattern(pattern) => pattern.patterns().to_vec(),
        _ => Vec::new(),
    };
    PatternType::new(types.iter().flat_map(patterns)).into()
}

fn merge_versions(types: &[Type]) -> Vec<Type> {
    let ranges = |type_: &Type| match type_.kind() {
        Kind::SemVer(version) => version.ranges().to_vec(),
        _ => Vec::new(),
    };
    vec![SemVerType::new(types.iter().flat_map(ranges).collect()).into()]
}

/// Joins ranges that overlap or touch, taking them from the back.
fn merge_ranges(mut ranges: Vec<Type>, join: &dyn Fn(&Type, &Type) -> Option<Type>) -> Vec<Type> {
    let mut result = Vec::new();
    while let Some(mut range) = ranges.pop() {
        let mut apart = Vec::new();
        for other in ranges {
            match join(&range, &other) {
                Some(joined) => range = joined,
                None => apart.push(other),
            }
        }
        result.push(range);
        ranges = apart;
    }
    result
}

fn integers(a: &Type, b: &Type) -> Option<Type> {
    let (Kind::Integer(a), Kind::Integer(b)) = (a.kind(), b.kind()) else { return None };
    a.merge(*b).map(Type::from)
}

fn floats(a: &Type, b: &Type) -> Option<Type> {
    let (Kind::Float(a), Kind::Float(b)) = (a.kind(), b.kind()) else { return None };
    a.merge(*b).map(Type::from)
}

fn timespans(a: &Type, b: &Type) -> Option<Type> {
    let (Kind::Timespan(a), Kind::Timespan(b)) = (a.kind(), b.kind()) else { return None };
    a.range.merge(b.range).map(|range| TimespanType { range }.into())
}

fn timestamps(a: &Type, b: &Type) -> Option<Type> {
    let (Kind::Timestamp(a), Kind::Timestamp(b)) = (a.kind(), b.kind()) else { return None };
    a.range.merge(b.range).map(|range| TimestampType { range }.into())
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;
    use crate::testing::{check_accepts, check_has, check_prints, type_};

    #[test]
    fn members_are_tried_one_by_one() {
        check_has("Variant[Integer, Boolean]", &["1", "true"], &["'a'", "undef"]);
        check_accepts("Variant[Integer[1, 5], Integer[6, 9]]", &["Integer[2, 3]"], &["Integer[3, 7]"]);
        check_accepts("Variant", &["Variant[Integer]"][..0], &["Integer", "Undef"]);
    }

    #[test]
    fn nested_variants_are_flat_and_one_member_is_itself() {
        check_prints("Variant[Integer, Variant[String, Integer]]", "Variant[Integer, String]");
        check_prints("Variant[Integer]", "Integer");
        check_prints(
            "Variant[1]",
            "Error creating type specialization of a Variant-Type, Cannot use Integer where Any-Type is expected",
        );
    }

    #[test]
    fn the_simplest_form_joins_what_can_be_joined() {
        for (text, expected) in [
            ("Variant[Enum['a'], Enum['b'], Integer]", "Variant[Integer, Enum['a', 'b']]"),
            ("Variant[Integer[1, 3], Integer[4, 6]]", "Integer[1, 6]"),
            ("Variant[Undef, Integer]", "Optional[Integer]"),
            ("Variant[Pattern[/a/], Pattern[/b/]]", "Pattern[/a/, /b/]"),
            ("Variant[Optional[Integer], String]", "Optional[Variant[Integer, String]]"),
        ] {
            assert_eq!(type_(text).normalized().to_string(), expected);
        }
    }

    #[test]
    fn alternatives_that_cannot_be() {
        check_facts(&[
            (
                "Variant[Integer, 1]",
                "Error creating type specialization of a Variant-Type, Cannot use Integer where Any-Type is expected",
            ),
            (
                "Variant['a']",
                "Error creating type specialization of a Variant-Type, Cannot use String where Any-Type is expected",
            ),
            ("Variant[[Integer, String]]", "Variant[Integer, String]"),
            ("Variant[Integer, Integer]", "Integer"),
            ("Variant[Variant[Integer, String], Integer]", "Variant[Integer, String]"),
            ("Variant(1)", "Creation of new instance of type 'Variant' is not supported"),
            (
                "Variant[Integer, Boolean].new('1')",
                "Creation of new instance of type 'Variant[Integer, Boolean]' is not supported",
            ),
        ]);
    }
}
