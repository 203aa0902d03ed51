//! Stacks that CloudFormation could not bring to an end: an update that is not undone, a deletion that keeps something.

use super::*;

const DEPLOYER: &str = r#"{"Resources": {"Deployer": {"Type": "AWS::IAM::Role", "Properties": {"RoleName": "deployer",
    "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole",
        "Principal": {"AWS": "arn:aws:iam::012345678901:root"}}]},
    "Policies": [{"PolicyName": "all", "PolicyDocument": {"Version": "2012-10-17", "Statement": [
        {"Effect": "Allow", "Action": "*", "Resource": "*"}]}}]}}}}"#;
const GUARD: &str = r#"{"Resources": {"Guard": {"Type": "AWS::IAM::Policy", "Properties": {"PolicyName": "guard",
    "Roles": ["deployer"], "PolicyDocument": {"Version": "2012-10-17", "Statement": [
        {"Effect": "Deny", "Action": "iam:UpdateAssumeRolePolicy", "Resource": "*"}]}}}}}"#;

async fn make(client: &Client, name: &str, body: &str) {
    client
        .create_stack()
        .stack_name(name)
        .template_body(body)
        .capabilities(Capability::CapabilityNamedIam)
        .send()
        .await
        .unwrap();
    assert_eq!(status(&wait(client, name).await), "CREATE_COMPLETE");
}

async fn delete(client: &Client, name: &str) {
    client.delete_stack().stack_name(name).send().await.unwrap();
    while describe(client, name).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn proceed(client: &Client, name: &str, skip: Option<&str>) -> Answer<()> {
    client
        .continue_update_rollback()
        .stack_name(name)
        .set_resources_to_skip(skip.map(|one| vec![one.to_owned()]))
        .send()
        .await
        .map(drop)
        .map_err(words)
}

/// A connection whose update could be neither made nor taken back; the client of the deployer who lacks the right.
async fn not_undone(aws: &Aws) -> Client {
    let admin = aws.cloudformation(&aws.admin());
    make(&admin, "deployer", DEPLOYER).await;
    let keys = aws
        .assume(&aws.admin(), "arn:aws:iam::012345678901:role/deployer", None)
        .await
        .unwrap();
    let client = aws.cloudformation(&keys);
    aws.connection(&client, "c").await;
    make(&admin, "guard", GUARD).await;
    let mut changed = aws.connection_parameters();
    changed.insert("ExternalId".to_owned(), "gu-another-one".to_owned());
    update(&client, "c", TemplateKind::Connection.text(), &changed)
        .await
        .unwrap();
    assert_eq!(status(&wait(&client, "c").await), "UPDATE_ROLLBACK_FAILED");
    client
}

#[tokio::test]
async fn an_update_that_could_not_be_undone_is_undone_once_it_can_be() {
    let aws = Aws::start(Options::default());
    let client = not_undone(&aws).await;
    let admin = aws.cloudformation(&aws.admin());
    let mut changed = aws.connection_parameters();
    changed.insert("ExternalId".to_owned(), "gu-a-third".to_owned());
    let refused = update(&client, "c", TemplateKind::Connection.text(), &changed).await;
    assert!(refused.unwrap_err().1.contains("UPDATE_ROLLBACK_FAILED"));
    // Nothing has changed: it fails once more.
    proceed(&client, "c", None).await.unwrap();
    assert_eq!(status(&wait(&client, "c").await), "UPDATE_ROLLBACK_FAILED");
    delete(&admin, "guard").await;
    proceed(&client, "c", None).await.unwrap();
    assert_eq!(status(&wait(&client, "c").await), "UPDATE_ROLLBACK_COMPLETE");
    let lines = course(&client, "c").await;
    let begun = lines
        .iter()
        .rposition(|l| l == "c UPDATE_ROLLBACK_IN_PROGRESS")
        .unwrap();
    assert_eq!(
        lines[begun..],
        [
            "c UPDATE_ROLLBACK_IN_PROGRESS",
            "ConnectionRole UPDATE_IN_PROGRESS",
            "ConnectionRole UPDATE_COMPLETE",
            "c UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
            "c UPDATE_ROLLBACK_COMPLETE"
        ]
    );
    let (code, message) = proceed(&client, "c", None).await.unwrap_err();
    assert_eq!(code, "ValidationError");
    assert!(message.contains("UPDATE_ROLLBACK_COMPLETE"), "{message}");
}

#[tokio::test]
async fn what_can_never_be_put_back_is_skipped_and_nothing_else_is() {
    let aws = Aws::start(Options::default());
    let client = not_undone(&aws).await;
    let (_, message) = proceed(&client, "c", Some("Another")).await.unwrap_err();
    assert!(message.contains("[Another]"), "{message}");
    proceed(&client, "c", Some("ConnectionRole")).await.unwrap();
    assert_eq!(status(&wait(&client, "c").await), "UPDATE_ROLLBACK_COMPLETE");
}

#[tokio::test]
async fn only_a_deletion_that_has_failed_may_let_something_stay() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let (role, arn) = aws.connection(&client, "c").await;
    let keep = async |what: &str| {
        let asked = client.delete_stack().stack_name("c").retain_resources(what);
        asked.send().await.map(drop).map_err(words)
    };
    let (_, message) = keep("ConnectionRole").await.unwrap_err();
    assert!(message.contains("DELETE_FAILED state"), "{message}");
    let by_hand = GUARD.replace("\"deployer\"", &format!("\"{role}\""));
    make(&client, "by-hand", &by_hand).await;
    client.delete_stack().stack_name("c").send().await.unwrap();
    let stack = wait(&client, "c").await;
    assert_eq!(status(&stack), "DELETE_FAILED");
    let id = stack.stack_id().unwrap().to_owned();
    let (_, message) = keep("Another").await.unwrap_err();
    assert!(message.contains("[Another]"), "{message}");
    keep("ConnectionRole").await.unwrap();
    assert_eq!(status(&wait(&client, &id).await), "DELETE_COMPLETE");
    let lines = course(&client, &id).await;
    assert!(
        lines.contains(&"ConnectionRole DELETE_SKIPPED".to_owned()),
        "{lines:?}"
    );
    let broker = aws
        .assume(&aws.admin(), &aws.handle.broker_role_arn, None)
        .await
        .unwrap();
    assert!(
        aws.assume(&broker, &arn, Some("gu-a+b=c,d")).await.is_ok(),
        "the role is there"
    );
}

