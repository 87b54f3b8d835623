//! `hierarch nodes`: the store of nodes and their facts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use hierarch_fleet::NodeSet;
use hierarch_pcore::{Hash, Value};
use hierarch_site::{NodeFacts, Site};
use hierarch_source::{DiskFiles, Error, FileChange, Files, NotSaved, nearest_nodes};
use hierarch_store::{Address, ImportReport, ListedNode, NodeImport, Store, VOLATILE, unstorable};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::language::now;
use super::super::progress::Progress;
use super::super::report::{error_line, print_text, warning_line};
use super::super::saving::save_files;
use super::super::{issues, star};
use super::form::counted;
use super::nodes::{NodesArguments, PuppetdbArguments};

#[derive(Args)]
pub(crate) struct NodesCommand {
    /// The store, `sqlite:FILE` or `postgres://…`; without it .hierarch/nodes.db in the repository
    #[arg(long, value_name = "STORE", global = true)]
    store: Option<String>,
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Take nodes and facts in
    Import(ImportArguments),
    /// List the nodes
    List(Box<ListArguments>),
    /// Print what is known of a node
    Show(ShowArguments),
    /// Forget nodes
    Forget(ForgetArguments),
    /// Write facts to a folder of files named after the nodes, or to one list
    Export(ExportArguments),
}

#[derive(Args)]
struct ImportArguments {
    /// Where nodes are: a folder of fact files, a list, an answer of PuppetDB in a file, `puppetdb:https://host:8081`, or
    /// another store
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<String>,
    /// Facts that change all the time: where only these differ, nothing has changed
    #[arg(long, value_name = "PATTERN,…", default_value = VOLATILE)]
    volatile: String,
    #[command(flatten)]
    puppetdb: PuppetdbArguments,
}

#[derive(Args)]
struct ListArguments {
    /// Only nodes whose names match, `*` standing for anything
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Only nodes for which a Puppet expression over facts and keys is true
    #[arg(long = "where", value_name = "EXPR")]
    condition: Option<String>,
    /// Also those that their source names no more
    #[arg(long)]
    gone: bool,
    #[command(flatten)]
    site: SiteArguments,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Args)]
struct ShowArguments {
    /// The node
    #[arg(value_name = "NODE")]
    node: String,
}

#[derive(Args)]
struct ForgetArguments {
    /// The nodes
    #[arg(value_name = "NODE", required = true)]
    nodes: Vec<String>,
}

#[derive(Args)]
struct ExportArguments {
    /// A folder, or a list in a file that ends in .json or .yaml
    #[arg(value_name = "FOLDER|FILE")]
    target: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    Json,
}

/// Where the store of a repository is.
const DEFAULT: &str = ".hierarch/nodes.db";

fn failed(error: Error) -> Failure {
    Failure::from(error)
}

pub(crate) fn run(command: &NodesCommand) -> Result<ExitCode, Failure> {
    match &command.command {
        Action::Import(arguments) => import(&command.address(true)?, arguments),
        Action::List(arguments) => list(&command.address(false)?, arguments),
        Action::Show(arguments) => show(&command.existing()?, &arguments.node),
        Action::Forget(arguments) => forget(command.existing()?, &arguments.nodes),
        Action::Export(arguments) => export(&command.existing()?, &arguments.target),
    }
}

impl NodesCommand {
    fn address(&self, is_written: bool) -> Result<Address, Failure> {
        if let Some(text) = &self.store {
            return Address::parse(text).ok_or_else(|| issues::bad_store(text));
        }
        let site = SiteArguments::default().open()?;
        let folder = site.environment().folder().map(Path::to_owned).unwrap_or_default();
        let file = folder.join(DEFAULT);
        if is_written && !file.exists() {
            make_private_folder(&file)?;
        }
        Ok(Address::Sqlite(file))
    }

    fn existing(&self) -> Result<Store, Failure> {
        Store::open_existing(&self.address(false)?).map_err(failed)
    }
}

/// Returns the store of a repository, if it has one.
pub(crate) fn of_repository(site: &Site) -> Option<String> {
    let file = site.environment().folder()?.join(DEFAULT);
    // One that an import has left empty hides nothing; what is wrong with one is said when it is opened.
    let is_empty = || {
        let opened = Store::open_existing(&Address::Sqlite(file.clone()));
        opened.is_ok_and(|store| store.nodes().is_ok_and(|nodes| nodes.is_empty()))
    };
    (file.is_file() && !is_empty()).then(|| format!("sqlite:{}", file.display()))
}

