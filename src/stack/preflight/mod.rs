//! Preflight: whether the signed-in caller can deploy here, looked at before anything is launched. Nothing is changed.
//!
//! - [`rights`]: what CloudFormation and its handlers will call, asked of IAM's policy simulator.
//! - [`service_role`]: the role that CloudFormation works with, where there is one.

mod needs;
mod rights;
mod service_role;

use crate::cloud::stacks::{StackDescription, Stacks};
use crate::cloud::{Aws, Identity, is_access_denied};
use crate::domain::finding::{Check, Finding};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::status::Status;
use crate::registry::{Connection, Grant};
use crate::session::Session;
use crate::setup::rules;
use crate::stack::Target;
use crate::stack::desk;
use crate::stack::encryption::{self, Thing};
use crate::stack::outdated;
use crate::stack::policy::ROLE_TO_COME;
use crate::stack::review;
use crate::stack::site::Site;
use crate::stack::state::dead_end;
use crate::stack::whose::Owner;
use futures_util::future::join_all;
use rights::Rights;
use std::collections::BTreeSet;

/// Makes all checks, in a fixed order. A check that failed is an answer, not an error.
///
/// `role_arn`: the service role that CloudFormation will work with, where one is named.
///
/// # Errors
/// `NotFound` for a record that is not there; `CheckFailed` where nothing will be deployed, since the role was there
/// before; no sign-in; nobody answers.
pub async fn run(session: &Session, target: &Target, role_arn: Option<&str>) -> Result<Vec<Check>, Problem> {
    let (connection, grant) = records(session, target)?;
    let mut sites = sites(session, &connection, grant.as_ref())?;
    let admin = match rules::may_create(session).await {
        Ok(()) => Finding::passed("this caller may create, deploy and delete by the organization's record"),
        Err(problem) if problem.kind == Kind::Denied => Finding::from(&problem),
        Err(problem) => return Err(problem),
    };
    let aws = session.deployer(connection.deploy_profile.as_deref()).await?;
    let near = sites.iter().find_map(|site| site.region.clone());
    let identity = aws
        .identity_near(near.as_ref().unwrap_or_else(|| aws.region()))
        .await?;
    for site in &mut sites {
        site.region = Some(desk::region_of(session, site, &identity)?);
    }
    let regions: BTreeSet<&Region> = sites.iter().filter_map(|site| site.region.as_ref()).collect();
    let here = regions
        .iter()
        .all(|region| region.partition() == identity.partition);
    let there = here && identity.account == connection.account_id;
    let place = together(
        regions
            .into_iter()
            .map(|region| place(region, &identity))
            .collect(),
    );
    let elsewhere = || Finding::skipped("not looked at: this caller is somewhere else");
    let found = if there {
        described(&aws, &sites).await
    } else {
        Vec::new()
    };
    let worker = service_role::worker(role_arn, &found);
    let names = if there {
        names(&aws, &sites, found).await
    } else {
        elsewhere()
    };
    let room = room(session, &sites);
    let keys = async {
        match &grant {
            Some(grant) => keys(&aws, grant, there, elsewhere()).await,
            None => Vec::new(),
        }
    };
    let (stacks, roles, service, keys) = if there {
        let rights = Rights::new(aws.iam(identity.partition), &identity, &sites, &worker);
        let iam = aws.iam(identity.partition);
        tokio::join!(
            rights.of_stacks(),
            rights.of_roles(),
            worker.look(&iam),
            Box::pin(keys)
        )
    } else {
        let service = worker.is_role().then(elsewhere);
        (elsewhere(), elsewhere(), service, keys.await)
    };
    let check = |id, title, finding| Check { id, title, finding };
    let mut checks = vec![
        check("organization", "who may deploy", admin),
        check("account", "account", account(&connection, &identity)),
        check("region", "region", place),
        check("stack-name", "names of the stacks", names),
        check("policy-size", "room on the role", room),
        check("cloudformation", "rights on CloudFormation", stacks),
        check("iam", "rights on IAM", roles),
    ];
    checks.extend(service.map(|finding| check("service-role", "service role", finding)));
    checks.extend(keys);
    Ok(checks)
}

/// Whether a grant asks for the keys that encrypt what it is about.
async fn keys(aws: &Aws, grant: &Grant, there: bool, elsewhere: Finding) -> Vec<Check> {
    let mut checks = vec![(
        "encryption",
        "encryption key",
        if there {
            let found = encryption::of_bucket(aws.s3(&grant.region), &grant.s3_path).await;
            found.finding(grant, Thing::Files)
        } else {
            elsewhere.clone()
        },
    )];
    if grant.databases.is_some() {
        checks.push((
            "catalog-encryption",
            "encryption key of the catalog",
            if there {
                let found = encryption::of_catalog(&aws.glue(&grant.region)).await;
                found.finding(grant, Thing::Catalog)
            } else {
                elsewhere
            },
        ));
    }
    let check = |(id, title, finding)| Check { id, title, finding };
    checks.into_iter().map(check).collect()
}

fn records(session: &Session, target: &Target) -> Result<(Connection, Option<Grant>), Problem> {
    Ok(match target {
        Target::Connection(name) => (session.home.connection(name)?.record, None),
        Target::Grant(holder) => {
            let grant = session.home.grant(holder)?;
            (session.home.connection(&grant.connection)?.record, Some(grant))
        }
    })
}

