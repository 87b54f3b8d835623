//! Catalogs as JSON, in the form and order in which Puppet writes them.
//!
//! What JSON has no form for is *rich data*: a map with the name of its type.
//!
//! ```text
//! Binary('aGk=')            {"__ptype":"Binary","__pvalue":"aGk="}
//! Deferred('upcase', [1])   {"__ptype":"Deferred","name":"upcase","arguments":[1]}
//! {1 => 'a'}                {"__ptype":"Hash","__pvalue":[1,"a"]}
//! ```

use std::io;

use hierarch_pcore::render::JsonWriter;
use hierarch_pcore::{Hash, Str, Value};

use super::rich_type::rich_type;
use super::{Catalog, Resource, is_reference, reference};
use crate::substitute::{Help, Stub};

pub(super) const TYPE: &str = "__ptype";
pub(super) const VALUE: &str = "__pvalue";

/// What is written is passed on when it is this long.
const PIECE: usize = 1 << 16;

impl Catalog {
    /// Returns the catalog as JSON in one line, as `puppet catalog compile --render-as json` prints it. Exported
    /// resources that nobody realized are left out. The UUID tells this compilation from all others.
    pub fn to_json(&self, uuid: &str) -> String {
        let mut out = Vec::new();
        // A vector takes all bytes, and JSON is text.
        let _ = self.write_json(uuid, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Writes the catalog as JSON in one line, resource by resource: nothing is held but the few that are being written.
    pub fn write_json(&self, uuid: &str, out: &mut dyn io::Write) -> io::Result<()> {
        self.write_with(JsonWriter::compact(), uuid, out)
    }

    /// Writes the catalog as JSON over several lines, in the same way.
    pub fn write_pretty_json(&self, uuid: &str, out: &mut dyn io::Write) -> io::Result<()> {
        self.write_with(JsonWriter::pretty(), uuid, out)
    }

    fn write_with(&self, mut json: JsonWriter, uuid: &str, out: &mut dyn io::Write) -> io::Result<()> {
        json.begin_map();
        self.write_head(&mut json, uuid);
        json.key("resources");
        json.begin_list();
        for resource in self.resources.iter().filter(|resource| !resource.is_virtual) {
            json.item();
            resource.write_json(&mut json);
            pass_on(&mut json, PIECE, out)?;
        }
        json.end_list();
        self.write_edges(&mut json, out)?;
        json.key("classes");
        write_texts(&mut json, &self.classes);
        if !self.stubs.is_empty() {
            json.key("stubs");
            json.value(&self.stubs_as_data());
        }
        if !self.help.is_empty() {
            json.key("ruby_command");
            json.value(&self.help_as_data());
        }
        json.end_map();
        pass_on(&mut json, 0, out)
    }

    fn write_head(&self, json: &mut JsonWriter, uuid: &str) {
        json.key("tags");
        write_texts(json, &self.tags);
        write_entry(json, "name", &self.name);
        json.key("version");
        json.value(&self.version.into());
        json.key("code_id");
        json.value(&Value::Undef);
        write_entry(json, "catalog_uuid", uuid);
        json.key("catalog_format");
        json.value(&2.into());
        write_entry(json, "environment", &self.environment);
    }

    fn write_edges(&self, json: &mut JsonWriter, out: &mut dyn io::Write) -> io::Result<()> {
        let is_real = |index: usize| self.resources.get(index).is_some_and(|resource| !resource.is_virtual);
        // Most resources stand in several edges.
        let name = |resource: &Resource| Value::from(resource.to_string()).to_json();
        let names: Vec<String> = self.resources.iter().map(name).collect();
        json.key("edges");
        json.begin_list();
        for (from, to) in self.edges.iter().filter(|(from, to)| is_real(*from) && is_real(*to)) {
            json.item();
            json.begin_map();
            json.key("source");
            json.raw(&names[*from]);
            json.key("target");
            json.raw(&names[*to]);
            json.end_map();
            pass_on(json, PIECE, out)?;
        }
        json.end_list();
        Ok(())
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

    /// What Puppet's catalogs do not have either: what a real Ruby ran.
    fn help_as_data(&self) -> Value {
        let help = |help: &Help| {
            let calls = i64::try_from(help.calls).unwrap_or(i64::MAX);
            map([
                ("ran", help.what.as_str().into()),
                ("reason", help.reason.as_str().into()),
                ("calls", calls.into()),
            ])
        };
        Value::array(self.help.iter().map(help).collect())
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
        let (Value::Hash(data), false) = (&data, self.stubs.is_empty() && self.help.is_empty()) else {
            return data;
        };
        let mut data = (**data).clone();
        if !self.stubs.is_empty() {
            data.insert("stubs", self.stubs_as_data());
        }
        if !self.help.is_empty() {
            data.insert("ruby_command", self.help_as_data());
        }
        data.into()
    }
}

impl Resource {
    fn write_json(&self, json: &mut JsonWriter) {
        json.begin_map();
        write_entry(json, "type", &self.type_name);
        write_entry(json, "title", &self.title);
        json.key("tags");
        write_texts(json, &self.tags);
        if let Some(file) = self.file() {
            write_entry(json, "file", file);
        }
        if let Some(line) = self.line() {
            json.key("line");
            json.value(&i64::from(line).into());
        }
        json.key("exported");
        json.value(&self.is_exported.into());
        write_entry(json, "kind", self.kind.word());
        if !self.parameters.is_empty() {
            json.key("parameters");
            json.begin_map();
            for (name, value) in &self.parameters {
                json.key(name);
                json.value(&rich(value));
            }
            json.end_map();
        }
        if !self.sensitive.is_empty() {
            json.key("sensitive_parameters");
            write_texts(json, &self.sensitive);
        }
        json.end_map();
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

/// Hands on what was written if it is long enough.
fn pass_on(json: &mut JsonWriter, least: usize, out: &mut dyn io::Write) -> io::Result<()> {
    if json.written().len() >= least {
        out.write_all(json.written().as_bytes())?;
        json.clear();
    }
    Ok(())
}

fn write_entry(json: &mut JsonWriter, name: &str, text: &str) {
    json.key(name);
    json.text(text);
}

fn write_texts(json: &mut JsonWriter, texts: &[Str]) {
    json.begin_list();
    for text in texts {
        json.item();
        json.text(text);
    }
    json.end_list();
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
        let data = catalog.to_data("u");
        assert_eq!(catalog.to_json("u"), data.to_json());
        let mut pretty = Vec::new();
        catalog.write_pretty_json("u", &mut pretty).expect("a vector takes all bytes");
        assert_eq!(String::from_utf8(pretty).expect("text"), data.to_pretty_json());
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
