//! IAM: what a role's trust policy says, and what its policies would allow. Nothing here changes anything.
//!
//! A few calls of the query protocol do not pay for a client of the SDK: they are signed and sent as the Iceberg REST
//! requests are, and their XML is read here. See <https://docs.aws.amazon.com/IAM/latest/APIReference/>.

mod answers;
mod policies;

use super::aws::Aws;
use super::failure::{Call, Cause};
use super::signed::{Answer, Outgoing, Sender};
use crate::domain::arn::RoleArn;
use crate::domain::problem::Problem;
use crate::domain::region::Partition;
use crate::domain::text::scrub;
use answers::{GetRole, Owner, Refusal, Simulate};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Display;

/// The version of the API.
const VERSION: &str = "2010-05-08";
/// Results on one page: as many as IAM gives.
const PAGE: &str = "1000";
/// Pages that are read at most; a simulation of ours fits on one.
const PAGES: usize = 20;

/// IAM of one partition, seen by one caller.
#[derive(Debug, Clone)]
pub struct Iam {
    sender: Sender,
    partition: Partition,
}

/// A role, as far as it is of interest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Role {
    /// Its ARN, with its path.
    pub arn: String,
    /// Its trust policy.
    pub trust: Value,
}

/// A question to the policy simulator: each of the actions on each of the resources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Question {
    /// Such as `glue:GetTables`.
    pub actions: Vec<&'static str>,
    /// ARNs.
    pub resources: Vec<String>,
    /// Condition keys of the request and their values.
    pub context: Vec<(&'static str, String)>,
}

/// What the simulator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// It would be allowed.
    Allowed,
    /// A policy denies it.
    ExplicitDeny,
    /// No policy allows it.
    ImplicitDeny,
}

/// What sort of policy decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourceKind {
    /// An inline policy of the role or user itself.
    Inline,
    /// A managed policy, of the account or of AWS.
    Managed,
    /// IAM does not say.
    Other,
}

/// A policy that decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub kind: SourceKind,
}

/// The answer for one action on one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulated {
    /// The action.
    pub action: String,
    /// The resource.
    pub resource: String,
    /// The decision.
    pub decision: Decision,
    /// The policies whose statements decided; empty where none did.
    pub sources: Vec<Source>,
    /// Condition keys that the policies ask for and the question did not have.
    pub missing: Vec<String>,
    /// True where the role's permissions boundary is what keeps it from being allowed.
    pub by_boundary: bool,
    /// True where a policy of the AWS organization is what keeps it from being allowed.
    pub by_organization: bool,
}

/// What keeps something from being allowed, as far as the simulator tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// A policy of the AWS organization.
    Organization,
    /// The principal's permissions boundary.
    Boundary,
    /// A statement that denies it.
    Denied,
    /// No policy of the principal allows it.
    Lacking,
}

impl Simulated {
    /// What keeps it from being allowed. Of several, the one that no policy of the principal can mend.
    pub fn obstacle(&self) -> Obstacle {
        if self.by_organization {
            Obstacle::Organization
        } else if self.by_boundary {
            Obstacle::Boundary
        } else if self.decision == Decision::ExplicitDeny {
            Obstacle::Denied
        } else {
            Obstacle::Lacking
        }
    }
}

impl Iam {
    pub(super) fn new(aws: Aws, partition: Partition) -> Self {
        Self {
            sender: Sender::new(aws),
            partition,
        }
    }

    /// A role of the caller's account: IAM looks at no other.
    ///
    /// # Errors
    /// Whatever IAM answers: a missing `iam:GetRole` is a denial.
    pub async fn role(&self, role: &RoleArn) -> Result<Role, Problem> {
        let (action, name) = ("iam:GetRole", role.as_str());
        let form = [("RoleName", role.role_name().to_owned())];
        let answer: GetRole = self.ask(action, name, "GetRole", &form).await?;
        let role = answer.result.role;
        Ok(Role {
            arn: scrub(&role.arn),
            trust: self.document(action, name, &role.trust)?,
        })
    }

