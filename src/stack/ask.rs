//! The questions that the stack room asks before it changes anything: what a yes will do, and what it will not.

use crate::domain::access::Access;
use crate::domain::arn::KmsKeyArn;
use crate::registry::Grant;
use crate::report::Ask;
use crate::stack::Target;
use crate::stack::again;
use crate::stack::cause::Cause;
use crate::stack::change::Change;
use crate::stack::encryption::Thing;
use crate::stack::grant;
use crate::stack::policy_view;
use crate::stack::site::Site;
use crate::stack::whose::{Difference, Owner};

/// Before a stack is created, with what its change set will hold.
pub fn create(site: &Site, changes: &[Change]) -> Ask {
    let mut will = lines(changes);
    will.extend(makes(site));
    will.extend(whys(site));
    Ask {
        title: format!("Create the stack {} in {}?", site.stack, site.place()),
        will,
        will_not: spares(site),
        yes: "Create stack".to_owned(),
        acknowledge: acknowledgement(site),
        type_to_confirm: name_of_what_is_wide(site),
    }
}

/// Before a change set is executed that is not what was agreed to.
pub fn differs(site: &Site, changes: &[Change]) -> Ask {
    Ask {
        title: format!(
            "CloudFormation would do something else in {} than was shown. Do this?",
            site.stack
        ),
        will: lines(changes),
        will_not: spares(site),
        yes: "Execute".to_owned(),
        acknowledge: acknowledgement(site),
        type_to_confirm: name_of_what_is_wide(site),
    }
}

/// Before a stack is updated, with what its change set says; `None` where there is none.
pub fn update(
    site: &Site,
    changes: Option<&[Change]>,
    differences: &[Difference],
    template_differs: bool,
) -> Ask {
    let mut will = match changes {
        // The tags of the stack, or an output.
        Some([]) => vec!["leave every resource as it is".to_owned()],
        Some(changes) => lines(changes),
        None => Vec::new(),
    };
    will.extend(differences.iter().map(Difference::change));
    if template_differs {
        will.push("use the template of this version of glueup".to_owned());
    }
    will.extend(whys(site));
    Ask {
        title: format!("Update the stack {} in {}?", site.stack, site.place()),
        will,
        will_not: spares(site),
        yes: "Update stack".to_owned(),
        acknowledge: acknowledgement(site),
        type_to_confirm: name_of_what_is_wide(site),
    }
}

