//! What no emulator evaluates: a server before the embedded AWS answers in AWS's words.

use super::{Expected, assert_found};
use crate::deploy::yes;
use crate::support::between::before;
use crate::support::fake::{Asked, Reply};
use crate::support::jobs::World;
use crate::verify::{deployed, report, rung, verify};
use crate::verify_limits::part;
use glueup::cloud::Settings;
use glueup::domain::status::Status::Skipped;
use glueup::session::Session;
use glueup::verify::RungId;

const WHO: &str =
    "User: arn:aws:sts::012345678901:assumed-role/lake/glueup-verify is not authorized to perform: ";

/// Whether the request is for this Glue or STS operation.
fn is(asked: &Asked, action: &str) -> bool {
    asked.action() == action
}

/// Whether it reads an object of S3.
fn reads_object(asked: &Asked) -> bool {
    asked.method == "GET" && asked.header("range").starts_with("bytes=")
}

fn lists_objects(asked: &Asked) -> bool {
    asked.method == "GET" && asked.target.contains("list-type=2")
}

/// As only the connection's role, not the broker, is answered.
fn second_hop(asked: &Asked) -> bool {
    is(asked, "AssumeRole") && asked.body.contains("ExternalId=")
}

type Answer = fn(&Asked) -> Option<Reply>;

fn denied_by(action: &str, on: &str, because: &str) -> String {
    format!("{WHO}{action} on resource: {on} {because}")
}

fn rows() -> Vec<(Expected, Answer)> {
    let row = |name, rung, cause, next, answer: Answer| {
        (
            Expected {
                name,
                rung,
                cause,
                next,
            },
            answer,
        )
    };
    vec![
        row(
            "Lake Formation hides the databases",
            RungId::Databases,
            "Lake Formation has not granted it",
            "aws lakeformation grant-permissions",
            |asked| {
                is(asked, "GetDatabases").then(|| {
                    Reply::error(
                        400,
                        "AccessDeniedException",
                        "Insufficient Lake Formation permission(s): Required Describe on sales",
                    )
                })
            },
        ),
        row(
            "Lake Formation hides the tables",
            RungId::Tables,
            "Lake Formation has not granted it",
            "aws lakeformation grant-permissions",
            |asked| {
                is(asked, "GetTables").then(|| {
                    Reply::error(
                        400,
                        "AccessDeniedException",
                        "Insufficient Lake Formation permission(s) on sales",
                    )
                })
            },
        ),
        row(
            "an SCP on the second hop",
            RungId::Role,
            "a service control policy denies it",
            "administrator of the AWS organization",
            |asked| {
                let because = "with an explicit deny in a service control policy";
                second_hop(asked).then(|| {
                    Reply::query_error(
                        403,
                        "AccessDenied",
                        &denied_by("sts:AssumeRole", "arn:aws:iam::1:role/r", because),
                    )
                })
            },
        ),
        row(
            "an SCP on Glue",
            RungId::Databases,
            "a service control policy denies it",
            "administrator of the AWS organization",
            |asked| {
                let because = "with an explicit deny in a service control policy";
                let on = "arn:aws:glue:us-west-2:012345678901:catalog";
                is(asked, "GetDatabases").then(|| {
                    Reply::error(
                        400,
                        "AccessDeniedException",
                        &denied_by("glue:GetDatabases", on, because),
                    )
                })
            },
        ),
        row(
            "a resource control policy on the bucket",
            RungId::List,
            "a resource control policy denies it",
            "administrator of the AWS organization",
            |asked| {
                let because = "with an explicit deny in a resource control policy";
                lists_objects(asked).then(|| {
                    Reply::s3_error(
                        403,
                        "AccessDenied",
                        &denied_by("s3:ListBucket", "arn:aws:s3:::acme-lake", because),
                    )
                })
            },
        ),
        row(
            "a bucket policy",
            RungId::Read,
            "a resource-based policy denies it",
            "in the policy of arn:aws:s3:::acme-lake",
            |asked| {
                let because = "with an explicit deny in a resource-based policy";
                reads_object(asked).then(|| {
                    Reply::s3_error(
                        403,
                        "AccessDenied",
                        &denied_by("s3:GetObject", "arn:aws:s3:::acme-lake/x", because),
                    )
                })
            },
        ),
        row(
            "the policy of a VPC endpoint",
            RungId::Read,
            "no VPC endpoint policy allows it",
            "in the policy of the VPC endpoint",
            |asked| {
                let because = "because no VPC endpoint policy allows the s3:GetObject action";
                reads_object(asked).then(|| {
                    Reply::s3_error(
                        403,
                        "AccessDenied",
                        &denied_by("s3:GetObject", "arn:aws:s3:::acme-lake/x", because),
                    )
                })
            },
        ),
        row(
            "a permissions boundary",
            RungId::Tables,
            "no permissions boundary allows it",
            "in the permissions boundary of",
            |asked| {
                let because = "because no permissions boundary allows the glue:GetTables action";
                let on = "arn:aws:glue:us-west-2:012345678901:table/sales/*";
                is(asked, "GetTables").then(|| {
                    Reply::error(
                        400,
                        "AccessDeniedException",
                        &denied_by("glue:GetTables", on, because),
                    )
                })
            },
        ),
        row(
            "a session policy",
            RungId::Databases,
            "no session policy allows it",
            "session policy",
            |asked| {
                let because = "because no session policy allows the glue:GetDatabases action";
                let on = "arn:aws:glue:us-west-2:012345678901:catalog";
                is(asked, "GetDatabases").then(|| {
                    Reply::error(
                        400,
                        "AccessDeniedException",
                        &denied_by("glue:GetDatabases", on, because),
                    )
                })
            },
        ),
        row(
            "the key of an encrypted catalog",
            RungId::Databases,
            "The encryption key refused",
            "kms:Decrypt",
            |asked| {
                is(asked, "GetDatabases").then(|| {
                    Reply::error(
                        400,
                        "GlueEncryptionException",
                        "The ciphertext refers to a customer master key that does not exist, does not exist in this region, \
                         or you are not allowed to access",
                    )
                })
            },
        ),
        row(
            "the key of an encrypted object",
            RungId::Read,
            "kms:Decrypt",
            "in the key's policy and in the role's",
            |asked| {
                let because = "because no identity-based policy allows the kms:Decrypt action";
                let on = "arn:aws:kms:us-west-2:012345678901:key/1234abcd";
                reads_object(asked)
                    .then(|| Reply::s3_error(403, "AccessDenied", &denied_by("kms:Decrypt", on, because)))
            },
        ),
        row(
            "STS that is off in the region",
            RungId::Broker,
            "AWS STS is not active in us-west-2",
            "Account settings",
            |asked| {
                is(asked, "AssumeRole").then(|| {
                    Reply::query_error(
                        403,
                        "RegionDisabledException",
                        "STS is not activated in this region for account:999988887777. Your account administrator can \
                         activate STS in this region using the IAM Console.",
                    )
                })
            },
        ),
        row(
            "credentials that end in between",
            RungId::Databases,
            "The credentials have expired",
            "Sign in again",
            |asked| {
                is(asked, "GetDatabases").then(|| {
                    Reply::error(
                        400,
                        "ExpiredTokenException",
                        "The security token included in the request is expired",
                    )
                })
            },
        ),
        row(
            "a proxy's page instead of Glue",
            RungId::Databases,
            "in a form that AWS does not use",
            "check the proxy and the endpoint URL",
            |asked| {
                is(asked, "GetDatabases").then(|| Reply {
                    kind: "text/html",
                    ..Reply::xml("<html><body>Please sign in to the network</body></html>")
                })
            },
        ),
        row(
            "REST refused in Iceberg's words",
            RungId::Rest,
            "Denied: glue:GetCatalog",
            "glue:GetCatalog",
            |asked| {
                asked.target.contains("/iceberg/v1/config").then(|| {
                    let body = r#"{"error":{"message":"Forbidden","type":"ForbiddenException","code":403}}"#;
                    Reply {
                        status: 403,
                        kind: "application/json",
                        body: body.into(),
                    }
                })
            },
        ),
        row(
            "REST refused in AWS's words",
            RungId::Rest,
            "AWS does not know these credentials",
            "--profile",
            |asked| {
                asked.target.contains("/iceberg/v1/config").then(|| {
                    let body = r#"{"message":"The security token included in the request is invalid."}"#;
                    Reply {
                        status: 403,
                        kind: "application/json",
                        body: body.into(),
                    }
                })
            },
        ),
    ]
}

