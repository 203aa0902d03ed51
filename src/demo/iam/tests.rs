//! IAM and STS together, by the calls that a client makes.

mod mfa;
mod roles;
mod sessions;
mod simulate;
mod spreading;

use super::principals;
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::sts;
use crate::demo::world::World;
use crate::demo::xml::Xml;
use crate::demo::{CUSTOMER_ACCOUNT, broker_role_arn};
use crate::policy::Context;
use serde_json::{Value, json};
use std::sync::Arc;

struct Aws {
    world: Arc<World>,
    admin: Caller,
    engine: Caller,
    outsider: Caller,
}

fn form(action: &str, fields: &[(&str, &str)]) -> Params {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("Action", action).extend_pairs(fields);
    Params::parse(form.finish().as_bytes())
}

impl Aws {
    fn new() -> Self {
        let world = World::for_tests();
        let caller = |pair: crate::demo::handle::KeyPair| world.caller(&pair.id);
        Self {
            admin: caller(principals::admin()),
            engine: caller(principals::engine()),
            outsider: caller(principals::outsider()),
            world,
        }
    }

    fn iam(&self, action: &str, fields: &[(&str, &str)]) -> Result<Xml, AwsError> {
        self.iam_as(&self.admin, action, fields)
    }

    fn iam_as(&self, caller: &Caller, action: &str, fields: &[(&str, &str)]) -> Result<Xml, AwsError> {
        super::handle(&self.world, caller, &form(action, fields))
    }

    fn role(&self, name: &str, trust: &Value) -> Result<Xml, AwsError> {
        self.iam(
            "CreateRole",
            &[
                ("RoleName", name),
                ("AssumeRolePolicyDocument", &trust.to_string()),
            ],
        )
    }

    fn put(&self, role: &str, name: &str, document: &Value) -> Result<Xml, AwsError> {
        let document = document.to_string();
        self.iam(
            "PutRolePolicy",
            &[
                ("RoleName", role),
                ("PolicyName", name),
                ("PolicyDocument", &document),
            ],
        )
    }

    fn assume(&self, caller: &Caller, fields: &[(&str, &str)]) -> Result<Caller, AwsError> {
        let mut all = vec![("RoleSessionName", "tests")];
        all.extend_from_slice(fields);
        let answer = sts::handle(&self.world, caller, &form("AssumeRole", &all))?;
        Ok(self.world.caller(element(&answer, "AccessKeyId")))
    }

    fn broker(&self) -> Caller {
        self.assume(&self.engine, &[("RoleArn", &broker_role_arn())])
            .unwrap()
    }

    fn may(&self, caller: &Caller, action: &str, resource: &str) -> Result<(), AwsError> {
        self.world.authorize(caller, action, resource, &Context::new())
    }
}

fn element<'a>(xml: &'a Xml, name: &str) -> &'a str {
    let (_, behind) = xml.as_str().split_once(&format!("<{name}>")).unwrap();
    behind.split_once(&format!("</{name}>")).unwrap().0
}

fn code<T>(answer: Result<T, AwsError>) -> String {
    answer
        .err()
        .map_or_else(|| "allowed".to_owned(), |error| error.code)
}

fn said<T>(answer: Result<T, AwsError>) -> String {
    answer
        .err()
        .map_or_else(|| "allowed".to_owned(), |error| error.message)
}

fn arn(name: &str) -> String {
    format!("arn:aws:iam::{CUSTOMER_ACCOUNT}:role/{name}")
}

fn trusting(principal: &str, external_id: Option<&str>) -> Value {
    let condition = external_id.map_or(json!({}), |id| json!({"StringEquals": {"sts:ExternalId": id}}));
    json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": principal}, "Action": "sts:AssumeRole", "Condition": condition
    }]})
}

fn allowing(action: &str, resource: &str) -> Value {
    json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": action, "Resource": resource}]})
}