/// Before the outputs of a stack are read that was not made for this record.
pub fn adopt(stack: &str, owner: &Owner) -> Ask {
    Ask {
        title: format!(
            "{stack} is there already and was {}. Use it as it is?",
            owner.whose()
        ),
        will: vec!["read its outputs into this record".to_owned()],
        will_not: vec!["change, update or ever delete the stack".to_owned()],
        yes: "Use it".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// Before a key is typed over that the stack was given by hand.
pub fn keep_key(site: &Site, grant: &Grant, thing: Thing, key: &KmsKeyArn) -> Ask {
    let of_what = match thing {
        Thing::Files => "the bucket's objects",
        Thing::Catalog => "the Data Catalog",
    };
    Ask {
        title: format!(
            "The stack {} lets the role use a KMS key for {of_what}, and the record has none. Keep the key?",
            site.stack
        ),
        will: vec![
            format!(
                "put {key} on record, as {}",
                thing.set_command(grant, key.as_str())
            ),
            "leave the role its right to use it".to_owned(),
        ],
        will_not: vec!["change anything in AWS by this alone".to_owned()],
        yes: "Keep the key".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// Before a stack that is stuck is deleted, with what is left in it, and created again.
pub fn clear(site: &Site, status: &str, cause: Option<&Cause>, left: &[String], changes: &[Change]) -> Ask {
    let mut will = vec![if left.is_empty() {
        format!("delete {}, in which nothing is", site.stack)
    } else {
        format!("delete {}, and with it {}", site.stack, left.join(", "))
    }];
    will.extend(lines(changes));
    will.extend(makes(site));
    will.extend(whys(site));
    Ask {
        title: format!(
            "{} is {status} ({}). Delete it and create it again?",
            site.stack,
            first_failure(cause)
        ),
        will,
        will_not: spares(site),
        yes: "Delete and create".to_owned(),
        acknowledge: acknowledgement(site),
        type_to_confirm: name_of_what_is_wide(site),
    }
}

/// Before an update that has failed is undone: for the first time, or `again`, where that has failed too.
pub fn undo(site: &Site, again: bool, cause: Option<&Cause>) -> Ask {
    let (stack, why) = (&site.stack, first_failure(cause));
    let (title, call) = if again {
        (
            format!("An update of {stack} failed, and so did undoing it ({why}). Try to undo it again?"),
            "ContinueUpdateRollback",
        )
    } else {
        (
            format!("{stack} is UPDATE_FAILED ({why}). Undo that update?"),
            "RollbackStack",
        )
    };
    Ask {
        title,
        will: vec![
            format!("put back what that update had changed ({call})"),
            "show after that what this record would change, and ask".to_owned(),
        ],
        will_not: vec!["change anything that the update had not changed".to_owned()],
        yes: "Undo the update".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// After a deletion that has failed: what cannot be deleted may stay.
pub fn retain(stack: &str, stuck: &[String], cause: Option<&Cause>) -> Ask {
    let stuck = stuck.join(", ");
    Ask {
        title: format!(
            "{stack} cannot be deleted ({}). Delete the stack and let {stuck} stay in AWS?",
            first_failure(cause)
        ),
        will: vec![
            format!("delete the stack {stack} and whatever else is in it"),
            format!(
                "leave {stuck} as it is, with all that it allows: no stack will own it, nobody will update or delete it"
            ),
        ],
        will_not: vec!["delete the record: it can be deployed again".to_owned()],
        yes: "Let it stay".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

fn first_failure(cause: Option<&Cause>) -> String {
    match cause {
        Some(cause) => format!("{} failed first: {}", cause.logical_id, cause.reason),
        None => "CloudFormation gives no reason".to_owned(),
    }
}

/// Before a stack is deleted, or several of the same record; `earlier` says which were made for a record before it.
pub fn delete(site: &Site, stacks: &[String], earlier: Vec<String>) -> Ask {
    let mut will: Vec<String> = stacks.iter().map(|s| format!("delete the stack {s}")).collect();
    will.extend(earlier);
    will.push(match &site.target {
        Target::Connection(_) => "delete the role that it made: nobody can assume it any more".to_owned(),
        Target::Grant(holder) => format!(
            "take the rights of {} {holder} from the connection's role",
            holder.noun()
        ),
    });
    Ask {
        title: format!("Delete {} in {}?", stacks.join(" and "), site.place()),
        will,
        will_not: vec![
            "touch a database, a table or an object".to_owned(),
            "delete the record: it can be deployed again".to_owned(),
        ],
        yes: "Delete stack".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// After the access level was switched: the old stack's policy is still on the role.
pub fn left_over(stack: &str) -> Ask {
    Ask {
        title: format!("The old stack {stack} still grants what it granted. Delete it?"),
        will: vec![format!(
            "delete the stack {stack} and the policy that it put on the role"
        )],
        will_not: vec!["touch the new stack, a table or an object".to_owned()],
        yes: "Delete old stack".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// Before the template is put into a bucket.
pub fn publish(bucket: &str, key: &str, caller: &str) -> Ask {
    Ask {
        title: format!("Put the template into s3://{bucket}/{key}?"),
        will: vec![
            format!("write one object, as {caller}"),
            "let the console read it with the rights of whoever opens the link".to_owned(),
        ],
        will_not: vec![
            "make the object or the bucket public".to_owned(),
            "overwrite anything else: the key holds the template's hash".to_owned(),
        ],
        yes: "Publish".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

fn lines(changes: &[Change]) -> Vec<String> {
    changes.iter().map(ToString::to_string).collect()
}

/// Each permission with its why, shortly; the policy itself is shown elsewhere, whole.
fn whys(site: &Site) -> Vec<String> {
    let statements = policy_view::statements(site).unwrap_or_default();
    statements
        .into_iter()
        .map(|statement| format!("{}: {}", statement.sid, statement.why))
        .collect()
}

fn makes(site: &Site) -> Vec<String> {
    match &site.target {
        Target::Connection(name) => {
            let mut lines = vec![format!(
                "make one IAM role for connection {name}, with no rights of its own"
            )];
            lines.extend(
                site.trusted()
                    .into_iter()
                    .map(|who| format!("let {who} assume it, with the connection's external ID only")),
            );
            // One yes is for all tries, so it is also for what is deleted between them.
            lines.push(format!(
                "if IAM refuses a principal that it does not know yet: delete the stack again, empty as it is, and make it anew, \
                 for up to {} s",
                again::LONGEST.as_secs()
            ));
            lines
        }
        Target::Grant(_) => {
            let mut lines = vec!["put one inline policy on the connection's role".to_owned()];
            lines.extend(
                site.wanted()
                    .map(|wanted| grant::in_words(&wanted))
                    .unwrap_or_default()
                    .into_iter()
                    .filter(|(heading, _)| !matches!(*heading, "Not" | "Stack"))
                    .map(|(heading, sentence)| format!("{heading}: {sentence}")),
            );
            if !site.opened_past.is_empty() {
                lines.push(format!(
                    "leave the role what it has of the bucket itself, past the access point: {}",
                    site.opened_past.join(", ")
                ));
            }
            lines
        }
    }
}

fn spares(site: &Site) -> Vec<String> {
    let mut lines = vec!["create, change or delete a database, a table or an object".to_owned()];
    if let Some(wanted) = site.wanted() {
        lines.extend(
            grant::in_words(&wanted)
                .into_iter()
                .filter(|(heading, _)| *heading == "Not")
                .map(|(_, sentence)| format!("allow: {sentence}")),
        );
    }
    lines
}

/// What lets every object of a bucket be changed is not agreed to with one key: its name is typed.
fn name_of_what_is_wide(site: &Site) -> Option<String> {
    let wanted = site.wanted()?;
    let wide = wanted.access == Access::ReadWrite && wanted.s3_path.whole_bucket();
    match &site.target {
        Target::Grant(holder) if wide => Some(holder.to_string()),
        _ => None,
    }
}

/// CloudFormation's acknowledgement, where the template needs one.
fn acknowledgement(site: &Site) -> Option<String> {
    site.capability.map(|capability| {
        format!("I acknowledge that AWS CloudFormation might create IAM resources ({capability})")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Catalog;
    use serde_json::json;

    fn sites() -> (Site, Site) {
        let connection = json!({
            "version": 1, "name": "sales", "id": "0a1b2c3d", "account_id": "012345678901",
            "external_id": "glueup-00000000000000000000000000000000",
            "trust": ["arn:aws:iam::012345678901:role/engine"], "stack_name": "glueup-connection-sales",
        });
        let connection: crate::registry::Connection = serde_json::from_value(connection).unwrap();
        let catalog = json!({
            "version": 1, "name": "lake", "id": "1a1b2c3d", "region": "us-west-2", "s3_path": "s3://acme-lake/wh",
            "access": "read-only", "connection": "sales", "stack_name": "glueup-glue-readonly-lake",
        });
        let catalog: Catalog = serde_json::from_value(catalog).unwrap();
        let of_connection = Site::of_connection(connection.clone(), "self").unwrap();
        let of_grant = Site::of_grant(Grant::from(&catalog), connection, "role", "self").unwrap();
        (of_connection, of_grant)
    }

    #[test]
    fn the_yes_for_a_role_is_for_its_deletion_between_two_tries_too() {
        let (connection, grant) = sites();
        let told = |ask: Ask| {
            ask.will
                .iter()
                .filter(|line| {
                    line.as_str()
                        == "if IAM refuses a principal that it does not know yet: delete the stack again, empty as it is, \
                            and make it anew, for up to 60 s"
                })
                .count()
        };
        assert_eq!(told(create(&connection, &[])), 1);
        assert_eq!(told(clear(&connection, "ROLLBACK_COMPLETE", None, &[], &[])), 1);
        // No policy of a grant names a principal.
        assert_eq!(told(create(&grant, &[])), 0);
        assert_eq!(told(clear(&grant, "ROLLBACK_COMPLETE", None, &[], &[])), 0);
    }
}
