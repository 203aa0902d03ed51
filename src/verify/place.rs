//! Where something is asked for: in the words of a report, of a policy, and of IAM's simulator.

use super::climb::Climb;
use crate::cloud::iam::{Question, Source};
use crate::domain::access::Access;
use crate::domain::arn::GlueArns;
use crate::domain::s3_path::{S3Location, resource};
use crate::domain::text::scrub;
use crate::policy::{Context, Right};
use crate::registry::Grant;

/// Where an action is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// The Glue catalog itself.
    Catalog,
    Database(String),
    /// A table of a database.
    Table(String, String),
    /// A bucket and a key.
    Object(String, String),
    /// A bucket, and what the keys to be listed begin with.
    Keys(String, String),
    /// A KMS key, by its ARN, used through this service.
    Key(String, String),
    /// Something else, by its ARN; `*` for everything.
    Arn(String),
}

impl Place {
    /// A place of Glue, for an action on a table: some of its actions need no right on one.
    pub(super) fn of_glue(action: &str, database: &str, table: &str) -> Self {
        match action {
            "glue:GetCatalog" => Self::Catalog,
            "glue:GetDatabases"
            | "glue:GetDatabase"
            | "glue:CreateDatabase"
            | "glue:UpdateDatabase"
            | "glue:DeleteDatabase" => Self::Database(database.to_owned()),
            _ => Self::Table(database.to_owned(), table.to_owned()),
        }
    }

    /// As a report says it.
    pub(super) fn text(&self, climb: &Climb) -> String {
        match self {
            Self::Catalog => format!("the Glue catalog in {}", climb.region),
            Self::Database(name) => format!("database {}", scrub(name)),
            Self::Table(database, name) => format!("table {}.{}", scrub(database), scrub(name)),
            Self::Object(bucket, key) | Self::Keys(bucket, key) => {
                format!("s3://{}/{}", scrub(bucket), scrub(key))
            }
            Self::Arn(arn) | Self::Key(arn, _) => scrub(arn),
        }
    }

    /// The resources on each of which the right is needed, as ARNs; what is asked for itself is last.
    pub(super) fn arns(&self, climb: &Climb) -> Vec<String> {
        let glue = GlueArns::new(&climb.region, &climb.role.account());
        match self {
            Self::Catalog => vec![glue.catalog()],
            Self::Database(name) => vec![glue.catalog(), glue.database(name)],
            Self::Table(database, name) => {
                vec![
                    glue.catalog(),
                    glue.database(database),
                    glue.table(database, name),
                ]
            }
            Self::Object(bucket, key) => vec![of_s3(climb, bucket, key)],
            Self::Keys(bucket, _) => vec![of_s3(climb, bucket, "")],
            Self::Arn(arn) | Self::Key(arn, _) => vec![arn.clone()],
        }
    }

    /// The same without the catalog, where more than that is asked for: everything of Glue needs the right on it, so that
    /// whoever gives that gives nothing away.
    pub(super) fn telling_arns(&self, climb: &Climb) -> Vec<String> {
        let mut arns = self.arns(climb);
        if matches!(self, Self::Database(_) | Self::Table(..)) {
            arns.remove(0);
        }
        arns
    }

    /// As who refused it is told: by the ARN, where it is asked for through an access point, since an alias tells nobody which.
    pub(super) fn told(&self, climb: &Climb) -> String {
        match self.is_through_point(climb) {
            true => self.arns(climb).pop().unwrap_or_default(),
            false => self.text(climb),
        }
    }

    /// Whether it is asked for through an access point.
    pub(super) fn is_through_point(&self, climb: &Climb) -> bool {
        let (Self::Object(bucket, _) | Self::Keys(bucket, _)) = self else {
            return false;
        };
        let through = |grant: &Grant| grant.s3_path.point().is_some() && grant.s3_path.goes_by(bucket);
        climb.grants().any(through)
    }

    /// The condition keys of the request that are known.
    pub(super) fn context(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Keys(_, prefix) => vec![("s3:prefix", prefix.clone())],
            Self::Key(_, service) => vec![("kms:ViaService", service.clone())],
            Self::Catalog | Self::Database(_) | Self::Table(..) | Self::Object(..) | Self::Arn(_) => {
                Vec::new()
            }
        }
    }

    /// Whether a grant asks for this action here.
    pub(super) fn is_granted(&self, climb: &Climb, grant: &Grant, action: &str) -> bool {
        let reads = ["s3:ListBucket", "s3:GetObject"].contains(&action) || action.starts_with("glue:Get");
        if !reads && grant.access == Access::ReadOnly {
            return false;
        }
        let of_glue = |name: Option<&String>| {
            grant.region == climb.region
                && grant.databases.as_ref().is_some_and(|databases| {
                    databases.is_empty() || name.is_none_or(|name| databases.contains(name))
                })
        };
        match self {
            Self::Catalog => of_glue(None),
            Self::Database(name) | Self::Table(name, _) => of_glue(Some(name)),
            Self::Object(bucket, key) => grant
                .s3_path
                .covers(&S3Location::new(&format!("s3://{bucket}/{key}"))),
            Self::Keys(bucket, prefix) => {
                grant.s3_path.goes_by(bucket) && prefix.starts_with(grant.s3_path.prefix())
            }
            Self::Key(..) | Self::Arn(_) => false,
        }
    }
}

/// A bucket, or a key in it, as a policy names it. An access point goes by its ARN there, however a request names it.
fn of_s3(climb: &Climb, bucket: &str, key: &str) -> String {
    let partition = climb.role.partition();
    let granted = climb.grants().find(|grant| grant.s3_path.goes_by(bucket));
    match granted {
        Some(grant) => grant.s3_path.object_arn(partition, key),
        None => resource(partition, bucket, key),
    }
}

/// Something that was asked for, and by whom it is decided as far as that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    /// Such as `glue:GetTable`.
    pub action: &'static str,
    /// Where.
    pub place: Place,
    /// The policies that decided; empty where none is known yet.
    pub by: Vec<Source>,
}

impl Asked {
    /// As rights, for what a policy says of them.
    pub(super) fn rights(&self, climb: &Climb) -> Vec<Right> {
        let mut context = Context::new();
        for (key, value) in self.place.context() {
            context = context.with(key, value);
        }
        let arns = self.place.telling_arns(climb).into_iter();
        arns.map(|resource| Right {
            action: self.action.to_owned(),
            resource,
            context: context.clone(),
        })
        .collect()
    }
}

/// Few questions to the simulator for many actions, each on the resources that it needs: one for each service, and one for
/// what is asked of everything. Each action is answered on each resource of its question.
pub(super) fn gather(needs: impl IntoIterator<Item = (&'static str, Vec<String>)>) -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    for (action, resources) in needs {
        let everything = resources == ["*"];
        let service = action.split(':').next();
        let fits = |question: &&mut Question| {
            let same = question.actions.first().and_then(|first| first.split(':').next()) == service;
            (question.resources == ["*"]) == everything && (everything || same)
        };
        match questions.iter_mut().find(fits) {
            Some(question) => {
                if !question.actions.contains(&action) {
                    question.actions.push(action);
                }
                for resource in resources {
                    if !question.resources.contains(&resource) {
                        question.resources.push(resource);
                    }
                }
            }
            None => questions.push(Question {
                actions: vec![action],
                resources,
                context: Vec::new(),
            }),
        }
    }
    questions
}
