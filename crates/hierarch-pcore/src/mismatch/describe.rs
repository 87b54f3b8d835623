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
