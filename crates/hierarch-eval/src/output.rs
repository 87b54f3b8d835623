//! What a run writes: texts being interpolated, templates being rendered, and messages.

use std::collections::BTreeSet;

use hierarch_pcore::Value;

use crate::Level;
use crate::expr::append;
use crate::log::Log;

/// The texts and messages of a run.
#[derive(Default)]
pub(crate) struct Output {
    /// The texts being interpolated, one after the other.
    buffer: String,
    /// The texts of the templates being rendered, the innermost last.
    templates: Vec<Rendering>,
    logs: Vec<Log>,
    /// The keys of deprecated uses that were warned of since the logs were last taken.
    noted_uses: BTreeSet<String>,
}

/// The text of a template so far.
#[derive(Default)]
struct Rendering {
    text: String,
    /// True once something was written that must not be printed.
    is_sensitive: bool,
}

impl Output {
    /// Returns the text being interpolated; whoever starts one remembers how long it was.
    #[inline]
    pub(crate) fn buffer(&mut self) -> &mut String {
        &mut self.buffer
    }

    /// Starts the text of a template.
    pub(crate) fn start_template(&mut self) {
        self.templates.push(Rendering::default());
    }

    /// Ends the text of a template and returns it.
    pub(crate) fn end_template(&mut self) -> Value {
        let rendering = self.templates.pop().unwrap_or_default();
        let text = Value::from(rendering.text);
        if rendering.is_sensitive { Value::sensitive(text) } else { text }
    }

    /// Adds text to the template.
    pub(crate) fn render_text(&mut self, text: &str) {
        if let Some(rendering) = self.templates.last_mut() {
            rendering.text.push_str(text);
        }
    }

    /// Adds a value to the template, which is secret if the value is, and returns how long it is now.
    pub(crate) fn render(&mut self, value: &Value) -> usize {
        let Some(rendering) = self.templates.last_mut() else { return 0 };
        match value {
            Value::Sensitive(secret) => {
                rendering.is_sensitive = true;
                append(&mut rendering.text, secret);
            }
            value => append(&mut rendering.text, value),
        }
        rendering.text.len()
    }

    /// Adds a message.
    pub(crate) fn log(&mut self, log: Log) {
        self.logs.push(log);
    }

    /// Adds a warning about the program.
    pub(crate) fn warn(&mut self, message: String) {
        self.log(Log { level: Level::Warning, message, place: None, scope: None, excerpt: None });
    }

    /// Adds a warning about the program that was not logged before.
    pub(crate) fn warn_once(&mut self, message: String) {
        if !self.has_logged(&message) {
            self.warn(message);
        }
    }

    /// Tells whether a message was logged since the logs were last taken.
    pub(crate) fn has_logged(&self, message: &str) -> bool {
        self.logs.iter().any(|log| log.message == message)
    }

    /// Notes that there is a warning about a use; false if it was noted before.
    pub(crate) fn notes_use(&mut self, key: &str) -> bool {
        self.noted_uses.insert(key.to_owned())
    }

    /// Returns what was logged since the last time.
    pub(crate) fn take_logs(&mut self) -> Vec<Log> {
        self.noted_uses.clear();
        std::mem::take(&mut self.logs)
    }

    /// Forgets the texts that an unwound program left unfinished.
    pub(crate) fn reset(&mut self) {
        self.buffer.clear();
        self.templates.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_with_a_secret_is_one() {
        let mut output = Output::default();
        output.start_template();
        output.render_text("a");
        output.start_template();
        output.render(&Value::sensitive(Value::from("s")));
        assert!(matches!(output.end_template(), Value::Sensitive(_)));
        assert_eq!(output.render(&Value::from(12)), 3);
        assert_eq!(output.end_template(), Value::from("a12"));
    }

    #[test]
    fn a_warning_is_repeated_once_the_logs_were_taken() {
        let mut output = Output::default();
        output.warn_once("old".to_owned());
        output.warn_once("old".to_owned());
        assert!(output.notes_use("a") && output.notes_use("b") && !output.notes_use("a"));
        assert_eq!(output.take_logs().len(), 1);
        assert!(output.notes_use("a"));
        output.warn_once("old".to_owned());
        assert_eq!(output.take_logs().len(), 1);
    }
}
