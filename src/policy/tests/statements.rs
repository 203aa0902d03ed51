//! Statements and their elements.

use super::*;

type Row<'a> = (
    &'a str,
    Value,
    &'a str,
    &'a str,
    &'a [(&'a str, &'a str)],
    Decision,
);

#[test]
fn statements_and_their_elements() {
    let table = "arn:aws:glue:us-east-1:123456789012:table/db/t";
    let rows: Vec<Row<'_>> = vec![
        (
            "deny behind allow in one document",
            json!([
                {"Effect": "Allow", "Action": "s3:*", "Resource": "*"},
                {"Effect": "Deny", "Action": "s3:Put*", "Resource": "*"}
            ]),
            "s3:PutObject",
            OBJECT,
            &[],
            ExplicitDeny,
        ),
        (
            "deny before allow",
            json!([
                {"Effect": "Deny", "Action": "s3:Put*", "Resource": "*"},
                {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}
            ]),
            "s3:PutObject",
            OBJECT,
            &[],
            ExplicitDeny,
        ),
        (
            "deny all actions but some",
            json!([
                {"Effect": "Allow", "Action": "*", "Resource": "*"},
                {"Effect": "Deny", "NotAction": ["s3:Get*", "s3:List*"], "Resource": "*"}
            ]),
            "s3:PutObject",
            OBJECT,
            &[],
            ExplicitDeny,
        ),
        (
            "deny all resources but some",
            json!([
                {"Effect": "Allow", "Action": "*", "Resource": "*"},
                {"Effect": "Deny", "Action": "s3:*", "NotResource": ["arn:aws:s3:::lake/*", "arn:aws:s3:::lake"]}
            ]),
            "s3:GetObject",
            "arn:aws:s3:::other/x",
            &[],
            ExplicitDeny,
        ),
        (
            "allow all resources but some",
            json!({"Effect": "Allow", "Action": "s3:*", "NotResource": "arn:aws:s3:::secret/*"}),
            "s3:GetObject",
            OBJECT,
            &[],
            Allow,
        ),
        (
            "case of actions",
            json!({"Effect": "Allow", "Action": "S3:getobject", "Resource": "*"}),
            "s3:GetObject",
            OBJECT,
            &[],
            Allow,
        ),
        (
            "wildcards within an action",
            json!({"Effect": "Allow", "Action": "glue:Get*Table?", "Resource": "*"}),
            "glue:GetTables",
            "arn:aws:glue:us-east-1:123456789012:catalog",
            &[],
            Allow,
        ),
        (
            "a star crosses slashes",
            json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::lake/wh/*"}),
            "s3:GetObject",
            "arn:aws:s3:::lake/wh/a/b/c",
            &[],
            Allow,
        ),
        (
            "all tables",
            json!({
                "Effect": "Allow", "Action": "glue:GetTable",
                "Resource": "arn:aws:glue:us-east-1:123456789012:table/*/*"
            }),
            "glue:GetTable",
            table,
            &[],
            Allow,
        ),
        (
            "variable in a resource",
            json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::lake/${aws:username}/*"}),
            "s3:GetObject",
            "arn:aws:s3:::lake/bob/x",
            &[("aws:username", "bob")],
            Allow,
        ),
        (
            "a variable without a value matches nothing",
            json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::lake/${aws:username}/*"}),
            "s3:GetObject",
            "arn:aws:s3:::lake//x",
            &[],
            NoMatch,
        ),
    ];
    for (name, statement, action, resource, keys, want) in rows {
        assert_eq!(
            ask(&statements(statement), action, resource, keys),
            want,
            "{name}"
        );
    }
}

#[test]
fn the_older_version_knows_no_variables() {
    let document = json!({"Version": "2008-10-17", "Statement":
        {"Effect": "Allow", "Action": "s3:*", "Resource": "arn:aws:s3:::lake/${aws:username}/*"}});
    assert_eq!(
        ask(
            &document,
            "s3:GetObject",
            "arn:aws:s3:::lake/bob/x",
            &[("aws:username", "bob")]
        ),
        NoMatch
    );
}

#[test]
fn an_unknown_operator_is_refused_and_never_lets_anybody_in() {
    let condition = json!({"StringMatches": {"s3:prefix": "wh/"}});
    let allow = when(condition.clone());
    assert_eq!(
        check(&allow).unwrap_err().to_string(),
        "Invalid Condition type : StringMatches."
    );
    let keys = context(&[("s3:prefix", "wh/")]);
    let answer = evaluate(&[&Document::read(&allow)], None, "s3:ListBucket", BUCKET, &keys);
    assert_eq!(answer.decision, NoMatch);
    assert_eq!(answer.unknown_operators, ["StringMatches"]);
    let deny =
        statements(json!({"Effect": "Deny", "Action": "s3:*", "Resource": "*", "Condition": condition}));
    let answer = evaluate(&[&Document::read(&deny)], None, "s3:ListBucket", BUCKET, &keys);
    assert_eq!(answer.decision, ExplicitDeny);
}

#[test]
fn the_deciding_statement_is_named() {
    let document = statements(json!([
        {"Sid": "Read", "Effect": "Allow", "Action": "s3:Get*", "Resource": "*"},
        {"Sid": "NoWrite", "Effect": "Deny", "Action": "s3:Put*", "Resource": "*"}
    ]));
    let read = Document::read(&document);
    let sid = |action| {
        let answer = evaluate(&[&read], None, action, OBJECT, &Context::new());
        answer.statement.and_then(|statement| statement.sid)
    };
    assert_eq!(sid("s3:GetObject").as_deref(), Some("Read"));
    assert_eq!(sid("s3:PutObject").as_deref(), Some("NoWrite"));
    assert_eq!(sid("s3:ListBucket"), None);
}
