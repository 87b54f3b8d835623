//! `hierarch impact`: what a commit, a branch or the working tree changes, for whom, because of which line.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hierarch_fleet::{Comparison, Impact, MOST_TRIED, NodeSet, impact};
use hierarch_git::{FileChange, GitFiles, Range, Revision, changes, changes_to_disk};
use hierarch_site::Site;
use hierarch_source::{DiskFiles, Files, Overlay};

use super::super::arguments::{SiteArguments, showing_secrets};
use super::super::failure::Failure;
use super::super::report::{print_text, warning_line};
use super::super::{issues, star};
use super::at::OpenRepository;
use super::findings;
use super::impact_text::{as_findings, markdown, text};
use super::nodes::{NodesArguments, bar, folder};

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
    /// Print at most so many groups; counts stay whole
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How many undone states may be tried to find causes
    #[arg(long, value_name = "N", default_value_t = MOST_TRIED)]
    max_proofs: usize,
    /// How to print
    #[arg(long, value_enum, default_value_t = Form::Text)]
    render_as: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// One object
    Json,
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
    super::start_threads()?;
    arguments.site.refuse_at("impact")?;
    let opened = OpenRepository::around(&arguments.site)?;
    let sides = Sides::find(arguments, &opened)?;
    let new = arguments.open(Arc::clone(&sides.new))?;
    let nodes = arguments.nodes.read(&arguments.site, &new)?;
    let answer =
        bar(nodes.len(), |progress| arguments.answer((&opened, &sides), &new, &nodes, Some(progress)))?;
    let root = opened.root.display().to_string();
    print_text(&rendered(arguments, &answer, &sides, &folder(&new), &root))?;
    for warning in new.environment().take_warnings() {
        warning_line(&warning);
    }
    let is_whole = answer.unanswered.is_empty() || !arguments.nodes.fail_on_unanswered;
    Ok(match (is_whole, answer.is_empty()) {
        (false, _) => ExitCode::FAILURE,
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(CHANGED),
    })
}

/// Answers as the command does with `--render-as json`, for nodes that are known already.
#[cfg(feature = "serve")]
pub(crate) fn json(site: &SiteArguments, range: &str, nodes: &NodeSet) -> Result<String, Failure> {
    let arguments = ImpactArguments {
        range: Some(range.to_owned()),
        staged: false,
        nodes: NodesArguments::default(),
        site: site.clone(),
        keys: Vec::new(),
        limit: None,
        max_proofs: MOST_TRIED,
        render_as: Form::Json,
    };
    let opened = OpenRepository::around(site)?;
    let sides = Sides::find(&arguments, &opened)?;
    let new = arguments.open(Arc::clone(&sides.new))?;
    let answer = arguments.answer((&opened, &sides), &new, nodes, None)?;
    Ok(rendered(&arguments, &answer, &sides, &folder(&new), &opened.root.display().to_string()))
}

impl ImpactArguments {
    fn open(&self, files: Arc<dyn Files>) -> Result<Site, Failure> {
        let builder = self.site.builder_on(files)?;
        Ok(builder.with_permissions(showing_secrets(self.nodes.show_secrets)).build())
    }

    fn answer(
        &self,
        (opened, sides): (&OpenRepository, &Sides),
        new: &Site,
        nodes: &NodeSet,
        progress: Option<&(dyn Fn(usize, usize) + Sync)>,
    ) -> Result<Impact, Failure> {
        let old = self.open(Arc::clone(&sides.old) as Arc<dyn Files>)?;
        let root = opened.root.display();
        let mut changed: Vec<String> =
            sides.changed.iter().map(|change| format!("{root}/{}", change.path)).collect();
        changed.sort();
        // What could be opened on the real files can be opened on others: all flags were understood.
        let reopen =
            |overlay: Overlay| self.open(Arc::new(overlay)).unwrap_or_else(|_| Site::on(DiskFiles).build());
        let is_wanted =
            |key: &str| self.keys.is_empty() || self.keys.iter().any(|glob| star::matches(glob, key));
        let mut answer = impact(&Comparison {
            old: &old,
            new,
            nodes,
            changed: &changed,
            reopen: &reopen,
            is_wanted: &is_wanted,
            most_tried: self.max_proofs,
            progress,
        });
        answer.notes.splice(0..0, sides.all_notes());
        Ok(answer)
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
                let base =
                    opened.repository.merge_base(&a, &b).map_err(|error| Failure::new(error.to_string()))?;
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

fn rendered(arguments: &ImpactArguments, answer: &Impact, sides: &Sides, folder: &str, root: &str) -> String {
    let limit = arguments.limit.unwrap_or(usize::MAX);
    // Code hosts name files from the top of the repository, people from the control repository.
    let listed = || as_findings(answer, root);
    match arguments.render_as {
        Form::Text => text(answer, folder, limit),
        Form::Markdown => markdown(answer, (&sides.from, &sides.to), folder, limit),
        Form::Json => format!("{}\n", answer.to_value(&sides.from, &sides.to, folder).to_json()),
        Form::Github => findings::github(&listed()),
        Form::Sarif => format!("{:#}\n", findings::sarif(&listed())),
        Form::Codeclimate => format!("{:#}\n", findings::codeclimate(&listed())),
        Form::Junit => findings::junit("impact", &listed()),
    }
}
