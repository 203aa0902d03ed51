//! What CloudFormation and its handlers will call in the caller's name, asked of IAM's policy simulator.
//!
//! The simulator knows the caller's own policies, its permissions boundary and what its organization's policies say. It
//! does not know a policy of the session, nor CloudFormation's hooks: what it allows may still be refused.

use crate::cloud::iam::{Decision, Iam, Obstacle, Question, Simulated};
use crate::cloud::{Identity, is_access_denied};
use crate::domain::arn::PrincipalArn;
use crate::domain::finding::Finding;
use crate::domain::problem::Problem;
use crate::domain::quote::operand;
use crate::domain::region::Region;
use crate::stack::Target;
use crate::stack::preflight::needs::{POLICY, ROLE, STACK, When};
use crate::stack::preflight::service_role::{SERVICE, Worker};
use crate::stack::site::Site;
use serde_json::json;
use tokio::sync::OnceCell;

/// What CloudFormation appends to a name: it is invented here, as it will be there.
const SUFFIX: &str = "0A1B2C3D4E5F";

/// Characters of a role's name.
const ROLE_NAME: usize = 64;

/// As many characters of a stack's name are surely kept in the names of what it makes.
const SURE: usize = 24;

/// Who will work on what.
pub(super) struct Rights<'a> {
    iam: Iam,
    identity: &'a Identity,
    sites: &'a [Site],
    /// With whose rights CloudFormation works.
    worker: &'a Worker,
    /// Whom the simulator takes for the caller, looked up once.
    caller: OnceCell<Result<Option<String>, String>>,
}

impl<'a> Rights<'a> {
    pub(super) fn new(iam: Iam, identity: &'a Identity, sites: &'a [Site], worker: &'a Worker) -> Self {
        Self {
            iam,
            identity,
            sites,
            worker,
            caller: OnceCell::new(),
        }
    }

    /// Whether the caller may work on the stacks.
    pub(super) async fn of_stacks(&self) -> Finding {
        let arn = |site: &Site| {
            format!(
                "arn:{}:cloudformation:{}:{}:stack/{}/{SUFFIX}",
                self.identity.partition,
                site.region.as_ref().map(Region::as_str).unwrap_or_default(),
                site.account,
                site.stack
            )
        };
        let resources = self.sites.iter().map(arn).collect();
        let mut needs = STACK.to_vec();
        // One that the stack keeps is not passed again.
        let Worker::Passed(service_role) = self.worker else {
            return self.judge(&self.identity.arn, needs, resources, None).await;
        };
        needs.push(("iam:PassRole", When::Make));
        self.judge(&self.identity.arn, needs, resources, Some(service_role))
            .await
    }

    /// Whether the caller, or the service role, may make what is in them.
    pub(super) async fn of_roles(&self) -> Finding {
        let mut needs = Vec::new();
        for site in self.sites {
            needs.extend_from_slice(match site.target {
                Target::Connection(_) => ROLE,
                Target::Grant(_) => POLICY,
            });
        }
        // One role for all: the one that is there, or the one that the first stack will make.
        let role = self.sites.first().map(|site| {
            let name = site.role_name().map_or_else(|| made_up(site), ToOwned::to_owned);
            let path = site.role_path();
            format!(
                "arn:{}:iam::{}:role{path}{name}",
                self.identity.partition, site.account
            )
        });
        let resources = role.into_iter().collect();
        let who = self.worker.arn().unwrap_or(&self.identity.arn);
        self.judge(who, needs, resources, None).await
    }

    async fn judge(
        &self,
        who: &str,
        needs: Vec<(&'static str, When)>,
        resources: Vec<String>,
        passed_role: Option<&str>,
    ) -> Finding {
        let looked_up = if who == self.identity.arn {
            self.caller.get_or_init(|| self.principal(who)).await.clone()
        } else {
            self.principal(who).await
        };
        let principal = match looked_up {
            Ok(Some(principal)) => principal,
            Ok(None) => return Finding::passed("the account's root user may do everything"),
            Err(why) => return Finding::skipped(why),
        };
        let boundary = self.sites.iter().find_map(Site::boundary);
        let question = |actions: Vec<&'static str>, resources| Question {
            actions,
            resources,
            context: boundary
                .clone()
                .map(|arn| ("iam:PermissionsBoundary", arn))
                .into_iter()
                .collect(),
        };
        let own = needs
            .iter()
            .map(|(action, _)| *action)
            .filter(|action| *action != "iam:PassRole");
        let asked = self
            .iam
            .simulate(&principal, &question(own.collect(), resources))
            .await;
        let passed = match passed_role {
            Some(role) => {
                let mut question = question(vec!["iam:PassRole"], vec![role.to_owned()]);
                question.context.push(("iam:PassedToService", SERVICE.to_owned()));
                self.iam.simulate(&principal, &question).await
            }
            None => Ok(Vec::new()),
        };
        match (asked, passed) {
            (Ok(mut answers), Ok(more)) => {
                answers.extend(more);
                let site = self.sites.first();
                let connection = site.map_or("", |site| site.connection_name().as_str());
                said(who, connection, &needs, &answers)
            }
            (Err(problem), _) | (_, Err(problem)) => not_known(&problem),
        }
    }

