//! The function `lookup` and the plugins it asks: `hiera`, `unfurl`, `env`, files, and lists made of lists.

use std::path::Path;

use hierarch_pcore::{Hash, Value};
use hierarch_source::Result;

use super::Example::{Fails, Gives};
use super::{Call, Function, Matches, function, password, revealed};
use crate::expr::scope::Scope;
use crate::expr::world::bounded_regexp;
use crate::expr::{evaluate, file, folders, issues, python};
use crate::template;

/// The lookup plugins, those that reach beyond the document first.
pub const PLUGINS: &[&str] = &[
    "env",
    "file",
    "template",
    "hiera",
    "unfurl",
    "vars",
    "varnames",
    "items",
    "list",
    "dict",
    "nested",
    "together",
    "indexed_items",
    "sequence",
    "subelements",
    "random_choice",
    "password",
];

/// How many of them do.
const REACHING_OUT: usize = 4;

pub(super) static FUNCTIONS: &[Function] = &[function(
    "lookup",
    "Asks a plugin: `{PLUGIN: term or terms, option: value}`. `hiera` looks keys up in layered data, with the options \
     `default` and `merge`; `env`, `file`, `template`, `vars`, `unfurl` and others are as in Ansible.",
    lookups,
)
.reaching_out()
.examples(&[
    Gives("{lookup: {hiera: 'ntp::servers'}}", "['ntp1']"),
    Gives("{lookup: {hiera: gone, default: 5}}", "5"),
    Gives("{lookup: {env: REGION}}", "'eu'"),
    Gives("{lookup: {unfurl: '::web::host'}}", "'w1'"),
    Fails("{lookup: {hiera: gone}}", "did not find a value for the name 'gone'"),
    Fails("{lookup: {pipe: ls}}", "lookup plugin (pipe) not found"),
])];

fn lookups(call: &Call) -> Result<Matches> {
    let value = call.handed_on()?;
    let Some(map) = value.as_hash().filter(|map| !map.is_empty()) else {
        return Err(call.wrong("a map with a plugin and its arguments", &value));
    };
    let mut options = map.clone();
    let Some((plugin, terms)) = map.at(0) else { return Ok(Matches::default()) };
    options.remove(plugin);
    let terms: Vec<Value> = match terms {
        Value::Array(items) => items.to_vec(),
        other => vec![other.clone()],
    };
    let found = lookup(call.scope, &python::text(plugin), &terms, &options)?;
    Ok(if found.len() == 1 { Matches::several(found) } else { Value::array(found).into() })
}

/// Asks a lookup plugin.
pub(crate) fn lookup(scope: &Scope, plugin: &str, terms: &[Value], options: &Hash) -> Result<Vec<Value>> {
    if scope.world.safe && PLUGINS[..REACHING_OUT].contains(&plugin) {
        return Err(issues::function_unsafe(plugin));
    }
    let each = |ask: &dyn Fn(&Value) -> Result<Value>| terms.iter().map(ask).collect();
    match plugin {
        "env" => each(&|term| {
            let found = scope.world.host.variable(&python::text(term))?.map(Value::from);
            Ok(found.or_else(|| options.get_str("default").cloned()).unwrap_or_else(|| "".into()))
        }),
        "hiera" => each(&|term| hiera(scope, term, options)),
        "unfurl" => each(&|term| Ok(evaluate::expression(scope, &revealed(term.clone()))?.one())),
        "file" => each(&|term| {
            let text = read(scope, term)?;
            let trimmed = options.get_str("rstrip").is_none_or(python::is_true);
            Ok(if trimmed { text.trim_end().into() } else { text.into() })
        }),
        "template" => each(&|term| template::render_text(scope, &read(scope, term)?)),
        "vars" => each(&|term| variable(scope, term, options)),
        "varnames" => names(scope, terms),
        "list" => Ok(terms.to_vec()),
        "items" => Ok(flat(terms)),
        "dict" => Ok(terms.iter().filter_map(Value::as_hash).flat_map(Hash::iter).map(pair).collect()),
        "indexed_items" => {
            let items = flat(terms).into_iter().enumerate();
            Ok(items.map(|(index, item)| Value::array(vec![index.into(), item])).collect())
        }
        "together" => Ok(together(&lists(terms))),
        "nested" => nested(scope, &lists(terms)),
        "subelements" => subelements(terms),
        "random_choice" => random_choice(scope, &flat(terms)),
        "password" => each(&|term| password::password(scope, &python::text(term), options)),
        "sequence" => each(&|term| sequence(&python::text(term))).map(|found: Vec<Value>| flat(&found)),
        other => Err(issues::unknown_lookup(other)),
    }
}

fn hiera(scope: &Scope, key: &Value, options: &Hash) -> Result<Value> {
    let key = python::text(key);
    let merge = options.get_str("merge").map(python::text);
    let found = scope.world.host.hiera(&key, merge.as_deref())?;
    found.or_else(|| options.get_str("default").cloned()).ok_or_else(|| issues::key_not_found(&key))
}

/// Reads a file of the document's folder, or one that may be read.
pub(super) fn read(scope: &Scope, path: &Value) -> Result<String> {
    let path = folders::absolute(scope, &python::text(path), None, false)?;
    file::read(&scope.world, Path::new(&path))
}

