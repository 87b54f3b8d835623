//! Filters that make lists of lists: combinations, products, pairs.

use hierarch_pcore::Value;

use super::super::call::{BoundArguments, Function, function};
use super::super::fault::Checked;
use super::super::issues;
use super::super::renderer::Renderer;
use super::super::value::Val;
use crate::expr::python;

pub(super) static FILTERS: &[Function] = &[
    function("zip", &["*lists"], |renderer, given| zipped(renderer, given, None)),
    function("zip_longest", &["*lists", "**named"], |renderer, given| {
        given.only("zip_longest", &["fillvalue"])?;
        let fill = given.named("fillvalue").cloned().unwrap_or(Val::None);
        zipped(renderer, given, Some(fill))
    }),
    function("product", &["*lists", "**named"], product),
    function("permutations", &["list", "size?"], |renderer, given| {
        let size = match given.get(1) {
            None | Some(Val::None) => None,
            Some(_) => Some(given.count(1, 0)?),
        };
        picks(renderer, given.value(0), size, true)
    }),
    function("combinations", &["list", "size"], |renderer, given| {
        let size = given.count(1, 0)?;
        picks(renderer, given.value(0), Some(size), false)
    }),
    function("chain", &["*lists"], |renderer, given| {
        let all = lists(renderer, &given.rest)?;
        renderer.list(all.concat())
    }),
    function("subelements", &["obj", "subelements", "skip_missing?"], subelements),
];

/// No list of lists has more members than this.
const MOST: usize = 100_000;

fn lists(renderer: &mut Renderer, values: &[Val]) -> Checked<Vec<Vec<Val>>> {
    values.iter().map(|value| renderer.items(value)).collect()
}

/// Puts first with first, second with second; up to the shortest list, or to the longest with something to fill up.
fn zipped(renderer: &mut Renderer, given: &BoundArguments, fill: Option<Val>) -> Checked<Val> {
    let lists = lists(renderer, &given.rest)?;
    let lengths = lists.iter().map(Vec::len);
    let length = if fill.is_some() { lengths.max() } else { lengths.min() }.unwrap_or(0);
    let fill = fill.unwrap_or(Val::None);
    let mut rows = Vec::new();
    for index in 0..length {
        let row = lists.iter().map(|list| list.get(index).unwrap_or(&fill).clone()).collect();
        rows.push(renderer.tuple(row)?);
    }
    renderer.list(rows)
}

/// Returns every choice of one item from each list.
fn product(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    given.only("product", &["repeat"])?;
    let repeat = match given.named("repeat") {
        Some(value) => usize::try_from(super::super::call::int(value)?.max(0)).unwrap_or(usize::MAX),
        None => 1,
    };
    let lists = lists(renderer, &given.rest)?;
    let count = lists.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len()));
    let count = count.and_then(|count| count.checked_pow(u32::try_from(repeat).ok()?));
    if count.is_none_or(|count| count > MOST) || repeat > MOST {
        return Err(issues::product_too_large(MOST));
    }
    let mut rows: Vec<Vec<Val>> = vec![Vec::new()];
    for list in std::iter::repeat_n(&lists, repeat).flatten() {
        let longer = |row: &Vec<Val>| -> Vec<Vec<Val>> {
            list.iter().map(|item| [row.as_slice(), std::slice::from_ref(item)].concat()).collect()
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    tuples(renderer, rows)
}

fn tuples(renderer: &mut Renderer, rows: Vec<Vec<Val>>) -> Checked<Val> {
    let rows = rows.into_iter().map(|row| renderer.tuple(row)).collect::<Checked<_>>()?;
    renderer.list(rows)
}

/// Returns every way to pick some items: in any order, or in theirs.
fn picks(renderer: &mut Renderer, list: &Val, size: Option<usize>, any_order: bool) -> Checked<Val> {
    let items = renderer.items(list)?;
    let size = size.unwrap_or(items.len());
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..size.min(items.len() + 1) {
        let mut longer = Vec::new();
        for row in &rows {
            let from = if any_order { 0 } else { row.last().map_or(0, |last| last + 1) };
            for index in (from..items.len()).filter(|index| !row.contains(index)) {
                longer.push([row.as_slice(), &[index]].concat());
            }
            if longer.len() > MOST {
                return Err(issues::too_many_picks(MOST, size));
            }
        }
        rows = longer;
    }
    let picked = |row: Vec<usize>| row.into_iter().map(|index| items[index].clone()).collect();
    tuples(renderer, rows.into_iter().map(picked).collect())
}

/// Puts each element with each item of one of its lists.
fn subelements(renderer: &mut Renderer, given: &BoundArguments) -> Checked<Val> {
    let skip = given.truth(renderer, 2, false)?;
    let elements = match renderer.finished(given.value(0))? {
        Value::Hash(map) => map.values().cloned().collect(),
        Value::Array(items) => items.to_vec(),
        _ => return Err(issues::subelements_of_neither()),
    };
    let keys: Vec<String> = match renderer.finished(given.value(1))? {
        Value::Array(keys) => keys.iter().map(python::text).collect(),
        Value::String(keys) => keys.split('.').map(str::to_owned).collect(),
        _ => return Err(issues::subelements_keys()),
    };
    let mut rows = Vec::new();
    for pair in pairs_of(elements, &keys, skip)? {
        let pair = pair.as_array().unwrap_or_default().to_vec();
        let parts = pair.into_iter().map(|part| renderer.made(part)).collect::<Checked<_>>()?;
        rows.push(renderer.tuple(parts)?);
    }
    renderer.list(rows)
}

/// Returns pairs of an element and an item of the list that the keys lead to.
pub(crate) fn pairs_of(
    elements: Vec<Value>,
    keys: &[String],
    skip: bool,
) -> hierarch_source::Result<Vec<Value>> {
    let mut pairs = Vec::new();
    for element in elements {
        let mut found = Some(&element);
        for key in keys {
            found = match found {
                Some(Value::Hash(map)) => map.get_str(key),
                Some(other) => return Err(issues::subelements_no_map(key, other)),
                None => None,
            };
        }
        match found {
            Some(Value::Array(items)) => {
                pairs.extend(items.iter().map(|item| Value::array(vec![element.clone(), item.clone()])));
            }
            None if skip => {}
            None => return Err(issues::subelements_missing(keys, &element)),
            Some(other) => return Err(issues::subelements_no_list(keys, other)),
        }
    }
    Ok(pairs)
}
