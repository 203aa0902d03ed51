//! What engines leave in Glue beside the columns: Spark's schemas and the texts of views, of the demo's lake.

use crate::support::demo::Demo;
use crate::support::walk;
use serde_json::{Value, json};

fn names(schema: &Value) -> Vec<&str> {
    let columns = schema["columns"].as_array().unwrap().iter();
    columns.map(|column| column["name"].as_str().unwrap()).collect()
}

fn codes(schema: &Value) -> Vec<&str> {
    let notes = schema["notes"].as_array().unwrap().iter();
    notes.map(|note| note["code"].as_str().unwrap()).collect()
}

#[test]
fn sparks_columns_are_shown_and_its_placeholder_never_is() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let asked = [
        "app_events_typed",
        "spark_events",
        "app_events",
        "app_events_crawled",
    ]
    .map(|t| format!("Lake House.raw.{t}\n"));
    let schemas = home
        .glueup_reading(&["schema", "-", "--output", "json"], &asked.concat())
        .ok()
        .json_lines();
    let [typed, source, bare, crawled] = schemas.as_slice() else {
        panic!("{schemas:#?}")
    };
    for schema in [typed, source, crawled] {
        assert_eq!(names(schema), ["event_id", "user", "kind", "day"]);
    }
    assert!(codes(typed).contains(&"schema-in-parameters") && codes(typed).contains(&"placeholder-schema"));
    assert_eq!(
        typed["partition"],
        json!([{ "source": "day", "transform": "identity", "name": "day" }])
    );
    // The made-up column is none: the table's log has the true ones.
    assert_eq!(names(bare), ["event_id", "user", "kind", "day"]);
    assert_eq!(
        (&bare["source"], codes(bare)),
        (&json!("delta-log"), vec!["placeholder-schema"])
    );
}

#[test]
fn views_show_their_sql_whoever_packed_it() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    for (view, dialects, sql) in [
        (
            "daily_revenue",
            &["trino"][..],
            "SELECT date(ordered_at) day, sum(amount) revenue FROM orders GROUP BY 1",
        ),
        (
            "orders_by_country_mv",
            &["trino"],
            "SELECT country, count(*) orders FROM orders GROUP BY 1",
        ),
        (
            "open_orders",
            &["spark"],
            "SELECT order_id, status FROM orders WHERE status IS NULL",
        ),
        (
            "revenue_everywhere",
            &["athena", "spark"],
            "SELECT country, sum(amount) revenue FROM sales.orders GROUP BY country",
        ),
    ] {
        let schema = home
            .glueup(&["schema", &format!("Lake House.sales.{view}"), "--output", "json"])
            .ok()
            .json();
        let views = schema["views"].as_array().unwrap();
        let found: Vec<&str> = views.iter().map(|v| v["dialect"].as_str().unwrap()).collect();
        assert_eq!(found, dialects, "{view}");
        assert_eq!(views[0]["sql"], sql, "{view}");
        assert_eq!(names(&schema).len(), 2, "{view}");
    }
}

#[test]
fn the_lake_shows_every_kind_and_every_note_of_a_table() {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    let mut notes = std::collections::BTreeSet::new();
    let mut kinds = notes.clone();
    // Only a grant leaves something outside of it; only with one's own rights all of it is seen.
    for catalog in [&["Lake House"][..], &["AwsDataCatalog", "--as-caller"]] {
        let asked = [&["census"], catalog, &["--output", "json"]].concat();
        let census = home.glueup(&asked).json();
        for (part, found) in [("by_note", &mut notes), ("by_kind", &mut kinds)] {
            found.extend(census[part].as_object().unwrap().keys().cloned());
        }
    }
    for code in glueup::domain::kind::CODES {
        assert!(notes.contains(code), "{code}: {notes:?}");
    }
    for kind in glueup::domain::kind::TableKind::ALL {
        assert!(kinds.contains(kind.as_str()), "{kind}: {kinds:?}");
    }
}
