//! Stacks that are made.

use super::*;
use aws_sdk_cloudformation::types::Tag;

#[tokio::test]
async fn the_stacks_of_our_templates_open_what_they_say_and_nothing_else() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    aws.make_bucket("lake").await;

    let answer = client
        .create_stack()
        .stack_name("glueup-connection-prod")
        .template_url(aws.template_url(TemplateKind::Connection))
        .set_parameters(Some(sdk_parameters(&aws.connection_parameters())))
        .capabilities(Capability::CapabilityIam)
        .tags(Tag::builder().key("glueup:organization").value("self").build())
        .send()
        .await
        .unwrap();
    let id = answer.stack_id().unwrap();
    assert!(
        id.starts_with("arn:aws:cloudformation:us-west-2:012345678901:stack/glueup-connection-prod/"),
        "{id}"
    );
    let stack = wait(&client, "glueup-connection-prod").await;
    assert_eq!(status(&stack), "CREATE_COMPLETE");
    assert_eq!(stack.tags()[0].value(), Some("self"));
    assert_eq!(stack.capabilities(), [Capability::CapabilityIam]);
    assert_eq!(output(&stack, "ExternalId"), "gu-a+b=c,d");
    assert_eq!(output(&stack, "AccountId"), "012345678901");
    let (role, arn) = (output(&stack, "RoleName"), output(&stack, "RoleArn"));
    assert_eq!(arn, format!("arn:aws:iam::012345678901:role/{role}"));
    assert!(
        role.len() <= 64 && role.starts_with("glueup-connection-prod-ConnectionRole-"),
        "{role}"
    );
    assert_eq!(
        course(&client, "glueup-connection-prod").await,
        [
            "glueup-connection-prod CREATE_IN_PROGRESS",
            "ConnectionRole CREATE_IN_PROGRESS",
            "ConnectionRole CREATE_IN_PROGRESS",
            "ConnectionRole CREATE_COMPLETE",
            "glueup-connection-prod CREATE_COMPLETE",
        ]
    );
    let resources = client
        .describe_stack_resources()
        .stack_name("glueup-connection-prod")
        .send()
        .await
        .unwrap();
    assert_eq!(
        resources.stack_resources()[0].physical_resource_id(),
        Some(role.as_str())
    );

    let broker = aws
        .assume(&aws.admin(), &aws.handle.broker_role_arn, None)
        .await
        .unwrap();
    assert_eq!(aws.assume(&broker, &arn, None).await.unwrap_err(), "AccessDenied");
    assert_eq!(
        aws.assume(&broker, &arn, Some("wrong")).await.unwrap_err(),
        "AccessDenied"
    );
    assert_eq!(
        aws.assume(&aws.admin(), &arn, Some("gu-a+b=c,d"))
            .await
            .unwrap_err(),
        "AccessDenied"
    );
    let session = aws.assume(&broker, &arn, Some("gu-a+b=c,d")).await.unwrap();
    assert!(
        !aws.lists(&session, "lake", "sales/").await,
        "the connection alone opens nothing"
    );

    let parameters = aws.access_parameters(&role, "lake", "sales/");
    create(
        &client,
        "glueup-glue-readonly-lake",
        TemplateKind::GlueReadOnly.text(),
        &parameters,
    )
    .await
    .unwrap();
    let stack = wait(&client, "glueup-glue-readonly-lake").await;
    assert_eq!(status(&stack), "CREATE_COMPLETE");
    assert_eq!(output(&stack, "Access"), "read-only");
    assert!(aws.lists(&session, "lake", "sales/").await);
    assert!(aws.lists(&session, "lake", "sales/2026/").await);
    assert!(!aws.lists(&session, "lake", "sales").await);
    assert!(!aws.lists(&session, "lake", "sales_archive/").await);
    assert!(!aws.lists(&session, "lake", "").await);

    // The connection cannot go while a catalog's policy is on its role; without it, it can.
    client
        .delete_stack()
        .stack_name("glueup-connection-prod")
        .send()
        .await
        .unwrap();
    let stack = wait(&client, "glueup-connection-prod").await;
    assert_eq!(status(&stack), "DELETE_FAILED");
    assert!(
        stack.stack_status_reason().unwrap().contains("[ConnectionRole]"),
        "{stack:?}"
    );
    client
        .delete_stack()
        .stack_name("glueup-glue-readonly-lake")
        .send()
        .await
        .unwrap();
    let id = stack.stack_id().unwrap().to_owned();
    while describe(&client, "glueup-glue-readonly-lake").await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(
        !aws.lists(&session, "lake", "sales/").await,
        "the policy went with its stack"
    );
    client
        .delete_stack()
        .stack_name("glueup-connection-prod")
        .send()
        .await
        .unwrap();
    assert_eq!(status(&wait(&client, &id).await), "DELETE_COMPLETE");
    assert_eq!(
        aws.assume(&broker, &arn, Some("gu-a+b=c,d")).await.unwrap_err(),
        "AccessDenied"
    );
}

