//! Wildcards and policy variables.

use super::context::Context;

/// One place of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `*`
    Many,
    /// `?`
    One,
    /// This very character.
    Char(char),
}

/// A policy's text with its variables put in, as a pattern. The value of a variable has no wildcards: a user named
/// `*` does not match everybody. `None` where a variable has no value: such a text matches nothing.
pub(super) fn pattern(text: &str, variables: bool, context: &Context) -> Option<Vec<Token>> {
    let mut tokens = Vec::with_capacity(text.len());
    for part in parts(text, variables, context)? {
        match part {
            Part::Text(text) => tokens.extend(text.chars().map(|c| match c {
                '*' => Token::Many,
                '?' => Token::One,
                c => Token::Char(c),
            })),
            Part::Value(value) => tokens.extend(value.chars().map(Token::Char)),
        }
    }
    Some(tokens)
}

/// A policy's text with its variables put in, without wildcards.
pub(super) fn literal(text: &str, variables: bool, context: &Context) -> Option<String> {
    let parts = parts(text, variables, context)?;
    Some(
        parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => text,
                Part::Value(value) => value.as_str(),
            })
            .collect(),
    )
}

enum Part<'a> {
    Text(&'a str),
    Value(String),
}

/// Splits at `${key}`, `${key, 'default'}`, `${*}`, `${?}` and `${$}`.
fn parts<'a>(text: &'a str, variables: bool, context: &Context) -> Option<Vec<Part<'a>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while variables && let Some((before, behind)) = rest.split_once("${") {
        parts.push(Part::Text(before));
        let (inside, after) = behind.split_once('}')?;
        let value = match inside {
            "*" | "?" | "$" => inside.to_owned(),
            _ => {
                let (key, default) = match inside.split_once(',') {
                    Some((key, default)) => (key.trim(), Some(default.trim().trim_matches('\''))),
                    None => (inside.trim(), None),
                };
                let value = context
                    .get(key)
                    .and_then(|values| values.first())
                    .map(String::as_str);
                value.or(default)?.to_owned()
            }
        };
        parts.push(Part::Value(value));
        rest = after;
    }
    parts.push(Part::Text(rest));
    Some(parts)
}

/// Whether a pattern matches a whole text. Time is bounded by pattern × text, whatever the pattern.
pub(super) fn matches(pattern: &[Token], text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let (mut at, mut pos) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(c) = text.get(pos) {
        match pattern.get(at) {
            Some(Token::Many) => {
                retry = Some((at + 1, pos));
                at += 1;
                continue;
            }
            Some(Token::One) => {
                at += 1;
                pos += 1;
                continue;
            }
            Some(Token::Char(wanted)) if wanted == c => {
                at += 1;
                pos += 1;
                continue;
            }
            _ => {}
        }
        // No match here: let the last `*` take one character more.
        let Some((after, from)) = retry else { return false };
        at = after;
        pos = from + 1;
        retry = Some((after, pos));
    }
    pattern
        .get(at..)
        .is_some_and(|rest| rest.iter().all(|token| *token == Token::Many))
}

/// Whether a pattern without variables matches.
pub(super) fn wild(pattern: &str, text: &str) -> bool {
    let tokens: Vec<Token> = pattern
        .chars()
        .map(|c| match c {
            '*' => Token::Many,
            '?' => Token::One,
            c => Token::Char(c),
        })
        .collect();
    matches(&tokens, text)
}

/// Whether an ARN pattern matches an ARN: part by part, so that no `*` crosses one of the first five colons.
pub(super) fn arn_matches(pattern: &[Token], arn: &str) -> bool {
    let wanted: Vec<&[Token]> = pattern.splitn(6, |token| *token == Token::Char(':')).collect();
    let given: Vec<&str> = arn.splitn(6, ':').collect();
    wanted.len() == 6
        && given.len() == 6
        && wanted
            .iter()
            .zip(&given)
            .all(|(pattern, text)| matches(pattern, text))
}
