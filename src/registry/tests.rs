//! What holds for a home.

mod files;
mod state;
mod store;

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;
use crate::domain::{
    access::Access, external_id::ExternalId, moment::Moment, organization::Organization, problem::Kind,
    stack_name::StackKind, stack_name::StackName, status::Status,
};

fn home() -> (TempDir, Home) {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path().join("home"));
    (dir, home)
}

fn connection(name: &str) -> Connection {
    Connection {
        version: 1,
        name: name.parse().unwrap(),
        id: "0a1b2c3d".into(),
        account_id: "012345678901".parse().unwrap(),
        role_arn: None,
        adopted: false,
        external_id: ExternalId::from_random([7; 16]),
        broker_role_arn: None,
        trust: vec!["arn:aws:iam::012345678901:root".parse().unwrap()],
        verifier: None,
        stack_name: StackName::compose("glueup", StackKind::Connection, name),
        region: None,
        permissions_boundary: None,
        role_path: None,
        deploy_profile: None,
        stack_id: None,
    }
}

fn catalog(name: &str, connection: &str) -> Catalog {
    Catalog {
        version: 1,
        name: name.parse().unwrap(),
        id: "1a1b2c3d".into(),
        region: "us-west-2".parse().unwrap(),
        s3_path: "s3://acme-lake/warehouse".parse().unwrap(),
        access_point: None,
        access: Access::ReadOnly,
        connection: connection.parse().unwrap(),
        databases: Vec::new(),
        kms_key: None,
        catalog_kms_key: None,
        stack_name: StackName::compose("glueup", StackKind::GlueReadOnly, name),
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    }
}

fn at(text: &str) -> Moment {
    text.parse().unwrap()
}
