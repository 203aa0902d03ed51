//! What all work of one run of the program shares: where the records are, and how AWS is reached.

mod door;

use crate::cloud::{Aws, Codes, Identity, Settings, chain, is_access_denied};
use crate::domain::arn::RoleArn;
use crate::domain::platform::{BrokerOf, Platform};
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::shell;
use crate::domain::region::{Partition, Region};
use crate::registry::{Connection, Home};
use door::Door;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};
use tokio::sync::Mutex;

/// Where the records are, and how AWS is reached.
///
/// Signing in happens on the first job that needs it and is then kept.
#[derive(Clone)]
pub struct Session {
    /// The records.
    pub home: Home,
    /// How AWS is reached.
    pub settings: Arc<Settings>,
    doors: Arc<Doors>,
    roles: Arc<Mutex<HashMap<RoleKey, Aws>>>,
}

/// Where signing in happens: by profile, `None` for the one of the command line.
type Doors = std::sync::Mutex<HashMap<Option<String>, Arc<Door>>>;

/// What makes two sessions of a connection's role the same: role, external id, broker and region.
type RoleKey = (String, String, Option<String>, String);

/// The name of browsing sessions in CloudTrail.
const SESSION_NAME: &str = "glueup";

impl Session {
    /// A session that has not signed in yet.
    pub fn new(home: Home, settings: Settings) -> Self {
        Self {
            home,
            settings: Arc::new(settings),
            doors: Arc::default(),
            roles: Arc::default(),
        }
    }

    /// The signed-in caller; signs in when that has not happened yet.
    ///
    /// # Errors
    /// When there are no credentials or they cannot be used.
    pub async fn aws(&self) -> Result<Aws, Problem> {
        self.door(None).enter(self.settings.clone()).await
    }

    /// The same records, asking `codes` where a profile wants the code of a device.
    #[must_use]
    pub fn asking(self, codes: Codes) -> Self {
        let settings = Settings {
            codes,
            ..(*self.settings).clone()
        };
        Self::new(self.home, settings)
    }

    /// Forgets who has signed in: the next who needs it signs in anew.
    pub async fn forget(&self) {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.roles.lock().await.clear();
        self.settings.logins.forget();
    }

    fn door(&self, profile: Option<&str>) -> Arc<Door> {
        let mut doors = self.doors.lock().unwrap_or_else(PoisonError::into_inner);
        doors.entry(profile.map(str::to_owned)).or_default().clone()
    }

    /// The caller, if somebody has signed in already. Never waits.
    pub fn signed_in(&self) -> Option<Aws> {
        self.door(None).inside()
    }

    /// Who the caller is. Where no region is set, STS is asked in that of the records (or of the `partition` that the
    /// work at hand names): credentials of China or GovCloud are unknown to the STS of every other partition.
    ///
    /// # Errors
    /// As [`Session::aws`], and whatever STS answers; of several partitions, what the first of them answered.
    pub async fn identity(&self, partition: Option<Partition>) -> Result<Identity, Problem> {
        let aws = self.aws().await?;
        let mut refused = None;
        let mut asked: Vec<Region> = Vec::new();
        for near in partition
            .and_then(Partition::a_region)
            .into_iter()
            .chain(self.places())
        {
            let near = aws.sts_region(&near).clone();
            if asked.iter().any(|region| region.partition() == near.partition()) {
                continue;
            }
            match aws.identity_near(&near).await {
                Err(problem) if problem.kind == Kind::Denied => refused = refused.or(Some(problem)),
                answer => return answer,
            }
            asked.push(near);
        }
        match refused {
            Some(problem) => Err(problem),
            None => aws.identity().await,
        }
    }

    /// Regions of the records: where the catalogs are, and the partitions of the roles. A record that cannot be read
    /// tells none; it is named where records are listed.
    fn places(&self) -> Vec<Region> {
        let catalogs = self.home.catalogs().map(|all| all.records).unwrap_or_default();
        let connections = self.home.connections().map(|all| all.records).unwrap_or_default();
        let organization = self.home.organization().ok().flatten();
        let roles = connections
            .iter()
            .flat_map(|c| c.role_arn.iter().chain(&c.broker_role_arn))
            .chain(organization.iter().flat_map(|o| &o.broker_role_arn));
        catalogs
            .iter()
            .map(|catalog| catalog.region.clone())
            .chain(connections.iter().filter_map(|c| c.region.clone()))
            .chain(roles.filter_map(|role| role.partition().a_region()))
            .collect()
    }

    /// A session of the connection's role in a region, through the broker where there is one. It is kept, and renews
    /// itself, so that browsing does not assume the role for each step.
    ///
    /// # Errors
    /// The role is not known yet, or a hop is refused.
    pub async fn role(&self, connection: &Connection, region: &Region) -> Result<Aws, Problem> {
        let Some(role) = &connection.role_arn else {
            return Err(Problem::new(
                Kind::CheckFailed,
                format!("The connection {} has no role yet", connection.name),
                format!(
                    "Its stack {} has not been made, or its outputs are not known here",
                    connection.stack_name
                ),
                "Deploy the connection first",
            ));
        };
        let key = (
            role.to_string(),
            connection.external_id.to_string(),
            connection.first_hop().map(ToString::to_string),
            region.to_string(),
        );
        let mut roles = self.roles.lock().await;
        if let Some(aws) = roles.get(&key) {
            return Ok(aws.clone());
        }
        let caller = self.aws().await?;
        // Asked for once, so that a refusal can name the caller.
        caller.identity_near(region).await?;
        let broker = connection.first_hop();
        let aws = chain::connect(
            &caller,
            broker,
            role,
            &connection.external_id,
            region,
            SESSION_NAME,
        )
        .await
        .map_err(|problem| self.at_the_vendors(connection, &caller, problem))?;
        roles.insert(key, aws.clone());
        Ok(aws)
    }

    /// A refusal at hop 1 where the broker role is the vendor's: no policy of this side mends that, a verifier does.
    fn at_the_vendors(&self, connection: &Connection, caller: &Aws, problem: Problem) -> Problem {
        let organization = self.home.organization().ok().flatten();
        let platform = organization.and_then(|organization| Platform::named(&organization.platform));
        let at_hop_1 = problem.detail.resource.as_deref() == connection.first_hop().map(RoleArn::as_str);
        let Some(platform) = platform.filter(|platform| platform.broker_of == BrokerOf::Vendor) else {
            return problem;
        };
        if !at_hop_1 || !is_access_denied(&problem) {
            return problem;
        }
        let name = shell(connection.name.as_str());
        let who = caller.caller().unwrap_or_else(|| "ARN".to_owned());
        Problem {
            next: format!(
                "Only {} can assume that role. To read through {} from here too, let yourself in beside it:\n\
                 glueup connection set {name} --verifier {}\nglueup deploy connection {name}",
                platform.name,
                connection.name,
                shell(&who)
            ),
            ..problem
        }
    }

    /// The caller of a connection's deploying profile; the caller itself when none is named.
    ///
    /// # Errors
    /// As [`Session::aws`].
    pub async fn deployer(&self, profile: Option<&str>) -> Result<Aws, Problem> {
        match profile {
            None => self.aws().await,
            Some(profile) => {
                let settings = Arc::new(self.settings.with_profile(profile));
                self.door(Some(profile)).enter(settings).await
            }
        }
    }
}
