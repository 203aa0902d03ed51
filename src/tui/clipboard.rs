//! Copying by OSC 52: the terminal at the user's end puts the text on its clipboard, over SSH and in tmux too.
//!
//! Whether it does cannot be known, so the sentence says "sent", never "copied".

use crate::domain::amount::{count, counted};
use crate::domain::text::{cut, scrub};
use base64::Engine;

/// Columns that are shown of what was sent.
const SHOWN: usize = 100;

/// The longest text that common terminals take, in bytes before encoding.
const MOST: usize = 74_994;

/// What leads tmux to take what programs in it copy, and to pass it on.
pub const OF_TMUX: &str = "tmux set -g set-clipboard on";

/// The bytes that ask the terminal to copy `text`. In tmux it is asked by two ways, of which a setting may close either:
/// wrapped, which goes through to the terminal (`allow-passthrough`), and plain, which tmux takes and passes on
/// (`set-clipboard`).
///
/// # Errors
/// A sentence, when the text is longer than terminals take.
pub fn osc52(text: &str, in_tmux: bool) -> Result<String, String> {
    if let Some(why) = too_long(text) {
        return Err(format!(
            "{why} Where ! shows a command line, that writes it to a file with > FILE behind it."
        ));
    }
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    let plain = format!("\x1b]52;c;{encoded}\x07");
    Ok(if in_tmux {
        format!("\x1bPtmux;{}\x1b\\{plain}", plain.replace('\x1b', "\x1b\x1b"))
    } else {
        plain
    })
}

/// Why a text cannot be copied, if it is longer than terminals take.
pub fn too_long(text: &str) -> Option<String> {
    let number = |n: usize| count(u64::try_from(n).unwrap_or(u64::MAX));
    (text.len() > MOST).then(|| {
        format!(
            "Not copied: it has {} bytes, and terminals take {}.",
            number(text.len()),
            number(MOST)
        )
    })
}

/// Says what was sent, and in tmux what to do where it does not arrive.
pub fn sent(text: &str, in_tmux: bool) -> String {
    let mut lines = text.lines();
    let first = cut(&scrub(lines.next().unwrap_or_default()), SHOWN);
    let rest = match lines.count() {
        0 => String::new(),
        more => format!(
            ", and {}",
            counted(u64::try_from(more).unwrap_or(0), "more line", "more lines")
        ),
    };
    let doubt = match in_tmux {
        true => format!(". If it does not arrive through tmux: {OF_TMUX}"),
        false => String::new(),
    };
    format!("Sent to the terminal's clipboard (OSC 52): {first}{rest}{doubt}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_what_was_sent() {
        let said = "Sent to the terminal's clipboard (OSC 52): ";
        assert_eq!(
            sent("arn:aws:iam::1:role/x", false),
            format!("{said}arn:aws:iam::1:role/x")
        );
        assert_eq!(
            sent("one\ntwo\nthree", false),
            format!("{said}one, and 2 more lines")
        );
        assert_eq!(
            sent("one", true),
            format!("{said}one. If it does not arrive through tmux: tmux set -g set-clipboard on")
        );
        let long = sent(&format!("https://{}", "x".repeat(400)), false);
        assert!(
            long.starts_with(&format!("{said}https://xxx")) && long.ends_with('…'),
            "{long}"
        );
    }

    #[test]
    fn the_text_is_encoded_and_in_tmux_sent_by_both_ways() {
        assert_eq!(osc52("hi", false).unwrap(), "\x1b]52;c;aGk=\x07");
        assert_eq!(
            osc52("hi", true).unwrap(),
            "\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\\x1b]52;c;aGk=\x07"
        );
    }

    #[test]
    fn what_is_too_long_says_how_long_and_what_to_do() {
        let why = osc52(&"x".repeat(149_913), false).unwrap_err();
        assert_eq!(
            why,
            "Not copied: it has 149,913 bytes, and terminals take 74,994. Where ! shows a command line, that writes it \
             to a file with > FILE behind it."
        );
        assert_eq!(too_long(&"x".repeat(MOST)), None);
    }
}
