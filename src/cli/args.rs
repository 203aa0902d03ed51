//! What may stand on the command line: the flags that hold for every verb, and the verbs.

use crate::cli::{
    catalog, census, completions, connection, demo, deploy, init, ledger, lens, link, ls, packet, preflight,
    quote, schema, stack, storage, template, verify,
};
use crate::domain::invalid::Invalid;
use crate::domain::names::{CatalogName, ConnectionName, StorageName};
use crate::domain::region::Region;
use crate::domain::s3_path::{AccessPointAlias, AccessPointArn, BucketName};
use crate::registry::Holder;
use crate::setup::PointGiven;
use crate::stack::Target;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// Connects an AWS Glue Data Catalog to the engines that read it, proves the connection, and keeps it proven.
///
/// Without a verb it opens the terminal interface.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "glueup",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// The flags that hold for every verb.
    #[command(flatten)]
    pub globals: Globals,
    /// What to do; none opens the terminal interface.
    #[command(subcommand)]
    pub verb: Option<Verb>,
}

/// The flags that hold for every verb, before it or after it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct Globals {
    /// The AWS profile to sign in with
    #[arg(long, global = true, value_name = "PROFILE", value_parser = filled)]
    pub profile: Option<String>,
    /// The AWS region to talk to where a record does not say
    #[arg(long, global = true, value_name = "REGION")]
    pub region: Option<Region>,
    /// Talk to this endpoint instead of AWS
    #[arg(long, global = true, value_name = "URL", value_parser = filled)]
    pub endpoint_url: Option<String>,
    /// Where the records are; without it $GLUEUP_HOME, else the system's data directory
    #[arg(long, global = true, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Text for people, or JSON for programs
    #[arg(long, global = true, value_enum, value_name = "FORM", default_value_t = Output::Text)]
    pub output: Output,
    /// No colours, whatever the terminal can do
    #[arg(long, global = true)]
    pub no_color: bool,
    /// Tell more on stderr
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// A text that is not empty. An empty one is what a variable without a value leaves behind; a wish it never is.
///
/// # Errors
/// When nothing but blanks was given.
pub fn filled(given: &str) -> Result<String, Invalid> {
    if given.trim().is_empty() {
        return Err(Invalid::empty(
            "the value",
            "a text; without a wish leave the flag out",
        ));
    }
    Ok(given.to_owned())
}

/// Something to be put on record, or the word `none`: there is to be none, whatever was on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrNone<T> {
    /// This one.
    This(T),
    /// None.
    None,
}

impl<T> OrNone<T> {
    /// What is to be put on record, where something is.
    pub fn given(self) -> Option<T> {
        match self {
            Self::This(given) => Some(given),
            Self::None => None,
        }
    }

    /// True where nothing is to be on record.
    pub fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }
}

impl<T: FromStr<Err = Invalid>> FromStr for OrNone<T> {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        if given.trim().eq_ignore_ascii_case("none") {
            return Ok(Self::None);
        }
        given.parse().map(Self::This).map_err(|invalid: Invalid| {
            let expected = format!("{}; or none", invalid.expected);
            Invalid { expected, ..invalid }
        })
    }
}

/// The form in which a verb answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Output {
    /// Aligned lines for people.
    #[default]
    Text,
    /// One document, or one object a line for a stream.
    Json,
}

/// The verbs.
#[derive(Debug, Clone, Subcommand)]
pub enum Verb {
    /// Say who connects: the organization, its platform, its broker role
    Init(init::InitArgs),
    /// The roles through which catalogs are read
    #[command(subcommand)]
    Connection(connection::ConnectionVerb),
    /// The Glue catalogs that are connected
    #[command(subcommand)]
    Catalog(catalog::CatalogVerb),
    /// The buckets and prefixes that are read without a catalog
    #[command(subcommand)]
    Storage(storage::StorageVerb),
    /// The CloudFormation template of a connection, a catalog or a storage integration
    #[command(subcommand)]
    Template(template::TemplateVerb),
    /// The link that opens the stack, filled in, in the AWS console
    Link(link::LinkArgs),
    /// Create or update a stack from here, after a yes
    Deploy(deploy::DeployArgs),
    /// What else can be done with a stack
    #[command(subcommand)]
    Stack(stack::StackVerb),
    /// Look whether the signed-in caller can deploy here; changes nothing
    Preflight(preflight::PreflightArgs),
    /// Prove a catalog: climb the ladder of checks
    Verify(verify::VerifyArgs),
    /// A document for a security team: who may do what and why, how it is proven, how it is undone
    Packet(packet::PacketArgs),
    /// The databases of a catalog, or the tables of a database
    Ls(ls::LsArgs),
    /// The columns of tables
    Schema(schema::SchemaArgs),
    /// Which engines read a table, and why the others do not
    Lens(lens::LensArgs),
    /// A catalog counted: its tables by kind, by what is odd about them, by engine
    Census(census::CensusArgs),
    /// How an engine wants a name to be quoted
    Quote(quote::QuoteArgs),
    /// Whether this machine is fit: the way to AWS, the terminal, the records; changes nothing
    Doctor,
    /// What has been changed in AWS from here: each call, when, and how it ended
    Ledger(ledger::LedgerArgs),
    /// Try everything on an embedded AWS; no account needed
    Demo(demo::DemoArgs),
    /// Completions for a shell
    Completions(completions::CompletionsArgs),
}

