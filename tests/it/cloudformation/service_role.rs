//! Service roles: CloudFormation works with the rights of the role that is passed, and the stack keeps it.

use super::{Answer, Aws, Client, Keys, describe, events, output, sdk_parameters, status, wait, words};
use aws_sdk_cloudformation::types::{Capability, ChangeSetType};
use glueup::demo::Options;
use glueup::stack::template::TemplateKind;
use serde_json::{Value, json};
use std::time::Duration;

/// Makes a role by a stack of its own; its ARN.
async fn role(client: &Client, name: &str, principal: Value, statements: Value) -> String {
    let body = json!({
        "Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {
            "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [
                {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole"}]},
            "Policies": [{"PolicyName": "p", "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}],
        }}},
        "Outputs": {"Arn": {"Value": {"Fn::GetAtt": ["Role", "Arn"]}}},
    });
    super::create(client, name, &body.to_string(), &Default::default())
        .await
        .unwrap();
    output(&wait(client, name).await, "Arn")
}

fn cloudformation() -> Value {
    json!({"Service": "cloudformation.amazonaws.com"})
}

fn allow(actions: Value, resource: &str) -> Value {
    json!({"Effect": "Allow", "Action": actions, "Resource": resource})
}

/// Somebody who may work with stacks and has these statements besides.
async fn deployer(aws: &Aws, admin: &Client, name: &str, besides: Value) -> Client {
    let account = json!({"AWS": format!("arn:aws:iam::{}:root", aws.handle.account_id)});
    let own = json!([allow(json!("cloudformation:*"), "*"), besides]);
    let arn = role(admin, name, account, own).await;
    let keys: Keys = aws.assume(&aws.admin(), &arn, None).await.unwrap();
    aws.cloudformation(&keys)
}

async fn make(aws: &Aws, client: &Client, name: &str, role: Option<&str>) -> Answer<()> {
    client
        .create_stack()
        .stack_name(name)
        .template_body(TemplateKind::Connection.text())
        .set_parameters(Some(sdk_parameters(&aws.connection_parameters())))
        .capabilities(Capability::CapabilityIam)
        .set_role_arn(role.map(str::to_owned))
        .send()
        .await
        .map(drop)
        .map_err(words)
}

async fn delete(client: &Client, name: &str) -> Answer<()> {
    let sent = client.delete_stack().stack_name(name).send().await;
    sent.map(drop).map_err(words)
}

async fn why_failed(client: &Client, name: &str) -> String {
    let all = events(client, name).await;
    let failed = |event: &&aws_sdk_cloudformation::types::StackEvent| {
        event.resource_status().unwrap().as_str() == "CREATE_FAILED"
    };
    let found = all.iter().rev().find(failed).unwrap();
    found.resource_status_reason().unwrap().to_owned()
}