fn variable(scope: &Scope, name: &Value, options: &Hash) -> Result<Value> {
    let name = python::text(name);
    match (scope.variable(&name)?, options.get_str("default")) {
        (Some(item), _) => item.value(),
        (None, Some(default)) => Ok(default.clone()),
        (None, None) => Err(issues::wrong_lookup("vars", &format!("knows no variable {name}"))),
    }
}

fn names(scope: &Scope, patterns: &[Value]) -> Result<Vec<Value>> {
    let mut found = Vec::new();
    for pattern in patterns {
        let pattern = bounded_regexp(&python::text(pattern))?;
        for name in scope.names() {
            if pattern.is_match(&name)? {
                found.push(name.into());
            }
        }
    }
    Ok(found)
}

fn pair((key, value): (&Value, &Value)) -> Value {
    [("key", key.clone()), ("value", value.clone())].into_iter().collect::<Hash>().into()
}

/// Returns what lists hold; what is not a list stands for itself.
fn flat(terms: &[Value]) -> Vec<Value> {
    let mut items = Vec::new();
    for term in terms {
        match term {
            Value::Array(inner) => items.extend(inner.iter().cloned()),
            other => items.push(other.clone()),
        }
    }
    items
}

fn lists(terms: &[Value]) -> Vec<Vec<Value>> {
    terms.iter().map(|term| flat(std::slice::from_ref(term))).collect()
}

fn together(lists: &[Vec<Value>]) -> Vec<Value> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let row = |index: usize| lists.iter().map(|list| list.get(index).cloned().unwrap_or_default()).collect();
    (0..longest).map(|index| Value::array(row(index))).collect()
}

fn nested(scope: &Scope, lists: &[Vec<Value>]) -> Result<Vec<Value>> {
    let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
    for list in lists {
        let mut longer = Vec::new();
        for row in &rows {
            for item in list {
                scope.world.step()?;
                longer.push([row.as_slice(), std::slice::from_ref(item)].concat());
            }
            if longer.len() > LONGEST {
                return Err(issues::wrong_lookup("nested", &format!("would make more than {LONGEST} items")));
            }
        }
        rows = longer;
    }
    Ok(rows.into_iter().map(Value::from).collect())
}

/// Puts each element with each item of a list in it: `[elements, key]`, and perhaps `{skip_missing: true}`.
fn subelements(terms: &[Value]) -> Result<Vec<Value>> {
    let [elements, key, rest @ ..] = terms else {
        return Err(issues::wrong_lookup("subelements", "needs a list and the name of a key"));
    };
    let elements = match elements {
        Value::Hash(map) => map.values().cloned().collect(),
        other => flat(std::slice::from_ref(other)),
    };
    let option = rest.first().and_then(Value::as_hash).and_then(|options| options.get_str("skip_missing"));
    let keys: Vec<String> = python::text(key).split('.').map(str::to_owned).collect();
    let mut pairs = template::pairs_of(elements, &keys, option.is_some_and(python::is_true))?;
    // Ansible takes the list out of its element, which the filter of the same name does not.
    for pair in &mut pairs {
        if let Some([element, item]) = pair.as_array() {
            *pair = vec![lacking(element, &keys), item.clone()].into();
        }
    }
    Ok(pairs)
}

/// Returns a map without the entry that some keys lead to.
fn lacking(value: &Value, keys: &[String]) -> Value {
    let (Value::Hash(map), [key, rest @ ..]) = (value, keys) else { return value.clone() };
    let mut left = (**map).clone();
    let key = Value::from(key.as_str());
    match (rest.is_empty(), left.get(&key)) {
        (true, _) => {
            left.remove(&key);
        }
        (false, Some(inner)) => {
            let inner = lacking(inner, rest);
            left.insert(key, inner);
        }
        (false, None) => {}
    }
    Value::hash(left)
}

/// Picks one of the items, nobody knows which.
fn random_choice(scope: &Scope, items: &[Value]) -> Result<Vec<Value>> {
    let mut bytes = [0; 8];
    scope.world.host.random(&mut bytes)?;
    let at = u64::from_le_bytes(bytes) % (items.len().max(1) as u64);
    Ok(items.get(at as usize).cloned().into_iter().collect())
}

/// No plugin makes more items than this.
const LONGEST: usize = 100_000;

/// `start=1 end=5 stride=2` or `count=3`, as texts.
fn sequence(term: &str) -> Result<Value> {
    let (mut start, mut end, mut count, mut stride) = (1_i64, None, None, 1_i64);
    let wrong = |what: &str| issues::wrong_lookup("sequence", &format!("does not understand {what}"));
    for setting in term.split_whitespace() {
        let (name, value) = setting.split_once('=').ok_or_else(|| wrong(setting))?;
        let value: i64 = value.parse().map_err(|_| wrong(setting))?;
        match name {
            "start" => start = value,
            "end" => end = Some(value),
            "count" => count = Some(value),
            "stride" => stride = value,
            _ => return Err(wrong(setting)),
        }
    }
    let counted = count.map(|count| start.saturating_add(count.saturating_sub(1).saturating_mul(stride)));
    let end = end.or(counted).ok_or_else(|| wrong("a sequence without end or count"))?;
    if stride == 0 || end.abs_diff(start) / stride.unsigned_abs() > LONGEST as u64 {
        return Err(wrong("a sequence that long"));
    }
    let inside = |number: &i64| if stride > 0 { *number <= end } else { *number >= end };
    let numbers = std::iter::successors(Some(start), |number| number.checked_add(stride)).take_while(inside);
    Ok(Value::array(numbers.map(|number| Value::from(number.to_string())).collect()))
}
