//! The KMS keys that encrypt what a grant is about: found with the caller's own rights, so that nobody has to know them.

use crate::cloud::glue::Glue;
use crate::cloud::s3::S3;
use crate::domain::arn::KmsKeyArn;
use crate::domain::finding::Finding;
use crate::domain::problem::Problem;
use crate::domain::quote::{operand, shell};
use crate::domain::s3_path::S3Path;
use crate::registry::Grant;

/// What is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// The files below the path.
    Files,
    /// The metadata in the Data Catalog.
    Catalog,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encryption {
    /// A key that asks nobody for a right: one of the service's own, or one that the service uses by a role of its own.
    AsksNobody,
    /// A KMS key: whoever reads needs `kms:Decrypt` on it.
    Key(KmsKeyArn),
    /// A KMS key that is named by an alias, or without its ARN: a policy needs the ARN.
    Named(String),
    /// It may not be looked at.
    Unseen(Problem),
}

/// Looks at the files below a path, wherever their bucket is.
pub async fn of_bucket(s3: S3, path: &S3Path) -> Encryption {
    let ask = |s3: S3| async move {
        s3.kms_key(path.bucket(), path.prefix(), path.policy_bucket())
            .await
    };
    match s3.of_bucket(path.bucket(), ask).await.1 {
        // S3's own KMS key: whoever may read the object may use it.
        Ok(name) => named(name, "alias/aws/s3"),
        Err(problem) => Encryption::Unseen(problem),
    }
}

/// Looks at the Data Catalog.
pub async fn of_catalog(glue: &Glue) -> Encryption {
    match glue.encryption_settings().await {
        // Glue's own KMS key, as S3's.
        Ok(found) => named(found.key_of_callers(), "alias/aws/glue"),
        Err(problem) => Encryption::Unseen(problem),
    }
}

fn named(name: Option<String>, own: &str) -> Encryption {
    match name {
        Some(name) if !name.ends_with(own) => match name.parse() {
            Ok(key) => Encryption::Key(key),
            Err(_) => Encryption::Named(name),
        },
        _ => Encryption::AsksNobody,
    }
}

impl Thing {
    /// The flag that puts its key on record.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Files => "--kms-key",
            Self::Catalog => "--catalog-kms-key",
        }
    }

    /// The key on record.
    pub fn on_record(self, grant: &Grant) -> Option<&KmsKeyArn> {
        match self {
            Self::Files => grant.kms_key.as_ref(),
            Self::Catalog => grant.catalog_kms_key.as_ref(),
        }
    }

    fn place(self, grant: &Grant) -> String {
        match self {
            Self::Files => grant.s3_path.to_string(),
            Self::Catalog => format!("the Data Catalog in {}", grant.region),
        }
    }

    /// The command line that puts a key on record.
    pub fn set_command(self, grant: &Grant, key: &str) -> String {
        format!(
            "glueup {} set {}",
            grant.holder.verb(),
            operand(grant.holder.name(), &format!("{} {key}", self.flag()))
        )
    }
}

impl Encryption {
    /// The key that a grant has to name, if any.
    pub fn key(&self) -> Option<&KmsKeyArn> {
        match self {
            Self::Key(key) => Some(key),
            _ => None,
        }
    }

    /// What to say of it while a grant is asked for, and whether it is good news; nothing where it does not matter or was
    /// not seen.
    pub fn advice(&self, thing: Thing) -> Option<(bool, String)> {
        let subject = match thing {
            Thing::Files => "",
            Thing::Catalog => "the catalog is ",
        };
        match self {
            Self::AsksNobody | Self::Unseen(_) => None,
            // Which key stands in what will be granted.
            Self::Key(_) => Some((
                true,
                format!("{subject}encrypted by a KMS key: the right to use it is asked for too"),
            )),
            Self::Named(name) => Some((
                false,
                format!(
                    "{subject}encrypted with the KMS key {name}: its ARN is needed, set it with {}",
                    thing.flag()
                ),
            )),
        }
    }

    /// Whether a grant asks for the right to use it.
    pub fn finding(&self, grant: &Grant, thing: Thing) -> Finding {
        let place = thing.place(grant);
        match (self, thing.on_record(grant)) {
            (Self::AsksNobody, _) => Finding::passed(match thing {
                Thing::Files => format!("what lies below {place} asks for no KMS key"),
                Thing::Catalog => format!("{place} asks for no KMS key"),
            }),
            (Self::Key(key), Some(asked)) if key == asked => {
                Finding::passed(format!("{place} is encrypted with {key}, as on record"))
            }
            (Self::Key(key), asked) => {
                let asked = match asked {
                    Some(asked) => format!("the record has {asked}"),
                    None => "the record has none".to_owned(),
                };
                Finding::warning(
                    format!("{place} is encrypted with {key}, {asked}: nothing could be read"),
                    format!("Put it on record:\n{}", thing.set_command(grant, key.as_str())),
                )
            }
            (Self::Named(_), Some(asked)) => Finding::passed(format!(
                "{place} is encrypted with a KMS key; the record has {asked}"
            )),
            (Self::Named(name), None) => Finding::warning(
                format!(
                    "{place} is encrypted with the KMS key {name}, the record has none: nothing could be read"
                ),
                format!(
                    "Find its ARN, and put it on record with {}:\naws kms describe-key --key-id {} --query KeyMetadata.Arn",
                    thing.flag(),
                    shell(name)
                ),
            ),
            (Self::Unseen(problem), _) => Finding::skipped(format!("not seen: {problem}")),
        }
    }
}
