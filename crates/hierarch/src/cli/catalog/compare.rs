//! What two catalogs differ in. Catalogs come as Puppet's JSON, whoever compiled them.
//!
//! Order, versions and identifiers do not count; resources are the same if type and title are.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use super::super::star;
use crate::cli::issues;

/// What stands for the value of a sensitive parameter.
const HIDDEN: &str = "[value hidden]";

/// The name under which tags are compared.
const TAGS: &str = "(tags)";

/// What counts as a difference.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    /// Patterns of what is passed over: `Type`, `Type[title]` or `Type[title]/parameter`, with `*`.
    pub(crate) ignored: Vec<String>,
    /// Whether tags count.
    pub(crate) tags: bool,
    /// Whether sensitive values may be shown.
    pub(crate) show_secrets: bool,
}

/// What two catalogs differ in.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Difference {
    pub(crate) added: Vec<Resource>,
    pub(crate) removed: Vec<Resource>,
    pub(crate) changed: Vec<ChangedResource>,
    pub(crate) classes: Change<String>,
    pub(crate) edges: Change<Edge>,
    /// Why everything is hidden, where it is: what the catalogs do not compile for without their secrets.
    pub(crate) hidden_because: BTreeSet<String>,
}

/// A containment: the one around, the one inside.
pub(crate) type Edge = (String, String);

/// What only one side has.
#[derive(Debug, PartialEq)]
pub(crate) struct Change<T> {
    pub(crate) added: Vec<T>,
    pub(crate) removed: Vec<T>,
}

impl<T> Default for Change<T> {
    fn default() -> Self {
        Self { added: Vec::new(), removed: Vec::new() }
    }
}

impl<T: Ord + Clone> Change<T> {
    fn between(old: &BTreeSet<T>, new: &BTreeSet<T>) -> Self {
        let (added, removed) = (new.difference(old), old.difference(new));
        Self { added: added.cloned().collect(), removed: removed.cloned().collect() }
    }

    fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }
}

/// A resource of one catalog.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Resource {
    pub(crate) name: String,
    pub(crate) parameters: BTreeMap<String, Json>,
    /// The file and line it was declared at.
    pub(crate) place: Option<String>,
}

/// A resource that both catalogs have.
#[derive(Debug, PartialEq)]
pub(crate) struct ChangedResource {
    pub(crate) name: String,
    /// Values by parameter, before and after; none where there is no such parameter.
    pub(crate) parameters: BTreeMap<String, (Option<Json>, Option<Json>)>,
    pub(crate) old_place: Option<String>,
    pub(crate) new_place: Option<String>,
}

impl Difference {
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.changed.is_empty()
            && self.classes.is_empty()
            && self.edges.is_empty()
    }

    /// Gives resources the names that may be shown, and hides those of classes.
    fn hide_names(&mut self, shown: &dyn Fn(&str) -> Option<String>, is_secret: &dyn Fn(&str) -> bool) {
        let hide = |name: &mut String| {
            if let Some(shown) = shown(name) {
                *name = shown;
            }
        };
        self.added.iter_mut().chain(&mut self.removed).for_each(|resource| hide(&mut resource.name));
        self.changed.iter_mut().for_each(|changed| hide(&mut changed.name));
        for (source, target) in self.edges.added.iter_mut().chain(&mut self.edges.removed) {
            hide(source);
            hide(target);
        }
        for class in self.classes.added.iter_mut().chain(&mut self.classes.removed) {
            if is_secret(class) {
                HIDDEN.clone_into(class);
            }
        }
    }

    /// Returns it for tools.
    pub(crate) fn to_json(&self) -> Json {
        let changed = self.changed.iter().map(|changed| {
            let parameters = changed.parameters.iter().map(|(name, (old, new))| {
                let sides = [("from", old), ("to", new)];
                let sides =
                    sides.into_iter().filter_map(|(side, value)| Some((side.to_owned(), value.clone()?)));
                (name.clone(), Json::Object(sides.collect()))
            });
            let parameters: Map<String, Json> = parameters.collect();
            json!({
                "resource": changed.name,
                "parameters": parameters,
                "from": changed.old_place,
                "to": changed.new_place,
            })
        });
        let resource = |resource: &Resource| json!({"resource": resource.name, "parameters": resource.parameters, "place": resource.place});
        json!({
            "added": self.added.iter().map(resource).collect::<Vec<Json>>(),
            "removed": self.removed.iter().map(resource).collect::<Vec<Json>>(),
            "changed": changed.collect::<Vec<Json>>(),
            "classes": {"added": self.classes.added, "removed": self.classes.removed},
            "edges": {"added": self.edges.added, "removed": self.edges.removed},
        })
    }
}

