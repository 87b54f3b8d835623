//! The flags that say which nodes are asked, and in which state of the repository.

#[cfg(feature = "store")]
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use clap::Args;
use hierarch_fleet::{Condition, FactOverride, Fleet, NodeSet, UnansweredNode};
use hierarch_fleet::{holds, undefined_in_paths, values_of};
use hierarch_site::{Builder, NodeSource, Site};
use hierarch_source::{DiskFiles, Files, nearest, nearest_nodes};

use super::super::arguments::{SiteArguments, showing_secrets};
use super::super::failure::Failure;
use super::super::progress::Progress;
use super::super::report::{show_lines, warning_line};
use super::super::ruby::StandInArguments;
use super::super::{issues, star};
use super::form::some_names;

/// Which nodes are asked.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct NodesArguments {
    /// Where nodes and facts are: a folder of fact files named after the nodes, a list of
    /// `{node, facts | facts_file, environment?, trusted?}`, PuppetDB's answer to inventory, facts or factsets in a file,
    /// `puppetdb:https://host:8081`, `sqlite:FILE` or `postgres://…`; of two sources the later one counts. Without it:
    /// $HIERARCH_NODES, the store .hierarch/nodes.db, or the repository's folder `facts`
    #[arg(long, value_name = "SOURCE")]
    pub(crate) nodes: Vec<String>,
    /// Give all nodes a fact: a dotted path and a YAML value
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) fact: Vec<String>,
    /// Only nodes whose names match, `*` standing for anything
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Vec<String>,
    /// Only nodes for which a Puppet expression is true
    #[arg(long = "where", value_name = "EXPR")]
    pub(crate) condition: Option<String>,
    /// Compile each node's catalog first, so that lookups see what manifests set
    #[arg(long)]
    pub(crate) compile: bool,
    /// Exit with 1 if a node could not be asked
    #[arg(long)]
    pub(crate) fail_on_unanswered: bool,
    /// Show decrypted values
    #[arg(long, alias = "reveal")]
    pub(crate) show_secrets: bool,
    #[command(flatten)]
    pub(crate) stand_ins: StandInArguments,
    #[command(flatten)]
    pub(crate) puppetdb: PuppetdbArguments,
}

/// Who we are to a PuppetDB server.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PuppetdbArguments {
    /// Our certificate for PuppetDB, in PEM
    #[arg(id = "puppetdb_cert", long = "cert", value_name = "FILE", requires = "puppetdb_key")]
    pub(crate) cert: Option<PathBuf>,
    /// The private key of the certificate
    #[arg(id = "puppetdb_key", long = "key", value_name = "FILE", requires = "puppetdb_cert")]
    pub(crate) key: Option<PathBuf>,
    /// The certificate of the authority that PuppetDB's is checked with
    #[arg(long, value_name = "FILE")]
    pub(crate) cacert: Option<PathBuf>,
    /// A file with a token for PuppetDB
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// The variable that names sources where no flag does.
const VARIABLE: &str = "HIERARCH_NODES";

impl NodesArguments {
    /// Opens the site, at a revision if one is asked for.
    pub(crate) fn open(&self, site: &SiteArguments) -> Result<Site, Failure> {
        self.stand_ins.ruby.check(site)?;
        Ok(self.add_to(site.builder()?)?.build())
    }

    /// Hands what flags allow to a site.
    pub(crate) fn add_to(&self, site: Builder) -> Result<Builder, Failure> {
        self.stand_ins.add_to(site.with_permissions(showing_secrets(self.show_secrets)))
    }

    /// Reads which nodes there are; where nothing says that there are any, there are none.
    pub(crate) fn read_if_any(&self, arguments: &SiteArguments, site: &Site) -> Result<NodeSet, Failure> {
        if self.sources(site).is_err() { Ok(NodeSet::default()) } else { self.read(arguments, site) }
    }

