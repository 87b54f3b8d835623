//! Saving: from edited data back to a text with directives that expands to exactly that data.
//!
//! The written document is compared top down with the edited data. Where nothing changed, nothing is
//! touched. Where something did, the plan leaves the directive alone and writes own keys over it; where that
//! cannot say it, the directive is given up and its content written out. The planned text is expanded again:
//! only if it gives the edited data is it a result, otherwise the directive at the difference is given up.

mod entries;
mod express;
mod inherit;
mod keyed;
mod keyed_list;
mod list;
mod placing;
mod plain;
mod plan;
mod rename;
mod sources;
mod world;

use std::sync::Arc;

use hierarch_source::{Error, Result};
use hierarch_yaml::{Change, Data, Fidelity, Kind, NodeId, Tree, rewrite};
use rustc_hash::FxHashSet;

use crate::document::Document;
use crate::forest::{Forest, Val};
use crate::issues;
use plan::{Planner, Site};
pub(crate) use rename::KeyRename;

/// Why a plan does not go on.
#[derive(Debug)]
pub(crate) enum PlanFailure {
    /// Merging cannot say this here.
    Here,
    /// Nothing can say this: the data has keys that only mean directives.
    Inexpressible,
    /// Something failed on the way.
    Failed(Error),
}

impl From<Error> for PlanFailure {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// A text that expands to the edited data.
pub(crate) struct SavedData {
    pub(crate) text: String,
    /// Nothing was written but values in the place of others.
    pub(crate) is_in_place: bool,
}

/// How often a text may be planned anew with fewer directives before all are given up.
const ATTEMPTS: usize = 12;

/// How often directives that were given up are tried again, in ever smaller groups.
const RETURNS: usize = 64;

impl<'a> Document<'a> {
    /// Returns the text that expands to the edited data, with the directives that still apply.
    ///
    /// ```
    /// use std::path::Path;
    /// use hierarch_compose::{Access, Document, Edit};
    /// use hierarch_source::MemoryFiles;
    ///
    /// let files = MemoryFiles::from([("main.yaml", "base: {x: 1}\nuse:\n  +/base:\n  y: 2  # own\n")]);
    /// let access = Access::default();
    /// let mut document = Document::open(&files, Path::new("main.yaml"), &access)?;
    /// let edited = document.with("/use/x", Edit::Set(hierarch_yaml::Data::text("new")))?;
    /// assert_eq!(document.save(edited)?, "base: {x: 1}\nuse:\n  +/base:\n  y: 2  # own\n  x: new\n");
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn save(&mut self, edited: Val) -> Result<String> {
        self.save_in_words(edited, &[], Fidelity::Loose)
    }

    /// Saves the data; words that are written out may be others than those that they were.
    pub(crate) fn save_data(&mut self, edited: Val) -> Result<SavedData> {
        let tree = Arc::clone(self.expander.forest.tree(0));
        if let Some(text) = self.plain_text(&tree, edited) {
            return Ok(SavedData { text, is_in_place: true });
        }
        if self.expander.forest.same(self.value, edited) {
            return Ok(SavedData { text: tree.source().text().to_owned(), is_in_place: true });
        }
        let text = self.save_planned(&tree, edited)?;
        Ok(SavedData { text, is_in_place: false })
    }

    fn save_planned(&mut self, tree: &Arc<Tree>, edited: Val) -> Result<String> {
        if !self.expander.any_top && !self.expander.forest.is_map(edited) {
            return Err(issues::not_a_document(&hierarch_yaml::brief(&self.expander.forest.data(edited))));
        }
        let root = tree.root().ok_or_else(|| issues::not_a_document("None"))?;
        if let Some(text) = self.renamed_text(tree, edited) {
            return Ok(text);
        }
        let mut given_up = FxHashSet::default();
        for _ in 0..ATTEMPTS {
            match self.attempt(tree, root, edited, &mut given_up)? {
                Attempt::Text(text) => return Ok(text),
                Attempt::Again => {}
                Attempt::Lost => break,
            }
        }
        self.give_up_all(tree, root, edited)
    }

