//! From a failed call to a Problem: by AWS's code and words, never by the HTTP status alone.
//!
//! Glue answers 400 to nearly everything, and S3 answers 403 for what is missing when it may not be listed.

use super::denial::{self, Denial, RefusedBy};
use super::failure::{Call, Cause};
use super::http::Trouble;
use super::{remedy, unreached};
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::text::scrub;

/// The codes by which AWS says that the credentials have ended.
pub(super) const ENDED: [&str; 3] = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired"];

/// The Problem of a failed call. `skew` is the clock's difference in seconds, where the server has told it.
pub(super) fn problem(call: &Call, cause: Cause, skew: Option<i64>) -> Problem {
    let denial = match &cause {
        Cause::Service {
            message: Some(message),
            ..
        } => Some(denial::parse(message)),
        _ => None,
    };
    // Scrubbed before it is put into the lines of a next step.
    let clean = |field: Option<String>| field.map(|text| scrub(&text));
    let detail = Detail {
        service: Some(call.service.to_owned()),
        action: denial
            .as_ref()
            .and_then(|d| d.action.clone())
            .or_else(|| Some(call.action.to_owned())),
        resource: clean(
            denial
                .as_ref()
                .and_then(|d| d.resource.clone())
                .or_else(|| call.resource.clone()),
        ),
        caller: clean(
            denial
                .as_ref()
                .and_then(|d| d.caller.clone())
                .or_else(|| call.caller.clone()),
        ),
        request_id: match &cause {
            Cause::Service { request_id, .. } => request_id.clone(),
            _ => None,
        },
        code: match &cause {
            Cause::Service { code, status, .. } => code.clone().or_else(|| code_of_status(*status)),
            _ => None,
        },
    };
    let told = match cause {
        Cause::Service { message, status, .. } => {
            let message = scrub(&message.unwrap_or_default());
            service(call, &detail, denial, message, status, skew)
        }
        Cause::Unreachable(trouble, words) => unreached::told(&place(call), trouble, &words),
        Cause::Timeout(words) => unreached::told(&place(call), Trouble::Silent, &words),
        Cause::Credentials(words) => remedy::credentials(&words, None, None),
        Cause::Told(problem) => return *problem,
        Cause::Strange(words) => Told(
            Kind::Unreachable,
            format!("{} answered in a form that AWS does not use", place(call)),
            words,
            "Something between here and AWS answered in its place: check the proxy and the endpoint URL"
                .to_owned(),
        ),
        Cause::Unbuilt(words) => Told(
            Kind::CheckFailed,
            format!("{} could not be sent", call.action),
            words,
            "Check the names and the region that were given".to_owned(),
        ),
    };
    Problem::new(told.0, told.1, told.2, "")
        .with_steps(&told.3)
        .with_detail(detail)
}

/// Kind, what, why, next.
pub(super) struct Told(pub Kind, pub String, pub String, pub String);

/// Answers to HEAD have no body, so no code.
fn code_of_status(status: Option<u16>) -> Option<String> {
    match status? {
        403 => Some("AccessDenied".to_owned()),
        404 => Some("NotFound".to_owned()),
        301 => Some("PermanentRedirect".to_owned()),
        503 => Some("ServiceUnavailable".to_owned()),
        _ => None,
    }
}

fn place(call: &Call) -> String {
    format!("{} in {}", service_name(call.service), call.region)
}

fn service_name(service: &str) -> &str {
    match service {
        "sts" => "AWS STS",
        "glue" => "AWS Glue",
        "s3" => "Amazon S3",
        "iam" => "AWS IAM",
        "cloudformation" => "AWS CloudFormation",
        other => other,
    }
}

