//! Roles that are wider than what was asked for, one way each.

use super::{allow, reads, right_trust, trust, with};
use crate::support::jobs::World;
use glueup::domain::access::Access;
use glueup::verify::RungId;
use serde_json::{Value, json};

/// The rung that must fail, the part of it that finds the hole, and a word of the next step.
pub struct Hole {
    pub name: &'static str,
    pub trust: Option<Value>,
    pub statements: Vec<Value>,
    pub access: Access,
    pub rung: RungId,
    pub part: &'static str,
    pub next: &'static str,
}

pub fn holes(world: &World) -> Vec<Hole> {
    let own = |name, condition, part| Hole {
        name,
        trust: Some(trust(world, condition)),
        statements: reads(),
        access: Access::ReadOnly,
        rung: RungId::ExternalId,
        part,
        next: "aws iam update-assume-role-policy",
    };
    let id = right_trust(world)["Statement"][0]["Condition"]["StringEquals"].clone();
    let wide = |name, rung, part, statements| Hole {
        name,
        trust: None,
        statements,
        access: Access::ReadOnly,
        rung,
        part,
        next: "--policy-name grant",
    };
    let write = |name, action| wide(name, RungId::Write, action, with(allow(&[action], &["*"])));
    let beside = |name, part, statements| wide(name, RungId::Neighbour, part, statements);
    let mut bare = allow(&["s3:ListBucket"], &["arn:aws:s3:::acme-lake"]);
    bare["Condition"] = json!({"StringLike": {"s3:prefix": ["warehouse*"]}});
    vec![
        own("trust-open", Value::Null, "with no external ID"),
        own(
            "trust-star",
            json!({"StringLike": {"sts:ExternalId": "*"}}),
            "with a random external ID",
        ),
        own(
            "trust-if-there",
            json!({"StringEqualsIfExists": id}),
            "with no external ID",
        ),
        write("stray-create-table", "glue:CreateTable"),
        write("stray-update-table", "glue:UpdateTable"),
        write("stray-delete-table", "glue:DeleteTable"),
        write("stray-delete-database", "glue:DeleteDatabase"),
        write("stray-put-object", "s3:PutObject"),
        wide(
            "stray-put-below",
            RungId::Write,
            "s3:PutObject",
            with(allow(&["s3:PutObject"], &["arn:aws:s3:::acme-lake/warehouse/*"])),
        ),
        wide(
            "stray-update-in-one-database",
            RungId::Write,
            "glue:UpdateTable",
            with(allow(
                &["glue:*Table"],
                &["arn:aws:glue:us-west-2:012345678901:*"],
            )),
        ),
        beside(
            "everything",
            "list the bucket's root",
            vec![allow(&["*"], &["*"])],
        ),
        beside(
            "list-whole",
            "list the bucket's root",
            with(allow(&["s3:ListBucket"], &["arn:aws:s3:::acme-lake"])),
        ),
        beside("list-without-slash", "list beside the prefix", with(bare)),
        beside(
            "get-whole",
            "read beside the prefix",
            with(allow(&["s3:GetObject"], &["arn:aws:s3:::acme-lake/*"])),
        ),
        beside(
            "put-without-slash",
            "write beside the prefix",
            with(allow(&["s3:PutObject"], &["arn:aws:s3:::acme-lake/warehouse*"])),
        ),
        beside(
            "delete-beside",
            "delete beside the prefix",
            with(allow(
                &["s3:DeleteObject"],
                &["arn:aws:s3:::acme-lake/warehouse_*"],
            )),
        ),
        beside(
            "read-all-buckets",
            "read another bucket",
            with(allow(&["s3:GetObject*"], &["arn:aws:s3:::*/*"])),
        ),
        beside(
            "glue-in-all-regions",
            "Glue in another region",
            with(allow(&["glue:GetTable"], &["arn:aws:glue:*:012345678901:*"])),
        ),
        beside(
            "rules-iam",
            "change policies of IAM",
            with(allow(&["iam:*"], &["*"])),
        ),
        beside(
            "rules-lake-formation",
            "rule Lake Formation",
            with(allow(&["lakeformation:*"], &["*"])),
        ),
    ]
}
