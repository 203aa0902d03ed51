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
use crate::domain::quote::operand;
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
    /// Who grants less at those than the catalog itself asks for.
    past_readers: BTreeSet<String>,
    /// Below the prefix of another grant alone, which asks for less than the catalog itself.
    lesser: u64,
    /// Who asks for less there, as the command line calls it, and its name.
    readers: BTreeSet<(String, String)>,
}

/// Who lets the role at a place, as far as the catalog's own access goes.
enum Way<'a> {
    /// A grant of the place itself, as far as the catalog asks for.
    Whole,
    /// A grant of the access point before it; the place itself is at most opened by a lesser one.
    Past(&'a Grant, Option<&'a Grant>),
    /// A lesser grant of the place itself.
    Lesser(&'a Grant),
}

impl<'a> Way<'a> {
    /// `None` where no grant holds the place.
    fn to(climb: &'a Climb, location: &S3Location) -> Option<Self> {
        let wanted = climb.grant.as_ref().map(|grant| grant.access).unwrap_or_default();
        let holding: Vec<&Grant> = climb
            .grants()
            .filter(|grant| grant.s3_path.contains(location))
            .collect();
        let (of_it, past): (Vec<&Grant>, Vec<&Grant>) = holding
            .into_iter()
            .partition(|grant| grant.s3_path.covers(location));
        let enough = |grants: &[&'a Grant]| grants.iter().copied().find(|grant| grant.access >= wanted);
        let lesser = of_it.first().copied();
        if enough(&of_it).is_some() {
            return Some(Self::Whole);
        }
        enough(&past)
            .map(|grant| Self::Past(grant, lesser))
            .or(lesser.map(Self::Lesser))
            .or(past.first().map(|grant| Self::Past(grant, None)))
    }
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
        let (mut outside, mut past, mut lesser) = (false, None::<&Grant>, false);
        for location in locations {
            let Some(mut bucket) = location.bucket() else {
                self.not_s3 += 1;
                outside = true;
                continue;
            };
            let way = Way::to(climb, &location);
            let held = way.is_some();
            match way {
                // Past an access point nothing is asked: what lies in its bucket is asked for through it.
                Some(Way::Past(grant, reader)) => {
                    bucket = grant.s3_path.bucket();
                    past.get_or_insert(grant);
                    self.past_readers
                        .extend(reader.map(|reader| reader.holder.to_string()));
                }
                Some(Way::Lesser(grant)) => {
                    lesser = true;
                    let holder = &grant.holder;
                    let set = format!(
                        "glueup {} set {}",
                        holder.verb(),
                        operand(holder.name(), "--access read-write")
                    );
                    self.readers.insert((holder.to_string(), set));
                }
                Some(Way::Whole) | None => {}
            }
            let place = (bucket.to_owned(), location.key().trim_end_matches('/').to_owned());
            if !held {
                outside = true;
                self.places.insert(place);
            } else if self.below.len() < BELOW {
                self.below.insert(place);
            }
        }
        match past.map(|grant| &grant.s3_path) {
            _ if outside => {}
            Some(path) => {
                self.past += 1;
                self.mapping = self.mapping.take().or_else(|| mapping(path, &self.past_readers));
            }
            None => self.lesser += u64::from(lesser),
        }
        if outside {
            self.elsewhere += 1;
            if self.named.len() < NAMED {
                self.named
                    .push(format!("{}.{}", scrub(database), scrub(&table.name)));
            }
        }
    }

    /// What is below the prefix, and not as the catalog's own access has it.
    fn less(&self) -> String {
        let mut text = String::new();
        if self.past > 0 {
            text = format!(
                "; {} below the prefix by the name of the bucket",
                count(self.past)
            );
            if !self.past_readers.is_empty() {
                let readers: Vec<&str> = self.past_readers.iter().map(String::as_str).collect();
                text = format!("{text}, where {} read alone", grants(&readers));
            }
        }
        if self.lesser > 0 {
            let readers: Vec<&str> = self.readers.iter().map(|(name, _)| name.as_str()).collect();
            text = format!(
                "{text}; {} where {} read alone",
                count(self.lesser),
                grants(&readers)
            );
        }
        text
    }

    /// What to do about those.
    fn to_have_more(&self) -> Vec<String> {
        let mut next: Vec<String> = self.mapping.iter().cloned().collect();
        if self.lesser > 0 {
            let commands: Vec<&str> = self.readers.iter().map(|(_, set)| set.as_str()).collect();
            next.push(format!(
                "Where reading alone is granted no table can be written. To have that granted too, and deployed again:\n{}",
                commands.join("\n")
            ));
        }
        next
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
            } else if self.lesser > 0 {
                format!("{} of {tables} with files, none elsewhere", count(self.placed))
            } else {
                format!(
                    "{} of {tables} with files, all below the prefix",
                    count(self.placed)
                )
            };
            return match broken_off {
                None if self.past + self.lesser > 0 => {
                    Verdict::warning(format!("{text}{}", self.less()), self.to_have_more().join("\n"))
                }
                None => Verdict::passed(text),
                Some(_) => Verdict::warning(format!("{text}{}{so_far}", self.less()), "Verify again"),
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
        next.extend(self.to_have_more());
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
                self.less()
            ),
            next.join("\n"),
        )
    }
}

/// Who lets read, as the subject of a sentence: `Lake House lets the role`, `a and b let the role`.
fn grants(readers: &[&str]) -> String {
    let verb = if readers.len() == 1 { "lets" } else { "let" };
    format!("{} {verb} the role", readers.join(" and "))
}

/// An engine asks for the bucket that a table names, and only the access point is granted as far as the catalog asks.
fn mapping(path: &S3Path, readers: &BTreeSet<String>) -> Option<String> {
    let (point, bucket) = (path.point()?, path.own_bucket()?);
    let arn = &point.arn;
    let readers: Vec<&str> = readers.iter().map(String::as_str).collect();
    let (granted, does) = match readers.as_slice() {
        [] => (format!("the policy grants {} alone", path.stands_on()), "reads"),
        readers => (
            format!(
                "there {} read alone, while writing is granted through {}",
                grants(readers),
                path.stands_on()
            ),
            "writes",
        ),
    };
    Some(format!(
        "These tables name the bucket {bucket}, and {granted}: an engine {does} them where it is told to go through that, \
         in Iceberg's S3FileIO by s3.access-points.{bucket}={arn}, in Hadoop's S3A by \
         fs.s3a.bucket.{bucket}.accesspoint.arn={arn}"
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
