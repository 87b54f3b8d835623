//! `hierarch lookup`, as `puppet lookup`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use clap::{Args, FromArgMatches};
use hierarch_eval::{Level, Log};
use hierarch_hiera::Strategy;
use hierarch_hiera::issues::{Class, class_of};
use hierarch_hiera::origin::view::View;
use hierarch_hiera::render::Format;
use hierarch_pcore::{Hash, Value};
use hierarch_site::{Explains, Node, NodeLookups, Question};
use hierarch_source::{Error, Result};

use super::arguments::{NodeArguments, STACK, SiteArguments, showing_secrets};
use super::failure::Failure;
use super::language::{self, on_large_stack, print_logs, with_scope};
use super::report::{error_line, show_below, warning_line};
use super::ruby::{RubyArguments, tell_help};
use super::{issues, lookup_hint};

/// What the command line says.
#[derive(Args, Clone)]
pub struct LookupArguments {
    /// The keys; the first one found counts
    #[arg(value_name = "KEY")]
    keys: Vec<String>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    node: NodeArguments,
    #[command(flatten)]
    ruby: RubyArguments,
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
    #[arg(long, alias = "format", value_name = "FORMAT")]
    render_as: Option<String>,
    /// Show where each part of the value stands, what it hides and what was removed
    #[arg(long, conflicts_with_all = ["explain", "explain_options"])]
    origin: bool,
    /// Show decrypted values in explanations, too
    #[arg(long, alias = "reveal")]
    show_secrets: bool,
    /// Compile the node's catalog first
    #[arg(short, long)]
    compile: bool,
    /// With --compile: the manifest, a file or a folder, instead of the environment's
    #[arg(long, value_name = "FILE", hide = true)]
    manifest: Option<PathBuf>,
    /// With --compile: show what manifests log with `info`, too
    #[arg(short, long)]
    verbose: bool,
    /// With --compile: show all that manifests log
    #[arg(short, long)]
    debug: bool,
    /// Accepted, and without effect, as in Puppet
    #[arg(long, hide = true)]
    trusted: bool,
}

/// What a lookup prints, and how it ends.
#[derive(Debug, Default)]
pub struct PrintedAnswer {
    /// What programs logged, for standard error.
    pub logs: Vec<Log>,
    /// What manifests said before the answer, for standard output.
    pub notices: String,
    /// The answer, for standard output.
    pub output: String,
    /// The exit code.
    pub exit: u8,
    /// What went wrong. Lookup errors are not printed, others are.
    pub failure: Option<Error>,
    /// It went wrong before the lookup, whose keys are not to blame.
    pub is_compilation: bool,
}

impl PrintedAnswer {
    fn of(output: String, failure: Option<Error>) -> Self {
        Self { output, failure, ..Self::default() }
    }

    fn failed(failure: Error) -> Self {
        Self { exit: 1, failure: Some(failure), ..Self::default() }
    }

    /// Returns what standard error is told: nothing about lookup errors.
    fn complaint(&self) -> Option<String> {
        let failure = self.failure.as_ref()?;
        match class_of(failure) {
            Class::Lookup { .. } if !self.is_compilation => None,
            _ => Some(issues::could_not_run(failure).to_string()),
        }
    }
}

/// Who reads the answer.
#[derive(Clone, Debug, Default)]
pub struct Display {
    /// The folder, with a slash at its end, that people need not read in front of each path; none if it is empty.
    pub folder: String,
    /// The output goes to a terminal that has colours.
    pub is_coloured: bool,
}

pub(crate) fn run(arguments: &LookupArguments) -> std::result::Result<ExitCode, Failure> {
    arguments.ruby.check(&arguments.site)?;
    let stack = if arguments.compile { language::STACK } else { STACK };
    let site = arguments.site.builder()?.with_limits(arguments.site.limits().with_stack_of(stack));
    let site = site.with_permissions(showing_secrets(arguments.show_secrets));
    let site = arguments.node.add_to(arguments.ruby.add_to(site)?)?.build();
    let node = arguments.node.find(&site)?;
    let display = Display { folder: current_folder(), is_coloured: is_coloured() };
    let answer = || arguments.answer(&node, &display);
    let printed = if arguments.compile { on_large_stack(answer)? } else { answer() };
    let printed = printed.map_err(Failure::from)?;
    print_logs(&printed.logs);
    node.environment().take_warnings().iter().for_each(|warning| warning_line(warning));
    tell_help(node.environment());
    let mut out = std::io::stdout().lock();
    out.write_all(printed.notices.as_bytes())?;
    out.write_all(printed.output.as_bytes())?;
    out.flush()?;
    if let Some(complaint) = printed.complaint() {
        // The words are Puppet's, the program is not.
        error_line(&complaint.replace("'puppet lookup --help'", "'hierarch lookup --help'"));
        printed.failure.iter().for_each(|failure| show_below(failure));
    } else if printed.exit != 0
        && let Some(failure) = &printed.failure
    {
        error_line(&lookup_hint::hint(&node, &arguments.keys, failure));
        show_below(failure);
    }
    // The process ends here: nobody waits for its files to be let go.
    std::mem::forget((node, site));
    Ok(ExitCode::from(printed.exit))
}

impl LookupArguments {
    /// Reads what follows `lookup` on a command line.
    pub fn parse(arguments: &[String]) -> std::result::Result<Self, String> {
        let command = Self::augment_args(clap::Command::new("lookup").no_binary_name(true));
        let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
        Self::from_arg_matches(&matches).map_err(|error| error.to_string())
    }

