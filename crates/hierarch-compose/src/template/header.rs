//! The first line `#jinja2: name: value, …`, with which a template chooses its own marks.

use hierarch_source::Result;
use minijinja::syntax::{SyntaxConfig, SyntaxConfigBuilder};

use super::issues;
use crate::expr::python;

/// Splits the line off and returns the syntax it asks for.
pub(super) fn split(source: &str, keep_newline: bool) -> Result<(Option<SyntaxConfig>, &str)> {
    let Some(rest) = source.strip_prefix("#jinja2:") else { return Ok((None, source)) };
    // What follows the line is a part of the source even if it is empty, so that places in it can be told.
    let (line, body) = rest.split_once('\n').unwrap_or_else(|| rest.split_at(rest.len()));
    let mut builder = SyntaxConfig::builder();
    builder.keep_trailing_newline(keep_newline);
    let mut pairs = Pairs::default();
    for setting in line.split(',').filter(|setting| !setting.trim().is_empty()) {
        let Some((name, value)) = setting.split_once(':') else {
            return Err(issues::setting_without_value(setting.trim()));
        };
        pairs.set(&mut builder, name.trim(), value.trim())?;
    }
    builder.variable_delimiters(pairs.variable.0, pairs.variable.1);
    builder.block_delimiters(pairs.block.0, pairs.block.1);
    builder.comment_delimiters(pairs.comment.0, pairs.comment.1);
    let syntax = builder.build().map_err(|error| issues::bad_syntax(&error))?;
    Ok((Some(syntax), body))
}

struct Pairs {
    variable: (String, String),
    block: (String, String),
    comment: (String, String),
}

impl Default for Pairs {
    fn default() -> Self {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        Self { variable: pair("{{", "}}"), block: pair("{%", "%}"), comment: pair("{#", "#}") }
    }
}

impl Pairs {
    fn set(&mut self, builder: &mut SyntaxConfigBuilder, name: &str, value: &str) -> Result<()> {
        let literal = python::literal(value).unwrap_or_else(|| value.into());
        let text = python::text(&literal);
        match name {
            "variable_start_string" => self.variable.0 = text,
            "variable_end_string" => self.variable.1 = text,
            "block_start_string" => self.block.0 = text,
            "block_end_string" => self.block.1 = text,
            "comment_start_string" => self.comment.0 = text,
            "comment_end_string" => self.comment.1 = text,
            "trim_blocks" => drop(builder.trim_blocks(python::is_true(&literal))),
            "lstrip_blocks" => drop(builder.lstrip_blocks(python::is_true(&literal))),
            "keep_trailing_newline" => drop(builder.keep_trailing_newline(python::is_true(&literal))),
            "line_statement_prefix" => drop(builder.line_statement_prefix(text)),
            "line_comment_prefix" => drop(builder.line_comment_prefix(text)),
            other => return Err(issues::unknown_setting(other)),
        }
        Ok(())
    }
}
