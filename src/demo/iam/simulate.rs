//! What policies would say: the simulation behind `SimulatePrincipalPolicy` and `SimulateCustomPolicy`.
//!
//! As on AWS, trust policies take no part, and a policy of the resource only where it is given along. What is written
//! counts, not what has spread: IAM answers here from its own books.

use super::model::Owner;
use super::{Grants, Store};
use crate::demo::error::AwsError;
use crate::policy::{self, Context, Decision, Document, Evaluation, StatementRef};

/// One policy that takes part, and what IAM calls it.
#[derive(Clone, Debug)]
pub struct Given {
    /// `SourcePolicyId`: the name of a managed policy, `role_NAME_POLICY` for an inline one, or the place in the list that
    /// was given along.
    pub id: String,
    /// The policy.
    pub document: Document,
}

/// All that a simulation asks.
#[derive(Clone, Debug, Default)]
pub struct Simulation {
    /// The principal's own policies and those given along.
    pub identity: Vec<Given>,
    /// The permissions boundary; several are one list of which one must allow.
    pub boundary: Option<Vec<Given>>,
    /// A policy of the resource, and who asks: ARN and account.
    pub resource: Option<(Given, String, String)>,
    /// The condition keys of the request.
    pub context: Context,
}

/// What one action on one resource comes to.
#[derive(Clone, Debug)]
pub struct Simulated<'a> {
    /// `EvalDecision`: `allowed`, `explicitDeny` or `implicitDeny`.
    pub decision: &'static str,
    /// The policy whose statement decided.
    pub matched: Option<&'a Given>,
    /// Condition keys that the policies ask for and the request does not have.
    pub missing: Vec<String>,
    /// Whether the permissions boundary allows it, where there is one.
    pub boundary_allows: Option<bool>,
}

impl Store {
    /// The policies of a user or a role, and its boundary. Error: `NoSuchEntity`.
    pub fn simulated_policies(
        &self,
        account: &str,
        owner: Owner<'_>,
    ) -> Result<(Vec<Given>, Option<Vec<Given>>), AwsError> {
        let Grants {
            inline,
            attached,
            boundary,
        } = self.grants(account, owner)?;
        let inline = inline.iter().map(|(name, document)| Given {
            id: format!("{}_{}_{name}", owner.word(), owner.name()),
            document: document.clone(),
        });
        let managed = |arn: &String| {
            let policy = self.managed(arn).ok()?;
            Some(Given {
                id: policy.name.clone(),
                document: policy.document()?.clone(),
            })
        };
        let own = inline.chain(attached.iter().filter_map(managed)).collect();
        // A boundary that does not exist allows nothing: an empty list.
        let boundary = boundary.as_ref().map(|arn| managed(arn).into_iter().collect());
        Ok((own, boundary))
    }
}

impl Simulation {
    /// Asks for one action on one resource; `*` is a resource too.
    pub fn ask(&self, action: &str, resource: &str) -> Simulated<'_> {
        let own = self.evaluate(&self.identity, action, resource);
        let boundary = self
            .boundary
            .as_ref()
            .map(|boundary| (boundary, self.evaluate(boundary, action, resource)));
        let beside = self.resource.as_ref().map(|(given, arn, account)| {
            let who = policy::Caller {
                arn,
                principal_arn: arn,
                account,
            };
            let said = policy::evaluate(&[&given.document], Some(&who), action, resource, &self.context);
            (given, said)
        });
        let mut missing = self.missing(&self.identity, action, resource);
        if let Some((boundary, _)) = &boundary {
            missing.extend(self.missing(boundary, action, resource));
        }
        missing.sort();
        missing.dedup();

        let denied = |said: &Evaluation| said.decision == Decision::ExplicitDeny;
        let allowed = |said: &Evaluation| said.decision == Decision::Allow;
        let boundary_allows = boundary.as_ref().map(|(_, said)| allowed(said));
        let beside_denies = beside
            .as_ref()
            .filter(|(_, said)| denied(said))
            .map(|(given, _)| *given);
        let own_denies = denied(&own)
            .then(|| place(&self.identity, own.statement.as_ref()))
            .flatten();
        let boundary_denies = boundary
            .as_ref()
            .filter(|(_, said)| denied(said))
            .and_then(|(given, said)| place(given, said.statement.as_ref()));
        let (decision, matched) = if let Some(by) = own_denies.or(boundary_denies).or(beside_denies) {
            ("explicitDeny", Some(by))
        } else if let Some((given, _)) = beside.as_ref().filter(|(_, said)| allowed(said) && said.by_name) {
            // The resource names the caller itself: neither its own policies nor a boundary must allow it too.
            ("allowed", Some(*given))
        } else if allowed(&own) && boundary_allows != Some(false) {
            ("allowed", place(&self.identity, own.statement.as_ref()))
        } else {
            ("implicitDeny", None)
        };
        Simulated {
            decision,
            matched,
            missing,
            boundary_allows,
        }
    }

    fn evaluate(&self, given: &[Given], action: &str, resource: &str) -> Evaluation {
        let documents: Vec<&Document> = given.iter().map(|given| &given.document).collect();
        policy::evaluate(&documents, None, action, resource, &self.context)
    }

    fn missing(&self, given: &[Given], action: &str, resource: &str) -> Vec<String> {
        let keys = given
            .iter()
            .flat_map(|given| given.document.missing_keys(None, action, resource, &self.context));
        keys.map(str::to_owned).collect()
    }
}

fn place<'a>(given: &'a [Given], at: Option<&StatementRef>) -> Option<&'a Given> {
    given.get(at?.document)
}
