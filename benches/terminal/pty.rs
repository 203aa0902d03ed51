//! A program in a terminal, with the time at which each of its bytes came.

use crate::support::home::Home;
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const COLUMNS: u16 = 120;
const ROWS: u16 = 40;

/// How long a program may take for anything, a million tables included.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running program, killed when dropped.
pub struct Program {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    chunks: mpsc::Receiver<(Instant, Vec<u8>)>,
    parser: vt100::Parser,
    /// Just before it was started.
    pub started: Instant,
    /// Bytes that came so far.
    pub bytes: usize,
    _master: Box<dyn MasterPty + Send>,
}

impl Program {
    /// Starts `words` in `home`, in a window of 120 × 40.
    pub fn start(home: &Home, words: &[&str]) -> Program {
        let size = PtySize {
            rows: ROWS,
            cols: COLUMNS,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(words[0]);
        command.args(&words[1..]);
        command.env_clear();
        for (name, value) in home.envs() {
            command.env(name, value);
        }
        command.env("TERM", "xterm-256color");
        command.cwd(home.path());
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (send, chunks) = mpsc::channel();
        std::thread::spawn(move || {
            let mut bytes = vec![0; 1 << 16];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if send.send((Instant::now(), bytes[..n].to_vec())).is_err() {
                    break;
                }
            }
        });
        let cells = |n| NonZeroU16::new(n).unwrap();
        let started = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        Program {
            child,
            writer,
            chunks,
            parser: vt100::Parser::new(cells(ROWS), cells(COLUMNS), 0),
            started,
            bytes: 0,
            _master: pair.master,
        }
    }

    /// Reads on until the screen is as wanted; when the bytes came that made it so.
    ///
    /// The screen is looked at after each piece that was read, so the time is that of the last byte needed.
    pub fn until(&mut self, what: &str, ready: impl Fn(&vt100::Screen) -> bool) -> Instant {
        let end = Instant::now() + PATIENCE;
        if ready(self.parser.screen()) {
            return Instant::now();
        }
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => {
                    let at = self.take(chunk);
                    if ready(self.parser.screen()) {
                        return at;
                    }
                }
                Err(why) => panic!(
                    "no {what} ({why}); there is:\n{}",
                    self.parser.screen().contents()
                ),
            }
        }
    }

    /// The same for a text anywhere on the screen.
    pub fn until_text(&mut self, text: &str) -> Instant {
        self.until(text, |screen| shows(screen, text))
    }

    /// Takes in what comes for so long.
    pub fn rest(&mut self, time: Duration) {
        let end = Instant::now() + time;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.chunks.recv_timeout(left) {
                Ok(chunk) => {
                    self.take(chunk);
                }
                Err(_) => return,
            }
        }
    }

    fn take(&mut self, (at, bytes): (Instant, Vec<u8>)) -> Instant {
        self.bytes += bytes.len();
        self.parser.process(&bytes);
        at
    }

    /// Presses keys; just before they were sent.
    pub fn press(&mut self, keys: &str) -> Instant {
        let at = Instant::now();
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
        at
    }

    pub fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    pub fn id(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits for its end; when it came.
    pub fn ended(&mut self) -> Instant {
        self.child.wait().unwrap();
        Instant::now()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Whether a row of the screen holds `text`.
pub fn shows(screen: &vt100::Screen, text: &str) -> bool {
    screen.rows(0, COLUMNS).any(|row| row.contains(text))
}

/// A program of others, if it is installed.
pub fn installed(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}
