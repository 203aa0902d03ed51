//! A table that Lake Formation governs: Glue shows everybody the columns that he may see, and the table's own files have all of
//! them. What Glue leaves out is left out of what those files say, so that no name gets past the grant.

use crate::domain::amount::counted;
use crate::domain::kind::Note;
use crate::domain::schema::{Column, Schema};
use crate::lake::Metadata;
use std::collections::BTreeSet;

/// The note on a table of which only some columns are shown.
const WITHHELD: &str = "columns-withheld";

/// Takes out of the metadata what Glue does not show of the table. A column that Glue was never told of cannot be told from one
/// that is withheld, and goes too.
pub(super) fn withhold(metadata: &mut Metadata, from_glue: &Schema) -> Option<Note> {
    let folded = |columns: &[Column]| -> BTreeSet<String> {
        columns.iter().map(|column| column.name.to_lowercase()).collect()
    };
    let (shown, shown_before) = (folded(&from_glue.columns), folded(&from_glue.history));
    let all = metadata.columns.len();
    metadata
        .columns
        .retain(|column| shown.contains(&column.name.to_lowercase()));
    let left = metadata.columns.len();
    if left == all {
        return None;
    }
    metadata
        .history
        .retain(|column| shown_before.contains(&column.name.to_lowercase()));
    // A source may be a field of a struct: its column is what is shown or not.
    let is_shown = |source: &str| {
        let source = source.to_lowercase();
        shown.iter().any(|name| {
            source
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    metadata.partition.retain(|field| is_shown(&field.source));
    metadata.sort.retain(|field| is_shown(&field.source));
    Some(Note::new(
        WITHHELD,
        format!(
            "Lake Formation governs it: of its {} Glue shows {left}, and the others are left out here too",
            counted(all as u64, "column", "columns")
        ),
    ))
}

/// Whether some columns of a table are withheld: a data file has all of them.
pub(super) fn is_withheld(schema: &Schema) -> bool {
    schema.notes.iter().any(|note| note.code == WITHHELD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::kind::TableKind;
    use crate::domain::schema::Source;
    use crate::lake::metadata;

    const JSON: &[u8] = br#"{"format-version":2,"current-schema-id":1,"schemas":[
        {"schema-id":0,"fields":[{"id":1,"name":"id","required":true,"type":"long"},{"id":4,"name":"salary_then","type":"long"}]},
        {"schema-id":1,"fields":[{"id":1,"name":"id","required":true,"type":"long"},{"id":2,"name":"Note","type":"string"},
            {"id":3,"name":"salary","type":"long"}]}],
        "default-spec-id":0,"partition-specs":[{"spec-id":0,"fields":[
            {"source-id":1,"field-id":1000,"name":"id_bucket","transform":"bucket[4]"},
            {"source-id":3,"field-id":1001,"name":"salary_trunc","transform":"truncate[100]"}]}]}"#;

    fn named(names: &[&str]) -> Schema {
        let column = |name: &&str| Column {
            name: (*name).to_owned(),
            ..Column::default()
        };
        Schema {
            columns: names.iter().map(column).collect(),
            ..Schema::bare(TableKind::Iceberg, Source::Glue)
        }
    }

    #[test]
    fn what_glue_leaves_out_is_left_out_everywhere() {
        let mut metadata = metadata::read(JSON, "x").unwrap();
        let note = withhold(&mut metadata, &named(&["id", "note"])).unwrap();
        assert!(
            note.text.contains("of its 3 columns Glue shows 2"),
            "{}",
            note.text
        );
        let text = format!(
            "{:?} {:?} {:?}",
            metadata.columns, metadata.history, metadata.partition
        );
        assert!(!text.contains("salary"), "{text}");
        assert!(text.contains("Note") && text.contains("id_bucket"), "{text}");
    }

    #[test]
    fn nothing_is_left_out_where_glue_shows_all() {
        let mut metadata = metadata::read(JSON, "x").unwrap();
        assert_eq!(withhold(&mut metadata, &named(&["ID", "note", "salary"])), None);
        assert_eq!((metadata.columns.len(), metadata.partition.len()), (3, 2));
    }

    #[test]
    fn where_glue_shows_none_none_is_shown() {
        let mut metadata = metadata::read(JSON, "x").unwrap();
        assert!(withhold(&mut metadata, &named(&[])).is_some());
        assert!(metadata.columns.is_empty() && metadata.partition.is_empty());
    }
}
