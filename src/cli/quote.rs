//! `glueup quote`: a name as an engine's SQL wants it.

use crate::cli::front::Front;
use crate::cli::output::Stop;
use crate::domain::quote::{Dialect, quote};
use clap::Args;
use serde_json::json;

/// What `quote` takes.
#[derive(Debug, Clone, Args)]
pub struct QuoteArgs {
    /// One name: of a catalog, a database, a table or a column
    #[arg(value_name = "NAME", allow_hyphen_values = true)]
    pub name: String,
    /// spark, trino, athena, athena-ddl, hive, duckdb, snowflake, clickhouse or pinot
    #[arg(long, value_name = "DIALECT")]
    pub dialect: Dialect,
}

/// Quotes the name. As text it is the quoted name alone, fit for a shell's `$(…)`.
///
/// # Errors
/// When the dialect has no way to write the name.
pub fn run(front: &mut Front, args: &QuoteArgs) -> Result<u8, Stop> {
    let quoted = quote(&args.name, args.dialect)?;
    if front.is_json() {
        front.json(&json!({ "quoted": quoted.quoted, "needed": quoted.needed, "why": quoted.why }))?;
    } else {
        front.line(&quoted.quoted)?;
    }
    Ok(0)
}
