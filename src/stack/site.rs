//! What a target's stack should be, by the records: its name, place, template, parameters and marks.

use crate::domain::access::Access;
use crate::domain::account::AccountId;
use crate::domain::names::ConnectionName;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::stack_name::StackName;
use crate::registry::{Connection, Grant, LeftOver};
use crate::session::Session;
use crate::setup::{connection, past, rules, trust};
use crate::stack::Target;
use crate::stack::cfn::{Capability, Pseudo};
use crate::stack::grant::Wanted;
use crate::stack::parameters::{self, AccessInput, ConnectionInput};
use crate::stack::refusal::{not_adopted, refused, waits};
use crate::stack::template::{Parameters, TemplateKind};
use crate::stack::whose::{Marks, ORGANIZATION, RECORD, mark_of};

/// What a target's stack should be.
#[derive(Debug, Clone)]
pub struct Site {
    /// Whose stack.
    pub target: Target,
    /// Its name.
    pub stack: StackName,
    /// Where it belongs; `None`: no catalog has decided that yet.
    pub region: Option<Region>,
    /// The account it belongs in.
    pub account: AccountId,
    /// The profile that deploys there.
    pub deploy_profile: Option<String>,
    /// Its template.
    pub kind: TemplateKind,
    /// What must be acknowledged.
    pub capability: Option<Capability>,
    /// What a stack of ours carries.
    pub marks: Marks,
    /// Stacks of the same record that a change left behind.
    pub left_over: Vec<LeftOver>,
    /// Who opens the bucket to the same role past the access point that this grant stands on.
    pub opened_past: Vec<String>,
    pub(super) connection: Connection,
    pub(super) grant: Option<Grant>,
}

impl Site {
    /// Reads the records of a target.
    ///
    /// # Errors
    /// `NotFound` for a record that is not there; `CheckFailed` for a catalog whose connection has no role yet; `Usage`
    /// for values that the template does not take.
    pub fn of(session: &Session, target: &Target) -> Result<Self, Problem> {
        Self::read(session, target, true)
    }

    /// The same for a stack that is to go: it may be there though it could not be made as the records now are.
    ///
    /// # Errors
    /// `NotFound` for a record that is not there; `Usage` for values that the template does not take.
    pub fn to_delete(session: &Session, target: &Target) -> Result<Self, Problem> {
        Self::read(session, target, false)
    }

    fn read(session: &Session, target: &Target, to_make: bool) -> Result<Self, Problem> {
        let mut site = Self::of_records(session, target, to_make)?;
        site.marks.ids = record_ids(session)?;
        if let Some(grant) = &site.grant {
            site.opened_past = past::named(grant, &session.home.grants()?);
        }
        Ok(site)
    }

    /// A site of a target's own records alone, to make its stack or to delete it: it knows no other record's id. Those stand
    /// in all files, and only tell the stack of an earlier record from a colleague's: whether one is ours is told without.
    ///
    /// # Errors
    /// As [`Site::of`] and [`Site::to_delete`].
    pub(super) fn of_records(session: &Session, target: &Target, to_make: bool) -> Result<Self, Problem> {
        let organization = rules::organization(session)?.0.id;
        match target {
            Target::Connection(name) => {
                let connection = session.home.connection(name)?.record;
                if to_make {
                    not_adopted(&connection, target)?;
                    trust::check_itself(&connection)?;
                } else if connection.stack_id.is_none() {
                    // One that was made before its connection adopted a role is still there to be deleted.
                    not_adopted(&connection, target).map_err(|problem| Problem {
                        kind: Kind::NotFound,
                        ..problem
                    })?;
                }
                Self::of_connection(connection, organization.as_str())
            }
            Target::Grant(holder) => {
                let grant = session.home.grant(holder)?;
                let connection = session.home.connection(&grant.connection)?.record;
                let role_name = match &connection.role_arn {
                    Some(role) => role.role_name().to_owned(),
                    None if to_make => return Err(waits(&grant, &connection)),
                    // Whose a stack is stands in its marks; which role it serves does not matter to who deletes it.
                    None => "unknown".to_owned(),
                };
                Self::of_grant(grant, connection, &role_name, organization.as_str())
            }
        }
    }

    /// The role of the connection, as far as the records know it.
    pub fn role_name(&self) -> Option<&str> {
        self.connection.role_arn.as_ref().map(|role| role.role_name())
    }

    /// The connection that it is made for.
    pub fn connection_name(&self) -> &ConnectionName {
        &self.connection.name
    }

