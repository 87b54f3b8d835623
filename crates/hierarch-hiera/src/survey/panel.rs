//! Nodes that are asked together. What surveys ask of a node is asked once and kept, so that a question that many keys have in
//! common, such as which files a node has, is answered from a table.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;
use hierarch_pcore::Str;

use super::{About, Link, Observation, Root};
use crate::session::Session;

/// Some nodes, by their sessions.
///
/// ```
/// use hierarch_hiera::{Hiera, Panel, Query, Scope, Survey};
/// use hierarch_source::MemoryFiles;
///
/// let files = MemoryFiles::from([("hiera.yaml", "version: 5"), ("data/common.yaml", "motd: Hello %{role}")]);
/// let hiera = Hiera::open(files, "hiera.yaml");
/// let mut nodes = [Scope::new(), Scope::new(), Scope::new()];
/// nodes.iter_mut().zip(["web", "db", "web"]).for_each(|(node, role)| node.set("role", role));
/// let sessions: Vec<_> = nodes.iter().map(|node| hiera.session(node)).collect();
/// let motd = Survey::new();
/// let query = Query::new(["motd"]);
/// let mut told = vec![String::new(); 3];
/// motd.ask_all(&Panel::new(&sessions), |session| session.lookup(&query, None), |number, answer| {
///     told[number] = answer.as_ref().unwrap().to_string();
/// });
/// assert_eq!(told, ["Hello web", "Hello db", "Hello web"]);
/// assert_eq!(motd.different_answers(), 2);
/// ```
pub struct Panel<'p, 'h> {
    sessions: Vec<&'p Session<'h>>,
    /// All nodes, not asked yet.
    all: Vec<AskedNode>,
    columns: RefCell<Columns>,
}

/// What is known of the nodes: a number for each, by what was asked.
#[derive(Default)]
struct Columns {
    chains: HashMap<(usize, bool), ChainColumn, RandomState>,
    options: HashMap<Option<Str>, Vec<u32>, RandomState>,
    variables: HashMap<String, VariableColumn, RandomState>,
}

/// The node was not asked yet.
const UNASKED: u32 = u32::MAX;
/// What it answers is its own in any case.
const OWN: u32 = u32::MAX - 1;

/// The files that nodes have in a layer.
#[derive(Default)]
struct ChainColumn {
    /// The topmost link of each node, by its place; 0 where there is none.
    tops: Vec<u32>,
    /// All links with the places of those below them, which come before them.
    links: Vec<(u32, Arc<Link>)>,
    /// The places of links, by their numbers.
    places: HashMap<u32, u32, RandomState>,
    /// For the key that is asked for: the number of the list of files that hold it, up to each link.
    lists: Vec<u32>,
    /// Links on the way down.
    way: Vec<u32>,
}

/// The values that a variable has.
#[derive(Default)]
struct VariableColumn {
    codes: Vec<u32>,
    distinct: Vec<Observation>,
    known: HashMap<Observation, u32, RandomState>,
}

/// A node, by the number of its session, with what it was told last.
pub(super) type AskedNode = (u32, u32);

impl<'p, 'h> Panel<'p, 'h> {
    /// Takes nodes of one environment.
    pub fn new(sessions: impl IntoIterator<Item = &'p Session<'h>>) -> Self {
        let sessions: Vec<_> = sessions.into_iter().collect();
        let all = (0..u32::try_from(sessions.len()).unwrap_or(OWN)).map(|number| (0, number)).collect();
        Self { sessions, all, columns: RefCell::default() }
    }

    /// Returns how many nodes there are.
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Tells whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Returns all nodes, not asked yet.
    pub(super) fn all(&self) -> Vec<AskedNode> {
        self.all.clone()
    }

    /// Returns the session of a node.
    pub(super) fn session(&self, number: u32) -> &'p Session<'h> {
        self.sessions[number as usize]
    }

