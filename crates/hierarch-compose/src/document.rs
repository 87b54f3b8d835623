//! A document with merge directives: opened, expanded, edited, saved.

use std::path::Path;

use hierarch_source::{Error, Files, Result, nearest};
use hierarch_yaml::{Data, Kind};

use crate::edit::segments;
use crate::expand::{Expander, Main};
use crate::forest::{Forest, Val};
use crate::include::{Access, Location};
use crate::issues;
use crate::restore::KeyRename;

/// A document and what it expands to.
pub struct Document<'a> {
    pub(crate) expander: Expander<'a>,
    pub(crate) value: Val,
    pub(crate) edited: Option<Val>,
    /// The keys that edits gave other names.
    pub(crate) renamed: Vec<KeyRename>,
    /// The numbers of texts that are only data to be saved.
    pub(crate) planted: Vec<u32>,
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
        Self::of_tree(files, access, location, Main { tree, any_top: false, traces })
    }

    pub(crate) fn of_tree(
        files: &'a dyn Files,
        access: &'a Access<'a>,
        location: Location,
        main: Main,
    ) -> Result<Self> {
        let mut expander = Expander::new(files, access, location, main)?;
        let value = expander.run()?;
        expander.remember();
        expander.forest.refill();
        Ok(Self { expander, value, edited: None, renamed: Vec::new(), planted: Vec::new() })
    }

    /// Returns the expanded document.
    pub fn value(&self) -> Val {
        self.value
    }

    /// Returns what values are asked through.
    pub fn forest(&self) -> &Forest {
        &self.expander.forest
    }

    /// Returns the value at a JSON pointer of the expansion.
    pub fn at(&self, pointer: &str) -> Result<Val> {
        self.within(self.value, pointer)
    }

    /// Returns the value at a JSON pointer of any value.
    pub fn within(&self, value: Val, pointer: &str) -> Result<Val> {
        let segments = segments(pointer)?;
        self.expander.follow(value, &segments).ok_or_else(|| self.missing(value, pointer, &segments))
    }

    /// Nothing is at a pointer: said at the deepest place on the way that is there, with what may be meant.
    pub(crate) fn missing(&self, value: Val, pointer: &str, segments: &[String]) -> Error {
        let forest = self.forest();
        let (mut at, mut depth, mut place) = (value, 0, forest.place(value));
        while let Some(next) = segments.get(depth).and_then(|segment| forest.child(at, segment)) {
            (at, depth) = (next, depth + 1);
            place = forest.place(at).or(place);
        }
        let mut error = issues::no_such_place(pointer);
        if let Some(place) = place {
            error = error.at(&place.source, place.span);
        }
        if depth < segments.len() && forest.kind(at) == Kind::Scalar && !forest.is_null(at) {
            return error.note(issues::nothing_below_a_scalar(&segments[..depth], &forest.line(at)));
        }
        let Some(segment) = segments.get(depth).filter(|_| forest.kind(at) == Kind::Map) else {
            return error;
        };
        let keys: Vec<String> = forest.entries(at).map(|(key, _)| forest.text(key).into_owned()).collect();
        match nearest(segment, keys.iter().map(String::as_str)).first() {
            Some(near) => error.note(issues::did_you_mean(&segments[..depth], near)),
            None => error,
        }
    }

    /// Returns what is at a JSON pointer of the expansion as it has been edited so far.
    pub fn edited_at_pointer(&self, pointer: &str) -> Option<Val> {
        self.within(self.edited.unwrap_or(self.value), pointer).ok()
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
