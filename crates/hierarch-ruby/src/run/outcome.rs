//! How a run ended, for everyone who shows or compares runs: tests, examples, `cargo xtask`.

use std::fmt;

use super::{Flow, NoHost, Ruby, Vm};
use crate::limits::ScriptLimits;

/// Why a run gave no value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The class of the exception, or the code of the error that no script can rescue.
    pub class: String,
    /// What it says; a jump that leads nowhere says nothing.
    pub message: Option<String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.message {
            Some(message) => write!(formatter, "{}: {message}", self.class),
            None => formatter.write_str(&self.class),
        }
    }
}

impl Vm<'_> {
    /// Returns why a run gave no value.
    pub fn failure(&mut self, flow: Flow) -> Failure {
        let (class, message) = match flow {
            Flow::Raise(exception) => {
                let class = self.class_name(&exception).to_string();
                let message = self.message_of(&exception).map(|text| text.to_string());
                (class, Some(message.unwrap_or_default()))
            }
            Flow::Stop(error) => (error.code.to_owned(), Some(error.message.clone())),
            Flow::Throw(..) => ("UncaughtThrowError".to_owned(), None),
            Flow::Return(..) => ("LocalJumpError".to_owned(), Some("unexpected return".to_owned())),
            Flow::Break(..) => ("LocalJumpError".to_owned(), Some("break from proc-closure".to_owned())),
            _ => ("LocalJumpError".to_owned(), None),
        };
        Failure { class, message }
    }
}

/// Runs a program in a Ruby of its own, without a host, and returns what `inspect` shows of its value.
///
/// ```
/// use hierarch_ruby::{ScriptLimits, run::outcome};
///
/// assert_eq!(outcome("[1, :a].inspect.size", ScriptLimits::default()), Ok("7".to_owned()));
/// let failure = outcome("Integer('x')", ScriptLimits::default()).unwrap_err();
/// assert_eq!(failure.class, "ArgumentError");
/// ```
///
/// # Errors
///
/// Fails as the program does: by an exception, a limit, a refusal, or a jump that leads nowhere.
pub fn outcome(code: &str, limits: ScriptLimits) -> Result<String, Failure> {
    let mut host = NoHost;
    let mut vm = Vm::new(Box::new(Ruby::new(limits)), &mut host);
    let value = vm.program(code, "t.rb").and_then(|program| vm.run(&program));
    let shown = value.and_then(|value| vm.inspect(&value));
    shown.map(|text| text.to_string()).map_err(|flow| vm.failure(*flow))
}

/// Runs programs one by one and compares what each gives, or ends with, with what Ruby 3.3 answered.
#[cfg(test)]
pub(crate) fn outcome_table(rows: &[(&str, &str)]) {
    for (code, expected) in rows {
        let shown = outcome(code, ScriptLimits::default()).unwrap_or_else(|failure| failure.to_string());
        assert_eq!(shown, *expected, "{code}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class_of(code: &str) -> String {
        let limits = ScriptLimits { steps: 10_000, ..ScriptLimits::default() };
        outcome(code, limits).map_or_else(|failure| failure.to_string(), |shown| format!("= {shown}"))
    }

    #[test]
    fn every_way_to_end_has_its_words() {
        for (code, end) in [
            ("1 + 1", "= 2"),
            ("raise 'x'", "RuntimeError: x"),
            ("raise ArgumentError", "ArgumentError: ArgumentError"),
            ("throw :x", "UncaughtThrowError: uncaught throw :x"),
        ] {
            let got = class_of(code);
            assert!(got.ends_with(end), "{code}: {got}");
        }
        assert!(class_of("loop { }").starts_with("RUBY_"), "{}", class_of("loop { }"));
    }

    #[test]
    fn a_run_leaves_nothing_for_the_next() {
        assert_eq!(class_of("class String; def upcase; 'own'; end; end; $g = 1; 'a'.upcase"), "= \"own\"");
        assert_eq!(class_of("['a'.upcase, $g]"), "= [\"A\", nil]");
    }
}
