//! The KMS key that encrypts what a grant is about: found with the caller's own rights, so that nobody has to know it.

use crate::cloud::s3::S3;
use crate::domain::arn::KmsKeyArn;
use crate::domain::finding::Finding;
use crate::domain::problem::Problem;
use crate::domain::quote::{operand, shell};
use crate::domain::s3_path::S3Path;
use crate::registry::Grant;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encryption {
    /// A key of S3's own, which asks nobody for a right.
    OfS3,
    /// A KMS key: whoever reads needs `kms:Decrypt` on it.
    Key(KmsKeyArn),
    /// A KMS key that is named by an alias, or without its ARN: a policy needs the ARN.
    Named(String),
    /// It may not be looked at.
    Unseen(Problem),
}

/// Looks.
pub async fn look(s3: &S3, path: &S3Path) -> Encryption {
    match s3.kms_key(path.bucket(), path.prefix()).await {
        Ok(None) => Encryption::OfS3,
        // S3's own KMS key: whoever may read the object may use it.
        Ok(Some(name)) if name.ends_with("alias/aws/s3") => Encryption::OfS3,
        Ok(Some(name)) => match name.parse() {
            Ok(key) => Encryption::Key(key),
            Err(_) => Encryption::Named(name),
        },
        Err(problem) => Encryption::Unseen(problem),
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
    pub fn advice(&self) -> Option<(bool, String)> {
        match self {
            Self::OfS3 | Self::Unseen(_) => None,
            // Which key stands in what will be granted.
            Self::Key(_) => Some((
                true,
                "encrypted by a KMS key: the right to use it is asked for too".to_owned(),
            )),
            Self::Named(name) => Some((
                false,
                format!("encrypted with the KMS key {name}: its ARN is needed, set it with --kms-key"),
            )),
        }
    }

    /// Whether a grant asks for the right to use it.
    pub fn finding(&self, grant: &Grant) -> Finding {
        let path = &grant.s3_path;
        match (self, &grant.kms_key) {
            (Self::OfS3, _) => Finding::passed(format!("what lies below {path} asks for no KMS key")),
            (Self::Key(key), Some(asked)) if key == asked => {
                Finding::passed(format!("{path} is encrypted with {key}, as on record"))
            }
            (Self::Key(key), asked) => {
                let asked = match asked {
                    Some(asked) => format!("the record has {asked}"),
                    None => "the record has none".to_owned(),
                };
                Finding::warning(
                    format!("{path} is encrypted with {key}, {asked}: nothing could be read"),
                    format!(
                        "Put it on record:\nglueup {} set {}",
                        grant.holder.verb(),
                        operand(grant.holder.name(), &format!("--kms-key {key}"))
                    ),
                )
            }
            (Self::Named(_), Some(asked)) => Finding::passed(format!(
                "{path} is encrypted with a KMS key; the record has {asked}"
            )),
            (Self::Named(name), None) => Finding::warning(
                format!(
                    "{path} is encrypted with the KMS key {name}, the record has none: nothing could be read"
                ),
                format!(
                    "Find its ARN, and put it on record with --kms-key:\naws kms describe-key --key-id {} --query KeyMetadata.Arn",
                    shell(name)
                ),
            ),
            (Self::Unseen(problem), _) => Finding::skipped(format!("not seen: {problem}")),
        }
    }
}