fn service(
    call: &Call,
    detail: &Detail,
    denial: Option<Denial>,
    message: String,
    status: Option<u16>,
    skew: Option<i64>,
) -> Told {
    let code = detail.code.clone().unwrap_or_default();
    let denial = denial.unwrap_or_else(|| denial::parse(""));
    let said = |kind: Kind, what: String, next: &str| {
        let why = if message.is_empty() {
            code.clone()
        } else {
            format!("{code}: {message}")
        };
        Told(kind, what, why, next.to_owned())
    };
    match Class::of(&code, &message, status) {
        Class::LakeFormation | Class::Denied => denied(call, detail, &denial, &code, &message),
        Class::Kms => of_key(call, detail, &denial, &code, &message),
        Class::NotFound => said(
            Kind::NotFound,
            match &detail.resource {
                Some(resource) => format!("Not found: {resource}"),
                None => format!("{} found nothing", call.action),
            },
            "Check the name and the region",
        ),
        Class::Expired => said(
            Kind::Denied,
            "The credentials have expired".to_owned(),
            "Sign in again (with SSO: aws sso login), then repeat",
        ),
        Class::UnknownKey => said(
            Kind::Denied,
            "AWS does not know these credentials".to_owned(),
            "Check the access key and its session token, or choose another profile with --profile",
        ),
        Class::Signature => said(
            Kind::Denied,
            match skew {
                Some(skew) if skew.abs() >= 60 => {
                    format!(
                        "AWS refused the signature: this machine's clock is {}",
                        remedy::off_by(skew)
                    )
                }
                _ => "AWS refused the signature of the request".to_owned(),
            },
            match skew {
                Some(skew) if skew.abs() >= 60 => {
                    "Set the clock (an NTP service keeps it right), then repeat"
                }
                _ => "The secret key does not belong to the access key: enter both again",
            },
        ),
        Class::RegionOff => unreached::region_off(&call.region, &message, detail),
        Class::Throttled => said(
            Kind::Unreachable,
            format!("AWS kept slowing {} until the tries were used up", call.action),
            "Wait a minute and repeat; other programs may be using the same account's quota",
        ),
        Class::Down => said(
            Kind::Unreachable,
            format!("{} failed on its own side", place(call)),
            "Repeat in a minute; if it lasts, look at the AWS Health Dashboard",
        ),
        Class::OtherRegion => said(
            Kind::CheckFailed,
            format!("The bucket is not in {}", call.region),
            "Use the bucket's own region",
        ),
        Class::Other => said(
            Kind::CheckFailed,
            format!("{} was refused", call.action),
            if message.contains("is invalid or cannot be assumed") {
                "CloudFormation cannot become the service role: it must be there, and its trust policy must let \
                 cloudformation.amazonaws.com assume it; one that was made seconds ago is seen a moment later"
            } else {
                "Mend what the reason names, then try again"
            },
        ),
    }
}

/// What a key of KMS refuses. Its words are those of a denial where the right to use it lacks; it may be disabled, too.
fn of_key(call: &Call, detail: &Detail, denial: &Denial, code: &str, message: &str) -> Told {
    let action = detail.action.as_deref().filter(|action| is_of_kms(action));
    let (key, next) = match (action, &detail.resource) {
        (Some(action), Some(key)) => (
            format!("The encryption key {key} refused {}", call.action),
            remedy::denial(denial.by, denial.explicit, action, detail, message),
        ),
        _ => (
            format!("The encryption key refused {}", call.action),
            "Allow kms:Decrypt on the key, both in the key's policy and in the role's; this is not a missing object"
                .to_owned(),
        ),
    };
    let what = match denial.by {
        RefusedBy::Unsaid => key,
        by => format!("{key} ({})", by.phrase(denial.explicit)),
    };
    Told(Kind::Denied, what, format!("{code}: {message}"), next)
}

fn is_of_kms(action: &str) -> bool {
    action.starts_with("kms:")
}

fn denied(call: &Call, detail: &Detail, denial: &Denial, code: &str, message: &str) -> Told {
    let action = detail.action.as_deref().unwrap_or(call.action);
    let on = detail
        .resource
        .as_ref()
        .map(|r| format!(" on {r}"))
        .unwrap_or_default();
    let what = match denial.by {
        RefusedBy::Unsaid => format!("Denied: {action}{on}"),
        by => format!("Denied: {action}{on} ({})", by.phrase(denial.explicit)),
    };
    let who = detail
        .caller
        .as_ref()
        .map(|c| format!(" to {c}"))
        .unwrap_or_default();
    let why = if message.is_empty() {
        format!("AWS answered {code}{who}")
    } else {
        format!("AWS answered {code}{who}: {message}")
    };
    Told(
        Kind::Denied,
        what,
        why,
        remedy::denial(denial.by, denial.explicit, action, detail, message),
    )
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Denied,
    LakeFormation,
    Kms,
    NotFound,
    Expired,
    UnknownKey,
    Signature,
    RegionOff,
    Throttled,
    Down,
    OtherRegion,
    Other,
}

