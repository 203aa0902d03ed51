//! What was done to the lake is there again after a kill.

use super::config;
use crate::support::demo::Demo;
use crate::support::home::Home;
use aws_sdk_glue::types::TableInput;

#[tokio::test]
async fn objects_and_tables_survive_a_kill() {
    let home = Home::new();
    let keys = |demo: &Demo| {
        config(
            demo.endpoint(),
            demo.field("access_key_id"),
            demo.field("secret_access_key"),
            None,
        )
    };
    let demo = Demo::start_in(&home, &[]);
    let (s3, glue) = (
        aws_sdk_s3::Client::new(&keys(&demo)),
        aws_sdk_glue::Client::new(&keys(&demo)),
    );
    let big = vec![7; 9_000_000];
    s3.put_object()
        .bucket("acme-lake")
        .key("warehouse/big")
        .body(big.clone().into())
        .send()
        .await
        .unwrap();
    s3.delete_object()
        .bucket("acme-lake")
        .key("archive/README.txt")
        .send()
        .await
        .unwrap();
    let table = TableInput::builder().name("mine").build().unwrap();
    glue.create_table()
        .database_name("sales")
        .table_input(table)
        .send()
        .await
        .unwrap();
    glue.delete_table()
        .database_name("sales")
        .name("stores")
        .send()
        .await
        .unwrap();
    demo.kill();

    let demo = Demo::start_in(&home, &[]);
    let (s3, glue) = (
        aws_sdk_s3::Client::new(&keys(&demo)),
        aws_sdk_glue::Client::new(&keys(&demo)),
    );
    let held = s3
        .get_object()
        .bucket("acme-lake")
        .key("warehouse/big")
        .send()
        .await
        .unwrap();
    assert_eq!(held.body.collect().await.unwrap().into_bytes(), big);
    assert!(
        s3.head_object()
            .bucket("acme-lake")
            .key("archive/README.txt")
            .send()
            .await
            .is_err()
    );
    assert!(
        s3.head_object()
            .bucket("acme-lake")
            .key("warehouse/raw/partners/partners.csv")
            .send()
            .await
            .is_ok()
    );
    let get = |name: &str| glue.get_table().database_name("sales").name(name).send();
    assert!(get("mine").await.is_ok());
    assert!(get("stores").await.is_err());
    assert!(get("orders").await.is_ok());
}
