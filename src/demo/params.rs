//! Parameters of the query protocol: `Capabilities.member.1=…`, `Parameters.member.1.ParameterKey=…`.

use super::error::AwsError;
use std::collections::BTreeMap;

/// The parameters of one request, or of one member of a list of structures.
#[derive(Clone, Debug, Default)]
pub struct Params(BTreeMap<String, String>);

impl Params {
    /// Reads `application/x-www-form-urlencoded` text; of a repeated name the last value counts.
    pub fn parse(form: &[u8]) -> Self {
        Self(form_urlencoded::parse(form).into_owned().collect())
    }

    /// Adds the pairs of another text, which win.
    pub fn extend(&mut self, form: &[u8]) {
        self.0.extend(form_urlencoded::parse(form).into_owned());
    }

    /// The value of `name`; an empty value is a value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of `name`, or AWS's words for a missing one.
    pub fn require(&self, name: &str) -> Result<&str, AwsError> {
        self.get(name).filter(|value| !value.is_empty()).ok_or_else(|| {
            let lower = lower_first(name);
            AwsError::validation(format!(
                "1 validation error detected: Value null at '{lower}' failed to satisfy constraint: Member must \
                 not be null"
            ))
        })
    }

    /// The value of `name` as a number.
    pub fn number(&self, name: &str) -> Result<Option<i64>, AwsError> {
        self.get(name)
            .map(|text| {
                text.trim().parse().map_err(|_| {
                    AwsError::new(
                        400,
                        "MalformedInput",
                        format!("{name}: {text} is not a whole number"),
                    )
                })
            })
            .transpose()
    }

    /// The value of `name` as a boolean; absent is false.
    pub fn flag(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|text| text.eq_ignore_ascii_case("true"))
    }

    /// The name of the operation.
    pub fn action(&self) -> &str {
        self.get("Action").unwrap_or_default()
    }

    /// A list of strings, in the order of its numbers: `name.member.1`, `name.member.2` …
    pub fn list(&self, name: &str) -> Vec<String> {
        self.members(name)
            .into_values()
            .filter_map(|member| member.get("").map(str::to_owned))
            .collect()
    }

    /// A list of structures, in the order of its numbers; each member has its fields' names without the front part.
    pub fn structs(&self, name: &str) -> Vec<Params> {
        self.members(name).into_values().collect()
    }

    /// Whether a list was sent at all. boto3 writes an empty list as `name=`.
    pub fn has_list(&self, name: &str) -> bool {
        self.0.contains_key(name) || !self.members(name).is_empty()
    }

    fn members(&self, name: &str) -> BTreeMap<u32, Params> {
        let front = format!("{name}.member.");
        let mut members: BTreeMap<u32, Params> = BTreeMap::new();
        for (key, value) in self.0.range(front.clone()..) {
            let Some(rest) = key.strip_prefix(&front) else {
                break;
            };
            let (number, field) = rest.split_once('.').unwrap_or((rest, ""));
            if let Ok(number) = number.parse() {
                members
                    .entry(number)
                    .or_default()
                    .0
                    .insert(field.to_owned(), value.clone());
            }
        }
        members
    }
}

fn lower_first(name: &str) -> String {
    let mut chars = name.chars();
    chars
        .next()
        .map(|first| first.to_lowercase().chain(chars).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_keep_the_order_of_their_numbers() {
        let form = (1..=11)
            .map(|n| format!("Capabilities.member.{n}=c{n}"))
            .collect::<Vec<_>>()
            .join("&");
        let params = Params::parse(form.as_bytes());
        let list = params.list("Capabilities");
        assert_eq!(list.len(), 11);
        assert_eq!(list[1], "c2");
        assert_eq!(list[10], "c11");
    }

    #[test]
    fn structures_have_their_fields() {
        let params = Params::parse(
            b"Parameters.member.2.ParameterKey=B&Parameters.member.1.ParameterKey=A&Parameters.member.1.ParameterValue=a+b%2B",
        );
        let all = params.structs("Parameters");
        assert_eq!(all[0].get("ParameterKey"), Some("A"));
        assert_eq!(all[0].get("ParameterValue"), Some("a b+"));
        assert_eq!(all[1].get("ParameterKey"), Some("B"));
        assert!(params.list("Capabilities").is_empty());
    }
}
