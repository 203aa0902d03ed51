//! What may stand on the command line: the flags that hold for every verb, and the verbs.

use crate::cli::{completions, demo, quote};
use crate::domain::region::Region;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

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
    #[arg(long, global = true, value_name = "PROFILE")]
    pub profile: Option<String>,
    /// The AWS region to talk to where a record does not say
    #[arg(long, global = true, value_name = "REGION")]
    pub region: Option<Region>,
    /// Talk to this endpoint instead of AWS
    #[arg(long, global = true, value_name = "URL")]
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
    /// How an engine wants a name to be quoted
    Quote(quote::QuoteArgs),
    /// Try everything on an embedded AWS; no account needed
    Demo(demo::DemoArgs),
    /// Completions for a shell
    Completions(completions::CompletionsArgs),
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
            "glueup --profile p --output json --home /h quote x --dialect spark",
            "glueup quote --profile p x --output json --dialect spark --home /h",
        ] {
            let cli = parse(line);
            assert_eq!(cli.globals.profile.as_deref(), Some("p"), "{line}");
            assert_eq!(cli.globals.output, Output::Json, "{line}");
            assert_eq!(cli.globals.home, Some(PathBuf::from("/h")), "{line}");
        }
    }
}
