//! Every screen in every state, as a text anybody can read: at three sizes, with the styles of both themes.

mod back;
pub mod draw;
pub mod fixtures;
mod hits;
mod keys;
mod menus;
mod monkey;
mod mouse;
mod only;
mod own_keys;
mod places;
mod prompt;
mod said;
mod sights;
mod sign_in;
mod stacks;
pub mod states;
mod sweep;
mod told;
mod twins;
