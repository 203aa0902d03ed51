//! The oddities of the demo's lake, through Glue of the embedded AWS: in JSON and on the screen.

use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::signed;
use crate::support::term::{Term, key};
use crate::support::walk;
use serde_json::Value;

const WILD: &str = "tempdb-test$21.asdj123||#^@#^$@$$!@#@!#";

fn world() -> (Demo, Home) {
    let demo = Demo::start(&[]);
    let home = walk::ready_home(&demo);
    (demo, home)
}

fn schema(home: &Home, table: &str) -> Value {
    let fqn = format!("Lake House.{table}");
    home.glueup(&["schema", &fqn, "--output", "json"]).ok().json()
}

fn names(columns: &Value) -> Vec<&str> {
    let columns = columns.as_array().unwrap().iter();
    columns.map(|column| column["name"].as_str().unwrap()).collect()
}

fn types(columns: &Value) -> Vec<&str> {
    let columns = columns.as_array().unwrap().iter();
    columns.map(|column| column["type"].as_str().unwrap()).collect()
}

/// What a note of this code says.
fn note<'a>(of: &'a Value, code: &str) -> &'a str {
    let notes = of["notes"].as_array().unwrap();
    let found = notes.iter().find(|note| note["code"] == code);
    found.unwrap_or_else(|| panic!("no {code}: {notes:?}"))["text"]
        .as_str()
        .unwrap()
}

const CUSTOMERS: [&str; 7] = [
    "customer_id",
    "full_name",
    "address",
    "emails",
    "attributes",
    "born",
    "newsletter",
];

#[test]
fn what_is_odd_about_an_iceberg_table_is_said_and_its_metadata_is_the_truth() {
    let (_demo, home) = world();
    let bare = schema(&home, "sales.customers_bare");
    assert_eq!(
        (&bare["kind"], &bare["source"]),
        (&"iceberg".into(), &"iceberg".into())
    );
    assert_eq!(names(&bare["columns"]), CUSTOMERS);
    assert!(
        note(&bare, "no-storage-descriptor").contains("0 columns"),
        "{bare}"
    );

    let customers = schema(&home, "sales.customers");
    assert_eq!(names(&customers["columns"]), CUSTOMERS);
    assert_eq!(names(&customers["history"]), ["name", "fax"]);
    assert_eq!(
        note(&customers, "dropped-columns"),
        "Glue shows 9 columns, the current Iceberg schema has 7"
    );

    let never = schema(&home, "sales.ods_received_data");
    assert_eq!(
        (&never["kind"], &never["source"]),
        (&"iceberg".into(), &"glue".into())
    );
    assert!(note(&never, "never-committed").starts_with("registered but never committed"));

    let untyped = schema(&home, "odd.no_table_type");
    assert_eq!(untyped["kind"], "unknown");
    assert_eq!(note(&untyped, "no-table-type"), "Glue has no TableType for it");

    for table in ["payments", "payments_lower", "payments_mixed"] {
        let one = schema(&home, &format!("sales.{table}"));
        assert_eq!(
            (&one["kind"], &one["source"]),
            (&"iceberg".into(), &"iceberg".into()),
            "{table}"
        );
    }

    let three = schema(&home, "odd.version_three");
    assert_eq!(three["format_version"], 3);
    assert_eq!(
        types(&three["columns"]),
        [
            "long",
            "timestamp_ns",
            "timestamptz_ns",
            "variant",
            "geometry(OGC:CRS84)",
            "geography(OGC:CRS84, spherical)",
            "unknown"
        ]
    );

    let databases = home
        .glueup(&["ls", "Lake House", "--output", "json"])
        .ok()
        .json_lines();
    let empty = databases.iter().find(|row| row["database"] == "empty").unwrap();
    assert!(note(empty, "no-default-location").starts_with("no default location"));

    // Glue folds names to lower case, and so finds them however they are written.
    let orders = schema(&home, "Sales.ORDERS");
    assert_eq!(orders["fqn"], "Lake House.sales.orders");
    let columns = orders["columns"].as_array().unwrap();
    let zoned = columns
        .iter()
        .find(|column| column["name"] == "ordered_at")
        .unwrap();
    assert_eq!(
        note(zoned, "time-zone"),
        "timestamptz (µs): in Athena, CTAS to Hive needs CAST(ordered_at AS timestamp)"
    );
}

