//! AssumeRole and what its sessions may do.

use super::*;
use crate::demo::world::Key;

#[test]
fn both_hops_ask_for_the_external_id() {
    let aws = Aws::new();
    aws.role("customer", &trusting(&broker_role_arn(), Some("eid-1")))
        .unwrap();
    let (target, broker) = (arn("customer"), aws.broker());
    let session = aws
        .assume(&broker, &[("RoleArn", &target), ("ExternalId", "eid-1")])
        .unwrap();
    assert_eq!(
        session.arn,
        "arn:aws:sts::012345678901:assumed-role/customer/tests"
    );
    let plain = "User: arn:aws:sts::999988887777:assumed-role/glueup-broker/tests is not authorized to perform: \
                 sts:AssumeRole on resource: arn:aws:iam::012345678901:role/";
    for (fields, role) in [
        (vec![("ExternalId", "eid-2")], "customer"),
        (vec![], "customer"),
        (vec![("ExternalId", "eid-1")], "absent"),
        (vec![("ExternalId", "eid-1")], "Customer"),
    ] {
        let arn = arn(role);
        let mut all = vec![("RoleArn", arn.as_str())];
        all.extend(fields);
        assert_eq!(said(aws.assume(&broker, &all)), format!("{plain}{role}"));
    }
    // The engine is trusted by the broker role only.
    assert_eq!(
        code(aws.assume(&aws.engine, &[("RoleArn", &target), ("ExternalId", "eid-1")])),
        "AccessDenied"
    );
    assert_eq!(
        code(aws.assume(&aws.outsider, &[("RoleArn", &broker_role_arn())])),
        "AccessDenied"
    );
    assert!(aws.assume(&aws.admin, &[("RoleArn", &broker_role_arn())]).is_ok());
}

#[test]
fn in_one_account_a_name_suffices_and_an_account_does_not() {
    let aws = Aws::new();
    aws.iam("CreateUser", &[("UserName", "ann")]).unwrap();
    let key = aws.iam("CreateAccessKey", &[("UserName", "ann")]).unwrap();
    let ann = aws.world.caller(element(&key, "AccessKeyId"));
    aws.role("named", &trusting(&ann.arn, None)).unwrap();
    aws.role("rooted", &trusting("arn:aws:iam::012345678901:root", None))
        .unwrap();
    assert_eq!(code(aws.assume(&ann, &[("RoleArn", &arn("named"))])), "allowed");
    assert!(said(aws.assume(&ann, &[("RoleArn", &arn("rooted"))])).contains("no identity-based policy"));
    let hop = allowing("sts:AssumeRole", &arn("rooted")).to_string();
    aws.iam(
        "PutUserPolicy",
        &[
            ("UserName", "ann"),
            ("PolicyName", "hop"),
            ("PolicyDocument", &hop),
        ],
    )
    .unwrap();
    assert_eq!(code(aws.assume(&ann, &[("RoleArn", &arn("rooted"))])), "allowed");
    let deny =
        json!({"Version": "2012-10-17", "Statement": {"Effect": "Deny", "Action": "sts:*", "Resource": "*"}});
    let fields = [
        ("UserName", "ann"),
        ("PolicyName", "no"),
        ("PolicyDocument", &deny.to_string()),
    ];
    aws.iam("PutUserPolicy", &fields).unwrap();
    assert!(
        said(aws.assume(&ann, &[("RoleArn", &arn("named"))]))
            .ends_with("explicit deny in an identity-based policy")
    );
}

#[test]
fn an_account_can_be_trusted_for_one_of_its_roles_only() {
    let aws = Aws::new();
    let trust = |role: &str| {
        json!({"Version": "2012-10-17", "Statement": {
            "Effect": "Allow", "Principal": {"AWS": "999988887777"}, "Action": "sts:AssumeRole",
            "Condition": {"ArnLike": {"aws:PrincipalArn": format!("arn:aws:iam::999988887777:role/{role}")}}
        }})
    };
    aws.role("fine", &trust("glueup-*")).unwrap();
    aws.role("other", &trust("other-*")).unwrap();
    assert_eq!(
        code(aws.assume(&aws.broker(), &[("RoleArn", &arn("fine"))])),
        "allowed"
    );
    assert_eq!(
        code(aws.assume(&aws.broker(), &[("RoleArn", &arn("other"))])),
        "AccessDenied"
    );
}

