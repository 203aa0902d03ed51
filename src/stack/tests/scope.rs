//! What a stack never reaches beyond: its prefix, its partition, its account.

use super::*;
use crate::domain::access::Access;
use crate::domain::platform::Platform;
use crate::domain::region::Region;
use std::collections::BTreeSet;

/// The templates that grant something.
const GRANTS: [TemplateKind; 4] = [
    TemplateKind::GlueReadOnly,
    TemplateKind::GlueReadWrite,
    TemplateKind::StorageReadOnly,
    TemplateKind::StorageReadWrite,
];

#[test]
fn a_storage_integration_grants_nothing_of_glue() {
    for kind in [TemplateKind::StorageReadOnly, TemplateKind::StorageReadWrite] {
        let policy = policy(kind, &access(kind, &input("bar/")).unwrap());
        assert!(!policy.to_string().contains("glue"), "{policy}");
        let writes = policy.to_string().contains("s3:PutObject");
        assert_eq!(writes, kind == TemplateKind::StorageReadWrite);
    }
}

#[test]
fn a_prefix_is_never_part_of_a_bucket() {
    for prefix in [
        "",
        "bar/",
        "a/b/c/",
        "foo/",
        "a b/",
        "ü/é/",
        "dt=2026-01-01/",
        "x//y/",
        "./",
    ] {
        for kind in GRANTS {
            let policy = policy(kind, &access(kind, &input(prefix)).unwrap());
            for statement in policy["Statement"].as_array().unwrap() {
                let words = |value: &Value| match value {
                    Value::String(word) => vec![word.clone()],
                    Value::Array(list) => list.iter().map(|w| w.as_str().unwrap().to_owned()).collect(),
                    other => panic!("{other}"),
                };
                let actions = words(&statement["Action"]);
                for resource in words(&statement["Resource"]) {
                    let Some(place) = resource.strip_prefix("arn:aws:s3:::") else {
                        continue;
                    };
                    let on_buckets = actions
                        .iter()
                        .all(|a| a.starts_with("s3:ListBucket") || a.starts_with("s3:GetBucket"));
                    let expected = if on_buckets {
                        "foo".to_owned()
                    } else {
                        format!("foo/{prefix}*")
                    };
                    assert_eq!(place, expected, "{kind:?} {prefix:?} {actions:?}");
                }
                let of_listing = actions.iter().any(|a| a.starts_with("s3:ListBucket"));
                let condition = &statement["Condition"]["StringLike"]["s3:prefix"];
                if of_listing && !prefix.is_empty() {
                    assert_eq!(condition, &json!([prefix, format!("{prefix}*")]));
                } else {
                    assert!(condition.is_null(), "{statement}");
                }
            }
        }
    }
}

#[test]
fn an_access_point_stands_in_the_place_of_the_bucket_and_nothing_else_changes() {
    let arn = "arn:aws:s3:us-west-2:012345678901:accesspoint/finance";
    for kind in [
        TemplateKind::GlueReadOnly,
        TemplateKind::GlueReadWrite,
        TemplateKind::StorageReadOnly,
        TemplateKind::StorageReadWrite,
    ] {
        for prefix in ["", "bar/"] {
            let through = AccessInput {
                bucket: String::new(),
                access_point: Some(arn.to_owned()),
                ..input(prefix)
            };
            let of_bucket = policy(kind, &access(kind, &input(prefix)).unwrap()).to_string();
            let expected = of_bucket
                .replace("arn:aws:s3:::foo/", &format!("{arn}/object/"))
                .replace("arn:aws:s3:::foo", arn);
            let through = policy(kind, &access(kind, &through).unwrap());
            assert_eq!(through.to_string(), expected, "{kind:?}");
            assert!(!expected.contains(":s3:::"));
        }
        let neither = AccessInput {
            bucket: String::new(),
            ..input("bar/")
        };
        assert!(access(kind, &neither).is_err(), "{kind:?}");
        let multi_region = AccessInput {
            bucket: String::new(),
            access_point: Some("arn:aws:s3::012345678901:accesspoint/x.mrap".to_owned()),
            ..input("bar/")
        };
        assert!(access(kind, &multi_region).is_err(), "{kind:?}");
    }
}

