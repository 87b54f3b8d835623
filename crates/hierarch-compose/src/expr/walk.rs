//! Following a path: where it starts, what each step selects, which values its filters keep.

use std::sync::Arc;

use hierarch_pcore::{Hash, Str, Value};
use hierarch_source::Result;

use super::file::File;
use super::issues;
use super::item::{Item, Raw};
use super::path::{Filter, Key, Operand, Step, Test};
use super::python;
use super::scope::Scope;
use super::tree::{CHILDREN, Instance, Tree};
use super::world::Place;

/// Keys that Unfurl's instances have and documents do not.
const ORCHESTRATION: &[&str] = &[
    ".tosca_id",
    ".tosca_name",
    ".state",
    ".source",
    ".target",
    ".targets",
    ".sources",
    ".capabilities",
    ".requirements",
    ".relationships",
    ".repository",
    ".hosted_on",
    ".configured_by",
    ".deployment",
    ".apex",
    ".owner",
    ".super",
];

/// Returns everything a path leads to.
pub(crate) fn matches(scope: &Scope, path: &[Step]) -> Result<Vec<Item>> {
    let [first, rest @ ..] = path else { return Ok(Vec::new()) };
    let walk = Walk { scope };
    match &first.key {
        Key::Itself if first.is_empty() && !rest.is_empty() => walk.of_all(rest),
        Key::Itself if first.is_empty() => Ok(Vec::new()),
        Key::Special(_) => walk.along(Item::Done(scope.current.clone()), path),
        Key::Variable(name) => match scope.variable(name)? {
            Some(item) => walk.of_variable(item, first, rest),
            None => Ok(Vec::new()),
        },
        _ => walk.searching(path),
    }
}

struct Walk<'s> {
    scope: &'s Scope,
}

