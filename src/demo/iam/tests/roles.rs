//! Making, changing and removing.

use super::*;

#[test]
fn a_role_is_made_read_and_removed() {
    let aws = Aws::new();
    let trust = trusting(&broker_role_arn(), None);
    aws.role("reader", &trust).unwrap();
    assert_eq!(code(aws.role("Reader", &trust)), "EntityAlreadyExists");
    let shown = aws.iam("GetRole", &[("RoleName", "reader")]).unwrap();
    assert_eq!(element(&shown, "Arn"), arn("reader"));
    assert_eq!(element(&shown, "MaxSessionDuration"), "3600");
    assert!(element(&shown, "AssumeRolePolicyDocument").starts_with("%7B%22Version%22"));
    aws.put("reader", "read", &allowing("glue:Get*", "*")).unwrap();
    assert_eq!(
        code(aws.iam("DeleteRole", &[("RoleName", "reader")])),
        "DeleteConflict"
    );
    aws.iam(
        "DeleteRolePolicy",
        &[("RoleName", "reader"), ("PolicyName", "read")],
    )
    .unwrap();
    aws.iam("DeleteRole", &[("RoleName", "reader")]).unwrap();
    assert_eq!(
        code(aws.iam("GetRole", &[("RoleName", "reader")])),
        "NoSuchEntity"
    );
}

#[test]
fn a_trusted_principal_must_exist_where_the_account_is_known() {
    let aws = Aws::new();
    let refused = aws
        .role("r", &trusting("arn:aws:iam::999988887777:role/nobody", None))
        .unwrap_err();
    assert_eq!(refused.code, "MalformedPolicyDocument");
    assert_eq!(
        refused.message,
        "Invalid principal in policy: \"AWS\":\"arn:aws:iam::999988887777:role/nobody\""
    );
    for wrong in [
        "arn:aws:iam::999988887777:role/*",
        "nobody",
        "arn:aws-cn:iam::999988887777:root",
        "arn:aws:iam::1:root",
    ] {
        assert_eq!(
            code(aws.role("r", &trusting(wrong, None))),
            "MalformedPolicyDocument",
            "{wrong}"
        );
    }
    for (n, fine) in [
        "999988887777",
        "arn:aws:iam::999988887777:root",
        "arn:aws:iam::123456789012:role/elsewhere",
        "*",
    ]
    .iter()
    .enumerate()
    {
        assert_eq!(
            code(aws.role(&format!("r{n}"), &trusting(fine, None))),
            "allowed",
            "{fine}"
        );
    }
}

#[test]
fn a_principal_made_again_is_another_one() {
    let aws = Aws::new();
    let open = trusting("arn:aws:iam::012345678901:user/admin", None);
    aws.role("hop", &open).unwrap();
    aws.put("hop", "go", &allowing("sts:AssumeRole", "*")).unwrap();
    aws.role("target", &trusting(&arn("hop"), None)).unwrap();
    let target = arn("target");
    let hop = || aws.assume(&aws.admin, &[("RoleArn", &arn("hop"))]).unwrap();
    assert!(aws.assume(&hop(), &[("RoleArn", &target)]).is_ok());
    aws.iam("DeleteRolePolicy", &[("RoleName", "hop"), ("PolicyName", "go")])
        .unwrap();
    let old = hop();
    aws.iam("DeleteRole", &[("RoleName", "hop")]).unwrap();
    aws.role("hop", &open).unwrap();
    aws.put("hop", "go", &allowing("*", "*")).unwrap();
    assert_eq!(code(aws.assume(&hop(), &[("RoleArn", &target)])), "AccessDenied");
    assert_eq!(code(aws.may(&old, "glue:GetTables", "*")), "AccessDenied");
    let shown = aws.iam("GetRole", &[("RoleName", "target")]).unwrap();
    assert!(element(&shown, "AssumeRolePolicyDocument").contains("%22AWS%22%3A%22AROA"));
}