#[test]
fn partition_arns_follow_the_region() {
    for (partition, region, suffix) in [
        ("aws", "eu-central-1", "amazonaws.com"),
        ("aws-cn", "cn-north-1", "amazonaws.com.cn"),
        ("aws-cn", "cn-northwest-1", "amazonaws.com.cn"),
        ("aws-us-gov", "us-gov-west-1", "amazonaws.com"),
        ("aws-eusc", "eusc-de-east-1", "amazonaws.eu"),
        ("aws-iso", "us-iso-east-1", "c2s.ic.gov"),
        ("aws-iso-b", "us-isob-east-1", "sc2s.sgov.gov"),
        ("aws-iso-e", "eu-isoe-west-1", "cloud.adc-e.uk"),
        ("aws-iso-f", "us-isof-south-1", "csp.hci.ic.gov"),
    ] {
        let known: Region = region.parse().unwrap();
        assert_eq!(
            (known.partition().id(), known.partition().dns_suffix()),
            (partition, suffix)
        );
        let input = AccessInput {
            partition: partition.to_owned(),
            region: region.to_owned(),
            databases: vec!["sales".to_owned()],
            kms_key: Some(format!("arn:{partition}:kms:{region}:012345678901:key/1")),
            ..input("bar/")
        };
        let here = Pseudo {
            url_suffix: suffix.to_owned(),
            ..pseudo(partition, region)
        };
        for (kind, key) in [
            (TemplateKind::GlueReadOnly, "DecryptObjects"),
            (TemplateKind::GlueReadWrite, "UseBucketKey"),
            (TemplateKind::StorageReadOnly, "DecryptObjects"),
            (TemplateKind::StorageReadWrite, "UseBucketKey"),
        ] {
            let parameters = access(kind, &input).unwrap();
            let documents = inline_policies(kind, &parameters, here.clone()).unwrap();
            let text = documents[0].to_string();
            let arns = text.matches("arn:").count();
            assert!(arns > 3, "{text}");
            assert_eq!(
                text.matches(&format!("\"arn:{partition}:")).count(),
                arns,
                "{text}"
            );
            assert_eq!(
                statement(&documents[0], key)["Condition"]["StringLike"]["kms:ViaService"],
                format!("s3.*.{suffix}")
            );
        }
    }
}

#[test]
fn a_stack_made_in_another_account_fails_its_rule() {
    let connection = (TemplateKind::Connection, connection(&connection_input()).unwrap());
    let grants = GRANTS.map(|kind| (kind, access(kind, &input("bar/")).unwrap()));
    for (kind, parameters) in std::iter::once(connection).chain(grants) {
        let template = kind.template().unwrap();
        let right = template.bind(&parameters, pseudo("aws", "us-west-2"));
        assert!(right.is_ok(), "{kind:?}");
        // Digits that differ, that are swapped, and the account as a number would be written.
        for account in ["444455556666", "012345678910", "112345678901", "12345678901"] {
            let wrong = Pseudo {
                account_id: account.to_owned(),
                ..pseudo("aws", "us-west-2")
            };
            let error = template.bind(&parameters, wrong).unwrap_err().to_string();
            assert!(
                error.contains("This stack belongs in another AWS account"),
                "{kind:?}: {error}"
            );
        }
    }
}

/// The actions of a template's policy, without those on keys, which a key of the admin's asks for.
fn actions(kind: TemplateKind) -> BTreeSet<String> {
    let document = policy(kind, &access(kind, &input("bar/")).unwrap());
    let statements = document["Statement"].as_array().unwrap().iter();
    statements
        .flat_map(|statement| match &statement["Action"] {
            Value::Array(list) => list.iter().map(|a| a.as_str().unwrap().to_owned()).collect(),
            one => vec![one.as_str().unwrap().to_owned()],
        })
        .collect()
}

#[test]
fn what_is_granted_is_what_some_platform_calls_and_nothing_more() {
    let all = Platform::all();
    let called = |access: Access| -> BTreeSet<String> {
        let needed = all
            .iter()
            .flat_map(|p| p.permissions.of(access).map(str::to_owned));
        let changes = ["Update", "Delete", "Put", "Uploads"];
        let useful = all.iter().flat_map(|p| p.permissions.useful.iter().cloned());
        let useful = useful.filter(|action| {
            access == Access::ReadWrite || !changes.iter().any(|word| action.contains(word))
        });
        needed.chain(useful).collect()
    };
    assert_eq!(actions(TemplateKind::GlueReadOnly), called(Access::ReadOnly));
    assert_eq!(actions(TemplateKind::GlueReadWrite), called(Access::ReadWrite));
    for (storage, access) in [
        (TemplateKind::StorageReadOnly, Access::ReadOnly),
        (TemplateKind::StorageReadWrite, Access::ReadWrite),
    ] {
        let of_s3 = called(access)
            .into_iter()
            .filter(|action| action.starts_with("s3:"))
            .collect();
        assert_eq!(actions(storage), of_s3);
    }
}
