//! Glue's databases and tables, as neutral structs, page by page.
//!
//! A page may be empty and still have a successor: only the absence of a token ends a listing.

mod convert;
mod walk;

pub use walk::{Step, Walk};

use super::aws::Aws;
use crate::domain::glue::{Database, Table};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::text::scrub;
use aws_sdk_glue::types::{DatabaseAttributes, TableAttributes};

/// As many entries as Glue gives in one page.
const PAGE: i32 = 100;

/// Glue in one region, seen by one caller.
#[derive(Debug, Clone)]
pub struct Glue {
    aws: Aws,
    region: Region,
    pub(super) client: aws_sdk_glue::Client,
}

/// A page of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// What is on it; may be nothing.
    pub items: Vec<T>,
    /// The way to the next one; `None` at the end.
    pub next: Option<String>,
}

/// How the catalog's metadata is encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encryption {
    /// `DISABLED`, `SSE-KMS` or `SSE-KMS-WITH-SERVICE-ROLE`.
    pub mode: String,
    /// The key as Glue names it: its ARN, or an alias.
    pub kms_key: Option<String>,
}

impl Encryption {
    /// The key that whoever reads needs a right on; none where Glue uses it by a role of its own.
    pub fn key_of_callers(self) -> Option<String> {
        self.kms_key.filter(|_| self.mode == "SSE-KMS")
    }
}

impl Glue {
    pub(super) fn new(aws: Aws, region: &Region) -> Self {
        let config = aws_sdk_glue::config::Builder::from(aws.sdk())
            .retry_classifier(aws.renewal())
            .region(aws_sdk_glue::config::Region::new(region.to_string()))
            .build();
        Self {
            aws,
            region: region.clone(),
            client: aws_sdk_glue::Client::from_conf(config),
        }
    }

    /// A page of databases.
    ///
    /// # Errors
    /// Whatever Glue answers; a denial is a Problem, never an empty page.
    pub async fn databases_page(&self, token: Option<String>) -> Result<Page<Database>, Problem> {
        let answer = self
            .client
            .get_databases()
            .max_results(PAGE)
            .set_next_token(token)
            .send()
            .await
            .map_err(|error| self.problem("glue:GetDatabases", "catalog", &error))?;
        Ok(Page {
            next: further(answer.next_token),
            items: answer.database_list.into_iter().map(convert::database).collect(),
        })
    }

    /// A page of the databases' names and nothing else: the answer is a fraction of [`Glue::databases_page`]'s.
    ///
    /// # Errors
    /// As [`Glue::databases_page`].
    pub async fn database_names_page(&self, token: Option<String>) -> Result<Page<String>, Problem> {
        let answer = self
            .client
            .get_databases()
            .attributes_to_get(DatabaseAttributes::Name)
            .max_results(PAGE)
            .set_next_token(token)
            .send()
            .await
            .map_err(|error| self.problem("glue:GetDatabases", "catalog", &error))?;
        Ok(Page {
            next: further(answer.next_token),
            items: answer.database_list.into_iter().map(|found| found.name).collect(),
        })
    }

    /// One database.
    ///
    /// # Errors
    /// Whatever Glue answers, `NotFound` among it.
    pub async fn database(&self, name: &str) -> Result<Database, Problem> {
        let answer = self
            .client
            .get_database()
            .name(name)
            .send()
            .await
            .map_err(|error| self.problem("glue:GetDatabase", &format!("database/{name}"), &error))?;
        answer
            .database
            .map(convert::database)
            .ok_or_else(|| nothing(name))
    }

    /// A page of a database's tables.
    ///
    /// # Errors
    /// Whatever Glue answers; a denial is a Problem, never an empty page.
    pub async fn tables_page(&self, database: &str, token: Option<String>) -> Result<Page<Table>, Problem> {
        let answer = self
            .client
            .get_tables()
            .database_name(database)
            .max_results(PAGE)
            .set_next_token(token)
            .send()
            .await
            .map_err(|error| self.problem("glue:GetTables", &format!("table/{database}/*"), &error))?;
        Ok(Page {
            next: further(answer.next_token),
            items: answer
                .table_list
                .unwrap_or_default()
                .into_iter()
                .map(convert::table)
                .collect(),
        })
    }

