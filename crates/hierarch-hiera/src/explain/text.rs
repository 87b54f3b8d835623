//! An explanation as text, two blanks per depth, as `puppet lookup --explain` prints it.

use std::fmt::Write;

use hierarch_pcore::Value;

use super::{Explainer, Kind, Outcome, Place, Step};
use crate::trace::LookupStep;

impl Explainer {
    /// Returns the explanation as text.
    pub fn text(&self) -> String {
        let mut writer = Writer { explainer: self, out: String::new() };
        for &root in &self.roots {
            writer.step(root, 0);
        }
        writer.lines(&self.texts, 0);
        writer.out
    }
}

struct Writer<'a> {
    explainer: &'a Explainer,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.out, "{:depth$}{text}", "", depth = depth * 2);
    }

    fn lines(&mut self, texts: &[String], depth: usize) {
        for text in texts {
            self.line(depth, text);
        }
    }

    fn step(&mut self, index: usize, depth: usize) {
        let step = &self.explainer.steps[index];
        match &step.kind {
            Kind::Lookup(node) => self.node(step, node, depth),
            Kind::MergeSource(source) => {
                self.line(depth, &format!("Using merge options from \"{source}\" hash"));
            }
            Kind::ModuleNotFound(name) => self.line(depth, &format!("Module \"{name}\" not found")),
            Kind::ModuleWithoutData(name) => {
                self.line(depth, &format!("Module data provider for module \"{name}\" not found"));
            }
        }
    }

    fn node(&mut self, step: &Step, node: &LookupStep, depth: usize) {
        match node {
            LookupStep::Key(key) => {
                self.line(depth, &format!("Searching for \"{key}\""));
                self.branches(step, depth + 1);
            }
            LookupStep::InvalidKey(key) => self.line(depth, &format!("Invalid key \"{key}\"")),
            LookupStep::Interpolation(text) => {
                self.line(depth, &format!("Interpolation on \"{text}\""));
                self.branches(step, depth + 1);
            }
            LookupStep::Layer { name, config, .. } => {
                self.line(depth, name);
                if let Some(path) = config {
                    self.line(depth + 1, &format!("Using configuration \"{path}\""));
                }
                self.inside(step, depth + 1);
            }
            LookupStep::Level(name) | LookupStep::Place(name) => {
                self.line(depth, name);
                self.inside(step, depth + 1);
            }
            LookupStep::Location { is_path, original, location } => {
                let (name, small) = if *is_path { ("Path", "path") } else { ("URI", "uri") };
                self.line(depth, &format!("{name} \"{location}\""));
                self.line(depth + 1, &format!("Original {small}: \"{original}\""));
                self.branches(step, depth + 1);
                if matches!(step.outcome, Some(Outcome::LocationNotFound)) {
                    self.line(depth + 1, &format!("{name} not found"));
                }
                self.outcome(step, depth + 1);
            }
            LookupStep::SubKey(key) => {
                self.line(depth, &format!("Sub key: \"{key}\""));
                self.inside(step, depth + 1);
            }
            LookupStep::Segment => self.outcome(step, depth),
            LookupStep::Merge { .. } => self.merge(step, node, depth),
        }
    }

    /// A merge of one thing is not worth mentioning.
    fn merge(&mut self, step: &Step, node: &LookupStep, depth: usize) {
        let LookupStep::Merge { strategy, options } = node else { return };
        match step.branches.as_slice() {
            [] => return,
            [only] => return self.step(*only, depth),
            _ => {}
        }
        self.line(depth, &format!("Merge strategy {strategy}"));
        if let Some(options) = options {
            self.valued(depth + 1, "Options: ", &Value::hash(options.clone()), "");
        }
        self.branches(step, depth + 1);
        if let Some(Outcome::Result(value)) = &step.outcome {
            self.valued(depth + 1, "Merged result: ", value, "");
        }
    }

    fn branches(&mut self, step: &Step, depth: usize) {
        for &branch in &step.branches {
            self.step(branch, depth);
        }
    }

    fn inside(&mut self, step: &Step, depth: usize) {
        self.branches(step, depth);
        self.outcome(step, depth);
    }

    fn outcome(&mut self, step: &Step, depth: usize) {
        match &step.outcome {
            Some(Outcome::NotFound(key)) => self.line(depth, &format!("No such key: \"{key}\"")),
            Some(Outcome::Found { key, value, place }) => {
                let end = match place {
                    Place::Data => "",
                    Place::Overrides => " in overrides",
                    Place::Defaults => " in defaults",
                };
                self.valued(depth, &format!("Found key: \"{key}\" value: "), value, end);
            }
            _ => {}
        }
        self.lines(&step.texts, depth);
    }

    fn valued(&mut self, depth: usize, start: &str, value: &Value, end: &str) {
        let _ = write!(self.out, "{:depth$}{start}", "", depth = depth * 2);
        self.value(value, depth);
        self.out.push_str(end);
        self.out.push('\n');
    }

    fn value(&mut self, value: &Value, depth: usize) {
        match value {
            Value::Hash(hash) if !hash.is_empty() => {
                self.out.push('{');
                for (index, (key, value)) in hash.iter().enumerate() {
                    self.separate(index, depth + 1);
                    self.value(key, depth + 1);
                    self.out.push_str(" => ");
                    self.value(value, depth + 1);
                }
                self.close('}', depth);
            }
            Value::Array(items) if !items.is_empty() => {
                self.out.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index, depth + 1);
                    self.value(item, depth + 1);
                }
                self.close(']', depth);
            }
            other => self.out.push_str(&inspected(other)),
        }
    }

    fn separate(&mut self, index: usize, depth: usize) {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(self.out, "{comma}\n{:depth$}", "", depth = depth * 2);
    }

    fn close(&mut self, bracket: char, depth: usize) {
        let _ = write!(self.out, "\n{:depth$}{bracket}", "", depth = depth * 2);
    }
}

/// Returns Ruby's `inspect` of a value that is not a collection, or an empty one.
fn inspected(value: &Value) -> String {
    if let Value::Uri(uri) = value {
        return format!("#<URI::{} {uri}>", uri_class(&uri.to_string()));
    }
    let list = Value::array(vec![value.clone()]).to_plain();
    list[1..list.len() - 1].to_owned()
}

/// Returns what Ruby calls the class of a URI.
fn uri_class(text: &str) -> &'static str {
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let classes = [
        ("http", "HTTP"),
        ("https", "HTTPS"),
        ("ftp", "FTP"),
        ("file", "File"),
        ("ldap", "LDAP"),
        ("ldaps", "LDAPS"),
        ("mailto", "MailTo"),
        ("ws", "WS"),
        ("wss", "WSS"),
    ];
    let known = classes.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme));
    known.map_or("Generic", |(_, class)| class)
}
