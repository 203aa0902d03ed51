use super::*;
use crate::cloud::http::Trouble;

const CALLER: &str = "arn:aws:sts::012345678901:assumed-role/engine/glueup-verify";
const CATALOG: &str = "arn:aws:glue:ap-southeast-1:123456789012:catalog";

fn call(service: &'static str, action: &'static str) -> Call {
    Call {
        service,
        action,
        resource: Some(CATALOG.into()),
        caller: Some(CALLER.into()),
        region: "ap-southeast-1".into(),
    }
}

fn answer(code: &str, message: &str) -> Cause {
    Cause::Service {
        code: (!code.is_empty()).then(|| code.to_owned()),
        message: (!message.is_empty()).then(|| message.to_owned()),
        status: Some(400),
        request_id: Some("r-1".into()),
    }
}

fn glue(code: &str, message: &str) -> Problem {
    problem(&call("glue", "glue:GetDatabases"), answer(code, message), None)
}

#[test]
fn a_denied_listing_names_action_resource_and_policy() {
    let message = format!(
        "User: {CALLER} is not authorized to perform: glue:GetDatabases on resource: {CATALOG} because no \
         identity-based policy allows the glue:GetDatabases action"
    );
    let problem = glue("AccessDeniedException", &message);
    assert_eq!(problem.kind, Kind::Denied);
    assert_eq!(
        problem.what,
        format!("Denied: glue:GetDatabases on {CATALOG} (no identity-based policy allows it)")
    );
    assert_eq!(
        problem.next,
        format!("Allow glue:GetDatabases on {CATALOG} in a policy of arn:aws:iam::012345678901:role/engine")
    );
    assert_eq!(problem.detail.caller.as_deref(), Some(CALLER));
    assert_eq!(problem.detail.request_id.as_deref(), Some("r-1"));
    assert!(is_access_denied(&problem) && !is_lake_formation(&problem) && !is_not_found(&problem));
}

#[test]
fn a_bare_denial_keeps_what_was_asked() {
    let problem = problem(
        &call("s3", "s3:GetObject"),
        answer("AccessDenied", "Access Denied"),
        None,
    );
    assert_eq!(problem.what, format!("Denied: s3:GetObject on {CATALOG}"));
    assert_eq!(problem.detail.action.as_deref(), Some("s3:GetObject"));
    assert!(is_access_denied(&problem));
}

#[test]
fn lake_formation_is_told_apart_from_iam() {
    let problem = glue(
        "AccessDeniedException",
        "Insufficient Lake Formation permission(s): Required Create Database on Catalog",
    );
    assert!(is_lake_formation(&problem) && is_access_denied(&problem));
    assert!(
        problem.what.contains("Lake Formation has not granted it"),
        "{}",
        problem.what
    );
    assert!(
        problem
            .next
            .lines()
            .any(|line| line.starts_with("aws lakeformation grant-permissions")),
        "{}",
        problem.next
    );
}

#[test]
fn a_key_that_refuses_is_never_a_missing_table() {
    for (code, message) in [
        (
            "GlueEncryptionException",
            "User is not authorized to perform kms:Decrypt; key does not exist",
        ),
        ("KMS.NotFoundException", "Key 'arn:aws:kms:…' does not exist"),
        ("KMS.DisabledException", "disabled"),
    ] {
        let problem = glue(code, message);
        assert!(!is_not_found(&problem), "{code}");
        assert_eq!(problem.kind, Kind::Denied, "{code}");
        assert!(problem.next.contains("kms:Decrypt"), "{code}");
    }
    let via_s3 = problem(
        &call("s3", "s3:GetObject"),
        answer(
            "AccessDenied",
            &format!(
                "User: {CALLER} is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:us-west-2:1:key/k because no identity-based policy allows the kms:Decrypt action"
            ),
        ),
        None,
    );
    assert!(
        via_s3.what.contains("kms:Decrypt") && via_s3.next.contains("key's policy"),
        "{via_s3:?}"
    );
}

#[test]
fn codes_decide_the_kind() {
    let cases = [
        ("EntityNotFoundException", "Database x not found.", Kind::NotFound),
        (
            "ValidationError",
            "Stack with id glueup-x does not exist",
            Kind::NotFound,
        ),
        (
            "ValidationError",
            "The requested DurationSeconds exceeds the MaxSessionDuration",
            Kind::CheckFailed,
        ),
        (
            "ExpiredToken",
            "The security token included in the request is expired",
            Kind::Denied,
        ),
        (
            "InvalidClientTokenId",
            "The security token included in the request is invalid",
            Kind::Denied,
        ),
        (
            "UnrecognizedClientException",
            "The security token included in the request is invalid.",
            Kind::Denied,
        ),
        (
            "RegionDisabledException",
            "STS is not activated in this region for account:1.",
            Kind::Denied,
        ),
        ("ThrottlingException", "Rate exceeded", Kind::Unreachable),
        ("SlowDown", "Please reduce your request rate.", Kind::Unreachable),
        ("InternalServiceException", "oops", Kind::Unreachable),
        ("PermanentRedirect", "", Kind::CheckFailed),
        ("InvalidInputException", "bad", Kind::CheckFailed),
    ];
    for (code, message, kind) in cases {
        assert_eq!(glue(code, message).kind, kind, "{code}");
    }
    assert!(is_throttled(&glue("Throttling", "Rate exceeded")));
    assert!(is_not_found(&glue(
        "ValidationError",
        "Stack with id x does not exist"
    )));
    assert!(has_code(
        &glue("AlreadyExistsException", "x"),
        "AlreadyExistsException"
    ));
}

