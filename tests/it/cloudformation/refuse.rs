//! What is refused, and what fails and is taken back.

use super::*;
use aws_sdk_cloudformation::types::OnFailure;

#[tokio::test]
async fn what_cannot_be_begun_leaves_no_stack() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let connection = TemplateKind::Connection.text();
    let good = aws.connection_parameters();
    let with = |name: &str, value: &str| {
        let mut parameters = good.clone();
        parameters.insert(name.to_owned(), value.to_owned());
        parameters
    };
    for (name, body, parameters, code, part) in [
        (
            "s",
            connection,
            with("AccountId", "999988887777"),
            "ValidationError",
            "This stack belongs in another AWS account",
        ),
        (
            "s",
            connection,
            with("AccountId", "12345678901"),
            "ValidationError",
            "failed to satisfy constraint: 12 digits",
        ),
        (
            "s",
            connection,
            with("Nope", "1"),
            "ValidationError",
            "Parameters: [Nope] do not exist in the template",
        ),
        (
            "s",
            connection,
            Parameters::new(),
            "ValidationError",
            "[AccountId, ExternalId, TrustedPrincipals] must have values",
        ),
        (
            "1s",
            connection,
            good.clone(),
            "ValidationError",
            "regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*",
        ),
        (
            "s",
            "Resources: {R: {Type: 'AWS::Lambda::Function'}}",
            Parameters::new(),
            "ValidationError",
            "Unrecognized resource types: [AWS::Lambda::Function]",
        ),
        (
            "s",
            "a: [1",
            Parameters::new(),
            "ValidationError",
            "YAML not well-formed",
        ),
    ] {
        let (got, message) = create(&client, name, body, &parameters).await.unwrap_err();
        assert_eq!(got, code, "{message}");
        assert!(message.contains(part), "{message}");
    }
    let missing = client
        .create_stack()
        .stack_name("s")
        .template_body(connection)
        .set_parameters(Some(sdk_parameters(&good)))
        .send()
        .await
        .map_err(words);
    let expected = (
        "InsufficientCapabilitiesException",
        "Requires capabilities : [CAPABILITY_IAM]",
    );
    assert_eq!(
        missing.unwrap_err(),
        (expected.0.to_owned(), expected.1.to_owned())
    );
    for (url, part) in [
        (
            "https://raw.githubusercontent.com/a/b/t.yaml".to_owned(),
            "TemplateURL must be a supported URL",
        ),
        (
            "s3://glueup-templates/t.yaml".to_owned(),
            "TemplateURL must be a supported URL",
        ),
        (
            format!("{}/glueup-templates/nothing.yaml", aws.handle.endpoint_url),
            "TemplateURL must reference a valid S3 object to which you have access",
        ),
    ] {
        let answer = client
            .validate_template()
            .template_url(url)
            .send()
            .await
            .map_err(words);
        assert!(answer.unwrap_err().1.contains(part));
    }
    let none = describe(&client, "s").await.unwrap_err();
    assert_eq!(
        none,
        (
            "ValidationError".to_owned(),
            "Stack with id s does not exist".to_owned()
        )
    );
    assert!(
        client
            .list_stacks()
            .send()
            .await
            .unwrap()
            .stack_summaries()
            .is_empty()
    );
    let stranger = aws.cloudformation(&aws.outsider());
    let (code, message) = create(&stranger, "s", connection, &good).await.unwrap_err();
    assert_eq!(code, "AccessDenied");
    assert!(
        message.contains("not authorized to perform: cloudformation:CreateStack"),
        "{message}"
    );
}

/// A role, and a policy for a role that is not there: the second fails after the first was made.
const FAILING: &str = r#"
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties:
      RoleName: half
      AssumeRolePolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Principal: {AWS: "arn:aws:iam::012345678901:root"}, Action: "sts:AssumeRole"}]}
  Policy:
    Type: AWS::IAM::Policy
    DependsOn: Role
    Properties:
      PolicyName: p
      Roles: [nobody]
      PolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Action: "s3:ListBucket", Resource: "*"}]}
"#;

async fn create_named(client: &Client, name: &str, on_failure: Option<OnFailure>) -> Answer<String> {
    let answer = client
        .create_stack()
        .stack_name(name)
        .template_body(FAILING)
        .capabilities(Capability::CapabilityNamedIam)
        .set_on_failure(on_failure)
        .send()
        .await
        .map_err(words)?;
    Ok(answer.stack_id().unwrap().to_owned())
}