/// One catalog, ready to be compared.
struct Side {
    resources: BTreeMap<String, Resource>,
    /// The values of sensitive parameters, which are compared but not shown.
    secrets: BTreeMap<(String, String), Json>,
    classes: BTreeSet<String>,
    edges: BTreeSet<Edge>,
    /// Resources whose titles are secret, with what is shown of their names.
    hidden: BTreeMap<String, String>,
    secret_classes: BTreeSet<String>,
    hidden_because: Option<String>,
}

/// Marks a resource in a catalog whose title may not be shown.
pub(super) const SECRET_TITLE: &str = "hierarch_secret_title";
/// Marks a resource in a catalog whose tags may not be shown.
pub(super) const SECRET_TAGS: &str = "hierarch_secret_tags";
/// Lists the classes of a catalog whose names may not be shown.
pub(super) const SECRET_CLASSES: &str = "hierarch_secret_classes";
/// Says why all of a catalog is hidden.
pub(super) const HIDDEN_BECAUSE: &str = "hierarch_hidden_because";

impl Side {
    fn read(catalog: &Json, rules: &Rules) -> Result<Self, &'static str> {
        // `puppet catalog download` and PuppetDB put the catalog into an envelope.
        let catalog = catalog.get("data").filter(|data| data.get("resources").is_some()).unwrap_or(catalog);
        let Some(resources) = catalog.get("resources").and_then(listed) else {
            return Err(issues::NO_RESOURCES);
        };
        let mut side = Self {
            resources: BTreeMap::new(),
            secrets: BTreeMap::new(),
            classes: strings(catalog.get("classes")).collect(),
            edges: edges(catalog).collect(),
            hidden: BTreeMap::new(),
            secret_classes: strings(catalog.get(SECRET_CLASSES)).filter(|_| !rules.show_secrets).collect(),
            hidden_because: catalog.get(HIDDEN_BECAUSE).and_then(Json::as_str).map(str::to_owned),
        };
        for resource in resources {
            side.add(resource, rules)?;
        }
        Ok(side)
    }

    fn add(&mut self, resource: &Json, rules: &Rules) -> Result<(), &'static str> {
        let text = |name: &str| resource.get(name).and_then(Json::as_str);
        let (Some(kind), Some(title)) = (text("type"), text("title")) else {
            return Err(issues::RESOURCE_WITHOUT_NAME);
        };
        let name = format!("{kind}[{title}]");
        if rules.ignores(kind) || rules.ignores(&name) {
            return Ok(());
        }
        let given = resource.get("parameters").and_then(Json::as_object);
        let mut parameters: BTreeMap<String, Json> = BTreeMap::new();
        for (parameter, value) in given.into_iter().flatten() {
            if !rules.ignores(&format!("{name}/{parameter}")) {
                parameters.insert(parameter.clone(), value.clone());
            }
        }
        for secret in strings(resource.get("sensitive_parameters")).filter(|_| !rules.show_secrets) {
            if let Some(value) = parameters.get_mut(&secret) {
                let value = std::mem::replace(value, HIDDEN.into());
                self.secrets.insert((name.clone(), secret), value);
            }
        }
        if resource.get(SECRET_TITLE).is_some() && !rules.show_secrets {
            self.hidden.insert(name.clone(), format!("{kind}[{HIDDEN}]"));
        }
        if rules.tags {
            let tags: BTreeSet<String> = strings(resource.get("tags")).collect();
            parameters.insert(TAGS.to_owned(), json!(tags));
            if resource.get(SECRET_TAGS).is_some() && !rules.show_secrets {
                parameters.insert(TAGS.to_owned(), HIDDEN.into());
                self.secrets.insert((name.clone(), TAGS.to_owned()), json!(tags));
            }
        }
        if resource.get("exported") == Some(&Json::Bool(true)) {
            parameters.insert("(exported)".to_owned(), true.into());
        }
        let line = resource.get("line").and_then(Json::as_u64);
        let place = text("file").map(|file| line.map_or(file.to_owned(), |line| format!("{file}:{line}")));
        self.resources.insert(name.clone(), Resource { name, parameters, place });
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.resources.contains_key(name)
    }
}

