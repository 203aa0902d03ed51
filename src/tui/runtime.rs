//! The only place of the terminal front that waits: keys, signals, time and jobs in; frames and effects out.

use crate::domain::problem::{Kind, Problem};
use crate::job::{self, Event};
use crate::report::Answer;
use crate::session::Session;
use crate::tui::asking::Asking;
use crate::tui::clipboard;
use crate::tui::effect::{Effect, Slot, Ticket};
use crate::tui::events::message;
use crate::tui::frames::Frames;
use crate::tui::journal::Journal;
use crate::tui::keymap::Keymap;
use crate::tui::login;
use crate::tui::model::{Model, Surroundings};
use crate::tui::msg::{LoggedIn, Msg};
use crate::tui::opener;
use crate::tui::signals::{self, Asked, Signals};
use crate::tui::terminal::{self, Screen, give_back, install_panic_hook};
use crate::tui::theme::Theme;
use crate::tui::time::{now, pause};
use crate::tui::update::update;
use crate::tui::view::view;
use crossterm::event::{Event as TerminalEvent, EventStream};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// What the front is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The surroundings, read once by whoever reads the environment.
    pub surroundings: Surroundings,
    /// Colours and glyphs.
    pub theme: Theme,
    /// The admin's own keys: the text of `keymap.yaml`.
    pub own_keys: Option<String>,
    /// The terminal is inside tmux.
    pub in_tmux: bool,
    /// Panic once the first frame stands, so that a test can see the terminal given back.
    pub panics_after_first_frame: bool,
}

/// How the front ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The user left.
    Left,
    /// A signal of this number asked the program to end.
    Signal(i32),
}

/// So long is what waits taken in before the next look at the keys.
const TAKE_IN: Duration = Duration::from_millis(3);
/// How long leaving waits for what was typed to be on disk.
const LAST_WRITE: Duration = Duration::from_secs(2);
/// Why a stop is refused.
const NO_SHELL: &str = "Not suspended: no shell waits behind glueup that could bring it back.";
/// Messages that may wait.
const CHANNEL: usize = 256;

struct Slotted {
    cancel: CancellationToken,
    hurry: CancellationToken,
    answers: mpsc::Sender<Answer>,
    writes: bool,
    ends: tokio::task::JoinHandle<()>,
}

struct Runtime {
    session: Session,
    model: Model,
    options: Options,
    screen: Screen,
    started: Instant,
    to_self: mpsc::Sender<Msg>,
    asking: Asking,
    journal: Journal,
    slots: HashMap<Slot, Slotted>,
    /// The profile that `aws sso login` is to sign in, as soon as nobody reads keys.
    login: Option<String>,
    /// The terminal is given back for a stop: nothing is drawn.
    away: bool,
    exit: Option<Exit>,
}

/// Runs the terminal front until the user leaves.
///
/// # Errors
/// No terminal, or a key table that cannot be used.
pub async fn run(session: Session, options: Options) -> Result<Exit, Problem> {
    let keymap = Keymap::load(options.own_keys.as_deref()).map_err(|invalid| {
        Problem::new(
            Kind::Usage,
            "The key table cannot be used.",
            invalid.to_string(),
            "Mend keymap.yaml, or remove it.",
        )
    })?;
    install_panic_hook();
    let screen = Screen::take().map_err(terminal::refused)?;
    let (to_self, mut messages) = mpsc::channel(CHANNEL);
    let started = Instant::now();
    let size = crossterm::terminal::size().unwrap_or((0, 0));
    let model = Model::new(size, now(started), options.surroundings.clone(), keymap);
    let asking = Asking::new(to_self.clone());
    let journal = Journal::open(session.home.clone(), to_self.clone());
    let mut runtime = Runtime {
        journal,
        session: session.asking(asking.codes()),
        model,
        options,
        screen,
        started,
        to_self,
        asking,
        slots: HashMap::new(),
        login: None,
        away: false,
        exit: None,
    };
    let result = runtime.serve(&mut messages).await;
    give_back();
    runtime.keep_draft(messages).await;
    match result {
        // Whatever it was that the terminal refused: it is not there any more.
        Err(_) if signals::is_gone() => Ok(Exit::Signal(1)),
        result => result.map_err(terminal::refused),
    }
}

#[expect(clippy::panic, reason = "it is what was asked for")]
fn panic_as_asked() {
    panic!("GLUEUP_PANIC asked for this panic");
}

