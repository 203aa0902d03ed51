//! What the simulator is asked about the role, and what it says: few calls, each with many actions on many resources.

use super::super::climb::{Climb, invented};
use super::books::Reader;
use crate::cloud::iam::{Decision, Question, Simulated, Source};
use crate::domain::problem::Problem;
use crate::domain::s3_path::S3Location;
use crate::registry::Grant;

/// Databases that are asked about by name; more would prove nothing new.
const DATABASES: usize = 8;

/// What reads and what writes in the catalog; each is judged on its own.
const GLUE: [&str; 8] = [
    "glue:GetCatalog",
    "glue:GetDatabases",
    "glue:GetTables",
    "glue:GetTable",
    "glue:CreateTable",
    "glue:UpdateTable",
    "glue:DeleteTable",
    "glue:DeleteDatabase",
];
const OBJECTS: [&str; 3] = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"];

/// What the simulator said.
pub(super) struct Grants {
    /// Databases of the grant, by name; one that does not exist stands for the rest where all are granted.
    pub databases: Vec<String>,
    /// A database that was not granted, where only some were.
    pub other_database: Option<String>,
    /// A table that does not exist.
    table: String,
    /// What stands before a Glue resource.
    front: String,
    /// An object below the prefix.
    pub inside: String,
    /// Objects beside it that no grant of the role covers: next to the prefix, and at the bucket's root.
    pub beside: Option<String>,
    pub elsewhere: Option<String>,
    /// An object in a bucket that was not granted.
    pub other_bucket: String,
    pub bucket: String,
    glue: Vec<Simulated>,
    objects: Vec<Simulated>,
    below: Vec<Simulated>,
    root: Vec<Simulated>,
    bare: Vec<Simulated>,
}

/// What is said of one action on all the resources that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    Allowed {
        on: String,
        /// The policies that decided, as far as they are named.
        by: Vec<Source>,
    },
    Refused {
        on: String,
        why: &'static str,
        /// The policies that deny it; empty where none allows it.
        by: Vec<Source>,
    },
    /// It hangs on condition keys that only a request itself has.
    Open {
        keys: String,
    },
    Nothing {
        on: String,
    },
}

impl Said {
    /// The resource that decided; empty where none did.
    pub(super) fn on(&self) -> &str {
        match self {
            Self::Allowed { on, .. } | Self::Refused { on, .. } | Self::Nothing { on } => on,
            Self::Open { .. } => "",
        }
    }
}