    /// The path of the connection's role.
    pub fn role_path(&self) -> &str {
        self.connection
            .role_path
            .as_ref()
            .map_or("/", |path| path.as_str())
    }

    /// The permissions boundary of the connection's role, where one is on record.
    pub fn boundary(&self) -> Option<String> {
        self.connection
            .permissions_boundary
            .as_ref()
            .map(ToString::to_string)
    }

    /// True when the records say that the stack, or one that was left over, has been made.
    pub fn is_made(&self) -> bool {
        match &self.grant {
            Some(grant) => grant.is_made(),
            None => connection::made(&self.connection) || self.connection.stack_id.is_some(),
        }
    }

    /// The id of the stack, once it was seen.
    pub fn stack_id(&self) -> Option<&str> {
        match &self.grant {
            Some(grant) => grant.stack_id.as_deref(),
            None => self.connection.stack_id.as_deref(),
        }
    }

    /// Whether the stack has been made as the record asks.
    pub fn is_deployed(&self) -> bool {
        match &self.grant {
            Some(grant) => grant.deployed,
            None => connection::made(&self.connection),
        }
    }

    /// The stack of a connection.
    ///
    /// # Errors
    /// `Usage` for values that the template does not take.
    pub fn of_connection(connection: Connection, organization: &str) -> Result<Self, Problem> {
        let trusted = trust::of(connection.broker_role_arn.as_ref(), &connection.trust);
        let verifier = trust::of(None, connection.verifier.as_slice());
        let values = parameters::connection(&ConnectionInput {
            account: connection.account_id.to_string(),
            external_id: connection.external_id.to_string(),
            trusted: trusted.principals,
            patterns: trusted.patterns,
            verifier: verifier.principals.into_iter().next(),
            verifier_patterns: verifier.patterns,
            role_path: connection.role_path.as_ref().map(ToString::to_string),
            boundary: connection.permissions_boundary.as_ref().map(ToString::to_string),
            organization: organization.to_owned(),
            record: mark_of(connection.name.as_str(), &connection.id),
        })
        .map_err(|error| refused(&connection.stack_name, &error))?;
        Self::new(
            Target::Connection(connection.name.clone()),
            connection,
            None,
            TemplateKind::Connection,
            values,
        )
    }

    /// The stack of a grant, for a role of that name.
    ///
    /// # Errors
    /// `Usage` for values that the template does not take.
    pub fn of_grant(
        grant: Grant,
        connection: Connection,
        role_name: &str,
        organization: &str,
    ) -> Result<Self, Problem> {
        let kind = match (&grant.databases, grant.access) {
            (Some(_), Access::ReadOnly) => TemplateKind::GlueReadOnly,
            (Some(_), Access::ReadWrite) => TemplateKind::GlueReadWrite,
            (None, Access::ReadOnly) => TemplateKind::StorageReadOnly,
            (None, Access::ReadWrite) => TemplateKind::StorageReadWrite,
        };
        // A policy names the one or the other.
        let point = grant.s3_path.point().map(|point| point.arn.to_string());
        let input = AccessInput {
            account: connection.account_id.to_string(),
            partition: grant.region.partition().id().to_owned(),
            region: grant.region.to_string(),
            role_name: role_name.to_owned(),
            bucket: point.as_ref().map_or(grant.s3_path.bucket(), |_| "").to_owned(),
            access_point: point,
            prefix: grant.s3_path.prefix().to_owned(),
            databases: grant.named_databases().to_vec(),
            kms_key: grant.kms_key.as_ref().map(ToString::to_string),
            catalog_kms_key: grant.catalog_kms_key.as_ref().map(ToString::to_string),
            organization: organization.to_owned(),
            record: mark_of(grant.holder.name(), &grant.id),
        };
        let values = parameters::access(kind, &input).map_err(|error| refused(&grant.stack_name, &error))?;
        Self::new(
            Target::Grant(grant.holder.clone()),
            connection,
            Some(grant),
            kind,
            values,
        )
    }

    fn new(
        target: Target,
        connection: Connection,
        grant: Option<Grant>,
        kind: TemplateKind,
        parameters: Parameters,
    ) -> Result<Self, Problem> {
        let (stack, region, left_over) = match &grant {
            Some(c) => (
                c.stack_name.clone(),
                Some(c.region.clone()),
                c.left_over_stacks.clone(),
            ),
            None => (
                connection.stack_name.clone(),
                connection.region.clone(),
                Vec::new(),
            ),
        };
        let mark = |name: &str| parameters.get(name).cloned().unwrap_or_default();
        Ok(Self {
            region,
            account: connection.account_id.clone(),
            deploy_profile: connection.deploy_profile.clone(),
            kind,
            capability: kind.capability().map_err(|error| refused(&stack, &error))?,
            marks: Marks {
                organization: mark(ORGANIZATION.1),
                record: mark(RECORD.1),
                name: target.name().to_owned(),
                ids: Vec::new(),
                parameters,
            },
            target,
            left_over,
            opened_past: Vec::new(),
            stack,
            connection,
            grant,
        })
    }

