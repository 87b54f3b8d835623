//! `hierarch impact`: what a commit, a branch or the working tree changes, for whom, because of which line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_fleet::{CatalogImpact, Comparison, Impact, MOST_TRIED, NodeSet, TrackedFacts};
#[cfg(feature = "store")]
use hierarch_fleet::{Fleet, Table, table};
use hierarch_fleet::{catalogs, impact, keep_common};
#[cfg(feature = "serve")]
use hierarch_fleet::{edited_keys, keys_beside_secrets};
use hierarch_git::{FileChange, GitFiles, Range, Revision, changes, changes_to_disk};
use hierarch_pcore::{Hash, Value};
use hierarch_site::Site;
use hierarch_source::{DiskFiles, Files, Overlay};

use super::super::arguments::SiteArguments;
use super::super::failure::Failure;
use super::super::report::print_text;
use super::super::{issues, star};
use super::at::OpenRepository;
use super::findings;
use super::form::check_output;
use super::impact_text::{as_findings, catalogs_text, markdown, text};
#[cfg(feature = "store")]
use super::impact_text::{csv_lines, json_lines};
use super::nodes::{NodesArguments, bar, folder, is_nobody_asked, print_warnings};
use super::tracked::TrackedSources;

#[derive(Args)]
pub(crate) struct ImpactArguments {
    /// Compare a revision with the working tree, two revisions `A..B`, or a branch with where it began `A...B`;
    /// without it, the last commit with the working tree
    #[arg(value_name = "REV | A..B | A...B")]
    range: Option<String>,
    /// Compare with the index instead of the working tree: what a commit would hold
    #[arg(long)]
    staged: bool,
    #[command(flatten)]
    nodes: NodesArguments,
    #[command(flatten)]
    site: SiteArguments,
    /// Ask only for keys that match, `*` standing for anything
    #[arg(long = "keys", value_name = "GLOB")]
    keys: Vec<String>,
    /// Compile the catalogs of both sides, too, and say which resources change
    #[arg(long)]
    catalogs: bool,
    /// Take facts that git tracks as they were at each revision
    #[arg(long)]
    facts_at_revisions: bool,
    /// Print at most so many groups; counts stay whole
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How many undone states may be tried to find causes
    #[arg(long, value_name = "N", default_value_t = MOST_TRIED)]
    max_proofs: usize,
    /// How to print
    #[arg(long, alias = "format", value_enum, default_value_t = Form::Text)]
    render_as: Form,
    /// Where Parquet goes: a folder, or a file that ends in .parquet
    #[arg(short, long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Keys of which nothing is told.
    #[arg(skip)]
    withheld: BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// One object
    Json,
    /// An object a line for each node and key
    Jsonl,
    /// Columns: node, key, kind, old, new, file, line, proof
    Csv,
    /// For a comment in a merge request
    Markdown,
    /// Annotations for GitHub's checks
    Github,
    /// A SARIF log
    Sarif,
    /// A report of Code Climate, for GitLab
    Codeclimate,
    /// A JUnit report
    Junit,
    /// The table `changes` as Parquet, into what `-o` names
    Parquet,
}

/// The exit code for changes, as diff programs have it.
const CHANGED: u8 = 2;

/// Both states, and what differs between them.
struct Sides {
    old: Arc<GitFiles>,
    new: Arc<dyn Files>,
    from: String,
    to: String,
    changed: Vec<FileChange>,
    notes: Vec<String>,
    /// The new side, if it is a tree of git.
    tree: Option<Arc<GitFiles>>,
}

