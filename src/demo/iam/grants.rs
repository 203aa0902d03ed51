//! The policies of users and roles.

use super::model::{Grants, Owner, Role, User};
use super::{Store, rules};
use crate::demo::error::AwsError;
use crate::demo::world::Moment;
use crate::policy::Document;

impl Store {
    /// The policies of a user or a role. Error: `NoSuchEntity`.
    pub fn grants(&self, account: &str, owner: Owner<'_>) -> Result<&Grants, AwsError> {
        match owner {
            Owner::User(name) => self.user(account, name).map(|user| &user.grants),
            Owner::Role(name) => self.role(account, name).map(|role| &role.grants),
        }
    }

    /// Puts an inline policy, a new one or in place of the one of this name. Errors: `MalformedPolicyDocument`,
    /// `LimitExceeded` (10,240 characters for all of a role, 2,048 for all of a user).
    pub fn put_policy(
        &mut self,
        moment: Moment,
        account: &str,
        owner: Owner<'_>,
        name: &str,
        document: &str,
    ) -> Result<(), AwsError> {
        rules::name("policyName", name, 128)?;
        let mut grants = self.grants(account, owner)?.clone();
        grants.inline.insert(name.to_owned(), rules::document(document)?);
        rules::inline_size(owner, &grants.inline)?;
        self.set_grants(moment, account, owner, grants)
    }

    /// The inline policy of this name. Error: `NoSuchEntity`.
    pub fn inline_policy(&self, account: &str, owner: Owner<'_>, name: &str) -> Result<&Document, AwsError> {
        self.grants(account, owner)?
            .inline
            .get(name)
            .ok_or_else(|| no_policy(owner, name))
    }

    /// Removes an inline policy. Error: `NoSuchEntity`.
    pub fn delete_inline_policy(
        &mut self,
        moment: Moment,
        account: &str,
        owner: Owner<'_>,
        name: &str,
    ) -> Result<(), AwsError> {
        let mut grants = self.grants(account, owner)?.clone();
        grants.inline.remove(name).ok_or_else(|| no_policy(owner, name))?;
        self.set_grants(moment, account, owner, grants)
    }

    /// Attaches a managed policy; attached already is fine. Errors: `NoSuchEntity`, `LimitExceeded`.
    pub fn attach(
        &mut self,
        moment: Moment,
        account: &str,
        owner: Owner<'_>,
        arn: &str,
    ) -> Result<(), AwsError> {
        let mut grants = self.grants(account, owner)?.clone();
        self.managed(arn)?;
        if grants.attached.iter().any(|attached| attached == arn) {
            return Ok(());
        }
        if grants.attached.len() >= rules::ATTACHED {
            let kind = if matches!(owner, Owner::User(_)) {
                "User"
            } else {
                "Role"
            };
            return Err(rules::limit(format!(
                "Cannot exceed quota for PoliciesPer{kind}: {}",
                rules::ATTACHED
            )));
        }
        grants.attached.push(arn.to_owned());
        self.set_grants(moment, account, owner, grants)
    }

    /// Detaches a managed policy. Error: `NoSuchEntity`.
    pub fn detach(
        &mut self,
        moment: Moment,
        account: &str,
        owner: Owner<'_>,
        arn: &str,
    ) -> Result<(), AwsError> {
        let mut grants = self.grants(account, owner)?.clone();
        let before = grants.attached.len();
        grants.attached.retain(|attached| attached != arn);
        if grants.attached.len() == before {
            return Err(AwsError::no_such_entity(format!("Policy {arn} was not found.")));
        }
        self.set_grants(moment, account, owner, grants)
    }

    /// Sets or removes the permissions boundary. Error: `NoSuchEntity`.
    pub fn set_boundary(
        &mut self,
        moment: Moment,
        account: &str,
        owner: Owner<'_>,
        arn: Option<&str>,
    ) -> Result<(), AwsError> {
        let mut grants = self.grants(account, owner)?.clone();
        if let Some(arn) = arn {
            self.managed(arn)?;
        }
        grants.boundary = arn.map(str::to_owned);
        self.set_grants(moment, account, owner, grants)
    }

    fn set_grants(
        &mut self,
        moment: Moment,
        account: &str,
        owner: Owner<'_>,
        grants: Grants,
    ) -> Result<(), AwsError> {
        match owner {
            Owner::User(name) => {
                let user = User {
                    grants,
                    ..self.user(account, name)?.clone()
                };
                self.put_user(moment, account, user);
            }
            Owner::Role(name) => {
                let role = Role {
                    grants,
                    ..self.role(account, name)?.clone()
                };
                self.put_role(moment, account, role);
            }
        }
        Ok(())
    }
}

/// `DeleteConflict`, while a user or role has policies.
pub(super) fn must_be_empty(grants: &Grants) -> Result<(), AwsError> {
    let conflict = |what: &str| {
        Err(AwsError::new(
            409,
            "DeleteConflict",
            format!("Cannot delete entity, must {what} first."),
        ))
    };
    if !grants.attached.is_empty() {
        return conflict("detach all policies");
    }
    if !grants.inline.is_empty() {
        return conflict("delete policies");
    }
    Ok(())
}

fn no_policy(owner: Owner<'_>, name: &str) -> AwsError {
    AwsError::no_such_entity(format!(
        "The {} policy with name {name} cannot be found.",
        owner.word()
    ))
}
