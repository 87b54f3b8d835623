//! What must not be shown: texts that were decrypted or that became `Sensitive`.
//!
//! Values know themselves that they are secret, see [`TracedValue`](crate::origin::Traced). This is for texts that secrets get
//! into by other ways: messages of errors, variables of a manifest, words of a data function.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use hierarch_pcore::Value;

use crate::eyaml::HIDDEN;

/// The secret texts that a run has met.
#[derive(Debug, Default)]
pub(crate) struct Secrets {
    texts: Mutex<HashSet<String>>,
    opened: AtomicU64,
    /// The names of variables that manifests made of secrets.
    variables: Mutex<HashSet<String>>,
}

/// Shorter secrets are hidden only where they are words of their own: nothing else could be read any more.
const SHORT: usize = 4;

impl Secrets {
    /// Remembers all texts and numbers of a value.
    pub(crate) fn note(&self, value: &Value) {
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.note(item)),
            Value::Hash(hash) => hash.iter().for_each(|(_, value)| self.note(value)),
            Value::Sensitive(inner) => self.note(inner),
            Value::String(text) => self.note_text(text),
            Value::Integer(_) | Value::Float(_) => self.note_text(&value.to_string()),
            _ => {}
        }
    }

    /// Remembers a text, and that something was decrypted.
    pub(crate) fn note_opened(&self, text: &str) {
        self.opened.fetch_add(1, Ordering::Relaxed);
        self.note_text(text);
    }

    fn note_text(&self, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.texts.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_owned());
        }
    }

    /// Remembers that a variable was made of a secret.
    pub(crate) fn note_variable(&self, name: &str) {
        let name = name.trim_start_matches("::").to_owned();
        self.variables.lock().unwrap_or_else(PoisonError::into_inner).insert(name);
    }

    /// Tells whether a variable was made of a secret.
    pub(crate) fn is_variable(&self, name: &str) -> bool {
        let variables = self.variables.lock().unwrap_or_else(PoisonError::into_inner);
        !variables.is_empty() && variables.contains(name.trim_start_matches("::"))
    }

    /// Returns how often something was decrypted.
    pub(crate) fn count(&self) -> u64 {
        self.opened.load(Ordering::Relaxed)
    }

    /// Tells whether nothing is secret so far.
    pub(crate) fn is_empty(&self) -> bool {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Tells whether a text is a secret, or has one in it.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.iter().any(|secret| {
            if secret.chars().count() < SHORT {
                text.trim() == secret
            } else {
                text.contains(secret.as_str())
            }
        })
    }

    /// Returns a text without the secrets in it. Some are quoted there, with escapes.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let mut texts: Vec<&String> = texts.iter().collect();
        // A secret inside a longer one must not leave the rest of it behind.
        texts.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        texts.iter().fold(text.to_owned(), |text, secret| hide(&text, secret))
    }

    /// Returns a value in which every text that has a secret in it is hidden.
    pub(crate) fn hidden_in_value(&self, value: &Value) -> Value {
        if self.is_empty() {
            return value.clone();
        }
        match value {
            Value::String(text) if self.is_in(text) => Value::from(HIDDEN),
            Value::Integer(_) | Value::Float(_) if self.is_in(&value.to_string()) => Value::from(HIDDEN),
            Value::Array(items) => {
                Value::array(items.iter().map(|item| self.hidden_in_value(item)).collect())
            }
            Value::Hash(hash) => {
                let hidden = |value: &Value| self.hidden_in_value(value);
                Value::hash(hash.iter().map(|(key, value)| (hidden(key), hidden(value))).collect())
            }
            other => other.clone(),
        }
    }
}

/// Replaces a secret in a text, also where it is written in quotes with escapes.
fn hide(text: &str, secret: &str) -> String {
    if secret.chars().count() < SHORT {
        return hide_word(text, secret);
    }
    let json = Value::from(secret).to_json();
    let escaped = json.get(1..json.len().saturating_sub(1)).unwrap_or(secret);
    let text = text.replace(secret, HIDDEN);
    let text = if escaped == secret { text } else { text.replace(escaped, HIDDEN) };
    // A message may show the first line alone.
    match secret.split_once('\n') {
        Some((line, _)) if line.trim().chars().count() >= SHORT => text.replace(line.trim(), HIDDEN),
        _ => text,
    }
}

fn hide_word(text: &str, word: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let last = before.chars().next_back().or_else(|| out.chars().next_back());
        out.push_str(before);
        let is_whole = !is_part(last) && !is_part(after.chars().next());
        out.push_str(if is_whole { HIDDEN } else { word });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(texts: &[&str]) -> Secrets {
        let secrets = Secrets::default();
        texts.iter().for_each(|text| secrets.note_opened(text));
        secrets
    }

    #[test]
    fn long_secrets_are_hidden_wherever_they_are() {
        let secrets = secrets(&["hunter2", "line one\nline two"]);
        assert_eq!(secrets.hidden_in("xhunter2y"), format!("x{HIDDEN}y"));
        assert_eq!(secrets.hidden_in("got \"line one\\nline two\""), format!("got \"{HIDDEN}\""));
        assert_eq!(secrets.hidden_in("got 'line one'"), format!("got '{HIDDEN}'"));
    }

    #[test]
    fn variables_made_of_secrets_are_known_by_name() {
        let secrets = Secrets::default();
        assert!(!secrets.is_variable("app::up"));
        secrets.note_variable("::app::up");
        assert!(secrets.is_variable("app::up") && secrets.is_variable("::app::up"));
        assert!(!secrets.is_variable("up") && secrets.is_empty());
    }

    #[test]
    fn short_secrets_are_hidden_as_words() {
        let secrets = secrets(&["a"]);
        assert_eq!(secrets.hidden_in("a bad 'a', an"), format!("{HIDDEN} bad '{HIDDEN}', an"));
    }

    #[test]
    fn numbers_that_became_sensitive_are_secret() {
        let secrets = Secrets::default();
        secrets.note(&Value::array(vec![Value::from(48151), Value::from("x")]));
        assert!(secrets.is_in("48151") && !secrets.is_in("xx"));
        assert_eq!(secrets.hidden_in_value(&Value::from(48151)), Value::from(HIDDEN));
    }
}
