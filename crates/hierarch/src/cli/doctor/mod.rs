//! `hierarch doctor`: everything in a control repository that cannot be evaluated, with file and line.
//!
//! Manifests and templates are parsed and their calls looked at; hierarchies are asked for their backends; Ruby is held against the tables
//! of methods. Nothing is run, but with `--node` and `--all`, which compile catalogs.

mod calls;
mod functions;
mod groups;
mod hierarchies;
mod node;
mod nodes;
mod ruby;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hierarch_source::{Diagnostic, Severity};
use hierarch_syntax::{CheckedText, ValidateOptions};
use rayon::prelude::*;

use self::functions::Functions;
use self::ruby::{Library, Shares};
use super::arguments::{NodeArguments, SiteArguments};
use super::failure::Failure;
use super::input;
use super::issues;
use super::report::{NO_MATCH, Problem, ReportFormat, print, report};
use super::ruby::StandInArguments;

#[derive(Args)]
pub(crate) struct DoctorArguments {
    /// Look only at these files and folders; without any, at the environment and all its modules
    paths: Vec<PathBuf>,
    /// Look only at what the catalog of this node is made of
    #[arg(long, value_name = "NAME", conflicts_with = "paths")]
    node: Option<String>,
    /// Compile the catalogs of all nodes, and say which of them need what cannot run
    #[arg(long, conflicts_with_all = ["paths", "node"])]
    all: bool,
    /// The facts of nodes: a YAML or JSON file, or a folder with a file per node
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    stand_ins: StandInArguments,
    /// How to report what was found
    #[arg(long, alias = "render-as", value_enum, default_value = "text")]
    format: ReportFormat,
}

pub(crate) fn run(arguments: &DoctorArguments) -> Result<ExitCode, Failure> {
    arguments.site.refuse_at("doctor")?;
    if arguments.paths.is_empty() && !arguments.site.is_anywhere() {
        return Err(issues::no_repository_to_examine());
    }
    let environment = arguments.site.open()?.environment();
    let modules = environment.modules();
    let functions = Functions::of_repository(environment.folder(), &modules);
    let mut findings = Vec::new();
    let places = match &arguments.node {
        Some(name) => {
            let (places, failure) = node::places(arguments, name, &modules)?;
            findings.extend(failure);
            places
        }
        None if arguments.paths.is_empty() => repository(environment.folder(), &modules),
        None => arguments.paths.clone(),
    };
    let inputs = inputs(&places)?;
    let library = Library::of_repository(environment.folder(), &modules);
    let shares = inputs.look(&functions, &library, &mut findings);
    let mut summary = shares.text();
    if arguments.all {
        let node = NodeArguments { node: None, facts: arguments.facts.clone() };
        let (needs, share) = nodes::look(&arguments.site, &node, &arguments.stand_ins)?;
        findings.extend(needs);
        summary.push_str(&share);
        summary.push('\n');
    }
    let found = findings.len();
    if arguments.format.is_for_people() {
        print(&groups::text(inputs.count(), &findings, &summary))?;
    } else {
        let problems: Vec<Problem> = findings.into_iter().map(Finding::into_problem).collect();
        report(&problems, arguments.format)?;
    }
    Ok(ExitCode::from(if found == 0 { 0 } else { NO_MATCH }))
}

/// What stands in the way of evaluating a piece of the repository.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Obstacle {
    /// The catalog of the node that is asked about cannot be compiled.
    NoCatalog,
    Unparsable,
    RubyFunction,
    UnknownFunction,
    RubyBackend,
    /// Ruby asks for what only a flag allows.
    NeedsFlag,
    /// Ruby would do what never happens here.
    RubyNever,
    /// Ruby has it, and the tables of methods do not.
    RubyUnknown,
    /// A node's catalog can be compiled only with a placeholder.
    NodeNeeds,
}

impl Obstacle {
    /// Returns how a summary counts it.
    fn plural(self) -> &'static str {
        match self {
            Self::NoCatalog => "catalogs that cannot be compiled",
            Self::Unparsable => "errors in files",
            Self::RubyFunction => "calls of Ruby functions that cannot be read",
            Self::UnknownFunction => "calls of functions that are nowhere",
            Self::RubyBackend => "backends that cannot run",
            Self::NeedsFlag => "places in Ruby that need a flag",
            Self::RubyNever => "places in Ruby that never run",
            Self::RubyUnknown => "places in Ruby that name what is not known",
            Self::NodeNeeds => "calls that some nodes need and that do not run",
        }
    }

    /// Tells whether flags help with what does not run here.
    fn has_way_out(self) -> bool {
        !matches!(self, Self::NoCatalog | Self::Unparsable | Self::NeedsFlag)
    }
}

