//! Ansible's filters for lists and maps, and Jinja2's `default`.

use super::super::call::{BoundArguments, Function, function, int};
use super::super::fault::{Checked, FaultKind};
use super::super::issues;
use super::super::members::Members;
use super::super::renderer::Renderer;
use super::super::show::type_name;
use super::super::tree::Range;
use super::super::value::{LazyItems, Pairs, Val};
use super::sequences::named_map;

pub(super) static FILTERS: &[Function] = &[
    function("combine", &["*terms", "**kwargs"], combine),
    function("dict2items", &["mydict", "key_name?", "value_name?"], dict2items),
    function("items2dict", &["mylist", "key_name?", "value_name?"], items2dict),
    function("flatten", &["mylist", "levels?", "skip_nulls?"], flatten),
    function("ternary", &["value", "true_val", "false_val", "none_val?"], ternary).with_undefined(),
    function("bool", &["a"], to_bool),
    function("default", &["value", "default_value?", "boolean?"], default).with_undefined(),
    function("d", &["value", "default_value?", "boolean?"], default).with_undefined(),
    function("mandatory", &["a", "msg?"], mandatory).with_undefined(),
    function("extract", &["item", "container", "morekeys?"], extract),
    function("type_debug", &["obj"], |_, given| Ok(Val::text(type_name(given.value(0))))).with_undefined(),
    function("rekey_on_member", &["data", "key", "duplicates?"], rekey_on_member),
];

/// Merges maps, later ones over earlier ones; with `recursive`, maps inside them, too.
fn combine(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    given.only("combine", &["recursive", "list_merge"])?;
    let recursive = match given.named("recursive") {
        Some(value) => renderer.truth(value)?,
        None => false,
    };
    let lists = match given.named("list_merge") {
        Some(value) => renderer.printed(value)?,
        None => "replace".into(),
    };
    let mut maps = Vec::new();
    for term in &given.rest {
        flatten_into(renderer, std::slice::from_ref(term), Some(1), true, &mut maps)?;
    }
    if let [only] = maps.as_slice() {
        return Ok(only.clone());
    }
    let mut merged = Pairs::default();
    for map in maps {
        renderer.present(&map)?;
        let Some(pairs) = renderer.pairs(&map)? else { return Err(issues::combines_maps()) };
        merge(renderer, &mut merged, pairs, recursive, &lists)?;
    }
    renderer.dict(merged)
}

fn merge(
    renderer: &mut Renderer,
    under: &mut Pairs,
    over: Vec<(Val, Val)>,
    recursive: bool,
    lists: &str,
) -> Checked<()> {
    renderer.step()?;
    for (key, value) in over {
        let hashed = renderer.key_of(&key)?;
        let old = under.get(&hashed).map(|(_, old)| old.clone());
        let merged = match old {
            None => value,
            Some(old) => merged_values(renderer, &old, value, recursive, lists)?,
        };
        match under.get_mut(&hashed) {
            Some((_, slot)) => *slot = merged,
            None => drop(under.insert(hashed, (key, merged))),
        }
    }
    Ok(())
}

fn merged_values(renderer: &mut Renderer, old: &Val, new: Val, recursive: bool, lists: &str) -> Checked<Val> {
    if let (true, Some(under), Some(over)) = (recursive, renderer.pairs(old)?, renderer.pairs(&new)?) {
        let mut merged = Pairs::default();
        for (key, value) in under {
            merged.insert(renderer.key_of(&key)?, (key, value));
        }
        renderer.deeper(|renderer| merge(renderer, &mut merged, over, true, lists))?;
        return renderer.dict(merged);
    }
    if !["replace", "keep", "append", "prepend", "append_rp", "prepend_rp"].contains(&lists) {
        return Err(issues::unknown_list_merge(lists));
    }
    if !(is_list(old) && is_list(&new)) {
        return Ok(new);
    }
    let (a, b) = (renderer.items(old)?, renderer.items(&new)?);
    let joined = match lists {
        "keep" => return Ok(old.clone()),
        "append" => [a, b].concat(),
        "prepend" => [b, a].concat(),
        "append_rp" => [without(renderer, &a, &b)?, b].concat(),
        "prepend_rp" => {
            let rest = without(renderer, &a, &b)?;
            [b, rest].concat()
        }
        _ => return Ok(new),
    };
    renderer.list(joined)
}

pub(super) fn is_list(value: &Val) -> bool {
    match value {
        Val::List(_) | Val::Tuple(_) => true,
        Val::Branch(node) => node.is_list(),
        Val::Rolled(rolled) => matches!(&**rolled, LazyItems::Range { .. }),
        _ => false,
    }
}

