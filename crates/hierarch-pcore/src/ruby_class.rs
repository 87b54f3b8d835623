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
        Value::Uri(uri) => uri_class(&uri.part("scheme").map(|scheme| scheme.to_plain()).unwrap_or_default()),
        Value::Type(type_) => type_class(type_),
        Value::Foreign(foreign) if foreign.digits().is_some() => "Integer",
        Value::Object(_) | Value::Foreign(_) => "Object",
    }
}

/// Returns the class that Ruby has for addresses of a scheme.
fn uri_class(scheme: &str) -> &'static str {
    match scheme.to_ascii_lowercase().as_str() {
        "file" => "URI::File",
        "ftp" => "URI::FTP",
        "http" => "URI::HTTP",
        "https" => "URI::HTTPS",
        "ldap" => "URI::LDAP",
        "ldaps" => "URI::LDAPS",
        "mailto" => "URI::MailTo",
        "ws" => "URI::WS",
        "wss" => "URI::WSS",
        _ => "URI::Generic",
    }
}

fn type_class(type_: &Type) -> &'static str {
    match type_.kind() {
        Kind::Any(_) => "Puppet::Pops::Types::PAnyType",
        Kind::Undef(_) => "Puppet::Pops::Types::PUndefType",
        Kind::Unit(_) => "Puppet::Pops::Types::PUnitType",
        Kind::Default(_) => "Puppet::Pops::Types::PDefaultType",
        Kind::Scalar(_) => "Puppet::Pops::Types::PScalarType",
        Kind::ScalarData(_) => "Puppet::Pops::Types::PScalarDataType",
        Kind::Numeric(_) => "Puppet::Pops::Types::PNumericType",
        Kind::Integer(_) => "Puppet::Pops::Types::PIntegerType",
        Kind::Float(_) => "Puppet::Pops::Types::PFloatType",
        Kind::Boolean(_) => "Puppet::Pops::Types::PBooleanType",
        Kind::String(_) => "Puppet::Pops::Types::PStringType",
        Kind::Enum(_) => "Puppet::Pops::Types::PEnumType",
        Kind::Pattern(_) => "Puppet::Pops::Types::PPatternType",
        Kind::Regexp(_) => "Puppet::Pops::Types::PRegexpType",
        Kind::Collection(_) => "Puppet::Pops::Types::PCollectionType",
        Kind::Array(_) => "Puppet::Pops::Types::PArrayType",
        Kind::Tuple(_) => "Puppet::Pops::Types::PTupleType",
        Kind::Hash(_) => "Puppet::Pops::Types::PHashType",
        Kind::Struct(_) => "Puppet::Pops::Types::PStructType",
        Kind::Iterable(_) => "Puppet::Pops::Types::PIterableType",
        Kind::Iterator(_) => "Puppet::Pops::Types::PIteratorType",
        Kind::Type(_) => "Puppet::Pops::Types::PTypeType",
        Kind::NotUndef(_) => "Puppet::Pops::Types::PNotUndefType",
        Kind::Optional(_) => "Puppet::Pops::Types::POptionalType",
        Kind::Variant(_) => "Puppet::Pops::Types::PVariantType",
        Kind::Sensitive(_) => "Puppet::Pops::Types::PSensitiveType",
        Kind::Binary(_) => "Puppet::Pops::Types::PBinaryType",
        Kind::SemVer(_) => "Puppet::Pops::Types::PSemVerType",
        Kind::SemVerRange(_) => "Puppet::Pops::Types::PSemVerRangeType",
        Kind::Timestamp(_) => "Puppet::Pops::Types::PTimestampType",
        Kind::Timespan(_) => "Puppet::Pops::Types::PTimespanType",
        Kind::Uri(_) => "Puppet::Pops::Types::PURIType",
        Kind::Callable(_) => "Puppet::Pops::Types::PCallableType",
        Kind::CatalogEntry(_) => "Puppet::Pops::Types::PCatalogEntryType",
        Kind::Class(_) => "Puppet::Pops::Types::PClassType",
        Kind::Resource(_) => "Puppet::Pops::Types::PResourceType",
        Kind::Runtime(_) => "Puppet::Pops::Types::PRuntimeType",
        Kind::Init(_) => "Puppet::Pops::Types::PInitType",
        Kind::Object(_) => "Puppet::Pops::Types::PObjectType",
        Kind::ObjectExtension(_) => "Puppet::Pops::Types::PObjectTypeExtensionType",
        Kind::TypeSet(_) => "Puppet::Pops::Types::PTypeSetType",
        Kind::Reference(_) => "Puppet::Pops::Types::PTypeReferenceType",
        Kind::Alias(_) => "Puppet::Pops::Types::PTypeAliasType",
    }
}
