//! `hierarch doc`: a function, type, resource type, setting, merge directive, filter, code of `check`, or definition of one's own, explained.

mod directives;
mod own;
mod puppet;

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use hierarch_compose::expr;
use hierarch_fleet::CODES;
use hierarch_functions::reference;
use hierarch_pcore::types::guide;
use hierarch_site::Environment;
use hierarch_source::nearest;

use super::arguments::SiteArguments;
use super::failure::Failure;
use super::issues;
use super::report::print;

#[derive(Args)]
pub(crate) struct DocArguments {
    /// What to explain: a function, type, resource type, setting, merge directive, filter, or a class, defined type,
    /// function or type alias of the repository; without it, all functions, types and directives with a line on each
    #[arg(allow_hyphen_values = true)]
    name: Option<String>,
    /// Functions of expressions (`hierarch query`) instead of Puppet's
    #[arg(long)]
    expressions: bool,
    #[command(flatten)]
    site: SiteArguments,
}

pub(crate) fn run(arguments: &DocArguments) -> Result<ExitCode, Failure> {
    let text = match &arguments.name {
        Some(name) if arguments.expressions => {
            of_expressions(name).or_else(|| of_filter(name)).ok_or_else(|| unknown(name, &[]))?
        }
        None if arguments.expressions => expressions_overview(),
        Some(name) => {
            let environment = arguments.site.open()?.environment();
            of_name(&environment, name).ok_or_else(|| unknown(name, &own::names(&environment)))?
        }
        None => format!("{}\n{}\n{}", reference::overview(), guide::overview(), directives::overview()),
    };
    print(&text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

/// Explains all that has a name: `file` is a function and a resource type.
pub(crate) fn of_name(environment: &Environment, name: &str) -> Option<String> {
    let types = environment.language().resource_types();
    let functions = reference::of(name).or_else(|| of_expressions(name));
    let meanings = [
        own::of(environment, name),
        functions,
        guide::of(name),
        puppet::resource_type(types, name),
        puppet::setting(name),
        directives::of(name),
        directives::strategy(name),
        directives::lookup_options(name),
        of_filter(name),
        of_code(name),
    ];
    let found: Vec<String> = meanings.into_iter().flatten().map(|text| text.trim_end().to_owned()).collect();
    (!found.is_empty()).then(|| found.join("\n\n----\n\n"))
}

/// Explains a filter of templates.
fn of_filter(name: &str) -> Option<String> {
    let parameters = expr::filter_parameters(name)?;
    let (value, rest) = parameters.split_first().map_or(("value", &[][..]), |(first, rest)| (*first, rest));
    let brackets = if rest.is_empty() { String::new() } else { format!("({})", rest.join(", ")) };
    Some(format!(
        "{name}, a filter of templates\n\n  {{{{ {value} | {name}{brackets} }}}}\n\nIt does what Jinja2, Ansible or Unfurl do. A parameter \
         with ? may be left out, one with * takes any number of values, one with ** any number of named ones.\n"
    ))
}

/// Explains a code of `hierarch check`.
fn of_code(name: &str) -> Option<String> {
    let code = CODES.iter().find(|code| code.name.eq_ignore_ascii_case(name))?;
    let needs =
        if code.needs_nodes { "It is looked for on nodes, with their facts." } else { "It needs no nodes." };
    Some(format!(
        "{}, a code of `hierarch check`\n\n  {}\n\n{needs}\n`# hierarch: ignore {}` on or above a line silences it there; --skip {} leaves \
         it out.\n",
        code.name, code.means, code.name, code.name
    ))
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

/// Lists what can be explained: what the program knows, and the definitions of the repository.
pub(super) fn names(environment: &Environment) -> Vec<String> {
    let mut names = own::names(environment);
    names.extend(known_names());
    names
}

fn known_names() -> impl Iterator<Item = String> {
    let resources = hierarch_pcore::types::BUILTIN_RESOURCES.iter().map(|name| name.to_lowercase());
    let functions = hierarch_functions::registry().all().into_iter().map(|function| function.name);
    let names = functions.chain(guide::names()).chain(expr::functions().map(|function| function.name));
    let codes = CODES.iter().map(|code| code.name);
    resources.chain(names.chain(codes).map(str::to_owned))
}

fn unknown(name: &str, own: &[String]) -> Failure {
    let known: Vec<String> = own.iter().cloned().chain(known_names()).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let near = nearest(name, known.iter().copied());
    let near = if near.is_empty() { containing(name, &known) } else { near };
    issues::nothing_to_explain(name, &near)
}

/// Returns some names that a part of a name stands in.
fn containing<'n>(part: &str, known: &[&'n str]) -> Vec<&'n str> {
    let part = part.to_lowercase();
    let holds = |known: &&&'n str| part.len() > 2 && known.to_lowercase().contains(&part);
    known.iter().filter(holds).take(3).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_show_their_parameters() {
        let text = of_filter("b64encode").expect("it is a filter");
        assert!(text.contains("{{ string | b64encode(encoding?) }}"), "{text}");
        assert!(of_filter("no_such_thing").is_none());
    }

    #[test]
    fn codes_of_check_are_explained_in_either_case() {
        let text = of_code("hc206").expect("it is a code");
        assert!(
            text.starts_with("HC206, a code of `hierarch check`") && text.contains("ignore HC206"),
            "{text}"
        );
        assert!(of_code("HC999").is_none());
    }

    #[test]
    fn functions_of_expressions_are_explained_too() {
        let text = of_expressions("to_dns_label").expect("it is a function of expressions");
        assert!(text.contains("domain names") && text.contains("'my--host'"), "{text}");
        assert!(expressions_overview().contains("get_attribute"));
        assert!(of_expressions("no_such_thing").is_none());
    }
}
