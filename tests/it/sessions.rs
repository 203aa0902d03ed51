//! Sessions last: both hops renew before they end, whichever clock is wrong.

use crate::support::deployed::{Deployed, EXTERNAL_ID, settings};
use crate::support::http;
use glueup::cloud::{Aws, chain};
use glueup::demo::Options;

/// Moves the clock of the embedded AWS.
fn set_server(world: &Deployed, seconds: i64) {
    let address = world.handle.endpoint_url.strip_prefix("http://").unwrap();
    let knob = serde_json::json!({"clock_offset_s": seconds}).to_string();
    let answer = http::request(address, "PUT", "/_glueup/knobs", &[], knob.as_bytes()).unwrap();
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// Browses three hours long in steps of a few minutes, and says how many calls were made; `ours` says whether our
/// clock moves with that of AWS.
async fn browses_for_three_hours(ours: bool) -> u64 {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    world
        .access("glueup-read", &role, "acme-lake", "warehouse/")
        .await;
    let settings = settings(&world.handle, &world.handle.engine);
    let engine = Aws::sign_in(&settings).await.unwrap();
    let region = world.region();
    let session = chain::connect(
        &engine,
        Some(&world.handle.broker_role_arn.parse().unwrap()),
        &role.parse().unwrap(),
        &EXTERNAL_ID.parse().unwrap(),
        &region,
        "glueup",
    )
    .await
    .unwrap();
    let account = world.handle.account_id.parse().unwrap();
    for minutes in (0..=185).step_by(5) {
        set_server(&world, minutes * 60);
        if ours {
            settings.meter.ours().set_ahead(minutes * 60);
        }
        let glue = session.glue(&region).databases_page(None).await;
        assert!(!glue.unwrap().items.is_empty(), "after {minutes} min");
        session
            .s3(&region)
            .list("acme-lake", "warehouse/", 5)
            .await
            .unwrap();
        session.rest(&region).config(&account).await.unwrap();
    }
    settings.meter.reading().calls
}

#[tokio::test]
async fn three_hours_of_browsing_never_meet_an_ended_session() {
    let calls = browses_for_three_hours(true).await;
    // 38 steps of three calls; besides them only the roles are assumed again: both hops, every 48 minutes.
    assert!((38 * 3 + 6..38 * 3 + 14).contains(&calls), "{calls}");
}

#[tokio::test]
async fn a_clock_of_ours_that_falls_behind_lets_no_session_end() {
    browses_for_three_hours(false).await;
}

/// A session that has ended all the same is not used again: the call is made once more with another one.
#[tokio::test]
async fn after_an_expired_token_the_call_is_made_with_a_new_session() {
    let world = Deployed::start(Options::default()).await;
    let broker = world.handle.broker_role_arn.parse().unwrap();
    let region = world.region();
    let session = chain::first(&world.admin, Some(&broker), &region, "glueup")
        .await
        .unwrap();
    set_server(&world, 3_700);
    // A client of its own: nothing has told it yet what AWS's clock shows.
    let problem = session.glue(&region).databases_page(None).await.unwrap_err();
    // The broker may not read, and hears that rather than that its session has ended.
    assert_eq!(problem.detail.code.as_deref(), Some("AccessDeniedException"));
}
