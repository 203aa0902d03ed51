//! A template, read and checked in itself: sections, types, references, order.

use super::parameter::{Parameter, scalar};
use super::{TemplateError, refs, yaml};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a caller must acknowledge before a stack of a template may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Capability {
    /// The template makes IAM resources; CloudFormation names them.
    Iam,
    /// The template makes IAM resources with names of its own choice.
    NamedIam,
}

impl Capability {
    /// `CAPABILITY_IAM` or `CAPABILITY_NAMED_IAM`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Iam => "CAPABILITY_IAM",
            Self::NamedIam => "CAPABILITY_NAMED_IAM",
        }
    }

    /// Whether the acknowledged capabilities cover this one; the named one covers both.
    pub fn covered_by<'a>(self, given: impl IntoIterator<Item = &'a str>) -> bool {
        given.into_iter().any(|given| {
            given == Self::NamedIam.as_str() || (self == Self::Iam && given == Self::Iam.as_str())
        })
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One declared resource.
#[derive(Clone, Debug, PartialEq)]
pub struct Resource {
    /// Logical id.
    pub id: String,
    /// Type, such as `AWS::IAM::Role`.
    pub kind: String,
    /// Properties, functions not yet evaluated.
    pub properties: Value,
    /// Name of the condition that must hold for the resource to exist.
    pub condition: Option<String>,
    /// Whether it stays when the stack goes (`DeletionPolicy: Retain`).
    pub retained: bool,
    /// Logical ids that must exist first: `DependsOn` and every reference.
    pub needs: BTreeSet<String>,
}

/// One declared output.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Logical id.
    pub key: String,
    /// Value, functions not yet evaluated.
    pub value: Value,
    /// What it is.
    pub description: Option<String>,
    /// Name of the condition that must hold for the output to exist.
    pub condition: Option<String>,
    /// Name under which other stacks may import it, functions not yet evaluated.
    pub export: Option<Value>,
}

/// A template that is sound in itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// Its description.
    pub description: Option<String>,
    /// Parameters in the order of the text.
    pub parameters: Vec<Parameter>,
    /// Resources in an order in which each comes after what it needs.
    pub resources: Vec<Resource>,
    /// Outputs in the order of the text.
    pub outputs: Vec<Output>,
    pub(super) mappings: Map<String, Value>,
    pub(super) conditions: Map<String, Value>,
    pub(super) rules: Map<String, Value>,
    labels: BTreeMap<String, String>,
}

const SECTIONS: [&str; 9] = [
    "AWSTemplateFormatVersion",
    "Description",
    "Metadata",
    "Parameters",
    "Rules",
    "Mappings",
    "Conditions",
    "Resources",
    "Outputs",
];
const IAM_TYPES: [&str; 8] = [
    "AccessKey",
    "Group",
    "InstanceProfile",
    "ManagedPolicy",
    "Policy",
    "Role",
    "RolePolicy",
    "User",
];
const NAMES: [&str; 5] = [
    "RoleName",
    "ManagedPolicyName",
    "UserName",
    "GroupName",
    "InstanceProfileName",
];

