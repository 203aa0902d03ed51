//! What was found, one after the other.

use super::back::{browse, table};
use super::fixtures::*;
use super::states::build::*;

#[test]
fn the_next_of_what_was_found_is_a_key_away() {
    let found = |story: &Story| browse(story).schema.value().unwrap().found.clone().unwrap();
    let mut story = browse_schema();
    story.press("n");
    assert!(
        story
            .model
            .log
            .back()
            .unwrap()
            .1
            .contains("Nothing has been looked for")
    );
    // "t" is in ts, address.street, address.geo.lat and tags: the order is the schema's.
    story.press("/").press("t").enter();
    let first = found(&story);
    let mut seen = vec![first.clone()];
    loop {
        story.press("n");
        match found(&story) {
            path if path == first => break,
            path => seen.push(path),
        }
    }
    assert!(seen.len() > 2, "{seen:?}");
    let mut sorted = seen.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), seen.len(), "each of them once: {seen:?}");
    story.press("N");
    assert_eq!(&found(&story), seen.last().unwrap());
    // In a list it is the next row that passes.
    let mut story = browse_tables();
    story.enter().press("/").press("orders").enter();
    let before = table(&story);
    story.press("n");
    assert_ne!(table(&story), before);
    story.press("N");
    assert_eq!(table(&story), before);
}