#[tokio::test]
async fn a_failed_creation_is_taken_back_and_keeps_the_name() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let (code, message) = create(&client, "half", FAILING, &Parameters::new())
        .await
        .unwrap_err();
    assert_eq!(
        (code.as_str(), message.as_str()),
        (
            "InsufficientCapabilitiesException",
            "Requires capabilities : [CAPABILITY_NAMED_IAM]"
        )
    );

    let id = create_named(&client, "half", None).await.unwrap();
    assert_eq!(status(&wait(&client, "half").await), "ROLLBACK_COMPLETE");
    let course = course(&client, "half").await;
    let failed = course
        .iter()
        .position(|line| line == "Policy CREATE_FAILED")
        .unwrap();
    assert_eq!(course[failed + 1], "half ROLLBACK_IN_PROGRESS");
    assert!(
        course[failed..].iter().any(|line| line == "Role DELETE_COMPLETE"),
        "{course:?}"
    );
    let first = events(&client, "half")
        .await
        .into_iter()
        .rev()
        .find(|event| event.resource_status().unwrap().as_str() == "CREATE_FAILED")
        .unwrap();
    let reason = first.resource_status_reason().unwrap();
    assert!(
        reason.starts_with("Resource handler returned message: \"") && reason.contains("nobody"),
        "{reason}"
    );
    assert!(
        aws.assume(&aws.admin(), "arn:aws:iam::012345678901:role/half", None)
            .await
            .is_err()
    );

    let (code, message) = create_named(&client, "half", None).await.unwrap_err();
    assert_eq!(
        (code.as_str(), message.as_str()),
        ("AlreadyExistsException", "Stack [half] already exists")
    );
    let (_, message) = update(
        &client,
        "half",
        TemplateKind::Connection.text(),
        &aws.connection_parameters(),
    )
    .await
    .unwrap_err();
    assert_eq!(
        message,
        format!("Stack:{id} is in ROLLBACK_COMPLETE state and can not be updated.")
    );
    client.delete_stack().stack_name("half").send().await.unwrap();
    assert_eq!(status(&wait(&client, &id).await), "DELETE_COMPLETE");
    assert!(
        describe(&client, "half").await.is_err(),
        "deleted stacks are found by id only"
    );

    let id = create_named(&client, "half", Some(OnFailure::DoNothing))
        .await
        .unwrap();
    assert_eq!(status(&wait(&client, "half").await), "CREATE_FAILED");
    assert!(
        aws.assume(&aws.admin(), "arn:aws:iam::012345678901:role/half", None)
            .await
            .is_ok()
    );
    client.delete_stack().stack_name(&id).send().await.unwrap();
    assert_eq!(status(&wait(&client, &id).await), "DELETE_COMPLETE");
    assert!(
        aws.assume(&aws.admin(), "arn:aws:iam::012345678901:role/half", None)
            .await
            .is_err()
    );
}

#[tokio::test]
async fn resources_are_made_with_the_rights_of_the_caller() {
    let aws = Aws::start(Options::default());
    let client = aws.cloudformation(&aws.admin());
    let deployer = r#"
Resources:
  Deployer:
    Type: AWS::IAM::Role
    Properties:
      RoleName: deployer
      AssumeRolePolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Principal: {AWS: "arn:aws:iam::012345678901:root"}, Action: "sts:AssumeRole"}]}
      Policies:
        - PolicyName: stacks
          PolicyDocument: {Version: "2012-10-17", Statement: [{Effect: Allow, Action: "cloudformation:*", Resource: "*"}]}
"#;
    client
        .create_stack()
        .stack_name("deployer")
        .template_body(deployer)
        .capabilities(Capability::CapabilityNamedIam)
        .send()
        .await
        .unwrap();
    assert_eq!(status(&wait(&client, "deployer").await), "CREATE_COMPLETE");
    let session = aws
        .assume(&aws.admin(), "arn:aws:iam::012345678901:role/deployer", None)
        .await
        .unwrap();
    let limited = aws.cloudformation(&session);
    create(
        &limited,
        "denied",
        TemplateKind::Connection.text(),
        &aws.connection_parameters(),
    )
    .await
    .unwrap();
    assert_eq!(status(&wait(&limited, "denied").await), "ROLLBACK_COMPLETE");
    let reasons: Vec<String> = events(&limited, "denied")
        .await
        .iter()
        .filter_map(|event| event.resource_status_reason().map(str::to_owned))
        .collect();
    assert!(
        reasons.iter().any(|reason| reason
            .contains("assumed-role/deployer/test is not authorized to perform: iam:CreateRole")
            && reason.contains("HandlerErrorCode: AccessDenied")),
        "{reasons:?}"
    );
    // A template at a URL is read with the caller's rights too, and may be in a bucket that is open to everybody.
    limited
        .validate_template()
        .template_url(aws.template_url(TemplateKind::Connection))
        .send()
        .await
        .unwrap();
    aws.make_bucket("private").await;
    let url = format!("{}/private/t.yaml", aws.handle.endpoint_url);
    let config = aws_sdk_s3::config::Builder::from(&aws.config(&aws.admin()))
        .force_path_style(true)
        .build();
    aws_sdk_s3::Client::from_conf(config)
        .put_object()
        .bucket("private")
        .key("t.yaml")
        .body(TemplateKind::Connection.text().as_bytes().to_vec().into())
        .send()
        .await
        .unwrap();
    let summary = client
        .validate_template()
        .template_url(&url)
        .send()
        .await
        .unwrap();
    assert_eq!(summary.capabilities(), [Capability::CapabilityIam]);
    assert!(
        summary
            .parameters()
            .iter()
            .any(|parameter| parameter.parameter_key() == Some("ExternalId"))
    );
    let (_, message) = limited
        .validate_template()
        .template_url(&url)
        .send()
        .await
        .map_err(words)
        .unwrap_err();
    assert!(
        message.contains("must reference a valid S3 object to which you have access"),
        "{message}"
    );
}