impl Runtime {
    /// Waits until what was typed is on disk: the last thing that a leaving user has asked for.
    async fn keep_draft(mut self, mut messages: mpsc::Receiver<Msg>) {
        self.journal.close(LAST_WRITE);
        let Some(draft) = self.slots.remove(&Slot::Draft) else {
            return;
        };
        // Whoever still speaks must not wait for a reader.
        tokio::spawn(async move { while messages.recv().await.is_some() {} });
        // A disk that hangs must not keep the user from leaving.
        let _ = tokio::time::timeout(LAST_WRITE, draft.ends).await;
    }

    async fn serve(&mut self, messages: &mut mpsc::Receiver<Msg>) -> io::Result<Exit> {
        let mut keys = EventStream::new();
        let mut signals = Signals::new(LAST_WRITE * 2)?;
        // The first frame comes before any call.
        self.draw()?;
        if self.options.panics_after_first_frame {
            panic_as_asked();
        }
        let mut frames = Frames::drawn();
        self.take(Msg::Started)?;
        frames.want_now();
        loop {
            if let Some(exit) = self.exit {
                return Ok(exit);
            }
            if let Some(profile) = self.login.take() {
                // Two cannot read one terminal's keys.
                drop(keys);
                self.log_in(profile, &mut signals).await?;
                keys = EventStream::new();
                continue;
            }
            if !self.away && frames.due().is_some_and(|left| left.is_zero()) {
                self.draw()?;
                frames = Frames::drawn();
            }
            let tick = self.model.next_tick().unwrap_or(Duration::from_secs(3600));
            let frame = frames.due().filter(|_| !self.away);
            let wait = frame.map_or(tick, |frame| frame.min(tick));
            tokio::select! {
                biased;
                event = keys.next() => match event {
                    Some(Ok(event)) => {
                        if self.terminal(event)? {
                            frames.want_now();
                        }
                    }
                    // The terminal is gone: nobody is left to serve.
                    Some(Err(_)) | None => return Ok(Exit::Signal(1)),
                },
                asked = signals.next() => {
                    let asked = match asked {
                        Asked::Suspend if signals::has_shell() => {
                            give_back();
                            signals.stop().await?
                        }
                        asked => asked,
                    };
                    self.answer(asked)?;
                    frames.want_now();
                }
                Some(msg) = messages.recv() => {
                    self.take(msg)?;
                    // What waits is taken in before the next frame; what comes meanwhile must not keep the keys waiting.
                    let begun = Instant::now();
                    while begun.elapsed() < TAKE_IN {
                        let Ok(msg) = messages.try_recv() else { break };
                        self.take(msg)?;
                    }
                    self.meter()?;
                    frames.want();
                }
                () = pause(wait) => {
                    if tick <= wait {
                        self.take(Msg::Tick)?;
                        self.meter()?;
                    }
                    frames.want();
                }
            }
        }
    }

    /// Something came from the terminal; true when the screen may have changed.
    fn terminal(&mut self, event: TerminalEvent) -> io::Result<bool> {
        if matches!(event, TerminalEvent::Resize(..)) {
            // Also when it has the size that it had: in between it may have been smaller, and lost what stood there.
            self.screen.forget()?;
        }
        match message(event) {
            Some(msg) => self.take(msg).map(|()| true),
            None => Ok(false),
        }
    }

    fn take(&mut self, msg: Msg) -> io::Result<()> {
        let effects = update(&mut self.model, now(self.started), msg);
        self.journal.keep(&self.model);
        for effect in effects {
            self.carry_out(effect)?;
        }
        Ok(())
    }

    fn meter(&mut self) -> io::Result<()> {
        let login = self.session.settings.logins.wanted();
        if login != self.model.login {
            self.take(Msg::LoginWanted(login))?;
        }
        let reading = self.session.settings.meter.reading();
        if reading != self.model.meter {
            self.take(Msg::Meter(reading))
        } else {
            Ok(())
        }
    }

    /// Leaves the screen to `aws sso login` and comes back.
    async fn log_in(&mut self, profile: String, signals: &mut Signals) -> io::Result<()> {
        let Some(program) = self.options.surroundings.terminal.program(login::AWS_CLI) else {
            return self.take(Msg::LoggedIn(profile, LoggedIn::NoProgram));
        };
        give_back();
        let left = login::run(&program, &profile, signals).await?;
        if let Some(asked) = left.asked {
            return self.answer(asked);
        }
        self.answer(Asked::Resume)?;
        self.take(Msg::LoggedIn(profile, left.ended))
    }

