//! Tables as Parquet: columns compressed with zstd, repeated values kept once.

use std::sync::Arc;

use hierarch_source::{Error, Result};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;

use crate::issues;
use crate::rows::{Field, Row};
use crate::shape::{Column, Shape};

/// As many rows stand in a part.
pub const ROWS_OF_A_PART: usize = 1_000_000;

/// As many rows are in memory as columns before they are compressed.
const ROWS_OF_A_GROUP: usize = 128 * 1024;

fn failed(error: parquet::errors::ParquetError) -> Error {
    issues::parquet(&error.to_string())
}

/// Makes a file of at most [`ROWS_OF_A_PART`] rows; nothing if there are no more.
pub fn part<'r>(shape: &Shape, rows: &mut dyn Iterator<Item = Row<'r>>) -> Result<Option<Vec<u8>>> {
    let group: Vec<Row> = rows.take(ROWS_OF_A_GROUP).collect();
    if group.is_empty() { Ok(None) } else { written(shape, group, rows, ROWS_OF_A_PART).map(Some) }
}

/// Makes a file of all rows.
pub fn whole<'r>(shape: &Shape, rows: &mut dyn Iterator<Item = Row<'r>>) -> Result<Vec<u8>> {
    let group: Vec<Row> = rows.take(ROWS_OF_A_GROUP).collect();
    written(shape, group, rows, usize::MAX)
}

fn written<'r>(
    shape: &Shape,
    mut group: Vec<Row<'r>>,
    rows: &mut dyn Iterator<Item = Row<'r>>,
    mut left: usize,
) -> Result<Vec<u8>> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("hierarch {}", env!("CARGO_PKG_VERSION")))
        .build();
    let schema = Arc::new(schema(shape)?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).map_err(failed)?;
    while !group.is_empty() {
        left -= group.len();
        write_group(shape, writer.next_row_group().map_err(failed)?, &group)?;
        group = rows.take(ROWS_OF_A_GROUP.min(left)).collect();
    }
    writer.into_inner().map_err(failed)
}

fn schema(shape: &Shape) -> Result<Type> {
    let column = |column: &Column| {
        let repetition = if column.is_always { Repetition::REQUIRED } else { Repetition::OPTIONAL };
        let (physical, logical) = if column.is_number {
            (Physical::INT32, None)
        } else {
            (Physical::BYTE_ARRAY, Some(LogicalType::String))
        };
        let made = Type::primitive_type_builder(column.name, physical);
        made.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let columns = shape.columns.iter().map(column).collect::<std::result::Result<_, _>>().map_err(failed)?;
    Type::group_type_builder(shape.name).with_fields(columns).build().map_err(failed)
}

fn write_group(shape: &Shape, mut writer: SerializedRowGroupWriter<'_, Vec<u8>>, rows: &[Row]) -> Result<()> {
    for (index, column) in shape.columns.iter().enumerate() {
        let Some(mut into) = writer.next_column().map_err(failed)? else { break };
        let levels: Vec<i16> = rows.iter().map(|row| i16::from(row[index] != Field::Nothing)).collect();
        let levels = (!column.is_always).then_some(levels.as_slice());
        if column.is_number {
            let numbers: Vec<i32> = rows.iter().filter_map(|row| as_number(row[index])).collect();
            into.typed::<Int32Type>().write_batch(&numbers, levels, None).map_err(failed)?;
        } else {
            let texts: Vec<ByteArray> = rows.iter().filter_map(|row| as_text(row[index])).collect();
            into.typed::<ByteArrayType>().write_batch(&texts, levels, None).map_err(failed)?;
        }
        into.close().map_err(failed)?;
    }
    writer.close().map_err(failed).map(drop)
}

fn as_number(field: Field) -> Option<i32> {
    match field {
        Field::Number(number) => Some(i32::try_from(number).unwrap_or(i32::MAX)),
        _ => None,
    }
}

fn as_text(field: Field) -> Option<ByteArray> {
    match field {
        Field::Text(text) => Some(ByteArray::from(text)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};

    use super::*;
    use crate::rows;
    use crate::shape::{CHANGES, Change};

    #[test]
    fn what_is_written_is_read_again() {
        let change = |node: &str, line: Option<u32>| Change {
            node: node.into(),
            key: "k".into(),
            kind: "changed".into(),
            old: None,
            new: Some("\"grün\"".into()),
            line,
            ..Change::default()
        };
        let changes = [change("a", Some(3)), change("b", None)];
        let mut all = rows::changes(&changes);
        let bytes = part(&CHANGES, &mut all).expect("written").expect("some rows");
        assert!(part(&CHANGES, &mut all).expect("nothing").is_none());
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a file");
        let rows: Vec<String> =
            reader.get_row_iter(None).expect("rows").map(|row| row.expect("a row").to_string()).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].contains("new: \"\"grün\"\"") && rows[0].contains("line: 3"), "{rows:?}");
        assert!(rows[1].contains("line: null") && rows[1].contains("old: null"), "{rows:?}");
    }
}
