//! Paths that stand on an access point.

use super::*;

const ARN: &str = "arn:aws:s3:us-west-2:012345678901:accesspoint/finance";
const ALIAS: &str = "finance-x7k2hq3-s3alias";

fn known(alias: Option<&str>, bucket: Option<&str>) -> AccessPoint {
    AccessPoint {
        arn: ARN.parse().unwrap(),
        alias: alias.map(|alias| alias.parse().unwrap()),
        bucket: bucket.map(|bucket| bucket.parse().unwrap()),
    }
}

#[test]
fn an_arn_and_an_alias_are_paths_in_each_spelling() {
    let cn = "arn:aws-cn:s3:cn-north-1:012345678901:accesspoint/x-1";
    for (given, shown, prefix) in [
        (ARN.to_owned(), format!("s3://{ARN}"), ""),
        (format!("{ARN}/"), format!("s3://{ARN}"), ""),
        (format!("{ARN}/wh"), format!("s3://{ARN}/wh"), "wh/"),
        (
            format!(" s3://{ARN}/wh/a b/ "),
            format!("s3://{ARN}/wh/a b"),
            "wh/a b/",
        ),
        (format!("S3A://{ARN}/wh"), format!("s3://{ARN}/wh"), "wh/"),
        (
            format!("s3://{ARN}/object/wh"),
            format!("s3://{ARN}/object/wh"),
            "object/wh/",
        ),
        (ARN.replace("point/", "point:"), format!("s3://{ARN}"), ""),
        (format!("{cn}/wh:x"), format!("s3://{cn}/wh:x"), "wh:x/"),
        (format!("s3://{ALIAS}/wh"), format!("s3://{ALIAS}/wh"), "wh/"),
        (format!("s3://{ALIAS}"), format!("s3://{ALIAS}"), ""),
    ] {
        let read = path(&given);
        assert_eq!(
            (read.to_string(), read.prefix()),
            (shown.clone(), prefix),
            "{given}"
        );
        assert_eq!(path(&shown), read);
        assert_eq!(read.own_bucket(), None, "{given}");
    }
}

#[test]
fn what_is_no_access_point_is_refused_and_objects_are_shown_as_a_path() {
    for (given, said) in [
        (
            format!("{ARN}/object/wh/*"),
            "it as a path: s3://arn:aws:s3:us-west-2:012345678901:accesspoint/finance/wh/",
        ),
        (format!("s3://{ARN}/wh/*"), "pattern"),
        (format!("s3://{ARN}//wh"), "one slash after the bucket"),
        ("arn:aws:s3:us-west-2:012345678901:accesspoint/".into(), "3 to 50"),
        (
            "arn:aws:s3:us-west-2:012345678901:accesspoint/Fin".into(),
            "3 to 50",
        ),
        (
            "arn:aws:s3:us-west-2:012345678901:accesspoint/-fin".into(),
            "starts or ends",
        ),
        (
            "arn:aws:s3:us-west-2:01234567890:accesspoint/fin".into(),
            "12-digit account",
        ),
        ("arn:aws:s3:us-west-2::accesspoint/fin".into(), "no account"),
        (
            "arn:aw:s3:us-west-2:012345678901:accesspoint/fin".into(),
            "the partition",
        ),
        ("s3://-s3alias/wh".into(), "access point alias"),
        ("s3://Finance-s3alias/wh".into(), "access point alias"),
    ] {
        let error = given.parse::<S3Path>().unwrap_err().to_string();
        assert!(error.contains(said), "{given}: {error}");
    }
    let mrap = "arn:aws:s3::012345678901:accesspoint/x.mrap".parse::<AccessPointArn>();
    assert!(mrap.unwrap_err().to_string().contains("multi-region"));
    assert!("arn:aws:s3:::lake".parse::<AccessPointArn>().is_err());
}

#[test]
fn an_alias_tells_the_name_as_far_as_it_holds_it() {
    for (alias, name) in [(ALIAS, "finance"), ("a-b-x7k2hq3-s3alias", "a-b")] {
        assert_eq!(alias.parse::<AccessPointAlias>().unwrap().point_name(), name);
    }
}

#[test]
fn requests_go_by_the_alias_and_a_policy_names_the_arn() {
    let aws = Partition::Aws;
    let bucket = path("s3://lake/wh");
    assert_eq!(bucket.list_arn(aws), "arn:aws:s3:::lake");
    assert_eq!(
        bucket.object_arn(Partition::AwsCn, "wh/x"),
        "arn:aws-cn:s3:::lake/wh/x"
    );
    let by_arn = path(&format!("{ARN}/wh"));
    assert_eq!((by_arn.bucket(), by_arn.list_arn(aws).as_str()), (ARN, ARN));
    let both = by_arn.through(Some(&known(Some(ALIAS), Some("lake"))));
    assert_eq!((both.bucket(), both.own_bucket()), (ALIAS, Some("lake")));
    assert_eq!(both.list_arn(aws), ARN);
    assert_eq!(both.object_arn(aws, "wh/x"), format!("{ARN}/object/wh/x"));
    assert_eq!(both.to_string(), format!("s3://{ARN}/wh"));
    assert_eq!(both.stands_on(), "the access point finance");

    let alias = path(&format!("s3://{ALIAS}/wh"));
    assert_eq!(
        alias.list_arn(aws),
        format!("s3://{ALIAS}/"),
        "an alias means nothing to a policy"
    );
    assert!(alias.is_alias() && alias.point().is_none());
    let through = alias.clone().through(Some(&known(None, None)));
    assert_eq!((through.bucket(), through.list_arn(aws).as_str()), (ALIAS, ARN));
    assert_eq!(through, both);
    assert_ne!(through, alias);
    // What is known of another one is not taken.
    let other = alias
        .clone()
        .through(Some(&known(Some("other-x7k2-s3alias"), None)));
    assert!(other.point().is_none());
    let another =
        path("arn:aws:s3:us-west-2:012345678901:accesspoint/other").through(Some(&known(Some(ALIAS), None)));
    assert_eq!(
        another.bucket(),
        "arn:aws:s3:us-west-2:012345678901:accesspoint/other"
    );
    assert!(
        path("s3://lake")
            .through(Some(&known(None, None)))
            .point()
            .is_none()
    );
}

#[test]
fn a_table_lies_there_by_any_name_but_only_the_access_points_own_are_covered() {
    let granted = path(&format!("s3://{ALIAS}/wh")).through(Some(&known(None, Some("lake"))));
    for (location, contains, covers) in [
        (format!("s3://{ALIAS}/wh/t"), true, true),
        (format!("s3a://{ARN}/wh/t/"), true, true),
        (format!("s3://{ARN}/wh"), true, true),
        ("s3://lake/wh/t".into(), true, false),
        ("s3://lake/wh2/t".into(), false, false),
        (format!("s3://{ALIAS}/wh2"), false, false),
        ("s3://other/wh/t".into(), false, false),
        (format!("s3://{ARN}x/wh/t"), false, false),
        ("hdfs://lake/wh".into(), false, false),
    ] {
        let location = S3Location::new(&location);
        assert_eq!(
            (granted.contains(&location), granted.covers(&location)),
            (contains, covers),
            "{location}"
        );
    }
    // Where the bucket is not on record nobody knows that it is the same.
    let unknown = path(&format!("{ARN}/wh"));
    assert!(!unknown.contains(&S3Location::new("s3://lake/wh/t")));
    let bucket = path("s3://lake/wh");
    assert!(
        bucket.contains(&S3Location::new("s3://lake/wh/t"))
            && bucket.covers(&S3Location::new("s3://lake/wh/t"))
    );
}
