//! Lists in a save: items are recognised by what they are, not by where they stand.

use hierarch_yaml::{Change, Item, Kind, NodeId};

use rustc_hash::FxHashSet;

use super::PlanFailure;
use super::express::Piece;
use super::plan::{Aim, Planner};
use crate::expand::{Expansion, Step};
use crate::forest::{Forest, Val};
use crate::keyed::Header;

/// What one written item stands for in the expansion.
struct Run {
    values: Vec<Val>,
    /// It brings a list's items in its place.
    spliced: bool,
    /// It cannot stay as it is, whatever it stands for.
    given_up: bool,
}

impl Planner<'_, '_> {
    pub(super) fn plan_list(&mut self, node: NodeId, aim: Aim) -> Result<Change, PlanFailure> {
        if self.expander.forest.kind(aim.wanted) != Kind::List {
            return self.rewrite(node, aim);
        }
        let below = aim.below.filter(|&below| self.expander.forest.kind(below) == Kind::List);
        let (header, is_written) = self.list_header(node)?;
        let skip = usize::from(is_written);
        let Some(below) = below else {
            let runs = self.runs(node, skip)?;
            let pieces: Vec<Piece> = self.expander.forest.items(aim.wanted).map(Piece::Value).collect();
            return self.plan_items(node, &runs, &pieces);
        };
        if let Some(Header::Match(by)) = &header {
            match self.plan_keyed(node, (below, aim), by, skip) {
                Err(PlanFailure::Here) => {}
                other => return other,
            }
        }
        let mut runs = self.runs(node, skip)?;
        let pieces = match &header {
            Some(Header::Replace) => Ok(self.expander.forest.items(aim.wanted).map(Piece::Value).collect()),
            Some(_) => Err(PlanFailure::Here),
            None => self.own_items(below, aim.wanted, &runs),
        };
        let pieces = match pieces {
            Err(PlanFailure::Here) => {
                // The header and the marks, too, are written anew.
                let is_mark = |run: &&mut Run| header.is_some() && run.values.is_empty();
                runs.iter_mut().filter(is_mark).for_each(|run| run.given_up = true);
                self.pieces_with_header((below, aim.wanted), header.as_ref(), is_written)?
            }
            other => other?,
        };
        self.plan_items(node, &runs, &pieces)
    }

    /// The items a list under a key must have, so that merged with the list below it gives what is wanted.
    fn own_items(&mut self, below: Val, wanted: Val, runs: &[Run]) -> Result<Vec<Piece>, PlanFailure> {
        let forest = &mut self.expander.forest;
        let own: Vec<Val> = runs.iter().flat_map(|run| run.values.iter().copied()).collect();
        let own_list = forest.list(own.clone(), None)?;
        let merged = forest.merge_lists(below, own_list).map_err(|_| PlanFailure::Here)?;
        let count = forest.len(merged);
        let prefix = count <= forest.len(wanted)
            && (0..count).all(|index| forest.same(forest.item(merged, index), forest.item(wanted, index)));
        if prefix {
            // What is written stays; what is new goes behind it.
            let mut extended = own;
            extended.extend((count..forest.len(wanted)).map(|index| forest.item(wanted, index)));
            let extended_list = forest.list(extended.clone(), None)?;
            let result = forest.merge_lists(below, extended_list)?;
            if forest.same(result, wanted) {
                return Ok(extended.into_iter().map(Piece::Value).collect());
            }
        }
        let mut trail = self.trail();
        self.expander.forest.express_list(below, wanted, &mut trail)
    }

    /// What the written items stand for.
    fn runs(&mut self, list: NodeId, skip: usize) -> Result<Vec<Run>, PlanFailure> {
        let items = self.tree().children(list).to_vec();
        let mut runs = Vec::with_capacity(items.len());
        for (index, item) in items.into_iter().enumerate() {
            // A header stands for nothing.
            runs.push(if index < skip {
                Run { values: Vec::new(), spliced: true, given_up: false }
            } else {
                self.run(item, index)?
            });
        }
        Ok(runs)
    }

