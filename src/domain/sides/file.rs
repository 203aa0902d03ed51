//! A data file of a table, and where its columns are not the table's.
//!
//! Iceberg's readers go by field id (<https://iceberg.apache.org/spec/#column-projection>), the others by name. What they do
//! with a column that is not the same: <https://iceberg.apache.org/spec/#schema-evolution>.

use super::fold;
use crate::domain::column_type::{Type, Words};
use crate::domain::kind::{Note, TableKind};
use crate::domain::schema::{Column, Schema};
use serde::Serialize;
use std::fmt;

/// A data file, as its own footer describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DataFile {
    /// Where it is, in clean text.
    pub location: String,
    /// Its size in bytes, where the table's metadata or a listing tells.
    pub bytes: u64,
    /// Its rows.
    pub rows: u64,
    /// The row groups that they are in.
    pub row_groups: u64,
    /// How the first column is packed: `ZSTD`, `SNAPPY`.
    pub compression: Option<String>,
    /// The library that wrote it, in its own words.
    pub written_by: Option<String>,
    /// Its columns, in Iceberg's words.
    pub columns: Vec<Column>,
    /// Where they are not the table's.
    pub differences: Vec<FileDifference>,
    /// What is odd about it.
    pub notes: Vec<Note>,
}

/// Where a data file is not as its table says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileDifference {
    /// The column, by its dotted path in the table; of one that the table does not have, in the file.
    pub column: String,
    /// Its type in the table.
    pub table: Option<String>,
    /// Its type in the file; of a renamed column also its name there.
    pub file: Option<String>,
    /// What kind of difference it is.
    pub why: Mismatch,
}

/// What a difference means to whoever reads the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mismatch {
    /// The file has no such column: it was written before the column was added.
    Missing,
    /// The table has no such column: it was dropped, or was never one of the table's.
    Extra,
    /// The same field under another name.
    Renamed,
    /// The table's type has become wider since.
    Widened,
    /// A type that is not read as the table's.
    OtherType,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Missing => "reads as null, or as the column's default",
            Self::Extra => "not read",
            Self::Renamed => "read by its field id",
            Self::Widened => "read as the wider type",
            Self::OtherType => "refused, or read wrong",
        })
    }
}

/// Ids from here on are Iceberg's own metadata columns, such as a row's id.
const RESERVED: i32 = i32::MAX - 200;

impl DataFile {
    /// The file beside its table.
    pub fn beside(mut self, schema: &Schema) -> Self {
        self.differences = compare(schema, &self.columns);
        if schema.kind == TableKind::Iceberg && !self.columns.iter().any(|column| column.id.is_some()) {
            let mapped = schema.properties.contains_key("schema.name-mapping.default");
            let text = match mapped {
                true => "it has no field ids: engines read it by the table's schema.name-mapping.default",
                false => {
                    "it has no field ids, and the table no schema.name-mapping.default to read it by: its columns read as null, or not at all"
                }
            };
            self.notes.push(Note::new("no-field-ids", text));
        }
        self
    }
}

/// Where a file's columns are not the table's. Partition columns that live in paths are not looked for in files.
pub fn compare(schema: &Schema, file: &[Column]) -> Vec<FileDifference> {
    let iceberg = schema.kind == TableKind::Iceberg;
    let mut comparison = Comparison {
        words: Words::of(schema),
        by_id: iceberg && file.iter().any(|column| column.id.is_some()),
        found: Vec::new(),
    };
    let table: Vec<&Column> = schema
        .columns
        .iter()
        .filter(|column| iceberg || !column.key)
        .collect();
    comparison.fields("", &table, file);
    comparison.found
}

struct Comparison {
    words: Words,
    by_id: bool,
    found: Vec<FileDifference>,
}

impl Comparison {
    fn is_same_field(&self, table: &Column, file: &Column) -> bool {
        match (self.by_id, table.id, file.id) {
            (true, Some(ours), theirs) => theirs == Some(ours),
            _ => fold(&table.name) == fold(&file.name),
        }
    }