    /// Returns the text of a save that the plain plan can tell, if it says what is wanted.
    fn plain_text(&mut self, tree: &Arc<Tree>, edited: Val) -> Option<String> {
        let root = tree.root()?;
        match self.plain_change(tree, root, edited)? {
            Change::Keep => Some(tree.source().text().to_owned()),
            change => self.text_of(tree, root, edited, &change),
        }
    }

    /// Makes a value from data, to be saved.
    pub fn grow(&mut self, data: &Data) -> Result<Val> {
        self.expander.forest.grow(data)
    }

    /// Makes a value from a text, to be saved: its keys are data, whatever they look like.
    pub fn plant(&mut self, tree: Tree) -> Result<Val> {
        let doc = self.expander.forest.plant(&Arc::new(tree))?;
        self.planted.push(doc);
        let root = self.expander.forest.root(doc);
        root.ok_or_else(|| issues::not_a_document("None"))
    }

    fn attempt(
        &mut self,
        tree: &Arc<Tree>,
        root: NodeId,
        edited: Val,
        given_up: &mut FxHashSet<NodeId>,
    ) -> Result<Attempt> {
        let before = given_up.len();
        let mut planner = Planner::new(&mut self.expander, Arc::clone(tree), self.value, edited, given_up);
        let change = match planner.plan_top(root) {
            Ok(change) => change,
            Err(PlanFailure::Here | PlanFailure::Failed(_)) => return Ok(Attempt::Lost),
            Err(PlanFailure::Inexpressible) => return Err(issues::inexpressible()),
        };
        let Planner { written, mut sites, steady, .. } = planner;
        let Some((text, result)) = self.expand_again(tree, root, &change) else {
            // Something cannot even be expanded: it must be what has changed sources.
            given_up.extend(sites.iter().filter(|site| !site.steady).map(|site| site.node));
            return Ok(if given_up.len() > before { Attempt::Again } else { Attempt::Lost });
        };
        let forest = &self.expander.forest;
        if forest.same(result, edited) {
            return Ok(Attempt::Text(text));
        }
        for (mut place, node) in steady {
            written.find_sites(node, &mut place, &mut sites);
        }
        let mut differences = Vec::new();
        find_differences(forest, result, edited, &mut Vec::new(), &mut differences);
        for difference in differences {
            blame(&sites, &difference, given_up);
        }
        Ok(if given_up.len() > before { Attempt::Again } else { Attempt::Lost })
    }

    /// Carries out a change and expands the result; `None` if either fails.
    pub(crate) fn expand_again(
        &mut self,
        tree: &Tree,
        root: NodeId,
        change: &Change,
    ) -> Option<(String, Val)> {
        let (text, new) = rewrite(tree, root, change).ok()?;
        if new.roots().len() != tree.roots().len() {
            return None;
        }
        let main = self.expander.main;
        let result = self.expander.restart(&Arc::new(new)).and_then(|()| self.expander.run());
        self.expander.return_to(main);
        result.ok().map(|result| (text, result))
    }

    /// The last resort: as few directives as possible are given up, then all, then what changes is written anew.
    fn give_up_all(&mut self, tree: &Arc<Tree>, root: NodeId, edited: Val) -> Result<String> {
        if let Some(text) = self.give_up_few(tree, root, edited) {
            return Ok(text);
        }
        let data = match self.expander.forest.written_out(edited) {
            Ok(data) => data,
            Err(PlanFailure::Failed(error)) => return Err(error),
            Err(_) => return Err(issues::inexpressible()),
        };
        let mut everything: FxHashSet<NodeId> = (0..tree.len()).map(NodeId::from_index).collect();
        let plain = self.planner(tree, edited, &mut everything).plan_top(root).ok();
        let entries = self.planner(tree, edited, &mut everything).plan_anew(root).ok();
        for change in plain.iter().chain(&entries).chain([&Change::Set(data)]) {
            if let Some(text) = self.text_of(tree, root, edited, change) {
                return Ok(text);
            }
        }
        Err(issues::inexpressible())
    }