struct Finding {
    obstacle: Obstacle,
    /// What is in the way: the name of a function or backend, or the file itself.
    subject: String,
    diagnostic: Diagnostic,
    file: String,
}

impl Finding {
    fn into_problem(self) -> Problem {
        Problem { diagnostic: self.diagnostic, prefix: "", file: Some(self.file) }
    }
}

/// A manifest or template.
struct Text {
    path: PathBuf,
    is_template: bool,
}

impl Text {
    fn look(&self, functions: &Functions) -> Vec<Finding> {
        let file = self.path.display().to_string();
        let broken = |diagnostic| Finding {
            obstacle: Obstacle::Unparsable,
            subject: file.clone(),
            diagnostic,
            file: file.clone(),
        };
        let source = match input::read(&self.path).source {
            Ok(source) => source,
            Err(error) => return vec![broken(error.into_diagnostic())],
        };
        let check = if self.is_template { hierarch_syntax::check_epp } else { hierarch_syntax::check };
        let CheckedText { program, diagnostics, .. } = check(&source, &ValidateOptions::default());
        let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let mut findings: Vec<Finding> = errors.map(broken).collect();
        let Some(program) = program else { return findings };
        let called = calls::look(&program, functions);
        findings.extend(called.into_iter().map(|call| Finding {
            obstacle: call.obstacle,
            subject: call.name,
            diagnostic: call.diagnostic,
            file: file.clone(),
        }));
        findings
    }
}

/// The folders that count: what runs when a catalog is compiled, not tests and examples.
fn repository(environment: Option<&Path>, modules: &[(String, String)]) -> Vec<PathBuf> {
    let parts = [
        "manifests",
        "functions",
        "types",
        "templates",
        "lib/puppet/functions",
        "lib/puppet/parser/functions",
        "hiera.yaml",
    ];
    let owners = environment.into_iter().chain(modules.iter().map(|(_, folder)| Path::new(folder)));
    let places = owners.flat_map(|owner| parts.map(|part| owner.join(part)));
    let mut places: Vec<PathBuf> = places.filter(|place| place.exists()).collect();
    let here = std::env::current_dir().unwrap_or_default();
    for place in &mut places {
        if let Ok(relative) = place.strip_prefix(&here) {
            *place = relative.to_owned();
        }
    }
    places
}

/// What is looked at.
#[derive(Default)]
struct Inputs {
    texts: Vec<Text>,
    hierarchies: Vec<PathBuf>,
    /// Templates and functions in Ruby.
    scripts: Vec<PathBuf>,
}

impl Inputs {
    fn count(&self) -> usize {
        self.texts.len() + self.hierarchies.len() + self.scripts.len()
    }

    /// Adds what stands in the way, and returns how much of the Ruby runs.
    fn look(&self, functions: &Functions, library: &Library, findings: &mut Vec<Finding>) -> Shares {
        findings.par_extend(self.texts.par_iter().flat_map_iter(|text| text.look(functions)));
        findings.extend(self.hierarchies.iter().flat_map(|path| hierarchies::look(path, functions)));
        let backends = self.hierarchies.iter().flat_map(|path| hierarchies::backends(path)).collect();
        ruby::look(&self.scripts, library, functions, &backends, findings)
    }
}

