mod scope;

use super::cfn::{Pseudo, TemplateError};
use super::parameters::{AccessInput, ConnectionInput, access, connection, literal, tag_value};
use super::template::{INLINE_POLICY_LIMIT, Parameters, TemplateKind, inline_policies, policy_size};
use serde_json::{Value, json};

fn pseudo(partition: &str, region: &str) -> Pseudo {
    Pseudo {
        account_id: "012345678901".to_owned(),
        region: region.to_owned(),
        partition: partition.to_owned(),
        url_suffix: if partition == "aws-cn" {
            "amazonaws.com.cn"
        } else {
            "amazonaws.com"
        }
        .to_owned(),
        stack_name: "glueup-glue-readonly-lake".to_owned(),
        stack_id: String::new(),
    }
}

/// The parameters of a catalog's stack; both levels take the same.
fn granted(input: &AccessInput) -> Result<Parameters, TemplateError> {
    access(TemplateKind::GlueReadOnly, input)
}

fn input(prefix: &str) -> AccessInput {
    AccessInput {
        account: "012345678901".to_owned(),
        partition: "aws".to_owned(),
        region: "us-west-2".to_owned(),
        role_name: "glueup-connection-ConnectionRole-ABC".to_owned(),
        bucket: "foo".to_owned(),
        prefix: prefix.to_owned(),
        organization: "self".to_owned(),
        record: "catalog/lake".to_owned(),
        ..AccessInput::default()
    }
}

fn policy(kind: TemplateKind, parameters: &Parameters) -> Value {
    let mut documents = inline_policies(kind, parameters, pseudo("aws", "us-west-2")).unwrap();
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn statement<'a>(policy: &'a Value, sid: &str) -> &'a Value {
    policy["Statement"]
        .as_array()
        .unwrap()
        .iter()
        .find(|statement| statement["Sid"] == sid)
        .unwrap()
}

#[test]
fn listing_is_a_right_on_the_bucket_and_files_a_right_on_the_prefix() {
    let policy = policy(TemplateKind::GlueReadOnly, &granted(&input("bar/")).unwrap());
    assert_eq!(
        statement(&policy, "ListPrefix"),
        &json!({
            "Sid": "ListPrefix", "Effect": "Allow", "Action": "s3:ListBucket", "Resource": "arn:aws:s3:::foo",
            "Condition": {"StringLike": {"s3:prefix": ["bar/", "bar/*"]}}
        })
    );
    assert_eq!(
        statement(&policy, "ReadObjects")["Resource"],
        "arn:aws:s3:::foo/bar/*"
    );
    let region = statement(&policy, "BucketRegion");
    assert_eq!(region["Resource"], "arn:aws:s3:::foo");
    assert!(
        region.get("Condition").is_none(),
        "GetBucketLocation carries no prefix"
    );
    assert!(!policy.to_string().contains("\"arn:aws:s3:::foo/bar\""));
}

#[test]
fn a_whole_bucket_has_no_condition_and_no_double_slash() {
    for kind in [TemplateKind::GlueReadOnly, TemplateKind::GlueReadWrite] {
        let policy = policy(kind, &granted(&input("")).unwrap());
        assert_eq!(
            statement(&policy, "ReadObjects")["Resource"],
            "arn:aws:s3:::foo/*"
        );
        assert!(statement(&policy, "ListPrefix").get("Condition").is_none());
        assert!(!policy.to_string().contains("//"));
    }
}

#[test]
fn glue_rights_are_on_the_catalog_and_all_of_it_or_the_databases_named() {
    let all = policy(TemplateKind::GlueReadOnly, &granted(&input("bar/")).unwrap());
    let front = "arn:aws:glue:us-west-2:012345678901";
    assert_eq!(
        statement(&all, "ReadCatalog")["Resource"],
        json!([
            format!("{front}:catalog"),
            format!("{front}:database/*"),
            format!("{front}:table/*/*")
        ])
    );
    let named = AccessInput {
        databases: vec!["sales".to_owned(), "odd * name".to_owned()],
        ..input("bar/")
    };
    let named = policy(TemplateKind::GlueReadWrite, &granted(&named).unwrap());
    for sid in ["ReadCatalog", "WriteCatalog"] {
        assert_eq!(
            statement(&named, sid)["Resource"],
            json!([
                format!("{front}:catalog"),
                format!("{front}:database/sales"),
                format!("{front}:database/odd ${{*}} name"),
                format!("{front}:table/sales/*"),
                format!("{front}:table/odd ${{*}} name/*"),
            ])
        );
    }
}

