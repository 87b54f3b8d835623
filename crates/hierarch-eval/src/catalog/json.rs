//! Catalogs as JSON, in the form and order in which Puppet writes them.
//!
//! What JSON has no form for is *rich data*: a map with the name of its type.
//!
//! ```text
//! Binary('aGk=')            {"__ptype":"Binary","__pvalue":"aGk="}
//! Deferred('upcase', [1])   {"__ptype":"Deferred","name":"upcase","arguments":[1]}
//! {1 => 'a'}                {"__ptype":"Hash","__pvalue":[1,"a"]}
//! ```

use std::fmt;

use hierarch_pcore::{Hash, Str, Value};

use super::rich_type::rich_type;
use super::{Catalog, Resource, is_reference, reference};
use crate::substitute::Stub;

pub(super) const TYPE: &str = "__ptype";
const VALUE: &str = "__pvalue";

impl Catalog {
    /// Returns the catalog as JSON in one line, as `puppet catalog compile --render-as json` prints it. Exported
    /// resources that nobody realized are left out. The UUID tells this compilation from all others.
    pub fn to_json(&self, uuid: &str) -> String {
        let mut out = String::new();
        // A string takes all text.
        let _ = self.write_json(uuid, &mut out);
        out
    }

    /// Writes the catalog as JSON in one line, resource by resource: nothing is held but the one that is being written.
    pub fn write_json(&self, uuid: &str, out: &mut dyn fmt::Write) -> fmt::Result {
        let text = |text: &str| Value::from(text).to_json();
        write!(
            out,
            r#"{{"tags":{},"name":{},"version":{}"#,
            texts(&self.tags).to_json(),
            text(&self.name),
            self.version
        )?;
        write!(out, r#","code_id":null,"catalog_uuid":{},"catalog_format":2"#, text(uuid))?;
        write!(out, r#","environment":{},"resources":["#, text(&self.environment))?;
        let real = self.resources.iter().filter(|resource| !resource.is_virtual);
        for (index, resource) in real.enumerate() {
            out.write_str(if index > 0 { "," } else { "" })?;
            resource.write_json(out)?;
        }
        out.write_str(r#"],"edges":["#)?;
        let is_real = |index: usize| self.resources.get(index).is_some_and(|resource| !resource.is_virtual);
        let names: Vec<String> = self.resources.iter().map(|resource| text(&resource.to_string())).collect();
        let edges = self.edges.iter().filter(|(from, to)| is_real(*from) && is_real(*to));
        for (index, (from, to)) in edges.enumerate() {
            out.write_str(if index > 0 { "," } else { "" })?;
            write!(out, r#"{{"source":{},"target":{}}}"#, names[*from], names[*to])?;
        }
        write!(out, r#"],"classes":{}"#, texts(&self.classes).to_json())?;
        if !self.stubs.is_empty() {
            write!(out, r#","stubs":{}"#, self.stubs_as_data().to_json())?;
        }
        out.write_str("}")
    }

    /// What Puppet's catalogs do not have: the functions that did not run.
    fn stubs_as_data(&self) -> Value {
        let stub = |stub: &Stub| {
            let line = stub.place.as_ref().map(|place| i64::from(place.position().0));
            let file = stub.place.as_ref().and_then(|place| place.source.name().map(Value::from));
            map([
                ("function", stub.function.as_str().into()),
                ("reason", stub.reason.as_str().into()),
                ("file", file.unwrap_or_default()),
                ("line", line.map_or(Value::Undef, Value::from)),
            ])
        };
        Value::array(self.stubs.iter().map(stub).collect())
    }

    /// Returns the catalog as JSON over several lines.
    pub fn to_pretty_json(&self, uuid: &str) -> String {
        self.to_data(uuid).to_pretty_json()
    }

    /// Returns what the node exports as plain data: a list of resources that say whose they are.
    pub fn exports_as_data(&self) -> Value {
        let own = |resource: &Resource| {
            let mut data: Hash = [("certname", Value::from(self.name.as_str()))].into_iter().collect();
            let resource = resource.to_data();
            for (name, value) in resource.as_hash().into_iter().flatten() {
                data.insert(name.clone(), value.clone());
            }
            Value::from(data)
        };
        Value::array(self.resources.iter().filter(|resource| resource.is_exported).map(own).collect())
    }

    /// Returns the catalog as plain data.
    pub fn to_data(&self, uuid: &str) -> Value {
        let is_real = |index: usize| self.resources.get(index).is_some_and(|resource| !resource.is_virtual);
        let real = self.resources.iter().filter(|resource| !resource.is_virtual);
        let names: Vec<String> = self.resources.iter().map(Resource::to_string).collect();
        let edges = self.edges.iter().filter(|(from, to)| is_real(*from) && is_real(*to));
        let edge = |(from, to): &(usize, usize)| {
            map([("source", names[*from].as_str().into()), ("target", names[*to].as_str().into())])
        };
        let data = map([
            ("tags", texts(&self.tags)),
            ("name", self.name.as_str().into()),
            ("version", self.version.into()),
            ("code_id", Value::Undef),
            ("catalog_uuid", uuid.into()),
            ("catalog_format", 2.into()),
            ("environment", self.environment.as_str().into()),
            ("resources", Value::array(real.map(Resource::to_data).collect())),
            ("edges", Value::array(edges.map(edge).collect())),
            ("classes", texts(&self.classes)),
        ]);
        match data {
            Value::Hash(data) if !self.stubs.is_empty() => {
                let mut data = (*data).clone();
                data.insert("stubs", self.stubs_as_data());
                data.into()
            }
            data => data,
        }
    }
}

impl Resource {
    fn write_json(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        let text = |text: &str| Value::from(text).to_json();
        write!(out, r#"{{"type":{},"title":{}"#, text(&self.type_name), text(&self.title))?;
        write!(out, r#","tags":{}"#, texts(&self.tags).to_json())?;
        if let Some(file) = self.file() {
            write!(out, r#","file":{}"#, text(file))?;
        }
        if let Some(line) = self.line() {
            write!(out, r#","line":{line}"#)?;
        }
        write!(out, r#","exported":{},"kind":{}"#, self.is_exported, text(self.kind.word()))?;
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            out.write_str(if index > 0 { "," } else { r#","parameters":{"# })?;
            write!(out, "{}:{}", text(name), rich(value).to_json())?;
        }
        if !self.parameters.is_empty() {
            out.write_str("}")?;
        }
        if !self.sensitive.is_empty() {
            write!(out, r#","sensitive_parameters":{}"#, texts(&self.sensitive).to_json())?;
        }
        out.write_str("}")
    }

    fn to_data(&self) -> Value {
        let mut data = Hash::with_capacity(9);
        data.insert("type", self.type_name.clone());
        data.insert("title", self.title.clone());
        data.insert("tags", texts(&self.tags));
        if let Some(file) = self.file() {
            data.insert("file", file);
        }
        if let Some(line) = self.line() {
            data.insert("line", i64::from(line));
        }
        data.insert("exported", self.is_exported);
        data.insert("kind", self.kind.word());
        if !self.parameters.is_empty() {
            let parameters = self.parameters.iter().map(|(name, value)| (name.clone(), rich(value)));
            data.insert("parameters", parameters.collect::<Hash>());
        }
        if !self.sensitive.is_empty() {
            data.insert("sensitive_parameters", texts(&self.sensitive));
        }
        data.into()
    }
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    entries.into_iter().collect::<Hash>().into()
}

fn texts(texts: &[Str]) -> Value {
    Value::array(texts.iter().cloned().map(Value::from).collect())
}

/// Returns a value as plain data; what is not plain becomes a map that says what it is.
pub fn rich(value: &Value) -> Value {
    match value {
        Value::Array(elements) => Value::array(elements.iter().map(rich).collect()),
        Value::Hash(hash) => rich_hash(hash),
        Value::Default => map([(TYPE, "Default".into())]),
        Value::Type(type_) if is_reference(type_) => reference(value).into(),
        Value::Type(type_) => rich_type(type_),
        Value::Regexp(regexp) => typed("Regexp", regexp.source().into()),
        Value::Sensitive(secret) => typed("Sensitive", rich(secret)),
        Value::Binary(_) => typed("Binary", value.to_string().into()),
        Value::SemVer(_) => typed("SemVer", value.to_string().into()),
        Value::SemVerRange(_) => typed("SemVerRange", value.to_string().into()),
        Value::Timespan(_) => typed("Timespan", value.to_string().into()),
        Value::Timestamp(_) => typed("Timestamp", value.to_string().into()),
        Value::Uri(_) => typed("URI", value.to_string().into()),
        Value::Object(object) => {
            let mut data = Hash::new();
            data.insert(TYPE, object.type_name());
            for (name, value) in &object.init_hash() {
                data.insert(name.clone(), rich(value));
            }
            data.into()
        }
        Value::Foreign(_) => value.to_string().into(),
        plain => plain.clone(),
    }
}

fn typed(name: &str, value: Value) -> Value {
    map([(TYPE, name.into()), (VALUE, value)])
}

/// A hash whose keys are all texts is a map; another is a list of keys and values.
fn rich_hash(hash: &Hash) -> Value {
    let is_plain = hash.keys().all(|key| key.as_str().is_some_and(|key| key != TYPE));
    if is_plain {
        return hash.iter().map(|(key, value)| (key.clone(), rich(value))).collect::<Hash>().into();
    }
    typed("Hash", Value::array(hash.iter().flat_map(|(key, value)| [rich(key), rich(value)]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluator;
    use crate::environment::Codebase;

    #[test]
    fn the_stream_is_what_the_data_are() {
        let environment = Codebase::default();
        let manifest = "notify { ['a', 'b\"c']: tag => [x], require => File['/d'] }\n@notify { 'v': }\n\
                        file { '/d': content => 's', mode => undef }\nexec { '/x': before => [] }";
        let catalog = Evaluator::new(&environment)
            .compile(&[hierarch_source::Source::new("site.pp", manifest)])
            .expect("a good manifest");
        assert_eq!(catalog.to_json("u"), catalog.to_data("u").to_json());
    }

    fn check(value: &Value, expected: &str) {
        assert_eq!(rich(value).to_json(), expected);
    }

    #[test]
    fn what_json_has_no_form_for_says_what_it_is() {
        check(&Value::Default, r#"{"__ptype":"Default"}"#);
        check(&Value::sensitive("s".into()), r#"{"__ptype":"Sensitive","__pvalue":"s"}"#);
        check(&Value::array(vec![Value::Undef, 1.into(), 2.5.into()]), "[null,1,2.5]");
    }

    #[test]
    fn a_hash_with_other_keys_than_texts_is_a_list() {
        let hash: Hash =
            [(Value::from(1), Value::from("a")), (Value::from("b"), Value::Undef)].into_iter().collect();
        check(&hash.into(), r#"{"__ptype":"Hash","__pvalue":[1,"a","b",null]}"#);
        let hash: Hash = [("b", Value::Undef)].into_iter().collect();
        check(&hash.into(), r#"{"b":null}"#);
    }
}
