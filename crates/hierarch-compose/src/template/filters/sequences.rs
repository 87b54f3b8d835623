//! Jinja2's filters over lists: `map`, `select`, `sort`, `groupby` and their like.

use std::cmp::Ordering;

use hierarch_pcore::Str;

use crate::template::call::{BoundArguments, Function, function};
use crate::template::fault::Checked;
use crate::template::issues;
use crate::template::object::CallArguments;
use crate::template::operators::escaped;
use crate::template::renderer::Renderer;
use crate::template::show::type_name;
use crate::template::tree::{Binary, Range};
use crate::template::value::{Flavor, Pairs, Val};

pub(super) static FILTERS: &[Function] = &[
    function("list", &["value"], |renderer, given| {
        let items = renderer.items(given.value(0))?;
        renderer.list(items)
    }),
    function("length", &["obj"], length),
    function("count", &["obj"], length),
    function("first", &["seq"], |renderer, given| {
        let found = renderer.walk(given.value(0))?.next();
        Ok(found.unwrap_or_else(|| Val::undefined(issues::empty_sequence("first"))))
    }),
    function("last", &["seq"], |renderer, given| {
        let found = renderer.items(given.value(0))?.pop();
        Ok(found.unwrap_or_else(|| Val::undefined(issues::empty_sequence("last"))))
    }),
    function("reverse", &["value"], reverse),
    function("sort", &["value", "reverse?", "case_sensitive?", "attribute?"], sort),
    function("dictsort", &["value", "case_sensitive?", "by?", "reverse?"], dictsort),
    function("items", &["value"], items).with_undefined(),
    function("min", &["value", "case_sensitive?", "attribute?"], |renderer, given| {
        extreme(renderer, given, Ordering::Less)
    }),
    function("max", &["value", "case_sensitive?", "attribute?"], |renderer, given| {
        extreme(renderer, given, Ordering::Greater)
    }),
    function("sum", &["iterable", "attribute?", "start?"], sum),
    function("join", &["value", "d?", "attribute?"], join),
    function("batch", &["value", "linecount", "fill_with?"], batch),
    function("slice", &["value", "slices", "fill_with?"], slice),
    function("groupby", &["value", "attribute", "default?", "case_sensitive?"], groupby),
    function("map", &["value", "*args", "**kwargs"], map).with_undefined(),
    function("select", &["value", "*args", "**kwargs"], |renderer, given| {
        selected(renderer, given, true, false)
    }),
    function("reject", &["value", "*args", "**kwargs"], |renderer, given| {
        selected(renderer, given, false, false)
    }),
    function("selectattr", &["value", "*args", "**kwargs"], |renderer, given| {
        selected(renderer, given, true, true)
    }),
    function("rejectattr", &["value", "*args", "**kwargs"], |renderer, given| {
        selected(renderer, given, false, true)
    }),
    function("attr", &["obj", "name"], attr).with_undefined(),
    function("lines", &["value"], |renderer, given| {
        let text = given.text(renderer, 0)?;
        let lines = text.lines().map(|line| renderer.text(line)).collect::<Checked<_>>()?;
        renderer.list(lines)
    }),
];

fn length(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    match renderer.length(value)? {
        Some(length) => Ok(length.into()),
        None => Err(issues::no_length(type_name(value))),
    }
}

fn reverse(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    if let Val::Text(text) = given.value(0) {
        return renderer.text(text.text.chars().rev().collect::<String>());
    }
    let mut items = renderer.items(given.value(0))?;
    items.reverse();
    renderer.list(items)
}

/// What items are compared by.
pub(super) struct By {
    paths: Vec<Vec<Val>>,
    ignore_case: bool,
    default: Option<Val>,
    several: bool,
}

impl By {
    pub(super) fn new(attribute: Option<&Val>, ignore_case: bool) -> Self {
        let paths = match attribute {
            None | Some(Val::None) => Vec::new(),
            Some(Val::Text(text)) => text.text.split(',').map(path).collect(),
            Some(other) => vec![vec![other.clone()]],
        };
        Self { several: paths.len() > 1, paths, ignore_case, default: None }
    }