#[test]
fn what_lake_formation_withholds_is_withheld_here() {
    let (_demo, home) = world();
    let partly = schema(&home, "odd.partly_shown");
    assert_eq!(names(&partly["columns"]), ["order_id", "country"]);
    assert!(
        note(&partly, "columns-withheld").contains("of its 6 columns Glue shows 2"),
        "{partly}"
    );
    let text = partly.to_string();
    assert!(!text.contains("amount") && !text.contains("ordered_at"), "{text}");
    for form in ["json", "arrow", "spark"] {
        let fqn = "Lake House.odd.partly_shown";
        let ran = home.glueup(&["schema", fqn, "--as", form]);
        assert!(!ran.stdout.contains("ordered_at"), "{form}: {}", ran.stdout);
    }
}

#[test]
fn a_link_is_followed_and_a_target_that_cannot_be_read_is_named() {
    let (_demo, home) = world();
    let link = schema(&home, "sales.observations_link");
    let target = schema(&home, "weather.observations");
    assert_eq!(
        (&link["kind"], &link["source"]),
        (&"resource-link".into(), &"iceberg".into())
    );
    for part in ["columns", "partition", "location", "snapshot"] {
        assert_eq!(link[part], target[part], "{part}");
    }
    assert_eq!(
        note(&link, "links-to"),
        "link → 012345678901/weather.observations"
    );
    let fqn = "Lake House.sales.partner_orders";
    let ran = home.glueup(&["schema", fqn, "--output", "json"]).exits(1);
    let error = ran.error();
    assert_eq!(error["what"], "The table that the link leads to cannot be read");
    let why = error["why"].as_str().unwrap();
    assert!(
        why.starts_with("arn:aws:glue:us-east-1:111122223333:table/db1/table1: Denied: glue:GetTable"),
        "{why}"
    );
    assert_eq!(ran.json_lines()[0]["kind"], "resource-link");
}

#[test]
fn the_lens_tells_what_an_engine_makes_of_odd_names_and_new_types() {
    let (_demo, home) = world();
    let asked = "Lake House.odd.version_three\nLake House.`a-b`.metrics\nLake House.sales.orders\nLake House.odd.of_tomorrow\n";
    let lenses = home
        .glueup_reading(&["lens", "-", "--output", "json"], asked)
        .ok()
        .json_lines();
    let engine = |lens: &Value, id: &str| {
        let engines = lens["engines"].as_array().unwrap();
        engines.iter().find(|one| one["engine"] == id).unwrap().clone()
    };
    let [three, hyphen, orders, unknown] = lenses.as_slice() else {
        panic!("{lenses:#?}")
    };
    let wherobots = engine(three, "wherobots");
    assert_eq!(wherobots["verdict"], "no", "{wherobots}");
    assert!(
        wherobots
            .to_string()
            .contains("geometry, geography, variant and timestamp_ns"),
        "{wherobots}"
    );
    assert_eq!(engine(three, "athena")["verdict"], "no");
    for judged in three["engines"].as_array().unwrap() {
        // Nobody is known to read all of version 3's types.
        let columns = judged["columns"].as_array().unwrap();
        assert!(judged["verdict"] != "yes" || !columns.is_empty(), "{judged}");
    }
    let spark = engine(hyphen, "spark");
    assert_eq!(spark["verdict"], "with-setting");
    assert!(
        spark.to_string().contains("glue.skip-name-validation=true"),
        "{spark}"
    );
    let athena = engine(orders, "athena").to_string();
    assert!(
        athena.contains("ordered_at") && athena.contains("CAST("),
        "{athena}"
    );
    for judged in unknown["engines"].as_array().unwrap() {
        assert_ne!(judged["verdict"], "yes", "{judged}");
    }
}

#[test]
fn the_lens_does_not_vouch_for_what_it_could_not_read() {
    let (demo, home) = world();
    for (name, at) in [
        ("torn", "s3://acme-lake/warehouse/raw/partners/partners.csv"),
        ("elsewhere", "s3://acme-partner/m.json"),
    ] {
        let table = serde_json::json!({"Name": name, "TableType": "EXTERNAL_TABLE",
            "Parameters": {"table_type": "ICEBERG", "metadata_location": at},
            "StorageDescriptor": {"Columns": [{"Name": "a", "Type": "int"}], "Location": "s3://acme-lake/warehouse/odd/torn"}});
        signed::glue(
            &demo,
            "CreateTable",
            &serde_json::json!({"DatabaseName": "odd", "TableInput": table}),
        );
    }
    let lens = |name: &str| {
        let fqn = format!("Lake House.odd.{name}");
        home.glueup(&["lens", &fqn, "--output", "json"]).exits(1).json()
    };
    let (torn, refused) = (lens("torn"), lens("elsewhere"));
    for (broken, unread) in torn["engines"]
        .as_array()
        .unwrap()
        .iter()
        .zip(refused["engines"].as_array().unwrap())
    {
        assert_eq!(
            (&broken["verdict"], &broken["why"]),
            (&"no".into(), &"its metadata is broken".into())
        );
        let said = unread.to_string();
        assert!(said.contains("its metadata could not be read here"), "{said}");
    }
}

