//! Resources that nodes exported, read from files: catalogs, or what a PuppetDB answers about resources.

use std::path::Path;

use hierarch_eval::catalog::from_rich;
use hierarch_eval::substitute::ExportedResource;
use hierarch_hiera::facts;
use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::{Files, Result};

use crate::issues;

/// Reads exported resources: of a file, or of all `.json` and `.yaml` files in a folder.
///
/// A file holds a catalog, as `catalog compile` prints it, or a list: of resources with their `certname`, or of catalogs as
/// PuppetDB has them.
pub fn read_exported(files: &dyn Files, path: &Path) -> Result<Vec<ExportedResource>> {
    let mut found = Vec::new();
    for file in listed(files, path)? {
        let shown = file.display().to_string();
        match facts::read_list(files, &shown) {
            Ok(list) => found.extend(exported_of(&list, &shown)?),
            Err(_) => add_catalog(&facts::read_map(files, &shown)?, &shown, &mut found)?,
        }
    }
    Ok(found)
}

/// Reads the exported ones of a list of resources or of catalogs, which an error names as the last argument says.
pub fn exported_of(list: &[Value], shown: &str) -> Result<Vec<ExportedResource>> {
    let mut found = Vec::new();
    for (index, item) in list.iter().enumerate() {
        match item.as_hash().filter(|item| item.contains_str("resources")) {
            Some(catalog) => add_catalog(catalog, shown, &mut found)?,
            None => add_one(item, index, None, shown, &mut found)?,
        }
    }
    Ok(found)
}

fn listed(files: &dyn Files, path: &Path) -> Result<Vec<std::path::PathBuf>> {
    if !files.is_folder(path) {
        return Ok(vec![path.to_owned()]);
    }
    let entries = files.list(path).map_err(|error| issues::unreadable_folder(path, &error))?;
    let is_data = |file: &std::path::PathBuf| {
        file.extension().is_some_and(|extension| extension == "json" || extension == "yaml")
    };
    let mut listed: Vec<_> = entries.into_iter().map(|name| path.join(name)).filter(is_data).collect();
    listed.sort();
    Ok(listed)
}

fn add_catalog(catalog: &Hash, shown: &str, found: &mut Vec<ExportedResource>) -> Result<()> {
    let text = |key: &str| catalog.get_str(key).and_then(Value::as_str);
    let list = match catalog.get_str("resources") {
        // PuppetDB says besides where more about them is.
        Some(Value::Hash(more)) => more.get_str("data").and_then(Value::as_array),
        other => other.and_then(Value::as_array),
    };
    let (Some(list), Some(node)) = (list, text("certname").or_else(|| text("name"))) else {
        return Err(issues::no_catalog(shown));
    };
    list.iter().enumerate().try_for_each(|(index, item)| add_one(item, index, Some(node), shown, found))
}

/// Adds an item of a list if it is exported. In a catalog the node is said once.
fn add_one(
    item: &Value,
    index: usize,
    node: Option<&str>,
    shown: &str,
    found: &mut Vec<ExportedResource>,
) -> Result<()> {
    let read = item.as_hash().and_then(|item| resource(item, node));
    let (is_exported, mut resource) = read.ok_or_else(|| issues::bad_exported(shown, index + 1))?;
    if is_exported {
        let secret = item.as_hash().and_then(|item| item.get_str("sensitive_parameters"));
        resource.parameters = values_of(&resource.parameters, secret)
            .map_err(|error| issues::unread_exported(shown, index + 1, &error))?;
        found.push(resource);
    }
    Ok(())
}

/// Returns attributes as the values that they were written for. What was secret in the catalog it comes from is secret in
/// the one that collects it.
fn values_of(written: &Hash, secret: Option<&Value>) -> Result<Hash> {
    let secret = secret.and_then(Value::as_array).unwrap_or_default();
    let value_of = |(name, value): (&Value, &Value)| {
        let value = from_rich(value)?;
        let hides = secret.contains(name) && !matches!(value, Value::Sensitive(_));
        Ok((name.clone(), if hides { Value::sensitive(value) } else { value }))
    };
    written.iter().map(value_of).collect()
}