    /// Gives up all holders and aliases, then takes back as many as still let the text say what is wanted.
    fn give_up_few(&mut self, tree: &Arc<Tree>, root: NodeId, edited: Val) -> Option<String> {
        let mut sites = Vec::new();
        let mut none = FxHashSet::default();
        self.planner(tree, edited, &mut none).written.find_sites(root, &mut Vec::new(), &mut sites);
        let nodes: Vec<NodeId> = sites.iter().map(|site| site.node).collect();
        let mut given_up: FxHashSet<NodeId> = nodes.iter().copied().collect();
        let mut best = self.text_without(tree, root, edited, &given_up)?;
        let mut waiting: Vec<&[NodeId]> = vec![&nodes];
        for _ in 0..RETURNS {
            let Some(part) = waiting.pop() else { break };
            let fewer: FxHashSet<NodeId> =
                given_up.iter().copied().filter(|node| !part.contains(node)).collect();
            match self.text_without(tree, root, edited, &fewer) {
                Some(text) => (best, given_up) = (text, fewer),
                None if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    waiting.extend([second, first]);
                }
                None => {}
            }
        }
        Some(best)
    }

    fn planner<'p>(
        &'p mut self,
        tree: &Arc<Tree>,
        edited: Val,
        given_up: &'p mut FxHashSet<NodeId>,
    ) -> Planner<'p, 'a> {
        Planner::new(&mut self.expander, Arc::clone(tree), self.value, edited, given_up)
    }

    /// The text in which some holders and aliases do without; `None` if it does not say what is wanted.
    fn text_without(
        &mut self,
        tree: &Arc<Tree>,
        root: NodeId,
        edited: Val,
        given_up: &FxHashSet<NodeId>,
    ) -> Option<String> {
        let change = self.planner(tree, edited, &mut given_up.clone()).plan_top(root).ok()?;
        self.text_of(tree, root, edited, &change)
    }

    fn text_of(&mut self, tree: &Arc<Tree>, root: NodeId, edited: Val, change: &Change) -> Option<String> {
        let (text, result) = self.expand_again(tree, root, change)?;
        self.expander.forest.same(result, edited).then_some(text)
    }
}

enum Attempt {
    Text(String),
    Again,
    Lost,
}

/// Gives up the innermost holder around a difference, or else those inside it.
fn blame(sites: &[Site], difference: &[String], given_up: &mut FxHashSet<NodeId>) {
    let around = sites
        .iter()
        .filter(|site| difference.starts_with(&site.path) && !given_up.contains(&site.node))
        .max_by_key(|site| site.path.len());
    match around {
        Some(site) => {
            given_up.insert(site.node);
        }
        None => given_up
            .extend(sites.iter().filter(|site| site.path.starts_with(difference)).map(|site| site.node)),
    }
}

/// At most this many differences are looked at in one go.
const MANY: usize = 64;

fn find_differences(forest: &Forest, a: Val, b: Val, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    if found.len() >= MANY || forest.same(a, b) {
        return;
    }
    match (forest.kind(a), forest.kind(b)) {
        (Kind::Map, Kind::Map) => {
            for (key, value) in forest.entries(b) {
                path.push(forest.text(key).into_owned());
                match forest.find(a, key) {
                    Some(other) => find_differences(forest, other, value, path, found),
                    None => found.push(path.clone()),
                }
                path.pop();
            }
            for (key, _) in forest.entries(a) {
                if forest.find(b, key).is_none() {
                    path.push(forest.text(key).into_owned());
                    found.push(path.clone());
                    path.pop();
                }
            }
        }
        (Kind::List, Kind::List) if forest.len(a) == forest.len(b) => {
            for index in 0..forest.len(a) {
                path.push(index.to_string());
                find_differences(forest, forest.item(a, index), forest.item(b, index), path, found);
                path.pop();
            }
        }
        _ => found.push(path.clone()),
    }
}
