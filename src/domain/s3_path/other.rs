//! What stands in the place of a bucket and is none, nor an access point of one: access points of other sorts with their
//! aliases, and buckets of other sorts. Each is refused for its own reason, with what to give instead.
//!
//! See "Bucket naming rules" and "Access points" in the S3 user guide: the endings are reserved for these.

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Other {
    /// An access point that AWS or an outpost keeps an alias of too.
    OnOutposts,
    MultiRegion,
    ObjectLambda,
    Directory,
    Table,
}

impl Other {
    /// Reads an ARN; `None`: it is none of these.
    pub(super) fn of_arn(text: &str) -> Option<Self> {
        let mut fields = text.splitn(6, ':').skip(2);
        let (service, region) = (fields.next()?, fields.next()?);
        let resource = fields.nth(1)?;
        let is_point = resource.starts_with("accesspoint/") || resource.starts_with("accesspoint:");
        Some(match service {
            // A multi-region access point belongs to no region.
            "s3" if is_point && region.is_empty() => Self::MultiRegion,
            "s3-object-lambda" => Self::ObjectLambda,
            "s3-outposts" => Self::OnOutposts,
            "s3express" => Self::Directory,
            "s3tables" => Self::Table,
            _ => return None,
        })
    }

    /// Reads what stands where a bucket's name does; `None`: it may be one.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let endings = [
            ("--op-s3", Self::OnOutposts),
            (".mrap", Self::MultiRegion),
            ("--ol-s3", Self::ObjectLambda),
            ("--x-s3", Self::Directory),
            ("--xa-s3", Self::Directory),
            ("--table-s3", Self::Table),
        ];
        let found = endings.iter().find(|(ending, _)| name.ends_with(ending));
        found.map(|(_, kind)| *kind)
    }

    /// What an ARN of it names.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::OnOutposts => "an access point or a bucket on Outposts",
            Self::MultiRegion => "a multi-region access point",
            Self::ObjectLambda => "an Object Lambda access point",
            Self::Directory => "a directory bucket (S3 Express), or an access point of one",
            Self::Table => "a table bucket (S3 Tables)",
        }
    }

    /// The same of its name.
    pub(super) fn named(self) -> String {
        match self {
            Self::OnOutposts | Self::MultiRegion | Self::ObjectLambda => {
                format!("the alias of {}", self.what())
            }
            Self::Directory | Self::Table => format!("the name of {}", self.what()),
        }
    }

    /// What to give instead, and why that.
    pub(super) fn instead(self) -> &'static str {
        match self {
            Self::MultiRegion => {
                "the bucket behind it in the catalog's region, s3://BUCKET/PREFIX (aws s3control \
                 get-multi-region-access-point shows it): the policy is written for a bucket"
            }
            Self::ObjectLambda => {
                "the bucket behind it, s3://BUCKET/PREFIX: engines read files as they lie there, not what a function makes of them"
            }
            Self::OnOutposts => {
                "a bucket of a region, s3://BUCKET/PREFIX: engines do not read from an outpost"
            }
            Self::Directory => {
                "a general purpose bucket, s3://BUCKET/PREFIX: a directory bucket is opened by s3express:CreateSession, which the \
                 policy does not grant"
            }
            Self::Table => {
                "a general purpose bucket, s3://BUCKET/PREFIX: S3 Tables keeps no files below a path, and is reached through a \
                 catalog of its own (s3tablescatalog)"
            }
        }
    }
}
