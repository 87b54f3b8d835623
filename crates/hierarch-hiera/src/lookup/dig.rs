//! Digging: `a.b.0` in a value that was found.

use hierarch_pcore::ruby_class;
use hierarch_pcore::{Str, Value};
use hierarch_source::Result;

use super::{Found, Walk};
use crate::issues;
use crate::key::Segment;
use crate::piece::{Entries, Piece, View};
use crate::trace::{Event, LookupStep};

impl Walk<'_> {
    /// Digs for what stands behind the dots of a key.
    pub(super) fn dig<P: Piece>(&mut self, key: &str, segments: &[Segment], value: P) -> Result<Found<P>> {
        if segments.is_empty() {
            return Ok(Found::Value(value));
        }
        let name =
            || LookupStep::SubKey(segments.iter().map(Segment::to_string).collect::<Vec<_>>().join("."));
        self.within(name, |walk| {
            let mut value = value;
            for segment in segments {
                match walk.within(|| LookupStep::Segment, |walk| walk.step(key, segment, &value))? {
                    Found::Value(inner) => value = inner,
                    Found::Missing => return Ok(Found::Missing),
                }
            }
            Ok(Found::Value(value))
        })
    }

    fn step<P: Piece>(&mut self, key: &str, segment: &Segment, value: &P) -> Result<Found<P>> {
        let inner = match (value.view(), segment) {
            (View::Scalar(Value::Undef), _) => None,
            (View::List(items), Segment::Index(index)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index))
            }
            (View::Map(map), segment) => map.entry(&segment.as_value()),
            (View::List(_), _) => return Err(issues::not_hash_like("Array", &segment.to_string(), key)),
            // Integers pass the reference's test for what has entries, and then have none.
            (View::Scalar(Value::Integer(_)), _) => {
                return Err(issues::no_entries(&segment.to_string(), key));
            }
            (View::Scalar(scalar), _) => {
                return Err(issues::not_hash_like(ruby_class(scalar), &segment.to_string(), key));
            }
        };
        let name = || Str::from(segment.to_string());
        if let Some(inner) = inner.cloned() {
            let shown = if self.listener.is_some() { self.shown(&inner) } else { Value::Undef };
            self.tell(|| Event::Found(name(), shown));
            Ok(Found::Value(inner))
        } else {
            self.tell(|| Event::NotFound(name()));
            Ok(Found::Missing)
        }
    }
}
