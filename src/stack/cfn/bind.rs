//! A template with values for its parameters: checked, its rules asserted, its conditions decided.

use super::parameter::scalar;
use super::template::Template;
use super::{TemplateError, eval};
use serde_json::Value;
use std::collections::BTreeMap;

/// What the pseudo parameters (`AWS::Region` …) stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pseudo {
    /// `AWS::AccountId`.
    pub account_id: String,
    /// `AWS::Region`.
    pub region: String,
    /// `AWS::Partition`.
    pub partition: String,
    /// `AWS::URLSuffix`.
    pub url_suffix: String,
    /// `AWS::StackName`.
    pub stack_name: String,
    /// `AWS::StackId`.
    pub stack_id: String,
}

/// A resource that exists: what `Ref` and `Fn::GetAtt` of it yield.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Physical {
    /// What `Ref` yields.
    pub reference: String,
    /// What `Fn::GetAtt` yields, by attribute.
    pub attributes: BTreeMap<String, String>,
}

/// The resources that exist so far, by logical id.
pub type Resources = BTreeMap<String, Physical>;

/// A template bound to values.
#[derive(Clone, Debug)]
pub struct Bound<'t> {
    pub(super) template: &'t Template,
    pub(super) pseudo: Pseudo,
    pub(super) parameters: BTreeMap<String, Value>,
    pub(super) conditions: BTreeMap<String, bool>,
}

impl Template {
    /// Binds values to the parameters. Refuses unknown and missing parameters, values that a parameter does not
    /// take, and values that a rule forbids.
    pub fn bind(&self, given: &BTreeMap<String, String>, pseudo: Pseudo) -> Result<Bound<'_>, TemplateError> {
        let unknown: Vec<&str> = given
            .keys()
            .map(String::as_str)
            .filter(|name| self.parameter(name).is_none())
            .collect();
        if !unknown.is_empty() {
            return Err(TemplateError::new(format!(
                "Parameters: [{}] do not exist in the template",
                unknown.join(", ")
            )));
        }
        let missing: Vec<&str> = self
            .parameters
            .iter()
            .filter(|parameter| parameter.default.is_none() && !given.contains_key(&parameter.name))
            .map(|parameter| parameter.name.as_str())
            .collect();
        if !missing.is_empty() {
            return Err(TemplateError::new(format!(
                "Parameters: [{}] must have values",
                missing.join(", ")
            )));
        }
        let mut parameters = BTreeMap::new();
        for parameter in &self.parameters {
            let value = given.get(&parameter.name).or(parameter.default.as_ref());
            if let Some(value) = value {
                parameters.insert(parameter.name.clone(), parameter.accept(value)?);
            }
        }
        let mut bound = Bound {
            template: self,
            pseudo,
            parameters,
            conditions: BTreeMap::new(),
        };
        bound.assert_rules()?;
        bound.decide_conditions()?;
        Ok(bound)
    }
}

impl Bound<'_> {
    /// Whether a resource or output with that condition exists; without a condition it does.
    pub fn holds(&self, condition: Option<&str>) -> bool {
        condition.is_none_or(|name| self.conditions.get(name).copied().unwrap_or(false))
    }

    /// Evaluates the functions in `value`. `None` is `AWS::NoValue`: the place stays empty.
    pub fn evaluate(&self, value: &Value, resources: &Resources) -> Result<Option<Value>, TemplateError> {
        eval::value(self, value, resources)
    }

    fn assert_rules(&self) -> Result<(), TemplateError> {
        for (name, rule) in &self.template.rules {
            if let Some(condition) = rule.get("RuleCondition")
                && !eval::truth(self, condition)?
            {
                continue;
            }
            let assertions = rule.get("Assertions").and_then(Value::as_array).ok_or_else(|| {
                TemplateError::format(format!(
                    "[/Rules/{name}] Every Rules object must contain Assertions."
                ))
            })?;
            for assertion in assertions {
                let assert = assertion.get("Assert").ok_or_else(|| {
                    TemplateError::format(format!("[/Rules/{name}] Every assertion must contain an Assert."))
                })?;
                if !eval::truth(self, assert)? {
                    let why = assertion
                        .get("AssertDescription")
                        .and_then(scalar)
                        .unwrap_or_default();
                    return Err(TemplateError::new(
                        format!("Rule {name} failed. {}", why.trim()).trim().to_owned(),
                    ));
                }
            }
        }
        Ok(())
    }

    /// A condition may name another, so they are decided until none is left; what is left refers to itself.
    fn decide_conditions(&mut self) -> Result<(), TemplateError> {
        let mut waiting: Vec<(&String, &Value)> = self.template.conditions.iter().collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut later = Vec::new();
            for (name, expression) in waiting {
                if eval::conditions_in(expression)
                    .iter()
                    .all(|name| self.conditions.contains_key(*name))
                {
                    let holds = eval::truth(self, expression)?;
                    self.conditions.insert(name.clone(), holds);
                } else {
                    later.push((name, expression));
                }
            }
            if later.len() == before {
                let names: Vec<&str> = later.iter().map(|(name, _)| name.as_str()).collect();
                return Err(TemplateError::format(format!(
                    "Unresolved condition dependencies [{}] in the Conditions block of the template",
                    names.join(", ")
                )));
            }
            waiting = later;
        }
        Ok(())
    }
}
