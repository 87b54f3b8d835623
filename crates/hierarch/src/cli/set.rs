//! `hierarch set`: writes a key into the right data file and leaves the rest of it as it is.

use std::cell::RefCell;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hierarch_fleet::{diff_without, near_keys, secret_keys};
use hierarch_site::{KeyEdit, SetPlan, Site};

use super::arguments::{NodeArguments, SiteArguments};
use super::eyaml::default_public_key;
use super::failure::{Failure, Stop};
use super::fleet::nodes::NodesArguments;
use super::issues;
use super::report::{self, ReportFormat, finish, warning_line};
use super::saving::{self, ChangedFiles, Retry};

#[derive(Args)]
pub(crate) struct SetArguments {
    /// The key; `a.b.0` leads into its value
    key: String,
    /// The value, read as YAML
    #[arg(allow_hyphen_values = true)]
    value: String,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    node: NodeArguments,
    /// The level of the hierarchy to write to; if not given, the first that has the key, or else the first one
    #[arg(long, value_name = "NAME")]
    level: Option<String>,
    /// The file to write to: one that is read for the node
    #[arg(long, value_name = "FILE", conflicts_with = "level")]
    into: Option<PathBuf>,
    /// The value is a text as it stands, not YAML
    #[arg(long)]
    string: bool,
    /// Encrypt the value, in an eyaml level; what was encrypted is encrypted anyway
    #[arg(long)]
    encrypt: bool,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(arguments: &SetArguments) -> Result<ExitCode, Failure> {
    finish(set(arguments), ReportFormat::Full)
}

fn set(arguments: &SetArguments) -> Result<ExitCode, Stop> {
    arguments.site.refuse_at("set")?;
    let edit = arguments.edit()?;
    let plan = || -> Result<SetPlan, Stop> {
        let site = arguments.node.open(&arguments.site)?;
        let node = arguments.node.find(&site)?;
        let plan = site.plan_set(&node, &edit)?;
        arguments.check_node(&site, &plan)?;
        Ok(plan)
    };
    if arguments.dry_run {
        let plan = plan()?;
        tell(&plan);
        report::print(&arguments.preview(&plan)?)?;
        arguments.tell_readers(&plan)?;
        return Ok(ExitCode::SUCCESS);
    }
    let last = RefCell::new(None);
    saving::write(Retry::Yes, || {
        let plan = plan()?;
        let changed = ChangedFiles::from([(plan.path.clone(), (plan.old.clone(), plan.new.clone()))]);
        last.replace(Some(plan));
        Ok(changed)
    })?;
    if let Some(plan) = last.into_inner() {
        tell(&plan);
        report::print(&outcome(&plan))?;
        arguments.tell_readers(&plan)?;
    }
    Ok(ExitCode::SUCCESS)
}

impl SetArguments {
    fn edit(&self) -> Result<KeyEdit, Failure> {
        let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Ok(KeyEdit {
            key: self.key.clone(),
            value: self.value.clone(),
            is_verbatim: self.string,
            encrypts: self.encrypt,
            level: self.level.clone(),
            into: self.into.as_ref().map(absolute),
            public_key: Some(default_public_key()?),
        })
    }

    /// Refuses to make a file for this machine that nobody asked for.
    fn check_node(&self, site: &Site, plan: &SetPlan) -> Result<(), Failure> {
        let names_place = self.level.is_some() || self.into.is_some();
        if !self.node.is_unknown_machine(site) || names_place || plan.old.is_some() {
            return Ok(());
        }
        Err(issues::set_for_nobody(&self.node.name(), &plan.path))
    }

    /// Says what a run without `--dry-run` would change. What goes into a log of it has no lines of keys that are secret.
    fn preview(&self, plan: &SetPlan) -> Result<String, Failure> {
        let (name, old) = (plan.path.display().to_string(), plan.old.as_deref().unwrap_or(""));
        let site = self.node.open(&self.site)?;
        let secret = secret_keys(&self.node.find(&site)?, &near_keys(old, &plan.new));
        let difference = diff_without(&name, old, &plan.new, &secret);
        Ok(if difference.is_empty() { outcome(plan) } else { difference.trim_end_matches('\n').to_owned() })
    }

    /// Says how many nodes read the file, where there are others.
    fn tell_readers(&self, plan: &SetPlan) -> Result<(), Failure> {
        let site = self.node.open(&self.site)?;
        let nodes = NodesArguments::default().read_if_any(&self.site, &site).unwrap_or_default();
        if nodes.len() > MOST_NODES {
            return Ok(());
        }
        let reads = |name: &&str| {
            let facts = nodes.find(name).and_then(Result::ok);
            facts.is_some_and(|facts| {
                site.node_with(name, facts.trusting(name)).reads_file(&self.key, &plan.path)
            })
        };
        let count = nodes.names().filter(reads).count();
        if count > 1 {
            report::note(&issues::nodes_read(count, nodes.len(), &plan.path));
        }
        Ok(())
    }
}

/// More nodes than these are not asked whether they read a file.
const MOST_NODES: usize = 1_000;

fn tell(plan: &SetPlan) {
    plan.warnings.iter().for_each(|warning| warning_line(warning));
}

/// Where the value stands now, and whether it stood there before.
fn outcome(plan: &SetPlan) -> String {
    let place = format!("{} (level {})", plan.path.display(), plan.level);
    if plan.old.as_ref() == Some(&plan.new) { issues::nothing_to_set(&place) } else { place }
}
