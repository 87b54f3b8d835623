//! `include file("x.conf")`: the assignments of another file, as if they stood here.
//!
//! A name without `file()` is relative to the file it stands in. The text of a data file is handed over without its
//! name, so there such an include finds nothing, and nobody complains: as in the reference.

use std::cell::Cell;
use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::{Files, Source};

use super::parse::{self, Expression, NotHocon, Object, ParseResult, Parser, PlacedValue};
use crate::backend::json;
use crate::issues::hocon as words;
use crate::path;
use crate::settings::LARGEST_FILE;

/// Files inside files; the reference's own limit.
const DEPTH: usize = 50;

/// Where a text comes from, and how its includes are read.
pub(super) struct Place<'a> {
    pub(super) files: Option<&'a dyn Files>,
    /// The text with its path; none for the data file itself.
    pub(super) source: Option<Arc<Source>>,
    pub(super) depth: usize,
    /// How many collections are open around the include.
    pub(super) outside: usize,
    /// How many more files may be included, by whichever file.
    pub(super) left: &'a Cell<usize>,
}

/// Files that one file may include, directly or not: two that include each other twice would be read without end.
pub(super) const MOST_FILES: usize = 1000;

impl Place<'_> {
    /// Returns what messages call the text.
    pub(super) fn label(&self) -> &str {
        self.source.as_ref().map_or("String", |source| path_of(source))
    }
}

impl Parser<'_> {
    /// Tells whether an include comes next: the bare word, not a key that begins with it.
    pub(super) fn is_include(&self) -> bool {
        let after = self.rest().strip_prefix("include");
        after.is_some_and(|after| after.is_empty() || after.starts_with(parse::ends_text))
    }

    /// Adds the assignments of the file that is named here.
    pub(super) fn include(&mut self, object: &mut Object) -> ParseResult<()> {
        let line = self.line();
        self.at += "include".len();
        self.skip_lines();
        let included = match self.peek() {
            Some('"') => {
                let name = self.quoted()?;
                self.included_beside(&name, line)?
            }
            Some(c) if !parse::ends_text(c) => {
                let (kind, name) = self.call()?;
                match kind {
                    "file(" => self.included_file(&name)?,
                    "url(" => return Err(self.say(line, &words::bad_url(&name))),
                    _ => return Err(self.say(line, words::NO_CLASSPATH)),
                }
            }
            _ => return Err(self.unexpected(words::NO_NAME)),
        };
        let has_substitutions = included.0.values().flatten().any(|value| !value.is_plain());
        if self.lists > 0 && has_substitutions {
            return Err(self.say(line, words::INCLUDE_IN_LIST));
        }
        object.add(included.below(&self.within));
        Ok(())
    }

    /// Reads `file("name")`.
    fn call(&mut self) -> ParseResult<(&'static str, String)> {
        let token = self.token();
        let known = ["file(", "url(", "classpath("].into_iter().find(|kind| *kind == token);
        let Some(kind) = known else { return Err(self.unexpected(words::NO_PARAMETER)) };
        self.at += kind.len();
        self.skip_lines();
        if self.peek() != Some('"') {
            return Err(self.unexpected(words::NO_QUOTED_NAME));
        }
        let name = self.quoted()?;
        self.skip_lines();
        if self.token() != ")" {
            return Err(self.unexpected(words::NO_CLOSE_PARENTHESIS));
        }
        self.at += 1;
        Ok((kind, name))
    }

    fn included_beside(&self, name: &str, line: usize) -> ParseResult<Object> {
        if name.contains("://") {
            return Err(self.say(line, &words::bad_url(name)));
        }
        match &self.place.source {
            Some(source) => self.included_file(&path::join(path::parent(path_of(source)), name)),
            None => Ok(Object::default()),
        }
    }

    /// Reads a file; without an ending, `.conf` over `.json`. What is not there is nothing.
    fn included_file(&self, name: &str) -> ParseResult<Object> {
        let Some(files) = self.place.files else { return Err(words::NO_FILES.to_owned().into()) };
        if [".conf", ".json"].iter().any(|end| name.ends_with(end)) {
            return self.read(files, name);
        }
        let mut object = self.read(files, &format!("{name}.json"))?;
        object.add(self.read(files, &format!("{name}.conf"))?);
        Ok(object)
    }

    fn read(&self, files: &dyn Files, path: &str) -> ParseResult<Object> {
        if self.place.depth >= DEPTH {
            return Err(words::too_many_includes(path, DEPTH).into());
        }
        let left = self.place.left.get().checked_sub(1);
        self.place.left.set(left.ok_or_else(|| words::too_many_files(path, MOST_FILES))?);
        let bytes = match files.read_at_most(path.as_ref(), LARGEST_FILE) {
            Ok(bytes) => bytes,
            Err(_) if files.kind(path.as_ref()).is_none() => return Ok(Object::default()),
            Err(error) => return Err(words::unreadable(path, &error).into()),
        };
        let source = Source::new(path, String::from_utf8_lossy(&bytes).into_owned());
        if path.ends_with(".json") {
            return of_json(&source);
        }
        let place = Place {
            files: Some(files),
            source: Some(Arc::clone(&source)),
            depth: self.place.depth + 1,
            outside: self.opened(),
            left: self.place.left,
        };
        parse::parse(source.text(), &place)
    }
}

fn path_of(source: &Source) -> &str {
    source.name().unwrap_or_default()
}

fn of_json(source: &Arc<Source>) -> ParseResult<Object> {
    let value = json::parse(source.text()).map_err(|problem| {
        let words = format!("{}: 1: {}", path_of(source), problem.words());
        NotHocon { words, at: Some((problem.at(), Some(Arc::clone(source)))) }
    })?;
    let marks = json::marks(source.text());
    let mut reader = FromJson { source, marks: &marks, path: Vec::new() };
    match reader.placed(&value).node {
        Expression::Object(object) => Ok(object),
        _ => Err(words::no_object(path_of(source)).into()),
    }
}

struct FromJson<'a> {
    source: &'a Arc<Source>,
    marks: &'a crate::marks::Marks,
    path: Vec<Value>,
}

impl FromJson<'_> {
    fn placed(&mut self, value: &Value) -> PlacedValue {
        let (start, end) = self.marks.at(&self.path).map_or((0, 0), |mark| (mark.start, mark.end));
        let node = match value {
            Value::Undef => Expression::Null,
            Value::Boolean(truth) => Expression::Bool(*truth),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                Expression::List(items.map(|(index, item)| self.below(Value::from(index), item)).collect())
            }
            Value::Hash(hash) => {
                let entries = hash.iter();
                let entries =
                    entries.map(|(key, value)| (key.to_string(), vec![self.below(key.clone(), value)]));
                Expression::Object(Object(entries.collect()))
            }
            Value::String(text) => Expression::Text(text.to_string()),
            number => Expression::Number(number.to_string()),
        };
        PlacedValue { node, start: start as usize, end: end as usize, source: Some(Arc::clone(self.source)) }
    }

    fn below(&mut self, key: Value, value: &Value) -> PlacedValue {
        self.path.push(key);
        let placed = self.placed(value);
        self.path.pop();
        placed
    }
}