    pub(super) fn key(&self, renderer: &mut Renderer, item: &Val) -> Checked<Val> {
        let mut keys = Vec::new();
        for path in &self.paths {
            let found = follow(renderer, item, path)?;
            let found = match (&self.default, found.is_undefined()) {
                (Some(default), true) => default.clone(),
                _ => found,
            };
            keys.push(self.folded(renderer, found)?);
        }
        match keys.len() {
            0 => self.folded(renderer, item.clone()),
            1 if !self.several => Ok(keys.remove(0)),
            _ => renderer.list(keys),
        }
    }

    fn folded(&self, renderer: &mut Renderer, value: Val) -> Checked<Val> {
        match &value {
            Val::Text(text) if self.ignore_case => renderer.text(text.text.to_lowercase()),
            _ => Ok(value),
        }
    }
}

/// Reads `a.b.0`.
fn path(text: &str) -> Vec<Val> {
    let part = |part: &str| match part.parse::<i128>() {
        Ok(number) if part.bytes().all(|byte| byte.is_ascii_digit()) => Val::Int(number),
        _ => Val::text(part),
    };
    text.split('.').map(part).collect()
}

fn follow(renderer: &mut Renderer, item: &Val, path: &[Val]) -> Checked<Val> {
    let mut here = item.clone();
    for key in path {
        here = renderer.item(&here, key, Range::default())?;
    }
    Ok(here)
}

impl Renderer {
    /// Sorts values by themselves.
    pub(in crate::template) fn sort(&mut self, items: &mut Vec<Val>) -> Checked<()> {
        let keyed = std::mem::take(items).into_iter().map(|item| (item.clone(), item)).collect();
        *items = self.sorted(keyed, false)?;
        Ok(())
    }

    /// Sorts values by their keys. Equal ones stay in order.
    fn sorted(&mut self, mut keyed: Vec<(Val, Val)>, reverse: bool) -> Checked<Vec<Val>> {
        self.go_through(keyed.len().saturating_mul(crate::expr::budget::NODE))?;
        let mut failed = None;
        keyed.sort_by(|(a, _), (b, _)| {
            if failed.is_some() {
                return Ordering::Equal;
            }
            let order = if reverse { self.order(b, a, "<") } else { self.order(a, b, "<") };
            order.unwrap_or_else(|fault| {
                failed = Some(fault);
                Ordering::Equal
            })
        });
        match failed {
            Some(fault) => Err(fault),
            None => Ok(keyed.into_iter().map(|(_, item)| item).collect()),
        }
    }
}

fn keyed(renderer: &mut Renderer, items: Vec<Val>, by: &By) -> Checked<Vec<(Val, Val)>> {
    items.into_iter().map(|item| Ok((by.key(renderer, &item)?, item))).collect()
}

fn sort(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let reverse = given.truth(renderer, 1, false)?;
    let by = By::new(given.get(3), !given.truth(renderer, 2, false)?);
    let items = renderer.items(given.value(0))?;
    let keyed = keyed(renderer, items, &by)?;
    let sorted = renderer.sorted(keyed, reverse)?;
    renderer.list(sorted)
}

fn dictsort(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let by_value = match given.text_or(renderer, 2, "key")?.as_str() {
        "key" => false,
        "value" => true,
        _ => return Err(issues::dictsort_by()),
    };
    let by = By::new(None, !given.truth(renderer, 1, false)?);
    let reverse = given.truth(renderer, 3, false)?;
    let Some(pairs) = renderer.pairs(given.value(0))? else {
        return Err(issues::no_method(type_name(given.value(0)), "items"));
    };
    let mut keyed = Vec::new();
    for (key, value) in pairs {
        let sorts_by = by.key(renderer, if by_value { &value } else { &key })?;
        keyed.push((sorts_by, renderer.tuple(vec![key, value])?));
    }
    let sorted = renderer.sorted(keyed, reverse)?;
    renderer.list(sorted)
}

fn items(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    if given.value(0).is_undefined() {
        return renderer.list(Vec::new());
    }
    let Some(pairs) = renderer.pairs(given.value(0))? else { return Err(issues::items_of_no_map()) };
    let pairs = pairs.into_iter().map(|(key, value)| renderer.tuple(vec![key, value]));
    let pairs = pairs.collect::<Checked<_>>()?;
    renderer.list(pairs)
}

