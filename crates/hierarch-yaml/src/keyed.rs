//! The entries of a map, found by their keys one after the other: most versions of a map have their keys in one order.

use rustc_hash::FxHashMap;

use crate::data::Datum;

/// The entries of a map, in which keys are looked for that mostly come in order.
pub struct KeyedEntries<'d, 't> {
    list: &'d [(Datum<'t>, Datum<'t>)],
    /// Where the next key is looked for.
    next: usize,
    /// Where keys that are texts stand, once one of them did not come next.
    places: Option<FxHashMap<&'d str, usize>>,
}

impl<'d, 't> KeyedEntries<'d, 't> {
    /// Takes the entries of a map.
    pub fn new(list: &'d [(Datum<'t>, Datum<'t>)]) -> Self {
        Self { list, next: 0, places: None }
    }

    /// Returns the value of the first entry with a key.
    pub fn find(&mut self, key: &Datum<'t>) -> Option<&'d Datum<'t>> {
        let list = self.list;
        let is_it = |place: &usize| list.get(*place).is_some_and(|(other, _)| other == key);
        let place = if is_it(&self.next) { self.next } else { self.search(key)? };
        self.next = place + 1;
        list.get(place).map(|(_, value)| value)
    }

    fn search(&mut self, key: &Datum<'t>) -> Option<usize> {
        let list = self.list;
        let is_it = |place: &usize| list[*place].0 == *key;
        let one_by_one = || (0..list.len()).find(is_it);
        let Some(text) = key.as_str() else { return one_by_one() };
        let places = self.places.get_or_insert_with(|| {
            // Of several the first one stays.
            let texts = list.iter().enumerate().rev();
            texts.filter_map(|(place, (key, _))| Some((key.as_str()?, place))).collect()
        });
        // A text and a symbol may look the same.
        places.get(text).copied().and_then(|place| Some(place).filter(is_it).or_else(one_by_one))
    }
}

#[cfg(test)]
mod tests {
    use hierarch_source::Source;

    use super::*;
    use crate::data::Data;
    use crate::limits::DocumentLimits;
    use crate::node::Dialect;
    use crate::scan::read;

    fn entries(text: &str) -> Vec<(Data, Data)> {
        let tree = read(&Source::unnamed(text), Dialect::Psych, DocumentLimits::default()).expect("YAML");
        match tree.data(tree.root().expect("a map"), DocumentLimits::default()).expect("data") {
            Data::Map(entries) => entries,
            _ => Vec::new(),
        }
    }

    #[test]
    fn keys_are_found_in_any_order() {
        let list = entries("a: 1\n:a: 2\nb: 3\n4: 5\n? [x]\n: 6\n~: 7\ntrue: 8\n");
        for order in [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0], [2, 0, 5, 1, 6, 3, 4]] {
            let mut keyed = KeyedEntries::new(&list);
            for place in order {
                assert_eq!(keyed.find(&list[place].0), Some(&list[place].1), "{order:?} {place}");
            }
        }
        let mut keyed = KeyedEntries::new(&list);
        for key in ["c", "4", "true", ""] {
            assert_eq!(keyed.find(&Data::text(key)), None, "{key}");
        }
    }
}
