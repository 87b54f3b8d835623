//! `hierarch unused`: what may be deleted, and how sure that is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_fleet::{
    CatalogInputs, DeadEntry, Evidence, Fixed, NodeSet, Search, UnansweredNode, UnusedReport,
};
use hierarch_fleet::{catalog_inputs, fix, unused};
use hierarch_site::Site;
use hierarch_source::{DiskFiles, Error, FileChange, Files, Overlay};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::issues;
use super::super::report::{print_text, warning_line};
use super::super::saving::save_files;
use super::check::{FOUND, below, top};
use super::findings::{Finding, Form, Report, Severity};
use super::form::counted;
use super::nodes::{NodesArguments, ask, folder, print_warnings, show_places, unanswered_text};

#[derive(Args)]
#[command(mut_arg("compile", |flag| flag.hide(true)))]
pub(crate) struct UnusedArguments {
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// What counts as evidence, this or stronger: `static` where things are listed, `fleet` where they are removed
    #[arg(long, value_enum)]
    proof: Option<ProofArgument>,
    /// With --proof compiled: what catalogs asked for, as PuppetDB answers to catalog-inputs, in a file or from
    /// `puppetdb:https://host:8081`; without it the catalogs of all nodes are compiled
    #[arg(long, value_name = "SOURCE")]
    inputs: Vec<String>,
    /// Write what catalogs asked for into a file, in PuppetDB's form
    #[arg(long, value_name = "FILE")]
    export_inputs: Option<PathBuf>,
    /// Remove what was found, one after the other, each proved on what the ones before have left
    #[arg(long)]
    fix: bool,
    /// With --fix: only show what would be written
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text, conflicts_with = "fix")]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ProofArgument {
    /// No code and no hierarchy names it
    Static,
    /// No catalog of the chosen nodes asked for it
    Compiled,
    /// Without it all answers of all chosen nodes are the same
    Fleet,
}

impl UnusedArguments {
    fn evidence(&self) -> Evidence {
        match self.proof {
            Some(ProofArgument::Static) => Evidence::Static,
            Some(ProofArgument::Compiled) => Evidence::Compiled,
            Some(ProofArgument::Fleet) => Evidence::Fleet,
            None if self.fix => Evidence::Fleet,
            None => Evidence::Static,
        }
    }

    /// Finds out what catalogs asked for, if that counts.
    fn inputs(&self, site: &Site, nodes: &NodeSet) -> Result<Option<CatalogInputs>, Failure> {
        let is_compiled = self.proof == Some(ProofArgument::Compiled);
        if !is_compiled && self.inputs.is_empty() && self.export_inputs.is_none() {
            return Ok(None);
        }
        let mut found = CatalogInputs::default();
        for source in &self.inputs {
            found.nodes.extend(self.read_inputs(source)?.nodes);
        }
        if self.inputs.is_empty() {
            if nodes.is_empty() {
                return Err(issues::no_sources());
            }
            found = ask(site, nodes, true, catalog_inputs);
        }
        if let Some(path) = &self.export_inputs {
            let text = format!("{}\n", found.to_value().to_json());
            let old = std::fs::read(path).ok();
            let change = match &old {
                Some(old) => FileChange::replace(path, old, text.as_bytes()),
                None => FileChange::create(path, text.as_bytes()),
            };
            save_files(&[change]).map_err(|reason| Failure::from(Error::from(reason)))?;
        }
        Ok(Some(found))
    }

    fn read_inputs(&self, source: &str) -> Result<CatalogInputs, Failure> {
        let text = if source.starts_with("puppetdb:") {
            self.nodes.puppetdb.catalog_inputs(source)?
        } else {
            let path = Path::new(source);
            std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?
        };
        CatalogInputs::parse(&text).map_err(|why| issues::bad_inputs(source, &why))
    }

    fn open(&self, files: Arc<dyn Files>) -> Result<Site, Failure> {
        Ok(self.nodes.add_to(self.site.builder_on(files)?)?.build())
    }
}

