mod points;

use proptest::prelude::*;

use super::*;

fn path(given: &str) -> S3Path {
    given.parse().unwrap()
}

#[test]
fn a_blank_is_named_and_shown_without() {
    let error = "s3://acme lake/w".parse::<S3Path>().unwrap_err().to_string();
    assert!(
        error.contains("\"acme lake\" holds a blank") && error.contains("such as acmelake"),
        "{error}"
    );
    let error = "s3://acme\u{a0}lake/w".parse::<S3Path>().unwrap_err().to_string();
    assert!(error.contains("the blank U+00A0"), "{error}");
    let hint = |path: &str| path.parse::<S3Path>().unwrap().blank();
    assert_eq!(hint("s3://acme-lake/warehouse"), None);
    assert_eq!(
        hint("s3://acme-lake/ware house/x").unwrap(),
        "the prefix holds a blank: only keys with it are covered; without it, it is s3://acme-lake/warehouse/x"
    );
    assert!(hint("s3://acme-lake/a\u{2003}b").unwrap().contains("U+2003"));
}

#[test]
fn bucket_and_prefix_are_told_apart() {
    let lake = path("s3://acme-lake/warehouse");
    assert_eq!(
        (lake.bucket(), lake.prefix(), lake.whole_bucket()),
        ("acme-lake", "warehouse/", false)
    );
    let whole = path("s3://acme-lake");
    assert_eq!(
        (whole.bucket(), whole.prefix(), whole.whole_bucket()),
        ("acme-lake", "", true)
    );
    assert!(whole.warning().unwrap().contains("every object") && lake.warning().is_none());
    assert_eq!(path("s3://acme-lake/a//b").prefix(), "a//b/");
    assert_eq!(path("s3://acme-lake/a b/ü=%20").prefix(), "a b/ü=%20/");
}

#[test]
fn spellings_of_one_path_are_equal_and_shown_without_the_slash() {
    for (a, b) in [
        ("s3://dummy", "s3://dummy/"),
        ("s3://dummy/x", "s3://dummy/x/"),
        ("s3a://dummy/x", "S3://dummy/x"),
        ("S3N://dummy/x", " s3://dummy/x/ "),
    ] {
        assert_eq!(path(a), path(b));
        assert_eq!(path(a).to_string(), path(b).to_string());
        assert!(!path(b).to_string().ends_with('/'));
    }
    assert_ne!(path("s3://dummy/x"), path("s3://dummy/X"));
    assert_ne!(path("s3://dummy/x/"), path("s3://dummy/x//"));
    assert_eq!(path("s3a://dummy/x").as_given(), "s3a://dummy/x");
}

#[test]
fn a_wrong_path_says_which_part_why_and_what_instead() {
    for (given, word) in [
        ("", "S3 path is empty"),
        ("acme-lake/warehouse", "s3://acme-lake/warehouse"),
        ("s3://", "S3 bucket is empty"),
        ("s3:///x", "S3 bucket is empty"),
        ("s3:/acme/x", "scheme s3:"),
        ("hdfs://namenode/x", "is not S3"),
        ("file:///tmp/x", "is not S3"),
        ("gs://bucket/x", "is not S3"),
        ("https://acme.s3.us-west-2.amazonaws.com/x", "s3://acme/x"),
        ("https://s3.us-west-2.amazonaws.com/acme/x", "s3://acme/x"),
        ("arn:aws:s3:::acme/x/*", "s3://acme/x/"),
        ("s3://acme//x", "one slash after the bucket: s3://acme/x"),
        ("s3://Acme/x", "capital 'A'"),
        ("s3://ac_me/x", "'_'"),
        ("s3://ab", "2 characters"),
        ("s3://192.168.1.1", "IP address"),
        ("s3://a..b", "two dots"),
        ("s3://-ab", "dot or dash"),
        ("s3://xn--abc", "xn--"),
        ("s3://amzn-s3-demo-bucket", "amzn-s3-demo-"),
        ("s3://acme/x\u{7}", "U+0007"),
        ("s3://acme/x/*", "pattern"),
        ("s3://acme/${aws:username}", "pattern"),
    ] {
        let error = given.parse::<S3Path>().unwrap_err();
        assert!(error.to_string().contains(word), "{given}: {error}");
    }
    let long = format!("s3://acme/{}", "é".repeat(512));
    assert!(long.parse::<S3Path>().unwrap_err().why.contains("1025 bytes"));
    assert!(format!("s3://acme/{}", "é".repeat(511)).parse::<S3Path>().is_ok());
    assert!(format!("s3://{}", "a".repeat(64)).parse::<S3Path>().is_err());
}

