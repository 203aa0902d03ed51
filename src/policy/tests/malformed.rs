//! What is refused when it is written.

use super::*;

#[test]
fn malformed_documents_are_refused_in_words() {
    let rows = [
        (json!([]), Kind::Identity, "Syntax errors in policy."),
        (statements(json!([])), Kind::Identity, "Syntax errors in policy."),
        (
            json!({"Version": "2020-01-01", "Statement": []}),
            Kind::Identity,
            "valid version string",
        ),
        (
            statements(json!({"Effect": "allow", "Action": "*", "Resource": "*"})),
            Kind::Identity,
            "Invalid effect",
        ),
        (
            statements(json!({"Effect": "Allow", "Resource": "*"})),
            Kind::Identity,
            "must contain actions",
        ),
        (
            statements(json!({"Effect": "Allow", "Action": "*"})),
            Kind::Identity,
            "must contain resources",
        ),
        (
            statements(json!({"Effect": "Allow", "Action": "GetObject", "Resource": "*"})),
            Kind::Identity,
            "must be prefaced by a vendor",
        ),
        (
            statements(json!({"Effect": "Allow", "Action": "s3:*", "Resource": "lake/*"})),
            Kind::Identity,
            "Resource lake/* must be in ARN format or \"*\".",
        ),
        (
            statements(json!({"Effect": "Allow", "Action": "*", "Resource": "*", "Principal": "*"})),
            Kind::Identity,
            "should not specify a principal",
        ),
        (
            statements(
                json!({"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": "*", "Principal": "*"}),
            ),
            Kind::Trust,
            "Has prohibited field Resource",
        ),
        (
            statements(json!({"Effect": "Allow", "Action": "s3:GetObject", "Principal": "*"})),
            Kind::Trust,
            "may only specify STS AssumeRole actions",
        ),
        (
            statements(json!({"Effect": "Allow", "Action": "sts:AssumeRole"})),
            Kind::Trust,
            "Missing required field Principal",
        ),
    ];
    for (document, kind, want) in rows {
        let said = Document::parse(&document.to_string(), kind)
            .unwrap_err()
            .to_string();
        assert!(said.contains(want), "{document}: {said}");
    }
    assert!(Document::parse("{", Kind::Identity).is_err());
    assert!(Document::parse("{\"Statement\": \"\u{2713}\"}", Kind::Identity).is_err());
}
