//! The desk at which stacks are worked on: the right account, signed in, and every change written into the ledger.

use crate::cloud::stacks::Stacks;
use crate::cloud::{Aws, Identity};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::registry::ledger::Intent;
use crate::report::Reporter;
use crate::session::Session;
use crate::stack::follow::{Pace, now};
use crate::stack::site::Site;
use crate::stack::{Target, Update};
use std::future::Future;

/// A target's stack, and the signed-in caller who may work on it.
pub struct Desk {
    /// What the stack should be.
    pub site: Site,
    /// Who works.
    pub aws: Aws,
    /// The stack's region.
    pub region: Region,
    /// The caller's ARN.
    pub caller: String,
    /// CloudFormation in the stack's region.
    pub stacks: Stacks,
    loopback: bool,
}

impl Desk {
    /// Signs in with the connection's deploying profile, says where it will look, and refuses the wrong account
    /// before anything is tried.
    ///
    /// # Errors
    /// When the records do not allow it yet, when there is no sign-in, or when it is another account.
    pub async fn open(
        session: &Session,
        target: &Target,
        reporter: &Reporter<Update>,
    ) -> Result<Self, Problem> {
        Self::at(session, Site::of(session, target)?, reporter).await
    }

    /// The same for a stack that is known already.
    ///
    /// # Errors
    /// As [`Desk::open`].
    pub async fn at(session: &Session, mut site: Site, reporter: &Reporter<Update>) -> Result<Self, Problem> {
        let aws = session.deployer(site.deploy_profile.as_deref()).await?;
        let near = site.region.clone().unwrap_or_else(|| aws.region().clone());
        let identity = aws.identity_near(&near).await?;
        let region = region_of(session, &site, &identity)?;
        site.region = Some(region.clone());
        reporter
            .tell(Update::LookingIn {
                account: identity.account.clone(),
                region: region.clone(),
                stack: site.stack_name().to_owned(),
            })
            .await;
        if identity.account != site.account {
            return Err(wrong_account(&site, &identity.arn, &identity.account.grouped()));
        }
        if identity.partition != region.partition() {
            return Err(Problem::new(
                Kind::CheckFailed,
                format!("{region} is not in the partition that we are signed in to"),
                format!(
                    "{region} belongs to {}, our credentials to {}",
                    region.partition(),
                    identity.partition
                ),
                "sign in with credentials of that partition (--profile, or --deploy-profile on the connection)",
            ));
        }
        Ok(Self::of(site, &aws, &region))
    }

    /// The desk of a caller who is known to be in the stack's account.
    pub fn of(site: Site, aws: &Aws, region: &Region) -> Self {
        let endpoint = aws.endpoint("CLOUDFORMATION");
        Self {
            site,
            region: region.clone(),
            caller: aws.caller().unwrap_or_default(),
            stacks: aws.stacks(region),
            aws: aws.clone(),
            loopback: endpoint.as_deref().is_some_and(is_loopback),
        }
    }

    /// How often to ask while CloudFormation works.
    pub fn pace(&self) -> Pace {
        Pace::of(self.loopback)
    }

    /// How often to ask while a person may be at work in the browser.
    pub fn patient_pace(&self) -> Pace {
        Pace::patient(self.loopback)
    }

    /// A token that makes a repeated request the same request.
    ///
    /// # Errors
    /// When the operating system gives no random bytes.
    pub fn token(&self) -> Result<String, Problem> {
        Ok(format!("glueup-{}", hex::encode(crate::setup::random::bytes()?)))
    }

    /// Does what changes AWS, with intent and outcome in the ledger.
    ///
    /// # Errors
    /// When the intent cannot be written (nothing is tried then), or as the work says.
    pub async fn ledgered<T, W>(
        &self,
        session: &Session,
        action: &str,
        resource: &str,
        work: W,
    ) -> Result<T, Problem>
    where
        W: Future<Output = Result<T, Problem>>,
    {
        let (service, action) = action.split_once(':').unwrap_or(("", action));
        let intent = Intent {
            service: service.to_owned(),
            action: action.to_owned(),
            resource: resource.to_owned(),
        };
        let ledger = session.home.ledger();
        let entry = ledger.intend(now(), &intent)?;
        // A call of the SDK is a large future; held here, every caller would carry it on its stack.
        let result = Box::pin(work).await;
        let (outcome, request_id) = match &result {
            Ok(_) => ("done".to_owned(), None),
            Err(problem) => (problem.to_string(), problem.detail.request_id.as_deref()),
        };
        // What AWS answered counts more than that the note of it could not be written.
        let noted = ledger.settle(now(), &entry, &outcome, request_id);
        let done = result?;
        noted.map(|()| done)
    }

    /// Tells CloudFormation to delete a stack.
    ///
    /// # Errors
    /// As CloudFormation answers.
    pub async fn delete(
        &self,
        session: &Session,
        stacks: &Stacks,
        id: &str,
        role_arn: Option<&str>,
    ) -> Result<(), Problem> {
        self.ledgered(
            session,
            "cloudformation:DeleteStack",
            id,
            stacks.delete(id, role_arn.map(ToOwned::to_owned)),
        )
        .await
    }
}

/// Where a stack belongs: where its record says, else where the caller works.
///
/// # Errors
/// `Usage` where nobody says.
pub fn region_of(session: &Session, site: &Site, identity: &Identity) -> Result<Region, Problem> {
    let own = site.region.clone().or_else(|| session.settings.region.clone());
    own.or_else(|| identity.region.clone())
        .ok_or_else(|| no_region(site))
}

fn no_region(site: &Site) -> Problem {
    Problem::new(
        Kind::Usage,
        format!("where does {} belong?", site.stack),
        "a connection's stack lives in the region of its first catalog, and there is no catalog and no region yet",
        "add a catalog to the connection first, or name a region with --region",
    )
}

fn wrong_account(site: &Site, arn: &str, here: &str) -> Problem {
    let own = match &site.deploy_profile {
        Some(profile) => format!(
            "let the profile {profile} sign in to account {}, or name another with --deploy-profile",
            site.account.grouped()
        ),
        None => format!(
            "sign in to account {} (--profile), or name its profile on the connection with --deploy-profile",
            site.account.grouped()
        ),
    };
    let next = format!(
        "{own}; or deploy in the browser, signed out of any other account first ({} shows the link)",
        site.link_command()
    );
    // Nobody has refused anything: who we are was looked at, and the answer is no.
    Problem::new(
        Kind::CheckFailed,
        format!("not in account {}: you are in {here}", site.account.grouped()),
        format!(
            "{} belongs in account {}; we are {arn}",
            site.stack,
            site.account.grouped()
        ),
        next,
    )
}

/// True for an endpoint on this machine.
pub fn is_loopback(endpoint: &str) -> bool {
    let Ok(uri) = endpoint.parse::<http::Uri>() else {
        return false;
    };
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || bare
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn this_machine_is_told_from_others() {
        for here in [
            "http://127.0.0.1:9/x",
            "http://localhost:4566",
            "http://[::1]:80",
            "http://glue.us-west-2.localhost:1",
        ] {
            assert!(is_loopback(here), "{here}");
        }
        for there in [
            "https://cloudformation.us-west-2.amazonaws.com",
            "http://127.example.com",
            "http://10.0.0.1:4566",
        ] {
            assert!(!is_loopback(there), "{there}");
        }
    }
}
