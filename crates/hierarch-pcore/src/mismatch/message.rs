//! One thing that does not fit: where, what, and the words for it.

use crate::Type;
use crate::issues::with_article;
use crate::types::{IntegerType, Kind, VariantType};

/// A step on the way to what does not fit.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum PathStep {
    Subject(String),
    Entry(String),
    EntryKey(String),
    Parameter(String),
    Return,
    Block,
    Index(usize),
    Variant(usize),
    Signature(usize),
}

/// What does not fit.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Misfit {
    MissingKey(String),
    MissingParameter(String),
    ExtraneousKey(String),
    InvalidParameter(String),
    UnexpectedBlock,
    MissingBlock,
    Unresolved(String),
    Type { expected: Type, actual: Type },
    Pattern { expected: Type, actual: Type },
    Size { expected: IntegerType, actual: IntegerType },
    Count { expected: IntegerType, actual: IntegerType },
}

/// One mismatch.
#[derive(Clone, Debug)]
pub(super) struct Mismatch {
    path: Vec<PathStep>,
    pub(super) what: Misfit,
}

impl PartialEq for Mismatch {
    /// Which variant or signature it is about does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.what == other.what && self.canonical_path() == other.canonical_path()
    }
}

impl Mismatch {
    pub(super) fn new(path: &[PathStep], what: Misfit) -> Self {
        let what = match what {
            Misfit::Type { expected, actual } => {
                Misfit::Type { expected: expected.normalized(), actual: actual.normalized() }
            }
            Misfit::Pattern { expected, actual } => {
                Misfit::Pattern { expected: expected.normalized(), actual: actual.normalized() }
            }
            other => other,
        };
        Self { path: path.to_vec(), what }
    }

    /// Makes a mismatch of types.
    pub(super) fn of_types(path: &[PathStep], expected: &Type, actual: &Type) -> Self {
        Self::new(path, Misfit::Type { expected: expected.clone(), actual: actual.clone() })
    }

    pub(super) fn canonical_path(&self) -> Vec<&PathStep> {
        self.path
            .iter()
            .filter(|part| !matches!(part, PathStep::Variant(_) | PathStep::Signature(_)))
            .collect()
    }

    /// Returns the keys and positions that lead to what does not fit, up to where alternatives part; and whether they do.
    pub(super) fn place(&self) -> (Vec<String>, bool) {
        let mut place = Vec::new();
        for step in &self.path {
            match step {
                PathStep::Entry(key) | PathStep::EntryKey(key) => place.push(key.clone()),
                PathStep::Index(index) => place.push(index.to_string()),
                PathStep::Variant(_) => return (place, true),
                PathStep::Subject(_)
                | PathStep::Parameter(_)
                | PathStep::Return
                | PathStep::Block
                | PathStep::Signature(_) => {}
            }
        }
        if let Misfit::ExtraneousKey(key) = &self.what {
            place.push(key.clone());
        }
        (place, false)
    }

    /// Tells whether it is about a block as such.
    pub(super) fn is_wordless(&self) -> bool {
        matches!(self.what, Misfit::UnexpectedBlock | Misfit::MissingBlock)
    }

    /// Returns the mismatch without one step of its path.
    pub(super) fn without_part(&self, index: usize) -> Self {
        let mut other = self.clone();
        if index < other.path.len() {
            other.path.remove(index);
        }
        other
    }

    /// Returns one mismatch for two of the same sort.
    pub(super) fn merged(&self, other: &Self) -> Self {
        let union = |a: &Type, b: &Type| VariantType::of(vec![a.clone(), b.clone()]);
        let what = match (&self.what, &other.what) {
            (
                Misfit::Type { expected, actual },
                Misfit::Type { expected: b, .. } | Misfit::Pattern { expected: b, .. },
            ) => Misfit::Type { expected: union(expected, b), actual: actual.clone() },
            (
                Misfit::Pattern { expected, actual },
                Misfit::Type { expected: b, .. } | Misfit::Pattern { expected: b, .. },
            ) => Misfit::Pattern { expected: union(expected, b), actual: actual.clone() },
            (
                Misfit::Size { expected, actual },
                Misfit::Size { expected: b, .. } | Misfit::Count { expected: b, .. },
            ) => Misfit::Size { expected: size(*expected).hull(size(*b)), actual: *actual },
            (
                Misfit::Count { expected, actual },
                Misfit::Size { expected: b, .. } | Misfit::Count { expected: b, .. },
            ) => Misfit::Count { expected: size(*expected).hull(size(*b)), actual: *actual },
            (what, _) => what.clone(),
        };
        Self::new(&self.path, what)
    }