    /// Answers for a node. An error is one of manifests that cannot be read.
    pub fn answer(&self, node: &Node, display: &Display) -> Result<PrintedAnswer> {
        if self.compile { self.compiled(node, display) } else { Ok(self.plain(node, display)) }
    }

    fn plain(&self, node: &Node, display: &Display) -> PrintedAnswer {
        let (printed, logs) = node.asking(|lookups| self.ask(node, lookups, display));
        PrintedAnswer { logs, ..printed }
    }

    /// Looks up after the catalog of the node was compiled: what manifests set can be seen. As in Puppet, what they log is
    /// printed before the value.
    fn compiled(&self, node: &Node, display: &Display) -> Result<PrintedAnswer> {
        let manifests = match &self.manifest {
            Some(path) => node.environment().manifests_at(path)?,
            None => node.environment().manifests()?,
        };
        let mut compilation = node.compile_from(&manifests);
        let logged = std::mem::take(&mut compilation.logs);
        // Who asks for one key is not told the secrets of others: what a manifest prints is what it prints without them.
        let hides = !node.environment().may_show_secrets() && node.environment().hiera().has_secrets();
        let logged = if hides && !logged.is_empty() {
            node.without_secrets().compile_from(&manifests).logs
        } else {
            logged
        };
        let (notices, mut logs): (Vec<Log>, Vec<Log>) =
            logged.into_iter().partition(|log| log.level == Level::Notice);
        let printed = match compilation.catalog.as_ref().err().cloned() {
            None => {
                let (printed, more) = compilation.asking(|lookups| self.ask(node, lookups, display));
                logs.extend(more);
                printed
            }
            Some(error) => PrintedAnswer { is_compilation: true, ..PrintedAnswer::failed(error) },
        };
        let notices = notices.iter().map(|log| format!("Notice: {}\n", with_scope(log))).collect();
        Ok(PrintedAnswer { logs, notices, ..printed })
    }

    fn ask(&self, node: &Node, lookups: &NodeLookups, display: &Display) -> PrintedAnswer {
        self.try_ask(node, lookups, display).unwrap_or_else(PrintedAnswer::failed)
    }

    fn try_ask(&self, node: &Node, lookups: &NodeLookups, display: &Display) -> Result<PrintedAnswer> {
        let explains = match (self.explain, self.explain_options) {
            (true, _) => Some(Explains::Everything),
            (false, true) => Some(Explains::Options),
            (false, false) => None,
        };
        let merge = self.merge_value()?;
        let keys = match self.keys.as_slice() {
            [] if explains == Some(Explains::Options) => vec!["__global__".to_owned()],
            [] => return Err(issues::no_keys()),
            keys => keys.to_vec(),
        };
        let format = self.render_as.as_deref().map(Format::parse).transpose()?;
        let default = self.default.as_deref().map(Value::from);
        let question = Question { keys, merge, value_type: self.value_type.clone(), default };
        if self.origin {
            return show_origin(node, lookups, &question, format, display);
        }
        if let Some(what) = explains {
            return show_explanation(lookups, &question, what, format.unwrap_or(Format::Text));
        }
        let answer = lookups.lookup(&question)?;
        Ok(PrintedAnswer::of(format.unwrap_or(Format::Yaml).render(&answer.value)?, None))
    }

    fn merge_value(&self) -> Result<Option<Value>> {
        let is_deep = self.merge.as_deref() == Some("deep");
        if (self.sort_merged_arrays || self.merge_hash_arrays || self.knock_out_prefix.is_some()) && !is_deep
        {
            return Err(issues::only_with_deep());
        }
        let Some(name) = &self.merge else { return Ok(None) };
        if !Strategy::public().any(|(known, _)| known == name) {
            return Err(issues::bad_merge_flag());
        }
        let mut merge: Hash = [("strategy", name.as_str())].into_iter().collect();
        if is_deep {
            merge.insert("sort_merged_arrays", self.sort_merged_arrays);
            merge.insert("merge_hash_arrays", self.merge_hash_arrays);
            if let Some(prefix) = &self.knock_out_prefix {
                merge.insert("knockout_prefix", prefix.as_str());
            }
        }
        Ok(Some(Value::hash(merge)))
    }
}

fn show_explanation(
    lookups: &NodeLookups,
    question: &Question,
    what: Explains,
    format: Format,
) -> Result<PrintedAnswer> {
    let explanation = lookups.explain(question, what)?;
    let steps = &explanation.steps;
    let mut output = match format {
        Format::Text => steps.text(),
        // The keys of an explanation are symbols, of which no table is made.   case: hiera/render_formats
        Format::Console => steps.data().to_pretty_json(),
        format => format.render(&steps.data())?,
    };
    if !output.ends_with('\n') {
        output.push('\n');
    }
    Ok(PrintedAnswer::of(output, explanation.failure))
}

fn show_origin(
    node: &Node,
    lookups: &NodeLookups,
    question: &Question,
    format: Option<Format>,
    display: &Display,
) -> Result<PrintedAnswer> {
    let answer = lookups.trace(question)?;
    let view = View {
        key: &answer.key,
        traced: &answer.traced,
        options: answer.options.as_ref(),
        shows_secrets: node.environment().may_show_secrets(),
        folder: &display.folder,
        is_coloured: display.is_coloured,
    };
    let output = match format {
        None | Some(Format::Text) => view.text(),
        Some(format) => format.render(&view.data())?,
    };
    Ok(PrintedAnswer::of(output, None))
}

fn current_folder() -> String {
    std::env::current_dir().map_or_else(|_| String::new(), |folder| format!("{}/", folder.display()))
}

/// Colours are for terminals, unless they are switched off.
fn is_coloured() -> bool {
    AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
}
