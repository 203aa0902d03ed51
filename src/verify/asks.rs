//! What the rungs ask of the role's rights: the action, the place, and whether it can be tried. One table for what is tried
//! and for what is judged by policy.

use super::climb::Climb;
use super::place::Place;
use super::report::RungId;
use super::tries::Part;
use crate::domain::access::Access;
use crate::domain::arn::GlueArns;
use crate::domain::region::Region;
use crate::registry::Grant;

/// What writes, each judged on its own: read-write access must have all of it, read-only nothing.
pub(super) const WRITES: [&str; 6] = [
    "s3:PutObject",
    "glue:CreateTable",
    "glue:UpdateTable",
    "glue:DeleteTable",
    "glue:DeleteDatabase",
    "s3:DeleteObject",
];

/// Rights in other services that no grant asks for, and that would open everything.
const ANYWHERE: [(&str, &str); 4] = [
    ("change policies of IAM", "iam:PutRolePolicy"),
    ("assume other roles", "sts:AssumeRole"),
    ("rule Lake Formation", "lakeformation:PutDataLakeSettings"),
    ("decrypt with any key", "kms:Decrypt"),
];

/// Something that must be refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ask {
    /// What it is, in a report.
    pub title: &'static str,
    /// The action.
    pub action: &'static str,
    /// Where.
    pub place: Place,
    /// Whether it has a form that is safe to try on an account in use, whatever its policies say.
    pub tried: bool,
}

/// Beside what was granted: all that must be refused, for an invented name. What another grant of the role asks for is none
/// of it: see [`given`].
pub(super) fn neighbours(climb: &Climb, grant: &Grant, name: &str) -> Vec<Ask> {
    let mut asks = beside(climb, grant, name);
    asks.retain(|ask| giver(climb, ask).is_none());
    asks
}

/// What is not asked, each with why: another grant of the role gives it, so that it would be allowed.
pub(super) fn given(climb: &Climb, grant: &Grant, name: &str) -> Vec<Part> {
    let by_another = beside(climb, grant, name).into_iter().filter_map(|ask| {
        let giver = giver(climb, &ask).filter(|giver| giver.holder != grant.holder)?;
        let why = format!("granted by {}", giver.holder);
        Some(Part::skipped(RungId::Neighbour, ask.title, why))
    });
    no_neighbour(climb, grant).into_iter().chain(by_another).collect()
}

/// The grant of the role that asks for just this.
fn giver<'a>(climb: &'a Climb, ask: &Ask) -> Option<&'a Grant> {
    climb
        .grants()
        .find(|grant| ask.place.is_granted(climb, grant, ask.action))
}

/// All that lies beside a grant, whoever gives it.
fn beside(climb: &Climb, grant: &Grant, name: &str) -> Vec<Ask> {
    let path = &grant.s3_path;
    let bucket = path.bucket();
    let ask = |title, action, place, tried| Ask {
        title,
        action,
        place,
        tried,
    };
    let mut asks = Vec::new();
    if whole_bucket(climb, grant).is_none() {
        // Without its slash the prefix also covers every neighbour whose name begins with the same letters.
        let bare = path.prefix().trim_end_matches('/');
        let keys = |prefix: &str| Place::Keys(bucket.to_owned(), prefix.to_owned());
        asks.push(ask("list the bucket's root", "s3:ListBucket", keys(""), true));
        asks.push(ask("list beside the prefix", "s3:ListBucket", keys(bare), true));
        let object = |key: String| Place::Object(bucket.to_owned(), key);
        let (near, root) = (object(format!("{bare}_{name}")), object(name.to_owned()));
        asks.extend([
            ask("write beside the prefix", "s3:PutObject", near.clone(), true),
            ask("read beside the prefix", "s3:GetObject", near.clone(), true),
            ask("delete beside the prefix", "s3:DeleteObject", near, false),
            ask("read at the bucket's root", "s3:GetObject", root.clone(), false),
            ask("write at the bucket's root", "s3:PutObject", root, false),
        ]);
    }
    asks.extend(past_the_point(grant, name));
    let other = Place::Object(name.replace('_', "-"), name.to_owned());
    asks.push(ask("read another bucket", "s3:GetObject", other.clone(), false));
    asks.push(ask("write another bucket", "s3:PutObject", other, false));
    // A database that was not named, where some were; any at all, where nothing of Glue was asked for.
    if !grant.all_databases() {
        let title = if climb.grants().any(|grant| grant.databases.is_some()) {
            "another database"
        } else {
            "a Glue database"
        };
        let place = Place::Table(format!("{name}_other"), name.to_owned());
        asks.push(ask(title, "glue:GetTable", place, true));
    }
    if let Some(region) = another_region(climb) {
        let glue = GlueArns::new(&region, &climb.role.account());
        let place = Place::Arn(glue.table(name, name));
        asks.push(ask("Glue in another region", "glue:GetTable", place, false));
    }
    asks.extend(
        ANYWHERE
            .into_iter()
            .map(|(title, action)| ask(title, action, Place::Arn("*".to_owned()), false)),
    );
    asks
}

/// What the access point gives, asked of the bucket behind it.
fn past_the_point(grant: &Grant, name: &str) -> Vec<Ask> {
    let path = &grant.s3_path;
    let Some(bucket) = path.point().and(path.own_bucket()) else {
        return Vec::new();
    };
    let key = format!("{}{name}", path.prefix());
    [
        ("read past the access point", "s3:GetObject"),
        ("write past the access point", "s3:PutObject"),
    ]
    .into_iter()
    .map(|(title, action)| Ask {
        title,
        action,
        place: Place::Object(bucket.to_owned(), key.clone()),
        tried: true,
    })
    .collect()
}

/// The grant that asks for all that can be done in the whole bucket, or for this catalog's own part of that: there is no
/// neighbour in it then.
fn whole_bucket<'a>(climb: &'a Climb, grant: &Grant) -> Option<&'a Grant> {
    let bucket = grant.s3_path.bucket();
    climb.grants().find(|other| {
        other.s3_path.goes_by(bucket)
            && other.s3_path.whole_bucket()
            && (other.holder == grant.holder || other.access == Access::ReadWrite)
    })
}

/// Why nothing is asked of the rest of the bucket, where it was asked for whole.
fn no_neighbour(climb: &Climb, grant: &Grant) -> Option<Part> {
    let whole = whole_bucket(climb, grant)?;
    let why = format!(
        "there is no neighbour in the bucket: {} was asked for whole by {}",
        grant.s3_path.bucket(),
        whole.holder
    );
    Some(Part::skipped(RungId::Neighbour, "outside the prefix", why))
}

/// A region of which no grant speaks.
fn another_region(climb: &Climb) -> Option<Region> {
    let partition = climb.region.partition();
    let candidates = [partition.iam_region(), "eu-west-1"];
    candidates
        .into_iter()
        .filter_map(|region| region.parse::<Region>().ok())
        .filter(|region| region.partition() == partition && *region != climb.region)
        .find(|region| !climb.grants().any(|grant| grant.region == *region))
}
