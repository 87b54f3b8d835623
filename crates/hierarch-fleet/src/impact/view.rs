//! Impact for tools: one object, whose fields are never renamed or removed within a number.

use hierarch_pcore::{Hash, Value};

use super::{Example, Group, Impact};
use crate::ask::{UnansweredNode, mark_incomplete};
use crate::edits::Edit;
use crate::values::{because_value, names_value, relative};

impl Impact {
    /// Tells whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns the answer for tools: between which states, and files named relative to a folder.
    pub fn to_value(&self, from: &str, to: &str, folder: &str) -> Value {
        let fields = object_of([
            ("format", Value::from("hierarch.impact/1")),
            ("from", Value::from(from)),
            ("to", Value::from(to)),
            ("asked", Value::from(self.asked)),
            ("changed", Value::from(self.changed)),
            ("groups", Value::array(self.groups.iter().map(|group| group.to_value(folder)).collect())),
            ("unanswered", Value::array(self.unanswered.iter().map(UnansweredNode::to_value).collect())),
            ("notes", names_value(&self.notes)),
        ]);
        mark_incomplete(fields, &self.unanswered)
    }
}

impl Group {
    fn to_value(&self, folder: &str) -> Value {
        let paths = self.paths.iter().map(|(path, _)| names_value(path)).collect();
        let causes = self.causes.iter().map(|edit| edit.to_value(folder)).collect();
        let mut fields = object_of([
            ("key", Value::from(self.key.as_str())),
            ("kind", Value::from(self.kind.name())),
            ("nodes", Value::array(self.nodes.iter().map(|name| Value::from(name.as_str())).collect())),
            ("count", Value::from(self.nodes.len())),
            ("because", because_value(self.because.as_ref())),
            ("paths", Value::array(paths)),
            ("examples", Value::array(self.examples.iter().map(Example::to_value).collect())),
            ("causes", if self.proof.is_some() { Value::array(causes) } else { Value::Undef }),
            ("proof", self.proof.map_or(Value::Undef, |proof| Value::from(proof.name()))),
            ("through", names_value(&self.through)),
        ]);
        if self.is_limited {
            fields.insert("limited", true);
        }
        Value::hash(fields)
    }
}

impl Example {
    fn to_value(&self) -> Value {
        let mut fields = object_of([
            ("old", self.old.clone().unwrap_or_default()),
            ("new", self.new.clone().unwrap_or_default()),
            ("count", Value::from(self.count)),
            ("node", Value::from(self.node.as_str())),
        ]);
        if let Some(failure) = &self.failure {
            fields.insert("failure", failure.as_str());
        }
        Value::hash(fields)
    }
}

impl Edit {
    /// Returns it for tools, its file named relative to a folder.
    pub fn to_value(&self, folder: &str) -> Value {
        let number =
            |number: Option<u32>| number.map_or(Value::Undef, |number| Value::from(i64::from(number)));
        object([
            ("file", Value::from(relative(&self.file, folder))),
            ("line", number(self.line)),
            ("column", number(self.column)),
            ("path", names_value(&self.path)),
            ("old", self.old.clone().unwrap_or_default()),
            ("new", self.new.clone().unwrap_or_default()),
        ])
    }
}

fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    Value::hash(object_of(fields))
}

fn object_of<const N: usize>(fields: [(&str, Value); N]) -> Hash {
    fields.into_iter().collect()
}
