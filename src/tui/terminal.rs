//! The terminal itself: taken over at the start, given back on every way out.

use crate::domain::problem::{Kind, Problem};
use crate::guard;
use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use std::io::{self, BufWriter, Stdout, Write};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that the frames of all but the largest windows fit in.
const WHOLE_FRAME: usize = 64 * 1024;

/// Set while the terminal is ours, so that it is given back exactly once.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal while the program has it; dropping it gives it back.
pub struct Screen {
    /// What is drawn on. Standard output by itself would send a frame in pieces of a kilobyte.
    /// Never dropped: it would show the cursor once more, and complain to a terminal that may be gone, which panics.
    pub terminal: ManuallyDrop<Terminal<CrosstermBackend<BufWriter<Stdout>>>>,
    /// Whether the terminal reports the mouse.
    mouse: bool,
}

impl Screen {
    /// Takes the terminal over: raw mode, the alternate screen, bracketed paste. The mouse stays the terminal's until somebody asks for it.
    ///
    /// # Errors
    /// When there is no terminal, or it refuses.
    pub fn take() -> io::Result<Self> {
        read_without_waiting();
        take_over()?;
        let frame = BufWriter::with_capacity(WHOLE_FRAME, io::stdout());
        let terminal = Terminal::new(CrosstermBackend::new(frame))?;
        let mut screen = Self {
            terminal: ManuallyDrop::new(terminal),
            mouse: false,
        };
        // Whoever was killed in the alternate screen has left something there.
        screen.forget()?;
        Ok(screen)
    }

    /// Takes the terminal over again after a stop, and forgets what was drawn. Also when it was not given back: whoever
    /// is stopped by a signal that cannot be caught finds the terminal as a shell has left it.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn retake(&mut self) -> io::Result<()> {
        // Else raw mode counts as set, and is not set again.
        disable_raw_mode()?;
        take_over()?;
        if self.mouse {
            report_presses()?;
        }
        self.forget()
    }

    /// Has the terminal report the mouse, or keep it.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        match on {
            true => report_presses(),
            false => execute!(io::stdout(), DisableMouseCapture),
        }
    }

    /// Forgets what was drawn: the next frame is drawn whole on a cleared window.
    ///
    /// # Errors
    /// When the terminal refuses.
    pub fn forget(&mut self) -> io::Result<()> {
        // Not `Terminal::clear`: that one asks the terminal where its cursor is, and the answer would go to whoever
        // reads the keys. A resize to the present size clears and forgets without a question.
        let size = self.terminal.size()?;
        self.terminal.resize(size.into())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

/// Opens the terminal once more as standard input, so that reading it never waits: half a sequence of keys (a paste whose
/// end does not come) must not stop the program. Only the new description is changed: the one before is the shell's
/// too, and that of standard output. Where the terminal cannot be opened by its name, all stays as it was.
#[cfg(unix)]
fn read_without_waiting() {
    use rustix::fs::{Mode, OFlags, open};
    let stdin = rustix::stdio::stdin();
    let Ok(name) = rustix::termios::ttyname(stdin, Vec::new()) else {
        return;
    };
    let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    if let Ok(own) = open(name.as_c_str(), flags, Mode::empty()) {
        // What fails here leaves the descriptor as it was.
        let _ = rustix::stdio::dup2_stdin(&own);
    }
}

#[cfg(not(unix))]
fn read_without_waiting() {}

/// Buttons and wheel, in the form that has room for any window (SGR). Where the mouse goes without a button down is of no use
/// here, and over SSH it would be a stream of its own.
#[cfg(unix)]
fn report_presses() -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(b"\x1b[?1000h\x1b[?1006h")?;
    out.flush()
}

#[cfg(not(unix))]
fn report_presses() -> io::Result<()> {
    execute!(io::stdout(), crossterm::event::EnableMouseCapture)
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)
}

/// Gives the terminal back; safe to call from a panic, from a signal's task, and twice.
pub fn give_back() {
    if !OURS.swap(false, Ordering::SeqCst) {
        return;
    }
    // Whatever fails here, the rest is still tried: there is nobody left to tell.
    let _ = execute!(
        io::stdout(),
        DisableMouseCapture,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        Show
    );
    let _ = disable_raw_mode();
    let _ = io::stdout().flush();
}

/// What to tell where the terminal cannot be used.
pub fn refused(error: io::Error) -> Problem {
    Problem::new(
        Kind::Usage,
        "The terminal cannot be used.",
        error.to_string(),
        "Run glueup in a terminal, or use a verb: glueup --help lists them.",
    )
}

/// From now on a panic gives the terminal back before its report is printed, and ends the program,
/// wherever it happens: a screen whose worker is gone would only look alive.
pub fn install_panic_hook() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if guard::is_guarded() {
            return;
        }
        let was_ours = OURS.load(Ordering::SeqCst);
        give_back();
        report(info);
        if was_ours {
            std::process::exit(101);
        }
    }));
}