    /// Returns the words, a blank before them.
    pub(super) fn text(&self) -> String {
        let (variant, rest) = match self.path.split_first() {
            Some((PathStep::Signature(index), rest)) => (format!(" {}.", index + 1), rest),
            _ => (String::new(), &self.path[..]),
        };
        let words = rest.iter().map(PathStep::text).chain([self.what.text()]).collect::<Vec<_>>();
        format!("{variant} {}", words.join(" "))
    }
}

impl PathStep {
    fn text(&self) -> String {
        match self {
            Self::Subject(text) => text.clone(),
            Self::Entry(key) => format!("entry '{key}'"),
            Self::EntryKey(key) => format!("key of entry '{key}'"),
            Self::Parameter(name) => format!("parameter '{name}'"),
            Self::Return => "return".into(),
            Self::Block => "block".into(),
            Self::Index(index) => format!("index {index}"),
            Self::Variant(index) => format!("variant {index}"),
            Self::Signature(index) => format!("{}.", index + 1),
        }
    }
}

impl Misfit {
    fn text(&self) -> String {
        match self {
            Self::MissingKey(key) => format!("expects a value for key '{key}'"),
            Self::MissingParameter(name) => format!("expects a value for parameter '{name}'"),
            Self::ExtraneousKey(key) => format!("unrecognized key '{key}'"),
            Self::InvalidParameter(name) => format!("has no parameter named '{name}'"),
            Self::UnexpectedBlock => "does not expect a block".into(),
            Self::MissingBlock => "expects a block".into(),
            Self::Unresolved(name) => format!("references an unresolved type '{name}'"),
            Self::Type { expected, actual } => type_text(expected, actual),
            Self::Pattern { expected, actual } => pattern_text(expected, actual),
            Self::Size { expected, actual } => {
                format!("expects size to be {}, got {}", range_text(*expected, "0"), range_text(*actual, "0"))
            }
            Self::Count { expected, actual } => count_text(*expected, *actual),
        }
    }
}

fn size(range: IntegerType) -> IntegerType {
    IntegerType { min: Some(range.min.unwrap_or(0)), max: range.max }
}

fn range_text(range: IntegerType, zero: &str) -> String {
    match (range.min.unwrap_or(0), range.max) {
        (0, Some(0)) => zero.into(),
        (min, Some(max)) if min == max => min.to_string(),
        (0, None) => "unlimited".into(),
        (0, Some(max)) => format!("at most {max}"),
        (min, None) => format!("at least {min}"),
        (min, Some(max)) => format!("between {min} and {max}"),
    }
}

fn count_text(expected: IntegerType, actual: IntegerType) -> String {
    let one = matches!((expected.min.unwrap_or(0), expected.max), (1, Some(1) | None) | (0, Some(1)));
    let plural = if one { "" } else { "s" };
    format!("expects {} argument{plural}, got {}", range_text(expected, "no"), range_text(actual, "none"))
}

fn pattern_text(expected: &Type, actual: &Type) -> String {
    let (prefix, expected) = match expected.kind() {
        Kind::Optional(optional) => {
            ("an undef value or ", optional.contained().cloned().unwrap_or_else(Type::any))
        }
        _ => ("", expected.clone()),
    };
    let actual = match actual.kind() {
        Kind::String(string) if string.value().is_some() => {
            format!("'{}'", string.value().cloned().unwrap_or_default())
        }
        _ => short_name(actual),
    };
    format!("expects {prefix}a match for {}, got {actual}", expected.expanded_text())
}

