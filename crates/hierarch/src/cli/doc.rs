//! `hierarch doc`: a function or type, explained.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use hierarch_compose::expr;
use hierarch_functions::reference;
use hierarch_pcore::types::guide;

use super::failure::Failure;
use super::report::print;

#[derive(Args)]
pub(crate) struct DocArguments {
    /// The function or type; without it, all functions and types with a line on each
    name: Option<String>,
    /// Functions of expressions (`hierarch query`) instead of Puppet's
    #[arg(long)]
    expressions: bool,
}

pub(crate) fn run(arguments: &DocArguments) -> Result<ExitCode, Failure> {
    let text = match &arguments.name {
        Some(name) if arguments.expressions => of_expressions(name).ok_or_else(|| unknown(name))?,
        None if arguments.expressions => expressions_overview(),
        Some(name) => of_name(name).ok_or_else(|| unknown(name))?,
        None => format!("{}\n{}", reference::overview(), guide::overview()),
    };
    print(&text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Explains a function or type, if there is one of that name.
pub(crate) fn of_name(name: &str) -> Option<String> {
    reference::of(name).or_else(|| guide::of(name)).or_else(|| of_expressions(name))
}

/// Explains a function of expressions.
fn of_expressions(name: &str) -> Option<String> {
    let function = expr::functions().find(|function| function.name == name)?;
    let mut text =
        format!("{name}, a function of expressions\n\n{}\n\nExamples, over the document\n\n", function.doc);
    for line in expr::EXAMPLE_DOCUMENT.lines() {
        let _ = writeln!(text, "  {line}");
    }
    text.push('\n');
    for example in function.examples {
        match example {
            expr::Example::Gives(code, value) => text.push_str(&format!("  {code}\n    # {value}\n")),
            expr::Example::Fails(code, words) => text.push_str(&format!("  {code}\n    # error: {words}\n")),
        }
    }
    Some(text)
}

fn expressions_overview() -> String {
    let mut text = String::from("Functions of expressions:\n");
    for function in expr::functions() {
        let sentence = function.doc.split_once(". ").map_or(function.doc, |(first, _)| first);
        let _ = writeln!(text, "  {:<22} {}", function.name, sentence.trim_end_matches('.'));
    }
    let _ = writeln!(
        text,
        "\nNot here, since they need deployments or Python: {}",
        expr::ORCHESTRATION.join(", ")
    );
    if let Ok(all) = expr::Expressions::new(hierarch_pcore::Hash::new()) {
        list(&mut text, "Filters of templates", &all.filters());
        list(&mut text, "Tests of templates", &all.tests());
    }
    list(&mut text, "Lookup plugins", expr::PLUGINS);
    text
}

/// Writes names in lines of a usual length.
fn list(text: &mut String, title: &str, names: &[impl AsRef<str>]) {
    let _ = write!(text, "\n{title}:");
    let mut length = usize::MAX;
    for name in names.iter().map(AsRef::as_ref) {
        length = length.saturating_add(name.len() + 1);
        if length > 100 {
            text.push_str("\n ");
            length = name.len() + 2;
        }
        text.push(' ');
        text.push_str(name);
    }
    text.push('\n');
}

fn unknown(name: &str) -> Failure {
    let functions = hierarch_functions::registry().all().into_iter().map(|function| function.name);
    let near: Vec<&str> = functions.chain(guide::names()).filter(|known| is_near(name, known)).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    Failure::new(format!("There is no function or type '{name}'{hint}"))
}

fn is_near(name: &str, known: &str) -> bool {
    let (name, known) = (name.to_lowercase(), known.to_lowercase());
    name.len() > 2 && (known.contains(&name) || name.contains(&known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_expressions_are_explained_too() {
        let text = of_name("to_dns_label").expect("it is a function of expressions");
        assert!(text.contains("domain names") && text.contains("'my--host'"), "{text}");
        assert!(expressions_overview().contains("get_attribute"));
        assert!(of_name("no_such_thing").is_none());
    }
}
