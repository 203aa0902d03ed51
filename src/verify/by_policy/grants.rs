//! What the simulator is asked about the role, and what it says: few calls, each with many actions on many resources.

use super::super::asks::{self, Ask, WRITES};
use super::super::climb::{Climb, invented};
use super::super::key;
use super::super::place::{Place, gather};
use super::books::Reader;
use super::bucket::{self, Bucket};
use super::said::{Said, said};
use crate::cloud::iam::{Question, Simulated};
use crate::domain::problem::Problem;
use crate::registry::Grant;
use crate::stack::encryption::Thing;
use futures_util::future::try_join_all;

/// Databases that were granted by name and are asked about, each: with as many, and twenty actions, the answer is one page.
const NAMED: usize = 24;
/// Databases that are asked about where all are granted; more would prove nothing new.
const SEEN: usize = 8;

/// What reads in the catalog; what writes is among [`WRITES`].
const READS: [&str; 4] = [
    "glue:GetCatalog",
    "glue:GetDatabases",
    "glue:GetTables",
    "glue:GetTable",
];

/// What the simulator said.
pub(in crate::verify) struct Grants {
    /// Databases of the grant, by name; one that does not exist stands for the rest where all are granted.
    pub databases: Vec<String>,
    /// How many databases are granted by name and were not asked about.
    pub left_out: usize,
    /// A name that nothing has.
    pub name: String,
    /// Without condition keys.
    plain: Vec<Simulated>,
    /// With a condition key, by the place.
    keyed: Vec<(Place, Vec<Simulated>)>,
    /// What the bucket's policy says beside them.
    pub(super) bucket: Bucket,
    /// The key of the Data Catalog, as Glue uses it for the role: the one on record, else the one that was found.
    pub(super) catalog_key: Option<Place>,
}

/// Asks for everything that a ladder needs, side by side. What can be tried is left out of a ladder that is climbed by use,
/// as far as that saves a call.
pub(super) async fn ask(climb: &Climb, reader: &Reader) -> Result<Grants, Problem> {
    let Some(grant) = &climb.grant else {
        return Err(Problem::interrupted());
    };
    let name = invented()?;
    let (databases, left_out) = databases(climb, reader, grant, &name).await;
    let neighbours = asks::neighbours(climb, grant, &name);
    let plain = plain(climb, grant, &name, &databases, &neighbours);
    let (mut keyed, mut catalog_key) = (Vec::new(), None);
    if climb.by_policy.initialized() {
        catalog_key = of_catalog(climb, grant).await;
        keyed = with_keys(climb, grant, &neighbours, catalog_key.as_ref());
    }
    let role = &climb.role;
    let simulated = plain.iter().map(|question| reader.iam.simulate(role, question));
    let asked = keyed
        .iter()
        .map(|(_, question)| reader.iam.simulate(role, question));
    let (simulated, answers, bucket) = tokio::join!(
        try_join_all(simulated),
        try_join_all(asked),
        bucket::look(climb, reader, grant)
    );
    let (simulated, answers) = (simulated?, answers?);
    let places = keyed.into_iter().map(|(place, _)| place);
    Ok(Grants {
        databases,
        left_out,
        name,
        plain: simulated.into_iter().flatten().collect(),
        keyed: places.zip(answers).collect(),
        bucket,
        catalog_key,
    })
}

/// The databases that are asked about, and how many that were named are not.
async fn databases(climb: &Climb, reader: &Reader, grant: &Grant, name: &str) -> (Vec<String>, usize) {
    let named = grant.named_databases();
    let mut databases: Vec<String> = named.iter().take(NAMED).cloned().collect();
    let left_out = named.len().saturating_sub(databases.len());
    if grant.all_databases() {
        // A right on one database only shows where that one is asked about.
        let seen = match climb.databases.get() {
            Some(seen) => seen.clone(),
            // The keeper's own view of the catalog.
            None => {
                let page = reader.aws.glue(&climb.region).databases_page(None).await;
                let page = page.ok().filter(|_| climb.by_policy.initialized());
                let _ = page.as_ref().map(|page| climb.databases.set(page.items.clone()));
                let items = page.as_ref().map(|page| page.items.clone());
                let _ = page.map(|page| climb.more_databases.set(page.next));
                items.unwrap_or_default()
            }
        };
        let own = seen.into_iter().filter(|database| database.is_own());
        databases.extend(own.map(|database| database.name).take(SEEN));
        databases.push(name.to_owned());
    }
    (databases, left_out)
}

