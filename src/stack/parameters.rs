//! From what the admin decided to the parameters of a template.
//!
//! Names of buckets, prefixes and databases become part of an IAM policy, where `*`, `?` and `$` mean something. They
//! are written here so that they stand for themselves: a name can never widen the policy.

use super::cfn::{Pseudo, TemplateError};
use super::template::{Parameters, TemplateKind};
use crate::domain::arn::GlueArns;
use sha2::{Digest, Sha256};

/// The parameters that decide what the stack of a grant grants.
pub const DECIDING: &[&str] = &[
    "RoleName",
    "BucketName",
    "AccessPointArn",
    "Prefix",
    "KmsKeyArn",
    "CatalogKmsKeyArn",
    "DatabaseArns",
    "TableArns",
];

/// What a connection stack is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionInput {
    /// The account that the stack belongs in, 12 digits.
    pub account: String,
    /// The external id.
    pub external_id: String,
    /// ARNs of the principals that may assume the role.
    pub trusted: Vec<String>,
    /// `ArnLike` patterns that narrow a trusted account root; empty for none.
    pub patterns: Vec<String>,
    /// ARN of the principal that may assume the role beside them, to verify.
    pub verifier: Option<String>,
    /// `ArnLike` patterns that narrow the verifier, where it is an account root; empty for none.
    pub verifier_patterns: Vec<String>,
    /// IAM path of the role; `/` when `None`.
    pub role_path: Option<String>,
    /// ARN of the permissions boundary that the account demands.
    pub boundary: Option<String>,
    /// Id of the organization.
    pub organization: String,
    /// Name of the record.
    pub record: String,
}

/// What the stack of a catalog (or of a storage integration) is made from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessInput {
    /// The account that the stack belongs in, 12 digits.
    pub account: String,
    /// Partition of the account, `aws`, `aws-cn` …
    pub partition: String,
    /// Region of the catalog.
    pub region: String,
    /// Name of the connection's role, without its path.
    pub role_name: String,
    /// Bucket of the tables' files; empty where the access goes through an access point.
    pub bucket: String,
    /// ARN of the access point that the access goes through.
    pub access_point: Option<String>,
    /// Prefix in the bucket: empty for all of it, else with a slash at its end.
    pub prefix: String,
    /// Databases that the stack is limited to; empty for the whole catalog.
    pub databases: Vec<String>,
    /// ARN of the KMS key of the bucket.
    pub kms_key: Option<String>,
    /// ARN of the KMS key of the Data Catalog.
    pub catalog_kms_key: Option<String>,
    /// Id of the organization.
    pub organization: String,
    /// Name of the record.
    pub record: String,
}

/// Parameters of `connection.yaml`.
pub fn connection(input: &ConnectionInput) -> Result<Parameters, TemplateError> {
    let mut patterns = input.patterns.clone();
    if !patterns.is_empty() {
        // The condition is one for all principals of the statement: those trusted by name must pass it too. A path may hold
        // what a pattern takes for more than itself.
        let named = input.trusted.iter().filter(|arn| !arn.ends_with(":root"));
        patterns.extend(named.map(|arn| literal(arn)));
    }
    let parameters = collect([
        ("AccountId", input.account.clone()),
        ("ExternalId", input.external_id.clone()),
        (
            "TrustedPrincipals",
            input
                .trusted
                .iter()
                .map(|arn| member(arn))
                .collect::<Vec<_>>()
                .join(","),
        ),
        ("TrustedPrincipalPatterns", patterns.join(",")),
        ("VerifierPrincipal", input.verifier.clone().unwrap_or_default()),
        ("VerifierPrincipalPatterns", input.verifier_patterns.join(",")),
        (
            "RolePath",
            input.role_path.clone().unwrap_or_else(|| "/".to_owned()),
        ),
        (
            "PermissionsBoundaryArn",
            input.boundary.clone().unwrap_or_default(),
        ),
        ("Organization", tag_value(&input.organization)),
        ("Record", tag_value(&input.record)),
    ]);
    checked(TemplateKind::Connection, parameters, &input.account)
}

