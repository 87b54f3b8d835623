//! The commands of the REPL: a line of the table and a function each.

use std::path::Path;

use hierarch_pcore::Value;
use hierarch_source::{Source, nearest};

use super::super::doc;
use super::super::failure::Failure;
use super::super::input;
use super::super::report::print;
use super::{Next, Session};

/// One command.
pub(super) struct Command {
    /// With its colon.
    pub(super) name: &'static str,
    /// A shorter way to write it.
    short: &'static str,
    argument: &'static str,
    about: &'static str,
    pub(super) run: fn(&mut Session<'_>, &str) -> Result<Next, Failure>,
}

pub(super) static COMMANDS: &[Command] = &[
    Command {
        name: ":type",
        short: ":t",
        argument: "EXPR",
        about: "the type of an expression",
        run: show_type,
    },
    Command {
        name: ":doc",
        short: ":d",
        argument: "NAME",
        about: "a function, type, resource type, class …, explained",
        run: explain,
    },
    Command { name: ":vars", short: ":v", argument: "", about: "the variables", run: variables },
    Command { name: ":facts", short: ":f", argument: "", about: "the facts", run: facts },
    Command {
        name: ":resources",
        short: ":r",
        argument: "",
        about: "the resources declared so far",
        run: resources,
    },
    Command {
        name: ":classes",
        short: ":c",
        argument: "",
        about: "the classes declared so far",
        run: classes,
    },
    Command {
        name: ":load",
        short: ":l",
        argument: "FILE",
        about: "run a manifest; what it defines stays",
        run: load,
    },
    Command {
        name: ":node",
        short: ":n",
        argument: "NAME",
        about: "begin anew with the facts of a node",
        run: node,
    },
    Command {
        name: ":reset",
        short: "",
        argument: "",
        about: "begin anew: forget variables, definitions, resources",
        run: reset,
    },
    Command { name: ":help", short: ":h", argument: "", about: "this", run: help },
    Command {
        name: ":quit",
        short: ":q",
        argument: "",
        about: "leave; also exit, quit and Ctrl-D",
        run: quit,
    },
    Command { name: ":exit", short: "", argument: "", about: "the same", run: quit },
];

/// Finds a command by either of its names.
pub(super) fn find(word: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.name == word || (!command.short.is_empty() && command.short == word))
}

/// Says that there is no such command.
pub(super) fn unknown(word: &str) -> String {
    let near = nearest(word, COMMANDS.iter().map(|command| command.name));
    let hint = near.first().map_or_else(String::new, |near| format!("; did you mean {near}?"));
    format!("There is no command {word}{hint} :help shows all")
}

fn help(_: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    let mut text = "Type an expression or statement; what is unfinished goes on in the next line.".to_owned();
    for command in COMMANDS {
        let usage = format!("{} {}", command.name, command.argument);
        text.push_str(&format!("\n  {usage:<14} {}", command.about));
    }
    said(&text)
}

fn quit(_: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    Ok(Next::Ends)
}

fn show_type(session: &mut Session<'_>, code: &str) -> Result<Next, Failure> {
    session.evaluate(&Source::unnamed(code), true)
}

fn explain(session: &mut Session<'_>, name: &str) -> Result<Next, Failure> {
    match doc::of_name(session.environment, name) {
        Some(text) => said(text.trim_end()),
        None => said(&format!("There is nothing called '{name}' to explain")),
    }
}

fn variables(session: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    said(&session.evaluator.variable_names().join(" "))
}

fn facts(session: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    match session.evaluator.variable("facts") {
        Some(Value::Hash(facts)) if !facts.is_empty() => said(Value::Hash(facts).to_yaml().trim_end()),
        _ => said("There are no facts; give some with --facts FILE, or choose a node with :node NAME"),
    }
}

fn resources(session: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    listed(&session.evaluator.resource_references(), "No resource is declared yet")
}

fn classes(session: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    listed(&session.evaluator.class_names(), "No class is declared yet")
}

fn load(session: &mut Session<'_>, file: &str) -> Result<Next, Failure> {
    if file.is_empty() {
        return said("Which file? :load FILE");
    }
    match input::read(Path::new(file)).source {
        Ok(source) => session.evaluate(&source, false),
        Err(error) => said(&error.to_string()),
    }
}

fn node(session: &mut Session<'_>, name: &str) -> Result<Next, Failure> {
    if name.is_empty() {
        let now = session
            .node
            .as_deref()
            .map_or("No node is chosen".to_owned(), |name| format!("The node is {name}"));
        return said(&format!("{now}; choose one with :node NAME"));
    }
    match session.language.variables_of(name) {
        Ok(variables) => {
            session.evaluator = session.environment.evaluator_for(name.to_owned());
            for (name, value) in variables {
                session.evaluator.set_variable(&name, value);
            }
            session.node = Some(name.to_owned());
            said(&format!("The node is {name}; everything before is forgotten"))
        }
        Err(failure) => said(&failure.to_string()),
    }
}

fn reset(session: &mut Session<'_>, _: &str) -> Result<Next, Failure> {
    if let Some(name) = session.node.clone() {
        return node(session, &name);
    }
    session.evaluator = session.language.evaluator(session.environment)?;
    said("Everything is forgotten")
}

fn listed(names: &[String], nothing: &str) -> Result<Next, Failure> {
    said(&if names.is_empty() { nothing.to_owned() } else { names.join("\n") })
}

fn said(text: &str) -> Result<Next, Failure> {
    print(&text)?;
    Ok(Next::Goes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_one_meaning_each() {
        let mut names: Vec<&str> =
            COMMANDS.iter().flat_map(|command| [command.name, command.short]).collect();
        names.retain(|name| !name.is_empty());
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        assert!(find(":reset").is_some() && find("").is_none());
        assert_eq!(unknown(":rest"), "There is no command :rest; did you mean :reset? :help shows all");
    }
}
