//! What the rungs of one ladder share: the records, the callers they have become, and what they have found.

use super::by_policy::Books;
use super::rung::Probe;
use crate::cloud::Aws;
use crate::cloud::stacks::StackDescription;
use crate::domain::arn::RoleArn;
use crate::domain::glue::{Database, Table};
use crate::domain::moment::Moment;
use crate::domain::platform::Platform;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::stack_name::StackName;
use crate::registry::{Connection, Grant};
use crate::session::Session;
use crate::setup::random;
use crate::stack::gone::Gone;
use std::time::{Duration, SystemTime};
use tokio::sync::OnceCell;

/// The name of our sessions in CloudTrail.
pub(super) const SESSION_NAME: &str = "glueup-verify";

/// What CloudFormation has under a stack's name; `None`: the caller may not look, or nobody answered.
type Named = Option<Option<StackDescription>>;

/// A table that was found, and the database it is in.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The database's stored name.
    pub database: String,
    /// The table.
    pub table: Table,
}

/// What is climbed, as the records have it.
pub(super) struct Target {
    pub platform: &'static Platform,
    pub connection: Connection,
    pub grant: Option<Grant>,
    /// The other grants that the role carries.
    pub others: Vec<Grant>,
    /// The grant's region; a connection's own where there is no grant.
    pub region: Region,
    pub broker: Option<RoleArn>,
    pub role: RoleArn,
}

/// What the rungs of one ladder share. A cell is set by one rung and read by later ones.
pub(super) struct Climb {
    pub session: Session,
    pub aws: Aws,
    pub platform: &'static Platform,
    pub connection: Connection,
    pub grant: Option<Grant>,
    pub others: Vec<Grant>,
    pub region: Region,
    pub broker: Option<RoleArn>,
    pub role: RoleArn,
    /// What IAM has written down about the role.
    pub books: Books,
    /// Set where nobody here can assume the role, so that the policies are judged.
    pub by_policy: OnceCell<()>,
    /// The caller after hop 1.
    pub first: OnceCell<Aws>,
    /// The connection role's session.
    pub role_session: OnceCell<Aws>,
    pub databases: OnceCell<Vec<Database>>,
    /// The token of the page of databases behind those that were read, where there is one.
    pub more_databases: OnceCell<Option<String>>,
    pub tables: OnceCell<Vec<Found>>,
    /// What of the listing of tables is still to be asked for: a database, and the token of its next page.
    pub unlisted: OnceCell<Vec<(String, Option<String>)>>,
    /// How many tables there are, if all were counted.
    pub table_count: OnceCell<u64>,
    /// Keys below the prefix, with their sizes.
    pub objects: OnceCell<Vec<(String, u64)>>,
    /// The bucket's region where it is not the catalog's.
    pub bucket_region: OnceCell<Region>,
    /// What the grant's stack was made for, where that is not what its record asks for.
    pub outdated: OnceCell<Option<String>>,
    /// Why nobody got through to AWS, or could sign in, so that nothing was asked.
    pub cut_off: OnceCell<Kind>,
    /// The connection's stack, where it is on record and was found to be gone.
    pub own_gone: OnceCell<Option<Gone>>,
    /// The same of the grant's stack.
    pub access_gone: OnceCell<Option<Gone>>,
    own_stack: OnceCell<Named>,
    access_stack: OnceCell<Named>,
    last_change: OnceCell<Option<Moment>>,
    spreading: OnceCell<Duration>,
}

impl Climb {
    pub(super) fn new(session: Session, aws: Aws, target: Target) -> Self {
        Self {
            session,
            aws,
            platform: target.platform,
            connection: target.connection,
            grant: target.grant,
            others: target.others,
            region: target.region,
            broker: target.broker,
            role: target.role,
            books: Books::default(),
            by_policy: OnceCell::new(),
            first: OnceCell::new(),
            role_session: OnceCell::new(),
            databases: OnceCell::new(),
            more_databases: OnceCell::new(),
            tables: OnceCell::new(),
            unlisted: OnceCell::new(),
            table_count: OnceCell::new(),
            objects: OnceCell::new(),
            bucket_region: OnceCell::new(),
            outdated: OnceCell::new(),
            cut_off: OnceCell::new(),
            own_gone: OnceCell::new(),
            access_gone: OnceCell::new(),
            own_stack: OnceCell::new(),
            access_stack: OnceCell::new(),
            last_change: OnceCell::new(),
            spreading: OnceCell::new(),
        }
    }