    /// Asks some nodes, and sorts them by what they are told: each gets a number for that.
    pub(super) fn ask(&self, about: &About, some: &mut [AskedNode]) {
        let mut columns = self.columns.borrow_mut();
        match about {
            About::Files { layer, is_default, root } => {
                let column = columns.chains.entry((*layer, *is_default)).or_default();
                column.tops.resize(self.len(), UNASKED);
                column.lists.clear();
                for (told, number) in some.iter_mut() {
                    let top = column.tops[*number as usize];
                    let top = if top == UNASKED { column.place(self, *number, about) } else { top };
                    *told = if top == OWN { OWN } else { column.list(root, top) };
                }
            }
            About::Options(module) => {
                let codes = columns.options.entry(module.clone()).or_default();
                codes.resize(self.len(), UNASKED);
                for (told, number) in some.iter_mut() {
                    let code = &mut codes[*number as usize];
                    if *code == UNASKED {
                        *code = match self.observe(*number, about) {
                            Some(Observation::Options(number)) => number,
                            _ => OWN,
                        };
                    }
                    *told = *code;
                }
            }
            About::Variable(variable) => {
                if !columns.variables.contains_key(&*variable.text) {
                    columns.variables.insert(variable.text.to_string(), VariableColumn::default());
                }
                let Some(column) = columns.variables.get_mut(&*variable.text) else { return };
                column.codes.resize(self.len(), UNASKED);
                for (told, number) in some.iter_mut() {
                    if column.codes[*number as usize] == UNASKED {
                        column.codes[*number as usize] =
                            self.observe(*number, about).map_or(OWN, |seen| column.code(seen));
                    }
                    *told = column.codes[*number as usize];
                }
            }
        }
        some.sort_unstable();
    }

    /// Does something with what a number means.
    pub(super) fn with_observation<R>(
        &self,
        about: &About,
        told: u32,
        body: impl FnOnce(&Observation) -> Option<R>,
    ) -> Option<R> {
        if told == OWN {
            return None;
        }
        match about {
            About::Files { .. } => body(&Observation::Files(told)),
            About::Options(_) => body(&Observation::Options(told)),
            About::Variable(variable) => {
                let columns = self.columns.borrow();
                body(columns.variables.get(&*variable.text)?.distinct.get(told as usize)?)
            }
        }
    }

    fn observe(&self, number: u32, about: &About) -> Option<Observation> {
        self.session(number).observing(|walk| walk.observe(about))
    }
}

impl ChainColumn {
    /// Finds out which files a node has.
    fn place(&mut self, panel: &Panel, number: u32, about: &About) -> u32 {
        let About::Files { layer, is_default, .. } = about else { return OWN };
        let chain = panel.session(number).chain(*layer, *is_default);
        let top = chain.map_or(OWN, |chain| self.place_of(chain.as_ref()));
        self.tops[number as usize] = top;
        top
    }

    /// Returns the place of a link; it and those below it get one if they have none.
    fn place_of(&mut self, chain: Option<&Arc<Link>>) -> u32 {
        let mut new = Vec::new();
        let (mut next, mut place) = (chain, 0);
        while let Some(link) = next {
            if let Some(known) = self.places.get(&link.id) {
                place = *known;
                break;
            }
            new.push(link);
            next = link.below.as_ref();
        }
        for link in new.into_iter().rev() {
            self.links.push((place, Arc::clone(link)));
            place = u32::try_from(self.links.len()).unwrap_or(OWN);
            self.places.insert(link.id, place);
        }
        place
    }

    /// Returns the number of the list of files that hold a key, up to a link. The lists of another key must be gone.
    fn list(&mut self, root: &Root, top: u32) -> u32 {
        if self.lists.len() <= self.links.len() {
            self.lists.resize(self.links.len() + 1, UNASKED);
            self.lists[0] = 0;
        }
        let mut place = top as usize;
        while self.lists[place] == UNASKED {
            self.way.push(u32::try_from(place).unwrap_or(OWN));
            place = self.links[place - 1].0 as usize;
        }
        let mut list = self.lists[place];
        while let Some(place) = self.way.pop() {
            list = root.files_above(list, &self.links[place as usize - 1].1);
            self.lists[place as usize] = list;
        }
        list
    }
}

impl VariableColumn {
    fn code(&mut self, seen: Observation) -> u32 {
        let next = u32::try_from(self.distinct.len()).unwrap_or(OWN);
        *self.known.entry(seen).or_insert_with_key(|seen| {
            self.distinct.push(seen.clone());
            next
        })
    }
}