pub(crate) fn run(arguments: &UnusedArguments) -> Result<ExitCode, Failure> {
    arguments.nodes.stand_ins.refuse_command("unused")?;
    super::start_asking()?;
    arguments.site.demand_repository()?;
    if arguments.nodes.compile {
        return Err(issues::unused_compiled());
    }
    if arguments.fix {
        #[cfg(feature = "git")]
        arguments.site.refuse_at("unused --fix")?;
        // What is chosen needs less than all do.
        if let Some(flag) = arguments.nodes.narrowing() {
            return Err(issues::fix_of_some(flag));
        }
    }
    let site = arguments.nodes.open(&arguments.site)?;
    #[cfg(feature = "store")]
    if arguments.fix {
        arguments.nodes.demand_whole_stores(&site)?;
    }
    let nodes = arguments.nodes.read_if_any(&arguments.site, &site)?;
    // What could be opened on the real files can be opened on others: all flags were understood.
    let reopen =
        |overlay: Overlay| arguments.open(Arc::new(overlay)).unwrap_or_else(|_| Site::on(DiskFiles).build());
    let proof = arguments.evidence();
    let folder = folder(&site);
    let inputs = arguments.inputs(&site, &nodes)?;
    let inputs = inputs.as_ref();
    if arguments.fix {
        let fixed = ask(&site, &nodes, false, |fleet| fix(&Search { fleet, reopen: &reopen, proof, inputs }));
        if nodes.is_stopped() {
            return Err(issues::stopped_proof());
        }
        say_unanswered(&fixed.unanswered, nodes.len());
        if !fixed.unanswered.is_empty() {
            return Err(issues::not_all_asked());
        }
        say_unanswered(&fixed.unknown_catalogs, nodes.len());
        let code = apply(arguments, &fixed, &folder)?;
        print_warnings(&site, &nodes, false);
        if fixed.has_doubtful {
            warning_line(issues::DOUBTFUL_STAYS);
        }
        let is_whole = fixed.unknown_catalogs.is_empty() || !arguments.nodes.fail_on_unanswered;
        return Ok(if is_whole { code } else { ExitCode::FAILURE });
    }
    let found = ask(&site, &nodes, false, |fleet| unused(&Search { fleet, reopen: &reopen, proof, inputs }));
    if nodes.is_stopped() {
        return Err(issues::stopped_proof());
    }
    let listed = listed(&found.findings, &top(&arguments.site, &folder));
    let report = Report {
        suite: "unused",
        text: &|| text(&found, &folder, arguments.nodes.narrowing()),
        json: &|| found.to_value(&folder),
        findings: &listed,
    };
    print_text(&report.rendered(arguments.render_as))?;
    show_places(&found.unanswered);
    print_warnings(&site, &nodes, false);
    let is_whole = found.unanswered.is_empty() || !arguments.nodes.fail_on_unanswered;
    Ok(match (is_whole, found.findings.is_empty()) {
        (false, _) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(FOUND),
    })
}

fn listed(found: &[DeadEntry], root: &str) -> Vec<Finding> {
    let one = |dead: &DeadEntry| Finding {
        code: dead.kind.name().to_owned(),
        severity: if dead.is_certain() { Severity::Warning } else { Severity::Note },
        message: dead.message(),
        file: below(&dead.file, root).to_owned(),
        line: dead.line,
        column: dead.column,
    };
    found.iter().map(one).collect()
}

fn text(found: &UnusedReport, folder: &str, narrowing: Option<&str>) -> String {
    let mut text = String::new();
    for dead in &found.findings {
        let place = [dead.line, dead.column].into_iter().flatten().map(|number| format!(":{number}"));
        let place: String = place.collect();
        let _ =
            writeln!(text, "{}{place}: {}: {}", below(&dead.file, folder), dead.kind.name(), dead.message());
    }
    if found.findings.is_empty() {
        text.push_str(&issues::nothing_found(found.asked));
    } else {
        let _ = writeln!(text, "{}", counted(found.findings.len(), "finding"));
    }
    if found.findings.iter().any(|dead| !dead.is_certain()) {
        for call in &found.open_calls {
            text.push_str(&issues::asks_for_anything(below(&call.file, folder), call.line));
        }
    }
    if found.asked == 0 {
        text.push_str(&issues::without_nodes());
    }
    if let Some(flag) = narrowing.filter(|_| !found.findings.is_empty()) {
        text.push_str(&issues::some_nodes_asked(flag));
    }
    text + &unanswered_text(&found.unanswered, found.asked)
}

/// Shows one diff of all files, and writes them unless they are only to be shown.
fn apply(arguments: &UnusedArguments, fixed: &Fixed, folder: &str) -> Result<ExitCode, Failure> {
    let dead = &fixed.removed;
    let mut diff = String::new();
    let mut changed: Vec<(&Path, String, &str)> = Vec::new();
    let mut gone: Vec<PathBuf> = Vec::new();
    for (path, text) in &fixed.texts.files {
        let old = std::fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
        let name = below(&path.display().to_string(), folder).to_owned();
        diff.push_str(&hierarch_source::unified::diff(&name, &old, text.as_deref().unwrap_or("")));
        match text {
            Some(text) => changed.push((path, old, text)),
            None => gone.push(path.clone()),
        }
    }
    print_text(&diff)?;
    let told = format!("{}\n", issues::removed(dead.len(), arguments.dry_run));
    if arguments.dry_run {
        print_text(&told)?;
        return Ok(if dead.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(FOUND) });
    }
    let changes: Vec<FileChange> = changed
        .iter()
        .map(|(path, old, new)| FileChange::replace(path, old.as_bytes(), new.as_bytes()))
        .collect();
    save_files(&changes).map_err(|reason| Failure::from(Error::from(reason)))?;
    gone.iter().try_for_each(|path| remove(path))?;
    print_text(&told)?;
    Ok(ExitCode::SUCCESS)
}

/// Says on standard error whose needs are not known.
fn say_unanswered(unanswered: &[UnansweredNode], asked: usize) {
    unanswered_text(unanswered, asked).lines().for_each(|line| warning_line(line.trim_start()));
}

fn remove(path: &Path) -> Result<(), Failure> {
    std::fs::remove_file(path).map_err(|error| Failure::io("remove", path, &error))
}
