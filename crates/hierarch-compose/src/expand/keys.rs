//! Tables of keys while a document is walked: which list meets the one below by which key.

use std::sync::Arc;

use hierarch_source::Result;

use super::{Expander, Step};
use crate::directive::STRATEGY;
use crate::forest::Val;
use crate::include::LoadFailure;
use crate::issues;
use crate::keyed::{Header, KeyTable, POSITION};
use crate::merge::Strategy;

impl Expander<'_> {
    /// The table that a map declares for everything in it.
    pub(crate) fn declared_table(&mut self, map: Val) -> Result<Option<Arc<KeyTable>>> {
        if !self.forest.is_active(map) {
            return Ok(None);
        }
        let Some(value) = self.forest.find_text(map, STRATEGY) else { return Ok(None) };
        if !self.forest.is_map(value) || self.forest.strategy(map)? != Some(Strategy::Keys) {
            return Ok(None);
        }
        match self.forest.declared(value)? {
            Header::Table(name) => self.table(&name, value).map(Some),
            _ => Err(self.forest.place_error(issues::key_on_map(), value)),
        }
    }

    /// How a list meets the one below: what it says itself, else what a table around it says.
    pub(crate) fn list_header(&mut self, list: Val, written: Option<Header>) -> Result<Option<Header>> {
        match written {
            Some(Header::Table(name)) => {
                let table = self.table(&name, list)?;
                let back = self.steps_back();
                let found = table.own_header(back.iter().map(String::as_str));
                let missing = || issues::no_key_in_table(&name, &self.path_text());
                found.map(Some).ok_or_else(|| self.forest.place_error(missing(), list))
            }
            Some(written) => Ok(Some(written)),
            None => Ok(self.table_header()),
        }
    }

    /// What the tables around say about the list at the current path.
    pub(crate) fn table_header(&self) -> Option<Header> {
        self.tables.iter().rev().find_map(|table| self.header_in(table))
    }

    fn header_in(&self, table: &KeyTable) -> Option<Header> {
        table.header(self.steps_back().iter().map(String::as_str))
    }

    /// The current path as tables are asked about it, from its last step back.
    fn steps_back(&self) -> Vec<String> {
        self.path.iter().rev().map(|&step| self.table_step(step)).collect()
    }

    /// A step as patterns of tables see it: no key looks like a position.
    fn table_step(&self, step: Step) -> String {
        match step {
            Step::Key(key) => self.forest.text(key).into_owned(),
            Step::Index(_) => POSITION.into(),
        }
    }

    /// Finds a table by its name, or by a file beside the document in which it is named.
    fn table(&mut self, name: &str, at: Val) -> Result<Arc<KeyTable>> {
        let from = self.location_of(at);
        let known = (name.to_owned(), from);
        if let Some(table) = self.known_tables.get(&known) {
            return Ok(Arc::clone(table));
        }
        let table = match KeyTable::built_in(name) {
            Some(table) => table?,
            None => self.load_table(name, &known.1).map_err(|error| self.forest.place_error(error, at))?,
        };
        let table = Arc::new(table);
        self.known_tables.insert(known, Arc::clone(&table));
        Ok(table)
    }

    fn load_table(&self, name: &str, from: &crate::include::Location) -> Result<KeyTable> {
        let problem = |unloaded| match unloaded {
            LoadFailure::Absent(error) | LoadFailure::Failed(error) => error,
        };
        let location = self.access.locate(self.files, name, from).map_err(problem)?;
        let tree = self.access.load(self.files, &location, name, from).map_err(problem)?;
        KeyTable::of_tree(&tree)
    }
}
