//! When a template fails: whose words are used, and what happens where failing is allowed.

use std::error::Error as _;

use hierarch_pcore::Value;
use hierarch_source::{Error, Result};
use minijinja::{Error as JinjaError, ErrorKind};

use super::Rendered;
use crate::expr::issues;
use crate::expr::scope::Scope;

/// Makes a template's error of ours, which it keeps.
pub(super) fn to_jinja_error(error: Error) -> JinjaError {
    JinjaError::new(ErrorKind::InvalidOperation, error.message.clone()).with_source(error)
}

/// Says how a rendering ends that failed: with an error or, where names may be undefined, with a text in its place.
pub(super) fn outcome(scope: &Scope, source: &str, error: &JinjaError) -> Result<Rendered> {
    let own = own_error(error);
    if let Some(own) = &own
        && is_final(own)
    {
        return Err(own.clone());
    }
    match error.kind() {
        ErrorKind::WriteFailure => return Err(super::too_much(scope)),
        ErrorKind::OutOfFuel => return Err(issues::too_many_steps(scope.world.limits.fuel)),
        _ => {}
    }
    if !scope.strict && error.kind() == ErrorKind::UndefinedError {
        return Ok(source.to_owned().into());
    }
    let failed = issues::template(&words(source, error, own.as_ref()));
    if scope.strict {
        return Err(with_notes(failed, error, own.as_ref()));
    }
    let native = Some(Value::from(failed.message.as_str()));
    Ok(Rendered { text: failed.message.clone(), native })
}

/// Errors that nothing may swallow.
fn is_final(error: &Error) -> bool {
    matches!(error.code, "EXPR_CYCLE" | "EXPR_LIMIT" | "EXPR_FORBIDDEN")
}

fn own_error(error: &JinjaError) -> Option<Error> {
    let mut source = error.source();
    while let Some(here) = source {
        if let Some(own) = here.downcast_ref::<Error>() {
            return Some(own.clone());
        }
        source = here.source();
    }
    None
}

fn with_notes(mut failed: Error, error: &JinjaError, own: Option<&Error>) -> Error {
    if let Some(line) = error.line().filter(|line| *line > 1) {
        failed = failed.note(format!("in line {line} of the template"));
    }
    for note in own.into_iter().flat_map(|own| &own.notes) {
        failed = failed.note(note.text.clone());
    }
    failed
}

fn words(source: &str, error: &JinjaError, own: Option<&Error>) -> String {
    if let Some(own) = own {
        return own.message.clone();
    }
    let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    match error.kind() {
        ErrorKind::UndefinedError => undefined(source, error),
        ErrorKind::UnknownFilter | ErrorKind::UnknownTest => {
            let name = unknown_name(&detail);
            while_templating(source, &format!("Could not load \"{name}\": '{name}'"))
        }
        ErrorKind::SyntaxError => while_templating(source, &detail),
        _ => detail,
    }
}

fn while_templating(source: &str, what: &str) -> String {
    format!("template error while templating string: {what}. String: {source}. {what}")
}

/// The engine says `filter nofilter is unknown`.
fn unknown_name(detail: &str) -> &str {
    detail.split_whitespace().nth(1).unwrap_or(detail)
}

/// Names what is not defined by the text that the error points at.
fn undefined(source: &str, error: &JinjaError) -> String {
    let text = error.range().and_then(|range| source.get(range)).unwrap_or_default();
    let name = text.trim_end_matches(['"', '\'', ']', ' ']);
    let name = name.rsplit(['.', '[', '"', '\'']).next().unwrap_or(name);
    if name.is_empty() {
        return error.detail().unwrap_or("undefined value").to_owned();
    }
    let is_part = text.contains(['.', '[']);
    let what = if is_part { "missing attribute or key" } else { "missing variable" };
    format!("{what}: \"{name}\"")
}
