//! What nodes export for others, kept beside their facts: a list of resources per node.

use hierarch_pcore::Value;
use hierarch_source::Result;

use crate::database::Cell;
use crate::store::Store;
use crate::{issues, tables};

impl Store {
    /// Keeps what a node exports, in place of what it exported before.
    pub fn keep_exports(&mut self, node: &str, resources: &Value) -> Result<()> {
        let cells = [Cell::text(node), Cell::Text(resources.to_json())];
        self.whole(|database| {
            database.batch(tables::MAKE_EXPORTS)?;
            database.execute(tables::PUT_EXPORTS, &cells).map(drop)
        })
    }

    /// Returns what all nodes export that their source still names, one after the other.
    pub fn exports(&self) -> Result<Vec<Value>> {
        let rows = match self.lock().query(tables::EXPORTS, &[]) {
            Ok(rows) => rows,
            // A store that nothing was exported to has no such table; one that cannot be read has others as little.
            Err(error) => return self.nodes().map_err(|_| error).map(|_| Vec::new()),
        };
        let mut found = Vec::new();
        for mut row in rows {
            let text = row.pop().and_then(Cell::into_text).unwrap_or_default();
            let node = row.pop().and_then(Cell::into_text).unwrap_or_default();
            match hierarch_hiera::read::json(&text) {
                Ok(Value::Array(resources)) => found.extend(resources.iter().cloned()),
                _ => return Err(issues::damaged_exports(&self.name, &node)),
            }
        }
        Ok(found)
    }
}