/// The stacks that a deployment makes or changes: the connection's, and the grant's. A connection that is made is not
/// touched for what is bound to it.
fn sites(session: &Session, connection: &Connection, grant: Option<&Grant>) -> Result<Vec<Site>, Problem> {
    let own = || Site::of(session, &Target::Connection(connection.name.clone()));
    let Some(grant) = grant else {
        return Ok(vec![own()?]);
    };
    if connection.role_arn.is_some() {
        let of_grant = Site::of(session, &Target::Grant(grant.holder.clone()))?;
        of_grant.check_not_adopted()?;
        return Ok(vec![of_grant]);
    }
    // The connection comes first, and makes the role: until then a name stands for it.
    let organization = rules::organization(session)?.0.id;
    let (grant, serving) = (grant.clone(), connection.clone());
    let of_grant = Site::of_grant(grant, serving, ROLE_TO_COME, organization.as_str())?;
    Ok(vec![own()?, of_grant])
}

fn account(connection: &Connection, identity: &Identity) -> Finding {
    let (asked, here) = (connection.account_id.grouped(), identity.account.grouped());
    if identity.account == connection.account_id {
        return Finding::passed(format!("{}, in account {here}", identity.arn));
    }
    Finding::failed(
        format!("{} is in account {here}, the connection in {asked}", identity.arn),
        format!(
            "Sign in to account {asked} (--profile NAME), or name its profile once: glueup connection set {}",
            crate::domain::quote::operand(connection.name.as_str(), "--deploy-profile NAME")
        ),
    )
}

fn place(region: &Region, identity: &Identity) -> Finding {
    if region.partition() != identity.partition {
        return Finding::failed(
            format!(
                "{region} belongs to {}, this caller to {}",
                region.partition(),
                identity.partition
            ),
            "Sign in with credentials of that partition",
        );
    }
    match region.warning() {
        Some(words) => Finding::warning(words, "Look whether the region is written as AWS writes it"),
        None => Finding::passed(format!("{region} answers")),
    }
}

/// What CloudFormation says of the stacks of these names.
type Found = Result<Option<StackDescription>, Problem>;

fn stacks(aws: &Aws, site: &Site) -> Stacks {
    aws.stacks(site.region.as_ref().unwrap_or_else(|| aws.region()))
}

async fn described(aws: &Aws, sites: &[Site]) -> Vec<Found> {
    let asked = sites
        .iter()
        .map(|site| async { stacks(aws, site).describe(site.stack_name()).await });
    join_all(asked).await
}

/// Whether the stacks' names are free, or the stacks ours.
async fn names(aws: &Aws, sites: &[Site], found: Vec<Found>) -> Finding {
    let asked = sites
        .iter()
        .zip(found)
        .map(|(site, found)| async { name(&stacks(aws, site), site, found).await });
    together(join_all(asked).await)
}

/// Several findings of one check: the worst of them, and what each says.
fn together(found: Vec<Finding>) -> Finding {
    let answer: Vec<String> = found.iter().map(|finding| finding.answer.clone()).collect();
    let mut next: Vec<String> = found.iter().filter_map(|finding| finding.next.clone()).collect();
    next.dedup();
    // `Status` has no order of its own: the worst counts.
    let worst = [Status::Failed, Status::Warning, Status::Skipped];
    let status = worst
        .into_iter()
        .find(|status| found.iter().any(|finding| finding.status == *status))
        .unwrap_or(Status::Passed);
    Finding {
        status,
        answer: answer.join("\n"),
        next: Some(next.join("\n")).filter(|next| !next.is_empty()),
    }
}

async fn name(stacks: &Stacks, site: &Site, found: Found) -> Finding {
    let stack = match found {
        Ok(Some(stack)) => stack,
        Ok(None) => {
            return Finding::passed(format!(
                "{} is free; CloudFormation makes up the names of what is in it",
                site.stack
            ));
        }
        // Who may not look may not deploy: each deployment looks first.
        Err(problem) if is_access_denied(&problem) => return Finding::from(&problem),
        Err(problem) => return Finding::not_known(&format!("{}: ", site.stack), &problem),
    };
    // One whose creation was undone holds nothing, and says whose it was all the same.
    let owner = match Box::pin(review::owner(stacks, &stack, &site.marks)).await {
        Ok(owner) => owner,
        Err(problem) => {
            return Finding::not_known(&format!("{}: whose it is, is ", site.stack), &problem);
        }
    };
    match owner {
        Owner::Ours => {
            let told = format!("{} is ours, {}", stack.name, stack.status);
            match dead_end(&stack.status, &site.target) {
                Some((why, way)) => Finding::warning(format!("{told}: {why}"), way),
                None => Finding::passed(match outdated::told(&stack.parameters, site) {
                    Some(line) => format!("{told}: {line}"),
                    None => told,
                }),
            }
        }
        Owner::Earlier { .. } => Finding::warning(
            format!("{} was {}, or for a colleague's", stack.name, owner.whose()),
            format!(
                "Deploying asks whether to take it over: glueup deploy {}",
                site.target.command()
            ),
        ),
        Owner::Another { .. } | Owner::Unmarked => Finding::failed(
            format!("{} is there, and was {}", stack.name, owner.whose()),
            "Give the record another name: the stack's name is made from it",
        ),
    }
}

/// Whether the role has room for the policy.
fn room(session: &Session, sites: &[Site]) -> Finding {
    for site in sites {
        if let Err(problem) = site.check_size(session) {
            return Finding::from(&problem);
        }
    }
    Finding::passed("the policies fit into what a role takes")
}
