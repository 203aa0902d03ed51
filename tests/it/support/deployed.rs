//! An embedded AWS in this process, with the stacks of a connection and a catalog made as a user would make them.

use glueup::cloud::stacks::{NewStack, StackDescription, Template};
use glueup::cloud::{Aws, Settings};
use glueup::demo::{Handle, Options, start};
use glueup::domain::region::Region;
use glueup::stack::parameters::{AccessInput, ConnectionInput, access, connection};
use glueup::stack::template::{Parameters, TemplateKind};
use std::time::{Duration, Instant};

/// The external id of every connection here.
pub const EXTERNAL_ID: &str = "ext-0123456789abcdef";

/// A running embedded AWS and its admin.
pub struct Deployed {
    pub handle: Handle,
    pub admin: Aws,
}

impl Deployed {
    pub async fn start(options: Options) -> Self {
        let handle = start(options).unwrap();
        let admin = Aws::sign_in(&settings(&handle, &handle.admin)).await.unwrap();
        Self { handle, admin }
    }

    pub fn region(&self) -> Region {
        self.handle.region.parse().unwrap()
    }

    /// Makes a stack and waits until it has come to rest.
    pub async fn stack(&self, name: &str, body: &str, parameters: Parameters) -> StackDescription {
        let stacks = self.admin.stacks(&self.region());
        let stack = NewStack {
            name: name.into(),
            template: Template::Body(body.into()),
            parameters: parameters.into_iter().collect(),
            tags: vec![],
            capability: Some("CAPABILITY_NAMED_IAM".into()),
            role_arn: None,
            token: None,
        };
        stacks.create(stack).await.unwrap();
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let now = stacks.describe(name).await.unwrap().unwrap();
            if !now.status.ends_with("_IN_PROGRESS") {
                assert_eq!(now.status, "CREATE_COMPLETE", "{:#?}", stacks.events(name).await);
                return now;
            }
            assert!(Instant::now() < end, "{now:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The connection's stack; answers the role's ARN.
    pub async fn connection(&self, name: &str) -> String {
        let input = ConnectionInput {
            account: self.handle.account_id.clone(),
            external_id: EXTERNAL_ID.into(),
            trusted: vec![self.handle.broker_role_arn.clone()],
            organization: "self".into(),
            record: name.into(),
            ..ConnectionInput::default()
        };
        let stack = self
            .stack(name, TemplateKind::Connection.text(), connection(&input).unwrap())
            .await;
        stack.outputs["RoleArn"].clone()
    }

    /// A catalog's read-only stack on that role.
    pub async fn access(&self, name: &str, role_arn: &str, bucket: &str, prefix: &str) {
        let input = AccessInput {
            account: self.handle.account_id.clone(),
            partition: "aws".into(),
            region: self.handle.region.clone(),
            role_name: role_arn.rsplit('/').next().unwrap().into(),
            bucket: bucket.into(),
            prefix: prefix.into(),
            organization: "self".into(),
            record: name.into(),
            ..AccessInput::default()
        };
        self.stack(
            name,
            TemplateKind::GlueReadOnly.text(),
            access(TemplateKind::GlueReadOnly, &input).unwrap(),
        )
        .await;
    }

    /// A stack with just these IAM statements on that role.
    pub async fn grant(&self, name: &str, role_arn: &str, statements: serde_json::Value) {
        let role = role_arn.rsplit('/').next().unwrap();
        let body = serde_json::json!({"Resources": {"Grant": {"Type": "AWS::IAM::Policy", "Properties": {
            "PolicyName": name, "Roles": [role],
            "PolicyDocument": {"Version": "2012-10-17", "Statement": statements}}}}});
        self.stack(name, &body.to_string(), Parameters::new()).await;
    }
}

/// Settings of one of its principals.
pub fn settings(handle: &Handle, keys: &glueup::demo::KeyPair) -> Settings {
    Settings::demo(
        &handle.endpoint_url,
        handle.region.parse().unwrap(),
        &keys.id,
        &keys.secret,
    )
}
