//! The regions with an AWS Glue endpoint, with the names that the AWS console gives them.
//! A region that is missing here is still taken, with a warning, when it has the shape of one.

use super::Partition::{self, Aws, AwsCn, AwsEusc, AwsIso, AwsIsoB, AwsIsoE, AwsIsoF, AwsUsGov};

/// One known region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownRegion {
    /// `us-west-2`.
    pub id: &'static str,
    /// `US West (Oregon)`.
    pub label: &'static str,
    /// The partition it is in.
    pub partition: Partition,
}

const fn known(partition: Partition, id: &'static str, label: &'static str) -> KnownRegion {
    KnownRegion { id, label, partition }
}

/// All regions with Glue, those of the commercial partition first, in the order of the AWS console.
pub(super) const REGIONS: &[KnownRegion] = &[
    known(Aws, "us-east-1", "US East (N. Virginia)"),
    known(Aws, "us-east-2", "US East (Ohio)"),
    known(Aws, "us-west-1", "US West (N. California)"),
    known(Aws, "us-west-2", "US West (Oregon)"),
    known(Aws, "af-south-1", "Africa (Cape Town)"),
    known(Aws, "ap-east-1", "Asia Pacific (Hong Kong)"),
    known(Aws, "ap-east-2", "Asia Pacific (Taipei)"),
    known(Aws, "ap-northeast-1", "Asia Pacific (Tokyo)"),
    known(Aws, "ap-northeast-2", "Asia Pacific (Seoul)"),
    known(Aws, "ap-northeast-3", "Asia Pacific (Osaka)"),
    known(Aws, "ap-south-1", "Asia Pacific (Mumbai)"),
    known(Aws, "ap-south-2", "Asia Pacific (Hyderabad)"),
    known(Aws, "ap-southeast-1", "Asia Pacific (Singapore)"),
    known(Aws, "ap-southeast-2", "Asia Pacific (Sydney)"),
    known(Aws, "ap-southeast-3", "Asia Pacific (Jakarta)"),
    known(Aws, "ap-southeast-4", "Asia Pacific (Melbourne)"),
    known(Aws, "ap-southeast-5", "Asia Pacific (Malaysia)"),
    known(Aws, "ap-southeast-6", "Asia Pacific (New Zealand)"),
    known(Aws, "ap-southeast-7", "Asia Pacific (Thailand)"),
    known(Aws, "ca-central-1", "Canada (Central)"),
    known(Aws, "ca-west-1", "Canada West (Calgary)"),
    known(Aws, "eu-central-1", "Europe (Frankfurt)"),
    known(Aws, "eu-central-2", "Europe (Zurich)"),
    known(Aws, "eu-north-1", "Europe (Stockholm)"),
    known(Aws, "eu-south-1", "Europe (Milan)"),
    known(Aws, "eu-south-2", "Europe (Spain)"),
    known(Aws, "eu-west-1", "Europe (Ireland)"),
    known(Aws, "eu-west-2", "Europe (London)"),
    known(Aws, "eu-west-3", "Europe (Paris)"),
    known(Aws, "il-central-1", "Israel (Tel Aviv)"),
    known(Aws, "me-central-1", "Middle East (UAE)"),
    known(Aws, "me-south-1", "Middle East (Bahrain)"),
    known(Aws, "mx-central-1", "Mexico (Central)"),
    known(Aws, "sa-east-1", "South America (São Paulo)"),
    known(AwsCn, "cn-north-1", "China (Beijing)"),
    known(AwsCn, "cn-northwest-1", "China (Ningxia)"),
    known(AwsUsGov, "us-gov-east-1", "AWS GovCloud (US-East)"),
    known(AwsUsGov, "us-gov-west-1", "AWS GovCloud (US-West)"),
    known(AwsEusc, "eusc-de-east-1", "EU Sovereign Cloud (Brandenburg)"),
    known(AwsIso, "us-iso-east-1", "US ISO East"),
    known(AwsIsoB, "us-isob-east-1", "US ISOB East (Ohio)"),
    known(AwsIsoE, "eu-isoe-west-1", "EU ISOE West"),
    known(AwsIsoF, "us-isof-east-1", "US ISOF East"),
    known(AwsIsoF, "us-isof-south-1", "US ISOF South"),
];
