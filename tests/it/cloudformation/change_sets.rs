//! Change sets: what would be done is said before, and done as it was said.

use super::*;
use aws_sdk_cloudformation::operation::describe_change_set::DescribeChangeSetOutput;
use aws_sdk_cloudformation::types::{ChangeSetType, Tag};

pub struct Wanted<'a> {
    pub stack: &'a str,
    pub set: &'a str,
    pub kind: ChangeSetType,
    pub body: &'a str,
    pub parameters: Parameters,
}

pub async fn plan(client: &Client, wanted: &Wanted<'_>) -> Answer<String> {
    let answer = client
        .create_change_set()
        .stack_name(wanted.stack)
        .change_set_name(wanted.set)
        .change_set_type(wanted.kind.clone())
        .template_body(wanted.body)
        .set_parameters(Some(sdk_parameters(&wanted.parameters)))
        .capabilities(Capability::CapabilityNamedIam)
        .tags(Tag::builder().key("team").value("lake").build())
        .send()
        .await
        .map_err(words)?;
    Ok(answer.stack_id().unwrap().to_owned())
}

pub async fn look(client: &Client, stack: &str, set: &str) -> Answer<DescribeChangeSetOutput> {
    client
        .describe_change_set()
        .stack_name(stack)
        .change_set_name(set)
        .send()
        .await
        .map_err(words)
}