pub(crate) fn run(arguments: &ImpactArguments) -> Result<ExitCode, Failure> {
    super::start_asking()?;
    arguments.site.refuse_at("impact")?;
    arguments.check_flags()?;
    let opened = OpenRepository::around(&arguments.site)?;
    let sides = Sides::find(arguments, &opened)?;
    let new = arguments.open(Arc::clone(&sides.new))?;
    let (nodes, past) = arguments.read(&sides, &new)?;
    let found = (&opened, &sides, past.as_ref());
    let answer = bar("nodes", nodes.len(), |progress| arguments.answer(found, &new, &nodes, Some(progress)))?;
    let compile = |progress: &(dyn Fn(usize, usize) + Sync)| {
        arguments.compared(found, &new, &nodes, Some(progress), catalogs)
    };
    let compiled = arguments.catalogs.then(|| bar("nodes", nodes.len(), compile)).transpose()?;
    if let Some(target) = &arguments.output {
        arguments.write(target, (&sides, &new), (&nodes, past.as_ref()), &answer)?;
    } else if matches!(arguments.render_as, Form::Jsonl | Form::Csv) {
        print_text(&arguments.lines((&sides, &new), (&nodes, past.as_ref()), &answer)?)?;
    } else {
        let root = opened.root.display().to_string();
        let whole = Answers { keys: &answer, catalogs: compiled.as_ref() };
        print_text(&rendered(arguments, &whole, &sides, &folder(&new), &root))?;
    }
    print_warnings(&new, &nodes, arguments.nodes.compile);
    let unanswered =
        answer.unanswered.len() + compiled.as_ref().map_or(0, |compiled| compiled.unanswered.len());
    let lost = [Some(&answer.unanswered), compiled.as_ref().map(|compiled| &compiled.unanswered)];
    let is_nobody = lost.into_iter().flatten().any(|lost| is_nobody_asked(lost, nodes.len()));
    let is_whole = unanswered == 0 || !arguments.nodes.fail_on_unanswered;
    let is_empty = answer.is_empty() && compiled.as_ref().is_none_or(CatalogImpact::is_empty);
    Ok(match (is_whole, is_empty) {
        (false, _) => ExitCode::FAILURE,
        (true, true) if is_nobody => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(CHANGED),
    })
}

/// The nodes as the old state has them.
struct PastNodes<'a> {
    nodes: NodeSet,
    sources: TrackedSources<'a>,
    notes: Vec<String>,
}

/// What was found: changes of keys, and of catalogs where that is asked for.
struct Answers<'a> {
    keys: &'a Impact,
    catalogs: Option<&'a CatalogImpact>,
}

/// Answers as the command does with `--render-as json`, for nodes that are known already. Who may not see secrets is told nothing of
/// keys that have to do with one: whether a guess changes something would tell whether it is right.
#[cfg(feature = "serve")]
pub(crate) fn json(
    site: &SiteArguments,
    range: &str,
    nodes: &NodeSet,
    tells_equal_secrets: bool,
) -> Result<String, Failure> {
    let mut arguments = ImpactArguments { range: Some(range.to_owned()), ..ImpactArguments::plain(site) };
    let opened = OpenRepository::around(site)?;
    let sides = Sides::find(&arguments, &opened)?;
    let new = arguments.open(Arc::clone(&sides.new))?;
    if !tells_equal_secrets {
        let old = arguments.open(Arc::clone(&sides.old) as Arc<dyn Files>)?;
        arguments.withheld =
            sides.beside_secrets(&opened.root, &Fleet::new(&old, nodes), &Fleet::new(&new, nodes));
    }
    let mut answer = arguments.answer((&opened, &sides, None), &new, nodes, None)?;
    if !arguments.withheld.is_empty() {
        answer.notes.push(hierarch_serve::issues::withheld(&arguments.withheld));
    }
    let whole = Answers { keys: &answer, catalogs: None };
    Ok(rendered(&arguments, &whole, &sides, &folder(&new), &opened.root.display().to_string()))
}

/// Returns what changes, node by node: for SQL and Parquet.
#[cfg(feature = "store")]
pub(crate) fn changes_of(
    site: &SiteArguments,
    range: &str,
    nodes: &NodeSet,
) -> Result<Vec<hierarch_sql::Change>, Failure> {
    let arguments = ImpactArguments { range: Some(range.to_owned()), ..ImpactArguments::plain(site) };
    let opened = OpenRepository::around(site)?;
    let sides = Sides::find(&arguments, &opened)?;
    let new = arguments.open(Arc::clone(&sides.new))?;
    let found = (&opened, &sides, None);
    let answer = bar("nodes", nodes.len(), |progress| arguments.answer(found, &new, nodes, Some(progress)))?;
    arguments.changes((&sides, &new), (nodes, None), &answer)
}

impl ImpactArguments {
    /// Returns the arguments as they are without flags.
    #[cfg(any(feature = "serve", feature = "store"))]
    fn plain(site: &SiteArguments) -> Self {
        Self {
            range: None,
            staged: false,
            nodes: NodesArguments::default(),
            site: site.clone(),
            keys: Vec::new(),
            catalogs: false,
            facts_at_revisions: false,
            limit: None,
            max_proofs: MOST_TRIED,
            render_as: Form::Json,
            output: None,
            withheld: BTreeSet::new(),
        }
    }

