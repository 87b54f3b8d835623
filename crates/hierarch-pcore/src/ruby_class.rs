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
        Kind::Uri(_) => "Puppet::Pops::Types::PURIType",
        Kind::ObjectExtension(_) => "Puppet::Pops::Types::PObjectTypeExtensionType",
        Kind::Reference(_) => "Puppet::Pops::Types::PTypeReferenceType",
        Kind::Alias(_) => "Puppet::Pops::Types::PTypeAliasType",
        kind => kind.usual_ruby_class(),
    }
}