/// Asks about some actions of Glue alone, in one call.
pub(super) async fn of_glue(
    climb: &Climb,
    reader: &Reader,
    grant: &Grant,
    actions: &[&'static str],
) -> Result<Grants, Problem> {
    let mut grants = places(climb, reader, grant).await?;
    let question = Question {
        actions: actions.to_vec(),
        resources: grants.glue_resources(),
        context: Vec::new(),
    };
    grants.glue = reader.iam.simulate(&climb.role, &question).await?;
    Ok(grants)
}

/// Asks for everything that a ladder needs, side by side.
pub(super) async fn ask(climb: &Climb, reader: &Reader) -> Result<Grants, Problem> {
    let Some(grant) = &climb.grant else {
        return Err(Problem::interrupted());
    };
    let mut grants = places(climb, reader, grant).await?;
    let bucket = vec![grants.bucket.clone()];
    let list = |prefix: Option<&str>| Question {
        actions: vec!["s3:ListBucket"],
        resources: bucket.clone(),
        context: prefix
            .map(|text| ("s3:prefix", text.to_owned()))
            .into_iter()
            .collect(),
    };
    let objects = Question {
        actions: OBJECTS.to_vec(),
        resources: [&grants.inside, &grants.other_bucket]
            .into_iter()
            .chain(&grants.beside)
            .chain(&grants.elsewhere)
            .cloned()
            .collect(),
        context: Vec::new(),
    };
    let glue = Question {
        actions: GLUE.to_vec(),
        resources: grants.glue_resources(),
        context: Vec::new(),
    };
    let path = &grant.s3_path;
    let bare = path.prefix().trim_end_matches('/');
    let role = &climb.role;
    let (below, root, bare) = (list(Some(path.prefix())), list(None), list(Some(bare)));
    let narrow = !path.whole_bucket();
    let beside = async {
        if !narrow {
            return Ok((Vec::new(), Vec::new()));
        }
        tokio::try_join!(reader.iam.simulate(role, &root), reader.iam.simulate(role, &bare))
    };
    let within = if narrow { &below } else { &root };
    (
        grants.glue,
        grants.objects,
        grants.below,
        (grants.root, grants.bare),
    ) = tokio::try_join!(
        reader.iam.simulate(role, &glue),
        reader.iam.simulate(role, &objects),
        reader.iam.simulate(role, within),
        beside,
    )?;
    Ok(grants)
}

/// The names that are asked about.
async fn places(climb: &Climb, reader: &Reader, grant: &Grant) -> Result<Grants, Problem> {
    let (name, partition) = (invented()?, climb.region.partition().id());
    let mut databases: Vec<String> = grant.named_databases().iter().take(DATABASES).cloned().collect();
    if grant.all_databases() {
        // The keeper's own view of the catalog: a right on one database only shows where that one is asked about.
        let page = reader.aws.glue(&climb.region).databases_page(None).await;
        let seen = page.map(|page| page.items).unwrap_or_default();
        let own = seen
            .into_iter()
            .filter(|d| d.target.is_none() && d.federated.is_none());
        databases.extend(own.map(|d| d.name).take(DATABASES));
        databases.push(name.clone());
    }
    let all_named = !climb.grants().any(Grant::all_databases);
    let path = &grant.s3_path;
    let object = |bucket: &str, key: &str| format!("arn:{partition}:s3:::{bucket}/{key}");
    let uncovered = |key: String| {
        let location = S3Location::new(&format!("s3://{}/{key}", path.bucket()));
        let covered = climb.grants().any(|grant| grant.s3_path.contains(&location));
        (!covered).then(|| object(path.bucket(), &key))
    };
    Ok(Grants {
        databases,
        other_database: all_named.then(|| format!("{name}_other")),
        front: format!("arn:{partition}:glue:{}:{}", climb.region, climb.role.account()),
        inside: object(path.bucket(), &format!("{}{name}", path.prefix())),
        beside: uncovered(format!("{}_{name}", path.prefix().trim_end_matches('/'))),
        elsewhere: uncovered(name.clone()),
        other_bucket: object(&name.replace('_', "-"), &name),
        bucket: format!("arn:{partition}:s3:::{}", path.bucket()),
        table: name,
        glue: Vec::new(),
        objects: Vec::new(),
        below: Vec::new(),
        root: Vec::new(),
        bare: Vec::new(),
    })
}

impl Grants {
    fn glue_resources(&self) -> Vec<String> {
        let mut all = vec![format!("{}:catalog", self.front)];
        for database in self.databases.iter().chain(&self.other_database) {
            all.push(format!("{}:database/{database}", self.front));
            all.push(format!("{}:table/{database}/{}", self.front, self.table));
        }
        all
    }

    /// An action of Glue in a database: the right on the catalog and on the database is needed too.
    pub(super) fn glue(&self, action: &str, database: &str) -> Said {
        let catalog = format!("{}:catalog", self.front);
        let of_database = format!("{}:database/{database}", self.front);
        let of_table = format!("{}:table/{database}/{}", self.front, self.table);
        let needed = match action {
            "glue:GetCatalog" => vec![catalog],
            "glue:GetDatabases" | "glue:DeleteDatabase" => vec![catalog, of_database],
            _ => vec![catalog, of_database, of_table],
        };
        said(&self.glue, action, &needed)
    }

    /// The same in all databases of the grant: what is worst for who wants it allowed, or for who wants it refused.
    pub(super) fn glue_everywhere(&self, action: &str, wanted: bool) -> Said {
        let all: Vec<Said> = self
            .databases
            .iter()
            .map(|name| self.glue(action, name))
            .collect();
        let rank = |said: &Said| match said {
            Said::Allowed { .. } if wanted => 3,
            Said::Refused { .. } if !wanted => 3,
            Said::Allowed { .. } | Said::Refused { .. } => 0,
            Said::Open { .. } => 1,
            Said::Nothing { .. } => 2,
        };
        let worst = all.into_iter().min_by_key(rank);
        worst.unwrap_or_else(|| Said::Nothing { on: String::new() })
    }

    /// An action on an object.
    pub(super) fn object(&self, action: &str, object: &str) -> Said {
        said(&self.objects, action, &[object.to_owned()])
    }

    /// Listing below the prefix.
    pub(super) fn list_below(&self) -> Said {
        said(&self.below, "s3:ListBucket", std::slice::from_ref(&self.bucket))
    }

    /// Listing the whole bucket.
    pub(super) fn list_root(&self) -> Said {
        said(&self.root, "s3:ListBucket", std::slice::from_ref(&self.bucket))
    }

    /// Listing what begins as the prefix does, without its slash.
    pub(super) fn list_bare(&self) -> Said {
        said(&self.bare, "s3:ListBucket", std::slice::from_ref(&self.bucket))
    }
}

/// What is said of an action that needs the right on each of these.
pub(super) fn said(results: &[Simulated], action: &str, needed: &[String]) -> Said {
    let mut open: Vec<&str> = Vec::new();
    let mut by: Vec<Source> = Vec::new();
    let mut last = String::new();
    for on in needed {
        let Some(result) = results
            .iter()
            .find(|result| result.action.eq_ignore_ascii_case(action) && result.resource == *on)
        else {
            return Said::Nothing { on: on.clone() };
        };
        last.clone_from(on);
        if result.decision == Decision::Allowed {
            by.extend(result.sources.iter().cloned());
            continue;
        }
        let keys: Vec<&str> = result
            .missing
            .iter()
            .map(String::as_str)
            .filter(|key| matters(key, action))
            .collect();
        if result.decision == Decision::ImplicitDeny && !keys.is_empty() {
            open.extend(keys);
            continue;
        }
        return Said::Refused {
            on: on.clone(),
            why: match result.decision {
                Decision::ExplicitDeny => "a policy denies it",
                _ if result.by_organization => "a policy of the AWS organization does not allow it",
                _ if result.by_boundary => "the role's permissions boundary does not allow it",
                _ => "no policy of the role allows it",
            },
            by: match result.decision {
                Decision::ExplicitDeny => result.sources.clone(),
                Decision::Allowed | Decision::ImplicitDeny => Vec::new(),
            },
        };
    }
    let joined = |mut words: Vec<&str>| {
        words.sort_unstable();
        words.dedup();
        words.join(", ")
    };
    if open.is_empty() {
        Said::Allowed { on: last, by }
    } else {
        Said::Open { keys: joined(open) }
    }
}

/// Whether a missing condition key leaves it open. What a listing asks for is known, and a key of another service comes
/// with no request of this one.
fn matters(key: &str, action: &str) -> bool {
    let of = |text: &str| text.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let known = ["s3:prefix", "s3:delimiter", "s3:max-keys"];
    !known.iter().any(|known| key.eq_ignore_ascii_case(known)) && (of(key) == "aws" || of(key) == of(action))
}
