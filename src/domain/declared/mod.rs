//! What engines leave in Glue beside the columns: Spark's schema in a table's parameters, and the text of views, packed
//! as each engine packs it.

mod spark;
#[cfg(test)]
mod tests;
mod view;

pub use spark::{columns as spark_columns, read as spark_schema};
pub use view::{View, views};
