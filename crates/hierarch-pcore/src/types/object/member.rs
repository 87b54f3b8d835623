//! Attributes and functions of object types.

use crate::types::Kind;
use crate::{Hash, Str, Type, Value};

/// An attribute of an object type, or one of its type parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    pub(super) member: Member,
    pub(super) kind: Option<AttributeKind>,
    /// The value it has when none is given; none: it must be given.
    pub(super) value: Option<Value>,
}

/// Where the value of an attribute comes from, if not simply from the constructor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeKind {
    /// It is the same for all instances.
    Constant,
    /// It is computed.
    Derived,
    /// It is given or computed.
    GivenOrDerived,
    /// It refers to an object that is not contained.
    Reference,
}

/// What attributes and functions have in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    pub(super) name: Str,
    /// The type that declares it.
    pub(super) container: String,
    pub(super) type_: Type,
    pub(super) overrides: bool,
    pub(super) is_final: bool,
}

/// Tells whether a type takes `undef` by its form. What is made of other values is looked into only where that cannot be about to
/// find out what this very object type is made of: texts and secrets are made of everything.
fn takes_undef(type_: &Type, depth: usize) -> bool {
    const DEEPEST: usize = 20;
    match type_.kind() {
        _ if depth > DEEPEST => false,
        Kind::Init(init) => init.contained().is_none_or(|made| match made.kind() {
            Kind::String(_) => type_.accepts(&Type::undef()),
            Kind::Sensitive(secret) => {
                matches!(secret.contained().kind(), Kind::Any(_)) && type_.accepts(&Type::undef())
            }
            _ => false,
        }),
        Kind::Optional(_) => true,
        Kind::Variant(variant) => variant.types().iter().any(|member| takes_undef(member, depth + 1)),
        Kind::Alias(alias) => alias.resolved().is_some_and(|resolved| takes_undef(resolved, depth + 1)),
        _ => type_.accepts(&Type::undef()),
    }
}

impl AttributeKind {
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "constant" => Self::Constant,
            "derived" => Self::Derived,
            "given_or_derived" => Self::GivenOrDerived,
            "reference" => Self::Reference,
            _ => return None,
        })
    }

    /// Returns the word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Derived => "derived",
            Self::GivenOrDerived => "given_or_derived",
            Self::Reference => "reference",
        }
    }
}

impl Member {
    /// Returns the name.
    pub fn name(&self) -> &Str {
        &self.name
    }

    /// Returns the type; of a function a callable.
    pub fn type_(&self) -> &Type {
        &self.type_
    }

    pub(super) fn init(&self) -> (Str, Hash) {
        let mut hash: Hash = [("type", self.type_.clone())].into_iter().collect();
        if self.is_final {
            hash.insert("final", true);
        }
        if self.overrides {
            hash.insert("override", true);
        }
        (self.name.clone(), hash)
    }

    /// Returns the words that messages call it by, such as `attribute Car[reg]`.
    pub fn label(&self, feature: &str) -> String {
        format!("{feature} {}[{}]", self.container, self.name)
    }
}

impl Attribute {
    /// Returns the name.
    pub fn name(&self) -> &Str {
        &self.member.name
    }

    /// Returns the type.
    pub fn type_(&self) -> &Type {
        &self.member.type_
    }

    /// Returns the kind, if it is not simply given.
    pub fn kind(&self) -> Option<AttributeKind> {
        self.kind
    }

    /// Returns the value it has when none is given.
    pub fn value(&self) -> Option<&Value> {
        self.value.as_ref()
    }

    /// Tells whether the initializer of an instance may leave it out.
    pub fn may_be_left_out(&self) -> bool {
        self.value.is_some() || takes_undef(self.type_(), 0)
    }

    /// Tells whether it is the same for all instances.
    pub fn is_constant(&self) -> bool {
        self.kind == Some(AttributeKind::Constant)
    }

    /// Tells whether it is calculated, for which nobody wrote a method.
    pub fn is_derived(&self) -> bool {
        self.kind == Some(AttributeKind::Derived)
    }

    /// Tells whether the constructor takes it.
    pub fn is_given(&self) -> bool {
        !matches!(self.kind, Some(AttributeKind::Constant | AttributeKind::Derived))
    }

    /// Returns the words that messages call it by.
    pub fn label(&self) -> String {
        self.member.label("attribute")
    }

    pub(super) fn init(&self) -> (Str, Hash) {
        let (name, mut hash) = self.member.init();
        if let Some(kind) = self.kind {
            hash.insert("kind", kind.name());
            if kind == AttributeKind::Constant {
                hash.remove(&"final".into());
            }
        }
        if let Some(value) = &self.value {
            hash.insert("value", value.clone());
        }
        (name, hash)
    }

    /// The initializer of a type parameter: its type is optional without saying so.
    pub(super) fn parameter_init(&self) -> (Str, Hash) {
        let (name, mut hash) = self.init();
        if let crate::types::Kind::Optional(optional) = self.type_().kind() {
            hash.insert("type", optional.contained().cloned().unwrap_or_else(Type::any));
        }
        if hash.get_str("value").is_some_and(Value::is_undef) {
            hash.remove(&"value".into());
        }
        (name, hash)
    }
}