#[test]
fn a_region_without_sts_is_not_a_bad_role() {
    let told = |message: &str, resource: Option<&str>| {
        let call = Call {
            resource: resource.map(str::to_owned),
            ..call("sts", "sts:AssumeRole")
        };
        problem(&call, answer("RegionDisabledException", message), None)
    };
    let role = Some("arn:aws:iam::999988887777:role/r");
    let said = "STS is not activated in this region for account:012345678901. Your account administrator can";
    for (message, resource, whose) in [
        (said, role, "account 012345678901"),
        ("", role, "account 999988887777"),
        ("for account:1.", None, "this account"),
    ] {
        let problem = told(message, resource);
        assert_eq!(
            problem.what,
            format!("STS is not active in ap-southeast-1 for {whose}")
        );
        let next = format!("IAM console of {whose}: Account settings, Endpoints");
        assert!(problem.next.ends_with(&next), "{problem:?}");
        assert_eq!(problem.kind, Kind::Denied);
    }
}

#[test]
fn a_refused_signature_blames_the_clock_only_when_it_is_off() {
    let refused = |skew| {
        problem(
            &call("sts", "sts:GetCallerIdentity"),
            answer("SignatureDoesNotMatch", "Signature expired"),
            skew,
        )
    };
    assert!(
        refused(Some(-720))
            .what
            .ends_with("this machine's clock is 12 min ahead")
    );
    assert!(refused(Some(3)).next.contains("secret key"));
    assert!(refused(None).next.contains("secret key"));
}

#[test]
fn an_answer_without_a_body_has_the_code_of_its_status() {
    let head = |status| {
        problem(
            &call("s3", "s3:GetObject"),
            Cause::Service {
                code: None,
                message: None,
                status: Some(status),
                request_id: None,
            },
            None,
        )
    };
    assert!(is_access_denied(&head(403)));
    assert!(is_not_found(&head(404)));
    assert_eq!(head(503).kind, Kind::Unreachable);
}

#[test]
fn what_is_not_reached_says_what_to_look_at() {
    let cases = [
        (Trouble::Name, "does not resolve"),
        (Trouble::Refused, "Nothing answers"),
        (Trouble::Certificate, "not trusted"),
        (Trouble::Proxy, "proxy"),
        (
            Trouble::Silent,
            "No answer from AWS Glue in ap-southeast-1 in time",
        ),
        (Trouble::Other, "No connection"),
    ];
    for (trouble, word) in cases {
        let problem = problem(
            &call("glue", "glue:GetTables"),
            Cause::Unreachable(trouble, "words".into()),
            None,
        );
        assert_eq!(problem.kind, Kind::Unreachable);
        assert!(problem.what.contains(word), "{}", problem.what);
        assert_eq!(problem.detail.code, None);
        assert!(!is_access_denied(&problem));
    }
}

#[test]
fn a_next_step_has_lines_and_no_name_adds_one() {
    let told = problem(
        &call("s3", "s3:GetObject"),
        answer("AccessDenied", "Access Denied"),
        None,
    );
    assert_eq!(told.next.lines().count(), 3, "{}", told.next);
    let by_lake = glue(
        "AccessDeniedException",
        "Insufficient Lake Formation permission(s): Required Describe on sales",
    );
    let commands = by_lake
        .next
        .lines()
        .filter(|line| line.starts_with("aws lakeformation "));
    assert_eq!(commands.count(), 1, "{}", by_lake.next);
    let call = Call {
        resource: Some("arn:aws:s3:::b/k\naws iam x".to_owned()),
        ..call("s3", "s3:GetObject")
    };
    let named = answer(
        "AccessDenied",
        "User: u is not authorized to perform: s3:GetObject on resource: \"arn:aws:s3:::b/k\naws iam y\" because",
    );
    for cause in [answer("AccessDenied", "Access Denied"), named] {
        let told = problem(&call, cause, None);
        assert!(
            !told.next.lines().any(|line| line.starts_with("aws ")),
            "{}",
            told.next
        );
    }
}

#[test]
fn hostile_words_of_a_server_are_scrubbed() {
    let problem = glue("AccessDeniedException", "\u{1b}]0;owned\u{7}");
    assert!(!problem.why.contains('\u{1b}'));
}
