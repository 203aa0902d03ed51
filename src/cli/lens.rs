//! `glueup lens`: which engines read a table, and why the others do not.

use crate::cli::front::Front;
use crate::cli::output::{Stop, align};
use crate::cli::tables::{self, Beside};
use crate::domain::fqn::Fqn;
use crate::domain::lens::{self, Facts, Judgement};
use crate::domain::schema::Schema;
use crate::domain::text;
use crate::session::Session;
use clap::Args;
use serde_json::json;

/// What `lens` takes.
#[derive(Debug, Clone, Args)]
pub struct LensArgs {
    /// CATALOG.DATABASE.TABLE, one or more; - reads them from stdin, a line each, and skips lines that begin with #
    #[arg(value_name = "FQN|-", required = true)]
    pub tables: Vec<String>,
    /// Use your own rights instead of the connection's role
    #[arg(long)]
    pub as_caller: bool,
}

/// Shows what each engine makes of the tables, in the order of their names.
///
/// # Errors
/// As [`tables::each`].
pub async fn run(front: &mut Front, session: &Session, args: LensArgs) -> Result<u8, Stop> {
    let one = |front: &mut Front, fqn: &Fqn, schema: &Schema| one(front, fqn, schema).map(|()| true);
    let how = tables::How {
        file: false,
        as_caller: args.as_caller,
        beside: Beside::Lines(""),
    };
    tables::each(front, session, args.tables, how, one).await
}

fn one(front: &mut Front, fqn: &Fqn, schema: &Schema) -> Result<(), Stop> {
    let judged = lens::judge(&Facts::of(fqn, schema));
    if front.is_json() {
        return front.json(&json!({ "fqn": schema.fqn, "kind": schema.kind, "engines": judged }));
    }
    front.line(&format!("{}  {}", text::scrub(&schema.fqn), schema.kind))?;
    for line in align(&rows(&judged), &mut Vec::new()) {
        front.line(&line)?;
    }
    Ok(())
}

fn rows(judged: &[Judgement]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for one in judged {
        rows.push(vec![
            format!("  {}", one.engine),
            one.verdict.to_string(),
            one.why.clone(),
        ]);
        let beneath = one.beneath().into_iter();
        rows.extend(beneath.map(|line| vec![String::new(), String::new(), line]));
    }
    rows
}
