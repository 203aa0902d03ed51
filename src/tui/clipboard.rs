//! Copying by OSC 52: the terminal at the user's end puts the text on its clipboard, over SSH and in tmux too.
//!
//! Whether it does cannot be known, so the sentence says "sent", never "copied".

use base64::Engine;

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

#[cfg(test)]
mod tests {
    use super::*;

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