#[test]
fn policies_have_their_sizes_and_names() {
    let aws = Aws::new();
    aws.role("r", &trusting(&broker_role_arn(), None)).unwrap();
    let half = allowing("glue:GetTable", &format!("arn:aws:s3:::{}", "x".repeat(5_000)));
    aws.put("r", "one", &half).unwrap();
    aws.put("r", "two", &half).unwrap();
    aws.put("r", "two", &half).unwrap();
    assert_eq!(
        said(aws.put("r", "three", &half)),
        "Maximum policy size of 10240 bytes exceeded for role r"
    );
    assert_eq!(code(aws.put("r", "three", &half)), "LimitExceeded");
    assert_eq!(code(aws.put("r", "a b", &half)), "ValidationError");
    assert_eq!(
        code(aws.role(&"r".repeat(65), &trusting(&broker_role_arn(), None))),
        "ValidationError"
    );
    assert_eq!(code(aws.put("absent", "one", &half)), "NoSuchEntity");
}

#[test]
fn long_lists_come_in_pages() {
    let aws = Aws::new();
    for n in 0..5 {
        aws.role(&format!("r{n}"), &trusting(&broker_role_arn(), None))
            .unwrap();
    }
    let mut names = Vec::new();
    let mut marker = String::new();
    loop {
        let page = aws
            .iam("ListRoles", &[("MaxItems", "2"), ("Marker", &marker)])
            .unwrap();
        names.extend(
            page.as_str()
                .split("<RoleName>")
                .skip(1)
                .map(|rest| rest[..2].to_owned()),
        );
        if element(&page, "IsTruncated") == "false" {
            break;
        }
        marker = element(&page, "Marker").to_owned();
    }
    assert_eq!(names, ["r0", "r1", "r2", "r3", "r4"]);
}

#[test]
fn nobody_changes_iam_without_a_policy() {
    let aws = Aws::new();
    let fields = [("UserName", "x")];
    assert_eq!(
        said(aws.iam_as(&aws.outsider, "CreateUser", &fields)),
        "User: arn:aws:iam::444455556666:user/outsider is not authorized to perform: iam:CreateUser on resource: \
         arn:aws:iam::444455556666:user/x because no identity-based policy allows the iam:CreateUser action"
    );
    assert_eq!(code(aws.iam_as(&aws.engine, "ListRoles", &[])), "AccessDenied");
}

#[test]
fn managed_policies_and_boundaries_bind() {
    let aws = Aws::new();
    let read = allowing("glue:Get*", "*").to_string();
    let made = aws
        .iam(
            "CreatePolicy",
            &[("PolicyName", "read"), ("PolicyDocument", &read)],
        )
        .unwrap();
    let policy = element(&made, "Arn").to_owned();
    aws.iam("CreateUser", &[("UserName", "ann")]).unwrap();
    let key = aws.iam("CreateAccessKey", &[("UserName", "ann")]).unwrap();
    let ann = aws.world.caller(element(&key, "AccessKeyId"));
    assert_eq!(code(aws.may(&ann, "glue:GetTables", "*")), "AccessDenied");
    aws.iam("AttachUserPolicy", &[("UserName", "ann"), ("PolicyArn", &policy)])
        .unwrap();
    assert_eq!(code(aws.may(&ann, "glue:GetTables", "*")), "allowed");
    assert_eq!(
        code(aws.iam("DeletePolicy", &[("PolicyArn", &policy)])),
        "DeleteConflict"
    );
    let nothing = allowing("s3:*", "*").to_string();
    let made = aws
        .iam(
            "CreatePolicy",
            &[("PolicyName", "bound"), ("PolicyDocument", &nothing)],
        )
        .unwrap();
    let bound = element(&made, "Arn").to_owned();
    aws.iam(
        "PutUserPermissionsBoundary",
        &[("UserName", "ann"), ("PermissionsBoundary", &bound)],
    )
    .unwrap();
    assert!(
        said(aws.may(&ann, "glue:GetTables", "*"))
            .ends_with("because no permissions boundary allows the glue:GetTables action")
    );
    let wider = allowing("*", "*").to_string();
    aws.iam(
        "CreatePolicyVersion",
        &[
            ("PolicyArn", &bound),
            ("PolicyDocument", &wider),
            ("SetAsDefault", "true"),
        ],
    )
    .unwrap();
    assert_eq!(code(aws.may(&ann, "glue:GetTables", "*")), "allowed");
}
