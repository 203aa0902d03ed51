//! Every table's location against the grant: a table elsewhere will be listed, and its files refused.

use super::super::climb::Climb;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use super::tables::databases;
use crate::cloud::glue::{Glue, Step, Walk};
use crate::cloud::is_access_denied;
use crate::domain::amount::{count, counted};
use crate::domain::glue::{Database, Table};
use crate::domain::kind::{TableKind, classify};
use crate::domain::problem::Problem;
use crate::domain::s3_path::{Cover, S3Location, S3Path};
use crate::domain::text::scrub;
use crate::registry::Grant;
use async_trait::async_trait;
use std::collections::BTreeSet;

/// Tables elsewhere that are named one by one.
const NAMED: usize = 5;
/// Places below the prefix that are kept.
const BELOW: usize = 200;

/// See the module.
pub(in crate::verify) struct Locations;

#[async_trait]
impl Probe for Locations {
    fn id(&self) -> RungId {
        RungId::Locations
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role, RungId::Tables]
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        if climb.grant.is_none() {
            return Verdict::skipped("no catalog, so no prefix");
        }
        // Where nothing is listed and no database was named there is nobody to ask about.
        let lists = climb.platform.needs(RungId::Databases.as_str());
        if !lists && databases(climb).is_empty() {
            return Verdict::skipped(format!(
                "not proven: {} lists no databases, and the grant names none (glueup catalog set … --database)",
                climb.platform.name
            ));
        }
        let session = climb.role_session();
        let glue = session.glue(&climb.region);
        let mut tally = Tally::default();
        for found in climb.tables.get().map(Vec::as_slice).unwrap_or_default() {
            tally.take(climb, &found.database, &found.table);
        }
        let verdict = tally.look(climb, &glue).await;
        verdict.of(
            session.caller(),
            "glue:GetTables",
            format!("the Glue catalog in {}", climb.region),
        )
    }
}

/// What the rung `tables` has not read: the other pages and the other databases, however many.
async fn rest(climb: &Climb, glue: &Glue, tally: &mut Tally) -> Result<(), Problem> {
    let mut walk = Walk::new(glue.clone());
    match climb.unlisted.get() {
        Some(unlisted) => unlisted
            .iter()
            .cloned()
            .for_each(|(name, token)| walk.enter(name, token)),
        // A platform that never lists has not been asked to: it is now, by the names that were granted.
        None => databases(climb)
            .into_iter()
            .for_each(|name| walk.enter(name, None)),
    }
    if let Some(token) = climb.further_databases() {
        walk.through(Some(token.clone()));
    }
    while let Some(step) = walk.next().await {
        match step {
            Step::Databases(found) => {
                let own = found?.into_iter().filter(Database::is_own);
                own.for_each(|database| walk.enter(database.name, None));
            }
            Step::Tables { database, tables } => {
                tables?
                    .iter()
                    .for_each(|table| tally.take(climb, &database, table));
            }
        }
    }
    Ok(())
}

/// What was found so far; as large as what lies elsewhere, not as the catalog.
#[derive(Default)]
pub(in crate::verify) struct Tally {
    tables: u64,
    /// With a place of their own, inside the grant or outside.
    placed: u64,
    elsewhere: u64,
    /// The first of them, by name.
    named: Vec<String>,
    /// The buckets and folders that hold them.
    pub places: BTreeSet<(String, String)>,
    /// The same of some that lie below the prefix.
    pub below: BTreeSet<(String, String)>,
    /// Not on S3 at all.
    not_s3: u64,
    /// They name the bucket, of which an access point is granted.
    past: u64,
    /// How an engine is told to go through it.
    mapping: Option<String>,
}

impl Tally {
    /// Looks at what has not been read yet, and judges all of it.
    pub(in crate::verify) async fn look(&mut self, climb: &Climb, glue: &Glue) -> Verdict {
        match rest(climb, glue, self).await {
            Ok(()) => {
                // A second try of this rung finds the cell set, with the same number.
                let _ = climb.table_count.set(self.tables);
                self.verdict(None)
            }
            Err(problem) if is_access_denied(&problem) && self.tables == 0 => Verdict::skipped(format!(
                "not proven: the tables cannot be listed ({})",
                problem.what
            )),
            Err(problem) => self.verdict(Some(&problem)),
        }
    }

