//! What Glue says about databases and tables, in neutral structs. AWS may leave out every field but the name.
//!
//! Names, locations and parameters are raw, since some are sent back; scrub them before they are drawn. Comments and
//! descriptions are scrubbed by whoever builds these structs from an answer.

use std::{collections::BTreeMap, fmt};

use super::moment::Moment;

/// The parameters of a table, a column, a database or a SerDe.
pub type Parameters = BTreeMap<String, String>;

/// A Glue database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Database {
    /// The name; the only field that is always there.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// Where tables of it go by default.
    pub location_uri: Option<String>,
    /// Free parameters.
    pub parameters: Parameters,
    /// Set when the database is a link to another one.
    pub target: Option<ResourceLink>,
    /// Set when the database stands for one of another system.
    pub federated: Option<Federated>,
    /// Whether new tables in it are left to IAM alone (`IAM_ALLOWED_PRINCIPALS`); `None` when Glue did not say.
    pub iam_allowed_principals: Option<bool>,
    /// The catalog's id: the account.
    pub catalog_id: Option<String>,
    /// When it was made.
    pub create_time: Option<Moment>,
}

impl Database {
    /// Whether its tables are the catalog's own: it is no link to another database and stands for none of another system.
    pub fn is_own(&self) -> bool {
        self.target.is_none() && self.federated.is_none()
    }
}

/// What a resource link points at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub struct ResourceLink {
    /// The account that owns the target.
    pub catalog_id: Option<String>,
    /// The database of the target.
    pub database: Option<String>,
    /// The target table; `None` when the target is a database.
    pub table: Option<String>,
    /// The region of the target, if it is another one.
    pub region: Option<String>,
}

impl fmt::Display for ResourceLink {
    /// `111122223333/db1.table1 (us-east-1)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(account) = &self.catalog_id {
            write!(f, "{account}/")?;
        }
        f.write_str(self.database.as_deref().unwrap_or("?"))?;
        if let Some(table) = &self.table {
            write!(f, ".{table}")?;
        }
        if let Some(region) = &self.region {
            write!(f, " ({region})")?;
        }
        Ok(())
    }
}

/// What a federated database or table stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Federated {
    /// The identifier in the other system.
    pub identifier: Option<String>,
    /// The Glue connection that leads to it.
    pub connection_name: Option<String>,
    /// The sort of connection: `aws:s3tables`.
    pub connection_type: Option<String>,
}

/// A Glue table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The name; the only field that is always there.
    pub name: String,
    /// The database.
    pub database_name: Option<String>,
    /// The description.
    pub description: Option<String>,
    /// The owner.
    pub owner: Option<String>,
    /// When it was made.
    pub create_time: Option<Moment>,
    /// When it was last changed.
    pub update_time: Option<Moment>,
    /// Columns, location and SerDe; absent for links, views and broken entries.
    pub storage: Option<StorageDescriptor>,
    /// Partition columns of a Hive table; empty for Iceberg, whose partitions are transforms.
    pub partition_keys: Vec<Column>,
    /// The text of a view, as written.
    pub view_original_text: Option<String>,
    /// The text of a view, expanded.
    pub view_expanded_text: Option<String>,
    /// `EXTERNAL_TABLE`, `VIRTUAL_VIEW`, …
    pub table_type: Option<String>,
    /// Free parameters; `table_type` and `metadata_location` make an Iceberg table.
    pub parameters: Parameters,
    /// Set when the table is a link to another one.
    pub target: Option<ResourceLink>,
    /// Set when the table stands for one of another system.
    pub federated: Option<Federated>,
    /// Whether Glue holds a view of several dialects.
    pub is_multi_dialect_view: bool,
    /// Whether it is a Glue materialized view.
    pub is_materialized_view: bool,
    /// Whether the table has a `ViewDefinition`.
    pub has_view_definition: bool,
    /// The view's text in each dialect that it has.
    pub representations: Vec<Representation>,
    /// Whether Lake Formation governs its location; `None` when Glue did not say.
    pub registered_with_lake_formation: Option<bool>,
    /// The catalog's id: the account.
    pub catalog_id: Option<String>,
    /// The version, for optimistic updates.
    pub version_id: Option<String>,
}

impl Table {
    /// The location, unless it is absent or blank.
    pub fn location(&self) -> Option<&str> {
        self.storage
            .as_ref()?
            .location
            .as_deref()
            .filter(|location| !location.trim().is_empty())
    }

    /// Where a table's files are. Spark leaves a stand-in as the location of the tables of its data sources, and the truth in
    /// the SerDe's parameters.
    pub fn files_location(&self) -> Option<&str> {
        let storage = self.storage.as_ref()?;
        let path = storage.serde_parameters.get("path").map(String::as_str);
        let path = path.filter(|path| path.contains("://"));
        match self.location() {
            Some(location) if !location.trim_end_matches('/').ends_with("__PLACEHOLDER__") => Some(location),
            location => path.or(location),
        }
    }

    /// The columns of the storage descriptor; empty without one.
    pub fn columns(&self) -> &[Column] {
        self.storage.as_ref().map_or(&[], |storage| &storage.columns)
    }

    /// A parameter of the table.
    pub fn parameter(&self, key: &str) -> Option<&str> {
        self.parameters.get(key).map(String::as_str)
    }

    /// Where the current Iceberg metadata is, if the table says so.
    pub fn metadata_location(&self) -> Option<&str> {
        self.parameter("metadata_location")
            .filter(|location| !location.trim().is_empty())
    }
}

/// A Glue view's text in one dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Representation {
    /// Glue's word for the dialect: `ATHENA`, `SPARK`, `REDSHIFT`.
    pub dialect: Option<String>,
    /// The SQL as it was given.
    pub original_text: Option<String>,
    /// The SQL that engines use: with full names.
    pub expanded_text: Option<String>,
}

/// Where and how the files of a table are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StorageDescriptor {
    /// The columns, without partition columns.
    pub columns: Vec<Column>,
    /// The location as stored.
    pub location: Option<String>,
    /// Hadoop's input format class.
    pub input_format: Option<String>,
    /// Hadoop's output format class.
    pub output_format: Option<String>,
    /// The SerDe's class.
    pub serde_library: Option<String>,
    /// The SerDe's parameters.
    pub serde_parameters: Parameters,
    /// Free parameters; crawlers repeat theirs here.
    pub parameters: Parameters,
}

/// A column as Glue has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// The name.
    pub name: String,
    /// The Hive type; up to 131,072 characters.
    pub type_text: Option<String>,
    /// The comment.
    pub comment: Option<String>,
    /// Free parameters; Iceberg writers put the field id here, and whether the column is a current one.
    pub parameters: Parameters,
}

impl Column {
    /// Whether an Iceberg writer marked the column as one of an older schema.
    pub fn dropped(&self) -> bool {
        self.parameters
            .get("iceberg.field.current")
            .is_some_and(|current| current.eq_ignore_ascii_case("false"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_says_account_table_and_region() {
        let link = ResourceLink {
            catalog_id: Some("111122223333".into()),
            database: Some("db1".into()),
            table: Some("table1".into()),
            region: Some("us-east-1".into()),
        };
        assert_eq!(link.to_string(), "111122223333/db1.table1 (us-east-1)");
        assert_eq!(ResourceLink::default().to_string(), "?");
    }

    #[test]
    fn a_table_with_a_name_alone_answers_everything() {
        let table = Table {
            name: "t".into(),
            ..Table::default()
        };
        assert_eq!(
            (table.location(), table.columns().len(), table.metadata_location()),
            (None, 0, None)
        );
    }
}
