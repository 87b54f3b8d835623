//! `hierarch` alone: what the control repository around here holds, and what to try.

use std::cell::OnceCell;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use hierarch_fleet::NodeSet;
use hierarch_hiera::UnlistedKeys;
use hierarch_site::{Environment, Node, NodeFacts, Site};
use hierarch_source::DiskFiles;

use super::arguments::SiteArguments;
use super::failure::Failure;
use super::fleet::nodes::{NodesArguments, PuppetdbArguments, add};
use super::issues;
use super::report::print;

/// How many nodes are asked which data files there are: enough to see a tree, few enough for a blink.
const ASKED_NODES: usize = 50;
/// How many problems are shown.
const SHOWN_PROBLEMS: usize = 3;

/// What a glance at a control repository shows; completion of words asks for the same.
pub(super) struct Overview {
    environment: Arc<Environment>,
    environments: Vec<String>,
    /// The names of all nodes that have facts.
    pub(super) nodes: Vec<String>,
    /// Where nodes come from.
    sources: Vec<String>,
    site: Site,
    /// Some of the nodes; who only wants names waits for none.
    asked: OnceCell<Vec<Node>>,
}

impl Overview {
    /// Looks at the control repository around the current folder; there may be none.
    pub(super) fn open() -> Result<Option<Self>, Failure> {
        let arguments = SiteArguments::default();
        if !arguments.is_anywhere() {
            return Ok(None);
        }
        let sources = NodesArguments::default();
        let opened = arguments.open()?;
        let sources = sources.sources(&opened).unwrap_or_default();
        // A glance asks no server.
        let (here, elsewhere): (Vec<String>, Vec<String>) =
            sources.into_iter().partition(|source| !source.contains("://"));
        let mut nodes = NodeSet::default();
        for source in &here {
            add(&mut nodes, source, &PuppetdbArguments::default())?;
        }
        let site = arguments.builder()?.with_nodes(nodes).build();
        let folder = opened.environment().folder().map(|folder| format!("{}/", folder.display()));
        let short = |source: &String| {
            let source = source.strip_prefix("sqlite:").unwrap_or(source);
            folder
                .as_ref()
                .and_then(|folder| source.strip_prefix(folder.as_str()))
                .unwrap_or(source)
                .to_owned()
        };
        let sources = here.iter().chain(&elsewhere).map(short).collect();
        Ok(Some(Self::of(site, sources)))
    }

    fn of(site: Site, sources: Vec<String>) -> Self {
        let nodes = site.node_source().names(&**site.files()).unwrap_or_default();
        let (environment, environments) = (site.environment(), site.environment_names());
        Self { environment, environments, nodes, sources, site, asked: OnceCell::new() }
    }

    fn asked(&self) -> &[Node] {
        self.asked.get_or_init(|| {
            // Without facts the levels that need none are seen.
            if self.nodes.is_empty() {
                return vec![self.site.node_with("", NodeFacts::default())];
            }
            let step = self.nodes.len().div_ceil(ASKED_NODES).max(1);
            self.nodes.iter().step_by(step).filter_map(|name| self.site.node(name).ok()).collect()
        })
    }

    /// The environment that is looked at.
    pub(super) fn environment(&self) -> &Environment {
        &self.environment
    }

    /// Lists the keys of the data files that the asked nodes see.
    pub(super) fn keys(&self) -> Vec<String> {
        for node in self.asked() {
            // An overview shows what there is; `dump` tells what cannot be read.
            let _ = self.environment.read_data_of(node);
        }
        self.environment.known_keys()
    }

    /// Lists the levels of the hierarchy, highest first.
    pub(super) fn levels(&self) -> Vec<String> {
        let node = self.asked().first();
        node.map(|node| node.asking(|lookups| lookups.session().level_names("hierarch")).0)
            .unwrap_or_default()
    }

    /// Counts the data files that the asked nodes see.
    fn files(&self) -> usize {
        self.environment.hiera().known_keys().0
    }

