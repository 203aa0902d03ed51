//! Changes that are seen late.

use super::*;
use crate::demo::world::Moment;

fn delay(aws: &Aws, seconds: u32) {
    aws.world.knobs.turn(&json!({"iam_delay_s": seconds})).unwrap();
}

/// The moment, with everything seen that was made up to `seen`.
fn seeing(aws: &Aws, seen: i64) -> Moment {
    Moment {
        seen,
        ..aws.world.moment()
    }
}

/// Lets the clock tick, so that what comes next was made later.
fn tick() {
    std::thread::sleep(std::time::Duration::from_millis(3));
}

#[test]
fn widening_and_tightening_are_both_seen_late() {
    let aws = Aws::new();
    aws.role("r", &trusting(&broker_role_arn(), None)).unwrap();
    aws.put("r", "p", &allowing("glue:GetTables", "*")).unwrap();
    let session = aws.assume(&aws.broker(), &[("RoleArn", &arn("r"))]).unwrap();
    tick();
    let before = seeing(&aws, aws.world.moment().real);
    tick();
    aws.put("r", "p", &allowing("glue:GetDatabases", "*")).unwrap();
    let after = seeing(&aws, aws.world.moment().real);
    let may = |moment: Moment, action: &str| {
        let nothing = Context::new();
        code(
            aws.world
                .read(|state| state.iam.authorize(moment, &session, action, "*", &nothing)),
        )
    };
    assert_eq!(may(before, "glue:GetTables"), "allowed");
    assert_eq!(may(before, "glue:GetDatabases"), "AccessDenied");
    assert_eq!(may(after, "glue:GetTables"), "AccessDenied");
    assert_eq!(may(after, "glue:GetDatabases"), "allowed");
}

#[test]
fn a_new_role_and_a_new_trust_wait_for_the_delay() {
    let aws = Aws::new();
    let broker = aws.broker();
    aws.role("r", &trusting(&broker_role_arn(), None)).unwrap();
    let hop = || code(aws.assume(&broker, &[("RoleArn", &arn("r"))]));
    delay(&aws, 600);
    assert_eq!(hop(), "AccessDenied");
    // A trust that names it is refused too: it is not seen to exist.
    assert_eq!(
        code(aws.role("other", &trusting(&arn("r"), None))),
        "MalformedPolicyDocument"
    );
    delay(&aws, 0);
    assert_eq!(hop(), "allowed");
}

#[test]
fn the_principals_of_a_new_demo_are_seen_at_once() {
    let aws = Aws::new();
    delay(&aws, 600);
    assert_eq!(
        code(aws.assume(&aws.engine, &[("RoleArn", &broker_role_arn())])),
        "allowed"
    );
    assert_eq!(code(aws.iam("ListRoles", &[])), "allowed");
}
