//! The policy simulator.

use super::*;

const ACTIONS: (&str, &str) = ("ActionNames.member.1", "s3:PutObject");

fn source(aws: &Aws, boundary: Option<&str>) -> String {
    let trust = json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": broker_role_arn()}, "Action": "sts:AssumeRole"}]});
    let trust = trust.to_string();
    let mut fields = vec![("RoleName", "r"), ("AssumeRolePolicyDocument", trust.as_str())];
    fields.extend(boundary.map(|arn| ("PermissionsBoundary", arn)));
    aws.iam("CreateRole", &fields).unwrap();
    let document = json!({"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]});
    aws.iam(
        "PutRolePolicy",
        &[
            ("RoleName", "r"),
            ("PolicyName", "p"),
            ("PolicyDocument", &document.to_string()),
        ],
    )
    .unwrap();
    format!("arn:aws:iam::{CUSTOMER_ACCOUNT}:role/r")
}

#[test]
fn a_boundary_that_is_gone_allows_nothing() {
    let aws = Aws::new();
    let role = source(&aws, Some("arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"));
    let ask = |aws: &Aws| {
        aws.iam("SimulatePrincipalPolicy", &[("PolicySourceArn", &role), ACTIONS])
            .unwrap()
            .as_str()
            .to_owned()
    };
    let said = ask(&aws);
    assert!(
        said.contains("<EvalDecision>implicitDeny</EvalDecision>"),
        "{said}"
    );
    assert!(said.contains("<AllowedByPermissionsBoundary>false<"), "{said}");
    aws.iam("DeleteRolePermissionsBoundary", &[("RoleName", "r")])
        .unwrap();
    let said = ask(&aws);
    assert!(said.contains("<EvalDecision>allowed</EvalDecision>"), "{said}");
    assert!(!said.contains("AllowedByPermissionsBoundary"), "{said}");
}

#[test]
fn a_resource_policy_counts_for_a_user_and_a_trust_policy_never() {
    let aws = Aws::new();
    let role = source(&aws, None);
    let user = format!("arn:aws:iam::{CUSTOMER_ACCOUNT}:user/admin");
    let policy = json!({"Version": "2012-10-17", "Statement": [
        {"Effect": "Deny", "Principal": {"AWS": user}, "Action": "s3:PutObject", "Resource": "*"}]});
    let policy = policy.to_string();
    let with = |caller: Option<&str>| {
        let mut fields = vec![
            ("PolicySourceArn", role.as_str()),
            ACTIONS,
            ("ResourcePolicy", &policy),
        ];
        fields.extend(caller.map(|arn| ("CallerArn", arn)));
        aws.iam("SimulatePrincipalPolicy", &fields)
    };
    assert_eq!(with(None).unwrap_err().code, "InvalidInput");
    let said = with(Some(&user)).unwrap();
    assert!(
        said.as_str().contains("<EvalDecision>explicitDeny<"),
        "{}",
        said.as_str()
    );
    let asked = [
        ("PolicySourceArn", role.as_str()),
        ("ActionNames.member.1", "sts:AssumeRole"),
        ("ResourceArns.member.1", role.as_str()),
    ];
    let said = aws.iam("SimulatePrincipalPolicy", &asked).unwrap();
    assert!(
        said.as_str().contains("<EvalDecision>implicitDeny<"),
        "{}",
        said.as_str()
    );
}
