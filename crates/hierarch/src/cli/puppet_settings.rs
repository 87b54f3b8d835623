//! Puppet's settings on the command line: scripts pass them to `puppet lookup` and its siblings, which take every setting.
//!
//! What means something here is a flag of its command, or is done here: colours and which messages are shown. The other
//! settings are passed over with a note. They are looked for before clap sees the arguments, because there are 200 of them.

use std::ffi::OsString;
use std::sync::atomic::{AtomicU8, Ordering};

use anstream::ColorChoice;
use hierarch_eval::{Level, puppet_setting_is_flag};

use super::failure::Failure;
use super::issues;
use super::report::note;

/// The commands that have an original.
const ORIGINALS: [&str; 5] = ["lookup", "parser", "epp", "eval", "catalog"];

/// Flags of Puppet's commands that are not settings, and whether they take a value.
const MORE: [(&str, bool); 2] = [("logdest", true), ("profile", false)];

static LEAST_LEVEL: AtomicU8 = AtomicU8::new(Level::Notice as u8);

/// Tells whether messages of a level are shown.
pub(crate) fn is_shown(level: Level) -> bool {
    level as u8 >= LEAST_LEVEL.load(Ordering::Relaxed)
}

fn show_from(level: Level) {
    LEAST_LEVEL.store(level as u8, Ordering::Relaxed);
}

/// Takes Puppet's settings out of the arguments of a command that has an original; those of others are left alone.
pub(crate) fn take(arguments: Vec<OsString>, program: &mut clap::Command) -> Result<Vec<OsString>, Failure> {
    let Some(command) = chosen(&arguments, program) else { return Ok(arguments) };
    let mut left = Vec::with_capacity(arguments.len());
    let names_node = arguments
        .iter()
        .filter_map(|argument| argument.to_str())
        .any(|argument| argument == "--node" || argument.starts_with("--node="));
    let mut rest = arguments.into_iter();
    let mut is_value = false;
    while let Some(argument) = rest.next() {
        if argument == "--" {
            left.push(argument);
            left.extend(rest);
            break;
        }
        let own = (!is_value)
            .then(|| argument.to_str().and_then(|text| GivenSetting::read(text, command)))
            .flatten();
        is_value = !is_value && own.is_none() && takes_value(&argument, command);
        match own {
            Some(given) => left.extend(given.done(&mut rest, command, names_node)?),
            None => left.push(argument),
        }
    }
    Ok(left)
}

/// Finds the command that arguments name, if it has an original.
fn chosen<'c>(arguments: &[OsString], program: &'c mut clap::Command) -> Option<&'c clap::Command> {
    let mut words = arguments.iter().skip(1);
    let first = loop {
        let word = words.next()?;
        if takes_value(word, program) {
            words.next();
        } else if let Some(name) = word.to_str().filter(|name| !name.starts_with('-')) {
            break name;
        }
    };
    let command = program.find_subcommand_mut(first).filter(|_| ORIGINALS.contains(&first))?;
    // Its flags are not made before that.
    command.build();
    let command = &*command;
    Some(words.find_map(|word| command.find_subcommand(word)).unwrap_or(command))
}

/// Tells whether the next argument belongs to this one.
fn takes_value(argument: &OsString, command: &clap::Command) -> bool {
    let Some(text) = argument.to_str() else { return false };
    let flag = match text.strip_prefix("--") {
        Some(name) => find(command, name),
        None => text
            .strip_prefix('-')
            .filter(|rest| rest.len() == 1)
            .and_then(|rest| command.get_arguments().find(|known| known.get_short() == rest.chars().next())),
    };
    flag.is_some_and(|flag| flag.get_action().takes_values() && !flag.is_require_equals_set())
}

fn find<'c>(command: &'c clap::Command, name: &str) -> Option<&'c clap::Arg> {
    command.get_arguments().find(|known| {
        let aliases = known.get_all_aliases().unwrap_or_default();
        known.get_long() == Some(name) || aliases.contains(&name)
    })
}