#[tokio::test]
async fn a_stack_goes_on_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let options = || Options {
        state_dir: Some(dir.path().to_owned()),
        ..Options::default()
    };
    let aws = Aws::start(options());
    let client = aws.cloudformation(&aws.admin());
    let done = create(
        &client,
        "done",
        TemplateKind::Connection.text(),
        &aws.connection_parameters(),
    )
    .await
    .unwrap();
    let before = wait(&client, "done").await;
    let id = create(
        &client,
        "middle",
        TemplateKind::Connection.text(),
        &aws.connection_parameters(),
    )
    .await
    .unwrap();
    assert_eq!(
        status(&describe(&client, "middle").await.unwrap()),
        "CREATE_IN_PROGRESS"
    );
    aws.handle.shutdown();

    let aws = Aws::start(options());
    let client = aws.cloudformation(&aws.admin());
    let after = describe(&client, "done").await.unwrap();
    assert_eq!(output(&after, "RoleArn"), output(&before, "RoleArn"));
    assert_eq!(after.stack_id(), Some(done.as_str()));
    let stack = wait(&client, "middle").await;
    assert_eq!(
        (status(&stack).as_str(), stack.stack_id()),
        ("CREATE_COMPLETE", Some(id.as_str()))
    );
    let course = course(&client, "middle").await;
    assert_eq!(
        course
            .iter()
            .filter(|line| *line == "ConnectionRole CREATE_COMPLETE")
            .count(),
        1,
        "{course:?}"
    );
    let broker = aws
        .assume(&aws.admin(), &aws.handle.broker_role_arn, None)
        .await
        .unwrap();
    assert!(
        aws.assume(&broker, &output(&stack, "RoleArn"), Some("gu-a+b=c,d"))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn the_same_request_sent_twice_makes_one_stack() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let parameters = aws.connection_parameters();
    let send = || {
        client
            .create_stack()
            .stack_name("c")
            .template_body(TemplateKind::Connection.text())
            .set_parameters(Some(sdk_parameters(&parameters)))
            .capabilities(Capability::CapabilityIam)
            .client_request_token("once")
            .send()
    };
    let (first, second) = (send().await.unwrap(), send().await.unwrap());
    assert_eq!(first.stack_id(), second.stack_id());
    assert_eq!(
        client.list_stacks().send().await.unwrap().stack_summaries().len(),
        1
    );
    let text = client.get_template().stack_name("c").send().await.unwrap();
    assert_eq!(text.template_body(), Some(TemplateKind::Connection.text()));
    // Stacks are per region.
    let mut elsewhere = aws.config(&aws.admin()).to_builder();
    elsewhere.set_region(Some(Region::new("eu-west-1")));
    assert!(describe(&Client::new(&elsewhere.build()), "c").await.is_err());
}
