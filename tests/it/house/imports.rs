//! Who may import whom.

use super::Breach;
use super::lexer;

/// The rooms from the ground up, in the order of the map in `src/lib.rs`: a room imports only rooms before it.
const ORDER: &[&str] = &[
    "domain", "guard", "policy", "registry", "report", "cloud", "session", "setup", "stack", "lake",
    "browse", "verify", "packet", "doctor", "job",
];

/// The fronts stand on all of them, and never on each other.
const FRONTS: &[&str] = &["cli", "tui"];

/// The files of the program besides the library: they choose a front and start the embedded AWS, so they see all.
const PROGRAM: &[&str] = &["main", "interface"];

/// Rooms that may import less than the order allows: only these.
const NARROW: &[(&str, &[&str])] = &[
    ("policy", &["domain"]),
    ("registry", &["domain"]),
    ("report", &["domain"]),
    (
        "packet",
        &["domain", "registry", "session", "setup", "stack", "verify"],
    ),
    ("demo", &["domain", "policy"]),
];

/// Single modules that one room, or one part of it, may import although the table above says no.
const DOORS: &[(&str, &str)] = &[
    // the verb that starts the embedded AWS
    ("cli::demo", "demo"),
    // the embedded CloudFormation applies the very templates, with the very parser, that the program ships
    ("demo", "stack::cfn"),
    ("demo", "stack::template"),
    // what AWS takes as a template's address, so that no link passes here that would fail there
    ("demo", "stack::link::is_s3_url"),
];

/// Outside crates with the only rooms that may name them. A name that ends in `_` stands for all that begin with it.
const CRATES: &[(&str, &[&str])] = &[
    ("aws_", &["cloud", "lake"]),
    ("rustls", &["cloud"]),
    ("ratatui", &["tui"]),
    ("crossterm", &["tui"]),
    ("tui_input", &["tui"]),
    ("s3s", &["demo"]),
    ("parquet", &["lake"]),
    ("apache_avro", &["lake"]),
    ("clap", &["cli", "main", "interface"]),
];

/// What the embedded AWS may use of the SDK: its signing code, to check a signature, and nothing that calls AWS.
const DEMO_AWS: &[&str] = &["aws_sigv4", "aws_credential_types", "aws_smithy_runtime_api"];

/// Parts that compute and nothing else, and the crates that would let them wait, read, write or ask the machine.
const PURE: &[&str] = &["domain", "tui::update", "tui::view"];
const WORLDLY: &[&str] = &[
    "tokio",
    "tokio_util",
    "futures_util",
    "async_trait",
    "hyper",
    "hyper_util",
    "http",
    "tempfile",
    "open",
    "rustix",
    "libc",
    "getrandom",
    "tracing_subscriber",
];

/// The breaches of one file of `src/`.
pub fn check(file: &str, text: &str) -> Vec<Breach> {
    let module = module_of(file);
    let room = module.first().cloned().unwrap_or_default();
    if room == "lib" {
        return Vec::new(); // the map names every room
    }
    let in_tests = module.iter().any(|m| m == "tests" || m.ends_with("_tests"));
    let base = if PROGRAM.contains(&room.as_str()) {
        &[][..]
    } else {
        &module[..]
    };
    let mut breaches = Vec::new();
    let mut say = |line: usize, why: String| {
        breaches.push(Breach {
            file: file.to_string(),
            line,
            why,
        })
    };
    let known = [ORDER, FRONTS, PROGRAM, &["demo"]].concat();
    if !known.contains(&room.as_str()) {
        say(1, format!("the room `{room}` has no place in the order of rooms"));
        return breaches;
    }
    for named in lexer::paths(base, text) {
        let test = in_tests || named.test;
        let verdict = match named.path.split_first() {
            Some((root, rest))
                if root == "crate" || (PROGRAM.contains(&room.as_str()) && root == "glueup") =>
            {
                ours(&module, rest, test)
            }
            Some((name, _)) => outside(&module, name),
            None => None,
        };
        if let Some(why) = verdict {
            say(named.line, why);
        }
    }
    breaches
}

/// `src/a/b.rs` and `src/a/b/mod.rs` are `a::b`; the two roots are `lib` and `main`.
fn module_of(file: &str) -> Vec<String> {
    let path = file.trim_start_matches("src/").trim_end_matches(".rs");
    let mut parts: Vec<String> = path.split('/').map(str::to_string).collect();
    if parts.len() > 1 && parts.last().is_some_and(|p| p == "mod") {
        parts.pop();
    }
    parts
}

fn is_within(module: &[String], place: &str) -> bool {
    let place: Vec<&str> = place.split("::").collect();
    module.len() >= place.len() && module.iter().zip(&place).all(|(a, b)| a == b)
}

fn ours(module: &[String], path: &[String], test: bool) -> Option<String> {
    let room = module.first()?.as_str();
    let Some(target) = path.first().map(String::as_str) else {
        return (!PROGRAM.contains(&room))
            .then(|| "the crate's root is imported as a whole: name the room".into());
    };
    if target == "*" {
        return Some("everything is imported from the crate's root: name the room".into());
    }
    if PROGRAM.contains(&room) || target == room {
        return None;
    }
    let before = ORDER
        .iter()
        .take_while(|name| **name != room)
        .any(|name| *name == target);
    let narrow = NARROW.iter().find(|(name, _)| *name == room);
    let allowed = narrow.map_or(before, |(_, may)| may.contains(&target));
    let door = DOORS
        .iter()
        .any(|(from, to)| is_within(module, from) && is_within(path, to));
    // a test may start the embedded AWS, to speak to it over HTTP; the pure words need no server
    let server = test && target == "demo" && room != "domain" && room != "policy";
    (!allowed && !door && !server).then(|| format!("`{room}` may not import `{}`", path.join("::")))
}

fn outside(module: &[String], name: &str) -> Option<String> {
    let room = module.first()?.as_str();
    let rule = CRATES.iter().find(|(c, _)| {
        if c.ends_with('_') {
            name.starts_with(c)
        } else {
            name == *c
        }
    });
    if let Some((_, rooms)) = rule
        && !rooms.contains(&room)
        && !(room == "demo" && DEMO_AWS.contains(&name))
    {
        return Some(format!(
            "`{room}` may not name the crate `{name}`: only {} may",
            rooms.join(", ")
        ));
    }
    let pure = PURE.iter().find(|p| is_within(module, p))?;
    WORLDLY
        .contains(&name)
        .then(|| format!("`{pure}` only computes: it may not name the crate `{name}`"))
}

#[cfg(test)]
mod tests;
