//! What all commands that run the language share: modules, facts, variables, strictness, limits, logs.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_eval::{Evaluator, Level, Log, Value};
use hierarch_hiera::Strict;
use hierarch_pcore::value::Timestamp;
use hierarch_site::{Environment, Root, Settings, Site};
use hierarch_source::DiskFiles;

use super::arguments::{NodeArguments, SiteArguments};
use super::data;
use super::failure::Failure;
use super::limits::{DataLimits, WorkLimits};
use super::puppet_settings::is_shown;
use super::report::show_unnamed;
use super::room;
use super::ruby::RubyArguments;
use crate::cli::issues;

/// Memory for nested calls; only what is used is ever taken.
pub(crate) const STACK: usize = 512 << 20;

#[derive(Args, Default)]
pub(crate) struct LanguageArguments {
    /// The node whose facts, trusted data and environment the program sees
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Facts, a YAML or JSON file
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
    /// Further top-scope variables, a YAML or JSON file
    #[arg(long, value_name = "FILE")]
    vars: Option<PathBuf>,
    /// Folders that modules are in, separated by colons
    #[arg(long, value_name = "FOLDERS", value_delimiter = ':')]
    modulepath: Vec<PathBuf>,
    /// The environment; `production` unless said otherwise
    #[arg(long, value_name = "ENV")]
    environment: Option<String>,
    /// The folder that environments are in, for lookups
    #[arg(long, value_name = "DIR", alias = "environment-path")]
    environmentpath: Option<PathBuf>,
    /// The hiera.yaml of the global layer, for lookups
    #[arg(long = "hiera_config", value_name = "FILE", alias = "hiera-config")]
    hiera_config: Option<PathBuf>,
    /// What to do about what the language would rather not guess
    #[arg(long, value_enum, default_value_t = StrictArgument::Error)]
    strict: StrictArgument,
    /// Whether reading an unknown variable is an error
    #[arg(long = "strict_variables", value_name = "BOOL", default_value_t = true, num_args = 0..=1,
          require_equals = true, default_missing_value = "true", action = clap::ArgAction::Set)]
    strict_variables: bool,
    #[command(flatten)]
    data_limits: DataLimits,
    #[command(flatten)]
    work_limits: WorkLimits,
    #[command(flatten)]
    ruby: RubyArguments,
}

/// The setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum StrictArgument {
    /// Go on in silence
    Off,
    /// Warn and go on
    Warning,
    /// Fail
    #[default]
    Error,
}

impl StrictArgument {
    fn level(self) -> Strict {
        match self {
            Self::Off => Strict::Off,
            Self::Warning => Strict::Warning,
            Self::Error => Strict::Error,
        }
    }
}

impl LanguageArguments {
    /// Opens the environment that the arguments describe. Data are looked up where a flag or a control repository
    /// around the current folder says that there are some.
    pub(crate) fn environment(&self) -> Result<Arc<Environment>, Failure> {
        let flags = self.site_arguments();
        let site = if flags.is_anywhere() {
            flags.builder()?
        } else {
            let folders = self.modulepath.iter().map(|folder| folder.display().to_string());
            let settings = Settings { modulepath: Some(folders.collect()), ..Settings::default() };
            Site::on(DiskFiles).with_root(Root::Modules).with_settings(settings).with_clock(now)
        };
        let limits = self.data_limits.with(&self.work_limits).with_stack_of(STACK);
        let site = site.changing_settings(|settings| {
            settings.strict = self.strict.level();
            settings.strict_variables = self.strict_variables;
            settings.strict_types = true;
        });
        let site = self.ruby.add_to(site)?;
        let environment = site.with_limits(limits).with_memory(memory_in_use).build().environment();
        environment.check().map_err(Failure::from)?;
        Ok(environment)
    }

