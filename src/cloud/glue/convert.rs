//! From the SDK's types to ours. Names, locations and parameters stay raw, since some are sent back.

use crate::domain::glue::{
    Column, Database, Federated, Parameters, Representation, ResourceLink, StorageDescriptor, Table,
};
use crate::domain::moment::Moment;
use crate::domain::text::scrub;
use aws_sdk_glue::types;
use std::collections::HashMap;

pub(super) fn database(from: types::Database) -> Database {
    let iam_only = from.create_table_default_permissions.map(|permissions| {
        permissions.iter().any(|permission| {
            permission
                .principal
                .as_ref()
                .and_then(|principal| principal.data_lake_principal_identifier.as_deref())
                == Some("IAM_ALLOWED_PRINCIPALS")
        })
    });
    Database {
        name: from.name,
        description: text(from.description),
        location_uri: from.location_uri,
        parameters: parameters(from.parameters),
        target: from.target_database.map(|target| ResourceLink {
            catalog_id: target.catalog_id,
            database: target.database_name,
            table: None,
            region: target.region,
        }),
        federated: from.federated_database.map(|federated| Federated {
            identifier: federated.identifier,
            connection_name: federated.connection_name,
            connection_type: federated.connection_type,
        }),
        iam_allowed_principals: iam_only,
        catalog_id: from.catalog_id,
        create_time: from.create_time.and_then(moment),
    }
}

pub(super) fn table(from: types::Table) -> Table {
    Table {
        name: from.name,
        database_name: from.database_name,
        description: text(from.description),
        owner: text(from.owner),
        create_time: from.create_time.and_then(moment),
        update_time: from.update_time.and_then(moment),
        storage: from.storage_descriptor.map(storage),
        partition_keys: columns(from.partition_keys),
        // Raw: they may be packed. `domain::declared` unpacks and scrubs them.
        view_original_text: from.view_original_text,
        view_expanded_text: from.view_expanded_text,
        table_type: from.table_type,
        parameters: parameters(from.parameters),
        target: from.target_table.map(|target| ResourceLink {
            catalog_id: target.catalog_id,
            database: target.database_name,
            table: target.name,
            region: target.region,
        }),
        federated: from.federated_table.map(|federated| Federated {
            identifier: federated.identifier,
            connection_name: federated.connection_name,
            connection_type: federated.connection_type,
        }),
        is_multi_dialect_view: from.is_multi_dialect_view.unwrap_or_default(),
        is_materialized_view: from.is_materialized_view.unwrap_or_default(),
        has_view_definition: from.view_definition.is_some(),
        representations: from.view_definition.map(representations).unwrap_or_default(),
        // The SDK turns an absent flag into false, so only true is an answer.
        registered_with_lake_formation: from.is_registered_with_lake_formation.then_some(true),
        catalog_id: from.catalog_id,
        version_id: from.version_id,
    }
}

fn representations(from: types::ViewDefinition) -> Vec<Representation> {
    let all = from.representations.unwrap_or_default();
    all.into_iter()
        .map(|one| Representation {
            dialect: one.dialect.map(|dialect| scrub(dialect.as_str())),
            original_text: one.view_original_text,
            expanded_text: one.view_expanded_text,
        })
        .collect()
}

fn storage(from: types::StorageDescriptor) -> StorageDescriptor {
    let (serde_library, serde_parameters) = match from.serde_info {
        Some(serde) => (serde.serialization_library, parameters(serde.parameters)),
        None => (None, Parameters::new()),
    };
    StorageDescriptor {
        columns: columns(from.columns),
        location: from.location,
        input_format: from.input_format,
        output_format: from.output_format,
        serde_library,
        serde_parameters,
        parameters: parameters(from.parameters),
    }
}

fn columns(from: Option<Vec<types::Column>>) -> Vec<Column> {
    from.unwrap_or_default()
        .into_iter()
        .map(|column| Column {
            type_text: column.r#type,
            name: column.name,
            comment: text(column.comment),
            parameters: parameters(column.parameters),
        })
        .collect()
}

fn parameters(from: Option<HashMap<String, String>>) -> Parameters {
    from.unwrap_or_default().into_iter().collect()
}

fn text(from: Option<String>) -> Option<String> {
    from.map(|text| scrub(&text))
}

fn moment(from: aws_smithy_types::DateTime) -> Option<Moment> {
    Moment::from_unix_millis(from.to_millis().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_may_have_nothing_but_its_name() {
        let table = table(types::Table::builder().name("t").build().unwrap());
        assert_eq!(
            table,
            Table {
                name: "t".into(),
                ..Table::default()
            }
        );
        let database = database(types::Database::builder().name("d").build().unwrap());
        assert_eq!(
            database,
            Database {
                name: "d".into(),
                ..Database::default()
            }
        );
    }

    #[test]
    fn comments_are_scrubbed_and_names_stay_raw() {
        let column = types::Column::builder()
            .name("a\u{1b}")
            .comment("b\u{1b}")
            .build()
            .unwrap();
        let descriptor = types::StorageDescriptor::builder()
            .columns(column)
            .location("s3://x y/")
            .build();
        let table = table(
            types::Table::builder()
                .name("t\u{7}")
                .storage_descriptor(descriptor)
                .build()
                .unwrap(),
        );
        assert_eq!(table.name, "t\u{7}");
        assert_eq!(table.columns()[0].name, "a\u{1b}");
        assert_eq!(table.columns()[0].comment.as_deref(), Some("b␛"));
        assert_eq!(table.location(), Some("s3://x y/"));
    }

    #[test]
    fn a_link_keeps_where_it_points() {
        let target = types::TableIdentifier::builder()
            .catalog_id("111122223333")
            .database_name("db1")
            .name("table1")
            .region("us-east-1")
            .build();
        let table = table(
            types::Table::builder()
                .name("t")
                .target_table(target)
                .build()
                .unwrap(),
        );
        assert_eq!(
            table.target.unwrap().to_string(),
            "111122223333/db1.table1 (us-east-1)"
        );
    }
}