#[test]
fn the_browser_shows_it_all() {
    let (_demo, home) = world();
    let mut term = Term::start(&home, 170, 45, &[], &[]);
    term.wait_for("Lake House");
    term.keys(key::ENTER);
    term.wait_for("b browse");
    term.keys("b");
    term.wait_for("▸ 2024_raw");
    let wild = format!("odd.{WILD}");
    for (typed, wanted) in [
        (
            "sales.customers_bare",
            &["▸ customers_bare", "0 columns and no location", "full_name"][..],
        ),
        (
            "sales.customers",
            &["Glue shows 9 columns", "older columns: 2", "Now called full_name"],
        ),
        ("sales.ods_received_data", &["registered but never committed"]),
        ("sales.payments_mixed", &["▸ payments_mixed", "Iceberg schema"]),
        (
            "Sales.ORDERS",
            &["▸ orders ", "ordered_at", "timestamptz (µs): in Athena"],
        ),
        (
            "sales.partner_orders",
            &["link → 111122223333/db1.table1 (us-east-1)"],
        ),
        (
            "sales.observations_link",
            &["→ 012345678901/weather.observations", "temperature_c"],
        ),
        (
            "odd.no_table_type",
            &["▸ no_table_type", "Glue has no TableType for it"],
        ),
        ("odd.of_tomorrow", &["does not know the TableType"]),
        ("odd.without_athena", &["none for Athena"]),
        (
            "odd.version_three",
            &["timestamptz_ns", "variant", "geometry", "geography", "Iceberg v3"],
        ),
        ("odd.partly_shown", &["Lake Formation governs it", "order_id"]),
        ("odd.long_type", &["▸ long_type", "struct"]),
        (&wild, &["▸ tempdb-test$21.asdj123||#^", "tempdb"]),
        (
            "raw.clicks_mor_ro",
            &[
                "read-optimized side",
                "▸ clicks_mor_ro",
                "clicks_mor_rt",
                "_hoodie_",
            ],
        ),
        ("raw.app_events", &["a placeholder"]),
        ("a-b.metrics", &["▸ a-b", "▸ metrics"]),
    ] {
        term.keys(":");
        term.wait_for("▸ go to");
        term.paste(typed);
        term.keys(key::ENTER);
        term.wait(typed, |term| {
            let text = term.text();
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            wanted
                .iter()
                .all(|word| text.contains(word) || words.contains(word))
        });
        if typed == "odd.partly_shown" {
            assert!(!term.text().contains("ordered_at"), "{}", term.text());
        }
    }
    // Enter on a link leads to what it links to, and `[` back.
    term.keys(":");
    term.wait_for("▸ go to");
    term.paste("sales.observations_link");
    term.keys(key::ENTER);
    term.wait_for("▸ observations_link");
    term.keys(key::ENTER);
    term.wait_for("▸ observations ");
    term.wait_for("▸ weather");
    term.wait_for("temperature_c");
    term.keys("[");
    term.wait_for("▸ observations_link");
    // The twins are two rows, and the one that is not what it seems has a mark.
    term.keys(":");
    term.wait_for("▸ go to");
    term.paste("odd");
    term.keys(key::ENTER);
    term.wait_for("▸ odd");
    term.wait("twins", |term| {
        let text = term.text();
        let twins: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("cafe\u{301}") || line.contains("café"))
            .collect();
        twins.len() == 2 && twins.iter().filter(|line| line.contains("! Hive")).count() == 1
    });
    term.wait_for("nnnnnnnn");
    term.wait_for("unknown 3");
    // What leads nowhere is said, and stays to be mended.
    term.keys(":");
    term.wait_for("▸ go to");
    term.paste("nowhere.`torn");
    term.keys(key::ENTER);
    term.wait_for("That is no place.");
    term.wait_for("nowhere.`torn█");
    term.keys(key::CTRL_C);
    term.exit_code();
}
