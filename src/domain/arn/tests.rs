use super::*;
use crate::domain::region::Region;

#[test]
fn a_role_with_a_path_falls_into_its_parts() {
    let role: RoleArn = " arn:aws-cn:iam::012345678901:role/team/lake/reader\n"
        .parse()
        .unwrap();
    assert_eq!(role.account().as_str(), "012345678901");
    assert_eq!(role.partition(), Partition::AwsCn);
    assert_eq!((role.path(), role.role_name()), ("/team/lake/", "reader"));
    let plain: RoleArn = "arn:aws:iam::012345678901:role/role".parse().unwrap();
    assert_eq!((plain.path(), plain.role_name()), ("/", "role"));
    let built = RoleArn::new(Partition::AwsCn, &role.account(), "/team/lake/", "reader").unwrap();
    assert_eq!(built, role);
}

#[test]
fn what_is_no_role_says_what_it_is() {
    for (given, word) in [
        ("", "is empty"),
        ("012345678901", "account ID"),
        ("reader", "does not start with arn:"),
        ("arn:aws:iam", "fewer than the six"),
        (
            "arn:aws:iam::012345678901:user/ana",
            "user/ where role/ is needed",
        ),
        ("arn:aws:iam::012345678901:root", "root"),
        ("arn:aws:iam::012345678901:role/", "name is missing"),
        ("arn:aws:iam::012345678901:role", "names no role"),
        ("arn:aws:iam::12345678901:role/x", "12-digit account"),
        ("arn:aws:iam:::role/x", "names no account"),
        ("arn:aws:iam:us-west-2:012345678901:role/x", "names a region"),
        ("arn:aws:sts::012345678901:assumed-role/x/s", "session"),
        ("arn:aws:s3:::bucket/x", "ARN of s3"),
        ("arn:moon:iam::012345678901:role/x", "partition"),
        ("arn:aws:iam::012345678901:role/a b", "holds ' '"),
        ("arn:aws:iam::012345678901:role/a$b", "'$'"),
        ("arn:aws:iam::012345678901:policy/x", "is a policy"),
    ] {
        let error = given.parse::<RoleArn>().unwrap_err();
        assert!(error.to_string().contains(word), "{given}: {error}");
    }
    let long = format!("arn:aws:iam::012345678901:role/{}", "x".repeat(65));
    assert!(long.parse::<RoleArn>().unwrap_err().why.contains("65 characters"));
}

#[test]
fn partition_arns_follow_the_region() {
    let role: RoleArn = "arn:aws:iam::123456789012:role/x".parse().unwrap();
    let check = |id: &str| role.check_region(&id.parse::<Region>().unwrap());
    assert!(check("us-west-2").is_ok());
    for (id, partition) in [
        ("cn-north-1", "aws-cn"),
        ("us-gov-west-1", "aws-us-gov"),
        ("eusc-de-east-1", "aws-eusc"),
    ] {
        let error = check(id).unwrap_err();
        assert!(
            error.to_string().contains(id) && error.expected.contains(&format!("arn:{partition}:")),
            "{error}"
        );
    }
}

#[test]
fn principals_are_roles_users_roots_and_sessions() {
    for given in [
        "arn:aws:iam::012345678901:role/x",
        "arn:aws:iam::012345678901:user/team/ana",
        "arn:aws:iam::012345678901:root",
        "arn:aws:sts::012345678901:assumed-role/AWSReservedSSO_Admin_1a2b/ana@example.com",
    ] {
        let principal: PrincipalArn = given.parse().unwrap();
        assert_eq!(principal.to_string(), given);
        assert_eq!(principal.account().as_str(), "012345678901");
    }
    let session: PrincipalArn = "arn:aws:sts::012345678901:assumed-role/admin/ana"
        .parse()
        .unwrap();
    assert_eq!(
        session.role_of_session().unwrap().as_str(),
        "arn:aws:iam::012345678901:role/admin"
    );
    assert!(session.as_role().is_none());
    let root = PrincipalArn::root(Partition::AwsCn, &session.account());
    assert!(root.is_root() && root.role_of_session().is_none());
}

#[test]
fn other_principals_are_refused_with_a_hint() {
    for (given, word) in [
        (
            "012345678901",
            "arn:aws:iam::012345678901:root for the whole account",
        ),
        ("*", "never trusted"),
        ("arn:aws:iam::012345678901:group/x", "group"),
        ("arn:aws:iam::012345678901:role/a*", "wildcard"),
        ("arn:aws:iam::012345678901:user/", "not a whole principal"),
        (
            "arn:aws:iam::012345678901:user/${aws:username}",
            "holds '$' in the user's name",
        ),
        (
            "arn:aws:iam::012345678901:user/team/a{b}",
            "holds '{' in the user's name",
        ),
        (
            "arn:aws:sts::012345678901:assumed-role/x",
            "not a whole principal",
        ),
        ("arn:aws:s3:::bucket", "names a region or no account"),
        ("lambda.amazonaws.com", "does not start with arn:"),
    ] {
        let error = given.parse::<PrincipalArn>().unwrap_err();
        assert!(error.to_string().contains(word), "{given}: {error}");
    }
}

#[test]
fn any_arn_gives_its_fields() {
    let key: AnyArn = "arn:aws:kms:us-west-2:012345678901:key/1:2".parse().unwrap();
    assert_eq!(
        (key.service(), key.region(), key.resource()),
        ("kms", "us-west-2", "key/1:2")
    );
    assert_eq!(key.account().unwrap().as_str(), "012345678901");
    let managed: AnyArn = "arn:aws:iam::aws:policy/ReadOnlyAccess".parse().unwrap();
    assert!(managed.account().is_none());
    let bucket: AnyArn = "arn:aws-cn:s3:::b".parse().unwrap();
    assert_eq!((bucket.partition(), bucket.account()), (Partition::AwsCn, None));
}