/// Says so where a file of the folder `facts` is newer than the store of the repository that is asked in its place.
pub(crate) fn tell_if_stale(folder: &Path, sources: &[String]) {
    let store = folder.join(DEFAULT);
    if !sources.iter().any(|source| *source == format!("sqlite:{}", store.display())) {
        return;
    }
    let written = |path: &Path| {
        // An empty file beside the store is made whenever it is opened.
        let about = std::fs::metadata(path).ok().filter(|about| about.len() > 0)?;
        about.modified().ok()
    };
    // What was written last may still stand beside the file.
    let seen = written(&store).max(written(&store.with_extension("db-wal")));
    let facts = folder.join("facts");
    let names = DiskFiles.list(&facts).unwrap_or_default();
    if let Some(name) = names.iter().find(|name| written(&facts.join(name)) > seen) {
        warning_line(&issues::stale_store(&format!("facts/{name}")));
    }
}

/// Makes the folder, which git must not take in: facts are sensitive.
fn make_private_folder(file: &Path) -> Result<(), Failure> {
    let Some(folder) = file.parent() else { return Ok(()) };
    std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        match save_files(&[FileChange::create(&ignore, b"*\n")]) {
            // Another import was faster.
            Err(NotSaved::Changed(_)) if ignore.exists() => {}
            saved => saved.map_err(|reason| failed(Error::from(reason)))?,
        }
    }
    Ok(())
}

/// Keeps a store that is a file from others: facts and what nodes export may be secret.
pub(crate) fn keep_from_others(address: &Address) -> Result<(), Failure> {
    let Address::Sqlite(file) = address else { return Ok(()) };
    make_private(file).map_err(|error| Failure::io("write", file, &error))
}

/// What SQLite puts beside a file, and the file itself.
#[cfg(unix)]
const FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Sees to it that nobody reads a database but the owner of its file and the group: a new file is the owner's alone, and what
/// SQLite puts beside it has the mode of the file.
#[cfg(unix)]
fn make_private(file: &Path) -> std::io::Result<()> {
    use std::io::ErrorKind::{AlreadyExists, NotFound};
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};

    match std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file) {
        Err(error) if error.kind() == AlreadyExists => {}
        made => return made.map(drop),
    }
    if !is_database(file)? {
        return Ok(());
    }
    for ending in FILES {
        let mut path = file.as_os_str().to_owned();
        path.push(ending);
        let found = match std::fs::symlink_metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == NotFound => continue,
            Err(error) => return Err(error),
        };
        let mode = found.permissions().mode();
        // Behind a link may be a file of anybody's.
        if found.is_file() && mode & 0o007 != 0 {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode & !0o007))?;
        }
    }
    Ok(())
}

/// Tells whether a file that is there already can be a database: only that is kept from others, whatever else was named by mistake.
#[cfg(unix)]
fn is_database(file: &Path) -> std::io::Result<bool> {
    use std::io::Read;

    let mut start = Vec::new();
    std::fs::File::open(file)?.take(BEGINNING.len() as u64).read_to_end(&mut start)?;
    Ok(start.is_empty() || start == BEGINNING)
}

/// How a file of SQLite's begins.
#[cfg(unix)]
const BEGINNING: &[u8] = b"SQLite format 3\0";

