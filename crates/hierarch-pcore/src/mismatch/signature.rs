//! What of a call does not fit the signatures of a function.

use super::describe::{Sizes, describe, merge, with};
use super::message::{Misfit, Mismatch, PathStep};
use crate::Type;
use crate::types::{CallableType, IntegerType, Kind, TupleType};

/// One way a function can be called.
#[derive(Clone)]
pub struct Signature {
    /// The types of parameters and block.
    pub callable: CallableType,
    /// The names of the parameters.
    pub names: Vec<String>,
    /// The name of the block.
    pub block: Option<String>,
}

impl Signature {
    /// Makes a signature without a block: names with types, of which the first `required` must be given.
    pub fn new(parameters: &[(&str, Type)], required: usize) -> Self {
        let types = parameters.iter().map(|(_, type_)| type_.clone()).collect();
        let size =
            IntegerType { min: i64::try_from(required).ok(), max: i64::try_from(parameters.len()).ok() };
        Self {
            callable: CallableType::new(Some(TupleType::new(types, Some(size))), None, None),
            names: parameters.iter().map(|(name, _)| (*name).to_owned()).collect(),
            block: None,
        }
    }

    fn parameters(&self) -> TupleType {
        self.callable.parameters().cloned().unwrap_or_default()
    }

    /// Returns the signature as messages show it, such as `Integer x, String y?`.
    fn text(&self) -> String {
        let parameters = self.parameters();
        let size = parameters.size_range();
        if size.is_zero() {
            return String::new();
        }
        let required = usize::try_from(size.min.unwrap_or(0)).unwrap_or(usize::MAX);
        let names = if self.names.is_empty() {
            vec![String::new(); parameters.types().len()]
        } else {
            self.names.clone()
        };
        let count = names.len();
        let mut parts: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(index, name)| {
                let type_ = parameters.at(index).cloned().unwrap_or_else(Type::any);
                let is_rest = size.max.is_none() && index + 1 == count;
                let mark = match () {
                    () if is_rest => {
                        if required == count {
                            "+"
                        } else {
                            "*"
                        }
                    }
                    () if index + 1 > required => "?",
                    () => "",
                };
                let shown = if mark == "?" { without_optional(type_) } else { type_ };
                format!("{shown} {name}{mark}")
            })
            .collect();
        // A block that is required by an alias of a type goes unmentioned.
        let is_shown = |block: &&Type| matches!(block.kind(), Kind::Optional(_) | Kind::Callable(_));
        if let Some(block) = self.callable.block().filter(is_shown) {
            let name = self.block.as_deref().unwrap_or("block");
            let mark = if matches!(block.kind(), Kind::Optional(_)) { "?" } else { "" };
            parts.push(format!("{} {name}{mark}", without_optional(block.clone())));
        }
        parts.join(", ")
    }
}

fn without_optional(type_: Type) -> Type {
    match type_.kind() {
        Kind::Optional(optional) => optional.contained().cloned().unwrap_or(type_),
        _ => type_,
    }
}

/// Describes why no signature takes the arguments; their types are given, a block's last.
pub fn describe_signatures(function: &str, signatures: &[Signature], arguments: &[Type]) -> String {
    let mut all: Vec<Vec<Mismatch>> = signatures
        .iter()
        .enumerate()
        .map(|(index, signature)| arguments_of(signature, arguments, &[PathStep::Signature(index)]))
        .collect();
    if all.iter().any(Vec::is_empty) {
        let blocks: Vec<Vec<Mismatch>> = signatures
            .iter()
            .enumerate()
            .map(|(index, signature)| block_of(signature, arguments, &[PathStep::Signature(index)]))
            .collect();
        if blocks.iter().all(|found| !found.is_empty()) {
            all = blocks;
        } else {
            for (found, block) in all.iter_mut().zip(blocks) {
                if found.is_empty() {
                    *found = block;
                }
            }
        }
    }
    let label = if function == "lambda" { "block".to_owned() } else { format!("'{function}'") };
    match (&merge(0, Sizes::Counts, &all)[..], signatures) {
        ([one], _) => format!("{label}{}", one.text()),
        (_, [signature]) => {
            let rejected = all[0].iter().map(|error| format!("  rejected:{}", error.without_part(0).text()));
            let lines = std::iter::once(format!("{label} expects ({})", signature.text())).chain(rejected);
            lines.collect::<Vec<_>>().join("\n")
        }
        _ => {
            let mut lines = vec![format!(
                "The function {label} was called with arguments it does not accept. It expects one of:"
            )];
            for (signature, errors) in signatures.iter().zip(&all) {
                lines.push(format!("  ({})", signature.text()));
                lines.extend(
                    errors.iter().map(|error| format!("    rejected:{}", error.without_part(0).text())),
                );
            }
            lines.join("\n")
        }
    }
}

/// Splits a block off the arguments.
fn without_block(arguments: &[Type]) -> &[Type] {
    match arguments.split_last() {
        Some((last, rest)) if last.is_callable(true) => rest,
        _ => arguments,
    }
}

fn arguments_of(signature: &Signature, arguments: &[Type], path: &[PathStep]) -> Vec<Mismatch> {
    let parameters = signature.parameters();
    let given = without_block(arguments);
    let (expected, actual) = (parameters.size_range(), IntegerType::exactly(given.len()));
    if !expected.covers(actual) {
        return vec![Mismatch::new(path, Misfit::Count { expected, actual })];
    }
    let last = parameters.types().len().saturating_sub(1);
    for (index, type_) in given.iter().enumerate() {
        let index = index.min(last);
        let Some(wanted) = parameters.at(index) else { continue };
        if !wanted.accepts(type_) {
            let name = signature.names.get(index).cloned().unwrap_or_default();
            let found = describe(wanted, type_, &with(path, PathStep::Parameter(name)));
            if !found.is_empty() {
                return found;
            }
        }
    }
    Vec::new()
}

fn block_of(signature: &Signature, arguments: &[Type], path: &[PathStep]) -> Vec<Mismatch> {
    let given = arguments.last().filter(|last| last.is_callable(true));
    match (signature.callable.block(), given) {
        (None, Some(_)) => vec![Mismatch::new(path, Misfit::UnexpectedBlock)],
        (Some(wanted), Some(given)) => describe(wanted, given, &with(path, PathStep::Block)),
        (Some(wanted), None) if !wanted.accepts(&Type::undef()) => {
            vec![Mismatch::new(path, Misfit::MissingBlock)]
        }
        _ => Vec::new(),
    }
}
