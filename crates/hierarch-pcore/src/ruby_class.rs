//! What classes values have in the reference, which is written in Ruby: its messages name them.

use crate::types::Kind;
use crate::{Type, Value};

/// Returns the name of the Ruby class of a value.
pub fn ruby_class(value: &Value) -> &'static str {
    match value {
        Value::Undef => "NilClass",
        Value::Default => "Symbol",
        Value::Boolean(true) => "TrueClass",
        Value::Boolean(false) => "FalseClass",
        Value::Integer(_) => "Integer",
        Value::Float(_) => "Float",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        Value::Regexp(_) => "Regexp",
        Value::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType::Sensitive",
        Value::Binary(_) => "Puppet::Pops::Types::PBinaryType::Binary",
        Value::SemVer(_) => "SemanticPuppet::Version",
        Value::SemVerRange(_) => "SemanticPuppet::VersionRange",
        Value::Timestamp(_) => "Puppet::Pops::Time::Timestamp",
        Value::Timespan(_) => "Puppet::Pops::Time::Timespan",
        Value::Uri(_) => "URI::Generic",
        Value::Type(type_) => type_class(type_),
        Value::Foreign(foreign) if foreign.digits().is_some() => "Integer",
        Value::Object(_) | Value::Foreign(_) => "Object",
    }
}

fn type_class(type_: &Type) -> &'static str {
    match type_.kind() {
        Kind::Any(_) => "Puppet::Pops::Types::PAnyType",
        Kind::Undef(_) => "Puppet::Pops::Types::PUndefType",
        Kind::Integer(_) => "Puppet::Pops::Types::PIntegerType",
        Kind::Float(_) => "Puppet::Pops::Types::PFloatType",
        Kind::Numeric(_) => "Puppet::Pops::Types::PNumericType",
        Kind::String(_) => "Puppet::Pops::Types::PStringType",
        Kind::Boolean(_) => "Puppet::Pops::Types::PBooleanType",
        Kind::Enum(_) => "Puppet::Pops::Types::PEnumType",
        Kind::Pattern(_) => "Puppet::Pops::Types::PPatternType",
        Kind::Regexp(_) => "Puppet::Pops::Types::PRegexpType",
        Kind::Array(_) => "Puppet::Pops::Types::PArrayType",
        Kind::Hash(_) => "Puppet::Pops::Types::PHashType",
        Kind::Tuple(_) => "Puppet::Pops::Types::PTupleType",
        Kind::Struct(_) => "Puppet::Pops::Types::PStructType",
        Kind::Variant(_) => "Puppet::Pops::Types::PVariantType",
        Kind::Optional(_) => "Puppet::Pops::Types::POptionalType",
        Kind::Type(_) => "Puppet::Pops::Types::PTypeType",
        Kind::Reference(_) => "Puppet::Pops::Types::PTypeReferenceType",
        Kind::Alias(_) => "Puppet::Pops::Types::PTypeAliasType",
        Kind::Resource(_) => "Puppet::Pops::Types::PResourceType",
        Kind::Class(_) => "Puppet::Pops::Types::PClassType",
        _ => "Puppet::Pops::Types::PAnyType",
    }
}
