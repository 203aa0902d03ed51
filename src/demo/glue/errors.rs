//! Glue's errors, worded as Glue words them.

use crate::demo::error::AwsError;

fn error(code: &str, message: impl Into<String>) -> AwsError {
    AwsError::new(400, code, message)
}

/// The database is not there.
pub fn no_database(name: &str) -> AwsError {
    error("EntityNotFoundException", format!("Database {name} not found."))
}

/// The table is not there. Glue does not say which.
pub fn no_entity() -> AwsError {
    error("EntityNotFoundException", "Entity Not Found")
}

/// The name is taken.
pub fn exists(what: &str) -> AwsError {
    error("AlreadyExistsException", format!("{what} already exists."))
}

/// Input that Glue's own checks refuse.
pub fn invalid(message: impl Into<String>) -> AwsError {
    error("InvalidInputException", message)
}

/// Input that the service's model refuses, before Glue looks at it.
pub fn constraint(value: &str, field: &str, rule: &str) -> AwsError {
    error(
        "ValidationException",
        format!(
            "1 validation error detected: Value '{value}' at '{field}' failed to satisfy constraint: Member must {rule}"
        ),
    )
}

/// Somebody else changed the table meanwhile.
pub fn stale() -> AwsError {
    error(
        "ConcurrentModificationException",
        "Update table failed due to concurrent modifications.",
    )
}
