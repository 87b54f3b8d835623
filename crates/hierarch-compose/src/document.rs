//! A document with merge directives: opened, expanded, edited, saved.

use std::path::Path;

use hierarch_source::{Error, Files, Result};
use hierarch_yaml::{Data, Kind};

use crate::directive::parse_pointer;
use crate::expand::Expander;
use crate::forest::{Forest, Val};
use crate::include::Access;
use crate::issues;

/// A document and what it expands to.
pub struct Document<'a> {
    pub(crate) expander: Expander<'a>,
    pub(crate) value: Val,
    edited: Option<Val>,
}

impl<'a> Document<'a> {
    /// Reads a document and expands it.
    ///
    /// ```
    /// use std::path::Path;
    /// use hierarch_compose::{Access, Document};
    /// use hierarch_source::MemoryFiles;
    ///
    /// let files = MemoryFiles::from([("main.yaml", "base: {x: 1}\nuse: {+/base: , y: 2}\n")]);
    /// let access = Access::default();
    /// let document = Document::open(&files, Path::new("main.yaml"), &access)?;
    /// assert_eq!(hierarch_yaml::brief(&document.data()), "{base: {x: 1}, use: {y: 2, x: 1}}");
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn open(files: &'a dyn Files, path: &Path, access: &'a Access<'a>) -> Result<Self> {
        Self::load(files, path, access, false)
    }

    /// Reads and expands, keeping for every value the directives it came through.
    pub fn open_traced(files: &'a dyn Files, path: &Path, access: &'a Access<'a>) -> Result<Self> {
        Self::load(files, path, access, true)
    }

    fn load(files: &'a dyn Files, path: &Path, access: &'a Access<'a>, traces: bool) -> Result<Self> {
        let (location, tree) = access.open(files, path)?;
        let mut expander = Expander::new(files, access, location, &tree, traces)?;
        let value = expander.run()?;
        expander.remember();
        expander.forest.refill();
        Ok(Self { expander, value, edited: None })
    }

    /// Returns the expanded document.
    pub fn value(&self) -> Val {
        self.value
    }

    /// Returns what values are asked through.
    pub fn forest(&self) -> &Forest {
        &self.expander.forest
    }

    /// Returns the expanded document with one place set, or deleted; `-` in a list is the place behind its end.
    pub fn with(&mut self, pointer: &str, value: Option<Data>) -> Result<Val> {
        let segments = match pointer.strip_prefix('/') {
            Some(rest) => parse_pointer(rest)?,
            None if pointer.is_empty() => Vec::new(),
            None => return Err(issues::no_such_place(pointer)),
        };
        let value = value.map(|data| self.expander.forest.grow(&data)).transpose()?;
        self.replaced(self.edited.unwrap_or(self.value), &segments, value).map_err(|error| match error {
            Some(error) => error,
            None => issues::no_such_place(pointer),
        })
    }

    fn replaced(
        &mut self,
        at: Val,
        path: &[String],
        new: Option<Val>,
    ) -> std::result::Result<Val, Option<Error>> {
        let [segment, rest @ ..] = path else { return new.ok_or(None) };
        match self.forest().kind(at) {
            Kind::Map => self.replaced_entry(at, segment, rest, new),
            Kind::List => self.replaced_item(at, segment, rest, new),
            _ => Err(None),
        }
    }

    fn replaced_entry(
        &mut self,
        map: Val,
        segment: &str,
        rest: &[String],
        new: Option<Val>,
    ) -> std::result::Result<Val, Option<Error>> {
        let mut entries: Vec<(Val, Val)> = self.forest().entries(map).collect();
        let found = self.forest().child(map, segment);
        let place = found.and_then(|value| {
            let forest = self.forest();
            entries.iter().position(|&(key, known)| known == value && forest.text(key) == segment)
        });
        match (place, rest.is_empty()) {
            (Some(place), true) if new.is_none() => {
                entries.remove(place);
            }
            (Some(place), _) => entries[place].1 = self.replaced(entries[place].1, rest, new)?,
            (None, true) => {
                let key = self.expander.forest.grow(&Data::text(segment)).map_err(Some)?;
                entries.push((key, new.ok_or(None)?));
            }
            (None, false) => return Err(None),
        }
        self.expander.forest.map(entries, None).map_err(Some)
    }

    fn replaced_item(
        &mut self,
        list: Val,
        segment: &str,
        rest: &[String],
        new: Option<Val>,
    ) -> std::result::Result<Val, Option<Error>> {
        let mut items: Vec<Val> = self.forest().items(list).collect();
        let place = if segment == "-" { items.len() } else { segment.parse().map_err(|_| None)? };
        match (place < items.len(), rest.is_empty()) {
            (true, true) if new.is_none() => {
                items.remove(place);
            }
            (true, _) => items[place] = self.replaced(items[place], rest, new)?,
            (false, true) if place == items.len() => items.push(new.ok_or(None)?),
            _ => return Err(None),
        }
        self.expander.forest.list(items, None).map_err(Some)
    }

    /// Returns the value at a JSON pointer of the expansion.
    pub fn at(&self, pointer: &str) -> Result<Val> {
        let missing = || issues::no_such_place(pointer);
        let segments = match pointer.strip_prefix('/') {
            Some(rest) => parse_pointer(rest)?,
            None if pointer.is_empty() => Vec::new(),
            None => return Err(missing()),
        };
        self.expander.follow(self.value, &segments).ok_or_else(missing)
    }

    /// Goes on from an edited expansion: the next [`Document::with`] edits it further.
    pub fn edit_further(&mut self, edited: Val) {
        self.edited = Some(edited);
    }

    /// Returns the text of the document as it was read.
    pub fn text(&self) -> &str {
        self.forest().tree(0).source().text()
    }

    /// Returns the expanded document as data.
    pub fn data(&self) -> Data {
        self.forest().data(self.value)
    }
}