#[test]
fn what_is_no_bucket_is_refused_for_its_own_reason_with_what_to_give_instead() {
    for (given, said) in [
        (
            String::from("arn:aws:s3::012345678901:accesspoint/mfzwi23gnjvgw.mrap"),
            "is a multi-region access point. Expected: the bucket behind it in the catalog's region",
        ),
        (
            "s3://arn:aws:s3::012345678901:accesspoint/mfzwi23gnjvgw.mrap/x".into(),
            "is a multi-region access point.",
        ),
        (
            "s3://mfzwi23gnjvgw.mrap/x".into(),
            "is the alias of a multi-region access point.",
        ),
        (
            "arn:aws:s3-object-lambda:us-west-2:012345678901:accesspoint/redact".into(),
            "is an Object Lambda access point. Expected: the bucket behind it",
        ),
        (
            "s3://redact-x7k2--ol-s3/y".into(),
            "is the alias of an Object Lambda access point.",
        ),
        (
            "arn:aws:s3-outposts:us-west-2:012345678901:outpost/op-01/accesspoint/x".into(),
            "on Outposts. Expected: a bucket of a region",
        ),
        ("s3://x-o01--op-s3/y".into(), "on Outposts."),
        (
            "arn:aws:s3express:us-west-2:012345678901:bucket/x--usw2-az1--x-s3".into(),
            "is a directory bucket (S3 Express), or an access point of one. Expected: a general purpose bucket",
        ),
        (
            "s3://x--usw2-az1--x-s3/y".into(),
            "is the name of a directory bucket (S3 Express)",
        ),
        (
            "s3://x--usw2-az1--xa-s3/y".into(),
            "is the name of a directory bucket (S3 Express)",
        ),
        (
            "arn:aws:s3tables:us-west-2:012345678901:bucket/analytics".into(),
            "is a table bucket (S3 Tables). Expected: a general purpose bucket",
        ),
        (
            "s3://arn:aws:s3tables:us-west-2:012345678901:bucket/analytics".into(),
            "is a table bucket (S3 Tables).",
        ),
        (
            "s3://x--table-s3".into(),
            "is the name of a table bucket (S3 Tables).",
        ),
        ("s3://arn:aws:s3:::acme/x/*".into(), "it as a path: s3://acme/x/"),
    ] {
        let error = given.parse::<S3Path>().unwrap_err().to_string();
        assert!(error.contains(said), "{given}: {error}");
    }
    // A bucket may be called nearly so.
    for given in [
        "s3://my-s3aliases",
        "s3://mrap",
        "s3://accesspoint/x",
        "s3://table-s3",
    ] {
        assert!(given.parse::<S3Path>().is_ok(), "{given}");
    }
}

#[test]
fn a_path_contains_itself_and_what_is_below_but_no_sibling() {
    let lake = path("s3://acme/table");
    for inside in [
        "s3://acme/table",
        "s3a://acme/table/",
        "S3N://acme/table/x",
        "s3://acme/table//x",
    ] {
        assert!(lake.contains(&S3Location::new(inside)), "{inside}");
    }
    for outside in [
        "s3://acme/table_archive/",
        "s3://acme/tabl",
        "s3://other/table",
        "s3://acme//table",
        "hdfs://acme/table",
        "",
    ] {
        assert!(!lake.contains(&S3Location::new(outside)), "{outside}");
    }
    assert!(path("s3://acme").contains(&S3Location::new("s3://acme//odd")));
    assert!(!path("s3://acme").contains(&S3Location::new("s3://acme2/x")));
}

#[test]
fn any_location_is_read_and_shown_as_stored() {
    let odd = S3Location::new("s3a://b//x//");
    assert_eq!(
        (odd.bucket(), odd.key(), odd.to_string().as_str()),
        (Some("b"), "/x//", "s3a://b//x//")
    );
    assert_eq!(S3Location::new("s3://b/x"), S3Location::new("S3N://b/x/"));
    assert_ne!(S3Location::new("s3://b/x"), S3Location::new("s3://b/x//"));
    assert_ne!(S3Location::new("hdfs://b/x"), S3Location::new("s3://b/x"));
    for (raw, scheme) in [
        ("hdfs://n/x", "hdfs"),
        ("file:/x", "file"),
        ("/x", ""),
        ("", ""),
        ("s3://", "s3"),
    ] {
        assert_eq!(S3Location::new(raw).foreign_scheme(), Some(scheme), "{raw}");
    }
}

proptest! {
    #[test]
    fn what_is_shown_reads_back(prefix in "[a-zA-Z0-9/ =%._-]{0,30}", slash in any::<bool>()) {
        let given = format!("s3a://acme-lake/{prefix}{}", if slash { "/" } else { "" });
        if let Ok(path) = given.parse::<S3Path>() {
            prop_assert_eq!(path.to_string().parse::<S3Path>().unwrap(), path.clone());
            prop_assert!(path.contains(&S3Location::new(&given)));
        }
    }

    #[test]
    fn no_text_panics(text in any::<String>()) {
        let _ = text.parse::<S3Path>();
        let _ = S3Location::new(&text);
    }
}