fn extreme(renderer: &mut Renderer, given: &BoundArguments, wanted: Ordering) -> Checked<Val> {
    let by = By::new(given.get(2), !given.truth(renderer, 1, false)?);
    let mut best: Option<(Val, Val)> = None;
    for item in renderer.walk(given.value(0))? {
        renderer.step()?;
        let key = by.key(renderer, &item)?;
        let better = match &best {
            None => true,
            Some((best, _)) => renderer.order(&key, best, if wanted.is_lt() { "<" } else { ">" })? == wanted,
        };
        if better {
            best = Some((key, item));
        }
    }
    Ok(best.map_or_else(|| Val::undefined(issues::empty_sequence("extreme")), |(_, item)| item))
}

fn sum(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let by = By::new(given.get(1), false);
    let mut sum = given.get(2).cloned().unwrap_or(Val::Int(0));
    for item in renderer.walk(given.value(0))? {
        renderer.step()?;
        let value = by.key(renderer, &item)?;
        if let (Val::Text(_), Val::Text(_)) = (&sum, &value) {
            return Err(issues::sum_of_texts());
        }
        sum = renderer.binary(Binary::Add, &sum, &value)?;
    }
    Ok(sum)
}

fn join(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let between = given.text_or(renderer, 1, "")?;
    let by = By::new(given.get(2), false);
    let mut parts = Vec::new();
    let mut markup = false;
    let mut bytes = 0_usize;
    for item in renderer.walk(given.value(0))? {
        renderer.step()?;
        let value = by.key(renderer, &item)?;
        markup |= matches!(&value, Val::Text(text) if text.flavor == Flavor::Markup);
        let text = renderer.printed(&value)?;
        bytes = bytes.saturating_add(text.len());
        renderer.fits(bytes)?;
        parts.push((text, matches!(&value, Val::Text(text) if text.flavor == Flavor::Markup)));
    }
    let parts: Vec<String> =
        parts.into_iter().map(|(text, safe)| if markup && !safe { escaped(&text) } else { text }).collect();
    let between = if markup { escaped(&between) } else { between };
    renderer.joined(&parts, &between)
}

fn batch(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let count = given.count(1, 1)?.max(1);
    let items = renderer.items(given.value(0))?;
    let fill = given.get(2).filter(|fill| !matches!(fill, Val::None));
    if fill.is_some() && !items.is_empty() {
        renderer.fits(count.saturating_mul(crate::expr::budget::NODE))?;
    }
    let mut rows = Vec::new();
    for row in items.chunks(count) {
        let mut row = row.to_vec();
        if let Some(fill) = fill {
            row.resize(count, fill.clone());
        }
        rows.push(renderer.list(row)?);
    }
    renderer.list(rows)
}

fn slice(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let count = given.count(1, 1)?;
    renderer.fits(count.saturating_mul(crate::expr::budget::NODE))?;
    if count == 0 {
        return Err(issues::division_by_zero("integer division or modulo by zero"));
    }
    let items = renderer.items(given.value(0))?;
    let (each, more) = (items.len() / count, items.len() % count);
    let mut rows = Vec::new();
    let mut rest = items.as_slice();
    for at in 0..count {
        let (row, after) = rest.split_at(each + usize::from(at < more));
        rest = after;
        let mut row = row.to_vec();
        if let Some(fill) = given.get(2).filter(|fill| !matches!(fill, Val::None) && at >= more) {
            row.push(fill.clone());
        }
        rows.push(renderer.list(row)?);
    }
    renderer.list(rows)
}