#[tokio::test]
async fn the_roles_rights_count_and_not_the_callers_and_the_stack_keeps_the_role() {
    let aws = Aws::start(Options::default());
    let admin = aws.cloudformation(&aws.admin());
    let service = role(
        &admin,
        "service",
        cloudformation(),
        json!([allow(json!("iam:*"), "*")]),
    )
    .await;
    let weak = role(
        &admin,
        "weak",
        cloudformation(),
        json!([allow(json!("iam:Get*"), "*")]),
    )
    .await;
    let mut to_cloudformation = allow(json!("iam:PassRole"), "*");
    to_cloudformation["Condition"] =
        json!({"StringEquals": {"iam:PassedToService": "cloudformation.amazonaws.com"}});
    let passer = deployer(&aws, &admin, "passer", to_cloudformation).await;
    let other = deployer(&aws, &admin, "other", allow(json!("iam:Get*"), "*")).await;

    // Without the role, by its own rights, the deployer can make nothing.
    make(&aws, &passer, "bare", None).await.unwrap();
    assert_eq!(status(&wait(&passer, "bare").await), "ROLLBACK_COMPLETE");
    let why = why_failed(&passer, "bare").await;
    assert!(
        why.contains(":assumed-role/passer-") && why.contains("iam:CreateRole"),
        "{why}"
    );

    make(&aws, &passer, "mine", Some(&service)).await.unwrap();
    let stack = wait(&passer, "mine").await;
    assert_eq!(
        (status(&stack).as_str(), stack.role_arn()),
        ("CREATE_COMPLETE", Some(service.as_str()))
    );

    // The role's rights count: an admin that passes a weak one makes nothing either.
    make(&aws, &admin, "weakly", Some(&weak)).await.unwrap();
    assert_eq!(status(&wait(&admin, "weakly").await), "ROLLBACK_COMPLETE");
    let why = why_failed(&admin, "weakly").await;
    let name = weak.rsplit('/').next().unwrap();
    assert!(
        why.contains(&format!(
            "User: arn:aws:sts::012345678901:assumed-role/{name}/AWSCloudFormation is not authorized to perform: \
             iam:CreateRole on resource: "
        )),
        "{why}"
    );

    // A stack keeps its role, also for somebody who could not pass it.
    let mut changed = aws.connection_parameters();
    changed.insert("ExternalId".to_owned(), "another-id".to_owned());
    super::update(&other, "mine", TemplateKind::Connection.text(), &changed)
        .await
        .unwrap();
    let stack = wait(&other, "mine").await;
    assert_eq!(
        (status(&stack).as_str(), stack.role_arn()),
        ("UPDATE_COMPLETE", Some(service.as_str()))
    );
    delete(&other, "mine").await.unwrap();
    let gone = || async { describe(&other, "mine").await.is_err() };
    for _ in 0..200 {
        if gone().await {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(gone().await);
}

#[tokio::test]
async fn a_role_that_may_not_be_passed_or_assumed_is_refused_before_anything_is_made() {
    let aws = Aws::start(Options::default());
    let admin = aws.cloudformation(&aws.admin());
    let all = json!([allow(json!("iam:*"), "*")]);
    let service = role(&admin, "service", cloudformation(), all.clone()).await;
    let lambdas = role(&admin, "lambdas", json!({"Service": "lambda.amazonaws.com"}), all).await;
    let mut to_lambda = allow(json!("iam:PassRole"), "*");
    to_lambda["Condition"] = json!({"StringEquals": {"iam:PassedToService": "lambda.amazonaws.com"}});
    let wrong = deployer(&aws, &admin, "wrong", to_lambda).await;
    let (code, message) = make(&aws, &wrong, "s", Some(&service)).await.unwrap_err();
    assert_eq!(code, "AccessDenied");
    assert!(
        message.contains(&format!(
            "is not authorized to perform: iam:PassRole on resource: {service} because no identity-based policy allows the \
             iam:PassRole action"
        )),
        "{message}"
    );
    let absent = "arn:aws:iam::012345678901:role/absent";
    for (given, code, words) in [
        (
            lambdas.as_str(),
            "ValidationError",
            format!("Role {lambdas} is invalid or cannot be assumed"),
        ),
        (
            absent,
            "ValidationError",
            format!("Role {absent} is invalid or cannot be assumed"),
        ),
        (
            "arn:aws:iam::999988887777:role/theirs",
            "AccessDenied",
            "Cross-account pass role is not allowed.".to_owned(),
        ),
        (
            "arn:aws:iam::012345678901:user/admin",
            "ValidationError",
            "arn:aws:iam::012345678901:user/admin is not a valid RoleARN".to_owned(),
        ),
    ] {
        let refused = make(&aws, &admin, "s", Some(given)).await.unwrap_err();
        assert_eq!(refused, (code.to_owned(), words), "{given}");
    }
    assert!(describe(&admin, "s").await.is_err());
}

#[tokio::test]
async fn a_change_set_is_carried_out_with_its_role_and_a_role_that_is_gone_holds_the_stack() {
    let aws = Aws::start(Options::default());
    let admin = aws.cloudformation(&aws.admin());
    let all = json!([allow(json!("iam:*"), "*")]);
    let service = role(&admin, "service", cloudformation(), all).await;
    let passer = deployer(&aws, &admin, "passer", allow(json!("iam:PassRole"), &service)).await;
    let set = passer
        .create_change_set()
        .stack_name("mine")
        .change_set_name("set")
        .change_set_type(ChangeSetType::Create)
        .template_body(TemplateKind::Connection.text())
        .set_parameters(Some(sdk_parameters(&aws.connection_parameters())))
        .capabilities(Capability::CapabilityIam)
        .role_arn(&service)
        .send()
        .await
        .unwrap();
    loop {
        let shown = passer.describe_change_set().stack_name("mine");
        let shown = shown.change_set_name("set").send().await.unwrap();
        if shown.status().unwrap().as_str() == "CREATE_COMPLETE" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let execute = passer.execute_change_set().change_set_name(set.id().unwrap());
    execute.send().await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let stack = wait(&passer, "mine").await;
    assert_eq!(
        (status(&stack).as_str(), stack.role_arn()),
        ("CREATE_COMPLETE", Some(service.as_str()))
    );

    delete(&admin, "service").await.unwrap();
    for _ in 0..200 {
        if describe(&admin, "service").await.is_err() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (code, message) = delete(&admin, "mine").await.unwrap_err();
    assert_eq!(
        (code.as_str(), message),
        (
            "ValidationError",
            format!("Role {service} is invalid or cannot be assumed")
        )
    );
    assert_eq!(status(&wait(&admin, "mine").await), "CREATE_COMPLETE");
}
