//! Classes as manifests define them: their parameters, types and defaults as they are written, and what comments say.

use std::collections::BTreeMap;
use std::sync::Arc;

use hierarch_source::Source;
use hierarch_syntax::ast::{Ast, Expr, ExprId};

/// A class.
pub(crate) struct Class {
    pub(crate) file: String,
    pub(crate) parameters: BTreeMap<String, Parameter>,
}

/// A parameter of a class.
#[derive(Clone, Default)]
pub(crate) struct Parameter {
    /// The type as it is written.
    pub(crate) type_text: Option<String>,
    /// The default as it is written.
    pub(crate) default: Option<String>,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// What the comments above the class say about it.
    pub(crate) documentation: Option<String>,
}

/// Reads the definition of a class.
pub(crate) fn class(ast: &Ast, id: ExprId, source: &Arc<Source>, file: &str) -> Class {
    let Expr::Class(definition) = ast.expr(id) else {
        return Class { file: file.to_owned(), parameters: BTreeMap::new() };
    };
    let above = comments_above(source, source.position(ast.span(id).start).line);
    let text_of = |id: ExprId| written(ast, id, source);
    let mut parameters = BTreeMap::new();
    for &parameter in ast.list(ast.definition(definition).parameters) {
        if let Expr::Parameter { name, type_expr, default } = ast.expr(parameter) {
            let name = ast.text(name);
            let position = source.position(ast.span(parameter).start);
            let known = Parameter {
                type_text: type_expr.map(text_of),
                default: default.map(text_of),
                line: position.line,
                column: position.column,
                documentation: documented(&above, name),
            };
            parameters.insert(name.to_owned(), known);
        }
    }
    Class { file: file.to_owned(), parameters }
}

/// Returns an expression as it is written: from the first to the last place in it.
fn written(ast: &Ast, id: ExprId, source: &Source) -> String {
    let (mut start, mut end) = (u32::MAX, 0);
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        let span = ast.span(id);
        (start, end) = (start.min(span.start), end.max(span.end));
        ast.each_child(id, |child| waiting.push(child));
    }
    source.text().get(start as usize..end as usize).unwrap_or_default().to_owned()
}

/// Returns the comment lines right above a line, without their marks.
fn comments_above(source: &Source, line: u32) -> Vec<String> {
    let lines: Vec<&str> = source.text().lines().collect();
    let above = lines.get(..(line as usize).saturating_sub(1)).unwrap_or_default();
    let mut found: Vec<String> = above
        .iter()
        .rev()
        .map_while(|line| line.trim_start().strip_prefix('#'))
        .map(|text| text.strip_prefix(' ').unwrap_or(text).to_owned())
        .collect();
    found.reverse();
    found
}

/// Finds what `@param NAME` says, with the indented lines after it.
fn documented(comments: &[String], name: &str) -> Option<String> {
    let is_it = |line: &String| {
        let mut words = line.split_whitespace();
        words.next() == Some("@param")
            && words.find(|word| !word.starts_with('[')).map(|word| word.trim_start_matches('$'))
                == Some(name)
    };
    let at = comments.iter().position(is_it)?;
    let (_, first) = comments[at].split_once(name)?;
    let more = comments[at + 1..].iter().map(|line| line.as_str());
    let more = more.take_while(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    let words: Vec<&str> = std::iter::once(first).chain(more).map(str::trim).collect();
    let text = words.join(" ").trim().to_owned();
    (!text.is_empty()).then_some(text)
}