    /// The user or role that the simulator takes for a caller; `None` for an account's root.
    async fn principal(&self, who: &str) -> Result<Option<String>, String> {
        let Ok(principal) = who.parse::<PrincipalArn>() else {
            return Err(format!(
                "not known: {who} is neither a user nor a role, and the simulator takes no other"
            ));
        };
        if principal.is_root() {
            return Ok(None);
        }
        let Some(role) = principal.role_of_session() else {
            return Ok(Some(principal.to_string()));
        };
        // A session's name has lost the path of its role; IAM still has it.
        let found = self.iam.role(&role).await;
        Ok(Some(found.map_or_else(|_| role.to_string(), |role| role.arn)))
    }
}

/// A name as CloudFormation will make one up: the stack's, the resource's, and letters of its own, cut to what fits.
fn made_up(site: &Site) -> String {
    let tail = format!("-ConnectionRole-{SUFFIX}");
    let room = ROLE_NAME.saturating_sub(tail.len());
    let stack: String = site.stack_name().chars().take(room).collect();
    stack + &tail
}

/// The roles whose names CloudFormation may make up for that stack: how it cuts a long name is not documented.
fn any_made_up(resource: &str) -> String {
    match resource.strip_suffix(&format!("-ConnectionRole-{SUFFIX}")) {
        Some(front) => {
            let (path, stack) = front.rsplit_once('/').unwrap_or(("", front));
            let stack: String = stack.chars().take(SURE).collect();
            format!("{path}/{stack}*")
        }
        None => resource.replace(SUFFIX, "*"),
    }
}

fn not_known(problem: &Problem) -> Finding {
    if is_access_denied(problem) {
        return Finding::skipped(format!(
            "not known: the policy simulator may not be asked ({}). Deploying tells",
            problem.what
        ));
    }
    Finding::not_known("", problem)
}

