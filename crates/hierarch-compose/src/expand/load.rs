//! Includes: the files and URLs that directives bring in, each read once.

use std::sync::Arc;

use hierarch_source::{Error, Result};
use hierarch_yaml::Kind;

use super::{Expander, OpenTarget, Target};
use crate::directive::{Directive, parse_pointer};
use crate::forest::Val;
use crate::include::{LoadFailure, Location, MOST_INCLUDES};
use crate::issues;
use crate::select::{Condition, all_hold, conditions};

impl Expander<'_> {
    pub(super) fn included(&mut self, directive: &Directive, key: Val, value: Val) -> Result<Target> {
        let Some(request) = self.request(value)? else { return Ok(Target::Nothing) };
        let most = self.access.most_includes.unwrap_or(MOST_INCLUDES);
        if self.includes >= most {
            return Err(issues::too_many_includes(most));
        }
        self.includes += 1;
        let from = self.location_of(key);
        let (name, fragment) = request.file.split_once('#').unwrap_or((&request.file, ""));
        let fragment = Fragment::parse(fragment)?;
        let doc = match self.document(name, &from, fragment.document.as_deref()) {
            Ok(doc) => doc,
            Err(LoadFailure::Absent(_)) if directive.optional => return Ok(Target::Nothing),
            Err(LoadFailure::Absent(error) | LoadFailure::Failed(error)) => return Err(error),
        };
        let Some(root) = self.forest.root(doc) else { return Ok(Target::Nothing) };
        let mut part = match &directive.anchor {
            Some(name) => self.anchor_in(doc, name),
            None => Some(root),
        };
        part = part.and_then(|val| self.follow(val, &fragment.pointer));
        part = part.and_then(|val| self.follow(val, &directive.pointer));
        let Some(part) = part else {
            if directive.optional {
                return Ok(Target::Nothing);
            }
            let pointer = fragment.pointer.iter().chain(&directive.pointer).map(|part| format!("/{part}"));
            let reason = format!("Unresolvable JSON pointer: '{}'", pointer.collect::<String>());
            return Err(issues::unloadable(&request.file, &from.name(), &reason));
        };
        if request.raw {
            return Ok(Target::Found(part, None));
        }
        if self.including.contains(&doc) {
            return Err(self.include_loop(doc));
        }
        self.including.push(doc);
        Ok(Target::Found(part, Some(OpenTarget { file: true })))
    }

    pub(super) fn include_loop(&self, doc: u32) -> Error {
        let name = |doc: &u32| self.locations.get(doc).map_or_else(String::new, Location::name);
        let chain: Vec<String> = self.including.iter().chain([&doc]).map(name).collect();
        issues::include_cycle(&chain)
    }

    /// Reads the value of an include key; `None` if its condition does not hold.
    fn request(&self, value: Val) -> Result<Option<Request>> {
        let forest = &self.forest;
        let text = |val: Val| match forest.kind(val) {
            Kind::Scalar => forest.scalar(val).as_str().map(str::to_owned),
            _ => None,
        };
        if let Some(file) = text(value) {
            return Ok(Some(Request { file, raw: false }));
        }
        if !forest.is_map(value) {
            return Err(issues::invalid_include(&hierarch_yaml::brief(&forest.data(value))));
        }
        let Some(file) = forest.find_text(value, "file").and_then(text) else {
            return Err(issues::include_without_file());
        };
        let file = match forest.find_text(value, "repository") {
            None => file,
            Some(name) => self.in_repository(&file, text(name).as_deref())?,
        };
        let raw = forest.find_text(value, "merge").and_then(text).as_deref() == Some("raw");
        let when = forest.find_text(value, "when").and_then(text);
        let wanted = when.is_none_or(|variable| self.access.is_set(&variable));
        Ok(wanted.then_some(Request { file, raw }))
    }

    /// A file of a repository, by the folder that the repository stands for.
    fn in_repository(&self, file: &str, name: Option<&str>) -> Result<String> {
        let folder = name.and_then(|name| self.access.repositories.get(name));
        let folder = folder.ok_or_else(|| issues::unknown_repository(name.unwrap_or("?")))?;
        let (path, fragment) =
            file.split_once('#').map_or((file, String::new()), |(path, part)| (path, format!("#{part}")));
        let leaves = std::path::Path::new(path)
            .components()
            .any(|part| !matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir));
        if leaves {
            return Err(issues::outside_root(file, &folder.display().to_string()));
        }
        Ok(format!("{}{fragment}", folder.join(path).display()))
    }

    /// Loads one document of a file: the only one, or the one for which the conditions hold.
    fn document(
        &mut self,
        name: &str,
        from: &Location,
        chosen: Option<&[Condition]>,
    ) -> std::result::Result<u32, LoadFailure> {
        let location = self.located(name, from)?;
        if let Some(conditions) = chosen {
            return self.one_of_stream(&location, name, from, conditions);
        }
        if let Some(&doc) = self.loaded.get(&location) {
            self.note_anchors(doc);
            return Ok(doc);
        }
        let tree = self.access.load(self.files, &location, name, from)?;
        let doc = self.forest.plant(&tree).map_err(LoadFailure::Failed)?;
        self.loaded.insert(location.clone(), doc);
        self.locations.insert(doc, location);
        self.note_anchors(doc);
        Ok(doc)
    }

    /// Finds out where a name leads to, once.
    fn located(&mut self, name: &str, from: &Location) -> std::result::Result<Location, LoadFailure> {
        let key = (name.to_owned(), from.clone());
        if let Some(known) = self.located.get(&key) {
            return Ok(known.clone());
        }
        let location = self.access.locate(self.files, name, from)?;
        self.located.insert(key, location.clone());
        Ok(location)
    }

    fn one_of_stream(
        &mut self,
        location: &Location,
        name: &str,
        from: &Location,
        conditions: &[Condition],
    ) -> std::result::Result<u32, LoadFailure> {
        if !self.streams.contains_key(location) {
            let trees = self.access.load_stream(self.files, location, name, from)?;
            let docs = trees.iter().map(|tree| self.forest.plant(tree)).collect::<Result<Vec<u32>>>();
            self.streams.insert(location.clone(), docs.map_err(LoadFailure::Failed)?);
        }
        let mut found = Vec::new();
        for (place, &doc) in self.streams.get(location).into_iter().flatten().enumerate() {
            let root = self.forest.root(doc);
            let fits = root.map(|root| all_hold(conditions, &self.forest, root)).transpose();
            if fits.map_err(LoadFailure::Failed)? == Some(true) {
                found.push((place, doc));
            }
        }
        match found[..] {
            [(_, doc)] => {
                self.locations.insert(doc, location.clone());
                self.note_anchors(doc);
                Ok(doc)
            }
            [] => Err(LoadFailure::Absent(issues::unloadable(name, &from.name(), "no document is chosen"))),
            _ => {
                let places: Vec<usize> = found.iter().map(|(place, _)| *place).collect();
                Err(LoadFailure::Failed(issues::several_chosen(name, &places)))
            }
        }
    }

    /// Returns where a document came from.
    pub(crate) fn location(&self, doc: u32) -> Option<Location> {
        self.locations.get(&doc).cloned()
    }

    /// The file in which a directive stands.
    pub(super) fn location_of(&self, key: Val) -> Location {
        let doc = key.node().map_or(self.main.doc, |(doc, _)| doc);
        self.locations
            .get(&doc)
            .or_else(|| self.locations.get(&self.main.doc))
            .cloned()
            .unwrap_or_else(|| unreachable!("the main document has a location"))
    }

    pub(super) fn note_anchors(&mut self, doc: u32) {
        if !self.noted.insert(doc) {
            return;
        }
        let tree = Arc::clone(self.forest.tree(doc));
        for (name, node) in tree.anchors() {
            self.anchors.insert(name.to_owned(), self.forest.val(doc, node));
        }
    }

    fn anchor_in(&self, doc: u32, wanted: &str) -> Option<Val> {
        let tree = self.forest.tree(doc);
        let found = tree.anchors().filter(|&(name, _)| name == wanted).last();
        found.map(|(_, node)| self.forest.val(doc, node))
    }
}

/// What stands behind the `#` of an include: `[kind=Service]/spec`, `/a/b`, `a/b`.
struct Fragment {
    /// What must hold for the one document of a stream.
    document: Option<Vec<Condition>>,
    pointer: Vec<String>,
}

impl Fragment {
    fn parse(text: &str) -> Result<Self> {
        let (document, rest) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((inner, rest)) => (Some(conditions(inner)?), rest),
            None => (None, text),
        };
        let pointer = match rest.strip_prefix('/').unwrap_or(rest) {
            "" if !rest.starts_with('/') => Vec::new(),
            pointer => parse_pointer(pointer)?,
        };
        Ok(Self { document, pointer })
    }
}

struct Request {
    file: String,
    raw: bool,
}
