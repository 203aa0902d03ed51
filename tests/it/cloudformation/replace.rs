//! What a change set says about a stack that is there: what is changed, what goes, what another takes the place of.

use super::change_sets::{Wanted, execute, lines, look, plan, worked_out};
use super::*;
use aws_sdk_cloudformation::types::ChangeSetType;

/// A role, a policy on it, and a policy that may be there.
const PAIR: &str = r#"
Parameters: {Path: {Type: String, Default: /}, Words: {Type: String, Default: a}, Third: {Type: String, Default: 'no'}}
Conditions: {HasThird: !Equals [!Ref Third, 'yes']}
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      Path: !Ref Path
      Description: !Ref Words
      AssumeRolePolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Principal: {AWS: "arn:aws:iam::012345678901:root"}, Action: "sts:AssumeRole"}]}
  OnIt:
    Type: AWS::IAM::RolePolicy
    Properties:
      PolicyName: p
      RoleName: !Ref Role
      PolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Action: "s3:ListBucket", Resource: "*"}]}
  Third:
    Type: AWS::IAM::ManagedPolicy
    Condition: HasThird
    Properties:
      PolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Action: "s3:ListBucket", Resource: "*"}]}
Outputs: {Name: {Value: !Ref Role}}
"#;

#[tokio::test]
async fn changes_removals_and_replacements_are_told_apart() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let with = |set: &'static str, kind: ChangeSetType, pairs: &[(&str, &str)]| Wanted {
        stack: "pair",
        set,
        kind,
        body: PAIR,
        parameters: pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))
            .collect(),
    };
    plan(&client, &with("make", ChangeSetType::Create, &[("Third", "yes")]))
        .await
        .unwrap();
    let set = worked_out(&client, "pair", "make").await;
    assert_eq!(lines(&set), ["Add Role", "Add OnIt", "Add Third"]);
    execute(&client, "pair", "make").await.unwrap();
    assert_eq!(status(&wait(&client, "pair").await), "CREATE_COMPLETE");

    // The same again has nothing in it.
    plan(&client, &with("same", ChangeSetType::Update, &[("Third", "yes")]))
        .await
        .unwrap();
    let set = worked_out(&client, "pair", "same").await;
    assert_eq!(set.status().unwrap().as_str(), "FAILED");
    assert_eq!(
        set.status_reason(),
        Some(
            "The submitted information didn't contain changes. Submit different information to create a change set."
        )
    );
    let (code, message) = execute(&client, "pair", "same").await.unwrap_err();
    assert_eq!(code, "InvalidChangeSetStatus");
    assert!(message.ends_with("current status of [FAILED]"), "{message}");

    plan(&client, &with("small", ChangeSetType::Update, &[("Words", "b")]))
        .await
        .unwrap();
    let set = worked_out(&client, "pair", "small").await;
    assert_eq!(lines(&set), ["Modify Role False", "Remove Third"]);
    let change = set.changes()[0].resource_change().unwrap();
    assert_eq!(change.scope()[0].as_str(), "Properties");
    let target = change.details()[0].target().unwrap();
    assert_eq!(target.name(), Some("Description"));
    assert!(change.physical_resource_id().unwrap().starts_with("pair-Role-"));

    // Another path is another role, and what is on the role may have to move with it.
    plan(
        &client,
        &with(
            "large",
            ChangeSetType::Update,
            &[("Path", "/x/"), ("Third", "yes")],
        ),
    )
    .await
    .unwrap();
    let set = worked_out(&client, "pair", "large").await;
    assert_eq!(lines(&set), ["Modify Role True", "Modify OnIt Conditional"]);
    let listed = client.list_change_sets().stack_name("pair").send().await.unwrap();
    assert_eq!(listed.summaries().len(), 4);

    // Looking has changed nothing; what is executed is what was said, and the others are gone.
    assert!(!output(&describe(&client, "pair").await.unwrap(), "Name").is_empty());
    assert_eq!(
        status(&describe(&client, "pair").await.unwrap()),
        "CREATE_COMPLETE"
    );
    execute(&client, "pair", "small").await.unwrap();
    assert_eq!(status(&wait(&client, "pair").await), "UPDATE_COMPLETE");
    let left = client
        .describe_stack_resources()
        .stack_name("pair")
        .send()
        .await
        .unwrap();
    let names: Vec<_> = left
        .stack_resources()
        .iter()
        .map(|resource| resource.logical_resource_id().unwrap())
        .collect();
    assert_eq!(names, ["Role", "OnIt"]);
    let (code, _) = execute(&client, "pair", "large").await.unwrap_err();
    assert_eq!(code, "ChangeSetNotFound");
}

#[tokio::test]
async fn an_execution_that_fails_says_so() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let wanted = Wanted {
        stack: "lake",
        set: "first",
        kind: ChangeSetType::Create,
        body: TemplateKind::GlueReadOnly.text(),
        parameters: aws.access_parameters("nobody", "lake", "a/"),
    };
    plan(&client, &wanted).await.unwrap();
    worked_out(&client, "lake", "first").await;
    execute(&client, "lake", "first").await.unwrap();
    assert_eq!(status(&wait(&client, "lake").await), "ROLLBACK_COMPLETE");
    let set = look(&client, "lake", "first").await.unwrap();
    assert_eq!(set.execution_status().unwrap().as_str(), "EXECUTE_FAILED");
}