    /// Reads which nodes there are, chosen by all flags.
    pub(crate) fn read(&self, arguments: &SiteArguments, site: &Site) -> Result<NodeSet, Failure> {
        let mut set = stoppable();
        let sources = self.sources(site)?;
        for source in &sources {
            add(&mut set, source, &self.puppetdb)?;
        }
        #[cfg(feature = "store")]
        if let Some(folder) = site.environment().folder() {
            super::store::tell_if_stale(folder, &sources);
        }
        self.choose(&mut set, arguments)?;
        self.keep_chosen(&mut set, site)?;
        if set.is_empty() { Err(issues::no_nodes()) } else { Ok(set) }
    }

    /// Chooses nodes by all flags that need no lookup, and gives them what flags say.
    pub(super) fn choose(&self, set: &mut NodeSet, arguments: &SiteArguments) -> Result<(), Failure> {
        for fact in &self.fact {
            set.override_fact(FactOverride::parse(fact).map_err(Failure::from)?);
        }
        if let Some(environment) = &arguments.environment {
            set.put_into(environment);
        }
        if self.only.is_empty() { Ok(()) } else { self.keep_only(set) }
    }

    /// Returns a flag that leaves nodes out, or makes others of them, if there is one.
    pub(super) fn narrowing(&self) -> Option<&'static str> {
        let flags = [
            (!self.only.is_empty(), "--only"),
            (self.condition.is_some(), "--where"),
            (!self.fact.is_empty(), "--fact"),
        ];
        flags.into_iter().find_map(|(is_given, flag)| is_given.then_some(flag))
    }

    /// Keeps the nodes for which the condition is true, if there is one.
    pub(super) fn keep_chosen(&self, set: &mut NodeSet, site: &Site) -> Result<(), Failure> {
        self.condition.as_ref().map_or(Ok(()), |text| self.keep_where(set, site, text))
    }

    fn keep_only(&self, set: &mut NodeSet) -> Result<(), Failure> {
        let names: Vec<String> = set.names().map(str::to_owned).collect();
        set.retain(|name| self.only.iter().any(|glob| star::matches(glob, name)));
        if set.is_empty() {
            let glob = self.only.first().map_or("", String::as_str);
            return Err(issues::no_such_node(glob, &nearest_nodes(glob, names.iter().map(String::as_str))));
        }
        Ok(())
    }

    fn keep_where(&self, set: &mut NodeSet, site: &Site, text: &str) -> Result<(), Failure> {
        let condition = Condition::parse(text).map_err(Failure::from)?;
        let answer = ask(site, set, self.compile, |fleet| holds(fleet, &condition));
        let text = unanswered_text(&answer.unanswered, answer.asked);
        text.lines().for_each(|line| warning_line(line.trim_start()));
        show_places(&answer.unanswered);
        let fleet = Fleet { compiles: self.compile, ..Fleet::new(site, set) };
        hint(&condition, &fleet, !answer.nodes.is_empty());
        let chosen: BTreeSet<&str> = answer.nodes.iter().map(|(node, _)| node.as_str()).collect();
        set.retain(|name| chosen.contains(name));
        if set.is_empty() { Err(issues::nowhere_true(answer.unanswered.len())) } else { Ok(()) }
    }

    /// Refuses stores that have only a part of what was imported.
    #[cfg(feature = "store")]
    pub(super) fn demand_whole_stores(&self, site: &Site) -> Result<(), Failure> {
        for source in self.sources(site).unwrap_or_default() {
            let Some(address) = hierarch_store::Address::parse(&source) else { continue };
            let store = hierarch_store::Store::open_existing(&address).map_err(Failure::from)?;
            if let Some(part) = store.unfinished().first() {
                return Err(issues::part_of_a_source(store.name(), part));
            }
        }
        Ok(())
    }

    /// Returns when stores last saw the nodes of theirs.
    #[cfg(feature = "store")]
    pub(super) fn seen(&self, site: &Site) -> Result<BTreeMap<String, String>, Failure> {
        let failed = Failure::from;
        let mut seen = BTreeMap::new();
        for source in self.sources(site)? {
            let Some(address) = hierarch_store::Address::parse(&source) else { continue };
            let store = hierarch_store::Store::open_existing(&address).map_err(failed)?;
            seen.extend(store.nodes().map_err(failed)?.into_iter().map(|node| (node.name, node.seen)));
        }
        Ok(seen)
    }

    /// Returns the sources: those of the flag, of the variable, or the repository's own.
    pub(crate) fn sources(&self, site: &Site) -> Result<Vec<String>, Failure> {
        if !self.nodes.is_empty() {
            return Ok(self.nodes.clone());
        }
        if let Some(source) = std::env::var(VARIABLE).ok().filter(|source| !source.is_empty()) {
            return Ok(vec![source]);
        }
        #[cfg(feature = "store")]
        if let Some(store) = super::store::of_repository(site) {
            return Ok(vec![store]);
        }
        let environment = site.environment();
        let facts = environment.folder().map(|folder| folder.join("facts")).filter(|folder| folder.is_dir());
        facts.map(|folder| vec![folder.display().to_string()]).ok_or_else(issues::no_sources)
    }
}

