//! Talking to AWS: credentials and the role chain, Glue, S3, CloudFormation, IAM, and errors as Problems.
//!
//! Only this room names the AWS SDK. All text that comes from outside is scrubbed here, except what is sent back.

pub mod access_points;
mod aws;
pub mod chain;
mod checkup;
mod clock;
mod codes;
mod console;
mod credentials;
mod denial;
mod failure;
mod gate;
pub mod glue;
mod http;
pub mod iam;
mod issuer;
mod kept;
mod logins;
mod meter;
mod network;
mod pace;
mod patience;
mod probes;
mod problem;
mod profile;
mod profile_files;
mod program;
mod providers;
mod proxies;
mod readable;
mod remedy;
mod renewal;
pub mod rest;
mod role_step;
pub mod s3;
mod settings;
mod sign_in;
mod signed;
mod slow;
pub mod stacks;
mod steps;
mod trail;
mod unreached;
mod way;

pub use aws::{Aws, Identity};
pub use checkup::{Checkup, Provenance};
pub use clock::Clock;
pub use codes::{CodeWanted, Codes};
pub use console::Console;
pub use credentials::Hop;
pub use denial::{Denial, RefusedBy, parse as parse_denial};
pub use gate::Gate;
pub use logins::Logins;
pub use meter::{CLOCK_NOTABLE, CLOCK_REFUSED, Meter, Reading};
pub use probes::Tried;
pub use problem::{
    NO_POINT, has_code, is_access_denied, is_elsewhere, is_key_refusal, is_lake_formation, is_not_found,
    is_throttled,
};
pub use readable::Readable;
pub(crate) use remedy::{denial as remedy_for_denial, off_by, sso_login};
pub use settings::{Settings, StaticKeys};
pub use slow::Slow;