    /// What the own policies of a role or a user, its boundary and its organization would say. No trust policy and no policy of a
    /// resource takes part.
    ///
    /// # Errors
    /// Whatever IAM answers: a missing `iam:SimulatePrincipalPolicy` is a denial.
    pub async fn simulate(
        &self,
        principal: &(impl Display + Sync),
        question: &Question,
    ) -> Result<Vec<Simulated>, Problem> {
        let mut form = vec![
            ("PolicySourceArn".to_owned(), principal.to_string()),
            ("MaxItems".to_owned(), PAGE.to_owned()),
        ];
        let numbered = |name: &str, at: usize| format!("{name}.member.{}", at + 1);
        for (at, action) in question.actions.iter().enumerate() {
            form.push((numbered("ActionNames", at), (*action).to_owned()));
        }
        for (at, resource) in question.resources.iter().enumerate() {
            form.push((numbered("ResourceArns", at), resource.clone()));
        }
        // Whoever asks AWS does so by TLS: a statement that denies the rest, as many policies have it, decides nothing then.
        let by_tls = ("aws:SecureTransport", "true", "boolean");
        let known = question
            .context
            .iter()
            .map(|(key, value)| (*key, value.as_str(), "string"));
        for (at, (key, value, sort)) in known.chain([by_tls]).enumerate() {
            let entry = numbered("ContextEntries", at);
            form.push((format!("{entry}.ContextKeyName"), key.to_owned()));
            form.push((format!("{entry}.ContextKeyValues.member.1"), value.to_owned()));
            form.push((format!("{entry}.ContextKeyType"), sort.to_owned()));
        }
        let owner = Owner::of(&principal.to_string());
        let mut found = Vec::new();
        for _ in 0..PAGES {
            let page: Simulate = self
                .ask(
                    "iam:SimulatePrincipalPolicy",
                    &principal.to_string(),
                    "SimulatePrincipalPolicy",
                    &form,
                )
                .await?;
            let results = page.result.results.members.into_iter();
            found.extend(results.map(|result| result.read(&owner)));
            let Some(marker) = page.result.marker.filter(|_| page.result.truncated) else {
                break;
            };
            form.retain(|(name, _)| name != "Marker");
            form.push(("Marker".to_owned(), marker));
        }
        Ok(found)
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        action: &'static str,
        resource: &str,
        operation: &str,
        form: &[(impl AsRef<str>, String)],
    ) -> Result<T, Problem> {
        let body = form_urlencoded::Serializer::new(String::new())
            .append_pair("Action", operation)
            .append_pair("Version", VERSION)
            .extend_pairs(form.iter().map(|(name, value)| (name.as_ref(), value)))
            .finish();
        let base = self.sender.aws().endpoint("IAM");
        let base = base.unwrap_or_else(|| format!("https://{}", self.partition.iam_host()));
        let outgoing = Outgoing {
            method: "POST",
            url: &format!("{}/", base.trim_end_matches('/')),
            headers: &[("content-type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: &body,
            service: "iam",
            region: self.partition.iam_region(),
        };
        let call = self.call(action, resource);
        self.sender.ask(&call, &outgoing, read).await
    }

    fn call(&self, action: &'static str, resource: &str) -> Call {
        Call {
            service: "iam",
            action,
            resource: Some(resource.to_owned()),
            caller: self.sender.aws().caller(),
            region: self.partition.iam_region().to_owned(),
        }
    }
}

fn read<T: DeserializeOwned>(answer: &Answer) -> Result<T, Cause> {
    let text = String::from_utf8_lossy(&answer.body);
    if !answer.is_success() {
        return Err(refusal(answer, &text));
    }
    quick_xml::de::from_str(&text)
        .map_err(|why| Cause::Strange(format!("HTTP {}, not IAM's XML: {why}", answer.status)))
}

fn refusal(answer: &Answer, text: &str) -> Cause {
    match quick_xml::de::from_str::<Refusal>(text) {
        Ok(Refusal { error, request_id }) => Cause::Service {
            code: Some(scrub(&error.code)),
            message: error.message.as_deref().map(scrub),
            status: Some(answer.status),
            request_id: request_id
                .as_deref()
                .map(scrub)
                .or_else(|| answer.header("x-amzn-requestid")),
        },
        // A page of a proxy, an endpoint that is not AWS's.
        Err(_) => Cause::Strange(format!(
            "HTTP {}, {}",
            answer.status,
            answer.header("content-type").unwrap_or_default()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iam_is_asked_where_its_partition_has_it() {
        for (partition, host, region) in [
            (Partition::Aws, "iam.amazonaws.com", "us-east-1"),
            (Partition::AwsCn, "iam.cn-north-1.amazonaws.com.cn", "cn-north-1"),
            (Partition::AwsUsGov, "iam.us-gov.amazonaws.com", "us-gov-west-1"),
            (
                Partition::AwsIsoB,
                "iam.us-isob-east-1.sc2s.sgov.gov",
                "us-isob-east-1",
            ),
        ] {
            assert_eq!(
                (partition.iam_host().as_str(), partition.iam_region()),
                (host, region)
            );
        }
    }
}
