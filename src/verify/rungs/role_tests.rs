use super::*;
use crate::domain::problem::{Detail, Kind};
use std::collections::BTreeMap;

const CALLER: &str = "arn:aws:sts::999988887777:assumed-role/glueup-broker/glueup-verify";
const ROLE: &str = "arn:aws:iam::012345678901:role/glueup-sales";

fn problem(tail: &str) -> Problem {
    let message =
        format!("User: {CALLER} is not authorized to perform: sts:AssumeRole on resource: {ROLE}{tail}");
    Problem::new(Kind::Denied, "Denied", message, "next").with_detail(Detail {
        code: Some("AccessDenied".into()),
        ..Detail::default()
    })
}

fn connection() -> Connection {
    let text = format!(
        "version: 1\nname: sales\nid: 0a1b2c3d\naccount_id: '012345678901'\nrole_arn: {ROLE}\nexternal_id: ext-1\n\
         stack_name: glueup-connection-sales\n"
    );
    serde_saphyr::from_str(&text).unwrap()
}

fn stack(external_id: &str, role: Option<&str>) -> StackDescription {
    StackDescription {
        name: "glueup-connection-sales".into(),
        id: "id".into(),
        status: "CREATE_COMPLETE".into(),
        reason: None,
        outputs: role
            .map(|role| ("RoleArn".to_owned(), role.to_owned()))
            .into_iter()
            .collect(),
        parameters: BTreeMap::from([("ExternalId".to_owned(), external_id.to_owned())]),
        tags: BTreeMap::new(),
        role_arn: None,
        created: None,
        updated: None,
        deleted: None,
    }
}

fn next(tail: &str, role: &str, stack: Option<&StackDescription>) -> String {
    denied(
        &problem(tail),
        Some(CALLER),
        &role.parse().unwrap(),
        &connection(),
        stack,
    )
    .next
    .unwrap()
}

#[test]
fn one_denial_has_four_causes_in_order_of_likelihood() {
    let next = next("", ROLE, None);
    let lines: Vec<&str> = next.lines().collect();
    assert_eq!(lines[0], "One of:");
    assert_eq!(
        lines[1],
        format!("1. the trust policy of {ROLE} does not name {CALLER}, or denies it")
    );
    assert!(lines[2].starts_with("2. the role asks for another external ID than ext-1"));
    assert!(lines[3].starts_with("3. no policy of ") && lines[4].starts_with("4. "));
    assert_eq!(
        *lines.last().unwrap(),
        "aws iam get-role --role-name glueup-sales --query Role.AssumeRolePolicyDocument"
    );
}

#[test]
fn the_wording_narrows_the_causes() {
    let own = next(
        " because no identity-based policy allows the sts:AssumeRole action",
        ROLE,
        None,
    );
    assert!(own.starts_with("The cause: no policy of "), "{own}");
    let trust = next(
        " because no role trust policy allows the sts:AssumeRole action",
        ROLE,
        None,
    );
    assert!(
        trust.contains("1. the trust policy") && trust.contains("2. the role asks"),
        "{trust}"
    );
    assert!(!trust.contains("does not exist"), "{trust}");
    assert_eq!(
        next(" with an explicit deny in a service control policy", ROLE, None),
        "next"
    );
}

#[test]
fn the_stack_rules_causes_out() {
    let next = next("", ROLE, Some(&stack("ext-1", Some(ROLE))));
    assert!(
        next.contains("1. the trust policy") && next.contains("2. no policy of"),
        "{next}"
    );
    assert!(
        next.contains("Ruled out: another external ID (the stack has the same); a missing role"),
        "{next}"
    );
    assert!(!next.contains("3."), "{next}");
}

#[test]
fn a_stack_with_another_external_id_is_the_cause() {
    let next = next("", ROLE, Some(&stack("ext-2", Some(ROLE))));
    assert!(
        next.contains("was made with the external ID ext-2, the record has ext-1"),
        "{next}"
    );
}

#[test]
fn a_role_of_another_account_is_the_cause() {
    let next = next("", "arn:aws:iam::111122223333:role/x", None);
    assert!(
        next.starts_with("The role is in account 1111-2222-3333"),
        "{next}"
    );
}

#[test]
fn the_trust_policy_leaves_one_cause() {
    let role: RoleArn = ROLE.parse().unwrap();
    let after = |tail: &str, cause: Cause| {
        let mut verdict = denied(&problem(tail), Some(CALLER), &role, &connection(), None);
        assert!(is_open(&verdict));
        narrow(&mut verdict, cause, CALLER, &role);
        verdict
    };
    let shut = after("", Cause::Shut("The trust policy does not name x".into()));
    assert_eq!(shut.next.as_deref(), Some("The trust policy does not name x"));
    assert!(shut.denied, "it may still spread");
    let absent = after("", Cause::Absent("There is no role".into()));
    assert!(!absent.denied, "nothing will mend that by itself");
    // Then the trust policy is not what is to be mended.
    let own = after("", Cause::Open);
    assert!(own.next.unwrap().contains(&format!("no policy of {CALLER}")));
    assert_eq!(own.by, Some((RefusedBy::Identity, false)));
    let late = after(
        " because no role trust policy allows the sts:AssumeRole action",
        Cause::Open,
    );
    assert!(late.next.unwrap().contains("may not know of a change yet"));
    let unread = after("", Cause::Unread);
    assert!(unread.next.unwrap().starts_with("One of:"));
    // What the wording settles needs no trust policy.
    let by_scp = problem(" with an explicit deny in a service control policy");
    assert!(!is_open(&denied(
        &by_scp,
        Some(CALLER),
        &role,
        &connection(),
        None
    )));
}
