//! What `--origin` prints: each leaf with its file, line and column, what it hides, what its tokens were filled in
//! with; what was removed, and the entry of `lookup_options` that applied.

use std::fmt::Write;

use hierarch_pcore::{Hash, Value};

use crate::origin::{FilledToken, Origin, Other, TracedValue, UsedOptions};

/// What is shown, and how.
pub struct View<'v> {
    /// The key.
    pub key: &'v str,
    /// Its value, each part with its origin.
    pub traced: &'v TracedValue,
    /// How it is merged and converted.
    pub options: Option<&'v UsedOptions>,
    /// Secrets are shown as well.
    pub shows_secrets: bool,
    /// What paths begin with that people know already.
    pub folder: &'v str,
    /// For a terminal.
    pub is_coloured: bool,
}

/// The colours of a terminal.
#[derive(Clone, Copy)]
enum Colour {
    Bold,
    Cyan,
    Yellow,
    Red,
    Green,
}

impl View<'_> {
    /// Returns the view for people: a leaf a line, its place below it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for leaf in self.traced.leaves() {
            let name = self.paint(Colour::Bold, &self.name(&leaf.path));
            let _ = writeln!(out, "{name} = {}", self.pick(leaf.value, &leaf.shown).to_json());
            let _ = writeln!(out, "    {}", self.place(leaf.origin));
            self.write_notes(&mut out, leaf.filled, leaf.hides);
        }
        for collection in self.traced.collections() {
            let _ = writeln!(out, "{}", self.paint(Colour::Bold, &self.name(&collection.path)));
            self.write_notes(&mut out, collection.filled, collection.hides);
        }
        for removal in self.traced.removals() {
            let name = self.paint(Colour::Bold, &self.name(&removal.path));
            let _ = writeln!(
                out,
                "{name} {} {}\n    {}\n    removed by {}",
                self.paint(Colour::Red, "lost"),
                self.other(removal.what),
                self.place(removal.what.origin.as_deref()),
                self.place(removal.by)
            );
        }
        if let Some(used) = self.options {
            let name = self.paint(Colour::Bold, "lookup_options");
            let entry = Value::from(used.name.as_str()).to_json();
            let _ = writeln!(out, "{name} {entry}: {}", used.options.to_json());
            let _ = writeln!(out, "    {}", self.place(used.origin.as_deref()));
        }
        out
    }

    fn write_notes(&self, out: &mut String, filled: &[FilledToken], hides: &[Other]) {
        for token in filled {
            let expression = self.paint(Colour::Green, &format!("%{{{}}}", token.expression));
            let _ = write!(out, "    {expression} = {}", self.pick(&token.value, &token.shown).to_json());
            for origin in &token.origins {
                let _ = write!(out, " {}", self.place(Some(origin)));
            }
            out.push('\n');
        }
        for other in hides {
            let word = self.paint(Colour::Yellow, "hides");
            let value = self.other(other);
            let _ = writeln!(out, "    {word} {value} {}", self.place(other.origin.as_deref()));
        }
    }

    /// Returns a value, or what is shown for it.
    fn pick<'a>(&self, value: &'a Value, shown: &'a Value) -> &'a Value {
        if self.shows_secrets { value } else { shown }
    }

    fn other(&self, other: &Other) -> String {
        self.pick(&other.value, &other.shown).to_json()
    }

    fn name(&self, path: &[Value]) -> String {
        path.iter().fold(self.key.to_owned(), |name, part| format!("{name}.{part}"))
    }

    fn place(&self, origin: Option<&Origin>) -> String {
        let text = origin.map_or_else(|| "(no file)".to_owned(), ToString::to_string);
        let is_known = !self.folder.is_empty();
        let text = text.strip_prefix(self.folder).filter(|_| is_known).unwrap_or(&text);
        self.paint(Colour::Cyan, text)
    }

    fn paint(&self, colour: Colour, text: &str) -> String {
        let code = match colour {
            _ if !self.is_coloured => return text.to_owned(),
            Colour::Bold => 1,
            Colour::Red => 31,
            Colour::Green => 32,
            Colour::Yellow => 33,
            Colour::Cyan => 36,
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }

    /// Returns the view for tools.
    pub fn data(&self) -> Value {
        self.data_below("")
    }

    /// Returns the view for tools, files named below the folder that is known already.
    pub fn relative_data(&self) -> Value {
        self.data_below(self.folder)
    }

    fn data_below(&self, folder: &str) -> Value {
        let leaves = self.traced.leaves();
        let leaves = leaves.iter().map(|leaf| {
            let mut hash = self.part_data(&leaf.path, leaf.filled, leaf.hides, folder);
            hash.insert("value", self.pick(leaf.value, &leaf.shown).clone());
            hash.insert("origin", origin_data(leaf.origin, folder));
            Value::hash(hash)
        });
        let collections = self.traced.collections();
        let collections = collections
            .iter()
            .map(|part| Value::hash(self.part_data(&part.path, part.filled, part.hides, folder)));
        let removals = self.traced.removals();
        let removed = removals.iter().map(|removal| {
            let mut hash: Hash = [("path", Value::array(removal.path.clone()))].into_iter().collect();
            hash.insert("removed", self.other_data(removal.what, folder));
            hash.insert("by", origin_data(removal.by, folder));
            Value::hash(hash)
        });
        let mut hash: Hash = [("key", Value::from(self.key))].into_iter().collect();
        let shown = self.traced.without_secrets();
        hash.insert("value", self.pick(self.traced.plain(), &shown).clone());
        hash.insert("leaves", Value::array(leaves.collect()));
        hash.insert("collections", Value::array(collections.collect()));
        hash.insert("removed", Value::array(removed.collect()));
        hash.insert("lookup_options", self.options.map_or(Value::Undef, |used| used_data(used, folder)));
        Value::hash(hash)
    }

    fn part_data(&self, path: &[Value], filled: &[FilledToken], hides: &[Other], folder: &str) -> Hash {
        let mut hash: Hash = [("path", Value::array(path.to_vec()))].into_iter().collect();
        hash.insert(
            "hides",
            Value::array(hides.iter().map(|other| self.other_data(other, folder)).collect()),
        );
        hash.insert(
            "interpolations",
            Value::array(filled.iter().map(|token| self.filled_data(token, folder)).collect()),
        );
        hash
    }

    fn filled_data(&self, token: &FilledToken, folder: &str) -> Value {
        let mut hash: Hash = [("expression", token.expression.as_str())].into_iter().collect();
        hash.insert("value", self.pick(&token.value, &token.shown).clone());
        let origins = token.origins.iter().map(|origin| origin_data(Some(origin), folder));
        hash.insert("origins", Value::array(origins.collect()));
        Value::hash(hash)
    }

    fn other_data(&self, other: &Other, folder: &str) -> Value {
        let mut hash: Hash = [("value", self.pick(&other.value, &other.shown).clone())].into_iter().collect();
        hash.insert("origin", origin_data(other.origin.as_deref(), folder));
        Value::hash(hash)
    }
}

