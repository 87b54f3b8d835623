//! Parsing and validation in one go, as `puppet parser validate` does them.

use std::sync::Arc;

use hierarch_source::{Diagnostic, Error, Severity, Source};

use crate::issues;
use crate::parser::{ParseOutcome, Program, parse, parse_epp};
use crate::validate::{ValidateOptions, validate};

/// What checking a text gave.
#[derive(Debug)]
pub struct CheckedText {
    /// The program, if the text follows the grammar; it may still have errors.
    pub program: Option<Program>,
    /// All that was found, in the order of the reference: warnings of the lexer, then the syntax error or all
    /// that validation has to say.
    pub diagnostics: Vec<Diagnostic>,
}

/// The reference reports at most this many errors, and as many warnings, of one text.
pub const MOST_REPORTED: usize = 10;

impl CheckedText {
    /// Returns the errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Returns the warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning)
    }

    /// Returns the one error that stands for all: the only one, or one that counts them.
    pub fn failure(&self) -> Option<Error> {
        let mut errors = self.errors();
        let first = errors.next()?;
        let count = 1 + errors.count();
        Some(match count {
            1 => first.clone().into(),
            _ => {
                issues::giving_up(count, self.warnings().filter(|warning| is_of_validation(warning)).count())
            }
        })
    }
}

/// Warnings of the lexer are logged when they are met and not counted with those of validation.
fn is_of_validation(warning: &Diagnostic) -> bool {
    !matches!(warning.code, "UNRECOGNIZED_ESCAPE" | "ILLEGAL_UNICODE_ESCAPE")
}

/// Parses and validates a manifest.
pub fn check(source: &Arc<Source>, options: &ValidateOptions) -> CheckedText {
    check_parsed(parse(source), options)
}

/// Parses and validates a template.
pub fn check_epp(source: &Arc<Source>, options: &ValidateOptions) -> CheckedText {
    check_parsed(parse_epp(source), options)
}

fn check_parsed(parsed: ParseOutcome, options: &ValidateOptions) -> CheckedText {
    let mut diagnostics = parsed.warnings;
    let program = match parsed.program {
        Ok(program) => program,
        Err(error) => {
            diagnostics.push(error.into_diagnostic());
            return CheckedText { program: None, diagnostics };
        }
    };
    match validate(&program, options) {
        Ok(found) => diagnostics.extend(found),
        Err(error) => diagnostics.push(error.into_diagnostic()),
    }
    CheckedText { program: Some(program), diagnostics }
}