#[tokio::test]
async fn an_update_that_is_kept_when_it_fails_is_taken_back_on_request_or_goes_with_its_stack() {
    let aws = Aws::start(Options::default());
    let admin = aws.cloudformation(&aws.admin());
    make(&admin, "deployer", DEPLOYER).await;
    let keys = aws
        .assume(&aws.admin(), "arn:aws:iam::012345678901:role/deployer", None)
        .await
        .unwrap();
    let client = aws.cloudformation(&keys);
    let (_, arn) = aws.connection(&client, "c").await;
    let back = async || {
        let asked = client.rollback_stack().stack_name("c").send();
        asked.await.map(drop).map_err(words)
    };
    let (code, message) = back().await.unwrap_err();
    assert_eq!(code, "ValidationError");
    assert!(message.contains("CREATE_COMPLETE"), "{message}");
    let mut changed = aws.connection_parameters();
    changed.insert("ExternalId".to_owned(), "gu-another-one".to_owned());
    // A second role is made, and then the first cannot be changed.
    let body = TemplateKind::Connection.text().replace(
        "Resources:\n",
        "Resources:\n  Another:\n    Type: AWS::IAM::Role\n    Properties:\n      RoleName: another\n      \
         AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: [{Effect: Allow, \
         Action: 'sts:AssumeRole', Principal: {AWS: 'arn:aws:iam::012345678901:root'}}]}\n",
    );
    let keep = async || {
        let asked = client
            .update_stack()
            .stack_name("c")
            .template_body(&body)
            .set_parameters(Some(sdk_parameters(&changed)))
            .capabilities(Capability::CapabilityNamedIam)
            .disable_rollback(true);
        asked.send().await.unwrap();
        assert_eq!(status(&wait(&client, "c").await), "UPDATE_FAILED");
    };
    make(&admin, "guard", GUARD).await;
    keep().await;
    let refused = update(&client, "c", TemplateKind::Connection.text(), &changed).await;
    assert!(refused.unwrap_err().1.contains("UPDATE_FAILED"));
    delete(&admin, "guard").await;
    back().await.unwrap();
    let stack = wait(&client, "c").await;
    assert_eq!(status(&stack), "UPDATE_ROLLBACK_COMPLETE");
    let lines = course(&client, "c").await;
    assert!(lines.contains(&"Another DELETE_COMPLETE".to_owned()), "{lines:?}");
    let told = stack
        .outputs()
        .iter()
        .find(|output| output.output_key() == Some("ExternalId"));
    assert_eq!(told.unwrap().output_value(), Some("gu-a+b=c,d"));
    let broker = aws.assume(&aws.admin(), &aws.handle.broker_role_arn, None).await;
    assert!(
        aws.assume(&broker.unwrap(), &arn, Some("gu-a+b=c,d"))
            .await
            .is_ok()
    );

    make(&admin, "guard", GUARD).await;
    keep().await;
    delete(&client, "c").await;
    let lines = course(&client, stack.stack_id().unwrap()).await;
    assert!(
        !lines.iter().any(|line| line.contains("DELETE_FAILED")),
        "{lines:?}"
    );
}
