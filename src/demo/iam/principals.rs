//! Who is there from the start.

use super::{NewRole, Owner, Store};
use crate::demo::error::AwsError;
use crate::demo::handle::KeyPair;
use crate::demo::world::Moment;
use crate::demo::{
    BROKER_ACCOUNT, BROKER_ROLE, CUSTOMER_ACCOUNT, OUTSIDER_ACCOUNT, VENDOR_ROLE, broker_role_arn,
    vendor_role_arn,
};
use serde_json::json;
use std::collections::BTreeMap;

/// Keys of `admin`. They open nothing but this machine's demo, so they are the same everywhere. Their secrets hold the
/// characters that clients most often fail to carry.
pub fn admin() -> KeyPair {
    pair("AKIADEMOADMIN2222222", "demo/admin+key/for+this/machine+only0001")
}

/// Keys of `engine`.
pub fn engine() -> KeyPair {
    pair("AKIADEMOENGINE222222", "demo/engine+key/for+this/machine+only001")
}

/// Keys of `outsider`.
pub fn outsider() -> KeyPair {
    pair("AKIADEMOOUTSIDER2222", "demo/outsider+key/for+this/machine+only1")
}

fn pair(id: &str, secret: &str) -> KeyPair {
    KeyPair {
        id: id.to_owned(),
        secret: secret.to_owned(),
    }
}

/// Makes them: `admin`, who may do everything in the customer's account; the broker role, which `admin` and `engine`
/// may assume, and which may assume any role that lets it in; a second one like it, which only `engine` may assume; `outsider`, who may do nothing. Everybody sees them at
/// once.
pub fn seed(store: &mut Store, now: Moment) -> Result<(), AwsError> {
    let long_ago = Moment {
        real: i64::MIN,
        seen: i64::MAX,
        ..now
    };
    let allow = |action: &str, resource: &str| {
        json!({"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": action, "Resource": resource}]})
            .to_string()
    };
    for (keys, account, name) in [
        (admin(), CUSTOMER_ACCOUNT, "admin"),
        (engine(), BROKER_ACCOUNT, "engine"),
        (outsider(), OUTSIDER_ACCOUNT, "outsider"),
    ] {
        store.create_user(long_ago, account, name, None)?;
        store.add_access_key(long_ago, account, name, keys)?;
    }
    store.attach(
        long_ago,
        CUSTOMER_ACCOUNT,
        Owner::User("admin"),
        "arn:aws:iam::aws:policy/AdministratorAccess",
    )?;
    let hop = json!({"Version": "2012-10-17", "Statement": [{
        "Effect": "Allow",
        "Action": "sts:AssumeRole",
        "Resource": [broker_role_arn(), vendor_role_arn()],
    }]})
    .to_string();
    store.put_policy(
        long_ago,
        BROKER_ACCOUNT,
        Owner::User("engine"),
        "assume-broker",
        &hop,
    )?;

    let (admin, engine) = (
        format!("arn:aws:iam::{CUSTOMER_ACCOUNT}:user/admin"),
        format!("arn:aws:iam::{BROKER_ACCOUNT}:user/engine"),
    );
    let hops = allow("sts:AssumeRole", "arn:aws:iam::*:role/*");
    for (name, trusted) in [
        (BROKER_ROLE, json!([admin, engine])),
        (VENDOR_ROLE, json!(engine)),
    ] {
        let trust = json!({"Version": "2012-10-17", "Statement": [{
            "Effect": "Allow",
            "Principal": {"AWS": trusted},
            "Action": "sts:AssumeRole",
        }]});
        let role = NewRole {
            name,
            trust: &trust.to_string(),
            description: Some("Assumes the roles of the platform's customers"),
            tags: BTreeMap::new(),
            ..NewRole::default()
        };
        store.create_role(long_ago, BROKER_ACCOUNT, role)?;
        let owner = Owner::Role(name);
        store.put_policy(long_ago, BROKER_ACCOUNT, owner, "assume-customers", &hops)?;
    }
    Ok(())
}
