//! What a query needs: the tables that it reads, and the nodes and keys that it can be about.

use std::collections::BTreeSet;

use crate::narrow::{Narrow, narrow};
use crate::shape::{SHAPES, Shape};

/// What a query needs.
#[derive(Clone, Debug)]
pub struct Plan {
    tables: BTreeSet<&'static str>,
    /// The nodes that it can be about.
    pub nodes: Narrow,
    /// The keys that it can be about.
    pub keys: Narrow,
}

impl Plan {
    pub(crate) fn new(query: &str, read: &BTreeSet<String>) -> Self {
        let used: Vec<&Shape> = SHAPES.iter().filter(|shape| read.contains(shape.name)).collect();
        let (nodes, keys) = narrow(query, &used);
        Self { tables: used.iter().map(|shape| shape.name).collect(), nodes, keys }
    }

    /// Tells whether the query reads a table.
    pub fn reads(&self, shape: &Shape) -> bool {
        self.tables.contains(shape.name)
    }
}
