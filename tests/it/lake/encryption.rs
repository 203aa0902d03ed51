//! The key of a catalog's metadata: Glue uses it with the rights of whoever calls Glue.

use super::{admin, code, message, outsider, session};
use aws_sdk_glue::Client;
use aws_sdk_glue::types::{
    CatalogEncryptionMode, DataCatalogEncryptionSettings, DatabaseInput, EncryptionAtRest,
};
use glueup::demo::{self, Options};
use serde_json::{Value, json};

const KEY: &str = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";

fn by(mode: &str, key: Option<&str>) -> DataCatalogEncryptionSettings {
    let at_rest = EncryptionAtRest::builder()
        .catalog_encryption_mode(CatalogEncryptionMode::from(mode))
        .set_sse_aws_kms_key_id(key.map(str::to_owned))
        .build()
        .unwrap();
    DataCatalogEncryptionSettings::builder()
        .encryption_at_rest(at_rest)
        .build()
}

async fn set(client: &Client, mode: &str, key: Option<&str>) -> String {
    let put = client.put_data_catalog_encryption_settings();
    let sent = put.data_catalog_encryption_settings(by(mode, key)).send().await;
    code(&sent)
}

/// Reading a database, reading them all, asking for what is not there, and writing one.
async fn tried(client: &Client, name: &str) -> [String; 4] {
    let input = DatabaseInput::builder().name(name).build().unwrap();
    [
        code(&client.get_database().name("sales").send().await),
        code(&client.get_databases().send().await),
        code(&client.get_database().name("nothing").send().await),
        code(&client.create_database().database_input(input).send().await),
    ]
}

const ABSENT: &str = "EntityNotFoundException";
const REFUSED: &str = "GlueEncryptionException";

#[tokio::test]
async fn reads_and_writes_need_the_callers_own_right_on_the_key() {
    let aws = demo::start(Options::default()).unwrap();
    let keeper = Client::new(&admin(&aws));
    let glue = json!({"Effect": "Allow", "Action": "glue:*", "Resource": "*"});
    let kms = |actions: Value, via: &str| {
        json!({"Effect": "Allow", "Action": actions, "Resource": KEY,
            "Condition": {"StringLike": {"kms:ViaService": via}}})
    };
    let reads = kms(json!("kms:Decrypt"), "glue.*.amazonaws.com");
    let elsewhere = kms(json!("kms:*"), "s3.*.amazonaws.com");
    let all = json!(["kms:Decrypt", "kms:Encrypt", "kms:GenerateDataKey"]);
    let writes = kms(all, "glue.us-west-2.amazonaws.com");
    let of = |name: &'static str, statements: Value| {
        let aws = &aws;
        async move { Client::new(&session(aws, name, statements).await) }
    };
    let bare = of("bare", json!([glue])).await;
    let reader = of("reader", json!([glue, reads])).await;
    let other = of("other", json!([glue, elsewhere])).await;
    let writer = of("writer", json!([glue, writes])).await;

    assert_eq!(tried(&bare, "a").await, ["allowed", "allowed", ABSENT, "allowed"]);
    assert_eq!(set(&keeper, "SSE-KMS", Some(KEY)).await, "allowed");
    let told = bare.get_data_catalog_encryption_settings().send().await.unwrap();
    let told = told.data_catalog_encryption_settings.unwrap();
    assert_eq!(
        told.encryption_at_rest.unwrap().sse_aws_kms_key_id.as_deref(),
        Some(KEY)
    );
    for client in [&bare, &other] {
        assert_eq!(tried(client, "b").await, [REFUSED, REFUSED, ABSENT, REFUSED]);
    }
    let words = message(&bare.get_databases().send().await);
    assert!(
        words.starts_with(
            "User: arn:aws:sts::012345678901:assumed-role/bare/test is not authorized to perform: \
                           kms:Decrypt on resource: "
        ) && words.contains(&format!(
            "{KEY} because no identity-based policy allows the kms:Decrypt action"
        )) && words.contains("(Service: AWSKMS; Status Code: 400; Error Code: AccessDeniedException;"),
        "{words}"
    );
    assert_eq!(tried(&reader, "c").await, ["allowed", "allowed", ABSENT, REFUSED]);
    assert_eq!(
        tried(&writer, "d").await,
        ["allowed", "allowed", ABSENT, "allowed"]
    );
    // What was refused was not written.
    for (name, there) in [("a", "allowed"), ("b", ABSENT), ("c", ABSENT), ("d", "allowed")] {
        assert_eq!(
            code(&keeper.get_database().name(name).send().await),
            there,
            "{name}"
        );
    }
    // By its id alone it is the same key; Glue's own key, and a role of Glue's, ask callers for nothing.
    let id = KEY.rsplit('/').next();
    assert_eq!(set(&keeper, "SSE-KMS", id).await, "allowed");
    assert_eq!(code(&bare.get_databases().send().await), REFUSED);
    assert_eq!(code(&reader.get_databases().send().await), "allowed");
    for (mode, key) in [
        ("SSE-KMS", None),
        ("SSE-KMS-WITH-SERVICE-ROLE", Some(KEY)),
        ("DISABLED", Some(KEY)),
    ] {
        assert_eq!(set(&keeper, mode, key).await, "allowed");
        assert_eq!(code(&bare.get_databases().send().await), "allowed", "{mode}");
    }
    assert_eq!(set(&keeper, "ROT13", None).await, "ValidationException");
    assert_eq!(
        set(&keeper, "SSE-KMS", Some("alias/lake")).await,
        "InvalidInputException"
    );
    let stranger = Client::new(&outsider(&aws));
    assert_eq!(set(&stranger, "DISABLED", None).await, "AccessDeniedException");
}
