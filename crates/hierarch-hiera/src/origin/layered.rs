//! Layers of data that do not come from a hierarchy, merged by the strategies of lookups.

use std::sync::Arc;

use hierarch_pcore::Value;
use hierarch_source::Result;

use super::{Origin, TracedMap, TracedValue};
use crate::merge::Strategy;
use crate::piece::Piece;

impl TracedValue {
    /// Makes a value that is neither list nor hash.
    pub fn leaf(value: Value, origin: Origin) -> Self {
        Self::of(value).standing(&Arc::new(origin))
    }

    /// Makes a list.
    pub fn of_items(items: Vec<Self>) -> Self {
        Self::list(items)
    }

    /// Makes a hash.
    pub fn of_entries(entries: impl IntoIterator<Item = (Value, Self)>) -> Self {
        Self::map(TracedMap(entries.into_iter().collect()))
    }

    /// Notes that it won over another value.
    #[must_use]
    pub fn over(self, hidden: &Self) -> Self {
        self.hiding(hidden)
    }

    /// Notes that a value was taken out of it, by what stands somewhere.
    #[must_use]
    pub fn lacking(self, removed: &Self, by: &Self) -> Self {
        self.without(removed, by)
    }
}

impl Strategy {
    /// Merges layers, the one of highest priority first; nothing if there are none.
    pub fn merge_layers(&self, layers: impl IntoIterator<Item = TracedValue>) -> Result<Option<TracedValue>> {
        let rules = self.rules::<TracedValue>();
        let mut layers = layers.into_iter();
        let Some(first) = layers.next() else { return Ok(None) };
        if let Some(mut gathered) = rules.gather(&first) {
            layers.try_for_each(|layer| gathered.add(layer))?;
            return gathered.merged().map(Some);
        }
        let mut merged = rules.convert(first);
        for layer in layers {
            merged = rules.merge(merged, layer)?;
        }
        Ok(Some(merged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(file: &str, entries: &[(&str, i64)]) -> TracedValue {
        let origin = |line| Origin {
            file: file.into(),
            function: None,
            line: Some(line),
            column: Some(1),
            range: None,
        };
        let entries = entries.iter().zip(1..);
        TracedValue::of_entries(entries.map(|((key, value), line)| {
            (Value::from(*key), TracedValue::leaf(Value::from(*value), origin(line)))
        }))
    }

    #[test]
    fn leaves_know_their_layer_and_what_they_hide() {
        let strategy = Strategy::new(&Value::from("deep")).expect("a strategy");
        let layers = [layer("over", &[("b", 3)]), layer("base", &[("a", 1), ("b", 2)])];
        let merged = strategy.merge_layers(layers).expect("a merge").expect("a value");
        let leaves = merged.leaves();
        let shown: Vec<String> = leaves
            .iter()
            .map(|leaf| {
                format!("{} {} {}", leaf.value, leaf.origin.map_or("", |o| &o.file), leaf.hides.len())
            })
            .collect();
        assert_eq!(shown, ["1 base 0", "3 over 1"]);
    }
}