impl Template {
    /// Reads a template's text, YAML or JSON.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let root = yaml::read(text)?;
        let root = root
            .as_object()
            .ok_or_else(|| TemplateError::format("unsupported structure."))?;
        let unknown: Vec<&str> = root
            .keys()
            .map(String::as_str)
            .filter(|key| !SECTIONS.contains(key))
            .collect();
        if !unknown.is_empty() {
            return Err(TemplateError::new(format!(
                "Invalid template property or properties [{}]",
                unknown.join(", ")
            )));
        }
        if root
            .get("AWSTemplateFormatVersion")
            .is_some_and(|version| version != "2010-09-09")
        {
            return Err(TemplateError::format(
                "unsupported value for AWSTemplateFormatVersion.",
            ));
        }
        let empty = Map::new();
        let section = |name: &str| -> Result<&Map<String, Value>, TemplateError> {
            match root.get(name) {
                None | Some(Value::Null) => Ok(&empty),
                Some(Value::Object(map)) => Ok(map),
                Some(_) => Err(TemplateError::format(format!("{name} must be an object."))),
            }
        };
        let template = Self {
            description: root.get("Description").and_then(scalar),
            parameters: section("Parameters")?
                .iter()
                .map(|(name, declared)| Parameter::read(name, declared))
                .collect::<Result<_, _>>()?,
            resources: section("Resources")?
                .iter()
                .map(|(id, declared)| resource(id, declared))
                .collect::<Result<_, _>>()?,
            outputs: section("Outputs")?
                .iter()
                .map(|(key, declared)| output(key, declared))
                .collect::<Result<_, _>>()?,
            mappings: section("Mappings")?.clone(),
            conditions: section("Conditions")?.clone(),
            rules: section("Rules")?.clone(),
            labels: labels(root.get("Metadata")),
        };
        if template.resources.is_empty() {
            return Err(TemplateError::format(
                "At least one Resources member must be defined.",
            ));
        }
        template.check_references()?;
        template.in_order()
    }

    /// The parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// What the console shows above a parameter's field, where the template says so.
    pub fn label(&self, parameter: &str) -> Option<&str> {
        self.labels.get(parameter).map(String::as_str)
    }

    /// The resource of that logical id.
    pub fn resource(&self, id: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.id == id)
    }

    /// What must be acknowledged, computed from the resources; `None` when there is no IAM resource.
    pub fn capability(&self) -> Option<Capability> {
        self.resources
            .iter()
            .filter(|resource| {
                resource
                    .kind
                    .strip_prefix("AWS::IAM::")
                    .is_some_and(|kind| IAM_TYPES.contains(&kind))
            })
            .map(|resource| {
                if NAMES.iter().any(|name| resource.properties.get(name).is_some()) {
                    Capability::NamedIam
                } else {
                    Capability::Iam
                }
            })
            .max()
    }

    /// The types of the resources that need [`Self::capability`], each once.
    pub fn iam_types(&self) -> Vec<&str> {
        let kinds: BTreeSet<&str> = self
            .resources
            .iter()
            .map(|resource| resource.kind.as_str())
            .filter(|kind| kind.starts_with("AWS::IAM::"))
            .collect();
        kinds.into_iter().collect()
    }

    fn check_references(&self) -> Result<(), TemplateError> {
        let parameters: BTreeSet<&str> = self
            .parameters
            .iter()
            .map(|parameter| parameter.name.as_str())
            .collect();
        let resources: BTreeSet<&str> = self
            .resources
            .iter()
            .map(|resource| resource.id.as_str())
            .collect();
        let unresolved = |names: &BTreeSet<String>| -> Vec<String> {
            names
                .iter()
                .filter(|name| !parameters.contains(name.as_str()) && !resources.contains(name.as_str()))
                .cloned()
                .collect()
        };
        let refused = |missing: Vec<String>, block: &str| {
            TemplateError::format(format!(
                "Unresolved resource dependencies [{}] in the {block} block of the template",
                missing.join(", ")
            ))
        };
        for resource in &self.resources {
            let missing = unresolved(&resource.needs);
            if !missing.is_empty() {
                return Err(refused(missing, "Resources"));
            }
            self.check_condition(resource.condition.as_deref())?;
        }
        for output in &self.outputs {
            let missing = unresolved(&refs::names(&output.value));
            if !missing.is_empty() {
                return Err(refused(missing, "Outputs"));
            }
            self.check_condition(output.condition.as_deref())?;
        }
        Ok(())
    }

    fn check_condition(&self, name: Option<&str>) -> Result<(), TemplateError> {
        match name {
            Some(name) if !self.conditions.contains_key(name) => Err(TemplateError::format(format!(
                "Unresolved condition dependency {name} in the Conditions block"
            ))),
            _ => Ok(()),
        }
    }

    /// Sorts the resources so that each comes after what it needs; among equals the order of the text stays.
    fn in_order(mut self) -> Result<Self, TemplateError> {
        let ids: BTreeSet<String> = self
            .resources
            .iter()
            .map(|resource| resource.id.clone())
            .collect();
        for resource in &mut self.resources {
            resource.needs.retain(|name| ids.contains(name));
        }
        let mut waiting = std::mem::take(&mut self.resources);
        let mut done: BTreeSet<String> = BTreeSet::new();
        while !waiting.is_empty() {
            let Some(at) = waiting
                .iter()
                .position(|resource| resource.needs.is_subset(&done))
            else {
                let ids: Vec<String> = waiting.into_iter().map(|resource| resource.id).collect();
                return Err(TemplateError::new(format!(
                    "Circular dependency between resources: [{}]",
                    ids.join(", ")
                )));
            };
            let resource = waiting.remove(at);
            done.insert(resource.id.clone());
            self.resources.push(resource);
        }
        Ok(self)
    }
}

fn resource(id: &str, declared: &Value) -> Result<Resource, TemplateError> {
    if id.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(TemplateError::format(format!(
            "Resource name {id} is non alphanumeric."
        )));
    }
    let kind = declared.get("Type").and_then(Value::as_str).ok_or_else(|| {
        TemplateError::format(format!(
            "[/Resources/{id}] Every Resources object must contain a Type member."
        ))
    })?;
    let properties = match declared.get("Properties") {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(properties @ Value::Object(_)) => properties.clone(),
        Some(_) => {
            return Err(TemplateError::format(format!(
                "[/Resources/{id}/Properties] must be an object."
            )));
        }
    };
    let mut needs = refs::names(&properties);
    match declared.get("DependsOn") {
        Some(Value::String(name)) => {
            needs.insert(name.clone());
        }
        Some(Value::Array(names)) => needs.extend(names.iter().filter_map(Value::as_str).map(str::to_owned)),
        _ => {}
    }
    Ok(Resource {
        id: id.to_owned(),
        kind: kind.to_owned(),
        properties,
        condition: declared
            .get("Condition")
            .and_then(Value::as_str)
            .map(str::to_owned),
        retained: declared
            .get("DeletionPolicy")
            .is_some_and(|policy| policy == "Retain"),
        needs,
    })
}

fn output(key: &str, declared: &Value) -> Result<Output, TemplateError> {
    Ok(Output {
        key: key.to_owned(),
        value: declared.get("Value").cloned().ok_or_else(|| {
            TemplateError::format(format!(
                "[/Outputs/{key}] Every Outputs member must contain a Value object."
            ))
        })?,
        description: declared.get("Description").and_then(scalar),
        condition: declared
            .get("Condition")
            .and_then(Value::as_str)
            .map(str::to_owned),
        export: declared.pointer("/Export/Name").cloned(),
    })
}

fn labels(metadata: Option<&Value>) -> BTreeMap<String, String> {
    metadata
        .and_then(|metadata| metadata.get("AWS::CloudFormation::Interface"))
        .and_then(|interface| interface.get("ParameterLabels"))
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter_map(|(name, label)| Some((name.clone(), scalar(label.get("default")?)?)))
        .collect()
}