fn inputs(places: &[PathBuf]) -> Result<Inputs, Failure> {
    if let Some(missing) = places.iter().find(|place| !place.exists()) {
        return Err(issues::does_not_exist(missing));
    }
    let (files, folders): (Vec<&PathBuf>, Vec<&PathBuf>) = places.iter().partition(|place| place.is_file());
    let folders: Vec<PathBuf> = folders.into_iter().cloned().collect();
    let mut inputs = Inputs::default();
    let all = |extension: &str| -> Result<Vec<PathBuf>, Failure> {
        let given = files.iter().filter(|file| has_extension(file, extension)).map(|file| (*file).clone());
        Ok(input::find(&folders, extension)?.files.into_iter().chain(given).collect())
    };
    for (extension, is_template) in [("pp", false), ("epp", true)] {
        inputs.texts.extend(all(extension)?.into_iter().map(|path| Text { path, is_template }));
    }
    inputs.scripts = all("erb")?;
    inputs.scripts.extend(all("rb")?.into_iter().filter(|path| ruby::is_function(path)));
    let is_hierarchy = |path: &PathBuf| path.file_name().is_some_and(|name| name == "hiera.yaml");
    inputs.hierarchies = all("yaml")?.into_iter().filter(is_hierarchy).collect();
    Ok(inputs)
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local! {
        /// What the last diagnosis said of Ruby as a whole.
        static SHARES: std::cell::Cell<String> = const { std::cell::Cell::new(String::new()) };
    }

    /// Makes a repository with these files and returns what the doctor says about it.
    fn diagnose(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder below");
            std::fs::write(path, text).expect("a file");
        }
        let module = ("m".to_owned(), folder.path().join("modules/m").display().to_string());
        let modules = [module];
        let functions = Functions::of_repository(Some(folder.path()), &modules);
        let places = repository(Some(folder.path()), &modules);
        let library = Library::of_repository(Some(folder.path()), &modules);
        let mut findings = Vec::new();
        let shares =
            inputs(&places).expect("everything can be read").look(&functions, &library, &mut findings);
        SHARES.set(shares.text());
        let whole = folder.path().display().to_string();
        findings.iter().map(|finding| finding.diagnostic.to_string().replace(&whole, "REPO")).collect()
    }

    #[test]
    fn what_is_native_needs_no_doctor() {
        let files = [
            (
                "manifests/site.pp",
                "function own($x) { $x }\nnotice(own(1), m::puppet(), 'a'.upcase, Integer('1'))",
            ),
            ("modules/m/functions/puppet.pp", "function m::puppet() { environment::here() }"),
            ("functions/here.pp", "function environment::here() { m::ruby() }"),
            ("modules/m/lib/puppet/functions/m/ruby.rb", "Puppet::Functions.create_function(:'m::ruby') { }"),
            ("hiera.yaml", "version: 5\nhierarchy: [{name: a, path: a.yaml, data_hash: yaml_data}]"),
        ];
        assert_eq!(diagnose(&files), Vec::<String>::new());
    }

    #[test]
    fn what_cannot_run_is_found_where_it_is_used() {
        let files = [
            (
                "manifests/site.pp",
                "notice(m::ruby())\n$x = 'a'.old\nnowhere(1)\ntemplate('m/a.erb')\nclass {",
            ),
            ("manifests/calls.pp", "notice(m::ruby())\n$x = 'a'.old\nnowhere(1)\ntemplate('m/a.erb')"),
            ("modules/m/lib/puppet/functions/m/ruby.rb", "def"),
            ("modules/m/lib/puppet/parser/functions/old.rb", "module ("),
            ("modules/m/templates/a.epp", "<%= inline_template('x') %>"),
            ("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - name: a\n    lookup_key: m::ruby\n"),
        ];
        let calls = "(file: REPO/manifests/calls.pp, line: ";
        let (lib, unread) = ("REPO/modules/m/lib/puppet", "is a function in Ruby that cannot be read");
        let expected = [
            format!("m::ruby {unread}: {lib}/functions/m/ruby.rb {calls}1, column: 8)"),
            format!("old {unread}: {lib}/parser/functions/old.rb {calls}2, column: 9)"),
            format!("nowhere is neither built in nor a function of any module here {calls}3, column: 1)"),
            "Syntax error at end of input (file: REPO/manifests/site.pp)".to_owned(),
            format!(
                "the backend m::ruby (lookup_key) is Ruby that cannot be read: {lib}/functions/m/ruby.rb \
                 (file: REPO/modules/m/hiera.yaml, line: 4, column: 17)"
            ),
        ];
        assert_eq!(diagnose(&files), expected);
    }

    #[test]
    fn ruby_is_held_against_the_tables() {
        let files = [
            ("modules/m/templates/good.erb", "<%= @a.map(&:upcase).join(', ') %>"),
            ("modules/m/templates/flag.erb", "a\n<%= ENV['HOME'] %>"),
            ("modules/m/templates/bad.erb", "<% if %>"),
            (
                "modules/m/lib/puppet/functions/m/ask.rb",
                "require 'puppet_x/m/world'\nPuppet::Functions.create_function(:'m::ask') { def ask(x) = World.ask(x) }",
            ),
            (
                "modules/m/lib/puppet/functions/m/data.rb",
                "Puppet::Functions.create_function(:'m::data') { def data(k, o, c) = c.not_found }",
            ),
            (
                "modules/m/lib/puppet_x/m/world.rb",
                "module World\n  def self.ask(x)\n    `host #{x}`\n  end\nend",
            ),
            ("modules/m/hiera.yaml", "version: 5\nhierarchy:\n  - name: a\n    lookup_key: m::data\n"),
        ];
        let found = diagnose(&files);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("the template cannot be read: "), "{found:?}");
        assert_eq!(
            found[1],
            "ENV needs --ruby-env (file: REPO/modules/m/templates/flag.erb, line: 2, column: 1)"
        );
        assert_eq!(
            found[2],
            "`command` never runs here (file: REPO/modules/m/lib/puppet_x/m/world.rb, line: 3, column: 1)"
        );
        let expected = "ERB templates: 3; 1 runs natively, 1 needs a flag, 1 cannot run\n\
                        Ruby functions: 1; 1 cannot run\nRuby backends: 1; 1 runs natively\n";
        assert_eq!(SHARES.take(), expected);
    }
}
