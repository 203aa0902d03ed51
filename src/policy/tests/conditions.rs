//! Condition blocks.

use super::*;

type Row<'a> = (&'a str, Value, &'a [(&'a str, &'a str)], Decision);

#[test]
fn conditions() {
    let rows: Vec<Row<'_>> = vec![
        (
            "equal",
            json!({"StringEquals": {"s3:prefix": ["wh/", "wh"]}}),
            &[("s3:prefix", "wh/")],
            Allow,
        ),
        (
            "not equal",
            json!({"StringEquals": {"s3:prefix": "wh/"}}),
            &[("s3:prefix", "x/")],
            NoMatch,
        ),
        (
            "absent key",
            json!({"StringEquals": {"s3:prefix": "wh/"}}),
            &[],
            NoMatch,
        ),
        (
            "absent key, IfExists",
            json!({"StringEqualsIfExists": {"s3:prefix": "wh/"}}),
            &[],
            Allow,
        ),
        (
            "absent key, negated",
            json!({"StringNotEquals": {"s3:prefix": "wh/"}}),
            &[],
            Allow,
        ),
        (
            "key in other case",
            json!({"StringEquals": {"S3:Prefix": "wh/"}}),
            &[("s3:prefix", "wh/")],
            Allow,
        ),
        (
            "like",
            json!({"StringLike": {"s3:prefix": ["wh/*"]}}),
            &[("s3:prefix", "wh/a")],
            Allow,
        ),
        (
            "like, one character",
            json!({"StringLike": {"s3:prefix": "w?/*"}}),
            &[("s3:prefix", "wxx/a")],
            NoMatch,
        ),
        (
            "ARN like",
            json!({"ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:role/broker*"}}),
            &[("aws:PrincipalArn", "arn:aws:iam::123456789012:role/broker-1")],
            Allow,
        ),
        (
            "a star stops at the colon",
            json!({"ArnLike": {"aws:PrincipalArn": "arn:aws:*:role/x"}}),
            &[("aws:PrincipalArn", "arn:aws:iam::123456789012:role/x")],
            NoMatch,
        ),
        (
            "ARN equals takes wildcards",
            json!({"ArnEquals": {"aws:PrincipalArn": "arn:aws:iam::123456789012:role/*"}}),
            &[("aws:PrincipalArn", "arn:aws:iam::123456789012:role/x")],
            Allow,
        ),
        ("null", json!({"Null": {"sts:ExternalId": "true"}}), &[], Allow),
        (
            "not null, absent",
            json!({"Null": {"sts:ExternalId": "false"}}),
            &[],
            NoMatch,
        ),
        (
            "any value",
            json!({"ForAnyValue:StringEquals": {"aws:TagKeys": ["a", "b"]}}),
            &[("aws:TagKeys", "b")],
            Allow,
        ),
        (
            "bool",
            json!({"Bool": {"aws:SecureTransport": "true"}}),
            &[("aws:SecureTransport", "true")],
            Allow,
        ),
        (
            "two operators must both hold",
            json!({"StringLike": {"s3:prefix": "wh/*"}, "StringEquals": {"s3:delimiter": "/"}}),
            &[("s3:prefix", "wh/a"), ("s3:delimiter", "-")],
            NoMatch,
        ),
        (
            "variable",
            json!({"StringLike": {"s3:prefix": "${aws:username}/*"}}),
            &[("s3:prefix", "bob/x"), ("aws:username", "bob")],
            Allow,
        ),
        (
            "variable with a default",
            json!({"StringEquals": {"s3:prefix": "${aws:username, 'nobody'}/"}}),
            &[("s3:prefix", "nobody/")],
            Allow,
        ),
        (
            "a variable's value has no wildcards",
            json!({"StringLike": {"s3:prefix": "${aws:username}/x"}}),
            &[("s3:prefix", "bob/x"), ("aws:username", "*")],
            NoMatch,
        ),
        (
            "a literal star",
            json!({"StringLike": {"s3:prefix": "a${*}b"}}),
            &[("s3:prefix", "aXb")],
            NoMatch,
        ),
        (
            "a literal star, hit",
            json!({"StringLike": {"s3:prefix": "a${*}b"}}),
            &[("s3:prefix", "a*b")],
            Allow,
        ),
        (
            "number",
            json!({"NumericLessThanEquals": {"s3:max-keys": 10}}),
            &[("s3:max-keys", "5")],
            Allow,
        ),
        (
            "boolean",
            json!({"Bool": {"aws:SecureTransport": true}}),
            &[("aws:SecureTransport", "true")],
            Allow,
        ),
    ];
    for (name, condition, keys, want) in rows {
        assert_eq!(
            ask(&when(condition), "s3:ListBucket", BUCKET, keys),
            want,
            "{name}"
        );
    }
}
