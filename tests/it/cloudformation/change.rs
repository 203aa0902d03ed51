//! Updates and deletions.

use super::*;

#[tokio::test]
async fn an_update_changes_the_policy_and_a_failed_one_is_taken_back() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    aws.make_bucket("lake").await;
    let (role, arn) = aws.connection(&client, "c").await;
    let broker = aws
        .assume(&aws.admin(), &aws.handle.broker_role_arn, None)
        .await
        .unwrap();
    let session = aws.assume(&broker, &arn, Some("gu-a+b=c,d")).await.unwrap();
    let body = TemplateKind::GlueReadOnly.text();
    let before = aws.access_parameters(&role, "lake", "a/");
    create(&client, "lake", body, &before).await.unwrap();
    wait(&client, "lake").await;
    assert!(aws.lists(&session, "lake", "a/").await && !aws.lists(&session, "lake", "b/").await);

    let (_, message) = update(&client, "lake", body, &before).await.unwrap_err();
    assert_eq!(message, "No updates are to be performed.");
    update(&client, "lake", body, &aws.access_parameters(&role, "lake", "b/"))
        .await
        .unwrap();
    assert_eq!(status(&wait(&client, "lake").await), "UPDATE_COMPLETE");
    assert!(!aws.lists(&session, "lake", "a/").await && aws.lists(&session, "lake", "b/").await);

    // The role that the update names is not there.
    update(
        &client,
        "lake",
        body,
        &aws.access_parameters("nobody", "lake", "a/"),
    )
    .await
    .unwrap();
    let stack = wait(&client, "lake").await;
    assert_eq!(status(&stack), "UPDATE_ROLLBACK_COMPLETE");
    let value = |key: &str| {
        let found = stack
            .parameters()
            .iter()
            .find(|parameter| parameter.parameter_key() == Some(key));
        found.unwrap().parameter_value().unwrap().to_owned()
    };
    assert_eq!(
        (value("Prefix"), value("RoleName")),
        ("b/".to_owned(), role.clone())
    );
    assert!(!aws.lists(&session, "lake", "a/").await && aws.lists(&session, "lake", "b/").await);
    let course = course(&client, "lake").await;
    for line in [
        "CatalogPolicy UPDATE_FAILED",
        "lake UPDATE_ROLLBACK_IN_PROGRESS",
        "lake UPDATE_ROLLBACK_COMPLETE",
    ] {
        assert!(course.iter().any(|seen| seen == line), "{line}: {course:?}");
    }

    // Another path of the role makes another role in its place, and the old one goes.
    let mut moved = aws.connection_parameters();
    moved.insert("RolePath".to_owned(), "/teams/".to_owned());
    client.delete_stack().stack_name("lake").send().await.unwrap();
    while describe(&client, "lake").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    update(&client, "c", TemplateKind::Connection.text(), &moved)
        .await
        .unwrap();
    let stack = wait(&client, "c").await;
    assert_eq!(status(&stack), "UPDATE_COMPLETE");
    assert!(output(&stack, "RoleArn").contains(":role/teams/c-ConnectionRole-"));
    assert!(
        aws.assume(&broker, &output(&stack, "RoleArn"), Some("gu-a+b=c,d"))
            .await
            .is_ok()
    );
    assert!(aws.assume(&broker, &arn, Some("gu-a+b=c,d")).await.is_err());
}

#[tokio::test]
async fn a_deletion_asked_for_in_the_middle_wins() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let id = create(
        &client,
        "c",
        TemplateKind::Connection.text(),
        &aws.connection_parameters(),
    )
    .await
    .unwrap();
    let (_, message) = update(
        &client,
        "c",
        TemplateKind::Connection.text(),
        &aws.connection_parameters(),
    )
    .await
    .map(|()| (String::new(), String::new()))
    .unwrap_or_else(|words| words);
    assert!(
        message.contains("No updates") || message.contains("CREATE_IN_PROGRESS"),
        "{message}"
    );
    client.delete_stack().stack_name("c").send().await.unwrap();
    assert_eq!(status(&wait_deleted(&client, &id).await), "DELETE_COMPLETE");
}

async fn wait_deleted(client: &Client, id: &str) -> Stack {
    let begun = Instant::now();
    loop {
        let stack = describe(client, id).await.unwrap();
        if status(&stack).starts_with("DELETE_") && !status(&stack).ends_with("IN_PROGRESS") {
            return stack;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{}", status(&stack));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
