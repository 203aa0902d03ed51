//! What can be asked of the stack room, and what it answers.

use crate::domain::account::AccountId;
use crate::domain::arn::KmsKeyArn;
use crate::domain::finding::Check;
use crate::domain::moment::Moment;
use crate::domain::names::ConnectionName;
use crate::domain::quote::operand;
use crate::domain::region::Region;
use crate::domain::s3_path::{AccessPointArn, S3Path};
use crate::registry::Holder;
use crate::stack::change::Change;
use crate::stack::elsewhere::Search;
use crate::stack::link::Link;
use crate::stack::look::Sight;
use crate::stack::policy::Policy;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Whose stack is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The stack that makes a connection's role.
    Connection(ConnectionName),
    /// The stack that attaches the grant of a catalog or a storage integration to that role.
    Grant(Holder),
}

impl Target {
    /// The name of the record.
    pub fn name(&self) -> &str {
        match self {
            Self::Connection(name) => name.as_str(),
            Self::Grant(holder) => holder.name(),
        }
    }

    /// The words that stand for it on the command line: `connection sales-prod`.
    pub fn command(&self) -> String {
        self.command_with("")
    }

    /// The same, with flags of the verb that they are for.
    pub fn command_with(&self, flags: &str) -> String {
        match self {
            Self::Connection(name) => format!("connection {}", operand(name.as_str(), flags)),
            Self::Grant(holder) => holder.command_with(flags),
        }
    }

    /// The command line that deletes the stack.
    pub fn delete_command(&self) -> String {
        self.delete_command_with("")
    }

    /// The same, with flags of `stack delete`.
    pub fn delete_command_with(&self, flags: &str) -> String {
        format!("glueup stack delete {}", self.command_with(flags))
    }
}

/// A piece of work for the stack room.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// The quick-create link, or why there is none.
    Link(Target),
    /// The template's text and the parameters to fill in.
    Template(Target),
    /// The IAM document that the role should carry: who may assume it (a connection), what it may do (a grant).
    Policy(Target),
    /// Writes the template and a note of its parameters to a file; `None`: a sensible name in the working directory.
    Save(Target, Option<PathBuf>),
    /// Puts the template into a bucket of the admin's; asks first.
    Publish {
        /// Whose template.
        target: Target,
        /// The bucket, which must exist; it may be private.
        bucket: String,
    },
    /// Creates or updates the stack; asks first, streams the events, reads the outputs into the record.
    Deploy {
        /// Whose stack.
        target: Target,
        /// A service role for CloudFormation to work with.
        role_arn: Option<String>,
        /// Whether to ask about a stack of an earlier record of that name; else it is refused where the external ID or
        /// the grant would change.
        take_over: bool,
    },
    /// Waits for a stack that is made elsewhere (the browser), streams its events, reads the outputs into the record.
    Watch(Target),
    /// Looks at the stacks of all records, with the rights of whoever is signed in already: what is gone is taken out of
    /// its record, what was made meanwhile is read into it, what CloudFormation is at work on is looked at again.
    Look,
    /// Deletes the stack; asks first.
    Delete {
        /// Whose stack.
        target: Target,
        /// Whether to ask about a stack of an earlier record of that name; else it is refused.
        take_over: bool,
        /// Whether to ask, where something in it cannot be deleted, to let that stay; else the deletion has failed.
        retain: bool,
    },
    /// Looks for the stack in all regions; may ask whether the record is to go by one that it finds.
    Find {
        /// Whose stack.
        target: Target,
        /// Whether to ask; else it only looks.
        take: bool,
    },
    /// Looks whether the caller can deploy here; changes nothing.
    Preflight {
        /// Whose stack; a grant's deployment takes its connection's with it.
        target: Target,
        /// A service role for CloudFormation to work with.
        role_arn: Option<String>,
    },
    /// Looks, with the caller's own rights and as advice only, whether bucket and catalog are there, and where.
    Advise {
        /// The catalog's region; `None`: no catalog is asked for.
        region: Option<Region>,
        /// The path to be granted.
        s3_path: S3Path,
    },
}

