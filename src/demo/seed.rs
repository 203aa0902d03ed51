//! What a new demo finds in its lake.

use super::world::World;
use super::{Options, error::AwsError};
use std::sync::Arc;

/// Fills a world before it answers its first request. `fresh` is true where nothing was kept from an earlier run.
pub fn seed(world: &Arc<World>, options: &Options, _fresh: bool) -> Result<(), AwsError> {
    super::console::seed_templates(world);
    super::lake::seed(world, options.tables)
}
