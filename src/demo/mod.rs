//! The embedded AWS.
//!
//! A server on 127.0.0.1 that speaks enough of STS, IAM, CloudFormation, Glue and S3 for every client, and that
//! *enforces*: signatures, trust policies, identity policies, session ends. The rest of the program reaches it over
//! HTTP exactly as it reaches AWS.
//!
//! - [`start`] binds the port and serves on a runtime of its own; [`Handle`] says how to reach it.
//! - [`world::World`] is what every service shares: the state, the clock, the knobs, the policy gate.
//! - A service is a function from caller and request to an answer or an [`error::AwsError`]; how either is written
//!   on the wire is decided in one place ([`server`]).

mod admin;
pub mod caller;
pub mod clock;
pub mod cloudformation;
pub mod console;
pub mod error;
pub mod glue;
pub mod handle;
pub mod iam;
pub mod ids;
pub mod knobs;
pub mod lake;
pub mod params;
mod persist;
pub mod s3;
pub mod seed;
mod server;
mod sigv4;
mod sts;
pub mod world;
pub mod xml;

pub use handle::{Handle, KeyPair, Options, StartError, environment, start};

/// The one region that the embedded AWS reports as its own. Requests signed for another region are answered all the
/// same, with nothing in it.
pub const REGION: &str = "us-west-2";
/// The customer's account. The leading zero is there on purpose: an account id is no number.
pub const CUSTOMER_ACCOUNT: &str = "012345678901";
/// The account of the platform whose broker role assumes the customer's roles.
pub const BROKER_ACCOUNT: &str = "999988887777";
/// A third account, whose user may do nothing.
pub const OUTSIDER_ACCOUNT: &str = "444455556666";
/// Name of the broker role in [`BROKER_ACCOUNT`].
pub const BROKER_ROLE: &str = "glueup-broker";
/// Name of a second broker role in [`BROKER_ACCOUNT`], which lets nobody but the platform's own engine in, as a
/// vendor's does.
pub const VENDOR_ROLE: &str = "vendor-broker";
/// The bucket from which the console reads templates.
pub const TEMPLATES_BUCKET: &str = "glueup-templates";

/// A request whose body has been read whole: every service but S3.
pub type Request = http::Request<bytes::Bytes>;
/// An answer of the console or of the admin path.
pub type Response = http::Response<bytes::Bytes>;

/// ARN of the broker role.
pub fn broker_role_arn() -> String {
    format!("arn:aws:iam::{BROKER_ACCOUNT}:role/{BROKER_ROLE}")
}

/// ARN of the broker role that is a vendor's.
pub fn vendor_role_arn() -> String {
    format!("arn:aws:iam::{BROKER_ACCOUNT}:role/{VENDOR_ROLE}")
}
