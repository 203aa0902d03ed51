//! The headless front: a file a verb.
//!
//! - [`args`]: what may stand on the command line.
//! - [`environment`]: what the surroundings say, read once.
//! - [`front`]: how a verb answers; [`output`] writes and aligns.
//! - [`ground`]: the records and the way to AWS; [`usage`]: a command line that cannot be understood.
//! - the rest: a verb each. A verb turns its arguments into a job's request, and the outcome into text or JSON.

pub mod args;
pub mod completions;
pub mod demo;
pub mod environment;
pub mod front;
pub mod ground;
pub mod output;
pub mod quote;
pub mod usage;

pub use args::{Cli, Globals, Output, Verb};
pub use environment::Environment;
pub use front::Front;
pub use ground::Ground;
pub use output::Stop;

use crate::domain::problem::{Kind, Problem};

/// Runs a verb to its exit code. Its problem, if any, has then been written to stderr.
pub async fn run(front: &mut Front, ground: &Ground, verb: Verb) -> u8 {
    let result = match dispatch(front, ground, verb).await {
        Ok(code) => front.flush().map(|()| code),
        Err(stop) => {
            // What was written before the problem is part of the answer.
            let _ = front.flush();
            Err(stop)
        }
    };
    match result {
        Ok(code) => code,
        Err(Stop::ClosedPipe) => 0,
        Err(Stop::Problem(problem)) => {
            front.problem(&problem);
            problem.exit_code()
        }
    }
}

async fn dispatch(front: &mut Front, ground: &Ground, verb: Verb) -> Result<u8, Stop> {
    match &verb {
        Verb::Quote(args) => quote::run(front, args),
        Verb::Completions(args) => completions::run(front, args),
        Verb::Demo(args) => demo::serve(front, args, &ground.demo_home()?).await,
    }
}

/// The problem of having neither a verb nor a terminal.
pub fn no_verb() -> Problem {
    Problem::new(
        Kind::Usage,
        "no verb was given, and there is no terminal to open the interface in",
        "without a verb glueup opens its terminal interface",
        "give a verb, such as glueup catalog list; glueup --help shows all",
    )
}