impl Rules {
    fn ignores(&self, name: &str) -> bool {
        self.ignored.iter().any(|pattern| star::matches(pattern, name))
    }
}

/// Returns a list, also where PuppetDB wraps it.
fn listed(value: &Json) -> Option<&Vec<Json>> {
    value.as_array().or_else(|| value.get("data").and_then(Json::as_array))
}

fn strings(list: Option<&Json>) -> impl Iterator<Item = String> {
    list.and_then(listed).into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned))
}

fn edges(catalog: &Json) -> impl Iterator<Item = Edge> {
    let reference = |value: &Json| match value {
        Json::String(text) => Some(text.clone()),
        other => Some(format!("{}[{}]", other.get("type")?.as_str()?, other.get("title")?.as_str()?)),
    };
    let edges = catalog.get("edges").and_then(listed).into_iter().flatten();
    edges.filter_map(move |edge| Some((reference(edge.get("source")?)?, reference(edge.get("target")?)?)))
}

/// Compares two catalogs. An error says which of them is none, and why.
pub(crate) fn compare(old: &Json, new: &Json, rules: &Rules) -> Result<Difference, String> {
    let old = Side::read(old, rules).map_err(|why| issues::not_comparable("first", why))?;
    let new = Side::read(new, rules).map_err(|why| issues::not_comparable("second", why))?;
    let only = |these: &Side, those: &Side| {
        let only = these.resources.values().filter(|resource| !those.has(&resource.name));
        only.cloned().collect::<Vec<Resource>>()
    };
    // What is in a resource that comes or goes, comes or goes with it.
    let in_both =
        |(around, inside): &Edge| [around, inside].into_iter().all(|name| old.has(name) && new.has(name));
    let mut edges = Change::between(&old.edges, &new.edges);
    edges.added.retain(in_both);
    edges.removed.retain(in_both);
    let mut difference = Difference {
        added: only(&new, &old),
        removed: only(&old, &new),
        changed: changed(&old, &new),
        classes: Change::between(&old.classes, &new.classes),
        edges,
        hidden_because: [&old, &new].into_iter().filter_map(|side| side.hidden_because.clone()).collect(),
    };
    let is_secret = |class: &str| old.secret_classes.contains(class) || new.secret_classes.contains(class);
    difference.hide_names(&|name| old.hidden.get(name).or_else(|| new.hidden.get(name)).cloned(), &is_secret);
    Ok(difference)
}