/// Elsewhere a file is as private as its folder.
#[cfg(not(unix))]
fn make_private(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn import(address: &Address, arguments: &ImportArguments) -> Result<ExitCode, Failure> {
    keep_from_others(address)?;
    let mut store = Store::open(address).map_err(failed)?;
    let volatile: Vec<String> = arguments.volatile.split(',').map(|word| word.trim().to_owned()).collect();
    let seen = seen_now();
    let mut is_whole = true;
    for source in &arguments.sources {
        let is_server = source.starts_with("puppetdb:");
        let (seen, volatile, listed) = (&seen, &volatile, BTreeSet::new());
        let incoming = NodeImport { source, seen, volatile, is_whole: true, listed };
        let done = if is_server {
            let mut bar = Progress::alone("nodes", 0);
            let nodes = arguments.puppetdb.nodes(source)?.inspect(|_| bar.advance(1));
            let done = store.import(&incoming, nodes);
            bar.end();
            done.map_err(failed)?
        } else {
            let (done, failures) = import_listed(&mut store, incoming, &arguments.puppetdb)?;
            failures.iter().for_each(|failure| error_line(failure));
            is_whole &= failures.is_empty();
            done
        };
        print_text(&told(source, &done))?;
    }
    Ok(if is_whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Takes in the nodes of a source that lists them all; those whose facts cannot be read are named, and left out.
fn import_listed(
    store: &mut Store,
    incoming: NodeImport,
    puppetdb: &PuppetdbArguments,
) -> Result<(ImportReport, Vec<String>), Failure> {
    let mut set = NodeSet::default();
    super::nodes::add(&mut set, incoming.source, puppetdb)?;
    let mut failures = Vec::new();
    let mut bar = Progress::alone("nodes", set.len());
    let read = |name: &str| {
        bar.advance(1);
        match set.find(name)? {
            Ok(facts) => match unstorable(&Value::hash(facts.facts.clone())) {
                None => Some(Ok((name.to_owned(), facts))),
                Some(why) => {
                    failures.push(format!("{name}: {why}"));
                    None
                }
            },
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                None
            }
        }
    };
    let incoming = NodeImport { listed: set.names().map(str::to_owned).collect(), ..incoming };
    let done = store.import(&incoming, set.names().filter_map(read));
    bar.end();
    Ok((done.map_err(failed)?, failures))
}

/// Keeps the facts that an agent sent.
#[cfg(feature = "serve")]
pub(crate) fn keep(address: &Address, name: &str, facts: &NodeFacts) -> hierarch_source::Result<()> {
    let volatile: Vec<String> = VOLATILE.split(',').map(|word| word.trim().to_owned()).collect();
    let seen = seen_now();
    let (seen, volatile, listed) = (&seen, &volatile, BTreeSet::new());
    let incoming = NodeImport { source: "serve", seen, volatile, is_whole: false, listed };
    let node = (name.to_owned(), facts.clone());
    Store::open(address)?.import(&incoming, std::iter::once(Ok(node)))?;
    Ok(())
}

/// Returns the time of day as RFC 3339 has it.
fn seen_now() -> String {
    now().to_string().replace(" UTC", "Z").replace(' ', "T")
}

fn told(source: &str, done: &ImportReport) -> String {
    let total = counted(done.new + done.changed + done.same, "node");
    format!(
        "{source}: {total}: {} new, {} changed, {} the same, {} gone\n",
        done.new, done.changed, done.same, done.gone
    )
}

fn list(address: &Address, arguments: &ListArguments) -> Result<ExitCode, Failure> {
    let store = Arc::new(Store::open_existing(address).map_err(failed)?);
    let mut nodes = store.nodes().map_err(failed)?;
    nodes.retain(|node| arguments.gone || node.gone.is_none());
    nodes.retain(|node| {
        arguments.only.is_empty() || arguments.only.iter().any(|glob| star::matches(glob, &node.name))
    });
    if arguments.condition.is_some() {
        super::start_threads()?;
        let chosen = NodesArguments {
            nodes: vec![store_text(address)],
            condition: arguments.condition.clone(),
            ..NodesArguments::default()
        };
        let site = chosen.open(&arguments.site)?;
        let set = chosen.read(&arguments.site, &site)?;
        nodes.retain(|node| set.names().any(|name| name == node.name));
    }
    print_text(&match arguments.render_as {
        Form::Text => text(&nodes),
        Form::Json => format!("{}\n", Value::array(nodes.iter().map(listed_value).collect()).to_json()),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn store_text(address: &Address) -> String {
    match address {
        Address::Sqlite(file) => format!("sqlite:{}", file.display()),
        Address::Postgres(text) => text.clone(),
    }
}

fn text(nodes: &[ListedNode]) -> String {
    let width = nodes.iter().map(|node| node.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for node in nodes {
        let environment = node.environment.as_deref().unwrap_or("-");
        let gone = node.gone.as_ref().map_or_else(String::new, |gone| format!("  gone since {gone}"));
        let _ = writeln!(text, "{:width$}  {environment}  {}{gone}", node.name, node.source);
    }
    text + &format!("{}\n", counted(nodes.len(), "node"))
}

fn listed_value(node: &ListedNode) -> Value {
    let optional = |text: &Option<String>| text.as_deref().map_or(Value::Undef, Value::from);
    let fields = [
        ("node", Value::from(node.name.as_str())),
        ("environment", optional(&node.environment)),
        ("source", Value::from(node.source.as_str())),
        ("seen", Value::from(node.seen.as_str())),
        ("gone", optional(&node.gone)),
    ];
    Value::hash(fields.into_iter().collect())
}

/// Returns a node as a list of nodes has it.
fn entry(name: &str, known: NodeFacts) -> Value {
    let mut entry: Hash = [("node", name)].into_iter().collect();
    if let Some(environment) = &known.environment {
        entry.insert("environment", environment.as_str());
    }
    if let Some(trusted) = known.trusted {
        entry.insert("trusted", Value::hash(trusted));
    }
    entry.insert("facts", Value::hash(known.facts));
    Value::hash(entry)
}

fn show(store: &Store, name: &str) -> Result<ExitCode, Failure> {
    let Some(known) = store.facts(name).map_err(failed)? else {
        let nodes = store.nodes().map_err(failed)?;
        return Err(issues::no_such_node(
            name,
            &nearest_nodes(name, nodes.iter().map(|node| node.name.as_str())),
        ));
    };
    print_text(&(entry(name, known).to_pretty_json() + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn forget(mut store: Store, names: &[String]) -> Result<ExitCode, Failure> {
    let known: Vec<String> = store.nodes().map_err(failed)?.into_iter().map(|node| node.name).collect();
    // All of them, or none.
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(issues::no_such_node(unknown, &nearest_nodes(unknown, known.iter().map(String::as_str))));
    }
    store.forget(names).map_err(failed)?;
    print_text(&format!("forgot {}\n", counted(names.len(), "node")))?;
    Ok(ExitCode::SUCCESS)
}

fn export(store: &Store, target: &Path) -> Result<ExitCode, Failure> {
    let names: Vec<String> = store
        .nodes()
        .map_err(failed)?
        .into_iter()
        .filter(|node| node.gone.is_none())
        .map(|node| node.name)
        .collect();
    let end = target.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let is_list = ["json", "yaml", "yml"].contains(&end) && !target.is_dir();
    let (mut list, mut environments) = (Vec::new(), 0);
    if !is_list {
        // Names come from outside: none may lead out of the folder.
        if let Some(name) = names.iter().find(|name| !is_file_name(name)) {
            return Err(issues::no_file_name(name));
        }
        std::fs::create_dir_all(target).map_err(|error| Failure::io("make", target, &error))?;
    }
    for name in &names {
        let Some(known) = store.facts(name).map_err(failed)? else { continue };
        if is_list {
            list.push(entry(name, known));
        } else {
            environments += usize::from(known.environment.is_some());
            write_facts(&target.join(format!("{name}.json")), known)?;
        }
    }
    if is_list {
        let list = Value::array(list);
        let text = if end == "json" { format!("{}\n", list.to_json()) } else { list.to_yaml() };
        write(target, &text)?;
    }
    if environments > 0 {
        warning_line(&issues::environments_left_out(environments));
    }
    print_text(&format!("wrote {}\n", counted(names.len(), "node")))?;
    Ok(ExitCode::SUCCESS)
}

fn is_file_name(name: &str) -> bool {
    let has_other = name.contains(['/', '\\', '\0']) || name.chars().any(char::is_control);
    !has_other && !name.starts_with('.') && !name.is_empty() && name.len() < 250
}

/// Writes the facts of a node; trusted ones stand among them, as PuppetDB keeps them.
fn write_facts(path: &Path, known: NodeFacts) -> Result<(), Failure> {
    let mut facts = known.facts;
    if let Some(trusted) = known.trusted {
        facts.insert("trusted", Value::hash(trusted));
    }
    write(path, &format!("{}\n", Value::hash(facts).to_json()))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let old = DiskFiles.read(path).ok();
    let change = match &old {
        Some(old) => FileChange::replace(path, old, text.as_bytes()),
        None => FileChange::create(path, text.as_bytes()),
    };
    save_files(&[change.private()]).map_err(|reason| failed(Error::from(reason)))
}
