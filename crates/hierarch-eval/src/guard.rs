//! What an expression from outside may not do: it asks, and does nothing else.

use std::sync::Arc;

use hierarch_hiera::eyaml::HIDDEN;
use hierarch_pcore::Value;

/// Bounds on what a program may do, however it goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Functions that read files, reach out, declare something or are written in Ruby are refused.
    pub only_computes: bool,
    /// What lookups do whose answer has a secret in it.
    pub secrets: SecretRule,
    /// Functions that look something up, or read what is known of the node, are refused.
    pub asks_nothing: bool,
}

/// What a lookup gives to a program when its answer has a secret in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecretRule {
    /// The secret.
    #[default]
    Given,
    /// An error.
    Refused,
    /// What stands for a secret that is not shown: whatever the program makes of it, it tells nothing.
    Replaced,
}

/// Functions that read files, reach out or declare something.
const REFUSED: [&str; 37] = [
    "binary_file",
    "collect",
    "contain",
    "create_resources",
    "debug",
    "deprecation",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "epp",
    "eyaml_lookup_key",
    "file",
    "find_file",
    "find_template",
    "generate",
    "glob",
    "hiera_include",
    "hocon_data",
    "include",
    "inline_epp",
    "inline_template",
    "json_data",
    "load_module_metadata",
    "loadjson",
    "loadyaml",
    "module_directory",
    "realize",
    "require",
    "stdlib::batch_escape",
    "stdlib::ensure_packages",
    "stdlib::has_function",
    "tag",
    "tagged",
    "template",
    "validate_augeas",
    "validate_cmd",
    "yaml_data",
];

/// Functions that look something up, or read what is known of the node.
const ABOUT_NODES: [&str; 18] = [
    "defined",
    "fact",
    "fqdn_rand",
    "fqdn_rand_string",
    "fqdn_rotate",
    "getvar",
    "has_interface_with",
    "has_ip_address",
    "has_ip_network",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "lookup",
    "os_version_gte",
    "stdlib::fqdn_rand_string",
    "stdlib::fqdn_rotate",
    "stdlib::has_interface_with",
    "stdlib::os_version_gte",
];

impl Guard {
    /// Tells whether a function is refused, by its name without leading colons.
    pub fn refuses(self, function: &str) -> bool {
        self.only_computes && REFUSED.contains(&function)
            || self.asks_nothing && ABOUT_NODES.contains(&function)
    }
}

/// Tells whether an answer has a secret in it: it is shown as another value, or something in it is `Sensitive`.
pub fn has_secret(value: &Value, shown: &Value) -> bool {
    value != shown || has_sensitive(value)
}

fn has_sensitive(value: &Value) -> bool {
    match value {
        Value::Sensitive(_) => true,
        Value::Array(items) => items.iter().any(has_sensitive),
        Value::Hash(hash) => hash.iter().any(|(key, value)| has_sensitive(key) || has_sensitive(value)),
        _ => false,
    }
}

/// Puts what may be shown in the place of secrets; what was `Sensitive` stays so.
pub(crate) fn replaced(value: &Value, shown: &Value) -> Value {
    match (value, shown) {
        (Value::Sensitive(_), _) => Value::Sensitive(Arc::new(Value::from(HIDDEN))),
        (Value::Array(items), Value::Array(open)) if items.len() == open.len() => {
            Value::array(items.iter().zip(open.iter()).map(|(item, open)| replaced(item, open)).collect())
        }
        (Value::Hash(entries), Value::Hash(open)) if entries.len() == open.len() => {
            let pair = |((_, value), (key, open)): ((&Value, &Value), (&Value, &Value))| {
                (key.clone(), replaced(value, open))
            };
            Value::hash(entries.iter().zip(open.iter()).map(pair).collect())
        }
        (_, shown) => shown.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_replaced_where_they_stand() {
        let secret = |text: &str| Value::Sensitive(Arc::new(Value::from(text)));
        let value = Value::array(vec![Value::from("s3cret"), Value::from(1_i64), secret("x")]);
        let shown = Value::array(vec![Value::from(HIDDEN), Value::from(1_i64), Value::from(HIDDEN)]);
        let expected = Value::array(vec![Value::from(HIDDEN), Value::from(1_i64), secret(HIDDEN)]);
        assert_eq!(replaced(&value, &shown), expected);
        let hash = |value: Value| Value::hash([("k", value)].into_iter().collect());
        assert_eq!(replaced(&hash(value), &hash(shown)), hash(expected));
        assert_eq!(replaced(&Value::from("whole"), &Value::from(HIDDEN)), Value::from(HIDDEN));
    }

    #[test]
    fn each_bound_stands_for_itself() {
        let (open, computes) = (Guard::default(), Guard { only_computes: true, ..Guard::default() });
        let asks_nothing = Guard { asks_nothing: true, ..Guard::default() };
        for (guard, refused, allowed) in
            [(open, "", "file"), (computes, "file", "lookup"), (asks_nothing, "lookup", "file")]
        {
            assert!(refused.is_empty() || guard.refuses(refused), "{guard:?} {refused}");
            assert!(!guard.refuses(allowed), "{guard:?} {allowed}");
        }
    }

    #[test]
    fn secrets_are_what_is_shown_otherwise_and_what_is_sensitive_anywhere() {
        let (text, hidden) = (Value::from("x"), Value::from("hidden"));
        let sensitive = Value::Sensitive(std::sync::Arc::new(text.clone()));
        let deep = Value::array(vec![Value::hash([("k", sensitive)].into_iter().collect())]);
        for (value, shown, wanted) in
            [(&text, &text, false), (&text, &hidden, true), (&deep, &deep, true), (&deep, &hidden, true)]
        {
            assert_eq!(has_secret(value, shown), wanted, "{value} {shown}");
        }
    }

    #[test]
    fn the_lists_are_in_order_and_name_nothing_twice() {
        assert!(REFUSED.is_sorted() && ABOUT_NODES.is_sorted());
        assert!(ABOUT_NODES.iter().all(|name| !REFUSED.contains(name)));
    }
}
