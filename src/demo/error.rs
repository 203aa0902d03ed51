//! What a service answers when it says no, before it is written in the words of a protocol.

use std::fmt;

/// An error as AWS codes it. The codes are those of the query services (`AccessDenied`); the JSON services' own
/// spellings (`AccessDeniedException`) are put in when the answer is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwsError {
    /// HTTP status of the query and S3 protocols; the JSON protocol answers 400 to every fault of the caller.
    pub status: u16,
    /// AWS's error code.
    pub code: String,
    /// The sentence for the reader.
    pub message: String,
}

impl AwsError {
    /// An error with a code and a message.
    pub fn new(status: u16, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.into(),
            message: message.into(),
        }
    }

    /// 403 `AccessDenied`.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::new(403, "AccessDenied", message)
    }

    /// 400 `ValidationError`, the query services' word for bad input.
    pub fn validation(message: impl Into<String>) -> Self {
        Self::new(400, "ValidationError", message)
    }

    /// 404 `NoSuchEntity`, IAM's word for what is not there.
    pub fn no_such_entity(message: impl Into<String>) -> Self {
        Self::new(404, "NoSuchEntity", message)
    }

    /// 409 `EntityAlreadyExists`, IAM's word for a name that is taken.
    pub fn already_exists(message: impl Into<String>) -> Self {
        Self::new(409, "EntityAlreadyExists", message)
    }

    /// 400 `InvalidAction`: an operation that does not exist here.
    pub fn unknown_action(action: &str) -> Self {
        Self::new(
            400,
            "InvalidAction",
            format!("Could not find operation {action} for this version"),
        )
    }

    /// 500 `InternalFailure`.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(500, "InternalFailure", message)
    }

    /// The code as the JSON protocol spells it.
    pub fn json_code(&self) -> &str {
        match self.code.as_str() {
            "AccessDenied" => "AccessDeniedException",
            "SignatureDoesNotMatch" => "InvalidSignatureException",
            "IncompleteSignature" => "IncompleteSignatureException",
            "InvalidClientTokenId" => "UnrecognizedClientException",
            "ExpiredToken" => "ExpiredTokenException",
            "ValidationError" => "ValidationException",
            "Throttling" => "ThrottlingException",
            "InvalidAction" => "UnknownOperationException",
            other => other,
        }
    }
}

impl fmt::Display for AwsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for AwsError {}
