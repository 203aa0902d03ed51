//! Whether what lies at a web address of S3 can be read: asked as CloudFormation will ask for a template, with somebody's
//! rights.

use super::aws::Aws;
use super::failure::{Call, Cause};
use super::signed::{Outgoing, Sender};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;

/// What was found at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readable {
    /// It can be read.
    Yes,
    /// There is no such object, or no such bucket.
    Gone,
    /// It may be there; whoever asked may not read it.
    Refused,
    /// It could not be asked, and why.
    Unknown(Problem),
}

/// How one request was answered.
struct Answered {
    status: u16,
    /// Where the bucket is, where S3 says so.
    region: Option<Region>,
}

impl Aws {
    /// Asks for the head of what lies there, signed for S3 in `region`; where that is refused, as anybody would ask: what is
    /// open to all is so to those as well whose own policies do not allow it.
    pub async fn readable(&self, url: &str, region: &Region) -> Readable {
        let sender = Sender::new(self.clone());
        let signed = match self.head(&sender, url, region, true).await {
            // S3 tells the bucket's region also to those it denies access, and refuses what is signed for another.
            Ok(answered) => match answered.region.as_ref().filter(|own| *own != region) {
                Some(own) => self.head(&sender, url, own, true).await,
                None => Ok(answered),
            },
            Err(problem) => Err(problem),
        };
        match signed {
            Ok(Answered { status: 200..300, .. }) => Readable::Yes,
            Ok(Answered { status: 404, .. }) => Readable::Gone,
            Ok(answered) => match self.head(&sender, url, region, false).await {
                Ok(Answered { status: 200..300, .. }) => Readable::Yes,
                _ if answered.status < 500 => Readable::Refused,
                _ => Readable::Unknown(Problem::new(
                    Kind::Unreachable,
                    format!("S3 answers HTTP {}", answered.status),
                    "",
                    "",
                )),
            },
            Err(problem) if problem.kind == Kind::Unreachable => Readable::Unknown(problem),
            // Nobody is signed in.
            Err(problem) => match self.head(&sender, url, region, false).await {
                Ok(Answered { status: 200..300, .. }) => Readable::Yes,
                Ok(Answered { status: 404, .. }) => Readable::Gone,
                _ => Readable::Unknown(problem),
            },
        }
    }

    async fn head(
        &self,
        sender: &Sender,
        url: &str,
        region: &Region,
        signed: bool,
    ) -> Result<Answered, Problem> {
        let outgoing = Outgoing {
            method: "HEAD",
            url,
            headers: &[("accept", "*/*")],
            body: "",
            service: "s3",
            region: region.as_str(),
        };
        let answer = if signed {
            sender.once(&outgoing).await
        } else {
            sender.unsigned(&outgoing).await
        };
        let call = Call {
            service: "s3",
            action: "s3:GetObject",
            resource: Some(url.to_owned()),
            caller: self.caller(),
            region: region.to_string(),
        };
        let answer = answer.map_err(|cause: Cause| self.told(&call, cause, None))?;
        Ok(Answered {
            status: answer.status,
            region: answer
                .header("x-amz-bucket-region")
                .and_then(|region| region.parse().ok()),
        })
    }
}
