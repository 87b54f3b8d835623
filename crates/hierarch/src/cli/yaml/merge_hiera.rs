//! Documents as the values that Hiera's strategies merge, and back to where each part is written.

use hierarch_compose::expr::data_of;
use hierarch_compose::{Forest, Layers, Val};
use hierarch_hiera::origin::{Origin, TracedValue};
use hierarch_hiera::{Mark, MarkedValue, MarkedView};
use hierarch_pcore::Value;
use hierarch_pcore::data::{Rules, from_data};
use hierarch_source::Result;
use hierarch_yaml::{Data, Datum, Kind, json};

/// Documents as values whose parts are marked by what they are written as.
pub(super) struct Marking {
    written: Vec<Val>,
    /// Maps of one key meet; else the values of keys stay as they are.
    is_deep: bool,
}

impl Marking {
    pub(super) fn new(is_deep: bool) -> Self {
        Self { written: Vec::new(), is_deep }
    }

    /// Returns a value with a mark on every scalar and key.
    pub(super) fn marked(&mut self, forest: &Forest, value: Val) -> MarkedValue {
        match forest.kind(value) {
            Kind::Map => {
                let entry = |(key, value)| {
                    let mark = self.mark(key);
                    let part = if self.is_deep {
                        self.marked(forest, value)
                    } else {
                        self.marked_item(forest, value)
                    };
                    (value_of(forest, key), mark, part)
                };
                MarkedValue::of_entries(forest.entries(value).map(entry))
            }
            Kind::List => MarkedValue::of_items(
                forest.items(value).map(|item| self.marked_item(forest, item)).collect(),
            ),
            _ => MarkedValue::leaf(told_apart(forest, value), self.mark(value)),
        }
    }

    /// A value that meets none that could be known afterwards: where it has nothing in it to find it again by, it is marked itself.
    fn marked_item(&mut self, forest: &Forest, item: Val) -> MarkedValue {
        let is_empty = forest.kind(item) != Kind::Scalar && forest.len(item) == 0;
        if is_empty && forest.own_tag(item).is_some() {
            return MarkedValue::leaf(told_apart(forest, item), self.mark(item));
        }
        self.marked(forest, item)
    }

    fn mark(&mut self, value: Val) -> Mark {
        self.written.push(value);
        self.written.len() as Mark - 1
    }

    /// Returns a merged value as what is written in the documents, where that is what it is. Collections have the tags of what
    /// met in them, the highest first; where nothing has tags, nothing need be given.
    pub(super) fn value(&self, layers: &mut Layers, marked: &MarkedValue, met: &[Val]) -> Result<Val> {
        match marked.parts() {
            MarkedView::Scalar(value, mark) => self.written(layers, value, mark),
            MarkedView::List(items) => {
                let made = items.iter().map(|item| self.value(layers, item, &[])).collect::<Result<_>>()?;
                let made = layers.list(made)?;
                let met = merged_ones(layers.forest(), met, Kind::List);
                layers.tagged(made, &met)
            }
            MarkedView::Map(entries) => {
                let met = merged_ones(layers.forest(), met, Kind::Map);
                let entry = |(key, mark, value): (&Value, Option<Mark>, &MarkedValue)| {
                    let below = |&map: &Val| layers.forest().child(map, &key.to_string());
                    let below: Vec<Val> = met.iter().filter_map(below).collect();
                    Ok((self.written(layers, key, mark)?, self.value(layers, value, &below)?))
                };
                let made = entries.into_iter().map(entry).collect::<Result<Vec<_>>>()?;
                let made = layers.map(made)?;
                layers.tagged(made, &met)
            }
        }
    }

    fn written(&self, layers: &mut Layers, value: &Value, mark: Option<Mark>) -> Result<Val> {
        match mark.and_then(|mark| self.written.get(mark as usize)) {
            Some(written) => Ok(*written),
            None => layers.grow(&data_of(value, false)),
        }
    }
}

/// Those of the values of layers, the highest first, that a collection is made of: nothing is below another kind of value.
fn merged_ones(forest: &Forest, met: &[Val], kind: Kind) -> Vec<Val> {
    let is_null = |value: &Val| forest.kind(*value) == Kind::Scalar && forest.data(*value) == Data::NULL;
    let values = met.iter().copied().filter(|value| !is_null(value));
    values.take_while(|&value| forest.kind(value) == kind).collect()
}

/// A value that strategies compare: under another tag it is another one.
fn told_apart(forest: &Forest, value: Val) -> Value {
    match forest.own_tag(value) {
        Some(tag) => Value::from(format!("{tag} {}", json(&forest.data(value), false))),
        None => value_of(forest, value),
    }
}

/// Documents as values that know where each part stands.
pub(super) struct LayerPlaces;

impl LayerPlaces {
    /// Returns a value with the place of every part.
    pub(super) fn traced(forest: &Forest, value: Val) -> TracedValue {
        match forest.kind(value) {
            Kind::Map => {
                let entry = |(key, value)| (value_of(forest, key), Self::traced(forest, value));
                TracedValue::of_entries(forest.entries(value).map(entry).collect::<Vec<_>>())
            }
            Kind::List => {
                TracedValue::of_items(forest.items(value).map(|item| Self::traced(forest, item)).collect())
            }
            _ => TracedValue::leaf(value_of(forest, value), origin(forest, value)),
        }
    }

    /// Returns a value with the place of every part, and with what each hides in the layers below.
    pub(super) fn over(forest: &Forest, value: Val, layers: &[Val]) -> TracedValue {
        if forest.kind(value) != Kind::Map {
            let mut traced = Self::traced(forest, value);
            let is_other = |&&layer: &&Val| !forest.same(layer, value);
            for &layer in layers.iter().rev().filter(is_other) {
                traced = traced.over(&Self::traced(forest, layer));
            }
            return traced;
        }
        let maps: Vec<Val> =
            layers.iter().copied().filter(|&layer| forest.kind(layer) == Kind::Map).collect();
        let find = |map: Val, key: &str| forest.child(map, key);
        let mut entries = Vec::new();
        for (key, part) in forest.entries(value) {
            let name = value_of(forest, key);
            let text = name.to_string();
            let below: Vec<Val> = maps.iter().filter_map(|&map| find(map, &text)).collect();
            entries.push((name, Self::over(forest, part, &below)));
        }
        let mut traced = TracedValue::of_entries(entries);
        for &map in &maps {
            for (key, part) in forest.entries(map) {
                if find(value, &value_of(forest, key).to_string()).is_none() {
                    let lost = Self::traced(forest, part);
                    let by = Self::traced(forest, maps.last().copied().unwrap_or(part));
                    traced = traced.lacking(&lost, &by);
                }
            }
        }
        traced
    }
}

fn origin(forest: &Forest, value: Val) -> Origin {
    let place = forest.place(value);
    let position = place.as_ref().map(|place| place.position());
    Origin {
        file: place.as_ref().and_then(|place| place.source.name()).unwrap_or_default().into(),
        function: None,
        line: position.map(|(line, _)| line),
        column: position.and_then(|(_, column)| column),
        range: place.map(|place| (place.span.start, place.span.end)),
    }
}

fn value_of(forest: &Forest, value: Val) -> Value {
    if let Some(text) = forest.plain_text(value) {
        return Value::from(text);
    }
    match forest.kind(value) {
        // Nearly all of them: no text is copied on the way.
        Kind::Scalar | Kind::Alias => from_data(&Datum::Scalar(forest.scalar(value)), Rules::Text),
        Kind::List | Kind::Map => from_data(&forest.data(value), Rules::Text),
    }
}