/// Says of the names in a condition what may not be meant: facts and keys that no node has; texts that are keys, where it is true
/// for no node.
pub(super) fn hint(condition: &Condition, fleet: &Fleet, is_anywhere_true: bool) {
    for (fact, near) in condition.facts_of_no_node(fleet.nodes) {
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        warning_line(&issues::fact_of_no_node(&fact, &near));
    }
    let known: BTreeSet<String> = fleet.site.environment().known_keys().into_iter().collect();
    let unknown: Vec<String> =
        condition.keys().filter(|key| !known.contains(*key)).map(str::to_owned).collect();
    // A function may know keys that stand in no file.
    for answer in values_of(fleet, &unknown) {
        if !answer.has_some() && answer.unanswered.is_empty() {
            let near = nearest(&answer.key, known.iter().map(String::as_str));
            warning_line(&issues::no_value_anywhere(&answer.key, &near));
        }
    }
    if !is_anywhere_true {
        let words = condition.words_that_are_facts(fleet.nodes);
        words.iter().for_each(|word| warning_line(&issues::word_is_a_fact(word)));
    }
    let words: Vec<String> = condition.words().filter(|_| !is_anywhere_true).map(str::to_owned).collect();
    for answer in values_of(fleet, &words).iter().filter(|answer| answer.has_some()) {
        warning_line(&issues::word_is_a_key(&answer.key));
    }
}

/// Makes an empty set whose nodes are asked until Ctrl-C.
pub(super) fn stoppable() -> NodeSet {
    let mut set = NodeSet::default();
    if let Some(flag) = FLAG.get() {
        set.until(Arc::clone(flag));
    }
    set
}

/// Adds the nodes of a source.
pub(crate) fn add(set: &mut NodeSet, source: &str, puppetdb: &PuppetdbArguments) -> Result<(), Failure> {
    let failed = Failure::from;
    if source.starts_with("puppetdb:") {
        let nodes: Result<Vec<_>, _> = puppetdb.nodes(source)?.collect();
        set.add(nodes.map_err(failed)?);
        return Ok(());
    }
    #[cfg(feature = "store")]
    if let Some(address) = hierarch_store::Address::parse(source) {
        let store = hierarch_store::Store::open_existing(&address).map_err(failed)?;
        for source in store.unfinished() {
            warning_line(&issues::unfinished_import(store.name(), &source));
        }
        let store: Arc<dyn hierarch_site::NodeSource> = Arc::new(store);
        return set.add_source(&store).map_err(failed);
    }
    #[cfg(not(feature = "store"))]
    if source.starts_with("sqlite:") || source.starts_with("postgres") && source.contains("://") {
        return Err(issues::without_feature(source, "store"));
    }
    let path = PathBuf::from(source);
    let files: Arc<dyn Files> = Arc::new(DiskFiles);
    set.add_path(&files, &path).map_err(failed)
}

/// Nodes of a server, one after the other.
pub(super) type ServerNodes =
    Box<dyn Iterator<Item = hierarch_source::Result<(String, hierarch_site::NodeFacts)>>>;