impl Class {
    fn of(code: &str, message: &str, status: Option<u16>) -> Self {
        let lower = message.to_ascii_lowercase();
        match code {
            // A key that refuses is never a missing table, whatever else the code says.
            "GlueEncryptionException" => Self::Kms,
            _ if code.starts_with("KMS.") || code.starts_with("KMS") && code.ends_with("Exception") => {
                Self::Kms
            }
            "AccessDenied"
            | "AccessDeniedException"
            | "UnauthorizedOperation"
            | "AllAccessDisabled"
            | "AuthorizationError"
            | "PermissionTypeMismatchException" => {
                if lower.contains("lake formation") {
                    Self::LakeFormation
                } else {
                    Self::Denied
                }
            }
            "EntityNotFoundException"
            | NO_POINT
            | "NoSuchBucket"
            | "NoSuchKey"
            | "NotFound"
            | "NoSuchEntity"
            | "NoSuchUpload"
            | "ChangeSetNotFound"
            | "ResourceNotFoundException" => Self::NotFound,
            // CloudFormation has no code of its own for a stack that is not there.
            "ValidationError" if lower.contains("does not exist") => Self::NotFound,
            _ if ENDED.contains(&code) => Self::Expired,
            "InvalidClientTokenId"
            | "UnrecognizedClientException"
            | "InvalidAccessKeyId"
            | "InvalidToken"
            | "MissingAuthenticationToken"
            | "MissingAuthenticationTokenException" => Self::UnknownKey,
            "SignatureDoesNotMatch"
            | "InvalidSignatureException"
            | "RequestTimeTooSkewed"
            | "RequestInTheFuture"
            // The date of the request, not the end of the credentials.
            | "RequestExpired"
            | "IncompleteSignature" => Self::Signature,
            "RegionDisabledException" => Self::RegionOff,
            "Throttling"
            | "ThrottlingException"
            | "ThrottledException"
            | "TooManyRequestsException"
            | "SlowDown"
            | "RequestLimitExceeded"
            | "RequestThrottled"
            | "RequestThrottledException"
            | "ProvisionedThroughputExceededException"
            | "BandwidthLimitExceeded"
            | "PriorRequestNotComplete" => Self::Throttled,
            "PermanentRedirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException" => {
                Self::OtherRegion
            }
            "InternalFailure"
            | "InternalError"
            | "InternalServiceException"
            | "ServiceUnavailable"
            | "ServiceUnavailableException"
            | "OperationTimeoutException"
            | "RequestTimeout" => Self::Down,
            // A store that lacks an operation is not out of order.
            "NotImplemented" => Self::Other,
            _ if lower.contains("rate exceeded") => Self::Throttled,
            _ if status.is_some_and(|s| s >= 500) => Self::Down,
            _ => Self::Other,
        }
    }

    fn of_problem(problem: &Problem) -> Option<Self> {
        Some(Self::of(problem.detail.code.as_deref()?, &problem.why, None))
    }
}

/// True when AWS refused access, Lake Formation included.
pub fn is_access_denied(problem: &Problem) -> bool {
    matches!(
        Class::of_problem(problem),
        Some(Class::Denied | Class::LakeFormation)
    )
}

/// True when a key of KMS refused what would have been allowed without it.
pub fn is_key_refusal(problem: &Problem) -> bool {
    match Class::of_problem(problem) {
        Some(Class::Kms) => true,
        Some(Class::Denied) => problem.detail.action.as_deref().is_some_and(is_of_kms),
        _ => false,
    }
}

/// True when Lake Formation refused, not IAM.
pub fn is_lake_formation(problem: &Problem) -> bool {
    Class::of_problem(problem) == Some(Class::LakeFormation)
}

/// True when AWS says that what was named does not exist.
pub fn is_not_found(problem: &Problem) -> bool {
    Class::of_problem(problem) == Some(Class::NotFound)
}

/// The code by which S3 says that there is no such access point.
pub const NO_POINT: &str = "NoSuchAccessPoint";

/// True when S3 says that the bucket is in another region than was asked.
pub fn is_elsewhere(problem: &Problem) -> bool {
    Class::of_problem(problem) == Some(Class::OtherRegion)
}

/// True when AWS slowed us until the tries were used up.
pub fn is_throttled(problem: &Problem) -> bool {
    Class::of_problem(problem) == Some(Class::Throttled)
}

/// True when AWS said that the credentials have ended.
pub(super) fn has_expired(problem: &Problem) -> bool {
    matches!(Class::of_problem(problem), Some(Class::Expired))
}

/// True when the answer had this code.
pub fn has_code(problem: &Problem, code: &str) -> bool {
    problem.detail.code.as_deref() == Some(code)
}

#[cfg(test)]
#[path = "problem_tests.rs"]
mod tests;