fn changed(old: &Side, new: &Side) -> Vec<ChangedResource> {
    let both = old.resources.values().filter_map(|before| Some((before, new.resources.get(&before.name)?)));
    let compared = both.map(|(before, after)| {
        let names: BTreeSet<&String> = before.parameters.keys().chain(after.parameters.keys()).collect();
        let differs = |name: &&&String| {
            let secret = |side: &Side| side.secrets.get(&(before.name.clone(), (**name).clone())).cloned();
            before.parameters.get(**name) != after.parameters.get(**name) || secret(old) != secret(new)
        };
        let value = |resource: &Resource, name: &String| resource.parameters.get(name).cloned();
        let parameters = names.iter().filter(differs);
        let parameters = parameters.map(|&name| (name.clone(), (value(before, name), value(after, name))));
        ChangedResource {
            name: before.name.clone(),
            parameters: parameters.collect(),
            old_place: before.place.clone(),
            new_place: after.place.clone(),
        }
    });
    compared.filter(|changed| !changed.parameters.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resource(title: &str, parameters: Json) -> Json {
        json!({"type": "File", "title": title, "file": "a.pp", "line": 3, "parameters": parameters})
    }

    fn catalog(resources: &[Json]) -> Json {
        json!({"resources": resources, "classes": ["a"], "edges": [], "catalog_uuid": resources.len()})
    }

    fn names(resources: &[Resource]) -> Vec<&str> {
        resources.iter().map(|resource| resource.name.as_str()).collect()
    }

    #[test]
    fn order_and_identifiers_do_not_count() {
        let (a, b) = (resource("a", json!({})), resource("b", json!({"mode": "1"})));
        let same = compare(&catalog(&[a.clone(), b.clone()]), &catalog(&[b, a]), &Rules::default());
        assert!(same.expect("both are catalogs").is_empty());
    }

    #[test]
    fn resources_come_go_and_change() {
        let old =
            catalog(&[resource("gone", json!({})), resource("kept", json!({"mode": "1", "owner": "x"}))]);
        let new =
            catalog(&[resource("kept", json!({"mode": "2", "group": "y"})), resource("new", json!({}))]);
        let difference = compare(&old, &new, &Rules::default()).expect("both are catalogs");
        assert_eq!(
            (names(&difference.added), names(&difference.removed)),
            (vec!["File[new]"], vec!["File[gone]"])
        );
        let expected =
            json!({"mode": {"from": "1", "to": "2"}, "owner": {"from": "x"}, "group": {"to": "y"}});
        assert_eq!(difference.to_json()["changed"][0]["parameters"], expected);
        assert_eq!(difference.to_json()["changed"][0]["from"], "a.pp:3");
    }

    #[test]
    fn a_secret_is_compared_and_not_shown() {
        let secret = |value: &str| {
            let mut resource = resource("s", json!({"content": value}));
            resource["sensitive_parameters"] = json!(["content"]);
            catalog(&[resource])
        };
        let difference =
            compare(&secret("old"), &secret("new"), &Rules::default()).expect("both are catalogs");
        let hidden = json!({"content": {"from": HIDDEN, "to": HIDDEN}});
        assert_eq!(difference.to_json()["changed"][0]["parameters"], hidden);
        let shown = Rules { show_secrets: true, ..Rules::default() };
        let difference = compare(&secret("old"), &secret("new"), &shown).expect("both are catalogs");
        assert_eq!(difference.to_json()["changed"][0]["parameters"]["content"]["to"], "new");
    }

    #[test]
    fn what_is_marked_is_compared_and_not_shown() {
        let secret = |text: &str| {
            let resource = json!({"type": "T", "title": "t", "tags": [text], SECRET_TAGS: true});
            let title = json!({"type": "T", "title": text, SECRET_TITLE: true});
            json!({"resources": [resource, title], "classes": [text, "open"], SECRET_CLASSES: [text]})
        };
        let rules = Rules { tags: true, ..Rules::default() };
        let difference = compare(&secret("4711"), &secret("4712"), &rules).expect("both are catalogs");
        assert!(!difference.to_json().to_string().contains("471"), "{difference:?}");
        assert_eq!(difference.to_json()["changed"][0]["parameters"][TAGS]["to"], HIDDEN);
        assert_eq!(
            (names(&difference.added), names(&difference.removed)),
            (vec!["T[[value hidden]]"], vec!["T[[value hidden]]"])
        );
        assert_eq!(
            (difference.classes.added, difference.classes.removed),
            (vec![HIDDEN.to_owned()], vec![HIDDEN.to_owned()])
        );
        let shown = Rules { show_secrets: true, ..rules };
        let difference = compare(&secret("4711"), &secret("4712"), &shown).expect("both are catalogs");
        assert_eq!(
            (names(&difference.added), difference.classes.added),
            (vec!["T[4712]"], vec!["4712".to_owned()])
        );
    }

    #[test]
    fn what_is_ignored_is_passed_over() {
        let old = catalog(&[resource("a", json!({"mode": "1"})), resource("gone", json!({}))]);
        let new = catalog(&[resource("a", json!({"mode": "2"}))]);
        for (patterns, changed, removed) in [
            (vec!["File[a]/mode"], 0, 1),
            (vec!["File[g*"], 1, 0),
            (vec!["File"], 0, 0),
            (vec!["*/mode", "*gone*"], 0, 0),
        ] {
            let ignored = patterns.iter().map(|&pattern| pattern.to_owned()).collect();
            let rules = Rules { ignored, ..Rules::default() };
            let difference = compare(&old, &new, &rules).expect("both are catalogs");
            assert_eq!(
                (difference.changed.len(), difference.removed.len()),
                (changed, removed),
                "{patterns:?}"
            );
        }
    }

    #[test]
    fn what_is_no_catalog_is_said_to_be_none() {
        let good = catalog(&[]);
        assert_eq!(
            compare(&good, &json!([]), &Rules::default()),
            Err("the second is no catalog: it has no list of resources".to_owned())
        );
    }
}