/// The same caller, who meets `answer` before the embedded AWS.
pub fn through(world: &World, answer: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static) -> Session {
    let between = before(&world.demo.endpoint_url, answer);
    let admin = &world.demo.admin;
    let settings = Settings::demo(
        between.url(),
        "us-west-2".parse().unwrap(),
        &admin.id,
        &admin.secret,
    );
    Session::new(world.home.clone(), settings)
}

#[tokio::test]
async fn what_no_emulator_evaluates_is_told_in_words() {
    let world = World::start();
    deployed(&world).await;
    for (expected, answer) in rows() {
        let ran = yes(&through(&world, answer), verify()).await;
        assert_found(&expected, report(&ran));
    }
}

#[tokio::test]
async fn what_lake_formation_refuses_proves_nothing_about_the_role() {
    let world = World::start();
    deployed(&world).await;
    let session = through(&world, |asked| {
        is(asked, "CreateTable").then(|| {
            let words = "Insufficient Lake Formation permission(s): Required Create Table on sales";
            Reply::error(400, "AccessDeniedException", words)
        })
    });
    let ran = yes(&session, verify()).await;
    let write = rung(report(&ran), RungId::Write);
    let create = part(write, "glue:CreateTable");
    assert_eq!(create.status, Skipped, "{write:#?}");
    assert!(create.answer.contains("Lake Formation"), "{create:#?}");
    assert!(
        write.answer.contains("not proven: glue:CreateTable"),
        "{write:#?}"
    );
}