    /// The caller after hop 1: the caller itself where there is no broker.
    pub(super) fn first(&self) -> &Aws {
        self.first.get().unwrap_or(&self.aws)
    }

    /// The connection role's session; a rung that asks for it needs the rung `role`.
    pub(super) fn role_session(&self) -> &Aws {
        self.role_session.get().unwrap_or(&self.aws)
    }

    /// The region to ask S3 in.
    pub(super) fn bucket_region(&self) -> &Region {
        self.bucket_region.get().unwrap_or(&self.region)
    }

    /// The token of a page of databases that was not read, where the grant does not name its databases.
    pub(super) fn further_databases(&self) -> Option<&String> {
        let named = self.grant.as_ref().is_some_and(|grant| !grant.all_databases());
        self.more_databases.get()?.as_ref().filter(|_| !named)
    }

    /// Whether a rung belongs to what is climbed: a connection has those of trust, a storage integration those of S3 too.
    pub(super) fn asks_for(&self, probe: &dyn Probe) -> bool {
        probe.is_trust()
            || match &self.grant {
                None => false,
                Some(grant) => grant.databases.is_some() || probe.is_s3(),
            }
    }

    /// The grants that the role carries: this one's first.
    pub(super) fn grants(&self) -> impl Iterator<Item = &Grant> {
        self.grant.iter().chain(&self.others)
    }

    /// True while IAM may not have heard everywhere of the stacks' last change.
    pub(super) async fn may_still_spread(&self) -> bool {
        let changed = *self.last_change.get_or_init(|| self.ask_last_change()).await;
        let Some(changed) = changed else { return false };
        let window = self.spreading.get_or_init(|| self.aws.iam_spreading()).await;
        let age = now(self.aws.meter().reading().skew_seconds).saturating_sub(changed.unix_millis());
        u128::try_from(age).map_or(true, |age| age < window.as_millis())
    }

    /// Who may not ask CloudFormation, or has no stack, gets no patience.
    async fn ask_last_change(&self) -> Option<Moment> {
        let (own, access) = tokio::join!(self.own_stack(), self.access_stack());
        let changed = |stack: Option<&StackDescription>| stack.and_then(StackDescription::last_change);
        changed(own).max(changed(access))
    }

    /// The connection's stack as the deployer sees it, asked for once.
    pub(super) async fn own_stack(&self) -> Option<&StackDescription> {
        self.own_seen().await.flatten()
    }

    /// The same of the grant's stack.
    pub(super) async fn access_stack(&self) -> Option<&StackDescription> {
        self.access_seen().await.flatten()
    }

    /// What has the name of the connection's stack: nothing, which is an answer too, or `None` where nobody could look.
    pub(super) async fn own_seen(&self) -> Option<Option<&StackDescription>> {
        let (name, region) = (&self.connection.stack_name, self.connection.region.as_ref());
        let asked = || Box::pin(self.describe(name, region));
        let seen = self.own_stack.get_or_init(asked).await;
        seen.as_ref().map(Option::as_ref)
    }

    /// The same of the grant's stack.
    pub(super) async fn access_seen(&self) -> Option<Option<&StackDescription>> {
        let grant = self.grant.as_ref()?;
        let asked = || Box::pin(self.describe(&grant.stack_name, Some(&grant.region)));
        let seen = self.access_stack.get_or_init(asked).await;
        seen.as_ref().map(Option::as_ref)
    }

    async fn describe(&self, name: &StackName, region: Option<&Region>) -> Named {
        let profile = self.connection.deploy_profile.as_deref();
        let deployer = self.session.deployer(profile).await.ok()?;
        let stacks = deployer.stacks(region.unwrap_or(&self.region));
        stacks.describe(name.as_str()).await.ok()
    }
}

/// Milliseconds since 1970 by AWS's clock, as far as it is known.
fn now(skew: Option<i64>) -> i64 {
    let ours = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |d| d.as_millis());
    i64::try_from(ours)
        .unwrap_or(i64::MAX)
        .saturating_add(skew.unwrap_or(0).saturating_mul(1_000))
}

/// What a name that nothing has begins with.
pub(super) const INVENTED: &str = "glueup_probe_";

/// A name that nothing has: [`INVENTED`] and 32 hex digits.
///
/// # Errors
/// When the operating system gives no random bytes.
pub(super) fn invented() -> Result<String, Problem> {
    Ok(format!("{INVENTED}{}", hex::encode(random::bytes()?)))
}

/// The present, by this machine's clock.
pub(super) fn now_moment() -> Moment {
    time::OffsetDateTime::now_utc().into()
}