impl Request {
    /// True for a request that changes something in AWS, or a record because a person said so: it is never cut off.
    ///
    /// [`Request::Look`] and [`Request::Watch`] note in the records what they have seen, and write nothing to AWS: they may
    /// be stopped at any time, and see the same again.
    pub fn writes(&self) -> bool {
        matches!(
            self,
            Self::Publish { .. } | Self::Deploy { .. } | Self::Delete { .. } | Self::Find { take: true, .. }
        )
    }
}

/// One stack event, as CloudFormation words it, in clean text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackEvent {
    /// CloudFormation's id of the event.
    pub id: String,
    /// When.
    pub at: Moment,
    /// The resource's name in the template; the stack's own name for the stack.
    pub logical_id: String,
    /// Such as `AWS::IAM::Role`.
    pub resource_type: String,
    /// Such as `CREATE_IN_PROGRESS`.
    pub status: String,
    /// CloudFormation's reason, if it gives one.
    pub reason: Option<String>,
}

/// A stack as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackState {
    /// Its name.
    pub name: String,
    /// Its id (an ARN).
    pub id: String,
    /// Such as `CREATE_COMPLETE`.
    pub status: String,
    /// Its outputs; empty until it is complete.
    pub outputs: BTreeMap<String, String>,
    /// What was done to its resources by the request that answers this.
    pub changes: Vec<Change>,
}

/// Told while a stack is deployed, watched or deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// Which account and region is looked at, before anything is tried.
    LookingIn {
        /// The signed-in caller's account.
        account: AccountId,
        /// The stack's region.
        region: Region,
        /// The stack's name.
        stack: String,
    },
    /// The stack is not there (yet).
    NotThere,
    /// Its status changed.
    Status(String),
    /// A new event.
    Event(StackEvent),
    /// Something worth saying that is no event, such as that there is nothing to do.
    Note(String),
    /// IAM does not know a principal of the trust policy yet: the next try comes in so many seconds. Told each second.
    Again {
        /// The principal.
        principal: String,
        /// Seconds until the next try.
        seconds: u64,
    },
    /// The stack of a record is not as the record says.
    Sight(Sight),
}

/// What the caller's own rights show about a bucket and a catalog. Advice, never a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What there is to say about the bucket or the access point, a line each, and whether it is good news.
    pub bucket: Vec<(bool, String)>,
    /// The access point that was found.
    pub access_point: Option<AccessPointArn>,
    /// One line about the catalog, where one is asked for.
    pub catalog: Option<(bool, String)>,
    /// One line about the key that encrypts the bucket, where there is something to say.
    pub encryption: Option<(bool, String)>,
    /// That key, to be asked for too.
    pub kms_key: Option<KmsKeyArn>,
    /// One line about the key that encrypts the Data Catalog, where there is something to say.
    pub catalog_encryption: Option<(bool, String)>,
    /// That key, to be asked for too.
    pub catalog_kms_key: Option<KmsKeyArn>,
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The link.
    Link(Link),
    /// The template's text, its parameters, and the stack's name.
    Template {
        /// The YAML text.
        body: String,
        /// Parameter name → value.
        parameters: Vec<(String, String)>,
        /// The stack's name.
        stack_name: String,
    },
    /// The IAM document.
    Policy(Box<Policy>),
    /// Where the template was written.
    Saved(PathBuf),
    /// The https URL at which the template now lies.
    Published(String),
    /// The stack is complete and its outputs are in the record.
    Deployed(StackState),
    /// The stack is gone.
    Deleted(String),
    /// Where the stack is.
    Found(Box<Search>),
    /// All stacks that can be seen have been looked at, and none moves any more.
    Looked,
    /// The checks of a preflight; one that failed is an outcome, not a problem.
    Preflight(Vec<Check>),
    /// Advice.
    Advice(Advice),
}
