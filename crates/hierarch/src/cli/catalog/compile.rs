//! `hierarch catalog compile NODE`, as `puppet catalog compile`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_eval::catalog::Catalog;
use hierarch_site::{Environment, Node};
use hierarch_source::{Error, Source};
use rand_core::{OsRng, RngCore};

use super::super::arguments::{NodeArguments, SiteArguments, showing_secrets};
use super::super::failure::Failure;
use super::super::input;
use super::super::issues;
use super::super::language::{STACK, on_large_stack, print_logs_as};
use super::super::report::{error_line, print, show_below, warning_line};
use super::exported;
use super::given::GivenArguments;
use super::side::Given;

#[derive(Args)]
pub(crate) struct CompileArguments {
    /// The node
    #[arg(value_name = "NODE", required_unless_present = "named")]
    node: Option<String>,
    /// The node, as other commands name it
    #[arg(long = "node", value_name = "NAME", conflicts_with = "node", id = "named")]
    named: Option<String>,
    /// The node's facts: a YAML or JSON file, or a folder with a file per node
    #[arg(long, value_name = "FILE")]
    facts: Option<PathBuf>,
    /// The manifest, a file or a folder, instead of the environment's
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// The manifest itself
    #[arg(
        short = 'e',
        long = "execute",
        value_name = "CODE",
        conflicts_with = "manifest",
        allow_hyphen_values = true
    )]
    code: Option<String>,
    #[command(flatten)]
    site: SiteArguments,
    #[command(flatten)]
    given: GivenArguments,
    /// Print what the node exports for others, as `--exported` reads it, instead of the catalog
    #[arg(long)]
    exports: bool,
    /// Keep what the node exports in a store, `sqlite:FILE` or `postgres://…`, in place of what it exported before
    #[arg(long, value_name = "STORE")]
    keep_exports: Option<String>,
    /// How to print the catalog: over several lines, or as one
    #[arg(long = "render-as", alias = "format", value_enum, default_value = "pretty")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON over several lines
    Pretty,
    /// JSON in one line
    Json,
    /// YAML
    Yaml,
}

pub(crate) fn run(arguments: &CompileArguments) -> Result<ExitCode, Failure> {
    let name = arguments.node.clone().or_else(|| arguments.named.clone());
    let node = NodeArguments { node: name, facts: arguments.facts.clone() };
    let manifest = match (&arguments.code, &arguments.manifest) {
        (Some(code), _) => Manifest::Text(code.clone()),
        (None, Some(path)) => Manifest::Path(path.clone()),
        (None, None) => Manifest::OfEnvironment,
    };
    arguments.given.stand_ins.ruby.check(&arguments.site)?;
    // What is wrong with the store is said before all the work.
    arguments.keep_exports.as_deref().map_or(Ok(()), exported::check_store)?;
    let mut given = arguments.given.clone();
    given.has_store = arguments.exports || arguments.keep_exports.is_some();
    let catalog = match on_large_stack(|| compile_given(&arguments.site, &node, &manifest, &given))?? {
        Ok(catalog) => catalog,
        Err((node, error)) => {
            error_line(&issues::on_node(&error, &node));
            show_below(&error.into_diagnostic());
            return Ok(ExitCode::FAILURE);
        }
    };
    print_catalog(&catalog, arguments)?;
    for help in &catalog.help {
        warning_line(&issues::helped(help));
    }
    if catalog.stubs.is_empty() {
        let kept = arguments.keep_exports.as_ref().map(|store| exported::keep(store, &catalog));
        return kept.unwrap_or(Ok(())).map(|()| ExitCode::SUCCESS);
    }
    for stub in &catalog.stubs {
        warning_line(&issues::stub(stub));
    }
    warning_line(&issues::stubs(catalog.stubs.len()));
    if let Some(store) = &arguments.keep_exports {
        warning_line(&issues::stubs_not_kept(store));
    }
    Ok(ExitCode::from(WITH_STUBS))
}

/// Prints a catalog, or what it exports. JSON is written while it is made: it may be longer than what it is made of.
fn print_catalog(catalog: &Catalog, arguments: &CompileArguments) -> Result<(), Failure> {
    let uuid = new_uuid();
    let mut out = std::io::stdout().lock();
    match (arguments.format, arguments.exports.then(|| catalog.exports_as_data())) {
        (Format::Pretty, None) => catalog.write_pretty_json(&uuid, &mut out)?,
        (Format::Json, None) => catalog.write_json(&uuid, &mut out)?,
        (Format::Yaml, None) => return print(&catalog.to_data(&uuid).to_yaml().trim_end()),
        (Format::Pretty, Some(exports)) => return print(&exports.to_pretty_json()),
        (Format::Json, Some(exports)) => return print(&exports.to_json()),
        (Format::Yaml, Some(exports)) => return print(&exports.to_yaml().trim_end()),
    }
    Ok(writeln!(out)?)
}