    /// Returns the groups of an answer node by node, with both values.
    #[cfg(feature = "store")]
    fn changes(
        &self,
        (sides, new): (&Sides, &Site),
        (nodes, past): (&NodeSet, Option<&PastNodes>),
        answer: &Impact,
    ) -> Result<Vec<hierarch_sql::Change>, Failure> {
        let old = self.open(Arc::clone(&sides.old) as Arc<dyn Files>)?;
        let keys = || answer.keys.iter().cloned().collect();
        let before = table(&Fleet::new(&old, past.map_or(nodes, |past| &past.nodes)), keys());
        let after = table(&Fleet::new(new, nodes), keys());
        let folder = format!("{}/", folder(new));
        let mut changes = Vec::new();
        for group in &answer.groups {
            let cause = group.causes.first();
            let file = cause.map(|edit| edit.file.strip_prefix(&folder).unwrap_or(&edit.file).to_owned());
            let hidden = Value::from(hierarch_hiera::eyaml::HIDDEN).to_json();
            let value = |table: &Table, node: &str| {
                let entry = table.find(node, &group.key)?;
                Some(if group.hides_secrets { hidden.clone() } else { entry.json.clone() })
            };
            changes.extend(group.nodes.iter().map(|node| hierarch_sql::Change {
                node: node.clone(),
                key: group.key.clone(),
                kind: group.kind.name().to_owned(),
                old: value(&before, node),
                new: value(&after, node),
                file: file.clone(),
                line: cause.and_then(|edit| edit.line),
                proof: group.proof.map(|proof| proof.name().to_owned()),
            }));
        }
        changes.sort_by(|a, b| (&a.key, &a.node).cmp(&(&b.key, &b.node)));
        Ok(changes)
    }

    #[cfg(feature = "parquet")]
    fn write(
        &self,
        target: &Path,
        found: (&Sides, &Site),
        nodes: (&NodeSet, Option<&PastNodes>),
        answer: &Impact,
    ) -> Result<(), Failure> {
        super::export::changes(target, &self.changes(found, nodes, answer)?).map(drop)
    }

    #[cfg(not(feature = "parquet"))]
    #[expect(clippy::unused_self, reason = "it stands for the one that writes")]
    fn write(
        &self,
        _: &Path,
        _: (&Sides, &Site),
        _: (&NodeSet, Option<&PastNodes>),
        _: &Impact,
    ) -> Result<(), Failure> {
        Err(issues::without_parquet())
    }

    /// Returns a line for each node and key.
    #[cfg(feature = "store")]
    fn lines(
        &self,
        found: (&Sides, &Site),
        nodes: (&NodeSet, Option<&PastNodes>),
        answer: &Impact,
    ) -> Result<String, Failure> {
        let changes = self.changes(found, nodes, answer)?;
        Ok(if self.render_as == Form::Csv { csv_lines(&changes) } else { json_lines(&changes) })
    }

    #[cfg(not(feature = "store"))]
    #[expect(clippy::unused_self, reason = "it stands for the one that returns lines")]
    fn lines(
        &self,
        _: (&Sides, &Site),
        _: (&NodeSet, Option<&PastNodes>),
        _: &Impact,
    ) -> Result<String, Failure> {
        Err(issues::without_feature("this form", "store"))
    }

    /// Refuses flags that do not go together.
    fn check_flags(&self) -> Result<(), Failure> {
        self.nodes.stand_ins.refuse_command("impact")?;
        if self.catalogs && !matches!(self.render_as, Form::Text | Form::Json) {
            return Err(issues::not_with("impact --catalogs", "this form; use --render-as text or json"));
        }
        check_output(self.render_as == Form::Parquet, self.output.as_deref())
    }

    fn open(&self, files: Arc<dyn Files>) -> Result<Site, Failure> {
        Ok(self.nodes.add_to(self.site.builder_on(files)?)?.build())
    }

