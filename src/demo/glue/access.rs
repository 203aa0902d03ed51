//! The policy gate of Glue: an action on a table needs the right on its database and on the catalog too, and the
//! refusal names the ancestor that is missing. See
//! <https://docs.aws.amazon.com/glue/latest/dg/glue-specifying-resource-arns.html>.

use super::errors;
use super::input;
use super::store::{Catalog, Database, Store};
use crate::demo::caller::Caller;
use crate::demo::error::AwsError;
use crate::demo::world::World;
use crate::domain::region::Region;
use crate::policy::{self, Context, Decision, Document};
use serde_json::Value;

/// One request: who asks for what of which catalog.
pub struct Ask<'a> {
    /// The world.
    pub world: &'a World,
    caller: &'a Caller,
    region: &'a str,
    operation: &'a str,
    /// The account whose catalog it is.
    pub account: String,
}

impl<'a> Ask<'a> {
    /// Reads `CatalogId`; the caller's own account where there is none.
    pub fn new(
        world: &'a World,
        caller: &'a Caller,
        region: &'a str,
        operation: &'a str,
        body: &Value,
    ) -> Result<Self, AwsError> {
        let account = match input::text(body, "CatalogId") {
            None => caller.account.clone(),
            Some(id) if id.len() == 12 && id.bytes().all(|b| b.is_ascii_digit()) => id.to_owned(),
            Some(other) => {
                let message = format!("Catalog {other} not found.");
                return Err(AwsError::new(400, "EntityNotFoundException", message));
            }
        };
        Ok(Self {
            world,
            caller,
            region,
            operation,
            account,
        })
    }

    /// The caller's ARN, which Glue keeps as `CreatedBy`.
    pub fn caller_arn(&self) -> &str {
        &self.caller.arn
    }

    /// This moment as Glue writes times: whole seconds since 1970.
    pub fn now(&self) -> f64 {
        (self.world.now() / 1000) as f64
    }

    /// May the caller do this to the catalog?
    pub fn may_catalog(&self) -> Result<(), AwsError> {
        self.may("catalog")
    }

    /// May the caller do this to a database, and to the catalog?
    pub fn may_database(&self, database: &str) -> Result<(), AwsError> {
        self.may_catalog()?;
        self.may(&format!("database/{database}"))
    }

    /// May the caller do this to a table, its database and the catalog? `*` stands for all tables: the policy must
    /// allow them all, since Glue does not filter a listing.
    pub fn may_table(&self, database: &str, table: &str) -> Result<(), AwsError> {
        self.may_database(database)?;
        self.may(&format!("table/{database}/{table}"))
    }

    /// May the caller do this to this kind of thing in a database?
    pub fn may_inside(&self, kind: &str, database: &str) -> Result<(), AwsError> {
        self.may(&format!("{kind}/{database}/*"))
    }

    /// The ARN of something of this account in this region.
    pub fn arn(&self, service: &str, what: &str) -> String {
        let partition = self
            .region
            .parse::<Region>()
            .map_or("aws", |region| region.partition().id());
        format!(
            "arn:{partition}:{service}:{}:{}:{what}",
            self.region, self.account
        )
    }

    /// May the caller do this with a key of KMS, by way of Glue?
    pub fn may_use_key(&self, action: &str, key: &str) -> Result<(), AwsError> {
        let suffix = self
            .region
            .parse::<Region>()
            .map_or("amazonaws.com", |region| region.partition().dns_suffix());
        let context = Context::new()
            .with("kms:ViaService", format!("glue.{}.{suffix}", self.region))
            .with("kms:CallerAccount", &self.caller.account);
        self.world.authorize(self.caller, action, key, &context)
    }

    fn may(&self, what: &str) -> Result<(), AwsError> {
        let action = format!("glue:{}", self.operation);
        let resource = self.arn("glue", what);
        let identity = self
            .world
            .authorize(self.caller, &action, &resource, &Context::new());
        let policy = self.world.read(|state| {
            state
                .glue
                .catalog(&self.account, self.region)
                .and_then(|catalog| catalog.policy.clone())
        });
        let said = policy.map_or(Decision::NoMatch, |policy| {
            self.resource_policy(&policy, &action, &resource)
        });
        let ours = self.account == self.caller.account;
        let refused = |why: &str| {
            let caller = &self.caller.arn;
            AwsError::denied(format!(
                "User: {caller} is not authorized to perform: {action} on resource: {resource} {why}"
            ))
        };
        match said {
            Decision::ExplicitDeny => Err(refused("with an explicit deny in a resource-based policy")),
            Decision::Allow if ours => match identity {
                Err(error) if error.message.contains("explicit deny") => Err(error),
                _ => Ok(()),
            },
            Decision::NoMatch if !ours => {
                identity?;
                Err(refused(&format!(
                    "because no resource-based policy allows the {action} action"
                )))
            }
            Decision::Allow | Decision::NoMatch => identity,
        }
    }

    fn resource_policy(&self, policy: &Value, action: &str, resource: &str) -> Decision {
        let caller = self.caller;
        let who = policy::Caller {
            arn: &caller.arn,
            principal_arn: caller.principal_arn(),
            account: &caller.account,
        };
        policy::evaluate(
            &[&Document::read(policy)],
            Some(&who),
            action,
            resource,
            &caller.context(),
        )
        .decision
    }

    /// Looks at the catalog; an empty one where there is none.
    pub fn look<T>(&self, look: impl FnOnce(&Catalog) -> Result<T, AwsError>) -> Result<T, AwsError> {
        self.world
            .read(|state| match state.glue.catalog(&self.account, self.region) {
                Some(catalog) => look(catalog),
                None => look(&Catalog::default()),
            })
    }

    /// Looks at a database, or says that it is not there.
    pub fn look_in<T>(
        &self,
        database: &str,
        look: impl FnOnce(&Database) -> Result<T, AwsError>,
    ) -> Result<T, AwsError> {
        self.look(|catalog| {
            look(
                catalog
                    .databases
                    .get(database)
                    .ok_or_else(|| errors::no_database(database))?,
            )
        })
    }

    /// Changes the catalog. What answers an error must not have changed anything.
    pub fn change<T>(&self, change: impl FnOnce(&mut Catalog) -> Result<T, AwsError>) -> Result<T, AwsError> {
        self.world.change(|state| {
            let store: &mut Store = &mut state.glue;
            change(store.catalog_mut(&self.account, self.region))
        })
    }

    /// Changes a database, or says that it is not there.
    pub fn change_in<T>(
        &self,
        database: &str,
        change: impl FnOnce(&mut Database) -> Result<T, AwsError>,
    ) -> Result<T, AwsError> {
        self.change(|catalog| {
            change(
                catalog
                    .databases
                    .get_mut(database)
                    .ok_or_else(|| errors::no_database(database))?,
            )
        })
    }

    /// The local database that a resource link leads to; the name itself where it is no link.
    pub fn follow(&self, database: &str) -> Result<String, AwsError> {
        let target = self.look_in(database, |found| Ok(found.object.get("TargetDatabase").cloned()))?;
        let Some(target) = target else {
            return Ok(database.to_owned());
        };
        let there = input::text(&target, "CatalogId").unwrap_or(&self.account);
        let region = input::text(&target, "Region").unwrap_or(self.region);
        if there != self.account || region != self.region {
            let away = Ask {
                account: there.to_owned(),
                region,
                ..*self
            };
            away.may_catalog()?;
            return Err(errors::invalid(format!(
                "The target of {database} is in region {region}, not here"
            )));
        }
        Ok(input::text(&target, "DatabaseName")
            .unwrap_or_default()
            .to_lowercase())
    }
}