/// What needs no condition key, a question for each service.
fn plain(
    climb: &Climb,
    grant: &Grant,
    name: &str,
    databases: &[String],
    neighbours: &[Ask],
) -> Vec<Question> {
    let mut places: Vec<(&'static str, Place)> = neighbours
        .iter()
        .map(|ask| (ask.action, ask.place.clone()))
        .collect();
    let path = &grant.s3_path;
    let inside = inside(grant, name);
    places.push(("s3:GetObject", inside.clone()));
    if path.whole_bucket() {
        places.push((
            "s3:ListBucket",
            Place::Keys(path.bucket().to_owned(), String::new()),
        ));
    }
    for action in WRITES.into_iter().filter(|action| action.starts_with("s3:")) {
        places.push((action, inside.clone()));
    }
    let of_engines = climb.platform.permissions.of(grant.access);
    let of_glue = READS.into_iter().chain(WRITES).chain(of_engines);
    let of_glue: Vec<&'static str> = of_glue.filter(|action| action.starts_with("glue:")).collect();
    for database in databases {
        for action in &of_glue {
            places.push((action, Place::of_glue(action, database, name)));
        }
    }
    // What is decided by a condition key is asked with it.
    let without_key = places.into_iter().filter(|(_, place)| !is_keyed(place));
    gather(without_key.map(|(action, place)| (action, place.arns(climb))))
}

/// What is asked with a condition key: listing below the prefix and what begins as it does, the key of the objects and that of
/// the catalog.
fn with_keys(
    climb: &Climb,
    grant: &Grant,
    neighbours: &[Ask],
    catalog_key: Option<&Place>,
) -> Vec<(Place, Question)> {
    let path = &grant.s3_path;
    let below = Place::Keys(path.bucket().to_owned(), path.prefix().to_owned());
    let mut places = vec![("s3:ListBucket", below)];
    places.extend(neighbours.iter().map(|ask| (ask.action, ask.place.clone())));
    let keys = key_of_files(climb, grant).into_iter().chain(catalog_key.cloned());
    places.extend(keys.map(|key| ("kms:Decrypt", key)));
    places
        .into_iter()
        .filter(|(_, place)| is_keyed(place))
        .map(|(action, place)| {
            let question = Question {
                actions: vec![action],
                resources: place.arns(climb),
                context: place.context(),
            };
            (place, question)
        })
        .collect()
}

/// Whether a condition key of the request decides at this place. Listing everything is asked without a prefix.
fn is_keyed(place: &Place) -> bool {
    match place {
        Place::Keys(_, prefix) => !prefix.is_empty(),
        other => !other.context().is_empty(),
    }
}

/// The key of the objects, as S3 uses it for the role.
pub(super) fn key_of_files(climb: &Climb, grant: &Grant) -> Option<Place> {
    let key = grant.kms_key.as_ref()?;
    let region = climb.bucket_region();
    let service = format!("s3.{region}.{}", region.partition().dns_suffix());
    Some(Place::Key(key.to_string(), service))
}

/// The key of the Data Catalog, as Glue uses it for the role.
async fn of_catalog(climb: &Climb, grant: &Grant) -> Option<Place> {
    grant.databases.as_ref()?;
    let key = match &grant.catalog_kms_key {
        Some(key) => key.clone(),
        None => Box::pin(key::found(climb, grant, Thing::Catalog))
            .await?
            .key()?
            .clone(),
    };
    let (region, suffix) = (&climb.region, climb.region.partition().dns_suffix());
    Some(Place::Key(key.to_string(), format!("glue.{region}.{suffix}")))
}

/// An object below the prefix, of an invented name.
pub(super) fn inside(grant: &Grant, name: &str) -> Place {
    let path = &grant.s3_path;
    Place::Object(path.bucket().to_owned(), format!("{}{name}", path.prefix()))
}

impl Grants {
    /// What is said of an action at a place.
    pub(super) fn said(&self, climb: &Climb, action: &str, place: &Place) -> Said {
        let with_key = self.keyed.iter().find(|(asked, _)| asked == place);
        let results = match with_key {
            Some((_, results)) => results,
            None if is_keyed(place) => &[][..],
            None => &self.plain,
        };
        let said = said(results, action, &place.arns(climb), &place.telling_arns(climb));
        self.bucket.beside(climb, action, place, said)
    }

    /// An action of Glue in all databases of the grant: what is worst for who wants it allowed, or for who wants it refused.
    pub(super) fn everywhere(&self, climb: &Climb, action: &str, wanted: bool) -> (Place, Said) {
        let rank = |said: &Said| match said {
            Said::Allowed { .. } if wanted => 3,
            Said::Refused { .. } if !wanted => 3,
            Said::Allowed { .. } | Said::Refused { .. } => 0,
            Said::Open { .. } | Said::Unshown { .. } => 1,
            Said::Nothing { .. } => 2,
        };
        let all = self.databases.iter().map(|database| {
            let place = Place::of_glue(action, database, &self.name);
            let said = self.said(climb, action, &place);
            (place, said)
        });
        let worst = all.min_by_key(|(_, said)| rank(said));
        worst.unwrap_or_else(|| (Place::Catalog, Said::Nothing { on: String::new() }))
    }

    /// The words for databases that were granted by name and were not asked about; empty where there are none.
    pub(super) fn of_how_many(&self) -> String {
        match self.left_out {
            0 => String::new(),
            more => format!(
                ", in the first {} of {} databases",
                self.databases.len(),
                self.databases.len() + more
            ),
        }
    }
}
