//! What looking at a table costs: as few requests as there can be, and none for rows that are only passed by.

use crate::support::between::before;
use crate::support::demo::Demo;
use crate::support::fake::{Asked, Fake};
use crate::support::home::{GLUEUP, Home};
use crate::support::term::{Term, key};
use crate::support::walk;
use std::time::Duration;

/// A home whose way to AWS leads through a server that counts.
fn counted(demo: &Demo) -> (Fake, Home) {
    let home = walk::ready_home(demo);
    let fake = before(demo.endpoint(), |_| None);
    let home = home.with("AWS_ENDPOINT_URL", fake.url());
    (fake, home)
}

fn tables(asked: &[Asked]) -> usize {
    asked.iter().filter(|one| one.action() == "GetTable").count()
}

fn objects(asked: &[Asked]) -> Vec<String> {
    let lake = asked.iter().filter(|one| one.target.starts_with("/acme-lake"));
    lake.map(|one| format!("{} {}", one.method, one.target)).collect()
}

#[test]
fn an_iceberg_table_costs_one_read_of_glue_and_one_of_its_metadata() {
    let demo = Demo::start(&[]);
    let (fake, home) = counted(&demo);
    home.glueup(&["schema", "Lake House.sales.orders"]).ok();
    let asked = fake.asked();
    assert_eq!(tables(&asked), 1);
    let read = objects(&asked);
    assert_eq!(read.len(), 1, "{read:?}");
    assert!(
        read[0].starts_with("GET ") && read[0].contains("/metadata/"),
        "{read:?}"
    );
    // A Hive table has nothing to be read in S3.
    home.glueup(&["schema", "Lake House.sales.stores"]).ok();
    let asked = fake.asked();
    assert_eq!((tables(&asked), objects(&asked).len()), (2, 1));
}

#[test]
fn a_listing_reads_no_object() {
    let demo = Demo::start(&[]);
    let (fake, home) = counted(&demo);
    // One table's metadata file is lost: who lists and counts does not notice.
    let sales = home.glueup(&["ls", "Lake House.sales"]).ok().stdout;
    assert!(sales.contains("orders_lost"));
    home.glueup(&["census", "Lake House"]).ok();
    assert_eq!(objects(&fake.asked()), [""; 0]);
}

#[test]
fn a_table_that_was_opened_is_not_asked_for_again() {
    let demo = Demo::start(&[]);
    let (fake, home) = counted(&demo);
    let mut term = Term::start(&home, 120, 30, &[], &[]);
    term.wait_for("Lake House");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys(":sales.orders\r");
    term.wait_for("Iceberg schema, written");
    let before = fake.asked();
    term.keys(":sales.stores\r");
    term.wait_for("stores  Hive");
    term.wait_for("store_id");
    term.keys("[");
    term.wait_for("orders  Iceberg v2");
    term.wait_for("Iceberg schema, written");
    let after = fake.asked();
    assert_eq!(
        tables(&after) - tables(&before),
        1,
        "stores, and not orders again"
    );
    assert_eq!(objects(&after).len(), objects(&before).len());
}

#[test]
fn only_the_row_where_a_held_down_arrow_rests_is_fetched() {
    let demo = Demo::start(&["--tables", "700"]);
    let (fake, home) = counted(&demo);
    let mut term = Term::start(&home, 120, 30, &[], &[]);
    term.wait_for("Lake House");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys(":generated\r");
    term.wait_for("▸ t_000000000");
    // The list is whole, and the first row has been fetched.
    term.wait("the whole list", |term| {
        term.text().contains("TABLES  700") && !term.text().contains("still listing")
    });
    term.wait("the first schema", |_| tables(&fake.asked()) > 0);
    term.wait_for("Iceberg schema");
    let before = tables(&fake.asked());
    for _ in 0..150 {
        term.keys(key::DOWN);
        // As fast as a keyboard repeats.
        std::thread::sleep(Duration::from_millis(25));
    }
    term.wait_for("▸ t_000000150");
    term.wait("its schema", |term| term.text().contains("t_000000150  "));
    term.wait("its request", |_| tables(&fake.asked()) > before);
    std::thread::sleep(Duration::from_millis(400));
    let asked = fake.asked();
    assert_eq!(
        tables(&asked) - before,
        1,
        "the rows on the way were not asked for"
    );
    let last = asked.iter().rfind(|one| one.action() == "GetTable").unwrap();
    assert_eq!(last.json("Name"), "t_000000150");
}

#[test]
fn a_long_list_is_seen_from_its_first_page_on() {
    // A thousand pages, each of which takes its time: nobody waits for the last.
    let demo = Demo::start(&["--tables", "100000", "--latency", "100"]);
    let (fake, home) = counted(&demo);
    let mut term = Term::start(&home, 120, 30, &[], &[]);
    term.wait_for("Lake House");
    term.keys("b");
    term.wait_for("DATABASES");
    term.keys(":generated\r");
    term.wait("rows while the list is on its way", |term| {
        let text = term.text();
        text.contains("▸ t_000000000") && text.contains(", still listing")
    });
    // They can be walked through meanwhile.
    term.keys(&key::DOWN.repeat(5));
    term.wait("a further row, and more to come", |term| {
        let text = term.text();
        text.contains("▸ t_000000005") && text.contains(", still listing")
    });
    term.keys(key::CTRL_C);
    assert_eq!(term.exit_code(), 0);
    // Whoever reads the first lines of the command line's list has them as early, and the rest is not asked for.
    let line = "\"$0\" ls 'Lake House.generated' --output json | head -n 3";
    let ran = home.command("sh").args(["-c", line, GLUEUP]).output().unwrap();
    let lines = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    let pages = fake
        .asked()
        .iter()
        .filter(|one| one.action() == "GetTables")
        .count();
    assert!((2..200).contains(&pages), "{pages} of 2,000");
}