/// A catalog was compiled, but some of its values are placeholders.
const WITH_STUBS: u8 = 3;

/// What is compiled.
enum Manifest {
    /// What the environment says.
    OfEnvironment,
    /// A file or a folder.
    Path(PathBuf),
    /// A text.
    Text(String),
}

impl Manifest {
    fn sources(&self, environment: &Environment) -> Result<Vec<Arc<Source>>, Failure> {
        match self {
            Self::OfEnvironment => environment.manifests().map_err(Failure::from),
            Self::Path(path) => given(path),
            Self::Text(code) => Ok(vec![Source::unnamed(code.as_str())]),
        }
    }
}

fn given(path: &Path) -> Result<Vec<Arc<Source>>, Failure> {
    let found = input::find(&[path.to_owned()], "pp")?;
    if !found.missing.is_empty() {
        return Err(issues::does_not_exist(path));
    }
    let read = |file: &PathBuf| input::read_absolute(file).source.map_err(Failure::from);
    found.files.iter().map(read).collect()
}

/// A catalog, and what may be shown of it.
pub(super) struct ShownCatalog {
    pub(super) real: Catalog,
    /// The catalog with secrets hidden, or why it does not compile with what stands for them.
    pub(super) shown: Result<Catalog, String>,
}

/// Compiles the catalog of a node for a comparison, and prints what was logged on the way, secrets hidden. Logs of the program are not
/// its answer.
///
/// What is printed is written as the last argument says, which may name files differently.
pub(super) fn compile(
    asked: &Given,
    node: &NodeArguments,
    written: impl Fn(&str) -> String,
) -> Result<Result<ShownCatalog, Error>, Failure> {
    let given = GivenArguments::of(asked.stand_ins.clone());
    let node = open(asked.site, node, &given, asked.shows_secrets)?;
    let environment = node.environment();
    let sources = environment.manifests()?;
    let compilation = node.compile_from(&sources);
    // Whatever a program made of a secret is one, too: what may be shown is compiled from what stands for secrets.
    let hides = !environment.may_show_secrets() && environment.hiera().has_secrets();
    let open_node = node.without_secrets();
    let open_compilation = hides.then(|| open_node.compile_from(&sources));
    print_warnings(environment, &written);
    print_logs_as(&open_compilation.as_ref().unwrap_or(&compilation).logs, &written);
    let shown = |catalog: &Catalog| match open_compilation {
        None => Ok(environment.shown_catalog(catalog.clone())),
        Some(open) => match open.catalog {
            Ok(open) => Ok(environment.shown_catalog(open)),
            Err(why) => Err(written(&why.to_string())),
        },
    };
    Ok(compilation.catalog.map(|real| ShownCatalog { shown: shown(&real), real }))
}

/// Compiles the catalog of a node for its owner, and prints what was logged on the way.
fn compile_given(
    site: &SiteArguments,
    node: &NodeArguments,
    manifest: &Manifest,
    given: &GivenArguments,
) -> Result<Result<Catalog, (String, Error)>, Failure> {
    // Whoever gets the catalog gets its secrets.
    let node = open(site, node, given, false)?.telling_failures(true);
    let compilation = node.compile_from(&manifest.sources(node.environment())?);
    print_warnings(node.environment(), &str::to_owned);
    print_logs_as(&compilation.logs, str::to_owned);
    Ok(compilation.catalog.map_err(|error| (node.name().to_owned(), error)))
}

fn open(
    site: &SiteArguments,
    node: &NodeArguments,
    given: &GivenArguments,
    shows_secrets: bool,
) -> Result<Node, Failure> {
    let builder = given.add_to(site.builder()?.with_limits(site.limits().with_stack_of(STACK)))?;
    let builder = builder.with_permissions(showing_secrets(shows_secrets));
    given.find(node, &node.add_freely_to(builder)?.build())
}

fn print_warnings(environment: &Environment, written: &impl Fn(&str) -> String) {
    for warning in environment.take_warnings() {
        warning_line(&written(&warning));
    }
}

/// Makes a name that no other catalog has: a random UUID.
fn new_uuid() -> String {
    let mut bytes = [0; 16];
    OsRng.fill_bytes(&mut bytes);
    // Version 4, and the variant that all of them are of.
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_is_of_version_4() {
        let uuid = new_uuid();
        let parts: Vec<usize> = uuid.split('-').map(str::len).collect();
        assert_eq!((parts, &uuid[14..15]), (vec![8, 4, 4, 4, 12], "4"));
        assert!("89ab".contains(&uuid[19..20]), "{uuid}");
    }
}
