//! Finding what does not fit, type by type.

use super::message::{Misfit, Mismatch, PathStep};
use crate::Type;
use crate::types::{
    ArrayType, CallableType, HashType, IntegerType, Kind, StructType, TupleType, VariantType,
};

/// Lists all that does not fit.
pub(super) fn describe(expected: &Type, actual: &Type, path: &[PathStep]) -> Vec<Mismatch> {
    if let Some(name) = expected.unresolved() {
        return vec![Mismatch::new(path, Misfit::Unresolved(name))];
    }
    Search { original: expected.clone(), actual: actual.clone(), path: path.to_vec() }
        .run(&expected.normalized())
}

/// A question asked: what was wanted as it was written, what is there, and where.
struct Search {
    original: Type,
    actual: Type,
    path: Vec<PathStep>,
}

impl Search {
    fn run(&self, expected: &Type) -> Vec<Mismatch> {
        match expected.kind() {
            Kind::Variant(expected) => self.variant(expected),
            Kind::Struct(expected) => self.structure(expected),
            Kind::Hash(expected) => self.hash(expected),
            Kind::Tuple(expected) => {
                describe_tuple(expected, &self.original, &self.actual, &self.path, false)
            }
            Kind::Array(expected) => self.array(expected),
            Kind::Callable(expected) => self.callable(expected),
            Kind::Optional(optional) => match optional.contained() {
                Some(inner) if !matches!(self.actual.kind(), Kind::Undef(_)) => {
                    let is_alias = matches!(self.original.kind(), Kind::Alias(_));
                    self.under(if is_alias { &self.original } else { expected }).run(inner)
                }
                _ => Vec::new(),
            },
            Kind::Pattern(_) | Kind::Enum(_) => {
                let what = Misfit::Pattern { expected: self.original.clone(), actual: self.actual.clone() };
                vec![Mismatch::new(&self.path, what)]
            }
            Kind::Alias(alias) => match alias.resolved() {
                Some(resolved) => self.under(expected).run(&resolved.normalized()),
                None => vec![self.of_types()],
            },
            _ if expected.accepts(&self.actual) => Vec::new(),
            _ => vec![self.of_types()],
        }
    }

    /// The same question about another form of what was wanted.
    fn under(&self, original: &Type) -> Self {
        Self { original: original.clone(), actual: self.actual.clone(), path: self.path.clone() }
    }

    fn of_types(&self) -> Mismatch {
        Mismatch::of_types(&self.path, &self.original, &self.actual)
    }

    fn path_with(&self, part: PathStep) -> Vec<PathStep> {
        with(&self.path, part)
    }

    fn size(&self, expected: IntegerType, actual: IntegerType) -> Mismatch {
        Mismatch::new(&self.path, Misfit::Size { expected, actual })
    }

    fn variant(&self, expected: &VariantType) -> Vec<Mismatch> {
        let is_optional = matches!(self.original.kind(), Kind::Optional(_));
        let undef = is_optional.then(Type::undef);
        let mut all = Vec::new();
        for (index, member) in undef.iter().chain(expected.types()).enumerate() {
            let found = describe(member, &self.actual, &self.path_with(PathStep::Variant(index)));
            if found.is_empty() {
                return found;
            }
            all.push(found);
        }
        let merged = merge(self.path.len(), Sizes::Any, &all);
        if matches!(self.original.kind(), Kind::Alias(_)) && merged.len() == 1 {
            // All members fail alike, so it is the alias that is not met.
            return vec![self.of_types()];
        }
        merged
    }

