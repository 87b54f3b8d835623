//! What a classifier of nodes (an ENC) answers about a node.

use std::path::Path;

use hierarch_hiera::facts;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Files, Result};

use crate::issues;

/// What a classifier says about a node.
#[derive(Clone, Debug, Default)]
pub struct Classification {
    /// The classes that the node has, with their attributes.
    pub classes: Vec<(Str, Hash)>,
    /// Variables of the top scope.
    pub parameters: Hash,
    /// The environment of the node.
    pub environment: Option<String>,
}

impl Classification {
    /// Reads an answer from a file: the YAML or JSON that the classifier printed.
    pub fn read(files: &dyn Files, path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        Self::of(&facts::read_map(files, &shown)?).ok_or_else(|| issues::bad_classification(&shown))
    }

    fn of(answer: &Hash) -> Option<Self> {
        let classes = match answer.get_str("classes") {
            None | Some(Value::Undef) => Vec::new(),
            Some(Value::Array(names)) => names
                .iter()
                .map(|name| Some((Str::from(name.as_str()?), Hash::new())))
                .collect::<Option<_>>()?,
            Some(Value::Hash(classes)) => classes.iter().map(class).collect::<Option<_>>()?,
            Some(Value::String(name)) => vec![(name.clone(), Hash::new())],
            Some(_) => return None,
        };
        let parameters = match answer.get_str("parameters") {
            None | Some(Value::Undef) => Hash::new(),
            Some(Value::Hash(parameters)) => (**parameters).clone(),
            Some(_) => return None,
        };
        let environment = match answer.get_str("environment") {
            None | Some(Value::Undef) => None,
            Some(Value::String(name)) => Some(name.to_string()),
            Some(_) => return None,
        };
        Some(Self { classes, parameters, environment })
    }
}

fn class((name, attributes): (&Value, &Value)) -> Option<(Str, Hash)> {
    let attributes = match attributes {
        Value::Undef => Hash::new(),
        Value::String(text) if text.is_empty() => Hash::new(),
        Value::Hash(attributes) => (**attributes).clone(),
        _ => return None,
    };
    Some((Str::from(name.as_str()?), attributes))
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    fn read(text: &str) -> Result<Classification> {
        Classification::read(&MemoryFiles::from([("enc.yaml", text)]), Path::new("enc.yaml"))
    }

    #[test]
    fn classes_are_a_list_or_a_map() {
        let listed = read("classes: [a, b]\n").expect("an answer");
        let names: Vec<&str> = listed.classes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let mapped =
            read("classes: {a: , b: {p: 1}}\nparameters: {x: 1}\nenvironment: dev\n").expect("an answer");
        assert_eq!(mapped.classes[1].1.len(), 1);
        assert_eq!((mapped.parameters.len(), mapped.environment.as_deref()), (1, Some("dev")));
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in ["classes: 1\n", "parameters: [x]\n", "classes: {a: 5}\n"] {
            let error = read(text).expect_err("malformed");
            assert_eq!(error.code, "BAD_CLASSIFICATION", "{text}");
        }
    }
}