/// Returns the items that are not among others.
pub(super) fn without(renderer: &mut Renderer, items: &[Val], others: &[Val]) -> Checked<Vec<Val>> {
    let members = Members::of(renderer, others)?;
    let mut kept = Vec::new();
    for item in items {
        if !members.has(renderer, item)? {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

fn names(renderer: &mut Renderer, given: &BoundArguments) -> Checked<(Val, Val)> {
    let (key, value) = (given.text_or(renderer, 1, "key")?, given.text_or(renderer, 2, "value")?);
    Ok((Val::text(key), Val::text(value)))
}

fn dict2items(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (key_name, value_name) = names(renderer, given)?;
    let Some(pairs) = renderer.pairs(given.value(0))? else {
        return Err(issues::map_needed("dict2items", type_name(given.value(0))));
    };
    let mut rows = Vec::new();
    for (key, value) in pairs {
        rows.push(named_map(renderer, vec![(key_name.clone(), key), (value_name.clone(), value)])?);
    }
    renderer.list(rows)
}

fn items2dict(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let (key_name, value_name) = names(renderer, given)?;
    if !is_list(given.value(0)) {
        return Err(issues::list_needed("items2dict", type_name(given.value(0))));
    }
    let mut made = Vec::new();
    for item in renderer.items(given.value(0))? {
        let (key, value) = (renderer.entry(&item, &key_name)?, renderer.entry(&item, &value_name)?);
        if let (Some(key), Some(value)) = (key, value) {
            made.push((key, value));
        } else {
            let (key, value) = (renderer.printed(&key_name)?, renderer.printed(&value_name)?);
            return Err(issues::items_without(&key, &value));
        }
    }
    named_map(renderer, made)
}

/// Unpacks lists in lists, all of them or as many levels as asked for; nulls are left out.
fn flatten(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let levels = match given.get(1) {
        None | Some(Val::None) => None,
        Some(value) => Some(int(value)?),
    };
    let skip = given.truth(renderer, 2, true)?;
    let mut out = Vec::new();
    let items = renderer.items(given.value(0))?;
    flatten_into(renderer, &items, levels, skip, &mut out)?;
    renderer.list(out)
}

fn flatten_into(
    renderer: &mut Renderer,
    items: &[Val],
    levels: Option<i128>,
    skip: bool,
    out: &mut Vec<Val>,
) -> Checked<()> {
    for item in items {
        renderer.go_through(crate::expr::budget::NODE)?;
        if skip && (matches!(item, Val::None) || matches!(item.as_text(), Some("None" | "null"))) {
            continue;
        }
        if is_list(item) && levels.is_none_or(|levels| levels >= 1) {
            let inner = renderer.items(item)?;
            let levels = levels.map(|levels| levels - 1);
            renderer.deeper(|renderer| flatten_into(renderer, &inner, levels, skip, out))?;
        } else {
            out.push(item.clone());
        }
        renderer.fits(out.len().saturating_mul(crate::expr::budget::NODE))?;
    }
    Ok(())
}

fn ternary(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    match given.get(3) {
        Some(none) if matches!(value, Val::None) && !matches!(none, Val::None) => Ok(none.clone()),
        _ => Ok(given.value(if renderer.truth(value)? { 1 } else { 2 }).clone()),
    }
}

/// Ansible's truth: `yes`, `on`, `1`, `true` in any case; null stays null.
fn to_bool(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    Ok(match value {
        Val::None | Val::Bool(_) => value.clone(),
        Val::Text(text) => {
            Val::Bool(matches!(text.text.to_lowercase().as_str(), "yes" | "on" | "1" | "true"))
        }
        other => Val::Bool(renderer.equal(other, &Val::Int(1))?),
    })
}

/// Replaces what is undefined; with `true`, also what counts as false.
fn default(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    let other = || given.get(1).cloned().unwrap_or_else(|| Val::text(""));
    if value.is_undefined() {
        return Ok(other());
    }
    let falsy = given.truth(renderer, 2, false)?;
    Ok(if falsy && !renderer.truth(value)? { other() } else { value.clone() })
}

fn mandatory(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let Val::Undefined(missing) = given.value(0) else { return Ok(given.value(0).clone()) };
    let message = match given.get(1) {
        None | Some(Val::None) => None,
        Some(message) => Some(renderer.printed(message)?),
    };
    let name = (missing.kind != FaultKind::Undefined).then_some(missing.message.as_str());
    Err(issues::mandatory(message, name))
}

fn extract(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let mut here = renderer.item(given.value(1), given.value(0), Range::default())?;
    let keys = match given.get(2) {
        None | Some(Val::None) => Vec::new(),
        Some(more) if is_list(more) => renderer.items(more)?,
        Some(more) => vec![more.clone()],
    };
    for key in keys {
        here = renderer.item(&here, &key, Range::default())?;
    }
    Ok(here)
}

fn rekey_on_member(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let duplicates = given.text_or(renderer, 2, "error")?;
    if !["error", "overwrite"].contains(&duplicates.as_str()) {
        return Err(issues::rekey_duplicates(&duplicates));
    }
    let value = given.value(0);
    let rows = match renderer.pairs(value)? {
        Some(pairs) => pairs.into_iter().map(|(_, row)| row).collect(),
        None if is_list(value) => renderer.items(value)?,
        None => return Err(issues::rekey_of_neither()),
    };
    let mut made = Pairs::default();
    for row in rows {
        if renderer.pairs(&row)?.is_none() {
            return Err(issues::rekey_item_no_map());
        }
        let Some(name) = renderer.entry(&row, given.value(1))? else {
            return Err(issues::rekey_without(&renderer.printed(given.value(1))?));
        };
        let key = renderer.key_of(&name)?;
        if duplicates == "error" && made.contains_key(&key) {
            return Err(issues::rekey_twice(&renderer.printed(&name)?));
        }
        made.insert(key, (name, row));
    }
    renderer.dict(made)
}
