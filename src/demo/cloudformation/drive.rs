//! Keeps the work on stacks going, and takes it up after a restart.

use super::engine::{self, Next};
use crate::demo::world::World;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Time between two steps, in milliseconds: a person sees the events come, and a test need not wait long.
pub(super) const PACE_MS: i64 = 200;

/// Takes up again what a stopped server left in the middle.
pub fn resume(world: &Arc<World>) {
    for id in world.read(|state| state.stacks.working()) {
        start(world, &id);
    }
}

/// Works on a stack until nothing is left to do. Two that work on one stack do no harm: each step is decided under
/// the state's lock, and a call that is out is not made twice.
pub(super) fn start(world: &Arc<World>, id: &str) {
    let (world, id) = (Arc::downgrade(world), id.to_owned());
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => {
            runtime.spawn(async move {
                while let Some(wait) = once(&world, &id) {
                    tokio::time::sleep(wait).await;
                }
            });
        }
        Err(_) => {
            std::thread::spawn(move || {
                while let Some(wait) = once(&world, &id) {
                    std::thread::sleep(wait);
                }
            });
        }
    }
}

fn once(world: &Weak<World>, id: &str) -> Option<Duration> {
    // The server was stopped: what is left is taken up when it starts again.
    let world = world.upgrade()?;
    match engine::step(&world, id) {
        Next::In(millis) => Some(Duration::from_millis(millis)),
        Next::Never => None,
    }
}