#[test]
fn a_name_with_wildcards_cannot_widen_the_policy() {
    let parameters = granted(&input("a*b?c$d/${aws:username}/")).unwrap();
    let policy = policy(TemplateKind::GlueReadOnly, &parameters);
    let prefix = "a${*}b${?}c${$}d/${$}{aws:username}/";
    assert_eq!(parameters["Prefix"], prefix);
    assert_eq!(
        statement(&policy, "ReadObjects")["Resource"],
        format!("arn:aws:s3:::foo/{prefix}*")
    );
    assert_eq!(
        statement(&policy, "ListPrefix")["Condition"]["StringLike"]["s3:prefix"],
        json!([prefix, format!("{prefix}*")])
    );
    // Nor can a value that is typed into the console past glueup.
    let typed = |prefix: &str| {
        let mut typed = parameters.clone();
        typed.insert("Prefix".to_owned(), prefix.to_owned());
        inline_policies(TemplateKind::GlueReadOnly, &typed, pseudo("aws", "us-west-2"))
    };
    for prefix in ["*/", "a?/", "${aws:username}/", "a$/", "a/*"] {
        assert!(typed(prefix).is_err(), "{prefix}");
    }
    assert!(typed("a${*}b${?}/").is_ok());
}

#[test]
fn keys_are_in_the_policy_only_when_given() {
    let none = policy(TemplateKind::GlueReadOnly, &granted(&input("bar/")).unwrap());
    assert!(!none.to_string().contains("kms:"));
    let with = AccessInput {
        kms_key: Some("arn:aws:kms:us-west-2:012345678901:key/a".to_owned()),
        catalog_kms_key: Some("arn:aws:kms:us-west-2:012345678901:key/b".to_owned()),
        ..input("bar/")
    };
    let with = policy(TemplateKind::GlueReadOnly, &granted(&with).unwrap());
    assert_eq!(statement(&with, "DecryptObjects")["Action"], "kms:Decrypt");
    assert_eq!(
        statement(&with, "DecryptCatalog")["Resource"],
        "arn:aws:kms:us-west-2:012345678901:key/b"
    );
}

#[test]
fn the_size_of_a_policy_is_counted_as_iam_counts_it() {
    assert_eq!(policy_size(&json!({"a": "b c"})), "{\"a\":\"bc\"}".len());
    let plain = policy(TemplateKind::GlueReadWrite, &granted(&input("bar/")).unwrap());
    assert!(
        policy_size(&plain) < INLINE_POLICY_LIMIT / 3,
        "{}",
        policy_size(&plain)
    );
    let many: Vec<String> = (0..20).map(|n| format!("{n:-<180}")).collect();
    let many = AccessInput {
        databases: many,
        ..input("bar/")
    };
    let error = granted(&many).unwrap_err().to_string();
    assert!(error.contains("is longer than 4096 bytes"), "{error}");
}

