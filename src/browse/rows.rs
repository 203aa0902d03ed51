//! From Glue's answers to rows. A row is drawn whatever Glue left out.

use super::request::{DatabaseRow, TableRow};
use crate::domain::glue::{Database, Table};
use crate::domain::kind::{Classified, Note, classify, database_notes};
use crate::domain::s3_path::{S3Location, S3Path};
use crate::domain::secrets::masked;
use crate::domain::text::scrub;

pub(super) fn database(database: Database) -> DatabaseRow {
    DatabaseRow {
        notes: database_notes(&database),
        name: database.name,
        description: database.description,
        link: database.target.map(Box::new),
    }
}

pub(super) fn table(table: Table, granted: Option<&S3Path>) -> TableRow {
    let Classified { kind, format, notes } = judge(&table, granted);
    TableRow {
        kind,
        format,
        notes,
        location: table.location().map(|location| masked(&scrub(location))),
        description: table.description.filter(|text| !text.trim().is_empty()),
        link: table.target.map(Box::new),
        name: table.name,
    }
}

/// What a table is, and what is odd about it in a catalog with this grant.
pub(super) fn judge(table: &Table, granted: Option<&S3Path>) -> Classified {
    let mut classified = classify(table);
    if let Some(location) = table.location().filter(|_| classified.kind.has_files()) {
        let location = S3Location::new(location);
        if let Some(granted) = granted.filter(|granted| location.is_s3() && !granted.contains(&location)) {
            classified.notes.push(Note::new(
                "outside-grant",
                format!("its files are outside {granted}: it lists, but does not read"),
            ));
        }
    }
    classified
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::glue::StorageDescriptor;
    use crate::domain::kind::TableKind;

    fn at(location: Option<&str>) -> Table {
        Table {
            name: "t".into(),
            table_type: Some("EXTERNAL_TABLE".into()),
            storage: Some(StorageDescriptor {
                location: location.map(str::to_owned),
                ..StorageDescriptor::default()
            }),
            ..Table::default()
        }
    }

    #[test]
    fn a_table_outside_the_grant_is_marked() {
        let granted: S3Path = "s3://lake/warehouse".parse().unwrap();
        let outside = |location| {
            table(at(Some(location)), Some(&granted))
                .notes
                .iter()
                .any(|note| note.code == "outside-grant")
        };
        assert!(!outside("s3://lake/warehouse/sales/t"));
        assert!(!outside("s3a://lake/warehouse/"));
        assert!(outside("s3://lake/warehouse_archive/t"));
        assert!(outside("s3://other/warehouse/t"));
        assert!(!outside("hdfs://x/y"));
        assert!(
            !table(at(None), Some(&granted))
                .notes
                .iter()
                .any(|note| note.code == "outside-grant")
        );
    }

    #[test]
    fn a_table_with_nothing_but_a_name_is_a_row() {
        let row = table(
            Table {
                name: "t".into(),
                ..Table::default()
            },
            Some(&"s3://lake".parse().unwrap()),
        );
        assert_eq!(
            (row.name.as_str(), row.kind, row.location, row.description),
            ("t", TableKind::Unknown, None, None)
        );
    }

    #[test]
    fn a_blank_description_is_none() {
        let described = |text: &str| {
            let table = Table {
                description: Some(text.into()),
                ..at(None)
            };
            super::table(table, Some(&"s3://lake".parse().unwrap())).description
        };
        assert_eq!(described("Orders"), Some("Orders".into()));
        assert_eq!(described(" "), None);
    }
}
