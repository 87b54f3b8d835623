//! `hierarch repl`: type expressions, see values. Variables, definitions and resources stay.

mod assistant;
mod commands;

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hierarch_eval::Evaluator;
use hierarch_pcore::infer;
use hierarch_pcore::types::guide;
use hierarch_site::Environment;
use hierarch_source::{Source, Style};
use rustyline::Editor;
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;

use self::assistant::Assistant;
use self::commands::COMMANDS;
use super::failure::Failure;
use super::language::{LanguageArguments, on_large_stack, print_logs};
use super::report::{message, print};
use super::ruby::tell_help;
use crate::cli::issues;

#[derive(Args)]
pub(crate) struct ReplArguments {
    #[command(flatten)]
    language: LanguageArguments,
}

pub(crate) fn run(arguments: &ReplArguments) -> Result<ExitCode, Failure> {
    on_large_stack(|| {
        let environment = arguments.language.environment()?;
        let evaluator = arguments.language.evaluator(&environment)?;
        let mut session =
            Session { evaluator, environment: &environment, language: &arguments.language, node: None };
        session.run()
    })?
}

/// Whether more is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    Goes,
    Ends,
}

struct Session<'e> {
    evaluator: Evaluator<'e>,
    environment: &'e Environment,
    language: &'e LanguageArguments,
    /// The node whose facts programs see, if one was chosen.
    node: Option<String>,
}

impl Session<'_> {
    fn run(&mut self) -> Result<ExitCode, Failure> {
        let mut editor: Editor<Assistant, FileHistory> =
            Editor::new().map_err(|error| issues::no_terminal(&error))?;
        message(&self.banner());
        let functions = self.environment.language().registry().all();
        let functions = functions.iter().map(|function| function.name.to_owned());
        let commands = COMMANDS.iter().map(|command| command.name.to_owned());
        let words = functions.chain(guide::names().map(str::to_owned)).chain(commands).collect();
        editor.set_helper(Some(Assistant { words, variables: RefCell::default() }));
        let history = history_file();
        if let Some(file) = &history {
            // The first time there is none.
            let _ = editor.load_history(file);
        }
        self.read_all(&mut editor)?;
        if let Some(file) = &history {
            let _ = std::fs::create_dir_all(file.parent().unwrap_or(file));
            let _ = editor.save_history(file);
        }
        Ok(ExitCode::SUCCESS)
    }

    fn read_all(&mut self, editor: &mut Editor<Assistant, FileHistory>) -> Result<(), Failure> {
        loop {
            if let Some(helper) = editor.helper() {
                *helper.variables.borrow_mut() =
                    self.evaluator.variable_names().iter().map(|name| format!("${name}")).collect();
            }
            match editor.readline("> ") {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    if self.answer(line.trim())? == Next::Ends {
                        return Ok(());
                    }
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => return Ok(()),
                Err(error) => return Err(issues::not_readable(&error)),
            }
        }
    }

    /// Says where one is, and how to get on.
    fn banner(&self) -> String {
        let modules = self.environment.modules().len();
        format!(
            "Hierarch {}, the Puppet language; environment {}, {modules} module{}. :help shows the commands, exit leaves.",
            env!("CARGO_PKG_VERSION"),
            self.environment.name(),
            if modules == 1 { "" } else { "s" }
        )
    }

    /// Answers one input.
    fn answer(&mut self, input: &str) -> Result<Next, Failure> {
        let (word, rest) = input.split_once(char::is_whitespace).unwrap_or((input, ""));
        if input.is_empty() {
            return Ok(Next::Goes);
        }
        if matches!(input, "exit" | "quit") {
            return Ok(Next::Ends);
        }
        if let Some(command) = commands::find(word) {
            return (command.run)(self, rest.trim());
        }
        if word.starts_with(':') && !word.starts_with("::") {
            print(&commands::unknown(word))?;
            return Ok(Next::Goes);
        }
        self.evaluate(&Source::unnamed(input), false)
    }

    fn evaluate(&mut self, source: &std::sync::Arc<Source>, shows_type: bool) -> Result<Next, Failure> {
        let result = self.evaluator.evaluate(source);
        print_logs(&self.evaluator.take_logs());
        tell_help(self.environment);
        match result {
            Ok(value) if shows_type => print(&infer::detailed(&value))?,
            Ok(value) => print(&format!("=> {}", value.program_text()))?,
            // A file without a line is not shown below the words, so they name it.
            Err(error) if error.position().is_none() => {
                let words = error.to_string();
                print(&error.with_message(words).render(Style::Plain))?;
            }
            Err(error) => print(&error.render(Style::Plain))?,
        }
        Ok(Next::Goes)
    }
}

fn history_file() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local").join("state")))?;
    Some(folder.join("hierarch").join("repl_history"))
}
