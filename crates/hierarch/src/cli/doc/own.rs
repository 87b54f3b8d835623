//! What a repository defines itself: classes, defined types, functions and type aliases, with the comments above them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hierarch_site::Environment;
use hierarch_source::Span;
use hierarch_syntax::Program;
use hierarch_syntax::ast::{Ast, Expr, ExprId};

use super::super::input;

/// Explains a definition of the environment or of one of its modules.
pub(super) fn of(environment: &Environment, name: &str) -> Option<String> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let owner = name.split("::").next().unwrap_or(name).to_lowercase();
    let modules = environment.modules();
    let folder = modules.iter().find(|(module, _)| *module == owner).map(|(_, folder)| PathBuf::from(folder));
    let folders = folder.into_iter().chain(environment.folder().map(Path::to_path_buf));
    folders.into_iter().find_map(|folder| in_folder(&folder, name))
}

/// Returns the names of all that is defined, to be suggested.
pub(super) fn names(environment: &Environment) -> Vec<String> {
    let modules = environment.modules().into_iter().map(|(_, folder)| PathBuf::from(folder));
    let folders = modules.chain(environment.folder().map(Path::to_path_buf));
    let programs = folders.flat_map(|folder| programs(&folder));
    programs
        .flat_map(|program| {
            let named = program.definitions.iter().filter_map(|&id| name_of(&program.ast, id));
            named.map(str::to_owned).collect::<Vec<String>>()
        })
        .collect()
}

fn programs(folder: &Path) -> Vec<Program> {
    let places: Vec<PathBuf> = ["manifests", "functions", "types"]
        .iter()
        .map(|below| folder.join(below))
        .filter(|place| place.is_dir())
        .collect();
    let files = input::find(&places, "pp").unwrap_or_default().files;
    let sources = files.iter().filter_map(|file| input::read(file).source.ok());
    sources.filter_map(|source| hierarch_syntax::parse(&source).program.ok()).collect()
}

fn in_folder(folder: &Path, name: &str) -> Option<String> {
    programs(folder).iter().find_map(|program| {
        let ast = &program.ast;
        let found = program
            .definitions
            .iter()
            .find(|&&id| name_of(ast, id).is_some_and(|known| known.eq_ignore_ascii_case(name)))?;
        Some(explained(ast, *found))
    })
}

fn name_of(ast: &Ast, id: ExprId) -> Option<&str> {
    match ast.expr(id) {
        Expr::Class(definition) | Expr::Define(definition) | Expr::Function(definition) => {
            Some(ast.text(ast.definition(definition).name))
        }
        Expr::TypeAlias { name, .. } => Some(ast.text(name)),
        _ => None,
    }
}

/// Writes what a definition is, what the comment above it says, its parameters, and where it stands.
fn explained(ast: &Ast, id: ExprId) -> String {
    let (kind, parameters) = match ast.expr(id) {
        Expr::Class(definition) => ("a class", Some(ast.definition(definition).parameters)),
        Expr::Define(definition) => ("a defined type", Some(ast.definition(definition).parameters)),
        Expr::Function(definition) => {
            ("a function of the Puppet language", Some(ast.definition(definition).parameters))
        }
        _ => ("a type alias", None),
    };
    let mut text = format!("{}, {kind}\n", name_of(ast, id).unwrap_or_default());
    let comment = comment_above(ast.source().text(), ast.span(id));
    if !comment.is_empty() {
        let _ = write!(text, "\n{comment}\n");
    }
    if let Expr::TypeAlias { type_expr, .. } = ast.expr(id) {
        let _ = write!(text, "\n  {}\n", written(ast, type_expr));
    }
    let parameters = parameters.map_or(&[][..], |list| ast.list(list));
    if !parameters.is_empty() {
        text.push_str("\nParameters:\n");
    }
    for &parameter in parameters {
        let _ = writeln!(text, "  {}", shown_parameter(ast, parameter));
    }
    let line = ast.source().position(ast.span(id).start).line;
    let _ = write!(text, "\nDefined at {}:{line}\n", ast.source().name().unwrap_or_default());
    text
}

fn shown_parameter(ast: &Ast, id: ExprId) -> String {
    let (star, name, default, type_expr) = match ast.expr(id) {
        Expr::Parameter { name, default, type_expr } => ("", name, default, type_expr),
        Expr::RestParameter { name, default, type_expr } => ("*", name, default, type_expr),
        _ => return String::new(),
    };
    let type_text = type_expr.map_or_else(String::new, |id| format!("{} ", written(ast, id)));
    let default = default.map_or_else(String::new, |id| format!(" = {}", written(ast, id)));
    format!("{type_text}{star}${}{default}", ast.text(name))
}

/// Returns a part of the text in one line, with all that belongs to it.
fn written(ast: &Ast, id: ExprId) -> String {
    let mut whole = ast.span(id);
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop() {
        let span = ast.span(id);
        whole = Span::new(whole.start.min(span.start), whole.end.max(span.end));
        ast.each_child(id, |child| waiting.push(child));
    }
    let text = ast.source().text().get(whole.start as usize..whole.end as usize).unwrap_or_default();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the lines of comments right above a place, without their signs.
fn comment_above(text: &str, span: Span) -> String {
    let before = text.get(..span.start as usize).unwrap_or_default();
    let above: Vec<&str> = before.lines().rev().skip(usize::from(!before.ends_with('\n'))).collect();
    let comments = above.iter().map_while(|line| line.trim().strip_prefix('#'));
    let mut lines: Vec<&str> = comments.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.reverse();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;

    #[test]
    fn a_definition_shows_its_comment_and_parameters() {
        let text = "# @summary Time.\n#\n# Servers first.\nclass ntp(\n  Array[String] $servers = ['a',\n    'b'],\n  Boolean $on,\n) { }\n";
        let program = hierarch_syntax::parse(&Source::new("init.pp", text)).program.expect("a good manifest");
        let shown = explained(&program.ast, program.definitions[0]);
        assert_eq!(
            shown,
            "ntp, a class\n\n@summary Time.\n\nServers first.\n\nParameters:\n  Array[String] $servers = ['a', 'b']\n  \
             Boolean $on\n\nDefined at init.pp:4\n"
        );
    }

    #[test]
    fn an_alias_shows_its_type() {
        let program =
            hierarch_syntax::parse(&Source::new("t.pp", "type P::U = Struct[{a => Integer[1, 2]}]")).program;
        let program = program.expect("a good manifest");
        let shown = explained(&program.ast, program.definitions[0]);
        assert!(shown.starts_with("P::U, a type alias\n\n  Struct[{a => Integer[1, 2]}]"), "{shown}");
    }
}