#[test]
fn what_a_policy_cannot_hold_is_refused_with_its_reason() {
    for (input, part) in [
        (input("日本/"), "U+65E5"),
        (
            AccessInput {
                databases: vec!["a,b".to_owned()],
                ..input("bar/")
            },
            "a,b holds a comma",
        ),
        (
            AccessInput {
                databases: vec!["日本".to_owned()],
                ..input("bar/")
            },
            "U+65E5",
        ),
        (input("bar"), "Parameter Prefix failed to satisfy constraint"),
        (
            AccessInput {
                bucket: "foo/bar".to_owned(),
                ..input("")
            },
            "Parameter BucketName failed",
        ),
        (
            AccessInput {
                role_name: "arn:aws:iam::1:role/x".to_owned(),
                ..input("")
            },
            "Parameter RoleName failed",
        ),
    ] {
        let error = granted(&input).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(granted(&input("données/")).is_ok());
}

fn trust(input: &ConnectionInput) -> Value {
    let parameters = connection(input).unwrap();
    let template = TemplateKind::Connection.template().unwrap();
    let bound = template.bind(&parameters, pseudo("aws", "us-west-2")).unwrap();
    let role = &template.resource("ConnectionRole").unwrap().properties;
    bound.evaluate(role, &Default::default()).unwrap().unwrap()
}

fn connection_input() -> ConnectionInput {
    ConnectionInput {
        account: "012345678901".to_owned(),
        external_id: "gu-a+b=c".to_owned(),
        trusted: vec!["arn:aws:iam::999988887777:role/broker".to_owned()],
        organization: "self".to_owned(),
        record: "connection/prod".to_owned(),
        ..ConnectionInput::default()
    }
}

#[test]
fn the_role_trusts_those_named_and_asks_for_the_external_id() {
    let role = trust(&connection_input());
    assert_eq!(
        role["AssumeRolePolicyDocument"]["Statement"],
        json!([{
            "Sid": "NamedPrincipalsWithExternalId", "Effect": "Allow",
            "Principal": {"AWS": ["arn:aws:iam::999988887777:role/broker"]}, "Action": "sts:AssumeRole",
            "Condition": {"StringEquals": {"sts:ExternalId": "gu-a+b=c"}}
        }])
    );
    assert_eq!(role["Path"], "/");
    assert!(role.get("PermissionsBoundary").is_none() && role.get("RoleName").is_none());
}

#[test]
fn a_pattern_narrows_the_root_and_keeps_the_others() {
    let input = ConnectionInput {
        trusted: vec![
            "arn:aws:iam::111122223333:root".to_owned(),
            "arn:aws:iam::111122223333:role/engine,1".to_owned(),
        ],
        patterns: vec!["arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*".to_owned()],
        boundary: Some("arn:aws:iam::012345678901:policy/boundary".to_owned()),
        role_path: Some("/teams/data/".to_owned()),
        ..connection_input()
    };
    // A comma in a role's name would part the list of patterns.
    assert!(connection(&input).is_err());
    let input = ConnectionInput {
        trusted: vec![
            input.trusted[0].clone(),
            "arn:aws:iam::111122223333:role/engine".to_owned(),
        ],
        ..input
    };
    let role = trust(&input);
    let statement = &role["AssumeRolePolicyDocument"]["Statement"][0];
    assert_eq!(statement["Principal"]["AWS"], json!(input.trusted));
    assert_eq!(
        statement["Condition"]["ArnLike"]["aws:PrincipalArn"],
        json!([
            "arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*",
            "arn:aws:iam::111122223333:role/engine"
        ])
    );
    assert_eq!(
        role["PermissionsBoundary"],
        "arn:aws:iam::012345678901:policy/boundary"
    );
    assert_eq!(role["Path"], "/teams/data/");
}

#[test]
fn a_verifier_gets_a_statement_of_its_own_with_the_same_external_id() {
    let input = ConnectionInput {
        verifier: Some("arn:aws:iam::012345678901:root".to_owned()),
        verifier_patterns: vec!["arn:aws:iam::012345678901:role/admin".to_owned()],
        ..connection_input()
    };
    let statements = trust(&input)["AssumeRolePolicyDocument"]["Statement"].clone();
    assert_eq!(statements[0]["Sid"], "NamedPrincipalsWithExternalId");
    assert_eq!(
        statements[1],
        json!({
            "Sid": "VerifierWithExternalId", "Effect": "Allow",
            "Principal": {"AWS": "arn:aws:iam::012345678901:root"}, "Action": "sts:AssumeRole",
            "Condition": {
                "StringEquals": {"sts:ExternalId": "gu-a+b=c"},
                "ArnLike": {"aws:PrincipalArn": ["arn:aws:iam::012345678901:role/admin"]}
            }
        })
    );
    for verifier in ["*", "arn:aws:iam::012345678901:role/*", "012345678901"] {
        let error = connection(&ConnectionInput {
            verifier: Some(verifier.to_owned()),
            ..connection_input()
        });
        assert!(error.is_err(), "{verifier}");
    }
}

#[test]
fn nobody_and_everybody_are_no_principals() {
    for trusted in [
        vec![],
        vec!["*".to_owned()],
        vec!["arn:aws:iam::999988887777:role/*".to_owned()],
    ] {
        let error = connection(&ConnectionInput {
            trusted,
            ..connection_input()
        })
        .unwrap_err()
        .to_string();
        assert!(
            error.contains("Parameter TrustedPrincipals failed to satisfy constraint"),
            "{error}"
        );
    }
}

#[test]
fn what_a_pattern_would_read_as_more_stands_for_itself_in_it() {
    let odd = "arn:aws:iam::012345678901:role/${aws:username}/reader";
    let role = trust(&ConnectionInput {
        trusted: vec!["arn:aws:iam::111122223333:root".into(), odd.into()],
        patterns: vec!["arn:aws:iam::111122223333:role/*/engine".into()],
        ..connection_input()
    });
    let condition = &role["AssumeRolePolicyDocument"]["Statement"][0]["Condition"];
    assert_eq!(
        condition["ArnLike"]["aws:PrincipalArn"],
        json!([
            "arn:aws:iam::111122223333:role/*/engine",
            "arn:aws:iam::012345678901:role/${$}{aws:username}/reader"
        ]),
        "{role:#}"
    );
}

#[test]
fn a_role_name_with_a_comma_stays_one_principal() {
    let input = ConnectionInput {
        trusted: vec!["arn:aws:iam::999988887777:role/a,b".to_owned()],
        ..connection_input()
    };
    assert_eq!(
        trust(&input)["AssumeRolePolicyDocument"]["Statement"][0]["Principal"]["AWS"],
        json!(["arn:aws:iam::999988887777:role/a,b"])
    );
}

#[test]
fn words_for_policies_and_tags() {
    assert_eq!(literal("plain/path/"), "plain/path/");
    assert_eq!(tag_value("catalog/my lake"), "catalog/my lake");
    let odd = tag_value("catalog/日本 (1)");
    assert!(odd.starts_with("catalog/--"), "{odd}");
    assert_ne!(odd, tag_value("catalog/日木 (1)"));
}
