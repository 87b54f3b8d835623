//! What Ruby of modules may do: the flags that all commands share which may run it.

mod command;
mod net;
mod stand_ins;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use hierarch_eval::substitute::{HelperSource, Substitutes};
use hierarch_site::{Builder, Environment};
use hierarch_source::Network;

use self::command::RubyCommand;
use self::net::RubyNetwork;
pub(crate) use self::stand_ins::StandInArguments;
use super::arguments::SiteArguments;
use super::data;
use super::failure::Failure;
use super::issues;
use super::report::warning_line;

/// What Ruby may do beside what it may always do.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RubyArguments {
    /// A folder that Ruby of modules may read beside those of the environment
    #[arg(long, value_name = "DIR")]
    ruby_read: Vec<PathBuf>,
    /// Show the variables of this process in Ruby's ENV
    #[arg(long)]
    ruby_env: bool,
    /// Let Ruby of modules ask name servers and web servers (`Resolv`, `Net::HTTP`, `open-uri`)
    #[arg(long)]
    ruby_net: bool,
    /// What name servers would answer Ruby of modules: by name addresses, or kinds of records and lists
    #[arg(long, value_name = "FILE")]
    ruby_dns: Option<PathBuf>,
    /// A Ruby that runs the templates and functions that do not run here, with all rights that it has
    #[arg(long, value_name = "PATH")]
    pub(crate) ruby_command: Option<PathBuf>,
    /// How many seconds one answer of --ruby-command may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, requires = "ruby_command")]
    max_ruby_time: f64,
}

/// Answers of a Ruby are kept in memory; more than this is not read of one.
const MOST_ANSWERED: usize = 256 << 20;

impl RubyArguments {
    /// Refuses a real Ruby for a state that is not checked out: it would read the files that stand there now.
    #[cfg(feature = "git")]
    pub(crate) fn check(&self, site: &SiteArguments) -> Result<(), Failure> {
        match (&self.ruby_command, &site.at) {
            (Some(_), Some(revision)) => Err(issues::ruby_command_at(revision)),
            _ => Ok(()),
        }
    }

    /// Without git there is no other state.
    #[cfg(not(feature = "git"))]
    pub(crate) fn check(&self, _: &SiteArguments) -> Result<(), Failure> {
        Ok(())
    }

    /// Hands what Ruby may do to a site.
    pub(crate) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        Ok(site.with_substitutes(self.substitutes()?))
    }

    /// Returns what Ruby may do, where nothing else stands in for functions.
    pub(crate) fn substitutes(&self) -> Result<Substitutes, Failure> {
        Ok(Substitutes {
            ruby_read: folders(&self.ruby_read)?,
            ruby_variables: if self.ruby_env { std::env::vars().collect() } else { Vec::new() },
            ruby_network: self.network()?,
            ruby_helper: self.helper(),
            ..Substitutes::default()
        })
    }

    /// Returns the network that may be asked.
    fn network(&self) -> Result<Option<Arc<dyn Network>>, Failure> {
        if !self.ruby_net && self.ruby_dns.is_none() {
            return Ok(None);
        }
        let given = self.ruby_dns.as_deref().map(data::read_map).transpose()?;
        let given = given.as_ref().map(net::records).transpose()?;
        Ok(Some(Arc::new(RubyNetwork { is_open: self.ruby_net, given })))
    }

    /// Returns the real Ruby that may be started.
    fn helper(&self) -> Option<Arc<dyn HelperSource>> {
        let time = Duration::try_from_secs_f64(self.max_ruby_time).unwrap_or_default();
        let variables =
            if self.ruby_env { std::env::vars().collect() } else { RubyCommand::usual_variables() };
        Some(Arc::new(RubyCommand::new(self.ruby_command.clone()?, time, MOST_ANSWERED, variables)))
    }
}

/// Warns of what a real Ruby ran since the last time.
pub(crate) fn tell_help(environment: &Environment) {
    let helper = environment.language().substitutes().ruby_helper.as_ref();
    for help in helper.map(|helper| helper.take_noted()).unwrap_or_default() {
        warning_line(&issues::helped(&help));
    }
}

/// Finds folders that flags name.
pub(crate) fn folders(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let found =
        |folder: &Path| std::fs::canonicalize(folder).map_err(|error| Failure::io("find", folder, &error));
    given.iter().map(|folder| found(folder)).collect()
}
