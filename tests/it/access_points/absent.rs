//! An access point that is not there, or not any more.

use super::ARN;
use super::own_policy::{control, deployed, finance, not_listed, on};
use crate::deploy::recorded;
use crate::support::jobs::World;

#[tokio::test]
async fn it_goes_on_record_with_a_word_and_nobody_asks_for_its_bucket() {
    let world = World::start();
    let session = recorded(&world).await;
    let (record, advice) = on(&session, &format!("{ARN}/warehouse")).await;
    assert!(record.s3_path.point().is_some());
    assert!(
        advice[0].starts_with(&format!("there is no access point {ARN} (NoSuchAccessPoint)")),
        "{advice:?}"
    );
    assert!(
        !advice.iter().any(|line| line.contains("--access-point-bucket")),
        "{advice:?}"
    );
}

#[tokio::test]
async fn verify_fails_at_it_by_use_and_by_policy() {
    for by_use in [true, false] {
        let world = World::start();
        finance(&world);
        let session = deployed(&world, by_use).await;
        control(&world, ("DELETE", "finance"), "");
        let list = not_listed(&session).await;
        assert!(
            list.answer.contains("no such access point"),
            "{by_use}: {list:#?}"
        );
        let next = list.next.as_deref().unwrap();
        assert!(
            next.contains("\naws s3control list-access-points --account-id 012345678901 --region us-west-2\nglueup catalog set"),
            "{by_use}: {next}"
        );
    }
}
