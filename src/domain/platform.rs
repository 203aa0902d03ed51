//! Platforms: the engine vendors that glueup connects for, each described by a data file in `assets/platforms/`.

use std::sync::LazyLock;

use serde::Deserialize;

mod permissions;

pub use permissions::Permissions;

use super::{access::Access, invalid::Invalid, kind::TableKind};

/// The files, in the order in which they are offered.
const FILES: [&str; 4] = [
    include_str!("../../assets/platforms/self.yaml"),
    include_str!("../../assets/platforms/wherobots.yaml"),
    include_str!("../../assets/platforms/chalk.yaml"),
    include_str!("../../assets/platforms/startree.yaml"),
];

/// The rungs of the ladder that a platform can need, in their order.
pub const RUNGS: [&str; 13] = [
    "reach",
    "identity",
    "broker",
    "role",
    "external-id",
    "databases",
    "tables",
    "rest",
    "list",
    "read",
    "write",
    "neighbour",
    "locations",
];

/// An engine vendor, or `self`: your own account and engines.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Platform {
    /// The id: `wherobots`.
    pub id: String,
    /// The name for people: `Wherobots`.
    pub name: String,
    /// One sentence: what connecting to it means.
    pub about: String,
    /// The start of stack names.
    pub stack_prefix: String,
    /// Whether a role of the platform's stands between caller and connection role.
    pub broker: Broker,
    /// Whose role that is: who can assume it.
    #[serde(default)]
    pub broker_of: BrokerOf,
    /// Editions, where the platform has them.
    #[serde(default)]
    pub editions: Editions,
    /// The rungs of the ladder that it needs.
    pub rungs: Vec<String>,
    /// What its engines call.
    #[serde(default)]
    pub permissions: Permissions,
    /// What does not work, and when that matters.
    #[serde(default)]
    pub limitations: Vec<Limitation>,
    /// What to do after everything is green.
    #[serde(default)]
    pub next_steps: Vec<String>,
    /// The engines that it offers configurations for.
    #[serde(default)]
    pub handoffs: Vec<String>,
    /// What the platform calls things.
    pub words: Words,
}

/// Whether there is a first hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Broker {
    /// A role of the vendor's assumes the connection role.
    Required,
    /// One may be named.
    Optional,
    /// The engines' own principals assume the connection role.
    None,
}

/// Whose the broker role is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BrokerOf {
    /// The organization's own: its admins may assume it.
    #[default]
    Organization,
    /// The vendor's: nobody but the vendor can assume it, so that a connection is judged by its policies.
    Vendor,
}

/// A platform's editions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Editions {
    /// All of them; empty: the platform has none.
    pub all: Vec<String>,
    /// Those whose admins may create catalogs and connections.
    pub may_create: Vec<String>,
}

/// What the platform calls things, in the middle of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// A catalog.
    pub catalog: String,
    /// A Cloud Connection.
    pub connection: String,
}

/// One known limitation and the condition it bites on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limitation {
    /// A stable kebab-case word.
    pub id: String,
    /// One sentence.
    pub text: String,
    /// When it bites; empty: always.
    #[serde(default)]
    pub when: Condition,
}

/// Every condition that is given must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// The table is of one of these kinds.
    #[serde(default)]
    pub kinds: Vec<String>,
    /// The table is of none of these kinds.
    #[serde(default)]
    pub kinds_except: Vec<String>,
    /// The Iceberg format version is at least this.
    #[serde(default)]
    pub format_version_from: Option<u32>,
    /// A column, at any depth, has one of these types.
    #[serde(default)]
    pub types: Vec<String>,
    /// The catalog's access level is this one.
    #[serde(default)]
    pub access: Option<Access>,
}

/// What is known about a table when limitations are looked up.
#[derive(Clone, Copy, Debug)]
pub struct TableFacts<'a> {
    /// What it is.
    pub kind: TableKind,
    /// Iceberg's format version, once the metadata has been read.
    pub format_version: Option<u32>,
    /// The type names of all its fields at any depth, without arguments or with them (`geometry(srid:4326)`).
    pub types: &'a [String],
    /// The catalog's access level.
    pub access: Access,
}

impl Condition {
    fn is_about_tables(&self) -> bool {
        !(self.kinds.is_empty() && self.kinds_except.is_empty() && self.types.is_empty())
            || self.format_version_from.is_some()
    }

    fn holds(&self, facts: &TableFacts<'_>) -> bool {
        let kind = facts.kind.as_str();
        let of_type = |wanted: &String| {
            facts
                .types
                .iter()
                .any(|t| t.split(['(', '[', '<']).next() == Some(wanted))
        };
        (self.kinds.is_empty() || self.kinds.iter().any(|k| k == kind))
            && !self.kinds_except.iter().any(|k| k == kind)
            && self
                .format_version_from
                .is_none_or(|least| facts.format_version.is_some_and(|v| v >= least))
            && (self.types.is_empty() || self.types.iter().any(of_type))
            && self.access.is_none_or(|access| access == facts.access)
    }
}

impl Limitation {
    /// Whether it bites on this table. What is not known yet does not bite.
    pub fn bites(&self, facts: &TableFacts<'_>) -> bool {
        self.when.holds(facts)
    }
}

static PLATFORMS: LazyLock<Vec<Platform>> =
    // The files are part of the binary; a test reads each of them strictly.
    LazyLock::new(|| {
        FILES
            .iter()
            .filter_map(|text| serde_saphyr::from_str(text).ok())
            .collect()
    });

