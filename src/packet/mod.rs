//! The packet: one document about a catalog or a storage integration and its connection, for whoever has to allow it.
//!
//! It is made from the records and the templates alone: no sign-in, no network, and nothing has to be deployed yet. The
//! same records make the same bytes, so that two packets can be compared. No secret is in it, since none is on record.
//!
//! - [`document`]: what a document is made of; `markdown` and `html` write it.
//! - `intro`, `trust`, `permissions`, `proof`, `undo`, `appendix`: what it says, in that order.

mod appendix;
pub mod document;
mod html;
mod intro;
mod markdown;
mod permissions;
mod proof;
#[cfg(test)]
mod tests;
mod trust;
mod undo;

use crate::domain::organization::Organization;
use crate::domain::platform::Platform;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::registry::{Connection, Grant, Holder, Verdict};
use crate::session::Session;
use crate::setup::{connection, rules};
use crate::stack::policy::{self, NOBODY, Policy, ROLE_TO_COME};
use crate::stack::site::Site;
use document::Document;

/// The form in which it is written. Both say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text for a repository, a ticket, a mail.
    Markdown,
    /// A page to be read in a browser, or printed.
    Html,
}

/// What a packet is made of.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Who connects.
    pub organization: Organization,
    /// Its platform.
    pub platform: &'static Platform,
    /// The connection.
    pub connection: Connection,
    /// What is asked for: by a catalog, or by a storage integration.
    pub grant: Grant,
    /// What else is bound to the connection: its role carries what all of them ask for.
    pub others: Vec<Grant>,
    /// The last verdict on it.
    pub verdict: Option<Verdict>,
}

/// Reads the records and writes the packet of a catalog or a storage integration.
///
/// # Errors
/// `NotFound` for a record that is not there; `Usage` for values that the templates do not take.
pub fn of(session: &Session, holder: &Holder, form: Form) -> Result<String, Problem> {
    let (organization, platform) = rules::organization(session)?;
    let grant = session.home.grant(holder)?;
    let connection = session.home.connection(&grant.connection)?.record;
    let mut others = connection::grants_of(session, &grant.connection)?;
    others.retain(|other| other.holder != *holder);
    let facts = Facts {
        organization,
        platform,
        connection,
        others,
        verdict: session.home.verdict(&holder.subject()),
        grant,
    };
    Ok(write(&compose(&facts)?, form))
}

/// Writes a document.
pub fn write(document: &Document, form: Form) -> String {
    match form {
        Form::Markdown => markdown::write(document),
        Form::Html => html::write(document),
    }
}

/// The packet as data.
///
/// # Errors
/// `Usage` for values that the templates do not take.
pub fn compose(facts: &Facts) -> Result<Document, Problem> {
    let made = Made::of(facts)?;
    let mut document = Document::default();
    intro::write(facts, &mut document);
    trust::write(facts, &made, &mut document);
    permissions::write(facts, &made, &mut document);
    permissions::parameters(facts, &made, &mut document);
    proof::write(facts, &mut document);
    undo::write(facts, &mut document);
    appendix::write(facts, &made, &mut document);
    Ok(document)
}

/// What the templates make of the records.
struct Made {
    /// The connection's stack; `None` for a role that was there before.
    connection: Option<Site>,
    /// The stack that grants access, which an adopted role is not given either: then it says what the role should carry.
    access: Site,
    trust: Policy,
    grant: Policy,
}

impl Made {
    fn of(facts: &Facts) -> Result<Self, Problem> {
        let organization = facts.organization.id.as_str();
        let mut connection = facts.connection.clone();
        connection.region = Some(facts.role_region().clone());
        let role = connection
            .role_arn
            .as_ref()
            .map_or(ROLE_TO_COME, |arn| arn.role_name());
        Ok(Self {
            access: Site::of_grant(facts.grant.clone(), connection.clone(), role, organization)?,
            trust: policy::trust(&connection)?,
            grant: policy::permissions(&facts.grant, &connection)?,
            connection: match connection.adopted {
                true => None,
                false => Some(Site::of_connection(connection, organization)?),
            },
        })
    }
}

impl Facts {
    /// Where the connection's stack belongs: its first catalog decides it.
    fn role_region(&self) -> &Region {
        self.connection.region.as_ref().unwrap_or(&self.grant.region)
    }

    fn adopted(&self) -> bool {
        self.connection.adopted
    }

    /// The stacks that were made before the connection took a role that was there, in the order in which they can be
    /// deleted; and whether it is the one of the connection's role.
    fn stay(&self) -> Vec<(&str, &Region, bool)> {
        let (grant, connection) = (&self.grant, &self.connection);
        let left = grant.left_over_stacks.iter();
        let mut stay: Vec<_> = left
            .map(|left| (left.stack_name.as_str(), &left.region, false))
            .collect();
        if grant.deployed || grant.stack_id.is_some() {
            stay.push((grant.stack_name.as_str(), &grant.region, false));
        }
        if connection.stack_id.is_some() {
            stay.push((connection.stack_name.as_str(), self.role_region(), true));
        }
        stay
    }

    /// The role's name, or what stands for it.
    fn role(&self) -> &str {
        let arn = self.connection.role_arn.as_ref();
        arn.map_or("ROLE", |arn| arn.role_name())
    }
}

/// Whether a principal of a trust policy is the stand-in for somebody who is not on record.
fn is_nobody(principal: &str) -> bool {
    principal.ends_with(NOBODY)
}
