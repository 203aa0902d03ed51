//! Roles.

use super::model::{Grants, Role};
use super::{Store, rules};
use crate::demo::error::AwsError;
use crate::demo::ids;
use crate::demo::world::Moment;
use std::collections::BTreeMap;

/// A role to be made.
#[derive(Clone, Debug, Default)]
pub struct NewRole<'a> {
    /// Name, 1 to 64 characters.
    pub name: &'a str,
    /// `/`, or `/…/`; absent is `/`.
    pub path: Option<&'a str>,
    /// The trust policy, as JSON.
    pub trust: &'a str,
    /// Description.
    pub description: Option<&'a str>,
    /// Longest session, in seconds; absent is 3600.
    pub max_session: Option<i64>,
    /// ARN of the permissions boundary.
    pub boundary: Option<&'a str>,
    /// Tags.
    pub tags: BTreeMap<String, String>,
}

/// A change of a role; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct RoleChange<'a> {
    /// Description.
    pub description: Option<&'a str>,
    /// Longest session, in seconds.
    pub max_session: Option<i64>,
}

impl Store {
    /// Makes a role. Errors: `EntityAlreadyExists` (names are unique without regard to case),
    /// `MalformedPolicyDocument`, `LimitExceeded`, `NoSuchEntity` for the boundary, `ValidationError`.
    pub fn create_role(&mut self, moment: Moment, account: &str, new: NewRole<'_>) -> Result<Role, AwsError> {
        rules::name("roleName", new.name, 64)?;
        let path = rules::path(new.path)?;
        let max_session = new.max_session.unwrap_or(3600);
        check_max_session(max_session)?;
        let taken = self
            .roles(account)
            .any(|role| role.name.eq_ignore_ascii_case(new.name));
        if taken {
            return Err(AwsError::already_exists(format!(
                "Role with name {} already exists.",
                new.name
            )));
        }
        let (trust, trusted_ids) = rules::trust(self, moment, new.trust)?;
        if let Some(arn) = new.boundary {
            self.managed(arn)?;
        }
        let role = Role {
            name: new.name.to_owned(),
            arn: format!("arn:aws:iam::{account}:role{path}{}", new.name),
            path,
            id: ids::unique("AROA"),
            created: moment.shown,
            description: new.description.unwrap_or_default().to_owned(),
            max_session,
            tags: new.tags,
            trust,
            trusted_ids,
            grants: Grants {
                boundary: new.boundary.map(str::to_owned),
                ..Grants::default()
            },
        };
        let roles = &mut self.account(account).roles;
        roles
            .entry(role.name.clone())
            .or_default()
            .set(moment, Some(role.clone()));
        Ok(role)
    }

    /// The role of this name. Error: `NoSuchEntity`.
    pub fn role(&self, account: &str, name: &str) -> Result<&Role, AwsError> {
        self.accounts
            .get(account)
            .and_then(|account| account.roles.get(name)?.latest())
            .ok_or_else(|| AwsError::no_such_entity(format!("The role with name {name} cannot be found.")))
    }

    /// The role of this name, as seen.
    pub fn seen_role(&self, moment: Moment, account: &str, name: &str) -> Option<&Role> {
        self.accounts.get(account)?.roles.get(name)?.seen(moment)
    }

    /// The roles of an account, by name.
    pub fn roles(&self, account: &str) -> impl Iterator<Item = &Role> {
        self.accounts
            .get(account)
            .into_iter()
            .flat_map(|account| account.roles.values())
            .filter_map(|role| role.latest())
    }

    /// Replaces the trust policy. Errors: as [`Store::create_role`].
    pub fn update_trust(
        &mut self,
        moment: Moment,
        account: &str,
        name: &str,
        trust: &str,
    ) -> Result<(), AwsError> {
        let role = self.role(account, name)?.clone();
        let (trust, trusted_ids) = rules::trust(self, moment, trust)?;
        self.put_role(
            moment,
            account,
            Role {
                trust,
                trusted_ids,
                ..role
            },
        );
        Ok(())
    }

    /// Changes the description or the longest session.
    pub fn update_role(
        &mut self,
        moment: Moment,
        account: &str,
        name: &str,
        change: RoleChange<'_>,
    ) -> Result<(), AwsError> {
        let mut role = self.role(account, name)?.clone();
        if let Some(seconds) = change.max_session {
            check_max_session(seconds)?;
            role.max_session = seconds;
        }
        if let Some(description) = change.description {
            role.description = description.to_owned();
        }
        self.put_role(moment, account, role);
        Ok(())
    }

    /// Replaces the tags.
    pub fn set_role_tags(
        &mut self,
        moment: Moment,
        account: &str,
        name: &str,
        tags: BTreeMap<String, String>,
    ) -> Result<(), AwsError> {
        let role = self.role(account, name)?.clone();
        self.put_role(moment, account, Role { tags, ..role });
        Ok(())
    }

    /// Removes a role. Error: `DeleteConflict` while it has policies.
    pub fn delete_role(&mut self, moment: Moment, account: &str, name: &str) -> Result<(), AwsError> {
        let role = self.role(account, name)?;
        super::grants::must_be_empty(&role.grants)?;
        if let Some(role) = self.account(account).roles.get_mut(name) {
            role.set(moment, None);
        }
        Ok(())
    }

    /// The trust policy as GetRole shows it: a principal that is there no more is shown by its unique id.
    pub fn shown_trust(&self, moment: Moment, role: &Role) -> String {
        let mut text = role.trust.text().to_owned();
        for (arn, id) in &role.trusted_ids {
            let account = arn.split(':').nth(4).unwrap_or_default();
            if self
                .entity_id(
                    Moment {
                        seen: i64::MAX,
                        ..moment
                    },
                    account,
                    arn,
                )
                .as_ref()
                != Some(id)
            {
                text = text.replace(&format!("\"{arn}\""), &format!("\"{id}\""));
            }
        }
        text
    }

    pub(super) fn put_role(&mut self, moment: Moment, account: &str, role: Role) {
        self.account(account)
            .roles
            .entry(role.name.clone())
            .or_default()
            .set(moment, Some(role));
    }
}

fn check_max_session(seconds: i64) -> Result<(), AwsError> {
    let bound = match seconds {
        3600..=43_200 => return Ok(()),
        ..3600 => "greater than or equal to 3600",
        _ => "less than or equal to 43200",
    };
    Err(AwsError::validation(format!(
        "1 validation error detected: Value '{seconds}' at 'maxSessionDuration' failed to satisfy constraint: Member \
         must have value {bound}"
    )))
}