fn used_data(used: &UsedOptions, folder: &str) -> Value {
    let mut hash: Hash = [("name", used.name.as_str())].into_iter().collect();
    hash.insert("options", used.options.clone());
    hash.insert("origin", origin_data(used.origin.as_deref(), folder));
    Value::hash(hash)
}

/// Returns a place as a hash, its file without the folder that it begins with.
fn origin_data(origin: Option<&Origin>, folder: &str) -> Value {
    let Some(origin) = origin else { return Value::Undef };
    match origin.file.strip_prefix(folder) {
        Some(rest) if !folder.is_empty() => Origin { file: rest.into(), ..origin.clone() }.to_value(),
        _ => origin.to_value(),
    }
}

impl Origin {
    /// Returns the place as a hash.
    pub fn to_value(&self) -> Value {
        let file = (!self.file.is_empty()).then(|| Value::String(self.file.clone()));
        let mut hash: Hash = [("file", Value::from(file))].into_iter().collect();
        if let Some(function) = &self.function {
            hash.insert("function", Value::String(function.clone()));
        }
        let (start, end) = self.range.unzip();
        for (name, number) in [("line", self.line), ("column", self.column), ("start", start), ("end", end)] {
            hash.insert(name, number.map(i64::from));
        }
        Value::hash(hash)
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "{}:{line}:{column}", self.file),
            _ => f.write_str(&self.file),
        }?;
        match &self.function {
            Some(function) if self.file.is_empty() => write!(f, "function {function}"),
            Some(function) => write!(f, " (function {function})"),
            None => Ok(()),
        }
    }
}
