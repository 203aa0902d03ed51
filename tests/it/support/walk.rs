//! The wizard of `glueup demo` in a real terminal, driven by keys alone and with every press counted.

use super::demo::Demo;
use super::home::Home;
use super::term::{Term, key};
use rustix::process::Signal;

/// The catalog that the walk makes: a name with a blank, so that quoting and slugs are in play.
pub const CATALOG: &str = "Lake House";
/// The connection that the walk makes.
pub const CONNECTION: &str = "sales-prod";
/// The demo's lake.
pub const LAKE: &str = "s3://acme-lake/warehouse";
/// The caller, as the head of every screen shows it once AWS has answered.
pub const ACCOUNT: &str = "0123-4567-8901";

/// A terminal, and how many keys have been pressed in it; text that is typed or pasted does not count.
pub struct Walk {
    pub term: Term,
    pub presses: usize,
}

impl Walk {
    /// Starts `glueup demo` in a window in which every screen is whole, and waits until it knows who it is.
    pub fn start(home: &Home) -> Walk {
        Walk::start_with(home, 100, 30, &[], &[])
    }

    /// The same with further arguments, in a window of any size.
    pub fn start_with(home: &Home, cols: u16, rows: u16, args: &[&str], envs: &[(&str, &str)]) -> Walk {
        let args: Vec<&str> = std::iter::once("demo").chain(args.iter().copied()).collect();
        let walk = Walk::over(Term::start(home, cols, rows, &args, envs));
        walk.term.wait_for(ACCOUNT);
        walk
    }

    /// A walk through a program that runs already.
    pub fn over(term: Term) -> Walk {
        Walk { term, presses: 0 }
    }

    /// Presses one key.
    pub fn press(&mut self, key: &str) {
        self.presses += 1;
        self.term.keys(key);
    }

    /// Types a text.
    pub fn write(&mut self, text: &str) {
        self.term.keys(text);
    }

    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.term.wait_for(text);
    }

    /// From the home screen to a filled Details.
    #[track_caller]
    pub fn fill_details(&mut self) {
        self.press("n");
        self.wait_for("S3 path");
        self.write(CATALOG);
        self.press(key::TAB);
        self.press(key::TAB);
        self.write(LAKE);
        self.wait_for("WHAT WILL BE GRANTED");
    }

    /// On to a new connection.
    #[track_caller]
    pub fn go_to_connection(&mut self) {
        self.press(key::ENTER);
        self.wait_for("NEW CONNECTION");
        self.write(CONNECTION);
        self.wait_for(CONNECTION);
    }

    /// From the home screen to Deploy, waiting for the connection's stack.
    #[track_caller]
    pub fn go_to_deploy(&mut self) {
        self.fill_details();
        self.go_to_connection();
        self.press(key::ENTER);
        self.wait_for("◌ waiting");
        self.wait_for("you review and press Create stack there");
    }

    /// Asks for the stack that comes now and says yes; does not wait until it is made.
    #[track_caller]
    pub fn deploy(&mut self) {
        self.press("D");
        self.wait_for("I acknowledge");
        self.press(" ");
        self.wait_for("[x]");
        self.press("y");
        self.term.wait_gone("I acknowledge");
    }

    /// From Deploy with nothing made to a green Verify.
    #[track_caller]
    pub fn go_to_green(&mut self) {
        self.deploy();
        self.deploy_access();
        self.wait_green();
    }

    /// The access stack, once the connection's is made.
    #[track_caller]
    pub fn deploy_access(&mut self) {
        self.wait_made();
        self.deploy();
    }

    /// Waits until the connection's stack is made and the access stack is waited for.
    #[track_caller]
    pub fn wait_made(&self) {
        self.wait_for("✓ made");
        self.wait_for("◌ waiting");
        self.wait_for("you review and press Create stack there");
    }

    #[track_caller]
    pub fn wait_green(&self) {
        self.wait_for("Connected. Read-only, proven");
    }

    /// The wizard's own link, whole, as `z` shows it; the text over the screen is closed again.
    #[track_caller]
    pub fn link(&mut self) -> String {
        self.press("z");
        // The foot is drawn last: with it all of the link is there.
        self.wait_for("http://127.0.0.1");
        self.wait_for("esc close");
        let link = whole(&self.term.text());
        self.press(key::ESC);
        self.term.wait_gone("http://127.0.0.1");
        link
    }

    /// Kills the program as a crash would; nothing can be tidied up.
    pub fn kill(mut self) {
        self.term.signal(Signal::KILL);
        self.term.exit_code();
    }
}

/// A new home on `demo` with the catalog deployed, by verbs.
pub fn ready_home(demo: &Demo) -> Home {
    let home = demo.home();
    let account = demo.field("account_id");
    let connection = ["connection", "add", "--name", CONNECTION, "--account-id", account];
    let catalog = ["catalog", "add", "--name", CATALOG, "--region", "us-west-2"];
    let grant = [
        "--s3-path",
        LAKE,
        "--access",
        "read-only",
        "--connection",
        CONNECTION,
    ];
    home.glueup(&connection).ok();
    home.glueup(&[&catalog[..], &grant[..]].concat()).ok();
    home.glueup(&["deploy", "connection", CONNECTION, "--yes"]).ok();
    home.glueup(&["deploy", "catalog", CATALOG, "--yes"]).ok();
    home
}

/// Puts the rows of a wrapped link together again.
fn whole(screen: &str) -> String {
    screen
        .lines()
        .skip_while(|line| !line.starts_with("http://"))
        .take_while(|line| !line.trim().is_empty() && !line.contains('─'))
        .map(str::trim_end)
        .collect()
}

/// What was sent to the terminal's clipboard last (OSC 52), decoded.
pub fn copied(raw: &[u8]) -> Option<String> {
    use base64::Engine;
    let raw = String::from_utf8_lossy(raw);
    let (_, last) = raw.rsplit_once("\x1b]52;c;")?;
    let (encoded, _) = last.split_once('\x07')?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(encoded).ok()?;
    String::from_utf8(bytes).ok()
}
