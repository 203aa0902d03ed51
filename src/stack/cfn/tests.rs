use super::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn pseudo() -> Pseudo {
    Pseudo {
        account_id: "012345678901".to_owned(),
        region: "us-west-2".to_owned(),
        partition: "aws".to_owned(),
        url_suffix: "amazonaws.com".to_owned(),
        stack_name: "s".to_owned(),
        stack_id: "arn:aws:cloudformation:us-west-2:012345678901:stack/s/1".to_owned(),
    }
}

fn given(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

/// Evaluates one YAML expression in a template with a few parameters, conditions and a mapping.
fn eval(expression: &str) -> Result<Option<Value>, TemplateError> {
    let text = format!(
        "Parameters:\n  Name: {{Type: String, Default: 'a${{*}}b'}}\n  Empty: {{Type: String, Default: ''}}\n  \
         List: {{Type: CommaDelimitedList, Default: 'x, y,z\\,w'}}\nMappings:\n  M: {{us-west-2: {{k: v}}}}\n\
         Conditions:\n  Later: !And [!Condition Yes, !Not [!Condition No]]\n  Yes: !Equals [!Ref Name, !Ref Name]\n  \
         No: !Or [!Equals [a, b], !Equals [!Ref Empty, x]]\nResources:\n  Role:\n    Type: AWS::IAM::Role\n  \
         X:\n    Type: T::T::T\n    Properties:\n      V: {expression}\n"
    );
    let template = Template::parse(&text)?;
    let bound = template.bind(&BTreeMap::new(), pseudo())?;
    let resources = BTreeMap::from([(
        "Role".to_owned(),
        Physical {
            reference: "role-name".to_owned(),
            attributes: BTreeMap::from([("Arn".to_owned(), "arn:role".to_owned())]),
        },
    )]);
    let value = template.resource("X").unwrap().properties.clone();
    Ok(bound
        .evaluate(&value, &resources)?
        .and_then(|value| value.get("V").cloned()))
}

#[test]
fn functions_yield_what_cloudformation_yields() {
    for (expression, expected) in [
        ("!Ref Name", json!("a${*}b")),
        ("!Ref List", json!(["x", "y", "z,w"])),
        ("!Ref Role", json!("role-name")),
        ("!GetAtt Role.Arn", json!("arn:role")),
        (
            "!Sub '${Role}/${Role.Arn}/${AWS::Partition}/${!Kept}/$'",
            json!("role-name/arn:role/aws/${Kept}/$"),
        ),
        ("!Sub 'p/${Name}*'", json!("p/a${*}b*")),
        (
            "!Sub ['${A}-${Name}', {A: !Ref AWS::Region}]",
            json!("us-west-2-a${*}b"),
        ),
        (
            "!Join ['-', [a, !Ref Empty, !Ref AWS::AccountId]]",
            json!("a--012345678901"),
        ),
        ("!Join ['+', !Ref List]", json!("x+y+z,w")),
        ("!Split [',', 'a,,b']", json!(["a", "", "b"])),
        ("!Select [1, !Ref List]", json!("y")),
        ("!If [Later, a, b]", json!("a")),
        ("!If [No, a, !Sub '${AWS::StackName}']", json!("s")),
        ("[a, !If [No, b, !Ref AWS::NoValue], c]", json!(["a", "c"])),
        ("{a: 1, b: !Ref AWS::NoValue}", json!({"a": 1})),
        ("!FindInMap [M, !Ref AWS::Region, k]", json!("v")),
        // A key that is named as a function's but is none: the Condition of a policy statement.
        (
            "{Condition: Yes, Effect: Allow}",
            json!({"Condition": "Yes", "Effect": "Allow"}),
        ),
        (
            "{Condition: {StringEquals: {a: b}}}",
            json!({"Condition": {"StringEquals": {"a": "b"}}}),
        ),
    ] {
        assert_eq!(eval(expression).unwrap(), Some(expected), "{expression}");
    }
    assert_eq!(eval("!If [Yes, !Ref AWS::NoValue, x]").unwrap(), None);
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    for (expression, part) in [
        ("!Ref Nobody", "[Nobody]"),
        ("!Sub '${Nobody.Arn}'", "[Nobody]"),
        ("!GetAtt Role.Nothing", "does not support attribute type Nothing"),
        ("!Select [7, !Ref List]", "index 7"),
        ("!If [Unknown, a, b]", "Unknown"),
        ("!FindInMap [M, eu-west-1, k]", "M::eu-west-1::k"),
        ("!Base64 x", "Fn::Base64 is not supported"),
        ("!Join [',', x]", "a list of texts"),
        ("!Sub '${List}'", "[List]"),
    ] {
        let error = eval(expression).unwrap_err().to_string();
        assert!(error.contains(part), "{expression}: {error}");
    }
}

const PARAMETERS: &str = r"
Parameters:
  AccountId: {Type: String, AllowedPattern: '^\d{12}$', ConstraintDescription: 12 digits}
  Bare: {Type: String, AllowedPattern: '[a-z]*', MaxLength: 3, Default: ''}
  Choice: {Type: String, AllowedValues: [read, 7], Default: read}
  Count: {Type: Number, MinValue: 1, MaxValue: 9, Default: 1}
  Arns: {Type: CommaDelimitedList, AllowedPattern: '^arn:.*$', Default: 'arn:a,arn:b'}
Rules:
  RightAccount:
    Assertions:
      - Assert: !Equals [!Ref AWS::AccountId, !Ref AccountId]
        AssertDescription: This stack belongs in another account.
  OnlyForMany:
    RuleCondition: !Equals [!Ref Choice, '7']
    Assertions:
      - Assert: !Contains [['8', '9'], !Ref Count]
        AssertDescription: Seven needs a large count.
Resources:
  R: {Type: AWS::IAM::Role}
";

#[test]
fn parameters_are_checked_in_the_words_of_aws() {
    let template = Template::parse(PARAMETERS).unwrap();
    let good = ("AccountId", "012345678901");
    let bind = |pairs: &[(&str, &str)]| {
        template
            .bind(&given(pairs), pseudo())
            .map(|_| ())
            .map_err(|e| e.to_string())
    };
    assert_eq!(bind(&[good]), Ok(()));
    for (pairs, expected) in [
        (&[][..], "Parameters: [AccountId] must have values"),
        (
            &[good, ("Nope", "1")],
            "Parameters: [Nope] do not exist in the template",
        ),
        (
            &[("AccountId", "12345678901")],
            "Parameter AccountId failed to satisfy constraint: 12 digits",
        ),
        (
            &[good, ("Bare", "A")],
            "Parameter 'Bare' must match pattern [a-z]*",
        ),
        (
            &[good, ("Bare", "abcd")],
            "Parameter 'Bare' must contain at most 3 characters.",
        ),
        (
            &[good, ("Choice", "write")],
            "Parameter 'Choice' must be one of AllowedValues",
        ),
        (&[good, ("Count", "x")], "Parameter 'Count' must be a number."),
        (
            &[good, ("Count", "10")],
            "Parameter 'Count' must be a number between 1 and 9.",
        ),
        (
            &[good, ("Arns", "arn:a, b")],
            "Parameter 'Arns' must match pattern ^arn:.*$",
        ),
        (
            &[("AccountId", "999988887777")],
            "Rule RightAccount failed. This stack belongs in another account.",
        ),
        (
            &[good, ("Choice", "7")],
            "Rule OnlyForMany failed. Seven needs a large count.",
        ),
    ] {
        assert_eq!(bind(pairs), Err(expected.to_owned()), "{pairs:?}");
    }
    assert_eq!(bind(&[good, ("Choice", "7"), ("Count", "9")]), Ok(()));
}

#[test]
fn a_template_is_checked_in_itself() {
    for (text, expected) in [
        (
            "Resources: {}",
            "Template format error: At least one Resources member must be defined.",
        ),
        ("a: b", "Invalid template property or properties [a]"),
        (
            "Transform: X\nResources: {R: {Type: T}}",
            "Invalid template property or properties [Transform]",
        ),
        (
            "Resources: {R: {Properties: {}}}",
            "[/Resources/R] Every Resources object must contain a Type member.",
        ),
        (
            "Resources: {R-1: {Type: T}}",
            "Resource name R-1 is non alphanumeric.",
        ),
        (
            "Resources: {A: {Type: T, DependsOn: B}, B: {Type: T, Properties: {V: !Sub '${A.Arn}'}}}",
            "Circular dependency between resources: [A, B]",
        ),
        (
            "Resources: {A: {Type: T}}\nOutputs: {O: {Value: !Ref Z}}",
            "Unresolved resource dependencies [Z] in the Outputs block of the template",
        ),
        ("- a\n- b", "Template format error: unsupported structure."),
    ] {
        let error = Template::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn resources_come_after_what_they_need() {
    let template = Template::parse(
        "Resources:\n  A: {Type: T, Properties: {V: !GetAtt C.Arn}}\n  B: {Type: T, DependsOn: [A]}\n  C: {Type: T}\n",
    )
    .unwrap();
    let ids: Vec<&str> = template
        .resources
        .iter()
        .map(|resource| resource.id.as_str())
        .collect();
    assert_eq!(ids, ["C", "A", "B"]);
}

#[test]
fn a_chosen_name_needs_the_named_capability() {
    for (resource, capability) in [
        ("{Type: 'AWS::IAM::Role'}", Some(Capability::Iam)),
        (
            "{Type: 'AWS::IAM::Policy', Properties: {PolicyName: p}}",
            Some(Capability::Iam),
        ),
        (
            "{Type: 'AWS::IAM::Role', Properties: {RoleName: r}}",
            Some(Capability::NamedIam),
        ),
        (
            "{Type: 'AWS::IAM::ManagedPolicy', Properties: {ManagedPolicyName: r}}",
            Some(Capability::NamedIam),
        ),
        ("{Type: 'AWS::S3::Bucket'}", None),
    ] {
        let template = Template::parse(&format!("Resources: {{R: {resource}}}")).unwrap();
        assert_eq!(template.capability(), capability, "{resource}");
    }
    assert!(Capability::Iam.covered_by(["CAPABILITY_NAMED_IAM"]));
    assert!(!Capability::NamedIam.covered_by(["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]));
}
