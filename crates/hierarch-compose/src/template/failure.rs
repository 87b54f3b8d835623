//! When a template fails: whose words are used, and what happens where failing is allowed.

use std::error::Error as _;

use hierarch_pcore::Value;
use hierarch_source::{Error, Result, nearest};
use minijinja::{Error as JinjaError, ErrorKind};

use super::{Origin, Rendered};
use crate::expr::issues;
use crate::expr::scope::Scope;

/// Makes a template's error of ours, which it keeps.
pub(super) fn to_jinja_error(error: Error) -> JinjaError {
    JinjaError::new(ErrorKind::InvalidOperation, error.message.clone()).with_source(error)
}

/// Says how a rendering ends that failed: with an error or, where names may be undefined, with a text in its place.
pub(super) fn outcome(scope: &Scope, origin: &Origin, source: &str, error: &JinjaError) -> Result<Rendered> {
    let own = own_error(error);
    if let Some(own) = &own
        && is_final(own)
    {
        return Err(with_place(own.clone(), origin, error, None));
    }
    let placed = |failed: Error| with_place(failed, origin, error, own.as_ref());
    match error.kind() {
        ErrorKind::WriteFailure => return Err(placed(super::too_much(scope))),
        ErrorKind::OutOfFuel => return Err(placed(issues::too_many_steps(scope.world.limits.fuel))),
        _ => {}
    }
    if !scope.strict && error.kind() == ErrorKind::UndefinedError {
        return Ok(origin.whole.trim().to_owned().into());
    }
    let failed = with_hints(issues::template(&words(source, error, own.as_ref())), scope, source, error);
    if scope.strict {
        return Err(placed(failed));
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

/// Says where: where what the template uses has failed, else where in the template.
fn with_place(failed: Error, origin: &Origin, error: &JinjaError, own: Option<&Error>) -> Error {
    let mut failed = failed.into_diagnostic();
    let own_place = own.and_then(|own| own.place.clone());
    failed.place = failed.place.or(own_place).or_else(|| error.range().map(|range| origin.place(range)));
    failed.notes.extend(own.into_iter().flat_map(|own| own.notes.clone()));
    failed.into()
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

/// Quotes the template, of a long one the beginning.
fn while_templating(source: &str, what: &str) -> String {
    let end = source.char_indices().nth(LONGEST_QUOTE).map(|(at, _)| at);
    let (quoted, rest) = end.map_or((source, ""), |end| (&source[..end], "…"));
    format!("template error while templating string: {what}. String: {quoted}{rest}. {what}")
}

/// How much of a template is quoted.
const LONGEST_QUOTE: usize = 2_000;

/// Names filters, tests and variables like one that is not there.
fn with_hints(failed: Error, scope: &Scope, source: &str, error: &JinjaError) -> Error {
    let Some(engines) = scope.world.engines.get() else { return failed };
    let known = match error.kind() {
        ErrorKind::UnknownFilter => engines.filters(),
        ErrorKind::UnknownTest => engines.tests(),
        ErrorKind::UndefinedError => scope.names().iter().map(ToString::to_string).collect(),
        _ => return failed,
    };
    let is_variable = error.kind() == ErrorKind::UndefinedError;
    let name = if is_variable {
        undefined_part(source, error)
    } else {
        unknown_name(error.detail().unwrap_or_default())
    };
    let near = nearest(name, known.iter().map(String::as_str));
    let failed = if near.is_empty() { failed } else { failed.note(issues::did_you_mean(&near)) };
    if is_variable { failed } else { failed.note(issues::LISTED) }
}

/// The engine says `filter nofilter is unknown`, and in other places other words around the name.
fn unknown_name(detail: &str) -> &str {
    let words = ["filter", "test", "is", "unknown", "no", "named", "function"];
    detail.split_whitespace().find(|word| !words.contains(word)).unwrap_or(detail)
}

/// Returns the part of an expression that is not defined: the engine names it, or points at it.
fn undefined_part<'e>(source: &'e str, error: &'e JinjaError) -> &'e str {
    let named = error.detail().and_then(|detail| detail.split('`').nth(1));
    named.or_else(|| source.get(error.range()?)).unwrap_or_default()
}

/// Names what is not defined.
fn undefined(source: &str, error: &JinjaError) -> String {
    let text = undefined_part(source, error);
    let name = text.trim_end_matches(['"', '\'', ']', ' ']);
    let name = name.rsplit(['.', '[', '"', '\'']).next().unwrap_or(name);
    if name.is_empty() {
        return error.detail().unwrap_or("undefined value").to_owned();
    }
    let is_part = text.contains(['.', '[']);
    let what = if is_part { "missing attribute or key" } else { "missing variable" };
    format!("{what}: \"{name}\"")
}
