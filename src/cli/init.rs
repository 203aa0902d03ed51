//! `glueup init`: who connects.

use crate::cli::args::{OrNone, filled};
use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::cli::work::wrong_outcome;
use crate::domain::arn::RoleArn;
use crate::domain::names::OrganizationId;
use crate::domain::organization::Organization;
use crate::job::{Job, Outcome};
use crate::session::Session;
use crate::setup::{self, NewOrganization};
use clap::Args;

/// What `init` takes; what is absent keeps its value or takes its default.
#[derive(Debug, Clone, Args)]
pub struct InitArgs {
    /// The organization's name
    #[arg(long, value_name = "NAME", value_parser = filled)]
    pub name: Option<String>,
    /// Its id at the platform
    #[arg(long, value_name = "ID")]
    pub id: Option<OrganizationId>,
    /// self, wherobots, chalk or startree
    #[arg(long, value_name = "PLATFORM", value_parser = filled)]
    pub platform: Option<String>,
    /// The platform's edition, where it has editions (wherobots)
    #[arg(long, value_name = "EDITION", value_parser = filled)]
    pub edition: Option<String>,
    /// The role that assumes the connection roles; none: drop the one on record
    #[arg(long, value_name = "ARN|none")]
    pub broker_role: Option<OrNone<RoleArn>>,
    /// Who is an admin: a pattern of caller ARNs that you match yourself; may be repeated; none: everyone
    #[arg(long = "admin", value_name = "PATTERN", value_parser = filled)]
    pub admins: Vec<String>,
}

impl From<InitArgs> for NewOrganization {
    fn from(args: InitArgs) -> Self {
        Self {
            name: args.name,
            id: args.id,
            platform: args.platform,
            edition: args.edition,
            without_broker: args.broker_role.as_ref().is_some_and(OrNone::is_none),
            broker_role_arn: args.broker_role.and_then(OrNone::given),
            admins: args.admins,
        }
    }
}

/// Writes the organization and shows it.
///
/// # Errors
/// As the setup room.
pub async fn run(front: &mut Front, session: &Session, args: InitArgs) -> Result<u8, Stop> {
    let request = setup::Request::Init(args.into());
    match front.run_quiet(session, Job::Setup(request)).await? {
        Outcome::Setup(setup::Outcome::Organization(organization, advice)) => {
            for line in advice {
                front.note(&line);
            }
            show(front, &organization)?;
        }
        _ => return Err(wrong_outcome()),
    }
    Ok(0)
}

fn show(front: &mut Front, organization: &Organization) -> Result<(), Stop> {
    if front.is_json() {
        return front.json(organization);
    }
    let admins = if organization.admins.is_empty() {
        "everyone".to_owned()
    } else {
        organization.admins.join(" ")
    };
    front.fields(&[
        ("organization", Some(organization.name.clone())),
        ("id", Some(organization.id.to_string())),
        ("platform", Some(organization.platform.clone())),
        ("edition", organization.edition.clone()),
        (
            "broker role",
            organization.broker_role_arn.as_ref().map(ToString::to_string),
        ),
        ("admins", Some(admins)),
    ])
}
