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
use serde_json::json;

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

fn opens_rest(asked: &Asked) -> bool {
    asked.target.contains("/iceberg/v1/config")
}

/// As only the connection's role, not the broker, is answered.
fn second_hop(asked: &Asked) -> bool {
    is(asked, "AssumeRole") && asked.body.contains("ExternalId=")
}

type Answer = Box<dyn Fn(&Asked) -> Option<Reply> + Send + Sync>;

fn denied_by(action: &str, on: &str, because: &str) -> String {
    format!("{WHO}{action} on resource: {on} {because}")
}

/// Glue's answer to an operation.
fn glue(operation: &'static str, code: &'static str, words: impl Into<String>) -> Answer {
    let words = words.into();
    Box::new(move |asked| is(asked, operation).then(|| Reply::error(400, code, &words)))
}

/// Glue's denial of an operation, for the reason that a policy gives.
fn glue_denies(operation: &'static str, on: &str, because: &str) -> Answer {
    let on = format!("arn:aws:glue:us-west-2:012345678901:{on}");
    let words = denied_by(&format!("glue:{operation}"), &on, because);
    glue(operation, "AccessDeniedException", words)
}

/// S3's denial of what is asked so.
fn s3_denies(hit: fn(&Asked) -> bool, action: &str, on: &str, because: &str) -> Answer {
    let words = denied_by(action, on, because);
    Box::new(move |asked| hit(asked).then(|| Reply::s3_error(403, "AccessDenied", &words)))
}

fn sts(hit: fn(&Asked) -> bool, code: &'static str, words: impl Into<String>) -> Answer {
    let words = words.into();
    Box::new(move |asked| hit(asked).then(|| Reply::query_error(403, code, &words)))
}

/// The answer of the Iceberg REST door.
fn rest(body: &'static str) -> Answer {
    Box::new(move |asked| {
        opens_rest(asked).then(|| Reply {
            status: 403,
            kind: "application/json",
            body: body.into(),
        })
    })
}