#[test]
fn durations_have_bounds() {
    let aws = Aws::new();
    aws.role("r", &trusting("arn:aws:iam::012345678901:user/admin", None))
        .unwrap();
    aws.role("chained", &trusting(&broker_role_arn(), None)).unwrap();
    let ask = |caller: &Caller, role: &str, seconds: &str| {
        said(aws.assume(caller, &[("RoleArn", &arn(role)), ("DurationSeconds", seconds)]))
    };
    assert_eq!(ask(&aws.admin, "r", "3600"), "allowed");
    assert_eq!(
        ask(&aws.admin, "r", "3601"),
        "The requested DurationSeconds exceeds the MaxSessionDuration set for this role."
    );
    aws.iam(
        "UpdateRole",
        &[("RoleName", "r"), ("MaxSessionDuration", "43200")],
    )
    .unwrap();
    assert_eq!(ask(&aws.admin, "r", "43200"), "allowed");
    assert!(ask(&aws.admin, "r", "899").contains("Value '899' at 'durationSeconds'"));
    assert!(ask(&aws.admin, "r", "43201").contains("less than or equal to 43200"));
    assert_eq!(
        ask(&aws.broker(), "chained", "3601"),
        "The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining."
    );
    assert_eq!(ask(&aws.broker(), "chained", "3600"), "allowed");
}

#[test]
fn names_and_ids_are_checked_before_anything_else() {
    let aws = Aws::new();
    let fields = [
        ("RoleArn", "arn:aws:iam::012345678901:role/x"),
        ("ExternalId", "a b"),
        ("DurationSeconds", "1"),
    ];
    let refused = aws.assume(&aws.admin, &fields).unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (400, "ValidationError"));
    assert!(refused.message.starts_with(
        "2 validation errors detected: Value 'a b' at 'externalId' failed to satisfy constraint: Member must satisfy \
         regular expression pattern: [\\w+=,.@:\\/-]*; "
    ));
    let short = [
        ("RoleArn", "arn:aws:iam::012345678901:role/x"),
        ("ExternalId", "a"),
    ];
    assert!(said(aws.assume(&aws.admin, &short)).contains("length greater than or equal to 2"));
    assert_eq!(
        said(aws.assume(&aws.admin, &[("RoleArn", "arn:aws:iam::012345678901:user/x")])),
        "arn:aws:iam::012345678901:user/x is invalid"
    );
}

#[test]
fn a_session_policy_narrows() {
    let aws = Aws::new();
    aws.role("wide", &trusting("arn:aws:iam::012345678901:user/admin", None))
        .unwrap();
    aws.put("wide", "all", &allowing("*", "*")).unwrap();
    let narrow = allowing("glue:Get*", "*").to_string();
    let session = aws
        .assume(&aws.admin, &[("RoleArn", &arn("wide")), ("Policy", &narrow)])
        .unwrap();
    assert_eq!(code(aws.may(&session, "glue:GetTables", "*")), "allowed");
    assert!(
        said(aws.may(&session, "glue:DeleteTable", "*"))
            .ends_with("because no session policy allows the glue:DeleteTable action")
    );
    let long = allowing("glue:Get*", &format!("arn:aws:s3:::{}", "x".repeat(2048))).to_string();
    assert_eq!(
        code(aws.assume(&aws.admin, &[("RoleArn", &arn("wide")), ("Policy", &long)])),
        "ValidationError"
    );
    let fields = [("RoleArn", arn("wide")), ("Policy", "{}".to_owned())];
    let fields: Vec<(&str, &str)> = fields
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    assert_eq!(code(aws.assume(&aws.admin, &fields)), "MalformedPolicyDocument");
}

#[test]
fn a_session_ends_by_the_servers_clock_and_its_token_is_its_own() {
    let aws = Aws::new();
    let session = aws.broker();
    let Key { token, .. } = aws.world.key(&session.key_id).unwrap();
    let usable = |token: Option<&str>| code(aws.world.usable_key(&session.key_id, token));
    assert_eq!(usable(token.as_deref()), "allowed");
    assert_eq!(usable(None), "InvalidClientTokenId");
    assert_eq!(usable(Some("another")), "InvalidClientTokenId");
    aws.world.knobs.turn(&json!({"clock_offset_s": 3601})).unwrap();
    assert_eq!(usable(token.as_deref()), "ExpiredToken");
    let admin = aws.world.usable_key(&aws.admin.key_id, token.as_deref());
    assert_eq!(code(admin), "InvalidClientTokenId");
}