    fn fields(&mut self, path: &str, table: &[&Column], file: &[Column]) {
        for ours in table {
            let path = join(path, &ours.name);
            let theirs = file.iter().find(|theirs| self.is_same_field(ours, theirs));
            match theirs {
                None => self.tell(path, Some(ours), None, Mismatch::Missing),
                Some(theirs) => {
                    if self.by_id && ours.name != theirs.name {
                        let file = Some(format!("{} {}", theirs.name, theirs.short_type()));
                        self.found.push(FileDifference {
                            column: path.clone(),
                            table: Some(ours.short_type().to_owned()),
                            file,
                            why: Mismatch::Renamed,
                        });
                    }
                    self.types(path, ours, theirs);
                }
            }
        }
        for theirs in file {
            let known = table.iter().any(|ours| self.is_same_field(ours, theirs));
            if !known && theirs.id.is_none_or(|id| id < RESERVED) {
                self.tell(join(path, &theirs.name), None, Some(theirs), Mismatch::Extra);
            }
        }
    }

    fn types(&mut self, path: String, ours: &Column, theirs: &Column) {
        let (table, file) = (Type::of(ours, self.words), Type::of(theirs, Words::Iceberg));
        match (&table, &file) {
            (Type::Struct(_), Type::Struct(_)) => {
                let ours: Vec<&Column> = ours.children.iter().collect();
                self.fields(&path, &ours, &theirs.children);
            }
            // An element, a key and a value have but their place; their names are nobody's.
            (Type::List(_), Type::List(_)) | (Type::Map(..), Type::Map(..)) => {
                for (ours, theirs) in ours.children.iter().zip(&theirs.children) {
                    self.types(join(&path, &ours.name), ours, theirs);
                }
            }
            _ => {
                if let Some(why) = mismatch(&table, &file, self.words) {
                    self.tell(path, Some(ours), Some(theirs), why);
                }
            }
        }
    }

    fn tell(&mut self, column: String, ours: Option<&Column>, theirs: Option<&Column>, why: Mismatch) {
        let text = |column: Option<&Column>| column.map(|column| column.short_type().to_owned());
        self.found.push(FileDifference {
            column,
            table: text(ours),
            file: text(theirs),
            why,
        });
    }
}