/// Parameters of the access template of that kind: `glue-readonly.yaml` and its like.
pub fn access(kind: TemplateKind, input: &AccessInput) -> Result<Parameters, TemplateError> {
    policy_charset("the prefix", &input.prefix)?;
    let mut parameters = collect([
        ("AccountId", input.account.clone()),
        ("RoleName", input.role_name.clone()),
        ("BucketName", input.bucket.clone()),
        ("AccessPointArn", input.access_point.clone().unwrap_or_default()),
        ("Prefix", literal(&input.prefix)),
        ("KmsKeyArn", input.kms_key.clone().unwrap_or_default()),
        ("Organization", tag_value(&input.organization)),
        ("Record", tag_value(&input.record)),
    ]);
    if matches!(kind, TemplateKind::GlueReadOnly | TemplateKind::GlueReadWrite) {
        parameters.extend(of_glue(input)?);
    }
    checked(kind, parameters, &input.account)
}

/// What a stack needs to know of Glue.
fn of_glue(input: &AccessInput) -> Result<Parameters, TemplateError> {
    let databases = input
        .databases
        .iter()
        .map(|name| database(name))
        .collect::<Result<Vec<_>, _>>()?;
    let glue = GlueArns::of(&input.partition, &input.region, &input.account);
    let arns = |of: &dyn Fn(&String) -> String| databases.iter().map(of).collect::<Vec<_>>().join(",");
    Ok(collect([
        ("DatabaseArns", arns(&|name| glue.database(name))),
        ("TableArns", arns(&|name| glue.table(name, "*"))),
        (
            "CatalogKmsKeyArn",
            input.catalog_kms_key.clone().unwrap_or_default(),
        ),
    ]))
}

/// `text` as an IAM policy takes it for itself: `*`, `?` and `$` as the policy variables that stand for them.
pub fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '$') {
            out.extend(['$', '{', c, '}']);
        } else {
            out.push(c);
        }
    }
    out
}

/// `text` as the value of a tag. Characters that a tag cannot hold become `-`; 8 hex digits of a hash then keep two
/// names apart that would look alike.
pub fn tag_value(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || " _.:/=+@-".contains(c) {
                c
            } else {
                '-'
            }
        })
        .take(200)
        .collect();
    if kept == text {
        return kept;
    }
    let hash: String = hex::encode(Sha256::digest(text.as_bytes()))
        .chars()
        .take(8)
        .collect();
    format!("{kept}-{hash}")
}

fn collect<const N: usize>(pairs: [(&str, String); N]) -> Parameters {
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// A member of a comma-delimited list.
fn member(text: &str) -> String {
    text.replace(',', "\\,")
}

fn database(name: &str) -> Result<String, TemplateError> {
    if name.contains(',') {
        return Err(TemplateError::new(format!(
            "The database name {name} holds a comma, and the list of databases of a stack is separated by commas. \
             Leave the list empty to name the whole catalog."
        )));
    }
    policy_charset("a database name", name)?;
    Ok(literal(name))
}

/// IAM takes U+0009, U+000A, U+000D and U+0020 to U+00FF in a policy.
fn policy_charset(what: &str, text: &str) -> Result<(), TemplateError> {
    match text.chars().find(|c| !matches!(c, '\u{20}'..='\u{FF}')) {
        None => Ok(()),
        Some(c) => Err(TemplateError::new(format!(
            "IAM takes no character beyond U+00FF in a policy, and {what} holds {} (U+{:04X}). Name something \
             above it, such as the folder that contains it or the whole bucket or catalog.",
            if c.is_control() { ' ' } else { c },
            u32::from(c)
        ))),
    }
}

/// Lets the template check the values as CloudFormation will: a link or a deployment with values that the template
/// refuses is never handed out.
fn checked(kind: TemplateKind, parameters: Parameters, account: &str) -> Result<Parameters, TemplateError> {
    let pseudo = Pseudo {
        account_id: account.to_owned(),
        ..Pseudo::default()
    };
    kind.template()?.bind(&parameters, pseudo)?;
    Ok(parameters)
}
