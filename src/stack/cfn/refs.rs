//! What a piece of a template refers to.

use serde_json::Value;
use std::collections::BTreeSet;

/// The one function of an object such as `{"Fn::Sub": …}` or `{"Ref": …}`, and its argument.
pub(super) fn function(value: &Value) -> Option<(&str, &Value)> {
    let object = value.as_object()?;
    let (name, argument) = object.iter().next().filter(|_| object.len() == 1)?;
    (name == "Ref" || name.starts_with("Fn::")).then_some((name.as_str(), argument))
}

/// The names inside `${…}` of a `Fn::Sub` text; `${!Literal}` is none.
pub(super) fn placeholders(text: &str) -> Vec<&str> {
    pieces(text)
        .into_iter()
        .filter_map(|piece| match piece {
            Piece::Name(name) => Some(name),
            Piece::Text(_) | Piece::Literal(_) => None,
        })
        .collect()
}

/// A part of a `Fn::Sub` text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// Stands for itself.
    Text(&'t str),
    /// `${!x}`, which stands for `${x}`.
    Literal(&'t str),
    /// `${x}`.
    Name(&'t str),
}

pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, behind)) = after.split_once('}') else {
            break;
        };
        pieces.push(Piece::Text(before));
        pieces.push(match name.strip_prefix('!') {
            Some(literal) => Piece::Literal(literal),
            None => Piece::Name(name.trim()),
        });
        rest = behind;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// Every logical name that `value` refers to by `Ref`, `Fn::GetAtt` or `Fn::Sub`, pseudo parameters left out.
pub(super) fn names(value: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(value, &mut found);
    found.retain(|name| !name.starts_with("AWS::"));
    found
}

fn collect(value: &Value, found: &mut BTreeSet<String>) {
    match function(value) {
        Some(("Ref", Value::String(name))) => {
            found.insert(name.clone());
        }
        Some(("Fn::GetAtt", argument)) => {
            found.extend(attribute(argument).map(|(resource, _)| resource.to_owned()));
        }
        Some(("Fn::Sub", Value::String(text))) => sub(text, None, found),
        Some(("Fn::Sub", Value::Array(arguments))) => {
            if let [Value::String(text), own] = arguments.as_slice() {
                sub(text, Some(own), found);
                collect(own, found);
            }
        }
        _ => match value {
            Value::Array(list) => list.iter().for_each(|value| collect(value, found)),
            Value::Object(map) => map.values().for_each(|value| collect(value, found)),
            _ => {}
        },
    }
}

fn sub(text: &str, own: Option<&Value>, found: &mut BTreeSet<String>) {
    for name in placeholders(text) {
        if own.is_none_or(|own| own.get(name).is_none()) {
            found.insert(
                name.split_once('.')
                    .map_or(name, |(resource, _)| resource)
                    .to_owned(),
            );
        }
    }
}

/// Resource and attribute of a `Fn::GetAtt` argument, as a list or as `Resource.Attribute`.
pub(super) fn attribute(argument: &Value) -> Option<(&str, &str)> {
    match argument {
        Value::String(text) => text.split_once('.'),
        Value::Array(list) => match list.as_slice() {
            [Value::String(resource), Value::String(attribute)] => Some((resource, attribute)),
            _ => None,
        },
        _ => None,
    }
}
