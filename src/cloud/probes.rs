//! Writing, tried in forms that cannot write: what is asked for is invented, so that whoever is allowed to write is told
//! that it does not exist, and whoever is not is refused first.
//!
//! AWS looks at the caller's rights before it looks for what was named. No call of a batch, no name that may exist and
//! no deletion of an object is ever used: those could change something.

use super::denial::parse as parse_denial;
use super::glue::Glue;
use super::problem::{has_code, is_access_denied, is_lake_formation, is_not_found};
use super::s3::S3;
use crate::domain::problem::{Kind, Problem};
use aws_sdk_glue::types::TableInput;
use aws_sdk_s3::primitives::ByteStream;

/// What a try came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tried {
    /// The caller may.
    Allowed,
    /// The caller may not.
    Refused(Problem),
    /// The answer tells neither, and why: Lake Formation refused, the service slowed us down, nobody answered.
    Unclear(Problem),
}

impl Tried {
    /// Reads an answer to a question about something invented: "not found" is only told to those who may.
    pub fn of<T>(answer: Result<T, Problem>) -> Self {
        match answer {
            Ok(_) => Self::Allowed,
            // The bucket itself is missing: that says nothing of rights.
            Err(problem) if lacks_bucket(&problem) => Self::Unclear(problem),
            Err(problem) if is_not_found(&problem) => Self::Allowed,
            Err(problem) if is_access_denied(&problem) && !is_lake_formation(&problem) => {
                Self::Refused(problem)
            }
            Err(problem) => Self::Unclear(problem),
        }
    }
}

/// Whether there is no such bucket, or no such access point.
fn lacks_bucket(problem: &Problem) -> bool {
    ["NoSuchBucket", "NoSuchAccessPoint"]
        .into_iter()
        .any(|code| has_code(problem, code))
}

/// No upload has this id: AWS makes its own.
const NO_UPLOAD: &str = "glueup-probe-no-such-upload";
/// No object has this tag.
const NO_TAG: &str = "\"glueup-probe-no-such-object\"";

impl S3 {
    /// Whether an object could be read at `key`, which must be an invented one. Whoever may read but not list is refused
    /// too, since S3 does not tell them that it is missing: only a refusal that names the action proves something.
    pub async fn try_get(&self, bucket: &str, key: &str) -> Tried {
        match Tried::of(self.get_range(bucket, key, 0..=0).await) {
            Tried::Refused(problem) => match parse_denial(&problem.why).action.as_deref() {
                Some("s3:GetObject") => Tried::Refused(problem),
                Some("s3:ListBucket") => Tried::Allowed,
                _ => Tried::Unclear(problem),
            },
            tried => tried,
        }
    }

    /// Whether an object could be written at `key`, which must be an invented one. Sends a part of an upload that does
    /// not exist: nothing can be stored. A store that has no answer to that is asked to replace an object which does
    /// not exist; should it store something all the same, that is removed again.
    ///
    /// # Errors
    /// When a store took the second question for an order and its stray object could not be removed again.
    pub async fn try_put(&self, bucket: &str, key: &str) -> Result<Tried, Problem> {
        let part = self
            .client
            .upload_part()
            .bucket(bucket)
            .key(key)
            .upload_id(NO_UPLOAD)
            .part_number(1)
            .body(ByteStream::from_static(b""))
            .send()
            .await
            .map_err(|error| self.problem("s3:PutObject", bucket, key, &error));
        match part {
            Ok(_) => {
                // A store that takes any id for an upload: what it may have kept is thrown away, as far as it lets us.
                let upload = self.client.abort_multipart_upload().bucket(bucket).key(key);
                let _ = upload.upload_id(NO_UPLOAD).send().await;
                return Ok(Tried::Allowed);
            }
            Err(problem) if has_code(&problem, "NoSuchUpload") => return Ok(Tried::Allowed),
            Err(problem) if lacks_bucket(&problem) => return Ok(Tried::Unclear(problem)),
            // Neither known nor refused: a store that does not do uploads in parts.
            Err(problem) if matches!(problem.kind, Kind::CheckFailed | Kind::NotFound) => {}
            Err(problem) => return Ok(Tried::of::<()>(Err(problem))),
        }
        let replaced = self
            .client
            .put_object()
            .bucket(bucket)
            .key(key)
            .if_match(NO_TAG)
            .body(ByteStream::from_static(b""))
            .send()
            .await
            .map_err(|error| self.problem("s3:PutObject", bucket, key, &error));
        match replaced {
            Ok(_) => self.remove_stray(bucket, key).await.map(|()| Tried::Allowed),
            Err(problem) if has_code(&problem, "PreconditionFailed") => Ok(Tried::Allowed),
            Err(problem) => Ok(Tried::of::<()>(Err(problem))),
        }
    }

    async fn remove_stray(&self, bucket: &str, key: &str) -> Result<(), Problem> {
        let gone = self.client.delete_object().bucket(bucket).key(key).send().await;
        gone.map(drop).map_err(|error| {
            let why = self.problem("s3:DeleteObject", bucket, key, &error);
            Problem::new(
                Kind::CheckFailed,
                format!("The probe left an empty object: s3://{bucket}/{key}"),
                format!(
                    "This store ignores If-Match, so it stored what it should have refused; removing it again failed: {}",
                    why.what
                ),
                format!("aws s3 rm 's3://{bucket}/{key}'"),
            )
            .with_detail(*why.detail)
        })
    }
}

impl Glue {
    /// Whether tables could be created, asked for a database that must be an invented one.
    pub async fn try_create_table(&self, database: &str, table: &str) -> Tried {
        let answer = match input(table) {
            Err(problem) => return Tried::Unclear(problem),
            Ok(input) => {
                self.client
                    .create_table()
                    .database_name(database)
                    .table_input(input)
                    .send()
                    .await
            }
        };
        let path = format!("table/{database}/{table}");
        Tried::of(answer.map_err(|error| self.problem("glue:CreateTable", &path, &error)))
    }

    /// Whether tables of a database could be changed, asked for a table that must be an invented one.
    pub async fn try_update_table(&self, database: &str, table: &str) -> Tried {
        let answer = match input(table) {
            Err(problem) => return Tried::Unclear(problem),
            Ok(input) => {
                self.client
                    .update_table()
                    .database_name(database)
                    .table_input(input)
                    .send()
                    .await
            }
        };
        let path = format!("table/{database}/{table}");
        Tried::of(answer.map_err(|error| self.problem("glue:UpdateTable", &path, &error)))
    }

    /// Whether tables of a database could be deleted, asked for a table that must be an invented one.
    pub async fn try_delete_table(&self, database: &str, table: &str) -> Tried {
        let answer = self
            .client
            .delete_table()
            .database_name(database)
            .name(table)
            .send()
            .await;
        let path = format!("table/{database}/{table}");
        Tried::of(answer.map_err(|error| self.problem("glue:DeleteTable", &path, &error)))
    }

    /// Whether databases could be deleted, asked for one that must be an invented one.
    pub async fn try_delete_database(&self, database: &str) -> Tried {
        let answer = self.client.delete_database().name(database).send().await;
        let path = format!("database/{database}");
        Tried::of(answer.map_err(|error| self.problem("glue:DeleteDatabase", &path, &error)))
    }
}

fn input(table: &str) -> Result<TableInput, Problem> {
    TableInput::builder().name(table).build().map_err(|why| {
        Problem::new(
            Kind::Internal,
            "The probe could not be built",
            why.to_string(),
            "This is a fault of glueup: please report it",
        )
    })
}
