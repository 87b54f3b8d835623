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
}
