//! Managed policies: an account's own, and AWS's that are known here.

use super::model::Managed;
use super::{Store, rules};
use crate::demo::error::AwsError;
use crate::demo::ids;
use crate::demo::world::Moment;
use crate::policy::Document;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Versions that one policy can have.
const VERSIONS: usize = 5;

/// AWS's own policies that the demo and its tests use. Names and contents are AWS's.
static AWS: LazyLock<BTreeMap<String, Managed>> = LazyLock::new(|| {
    [
        ("AdministratorAccess", "\"*\""),
        ("AmazonS3FullAccess", "[\"s3:*\",\"s3-object-lambda:*\"]"),
        (
            "AmazonS3ReadOnlyAccess",
            "[\"s3:Get*\",\"s3:List*\",\"s3:Describe*\",\"s3-object-lambda:Get*\",\"s3-object-lambda:List*\"]",
        ),
        ("IAMFullAccess", "[\"iam:*\",\"organizations:DescribeAccount\"]"),
    ]
    .into_iter()
    .map(|(name, actions)| {
        let text = format!(
            "{{\"Version\":\"2012-10-17\",\"Statement\":[{{\"Effect\":\"Allow\",\"Action\":{actions},\
             \"Resource\":\"*\"}}]}}"
        );
        let value = serde_json::from_str(&text).unwrap_or_default();
        let arn = format!("arn:aws:iam::aws:policy/{name}");
        let policy = Managed {
            name: name.to_owned(),
            path: "/".to_owned(),
            arn: arn.clone(),
            id: format!("ANPA{:X>16.16}", name.to_ascii_uppercase()),
            created: 0,
            updated: 0,
            description: String::new(),
            versions: BTreeMap::from([(1, Document::read(&value))]),
            default: 1,
        };
        (arn, policy)
    })
    .collect()
});

/// A policy to be made.
#[derive(Clone, Debug, Default)]
pub struct NewPolicy<'a> {
    /// Name, 1 to 128 characters.
    pub name: &'a str,
    /// `/`, or `/…/`; absent is `/`.
    pub path: Option<&'a str>,
    /// Description.
    pub description: Option<&'a str>,
    /// The document, as JSON.
    pub document: &'a str,
}

impl Store {
    /// Makes a managed policy. Errors: `EntityAlreadyExists`, `MalformedPolicyDocument`, `LimitExceeded`.
    pub fn create_policy(
        &mut self,
        moment: Moment,
        account: &str,
        new: NewPolicy<'_>,
    ) -> Result<Managed, AwsError> {
        rules::name("policyName", new.name, 128)?;
        let path = rules::path(new.path)?;
        let document = managed_document(new.document)?;
        if self
            .managed_policies(account)
            .any(|policy| policy.name.eq_ignore_ascii_case(new.name))
        {
            return Err(AwsError::already_exists(format!(
                "A policy called {} already exists. Duplicate names are not allowed.",
                new.name
            )));
        }
        let policy = Managed {
            name: new.name.to_owned(),
            arn: format!("arn:aws:iam::{account}:policy{path}{}", new.name),
            path,
            id: ids::unique("ANPA"),
            created: moment.shown,
            updated: moment.shown,
            description: new.description.unwrap_or_default().to_owned(),
            versions: BTreeMap::from([(1, document)]),
            default: 1,
        };
        self.put_managed(moment, account, policy.clone());
        Ok(policy)
    }

    /// Adds a version; returns its number. Errors: `NoSuchEntity`, `LimitExceeded` above five.
    pub fn create_policy_version(
        &mut self,
        moment: Moment,
        arn: &str,
        document: &str,
        set_default: bool,
    ) -> Result<u32, AwsError> {
        let mut policy = self.managed(arn)?.clone();
        let account = own_account(arn)?;
        let document = managed_document(document)?;
        if policy.versions.len() >= VERSIONS {
            return Err(rules::limit(
                "A managed policy can have up to 5 versions. Before you create a new version, you must delete an \
                 existing version."
                    .to_owned(),
            ));
        }
        let number = policy.versions.keys().next_back().map_or(1, |last| last + 1);
        policy.versions.insert(number, document);
        policy.updated = moment.shown;
        if set_default {
            policy.default = number;
        }
        self.put_managed(moment, account, policy);
        Ok(number)
    }

