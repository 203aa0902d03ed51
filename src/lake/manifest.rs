//! From a snapshot to one of its data files: the manifest list, a manifest, an entry. Both are Avro files.
//! Format: <https://iceberg.apache.org/spec/#manifests>.

use super::metadata::Manifests;
use super::object::{Part, read};
use crate::cloud::Aws;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::text::scrub;
use crate::guard::guarded;
use apache_avro::schema::Namespace;
use apache_avro::types::Value;
use apache_avro::validator::{
    RecordFieldNameValidator, SchemaNameValidator, set_record_field_name_validator, set_schema_name_validator,
};
use apache_avro::{AvroResult, Reader};

const LIST: Part = Part {
    noun: "manifest list",
    said_by: "The current snapshot",
    if_gone: "Its files were removed behind the table's back: roll the table back to a snapshot that is whole, with an engine that writes it",
};
const MANIFEST: Part = Part {
    noun: "manifest",
    said_by: "The current snapshot",
    ..LIST
};

/// Manifests that are looked into before a table is said to have no data file.
const LOOKED_INTO: usize = 5;

/// A data file, as a manifest describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Where it is, raw.
    pub location: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// `PARQUET`, `ORC`, `AVRO`, in clean text.
    pub format: String,
}

/// One data file of the snapshot, of those that were added last; `None` where it has none.
pub(super) async fn newest(
    aws: &Aws,
    region: &Region,
    manifests: &Manifests,
) -> Result<Option<Entry>, Problem> {
    let manifests = match manifests {
        Manifests::None => return Ok(None),
        Manifests::Inline(all) => all.clone(),
        Manifests::List(location) => {
            let bytes = read(aws, region, location, None, LIST).await?;
            guarded(|| listed(&bytes))
                .and_then(|read| read)
                .map_err(|why| unreadable(LIST, location, &why))?
        }
    };
    for location in manifests.iter().take(LOOKED_INTO) {
        let bytes = read(aws, region, location, None, MANIFEST).await?;
        let read = guarded(|| live(&bytes)).and_then(|read| read);
        if let Some(entry) = read.map_err(|why| unreadable(MANIFEST, location, &why))? {
            return Ok(Some(entry));
        }
    }
    Ok(None)
}

fn unreadable(part: Part, location: &str, why: &str) -> Problem {
    Problem::new(
        Kind::CheckFailed,
        format!("The table's {} cannot be read", part.noun),
        format!("{}: {}", scrub(location), scrub(why)),
        "See whether the file is whole; an engine that writes the table can tell",
    )
}

/// Some writers name the fields of a partition as the columns are named, whatever is in them. And the crate panics on a type
/// whose name is not as it should be, which a file from outside may have.
struct AnyName;

impl RecordFieldNameValidator for AnyName {
    fn validate(&self, _: &str) -> AvroResult<()> {
        Ok(())
    }
}

impl SchemaNameValidator for AnyName {
    fn validate(&self, name: &str) -> AvroResult<(String, Namespace)> {
        Ok(match name.rsplit_once('.') {
            Some((namespace, name)) => (name.to_owned(), Some(namespace.to_owned())),
            None => (name.to_owned(), None),
        })
    }
}

fn records(bytes: &[u8]) -> Result<impl Iterator<Item = Result<Value, String>>, String> {
    // Once for the whole program: later calls find it set.
    let _ = set_record_field_name_validator(Box::new(AnyName));
    let _ = set_schema_name_validator(Box::new(AnyName));
    let reader = Reader::new(bytes).map_err(|why| why.to_string())?;
    Ok(reader.map(|record| record.map_err(|why| why.to_string())))
}

