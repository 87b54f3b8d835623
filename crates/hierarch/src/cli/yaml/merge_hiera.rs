//! Documents as the values that Hiera's strategies merge, and back to where each part is written.

use std::collections::HashMap;

use hierarch_compose::expr::data_of;
use hierarch_compose::{Forest, Layers, Val};
use hierarch_hiera::origin::{Origin, TracedValue, TracedView};
use hierarch_pcore::Value;
use hierarch_pcore::data::{Rules, from_data};
use hierarch_source::Result;
use hierarch_yaml::Kind;

/// A file, and the line and column in it where a leaf is written.
type WrittenPlace = (String, Option<u32>, Option<u32>);

/// What stands for the position of an item.
const ITEM: &str = "\u{0}";

/// What stands where.
#[derive(Default)]
pub(super) struct LayerPlaces {
    leaves: HashMap<WrittenPlace, Val>,
    /// Keys by the path to them; none where several stand at what looks like one path.
    keys: HashMap<String, Option<Val>>,
    path: String,
}

impl LayerPlaces {
    /// Returns a value with the place of every part.
    pub(super) fn traced(&mut self, forest: &Forest, value: Val) -> TracedValue {
        match forest.kind(value) {
            Kind::Map => {
                let mut entries = Vec::new();
                for (key, value) in forest.entries(value) {
                    let name = value_of(forest, key);
                    let traced = self.inside(&name.to_string(), |layering| {
                        layering.note_key(key);
                        layering.traced(forest, value)
                    });
                    entries.push((name, traced));
                }
                TracedValue::of_entries(entries)
            }
            Kind::List => {
                let items: Vec<Val> = forest.items(value).collect();
                let item = |layering: &mut Self, item| {
                    layering.inside(ITEM, |layering| layering.traced(forest, item))
                };
                TracedValue::of_items(items.into_iter().map(|value| item(self, value)).collect())
            }
            _ => {
                let origin = origin(forest, value);
                self.leaves.insert(written(&origin), value);
                TracedValue::leaf(value_of(forest, value), origin)
            }
        }
    }

    fn inside<T>(&mut self, step: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        let result = work(self);
        self.path.truncate(length);
        result
    }

    /// The key of the lowest layer counts; of several items only one that is alone.
    fn note_key(&mut self, key: Val) {
        let in_list = self.path.contains(ITEM);
        let known = self.keys.insert(self.path.clone(), Some(key));
        if in_list && known.is_some() {
            self.keys.insert(self.path.clone(), None);
        }
    }

    /// Returns a merged value as what is written in the documents, where that is what it is.
    pub(super) fn value(&mut self, layers: &mut Layers, traced: &TracedValue) -> Result<Val> {
        match traced.parts() {
            TracedView::Scalar(value, origin) => {
                let known = origin.and_then(|origin| self.leaves.get(&written(origin))).copied();
                let is_same = |&known: &Val| value_of(layers.forest(), known) == *value;
                match known.filter(is_same) {
                    Some(known) => Ok(known),
                    None => layers.grow(&data_of(value, false)),
                }
            }
            TracedView::List(items) => {
                let mut made = Vec::with_capacity(items.len());
                for item in items {
                    made.push(self.inside(ITEM, |layering| layering.value(layers, item))?);
                }
                layers.list(made)
            }
            TracedView::Map(entries) => {
                let mut made = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    made.push(self.inside(&key.to_string(), |layering| {
                        let name = match layering.keys.get(&layering.path) {
                            Some(Some(name)) => *name,
                            _ => layers.grow(&data_of(key, false))?,
                        };
                        Result::Ok((name, layering.value(layers, value)?))
                    })?);
                }
                layers.map(made)
            }
        }
    }

    /// Returns a value with the place of every part, and with what each hides in the layers below.
    pub(super) fn with_hidden(mut self, forest: &Forest, merged: Val, layers: &[Val]) -> TracedValue {
        self.over(forest, merged, layers)
    }

    fn over(&mut self, forest: &Forest, value: Val, layers: &[Val]) -> TracedValue {
        if forest.kind(value) != Kind::Map {
            let mut traced = self.traced(forest, value);
            let is_other = |&&layer: &&Val| !forest.same(layer, value);
            for &layer in layers.iter().rev().filter(is_other) {
                traced = traced.over(&self.traced(forest, layer));
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
            entries.push((name, self.over(forest, part, &below)));
        }
        let mut traced = TracedValue::of_entries(entries);
        for &map in &maps {
            for (key, part) in forest.entries(map) {
                if find(value, &value_of(forest, key).to_string()).is_none() {
                    let lost = self.traced(forest, part);
                    let by = self.traced(forest, maps.last().copied().unwrap_or(part));
                    traced = traced.lacking(&lost, &by);
                }
            }
        }
        traced
    }
}

fn written(origin: &Origin) -> WrittenPlace {
    (origin.file.to_string(), origin.line, origin.column)
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
    from_data(&forest.data(value), Rules::Text)
}
