//! Regions and the partitions they belong to: every ARN, host and link follows from these.

mod partition;
mod table;

use std::str::FromStr;

use super::{invalid::Invalid, text, word::text_word};
pub use partition::Partition;
pub use table::KnownRegion;

const PART: &str = "AWS region";
/// The middle part of every region's name so far; a typing error in it (`us-wets-2`) is told from a new region.
const COMPASS: [&str; 9] = [
    "north",
    "south",
    "east",
    "west",
    "central",
    "northeast",
    "northwest",
    "southeast",
    "southwest",
];

/// An AWS region: a known one, or one of a known shape that AWS may have added since.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(String);

text_word!(Region);

impl Region {
    /// All regions with a Glue endpoint that this version knows.
    pub fn all() -> &'static [KnownRegion] {
        table::REGIONS
    }

    fn entry(&self) -> Option<&'static KnownRegion> {
        table::REGIONS.iter().find(|known| known.id == self.0)
    }

    /// Whether this version knows the region.
    pub fn known(&self) -> bool {
        self.entry().is_some()
    }

    /// What to say about a region that is taken on its shape alone.
    pub fn warning(&self) -> Option<String> {
        if self.known() {
            return None;
        }
        Some(format!(
            "glueup does not know the region {self}; it has the shape of one in partition {}, so it is used as it is",
            self.partition()
        ))
    }

    /// The console's name for it: `US West (Oregon)`; `None` for a region that is not known.
    pub fn label(&self) -> Option<&'static str> {
        self.entry().map(|known| known.label)
    }

    /// The partition, by the table or else by the shape of the name.
    pub fn partition(&self) -> Partition {
        self.entry()
            .map(|known| known.partition)
            .or_else(|| shape(&self.0))
            .unwrap_or(Partition::Aws)
    }
}

/// The partition whose regions look like this, if any does.
fn shape(id: &str) -> Option<Partition> {
    let (rest, number) = id.rsplit_once('-')?;
    let (area, compass) = rest.rsplit_once('-')?;
    let numbered = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    if !numbered || !COMPASS.contains(&compass) {
        return None;
    }
    match area {
        "cn" => Some(Partition::AwsCn),
        "us-gov" => Some(Partition::AwsUsGov),
        "eusc-de" => Some(Partition::AwsEusc),
        "us-iso" => Some(Partition::AwsIso),
        "us-isob" => Some(Partition::AwsIsoB),
        "eu-isoe" => Some(Partition::AwsIsoE),
        "us-isof" | "eu-isof" => Some(Partition::AwsIsoF),
        area if area.len() == 2 && area.bytes().all(|b| b.is_ascii_lowercase()) => Some(Partition::Aws),
        _ => None,
    }
}

/// The known region that is written most alike, when it is near enough to be meant.
fn nearest(id: &str) -> Option<&'static str> {
    text::nearest(id, table::REGIONS.iter().map(|known| known.id))
}

impl FromStr for Region {
    type Err = Invalid;

    /// Takes known regions and unknown ones of a known shape; letters of either case.
    fn from_str(given: &str) -> Result<Self, Invalid> {
        let id = given.trim().to_ascii_lowercase();
        if id.is_empty() {
            return Err(Invalid::empty(PART, "a region's id, such as us-west-2"));
        }
        if shape(&id).is_some() {
            return Ok(Self(id));
        }
        if let Some(known) = table::REGIONS
            .iter()
            .find(|known| known.label.eq_ignore_ascii_case(given.trim()))
        {
            return Ok(Self(known.id.to_owned()));
        }
        let zone = id
            .strip_suffix(|c: char| c.is_ascii_lowercase())
            .filter(|rest| shape(rest).is_some());
        if let Some(region) = zone {
            return Err(Invalid::new(
                PART,
                given,
                "is an availability zone",
                format!("its region: {region}"),
            ));
        }
        let expected = match nearest(&id) {
            Some(near) => format!("area-direction-number, such as us-west-2 (did you mean {near}?)"),
            None => "area-direction-number, such as us-west-2".to_owned(),
        };
        Err(Invalid::new(
            PART,
            given,
            "does not have the shape of a region",
            expected,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_region_parses_and_its_shape_gives_its_partition() {
        assert_eq!(Region::all().len(), 44);
        for known in Region::all() {
            let region: Region = known.id.parse().unwrap();
            assert!(region.known() && region.warning().is_none());
            assert_eq!(region.label(), Some(known.label));
            assert_eq!(shape(known.id), Some(known.partition), "{}", known.id);
            assert_eq!(region.partition(), known.partition);
        }
    }

    #[test]
    fn an_unknown_region_of_a_known_shape_is_taken_with_a_warning() {
        for (id, partition) in [
            ("us-west-9", Partition::Aws),
            ("me-west-1", Partition::Aws),
            ("cn-south-1", Partition::AwsCn),
            ("us-gov-central-1", Partition::AwsUsGov),
            ("eusc-de-west-1", Partition::AwsEusc),
            ("us-isob-west-1", Partition::AwsIsoB),
        ] {
            let region: Region = id.parse().unwrap();
            assert!(!region.known() && region.label().is_none());
            assert!(region.warning().unwrap().contains(id));
            assert_eq!(region.partition(), partition);
        }
    }

    #[test]
    fn a_wrong_shape_names_the_nearest_region() {
        for (given, near) in [
            ("us-wets-2", "us-west-2"),
            ("us-west2", "us-west-2"),
            ("uswest-2", "us-west-2"),
            ("eu-cenral-1", "eu-central-1"),
            ("cn-nort-1", "cn-north-1"),
        ] {
            let error = given.parse::<Region>().unwrap_err();
            assert!(
                error.expected.contains(&format!("did you mean {near}?")),
                "{error}"
            );
        }
        assert!("no".parse::<Region>().unwrap_err().expected.contains("us-west-2"));
        assert!(
            "us-west-2a"
                .parse::<Region>()
                .unwrap_err()
                .expected
                .contains("its region: us-west-2")
        );
        assert!("".parse::<Region>().unwrap_err().why.contains("empty"));
    }

    #[test]
    fn labels_and_case_are_read() {
        assert_eq!(
            "US West (Oregon)".parse::<Region>().unwrap().as_str(),
            "us-west-2"
        );
        assert_eq!(" US-EAST-1 ".parse::<Region>().unwrap().as_str(), "us-east-1");
    }
}
