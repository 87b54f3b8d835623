//! What an expression from outside may not do: it asks, and does nothing else.

use hierarch_pcore::Value;

/// Bounds on what a program may do, however it goes about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guard {
    /// Functions that read files, reach out, declare something or are written in Ruby are refused.
    pub only_computes: bool,
    /// Lookups whose answer has a secret in it fail.
    pub hides_secrets: bool,
    /// Functions that look something up are refused.
    pub asks_nothing: bool,
}

/// Functions that read files, reach out or declare something.
const REFUSED: [&str; 36] = [
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
    "stdlib::has_function",
    "tag",
    "tagged",
    "template",
    "validate_augeas",
    "validate_cmd",
    "yaml_data",
];

/// Functions that look something up.
const LOOKUPS: [&str; 4] = ["hiera", "hiera_array", "hiera_hash", "lookup"];

impl Guard {
    /// Tells whether a function is refused, by its name without leading colons.
    pub fn refuses(self, function: &str) -> bool {
        self.only_computes && REFUSED.contains(&function) || self.asks_nothing && LOOKUPS.contains(&function)
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

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(REFUSED.is_sorted() && LOOKUPS.is_sorted());
        assert!(LOOKUPS.iter().all(|name| !REFUSED.contains(name)));
    }
}
