//! Copying by OSC 52: the terminal at the user's end puts the text on its clipboard, over SSH and in tmux too.
//!
//! Whether it does cannot be known, so the sentence says "sent", never "copied".

use crate::domain::amount::counted;
use crate::domain::text::{cut, scrub};
use crate::tui::journal::without_secrets;
use base64::Engine;

/// Columns that are shown of what was sent.
const SHOWN: usize = 100;

/// The longest text that common terminals take, in bytes before encoding.
const MOST: usize = 74_994;

/// The bytes that ask the terminal to copy `text`; wrapped for tmux, which passes them on.
///
/// # Errors
/// A sentence, when the text is longer than terminals take.
pub fn osc52(text: &str, in_tmux: bool) -> Result<String, String> {
    if text.len() > MOST {
        return Err(format!(
            "Not copied: {} bytes are more than terminals take.",
            text.len()
        ));
    }
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    let plain = format!("\x1b]52;c;{encoded}\x07");
    Ok(if in_tmux {
        format!("\x1bPtmux;{}\x1b\\", plain.replace('\x1b', "\x1b\x1b"))
    } else {
        plain
    })
}

/// Says what was sent, without the secrets of this environment.
pub fn sent(text: &str, environment: &[(String, String)]) -> String {
    // Before it is cut: half a secret is none that could be found later.
    let text = without_secrets(environment, text);
    let mut lines = text.lines();
    let first = cut(&scrub(lines.next().unwrap_or_default()), SHOWN);
    let rest = match lines.count() {
        0 => String::new(),
        more => format!(
            ", and {}",
            counted(u64::try_from(more).unwrap_or(0), "more line", "more lines")
        ),
    };
    format!("Sent to the terminal's clipboard (OSC 52): {first}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_said_what_was_sent() {
        let said = "Sent to the terminal's clipboard (OSC 52): ";
        assert_eq!(
            sent("arn:aws:iam::1:role/x", &[]),
            format!("{said}arn:aws:iam::1:role/x")
        );
        assert_eq!(
            sent("one\ntwo\nthree", &[]),
            format!("{said}one, and 2 more lines")
        );
        let long = sent(&format!("https://{}", "x".repeat(400)), &[]);
        assert!(
            long.starts_with(&format!("{said}https://xxx")) && long.ends_with('…'),
            "{long}"
        );
    }

    #[test]
    fn a_secret_that_the_end_of_what_is_shown_cuts_is_masked_whole() {
        let environment = [("AWS_SECRET_ACCESS_KEY".to_owned(), "wJalrXUtnFEMI".to_owned())];
        for before in SHOWN - 45..SHOWN {
            let text = format!(
                "{}AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI glueup ls",
                "x".repeat(before)
            );
            let said = sent(&text, &environment);
            assert!(!said.contains("wJ"), "{said}");
        }
    }

    #[test]
    fn the_text_is_encoded_and_wrapped_for_tmux() {
        assert_eq!(osc52("hi", false).unwrap(), "\x1b]52;c;aGk=\x07");
        assert_eq!(
            osc52("hi", true).unwrap(),
            "\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"
        );
        assert!(osc52(&"x".repeat(80_000), false).is_err());
    }
}
