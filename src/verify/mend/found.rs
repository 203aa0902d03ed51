//! What to do about policies that were found to allow or deny what they should not: what is at fault is taken out of
//! them, and what else they say stays.

use super::super::climb::Climb;
use super::super::place::Asked;
use super::{asked_for, put_grant};
use crate::cloud::iam::{Iam, Source, SourceKind};
use crate::domain::problem::Problem;
use crate::domain::quote::shell;
use crate::policy::{Document, Right, Without};
use crate::registry::Grant;
use serde_json::Value;

/// The policies by their names, and commands that can be pasted; `None` where none is known, or where they belong to
/// something that is on record, which is told otherwise.
pub(in crate::verify) async fn found(
    climb: &Climb,
    iam: &Iam,
    grant: &Grant,
    asked: &[Asked],
    denies: bool,
) -> Option<String> {
    let mut sources: Vec<&Source> = Vec::new();
    for source in asked.iter().flat_map(|asked| &asked.by) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    let (mut lines, mut own, mut foreign) = (Vec::new(), Vec::new(), false);
    for source in sources {
        let by_it: Vec<&Asked> = asked.iter().filter(|asked| asked.by.contains(source)).collect();
        match whose(climb, grant, &source.name, &by_it) {
            Whose::Recorded => return None,
            Whose::Changed(of) => own.push(put_grant(
                climb,
                of,
                &match of.holder == grant.holder {
                    true => "Its own policy was changed; as its stack made it:".to_owned(),
                    false => format!("The policy of {} was changed; as its stack made it:", of.holder),
                },
            )),
            Whose::Foreign => {
                foreign = true;
                lines.extend(of_foreign(climb, iam, grant, source, &by_it, denies).await);
            }
        }
    }
    if lines.is_empty() && own.is_empty() {
        return None;
    }
    if !own.is_empty() && !foreign {
        let verb = if denies { "denies" } else { "allows" };
        lines.push(format!(
            "The role's policy {} {verb} {}.",
            grant.stack_name,
            actions(asked)
        ));
    }
    lines.extend(own);
    if foreign {
        lines.extend(asked_for(climb));
    }
    Some(lines.join("\n"))
}

/// Whose a policy of the role is, by its name.
enum Whose<'a> {
    /// A stack's that is on record and grants this by its record.
    Recorded,
    /// A stack's that grants something else by its record: somebody has changed it since.
    Changed(&'a Grant),
    /// None of ours.
    Foreign,
}

fn whose<'a>(climb: &'a Climb, grant: &'a Grant, name: &str, asked: &[&Asked]) -> Whose<'a> {
    if grant.stack_name.as_str() == name {
        return Whose::Changed(grant);
    }
    let mut left = climb.grants().flat_map(|grant| &grant.left_over_stacks);
    if left.any(|left| left.stack_name.as_str() == name) {
        return Whose::Recorded;
    }
    let Some(other) = climb
        .others
        .iter()
        .find(|other| other.stack_name.as_str() == name)
    else {
        return Whose::Foreign;
    };
    let grants_it = |asked: &&Asked| asked.place.is_granted(climb, other, asked.action);
    if other.is_outdated() || asked.iter().any(grants_it) {
        Whose::Recorded
    } else {
        Whose::Changed(other)
    }
}

/// The actions that were asked for, each said once, and of many the first.
fn actions<'a>(asked: impl IntoIterator<Item = &'a Asked>) -> String {
    const NAMED: usize = 4;
    let mut all: Vec<&str> = Vec::new();
    for asked in asked {
        if !all.contains(&asked.action) {
            all.push(asked.action);
        }
    }
    let named = all.get(..NAMED).unwrap_or(&all);
    match (all.len().saturating_sub(NAMED), named) {
        (0, [but_last @ .., last]) if !but_last.is_empty() => format!("{} and {last}", but_last.join(", ")),
        (0, only) => only.concat(),
        (1, _) => format!(
            "{} and {}",
            named.join(", "),
            all.last().copied().unwrap_or_default()
        ),
        (more, _) => format!("{} and {more} more", named.join(", ")),
    }
}

