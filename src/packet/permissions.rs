//! What the role may do, statement by statement with its why, and what the templates are filled in with.

use super::document::{Document, Line, Span, told, value, values, with, words};
use super::{Facts, Made, trust};
use crate::domain::access::Access;
use crate::domain::json_text;
use crate::domain::quote::operand;
use crate::stack::policy_view::{self, Statement};
use crate::stack::site::Site;

pub(super) fn write(facts: &Facts, made: &Made, to: &mut Document) {
    to.heading(2, "Every permission, and why");
    let who = policy_view::of_document(&made.trust.document);
    let what = policy_view::of_document(&made.grant.document);
    let rows = who
        .iter()
        .map(|statement| row(statement, trust::named(&statement.resources)))
        .chain(
            what.iter()
                .map(|statement| row(statement, values(&statement.resources))),
        );
    to.table(
        &["Statement", "Allows", "On, or to whom", "Only if", "Why"],
        rows.collect(),
    );
    to.say(words(match facts.grant.access {
        Access::ReadOnly if facts.grant.databases.is_none() => {
            "Nothing else: no action that writes or deletes an object, touches a policy, or asks for anything of Glue is in it."
        }
        Access::ReadOnly => {
            "Nothing else: no action that creates, changes or deletes a table, a partition, an object or a policy is in it."
        }
        Access::ReadWrite => {
            "Nothing else: no bucket can be made, changed or deleted, no policy touched, and no key used beside what is named."
        }
    }));
    if !facts.others.is_empty() {
        let names = values(facts.others.iter().map(|other| other.holder.name()));
        to.say(with(
            "The same role also serves {}. A role is as wide as all its policies together: each of these has a packet \
             of its own that says what it adds.",
            &[names],
        ));
    }
    to.say(words("As the JSON that IAM gets:"));
    to.code("json", json_text::pretty(&made.grant.document));
    if facts.adopted() {
        in_place(facts, made, to);
    }
}

fn row(statement: &Statement, on: Line) -> Vec<Line> {
    vec![
        vec![value(&statement.sid)],
        values(&statement.actions),
        on,
        match &statement.condition {
            Some(condition) => vec![value(json_text::safe(condition))],
            None => words("always"),
        },
        vec![told(&statement.why)],
    ]
}

/// How whoever keeps the role puts the two documents in place with the AWS CLI, as one way among others.
fn in_place(facts: &Facts, made: &Made, to: &mut Document) {
    to.heading(3, "Putting it in place");
    to.say(words(
        "With Terraform or any other tool: these two documents. With the AWS CLI they are put in place like this. The \
         first takes the place of the whole trust policy: where others use the role too, add the statement to theirs instead.",
    ));
    let role = facts.role();
    let name = made.grant.name.as_deref().unwrap_or_default();
    to.code(
        "sh",
        format!(
            "glueup template show connection {} > trust.json\n\
             aws iam update-assume-role-policy --role-name {role} --policy-document file://trust.json\n\
             glueup template show {} > permissions.json\n\
             aws iam put-role-policy --role-name {role} --policy-name {name} --policy-document file://permissions.json\n",
            operand(facts.connection.name.as_str(), "--policy"),
            facts.grant.holder.command_with("--policy"),
        ),
    );
}

/// What the templates' parameters will be filled in with.
pub(super) fn parameters(facts: &Facts, made: &Made, to: &mut Document) {
    let Some(connection) = &made.connection else {
        return;
    };
    to.heading(2, "The parameters that will be filled in");
    for site in [connection, &made.access] {
        to.heading(3, &format!("Stack {}", site.stack));
        let rows = site.parameters().into_iter().map(|(name, given)| {
            let given = match name.as_str() {
                "RoleName" if facts.connection.role_arn.is_none() => {
                    words("the output `RoleName` of the connection's stack, once that is made")
                }
                _ => vec![value(&given)],
            };
            vec![vec![value(&name)], given, what_for(site, &name)]
        });
        to.table(&["Parameter", "Value", "What it is"], rows.collect());
    }
}

/// The template's own words for a parameter.
fn what_for(site: &Site, name: &str) -> Line {
    let template = site.kind.template();
    let mut parameters = template.iter().flat_map(|template| &template.parameters);
    let found = parameters.find(|parameter| parameter.name == name);
    found
        .and_then(|parameter| parameter.description.as_deref())
        .map(|text| vec![Span::Text(text.split_whitespace().collect::<Vec<_>>().join(" "))])
        .unwrap_or_default()
}