impl Platform {
    /// All platforms, `self` first.
    pub fn all() -> &'static [Self] {
        &PLATFORMS
    }

    /// The platform with this id.
    pub fn named(id: &str) -> Option<&'static Self> {
        Self::all().iter().find(|platform| platform.id == id)
    }

    /// The platform with this id, or an error that lists them all.
    ///
    /// # Errors
    /// When no platform has this id.
    pub fn find(id: &str) -> Result<&'static Self, Invalid> {
        Self::named(id.trim()).ok_or_else(|| {
            let ids: Vec<_> = Self::all().iter().map(|platform| platform.id.as_str()).collect();
            Invalid::new("platform", id, "is not one that glueup knows", ids.join(", "))
        })
    }

    /// The edition as the platform spells it.
    ///
    /// # Errors
    /// When the platform has no such edition, or none at all.
    pub fn edition(&self, given: &str) -> Result<String, Invalid> {
        let all = &self.editions.all;
        all.iter()
            .find(|edition| edition.eq_ignore_ascii_case(given.trim()))
            .cloned()
            .ok_or_else(|| {
                let expected = if all.is_empty() {
                    "no edition".to_owned()
                } else {
                    all.join(", ")
                };
                Invalid::new("edition", given, format!("is not one of {}", self.name), expected)
            })
    }

    /// Whether its ladder has this rung.
    pub fn needs(&self, rung: &str) -> bool {
        self.rungs.iter().any(|needed| needed == rung)
    }

    /// The limitations to show for a catalog as a whole: those that matter at its access level.
    pub fn limitations_at(&self, access: Access) -> impl Iterator<Item = &Limitation> {
        self.limitations
            .iter()
            .filter(move |limitation| limitation.when.access.is_none_or(|a| a == access))
    }

    /// The limitations that bite on one table; those that hold for any table are the catalog's, not repeated here.
    pub fn limitations_on(&self, facts: TableFacts<'_>) -> impl Iterator<Item = &Limitation> {
        self.limitations
            .iter()
            .filter(move |limitation| limitation.when.is_about_tables() && limitation.bites(&facts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::stack_name::{StackKind, StackName};

    #[test]
    fn every_file_is_read_strictly_and_names_only_known_things() {
        for text in FILES {
            let platform: Platform = serde_saphyr::from_str(text).unwrap();
            assert!(
                platform.rungs.iter().all(|rung| RUNGS.contains(&rung.as_str())),
                "{}",
                platform.id
            );
            assert!(
                platform
                    .editions
                    .may_create
                    .iter()
                    .all(|e| platform.editions.all.contains(e))
            );
            for limitation in &platform.limitations {
                let kinds = limitation.when.kinds.iter().chain(&limitation.when.kinds_except);
                for kind in kinds {
                    assert!(TableKind::named(kind).is_some(), "{}: {kind}", limitation.id);
                }
            }
            let stack = StackName::compose(&platform.stack_prefix, StackKind::GlueReadWrite, "x");
            assert!(stack.as_str().starts_with(&platform.stack_prefix));
        }
        let ids: Vec<_> = Platform::all().iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["self", "wherobots", "chalk", "startree"]);
        assert!(
            Platform::find("acme")
                .unwrap_err()
                .expected
                .contains("self, wherobots")
        );
        let wherobots = Platform::find(" wherobots ").unwrap();
        assert_eq!(wherobots.edition("community").unwrap(), "Community");
        assert!(
            wherobots
                .edition("Free")
                .unwrap_err()
                .expected
                .contains("Professional")
        );
        assert!(
            Platform::find("self")
                .unwrap()
                .edition("x")
                .unwrap_err()
                .expected
                .contains("no edition")
        );
    }

    fn bites(
        platform: &str,
        kind: TableKind,
        version: Option<u32>,
        types: &[&str],
        access: Access,
    ) -> Vec<String> {
        let types: Vec<String> = types.iter().map(|t| (*t).to_owned()).collect();
        let facts = TableFacts {
            kind,
            format_version: version,
            types: &types,
            access,
        };
        Platform::named(platform)
            .unwrap()
            .limitations_on(facts)
            .map(|l| l.id.clone())
            .collect()
    }

    #[test]
    fn limitations_bite_where_their_condition_holds() {
        let (ro, rw) = (Access::ReadOnly, Access::ReadWrite);
        assert_eq!(
            bites(
                "wherobots",
                TableKind::Iceberg,
                Some(3),
                &["long", "geometry(OGC:CRS84)"],
                ro
            ),
            ["v3-types"]
        );
        assert!(bites("wherobots", TableKind::Iceberg, Some(3), &["long"], ro).is_empty());
        assert!(bites("wherobots", TableKind::Iceberg, None, &["geometry"], ro).is_empty());
        assert_eq!(
            bites("wherobots", TableKind::PrestoView, None, &[], ro),
            ["no-views"]
        );
        assert!(bites("self", TableKind::Hive, None, &[], rw).is_empty());
        assert!(bites("startree", TableKind::Hive, None, &[], ro).contains(&"iceberg-only".to_owned()));
    }

    #[test]
    fn writing_limitations_show_only_where_writing_is_granted() {
        let ids = |access| -> Vec<String> {
            Platform::named("wherobots")
                .unwrap()
                .limitations_at(access)
                .map(|l| l.id.clone())
                .collect()
        };
        assert!(ids(Access::ReadWrite).contains(&"no-staged-create".to_owned()));
        assert!(!ids(Access::ReadOnly).contains(&"no-staged-create".to_owned()));
    }

    #[test]
    fn chalk_reads_named_tables_and_never_lists() {
        let chalk = Platform::named("chalk").unwrap();
        assert!(!chalk.needs("databases") && chalk.needs("tables") && chalk.needs("read"));
    }
}
