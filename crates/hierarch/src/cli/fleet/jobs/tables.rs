//! What a run answers, as Parquet: each worker writes the part of its chunk, and whoever asked collects them.

use std::path::Path;

use hierarch_jobs::{Objects, Run};

use super::super::super::failure::Failure;
use super::super::super::issues;

/// Makes the table of a chunk out of its lines; nothing where it has none.
#[cfg(feature = "parquet")]
pub(super) fn made(run: &Run, lines: &str) -> hierarch_source::Result<Option<Vec<u8>>> {
    use hierarch_jobs::Kind;
    use hierarch_pcore::Value;
    use hierarch_sql::rows::{Field, Row};
    use hierarch_sql::{CATALOGS, RESULTS};

    let shape = match run.question.kind {
        Kind::Answers => RESULTS,
        Kind::Catalogs => CATALOGS,
    };
    let mut all: Vec<Vec<String>> = Vec::new();
    for line in lines.lines() {
        let read =
            hierarch_hiera::read::json(line).map_err(|why| hierarch_jobs::issues::damaged(&run.id, &why))?;
        let text = |name: &str| {
            let value = read.as_hash().and_then(|fields| fields.get_str(name).cloned()).unwrap_or_default();
            match (name, value) {
                ("value" | "catalog", value) => value.to_json(),
                (_, Value::String(text)) => text.to_string(),
                (_, other) => other.to_json(),
            }
        };
        all.push(shape.columns.iter().map(|column| text(column.name)).collect());
    }
    all.sort_by(|a, b| (a.get(1), a.first()).cmp(&(b.get(1), b.first())));
    let mut rows = all.iter().map(|row| row.iter().map(|text| Field::Text(text)).collect::<Row>());
    hierarch_sql::part(&shape, &mut rows)
}

/// Says that this build writes no Parquet.
#[cfg(not(feature = "parquet"))]
pub(super) fn made(_: &Run, _: &str) -> hierarch_source::Result<Option<Vec<u8>>> {
    Err(hierarch_jobs::issues::without_parquet())
}

/// Puts the tables of a run into a folder.
pub(super) fn collect(run: &Run, objects: &dyn Objects, folder: &Path) -> Result<(), Failure> {
    if std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(issues::folder_not_empty(folder));
    }
    for number in 0..run.chunks {
        let name = run.table_name(number);
        // A chunk whose nodes have no answer has no table.
        let Some(bytes) = objects.get(&name).map_err(super::failed)? else { continue };
        let target = folder.join(name.rsplit('/').next().unwrap_or(&name));
        std::fs::create_dir_all(folder).map_err(|error| Failure::io("make", folder, &error))?;
        super::run::write(&target, &bytes)?;
    }
    Ok(())
}