pub async fn worked_out(client: &Client, stack: &str, set: &str) -> DescribeChangeSetOutput {
    let begun = Instant::now();
    loop {
        let seen = look(client, stack, set).await.unwrap();
        if seen.status().unwrap().as_str() != "CREATE_PENDING" {
            return seen;
        }
        assert!(seen.changes().is_empty() && seen.execution_status().unwrap().as_str() == "UNAVAILABLE");
        assert!(begun.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// `Action LogicalId Replacement`, a line a change.
pub fn lines(set: &DescribeChangeSetOutput) -> Vec<String> {
    let changes = set
        .changes()
        .iter()
        .map(|change| change.resource_change().unwrap());
    changes
        .map(|change| {
            let replacement = change.replacement().map_or("", |r| r.as_str());
            let line = format!(
                "{} {} {replacement}",
                change.action().unwrap().as_str(),
                change.logical_resource_id().unwrap()
            );
            line.trim_end().to_owned()
        })
        .collect()
}

pub async fn execute(client: &Client, stack: &str, set: &str) -> Answer<()> {
    client
        .execute_change_set()
        .stack_name(stack)
        .change_set_name(set)
        .send()
        .await
        .map(drop)
        .map_err(words)
}

#[tokio::test]
async fn a_stack_is_in_review_until_its_change_set_is_executed() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let wanted = Wanted {
        stack: "c",
        set: "first",
        kind: ChangeSetType::Create,
        body: TemplateKind::Connection.text(),
        parameters: aws.connection_parameters(),
    };
    let id = plan(&client, &wanted).await.unwrap();
    assert_eq!(plan(&client, &wanted).await.unwrap(), id, "the same once more");
    let set = worked_out(&client, "c", "first").await;
    assert_eq!(lines(&set), ["Add ConnectionRole"]);
    assert_eq!(set.execution_status().unwrap().as_str(), "AVAILABLE");
    assert_eq!(set.tags()[0].key(), Some("team"));
    assert!(
        set.parameters()
            .iter()
            .any(|p| p.parameter_key() == Some("ExternalId") && p.parameter_value() == Some("gu-a+b=c,d"))
    );

    // The stack is a name and no more: it says neither what it will be nor whose.
    let stack = describe(&client, "c").await.unwrap();
    assert_eq!(
        (status(&stack).as_str(), stack.stack_id().unwrap()),
        ("REVIEW_IN_PROGRESS", id.as_str())
    );
    assert!(stack.parameters().is_empty() && stack.tags().is_empty());
    assert_eq!(stack.change_set_id(), set.change_set_id());
    let (code, _) = create(&client, "c", wanted.body, &wanted.parameters)
        .await
        .unwrap_err();
    assert_eq!(code, "AlreadyExistsException");
    let (_, message) = update(&client, "c", wanted.body, &wanted.parameters)
        .await
        .unwrap_err();
    assert_eq!(
        message,
        format!("Stack:{id} is in REVIEW_IN_PROGRESS state and can not be updated.")
    );
    let other = Wanted {
        parameters: Parameters::from([("RolePath".to_owned(), "/x/".to_owned())])
            .into_iter()
            .chain(
                wanted
                    .parameters
                    .clone()
                    .into_iter()
                    .filter(|(k, _)| k != "RolePath"),
            )
            .collect(),
        ..wanted
    };
    let (code, message) = plan(&client, &other).await.unwrap_err();
    assert_eq!(code, "AlreadyExistsException");
    assert!(
        message.ends_with("mismatch with existing attribute Parameters"),
        "{message}"
    );

    execute(&client, "c", set.change_set_id().unwrap()).await.unwrap();
    let stack = wait(&client, "c").await;
    assert_eq!(status(&stack), "CREATE_COMPLETE");
    assert_eq!(stack.stack_id(), Some(id.as_str()));
    assert_eq!(stack.tags()[0].value(), Some("lake"));
    let set = look(&client, "c", "first").await.unwrap();
    assert_eq!(set.execution_status().unwrap().as_str(), "EXECUTE_COMPLETE");
    let (code, message) = execute(&client, "c", "first").await.unwrap_err();
    assert_eq!(code, "InvalidChangeSetStatus", "{message}");
    let again = Wanted {
        set: "second",
        ..other
    };
    let (_, message) = plan(&client, &again).await.unwrap_err();
    assert_eq!(
        message,
        "Stack [c] already exists and cannot be created again with the changeSet [second]."
    );
}

#[tokio::test]
async fn a_change_set_that_is_deleted_leaves_its_stack_to_be_deleted() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let wanted = Wanted {
        stack: "c",
        set: "first",
        kind: ChangeSetType::Create,
        body: TemplateKind::Connection.text(),
        parameters: aws.connection_parameters(),
    };
    let id = plan(&client, &wanted).await.unwrap();
    let (code, message) = execute(&client, "c", "first").await.unwrap_err();
    assert_eq!(code, "InvalidChangeSetStatus");
    assert!(
        message.ends_with("in its current status of [CREATE_PENDING]"),
        "{message}"
    );
    for _ in 0..2 {
        let delete = client
            .delete_change_set()
            .stack_name("c")
            .change_set_name("first");
        delete.send().await.unwrap();
    }
    let (code, _) = look(&client, "c", "first").await.unwrap_err();
    assert_eq!(code, "ChangeSetNotFound");
    assert_eq!(
        status(&describe(&client, "c").await.unwrap()),
        "REVIEW_IN_PROGRESS"
    );
    client.delete_stack().stack_name("c").send().await.unwrap();
    let begun = Instant::now();
    while status(&describe(&client, &id).await.unwrap()) != "DELETE_COMPLETE" {
        assert!(begun.elapsed() < Duration::from_secs(30));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(describe(&client, "c").await.is_err());
    let (_, message) = look(&client, "c", "first").await.unwrap_err();
    assert_eq!(message, "Stack [c] does not exist");
}

#[tokio::test]
async fn what_create_stack_refuses_makes_no_change_set_and_no_stack() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let wanted = |parameters: Parameters| Wanted {
        stack: "c",
        set: "first",
        kind: ChangeSetType::Create,
        body: TemplateKind::Connection.text(),
        parameters,
    };
    let mut elsewhere = aws.connection_parameters();
    elsewhere.insert("AccountId".to_owned(), "999988887777".to_owned());
    let (code, message) = plan(&client, &wanted(elsewhere)).await.unwrap_err();
    assert_eq!(code, "ValidationError");
    assert!(message.contains("belongs in another AWS account"), "{message}");
    let bare = client
        .create_change_set()
        .stack_name("c")
        .change_set_name("first")
        .change_set_type(ChangeSetType::Create)
        .template_body(TemplateKind::Connection.text())
        .set_parameters(Some(sdk_parameters(&aws.connection_parameters())));
    let (code, _) = bare.send().await.map_err(words).unwrap_err();
    assert_eq!(code, "InsufficientCapabilitiesException");
    let (code, message) = plan(
        &client,
        &Wanted {
            kind: ChangeSetType::Update,
            ..wanted(aws.connection_parameters())
        },
    )
    .await
    .unwrap_err();
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("ValidationError", "Stack [c] does not exist")
    );
    let stranger = aws.cloudformation(&aws.outsider());
    let (code, message) = plan(&stranger, &wanted(aws.connection_parameters()))
        .await
        .unwrap_err();
    assert_eq!(code, "AccessDenied");
    assert!(message.contains("cloudformation:CreateChangeSet"), "{message}");
    assert!(describe(&client, "c").await.is_err());

    plan(&client, &wanted(aws.connection_parameters())).await.unwrap();
    worked_out(&client, "c", "first").await;
    for (action, answer) in [
        ("DescribeChangeSet", look(&stranger, "c", "first").await.map(drop)),
        ("ExecuteChangeSet", execute(&stranger, "c", "first").await),
        (
            "ListChangeSets",
            stranger
                .list_change_sets()
                .stack_name("c")
                .send()
                .await
                .map(drop)
                .map_err(words),
        ),
        (
            "DeleteChangeSet",
            stranger
                .delete_change_set()
                .stack_name("c")
                .change_set_name("first")
                .send()
                .await
                .map(drop)
                .map_err(words),
        ),
    ] {
        let (code, message) = answer.unwrap_err();
        assert_eq!(code, "AccessDenied", "{action}");
        assert!(message.contains(&format!("cloudformation:{action}")), "{message}");
    }
}