    fn array(&self, expected: &ArrayType) -> Vec<Mismatch> {
        match self.actual.kind() {
            Kind::Tuple(actual) => {
                let wanted = expected.size().unwrap_or(IntegerType::ANY_SIZE);
                let given = actual.size().unwrap_or(IntegerType::exactly(actual.types().len()));
                if !wanted.covers(given) {
                    return vec![self.size(wanted, given)];
                }
                let unfit =
                    actual.types().iter().enumerate().filter(|(_, type_)| !expected.of().accepts(type_));
                unfit
                    .flat_map(|(index, type_)| {
                        describe(expected.of(), type_, &self.path_with(PathStep::Index(index)))
                    })
                    .collect()
            }
            Kind::Array(actual) => {
                let given = actual.size().unwrap_or(IntegerType::ANY_SIZE);
                match expected.size() {
                    Some(wanted) if !wanted.covers(given) => vec![self.size(wanted, given)],
                    _ => vec![Mismatch::of_types(
                        &self.path,
                        &self.original,
                        &Type::array_of(actual.of().clone()),
                    )],
                }
            }
            _ => vec![self.of_types()],
        }
    }

    fn hash(&self, expected: &HashType) -> Vec<Mismatch> {
        match self.actual.kind() {
            Kind::Struct(actual) => {
                let wanted = expected.size().unwrap_or(IntegerType::ANY_SIZE);
                if !wanted.covers(actual.size_range()) {
                    return vec![self.size(wanted, actual.size_range())];
                }
                let mut found = Vec::new();
                for element in actual.elements() {
                    let name = element.name().to_string();
                    if !expected.key().accepts(&element.key()) {
                        let path = self.path_with(PathStep::EntryKey(name.clone()));
                        found.extend(describe(expected.key(), &element.key(), &path));
                    }
                    if !expected.value().accepts(element.value()) {
                        found.extend(describe(
                            expected.value(),
                            element.value(),
                            &self.path_with(PathStep::Entry(name)),
                        ));
                    }
                }
                found
            }
            Kind::Hash(actual) => self.plain_hash(expected.size(), actual),
            _ => vec![self.of_types()],
        }
    }

    fn plain_hash(&self, wanted: Option<IntegerType>, actual: &HashType) -> Vec<Mismatch> {
        let given = actual.size().unwrap_or(IntegerType::ANY_SIZE);
        match wanted {
            Some(wanted) if !wanted.covers(given) => vec![self.size(wanted, given)],
            _ => {
                let actual = Type::hash_of(actual.key().clone(), actual.value().clone());
                vec![Mismatch::of_types(&self.path, &self.original, &actual)]
            }
        }
    }

    fn structure(&self, expected: &StructType) -> Vec<Mismatch> {
        match self.actual.kind() {
            Kind::Struct(actual) => self.struct_keys(expected, actual),
            Kind::Hash(actual) => self.plain_hash(Some(expected.size_range()), actual),
            _ => vec![self.of_types()],
        }
    }

    fn struct_keys(&self, expected: &StructType, actual: &StructType) -> Vec<Mismatch> {
        let mut found = Vec::new();
        for wanted in expected.elements() {
            let name = wanted.name().to_string();
            let Some(given) = actual.get(&name) else {
                if !wanted.is_optional() {
                    found.push(Mismatch::new(&self.path, Misfit::MissingKey(name)));
                }
                continue;
            };
            if !wanted.key().accepts(&given.key()) {
                found.extend(describe(
                    &wanted.key(),
                    &given.key(),
                    &self.path_with(PathStep::EntryKey(name.clone())),
                ));
            }
            if !wanted.value().accepts(given.value()) {
                found.extend(describe(wanted.value(), given.value(), &self.path_with(PathStep::Entry(name))));
            }
        }
        let extra = actual.elements().iter().filter(|element| expected.get(element.name()).is_none());
        found.extend(
            extra.map(|element| Mismatch::new(&self.path, Misfit::ExtraneousKey(element.name().to_string()))),
        );
        found
    }