/// What owns a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Owner {
    /// A connection: its role.
    Connection,
    /// A catalog: its grant.
    Catalog,
    /// A storage integration: its grant.
    Storage,
}

/// Whose stack is meant.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// Whose stack
    #[arg(
        value_enum,
        value_name = "connection|catalog|storage",
        hide_possible_values = true
    )]
    pub owner: Owner,
    /// Its name
    #[arg(value_name = "NAME")]
    pub name: String,
}

impl TargetArgs {
    /// The target, once its name has been read as a name of its kind.
    ///
    /// # Errors
    /// When the name cannot be one.
    pub fn target(&self) -> Result<Target, crate::cli::Stop> {
        self.owner.target(&self.name)
    }
}

impl Owner {
    /// The target of that name.
    ///
    /// # Errors
    /// When the name cannot be one.
    pub fn target(self, name: &str) -> Result<Target, crate::cli::Stop> {
        Ok(match self {
            Self::Connection => Target::Connection(name.parse::<ConnectionName>()?),
            Self::Catalog => Target::Grant(Holder::Catalog(name.parse::<CatalogName>()?)),
            Self::Storage => Target::Grant(Holder::Storage(name.parse::<StorageName>()?)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Cli {
        Cli::try_parse_from(line.split_whitespace()).unwrap_or_else(|e| panic!("{line}: {e}"))
    }

    #[test]
    fn the_table_of_arguments_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn flags_for_every_verb_stand_before_or_after_it() {
        for line in [
            "glueup --profile p --output json --home /h connection list",
            "glueup connection --profile p list --output json --home /h",
            "glueup connection list --profile p --output json --home /h",
        ] {
            let cli = parse(line);
            assert_eq!(cli.globals.profile.as_deref(), Some("p"), "{line}");
            assert_eq!(cli.globals.output, Output::Json, "{line}");
            assert_eq!(cli.globals.home, Some(PathBuf::from("/h")), "{line}");
        }
    }

    #[test]
    fn a_verbs_own_flag_beats_the_general_one() {
        let base = "catalog add --name n --s3-path s3://bucket/p --access read-only --connection c";
        let region = |line: &str| match parse(line).verb {
            Some(Verb::Catalog(catalog::CatalogVerb::Add(add))) => add.details.region,
            other => panic!("{line}: {other:?}"),
        };
        let (east, west) = ("us-east-1".parse().unwrap(), "us-west-2".parse().unwrap());
        assert_eq!(
            region(&format!("glueup --region us-east-1 {base} --region us-west-2")),
            Some(west)
        );
        assert_eq!(region(&format!("glueup --region us-east-1 {base}")), Some(east));
        assert_eq!(region(&format!("glueup {base}")), None);
    }
}

/// The access point that a path stands on, as far as the path does not say it.
#[derive(Debug, Clone, Default, Args)]
pub struct PointArgs {
    /// The ARN of the access point whose alias the S3 path names: the policy needs it
    #[arg(long, value_name = "ARN")]
    pub access_point: Option<AccessPointArn>,
    /// The alias of the access point whose ARN the S3 path names: requests go there
    #[arg(long, value_name = "ALIAS")]
    pub access_point_alias: Option<AccessPointAlias>,
    /// The bucket behind the access point: tables that name it are known to lie there
    #[arg(long, value_name = "BUCKET")]
    pub access_point_bucket: Option<BucketName>,
}

impl PointArgs {
    /// The same for the setup room.
    pub fn given(self) -> PointGiven {
        PointGiven {
            arn: self.access_point,
            alias: self.access_point_alias,
            bucket: self.access_point_bucket,
        }
    }
}
