//! A list while it comes in, is filtered, and is read again.

use super::*;
use crate::domain::kind::Note;

fn rows(names: &[&str]) -> Vec<DatabaseRow> {
    names
        .iter()
        .map(|name| DatabaseRow {
            name: (*name).to_owned(),
            description: None,
            link: None,
            notes: vec![],
        })
        .collect()
}

fn listing(names: &[&str]) -> Listing<DatabaseRow> {
    let mut list = Listing::default();
    list.page(rows(names));
    list.finish();
    list
}

#[test]
fn a_refresh_keeps_what_is_there_and_the_selection_follows_the_name() {
    let mut list = listing(&["b", "c"]);
    list.move_by(1);
    list.page(rows(&["a"]));
    assert_eq!(list.len(), 2, "the old rows stay while the new ones come");
    assert!(!list.is_complete());
    list.page(rows(&["b", "c"]));
    list.finish();
    assert_eq!(list.len(), 3);
    assert_eq!(list.selected().unwrap().name, "c");
}

#[test]
fn moving_stays_within_what_the_filter_shows() {
    let mut list = listing(&["orders", "customers", "order_lines", "weather"]);
    list.filter(Some("ord"));
    assert_eq!(list.shown(), 2);
    list.move_by(5);
    assert_eq!(list.selected().unwrap().name, "order_lines");
    list.move_by(-9);
    assert_eq!(list.selected().unwrap().name, "orders");
    list.filter(None);
    assert_eq!(list.selected().unwrap().name, "orders");
}

fn shown(list: &Listing<DatabaseRow>) -> Vec<&str> {
    (0..list.shown())
        .map(|place| list.row(place).unwrap().name.as_str())
        .collect()
}

#[test]
fn the_very_name_stands_first_then_what_begins_with_it() {
    let mut list = listing(&[
        "all_orders",
        "orders_raw",
        "Orders",
        "my_orders",
        "orders_v2",
        "weather",
    ]);
    list.filter(Some("orders"));
    assert_eq!(
        shown(&list),
        ["Orders", "orders_raw", "orders_v2", "all_orders", "my_orders"]
    );
}

#[test]
fn the_selection_follows_its_row_to_where_the_filter_puts_it() {
    let mut list = listing(&["all_orders", "orders_raw", "my_orders"]);
    list.filter(Some("ord"));
    assert_eq!(list.selected().unwrap().name, "all_orders");
    assert_eq!(list.place(), 1);
    list.move_by(-1);
    assert_eq!(list.selected().unwrap().name, "orders_raw");
    list.filter(Some("orde"));
    assert_eq!(list.selected().unwrap().name, "orders_raw");
    list.filter(None);
    assert_eq!(list.place(), 1);
}

#[test]
fn who_types_a_whole_name_is_on_it_and_may_leave_it() {
    let mut list = listing(&["orders_raw", "orders"]);
    list.filter(Some("orders"));
    assert_eq!(list.selected().unwrap().name, "orders");
    list.move_by(1);
    assert_eq!(list.selected().unwrap().name, "orders_raw");
    list.page(rows(&["orders_raw", "orders"]));
    list.finish();
    assert_eq!(list.selected().unwrap().name, "orders_raw", "after a refresh too");
}

#[test]
fn the_very_name_stands_first_when_it_comes_with_a_later_page() {
    let mut list: Listing<DatabaseRow> = Listing::default();
    list.page(rows(&["orders_raw", "my_orders"]));
    list.filter(Some("orders"));
    list.page(rows(&["orders"]));
    assert_eq!(shown(&list), ["orders", "orders_raw", "my_orders"]);
}

#[test]
fn a_page_that_comes_while_filtering_is_filtered_too() {
    let mut list: Listing<DatabaseRow> = Listing::default();
    list.page(rows(&["orders"]));
    list.filter(Some("ord"));
    list.page(rows(&["weather", "orders_raw"]));
    assert_eq!(list.shown(), 2);
}