    /// A page of the names of a database's tables and nothing else: without columns and parameters, which are nearly
    /// all of [`Glue::tables_page`]'s answer.
    ///
    /// # Errors
    /// As [`Glue::tables_page`].
    pub async fn table_names_page(
        &self,
        database: &str,
        token: Option<String>,
    ) -> Result<Page<String>, Problem> {
        let answer = self
            .client
            .get_tables()
            .database_name(database)
            .attributes_to_get(TableAttributes::Name)
            .max_results(PAGE)
            .set_next_token(token)
            .send()
            .await
            .map_err(|error| self.problem("glue:GetTables", &format!("table/{database}/*"), &error))?;
        Ok(Page {
            next: further(answer.next_token),
            items: answer
                .table_list
                .unwrap_or_default()
                .into_iter()
                .map(|found| found.name)
                .collect(),
        })
    }

    /// One table.
    ///
    /// # Errors
    /// Whatever Glue answers, `NotFound` among it.
    pub async fn table(&self, database: &str, name: &str) -> Result<Table, Problem> {
        self.table_of(None, database, name).await
    }

    /// One table of the catalog of this account; without one the caller's own.
    ///
    /// # Errors
    /// Whatever Glue answers, `NotFound` among it.
    pub async fn table_of(
        &self,
        account: Option<&str>,
        database: &str,
        name: &str,
    ) -> Result<Table, Problem> {
        let path = format!("table/{database}/{name}");
        let answer = self
            .client
            .get_table()
            .set_catalog_id(account.map(ToOwned::to_owned))
            .database_name(database)
            .name(name)
            .send()
            .await
            .map_err(|error| self.problem("glue:GetTable", &path, &error))?;
        answer
            .table
            .map(convert::table)
            .ok_or_else(|| nothing(&format!("{database}.{name}")))
    }

    /// How the catalog's metadata is encrypted.
    ///
    /// # Errors
    /// Whatever Glue answers.
    pub async fn encryption_settings(&self) -> Result<Encryption, Problem> {
        let answer = self
            .client
            .get_data_catalog_encryption_settings()
            .send()
            .await
            .map_err(|error| self.problem("glue:GetDataCatalogEncryptionSettings", "catalog", &error))?;
        let at_rest = answer
            .data_catalog_encryption_settings
            .and_then(|settings| settings.encryption_at_rest);
        Ok(match at_rest {
            Some(at_rest) => Encryption {
                mode: scrub(at_rest.catalog_encryption_mode.as_str()),
                kms_key: at_rest.sse_aws_kms_key_id.map(|key| self.key_arn(scrub(&key))),
            },
            None => Encryption {
                mode: "DISABLED".to_owned(),
                kms_key: None,
            },
        })
    }

    /// A key that is named by its id alone is one of the catalog's account and region.
    fn key_arn(&self, key: String) -> String {
        if key.contains(['/', ':']) {
            return key;
        }
        let arn = self
            .aws
            .arn_in_account("kms", &self.region, &format!("key/{key}"));
        arn.unwrap_or(key)
    }

    pub(super) fn problem<E>(
        &self,
        action: &'static str,
        path: &str,
        error: &aws_sdk_glue::error::SdkError<E>,
    ) -> Problem
    where
        E: aws_sdk_glue::error::ProvideErrorMetadata + std::error::Error + 'static,
    {
        let arn = self.aws.arn_in_account("glue", &self.region, path);
        let nameless = arn.is_none();
        let problem = self.aws.problem("glue", action, arn, &self.region, error);
        match problem.kind {
            // Of the caller's own account the number is not always known, but what was asked for is.
            Kind::NotFound if nameless => Problem {
                what: format!("Not found: {}", named(path)),
                ..problem
            },
            _ => problem,
        }
    }
}

/// What the path of an ARN names, in words: `the table sales.orders`.
fn named(path: &str) -> String {
    let said = match path.splitn(3, '/').collect::<Vec<_>>().as_slice() {
        ["table", database, "*"] => format!("the database {database}"),
        ["table", database, table] => format!("the table {database}.{table}"),
        ["database", rest @ ..] => format!("the database {}", rest.join("/")),
        _ => path.to_owned(),
    };
    scrub(&said)
}

fn nothing(name: &str) -> Problem {
    Problem::new(
        Kind::NotFound,
        format!("Not found: {name}"),
        "Glue answered without it",
        "Check the name and the region",
    )
}

/// A blank token is no token.
fn further(token: Option<String>) -> Option<String> {
    token.filter(|token| !token.is_empty())
}