/// The manifests of data files that a list names, the newest first.
fn listed(bytes: &[u8]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for record in records(bytes)? {
        let record = record?;
        let deletes = number(&record, "content").is_some_and(|content| content != 0);
        let live: Vec<i64> = [
            "added_files_count",
            "existing_files_count",
            "added_data_files_count",
            "existing_data_files_count",
        ]
        .into_iter()
        .filter_map(|name| number(&record, name))
        .collect();
        // Version 1 need not count.
        let empty = !live.is_empty() && live.iter().all(|count| *count == 0);
        if let (false, false, Some(path)) = (deletes, empty, text(&record, "manifest_path")) {
            found.push((number(&record, "sequence_number").unwrap_or(0), path.to_owned()));
        }
    }
    found.sort_by_key(|(sequence, _)| std::cmp::Reverse(*sequence));
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// The first entry of a manifest that is a data file, and there.
fn live(bytes: &[u8]) -> Result<Option<Entry>, String> {
    const DELETED: i64 = 2;
    for record in records(bytes)? {
        let record = record?;
        let Some(file) = field(&record, "data_file") else {
            return Err("an entry has no data_file: it is no manifest".to_owned());
        };
        let deletes = number(file, "content").is_some_and(|content| content != 0);
        if deletes || number(&record, "status") == Some(DELETED) {
            continue;
        }
        let Some(location) = text(file, "file_path") else {
            return Err("an entry has no file_path: it is no manifest".to_owned());
        };
        return Ok(Some(Entry {
            location: location.to_owned(),
            bytes: number(file, "file_size_in_bytes")
                .and_then(|bytes| u64::try_from(bytes).ok())
                .unwrap_or(0),
            format: text(file, "file_format")
                .map(scrub)
                .unwrap_or_default()
                .to_ascii_uppercase(),
        }));
    }
    Ok(None)
}

/// A field of a record, out of the union that makes it optional.
fn field<'a>(record: &'a Value, name: &str) -> Option<&'a Value> {
    let Value::Record(fields) = record else {
        return None;
    };
    let (_, value) = fields.iter().find(|(known, _)| known == name)?;
    match value {
        Value::Union(_, inner) => Some(inner),
        value => Some(value),
    }
}

fn number(record: &Value, name: &str) -> Option<i64> {
    match field(record, name)? {
        Value::Int(number) => Some(i64::from(*number)),
        Value::Long(number) => Some(*number),
        _ => None,
    }
}

fn text<'a>(record: &'a Value, name: &str) -> Option<&'a str> {
    match field(record, name)? {
        Value::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lake::footer::tests::files;

    #[test]
    fn every_manifest_of_the_lake_leads_to_a_file() {
        let (mut lists, mut manifests) = (0, 0);
        for bytes in files(".avro") {
            match live(bytes) {
                Ok(Some(entry)) => {
                    manifests += 1;
                    assert!(
                        entry.location.starts_with("s3://") && entry.bytes > 500,
                        "{entry:?}"
                    );
                    assert_eq!(entry.format, "PARQUET");
                }
                // A manifest of delete files.
                Ok(None) => {}
                Err(why) => {
                    assert!(why.ends_with("it is no manifest"), "{why}");
                    lists += 1;
                    let found = listed(bytes).unwrap();
                    assert!(found.iter().all(|path| path.ends_with(".avro")), "{found:?}");
                }
            }
        }
        assert!(lists > 5 && manifests > 5, "{lists} {manifests}");
    }

    #[test]
    fn what_is_no_avro_is_refused() {
        for bytes in [&b""[..], b"Obj\x01", b"PAR1PAR1"] {
            assert!(listed(bytes).is_err() && live(bytes).is_err());
        }
    }

    proptest::proptest! {
        #[test]
        fn a_damaged_manifest_is_read_or_refused(which in 0usize..1000, damage in proptest::collection::vec((0usize..100_000, proptest::prelude::any::<u8>()), 1..8)) {
            let files = files(".avro");
            let mut bytes = files[which % files.len()].to_vec();
            let room = bytes.len();
            for (at, byte) in damage {
                bytes[at % room] = byte;
            }
            let _ = (live(&bytes), listed(&bytes));
        }
    }
}
