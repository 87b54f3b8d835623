//! Measurements of the evaluator, and random programs to compare it with Puppet's.

mod bench;
mod catalog;
mod compare;
mod generate;
mod mutants;
mod site;

pub use bench::{Cost, bench};
pub use catalog::{CatalogCost, bench_catalog};
pub use compare::compare;
pub use generate::write_programs;
pub use mutants::{Mutants, Tally};
