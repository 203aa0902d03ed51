//! YAML or JSON text to one JSON value, short-form tags written out (`!Sub x` becomes `{"Fn::Sub": "x"}`).

use super::TemplateError;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};
use serde_saphyr::{Spanned, Tagged};
use std::fmt;

/// A scalar keeps no spelling; where the spelling matters it is taken from the text by this span.
struct Node {
    span: Option<(usize, usize)>,
    tag: Option<String>,
    content: Content,
}

enum Content {
    Null,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Tagged<Content>>::deserialize(deserializer)?;
        let span = spanned.defined.span();
        let start = span.byte_offset().and_then(|at| usize::try_from(at).ok());
        let len = span.byte_len().and_then(|len| usize::try_from(len).ok());
        Ok(Self {
            span: start
                .zip(len)
                .map(|(start, len)| (start, start.saturating_add(len))),
            tag: spanned.value.1,
            content: spanned.value.0,
        })
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML node")
    }

    fn visit_unit<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_none<E>(self) -> Result<Content, E> {
        Ok(Content::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Content, E> {
        Ok(Content::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Content, E> {
        Ok(Content::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Content, E> {
        Ok(Content::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Content, E> {
        Ok(Content::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Content, E> {
        Ok(Content::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut list = Vec::new();
        while let Some(node) = access.next_element()? {
            list.push(node);
        }
        Ok(Content::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Content, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = access.next_entry()? {
            map.push(entry);
        }
        Ok(Content::Map(map))
    }
}

/// Reads a template's text.
pub(super) fn read(text: &str) -> Result<Value, TemplateError> {
    // Off, no, 012345678901 and 1_000 are text to CloudFormation too.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true
    };
    let node: Node = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let at = error.location().map_or(String::new(), |at| {
            format!(" (line {}, column {})", at.line(), at.column())
        });
        TemplateError::format(format!("YAML not well-formed.{at}"))
    })?;
    Ok(value(&node, text))
}

fn value(node: &Node, text: &str) -> Value {
    let plain = match &node.content {
        Content::Null => Value::Null,
        Content::Bool(flag) => json!(flag),
        Content::Number => number(
            node.span
                .and_then(|(start, end)| text.get(start..end))
                .unwrap_or_default(),
        ),
        Content::Text(text) => json!(text),
        Content::List(list) => list.iter().map(|node| value(node, text)).collect(),
        Content::Map(map) => Value::Object(
            map.iter()
                .map(|(key, node)| (key.clone(), value(node, text)))
                .collect::<Map<_, _>>(),
        ),
    };
    match node
        .tag
        .as_deref()
        .and_then(|tag| tag.strip_prefix('!'))
        .filter(|tag| !tag.starts_with('!'))
    {
        None | Some("") => plain,
        Some("Ref") => json!({ "Ref": plain }),
        Some("Condition") => json!({ "Condition": plain }),
        Some("GetAtt") => match plain.as_str() {
            Some(text) => {
                let (resource, attribute) = text.split_once('.').unwrap_or((text, ""));
                json!({ "Fn::GetAtt": [resource, attribute] })
            }
            None => json!({ "Fn::GetAtt": plain }),
        },
        Some(name) => json!({ format!("Fn::{name}"): plain }),
    }
}

/// A whole number stays a number; any other spelling (`1.10`, `0x1f`, `2010-09-09`) is kept as it was written.
fn number(spelling: &str) -> Value {
    let spelling = spelling.trim();
    spelling
        .parse::<i64>()
        .map_or_else(|_| json!(spelling), |number| json!(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_become_long_forms() {
        let text = "a: !Ref X\nb: !Sub '${A}/*'\nc: !GetAtt Role.Arn\nd: !If [Yes, !Ref Y, !Ref 'AWS::NoValue']\n\
                    e: !Not [!Condition No]\nf: !Join [',', [a, !Split [',', x]]]\n";
        assert_eq!(
            read(text).unwrap(),
            json!({
                "a": {"Ref": "X"}, "b": {"Fn::Sub": "${A}/*"}, "c": {"Fn::GetAtt": ["Role", "Arn"]},
                "d": {"Fn::If": ["Yes", {"Ref": "Y"}, {"Ref": "AWS::NoValue"}]},
                "e": {"Fn::Not": [{"Condition": "No"}]},
                "f": {"Fn::Join": [",", ["a", {"Fn::Split": [",", "x"]}]]}
            })
        );
    }

    #[test]
    fn json_is_yaml() {
        assert_eq!(
            read("{\n\t\"a\": {\n\t\t\"Fn::Sub\": \"x\\/\"}}").unwrap(),
            json!({"a": {"Fn::Sub": "x/"}})
        );
    }

    #[test]
    fn scalars_keep_what_was_written() {
        assert_eq!(
            read("[012345678901, no, on, true, 1.10, 3600, 2012-10-17, 0x1f, ~]").unwrap(),
            json!([
                "012345678901",
                "no",
                "on",
                true,
                "1.10",
                3600,
                "2012-10-17",
                "0x1f",
                null
            ])
        );
    }

    #[test]
    fn a_broken_text_says_where() {
        for (text, at) in [
            ("a: 1\nb: 2\na: 3\n", "line 3"),
            ("a:\n\tb: 1\n", "line 2"),
            ("a: [1, 2\nb: 3\n", "line"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(
                error.starts_with("Template format error: YAML not well-formed."),
                "{error}"
            );
            assert!(error.contains(at), "{error}");
        }
    }
}
