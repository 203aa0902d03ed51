//! `glueup completions`: what a shell needs to complete glueup's verbs and flags.

use crate::cli::args::Cli;
use crate::cli::front::Front;
use crate::cli::output::Stop;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// What `completions` takes.
#[derive(Debug, Clone, Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub shell: Shell,
}

/// Writes the shell's script to stdout.
///
/// # Errors
/// When stdout cannot be written.
pub fn run(front: &mut Front, args: &CompletionsArgs) -> Result<u8, Stop> {
    // Generated in memory first: the generator panics when its writer fails, as a closed pipe does.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "glueup", &mut script);
    front.bytes(&script)?;
    Ok(0)
}
