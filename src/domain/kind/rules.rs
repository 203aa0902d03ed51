//! The order of the rules matters: a Trino view has a table type that a Hive view has too.

use super::TableKind;
use crate::domain::glue::Table;

/// The parameter of Spark that names the data source.
const PROVIDER: &str = "spark.sql.sources.provider";

pub(super) fn kind(table: &Table) -> TableKind {
    if table.target.is_some() {
        return TableKind::ResourceLink;
    }
    if table.federated.is_some() {
        return TableKind::Federated;
    }
    let table_type = table
        .table_type
        .as_deref()
        .unwrap_or("")
        .trim()
        .to_ascii_uppercase();
    let is = |key: &str, value: &str| {
        table
            .parameter(key)
            .is_some_and(|v| v.trim().eq_ignore_ascii_case(value))
    };
    let virtual_view = table_type == "VIRTUAL_VIEW";
    if virtual_view && is("presto_view", "true") {
        // Trino's own reader tells the two by the comment; a view without one is still a Presto view.
        return if is("comment", "Presto Materialized View") {
            TableKind::MaterializedView
        } else {
            TableKind::PrestoView
        };
    }
    if table.is_materialized_view || table_type == "MATERIALIZED_VIEW" {
        return TableKind::MaterializedView;
    }
    if table.is_multi_dialect_view || table.has_view_definition {
        return TableKind::MultiDialectView;
    }
    if virtual_view {
        let spark = |key: &String| {
            ["view.catalogAndNamespace.", "view.query.out.", "view.sqlConfig."]
                .iter()
                .any(|p| key.starts_with(p))
        };
        return if table.parameters.keys().any(spark) {
            TableKind::SparkView
        } else {
            TableKind::HiveView
        };
    }
    let input = table
        .storage
        .as_ref()
        .and_then(|s| s.input_format.as_deref())
        .unwrap_or("");
    if is("table_type", "iceberg") {
        return TableKind::Iceberg;
    }
    if is(PROVIDER, "delta") || is("table_type", "delta") {
        return TableKind::Delta;
    }
    if input.starts_with("org.apache.hudi.") || input.starts_with("com.uber.hoodie.") || is(PROVIDER, "hudi")
    {
        return TableKind::Hudi;
    }
    if table_type == "GOVERNED" {
        return TableKind::Governed;
    }
    if is(PROVIDER, "iceberg") {
        return TableKind::Iceberg;
    }
    let provider = table.parameter(PROVIDER).unwrap_or("").trim();
    if !provider.is_empty() && !provider.eq_ignore_ascii_case("hive") {
        return TableKind::SparkSource;
    }
    if matches!(table_type.as_str(), "EXTERNAL_TABLE" | "MANAGED_TABLE") {
        return TableKind::Hive;
    }
    TableKind::Unknown
}
