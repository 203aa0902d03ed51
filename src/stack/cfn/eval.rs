//! The intrinsic functions.

use super::bind::{Bound, Resources};
use super::parameter::scalar;
use super::refs::{self, Piece};
use super::{Physical, TemplateError};
use serde_json::{Map, Value};

/// Evaluates the functions in `value`; `None` is `AWS::NoValue`.
pub(super) fn value(
    bound: &Bound<'_>,
    value: &Value,
    resources: &Resources,
) -> Result<Option<Value>, TemplateError> {
    Scope { bound, resources }.value(value)
}

/// Decides an expression of the Conditions or the Rules block. No resource exists yet there.
pub(super) fn truth(bound: &Bound<'_>, expression: &Value) -> Result<bool, TemplateError> {
    Scope {
        bound,
        resources: &Resources::new(),
    }
    .truth(expression)
}

/// The names of the conditions that an expression of the Conditions block refers to.
pub(super) fn conditions_in(expression: &Value) -> Vec<&str> {
    match expression {
        Value::Object(map) => map
            .iter()
            .flat_map(|(key, inner)| match (key.as_str(), inner) {
                ("Condition", Value::String(name)) => vec![name.as_str()],
                ("Fn::If", Value::Array(arguments)) => arguments
                    .first()
                    .and_then(Value::as_str)
                    .into_iter()
                    .chain(arguments.iter().flat_map(conditions_in))
                    .collect(),
                _ => conditions_in(inner),
            })
            .collect(),
        Value::Array(list) => list.iter().flat_map(conditions_in).collect(),
        _ => Vec::new(),
    }
}

struct Scope<'a> {
    bound: &'a Bound<'a>,
    resources: &'a Resources,
}

