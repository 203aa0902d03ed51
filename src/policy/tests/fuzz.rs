//! Any input.

use super::*;
use proptest::prelude::*;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        prop::sample::select(vec![
            "Allow",
            "Deny",
            "*",
            "s3:*",
            "${aws:username}",
            "${",
            "${*}",
            "arn:aws:s3:::*",
            "2012-10-17",
            "::::::",
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        let keys = prop::sample::select(vec![
            "Version",
            "Statement",
            "Effect",
            "Action",
            "NotAction",
            "Resource",
            "NotResource",
            "Principal",
            "NotPrincipal",
            "Condition",
            "AWS",
            "StringLike",
            "ForAllValues:ArnLike",
            "IpAddress",
            "DateEquals",
            "NumericEquals",
            "Nonsense",
            "s3:prefix",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_json_is_evaluated_without_a_panic(value in any_json(), wrap in any::<bool>(), given in "\\PC{0,8}") {
        let value = if wrap { json!({"Version": "2012-10-17", "Statement": value}) } else { value };
        let document = Document::read(&value);
        let keys = context(&[("s3:prefix", &given)]);
        let caller = Caller { arn: USER, principal_arn: USER, account: "111122223333" };
        let own = evaluate(&[&document], None, "s3:GetObject", OBJECT, &keys);
        let _ = evaluate(&[&document], Some(&caller), "sts:AssumeRole", &given, &keys);
        let checked = document.check(Kind::Identity).is_ok();
        // What passed the check holds no operator that evaluation does not know.
        prop_assert!(!checked || own.unknown_operators.is_empty());
        let again: Value = serde_json::from_str(document.text()).unwrap();
        prop_assert_eq!(&again, &value);
    }

    #[test]
    fn a_literal_matches_itself_and_stars_match_all(text in "[a-z:/]{0,20}") {
        prop_assert!(crate::policy::pattern::wild(&text, &text));
        prop_assert!(crate::policy::pattern::wild("*", &text));
        let starred = format!("*{text}*");
        prop_assert!(crate::policy::pattern::wild(&starred, &text));
        let longer = format!("{text}?");
        prop_assert!(!crate::policy::pattern::wild(&longer, &text));
    }
}
