//! The operators, a file for each family.

mod arithmetic;
mod collection;
mod compare;
mod matching;
mod numeric;
mod time;