    /// Lists the environments of the site.
    pub(super) fn environments(&self) -> Vec<String> {
        self.environments.clone()
    }

    /// Tells what is broken: hierarchies, data that the asked nodes see, manifests.
    fn problems(&self) -> Vec<String> {
        let modules: Vec<String> = self.environment.modules().into_iter().map(|(name, _)| name).collect();
        let (_, hierarchies) = self.environment.hiera().layouts(&modules);
        let data = self.asked().iter().flat_map(|node| self.environment.read_data_of(node));
        let data = data.filter_map(|unlisted| match unlisted {
            UnlistedKeys::Broken(error) => Some(error.to_string()),
            UnlistedKeys::Function { .. } => None,
        });
        let manifests = self.environment.validate();
        let mut found: Vec<String> = Vec::new();
        let hierarchies = hierarchies.iter().map(ToString::to_string);
        for problem in hierarchies.chain(data).chain(manifests.iter().map(ToString::to_string)) {
            if !found.contains(&problem) {
                found.push(problem);
            }
        }
        found.iter().map(|problem| self.environment.shown_text(problem)).collect()
    }

    fn text(&self) -> String {
        let folder = self.environment.folder().map_or_else(PathBuf::new, PathBuf::from);
        let mut text = format!("{}\n\n", folder.display());
        let mut row = |name: &str, content: String| {
            let _ = writeln!(text, "  {name:<11}{content}");
        };
        let keys = self.keys();
        let levels = self.levels();
        row("hierarchy", if levels.is_empty() { "has no level".to_owned() } else { levels.join(" > ") });
        row("files", format!("{} with data", self.files()));
        row("keys", format!("{}{}", keys.len(), self.as_seen_by()));
        row("modules", self.environment.modules().len().to_string());
        let sources = self.sources.join(", ");
        row(
            "nodes",
            match (self.nodes.len(), self.sources.is_empty()) {
                (0, true) => {
                    "none: facts are looked for in the folder facts; other commands take --nodes".to_owned()
                }
                (0, false) => format!("in {sources}, which is not asked here"),
                (count, _) => format!("{count}, from {sources}"),
            },
        );
        let problems = self.problems();
        row(
            "problems",
            if problems.is_empty() {
                "none in hierarchies, data and manifests".to_owned()
            } else {
                problems.len().to_string()
            },
        );
        for problem in problems.iter().take(SHOWN_PROBLEMS) {
            let _ = writeln!(text, "    {problem}");
        }
        text.push_str(&suggestions(
            self.nodes.first(),
            keys.iter().find(|key| key.contains("::")).or(keys.first()),
        ));
        text
    }

    fn as_seen_by(&self) -> String {
        match (self.asked().len(), self.nodes.len()) {
            (_, 0) => ", as seen without facts".to_owned(),
            (asked, all) if asked == all => String::new(),
            (asked, all) => format!(", as {asked} of {all} nodes see them"),
        }
    }
}

/// Names three commands to try.
fn suggestions(node: Option<&String>, key: Option<&String>) -> String {
    let node = node.map_or("NODE", String::as_str);
    let key = key.map_or("KEY", String::as_str);
    format!(
        "\nTry:\n  hierarch lookup {key} --node {node} --origin\n  hierarch values {key}\n  hierarch catalog compile {node}\n\nAll commands: hierarch --help\n"
    )
}

/// Prints the overview; outside a control repository, how to ask for help.
pub(super) fn run(help: impl FnOnce() -> String) -> Result<ExitCode, Failure> {
    let Some(overview) = Overview::open()? else {
        print(&help().trim_end())?;
        let below = hierarch_hiera::environment::control_repositories_below(&DiskFiles, ".");
        if let Some(first) = below.first() {
            print(&issues::repositories_below(first.trim_start_matches("./"), below.len()))?;
        }
        return Ok(ExitCode::FAILURE);
    };
    print(&overview.text().trim_end())?;
    Ok(ExitCode::SUCCESS)
}
