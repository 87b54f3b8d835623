//! Signatures: what a function takes, read from Puppet's own notation.

use hierarch_pcore::types::{AliasType, CallableType, Definitions, IntegerType, Kind as TypeKind, TupleType};
use hierarch_pcore::{Str, Type, Value};
use hierarch_source::Result;

use super::Dispatch;
use crate::issues;

/// A signature that is ready to be checked.
#[derive(Clone)]
pub(crate) struct Signature {
    /// Types of the parameters; the last stands for all that follow if there is a rest.
    pub(crate) types: Vec<Type>,
    pub(crate) names: Vec<Str>,
    pub(crate) has_rest: bool,
    pub(crate) min: usize,
    /// None: any number.
    pub(crate) max: Option<usize>,
    pub(crate) block: Option<BlockParameter>,
    pub(crate) returns: Option<Type>,
}

/// What a signature says about a block.
#[derive(Clone)]
pub(crate) struct BlockParameter {
    pub(crate) name: Str,
    pub(crate) type_: Type,
    pub(crate) is_optional: bool,
    /// How many arguments the block is called with, where that is all that counts.
    arity: Option<usize>,
}

/// What is special about a parameter.
pub(crate) struct Marks {
    is_block: bool,
    is_optional: bool,
    is_repeated: bool,
}

impl Marks {
    /// Reads the marks in front of a parameter.
    pub(crate) fn of(marks: &str) -> Self {
        Self {
            is_block: marks.contains('&'),
            is_optional: marks.contains(['?', '*']),
            is_repeated: marks.contains(['*', '+']),
        }
    }
}

impl Default for Signature {
    /// The signature of what takes nothing.
    fn default() -> Self {
        Self {
            types: Vec::new(),
            names: Vec::new(),
            has_rest: false,
            min: 0,
            max: Some(0),
            block: None,
            returns: None,
        }
    }
}

impl Signature {
    /// Reads the signature of a dispatch.
    pub(crate) fn read(dispatch: &Dispatch) -> Result<Self> {
        let returns = dispatch.returns.map(type_of).transpose()?;
        let mut signature = Self { returns, ..Self::default() };
        for text in dispatch.params {
            let declaration = text.trim_start_matches(['?', '*', '+', '&']);
            let marks = Marks::of(&text[..text.len() - declaration.len()]);
            let (type_text, name) =
                declaration.rsplit_once(' ').ok_or_else(|| issues::bad_signature(text))?;
            signature.add(&marks, type_of(type_text)?, name.into());
        }
        Ok(signature)
    }

    /// Adds a parameter.
    pub(crate) fn add(&mut self, marks: &Marks, type_: Type, name: Str) {
        if marks.is_block {
            let arity = exact_arity(&type_);
            self.block = Some(BlockParameter { name, type_, is_optional: marks.is_optional, arity });
            return;
        }
        if marks.is_repeated {
            self.has_rest = true;
            self.max = None;
        }
        if !marks.is_optional {
            self.min += 1;
        }
        self.max = self.max.map(|max| max + 1);
        self.types.push(type_);
        self.names.push(name);
    }

    /// Tells whether the arguments are as many as it takes, and of its types.
    pub(crate) fn takes(&self, arguments: &[Value]) -> bool {
        if arguments.len() < self.min || self.max.is_some_and(|max| arguments.len() > max) {
            return false;
        }
        let last = self.types.last();
        arguments.iter().enumerate().all(|(index, argument)| {
            self.types.get(index).or(last).is_none_or(|type_| is_any(type_) || type_.has(argument))
        })
    }

    /// Returns the type of a callable with this signature.
    pub(crate) fn callable(&self) -> CallableType {
        let size = IntegerType::from_to(Some(self.min as i64), self.max.map(|max| max as i64));
        let block = self.block.as_ref().map(|block| {
            if block.is_optional { Type::optional_of(block.type_.clone()) } else { block.type_.clone() }
        });
        CallableType::new(Some(TupleType::new(self.types.clone(), Some(size))), block, self.returns.clone())
    }
}

impl BlockParameter {
    /// Tells whether a block of this type, whose parameters are as described, will do.
    pub(crate) fn takes(&self, block: &crate::code::Callable) -> bool {
        match self.arity {
            // Nothing but the count matters on either side.
            Some(arity) if block.is_untyped => block.min <= arity && block.max.is_none_or(|max| arity <= max),
            _ => self.type_.accepts(&block.type_),
        }
    }
}

fn type_of(text: &str) -> Result<Type> {
    Type::parse(text, &LocalTypes(None))
}

/// Names that only signatures use; messages show them with their definitions.
const LOCAL_TYPES: [(&str, &str); 12] = [
    ("StringData", "Variant[String, Numeric, Array[StringData], Hash[StringData, StringData]]"),
    ("NameType", "Variant[String, Array[String]]"),
    ("ValueType", "Type"),
    ("DefaultValueType", "Any"),
    ("MergeType", "Variant[String[1], Hash[String, Scalar]]"),
    ("BlockType", "Callable[NameType]"),
    (
        "OptionsType",
        "Struct[{container_type => Optional[Type], include_root => Optional[Boolean], include_containers => Optional[Boolean], include_values => Optional[Boolean], order => Optional[Enum[depth_first, breadth_first]], include_refs => Optional[Boolean]}]",
    ),
    (
        "OptionsWithName",
        "Struct[{name => NameType, value_type => Optional[ValueType], default_value => Optional[DefaultValueType], override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], merge => Optional[MergeType]}]",
    ),
    (
        "OptionsWithoutName",
        "Struct[{value_type => Optional[ValueType], default_value => Optional[DefaultValueType], override => Optional[Hash[String, Any]], default_values_hash => Optional[Hash[String, Any]], merge => Optional[MergeType]}]",
    ),
    // Of puppetlabs-stdlib, whose functions are there without the module.
    (
        "Stdlib::Fqdn",
        r"Pattern[/\A(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9\-]*[A-Za-z0-9])\z/]",
    ),
    ("Stdlib::Dns::Zone", r"Pattern[/\A((([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)+|\.)\z/]"),
    (
        "Stdlib::Email",
        r"Pattern[/\A[a-zA-Z0-9.!#$%&'*+\/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*\z/]",
    ),
];

/// The local types, one of them perhaps being defined.
struct LocalTypes(Option<(&'static str, AliasType)>);

impl Definitions for LocalTypes {
    fn type_named(&self, name: &str) -> Result<Option<Type>> {
        if let Some((_, alias)) = self.0.as_ref().filter(|(known, _)| known.eq_ignore_ascii_case(name)) {
            return Ok(Some(alias.clone().into()));
        }
        let Some((name, text)) = LOCAL_TYPES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name))
        else {
            return Ok(None);
        };
        let alias = AliasType::declare(*name);
        alias.define(&Type::parse(text, &Self(Some((*name, alias.clone()))))?)?;
        Ok(Some(alias.into()))
    }
}

pub(crate) fn is_any(type_: &Type) -> bool {
    matches!(type_.kind(), TypeKind::Any(_))
}

/// Returns the n of `Callable[n, n]`.
fn exact_arity(type_: &Type) -> Option<usize> {
    let TypeKind::Callable(callable) = type_.kind() else { return None };
    let params = callable.parameters()?;
    let size = params.size()?;
    let is_untyped = params.types().iter().all(|type_| matches!(type_.kind(), TypeKind::Unit(_)));
    let exact = size.min.is_some() && size.min == size.max;
    (is_untyped && exact).then(|| size.min.and_then(|min| usize::try_from(min).ok())).flatten()
}
