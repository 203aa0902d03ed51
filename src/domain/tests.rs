//! What holds for every word.

use std::{fmt::Display, str::FromStr};

use proptest::prelude::*;
use serde::{Serialize, de::DeserializeOwned};

use super::*;

/// A word that can be read can be written, and reads back as itself: from its text and from a record.
fn survives<T>(text: &str) -> Result<(), TestCaseError>
where
    T: FromStr + Display + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned,
    T::Err: std::fmt::Debug + Display,
{
    if let Ok(word) = text.parse::<T>() {
        let shown = word.to_string();
        prop_assert_eq!(&shown.parse::<T>().unwrap(), &word);
        let json = serde_json::to_string(&word).unwrap();
        prop_assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), &word);
    }
    Ok(())
}

fn all(text: &str) -> Result<(), TestCaseError> {
    survives::<access::Access>(text)?;
    survives::<account::AccountId>(text)?;
    survives::<arn::AnyArn>(text)?;
    survives::<arn::RoleArn>(text)?;
    survives::<arn::PrincipalArn>(text)?;
    survives::<arn::PolicyArn>(text)?;
    survives::<arn::RolePath>(text)?;
    survives::<arn::KmsKeyArn>(text)?;
    survives::<external_id::ExternalId>(text)?;
    survives::<fqn::Fqn>(text)?;
    survives::<moment::Moment>(text)?;
    survives::<names::CatalogName>(text)?;
    survives::<names::ConnectionName>(text)?;
    survives::<names::OrganizationId>(text)?;
    survives::<quote::Dialect>(text)?;
    survives::<region::Region>(text)?;
    survives::<region::Partition>(text)?;
    survives::<s3_path::S3Path>(text)?;
    survives::<s3_path::S3Location>(text)?;
    survives::<slug::Slug>(text)?;
    survives::<stack_name::StackName>(text)
}

proptest! {
    #[test]
    fn any_text_is_a_word_or_is_refused_without_a_panic(text in any::<String>()) {
        all(&text)?;
    }

    #[test]
    fn texts_that_are_nearly_words_too(
        text in "(arn:(aws|aws-cn|x):(iam|sts|s3|kms)?:[a-z0-9-]{0,4}:(012345678901|12|):\
                 (role|user|assumed-role|root|key|policy)?[/:]?[a-zA-Z/*.@ -]{0,12}\
                 |[sS]3[an]?:/{0,3}[a-zA-Z0-9.-]{0,12}/?[a-z /.*]{0,8}\
                 |(us|cn|eu|us-gov)-?(west|wets|nort)?-?[0-9]{0,2}[a-z]?\
                 |[0-9 -]{10,16})",
    ) {
        all(&text)?;
    }
}

#[test]
fn pasted_line_ends_do_not_count() {
    assert!(
        "arn:aws:iam::012345678901:role/x\r\n"
            .parse::<arn::RoleArn>()
            .is_ok()
    );
    assert!("us-west-2\n".parse::<region::Region>().is_ok());
    assert!(" s3://acme-lake/x \n".parse::<s3_path::S3Path>().is_ok());
    assert!("0123-4567-8901\n".parse::<account::AccountId>().is_ok());
    assert!("k3-9f\n".parse::<external_id::ExternalId>().is_ok());
}

#[test]
fn no_message_holds_what_could_steer_a_terminal() {
    let hostile = "\u{1b}]52;c;ZXZpbA==\u{7}\u{202e}";
    let messages = [
        hostile.parse::<account::AccountId>().unwrap_err(),
        hostile.parse::<region::Region>().unwrap_err(),
        hostile.parse::<s3_path::S3Path>().unwrap_err(),
        hostile.parse::<arn::RoleArn>().unwrap_err(),
        hostile.parse::<arn::PrincipalArn>().unwrap_err(),
        hostile.parse::<external_id::ExternalId>().unwrap_err(),
        hostile.parse::<names::CatalogName>().unwrap_err(),
        hostile.parse::<stack_name::StackName>().unwrap_err(),
        hostile.parse::<access::Access>().unwrap_err(),
        quote::parse(hostile, quote::Dialect::Spark).unwrap_err(),
        "hd\u{202e}fs://x".parse::<s3_path::S3Path>().unwrap_err(),
        "https://x\u{202e}.s3.us-west-2.amazonaws.com/\u{202e}"
            .parse::<s3_path::S3Path>()
            .unwrap_err(),
        "acme\u{202e}lake".parse::<s3_path::S3Path>().unwrap_err(),
        "arn:aws:s\u{202e}3:::x".parse::<arn::RoleArn>().unwrap_err(),
        "arn:aws:iam::12\u{202e}:role/x"
            .parse::<arn::RoleArn>()
            .unwrap_err(),
    ];
    for message in messages {
        let text = message.to_string();
        assert_eq!(text::scrub(&text), text, "{text:?}");
    }
}
