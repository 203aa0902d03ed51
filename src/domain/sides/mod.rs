//! The sides of a table: the columns in Glue, those of its metadata, those in one of its data files; and where they are not
//! the same.

mod file;

pub use file::{DataFile, FileDifference, Mismatch, compare};

use super::column_type::{Type, Words, hive};
use super::schema::Column;
use serde::Serialize;

/// A column that Glue and the table's metadata have otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The column.
    pub column: String,
    /// Its type in Glue; `None` where Glue has no such column.
    pub glue: Option<String>,
    /// Its type in the metadata, in Hive's words; `None` where the metadata has no such column.
    pub metadata: Option<String>,
}

/// Names count without their case: Glue folds it, and so do the engines that go by name.
fn fold(name: &str) -> String {
    name.to_lowercase()
}

/// Where Glue's columns are not those of an Iceberg table's metadata. Types as Iceberg's libraries leave them in Glue.
pub fn differences(glue: &[Column], metadata: &[Column]) -> Vec<Difference> {
    let bare = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let in_hive = |column: &Column| hive(&Type::of(column, Words::Iceberg));
    let mut found = Vec::new();
    for column in metadata {
        let echo = glue.iter().find(|echo| fold(&echo.name) == fold(&column.name));
        let wanted = in_hive(column);
        if echo.is_none_or(|echo| bare(&echo.type_text) != bare(&wanted)) {
            found.push(Difference {
                column: column.name.clone(),
                glue: echo.map(|echo| echo.type_text.clone()),
                metadata: Some(wanted),
            });
        }
    }
    let gone = |echo: &&Column| {
        !metadata
            .iter()
            .any(|column| fold(&column.name) == fold(&echo.name))
    };
    found.extend(glue.iter().filter(gone).map(|echo| Difference {
        column: echo.name.clone(),
        glue: Some(echo.type_text.clone()),
        metadata: None,
    }));
    found
}

#[cfg(test)]
fn column(name: &str, kind: &str, children: Vec<Column>) -> Column {
    Column {
        name: name.into(),
        type_text: kind.into(),
        children,
        ..Column::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_glue_has_otherwise_is_found_whatever_the_case_and_the_blanks() {
        let place = vec![column("lat", "double", vec![]), column("a b", "uuid", vec![])];
        let entries = vec![
            column("key", "string", vec![]),
            column("value", "list", vec![column("element", "int", vec![])]),
        ];
        let metadata = [
            column("id", "long", vec![]),
            column("ts", "timestamptz", vec![]),
            column("at", "timestamp", vec![]),
            column("price", "decimal(12, 2)", vec![]),
            column("hash", "fixed[16]", vec![]),
            column("place", "struct", place),
            column("attributes", "map", entries),
        ];
        let echo = [
            ("ID", "bigint"),
            ("ts", "timestamp"),
            ("at", "timestamp"),
            ("price", "decimal(12, 2)"),
            ("hash", "binary"),
            ("place", "struct<lat:double,a b:string>"),
            ("attributes", "map<string,array<int>>"),
        ];
        let echo: Vec<Column> = echo.map(|(name, kind)| column(name, kind, vec![])).into();
        assert_eq!(differences(&echo, &metadata), []);
        let mut old = echo.clone();
        old[0].type_text = "int".into();
        old.remove(3);
        old.push(column("gone", "string", vec![]));
        let found: Vec<_> = differences(&old, &metadata)
            .into_iter()
            .map(|one| (one.column, one.glue, one.metadata))
            .collect();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(
            found,
            [
                ("id".to_owned(), text("int"), text("bigint")),
                ("price".to_owned(), None, text("decimal(12,2)")),
                ("gone".to_owned(), text("string"), None),
            ]
        );
    }
}
