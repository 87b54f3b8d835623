//! `hierarch doc`: a function or type, explained.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use hierarch_compose::expr;
use hierarch_eval::function::{Dispatch, Example, Function};
use hierarch_pcore::Type;

use super::failure::Failure;
use super::report::print;

#[derive(Args)]
pub(crate) struct DocArguments {
    /// The function or type; without it, the names of all functions
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
        None => overview(),
    };
    print(&text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Explains a function or type, if there is one of that name.
pub(crate) fn of_name(name: &str) -> Option<String> {
    match hierarch_functions::registry().find(name) {
        Some(function) => Some(of_function(function)),
        None => {
            let type_ = Type::builtin(name).filter(|_| name.starts_with(char::is_uppercase));
            type_.map(|type_| of_type(&type_)).or_else(|| of_expressions(name))
        }
    }
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
    text
}

fn unknown(name: &str) -> Failure {
    let registry = hierarch_functions::registry();
    let near = registry.all().into_iter().map(|function| function.name).filter(|known| is_near(name, known));
    let near: Vec<&str> = near.collect();
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(", ")) };
    Failure::new(format!("There is no function or type '{name}'{hint}"))
}

fn is_near(name: &str, known: &str) -> bool {
    name.len() > 2 && (known.contains(name) || name.contains(known))
}

fn overview() -> String {
    let mut text = String::from("Functions:\n");
    for function in hierarch_functions::registry().all() {
        let sentence = function.doc.split_once(". ").map_or(function.doc, |(first, _)| first);
        let _ = writeln!(text, "  {:<18} {}", function.name, sentence.trim_end_matches('.'));
    }
    text
}

fn of_function(function: &Function) -> String {
    let mut text = format!("{}\n\n", function.name);
    for dispatch in function.dispatches.iter().filter(|dispatch| !dispatch.is_mismatch()) {
        let _ = writeln!(text, "  {}", signature(function.name, dispatch));
    }
    let _ = write!(text, "\n{}\n", function.doc);
    if !function.examples.is_empty() {
        text.push_str("\nExamples:\n");
    }
    for example in function.examples {
        match example {
            Example::Gives(code, value) => drop(writeln!(text, "  {code}\n    # {value}")),
            Example::Fails(code, words) => drop(writeln!(text, "  {code}\n    # error: {words}")),
        }
    }
    text
}

/// Writes a signature as a person would: `f(Integer x, String y?, Any rest...) block: Callable`.
fn signature(name: &str, dispatch: &Dispatch) -> String {
    if dispatch.is_legacy() {
        return format!("{name}(...)");
    }
    let mut parameters = Vec::new();
    let mut block = String::new();
    for parameter in dispatch.params() {
        let declared = parameter.trim_start_matches(['?', '*', '+', '&']);
        let marks = &parameter[..parameter.len() - declared.len()];
        match marks {
            marks if marks.contains('&') => {
                let type_ = declared.rsplit_once(' ').map_or(declared, |(type_, _)| type_);
                block = if marks.contains('?') {
                    format!(" block: Optional[{type_}]")
                } else {
                    format!(" block: {type_}")
                };
            }
            "?" => parameters.push(format!("{declared}?")),
            "" => parameters.push(declared.to_owned()),
            _ => parameters.push(format!("{declared}...")),
        }
    }
    let returns = dispatch.return_type().map_or(String::new(), |type_| format!(" >> {type_}"));
    format!("{name}({}){block}{returns}", parameters.join(", "))
}

fn of_type(type_: &Type) -> String {
    format!(
        "{}\n\nThe data type {type_}; `Type.new(…)` makes values of it where that is possible.",
        type_.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_shows_signatures_words_and_examples() {
        let text = of_name("length").expect("it is there");
        assert!(text.contains("length(Collection arg)"), "{text}");
        assert!(text.contains("'grüße'.length"), "{text}");
        assert!(of_name("no_such_thing").is_none());
        let text = of_name("to_dns_label").expect("it is a function of expressions");
        assert!(text.contains("domain names") && text.contains("'my--host'"), "{text}");
        assert!(expressions_overview().contains("get_attribute"));
    }

    #[test]
    fn blocks_and_rests_read_as_in_the_reference() {
        let text = of_name("with").expect("it is there");
        assert!(text.contains("with(Any arg...) block: Callable"), "{text}");
    }
}