    /// Reads the nodes, and those of the old state where each has its own.
    fn read<'a>(&'a self, sides: &Sides, new: &Site) -> Result<(NodeSet, Option<PastNodes<'a>>), Failure> {
        if !self.facts_at_revisions {
            return Ok((self.nodes.read(&self.site, new)?, None));
        }
        let is_tracked =
            |path: &Path| sides.old.tracks(path) || sides.tree.as_ref().is_some_and(|tree| tree.tracks(path));
        let sources = TrackedSources::find((&self.nodes, &self.site), new, is_tracked)?;
        let mut nodes = sources.read(&sides.new)?;
        let old = sources.read(&(Arc::clone(&sides.old) as Arc<dyn Files>))?;
        let notes = keep_common(&mut nodes, &old);
        self.nodes.keep_chosen(&mut nodes, new)?;
        if nodes.is_empty() {
            return Err(issues::no_nodes());
        }
        Ok((nodes, Some(PastNodes { nodes: old, sources, notes })))
    }

    fn answer(
        &self,
        found: (&OpenRepository, &Sides, Option<&PastNodes>),
        new: &Site,
        nodes: &NodeSet,
        progress: Option<&(dyn Fn(usize, usize) + Sync)>,
    ) -> Result<Impact, Failure> {
        let mut answer = self.compared(found, new, nodes, progress, impact)?;
        // An object that git cannot read must not count as a change, nor a pattern that fits nothing as an answer.
        found.1.demand_whole()?;
        self.demand_keys(&answer)?;
        if self.catalogs {
            answer.notes.retain(|note| !hierarch_fleet::issues::is_about_code(note));
        }
        answer.notes.splice(0..0, found.1.all_notes());
        answer.notes.extend(found.2.iter().flat_map(|past| past.notes.iter().cloned()));
        Ok(answer)
    }

    fn demand_keys(&self, answer: &Impact) -> Result<(), Failure> {
        let fits = |glob: &&String| !answer.known.iter().any(|key| star::matches(glob, key));
        let Some(glob) = self.keys.iter().find(fits).filter(|_| answer.unanswered.is_empty()) else {
            return Ok(());
        };
        let near = hierarch_source::nearest(glob, answer.known.iter().map(String::as_str));
        Err(issues::no_such_keys(glob, &near))
    }

    /// Asks a question about both sides.
    fn compared<T>(
        &self,
        (opened, sides, past): (&OpenRepository, &Sides, Option<&PastNodes>),
        new: &Site,
        nodes: &NodeSet,
        progress: Option<&(dyn Fn(usize, usize) + Sync)>,
        question: impl FnOnce(&Comparison) -> T,
    ) -> Result<T, Failure> {
        let old = self.open(Arc::clone(&sides.old) as Arc<dyn Files>)?;
        let root = opened.root.display();
        let mut changed: Vec<String> =
            sides.changed.iter().map(|change| format!("{root}/{}", change.path)).collect();
        changed.sort();
        // What could be opened on the real files can be opened on others: all flags were understood.
        let reopen =
            |overlay: Overlay| self.open(Arc::new(overlay)).unwrap_or_else(|_| Site::on(DiskFiles).build());
        let is_asked =
            |key: &str| self.keys.is_empty() || self.keys.iter().any(|glob| star::matches(glob, key));
        let is_wanted = |key: &str| is_asked(key) && !self.withheld.contains(key);
        let read =
            |files: &Arc<dyn Files>| past.and_then(|past| past.sources.read(files).ok()).unwrap_or_default();
        let is_file = |file: &str| past.is_some_and(|past| past.sources.has(file));
        let tracked = past.map(|past| TrackedFacts { old: &past.nodes, read: &read, is_file: &is_file });
        Ok(question(&Comparison {
            old: &old,
            new,
            nodes,
            tracked: tracked.as_ref(),
            changed: &changed,
            reopen: &reopen,
            is_wanted: &is_wanted,
            most_tried: self.max_proofs,
            progress,
            compiles: self.nodes.compile,
        }))
    }
}

impl Sides {
    fn find(arguments: &ImpactArguments, opened: &OpenRepository) -> Result<Self, Failure> {
        let range = Range::parse(arguments.range.as_deref().unwrap_or("HEAD"));
        match range {
            Range::From(name) => Self::since(arguments, opened, &opened.revision(&name)?),
            Range::Between(a, b) => Self::between(opened, &opened.revision(&a)?, &opened.revision(&b)?),
            Range::Since(a, b) => {
                let (a, b) = (opened.revision(&a)?, opened.revision(&b)?);
                let base = opened.repository.merge_base(&a, &b).map_err(Failure::from)?;
                Self::between(opened, &base, &b)
            }
        }
    }

    /// Compares a revision with the index or with the working tree.
    fn since(arguments: &ImpactArguments, opened: &OpenRepository, from: &Revision) -> Result<Self, Failure> {
        let old = opened.files(from)?;
        if arguments.staged {
            let new = opened.index()?;
            let changed = changes(&old, &new);
            return Ok(Self::made(opened, old, Some(new), (&from.commit, "index"), changed));
        }
        let changed = changes_to_disk(&old);
        Ok(Self::made(opened, old, None, (&from.commit, "working tree"), changed))
    }

