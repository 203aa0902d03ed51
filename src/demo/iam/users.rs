//! Users and their access keys.

use super::model::{AccessKey, Grants, User};
use super::{Store, rules};
use crate::demo::error::AwsError;
use crate::demo::handle::KeyPair;
use crate::demo::ids;
use crate::demo::world::Moment;

/// Access keys that one user can have.
const KEYS: usize = 2;

impl Store {
    /// Makes a user. Errors: `EntityAlreadyExists`, `ValidationError`.
    pub fn create_user(
        &mut self,
        moment: Moment,
        account: &str,
        name: &str,
        path: Option<&str>,
    ) -> Result<User, AwsError> {
        rules::name("userName", name, 64)?;
        let path = rules::path(path)?;
        if self
            .users(account)
            .any(|user| user.name.eq_ignore_ascii_case(name))
        {
            return Err(AwsError::already_exists(format!(
                "User with name {name} already exists."
            )));
        }
        let user = User {
            name: name.to_owned(),
            arn: format!("arn:aws:iam::{account}:user{path}{name}"),
            path,
            id: ids::unique("AIDA"),
            created: moment.shown,
            grants: Grants::default(),
        };
        self.put_user(moment, account, user.clone());
        Ok(user)
    }

    /// The user of this name. Error: `NoSuchEntity`.
    pub fn user(&self, account: &str, name: &str) -> Result<&User, AwsError> {
        self.accounts
            .get(account)
            .and_then(|account| account.users.get(name)?.latest())
            .ok_or_else(|| AwsError::no_such_entity(format!("The user with name {name} cannot be found.")))
    }

    /// The user of this name, as seen.
    pub fn seen_user(&self, moment: Moment, account: &str, name: &str) -> Option<&User> {
        self.accounts.get(account)?.users.get(name)?.seen(moment)
    }

    /// The users of an account, by name.
    pub fn users(&self, account: &str) -> impl Iterator<Item = &User> {
        self.accounts
            .get(account)
            .into_iter()
            .flat_map(|account| account.users.values())
            .filter_map(|user| user.latest())
    }

    /// Removes a user. Error: `DeleteConflict` while it has access keys or policies.
    pub fn delete_user(&mut self, moment: Moment, account: &str, name: &str) -> Result<(), AwsError> {
        let user = self.user(account, name)?;
        if self.access_keys(account, name).next().is_some() {
            return Err(AwsError::new(
                409,
                "DeleteConflict",
                "Cannot delete entity, must delete access keys first.",
            ));
        }
        super::grants::must_be_empty(&user.grants)?;
        if let Some(user) = self.account(account).users.get_mut(name) {
            user.set(moment, None);
        }
        Ok(())
    }

    /// Makes an access key; its secret is told this once. Keys work at once.
    pub fn create_access_key(
        &mut self,
        moment: Moment,
        account: &str,
        user: &str,
    ) -> Result<KeyPair, AwsError> {
        let pair = KeyPair {
            id: ids::unique("AKIA"),
            secret: ids::secret(),
        };
        self.add_access_key(moment, account, user, pair.clone())?;
        Ok(pair)
    }

    pub(super) fn add_access_key(
        &mut self,
        moment: Moment,
        account: &str,
        user: &str,
        pair: KeyPair,
    ) -> Result<(), AwsError> {
        self.user(account, user)?;
        if self.access_keys(account, user).count() >= KEYS {
            return Err(rules::limit(format!(
                "Cannot exceed quota for AccessKeysPerUser: {KEYS}"
            )));
        }
        let key = AccessKey {
            secret: pair.secret,
            account: account.to_owned(),
            user: user.to_owned(),
            created: moment.shown,
        };
        self.keys.insert(pair.id, key);
        Ok(())
    }

    /// Ids of a user's access keys, with the time of their making.
    pub fn access_keys<'a>(
        &'a self,
        account: &'a str,
        user: &'a str,
    ) -> impl Iterator<Item = (&'a str, i64)> {
        self.keys
            .iter()
            .filter(move |(_, key)| key.account == account && key.user == user)
            .map(|(id, key)| (id.as_str(), key.created))
    }

    /// Removes an access key. Error: `NoSuchEntity`.
    pub fn delete_access_key(&mut self, account: &str, user: &str, id: &str) -> Result<(), AwsError> {
        self.user(account, user)?;
        if !self.access_keys(account, user).any(|(found, _)| found == id) {
            return Err(AwsError::no_such_entity(format!(
                "The Access Key with id {id} cannot be found."
            )));
        }
        self.keys.remove(id);
        Ok(())
    }

    pub(super) fn put_user(&mut self, moment: Moment, account: &str, user: User) {
        self.account(account)
            .users
            .entry(user.name.clone())
            .or_default()
            .set(moment, Some(user));
    }
}
