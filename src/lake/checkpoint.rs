//! The checkpoint of a Delta table: a Parquet file with all that the commits before it have said. Of it only the columns that
//! declare the table are read, which are short however many files the table has.
//! Format: <https://github.com/delta-io/delta/blob/master/PROTOCOL.md#checkpoints>.

use super::tail::{self, Failure};
use crate::cloud::s3::S3;
use crate::guard::guarded;
use bytes::{Buf, Bytes};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, FileReader, Length};
use parquet::file::serialized_reader::SerializedFileReader;
use parquet::schema::types::Type;
use serde_json::Value;
use std::sync::Arc;

/// The column that declares the table.
const METADATA: &str = "metaData";
/// The most that is read of one checkpoint, in bytes.
const LARGEST: u64 = 64 << 20;

/// The name of a checkpoint's file, or of a part of one: its version. `V.checkpoint.parquet`, `V.checkpoint.P.N.parquet`; the
/// ones with a UUID are as Delta's second version of checkpoints has them.
pub(super) fn version(name: &str) -> Option<u64> {
    let (digits, rest) = name.split_once(".checkpoint.")?;
    let known = rest == "parquet" || rest.ends_with(".parquet") || rest.ends_with(".json");
    digits.parse().ok().filter(|_| digits.len() == 20 && known)
}

/// What the checkpoint, or this part of it, declares; `None`: nothing.
pub(super) async fn declaration(
    s3: &S3,
    bucket: &str,
    key: &str,
    size: u64,
) -> Result<Option<Value>, Failure> {
    let (from, tail) = tail::read(size, |range| s3.get_range(bucket, key, range)).await?;
    let bytes = tail.clone();
    let read = guarded(move || ParquetMetaDataReader::new().parse_and_finish(&bytes));
    let metadata = read?.map_err(|why| why.to_string())?;
    let mut pieces = vec![(from, tail)];
    let mut room = LARGEST;
    for (start, length) in ranges(&metadata) {
        let within = start.checked_add(length).is_some_and(|end| end <= size) && length > 0;
        room = room
            .checked_sub(length)
            .filter(|_| within)
            .ok_or_else(|| "its columns are not where it says".to_owned())?;
        if start < from {
            pieces.push((
                start,
                s3.get_range(bucket, key, start..=start + length - 1).await?,
            ));
        }
    }
    let pieces = Pieces { size, pieces };
    Ok(guarded(move || rows(pieces))??)
}

/// Where the columns of the declaration are.
fn ranges(metadata: &ParquetMetaData) -> Vec<(u64, u64)> {
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    columns
        .filter(|column| column.column_path().parts().first().map(String::as_str) == Some(METADATA))
        .map(|column| column.byte_range())
        .collect()
}

/// The first row that declares something.
fn rows(pieces: Pieces) -> Result<Option<Value>, String> {
    let told = |why: ParquetError| why.to_string();
    let reader = SerializedFileReader::new(pieces).map_err(told)?;
    let schema = reader.metadata().file_metadata().schema_descr().root_schema();
    let wanted: Vec<Arc<Type>> = schema
        .get_fields()
        .iter()
        .filter(|field| field.name() == METADATA)
        .cloned()
        .collect();
    if wanted.is_empty() {
        return Ok(None);
    }
    let projection = Type::group_type_builder(schema.name())
        .with_fields(wanted)
        .build()
        .map_err(told)?;
    for row in reader.get_row_iter(Some(projection)).map_err(told)? {
        let row = row.map_err(told)?.to_json_value();
        if let Some(found) = row.get(METADATA).filter(|found| !found.is_null()) {
            return Ok(Some(found.clone()));
        }
    }
    Ok(None)
}

/// A file of which only some pieces are here.
struct Pieces {
    size: u64,
    pieces: Vec<(u64, Bytes)>,
}

impl Pieces {
    fn from(&self, start: u64) -> Result<Bytes, ParquetError> {
        let piece = self.pieces.iter().find_map(|(at, bytes)| {
            let skip = usize::try_from(start.checked_sub(*at)?).ok()?;
            (skip < bytes.len()).then(|| bytes.slice(skip..))
        });
        piece.ok_or_else(|| ParquetError::General(format!("nothing is known of byte {start}")))
    }
}

impl Length for Pieces {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for Pieces {
    type T = bytes::buf::Reader<Bytes>;

    fn get_read(&self, start: u64) -> Result<Self::T, ParquetError> {
        Ok(self.from(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let piece = self.from(start)?;
        match piece.len() {
            has if has >= length => Ok(piece.slice(..length)),
            has => Err(ParquetError::General(format!("{has} of {length} bytes are here"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::footer;
    use super::*;

    /// Of a table `events` (id, name, day), partitioned by day, written by delta-rs and packed with Snappy as Spark does.
    const FILE: &[u8] = include_bytes!("../../tests/data/delta-checkpoint.parquet");

    fn whole(bytes: Vec<u8>) -> Pieces {
        Pieces {
            size: bytes.len() as u64,
            pieces: vec![(0, Bytes::from(bytes))],
        }
    }

    #[test]
    fn names_of_checkpoints_and_of_their_parts() {
        for (name, is) in [
            ("00000000000000000010.checkpoint.parquet", Some(10)),
            (
                "00000000000000000010.checkpoint.0000000001.0000000002.parquet",
                Some(10),
            ),
            (
                "00000000000000000010.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.json",
                Some(10),
            ),
            ("00000000000000000010.json", None),
            ("_last_checkpoint", None),
            ("10.checkpoint.parquet", None),
            ("00000000000000000010.checkpoint.parquet.tmp", None),
        ] {
            assert_eq!(version(name), is, "{name}");
        }
    }

    #[test]
    fn the_declaration_is_read_out_of_its_own_columns() {
        let found = rows(whole(FILE.to_vec())).unwrap().unwrap();
        assert_eq!(found["partitionColumns"], serde_json::json!(["day"]));
        assert_eq!(found["configuration"]["delta.appendOnly"], "false");
        assert!(
            found["schemaString"]
                .as_str()
                .unwrap()
                .contains(r#""name":"id","type":"long""#)
        );
        // They are enough: nothing else of the file need be here.
        let metadata = ParquetMetaDataReader::new()
            .parse_and_finish(&Bytes::from_static(FILE))
            .unwrap();
        let footer = FILE.len() - usize::try_from(footer::length(FILE).unwrap()).unwrap();
        let mut pieces = vec![(footer as u64, Bytes::from_static(&FILE[footer..]))];
        pieces.extend(ranges(&metadata).into_iter().map(|(start, length)| {
            let from = usize::try_from(start).unwrap();
            let to = from + usize::try_from(length).unwrap();
            (start, Bytes::from_static(&FILE[from..to]))
        }));
        let here: usize = pieces.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(here < FILE.len() - 1_000, "{here} of {}", FILE.len());
        let pieces = Pieces {
            size: FILE.len() as u64,
            pieces,
        };
        assert_eq!(rows(pieces).unwrap().unwrap(), found);
    }

    proptest::proptest! {
        #[test]
        fn a_damaged_checkpoint_is_read_or_refused(damage in proptest::collection::vec((0usize..FILE.len() - 4, proptest::prelude::any::<u8>()), 1..8)) {
            let mut bytes = FILE.to_vec();
            for (at, byte) in damage {
                bytes[at] = byte;
            }
            crate::guard::install_for_tests();
            let _ = guarded(|| rows(whole(bytes)));
        }
    }
}