    fn take(&mut self, climb: &Climb, database: &str, table: &Table) {
        self.tables += 1;
        let locations = locations(table);
        if locations.is_empty() {
            return;
        }
        self.placed += 1;
        let (mut outside, mut past) = (false, None::<&Grant>);
        for location in locations {
            let Some(bucket) = location.bucket() else {
                self.not_s3 += 1;
                outside = true;
                continue;
            };
            let holding = || climb.grants().filter(|grant| grant.s3_path.contains(&location));
            // Past an access point nothing is asked: what lies in its bucket is asked for through it.
            let bucket = match holding().find(|grant| grant.s3_path.covers(&location)) {
                Some(_) => bucket,
                None => holding().next().map_or(bucket, |grant| {
                    past.get_or_insert(grant);
                    grant.s3_path.bucket()
                }),
            };
            let place = (bucket.to_owned(), location.key().trim_end_matches('/').to_owned());
            if holding().next().is_none() {
                outside = true;
                self.places.insert(place);
            } else if self.below.len() < BELOW {
                self.below.insert(place);
            }
        }
        if let Some(path) = past.map(|grant| &grant.s3_path).filter(|_| !outside) {
            self.past += 1;
            self.mapping = self.mapping.take().or_else(|| mapping(path));
        }
        if outside {
            self.elsewhere += 1;
            if self.named.len() < NAMED {
                self.named
                    .push(format!("{}.{}", scrub(database), scrub(&table.name)));
            }
        }
    }

    fn past(&self) -> String {
        match self.past {
            0 => String::new(),
            some => format!("; {} below the prefix by the name of the bucket", count(some)),
        }
    }

    fn verdict(&self, broken_off: Option<&Problem>) -> Verdict {
        let tables = counted(self.tables, "table", "tables");
        let so_far = match broken_off {
            Some(problem) => format!("; the listing broke off: {}", problem.what),
            None => String::new(),
        };
        if self.elsewhere == 0 {
            let text = if self.placed == 0 {
                format!("{tables}, none with files of its own")
            } else {
                format!(
                    "{} of {tables} with files, all below the prefix",
                    count(self.placed)
                )
            };
            return match broken_off {
                None if self.past > 0 => Verdict::warning(
                    format!("{text}{}", self.past()),
                    self.mapping.clone().unwrap_or_default(),
                ),
                None => Verdict::passed(text),
                Some(_) => Verdict::warning(format!("{text}{so_far}"), "Verify again"),
            };
        }
        let more = self.elsewhere.saturating_sub(self.named.len() as u64);
        let mut names = self.named.join(", ");
        if more > 0 {
            names = format!("{names} and {} more", count(more));
        }
        let mut cover = Cover::default();
        for (bucket, key) in &self.places {
            cover.add(&S3Location::new(&format!("s3://{bucket}/{key}")));
        }
        let prefixes: Vec<String> = cover.prefixes().iter().map(|one| scrub(&one.prefix)).collect();
        let mut next = Vec::new();
        if !prefixes.is_empty() {
            next.push(format!(
                "These will be listed, but their files cannot be read. A catalog for each of these would cover them:\n{}",
                prefixes.join("\n")
            ));
        }
        next.extend(self.mapping.clone());
        if self.not_s3 > 0 {
            next.push(format!(
                "{} not on S3: no grant on a bucket reaches that",
                counted(self.not_s3, "location is", "locations are")
            ));
        }
        Verdict::warning(
            format!(
                "{} of {tables} lie elsewhere: {names}{}{so_far}",
                count(self.elsewhere),
                self.past()
            ),
            next.join("\n"),
        )
    }
}

/// An engine asks for the bucket that a table names, and only the access point is granted.
fn mapping(path: &S3Path) -> Option<String> {
    let (point, bucket) = (path.point()?, path.own_bucket()?);
    let arn = &point.arn;
    Some(format!(
        "These tables name the bucket {bucket}, and the policy grants {} alone: an engine reads them where it is told to go \
         through that, in Iceberg's S3FileIO by s3.access-points.{bucket}={arn}, in Hadoop's S3A by \
         fs.s3a.bucket.{bucket}.accesspoint.arn={arn}",
        path.stands_on()
    ))
}

/// Where a table's files are: its location, and an Iceberg table's metadata. A view, a link and a federated table have
/// none of their own.
fn locations(table: &Table) -> Vec<S3Location> {
    let kind = classify(table).kind;
    if matches!(
        kind,
        TableKind::PrestoView
            | TableKind::HiveView
            | TableKind::SparkView
            | TableKind::MultiDialectView
            | TableKind::ResourceLink
            | TableKind::Federated
    ) {
        return Vec::new();
    }
    let location = table.location().filter(|text| !text.trim().is_empty());
    let metadata = table.metadata_location().filter(|_| kind == TableKind::Iceberg);
    let texts = [location, metadata].into_iter().flatten();
    texts.map(S3Location::new).collect()
}
