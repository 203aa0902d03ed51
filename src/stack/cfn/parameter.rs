//! A template's parameter: declared, and checked against a value.

use super::{TemplateError, pattern};
use serde_json::Value;

/// The types of parameters that are known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `String`.
    String,
    /// `Number`; kept as the text that was given, as CloudFormation does.
    Number,
    /// `CommaDelimitedList`.
    CommaDelimitedList,
    /// `List<Number>`.
    NumberList,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        match name {
            "String" => Some(Self::String),
            "Number" => Some(Self::Number),
            "CommaDelimitedList" => Some(Self::CommaDelimitedList),
            "List<Number>" => Some(Self::NumberList),
            _ => None,
        }
    }

    /// The name as templates write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::String => "String",
            Self::Number => "Number",
            Self::CommaDelimitedList => "CommaDelimitedList",
            Self::NumberList => "List<Number>",
        }
    }

    fn is_list(self) -> bool {
        matches!(self, Self::CommaDelimitedList | Self::NumberList)
    }
}

/// One declared parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Logical name.
    pub name: String,
    /// Type.
    pub kind: Kind,
    /// What it is for.
    pub description: Option<String>,
    /// Value when none is given.
    pub default: Option<String>,
    /// Whether the value is masked wherever it would be shown. A quick-create link cannot fill such a parameter in.
    pub no_echo: bool,
    /// The only values there are, when not empty.
    pub allowed_values: Vec<String>,
    /// Regular expression that the whole value, or each member of a list, must match.
    pub allowed_pattern: Option<String>,
    /// What to say instead of the bare rule.
    pub constraint: Option<String>,
    /// Smallest length in characters.
    pub min_length: Option<usize>,
    /// Largest length in characters.
    pub max_length: Option<usize>,
    /// Smallest number.
    pub min_value: Option<i64>,
    /// Largest number.
    pub max_value: Option<i64>,
}

impl Parameter {
    pub(super) fn read(name: &str, declared: &Value) -> Result<Self, TemplateError> {
        let text = |key: &str| declared.get(key).and_then(scalar);
        let whole = |key: &str| -> Result<Option<i64>, TemplateError> {
            text(key)
                .map(|given| {
                    given.parse().map_err(|_| {
                        TemplateError::format(format!("{key} of parameter {name} must be a whole number"))
                    })
                })
                .transpose()
        };
        if name.is_empty() || name.len() > 255 || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(TemplateError::format(format!(
                "Parameter name {name} is non alphanumeric."
            )));
        }
        let kind = text("Type").ok_or_else(|| {
            TemplateError::format(format!(
                "Every Parameters object must contain a Type member: {name}."
            ))
        })?;
        let kind = Kind::named(&kind)
            .ok_or_else(|| TemplateError::format(format!("Unrecognized parameter type: {kind}")))?;
        let length = |key| Ok(whole(key)?.and_then(|length| usize::try_from(length).ok()));
        Ok(Self {
            name: name.to_owned(),
            kind,
            description: text("Description"),
            default: text("Default"),
            no_echo: text("NoEcho").is_some_and(|flag| flag == "true"),
            allowed_values: declared
                .get("AllowedValues")
                .and_then(Value::as_array)
                .map(|values| values.iter().filter_map(scalar).collect())
                .unwrap_or_default(),
            allowed_pattern: text("AllowedPattern"),
            constraint: text("ConstraintDescription"),
            min_length: length("MinLength")?,
            max_length: length("MaxLength")?,
            min_value: whole("MinValue")?,
            max_value: whole("MaxValue")?,
        })
    }

    /// Checks a value and turns it into what `Ref` of this parameter yields: a text, or a list of texts.
    pub fn accept(&self, given: &str) -> Result<Value, TemplateError> {
        if given.len() > 4096 {
            return Err(TemplateError::new(format!(
                "1 validation error detected: the value of parameter {} is longer than 4096 bytes",
                self.name
            )));
        }
        let members = if self.kind.is_list() {
            split(given)
        } else {
            vec![given.to_owned()]
        };
        for member in &members {
            self.check(member)?;
        }
        Ok(if self.kind.is_list() {
            Value::from(members)
        } else {
            Value::from(given)
        })
    }

    fn check(&self, member: &str) -> Result<(), TemplateError> {
        let length = member.chars().count();
        if matches!(self.kind, Kind::Number | Kind::NumberList) {
            let number: f64 = member
                .trim()
                .parse()
                .map_err(|_| self.refused(format!("Parameter '{}' must be a number.", self.name)))?;
            #[expect(
                clippy::cast_precision_loss,
                reason = "limits of a template are small numbers"
            )]
            let outside = self.min_value.is_some_and(|min| number < min as f64)
                || self.max_value.is_some_and(|max| number > max as f64);
            if outside {
                let (min, max) = (
                    self.min_value.unwrap_or(i64::MIN),
                    self.max_value.unwrap_or(i64::MAX),
                );
                return Err(self.refused(format!(
                    "Parameter '{}' must be a number between {min} and {max}.",
                    self.name
                )));
            }
        }
        if let Some(min) = self.min_length.filter(|min| length < *min) {
            return Err(self.refused(format!(
                "Parameter '{}' must contain at least {min} characters.",
                self.name
            )));
        }
        if let Some(max) = self.max_length.filter(|max| length > *max) {
            return Err(self.refused(format!(
                "Parameter '{}' must contain at most {max} characters.",
                self.name
            )));
        }
        if !self.allowed_values.is_empty() && !self.allowed_values.iter().any(|allowed| allowed == member) {
            return Err(self.refused(format!("Parameter '{}' must be one of AllowedValues", self.name)));
        }
        if let Some(pattern) = &self.allowed_pattern
            && !pattern::matches(pattern, member)?
        {
            return Err(self.refused(format!("Parameter '{}' must match pattern {pattern}", self.name)));
        }
        Ok(())
    }

    fn refused(&self, bare: String) -> TemplateError {
        TemplateError::new(match &self.constraint {
            Some(constraint) => format!(
                "Parameter {} failed to satisfy constraint: {constraint}",
                self.name
            ),
            None => bare,
        })
    }
}

/// The members of a comma-delimited list, without the blanks around them. A comma inside a member is written `\,`.
fn split(given: &str) -> Vec<String> {
    let mut members = vec![String::new()];
    let mut chars = given.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&',') => {
                chars.next();
                if let Some(last) = members.last_mut() {
                    last.push(',');
                }
            }
            ',' => members.push(String::new()),
            c => {
                if let Some(last) = members.last_mut() {
                    last.push(c);
                }
            }
        }
    }
    members.iter().map(|member| member.trim().to_owned()).collect()
}

/// A scalar as text.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}