    fn draw(&mut self) -> io::Result<()> {
        let (model, theme) = (&self.model, &self.options.theme);
        self.screen.terminal.draw(|frame| {
            let area = frame.area();
            view(model, theme, area, frame.buffer_mut());
        })?;
        Ok(())
    }

    fn carry_out(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Run(ticket, job) => self.run(ticket, *job),
            Effect::Cancel(slot) => {
                if let Some(slotted) = self.slots.get(&slot)
                    && !slotted.writes
                {
                    slotted.cancel.cancel();
                }
            }
            Effect::Hurry(slot) => {
                if let Some(slotted) = self.slots.get(&slot) {
                    slotted.hurry.cancel();
                }
            }
            Effect::Answer(slot, answer) => {
                if let Some(slotted) = self.slots.get(&slot) {
                    // A job that has ended meanwhile needs no answer.
                    let _ = slotted.answers.try_send(answer);
                }
            }
            Effect::Code(number, code) => self.asking.answer(number, code),
            Effect::Login(profile) => self.login = Some(profile),
            Effect::OpenBrowser(url) => self.open(url),
            Effect::Copy(text) => self.copy(&text, None)?,
            Effect::CopyInstead(text, why) => self.copy(&text, Some(&why))?,
            Effect::Suspend if signals::has_shell() => {
                // Given back first: a wrapper stops at once, and the shell takes the terminal as it finds it. The signal
                // comes back to us, as it does when somebody else has sent it.
                give_back();
                self.away = true;
                signals::stop_job()?;
            }
            Effect::Suspend => self.take(Msg::Said(NO_SHELL.to_owned()))?,
            Effect::Mouse(on) => self.screen.mouse(on)?,
            Effect::Redraw => self.screen.forget()?,
            Effect::Quit => self.exit = Some(self.exit.unwrap_or(Exit::Left)),
        }
        Ok(())
    }

    fn run(&mut self, ticket: Ticket, job: job::Job) {
        if let Some(old) = self.slots.get(&ticket.slot)
            && !old.writes
        {
            old.cancel.cancel();
        }
        let writes = job.writes();
        let mut running = job::start(&self.session, job);
        let (cancel, hurry, answers) = (running.canceller(), running.hurrier(), running.answerer());
        let to_self = self.to_self.clone();
        let ends = tokio::spawn(async move {
            while let Some(event) = running.next().await {
                let last = matches!(event, Event::Done(_));
                if to_self.send(Msg::Job(ticket, event)).await.is_err() || last {
                    break;
                }
            }
        });
        self.slots.insert(
            ticket.slot,
            Slotted {
                cancel,
                hurry,
                answers,
                writes,
                ends,
            },
        );
    }

    /// Asks the system to open a link, on a thread of its own: an opener that hangs must not hang the screen.
    fn open(&self, url: String) {
        let to_self = self.to_self.clone();
        std::thread::spawn(move || {
            let asked = opener::open(&url);
            let _ = to_self.blocking_send(Msg::BrowserAsked(asked));
        });
    }

    fn copy(&mut self, text: &str, why: Option<&str>) -> io::Result<()> {
        let sentence = match clipboard::osc52(text, self.options.in_tmux) {
            Ok(sequence) => {
                let mut out = io::stdout();
                out.write_all(sequence.as_bytes())?;
                out.flush()?;
                clipboard::sent(text, self.options.in_tmux)
            }
            Err(why) => why,
        };
        self.take(Msg::Said(format!("{}{sentence}", why.unwrap_or_default())))
    }

    /// Does what a signal asks for.
    fn answer(&mut self, asked: Asked) -> io::Result<()> {
        match asked {
            Asked::End(signal) => {
                self.exit = Some(Exit::Signal(signal));
                self.take(Msg::Terminate)
            }
            Asked::Suspend => self.take(Msg::Said(NO_SHELL.to_owned())),
            Asked::Resume => {
                self.screen.retake()?;
                self.away = false;
                let (columns, rows) = crossterm::terminal::size().unwrap_or(self.model.size);
                self.take(Msg::Resize(columns, rows))
            }
        }
    }
}