fn rows() -> Vec<(Expected, Answer)> {
    const OBJECT: &str = "arn:aws:s3:::acme-lake/x";
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
    let scp = "with an explicit deny in a service control policy";
    let hop = denied_by("sts:AssumeRole", "arn:aws:iam::1:role/r", scp);
    let administrator = "administrator of the AWS organization";
    let lake_formation = "Lake Formation has not granted it";
    let grant = "aws lakeformation grant-permissions";
    let denied = "AccessDeniedException";
    vec![
        row(
            "Lake Formation hides the databases",
            RungId::Databases,
            lake_formation,
            grant,
            glue(
                "GetDatabases",
                denied,
                "Insufficient Lake Formation permission(s): Required Describe on sales",
            ),
        ),
        row(
            "Lake Formation wants a right on the catalog",
            RungId::Databases,
            lake_formation,
            r#"--permissions CREATE_DATABASE --resource '{"Catalog":{}}'"#,
            glue(
                "GetDatabases",
                denied,
                "Insufficient Lake Formation permission(s): Required Create Database on Catalog",
            ),
        ),
        row(
            "S3 that says no and no more",
            RungId::Read,
            "Denied: s3:GetObject",
            "2. the policy of a VPC endpoint on the way",
            Box::new(|asked: &Asked| {
                reads_object(asked).then(|| Reply::s3_error(403, "AccessDenied", "Access Denied"))
            }),
        ),
        row(
            "Lake Formation hides the tables",
            RungId::Tables,
            lake_formation,
            grant,
            glue(
                "GetTables",
                denied,
                "Insufficient Lake Formation permission(s) on sales",
            ),
        ),
        row(
            "an SCP on the second hop",
            RungId::Role,
            "a service control policy denies it",
            administrator,
            sts(second_hop, "AccessDenied", hop),
        ),
        row(
            "an SCP on Glue",
            RungId::Databases,
            "a service control policy denies it",
            administrator,
            glue_denies("GetDatabases", "catalog", scp),
        ),
        row(
            "a resource control policy on the bucket",
            RungId::List,
            "a resource control policy denies it",
            administrator,
            s3_denies(
                lists_objects,
                "s3:ListBucket",
                "arn:aws:s3:::acme-lake",
                "with an explicit deny in a resource control policy",
            ),
        ),
        row(
            "a bucket policy",
            RungId::Read,
            "a resource-based policy denies it",
            "The policy of the bucket acme-lake denies s3:GetObject",
            s3_denies(
                reads_object,
                "s3:GetObject",
                OBJECT,
                "with an explicit deny in a resource-based policy",
            ),
        ),
        row(
            "the policy of a VPC endpoint",
            RungId::Read,
            "no VPC endpoint policy allows it",
            "in the policy of the VPC endpoint",
            s3_denies(
                reads_object,
                "s3:GetObject",
                OBJECT,
                "because no VPC endpoint policy allows the s3:GetObject action",
            ),
        ),
        row(
            "a permissions boundary",
            RungId::Tables,
            "no permissions boundary allows it",
            "in the permissions boundary of",
            glue_denies(
                "GetTables",
                "table/sales/*",
                "because no permissions boundary allows the glue:GetTables action",
            ),
        ),
        row(
            "a session policy",
            RungId::Databases,
            "no session policy allows it",
            "session policy",
            glue_denies(
                "GetDatabases",
                "catalog",
                "because no session policy allows the glue:GetDatabases action",
            ),
        ),
        row(
            "the key of an encrypted catalog",
            RungId::Databases,
            "The encryption key refused",
            "kms:Decrypt",
            glue(
                "GetDatabases",
                "GlueEncryptionException",
                "The ciphertext refers to a customer master key that does not exist, does not \
                 exist in this region, or you are not allowed to access",
            ),
        ),
        row(
            "the key of an encrypted object",
            RungId::Read,
            "kms:Decrypt",
            "Put the key on record, and deploy again",
            s3_denies(
                reads_object,
                "kms:Decrypt",
                "arn:aws:kms:us-west-2:012345678901:key/1234abcd",
                "because no identity-based policy allows the kms:Decrypt action",
            ),
        ),
        row(
            "STS that is off in the region",
            RungId::Broker,
            "STS is not active in us-west-2 for account 999988887777",
            "console of account 999988887777: Account settings, Endpoints",
            sts(
                |asked| is(asked, "AssumeRole"),
                "RegionDisabledException",
                "STS is not activated in this region for account:999988887777. Your \
                 account administrator can activate STS in this region using the IAM Console.",
            ),
        ),
        row(
            "credentials that end in between",
            RungId::Databases,
            "The credentials have expired",
            "Sign in again",
            glue(
                "GetDatabases",
                "ExpiredTokenException",
                "The security token included in the request is expired",
            ),
        ),
        row(
            "a proxy's page instead of Glue",
            RungId::Databases,
            "in a form that AWS does not use",
            "check the proxy and the endpoint URL",
            Box::new(|asked| {
                is(asked, "GetDatabases").then(|| Reply {
                    kind: "text/html",
                    ..Reply::xml("<html><body>Please sign in to the network</body></html>")
                })
            }),
        ),
        row(
            "REST refused in Iceberg's words",
            RungId::Rest,
            "Denied: glue:GetCatalog",
            "glue:GetCatalog",
            rest(r#"{"error":{"message":"Forbidden","type":"ForbiddenException","code":403}}"#),
        ),
        row(
            "REST refused in AWS's words",
            RungId::Rest,
            "AWS does not know these credentials",
            "--profile",
            rest(r#"{"message":"The security token included in the request is invalid."}"#),
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

/// A table that Lake Formation governs: its metadata are read, its files are refused without a word on why.
#[tokio::test]
async fn where_lake_formation_governs_a_table_it_is_one_of_the_causes() {
    let world = World::start();
    deployed(&world).await;
    let session = through(&world, |asked| {
        if reads_object(asked) {
            return Some(Reply::s3_error(403, "AccessDenied", "Access Denied"));
        }
        is(asked, "GetTables").then(|| {
            Reply::json(&json!({"TableList": [{
                "DatabaseName": "sales", "Name": "orders", "TableType": "EXTERNAL_TABLE",
                "IsRegisteredWithLakeFormation": true,
                "Parameters": {"table_type": "ICEBERG",
                    "metadata_location": "s3://acme-lake/warehouse/sales/orders/metadata/00001.metadata.json"},
                "StorageDescriptor": {"Location": "s3://acme-lake/warehouse/sales/orders", "Columns": []},
            }]}))
        })
    });
    let ran = yes(&session, verify()).await;
    let read = rung(report(&ran), RungId::Read);
    let next = read.next.as_deref().unwrap();
    assert!(
        next.contains("the registration of its table with Lake Formation"),
        "{read:#?}"
    );
}