    /// Replaces the document and keeps no earlier version, as CloudFormation's update of a policy looks to its user.
    pub fn replace_policy(&mut self, moment: Moment, arn: &str, document: &str) -> Result<(), AwsError> {
        let mut policy = self.managed(arn)?.clone();
        let account = own_account(arn)?;
        let number = policy.versions.keys().next_back().map_or(1, |last| last + 1);
        policy.versions = BTreeMap::from([(number, managed_document(document)?)]);
        policy.default = number;
        policy.updated = moment.shown;
        self.put_managed(moment, account, policy);
        Ok(())
    }

    /// Removes a version that is not in force. Errors: `NoSuchEntity`, `DeleteConflict`.
    pub fn delete_policy_version(&mut self, moment: Moment, arn: &str, number: u32) -> Result<(), AwsError> {
        let mut policy = self.managed(arn)?.clone();
        let account = own_account(arn)?;
        if number == policy.default {
            return Err(AwsError::new(
                409,
                "DeleteConflict",
                "Cannot delete the default version of a policy.",
            ));
        }
        policy.versions.remove(&number).ok_or_else(|| {
            AwsError::no_such_entity(format!(
                "Policy {arn} version v{number} does not exist or is not attachable."
            ))
        })?;
        self.put_managed(moment, account, policy);
        Ok(())
    }

    /// Removes a managed policy. Error: `DeleteConflict` while it is attached or a boundary.
    pub fn delete_managed_policy(&mut self, moment: Moment, arn: &str) -> Result<(), AwsError> {
        self.managed(arn)?;
        let account = own_account(arn)?;
        if self.attachments(arn) > 0 {
            return Err(AwsError::new(
                409,
                "DeleteConflict",
                "Cannot delete a policy attached to entities.",
            ));
        }
        if let Some(policy) = self.account(account).policies.get_mut(arn) {
            policy.set(moment, None);
        }
        Ok(())
    }

    /// The managed policy of this ARN. Error: `NoSuchEntity`.
    pub fn managed(&self, arn: &str) -> Result<&Managed, AwsError> {
        let account = arn.split(':').nth(4).unwrap_or_default();
        self.accounts
            .get(account)
            .and_then(|account| account.policies.get(arn)?.latest())
            .or_else(|| AWS.get(arn))
            .ok_or_else(|| {
                AwsError::no_such_entity(format!("Policy {arn} does not exist or is not attachable."))
            })
    }

    /// The account's own policies, by ARN.
    pub fn managed_policies(&self, account: &str) -> impl Iterator<Item = &Managed> {
        self.accounts
            .get(account)
            .into_iter()
            .flat_map(|account| account.policies.values())
            .filter_map(|policy| policy.latest())
    }

    /// AWS's policies that are known here.
    pub fn aws_policies() -> impl Iterator<Item = &'static Managed> {
        AWS.values()
    }

    /// How many users and roles a policy is attached to, or is the boundary of.
    pub fn attachments(&self, arn: &str) -> usize {
        let uses = |grants: &super::Grants| {
            grants.attached.iter().any(|attached| attached == arn) || grants.boundary.as_deref() == Some(arn)
        };
        self.accounts
            .values()
            .map(|account| {
                let roles = account
                    .roles
                    .values()
                    .filter_map(|role| role.latest())
                    .map(|role| &role.grants);
                let users = account
                    .users
                    .values()
                    .filter_map(|user| user.latest())
                    .map(|user| &user.grants);
                roles.chain(users).filter(|grants| uses(grants)).count()
            })
            .sum()
    }

    /// The document in force, as seen.
    pub(super) fn seen_document(&self, moment: Moment, arn: &str) -> Option<&Document> {
        let account = arn.split(':').nth(4)?;
        let own = self
            .accounts
            .get(account)
            .and_then(|account| account.policies.get(arn)?.seen(moment));
        own.or_else(|| AWS.get(arn)).and_then(Managed::document)
    }

    fn put_managed(&mut self, moment: Moment, account: &str, policy: Managed) {
        self.account(account)
            .policies
            .entry(policy.arn.clone())
            .or_default()
            .set(moment, Some(policy));
    }
}

/// The account of an ARN; AWS's own policies cannot be changed.
fn own_account(arn: &str) -> Result<&str, AwsError> {
    match arn.split(':').nth(4) {
        Some(account) if account != "aws" => Ok(account),
        _ => Err(AwsError::denied(format!("Cannot change {arn}: it is AWS's own"))),
    }
}

fn managed_document(text: &str) -> Result<Document, AwsError> {
    let document = rules::document(text)?;
    if document.size() > rules::MANAGED {
        return Err(rules::limit(format!(
            "Cannot exceed quota for PolicySize: {}",
            rules::MANAGED
        )));
    }
    Ok(document)
}
