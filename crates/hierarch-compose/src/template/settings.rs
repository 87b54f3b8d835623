//! How templates are written: their marks, what happens to blanks around blocks, and which tags there are.

use hierarch_source::Result;

use super::issues;
use crate::expr::python;

/// The notation of a template. What is not said is as in Jinja2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateSettings {
    /// `{{` and `}}`.
    pub variable: (String, String),
    /// `{%` and `%}`.
    pub block: (String, String),
    /// `{#` and `#}`.
    pub comment: (String, String),
    /// A line that begins so is a statement.
    pub line_statement: Option<String>,
    /// The rest of a line that begins so is a comment.
    pub line_comment: Option<String>,
    /// The line break behind a block is dropped.
    pub trim_blocks: bool,
    /// Blanks in front of a block that begins a line are dropped.
    pub lstrip_blocks: bool,
    /// The last line break of a template stays.
    pub keep_trailing_newline: bool,
    /// Nothing is printed for null, as in Ansible's files; else `None` is.
    pub null_is_empty: bool,
    /// What line breaks are written as.
    pub newline: String,
    /// There is a tag `do`.
    pub has_do: bool,
    /// There are the tags `break` and `continue`.
    pub has_loop_controls: bool,
}

impl Default for TemplateSettings {
    fn default() -> Self {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        Self {
            variable: pair("{{", "}}"),
            block: pair("{%", "%}"),
            comment: pair("{#", "#}"),
            line_statement: None,
            line_comment: None,
            trim_blocks: false,
            lstrip_blocks: false,
            keep_trailing_newline: true,
            null_is_empty: false,
            newline: "\n".into(),
            has_do: false,
            has_loop_controls: false,
        }
    }
}

impl TemplateSettings {
    /// Returns the settings of Ansible's module `template`.
    pub fn ansible() -> Self {
        Self { trim_blocks: true, keep_trailing_newline: false, null_is_empty: true, ..Self::default() }
    }
}

/// Splits the first line `#jinja2: name: value, …` off, with which a template chooses its own notation.
pub(super) fn with_header<'s>(
    source: &'s str,
    given: &TemplateSettings,
) -> Result<(TemplateSettings, &'s str)> {
    let mut settings = given.clone();
    let Some(rest) = source.strip_prefix("#jinja2:") else { return Ok((settings, source)) };
    // What follows the line is a part of the source even if it is empty, so that places in it can be told.
    let (line, body) = rest.split_once('\n').unwrap_or_else(|| rest.split_at(rest.len()));
    for setting in line.split(',').filter(|setting| !setting.trim().is_empty()) {
        let Some((name, value)) = setting.split_once(':') else {
            return Err(issues::setting_without_value(setting.trim()));
        };
        settings.set(name.trim(), value.trim())?;
    }
    Ok((settings, body))
}

impl TemplateSettings {
    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let literal = python::literal(value).unwrap_or_else(|| value.into());
        let (text, truth) = (python::text(&literal), python::is_true(&literal));
        match name {
            "variable_start_string" => self.variable.0 = text,
            "variable_end_string" => self.variable.1 = text,
            "block_start_string" => self.block.0 = text,
            "block_end_string" => self.block.1 = text,
            "comment_start_string" => self.comment.0 = text,
            "comment_end_string" => self.comment.1 = text,
            "line_statement_prefix" => self.line_statement = truth.then_some(text),
            "line_comment_prefix" => self.line_comment = truth.then_some(text),
            "trim_blocks" => self.trim_blocks = truth,
            "lstrip_blocks" => self.lstrip_blocks = truth,
            "keep_trailing_newline" => self.keep_trailing_newline = truth,
            "newline_sequence" => self.newline = text,
            other => return Err(issues::unknown_setting(other)),
        }
        match self.empty_mark() {
            Some(mark) => Err(issues::empty_mark(mark)),
            None => Ok(()),
        }
    }

    /// Returns the name of a mark that is empty, which no template could be read with.
    fn empty_mark(&self) -> Option<&'static str> {
        let marks = [
            ("variable_start_string", &self.variable.0),
            ("variable_end_string", &self.variable.1),
            ("block_start_string", &self.block.0),
            ("block_end_string", &self.block.1),
            ("comment_start_string", &self.comment.0),
            ("comment_end_string", &self.comment.1),
        ];
        marks.into_iter().find(|(_, mark)| mark.is_empty()).map(|(name, _)| name)
    }
}
