//! Making values of a type from others: `new`, and `String.new` with its formats.

mod time;

use crate::Type;
use crate::types::TupleType;

pub(crate) use time::{timespan_of_hash, timestamp_of_hash};

/// Returns the parameters of the constructors of a type, if it has any.
pub(crate) fn parameters(type_: &Type) -> Option<Vec<TupleType>> {
    let _ = type_;
    None
}
