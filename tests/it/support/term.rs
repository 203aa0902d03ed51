//! The program in a real terminal: a pty gives the terminal, vt100 is the screen that a person sees.

use super::home::{GLUEUP, Home};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};

/// A program in a terminal of its own, killed when dropped.
pub struct Term {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    seen: Arc<Mutex<Seen>>,
}

struct Seen {
    parser: vt100::Parser,
    raw: Vec<u8>,
    ended: bool,
}

/// Bytes that keys send.
pub mod key {
    pub const ENTER: &str = "\r";
    pub const ESC: &str = "\x1b";
    pub const TAB: &str = "\t";
    pub const BACK_TAB: &str = "\x1b[Z";
    pub const BACKSPACE: &str = "\x7f";
    pub const UP: &str = "\x1b[A";
    pub const DOWN: &str = "\x1b[B";
    pub const RIGHT: &str = "\x1b[C";
    pub const LEFT: &str = "\x1b[D";
    pub const CTRL_C: &str = "\x03";
    pub const CTRL_Z: &str = "\x1a";
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols,
        pixel_width: 0,
        pixel_height: 0,
    }
}

/// A screen of vt100 has one cell at least; a terminal may say it has none.
fn cells(n: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(n).unwrap_or(std::num::NonZeroU16::MIN)
}

impl Term {
    /// Starts `glueup ARGS…` in `home`, in a window of `cols` × `rows`.
    pub fn start(home: &Home, cols: u16, rows: u16, args: &[&str], envs: &[(&str, &str)]) -> Term {
        Term::start_program(home, cols, rows, GLUEUP, args, envs)
    }

    /// The same for any program.
    pub fn start_program(
        home: &Home,
        cols: u16,
        rows: u16,
        program: &str,
        args: &[&str],
        envs: &[(&str, &str)],
    ) -> Term {
        let pair = native_pty_system().openpty(size(cols, rows)).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env_clear();
        for (name, value) in home.envs() {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        for (name, value) in envs {
            command.env(name, value);
        }
        command.cwd(home.path());
        let child = pair.slave.spawn_command(command).unwrap();
        // no handle of the slave may stay here, or the reader never sees the end
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let parser = vt100::Parser::new(cells(rows), cells(cols), 0);
        let seen = Arc::new(Mutex::new(Seen {
            parser,
            raw: Vec::new(),
            ended: false,
        }));
        let shared = seen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Linux reports the end as an input/output error
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                let mut seen = shared.lock().unwrap();
                seen.raw.extend_from_slice(&bytes[..n]);
                seen.parser.process(&bytes[..n]);
            }
            shared.lock().unwrap().ended = true;
        });
        let writer = pair.master.take_writer().unwrap();
        Term {
            master: pair.master,
            child,
            writer,
            seen,
        }
    }

    /// Looks at the screen: cells, colours, cursor, modes.
    pub fn screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.seen.lock().unwrap().parser.screen())
    }

    /// The text on the screen.
    pub fn text(&self) -> String {
        self.screen(vt100::Screen::contents)
    }

    /// All bytes that ever came.
    pub fn raw(&self) -> Vec<u8> {
        self.seen.lock().unwrap().raw.clone()
    }

    #[track_caller]
    pub fn wait(&self, what: &str, mut ready: impl FnMut(&Term) -> bool) {
        super::wait_for(what, || self.text(), || ready(self).then_some(()));
    }

    /// Waits until `text` is on the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait(&format!("{text:?}"), |t| t.text().contains(text));
    }

    /// Waits until `text` has left the screen.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) {
        self.wait(&format!("screen without {text:?}"), |t| !t.text().contains(text));
    }

    /// Types: text as it is, keys from [`key`].
    pub fn keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// One bracketed paste.
    pub fn paste(&mut self, text: &str) {
        self.keys(&format!("\x1b[200~{text}\x1b[201~"));
    }

    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.seen
            .lock()
            .unwrap()
            .parser
            .screen_mut()
            .set_size(cells(rows), cells(cols));
        self.master.resize(size(cols, rows)).unwrap();
    }

    pub fn signal(&self, signal: Signal) {
        let id = self
            .child
            .process_id()
            .and_then(|id| Pid::from_raw(id.try_into().unwrap()));
        kill_process(id.unwrap(), signal).unwrap();
    }

    /// Whether the terminal echoes and gathers lines, as a shell leaves it; a full-screen program turns both off.
    pub fn cooked(&self) -> bool {
        let flags = self.master.get_termios().unwrap().local_flags.bits();
        flags & (libc::ECHO | libc::ICANON) == libc::ECHO | libc::ICANON
    }

    /// Whether it does neither.
    pub fn is_raw(&self) -> bool {
        self.master.get_termios().unwrap().local_flags.bits() & (libc::ECHO | libc::ICANON) == 0
    }

    pub fn running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for the end, and for the last byte; says the exit code (128 + the number of a signal).
    #[track_caller]
    pub fn exit_code(&mut self) -> u32 {
        let (seen, child) = (&self.seen, &mut self.child);
        let shown = || seen.lock().unwrap().parser.screen().contents();
        let status = super::wait_for("end of the program", shown, || child.try_wait().unwrap());
        self.wait("end of its output", |t| t.seen.lock().unwrap().ended);
        status.exit_code()
    }
}

impl Drop for Term {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
