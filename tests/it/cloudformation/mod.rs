//! The embedded CloudFormation, through the real client of AWS, and the effects of its stacks on who may do what.

mod browser;
mod change;
mod change_sets;
mod console;
mod create;
mod refuse;
mod replace;
mod service_role;
mod undo;

use aws_sdk_cloudformation::Client;
use aws_sdk_cloudformation::error::ProvideErrorMetadata;
use aws_sdk_cloudformation::types::{Capability, Parameter, Stack, StackEvent};
use aws_smithy_http_client::Builder;
use aws_types::SdkConfig;
use aws_types::region::Region;
use glueup::demo::{self, Handle, Options};
use glueup::stack::parameters::{self, AccessInput, ConnectionInput};
use glueup::stack::template::{Parameters, TemplateKind};
use std::time::{Duration, Instant};

struct Aws {
    handle: Handle,
}

/// Access key id, secret, session token.
type Keys = (String, String, Option<String>);

impl Aws {
    fn start(options: Options) -> Self {
        Self {
            handle: demo::start(options).unwrap(),
        }
    }

    fn admin(&self) -> Keys {
        (
            self.handle.admin.id.clone(),
            self.handle.admin.secret.clone(),
            None,
        )
    }

    fn outsider(&self) -> Keys {
        (
            self.handle.outsider.id.clone(),
            self.handle.outsider.secret.clone(),
            None,
        )
    }

    fn config(&self, keys: &Keys) -> SdkConfig {
        let credentials =
            aws_credential_types::Credentials::new(&keys.0, &keys.1, keys.2.clone(), None, "test");
        SdkConfig::builder()
            .behavior_version(aws_config::BehaviorVersion::latest())
            .region(Region::new("us-west-2"))
            .endpoint_url(&self.handle.endpoint_url)
            .credentials_provider(aws_credential_types::provider::SharedCredentialsProvider::new(
                credentials,
            ))
            .http_client(Builder::new().build_http())
            .build()
    }

    fn cloudformation(&self, keys: &Keys) -> Client {
        Client::new(&self.config(keys))
    }

    async fn assume(&self, keys: &Keys, role: &str, external_id: Option<&str>) -> Result<Keys, String> {
        let answer = aws_sdk_sts::Client::new(&self.config(keys))
            .assume_role()
            .role_arn(role)
            .role_session_name("test")
            .set_external_id(external_id.map(str::to_owned))
            .send()
            .await
            .map_err(|why| why.code().unwrap_or_default().to_owned())?;
        let keys = answer.credentials().unwrap();
        Ok((
            keys.access_key_id().to_owned(),
            keys.secret_access_key().to_owned(),
            Some(keys.session_token().to_owned()),
        ))
    }

    /// Whether these keys may list the bucket under the prefix.
    async fn lists(&self, keys: &Keys, bucket: &str, prefix: &str) -> bool {
        let config = aws_sdk_s3::config::Builder::from(&self.config(keys))
            .force_path_style(true)
            .build();
        aws_sdk_s3::Client::from_conf(config)
            .list_objects_v2()
            .bucket(bucket)
            .prefix(prefix)
            .send()
            .await
            .is_ok()
    }

    async fn make_bucket(&self, bucket: &str) {
        let config = aws_sdk_s3::config::Builder::from(&self.config(&self.admin()))
            .force_path_style(true)
            .build();
        let place = aws_sdk_s3::types::CreateBucketConfiguration::builder()
            .location_constraint(aws_sdk_s3::types::BucketLocationConstraint::UsWest2)
            .build();
        aws_sdk_s3::Client::from_conf(config)
            .create_bucket()
            .bucket(bucket)
            .create_bucket_configuration(place)
            .send()
            .await
            .unwrap();
    }

    fn template_url(&self, kind: TemplateKind) -> String {
        format!(
            "{}/{}/{}",
            self.handle.endpoint_url,
            demo::TEMPLATES_BUCKET,
            kind.object_key()
        )
    }

