//! A job's question, put on the terminal: shown on stderr, answered on stdin. Anything but a clear yes is a no.

use crate::report::{Answer, Ask};
use std::io::{self, BufRead, Write};

/// Asks on this process's terminal, without holding up the runtime.
pub async fn on_terminal(question: Ask) -> Answer {
    tokio::task::spawn_blocking(move || put(&question, &mut io::stdin().lock(), &mut io::stderr()))
        .await
        .unwrap_or(Answer::No)
}

fn put(question: &Ask, input: &mut impl BufRead, output: &mut impl Write) -> Answer {
    answer(question, input, output).unwrap_or(Answer::No)
}

fn answer(question: &Ask, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<Answer> {
    writeln!(output, "{}", question.title)?;
    for line in &question.will {
        writeln!(output, "  will      {line}")?;
    }
    for line in &question.will_not {
        writeln!(output, "  will not  {line}")?;
    }
    if let Some(acknowledgement) = &question.acknowledge {
        write!(output, "{acknowledgement} [y/N] ")?;
        if !is_yes(&read(input, output)?) {
            return Ok(Answer::No);
        }
    }
    if let Some(text) = &question.type_to_confirm {
        write!(output, "{}? Type {text} to go on: ", question.yes)?;
        return Ok(if read(input, output)? == *text {
            Answer::Yes
        } else {
            Answer::No
        });
    }
    write!(output, "{}? [y/N] ", question.yes)?;
    Ok(if is_yes(&read(input, output)?) {
        Answer::Yes
    } else {
        Answer::No
    })
}

fn read(input: &mut impl BufRead, output: &mut impl Write) -> io::Result<String> {
    output.flush()?;
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

fn is_yes(line: &str) -> bool {
    matches!(line.to_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(acknowledge: Option<&str>, type_to_confirm: Option<&str>) -> Ask {
        Ask {
            title: "Create the stack?".to_owned(),
            will: vec!["make a role".to_owned()],
            will_not: vec!["touch data".to_owned()],
            yes: "Create stack".to_owned(),
            acknowledge: acknowledge.map(str::to_owned),
            type_to_confirm: type_to_confirm.map(str::to_owned),
        }
    }

    fn asked(question: &Ask, typed: &str) -> (Answer, String) {
        let mut shown = Vec::new();
        let answer = put(question, &mut typed.as_bytes(), &mut shown);
        (answer, String::from_utf8(shown).unwrap())
    }

    #[test]
    fn only_a_clear_yes_is_a_yes() {
        for (typed, want) in [
            ("y\n", Answer::Yes),
            ("YES\n", Answer::Yes),
            ("\n", Answer::No),
            ("n\n", Answer::No),
            ("yep\n", Answer::No),
            ("", Answer::No),
        ] {
            assert_eq!(asked(&question(None, None), typed).0, want, "{typed:?}");
        }
    }

    #[test]
    fn the_acknowledgement_comes_before_the_yes() {
        let question = question(Some("It makes IAM resources. Do you acknowledge that?"), None);
        assert_eq!(asked(&question, "y\ny\n").0, Answer::Yes);
        assert_eq!(asked(&question, "y\n").0, Answer::No);
        assert_eq!(asked(&question, "n\ny\n").0, Answer::No);
    }

    #[test]
    fn what_cannot_be_undone_is_typed() {
        let question = question(None, Some("Lake House"));
        assert_eq!(asked(&question, "Lake House\n").0, Answer::Yes);
        assert_eq!(asked(&question, "y\n").0, Answer::No);
    }

    #[test]
    fn the_question_says_what_will_and_will_not_happen() {
        let (_, shown) = asked(&question(None, None), "n\n");
        assert_eq!(
            shown,
            "Create the stack?\n  will      make a role\n  will not  touch data\nCreate stack? [y/N] "
        );
    }
}
