//! What no statement can say truthfully. Text is clean by the time it comes here: where a sign stands in the place of a
//! control character, the character itself is not known any more.

use super::{Engine, Form};
use crate::domain::kind::TableKind;
use crate::domain::schema::{Column, Schema};

/// Why a schema cannot be written in this form, as the end of a sentence that begins with the table.
pub(super) fn untrue(schema: &Schema, form: Form) -> Option<String> {
    // By their logs they are taken in as they are: no column stands in the statement.
    let by_log = matches!(schema.kind, TableKind::Delta | TableKind::Hudi) && form != Form::Arrow;
    let columns: &[Column] = if by_log || (schema.kind.is_view() && form != Form::Arrow) {
        &[]
    } else {
        &schema.columns
    };
    let of_location = || {
        let signs = schema.location.as_deref().is_some_and(is_told_by_signs);
        (signs && form != Form::Arrow && schema.kind.has_files())
            .then(|| format!("has a location that holds {SIGNS}"))
    };
    columns
        .iter()
        .find_map(|column| of_column(column, "", form))
        .or_else(of_location)
}

const SIGNS: &str = "signs that cannot be shown: written with others it would be another one";

fn of_column(column: &Column, above: &str, form: Form) -> Option<String> {
    let path = match above {
        "" => column.name.clone(),
        above => format!("{above}.{}", column.name),
    };
    if column.name.is_empty() {
        return Some("has a column without a name".to_owned());
    }
    if is_told_by_signs(&column.name) {
        return Some(format!("has a name, of column {path}, that holds {SIGNS}"));
    }
    // Arrow's form has a place for what is not known.
    let leaf = column.children.is_empty() && form != Form::Arrow;
    match column.type_text.trim() {
        "" | "?" if leaf => return Some(format!("has the column {path}, of which no type is known")),
        text if leaf && is_told_by_signs(text) => {
            return Some(format!("has a type, of column {path}, that holds {SIGNS}"));
        }
        _ => {}
    }
    column
        .children
        .iter()
        .find_map(|child| of_column(child, &path, form))
}

/// Why there is no statement for a view in this engine.
pub(super) fn of_view(schema: &Schema, engine: Engine) -> String {
    let dialects: Vec<&str> = schema.views.iter().map(|view| view.dialect.as_str()).collect();
    let label = engine.label();
    match dialects.as_slice() {
        [] => "is a view whose text is not known".to_owned(),
        all if all.iter().all(|dialect| *dialect == "sql") => format!(
            "is a view whose text does not say in whose SQL it is: whether {label} reads it, glueup lens tells"
        ),
        all => format!("is a view in the SQL of {}, not in {label}'s", all.join(" and ")),
    }
}

/// Clean text shows a control character by its picture, and a mark of direction by its number.
fn is_told_by_signs(text: &str) -> bool {
    text.contains("<U+")
        || text
            .chars()
            .any(|letter| ('\u{2400}'..='\u{2426}').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{column, fqn, plain};
    use super::super::{Engine, Form, write};
    use crate::domain::declared::View;
    use crate::domain::kind::TableKind;
    use crate::domain::schema::{Schema, Source};

    #[test]
    fn what_no_statement_says_truthfully_is_refused() {
        let hive = |columns| plain(Source::Glue, TableKind::Hive, columns);
        let inner = vec![column("lat\u{2401}", "double", vec![])];
        let spark = Form::Ddl(Engine::Spark);
        for (schema, form, word) in [
            (
                hive(vec![column("a\u{2400}b", "int", vec![])]),
                spark,
                "column a\u{2400}b, that holds signs",
            ),
            (
                hive(vec![column("a\u{2400}b", "int", vec![])]),
                Form::Arrow,
                "that holds signs",
            ),
            (
                hive(vec![column("x<U+202E>y", "int", vec![])]),
                Form::Ddl(Engine::Trino),
                "x<U+202E>y",
            ),
            (
                hive(vec![column("geo", "struct", inner)]),
                Form::Ddl(Engine::Athena),
                "column geo.lat\u{2401}",
            ),
            (
                hive(vec![column("a", "?", vec![])]),
                spark,
                "the column a, of which no type is known",
            ),
            (hive(vec![column("a", "", vec![])]), spark, "no type is known"),
            (hive(vec![column("", "int", vec![])]), spark, "without a name"),
            (
                Schema {
                    location: Some("s3://lake/a\u{240a}b".into()),
                    ..hive(vec![column("a", "int", vec![])])
                },
                spark,
                "a location that holds signs",
            ),
        ] {
            let why = write(&fqn(), &schema, form).unwrap_err().why;
            assert!(why.contains(word), "{word}: {why}");
        }
        // Arrow's form has a place for what is lost.
        let text = write(&fqn(), &hive(vec![column("a", "", vec![])]), Form::Arrow).unwrap();
        assert!(
            text.contains("a: its type is not known, binary stands in its place"),
            "{text}"
        );
    }

    #[test]
    fn a_view_is_refused_by_the_dialects_that_it_has() {
        let of = |dialects: &[&str]| {
            let view = |dialect: &&str| View {
                dialect: (*dialect).into(),
                sql: "SELECT 1".into(),
                ..View::default()
            };
            let views = dialects.iter().map(view).collect();
            let schema = Schema {
                views,
                ..plain(Source::Glue, TableKind::MultiDialectView, vec![])
            };
            write(&fqn(), &schema, Form::Ddl(Engine::Athena)).unwrap_err().why
        };
        assert_eq!(
            of(&["spark", "redshift"]),
            "is a view in the SQL of spark and redshift, not in Athena's"
        );
        assert!(of(&["sql"]).starts_with("is a view whose text does not say in whose SQL it is"));
        assert_eq!(of(&[]), "is a view whose text is not known");
    }
}
