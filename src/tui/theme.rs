//! Colours and glyphs. Ground and text are the terminal's own; colour is never the only signal.

use ratatui::style::{Color, Modifier, Style};

/// The styles of one way of drawing. Views name a role, never a colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    /// Plain text: the terminal's own.
    pub text: Style,
    /// Where you are.
    pub accent: Style,
    /// The selected row.
    pub selected: Style,
    /// Headings.
    pub heading: Style,
    /// What is secondary.
    pub dim: Style,
    /// A verdict: passed.
    pub good: Style,
    /// A verdict: warning.
    pub warn: Style,
    /// A verdict: failed.
    pub bad: Style,
    /// Says that this is not production.
    pub demo: Style,
    /// Letters that a filter matched.
    pub matched: Style,
    /// The glyphs.
    pub glyphs: Glyphs,
}

/// The signs beside the words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glyphs {
    /// Verdict: passed.
    pub passed: &'static str,
    /// Verdict: warning.
    pub warning: &'static str,
    /// Verdict: failed.
    pub failed: &'static str,
    /// Verdict: skipped.
    pub skipped: &'static str,
    /// Not yet, and nobody is at it.
    pub waiting: &'static str,
    /// The frames of the spinner.
    pub spinner: &'static [&'static str],
    /// Before the selected row.
    pub pointer: &'static str,
    /// Between the parts of the head's path.
    pub crumb: &'static str,
    /// A horizontal rule.
    pub rule: &'static str,
    /// A vertical rule.
    pub bar: &'static str,
    /// Stepper: done, here, to come, stale.
    pub steps: [&'static str; 4],
    /// A chosen and an unchosen radio button.
    pub radio: [&'static str; 2],
    /// A ticked and an unticked box.
    pub check: [&'static str; 2],
    /// The text cursor.
    pub caret: &'static str,
    /// Tree: branch and last branch.
    pub branch: [&'static str; 2],
    /// Nothing but ASCII may be drawn.
    pub ascii: bool,
}

const UNICODE: Glyphs = Glyphs {
    passed: "✓",
    warning: "!",
    failed: "✗",
    skipped: "·",
    waiting: "◌",
    spinner: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
    pointer: "▸",
    crumb: " ▸ ",
    rule: "─",
    bar: "│",
    steps: ["●", "◉", "○", "◍"],
    radio: ["◉", "○"],
    check: ["[x]", "[ ]"],
    caret: "█",
    branch: ["├ ", "└ "],
    ascii: false,
};

const ASCII: Glyphs = Glyphs {
    passed: "+",
    warning: "!",
    failed: "x",
    skipped: "-",
    waiting: "~",
    spinner: &["|", "/", "-", "\\"],
    pointer: ">",
    crumb: " > ",
    rule: "-",
    bar: "|",
    steps: ["*", "@", "o", "%"],
    radio: ["(*)", "( )"],
    check: ["[x]", "[ ]"],
    caret: "_",
    branch: ["|-", "`-"],
    ascii: true,
};

impl Glyphs {
    /// What stands under a branch that goes on.
    pub fn bar_gap(&self) -> &'static str {
        if self.ascii { "| " } else { "│ " }
    }
}

impl Theme {
    /// The sixteen colours that every terminal's palette defines for its own ground, light or dark.
    pub fn colour() -> Self {
        let plain = Style::new();
        let accent = plain.fg(Color::Cyan);
        Self {
            text: plain,
            accent,
            selected: accent.add_modifier(Modifier::BOLD),
            heading: plain.add_modifier(Modifier::BOLD),
            dim: plain.add_modifier(Modifier::DIM),
            good: plain.fg(Color::Green),
            warn: plain.fg(Color::Yellow),
            bad: plain.fg(Color::Red).add_modifier(Modifier::BOLD),
            demo: plain.add_modifier(Modifier::REVERSED),
            matched: plain.add_modifier(Modifier::UNDERLINED),
            glyphs: UNICODE,
        }
    }

    /// No colour at all: modifiers only, since a terminal told `NO_COLOR` may still be asked for bold.
    pub fn mono() -> Self {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        Self {
            accent: bold,
            selected: plain.add_modifier(Modifier::REVERSED),
            good: plain,
            warn: bold,
            bad: bold,
            ..Self::colour()
        }
    }

    /// The same styles with glyphs that a terminal without Unicode can draw.
    pub fn ascii(self) -> Self {
        Self {
            glyphs: ASCII,
            ..self
        }
    }
}
