//! Our answer about a text, in the form of `scripts/puppet-parser.rb`.

use std::path::Path;
use std::sync::Arc;

use hierarch_source::{Diagnostic, Source};
use hierarch_syntax::{
    CheckedText, DumpFormat, MOST_REPORTED, ParseOutcome, ValidateOptions, check, check_epp, dump, parse,
    parse_epp,
};
use serde_json::Value as Json;

use super::compare::answer;
use crate::cases::lang;

fn is_template(source: &Source) -> bool {
    source.name().is_some_and(|name| Path::new(name).extension().is_some_and(|extension| extension == "epp"))
}

/// Parses a text by the grammar that its name asks for.
pub fn parse_named(source: &Arc<Source>) -> ParseOutcome {
    if is_template(source) { parse_epp(source) } else { parse(source) }
}

/// Parses and validates a text by the grammar that its name asks for.
pub fn check_named(source: &Arc<Source>) -> CheckedText {
    let options = ValidateOptions::default();
    if is_template(source) { check_epp(source, &options) } else { check(source, &options) }
}

/// Does all that is done with a text: parses and validates it, dumps its tree in every form, renders what is wrong.
pub fn read_all(source: &Arc<Source>) {
    let checked = check_named(source);
    for diagnostic in &checked.diagnostics {
        diagnostic.render(hierarch_source::Style::Plain);
        diagnostic.to_json();
    }
    if let Some(program) = &checked.program {
        for format in [DumpFormat::Pn, DumpFormat::PnPretty, DumpFormat::Json, DumpFormat::JsonPretty] {
            dump(program, format);
        }
    }
}

/// Returns what the reference logs besides the error it raises: warnings, and errors if there are several.
pub fn logged(checked: &CheckedText) -> Logged<'_> {
    let errors: Vec<&Diagnostic> = checked.errors().collect();
    let several = errors.len() > 1;
    Logged {
        warnings: checked.warnings().collect(),
        errors: if several { errors.into_iter().take(MOST_REPORTED).collect() } else { Vec::new() },
    }
}

/// What the reference logs about a text.
#[derive(Clone, Debug)]
pub struct Logged<'a> {
    /// Warnings, in order.
    pub warnings: Vec<&'a Diagnostic>,
    /// Errors, in order.
    pub errors: Vec<&'a Diagnostic>,
}

/// Returns the answer about a file.
pub fn answer_about(path: &str, bytes: Vec<u8>) -> Json {
    let source = match Source::from_bytes(path, bytes) {
        Ok(source) => source,
        Err(error) => {
            let error = Some(lang::error_of(&error));
            let none = Some(Json::Array(Vec::new()));
            return answer(path, [("dump_error", error.clone()), ("logs", none), ("error", error)]);
        }
    };
    let (pn, dump_error) = match parse_named(&source).program {
        Ok(program) => (Some(dump(&program, DumpFormat::Pn).into()), None),
        Err(error) => (None, Some(lang::error_of(&error))),
    };
    let checked = check_named(&source);
    let Logged { warnings, errors } = logged(&checked);
    let warnings = warnings.into_iter().map(|warning| log("warning", warning));
    let logs = warnings.chain(errors.into_iter().map(|error| log("err", error))).collect();
    let error = checked.failure().map(|error| lang::error_of(&error));
    answer(path, [("pn", pn), ("dump_error", dump_error), ("logs", Some(logs)), ("error", error)])
}

fn log(level: &str, diagnostic: &Diagnostic) -> Json {
    let mut entry = lang::error_of(diagnostic);
    entry["level"] = level.into();
    entry
}