fn join(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

/// How two types that are not made of parts differ; `None`: the one is read as the other.
fn mismatch(table: &Type, file: &Type, words: Words) -> Option<Mismatch> {
    let iceberg = words == Words::Iceberg;
    let text = |kind: &Type| matches!(kind, Type::Text | Type::Varchar(_) | Type::Char(_));
    let same = match (table, file) {
        (table, file) if table == file => true,
        // What nobody here has a word for is not judged.
        (Type::Other(_) | Type::Variant | Type::Null, _) => true,
        (table, file) if text(table) && text(file) => true,
        // Older writers did not mark text as such.
        (table, Type::Binary) if text(table) && !iceberg => true,
        (Type::Binary, Type::Fixed(_)) => !iceberg,
        (Type::Uuid, Type::Fixed(16)) => true,
        // Small integers are stored in 32 bits, and not every writer says that they are small.
        (Type::Int(ours), Type::Int(theirs)) if *ours <= 32 && *theirs <= 32 => true,
        // Hive's timestamps are stored in three ways, which its readers tell apart.
        (Type::Timestamp { .. }, Type::Timestamp { .. }) => !iceberg,
        _ => false,
    };
    if same {
        return None;
    }
    let wider = match (table, file) {
        (Type::Int(ours), Type::Int(theirs)) | (Type::Float(ours), Type::Float(theirs)) => ours > theirs,
        (Type::Decimal(ours, scale), Type::Decimal(theirs, theirs_scale)) => {
            ours > theirs && scale == theirs_scale
        }
        (Type::Timestamp { zoned: false, .. }, Type::Date) => iceberg,
        _ => false,
    };
    Some(if wider {
        Mismatch::Widened
    } else {
        Mismatch::OtherType
    })
}

#[cfg(test)]
mod tests {
    use super::super::column;
    use super::*;
    use crate::domain::schema::Source;

    fn schema(kind: TableKind, source: Source, columns: Vec<Column>) -> Schema {
        Schema {
            columns,
            ..Schema::bare(kind, source)
        }
    }

    fn field(id: i32, name: &str, kind: &str) -> Column {
        Column {
            id: Some(id),
            ..column(name, kind, vec![])
        }
    }

    fn told(differences: &[FileDifference]) -> Vec<String> {
        let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".into());
        differences
            .iter()
            .map(|one| {
                format!(
                    "{} {} {} {:?}",
                    one.column,
                    side(&one.table),
                    side(&one.file),
                    one.why
                )
            })
            .collect()
    }

    #[test]
    fn iceberg_goes_by_field_id() {
        let place = |inner: Vec<Column>| Column {
            id: Some(4),
            ..column("place", "struct", inner)
        };
        let table = schema(
            TableKind::Iceberg,
            Source::Iceberg,
            vec![
                field(1, "id", "long"),
                field(2, "title", "string"),
                field(3, "added", "date"),
                place(vec![field(5, "lat", "double"), field(6, "lon", "float")]),
                field(9, "at", "timestamptz"),
            ],
        );
        let file = [
            field(1, "id", "int"),
            field(2, "name", "string"),
            place(vec![field(5, "lat", "float"), field(6, "lon", "double")]),
            field(8, "gone", "boolean"),
            field(9, "at", "timestamp"),
            field(i32::MAX - 107, "_row_id", "long"),
        ];
        assert_eq!(
            told(&compare(&table, &file)),
            [
                "id long int Widened",
                "title string name string Renamed",
                "added date - Missing",
                "place.lat double float Widened",
                "place.lon float double OtherType",
                "at timestamptz timestamp OtherType",
                "gone - boolean Extra",
            ]
        );
        assert_eq!(
            DataFile {
                columns: file.into(),
                ..DataFile::default()
            }
            .beside(&table)
            .notes,
            []
        );
    }

    #[test]
    fn a_file_without_field_ids_is_read_by_a_mapping_or_not_at_all() {
        let mut table = schema(TableKind::Iceberg, Source::Iceberg, vec![field(1, "id", "long")]);
        let file = DataFile {
            columns: vec![column("ID", "long", vec![])],
            ..DataFile::default()
        };
        let note = |table: &Schema| file.clone().beside(table).notes.remove(0).text;
        assert!(note(&table).contains("read as null"));
        assert_eq!(compare(&table, &file.columns), []);
        table
            .properties
            .insert("schema.name-mapping.default".into(), "[]".into());
        assert!(note(&table).ends_with("by the table's schema.name-mapping.default"));
    }

    #[test]
    fn hive_goes_by_name_and_looks_for_no_partition_column() {
        let day = Column {
            key: true,
            ..column("day", "string", vec![])
        };
        let columns = vec![
            column("Small", "smallint", vec![]),
            column("name", "varchar(10)", vec![]),
            column("at", "timestamp", vec![]),
            column("price", "decimal(12,2)", vec![]),
            column("n", "int", vec![]),
            column("tags", "array<string>", vec![column("element", "string", vec![])]),
            day,
        ];
        let table = schema(TableKind::Hive, Source::Glue, columns);
        let file = [
            column("small", "int", vec![]),
            column("name", "binary", vec![]),
            column("at", "timestamptz", vec![]),
            column("price", "decimal(10,2)", vec![]),
            column("n", "string", vec![]),
            column("tags", "list", vec![column("item", "long", vec![])]),
        ];
        assert_eq!(
            told(&compare(&table, &file)),
            [
                "price decimal(12,2) decimal(10,2) Widened",
                "n int string OtherType",
                "tags.element string long OtherType",
            ]
        );
    }

    #[test]
    fn a_type_that_nobody_knows_is_not_judged() {
        for kind in ["uniontype<int,string>", "geometry", "interval_day_time"] {
            let table = schema(TableKind::Hive, Source::Glue, vec![column("a", kind, vec![])]);
            assert_eq!(compare(&table, &[column("a", "binary", vec![])]), [], "{kind}");
        }
    }
}