    fn connection_parameters(&self) -> Parameters {
        parameters::connection(&ConnectionInput {
            account: self.handle.account_id.clone(),
            external_id: "gu-a+b=c,d".to_owned(),
            trusted: vec![self.handle.broker_role_arn.clone()],
            organization: "self".to_owned(),
            record: "connection/prod".to_owned(),
            ..ConnectionInput::default()
        })
        .unwrap()
    }

    fn access_parameters(&self, role: &str, bucket: &str, prefix: &str) -> Parameters {
        let input = AccessInput {
            account: self.handle.account_id.clone(),
            partition: "aws".to_owned(),
            region: "us-west-2".to_owned(),
            role_name: role.to_owned(),
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
            organization: "self".to_owned(),
            record: "catalog/lake".to_owned(),
            ..AccessInput::default()
        };
        parameters::access(TemplateKind::GlueReadOnly, &input).unwrap()
    }

    /// A connection stack, made; its role's name and ARN.
    async fn connection(&self, client: &Client, name: &str) -> (String, String) {
        create(
            client,
            name,
            TemplateKind::Connection.text(),
            &self.connection_parameters(),
        )
        .await
        .unwrap();
        let stack = wait(client, name).await;
        assert_eq!(status(&stack), "CREATE_COMPLETE");
        (output(&stack, "RoleName"), output(&stack, "RoleArn"))
    }
}

fn sdk_parameters(parameters: &Parameters) -> Vec<Parameter> {
    parameters
        .iter()
        .map(|(name, value)| {
            Parameter::builder()
                .parameter_key(name)
                .parameter_value(value)
                .build()
        })
        .collect()
}

type Answer<T> = Result<T, (String, String)>;

fn words<E: ProvideErrorMetadata>(why: E) -> (String, String) {
    (
        why.code().unwrap_or_default().to_owned(),
        why.message().unwrap_or_default().to_owned(),
    )
}

async fn create(client: &Client, name: &str, body: &str, parameters: &Parameters) -> Answer<String> {
    let answer = client
        .create_stack()
        .stack_name(name)
        .template_body(body)
        .set_parameters(Some(sdk_parameters(parameters)))
        .capabilities(Capability::CapabilityIam)
        .send()
        .await
        .map_err(words)?;
    Ok(answer.stack_id().unwrap().to_owned())
}

async fn update(client: &Client, name: &str, body: &str, parameters: &Parameters) -> Answer<()> {
    client
        .update_stack()
        .stack_name(name)
        .template_body(body)
        .set_parameters(Some(sdk_parameters(parameters)))
        .capabilities(Capability::CapabilityIam)
        .send()
        .await
        .map(drop)
        .map_err(words)
}

async fn describe(client: &Client, name: &str) -> Answer<Stack> {
    let answer = client
        .describe_stacks()
        .stack_name(name)
        .send()
        .await
        .map_err(words)?;
    Ok(answer.stacks()[0].clone())
}

fn status(stack: &Stack) -> String {
    stack.stack_status().unwrap().as_str().to_owned()
}

fn output(stack: &Stack, key: &str) -> String {
    let found = stack
        .outputs()
        .iter()
        .find(|output| output.output_key() == Some(key));
    found
        .unwrap_or_else(|| panic!("no output {key}"))
        .output_value()
        .unwrap()
        .to_owned()
}

/// Waits until nothing goes on any more.
async fn wait(client: &Client, name: &str) -> Stack {
    let begun = Instant::now();
    loop {
        let stack = describe(client, name).await.unwrap();
        if !status(&stack).ends_with("_IN_PROGRESS") {
            return stack;
        }
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{name} stays {}",
            status(&stack)
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// All events, the newest first.
async fn events(client: &Client, name: &str) -> Vec<StackEvent> {
    client
        .describe_stack_events()
        .stack_name(name)
        .send()
        .await
        .unwrap()
        .stack_events()
        .to_vec()
}

/// `LOGICAL STATUS` of all events, the oldest first.
async fn course(client: &Client, name: &str) -> Vec<String> {
    let mut lines: Vec<String> = events(client, name)
        .await
        .iter()
        .map(|event| {
            format!(
                "{} {}",
                event.logical_resource_id().unwrap(),
                event.resource_status().unwrap().as_str()
            )
        })
        .collect();
    lines.reverse();
    lines
}
