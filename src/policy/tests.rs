//! Expected answers from the IAM User Guide, one row a rule.

mod conditions;
mod fuzz;
mod gate;
mod malformed;
mod statements;
mod trust;

use super::*;
use serde_json::{Value, json};

const OBJECT: &str = "arn:aws:s3:::lake/wh/x";
const BUCKET: &str = "arn:aws:s3:::lake";

fn context(keys: &[(&str, &str)]) -> Context {
    keys.iter()
        .fold(Context::new(), |context, (key, value)| context.with(key, *value))
}

fn statements(value: Value) -> Value {
    json!({"Version": "2012-10-17", "Statement": value})
}

fn when(condition: Value) -> Value {
    statements(json!([{"Effect": "Allow", "Action": "s3:*", "Resource": "*", "Condition": condition}]))
}

fn ask(document: &Value, action: &str, resource: &str, keys: &[(&str, &str)]) -> Decision {
    check(document).unwrap();
    evaluate(
        &[&Document::read(document)],
        None,
        action,
        resource,
        &context(keys),
    )
    .decision
}

use Decision::{Allow, ExplicitDeny, NoMatch};

const USER: &str = "arn:aws:iam::111122223333:user/u";
const SESSION: &str = "arn:aws:sts::111122223333:assumed-role/broker/s";
const BROKER: &str = "arn:aws:iam::111122223333:role/team/broker";