fn groupby(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let ignores_case = !given.truth(renderer, 3, false)?;
    let mut by = By::new(Some(given.value(1)), ignores_case);
    by.default = given.get(2).filter(|default| !matches!(default, Val::None)).cloned();
    let exact =
        By { ignore_case: false, several: by.several, paths: by.paths.clone(), default: by.default.clone() };
    let items = renderer.items(given.value(0))?;
    let keyed = keyed(renderer, items, &by)?;
    let sorted = renderer.sorted(keyed, false)?;
    let mut groups: Vec<(Val, Val, Vec<Val>)> = Vec::new();
    for item in sorted {
        let key = by.key(renderer, &item)?;
        let same = match groups.last() {
            Some((last, _, _)) => renderer.equal(last, &key)?,
            None => false,
        };
        if !same {
            let shown = exact.key(renderer, &item)?;
            groups.push((key, shown, Vec::new()));
        }
        if let Some((_, _, members)) = groups.last_mut() {
            members.push(item);
        }
    }
    let mut rows = Vec::new();
    for (_, key, members) in groups {
        let members = renderer.list(members)?;
        rows.push(super::super::group::pair(renderer, key, members)?);
    }
    renderer.list(rows)
}

fn map(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    let mut made = Vec::new();
    if !renderer.truth(value)? {
        return renderer.list(made);
    }
    if given.rest.is_empty() {
        let attribute = given.named("attribute").ok_or_else(issues::map_needs_filter)?;
        given.only("map", &["attribute", "default"])?;
        let mut by = By::new(Some(attribute), false);
        by.default = given.named("default").cloned();
        for item in renderer.walk(value)? {
            renderer.step()?;
            made.push(by.key(renderer, &item)?);
        }
        return renderer.list(made);
    }
    let name = filter_name(&given.rest)?;
    if crate::template::library::filter(&name).is_none() {
        return Err(issues::no_such_filter(&name));
    }
    for item in renderer.walk(value)? {
        let mut positional = vec![item];
        positional.extend(given.rest[1..].iter().cloned());
        let given = CallArguments { positional, named: given.named.clone() };
        made.push(renderer.deeper(|renderer| renderer.filter(&name, given))?);
    }
    renderer.list(made)
}

fn filter_name(rest: &[Val]) -> Checked<Str> {
    match rest.first() {
        Some(Val::Text(text)) => Ok(text.text.clone()),
        Some(Val::Undefined(missing)) => Err(missing.fault()),
        _ => Err(issues::map_needs_filter()),
    }
}

/// Keeps items that a test wants, or a part of which it wants.
fn selected(renderer: &mut Renderer, given: &BoundArguments, wanted: bool, by_part: bool) -> Checked<Val> {
    let mut rest = given.rest.as_slice();
    let by = if by_part {
        let Some((attribute, others)) = rest.split_first() else { return Err(issues::attribute_needed()) };
        rest = others;
        By::new(Some(attribute), false)
    } else {
        By::new(None, false)
    };
    let name = match rest.split_first() {
        Some((name, others)) => {
            rest = others;
            let name = renderer.printed(name)?;
            if crate::template::library::test(&name).is_none() {
                return Err(issues::no_such_test(&name));
            }
            Some(name)
        }
        None => None,
    };
    let mut kept = Vec::new();
    if !renderer.truth(given.value(0))? {
        return renderer.list(kept);
    }
    for item in renderer.walk(given.value(0))? {
        renderer.step()?;
        let value = by.key(renderer, &item)?;
        let holds = match &name {
            None => renderer.truth(&value)?,
            Some(name) => {
                let mut positional = vec![value];
                positional.extend(rest.iter().cloned());
                let given = CallArguments { positional, named: given.named.clone() };
                renderer.deeper(|renderer| renderer.test(name, given))?
            }
        };
        if holds == wanted {
            kept.push(item);
        }
    }
    renderer.list(kept)
}

fn attr(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let value = given.value(0);
    if value.is_undefined() {
        return Ok(value.clone());
    }
    let name = Str::from(given.text(renderer, 1)?);
    let found = renderer.own_attribute(value, &name)?;
    Ok(found.unwrap_or_else(|| Val::undefined(issues::no_attribute(type_name(value), &name))))
}

/// Makes a map whose keys are texts.
pub(super) fn named_map(renderer: &mut Renderer, entries: Vec<(Val, Val)>) -> Checked<Val> {
    let mut pairs = Pairs::default();
    for (key, value) in entries {
        pairs.insert(renderer.key_of(&key)?, (key, value));
    }
    renderer.dict(pairs)
}
