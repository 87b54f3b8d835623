//! How values show themselves to developers: as program text, secrets redacted.

use std::fmt;

use super::Value;

/// What is printed in place of a sensitive value.
pub(super) const REDACTED: &str = "Sensitive [value redacted]";

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.program_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CONSTRUCTED, type_};

    #[test]
    fn secrets_are_redacted_wherever_they_are_printed() {
        let secret = Value::array(vec![Value::sensitive(Value::from("hunter2"))]);
        for text in [
            format!("{secret:?}"),
            secret.to_string(),
            secret.program_text(),
            secret.to_json(),
            secret.to_yaml(),
        ] {
            assert!(!text.contains("hunter2"), "{text}");
            assert!(text.contains("redacted"), "{text}");
        }
    }

    const CANARY: &str = "canary7f3a";

    /// Wherever a secret stands, nothing that shows the value shows it.
    #[test]
    fn nothing_that_is_made_of_a_secret_tells_it() {
        for text in [
            "Sensitive('canary7f3a')",
            "[1, Sensitive('canary7f3a')]",
            "{a => Sensitive('canary7f3a')}",
            "{Sensitive('canary7f3a') => 1}",
            "Sensitive(['canary7f3a'])",
            "Sensitive({canary7f3a => 1})",
            "[[{a => [Sensitive('canary7f3a')]}]]",
            "type A = Object[{attributes => {a => Any}}]\nA(Sensitive('canary7f3a'))",
            "type A = Object[{attributes => {a => Any}}]\nA([Sensitive({b => 'canary7f3a'})])",
        ] {
            let secret = crate::testing::value(text);
            let texts = [
                format!("{secret:?}"),
                secret.to_string(),
                secret.program_text(),
                secret.to_json(),
                secret.to_pretty_json(),
                secret.to_yaml(),
                secret.to_yaml_with(Some(4), Some(20)),
                secret.to_plain(),
                crate::infer::detailed(&secret).to_string(),
                crate::infer::reduced(&secret).to_string(),
                crate::infer::generic(&secret).to_string(),
                crate::mismatch::describe_value("x", &crate::Type::integer(), &secret),
                crate::mismatch::describe_value("x", &crate::Type::array_of(crate::Type::integer()), &secret),
            ];
            for shown in texts {
                assert!(!shown.contains(CANARY), "{text}: {shown}");
            }
            assert!(secret.has_sensitive() || text.contains("Object"), "{text}");
        }
    }

    /// Conversions of a secret give a secret or fail without telling it.
    #[test]
    fn no_conversion_tells_a_secret() {
        for name in CONSTRUCTED.into_iter().chain(["Tuple", "Init[Integer]"]) {
            let wanted = type_(name);
            let secret = Value::sensitive(Value::from(CANARY));
            for arguments in [
                vec![secret.clone()],
                vec![Value::from("x"), secret.clone()],
                vec![Value::array(vec![secret])],
            ] {
                let told = match crate::convert::new(&wanted, &arguments, &crate::types::NoDefinitions) {
                    Ok(value) => format!("{value} {value:?}"),
                    Err(error) => format!("{error} {error:?}"),
                };
                assert!(!told.contains(CANARY), "{name}: {told}");
            }
        }
    }
}