impl PuppetdbArguments {
    /// Asks a PuppetDB server for its nodes.
    #[cfg(all(feature = "store", feature = "fetch"))]
    pub(super) fn nodes(&self, source: &str) -> Result<ServerNodes, Failure> {
        let nodes = hierarch_store::puppetdb::nodes(self.access(source)?).map_err(Failure::from)?;
        Ok(Box::new(nodes))
    }

    /// Asks a PuppetDB server for what catalogs asked for.
    #[cfg(all(feature = "store", feature = "fetch"))]
    pub(super) fn catalog_inputs(&self, source: &str) -> Result<String, Failure> {
        hierarch_store::puppetdb::catalog_inputs(self.access(source)?).map_err(Failure::from)
    }

    /// Asks a PuppetDB server for what nodes exported.
    #[cfg(all(feature = "store", feature = "fetch"))]
    pub(crate) fn exported(&self, source: &str) -> Result<Vec<hierarch_pcore::Value>, Failure> {
        hierarch_store::puppetdb::exported(self.access(source)?).map_err(Failure::from)
    }

    /// Says that this build asks no server.
    #[cfg(not(all(feature = "store", feature = "fetch")))]
    pub(crate) fn exported(&self, source: &str) -> Result<Vec<hierarch_pcore::Value>, Failure> {
        Err(issues::without_feature(source, "store and fetch"))
    }

    /// Says that this build asks no server.
    #[cfg(not(all(feature = "store", feature = "fetch")))]
    pub(super) fn catalog_inputs(&self, source: &str) -> Result<String, Failure> {
        Err(issues::without_feature(source, "store and fetch"))
    }

    #[cfg(all(feature = "store", feature = "fetch"))]
    fn access(&self, source: &str) -> Result<hierarch_store::puppetdb::Access, Failure> {
        let read = |path: &PathBuf| std::fs::read(path).map_err(|error| Failure::io("read", path, &error));
        let certificate = match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => Some((read(cert)?, read(key)?)),
            _ => None,
        };
        let token = self.token_file.as_ref().map(read).transpose()?;
        Ok(hierarch_store::puppetdb::Access {
            address: source.trim_start_matches("puppetdb:").to_owned(),
            certificate,
            authority: self.cacert.as_ref().map(read).transpose()?,
            token: token.map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned()),
        })
    }

    /// Says that this build asks no server.
    #[cfg(not(all(feature = "store", feature = "fetch")))]
    pub(super) fn nodes(&self, source: &str) -> Result<ServerNodes, Failure> {
        Err(issues::without_feature(source, "store and fetch"))
    }
}

/// The flag that Ctrl-C sets, once it is watched.
static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Tells whether Ctrl-C was to end the program.
pub(crate) fn was_interrupted() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

/// Returns the flag that Ctrl-C sets.
#[cfg(feature = "store")]
pub(crate) fn interrupts() -> Arc<AtomicBool> {
    FLAG.get().cloned().unwrap_or_default()
}

/// Watches for Ctrl-C, which ends questions early; a second one ends the program at once.
#[cfg(unix)]
pub(crate) fn watch_interrupts() {
    use signal_hook::consts::SIGINT;
    let watched = || {
        let flag = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds the flag not set yet.
        let ends =
            signal_hook::flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), Arc::clone(&flag));
        if ends.and_then(|_| signal_hook::flag::register(SIGINT, Arc::clone(&flag))).is_err() {
            warning_line(issues::INTERRUPTS_NOT_WATCHED);
        }
        flag
    };
    FLAG.get_or_init(watched);
}

/// Here Ctrl-C ends the program.
#[cfg(not(unix))]
pub(crate) fn watch_interrupts() {}

/// What a shell sees of a program that Ctrl-C ended: 128 and the number of the signal.
pub(crate) const INTERRUPTED: u8 = 128 + 2;

