//! When a template fails: whose words are used, and what happens where failing is allowed.

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::{Error, Place, Result, Source, Span, nearest};

use super::fault::{Fault, FaultKind, Inner};
use super::library;
use super::tree::Range;
use crate::expr::issues;
use crate::expr::scope::Scope;

/// Where a template stands in the text it was given as.
pub(super) struct Origin<'s> {
    pub(super) whole: &'s str,
    pub(super) start: usize,
    /// The file it was read from.
    pub(super) file: Option<&'s Arc<Source>>,
}

impl Origin<'_> {
    /// Returns the place of a range of the template, in the text it was given as.
    fn place(&self, range: Range) -> Place {
        let shift = |at: u32| (self.start + at as usize).min(self.whole.len()) as u32;
        let span = Span::new(shift(range.start), shift(range.end));
        match self.file {
            Some(file) => Place::new(file, span),
            None => Place::new(&Source::unnamed(self.whole), span),
        }
    }
}

/// Says how a rendering ends that failed: with an error or, where names may be undefined, with a text in its place.
pub(super) fn outcome(scope: &Scope, origin: &Origin, source: &str, fault: &Fault) -> Result<Value> {
    let inner = fault.inner();
    if let Some(own) = inner.own.as_ref().filter(|own| is_final(own)) {
        return Err(with_place(own.clone(), origin, inner, None));
    }
    if !scope.strict && fault.is_undefined() {
        return Ok(origin.whole.trim().into());
    }
    // A template of its own is not a value of a document, in whose place Unfurl's words would stand.
    let failed = match origin.file {
        Some(_) if scope.strict => issues::template_file(&plain_words(inner)),
        _ => issues::template(&words(source, inner)),
    };
    let failed = with_hints(failed, scope, inner);
    let failed = if fault.is_undefined() { issues::as_undefined(failed) } else { failed };
    if scope.strict {
        return Err(with_place(failed, origin, inner, inner.own.as_ref()));
    }
    Ok(failed.message.as_str().into())
}

/// Errors that nothing may swallow.
pub(super) fn is_final(error: &Error) -> bool {
    matches!(error.code, "EXPR_CYCLE" | "EXPR_LIMIT" | "EXPR_FORBIDDEN")
}

/// Says where: where what the template uses has failed, else where in the template.
fn with_place(failed: Error, origin: &Origin, inner: &Inner, own: Option<&Error>) -> Error {
    let mut failed = failed.into_diagnostic();
    let own_place = own.and_then(|own| own.place.clone());
    let here = || inner.place.clone().or_else(|| inner.range.map(|range| origin.place(range)));
    failed.place = failed.place.or(own_place).or_else(here);
    failed.notes.extend(own.into_iter().flat_map(|own| own.notes.clone()));
    failed.into()
}

fn words(source: &str, inner: &Inner) -> String {
    let message = &inner.message;
    match inner.kind {
        _ if inner.own.is_some() => plain_words(inner),
        FaultKind::UnknownFilter | FaultKind::UnknownTest => {
            while_templating(source, &format!("Could not load \"{message}\": '{message}'"))
        }
        FaultKind::Syntax => while_templating(source, message),
        _ => plain_words(inner),
    }
}

fn plain_words(inner: &Inner) -> String {
    if let Some(own) = &inner.own {
        // What a template says of another one is said once.
        return own.details(issues::BARE_WORDS).next().unwrap_or(&own.message).to_owned();
    }
    let message = &inner.message;
    match inner.kind {
        FaultKind::UndefinedVariable => format!("missing variable: \"{message}\""),
        FaultKind::UndefinedPart => format!("missing attribute or key: \"{message}\""),
        FaultKind::UnknownFilter => format!("there is no filter '{message}'"),
        FaultKind::UnknownTest => format!("there is no test '{message}'"),
        _ => message.clone(),
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

/// Tells whether the name that is not there is an attribute of the instance, which templates see in `SELF`.
fn has_attribute(scope: &Scope, inner: &Inner) -> bool {
    let attributes = &scope.world.tree.node(scope.instance).attributes;
    inner.kind == FaultKind::UndefinedVariable && attributes.get_str(&inner.message).is_some()
}

/// Names filters, tests and variables like one that is not there.
fn with_hints(failed: Error, scope: &Scope, inner: &Inner) -> Error {
    let known = match inner.kind {
        FaultKind::UnknownFilter => library::filter_names(),
        FaultKind::UnknownTest => library::test_names(),
        FaultKind::UndefinedVariable => scope.names().iter().map(ToString::to_string).collect(),
        _ => return failed,
    };
    let failed =
        if has_attribute(scope, inner) { failed.note(issues::of_self(&inner.message)) } else { failed };
    let near = nearest(&inner.message, known.iter().map(String::as_str));
    let failed = if near.is_empty() { failed } else { failed.note(issues::did_you_mean(&near)) };
    if inner.kind == FaultKind::UndefinedVariable { failed } else { failed.note(issues::LISTED) }
}