fn said(who: &str, connection: &str, needs: &[(&'static str, When)], answers: &[Simulated]) -> Finding {
    let denied = |when: When| -> Vec<&Simulated> {
        let refused = answers
            .iter()
            .filter(|answer| answer.decision != Decision::Allowed);
        let mut list: Vec<&Simulated> = refused
            .filter(|answer| needs.contains(&(answer.action.as_str(), when)))
            .collect();
        list.sort_by(|a, b| a.action.cmp(&b.action));
        list.dedup_by(|a, b| a.action == b.action);
        list
    };
    let (now, later) = (denied(When::Make), denied(When::Later));
    if now.is_empty() && later.is_empty() {
        return Finding::passed(format!("{} actions are allowed", needs.len()));
    }
    let names = |list: &[&Simulated]| {
        let names: Vec<&str> = list.iter().map(|answer| answer.action.as_str()).collect();
        names.join(", ")
    };
    let all: Vec<&Simulated> = now.iter().chain(&later).copied().collect();
    let next = allow(connection, &all);
    if now.is_empty() {
        return Finding::warning(
            format!(
                "{who} may deploy, but not change, mend or delete it later: {} ({})",
                names(&later),
                why(&later)
            ),
            next,
        );
    }
    let also = if later.is_empty() {
        String::new()
    } else {
        format!("; nor, later on: {}", names(&later))
    };
    Finding::failed(
        format!("{who} may not: {} ({}){also}", names(&now), why(&now)),
        next,
    )
}

/// What keeps it from being allowed, each cause once.
fn why(denied: &[&Simulated]) -> String {
    let mut causes: Vec<String> = Vec::new();
    for answer in denied {
        let boundary = |key: &String| key.eq_ignore_ascii_case("iam:PermissionsBoundary");
        let cause = match answer.obstacle() {
            Obstacle::Organization => "a policy of the AWS organization does not allow it".to_owned(),
            Obstacle::Boundary => "the caller's permissions boundary does not allow it".to_owned(),
            Obstacle::Denied => {
                let by: Vec<&str> = answer.sources.iter().map(|source| source.name.as_str()).collect();
                let asks = if answer.missing.iter().any(boundary) {
                    ", which speaks of a permissions boundary on the role, and the connection names none"
                } else {
                    ""
                };
                format!("denied by {}{asks}", by.join(", "))
            }
            Obstacle::Lacking if answer.missing.iter().any(boundary) => {
                "its policies ask for a permissions boundary on the role, and the connection names none"
                    .to_owned()
            }
            Obstacle::Lacking if answer.missing.is_empty() => "no policy allows it".to_owned(),
            Obstacle::Lacking => format!("its policies ask for {}", answer.missing.join(", ")),
        };
        if !causes.contains(&cause) {
            causes.push(cause);
        }
    }
    causes.join("; ")
}

/// A statement that would allow it, and where the way is another one, that.
fn allow(connection: &str, denied: &[&Simulated]) -> String {
    if denied.iter().any(|answer| answer.by_organization) {
        return "Ask whoever keeps the organization's policies (SCPs): no policy in the account changes it"
            .to_owned();
    }
    let boundary = |key: &String| key.eq_ignore_ascii_case("iam:PermissionsBoundary");
    if denied.iter().any(|answer| answer.missing.iter().any(boundary)) {
        return format!(
            "Name the boundary that the account asks for: glueup connection set {}",
            operand(connection, "--permissions-boundary ARN")
        );
    }
    let mut resources: Vec<&str> = denied.iter().map(|answer| answer.resource.as_str()).collect();
    resources.sort_unstable();
    resources.dedup();
    let actions: Vec<&str> = denied.iter().map(|answer| answer.action.as_str()).collect();
    let resources: Vec<String> = resources.into_iter().map(any_made_up).collect();
    let statement = json!({ "Effect": "Allow", "Action": actions, "Resource": resources });
    format!("Whoever keeps this caller's policies can allow it with this statement:\n{statement}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::iam::{Source, SourceKind};
    use crate::domain::status::Status;

    fn answer(action: &str, decision: Decision) -> Simulated {
        Simulated {
            action: action.to_owned(),
            resource: format!(
                "arn:aws:iam::012345678901:role/a-stack-with-quite-a-long-name-ConnectionRole-{SUFFIX}"
            ),
            decision,
            sources: vec![Source {
                name: "guard".to_owned(),
                kind: SourceKind::Inline,
            }],
            missing: Vec::new(),
            by_boundary: false,
            by_organization: false,
        }
    }

    fn all(decision: Decision) -> Vec<Simulated> {
        ROLE.iter().map(|(action, _)| answer(action, decision)).collect()
    }

    #[test]
    fn what_is_refused_is_named_with_its_cause_and_the_statement_that_would_allow_it() {
        let mut answers = all(Decision::Allowed);
        assert_eq!(said("ann", "the lake", ROLE, &answers).status, Status::Passed);
        answers[0] = answer("iam:CreateRole", Decision::ImplicitDeny);
        let found = said("ann", "the lake", ROLE, &answers);
        assert_eq!(found.answer, "ann may not: iam:CreateRole (no policy allows it)");
        let next = found.next.unwrap();
        let statement: serde_json::Value = serde_json::from_str(next.lines().last().unwrap()).unwrap();
        assert_eq!(
            statement,
            json!({
                "Effect": "Allow",
                "Action": ["iam:CreateRole"],
                "Resource": ["arn:aws:iam::012345678901:role/a-stack-with-quite-a-lon*"]
            })
        );
        answers[0] = answer("iam:CreateRole", Decision::ExplicitDeny);
        assert!(
            said("ann", "the lake", ROLE, &answers)
                .answer
                .contains("denied by guard")
        );
    }

    #[test]
    fn what_is_needed_later_only_is_a_warning() {
        let mut answers = all(Decision::Allowed);
        let last = answers.len() - 1;
        answers[last] = answer("iam:DeleteRole", Decision::ImplicitDeny);
        let found = said("ann", "the lake", ROLE, &answers);
        assert_eq!(found.status, Status::Warning);
        assert!(
            found
                .answer
                .contains("may deploy, but not change, mend or delete it later: iam:DeleteRole")
        );
    }

    #[test]
    fn another_way_is_said_where_no_statement_helps() {
        let mut scp = answer("iam:CreateRole", Decision::ImplicitDeny);
        scp.by_organization = true;
        let found = said("ann", "the lake", ROLE, &[scp]);
        assert!(found.answer.contains("AWS organization"), "{found:?}");
        assert!(found.next.unwrap().contains("SCPs"));
        let mut bounded = answer("iam:CreateRole", Decision::ImplicitDeny);
        bounded.missing = vec!["iam:PermissionsBoundary".to_owned()];
        let found = said("ann", "the lake", ROLE, &[bounded]);
        let next = found.next.unwrap();
        assert!(
            next.ends_with("glueup connection set 'the lake' --permissions-boundary ARN"),
            "{next}"
        );
    }
}