impl Walk<'_> {
    fn tree(&self) -> &Tree {
        &self.scope.world.tree
    }

    fn along(&self, item: Item, path: &[Step]) -> Result<Vec<Item>> {
        let mut found = Vec::new();
        self.apply(item, path, &mut found)?;
        Ok(found)
    }

    /// Starts at the current instance; where the whole path leads to nothing, at its parent, and so on.
    fn searching(&self, path: &[Step]) -> Result<Vec<Item>> {
        let found = self.along(Item::Done(self.scope.current.clone()), path)?;
        if !found.is_empty() || !self.scope.searches {
            return Ok(found);
        }
        for ancestor in self.tree().ancestors(self.scope.instance).skip(1) {
            let found = self.along(Item::Done(self.tree().node(ancestor).value.clone()), path)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// Starts at the map of all instances. An instance that is not there is null.   case: expressions/paths
    fn of_all(&self, rest: &[Step]) -> Result<Vec<Item>> {
        let all = Item::Done(self.tree().all.clone());
        match rest {
            [Step { key: Key::Name(name) | Key::Position(_, name), filters, test: None, .. }]
                if filters.is_empty() && self.tree().find(name).is_none() =>
            {
                Ok(vec![Item::Done(Value::Undef)])
            }
            _ => self.along(all, rest),
        }
    }

    /// A variable's value is taken as a whole by the step that names it.
    fn of_variable(&self, item: Item, first: &Step, rest: &[Step]) -> Result<Vec<Item>> {
        let mut found = Vec::new();
        self.keep(item, first, rest, &mut found)?;
        Ok(found)
    }

    /// Applies the first step to a value and the rest of the path to what it selects.
    fn apply(&self, item: Item, path: &[Step], found: &mut Vec<Item>) -> Result<()> {
        let [step, rest @ ..] = path else {
            found.push(item);
            return Ok(());
        };
        self.scope.world.step()?;
        if let Value::Sensitive(inner) = item.seen() {
            return self.apply_in_secret(inner, path, found);
        }
        let key = self.key_of(step)?;
        let Some(key) = key else { return Ok(()) };
        match (item.seen().clone(), &key) {
            (Value::Array(items), Key::Position(at, _)) => match position(*at, items.len()) {
                Some(at) => self.keep(item.part(&items[at])?, step, rest, found),
                None => Ok(()),
            },
            (Value::Array(_), Key::All) => Ok(()),
            (Value::Array(items), _) => self.each(&item, &items, path, found),
            (_, Key::All) => self.all(&item, step, rest, found),
            _ => match self.select(&item, &key)? {
                Some(item) => self.keep(item, step, rest, found),
                None => Ok(()),
            },
        }
    }

    /// What lies in a secret is a secret.
    fn apply_in_secret(&self, inner: &Value, path: &[Step], found: &mut Vec<Item>) -> Result<()> {
        for item in self.along(Item::Done(inner.clone()), path)? {
            found.push(Item::Done(Value::sensitive(item.value()?)));
        }
        Ok(())
    }

    /// Applies a step to each item of a list; with `?`, up to the first that leads anywhere.
    fn each(&self, list: &Item, items: &[Value], path: &[Step], found: &mut Vec<Item>) -> Result<()> {
        for value in items {
            let before = found.len();
            self.apply(list.part(value)?, path, found)?;
            if path[0].first && found.len() > before {
                break;
            }
        }
        Ok(())
    }

    fn all(&self, item: &Item, step: &Step, rest: &[Step], found: &mut Vec<Item>) -> Result<()> {
        if let Value::Hash(map) = item.seen() {
            for value in map.values() {
                self.keep(item.part(value)?, step, rest, found)?;
            }
        }
        Ok(())
    }

    /// Goes on with a selected value if the step's filters and its test hold.
    fn keep(&self, item: Item, step: &Step, rest: &[Step], found: &mut Vec<Item>) -> Result<()> {
        for filter in &step.filters {
            if !self.holds(&item, filter)? {
                return Ok(());
            }
        }
        if let Some(test) = &step.test
            && !self.passes(&item, test)?
        {
            return Ok(());
        }
        self.apply(item, rest, found)
    }

    fn holds(&self, item: &Item, filter: &Filter) -> Result<bool> {
        let found = match filter.path.as_slice() {
            [first, rest @ ..] if matches!(first.key, Key::Variable(_)) && !rest.is_empty() => {
                matches(self.scope, &filter.path)?
            }
            path => self.along(item.clone(), path)?,
        };
        Ok(found.is_empty() == filter.negated)
    }

    fn passes(&self, item: &Item, test: &Test) -> Result<bool> {
        let value = item.clone().value()?;
        let equal = match &test.operand {
            Operand::Text(text) => equals_text(&value, text),
            Operand::Variable(name) => match self.scope.variable(name)? {
                Some(wanted) => python::equal(&value, &wanted.value()?),
                None => false,
            },
        };
        Ok(equal != test.negated)
    }

    /// Returns a step's key, its variable replaced; nothing if there is no such variable.
    fn key_of(&self, step: &Step) -> Result<Option<Key>> {
        let Key::Variable(name) = &step.key else { return Ok(Some(step.key.clone())) };
        let Some(item) = self.scope.variable(name)? else { return Ok(None) };
        Ok(Some(match item.value()? {
            Value::Integer(number) => Key::Position(number, number.to_string().into()),
            value => Key::Name(python::text(&value).into()),
        }))
    }

    fn select(&self, item: &Item, key: &Key) -> Result<Option<Item>> {
        if matches!(key, Key::Itself) {
            return Ok(Some(item.clone()));
        }
        let value = item.seen();
        if let Some(instance) = Instance::of(value) {
            return self.of_instance(instance.id, key);
        }
        let (Key::Name(name) | Key::Position(_, name) | Key::Special(name)) = key else { return Ok(None) };
        match value {
            Value::Hash(map) => {
                let number =
                    if let Key::Position(number, _) = key { Some(Value::from(*number)) } else { None };
                let value = map.get_str(name).or_else(|| map.get(&number?));
                value.map(|value| item.part(value)).transpose()
            }
            Value::Foreign(_) => match File::of(value) {
                Some(file) => Ok(file.get(&self.scope.world, name)?.map(Item::Done)),
                None => Ok(None),
            },
            _ => Ok(None),
        }
    }

    fn of_instance(&self, id: u32, key: &Key) -> Result<Option<Item>> {
        match key {
            Key::Special(key) => self.special(id, key).map(Some),
            Key::Name(name) | Key::Position(_, name) => attribute(self.scope, id, name),
            _ => Ok(None),
        }
    }

    fn special(&self, id: u32, key: &Str) -> Result<Item> {
        let tree = self.tree();
        let node = tree.node(id);
        let value = match key.as_str() {
            "." => node.value.clone(),
            ".." => node.parent.map_or(Value::Undef, |parent| tree.node(parent).value.clone()),
            ".name" => node.name.clone().into(),
            ".key" => format!("::{}", node.name).into(),
            ".root" => tree.node(0).value.clone(),
            ".parents" => {
                let mut parents: Vec<u32> = tree.ancestors(id).skip(1).collect();
                parents.reverse();
                tree.list(parents)
            }
            ".ancestors" => tree.list(tree.ancestors(id)),
            ".instances" => tree.list(node.children.iter().copied()),
            ".descendants" => tree.list(tree.descendants(id)),
            ".all" => tree.all.clone(),
            ".names" => return Ok(attributes(self.scope, id)),
            ".uri" => format!("#::{}", node.name).into(),
            // What Unfurl says of an instance that no template and no deployment stands behind, as all of these.
            ".type" => "tosca.nodes.Root".into(),
            ".status" => 0.into(),
            ".artifacts" => Hash::new().into(),
            key if ORCHESTRATION.contains(&key) => {
                return Err(issues::orchestration(&format!("the key {key}")));
            }
            key => return Err(issues::unknown_special(key)),
        };
        Ok(Item::Done(value))
    }
}

/// Returns an attribute of an instance.
pub(crate) fn attribute(scope: &Scope, id: u32, name: &str) -> Result<Option<Item>> {
    let tree = &scope.world.tree;
    let node = tree.node(id);
    let Some(value) = node.attributes.get_str(name) else { return Ok(None) };
    // A map at the top that is an instance, too, means the same whichever way it is reached.
    if id == 0
        && let Some(child) = tree.adopted(name)
    {
        return Ok(Some(attributes(scope, child)));
    }
    let place = Some(Place::of_attributes(id).part(value));
    Item::Raw(Raw { value: value.clone(), scope: scope.owner(id), place }).woken().map(Some)
}

/// Returns an instance as it stands in the document, everything in it evaluated, and those below it.
pub(crate) fn evaluated(scope: &Scope, id: u32) -> Result<Value> {
    let tree = &scope.world.tree;
    let node = tree.node(id);
    let mut map = Hash::new();
    for (index, (key, value)) in node.attributes.iter().enumerate() {
        if node.before == Some(index) {
            map.insert(CHILDREN, children(scope, id)?);
        }
        let adopted = if id == 0 { key.as_str().and_then(|name| tree.adopted(name)) } else { None };
        let value = if let Some(child) = adopted {
            evaluated(scope, child)?
        } else {
            let place = Some(Place::of_attributes(id).part(value));
            Raw { value: value.clone(), scope: scope.owner(id), place }.resolve()?
        };
        map.insert(key.clone(), value);
    }
    if node.before == Some(node.attributes.len()) {
        map.insert(CHILDREN, children(scope, id)?);
    }
    Ok(map.into())
}

fn children(scope: &Scope, id: u32) -> Result<Value> {
    let tree = &scope.world.tree;
    let mut map = Hash::new();
    for &child in &tree.node(id).children {
        map.insert(tree.node(child).name.clone(), evaluated(scope, child)?);
    }
    Ok(map.into())
}

/// Returns all attributes of an instance, as a map.
fn attributes(scope: &Scope, id: u32) -> Item {
    let value = Value::Hash(Arc::clone(&scope.world.tree.node(id).attributes));
    Item::Raw(Raw { value, scope: scope.owner(id), place: Some(Place::of_attributes(id)) })
}

fn position(at: i64, length: usize) -> Option<usize> {
    let at = if at < 0 { at.checked_add(length as i64)? } else { at };
    usize::try_from(at).ok().filter(|at| *at < length)
}

/// Compares with a text, converted to the value's type as Python's constructors do.
fn equals_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(value) => value == text,
        Value::Integer(number) => python::int(text) == Some(*number),
        Value::Float(number) => python::float_of(text) == Some(*number),
        Value::Boolean(truth) => *truth != text.is_empty(),
        Value::Array(items) => {
            let letters = text.chars().map(|c| Value::from(c.to_string()));
            items.iter().cloned().eq(letters)
        }
        Value::Sensitive(inner) => equals_text(inner, text),
        _ => false,
    }
}