    fn run(&mut self, item: NodeId, index: usize) -> Result<Run, PlanFailure> {
        let given_up = self.given_up.contains(&item);
        if self.tree().kind(item) == Kind::Alias {
            let value = self.alias_value(item);
            return Ok(Run {
                values: vec![value.unwrap_or(self.val(item))],
                spliced: false,
                given_up: value.is_none(),
            });
        }
        let value = self.val(item);
        // What an alias in it names may be another value now than the one that was read.
        let is_stale = self.tree().has_alias(item) && !self.has_same_sources(item)?;
        let given_up = given_up || is_stale || self.dangles(item);
        if !self.expander.forest.is_active(value) {
            return Ok(Run { values: vec![value], spliced: false, given_up });
        }
        let known = self.expander.items_before.get(&item).copied();
        let walked = match known {
            Some(walked) if self.has_same_sources(item)? => Ok(walked),
            _ => {
                self.expander.path.push(Step::Index(index));
                let walked = self.walk_edited(value);
                self.expander.path.pop();
                walked
            }
        };
        // What cannot be expanded any more has to be written anew.
        let (walked, given_up) = match (walked, known) {
            (Err(_), Some(known)) => (Ok(known), true),
            (walked, _) => (walked, given_up),
        };
        let forest = &mut self.expander.forest;
        let (values, spliced) = match walked {
            Ok(Expansion::Value(value)) => (forest.clean(value)?.into_iter().collect(), false),
            Ok(Expansion::Splice(list)) => {
                let list = forest.clean(list)?;
                (list.map(|list| forest.items(list).collect()).unwrap_or_default(), true)
            }
            Ok(Expansion::Absent) | Err(_) => (Vec::new(), true),
        };
        Ok(Run { values, spliced, given_up })
    }

    /// Makes the list hold exactly the pieces, with as many old items as possible.
    fn plan_items(&mut self, list: NodeId, runs: &[Run], pieces: &[Piece]) -> Result<Change, PlanFailure> {
        let nodes = self.tree().children(list).to_vec();
        let wanted: Vec<Val> = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Value(value) => Ok(*value),
                Piece::Data(data) => self.expander.forest.grow(data),
            })
            .collect::<hierarch_source::Result<_>>()?;
        let seats = seat_runs(&self.expander.forest, runs, &wanted);
        let mut items = Vec::with_capacity(pieces.len());
        let mut next = 0;
        let mut waiting: Vec<usize> = Vec::new();
        let mut idle: Vec<usize> = Vec::new();
        for (index, seat) in seats.iter().enumerate() {
            match seat {
                None => waiting.push(index),
                Some(_) if runs[index].values.is_empty() => {
                    self.place.push(next.to_string());
                    self.note_sites(nodes[index]);
                    self.place.pop();
                    idle.push(index);
                }
                Some(start) => {
                    let first = items.len();
                    self.fill_gap(&nodes, runs, &waiting, (next, *start), (pieces, &wanted), &mut items)?;
                    put_idle(&mut items, first, &idle);
                    waiting.clear();
                    idle.clear();
                    self.place.push(start.to_string());
                    self.note_sites(nodes[index]);
                    self.place.pop();
                    items.push(Item::Old(index, Change::Keep));
                    next = start + runs[index].values.len();
                }
            }
        }
        let first = items.len();
        self.fill_gap(&nodes, runs, &waiting, (next, pieces.len()), (pieces, &wanted), &mut items)?;
        put_idle(&mut items, first, &idle);
        Ok(Change::of_items(items, nodes.len()))
    }

    /// Between two items that stay: old items that go are paired with new ones of their kind.
    #[allow(clippy::too_many_arguments)] // the state of one loop, used here only
    fn fill_gap(
        &mut self,
        nodes: &[NodeId],
        runs: &[Run],
        gone: &[usize],
        (from, to): (usize, usize),
        (pieces, wanted): (&[Piece], &[Val]),
        items: &mut Vec<Item>,
    ) -> Result<(), PlanFailure> {
        let first = items.len();
        let mut free: Vec<usize> = gone
            .iter()
            .copied()
            .filter(|&index| runs[index].values.len() == 1 && !runs[index].spliced)
            .collect();
        free.reverse();
        for at in from..to {
            let fits = |planner: &Self, index: usize| {
                let old = planner.expander.forest.kind(runs[index].values[0]);
                old == planner.expander.forest.kind(wanted[at])
            };
            // Items must stay in order, so an old item that does not fit is passed over for good.
            let rest = to - at;
            while free.len() > rest && free.last().is_some_and(|&index| !fits(self, index)) {
                free.pop();
            }
            let paired = free.last().copied().filter(|&index| fits(self, index) || free.len() >= rest);
            match paired {
                Some(index) => {
                    free.pop();
                    let change =
                        self.plan_item(nodes[index], &runs[index], &pieces[at], wanted[at], at, index)?;
                    items.push(Item::Old(index, change));
                }
                None => items.push(Item::New(self.piece_data(&pieces[at])?)),
            }
        }
        let stays = items[first..].iter().filter_map(|item| match item {
            Item::Old(index, _) => Some(*index),
            Item::New(_) => None,
        });
        let stays: FxHashSet<usize> = stays.collect();
        for &index in gone.iter().filter(|index| !stays.contains(index)) {
            self.lose(nodes[index], true);
        }
        Ok(())
    }

    fn piece_data(&self, piece: &Piece) -> Result<hierarch_yaml::Data, PlanFailure> {
        match piece {
            Piece::Value(value) => self.expander.forest.written_out(*value),
            Piece::Data(data) => Ok(data.clone()),
        }
    }

    fn plan_item(
        &mut self,
        node: NodeId,
        run: &Run,
        piece: &Piece,
        wanted: Val,
        at: usize,
        index: usize,
    ) -> Result<Change, PlanFailure> {
        if let Piece::Data(data) = piece {
            self.lose(node, false);
            return Ok(Change::Set(data.clone()));
        }
        self.place.push(at.to_string());
        self.expander.path.push(Step::Index(index));
        let before = run.values.first().copied();
        let steady = self.has_same_sources(node).unwrap_or(false);
        let planned = self.plan(node, Aim { wanted, before, below: None, steady });
        self.expander.path.pop();
        self.place.pop();
        planned
    }
}

