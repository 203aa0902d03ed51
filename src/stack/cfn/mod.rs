//! CloudFormation templates: read, checked and evaluated.
//!
//! The one evaluator of the program. The stack room asks it what a template needs and how large a policy becomes;
//! the embedded CloudFormation applies what it answers. It knows the functions that an IAM template needs and
//! refuses every other one by name: none is silently passed through.

mod bind;
mod eval;
mod parameter;
mod pattern;
mod refs;
mod template;
#[cfg(test)]
mod tests;
mod url;
mod yaml;

pub use bind::{Bound, Physical, Pseudo, Resources};
pub use parameter::{Kind, Parameter};
pub use template::{Capability, Output, Resource, Template};
pub use url::{host_of, is_s3_url, s3_region};

use std::fmt;

/// Largest template that is taken as text in a request, in bytes.
pub const MAX_BODY_BYTES: usize = 51_200;
/// Largest template that is taken from S3, in bytes.
pub const MAX_URL_BYTES: usize = 1_048_576;

/// Why a template or its parameters are refused, in the words of CloudFormation's `ValidationError`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError(String);

impl TemplateError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    fn format(message: impl fmt::Display) -> Self {
        Self(format!("Template format error: {message}"))
    }

    /// A text that is no template at all, in CloudFormation's words.
    pub fn unsound(why: &str) -> Self {
        Self::format(why)
    }

    /// The sentence.
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TemplateError {}
