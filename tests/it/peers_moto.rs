//! The templates on moto, an AWS that keeps what it is told and refuses little: the role and the policies that it makes of
//! them are what the templates say. Who may do what is not asked of it.
//!
//! What moto 5.2.5 does otherwise than AWS, and this file says each time that it counts on it:
//! - `AWS::NoValue` in a list leaves a `null` there. A trust policy with such a statement is kept as it is; an inline policy
//!   with one is refused as malformed, so that the access templates can be made only with every optional key given.
//! - A stack that a change set has made shows no outputs: a connection that is deployed from here cannot tell its role.
//! - `Rules`, `AllowedPattern` and capabilities are not looked at, and an external ID is not asked for.

use crate::cli_refusals::json_of;
use crate::support::home::Home;
use crate::support::peers::{self, Emulator, Peer};
use glueup::stack::cfn::{Pseudo, Resources};
use glueup::stack::template::{Parameters, TemplateKind};
use serde_json::{Value, json};

const ACCOUNT: &str = "012345678901";
const KEY: &str = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";

fn parameters(pairs: &[(&str, &str)]) -> Parameters {
    let common = [
        ("AccountId", ACCOUNT),
        ("Organization", "acme"),
        ("Record", "sales/0a1b2c3d"),
    ];
    let all = common.iter().chain(pairs);
    all.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// Makes a stack by boto3 from the two files that `template save` would write.
fn create(home: &Home, name: &str, kind: TemplateKind, parameters: &Parameters) -> crate::support::home::Ran {
    let at = |end: &str| home.path().join(format!("{name}.{end}")).display().to_string();
    let list: Vec<Value> = parameters
        .iter()
        .map(|(name, value)| json!({"ParameterKey": name, "ParameterValue": value}))
        .collect();
    let (template, note) = (at("yaml"), at("parameters.json"));
    std::fs::write(&template, kind.text()).unwrap();
    std::fs::write(&note, Value::from(list).to_string()).unwrap();
    peers::script(home, "three_ways.py", &["create", name, &template, &note])
}

/// What is there of a stack.
fn state(home: &Home, name: &str) -> Value {
    let ran = peers::script(home, "three_ways.py", &["state", name]).ok();
    ran.json()[name].clone()
}

/// The properties of a template's only resource, with these values.
fn said(name: &str, kind: TemplateKind, parameters: &Parameters) -> Value {
    let template = kind.template().unwrap();
    let pseudo = Pseudo {
        account_id: ACCOUNT.to_owned(),
        region: "us-west-2".to_owned(),
        partition: "aws".to_owned(),
        url_suffix: "amazonaws.com".to_owned(),
        stack_name: name.to_owned(),
        stack_id: String::new(),
    };
    let bound = template.bind(parameters, pseudo).unwrap();
    assert_eq!(template.resources.len(), 1);
    let properties = bound.evaluate(&template.resources[0].properties, &Resources::new());
    properties.unwrap().unwrap()
}

#[test]
fn moto_makes_of_each_template_what_it_says() {
    let test = "moto_makes_of_each_template_what_it_says";
    if !peers::present(test, &[Peer::Moto, Peer::Boto3]) {
        return;
    }
    let aws = Emulator::moto(ACCOUNT);
    let home = aws.home();
    let root = "arn:aws:iam::012345678901:root";
    let connection = parameters(&[
        ("ExternalId", "glueup-k3f9a7c2e1d84b60"),
        (
            "TrustedPrincipals",
            "arn:aws:iam::999988887777:role/broker,arn:aws:iam::012345678901:root",
        ),
        (
            "TrustedPrincipalPatterns",
            "arn:aws:iam::999988887777:role/broker,arn:aws:iam::012345678901:role/*/engine",
        ),
        ("VerifierPrincipal", root),
        (
            "VerifierPrincipalPatterns",
            "arn:aws:iam::012345678901:role/*/verifier",
        ),
        ("RolePath", "/team/lake/"),
        (
            "PermissionsBoundaryArn",
            "arn:aws:iam::012345678901:policy/boundary",
        ),
    ]);
    create(&home, "c", TemplateKind::Connection, &connection).ok();
    let made = state(&home, "c");
    assert_eq!(made["status"], "CREATE_COMPLETE", "{made:#}");
    let template = said("c", TemplateKind::Connection, &connection);
    let role = &made["role"];
    assert_eq!(role["trust"], template["AssumeRolePolicyDocument"], "{made:#}");
    assert_eq!(role["Path"], "/team/lake/");
    assert_eq!(role["Description"], template["Description"]);
    assert_eq!(role["MaxSessionDuration"], 3600);
    assert_eq!(
        role["PermissionsBoundary"]["PermissionsBoundaryArn"],
        template["PermissionsBoundary"]
    );
    assert_eq!(
        role["tags"],
        json!({"glueup:organization": "acme", "glueup:record": "sales/0a1b2c3d"})
    );
    assert_eq!(role["inline"], json!({}), "the role itself may do nothing");
    let (arn, name) = (&made["outputs"]["RoleArn"], &made["outputs"]["RoleName"]);
    assert_eq!(arn, &role["Arn"]);
    assert!(
        arn.as_str()
            .unwrap()
            .ends_with(&format!("role/team/lake/{}", name.as_str().unwrap()))
    );

    let storage = [
        ("RoleName", name.as_str().unwrap()),
        ("BucketName", "acme-lake"),
        ("Prefix", "warehouse/"),
        ("KmsKeyArn", KEY),
    ];
    let databases = [
        (
            "DatabaseArns",
            "arn:aws:glue:us-west-2:012345678901:database/a,arn:aws:glue:us-west-2:012345678901:database/b",
        ),
        (
            "TableArns",
            "arn:aws:glue:us-west-2:012345678901:table/a/*,arn:aws:glue:us-west-2:012345678901:table/b/*",
        ),
        ("CatalogKmsKeyArn", KEY),
    ];
    let glue: Vec<_> = storage.iter().chain(&databases).copied().collect();
    let kinds = [
        ("glue-ro", TemplateKind::GlueReadOnly, &glue[..]),
        ("glue-rw", TemplateKind::GlueReadWrite, &glue),
        ("storage-ro", TemplateKind::StorageReadOnly, &storage),
        ("storage-rw", TemplateKind::StorageReadWrite, &storage),
    ];
    for (stack, kind, values) in kinds {
        let values = parameters(values);
        create(&home, stack, kind, &values).ok();
        let made = state(&home, stack);
        let template = said(stack, kind, &values);
        assert_eq!(template["Roles"], json!([name]));
        let policy = &made["role"]["inline"][stack];
        assert_eq!(*policy, template["PolicyDocument"], "{stack}: {made:#}");
        assert_eq!(made["outputs"]["PolicyName"], stack);
        assert_eq!(made["outputs"]["RoleName"], *name);
    }
    let inline = state(&home, "c")["role"]["inline"].clone();
    assert_eq!(inline.as_object().unwrap().len(), 4, "{inline:#}");
}

#[test]
fn what_moto_cannot_is_what_this_file_says() {
    let test = "what_moto_cannot_is_what_this_file_says";
    if !peers::present(test, &[Peer::Moto, Peer::Boto3]) {
        return;
    }
    let aws = Emulator::moto(ACCOUNT);
    let home = aws.home();
    // Without a verifier the second statement is no value.
    let plain = parameters(&[
        ("ExternalId", "glueup-k3f9a7c2e1d84b60"),
        ("TrustedPrincipals", "arn:aws:iam::999988887777:role/broker"),
    ]);
    create(&home, "c", TemplateKind::Connection, &plain).ok();
    let mut trust = state(&home, "c")["role"]["trust"].clone();
    let statements = trust["Statement"].as_array_mut().unwrap();
    assert_eq!(statements.pop(), Some(Value::Null));
    let template = said("c", TemplateKind::Connection, &plain);
    assert_eq!(trust, template["AssumeRolePolicyDocument"]);
    // Without a key there is one in each access template.
    let name = state(&home, "c")["outputs"]["RoleName"].clone();
    for (stack, kind) in [
        ("glue", TemplateKind::GlueReadOnly),
        ("storage", TemplateKind::StorageReadWrite),
    ] {
        let values = parameters(&[
            ("RoleName", name.as_str().unwrap()),
            ("BucketName", "acme-lake"),
            ("Prefix", "warehouse/"),
        ]);
        let ran = create(&home, stack, kind, &values);
        assert_ne!(ran.code, Some(0));
        assert!(ran.stderr.contains("MalformedPolicyDocument"), "{}", ran.stderr);
    }
    // The rule on the account is not looked at.
    let elsewhere = Parameters::from([("AccountId".to_owned(), "999999999999".to_owned())]);
    let elsewhere = plain.into_iter().chain(elsewhere).collect();
    create(&home, "elsewhere", TemplateKind::Connection, &elsewhere).ok();
}

#[test]
fn the_program_works_on_moto_as_far_as_it_goes() {
    let test = "the_program_works_on_moto_as_far_as_it_goes";
    if !peers::present(test, &[Peer::Moto, Peer::Boto3]) {
        return;
    }
    let aws = Emulator::moto(ACCOUNT);
    let home = aws.home();
    let verbs = |line: &str| home.glueup(&line.split(' ').collect::<Vec<_>>());
    verbs("init --name Acme").ok();
    verbs(&format!(
        "connection add --name peer --account-id {ACCOUNT} --trust arn:aws:iam::{ACCOUNT}:user/engine \
         --verifier arn:aws:iam::{ACCOUNT}:user/admin"
    ))
    .ok();
    // From here, through a change set: the role is made, and the stack does not tell it.
    let ran = verbs("deploy connection peer --yes --output json").exits(1);
    assert!(
        ran.error()["why"].as_str().unwrap().contains("no output RoleArn"),
        "{}",
        ran.stderr
    );
    verbs("stack delete connection peer --yes").ok();
    // From the saved template: the program finds it, and knows the role.
    let file = home.path().join("c.yaml").display().to_string();
    verbs(&format!("template save connection peer --to {file}")).ok();
    let note = file.replace(".yaml", ".parameters.json");
    let words = ["create", "glueup-connection-peer", &file, &note];
    peers::script(&home, "three_ways.py", &words).ok();
    let ran = verbs("deploy connection peer --yes").ok();
    assert!(ran.stderr.contains("nothing to do"), "{}", ran.stderr);
    let role = state(&home, "glueup-connection-peer")["role"].clone();
    let shown = json_of(&home, &["connection", "show", "peer"]).ok().json();
    assert_eq!(shown["role_arn"], role["Arn"]);
    assert_eq!(
        role["trust"],
        verbs("template show connection peer --policy").ok().json()
    );
    // A policy on it from here: a change set of a stack whose outputs nobody needs.
    verbs(&format!(
        "storage add --name raw --s3-path s3://acme-lake/raw --access read-write --connection peer --kms-key {KEY}"
    ))
    .ok();
    let ran = verbs("deploy storage raw --yes").ok();
    assert!(ran.stdout.contains("+ add StoragePolicy"), "{}", ran.stdout);
    let stack = json_of(&home, &["storage", "show", "raw"]).ok().json()["stack_name"].clone();
    let inline = state(&home, "glueup-connection-peer")["role"]["inline"].clone();
    let policy = verbs("template show storage raw --policy").ok().json();
    assert_eq!(inline, json!({ stack.as_str().unwrap(): policy }));
    verbs("stack delete storage raw --yes").ok();
    let inline = state(&home, "glueup-connection-peer")["role"]["inline"].clone();
    assert_eq!(inline, json!({}));
    verbs("stack delete connection peer --yes").ok();
    let shown = json_of(&home, &["connection", "show", "peer"]).ok().json();
    assert_eq!(shown["role_arn"], Value::Null);
}
