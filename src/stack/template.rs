//! The templates themselves: five static files, compiled in, the same bytes that are shown, saved and published.

use super::cfn::{Capability, Pseudo, Resources, Template, TemplateError};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Values for a template's parameters, by name.
pub type Parameters = BTreeMap<String, String>;

/// What one role takes of inline policies, all of them together, in characters without white space.
pub const INLINE_POLICY_LIMIT: usize = 10_240;

/// One of the templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TemplateKind {
    /// The role of a Cloud Connection.
    Connection,
    /// Read-only rights on a catalog and its files.
    GlueReadOnly,
    /// Read and write rights on a catalog and its files.
    GlueReadWrite,
    /// Read-only rights on a bucket or prefix.
    StorageReadOnly,
    /// Read and write rights on a bucket or prefix.
    StorageReadWrite,
}

impl TemplateKind {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Connection,
        Self::GlueReadOnly,
        Self::GlueReadWrite,
        Self::StorageReadOnly,
        Self::StorageReadWrite,
    ];

    /// The text, byte for byte what `templates/` holds.
    pub fn text(self) -> &'static str {
        match self {
            Self::Connection => include_str!("../../templates/connection.yaml"),
            Self::GlueReadOnly => include_str!("../../templates/glue-readonly.yaml"),
            Self::GlueReadWrite => include_str!("../../templates/glue-readwrite.yaml"),
            Self::StorageReadOnly => include_str!("../../templates/storage-readonly.yaml"),
            Self::StorageReadWrite => include_str!("../../templates/storage-readwrite.yaml"),
        }
    }

    /// Name of the file that `template save` writes.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Connection => "connection.yaml",
            Self::GlueReadOnly => "glue-readonly.yaml",
            Self::GlueReadWrite => "glue-readwrite.yaml",
            Self::StorageReadOnly => "storage-readonly.yaml",
            Self::StorageReadWrite => "storage-readwrite.yaml",
        }
    }

    /// SHA-256 of the text, in hex.
    pub fn sha256(self) -> String {
        hex::encode(Sha256::digest(self.text().as_bytes()))
    }

    /// Key under which the template is put into a bucket. It holds the text's hash: another version gets another
    /// key, and a link that was handed out keeps its meaning.
    pub fn object_key(self) -> String {
        let hash: String = self.sha256().chars().take(16).collect();
        format!("glueup/{hash}/{}", self.file_name())
    }

    /// The template, parsed.
    pub fn template(self) -> Result<Template, TemplateError> {
        Template::parse(self.text())
    }

    /// What must be acknowledged before a stack of it may be made, computed from its resources.
    pub fn capability(self) -> Result<Option<Capability>, TemplateError> {
        Ok(self.template()?.capability())
    }
}

/// The inline policies that a stack of `kind` puts on the role, as the documents that IAM will get. Checks the
/// parameters as CloudFormation will; a connection stack has none.
pub fn inline_policies(
    kind: TemplateKind,
    parameters: &Parameters,
    pseudo: Pseudo,
) -> Result<Vec<Value>, TemplateError> {
    let template = kind.template()?;
    let bound = template.bind(parameters, pseudo)?;
    let none = Resources::new();
    let mut documents = Vec::new();
    for resource in &template.resources {
        if resource.kind == "AWS::IAM::Policy"
            && bound.holds(resource.condition.as_deref())
            && let Some(document) = resource.properties.get("PolicyDocument")
        {
            documents.extend(bound.evaluate(document, &none)?);
        }
    }
    Ok(documents)
}

/// Size of a policy as IAM counts it against [`INLINE_POLICY_LIMIT`]: characters, white space left out.
pub fn policy_size(document: &Value) -> usize {
    document
        .to_string()
        .chars()
        .filter(|c| !c.is_whitespace())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_is_sound_fits_a_request_and_needs_the_plain_capability() {
        for kind in TemplateKind::ALL {
            assert!(kind.text().len() <= super::super::cfn::MAX_BODY_BYTES);
            assert!(
                kind.template()
                    .unwrap()
                    .parameters
                    .iter()
                    .all(|parameter| !parameter.no_echo)
            );
            assert_eq!(kind.capability().unwrap(), Some(Capability::Iam), "{kind:?}");
        }
    }

    #[test]
    fn another_text_would_get_another_key() {
        let keys: std::collections::BTreeSet<String> =
            TemplateKind::ALL.iter().map(|kind| kind.object_key()).collect();
        assert_eq!(keys.len(), TemplateKind::ALL.len());
        let key = TemplateKind::Connection.object_key();
        assert!(
            key.starts_with("glueup/") && key.ends_with("/connection.yaml"),
            "{key}"
        );
        assert!(key.contains(&TemplateKind::Connection.sha256()[..16]));
    }

    #[test]
    fn the_read_only_template_names_no_action_that_changes_anything() {
        for line in TemplateKind::GlueReadOnly.text().lines().map(str::trim) {
            let action = line.trim_start_matches("- ").trim_start_matches("Action: ");
            let Some((service, verb)) = action.split_once(':') else {
                continue;
            };
            if matches!(service, "glue" | "s3" | "kms")
                && !verb.starts_with([' ', '*'])
                && !verb.contains(' ')
            {
                assert!(
                    ["Get", "BatchGet", "List", "Decrypt"]
                        .iter()
                        .any(|read| verb.starts_with(read))
                        || matches!(action, "s3:prefix:" | "kms:ViaService:"),
                    "{line}"
                );
            }
        }
    }
}