    /// Starts an evaluation with the facts and variables that the arguments name.
    pub(crate) fn evaluator<'e>(&self, environment: &'e Environment) -> Result<Evaluator<'e>, Failure> {
        let mut evaluator = match &self.node {
            Some(name) => environment.evaluator_for(name.clone()),
            None => environment.evaluator(),
        };
        match (&self.node, &self.facts) {
            (Some(name), _) => {
                let variables = self.variables_of(name)?;
                variables.into_iter().for_each(|(name, value)| evaluator.set_variable(&name, value));
            }
            (None, Some(facts)) => evaluator.set_facts(data::read_map(facts)?),
            (None, None) => {}
        }
        if let Some(vars) = &self.vars {
            for (name, value) in data::read_map(vars)? {
                if let Value::String(name) = name {
                    evaluator.set_variable(&name, value);
                }
            }
        }
        Ok(evaluator)
    }

    /// Says the same as flags of a site.
    fn site_arguments(&self) -> SiteArguments {
        let folders: Vec<String> =
            self.modulepath.iter().map(|folder| folder.display().to_string()).collect();
        SiteArguments {
            environment: self.environment.clone(),
            environmentpath: self.environmentpath.clone(),
            hiera_config: self.hiera_config.clone(),
            modulepath: (!folders.is_empty()).then(|| folders.join(":")),
            strict_types: true,
            ..SiteArguments::default()
        }
    }

    /// Returns the variables that programs of a node see, from where the repository's nodes are known.
    pub(crate) fn variables_of(&self, name: &str) -> Result<Vec<(String, Value)>, Failure> {
        let node = NodeArguments { node: Some(name.to_owned()), facts: self.facts.clone() };
        let node = node.find_trusted(&node.open(&self.site_arguments())?)?;
        let named = |(name, value): (&Value, &Value)| Some((name.as_str()?.to_owned(), value.clone()));
        Ok(node.scope().variables().into_iter().filter_map(named).collect())
    }
}

/// Returns the time.
pub(crate) fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    Timestamp(since.map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(i128::MAX)))
}

/// Returns how many bytes of memory the process uses, where the system can tell.
pub(crate) fn memory_in_use() -> Option<u64> {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let resident: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(resident * PAGE)
}

/// Runs something on a thread with room for deeply nested calls.
pub(crate) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    let work = || {
        room::make();
        work()
    };
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let worker = worker.map_err(|error| issues::no_thread(&error))?;
        worker.join().map_err(|_| issues::evaluation_broke())
    })
}

/// Returns a message with the scope that said it.
pub(crate) fn with_scope(log: &Log) -> String {
    match &log.scope {
        Some(scope) => format!("Scope({scope}): {}", log.message),
        None => log.message.clone(),
    }
}

/// Prints what a program logged to standard error, as Puppet does.
pub(crate) fn print_logs(logs: &[Log]) {
    print_logs_as(logs, str::to_owned);
}

/// The same, with another way to write what names files.
pub(crate) fn print_logs_as(logs: &[Log], written: impl Fn(&str) -> String) {
    for log in logs {
        let (word, colour) = match log.level {
            Level::Debug => ("Debug", "\u{1b}[0;36m"),
            Level::Info => ("Info", "\u{1b}[0;32m"),
            Level::Notice => ("Notice", ""),
            Level::Warning => ("Warning", "\u{1b}[1;33m"),
            Level::Err => ("Error", "\u{1b}[1;31m"),
            Level::Alert => ("Alert", "\u{1b}[1;31m"),
            Level::Emerg => ("Emergency", "\u{1b}[1;31m"),
            Level::Crit => ("Critical", "\u{1b}[1;31m"),
        };
        if !is_shown(log.level) {
            continue;
        }
        let place = match &log.place {
            Some(place) if log.scope.is_none() => format!(" ({place})"),
            _ => String::new(),
        };
        let text = written(&format!("{}{place}", with_scope(log)));
        let _ = writeln!(anstream::stderr(), "{colour}{word}: {text}\u{1b}[0m");
        if let Some(place) = &log.excerpt {
            show_unnamed(place);
        }
    }
}
