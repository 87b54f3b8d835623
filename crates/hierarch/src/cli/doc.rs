//! `hierarch doc`: a function or type, explained.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use hierarch_eval::function::{Dispatch, Example, Function};
use hierarch_pcore::Type;

use super::failure::Failure;
use super::report::print;

#[derive(Args)]
pub(crate) struct DocArguments {
    /// The function or type; without it, the names of all functions
    name: Option<String>,
}

pub(crate) fn run(arguments: &DocArguments) -> Result<ExitCode, Failure> {
    let text = match &arguments.name {
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
            Type::builtin(name).filter(|_| name.starts_with(char::is_uppercase)).map(|type_| of_type(&type_))
        }
    }
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
    }

    #[test]
    fn blocks_and_rests_read_as_in_the_reference() {
        let text = of_name("with").expect("it is there");
        assert!(text.contains("with(Any arg...) block: Callable"), "{text}");
    }
}