/// Puts items that stand for nothing, headers and marks, back behind the old items that they stood behind.
fn put_idle(items: &mut Vec<Item>, first: usize, idle: &[usize]) {
    for &index in idle {
        let is_before = |item: &Item| matches!(item, Item::Old(old, _) if *old < index);
        let at = items[first..].iter().rposition(is_before).map_or(first, |at| first + at + 1);
        items.insert(at, Item::Old(index, Change::Keep));
    }
}

/// Finds for every run where in the wanted list it stands unbroken; `None` if it does not.
fn seat_runs(forest: &Forest, runs: &[Run], wanted: &[Val]) -> Vec<Option<usize>> {
    let flat: Vec<(usize, Val)> = runs
        .iter()
        .enumerate()
        .flat_map(|(index, run)| run.values.iter().map(move |&value| (index, value)))
        .collect();
    let old: Vec<u64> = flat.iter().map(|&(_, value)| forest.hash(value)).collect();
    let new: Vec<u64> = wanted.iter().map(|&value| forest.hash(value)).collect();
    let pairs = common(&old, &new);
    let mut partner = vec![None; flat.len()];
    for (a, b) in pairs {
        if forest.same(flat[a].1, wanted[b]) {
            partner[a] = Some(b);
        }
    }
    let mut seats = Vec::with_capacity(runs.len());
    let mut at = 0;
    let mut floor = 0;
    for run in runs {
        let length = run.values.len();
        let unbroken = match partner[at..at + length].first() {
            _ if run.given_up => None,
            Some(Some(start)) => {
                let whole = (0..length).all(|offset| partner[at + offset] == Some(start + offset));
                whole.then_some(*start)
            }
            Some(None) => None,
            // What stands for nothing stays where it is.
            None => Some(floor),
        };
        if let Some(start) = unbroken {
            floor = start + length;
        }
        seats.push(unbroken);
        at += length;
    }
    seats
}

/// The longest common subsequence of two lists, as pairs of positions.
fn common(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_core, new_core) = (&old_rest[..old_rest.len() - tail], &new_rest[..new_rest.len() - tail]);
    let mut pairs: Vec<(usize, usize)> = (0..head).map(|index| (index, index)).collect();
    pairs.extend(common_core(old_core, new_core).into_iter().map(|(a, b)| (a + head, b + head)));
    pairs.extend((0..tail).map(|back| (old.len() - tail + back, new.len() - tail + back)));
    pairs
}

/// The table of the textbook; a very large one is not worth its memory, then nothing more is common.
fn common_core(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    if old.is_empty() || new.is_empty() || old.len() * new.len() > 4_000_000 {
        return Vec::new();
    }
    let width = new.len() + 1;
    let mut lengths = vec![0u32; (old.len() + 1) * width];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            lengths[a * width + b] = if old[a] == new[b] {
                lengths[(a + 1) * width + b + 1] + 1
            } else {
                lengths[(a + 1) * width + b].max(lengths[a * width + b + 1])
            };
        }
    }
    let (mut a, mut b) = (0, 0);
    let mut pairs = Vec::new();
    while a < old.len() && b < new.len() {
        if old[a] == new[b] {
            pairs.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if lengths[(a + 1) * width + b] >= lengths[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    pairs
}
