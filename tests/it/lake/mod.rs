//! S3, Glue and the lake of the embedded AWS, through the real clients.

mod encryption;
mod glue;
mod kept;
mod partitions;
mod peers;
mod s3;

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_sdk_cloudformation::types::{Capability, StackStatus};
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_http_client::Builder;
use aws_types::SdkConfig;
use aws_types::region::Region;
use glueup::demo::Handle;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The configuration of a client with these keys.
fn config(endpoint: &str, id: &str, secret: &str, token: Option<&str>) -> SdkConfig {
    let credentials = Credentials::new(id, secret, token.map(str::to_owned), None, "test");
    SdkConfig::builder()
        .behavior_version(aws_config::BehaviorVersion::latest())
        .region(Region::new("us-west-2"))
        .endpoint_url(endpoint)
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .retry_config(RetryConfig::disabled())
        .http_client(Builder::new().build_http())
        .build()
}

fn admin(aws: &Handle) -> SdkConfig {
    config(&aws.endpoint_url, &aws.admin.id, &aws.admin.secret, None)
}

fn outsider(aws: &Handle) -> SdkConfig {
    config(&aws.endpoint_url, &aws.outsider.id, &aws.outsider.secret, None)
}

/// A session of a new role whose only policy is this one.
async fn session(aws: &Handle, name: &str, statements: Value) -> SdkConfig {
    let template = json!({"Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {
        "RoleName": name,
        "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow", "Action": "sts:AssumeRole",
            "Principal": {"AWS": "arn:aws:iam::012345678901:root"},
        }]},
        "Policies": [{"PolicyName": "p", "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}],
    }}}});
    let admin = admin(aws);
    let stacks = aws_sdk_cloudformation::Client::new(&admin);
    let create = stacks
        .create_stack()
        .stack_name(name)
        .template_body(template.to_string());
    create
        .capabilities(Capability::CapabilityNamedIam)
        .send()
        .await
        .unwrap();
    let start = Instant::now();
    loop {
        let found = stacks.describe_stacks().stack_name(name).send().await.unwrap();
        let status = found.stacks()[0].stack_status().unwrap().clone();
        if status == StackStatus::CreateComplete {
            break;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{status:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let sts = aws_sdk_sts::Client::new(&admin);
    let role = format!("arn:aws:iam::012345678901:role/{name}");
    let answer = sts
        .assume_role()
        .role_arn(role)
        .role_session_name("test")
        .send()
        .await
        .unwrap();
    let keys = answer.credentials().unwrap();
    config(
        &aws.endpoint_url,
        keys.access_key_id(),
        keys.secret_access_key(),
        Some(keys.session_token()),
    )
}

/// The error code of an answer, or `allowed`.
fn code<T, E: ProvideErrorMetadata>(answer: &Result<T, SdkError<E>>) -> String {
    match answer {
        Ok(_) => "allowed".to_owned(),
        Err(error) => error.code().unwrap_or("no code").to_owned(),
    }
}

/// The message of a refusal.
fn message<T, E: ProvideErrorMetadata>(answer: &Result<T, SdkError<E>>) -> String {
    match answer {
        Ok(_) => "allowed".to_owned(),
        Err(error) => error.message().unwrap_or_default().to_owned(),
    }
}

/// The HTTP status of an answer.
fn status<T, E>(
    answer: &Result<T, SdkError<E, aws_smithy_runtime_api::client::orchestrator::HttpResponse>>,
) -> u16 {
    match answer {
        Ok(_) => 200,
        Err(error) => error
            .raw_response()
            .map_or(0, |response| response.status().as_u16()),
    }
}