/// Asks a question of many nodes, with a bar on the terminal while it takes long.
pub(crate) fn ask<T>(site: &Site, set: &NodeSet, compiles: bool, question: impl FnOnce(&Fleet) -> T) -> T {
    bar("nodes", set.len(), |progress| {
        question(&Fleet { progress: Some(progress), compiles, ..Fleet::new(site, set) })
    })
}

/// Prints what lookups warned of, and which variables in paths no node has.
pub(crate) fn print_warnings(site: &Site, set: &NodeSet, compiles: bool) {
    let fleet = Fleet { compiles, ..Fleet::new(site, set) };
    for warning in site.environment().take_warnings().into_iter().chain(undefined_in_paths(&fleet)) {
        warning_line(&warning);
    }
    if site.is_one_environment() {
        let own = site.environment().name().to_owned();
        let named = set.names().filter_map(|name| set.environment(name));
        let others: Vec<String> = named.filter(|name| *name != own).collect();
        if let Some(first) = others.first() {
            warning_line(&issues::other_environments(others.len(), first, &own));
        }
    }
}

/// Does something that takes long for many nodes or commits, and shows how far it is.
pub(crate) fn bar<T>(
    what: &'static str,
    total: usize,
    work: impl FnOnce(&(dyn Fn(usize, usize) + Sync)) -> T,
) -> T {
    let progress = Mutex::new(Some(Progress::alone(what, total)));
    let tell = |done: usize, _: usize| {
        if let Ok(mut progress) = progress.lock()
            && let Some(progress) = progress.as_mut()
        {
            progress.reach(done);
        }
    };
    let answer = work(&tell);
    if let Some(progress) = progress.lock().ok().and_then(|mut progress| progress.take()) {
        progress.end();
    }
    answer
}

/// Returns the folder that files are named relative to.
pub(crate) fn folder(site: &Site) -> String {
    site.environment().folder().map(Path::to_owned).unwrap_or_default().display().to_string()
}

/// Returns the end of a text answer: who could not be asked, and why.
pub(crate) fn unanswered_text(unanswered: &[UnansweredNode], asked: usize) -> String {
    if unanswered.is_empty() {
        return String::new();
    }
    let (stopped, unanswered): (Vec<_>, Vec<_>) = unanswered.iter().partition(|one| one.reason.is_stop);
    if unanswered.is_empty() {
        return issues::stopped(stopped.len(), asked);
    }
    let mut text = String::new();
    // What is the same for many nodes is said once.
    let mut messages: Vec<(&str, Vec<String>)> = Vec::new();
    for one in &unanswered {
        match messages.iter_mut().find(|(message, _)| *message == one.reason.words) {
            Some((_, nodes)) => nodes.push(one.node.clone()),
            None => messages.push((&one.reason.words, vec![one.node.clone()])),
        }
    }
    for (message, nodes) in messages.iter().take(MOST_NAMED) {
        text.push_str(&format!("  {}: {message}\n", some_names(nodes)));
    }
    if messages.len() > MOST_NAMED {
        text.push_str(&format!("  +{} more\n", messages.len() - MOST_NAMED));
    }
    let mut names: Vec<&str> = unanswered.iter().map(|one| one.node.as_str()).collect();
    names.dedup();
    text.push_str(&issues::could_not_be_asked(names.len(), asked));
    if stopped.is_empty() { text } else { text + &issues::stopped(stopped.len(), asked) }
}

/// Shows on a terminal the lines of files because of which nodes could not be asked.
pub(crate) fn show_places<'u>(unanswered: impl IntoIterator<Item = &'u UnansweredNode>) {
    show_lines(unanswered.into_iter().filter_map(|one| one.reason.place.as_ref()));
}

/// Tells whether not one node could be asked.
pub(crate) fn is_nobody_asked(unanswered: &[UnansweredNode], asked: usize) -> bool {
    let names: BTreeSet<&str> = unanswered.iter().map(|one| one.node.as_str()).collect();
    asked > 0 && names.len() >= asked
}

/// As many nodes that could not be asked are named in a text answer.
const MOST_NAMED: usize = 20;