impl Scope<'_> {
    fn value(&self, value: &Value) -> Result<Option<Value>, TemplateError> {
        if let Some((name, argument)) = refs::function(value) {
            return self.call(name, argument);
        }
        Ok(Some(match value {
            Value::Array(list) => {
                let mut out = Vec::with_capacity(list.len());
                for item in list {
                    out.extend(self.value(item)?);
                }
                Value::Array(out)
            }
            Value::Object(map) => {
                let mut out = Map::with_capacity(map.len());
                for (key, item) in map {
                    if let Some(item) = self.value(item)? {
                        out.insert(key.clone(), item);
                    }
                }
                Value::Object(out)
            }
            plain => plain.clone(),
        }))
    }

    fn call(&self, name: &str, argument: &Value) -> Result<Option<Value>, TemplateError> {
        match name {
            "Ref" => self.reference(argument),
            "Fn::GetAtt" => self.attribute(argument).map(Some),
            "Fn::Sub" => self.sub(argument).map(|text| Some(Value::from(text))),
            "Fn::Join" => self.join(argument).map(|text| Some(Value::from(text))),
            "Fn::Split" => self.split(argument).map(Some),
            "Fn::Select" => self.select(argument).map(Some),
            "Fn::If" => self.choose(argument),
            "Fn::FindInMap" => self.find_in_map(argument).map(Some),
            other => Err(TemplateError::format(format!(
                "the function {other} is not supported here"
            ))),
        }
    }

    fn truth(&self, expression: &Value) -> Result<bool, TemplateError> {
        if let Value::Bool(flag) = expression {
            return Ok(*flag);
        }
        let object = expression.as_object().filter(|object| object.len() == 1);
        let Some((name, argument)) = object.and_then(|object| object.iter().next()) else {
            return Err(TemplateError::format(
                "every condition must be one function that yields true or false",
            ));
        };
        let list = || {
            argument
                .as_array()
                .map(Vec::as_slice)
                .ok_or_else(|| wrong_arguments(name))
        };
        match name.as_str() {
            "Condition" => {
                let name = argument.as_str().ok_or_else(|| wrong_arguments(name))?;
                self.condition(name)
            }
            "Fn::Equals" => match list()? {
                [left, right] => Ok(plain(&self.required(left)?) == plain(&self.required(right)?)),
                _ => Err(wrong_arguments(name)),
            },
            "Fn::Not" => match list()? {
                [inner] => Ok(!self.truth(inner)?),
                _ => Err(wrong_arguments(name)),
            },
            "Fn::And" | "Fn::Or" => {
                let inner = list()?;
                if !(2..=10).contains(&inner.len()) {
                    return Err(TemplateError::format(format!("{name} takes 2 to 10 conditions")));
                }
                let answers = inner
                    .iter()
                    .map(|inner| self.truth(inner))
                    .collect::<Result<Vec<_>, _>>()?;
                Ok(if name == "Fn::And" {
                    answers.iter().all(|yes| *yes)
                } else {
                    answers.iter().any(|yes| *yes)
                })
            }
            "Fn::Contains" => match list()? {
                [texts, text] => {
                    let (texts, text) = (self.texts(texts)?, self.text(text)?);
                    Ok(texts.contains(&text))
                }
                _ => Err(wrong_arguments(name)),
            },
            "Fn::EachMemberEquals" => match list()? {
                [texts, text] => {
                    let (texts, text) = (self.texts(texts)?, self.text(text)?);
                    Ok(texts.iter().all(|member| *member == text))
                }
                _ => Err(wrong_arguments(name)),
            },
            "Fn::EachMemberIn" => match list()? {
                [texts, allowed] => {
                    let (texts, allowed) = (self.texts(texts)?, self.texts(allowed)?);
                    Ok(texts.iter().all(|member| allowed.contains(member)))
                }
                _ => Err(wrong_arguments(name)),
            },
            other => Err(TemplateError::format(format!(
                "the function {other} is not supported in a condition"
            ))),
        }
    }

    fn condition(&self, name: &str) -> Result<bool, TemplateError> {
        self.bound
            .conditions
            .get(name)
            .copied()
            .ok_or_else(|| TemplateError::format(format!("Unresolved condition dependency {name}")))
    }

    fn reference(&self, argument: &Value) -> Result<Option<Value>, TemplateError> {
        let name = argument.as_str().ok_or_else(|| wrong_arguments("Ref"))?;
        if name == "AWS::NoValue" {
            return Ok(None);
        }
        self.named(name)
            .map(Some)
            .ok_or_else(|| TemplateError::format(format!("Unresolved resource dependencies [{name}]")))
    }

    /// A pseudo parameter, a parameter, or a resource's reference.
    fn named(&self, name: &str) -> Option<Value> {
        let pseudo = &self.bound.pseudo;
        let text = match name {
            "AWS::AccountId" => &pseudo.account_id,
            "AWS::Region" => &pseudo.region,
            "AWS::Partition" => &pseudo.partition,
            "AWS::URLSuffix" => &pseudo.url_suffix,
            "AWS::StackName" => &pseudo.stack_name,
            "AWS::StackId" => &pseudo.stack_id,
            name => {
                return self.bound.parameters.get(name).cloned().or_else(|| {
                    self.resources
                        .get(name)
                        .map(|resource| Value::from(resource.reference.as_str()))
                });
            }
        };
        Some(Value::from(text.as_str()))
    }

    fn attribute(&self, argument: &Value) -> Result<Value, TemplateError> {
        let (resource, attribute) = refs::attribute(argument).ok_or_else(|| wrong_arguments("Fn::GetAtt"))?;
        self.attribute_of(resource, attribute).map(Value::from).ok_or_else(|| {
            TemplateError::new(format!(
                "Template error: resource {resource} does not support attribute type {attribute} in Fn::GetAtt"
            ))
        })
    }

    fn attribute_of(&self, resource: &str, attribute: &str) -> Option<&str> {
        let resource: &Physical = self.resources.get(resource)?;
        resource.attributes.get(attribute).map(String::as_str)
    }

    fn sub(&self, argument: &Value) -> Result<String, TemplateError> {
        let (text, own) = match argument {
            Value::String(text) => (text.as_str(), None),
            Value::Array(list) => match list.as_slice() {
                [Value::String(text)] => (text.as_str(), None),
                [Value::String(text), Value::Object(own)] => (text.as_str(), Some(own)),
                _ => return Err(wrong_arguments("Fn::Sub")),
            },
            _ => return Err(wrong_arguments("Fn::Sub")),
        };
        let mut out = String::new();
        for piece in refs::pieces(text) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Literal(name) => {
                    out.push_str("${");
                    out.push_str(name);
                    out.push('}');
                }
                // What is put in is not read again: a value that holds ${x} stays as it is.
                Piece::Name(name) => out.push_str(&self.substitute(name, own)?),
            }
        }
        Ok(out)
    }

    fn substitute(&self, name: &str, own: Option<&Map<String, Value>>) -> Result<String, TemplateError> {
        let unresolved = || TemplateError::format(format!("Unresolved dependencies [{name}] in a Fn::Sub"));
        if let Some(value) = own.and_then(|own| own.get(name)) {
            return self.text(value);
        }
        if let Some((resource, attribute)) = name.split_once('.') {
            return self
                .attribute_of(resource, attribute)
                .map(str::to_owned)
                .ok_or_else(unresolved);
        }
        self.named(name).as_ref().and_then(scalar).ok_or_else(unresolved)
    }

    fn join(&self, argument: &Value) -> Result<String, TemplateError> {
        match argument.as_array().map(Vec::as_slice) {
            Some([Value::String(between), texts]) => Ok(self.texts(texts)?.join(between)),
            _ => Err(wrong_arguments("Fn::Join")),
        }
    }

    fn split(&self, argument: &Value) -> Result<Value, TemplateError> {
        match argument.as_array().map(Vec::as_slice) {
            Some([Value::String(between), text]) if !between.is_empty() => {
                let text = self.text(text)?;
                Ok(text.split(between.as_str()).collect::<Vec<_>>().into())
            }
            _ => Err(wrong_arguments("Fn::Split")),
        }
    }

    fn select(&self, argument: &Value) -> Result<Value, TemplateError> {
        let Some([index, texts]) = argument.as_array().map(Vec::as_slice) else {
            return Err(wrong_arguments("Fn::Select"));
        };
        let index: usize = self
            .text(index)?
            .parse()
            .map_err(|_| wrong_arguments("Fn::Select"))?;
        let list = self.required(texts)?;
        list.get(index).cloned().ok_or_else(|| {
            TemplateError::new(format!(
                "Template error: Fn::Select cannot select nonexistent value at index {index}"
            ))
        })
    }

    fn choose(&self, argument: &Value) -> Result<Option<Value>, TemplateError> {
        match argument.as_array().map(Vec::as_slice) {
            Some([Value::String(condition), yes, no]) => {
                self.value(if self.condition(condition)? { yes } else { no })
            }
            _ => Err(wrong_arguments("Fn::If")),
        }
    }

    fn find_in_map(&self, argument: &Value) -> Result<Value, TemplateError> {
        let Some([map, first, second]) = argument.as_array().map(Vec::as_slice) else {
            return Err(wrong_arguments("Fn::FindInMap"));
        };
        let (map, first, second) = (self.text(map)?, self.text(first)?, self.text(second)?);
        self.bound
            .template
            .mappings
            .get(&map)
            .and_then(|map| map.get(&first))
            .and_then(|inner| inner.get(&second))
            .cloned()
            .ok_or_else(|| {
                TemplateError::new(format!(
                    "Template error: Unable to get mapping for {map}::{first}::{second}"
                ))
            })
    }

    fn required(&self, value: &Value) -> Result<Value, TemplateError> {
        self.value(value)?
            .ok_or_else(|| TemplateError::format("AWS::NoValue cannot stand where a value is needed"))
    }

    fn text(&self, value: &Value) -> Result<String, TemplateError> {
        let value = self.required(value)?;
        scalar(&value)
            .ok_or_else(|| TemplateError::format("a text is needed where a list or an object stands"))
    }

    fn texts(&self, value: &Value) -> Result<Vec<String>, TemplateError> {
        let value = self.required(value)?;
        value
            .as_array()
            .and_then(|list| list.iter().map(scalar).collect::<Option<Vec<_>>>())
            .ok_or_else(|| TemplateError::format("a list of texts is needed"))
    }
}

/// `Fn::Equals` compares numbers and flags as the texts that a parameter would give.
fn plain(value: &Value) -> Value {
    scalar(value).map_or_else(|| value.clone(), Value::from)
}

fn wrong_arguments(function: &str) -> TemplateError {
    TemplateError::format(format!("wrong arguments of {function}"))
}
