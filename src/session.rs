//! What all work of one run of the program shares: where the records are, and how AWS is reached.

use crate::cloud::{Aws, Codes, Gate, Identity, Settings, chain, is_access_denied};
use crate::domain::arn::RoleArn;
use crate::domain::platform::{BrokerOf, Platform};
use crate::domain::problem::{Kind, Problem};
use crate::domain::quote::{operand, option};
use crate::domain::region::{Partition, Region};
use crate::registry::{Connection, Home};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// Where the records are, and how AWS is reached.
///
/// Signing in happens on the first job that needs it and is then kept.
#[derive(Clone)]
pub struct Session {
    /// The records.
    pub home: Home,
    /// How AWS is reached.
    pub settings: Arc<Settings>,
    /// Where signing in happens: by profile, `None` for the one of the command line.
    doors: Doors<Option<String>>,
    /// Where roles are assumed. Each has a door of its own: a question for a code at one keeps nobody from another.
    roles: Doors<RoleKey>,
}

type Doors<K> = Arc<Mutex<HashMap<K, Arc<Door>>>>;
/// Where somebody signs in, once for all who need it.
type Door = Gate<Option<Aws>>;

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
        self.sign_in(None, self.settings.clone()).await
    }

    async fn sign_in(&self, profile: Option<&str>, settings: Arc<Settings>) -> Result<Aws, Problem> {
        let door = door(&self.doors, profile.map(str::to_owned));
        door.enter(|| async move { Aws::sign_in(&settings).await }).await
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
    pub fn forget(&self) {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.roles.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.settings.logins.forget();
    }

    /// The caller, if somebody has signed in already. Never waits.
    pub fn signed_in(&self) -> Option<Aws> {
        door(&self.doors, None).inside()
    }

    /// The caller of a connection's deploying profile, if that one has signed in already. Never waits.
    pub fn deployer_inside(&self, profile: &str) -> Option<Aws> {
        door(&self.doors, Some(profile.to_owned())).inside()
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
        let key = role_key(role, connection, region);
        let (this, role, connection, region) =
            (self.clone(), role.clone(), connection.clone(), region.clone());
        let door = door(&self.roles, key);
        door.enter(|| async move { this.assume(&role, &connection, &region).await })
            .await
    }

    async fn assume(&self, role: &RoleArn, connection: &Connection, region: &Region) -> Result<Aws, Problem> {
        let caller = self.aws().await?;
        // Asked for once, so that a refusal can name the caller.
        caller.identity_near(region).await?;
        chain::connect(
            &caller,
            connection.first_hop(),
            role,
            &connection.external_id,
            region,
            SESSION_NAME,
        )
        .await
        .map_err(|problem| self.at_the_vendors(connection, &caller, problem))
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
        let name = connection.name.as_str();
        let who = caller.caller().unwrap_or_else(|| "ARN".to_owned());
        Problem {
            next: format!(
                "Only {} can assume that role. To read through {} from here too, let yourself in beside it:\n\
                 glueup connection set {}\nglueup deploy connection {}",
                platform.name,
                connection.name,
                operand(name, &option("--verifier", &who)),
                operand(name, "")
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
                self.sign_in(Some(profile), settings).await
            }
        }
    }
}

fn role_key(role: &RoleArn, connection: &Connection, region: &Region) -> RoleKey {
    (
        role.to_string(),
        connection.external_id.to_string(),
        connection.first_hop().map(ToString::to_string),
        region.to_string(),
    )
}

fn door<K: Eq + Hash>(doors: &Doors<K>, key: K) -> Arc<Door> {
    let mut doors = doors.lock().unwrap_or_else(PoisonError::into_inner);
    doors.entry(key).or_default().clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::timeout;

    fn connection(role: &str) -> Connection {
        serde_json::from_value(serde_json::json!({
            "version": 1, "name": role, "id": "0a1b2c3d", "account_id": "012345678901",
            "role_arn": format!("arn:aws:iam::012345678901:role/{role}"),
            "external_id": "glueup-00000000000000000000000000000000",
            "stack_name": format!("glueup-connection-{role}"),
        }))
        .unwrap()
    }

    #[tokio::test]
    async fn a_role_that_waits_keeps_nobody_from_another() {
        let dir = tempfile::tempdir().unwrap();
        // Takes every request, and answers none.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", silent.local_addr().unwrap());
        let region: Region = "us-west-2".parse().unwrap();
        let session = Session::new(
            Home::at(dir.path().join("home")),
            Settings::demo(endpoint, region.clone(), "a", "b"),
        );
        let (waits, has) = (connection("waits"), connection("has"));
        let aws = session.aws().await.unwrap();
        let key = role_key(has.role_arn.as_ref().unwrap(), &has, &region);
        door(&session.roles, key)
            .enter(|| async { Ok(aws) })
            .await
            .unwrap();
        let moment = Duration::from_millis(500);
        let (waited, had) = tokio::join!(
            timeout(moment, session.role(&waits, &region)),
            timeout(moment / 2, session.role(&has, &region)),
        );
        assert!(waited.is_err(), "nobody answers");
        assert!(had.unwrap().is_ok());
        session.forget();
        assert!(session.signed_in().is_none());
    }
}