/// A policy that somebody else keeps: what is at fault in it, and the policy without that.
async fn of_foreign(
    climb: &Climb,
    iam: &Iam,
    grant: &Grant,
    source: &Source,
    asked: &[&Asked],
    denies: bool,
) -> Vec<String> {
    let role = shell(climb.role.role_name());
    let (name, actions) = (&source.name, actions(asked.iter().copied()));
    let front = if denies {
        format!("The role's policy {name} denies {actions}.")
    } else {
        format!(
            "The role's policy {name} allows {actions} beyond what {} asks for.",
            grant.holder
        )
    };
    let rights: Vec<Right> = asked.iter().flat_map(|asked| asked.rights(climb)).collect();
    let policy = match read(climb, iam, source).await {
        Ok(policy) => policy,
        Err(problem) => {
            return vec![
                format!(
                    "{front} What else it says could not be read here ({}): take that out of it, and no more",
                    problem.what
                ),
                match source.kind {
                    SourceKind::Inline => format!(
                        "aws iam get-role-policy --role-name {role} --policy-name {}",
                        shell(name)
                    ),
                    SourceKind::Managed | SourceKind::Other => {
                        format!("aws iam list-attached-role-policies --role-name {role}")
                    }
                },
            ];
        }
    };
    let Without { left, taken } = Document::read(&policy.document).without(denies, &rights);
    if taken.is_empty() {
        // It decides by something that we do not read as IAM does: nothing is taken away blindly.
        return vec![format!("{front} Look for it there:"), policy.show(&role, name)];
    }
    let statements: Vec<String> = taken.iter().map(Value::to_string).collect();
    let statements = statements.join(" ");
    if let Some(name_of) = taken.iter().find_map(all_but) {
        // What else such a statement means nobody can tell from it: to take it away would take that away too.
        let verb = if denies { "denies" } else { "grants" };
        return vec![
            format!(
                "{front} It does so here by {name_of}, which {verb} all but what it names: whoever keeps the policy must \
                 narrow it, and nothing is taken out of it here.\n{statements}"
            ),
            policy.show(&role, name),
        ];
    }
    let mut lines = vec![if denies {
        format!("{front} {}:\n{statements}", guard(climb))
    } else {
        format!("{front} It does so here:\n{statements}")
    }];
    lines.extend(policy.commands(&role, name, left.as_ref()));
    lines
}

/// The field by which a statement speaks of all but some actions or resources.
fn all_but(statement: &Value) -> Option<&'static str> {
    let mut fields = ["NotAction", "NotResource"].into_iter();
    fields.find(|field| statement.get(field).is_some())
}

/// Who knows whether a statement that denies something may go.
fn guard(climb: &Climb) -> String {
    if climb.connection.adopted {
        "Those who keep the role know whether that may go".to_owned()
    } else {
        format!(
            "No stack of ours has made that, and those who keep account {} know whether it may go",
            climb.role.account().grouped()
        )
    }
}

/// A policy of the role.
struct Policy {
    document: Value,
    /// The ARN of a managed one.
    arn: Option<String>,
}

async fn read(climb: &Climb, iam: &Iam, source: &Source) -> Result<Policy, Problem> {
    if source.kind != SourceKind::Inline
        && let Some(arn) = iam.attached(&climb.role, &source.name).await?
    {
        return Ok(Policy {
            document: iam.managed_policy(&arn).await?,
            arn: Some(arn),
        });
    }
    Ok(Policy {
        document: iam.role_policy(&climb.role, &source.name).await?,
        arn: None,
    })
}

impl Policy {
    fn show(&self, role: &str, name: &str) -> String {
        match &self.arn {
            None => format!(
                "aws iam get-role-policy --role-name {role} --policy-name {}",
                shell(name)
            ),
            Some(arn) => format!("aws iam get-policy --policy-arn {}", shell(arn)),
        }
    }

    /// The commands after which only `left` of it is there, each behind a line that says so.
    fn commands(&self, role: &str, name: &str, left: Option<&Value>) -> Vec<String> {
        let put = |name: &str, left: &Value| {
            format!(
                "aws iam put-role-policy --role-name {role} --policy-name {} --policy-document {}",
                shell(name),
                shell(&left.to_string())
            )
        };
        match (&self.arn, left) {
            (None, Some(left)) => vec![
                "The policy without that; the rest of it stays as it is:".to_owned(),
                put(name, left),
            ],
            (None, None) => vec![
                "It holds nothing else:".to_owned(),
                format!(
                    "aws iam delete-role-policy --role-name {role} --policy-name {}",
                    shell(name)
                ),
            ],
            (Some(arn), left) => {
                let mut lines = Vec::new();
                if let Some(left) = left {
                    lines.push(
                        "It is a managed policy, which others may carry too. The rest of it, for this role alone:"
                            .to_owned(),
                    );
                    lines.push(put(&format!("{name}-rest"), left));
                    lines.push("Then the policy itself can go from the role:".to_owned());
                } else {
                    lines.push("It is a managed policy, and holds nothing else:".to_owned());
                }
                lines.push(format!(
                    "aws iam detach-role-policy --role-name {role} --policy-arn {}",
                    shell(arn)
                ));
                lines
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::place::Place;
    use super::*;

    #[test]
    fn each_action_is_said_once_and_of_many_the_first() {
        let said = |all: &[&'static str]| {
            let asked: Vec<Asked> = all
                .iter()
                .map(|action| Asked {
                    action,
                    place: Place::Catalog,
                    by: Vec::new(),
                })
                .collect();
            actions(&asked)
        };
        for (all, words) in [
            (&[][..], ""),
            (&["a"], "a"),
            (&["a", "a"], "a"),
            (&["a", "b", "a"], "a and b"),
            (&["a", "b", "c", "b"], "a, b and c"),
            (&["a", "b", "c", "d"], "a, b, c and d"),
            (&["a", "b", "c", "d", "e"], "a, b, c, d and e"),
            (&["a", "b", "c", "d", "e", "f"], "a, b, c, d and 2 more"),
        ] {
            assert_eq!(said(all), words, "{all:?}");
        }
    }
}
