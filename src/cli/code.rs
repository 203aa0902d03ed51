//! The code of an MFA device, asked for on the terminal and never shown there.

use crate::cloud::{CodeWanted, Codes};
use crate::domain::mfa_code::MfaCode;
use std::io::{self, Read, Write};

/// How often a text that is no code is asked for again.
const TRIES: usize = 3;

/// Codes from whoever sits at this process's terminal.
pub fn on_terminal() -> Codes {
    Codes::new(|wanted| async move {
        let asked = tokio::task::spawn_blocking(move || {
            // What was hidden stays hidden until it is given back, here or by whoever ends the process.
            let hidden = hide().ok()?;
            let code = ask(&wanted, &mut io::stdin().lock(), &mut io::stderr());
            drop(hidden);
            code.ok().flatten()
        });
        asked.await.unwrap_or(None)
    })
}

/// Asks; `None` when nothing is typed.
fn ask(wanted: &CodeWanted, input: &mut impl Read, output: &mut impl Write) -> io::Result<Option<MfaCode>> {
    if let Some(refused) = &wanted.refused {
        writeln!(output, "{refused}.")?;
    }
    writeln!(output, "Profile {} opens {}.", wanted.profile, wanted.opens)?;
    for _ in 0..TRIES {
        write!(output, "6-digit code of {}: ", wanted.device)?;
        output.flush()?;
        let typed = masked(input, output)?;
        if typed.trim().is_empty() {
            return Ok(None);
        }
        match typed.parse() {
            Ok(code) => return Ok(Some(code)),
            Err(why) => writeln!(output, "The {why}.")?,
        }
    }
    Ok(None)
}

/// One line of keys, a star for each.
fn masked(input: &mut impl Read, output: &mut impl Write) -> io::Result<String> {
    let mut typed = Vec::new();
    let mut byte = [0];
    while input.read(&mut byte)? == 1 {
        match byte {
            [b'\r' | b'\n'] => break,
            // The end of the input, as Ctrl-D sends it.
            [4] => {
                typed.clear();
                break;
            }
            [8 | 127] if typed.pop().is_some() => write!(output, "\u{8} \u{8}")?,
            [key] if key.is_ascii_graphic() || key == b' ' => {
                typed.push(key);
                write!(output, "*")?;
            }
            _ => {}
        }
        output.flush()?;
    }
    writeln!(output)?;
    Ok(String::from_utf8(typed).unwrap_or_default())
}

#[cfg(unix)]
mod terminal {
    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};
    use std::io;
    use std::sync::{Mutex, PoisonError};

    /// How the terminal was before its keys were hidden, while they are.
    static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

    /// Keys are shown again once this is dropped.
    pub struct Hidden;

    impl Drop for Hidden {
        fn drop(&mut self) {
            give_back();
        }
    }

    /// Hides what is typed, and hands on each key as it comes.
    pub fn hide() -> io::Result<Hidden> {
        let before = tcgetattr(io::stdin())?;
        let mut hidden = before.clone();
        hidden.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        tcsetattr(io::stdin(), OptionalActions::Flush, &hidden)?;
        Ok(Hidden)
    }

    /// Shows keys again, if they are hidden: also for a process that ends while somebody is being asked.
    pub fn give_back() {
        if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // There is nobody left to tell.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
        }
    }
}

#[cfg(not(unix))]
mod terminal {
    /// There is no way to hide keys here: nobody is asked.
    pub fn hide() -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }

    pub fn give_back() {}
}

pub use terminal::give_back;
use terminal::hide;

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(refused: Option<&str>, typed: &str) -> (Option<MfaCode>, String) {
        let wanted = CodeWanted {
            profile: "prod".into(),
            device: "arn:aws:iam::999988887777:mfa/me".into(),
            opens: "a session of its keys".into(),
            refused: refused.map(str::to_owned),
        };
        let mut shown = Vec::new();
        let code = ask(&wanted, &mut typed.as_bytes(), &mut shown).unwrap();
        (code, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn a_code_is_taken_and_never_shown() {
        for typed in ["123456\n", "123 456\r", "12399\u{7f}\u{7f}456\n", "12x\n123456\n"] {
            let (code, shown) = asked(None, typed);
            assert_eq!(code.unwrap().digits(), "123456", "{typed:?}");
            assert!(
                shown.contains("6-digit code of arn:aws:iam::999988887777:mfa/me: *"),
                "{shown}"
            );
            assert!(!shown.contains("123") && !shown.contains("456\n"), "{shown}");
        }
    }

    #[test]
    fn nothing_typed_is_no_code_and_what_is_none_is_asked_for_again() {
        for typed in ["\n", "", "12\u{4}", "1\n2\n3\n"] {
            assert_eq!(asked(None, typed).0, None, "{typed:?}");
        }
        let (_, shown) = asked(Some("AWS did not take that code"), "12\n\n");
        assert!(shown.starts_with("AWS did not take that code.\n"), "{shown}");
        assert!(shown.contains("The MFA code has 2 digits"), "{shown}");
    }
}