    fn between(opened: &OpenRepository, from: &Revision, to: &Revision) -> Result<Self, Failure> {
        let (old, new) = (opened.files(from)?, opened.files(to)?);
        let changed = changes(&old, &new);
        Ok(Self::made(opened, old, Some(new), (&from.commit, &to.commit), changed))
    }

    fn made(
        opened: &OpenRepository,
        old: GitFiles,
        new: Option<GitFiles>,
        (from, to): (&str, &str),
        changed: Vec<FileChange>,
    ) -> Self {
        let mut notes = Vec::new();
        for folder in opened.untracked(&old) {
            notes.push(issues::untracked_modules(short(&folder, &opened.root)));
            if changed.iter().any(|change| change.path == "Puppetfile") {
                notes.push(issues::puppetfile_differs());
            }
        }
        let tree = new.map(Arc::new);
        let files: Arc<dyn Files> = match &tree {
            Some(tree) => Arc::clone(tree) as Arc<dyn Files>,
            None => Arc::new(DiskFiles),
        };
        Self {
            old: Arc::new(old),
            new: files,
            from: from.to_owned(),
            to: to.to_owned(),
            changed,
            notes,
            tree,
        }
    }

    /// Returns the keys that have to do with what changed and with a secret on either side.
    #[cfg(feature = "serve")]
    fn beside_secrets(&self, root: &Path, old: &Fleet, new: &Fleet) -> BTreeSet<String> {
        // Another hierarchy may give any key another value.
        if self.changed.iter().any(|change| change.path.ends_with("hiera.yaml")) {
            return keys_beside_secrets(&[old, new], None);
        }
        let mut edited = BTreeSet::new();
        for change in &self.changed {
            let path = root.join(&change.path);
            let (before, after) = (self.old.read(&path).ok(), self.new.read(&path).ok());
            edited.extend(edited_keys(&path.display().to_string(), before.as_deref(), after.as_deref()));
        }
        keys_beside_secrets(&[old, new], Some(edited))
    }

    /// Refuses an answer that rests on objects which cannot be read.
    fn demand_whole(&self) -> Result<(), Failure> {
        let mut trees = std::iter::once(&self.old).chain(&self.tree);
        trees.find_map(|tree| tree.broken()).map_or(Ok(()), |error| Err(Failure::from(error)))
    }

    /// Returns all that a reader should know, once everything has been read.
    fn all_notes(&self) -> Vec<String> {
        let trees = std::iter::once(&self.old).chain(&self.tree);
        let mut notes: Vec<String> =
            self.notes.iter().cloned().chain(trees.flat_map(|tree| tree.notes())).collect();
        notes.sort();
        notes.dedup();
        notes
    }
}

fn short<'p>(path: &'p Path, root: &Path) -> &'p str {
    path.strip_prefix(root).unwrap_or(path).to_str().unwrap_or_default()
}

fn rendered(arguments: &ImpactArguments, whole: &Answers, sides: &Sides, folder: &str, root: &str) -> String {
    let limit = arguments.limit.unwrap_or(usize::MAX);
    let answer = whole.keys;
    // Code hosts name files from the top of the repository, people from the control repository.
    let listed = || as_findings(answer, root);
    match arguments.render_as {
        Form::Text => {
            let catalogs = whole.catalogs.map(|found| format!("\n{}", catalogs_text(found, folder, limit)));
            text(answer, folder, limit) + &catalogs.unwrap_or_default()
        }
        Form::Markdown => markdown(answer, (&sides.from, &sides.to), folder, limit),
        Form::Json => {
            let mut value = answer.to_value(&sides.from, &sides.to, folder);
            if let (Value::Hash(fields), Some(found)) = (&mut value, whole.catalogs) {
                let mut fields = Hash::clone(fields);
                fields.insert("catalogs", found.to_value(folder));
                value = Value::hash(fields);
            }
            format!("{}\n", value.to_json())
        }
        Form::Github => findings::github(&listed()),
        Form::Sarif => format!("{:#}\n", findings::sarif(&listed())),
        Form::Codeclimate => format!("{:#}\n", findings::codeclimate(&listed())),
        Form::Jsonl | Form::Csv | Form::Parquet => String::new(),
        Form::Junit => findings::junit("impact", &listed()),
    }
}
