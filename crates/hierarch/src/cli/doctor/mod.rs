//! `hierarch doctor`: everything in a control repository that cannot be evaluated, with file and line.
//!
//! It runs nothing. Manifests and templates are parsed and their calls looked at; hierarchies are asked for their backends.

mod calls;
mod functions;
mod groups;
mod hierarchies;
mod node;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hierarch_source::{Diagnostic, Severity};
use hierarch_syntax::{CheckedText, ValidateOptions};
use rayon::prelude::*;

use self::functions::Functions;
use super::arguments::SiteArguments;
use super::failure::Failure;
use super::input;
use super::issues;
use super::report::{NO_MATCH, Problem, ReportFormat, print, report};

#[derive(Args)]
pub(crate) struct DoctorArguments {
    /// Look only at these files and folders; without any, at the environment and all its modules
    paths: Vec<PathBuf>,
    /// Look only at what the catalog of this node is made of
    #[arg(long, value_name = "NAME", conflicts_with = "paths")]
    node: Option<String>,
    /// The node's facts: a YAML or JSON file, or a folder with a file per node
    #[arg(long, value_name = "FILE", requires = "node")]
    facts: Option<PathBuf>,
    #[command(flatten)]
    site: SiteArguments,
    /// How to report what was found
    #[arg(long, value_enum, default_value = "text")]
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
            let (places, failure) =
                node::places(&arguments.site, name, arguments.facts.as_deref(), &modules)?;
            findings.extend(failure);
            places
        }
        None if arguments.paths.is_empty() => repository(environment.folder(), &modules),
        None => arguments.paths.clone(),
    };
    let (texts, hierarchies) = inputs(&places)?;
    findings.par_extend(texts.par_iter().flat_map_iter(|text| text.look(&functions)));
    findings.extend(hierarchies.iter().flat_map(|path| hierarchies::look(path, &functions)));
    let found = findings.len();
    let looked_at = texts.len() + hierarchies.len();
    if arguments.format.is_for_people() {
        print(&groups::text(looked_at, &findings))?;
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
        }
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
    let parts = ["manifests", "functions", "types", "templates", "hiera.yaml"];
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

type Inputs = (Vec<Text>, Vec<PathBuf>);

fn inputs(places: &[PathBuf]) -> Result<Inputs, Failure> {
    if let Some(missing) = places.iter().find(|place| !place.exists()) {
        return Err(Failure::new(format!("{} does not exist", missing.display())));
    }
    let (files, folders): (Vec<&PathBuf>, Vec<&PathBuf>) = places.iter().partition(|place| place.is_file());
    let folders: Vec<PathBuf> = folders.into_iter().cloned().collect();
    let mut texts = Vec::new();
    let mut hierarchies = Vec::new();
    for (extension, is_template) in [("pp", false), ("epp", true)] {
        let found = input::find(&folders, extension)?.files;
        let given = files.iter().filter(|file| has_extension(file, extension)).map(|file| (*file).clone());
        texts.extend(found.into_iter().chain(given).map(|path| Text { path, is_template }));
    }
    let below = input::find(&folders, "yaml")?.files.into_iter().chain(files.into_iter().cloned());
    hierarchies.extend(below.filter(|path| path.file_name().is_some_and(|name| name == "hiera.yaml")));
    Ok((texts, hierarchies))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (texts, hierarchies) = inputs(&places).expect("everything can be read");
        let mut findings: Vec<Finding> = texts.iter().flat_map(|text| text.look(&functions)).collect();
        findings.extend(hierarchies.iter().flat_map(|path| hierarchies::look(path, &functions)));
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
            "Syntax error at end of input".to_owned(),
            format!(
                "the backend m::ruby (lookup_key) is Ruby that cannot be read: {lib}/functions/m/ruby.rb \
                 (file: REPO/modules/m/hiera.yaml, line: 4, column: 17)"
            ),
        ];
        assert_eq!(diagnose(&files), expected);
    }
}
