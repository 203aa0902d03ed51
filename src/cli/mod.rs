//! The headless front: a file a verb.
//!
//! - [`args`]: what may stand on the command line.
//! - [`environment`]: what the surroundings say, read once.
//! - [`front`]: how a verb answers; [`work`] runs its job; [`ask`] puts a question on the terminal,
//!   [`output`] writes and aligns.
//! - [`ground`]: the records and the way to AWS; [`usage`]: a command line that cannot be understood.
//! - [`records`]: the records as they are shown; [`named`] tells who has a name; [`width`] asks the terminal how wide it draws.
//! - the rest: a verb each. A verb turns its arguments into a job's request, and the outcome into text or JSON.

pub mod args;
pub mod ask;
pub mod catalog;
pub mod census;
pub mod code;
pub mod completions;
pub mod connection;
pub mod demo;
pub mod deploy;
pub mod doctor;
pub mod environment;
pub mod front;
pub mod ground;
pub mod init;
pub mod ledger;
pub mod lens;
pub mod link;
pub mod ls;
pub mod named;
pub mod output;
pub mod packet;
pub mod preflight;
pub mod quote;
pub mod records;
pub mod schema;
pub mod slowed;
pub mod stack;
pub mod storage;
pub mod tables;
pub mod template;
pub mod usage;
pub mod verify;
pub mod width;
pub mod work;

pub use args::{Cli, Globals, Output, Verb};
pub use code::give_back as show_keys;
pub use environment::Environment;
pub use front::Front;
pub use ground::Ground;
pub use output::Stop;

use crate::domain::problem::{Kind, Problem};
use crate::session::Session;

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
    // These need no AWS.
    match &verb {
        Verb::Quote(args) => return quote::run(front, args),
        Verb::Completions(args) => return completions::run(front, args),
        Verb::Ledger(args) => return ledger::run(front, &ground.home()?, args),
        Verb::Demo(args) if args.env => return demo::environment(front, args),
        Verb::Demo(args) => return demo::serve(front, args, &ground.home()?.demo()).await,
        _ => {}
    }
    let session = ground.session()?;
    let result = match verb {
        Verb::Doctor => doctor::run(front, ground, &session).await,
        verb => with_session(front, &session, verb).await,
    };
    if ground.globals.verbose > 0 {
        let reading = session.settings.meter.reading();
        front.note(&format!(
            "{} calls to AWS, {} bytes read, {} retries",
            reading.calls, reading.bytes, reading.retries
        ));
    }
    result
}

async fn with_session(front: &mut Front, session: &Session, verb: Verb) -> Result<u8, Stop> {
    match verb {
        Verb::Init(args) => init::run(front, session, args).await,
        Verb::Connection(verb) => connection::run(front, session, verb).await,
        Verb::Catalog(verb) => catalog::run(front, session, verb).await,
        Verb::Storage(verb) => storage::run(front, session, verb).await,
        Verb::Template(verb) => template::run(front, session, verb).await,
        Verb::Link(args) => link::run(front, session, &args).await,
        Verb::Deploy(args) => deploy::run(front, session, args).await,
        Verb::Stack(verb) => stack::run(front, session, verb).await,
        Verb::Preflight(args) => preflight::run(front, session, args).await,
        Verb::Verify(args) => verify::run(front, session, args).await,
        Verb::Packet(args) => packet::run(front, session, args),
        Verb::Ls(args) => ls::run(front, session, args).await,
        Verb::Schema(args) => schema::run(front, session, args).await,
        Verb::Lens(args) => lens::run(front, session, args).await,
        Verb::Census(args) => census::run(front, session, args).await,
        Verb::Quote(_) | Verb::Completions(_) | Verb::Demo(_) | Verb::Ledger(_) | Verb::Doctor => {
            Err(work::wrong_outcome())
        }
    }
}

/// The problem of having no terminal that the interface can be drawn in: without a verb, or with a `demo` that is to
/// open it.
pub fn no_screen(environment: &Environment, demo: bool) -> Problem {
    let terminal = environment.stdin_is_terminal && environment.stdout_is_terminal;
    let lacks = if terminal && environment.dumb_terminal {
        "this terminal can draw no screen (TERM=dumb)"
    } else {
        "there is no terminal to open the interface in"
    };
    if demo {
        return Problem::new(
            Kind::Usage,
            format!("the demo was not opened: {lacks}"),
            "without --headless the demo opens the terminal interface",
            "give --headless to serve it to any AWS client; glueup --help shows all verbs",
        );
    }
    Problem::new(
        Kind::Usage,
        format!("no verb was given, and {lacks}"),
        "without a verb glueup opens its terminal interface",
        "give a verb, such as glueup catalog list; glueup --help shows all",
    )
}
