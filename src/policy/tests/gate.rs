//! Several kinds of policies together.

use super::*;

fn document(effect: &str, action: &str) -> Document {
    Document::read(&statements(
        json!({"Effect": effect, "Action": action, "Resource": "*"}),
    ))
}

#[test]
fn boundary_and_session_policy_narrow_and_a_deny_wins_anywhere() {
    let (all, get, deny) = (
        document("Allow", "*"),
        document("Allow", "s3:Get*"),
        document("Deny", "s3:GetObject"),
    );
    let ask = |policies: Policies<'_>, action: &str| {
        authorize(&policies, action, OBJECT, &Context::new())
            .map_err(|denial| denial.sentence("arn:aws:iam::111122223333:user/u", action, OBJECT))
    };
    let own = |identity: Vec<_>| Policies {
        identity,
        ..Policies::default()
    };
    let front =
        |action| format!("User: {USER} is not authorized to perform: {action} on resource: {OBJECT} ");
    assert_eq!(ask(own(vec![&all]), "s3:GetObject"), Ok(()));
    assert_eq!(
        ask(own(vec![]), "s3:GetObject").unwrap_err(),
        front("s3:GetObject") + "because no identity-based policy allows the s3:GetObject action"
    );
    assert_eq!(
        ask(own(vec![&deny, &all]), "s3:GetObject").unwrap_err(),
        front("s3:GetObject") + "with an explicit deny in an identity-based policy"
    );
    let bounded = Policies {
        boundary: Some(&get),
        ..own(vec![&all])
    };
    assert_eq!(ask(bounded.clone(), "s3:GetObject"), Ok(()));
    assert_eq!(
        ask(bounded, "s3:PutObject").unwrap_err(),
        front("s3:PutObject") + "because no permissions boundary allows the s3:PutObject action"
    );
    let session = Policies {
        session: Some(vec![&get]),
        ..own(vec![&all])
    };
    assert_eq!(
        ask(session, "s3:PutObject").unwrap_err(),
        front("s3:PutObject") + "because no session policy allows the s3:PutObject action"
    );
    let denied = Policies {
        session: Some(vec![&deny]),
        named_by_resource: true,
        ..own(vec![])
    };
    assert_eq!(
        ask(denied, "s3:GetObject").unwrap_err(),
        front("s3:GetObject") + "with an explicit deny in a session policy"
    );
    let named = Policies {
        named_by_resource: true,
        ..own(vec![])
    };
    assert_eq!(ask(named, "s3:GetObject"), Ok(()));
}
