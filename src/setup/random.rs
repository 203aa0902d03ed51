//! Randomness from the operating system: for what nobody may guess, nor meet twice.

use crate::domain::external_id::ExternalId;
use crate::domain::problem::{Kind, Problem};

/// Sixteen random bytes.
///
/// # Errors
/// When the operating system gives none.
pub fn bytes() -> Result<[u8; 16], Problem> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Problem::new(
            Kind::Internal,
            "the operating system gives no random bytes",
            error.to_string(),
            "run glueup where /dev/urandom (or its like) can be read",
        )
    })?;
    Ok(bytes)
}

/// A record's id: eight hex digits that tell its stacks from those of a record of the same name elsewhere.
///
/// # Errors
/// As [`bytes()`].
pub fn record_id() -> Result<String, Problem> {
    Ok(hex::encode(bytes()?).chars().take(8).collect())
}

/// A new external id. It is made, never typed: an id that a person chooses can be guessed by another.
///
/// # Errors
/// As [`bytes()`].
pub fn external_id() -> Result<ExternalId, Problem> {
    Ok(ExternalId::from_random(bytes()?))
}
