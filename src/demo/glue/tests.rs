use super::generated::Generated;
use super::store::{Catalog, Catalogs, Database, Found, Object, Store, Table, key};
use serde_json::json;
use std::sync::Arc;

fn object(name: &str) -> Object {
    json!({"Name": name}).as_object().unwrap().clone()
}

fn seeds() -> Catalogs {
    let table = |name: &str| {
        (
            name.to_owned(),
            Table {
                object: object(name),
                ..Table::default()
            },
        )
    };
    let tables = [table("a"), table("b"), table("c")].into();
    let database = Database {
        object: object("db"),
        tables,
        generated: None,
    };
    let databases = [("db".to_owned(), database.clone()), ("gone".to_owned(), database)].into();
    [(
        key("1", "r"),
        Catalog {
            databases,
            ..Catalog::default()
        },
    )]
    .into()
}

#[test]
fn only_changes_go_to_disk_and_come_back_over_a_newer_seed() {
    let mut store = Store::default();
    store.seed(seeds());
    assert_eq!(serde_json::to_string(&store).unwrap(), "{}");

    let catalog = store.catalog_mut("1", "r");
    catalog.encryption = Some(json!({"EncryptionAtRest": {}}));
    catalog.databases.remove("gone");
    let database = catalog.databases.get_mut("db").unwrap();
    database.tables.remove("a");
    let changed = Table {
        object: object("b2"),
        version: 3,
        ..Table::default()
    };
    database.tables.insert("b".to_owned(), changed.clone());
    store
        .catalog_mut("2", "r")
        .databases
        .insert("own".to_owned(), Database::default());
    let text = serde_json::to_string(&store).unwrap();
    assert!(!text.contains("\"c\""), "{text}");

    let mut newer = seeds();
    let held = newer.get_mut("1/r").unwrap().databases.get_mut("db").unwrap();
    held.tables.insert("d".to_owned(), Table::default());
    held.tables.get_mut("c").unwrap().object = object("newer");
    let mut again: Store = serde_json::from_str(&text).unwrap();
    again.seed(newer);
    let catalog = again.catalog("1", "r").unwrap();
    assert_eq!(catalog.databases.keys().collect::<Vec<_>>(), ["db"]);
    assert!(catalog.encryption.is_some());
    let tables = &catalog.databases["db"].tables;
    assert_eq!(tables.keys().collect::<Vec<_>>(), ["b", "c", "d"]);
    assert_eq!(tables["b"], changed);
    assert_eq!(tables["c"].object, object("newer"));
    assert!(again.catalog("2", "r").unwrap().databases.contains_key("own"));
}

#[test]
fn own_tables_stand_among_the_generated_ones() {
    let mut database = Database {
        generated: Some(Generated::new(3, "g", "s3://b/p", 0.0, Arc::default()).into()),
        ..Database::default()
    };
    for name in ["a", "t_000000001x", "z"] {
        database.tables.insert(name.to_owned(), Table::default());
    }
    let names: Vec<_> = database.names_after(None).collect();
    assert_eq!(
        names,
        [
            "a",
            "t_000000000",
            "t_000000001",
            "t_000000001x",
            "t_000000002",
            "z"
        ]
    );
    assert_eq!(
        database.names_after(Some("t_000000001")).next().unwrap(),
        "t_000000001x"
    );
    // A generated table that was changed is listed once, as the database's own.
    database.tables.insert("t_000000002".to_owned(), Table::default());
    assert_eq!(
        database.names_after(Some("t_000000001x")).collect::<Vec<_>>(),
        ["t_000000002", "z"]
    );
}

#[test]
fn a_generated_table_is_found_without_being_made_up() {
    let mut database = Database {
        generated: Some(Generated::new(20, "g", "s3://b/p", 0.0, Arc::default()).into()),
        ..Database::default()
    };
    let own = Table {
        object: object("t_000000002"),
        version: 4,
        ..Table::default()
    };
    database.tables.insert("t_000000002".to_owned(), own);
    for name in database.names_after(None) {
        let found = database.found(&name).unwrap();
        let is_own = name == "t_000000002";
        assert_eq!(matches!(found, Found::Whole(_)), is_own, "{name}");
        let made = found.made().unwrap();
        assert_eq!(made["Name"], *name);
        assert_eq!(made["VersionId"], if is_own { "4" } else { "0" });
        assert_eq!(database.table(&name), Some(made));
    }
    assert!(database.found("t_000000020").and_then(Found::made).is_none());
    database.generated = None;
    assert!(database.found("t_000000001").is_none());
}