fn resource(item: &Hash, node: Option<&str>) -> Option<(bool, ExportedResource)> {
    let text = |key: &str| item.get_str(key).and_then(Value::as_str);
    let tags = match item.get_str("tags") {
        Some(Value::Array(tags)) => tags.iter().map(|tag| Str::from(tag.to_string())).collect(),
        _ => Vec::new(),
    };
    let parameters = match item.get_str("parameters") {
        Some(Value::Hash(parameters)) => (**parameters).clone(),
        None | Some(Value::Undef) => Hash::new(),
        Some(_) => return None,
    };
    let line = match item.get_str("line") {
        Some(Value::Integer(line)) => u32::try_from(*line).ok(),
        _ => None,
    };
    let is_exported = match item.get_str("exported") {
        Some(Value::Boolean(is_exported)) => *is_exported,
        // PuppetDB may have been asked for nothing else.
        None => node.is_none(),
        Some(_) => return None,
    };
    let resource = ExportedResource {
        node: node.or_else(|| text("certname"))?.to_owned(),
        type_name: text("type")?.into(),
        title: text("title")?.into(),
        parameters,
        tags,
        place: text("file").filter(|file| !file.is_empty()).map(|file| (file.to_owned(), line.unwrap_or(1))),
    };
    Some((is_exported, resource))
}

#[cfg(test)]
mod tests {
    use hierarch_source::MemoryFiles;

    use super::*;

    #[test]
    fn catalogs_and_lists_are_read() {
        let files = MemoryFiles::from([
            (
                "d/a.json",
                r#"{"name": "a.example.com", "resources": [{"type": "Class", "title": "main", "exported": false},
                   {"type": "Notify", "title": "n", "exported": true, "tags": ["t"], "file": "/a.pp", "line": 3}]}"#,
            ),
            (
                "d/b.json",
                r#"[{"certname": "b", "type": "File", "title": "/x", "parameters": {"mode": "0644"}, "exported": true}]"#,
            ),
            (
                "d/c.json",
                r#"[{"certname": "c", "resources": {"href": "/pdb", "data": [{"type": "File", "title": "/y", "exported": true},
                   {"type": "File", "title": "/z", "exported": false}]}}]"#,
            ),
            ("d/readme.txt", "no data"),
        ]);
        let found = read_exported(&files, Path::new("d")).expect("exported resources");
        let shown: Vec<_> =
            found.iter().map(|one| format!("{} {}[{}]", one.node, one.type_name, one.title)).collect();
        assert_eq!(shown, ["a.example.com Notify[n]", "b File[/x]", "c File[/y]"]);
        assert_eq!(found[0].place, Some(("/a.pp".to_owned(), 3)));
    }

    #[test]
    fn attributes_are_the_values_that_they_were_written_for() {
        let text = r#"[{"certname": "a", "type": "File", "title": "/x", "exported": true, "sensitive_parameters": ["content"],
            "parameters": {"content": "secret", "mode": "0644", "n": {"a": {"__ptype": "Sensitive", "__pvalue": "s"}},
                           "d": {"__ptype": "Deferred", "name": "f"}}}]"#;
        let files = MemoryFiles::from([("x.json", text)]);
        let found = read_exported(&files, Path::new("x.json")).expect("exported resources");
        let shown =
            |name: &str| found[0].parameters.get_str(name).map(ToString::to_string).unwrap_or_default();
        assert_eq!(shown("content"), "Sensitive [value redacted]");
        assert_eq!(shown("mode"), "0644");
        assert_eq!(shown("n"), "{a => Sensitive [value redacted]}");
        assert!(
            matches!(found[0].parameters.get_str("d"), Some(Value::Object(call)) if call.type_name() == "Deferred")
        );
    }

    #[test]
    fn a_value_that_cannot_be_read_back_is_told_with_its_resource() {
        let text = r#"[{"certname": "a", "type": "File", "title": "/x", "parameters": {"t": {"__ptype": "My::Type"}}}]"#;
        let files = MemoryFiles::from([("x.json", text)]);
        let error = read_exported(&files, Path::new("x.json")).expect_err("nobody knows the type");
        assert!(
            error.message.contains("x.json, resource 1") && error.message.contains("My::Type"),
            "{}",
            error.message
        );
    }

    #[test]
    fn what_is_neither_is_an_error() {
        for text in ["{a: 1}", "[1]", "[{type: File}]", "[{certname: a, resources: {}}]", "[{resources: []}]"]
        {
            let files = MemoryFiles::from([("x.yaml", text)]);
            assert!(read_exported(&files, Path::new("x.yaml")).is_err(), "{text}");
        }
    }
}
