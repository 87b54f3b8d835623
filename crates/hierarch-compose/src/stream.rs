//! Streams: texts with several documents, each opened and saved by itself.

use std::path::Path;
use std::sync::Arc;

use hierarch_source::{Files, Result, Source};
use hierarch_yaml::Kind;
use rustc_hash::FxHashMap;

use crate::document::Document;
use crate::expand::Main;
use crate::include::{Access, Location, parse, parts};
use crate::issues;
use crate::select::{Condition, all_hold, conditions};

/// A text and its documents.
pub struct Stream {
    location: Location,
    text: Arc<Source>,
    parts: Vec<Arc<Source>>,
}

/// Which documents of a stream are meant.
#[derive(Clone, Debug)]
pub enum Choice {
    /// All of them.
    All,
    /// The one at a position, from the end if negative.
    Position(i64),
    /// Those for which something holds.
    Where(Vec<Condition>),
}

impl Choice {
    /// Reads `*`, a position, or what must hold: `0`, `-1`, `kind=Deployment,metadata.name=web`.
    pub fn parse(text: &str) -> Result<Self> {
        if text == "*" {
            return Ok(Self::All);
        }
        match text.parse() {
            Ok(position) => Ok(Self::Position(position)),
            Err(_) => conditions(text).map(Self::Where),
        }
    }
}

impl Stream {
    /// Reads a text.
    ///
    /// ```
    /// use std::path::Path;
    /// use hierarch_compose::{Access, Choice, Stream};
    /// use hierarch_source::MemoryFiles;
    ///
    /// let files = MemoryFiles::from([("all.yaml", "kind: A\n---\nkind: B\nx: 1\n")]);
    /// let access = Access::default();
    /// let stream = Stream::open(&files, Path::new("all.yaml"), &access)?;
    /// let chosen = stream.chosen(&files, &access, &Choice::parse("kind=B")?)?;
    /// assert_eq!(chosen, [1]);
    /// let document = stream.document(&files, &access, 1)?;
    /// assert_eq!(hierarch_yaml::brief(&document.data()), "{kind: B, x: 1}");
    /// # Ok::<(), hierarch_source::Error>(())
    /// ```
    pub fn open(files: &dyn Files, path: &Path, access: &Access) -> Result<Self> {
        let (location, text) = access.open_text(files, path)?;
        let parts = parts(&text, access);
        Ok(Self { location, text, parts })
    }

    /// Tells how many documents there are.
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Tells whether there is no document; a text has at least one, which may be empty.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        self.text.text()
    }

    /// Returns the text of one document, with the separator before it.
    pub fn part(&self, place: usize) -> Option<&str> {
        self.parts.get(place).map(|part| part.text())
    }

    /// Returns the texts of all documents.
    pub fn sources(&self) -> &[Arc<Source>] {
        &self.parts
    }

    /// Tells whether a document has no content.
    pub fn is_blank(&self, place: usize) -> bool {
        self.part(place).is_none_or(|part| {
            let mut lines = part.lines().map(|line| line.trim_start_matches('\u{feff}').trim());
            lines.all(|line| line.is_empty() || line.starts_with('#') || line == "---" || line == "...")
        })
    }

    /// Opens one document; its top may be anything.
    pub fn document<'a>(
        &self,
        files: &'a dyn Files,
        access: &'a Access<'a>,
        place: usize,
    ) -> Result<Document<'a>> {
        self.load(files, access, place, false)
    }

    /// Opens one document, keeping for every value the directives it came through.
    pub fn traced<'a>(
        &self,
        files: &'a dyn Files,
        access: &'a Access<'a>,
        place: usize,
    ) -> Result<Document<'a>> {
        self.load(files, access, place, true)
    }

    fn load<'a>(
        &self,
        files: &'a dyn Files,
        access: &'a Access<'a>,
        place: usize,
        traces: bool,
    ) -> Result<Document<'a>> {
        let missing = || {
            issues::no_such_document(&self.location.name(), &self.parts.len().to_string(), &place.to_string())
        };
        let part = self.parts.get(place).ok_or_else(missing)?;
        let tree = Arc::new(parse(part, access)?);
        // Only a map can stand for something else, by the directives at its top.
        let is_map = tree.root().is_none_or(|root| tree.kind(root) == Kind::Map);
        let any_top = self.parts.len() > 1 || !is_map;
        Document::of_tree(files, access, self.location.clone(), Main { tree, any_top, traces })
    }

    /// Finds the documents that are meant, by what they expand to.
    pub fn chosen(&self, files: &dyn Files, access: &Access, choice: &Choice) -> Result<Vec<usize>> {
        match choice {
            Choice::All => Ok((0..self.len()).collect()),
            Choice::Position(position) => {
                let place = match usize::try_from(*position) {
                    Ok(place) => Some(place),
                    Err(_) => self.len().checked_sub(position.unsigned_abs() as usize),
                };
                let missing = || {
                    let (count, wanted) = (self.len().to_string(), position.to_string());
                    issues::no_such_document(&self.location.name(), &count, &wanted)
                };
                place.filter(|&place| place < self.len()).map(|place| vec![place]).ok_or_else(missing)
            }
            Choice::Where(conditions) => {
                let mut chosen = Vec::new();
                for place in (0..self.len()).filter(|&place| !self.is_blank(place)) {
                    let document = self.document(files, access, place)?;
                    if all_hold(conditions, document.forest(), document.value())? {
                        chosen.push(place);
                    }
                }
                Ok(chosen)
            }
        }
    }

    /// Returns the whole text with other texts for some of its documents; all other bytes are as they were.
    pub fn with(&self, changed: &[(usize, String)]) -> String {
        let mut text = String::with_capacity(self.text.text().len() + 64);
        let changed: FxHashMap<usize, &String> = changed.iter().map(|(place, new)| (*place, new)).collect();
        for (place, part) in self.parts.iter().enumerate() {
            text.push_str(changed.get(&place).map_or(part.text(), |new| new.as_str()));
        }
        text
    }
}
