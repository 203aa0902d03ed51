//! IAM's XML.

use super::{Decision, Simulated, Source, SourceKind};
use crate::domain::text::scrub;
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Refusal {
    #[serde(rename = "Error")]
    pub(super) error: RefusalError,
    #[serde(rename = "RequestId")]
    pub(super) request_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct RefusalError {
    pub(super) code: String,
    pub(super) message: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct GetRole {
    #[serde(rename = "GetRoleResult")]
    pub(super) result: GetRoleResult,
}

#[derive(Deserialize)]
pub(super) struct GetRoleResult {
    #[serde(rename = "Role")]
    pub(super) role: RoleXml,
}

#[derive(Deserialize)]
pub(super) struct RoleXml {
    #[serde(rename = "Arn")]
    pub(super) arn: String,
    /// JSON, written as in an address.
    #[serde(rename = "AssumeRolePolicyDocument")]
    pub(super) trust: String,
}

#[derive(Deserialize)]
pub(super) struct GetRolePolicy {
    #[serde(rename = "GetRolePolicyResult")]
    pub(super) result: DocumentXml,
}

#[derive(Deserialize)]
pub(super) struct DocumentXml {
    /// JSON, written as in an address.
    #[serde(rename = "PolicyDocument", alias = "Document")]
    pub(super) document: String,
}

#[derive(Deserialize)]
pub(super) struct GetPolicy {
    #[serde(rename = "GetPolicyResult")]
    pub(super) result: GetPolicyResult,
}

#[derive(Deserialize)]
pub(super) struct GetPolicyResult {
    #[serde(rename = "Policy")]
    pub(super) policy: PolicyXml,
}

#[derive(Deserialize)]
pub(super) struct PolicyXml {
    #[serde(rename = "DefaultVersionId")]
    pub(super) default_version_id: String,
}

#[derive(Deserialize)]
pub(super) struct GetPolicyVersion {
    #[serde(rename = "GetPolicyVersionResult")]
    pub(super) result: GetPolicyVersionResult,
}

#[derive(Deserialize)]
pub(super) struct GetPolicyVersionResult {
    #[serde(rename = "PolicyVersion")]
    pub(super) version: DocumentXml,
}

#[derive(Deserialize)]
pub(super) struct ListAttached {
    #[serde(rename = "ListAttachedRolePoliciesResult")]
    pub(super) result: AttachedResult,
}

#[derive(Deserialize)]
pub(super) struct AttachedResult {
    #[serde(rename = "AttachedPolicies", default)]
    pub(super) attached: List<AttachedXml>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct AttachedXml {
    pub(super) policy_name: String,
    pub(super) policy_arn: String,
}

#[derive(Deserialize)]
pub(super) struct Simulate {
    #[serde(rename = "SimulatePrincipalPolicyResult")]
    pub(super) result: SimulateResult,
}

#[derive(Deserialize)]
pub(super) struct SimulateResult {
    #[serde(rename = "EvaluationResults")]
    pub(super) results: List<EvaluationResult>,
    #[serde(rename = "IsTruncated", default)]
    pub(super) truncated: bool,
    #[serde(rename = "Marker")]
    pub(super) marker: Option<String>,
}

/// A list of the query protocol; without members it may be missing altogether.
#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub(super) struct List<T> {
    #[serde(rename = "member", default = "Vec::new")]
    pub(super) members: Vec<T>,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self { members: Vec::new() }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct EvaluationResult {
    eval_action_name: String,
    eval_resource_name: Option<String>,
    eval_decision: String,
    #[serde(default)]
    matched_statements: List<Matched>,
    #[serde(default)]
    missing_context_values: List<String>,
    #[serde(default)]
    resource_specific_results: List<Specific>,
    permissions_boundary_decision_detail: Option<ByBoundary>,
    organizations_decision_detail: Option<ByOrganization>,
}

/// The same for the resource that was named: where one is, the missing keys stand here.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Specific {
    #[serde(default)]
    missing_context_values: List<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Matched {
    source_policy_id: Option<String>,
    source_policy_type: Option<String>,
}

impl Matched {
    /// Its policy, if it tells it. The sorts are those of `PolicySourceType`; but what IAM has been seen to answer is
    /// `IAM Policy` for all of them, and for an inline one an id with its owner in front: `role_NAME_POLICY`.
    fn source(self, owner: &Owner) -> Option<Source> {
        let name = scrub(&self.source_policy_id?);
        if let Some(own) = name.strip_prefix(owner.front()) {
            return Some(Source {
                name: own.to_owned(),
                kind: SourceKind::Inline,
            });
        }
        Some(Source {
            name,
            kind: match self.source_policy_type.as_deref() {
                Some("role" | "user") => SourceKind::Inline,
                Some("user-managed" | "aws-managed") => SourceKind::Managed,
                _ => SourceKind::Other,
            },
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ByBoundary {
    #[serde(default)]
    allowed_by_permissions_boundary: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ByOrganization {
    #[serde(default)]
    allowed_by_organizations: bool,
}

/// Whose policies are simulated: `role` or `user`, and its name.
pub(super) struct Owner(String);

impl Owner {
    /// Of an ARN, such as `arn:aws:iam::012345678901:role/path/NAME`.
    pub(super) fn of(arn: &str) -> Self {
        let path = arn.splitn(6, ':').nth(5).unwrap_or_default();
        let sort = path.split('/').next().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default();
        Self(format!("{sort}_{name}_"))
    }

    fn front(&self) -> &str {
        &self.0
    }
}

impl EvaluationResult {
    pub(super) fn read(self, owner: &Owner) -> Simulated {
        let result = self;
        let missing = result.missing_context_values.members.into_iter().chain(
            result
                .resource_specific_results
                .members
                .into_iter()
                .flat_map(|specific| specific.missing_context_values.members),
        );
        let mut missing: Vec<String> = missing.map(|key| scrub(&key)).collect();
        missing.sort();
        missing.dedup();
        let named = result.matched_statements.members.into_iter();
        let mut sources: Vec<Source> = named.filter_map(|matched| matched.source(owner)).collect();
        sources.dedup();
        let boundary = result.permissions_boundary_decision_detail;
        let organization = result.organizations_decision_detail;
        let decision = match result.eval_decision.as_str() {
            "allowed" => Decision::Allowed,
            "explicitDeny" => Decision::ExplicitDeny,
            _ => Decision::ImplicitDeny,
        };
        Simulated {
            action: result.eval_action_name,
            resource: result.eval_resource_name.unwrap_or_default(),
            decision,
            sources,
            missing,
            by_boundary: boundary.is_some_and(|detail| !detail.allowed_by_permissions_boundary),
            by_organization: organization.is_some_and(|detail| !detail.allowed_by_organizations),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_the_simulator_is_read() {
        let text = "<SimulatePrincipalPolicyResponse xmlns=\"https://iam.amazonaws.com/doc/2010-05-08/\">\
            <SimulatePrincipalPolicyResult><IsTruncated>true</IsTruncated><Marker>m</Marker><EvaluationResults>\
            <member><MatchedStatements/><MissingContextValues/>\
            <EvalActionName>s3:ListBucket</EvalActionName><EvalDecision>implicitDeny</EvalDecision>\
            <EvalResourceName>arn:aws:s3:::a&amp;b</EvalResourceName>\
            <ResourceSpecificResults><member><EvalResourceName>x</EvalResourceName>\
            <EvalResourceDecision>implicitDeny</EvalResourceDecision>\
            <MissingContextValues><member>s3:prefix</member></MissingContextValues></member></ResourceSpecificResults>\
            <PermissionsBoundaryDecisionDetail><AllowedByPermissionsBoundary>false</AllowedByPermissionsBoundary>\
            </PermissionsBoundaryDecisionDetail></member>\
            <member><MatchedStatements><member><SourcePolicyId>own</SourcePolicyId>\
            <SourcePolicyType>role</SourcePolicyType><StartPosition><Column>1</Column><Line>2</Line></StartPosition>\
            </member></MatchedStatements><EvalActionName>s3:GetObject</EvalActionName>\
            <EvalDecision>allowed</EvalDecision><EvalResourceName>*</EvalResourceName></member>\
            <member><MatchedStatements><member><SourcePolicyId>role_lake_own_too</SourcePolicyId>\
            <SourcePolicyType>IAM Policy</SourcePolicyType></member><member><SourcePolicyId>Admin</SourcePolicyId>\
            <SourcePolicyType>IAM Policy</SourcePolicyType></member></MatchedStatements>\
            <EvalActionName>s3:GetObject</EvalActionName><EvalDecision>allowed</EvalDecision>\
            <EvalResourceName>*</EvalResourceName></member>\
            </EvaluationResults></SimulatePrincipalPolicyResult></SimulatePrincipalPolicyResponse>";
        let read: Simulate = quick_xml::de::from_str(text).unwrap();
        assert!(read.result.truncated && read.result.marker.as_deref() == Some("m"));
        let found: Vec<Simulated> = read
            .result
            .results
            .members
            .into_iter()
            .map(|result| result.read(&Owner::of("arn:aws:iam::012345678901:role/some/path/lake")))
            .collect();
        assert_eq!(found.len(), 3);
        assert_eq!(
            (found[0].decision, found[0].resource.as_str()),
            (Decision::ImplicitDeny, "arn:aws:s3:::a&b")
        );
        assert_eq!(
            (found[0].missing.as_slice(), found[0].by_boundary),
            (&["s3:prefix".to_owned()][..], true)
        );
        let named = |name: &str, kind| {
            [Source {
                name: name.to_owned(),
                kind,
            }]
        };
        assert_eq!(
            (found[1].decision, found[1].sources.as_slice()),
            (Decision::Allowed, &named("own", SourceKind::Inline)[..])
        );
        assert_eq!(
            found[2].sources,
            [
                named("own_too", SourceKind::Inline),
                named("Admin", SourceKind::Other)
            ]
            .concat()
        );
    }
}
