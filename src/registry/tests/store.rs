//! Listing, creating, changing and deleting.

use super::*;

#[test]
fn a_home_that_does_not_exist_is_empty_and_reading_creates_nothing() {
    let (_dir, home) = home();
    assert!(home.connections().unwrap().records.is_empty());
    assert!(home.organization().unwrap().is_none());
    assert!(home.drafts().is_empty() && home.published().is_empty());
    let missing = home.catalog(&"x".parse().unwrap()).unwrap_err();
    assert_eq!(missing.kind, Kind::NotFound);
    assert!(!home.root().exists());
}

#[test]
fn a_taken_name_and_a_taken_stack_name_are_refused() {
    let (_dir, home) = home();
    home.create(connection("a")).unwrap();
    let taken = home.create(connection("a")).unwrap_err();
    assert!(taken.what.contains("already") && taken.kind == Kind::Usage);
    let mut same_stack = connection("b");
    same_stack.stack_name = connection("a").stack_name;
    let taken = home.create(same_stack).unwrap_err();
    assert!(
        taken.what.contains("is taken") && taken.why.contains("connection a"),
        "{taken:?}"
    );
    let mut record = catalog("c", "a");
    record.stack_name = connection("a").stack_name;
    assert!(home.create(record).unwrap_err().what.contains("is taken"));
}

#[test]
fn names_that_slug_alike_are_two_records() {
    let (_dir, home) = home();
    for name in [
        "lake house",
        "lake-house",
        "Lake House",
        "lake_house",
        "caf\u{e9}",
        "cafe\u{301}",
    ] {
        home.create(connection(name)).unwrap();
    }
    assert_eq!(home.connections().unwrap().records.len(), 6);
}

#[test]
fn a_change_on_disk_is_not_overwritten() {
    let (_dir, home) = home();
    let mine = home.create(connection("c")).unwrap();
    let theirs = home.connection(&"c".parse().unwrap()).unwrap();
    let mut record = theirs.record.clone();
    record.stack_id = Some("theirs".into());
    home.update(&theirs, record).unwrap();
    let mut record = mine.record.clone();
    record.stack_id = Some("mine".into());
    let problem = home.update(&mine, record.clone()).unwrap_err();
    assert!(
        problem.what.contains(&mine.file.display().to_string()),
        "{problem:?}"
    );
    assert!(problem.why.contains("changed on disk"));
    assert_eq!(
        home.connection(&"c".parse().unwrap())
            .unwrap()
            .stack_id
            .as_deref(),
        Some("theirs")
    );
    assert!(home.delete(&mine).unwrap_err().why.contains("changed on disk"));
    let fresh = home.connection(&"c".parse().unwrap()).unwrap();
    let fresh = home.update(&fresh, record).unwrap();
    home.delete(&fresh).unwrap();
    assert!(
        home.update(&fresh, fresh.record.clone())
            .unwrap_err()
            .why
            .contains("deleted")
    );
}

#[test]
fn a_connection_with_bound_catalogs_is_not_deleted() {
    let (_dir, home) = home();
    assert_eq!(home.create(catalog("x", "c")).unwrap_err().kind, Kind::NotFound);
    let stored = home.create(connection("c")).unwrap();
    let bound = home.create(catalog("Lake House", "c")).unwrap();
    assert_eq!(
        home.bound(&stored.name).unwrap(),
        [Holder::Catalog("Lake House".parse().unwrap())]
    );
    assert!(home.delete(&stored).unwrap_err().why.contains("Lake House"));
    let text = fs::read_to_string(&bound.file).unwrap();
    fs::write(&bound.file, "broken").unwrap();
    assert!(home.delete(&stored).unwrap_err().why.contains("may be bound"));
    fs::write(&bound.file, text).unwrap();
    home.delete(&bound).unwrap();
    home.delete(&stored).unwrap();
    assert!(home.connections().unwrap().records.is_empty());
}

#[test]
fn a_role_and_a_region_of_two_partitions_do_not_fit() {
    let (_dir, home) = home();
    let mut record = connection("c");
    record.role_arn = Some("arn:aws:iam::012345678901:role/x".parse().unwrap());
    home.create(record).unwrap();
    let mut china = catalog("x", "c");
    china.region = "cn-north-1".parse().unwrap();
    assert!(home.create(china).unwrap_err().why.contains("aws-cn"));
}

#[test]
fn a_missing_name_offers_the_nearest() {
    let (_dir, home) = home();
    home.create(connection("sales-prod")).unwrap();
    let problem = home.connection(&"sales-prd".parse().unwrap()).unwrap_err();
    assert!(problem.why.contains("did you mean sales-prod?"));
    let problem = home.connection(&"x".parse().unwrap()).unwrap_err();
    assert!(problem.why.contains("there are: sales-prod"));
}

#[test]
fn the_organization_is_one_file() {
    let (_dir, home) = home();
    let mut acme = Organization::implicit("acme".parse().unwrap());
    let stored = home.create(acme.clone()).unwrap();
    assert_eq!(stored.file, home.root().join("organization.yaml"));
    assert_eq!(home.create(acme.clone()).unwrap_err().kind, Kind::Usage);
    acme.name = "Acme Inc.".into();
    acme.admins = vec!["arn:aws:sts::*:assumed-role/Admin/*".into()];
    home.update(&stored, acme.clone()).unwrap();
    assert_eq!(home.organization().unwrap().unwrap().record, acme);
}
