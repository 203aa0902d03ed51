//! Partitions: the separate AWSs, each with its own ARNs, hosts and console. No role is assumed across them.

use std::{fmt, str::FromStr};

use super::Region;
use crate::domain::{invalid::Invalid, word::serde_as_text};

/// One AWS partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Partition {
    /// The commercial regions.
    Aws,
    /// China.
    AwsCn,
    /// GovCloud (US).
    AwsUsGov,
    /// The European Sovereign Cloud.
    AwsEusc,
    /// ISO (US).
    AwsIso,
    /// ISOB (US).
    AwsIsoB,
    /// ISOE (Europe).
    AwsIsoE,
    /// ISOF.
    AwsIsoF,
}

impl Partition {
    /// All partitions.
    pub const ALL: [Self; 8] = [
        Self::Aws,
        Self::AwsCn,
        Self::AwsUsGov,
        Self::AwsEusc,
        Self::AwsIso,
        Self::AwsIsoB,
        Self::AwsIsoE,
        Self::AwsIsoF,
    ];

    /// The second field of an ARN: `aws-cn`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Aws => "aws",
            Self::AwsCn => "aws-cn",
            Self::AwsUsGov => "aws-us-gov",
            Self::AwsEusc => "aws-eusc",
            Self::AwsIso => "aws-iso",
            Self::AwsIsoB => "aws-iso-b",
            Self::AwsIsoE => "aws-iso-e",
            Self::AwsIsoF => "aws-iso-f",
        }
    }

    /// The same as [`Partition::id`].
    pub fn as_str(self) -> &'static str {
        self.id()
    }

    /// A region of it, for what is the same in all of them; `None` where this version knows none.
    pub fn a_region(self) -> Option<Region> {
        let known = Region::all().iter().find(|region| region.partition == self)?;
        known.id.parse().ok()
    }

    /// The end of its service hosts: `amazonaws.com.cn`.
    pub fn dns_suffix(self) -> &'static str {
        match self {
            Self::Aws | Self::AwsUsGov => "amazonaws.com",
            Self::AwsCn => "amazonaws.com.cn",
            Self::AwsEusc => "amazonaws.eu",
            Self::AwsIso => "c2s.ic.gov",
            Self::AwsIsoB => "sc2s.sgov.gov",
            Self::AwsIsoE => "cloud.adc-e.uk",
            Self::AwsIsoF => "csp.hci.ic.gov",
        }
    }

    /// The host of the console in a region; `None` where no console is public (the ISO partitions).
    pub fn console_host(self, region: &Region) -> Option<String> {
        match self {
            Self::Aws => Some(format!("{region}.console.aws.amazon.com")),
            Self::AwsCn => Some("console.amazonaws.cn".to_owned()),
            Self::AwsUsGov => Some("console.amazonaws-us-gov.com".to_owned()),
            Self::AwsEusc => Some(format!("{region}.console.amazonaws-eusc.eu")),
            Self::AwsIso | Self::AwsIsoB | Self::AwsIsoE | Self::AwsIsoF => None,
        }
    }

    /// The region that a request to IAM is signed for: IAM is one for a whole partition, and lives there.
    pub fn iam_region(self) -> &'static str {
        match self {
            Self::Aws => "us-east-1",
            Self::AwsCn => "cn-north-1",
            Self::AwsUsGov => "us-gov-west-1",
            Self::AwsEusc => "eusc-de-east-1",
            Self::AwsIso => "us-iso-east-1",
            Self::AwsIsoB => "us-isob-east-1",
            Self::AwsIsoE => "eu-isoe-west-1",
            Self::AwsIsoF => "us-isof-south-1",
        }
    }

    /// The host of IAM: `iam.amazonaws.com`, `iam.cn-north-1.amazonaws.com.cn`.
    pub fn iam_host(self) -> String {
        match self {
            Self::Aws => "iam.amazonaws.com".to_owned(),
            Self::AwsUsGov => "iam.us-gov.amazonaws.com".to_owned(),
            other => format!("iam.{}.{}", other.iam_region(), other.dns_suffix()),
        }
    }

    /// The regional host of a service: `sts.cn-north-1.amazonaws.com.cn`.
    pub fn service_host(self, service: &str, region: &Region) -> String {
        format!("{service}.{region}.{}", self.dns_suffix())
    }
}

serde_as_text!(Partition);

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

impl FromStr for Partition {
    type Err = Invalid;

    fn from_str(given: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|partition| partition.id() == given)
            .ok_or_else(|| {
                let ids: Vec<_> = Self::ALL.iter().map(|partition| partition.id()).collect();
                Invalid::new("partition", given, "is not one that glueup knows", ids.join(", "))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_follow_the_partition() {
        let host = |id: &str| {
            let region: Region = id.parse().unwrap();
            let partition = region.partition();
            (
                partition.service_host("sts", &region),
                partition.console_host(&region),
            )
        };
        assert_eq!(
            host("cn-north-1"),
            (
                "sts.cn-north-1.amazonaws.com.cn".into(),
                Some("console.amazonaws.cn".into())
            )
        );
        assert_eq!(
            host("us-gov-west-1"),
            (
                "sts.us-gov-west-1.amazonaws.com".into(),
                Some("console.amazonaws-us-gov.com".into())
            )
        );
        assert_eq!(
            host("us-west-2"),
            (
                "sts.us-west-2.amazonaws.com".into(),
                Some("us-west-2.console.aws.amazon.com".into())
            )
        );
        assert_eq!(
            host("eusc-de-east-1"),
            (
                "sts.eusc-de-east-1.amazonaws.eu".into(),
                Some("eusc-de-east-1.console.amazonaws-eusc.eu".into())
            )
        );
        assert_eq!(host("us-iso-east-1").1, None);
    }

    #[test]
    fn ids_round_trip_and_each_has_a_region_of_its_own() {
        for partition in Partition::ALL {
            assert_eq!(
                partition.a_region().map(|region| region.partition()),
                Some(partition)
            );
            assert_eq!(partition.id().parse::<Partition>().unwrap(), partition);
        }
        assert!("aws-moon".parse::<Partition>().is_err());
    }
}