    fn callable(&self, expected: &CallableType) -> Vec<Mismatch> {
        let Kind::Callable(actual) = self.actual.kind() else { return vec![self.of_types()] };
        if let (Some(wanted), Some(given)) = (expected.parameters(), actual.parameters()) {
            let original = Type::from(wanted.clone());
            let found = describe_tuple(wanted, &original, &given.clone().into(), &self.path, true);
            if !found.is_empty() {
                return found;
            }
        }
        let (any, undef) = (Type::any(), Type::undef());
        let (wanted, given) = (expected.returns().unwrap_or(&any), actual.returns().unwrap_or(&any));
        if !wanted.accepts(given) {
            return vec![Mismatch::of_types(&self.path_with(PathStep::Return), wanted, given)];
        }
        let (wanted, given) = (expected.block().unwrap_or(&undef), actual.block().unwrap_or(&undef));
        if expected.parameters().is_some() && !given.accepts(wanted) {
            return vec![Mismatch::of_types(&self.path_with(PathStep::Block), wanted, given)];
        }
        Vec::new()
    }
}

pub(super) fn with(path: &[PathStep], part: PathStep) -> Vec<PathStep> {
    path.iter().cloned().chain([part]).collect()
}

/// Compares tuples; `counts` where they are arguments of a call, so that sizes are counts.
fn describe_tuple(
    expected: &TupleType,
    original: &Type,
    actual: &Type,
    path: &[PathStep],
    counts: bool,
) -> Vec<Mismatch> {
    let size = |expected, actual| {
        let what =
            if counts { Misfit::Count { expected, actual } } else { Misfit::Size { expected, actual } };
        vec![Mismatch::new(path, what)]
    };
    let wanted = expected.size_range();
    match actual.kind() {
        Kind::Tuple(actual) if expected == actual => Vec::new(),
        Kind::Array(_) if expected.types().is_empty() => Vec::new(),
        Kind::Tuple(actual) if !wanted.covers(actual.size_range()) => size(wanted, actual.size_range()),
        Kind::Tuple(actual) => {
            let last = expected.types().len().saturating_sub(1);
            let each = actual.types().iter().enumerate();
            each.filter_map(|(index, given)| {
                let index = index.min(last);
                let type_ = expected.types().get(index)?;
                Some(describe(type_, given, &with(path, PathStep::Index(index))))
            })
            .flatten()
            .collect()
        }
        Kind::Array(actual) => {
            let given = actual.size().unwrap_or(IntegerType::ANY_SIZE);
            if !wanted.covers(given) {
                return size(wanted, given);
            }
            let each = expected.types().iter().enumerate();
            each.flat_map(|(index, type_)| describe(type_, actual.of(), &with(path, PathStep::Index(index))))
                .collect()
        }
        _ => vec![Mismatch::of_types(path, original, actual)],
    }
}

/// Which mismatches of size may be merged.
#[derive(Clone, Copy)]
pub(super) enum Sizes {
    Any,
    Counts,
}

