//! The policies of a role, as they are written down.

use super::super::failure::Cause;
use super::Iam;
use super::answers::{GetPolicy, GetPolicyVersion, GetRolePolicy, ListAttached};
use crate::domain::arn::RoleArn;
use crate::domain::problem::Problem;
use crate::domain::text::scrub;
use percent_encoding::percent_decode_str;
use serde_json::Value;

impl Iam {
    /// An inline policy of a role.
    ///
    /// # Errors
    /// Whatever IAM answers: a missing `iam:GetRolePolicy` is a denial, a policy of another name is not found.
    pub async fn role_policy(&self, role: &RoleArn, name: &str) -> Result<Value, Problem> {
        let form = [
            ("RoleName", role.role_name().to_owned()),
            ("PolicyName", name.to_owned()),
        ];
        let asked = self.ask("iam:GetRolePolicy", role.as_str(), "GetRolePolicy", &form);
        let answer: GetRolePolicy = asked.await?;
        self.document("iam:GetRolePolicy", role.as_str(), &answer.result.document)
    }

    /// The ARN of the managed policy of that name that is attached to a role; a role takes at most twenty, which come
    /// on one page.
    ///
    /// # Errors
    /// Whatever IAM answers: a missing `iam:ListAttachedRolePolicies` is a denial.
    pub async fn attached(&self, role: &RoleArn, name: &str) -> Result<Option<String>, Problem> {
        let form = [("RoleName", role.role_name().to_owned())];
        let operation = "ListAttachedRolePolicies";
        let asked = self.ask("iam:ListAttachedRolePolicies", role.as_str(), operation, &form);
        let answer: ListAttached = asked.await?;
        let mut attached = answer.result.attached.members.into_iter();
        let found = attached.find(|policy| scrub(&policy.policy_name) == name);
        Ok(found.map(|policy| scrub(&policy.policy_arn)))
    }

    /// A managed policy, in its default version.
    ///
    /// # Errors
    /// Whatever IAM answers: a missing `iam:GetPolicy` or `iam:GetPolicyVersion` is a denial.
    pub async fn managed_policy(&self, arn: &str) -> Result<Value, Problem> {
        let mut form = vec![("PolicyArn", arn.to_owned())];
        let policy: GetPolicy = self.ask("iam:GetPolicy", arn, "GetPolicy", &form).await?;
        form.push(("VersionId", policy.result.policy.default_version_id));
        let asked = self.ask("iam:GetPolicyVersion", arn, "GetPolicyVersion", &form);
        let version: GetPolicyVersion = asked.await?;
        self.document("iam:GetPolicyVersion", arn, &version.result.version.document)
    }

    /// A document as IAM gives it: JSON, written as in an address. What cannot be read is not a policy that says nothing: a
    /// mend made from it would take away what is there.
    pub(super) fn document(&self, action: &'static str, name: &str, written: &str) -> Result<Value, Problem> {
        let text = percent_decode_str(written).decode_utf8().ok();
        let read = text.and_then(|text| serde_json::from_str(&text).ok());
        read.filter(Value::is_object).ok_or_else(|| {
            let what = if action == "iam:GetRole" {
                "trust policy"
            } else {
                "policy"
            };
            let cause = Cause::Strange(format!("the {what} is no JSON object"));
            self.sender.aws().told(&self.call(action, name), cause, None)
        })
    }
}
