//! `hierarch lookup`, as `puppet lookup`.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use clap::Args;
use hierarch_eval::{Environment as Language, Level, Log};
use hierarch_hiera::command::{Command, Outcome};
use hierarch_hiera::{Hiera, Scope, issues};

use super::failure::Failure;
use super::language::{on_large_stack, print_logs, with_scope};
use super::report::{error_line, warning_line};
use super::site::manifests;
use super::world::{NodeArguments, WorldArguments, evaluator_of, host_of};

#[derive(Args)]
pub(crate) struct LookupArguments {
    /// The keys; the first one found counts
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    #[command(flatten)]
    world: WorldArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// How values are merged: first, unique, hash or deep
    #[arg(long, value_name = "TYPE")]
    merge: Option<String>,
    /// With --merge deep: what begins so removes what follows
    #[arg(long, value_name = "PREFIX", allow_hyphen_values = true)]
    knock_out_prefix: Option<String>,
    /// With --merge deep: merged lists are sorted
    #[arg(long)]
    sort_merged_arrays: bool,
    /// With --merge deep: hashes in lists are merged by position
    #[arg(long)]
    merge_hash_arrays: bool,
    /// The type that the value must have
    #[arg(long = "type", value_name = "TYPE")]
    value_type: Option<String>,
    /// What to answer when nothing is found
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    default: Option<String>,
    /// Say how the value was found instead of printing it
    #[arg(long)]
    explain: bool,
    /// Say how the lookup options were put together
    #[arg(long)]
    explain_options: bool,
    /// How to print: s, json, yaml, console or flat
    #[arg(long, value_name = "FORMAT")]
    render_as: Option<String>,
    /// Show where each part of the value stands, what it hides and what was removed
    #[arg(long, conflicts_with_all = ["explain", "explain_options"])]
    origin: bool,
    /// Show decrypted values in explanations, too
    #[arg(long)]
    show_secrets: bool,
    /// Compile the node's catalog first
    #[arg(short, long)]
    compile: bool,
    /// Say more
    #[arg(short, long)]
    verbose: bool,
    /// Say everything
    #[arg(short, long)]
    debug: bool,
    /// Accepted, and without effect, as in Puppet
    #[arg(long, hide = true)]
    trusted: bool,
}

pub(crate) fn run(arguments: &LookupArguments) -> Result<ExitCode, Failure> {
    let language = arguments.world.open_language()?;
    let hiera = language.hiera();
    let scope = arguments.node.scope(hiera)?;
    let outcome = if arguments.compile {
        on_large_stack(|| compiled(arguments, &language, &scope))??
    } else {
        let host = host_of(&language, &scope);
        let outcome = arguments.command().run(hiera, &host);
        print_logs(&host.take_logs());
        outcome
    };
    for warning in hiera.log().take().into_iter().chain(hiera.log().take_our_own()) {
        warning_line(&if arguments.show_secrets { warning } else { hiera.without_secrets(&warning) });
    }
    let mut out = std::io::stdout().lock();
    out.write_all(outcome.output.as_bytes())?;
    out.flush()?;
    if let Some(complaint) = outcome.complaint() {
        error_line(&complaint);
    } else if outcome.exit != 0
        && let Some(failure) = &outcome.failure
    {
        error_line(&hint(hiera, &scope, &arguments.keys, failure));
    }
    Ok(ExitCode::from(outcome.exit))
}

/// Looks up after the catalog of the node was compiled: what manifests set can be seen. As in Puppet, what they log is
/// printed before the value.
fn compiled(arguments: &LookupArguments, language: &Language, scope: &Scope) -> Result<Outcome, Failure> {
    let hiera = language.hiera();
    let node = arguments.node.name();
    let mut evaluator = evaluator_of(language, scope, node);
    let manifests = manifests(hiera.environment())?;
    let result = evaluator.compile(&manifests);
    let notices = evaluator.take_logs();
    let mut outcome = match result {
        Ok(_) => arguments.command().run(hiera, &evaluator.host_of_lookups()),
        Err(error) => Outcome { output: String::new(), exit: 1, failure: Some(error) },
    };
    let (notices, others): (Vec<Log>, Vec<Log>) =
        notices.into_iter().partition(|log| log.level == Level::Notice);
    let notices = notices.iter().map(|log| format!("Notice: {}\n", with_scope(log)));
    outcome.output.insert_str(0, &notices.collect::<String>());
    print_logs(&others);
    print_logs(&evaluator.take_logs());
    Ok(outcome)
}

impl LookupArguments {
    fn command(&self) -> Command {
        Command {
            keys: self.keys.clone(),
            merge: self.merge.clone(),
            knockout_prefix: self.knock_out_prefix.clone(),
            sort_merged_arrays: self.sort_merged_arrays,
            merge_hash_arrays: self.merge_hash_arrays,
            value_type: self.value_type.clone(),
            default: self.default.clone(),
            explain: self.explain,
            explain_options: self.explain_options,
            render_as: self.render_as.clone(),
            origin: self.origin,
            show_secrets: self.show_secrets,
            folder: current_folder(),
            is_coloured: is_coloured(),
        }
    }
}

fn current_folder() -> String {
    std::env::current_dir().map_or_else(|_| String::new(), |folder| format!("{}/", folder.display()))
}

/// Colours are for terminals, unless somebody wants none.
fn is_coloured() -> bool {
    std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|text| text.is_empty())
}

/// Puppet ends without a word; a person wants to know why.
fn hint(hiera: &Hiera, scope: &Scope, keys: &[String], failure: &hierarch_source::Error) -> String {
    if failure.code != issues::NOT_FOUND {
        return failure.to_string();
    }
    let (files, known) = hiera.known_keys();
    let mut near: Vec<(usize, &String)> = Vec::new();
    for key in keys {
        near.extend(
            known.iter().map(|known| (distance(key, known), known)).filter(|(far, _)| *far <= key.len() / 3),
        );
    }
    near.sort();
    let names: Vec<&str> = near.iter().take(3).map(|(_, name)| name.as_str()).collect();
    let levels = keys.first().map_or_else(Vec::new, |key| hiera.session(scope).level_names(key));
    let keys = keys.join(", ");
    let mut hint = match (levels.as_slice(), files) {
        ([], _) => format!("nothing found for {keys}: there is no hiera.yaml with levels here"),
        (levels, 1) => format!("nothing found for {keys} in one file of the levels {}", levels.join(", ")),
        (levels, files) => {
            format!("nothing found for {keys} in {files} files of the levels {}", levels.join(", "))
        }
    };
    if !names.is_empty() {
        hint.push_str(&format!("; did you mean {}?", names.join(", ")));
    }
    hint
}

/// Counts the letters to change, add or remove.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let change = diagonal + usize::from(c != *d);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