fn type_text(expected: &Type, actual: &Type) -> String {
    let (is_optional, inner) = match expected.kind() {
        Kind::Optional(optional) => (true, optional.contained().cloned().unwrap_or_else(Type::any)),
        _ => (false, expected.clone()),
    };
    let alternatives = match inner.kind() {
        Kind::Variant(variant) => variant.types().to_vec(),
        _ => vec![inner.clone()],
    };
    let (mut names, got) = if is_detailed(&alternatives, actual) {
        (
            alternatives.iter().map(Type::expanded_text).collect::<Vec<_>>(),
            detailed_actual(&alternatives, actual),
        )
    } else {
        (unique(alternatives.iter().map(short_name)), short_name(actual))
    };
    if is_optional {
        names.insert(0, "Undef".into());
    }
    match &names[..] {
        [one] => format!("expects {} value, got {got}", with_article(one)),
        [one, two] => format!("expects a value of type {one} or {two}, got {got}"),
        [rest @ .., last] => format!("expects a value of type {}, or {last}, got {got}", rest.join(", ")),
        [] => format!("expects a value of type , got {got}"),
    }
}

fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    unique
}

/// The name alone; of a type around another, that one's name too.
fn short_name(type_: &Type) -> String {
    let inner = match type_.kind() {
        Kind::Type(outer) => outer.contained(),
        Kind::NotUndef(outer) => outer.contained(),
        Kind::Iterable(outer) => outer.contained(),
        Kind::Iterator(outer) => outer.contained(),
        Kind::Optional(outer) => outer.contained(),
        Kind::Init(outer) => outer.contained(),
        Kind::Sensitive(outer) => Some(outer.contained()),
        _ => None,
    };
    match inner.filter(|inner| !matches!(inner.kind(), Kind::Any(_))) {
        Some(inner) => {
            // An object type without a name has none here either.
            let unnamed = matches!(inner.kind(), Kind::Object(object) if object.full_name().is_none());
            format!("{}[{}]", type_.name(), if unnamed { "" } else { full_name(inner) })
        }
        None => full_name(type_).to_owned(),
    }
}

fn full_name(type_: &Type) -> &str {
    match type_.kind() {
        Kind::Object(object) => object.label(),
        _ => type_.name(),
    }
}

fn same_kind(a: &Type, b: &Type) -> bool {
    std::mem::discriminant(a.kind()) == std::mem::discriminant(b.kind())
}

/// Tells whether names alone would not tell the types apart.
fn is_always_detailed(expected: &Type, actual: &Type) -> bool {
    same_kind(expected, actual)
        || matches!(expected.kind(), Kind::Alias(_))
        || matches!(actual.kind(), Kind::Alias(_))
        || matches!(
            (expected.kind(), actual.kind()),
            (Kind::Struct(_), Kind::Hash(_)) | (Kind::Tuple(_), Kind::Array(_) | Kind::Collection(_))
        )
}

fn is_detailed(alternatives: &[Type], actual: &Type) -> bool {
    alternatives.iter().any(|expected| is_always_detailed(expected, actual))
        || alternatives.iter().any(|expected| bare(&expected.resolved()).accepts(actual))
}

fn detailed_actual(alternatives: &[Type], actual: &Type) -> String {
    let resolved: Vec<Type> = alternatives.iter().map(Type::resolved).collect();
    let general = actual.generalized();
    if resolved.iter().any(|expected| is_always_detailed(expected, actual))
        || resolved.iter().any(|expected| expected.accepts(&general))
    {
        actual.expanded_text()
    } else {
        actual.name().to_owned()
    }
}

/// Returns the type without its parameters.
fn bare(type_: &Type) -> Type {
    match type_.kind() {
        Kind::Object(_) => Type::object(),
        Kind::TypeSet(_) => Type::type_set(),
        Kind::Unit(_) | Kind::Reference(_) | Kind::ObjectExtension(_) | Kind::Alias(_) => type_.clone(),
        _ => Type::builtin(type_.name()).unwrap_or_else(|| type_.clone()),
    }
}