/// Merges what several alternatives have against a value: into one if all are of one sort at one place.
pub(super) fn merge(varying: usize, sizes: Sizes, all: &[Vec<Mismatch>]) -> Vec<Mismatch> {
    let flat: Vec<Mismatch> = all.iter().flatten().cloned().collect();
    let sorts: [&dyn Fn(&Misfit) -> bool; 4] = [
        &|what| match sizes {
            Sizes::Any => matches!(what, Misfit::Size { .. } | Misfit::Count { .. }),
            Sizes::Counts => matches!(what, Misfit::Count { .. }),
        },
        &|what| matches!(what, Misfit::MissingBlock),
        &|what| matches!(what, Misfit::UnexpectedBlock),
        &|what| matches!(what, Misfit::Type { .. } | Misfit::Pattern { .. }),
    ];
    let merged = sorts.iter().find_map(|is_sort| {
        let alike: Vec<&Mismatch> = flat.iter().filter(|mismatch| is_sort(&mismatch.what)).collect();
        if alike.len() != all.len() {
            return None;
        }
        let (first, rest) = alike.split_first()?;
        rest.iter().try_fold((*first).clone(), |merged, next| {
            (merged.canonical_path() == next.canonical_path()).then(|| merged.merged(next))
        })
    });
    let mut unique: Vec<Mismatch> = Vec::new();
    for mismatch in merged.map_or(flat, |one| vec![one]) {
        // Only those without words of their own are told apart; the others are never the same to the reference.
        if !mismatch.is_wordless() || !unique.contains(&mismatch) {
            unique.push(mismatch);
        }
    }
    if let [one] = &unique[..] { vec![one.without_part(varying)] } else { unique }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_facts;

    /// Where all alternatives fail at one place in one way, one line says so; otherwise each says its own.
    const ALTERNATIVES_ARE_TOLD_TOGETHER_OR_EACH: &[(&str, &str)] = &[
        (
            "assert_type(Variant[String[3], String[5]], 'a')",
            "assert_type(): expects a value of type String[3] or String[5], got String",
        ),
        (
            "assert_type(Variant[Enum[a], Enum[b]], 'c')",
            "assert_type(): expects a match for Enum['a', 'b'], got 'c'",
        ),
        (
            "assert_type(Variant[Enum[a], Pattern[/b/]], 'c')",
            "assert_type(): expects a match for Variant[Enum['a'], Pattern[/b/]], got 'c'",
        ),
        (
            "assert_type(Variant[Enum[a], Integer], 'c')",
            "assert_type(): expects a match for Variant[Enum['a'], Integer], got 'c'",
        ),
        (
            "assert_type(Variant[Integer, Enum[a]], 'c')",
            "assert_type(): expects a value of type Integer or Enum['a'], got String",
        ),
        (
            "assert_type(Variant[Array[Integer, 3], Array[String, 5]], [1])",
            "assert_type(): expects size to be at least 3, got 1",
        ),
        (
            "assert_type(Variant[Tuple[Integer], Tuple[Integer, Integer, Integer]], [1, 2])",
            "assert_type(): expects size to be between 1 and 3, got 2",
        ),
        (
            "assert_type(Variant[Struct[{a => Integer}], Struct[{a => Boolean}]], {a => 'x'})",
            "assert_type(): entry 'a' expects a value of type Integer or Boolean, got String",
        ),
        (
            "assert_type(Variant[Struct[{a => Integer}], Struct[{b => Integer}]], {a => 'x'})",
            " assert_type(): variant 0 entry 'a' expects an Integer value, got String\n  assert_type(): variant 1 expects a value for key 'b'\n  assert_type(): variant 1 unrecognized key 'a'",
        ),
        (
            "assert_type(Variant[Struct[{a => Integer}], Integer], {a => 'x'})",
            " assert_type(): variant 0 entry 'a' expects an Integer value, got String\n  assert_type(): variant 1 expects an Integer value, got Struct",
        ),
        (
            "assert_type(Array[Variant[Integer, Boolean]], ['a', 'b'])",
            " assert_type(): index 0 expects a value of type Integer or Boolean, got String\n  assert_type(): index 1 expects a value of type Integer or Boolean, got String",
        ),
        (
            "assert_type(Hash[String, Variant[Integer, Array[Integer]]], {a => ['x']})",
            " assert_type(): entry 'a' variant 0 expects an Integer value, got Tuple\n  assert_type(): entry 'a' variant 1 index 0 expects an Integer value, got String",
        ),
        (
            "assert_type(Optional[Variant[Integer, Boolean]], 'a')",
            "assert_type(): expects a value of type Undef, Integer, or Boolean, got String",
        ),
        (
            "assert_type(Optional[Enum[a, b]], 'c')",
            "assert_type(): expects an undef value or a match for Enum['a', 'b'], got 'c'",
        ),
        (
            "assert_type(Optional[Array[Integer]], ['a'])",
            "assert_type(): index 0 expects an Integer value, got String",
        ),
        (
            "assert_type(Variant[Undef, Integer], 'a')",
            "assert_type(): expects a value of type Undef or Integer, got String",
        ),
        (
            "assert_type(Variant[Optional[Integer], Boolean], 'a')",
            "assert_type(): expects a value of type Undef, Integer, or Boolean, got String",
        ),
    ];

    #[test]
    fn alternatives_are_told_together_or_each() {
        check_facts(ALTERNATIVES_ARE_TOLD_TOGETHER_OR_EACH);
    }

    /// Programs, and what Puppet makes of them.
    const A_NAMED_TYPE_IS_WRITTEN_OUT: &[(&str, &str)] = &[
        (
            "type T = Integer[1, 5]\nassert_type(T, 7)",
            "assert_type(): expects a T = Integer[1, 5] value, got Integer[7, 7]",
        ),
        (
            "type T = Integer[1, 5]\nassert_type(T, 'x')",
            "assert_type(): expects a T = Integer[1, 5] value, got String",
        ),
        (
            "type T = Variant[Integer, Boolean]\nassert_type(T, 'x')",
            "assert_type(): expects a T = Variant[Integer, Boolean] value, got String",
        ),
        (
            "type T = Variant[Array[Integer], Boolean]\nassert_type(T, ['x'])",
            " assert_type(): variant 0 index 0 expects an Integer value, got String\n  assert_type(): variant 1 expects a Boolean value, got Tuple",
        ),
        (
            "type T = Optional[Integer]\nassert_type(T, 'x')",
            "assert_type(): expects a T = Optional[Integer] value, got String",
        ),
        (
            "type T = Array[Integer]\nassert_type(T, ['x'])",
            "assert_type(): index 0 expects an Integer value, got String",
        ),
        (
            "type T = Struct[{a => Integer}]\nassert_type(T, {a => 'x'})",
            "assert_type(): entry 'a' expects an Integer value, got String",
        ),
        (
            "type T = Enum[a, b]\nassert_type(T, 'x')",
            "assert_type(): expects a match for T = Enum['a', 'b'], got 'x'",
        ),
        (
            "type T = Optional[Enum[a, b]]\nassert_type(T, 'x')",
            "assert_type(): expects a match for T = Optional[Enum['a', 'b']], got 'x'",
        ),
        (
            "type T = Array[Variant[Integer, T]]\nassert_type(T, ['x'])",
            "assert_type(): index 0 expects a value of type Integer or T = Array[Variant[Integer, T]], got String",
        ),
        (
            "type T = Hash[String, Variant[Integer, T]]\nassert_type(T, {a => {b => 'x'}})",
            " assert_type(): entry 'a' variant 0 expects an Integer value, got Struct\n  assert_type(): entry 'a' variant 1 entry 'b' expects a value of type Integer or T = Hash[String, Variant[Integer, T]], got String",
        ),
        (
            "type S = Integer\ntype T = S\nassert_type(T, 'x')",
            "assert_type(): expects a S = Integer value, got String",
        ),
        (
            "type T = Integer\nassert_type(Array[T], ['x'])",
            "assert_type(): index 0 expects a T = Integer value, got String",
        ),
        (
            "type T = Integer\nassert_type(Type[T], String)",
            "assert_type(): expects a Type[T = Integer] value, got Type[String]",
        ),
    ];

    #[test]
    fn a_named_type_is_written_out() {
        check_facts(A_NAMED_TYPE_IS_WRITTEN_OUT);
    }

    /// Programs, and what Puppet makes of them.
    const SIZES_ARE_TOLD_BEFORE_ELEMENTS: &[(&str, &str)] = &[
        (
            "assert_type(Array[Integer, 2, 3], ['a'])",
            "assert_type(): expects size to be between 2 and 3, got 1",
        ),
        ("assert_type(Array[Integer, 2, 2], ['a'])", "assert_type(): expects size to be 2, got 1"),
        (
            "assert_type(Array[Integer, 0, 1], ['a', 'b'])",
            "assert_type(): expects size to be at most 1, got 2",
        ),
        ("assert_type(Array[Integer, 0, 0], ['a'])", "assert_type(): expects size to be 0, got 1"),
        (
            "assert_type(Hash[String, Integer, 2, 3], {a => 'x'})",
            "assert_type(): expects size to be between 2 and 3, got 1",
        ),
        (
            "assert_type(Hash[String, Integer, 0, 0], {a => 'x'})",
            "assert_type(): expects size to be 0, got 1",
        ),
        (
            "assert_type(Tuple[Integer, 1, 2], ['a', 'b', 'c'])",
            "assert_type(): expects size to be between 1 and 2, got 3",
        ),
        (
            "assert_type(Tuple[Integer, String, 1, 3], [1, 2, 3])",
            " assert_type(): index 1 expects a String value, got Integer\n  assert_type(): index 1 expects a String value, got Integer",
        ),
        (
            "assert_type(Tuple[Integer, String, 1, default], ['x'])",
            "assert_type(): index 0 expects an Integer value, got String",
        ),
        ("assert_type(Collection[3], [1])", ""),
        ("assert_type(String[2, 3], 'abcd')", "assert_type(): expects a String[2, 3] value, got String"),
        (
            "assert_type(Struct[{a => Integer, Optional[b] => Integer}], {})",
            "assert_type(): expects size to be between 1 and 2, got 0",
        ),
        (
            "assert_type(Struct[{a => Integer, Optional[b] => Integer}], {a => 1, b => 'x', c => 2})",
            " assert_type(): entry 'b' expects an Integer value, got String\n  assert_type(): unrecognized key 'c'",
        ),
        (
            "assert_type(Struct[{Optional[a] => Integer}], {b => 2, c => 2})",
            " assert_type(): unrecognized key 'b'\n  assert_type(): unrecognized key 'c'",
        ),
        (
            "assert_type(Struct[{a => Integer}], {1 => 2})",
            "assert_type(): expects a Struct[{'a' => Integer}] value, got Hash[Integer[1, 1], Integer[2, 2]]",
        ),
        ("assert_type(Struct[{a => Integer}], [1])", "assert_type(): expects a Struct value, got Tuple"),
        (
            "assert_type(Struct[{NotUndef[a] => Any}], {b => 1})",
            " assert_type(): expects a value for key 'a'\n  assert_type(): unrecognized key 'b'",
        ),
        (
            "assert_type(Hash[Enum[a], Integer], {b => 'x'})",
            " assert_type(): key of entry 'b' expects a match for Enum['a'], got 'b'\n  assert_type(): entry 'b' expects an Integer value, got String",
        ),
        (
            "assert_type(Hash[Integer, Integer], {b => 'x'})",
            " assert_type(): key of entry 'b' expects an Integer value, got String\n  assert_type(): entry 'b' expects an Integer value, got String",
        ),
    ];

    #[test]
    fn sizes_are_told_before_elements() {
        check_facts(SIZES_ARE_TOLD_BEFORE_ELEMENTS);
    }

    /// Programs, and what Puppet makes of them.
    const NAMES_SUFFICE_UNLESS_THEY_ARE_THE_SAME: &[(&str, &str)] = &[
        ("assert_type(Integer[1], 0)", "assert_type(): expects an Integer[1] value, got Integer[0, 0]"),
        ("assert_type(Float[1.0], 0.5)", "assert_type(): expects a Float[1.0] value, got Float[0.5, 0.5]"),
        ("assert_type(Float[1.0], 1)", "assert_type(): expects a Float value, got Integer"),
        ("assert_type(Numeric, 'x')", "assert_type(): expects a Numeric value, got String"),
        (
            "assert_type(Type[Integer[1, 2]], Integer)",
            "assert_type(): expects a Type[Integer[1, 2]] value, got Type[Integer]",
        ),
        ("assert_type(Type[Integer], 1)", "assert_type(): expects a Type[Integer] value, got Integer"),
        ("assert_type(Type, 1)", "assert_type(): expects a Type value, got Integer"),
        ("assert_type(Class, 1)", "assert_type(): expects a Class value, got Integer"),
        ("assert_type(Class[a], Class[b])", "assert_type(): expects a Class value, got Type[Class]"),
        (
            "assert_type(Type[Class[a]], Class[b])",
            "assert_type(): expects a Type[Class[a]] value, got Type[Class[b]]",
        ),
        ("assert_type(Type[File], Notify)", "assert_type(): expects a Type[File] value, got Type[Notify]"),
        (
            "assert_type(Sensitive[String], 'x')",
            "assert_type(): expects a Sensitive[String] value, got String",
        ),
        ("assert_type(Sensitive[Integer[1]], Sensitive(0))", "#<Sensitive [value redacted]>"),
        (
            "assert_type(SemVer['>=2.0.0'], SemVer('1.0.0'))",
            "assert_type(): expects a SemVer['>=2.0.0'] value, got SemVer['1.0.0 - 1.0.0']",
        ),
        (
            "assert_type(Timespan[1, 2], Timespan(3))",
            "assert_type(): expects a Timespan['0-00:00:01.0', '0-00:00:02.0'] value, got Timespan['0-00:00:03.0']",
        ),
        ("assert_type(Timestamp[1, 2], 3)", "assert_type(): expects a Timestamp value, got Integer"),
        (
            "assert_type(URI['http://a'], URI('http://b'))",
            "assert_type(): expects an URI[{'scheme' => 'http', 'host' => 'a'}] value, got URI[{'scheme' => 'http', 'host' => 'b'}]",
        ),
        ("assert_type(Binary, 'x')", "assert_type(): expects a Binary value, got String"),
        ("assert_type(Regexp[/a/], /b/)", "assert_type(): expects a Regexp[/a/] value, got Regexp[/b/]"),
        (
            "assert_type(Boolean[true], false)",
            "assert_type(): expects a Boolean[true] value, got Boolean[false]",
        ),
        (
            "assert_type(Iterable[Integer], ['a'])",
            "assert_type(): expects an Iterable[Integer] value, got Tuple",
        ),
        (
            "assert_type(Iterable[Integer], true)",
            "assert_type(): expects an Iterable[Integer] value, got Boolean",
        ),
        (
            "assert_type(Iterator[Integer], [1])",
            "assert_type(): expects an Iterator[Integer] value, got Tuple",
        ),
        ("assert_type(NotUndef[Integer], 'x')", "assert_type(): expects an Integer value, got String"),
        ("assert_type(NotUndef[Integer], undef)", "assert_type(): expects an Integer value, got Undef"),
        ("assert_type(Default, 1)", "assert_type(): expects a Default value, got Integer"),
        ("assert_type(Init[Integer], 'x')", "assert_type(): expects an Init[Integer] value, got String"),
        ("assert_type(Runtime['ruby', 'Symbol'], 1)", "assert_type(): expects a Runtime value, got Integer"),
        ("assert_type(Error, 1)", "assert_type(): expects an Error value, got Integer"),
        ("assert_type(Object, 1)", "assert_type(): expects an Object value, got Integer"),
        ("assert_type(CatalogEntry, 1)", "assert_type(): expects a CatalogEntry value, got Integer"),
        ("assert_type(Collection, 1)", "assert_type(): expects a Collection value, got Integer"),
        ("assert_type(ScalarData, /a/)", "assert_type(): expects a ScalarData value, got Regexp"),
        ("assert_type(RichData, Callable)", "Callable"),
        ("assert_type(Undef, [])", "assert_type(): expects an Undef value, got Array"),
    ];

    #[test]
    fn names_suffice_unless_they_are_the_same() {
        check_facts(NAMES_SUFFICE_UNLESS_THEY_ARE_THE_SAME);
    }
}
