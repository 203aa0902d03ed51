//! Opens the terminal interface: on the real AWS, or on the embedded one with records of its own.
//!
//! It lives in the binary, since neither front knows the other, and nothing but a front starts the embedded AWS.

use glueup::cli::{Environment, Ground, Verb, demo};
use glueup::demo::Handle;
use glueup::domain::problem::Problem;
use glueup::registry::Home;
use glueup::tui::model::Surroundings;
use glueup::tui::runtime::{Exit, Options, run};
use glueup::tui::theme::Theme;

/// Opens it and answers with the process's exit code.
///
/// # Errors
/// When the records' place, the embedded AWS or the terminal cannot be used.
pub async fn open(ground: &Ground, verb: Option<Verb>) -> Result<u8, Problem> {
    let exit = match verb {
        Some(Verb::Demo(args)) => {
            let home = ground.home()?.demo();
            let server = demo::start(&args, &home)?;
            let session = demo::session(&server, home)?;
            let mut options = options(ground, &session.home, true);
            (
                options.surroundings.command_prefix,
                options.surroundings.command_before,
            ) = way_to(&server, &session.home);
            options.surroundings.forwarding = ground.environment.forwarding(&server.endpoint_url);
            let exit = run(session, options).await;
            // Stopping waits for the server's threads.
            let _ = tokio::task::spawn_blocking(move || server.shutdown()).await;
            exit?
        }
        _ => {
            let session = ground.session()?;
            let options = options(ground, &session.home, false);
            run(session, options).await?
        }
    };
    Ok(match exit {
        Exit::Left => 0,
        Exit::Signal(number) => u8::try_from(128 + number).unwrap_or(1),
    })
}

fn options(ground: &Ground, home: &Home, demo: bool) -> Options {
    let environment = &ground.environment;
    let theme = if ground.globals.no_color || environment.no_color {
        Theme::mono()
    } else {
        Theme::colour()
    };
    let theme = if environment.unicode { theme } else { theme.ascii() };
    let globals = &ground.globals;
    let mut command_prefix = Vec::new();
    let flags = [
        ("--profile", globals.profile.clone()),
        ("--region", globals.region.as_ref().map(ToString::to_string)),
        ("--endpoint-url", globals.endpoint_url.clone()),
        (
            "--home",
            globals.home.as_ref().map(|path| path.display().to_string()),
        ),
    ];
    for (flag, value) in flags {
        command_prefix.extend(value.map(|value| [flag.to_owned(), value]).into_iter().flatten());
    }
    Options {
        surroundings: Surroundings {
            demo,
            no_browser: no_browser(environment),
            signed_in_with: globals.profile.clone(),
            command_prefix,
            command_before: None,
            forwarding: None,
            log_file: home.log_path().display().to_string(),
            terminal: environment.terminal(globals.no_color),
        },
        theme,
        own_keys: std::fs::read_to_string(home.root().join("keymap.yaml")).ok(),
        in_tmux: environment.in_tmux,
        // Debug builds only: what a panic leaves of the terminal can be seen on the real program, and nowhere else.
        panics_after_first_frame: cfg!(debug_assertions)
            && std::env::var_os("GLUEUP_PANIC").is_some_and(|when| when == "after-first-frame"),
    }
}

/// How a command line reaches the demo: its own records, and what leads a shell to its AWS and its keys. Without them the
/// verb would work on the real ones. The keys themselves stand on no screen.
fn way_to(server: &Handle, home: &Home) -> (Vec<String>, Option<String>) {
    let prefix = vec!["--home".to_owned(), home.root().display().to_string()];
    let port = server.endpoint_url.rsplit(':').next().unwrap_or_default();
    (prefix, Some(demo::leads_to(port)))
}

/// Why a browser cannot be opened here, if that is so.
fn no_browser(environment: &Environment) -> Option<String> {
    if environment.over_ssh {
        Some("This terminal is over SSH".to_owned())
    } else if !environment.has_display {
        Some("There is no display here".to_owned())
    } else {
        None
    }
}