    /// The stack's name as text.
    pub fn stack_name(&self) -> &str {
        self.stack.as_str()
    }

    /// The command line that shows the stack's link.
    pub fn link_command(&self) -> String {
        format!("glueup link {}", self.target.command())
    }

    /// `account 0123-4567-8901, us-west-2`.
    pub fn place(&self) -> String {
        let account = format!("account {}", self.account.grouped());
        self.region
            .as_ref()
            .map_or(account.clone(), |region| format!("{account}, {region}"))
    }

    /// Refuses a role that was adopted: it is used as it is and never changed.
    ///
    /// # Errors
    /// `CheckFailed`, with what to do instead.
    pub fn check_not_adopted(&self) -> Result<(), Problem> {
        not_adopted(&self.connection, &self.target)
    }

    /// The parameters that decide what the stack grants, and to whom. The path of a role is none of them: its ARN tells it.
    pub fn identity(&self) -> &'static [&'static str] {
        match self.target {
            Target::Connection(_) => &[
                "ExternalId",
                "TrustedPrincipals",
                "TrustedPrincipalPatterns",
                "VerifierPrincipal",
                "VerifierPrincipalPatterns",
                "PermissionsBoundaryArn",
            ],
            Target::Grant(_) => parameters::DECIDING,
        }
    }

    /// The tags that say whose the stack is.
    pub fn tags(&self) -> Vec<(String, String)> {
        vec![
            (ORGANIZATION.0.to_owned(), self.marks.organization.clone()),
            (RECORD.0.to_owned(), self.marks.record.clone()),
        ]
    }

    /// The parameters, in the template's order.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let order: Vec<String> = self
            .kind
            .template()
            .map(|t| t.parameters.iter().map(|p| p.name.clone()).collect())
            .unwrap_or_default();
        let place = |name: &str| order.iter().position(|n| n == name).unwrap_or(usize::MAX);
        let mut list: Vec<(String, String)> = self
            .marks
            .parameters
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        list.sort_by_key(|(name, _)| place(name));
        list
    }

    /// Who will be able to assume the role, for a connection.
    pub fn trusted(&self) -> Vec<String> {
        if self.grant.is_some() {
            return Vec::new();
        }
        let broker = self.connection.broker_role_arn.iter().map(ToString::to_string);
        broker
            .chain(self.connection.trust.iter().map(ToString::to_string))
            .chain(
                self.connection
                    .verifier
                    .iter()
                    .map(|arn| format!("{arn} (to verify)")),
            )
            .collect()
    }

    /// What is asked for, for a grant.
    pub fn wanted(&self) -> Option<Wanted<'_>> {
        self.grant.as_ref().map(|grant| Wanted {
            access: grant.access,
            s3_path: &grant.s3_path,
            databases: grant.databases.as_deref(),
            account: Some(&self.account),
            kms_key: grant.kms_key.as_ref().map(AsRef::as_ref),
            catalog_kms_key: grant.catalog_kms_key.as_ref().map(AsRef::as_ref),
            stack_name: Some(self.stack.as_str()),
        })
    }

    /// The values of `AWS::Region` and the like.
    pub fn pseudo(&self) -> Pseudo {
        pseudo(&self.stack, self.region.as_ref(), &self.account)
    }
}

fn pseudo(stack: &StackName, region: Option<&Region>, account: &AccountId) -> Pseudo {
    let partition = region
        .map(Region::partition)
        .unwrap_or(crate::domain::region::Partition::Aws);
    Pseudo {
        account_id: account.to_string(),
        region: region.map(ToString::to_string).unwrap_or_default(),
        partition: partition.id().to_owned(),
        url_suffix: partition.dns_suffix().to_owned(),
        stack_name: stack.to_string(),
        stack_id: String::new(),
    }
}

/// The ids of all records of the home, by which a stack of one of them is known.
fn record_ids(session: &Session) -> Result<Vec<String>, Problem> {
    let connections = session.home.connections()?.records.into_iter();
    let grants = session.home.grants()?.into_iter();
    Ok(connections
        .map(|stored| stored.record.id)
        .chain(grants.map(|grant| grant.id))
        .collect())
}