/// A setting as it was given.
struct GivenSetting<'a> {
    /// As messages name it.
    written: &'a str,
    /// As Puppet calls it.
    name: String,
    value: Option<&'a str>,
    is_flag: bool,
    /// `--no-NAME`.
    is_negated: bool,
    /// The command has a flag of its own for it.
    is_known: bool,
}

impl<'a> GivenSetting<'a> {
    fn read(argument: &'a str, command: &clap::Command) -> Option<Self> {
        let text = match argument {
            "-d" => "debug",
            _ => argument.strip_prefix("--")?,
        };
        let (written, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let negated = written.strip_prefix("no-").filter(|_| find(command, written).is_none());
        let name = negated.unwrap_or(written).replace('-', "_");
        let is_known = find(command, negated.unwrap_or(written)).is_some();
        let is_flag = match name.as_str() {
            "debug" | "verbose" => true,
            "certname" if is_known => return None,
            _ if is_known && negated.is_none() => return None,
            _ => match MORE.iter().find(|(more, _)| *more == name) {
                Some((_, takes_value)) => !takes_value,
                None => puppet_setting_is_flag(&name)?,
            },
        };
        Some(Self { written, name, value, is_flag, is_negated: negated.is_some(), is_known })
    }

    /// Does what the setting says, and returns what is left to be read by the command.
    fn done(
        self,
        rest: &mut impl Iterator<Item = OsString>,
        command: &clap::Command,
        names_node: bool,
    ) -> Result<Vec<OsString>, Failure> {
        let value = match self.value {
            Some(value) => value.to_owned(),
            None if self.is_flag => String::new(),
            None => {
                let value = rest.next().ok_or_else(|| issues::setting_without_value(self.written))?;
                value.to_string_lossy().into_owned()
            }
        };
        match self.name.as_str() {
            "debug" | "verbose" => {
                show_from(if self.name == "debug" { Level::Debug } else { Level::Info });
                return Ok(if self.is_known { vec![format!("--{}", self.name).into()] } else { Vec::new() });
            }
            "color" => colour(&value),
            "log_level" => show_from(Level::parse(&value).ok_or_else(|| issues::bad_log_level(&value))?),
            "logdest" if value == "console" => {}
            "certname" if !names_node && find(command, "node").is_some() => {
                return Ok(vec!["--node".into(), value.into()]);
            }
            name if self.is_known && self.is_negated => return Ok(vec![format!("--{name}=false").into()]),
            _ => note(&issues::setting_without_effect(self.written)),
        }
        Ok(Vec::new())
    }
}

/// `false` means no colours; the other words of Puppet mean some.
fn colour(value: &str) {
    let choice = if value == "false" { ColorChoice::Never } else { ColorChoice::Always };
    choice.write_global();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(arguments: &str) -> String {
        let arguments = std::iter::once("hierarch").chain(arguments.split(' ')).map(OsString::from).collect();
        let left = take(arguments, &mut super::super::command()).expect("settings with their values");
        left.iter().skip(1).map(|argument| argument.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn settings_are_taken_or_passed_over() {
        for (given, expected) in [
            ("lookup a --vardir /tmp --trace --node n", "lookup a --node n"),
            ("lookup a --vardir=/tmp --no-trace", "lookup a"),
            ("lookup a --certname n", "lookup a --node n"),
            ("lookup a --certname server --node n", "lookup a --node n"),
            ("lookup a --no-strict_variables", "lookup a --strict_variables=false"),
            ("lookup a --confdir /x --strict off", "lookup a --confdir /x --strict off"),
            ("lookup --default --trace a", "lookup --default --trace a"),
            ("parser validate --logdest console --ssldir /x a.pp", "parser validate a.pp"),
            ("lookup -- --trace", "lookup -- --trace"),
            ("yaml get --trace a", "yaml get --trace a"),
            ("lookup a --no_such_setting", "lookup a --no_such_setting"),
            ("-C lookup lookup a --trace", "-C lookup lookup a"),
            ("-C dir lookup -C other a --trace", "-C dir lookup -C other a"),
            ("-Cdir parser validate --trace a.pp", "-Cdir parser validate a.pp"),
            ("-C dir yaml get --trace a", "-C dir yaml get --trace a"),
        ] {
            assert_eq!(left(given), expected, "{given}");
        }
    }
}
