//! Trust policies.

use super::*;

#[test]
fn trust_policies() {
    let id = json!({"StringEquals": {"sts:ExternalId": "eid"}});
    let user = || (USER, USER);
    let session = || (SESSION, BROKER);
    let with_id: &[(&str, &str)] = &[("sts:ExternalId", "eid")];
    type Row<'a> = (
        &'a str,
        Value,
        Value,
        (&'a str, &'a str),
        &'a [(&'a str, &'a str)],
        Decision,
        bool,
    );
    let rows: Vec<Row<'_>> = vec![
        (
            "user",
            json!({"AWS": USER}),
            id.clone(),
            user(),
            with_id,
            Allow,
            true,
        ),
        (
            "wrong external id",
            json!({"AWS": USER}),
            id.clone(),
            user(),
            &[("sts:ExternalId", "x")],
            NoMatch,
            false,
        ),
        (
            "no external id",
            json!({"AWS": USER}),
            id.clone(),
            user(),
            &[],
            NoMatch,
            false,
        ),
        (
            "account root, a user",
            json!({"AWS": "arn:aws:iam::111122223333:root"}),
            id.clone(),
            user(),
            with_id,
            Allow,
            false,
        ),
        (
            "account id, a user",
            json!({"AWS": "111122223333"}),
            id.clone(),
            user(),
            with_id,
            Allow,
            false,
        ),
        (
            "a role's session",
            json!({"AWS": BROKER}),
            id.clone(),
            session(),
            with_id,
            Allow,
            true,
        ),
        (
            "a role without its path is another role",
            json!({"AWS": "arn:aws:iam::111122223333:role/broker"}),
            id.clone(),
            session(),
            with_id,
            NoMatch,
            false,
        ),
        (
            "account root narrowed to a role",
            json!({"AWS": "arn:aws:iam::111122223333:root"}),
            json!({"StringEquals": {"aws:PrincipalArn": BROKER, "sts:ExternalId": "eid"}}),
            session(),
            &[("sts:ExternalId", "eid"), ("aws:PrincipalArn", BROKER)],
            Allow,
            false,
        ),
        (
            "a service",
            json!({"Service": "ec2.amazonaws.com"}),
            json!({}),
            user(),
            &[],
            NoMatch,
            false,
        ),
        ("everyone", json!("*"), id.clone(), user(), with_id, Allow, true),
        (
            "another account",
            json!({"AWS": "arn:aws:iam::999922223333:root"}),
            id.clone(),
            user(),
            with_id,
            NoMatch,
            false,
        ),
    ];
    for (name, principal, condition, (arn, principal_arn), keys, want, by_name) in rows {
        let document = statements(json!({
            "Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole", "Condition": condition
        }));
        let document = Document::parse(&document.to_string(), Kind::Trust).unwrap();
        let caller = Caller {
            arn,
            principal_arn,
            account: "111122223333",
        };
        let answer = evaluate(
            &[&document],
            Some(&caller),
            "sts:AssumeRole",
            BROKER,
            &context(keys),
        );
        assert_eq!((answer.decision, answer.by_name), (want, by_name), "{name}");
    }
}

#[test]
fn everyone_but_one_may_be_meant() {
    let document = Document::read(&statements(json!({
        "Effect": "Deny", "NotPrincipal": {"AWS": [BROKER, "arn:aws:iam::111122223333:root"]}, "Action": "sts:*"
    })));
    let ask = |arn, principal_arn, account| {
        let caller = Caller {
            arn,
            principal_arn,
            account,
        };
        evaluate(&[&document], Some(&caller), "sts:AssumeRole", "", &Context::new()).decision
    };
    assert_eq!(ask(SESSION, BROKER, "111122223333"), NoMatch);
    let other = "arn:aws:iam::999922223333:user/x";
    assert_eq!(ask(other, other, "999922223333"), ExplicitDeny);
}

#[test]
fn a_service_is_met_by_its_name_and_by_nothing_else() {
    let decided = |principal: Value, who: &str| {
        let document = Document::read(&json!({"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole"}]}));
        let caller = Caller {
            arn: who,
            principal_arn: who,
            account: "",
        };
        let role = "arn:aws:iam::012345678901:role/service";
        evaluate(
            &[&document],
            Some(&caller),
            "sts:AssumeRole",
            role,
            &Context::new(),
        )
        .decision
    };
    let service = "cloudformation.amazonaws.com";
    assert_eq!(decided(json!({"Service": service}), service), Allow);
    assert_eq!(
        decided(
            json!({"Service": ["lambda.amazonaws.com", service], "AWS": USER}),
            service
        ),
        Allow
    );
    for other in [json!({"Service": "lambda.amazonaws.com"}), json!({"AWS": USER})] {
        assert_eq!(decided(other.clone(), service), NoMatch, "{other}");
    }
    // A user is no service, whatever a policy calls it.
    assert_eq!(decided(json!({"Service": USER}), USER), NoMatch);
}
