//! `hierarch repl`: type expressions, see values. Variables and definitions stay.

use std::borrow::Cow;
use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hierarch_eval::Evaluator;
use hierarch_pcore::infer;
use hierarch_pcore::types::guide;
use hierarch_site::Environment;
use hierarch_source::{Source, Style};
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};

use super::doc;
use super::failure::Failure;
use super::language::{LanguageArguments, on_large_stack, print_logs};
use super::report::print;

#[derive(Args)]
pub(crate) struct ReplArguments {
    #[command(flatten)]
    language: LanguageArguments,
}

const HELP: &str = "Type an expression or statement; what is unfinished goes on in the next line.
  :type EXPR   the type of an expression
  :doc NAME    a function or type, explained
  :vars        the variables
  :help        this
  :quit        leave (also Ctrl-D)";

pub(crate) fn run(arguments: &ReplArguments) -> Result<ExitCode, Failure> {
    on_large_stack(|| {
        let environment = arguments.language.environment()?;
        let evaluator = arguments.language.evaluator(&environment)?;
        Session { evaluator, environment: &environment }.run()
    })?
}

struct Session<'e> {
    evaluator: Evaluator<'e>,
    environment: &'e Environment,
}

impl Session<'_> {
    fn run(mut self) -> Result<ExitCode, Failure> {
        let mut editor: Editor<Assistant, FileHistory> =
            Editor::new().map_err(|error| Failure::new(format!("Could not use the terminal: {error}")))?;
        let functions = self.environment.language().registry().all();
        let functions = functions.iter().map(|function| function.name.to_owned());
        let words = functions.chain(guide::names().map(str::to_owned)).collect();
        editor.set_helper(Some(Assistant { words, variables: RefCell::default() }));
        let history = history_file();
        if let Some(file) = &history {
            // The first time there is none.
            let _ = editor.load_history(file);
        }
        loop {
            if let Some(helper) = editor.helper() {
                *helper.variables.borrow_mut() =
                    self.evaluator.variable_names().iter().map(|name| format!("${name}")).collect();
            }
            match editor.readline("> ") {
                Ok(line) => {
                    let _ = editor.add_history_entry(line.as_str());
                    if !self.answer(line.trim())? {
                        break;
                    }
                }
                Err(ReadlineError::Interrupted) => {}
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(Failure::new(format!("Could not read: {error}"))),
            }
        }
        if let Some(file) = &history {
            let _ = std::fs::create_dir_all(file.parent().unwrap_or(file));
            let _ = editor.save_history(file);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Answers one input; false when it was the last.
    fn answer(&mut self, input: &str) -> Result<bool, Failure> {
        match input.split_once(' ').unwrap_or((input, "")) {
            ("", _) => {}
            (":quit" | ":q" | ":exit", _) => return Ok(false),
            (":help" | ":h", _) => print(&HELP)?,
            (":doc", name) => match doc::of_name(name.trim()) {
                Some(text) => print(&text.trim_end())?,
                None => print(&format!("There is no function or type '{}'", name.trim()))?,
            },
            (":vars", _) => print(&self.evaluator.variable_names().join(" "))?,
            (":type", code) => self.evaluate(code, true)?,
            _ => self.evaluate(input, false)?,
        }
        Ok(true)
    }

    fn evaluate(&mut self, code: &str, shows_type: bool) -> Result<(), Failure> {
        let result = self.evaluator.evaluate(&Source::unnamed(code));
        print_logs(&self.evaluator.take_logs());
        match result {
            Ok(value) if shows_type => print(&infer::detailed(&value)),
            Ok(value) => print(&format!("=> {}", value.program_text())),
            Err(error) => print(&error.render(Style::Plain)),
        }
    }
}

fn history_file() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local").join("state")))?;
    Some(folder.join("hierarch").join("repl_history"))
}

/// Completes names, and knows when an input is unfinished.
struct Assistant {
    words: Vec<String>,
    variables: RefCell<Vec<String>>,
}

impl Completer for Assistant {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '$');
        let before = &line[..position];
        let start = before
            .rfind(|c: char| !is_part(c))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let prefix = &before[start..];
        if prefix.is_empty() {
            return Ok((position, Vec::new()));
        }
        let variables = self.variables.borrow();
        let all = self.words.iter().chain(variables.iter());
        let mut found: Vec<String> = all.filter(|word| word.starts_with(prefix)).cloned().collect();
        found.sort();
        Ok((start, found))
    }
}

impl Validator for Assistant {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if is_unfinished(context.input()) {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}

/// Tells whether more text could make this a program.
fn is_unfinished(input: &str) -> bool {
    if input.starts_with(':') || input.ends_with('\n') {
        return false;
    }
    match hierarch_syntax::parse(&Source::unnamed(input)).program {
        Ok(_) => false,
        Err(error) => {
            error.message == "Syntax error at end of input"
                || matches!(
                    error.code,
                    "UNCLOSED_QUOTE"
                        | "UNCLOSED_MLCOMMENT"
                        | "HEREDOC_WITHOUT_END_TAGGED_LINE"
                        | "HEREDOC_WITHOUT_TEXT"
                )
        }
    }
}

impl Hinter for Assistant {
    type Hint = String;
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        Cow::Borrowed(line)
    }
}

impl Helper for Assistant {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lacks_an_end_goes_on_in_the_next_line() {
        for (input, expected) in [
            ("[1, 2].each |$x| {", true),
            ("$x = ", true),
            ("'abc", true),
            ("@(END)\nabc", true),
            ("1 + 1", false),
            ("1 + )", false),
            (":type [", false),
        ] {
            assert_eq!(is_unfinished(input), expected, "{input}");
        }
    }
}