#[test]
fn a_long_list_is_filtered_piece_by_piece() {
    let names: Vec<String> = (0..SLICE * 2 + 5).map(|n| format!("t_{n:06}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut list = listing(&names);
    list.filter(Some("00000"));
    assert!(!list.is_sifted());
    let first = list.shown();
    list.page(rows(&["old rows stay while these come"]));
    list.filter(Some("00000"));
    assert_eq!(list.shown(), first, "the same filter does not begin anew");
    list.sift();
    list.sift();
    assert!(list.is_sifted());
    let holds = |name: &&&str| name.chars().filter(|c| *c == '0').count() >= 5;
    assert_eq!(list.shown(), names.iter().filter(holds).count());
    list.filter(None);
    assert!(list.is_sifted());
    assert_eq!(list.shown(), names.len());
}

#[test]
fn pages_that_come_before_the_filter_is_through_wait_for_their_turn() {
    let names: Vec<String> = (0..SLICE + 1).map(|n| format!("a{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut list: Listing<DatabaseRow> = Listing::default();
    list.page(rows(&names));
    list.filter(Some("z"));
    list.page(rows(&["z"]));
    assert_eq!(list.shown(), 0);
    list.sift();
    assert!(list.is_sifted());
    assert_eq!(list.selected().unwrap().name, "z");
}

#[test]
fn names_that_cost_more_to_look_at_come_in_smaller_pieces() {
    let names: Vec<String> = (0..SLICE).map(|n| format!("t_{n:06}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut list = listing(&names);
    list.filter(Some("t_0"));
    assert!(list.is_sifted());
    list.filter(Some("^t_0"));
    assert!(!list.is_sifted());
    assert!((1..SLICE).contains(&list.shown()));
}

#[test]
fn a_row_is_small_for_there_may_be_a_million() {
    assert!(size_of::<TableRow>() <= 120, "{} bytes", size_of::<TableRow>());
}

fn tables(kinds: &[TableKind]) -> Listing<TableRow> {
    let row = |(n, kind): (usize, &TableKind)| TableRow {
        name: format!("t_{n}"),
        description: None,
        kind: *kind,
        format: None,
        notes: match kind {
            TableKind::Unknown => vec![Note::new("no-table-type", "x")],
            _ => Vec::new(),
        },
        link: None,
        location: None,
    };
    let mut list = Listing::default();
    list.page(kinds.iter().enumerate().map(row).collect());
    list
}

#[test]
fn kinds_with_one_word_are_one_count_and_what_nobody_can_tell_stands_last() {
    use TableKind::{HiveView, Iceberg, PrestoView, Unknown};
    assert_eq!([PrestoView, HiveView].map(TableKind::label), ["view", "view"]);
    let list = tables(&[Unknown, Unknown, Unknown, Iceberg, PrestoView, HiveView]);
    assert_eq!(list.kinds(), [("view", 2), ("Iceberg", 1), ("unknown", 3)]);
    let parts = [
        Only::Kind("view"),
        Only::Kind("Iceberg"),
        Only::Kind("unknown"),
        Only::Odd,
    ];
    assert_eq!(list.parts(), parts);
    assert_eq!(
        tables(&[Iceberg]).parts(),
        [Only::Kind("Iceberg")],
        "nothing is odd"
    );
}

#[test]
fn one_kind_alone_is_shown_and_a_filter_within_it() {
    use TableKind::{HiveView, Iceberg, PrestoView, Unknown};
    let mut list = tables(&[Iceberg, PrestoView, Iceberg, HiveView, Unknown]);
    let names = |list: &Listing<TableRow>| -> Vec<String> {
        (0..list.shown())
            .map(|at| list.row(at).unwrap().name.clone())
            .collect()
    };
    list.narrow(None, Some(Only::Kind("view")));
    assert_eq!(
        (names(&list), list.filtered_by()),
        (vec!["t_1".into(), "t_3".into()], None)
    );
    list.move_by(1);
    list.narrow(Some("t_3"), Some(Only::Kind("view")));
    assert_eq!(names(&list), ["t_3"]);
    list.narrow(Some("t_0"), Some(Only::Kind("view")));
    assert!(names(&list).is_empty());
    list.narrow(None, Some(Only::Odd));
    assert_eq!(names(&list), ["t_4"]);
    // What comes later is looked at, too, and a refresh forgets nothing of it.
    list.finish();
    list.page(vec![
        list.any_row(4).unwrap().clone(),
        list.any_row(0).unwrap().clone(),
    ]);
    list.finish();
    assert_eq!((names(&list), list.len()), (vec!["t_4".into()], 2));
    list.filter(None);
    assert_eq!(list.shown(), 2);
}
