//! Codes of a device: where a trust policy or a permission hangs on them.

use super::*;
use crate::demo::iam::mfa;

const ROLE: &str = "arn:aws:iam::012345678901:role/careful";

fn world() -> Aws {
    let aws = Aws::new();
    let trust = json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::012345678901:root"}, "Action": "sts:AssumeRole",
        "Condition": {"Bool": {"aws:MultiFactorAuthPresent": "true"}}}]});
    aws.role("careful", &trust).unwrap();
    aws
}

fn shown(aws: &Aws) -> String {
    mfa::code_at(aws.world.now() / 1000)
}

fn serial(user: &str) -> String {
    mfa::device(CUSTOMER_ACCOUNT, user).unwrap()
}

#[test]
fn a_role_that_wants_a_code_lets_nobody_in_without_one() {
    let aws = world();
    let own = serial("admin");
    let assume = |caller: &Caller, more: &[(&str, &str)]| {
        let mut fields = vec![("RoleArn", ROLE)];
        fields.extend_from_slice(more);
        aws.assume(caller, &fields)
    };
    let code_of = |answer: Result<Caller, AwsError>| answer.unwrap_err().message;
    assert!(code_of(assume(&aws.admin, &[])).contains("not authorized to perform: sts:AssumeRole"));
    let without = code_of(assume(&aws.admin, &[("SerialNumber", &own)]));
    assert!(without.contains("must provide both"), "{without}");
    let code = shown(&aws);
    let anothers = code_of(assume(
        &aws.admin,
        &[
            ("SerialNumber", "arn:aws:iam::012345678901:mfa/x"),
            ("TokenCode", &code),
        ],
    ));
    assert!(anothers.contains("verify your MFA serial number"), "{anothers}");
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    let refused = code_of(assume(
        &aws.admin,
        &[("SerialNumber", &own), ("TokenCode", &wrong)],
    ));
    assert!(refused.contains("invalid MFA one time pass code"), "{refused}");
    let session = assume(&aws.admin, &[("SerialNumber", &own), ("TokenCode", &code)]).unwrap();
    assert!(!session.mfa, "{session:?}");
    let again = code_of(assume(
        &aws.admin,
        &[("SerialNumber", &own), ("TokenCode", &code)],
    ));
    assert!(again.contains("invalid MFA one time pass code"), "{again}");
}

#[test]
fn a_session_of_ones_own_carries_the_code_on() {
    let aws = world();
    let token = |fields: &[(&str, &str)]| {
        let answer = sts::handle(&aws.world, &aws.admin, &form("GetSessionToken", fields)).unwrap();
        aws.world.caller(element(&answer, "AccessKeyId"))
    };
    let (own, code) = (serial("admin"), shown(&aws));
    let with = token(&[("SerialNumber", &own), ("TokenCode", &code)]);
    assert!(aws.assume(&with, &[("RoleArn", ROLE)]).is_ok());
    let without = token(&[]);
    assert!(aws.assume(&without, &[("RoleArn", ROLE)]).is_err());
    assert_eq!(
        without.context().get("aws:MultiFactorAuthPresent"),
        Some(&["false".to_owned()][..])
    );
    assert_eq!(aws.admin.context().get("aws:MultiFactorAuthPresent"), None);
}
