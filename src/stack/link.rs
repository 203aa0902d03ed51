//! Links into the CloudFormation console.
//!
//! Everything behind `#` is the fragment: the console's script reads it, no server sees it, and nothing in it can
//! tick the IAM acknowledgement. See
//! <https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cfn-console-create-stacks-quick-create-links.html>.

use super::cfn::{host_of, is_s3_url};
use super::checked::{Checked, Existing};
use super::template::Parameters;
use crate::domain::region::Partition;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;
use std::fmt;

/// RFC 3986 unreserved characters stay, every other byte is written `%XX`. A blank is `%20`: `+` would stay a plus.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// What `templateURL` may be at most long, as CreateStack takes it.
const MAX_TEMPLATE_URL: usize = 5_120;

/// Where the console is: AWS's, or the embedded AWS's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Console {
    base: String,
}

/// A quick-create link, with what went into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// The whole link.
    pub url: String,
    /// The stack name that the console fills in.
    pub stack_name: String,
    /// The region that the console switches to.
    pub region: String,
    /// Where the console reads the template, with the rights of the user who is signed in there. `None`: nowhere; then
    /// the link leads to the page on which a saved template is uploaded, and the parameters are typed there.
    pub template_url: Option<String>,
    /// The same page, for a browser that is signed in to another account: it is signed out first. `None` where the
    /// console has no sign-out of its own.
    pub sign_out_url: Option<String>,
    /// The parameters that the console fills in; the user may change any of them.
    pub parameters: Parameters,
    /// The stack that is there already: to launch the link would collide with it.
    pub existing: Option<Box<Existing>>,
    /// The page of that stack.
    pub stack_url: Option<String>,
    /// Whether the template can be read where it lies. `None` where nothing is read from there.
    pub template: Option<Checked>,
}

/// Why there is no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoLink {
    /// CloudFormation would answer `TemplateURL must be a supported URL`.
    NotS3 {
        /// The URL.
        url: String,
    },
    /// The URL is longer than CloudFormation takes.
    TooLong {
        /// Its length in characters.
        length: usize,
    },
}

impl fmt::Display for NoLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotS3 { url } => write!(
                f,
                "the console reads a template from an https S3 URL only, and {url} is none: publish the template to \
                 a bucket first, or save it and upload it on the create-stack page"
            ),
            Self::TooLong { length } => {
                write!(
                    f,
                    "the template's URL has {length} characters; CloudFormation takes {MAX_TEMPLATE_URL}"
                )
            }
        }
    }
}

impl std::error::Error for NoLink {}

impl Link {
    /// Where a person is led: to the page of the stack that is there, else to the page that creates it.
    pub fn leads_to(&self) -> &str {
        self.stack_url.as_deref().unwrap_or(&self.url)
    }

    /// Adds the way for a browser that is signed in to another account of this partition.
    #[must_use]
    pub fn with_sign_out(self, partition: Partition) -> Self {
        Self {
            sign_out_url: sign_out_then_open(partition, self.leads_to()),
            ..self
        }
    }
}

impl Console {
    /// The console at a base URL, such as `https://us-west-2.console.aws.amazon.com` or, for the embedded AWS,
    /// `http://127.0.0.1:9000/_console`.
    pub fn at(base: &str) -> Self {
        Self {
            base: base.trim_end_matches('/').to_owned(),
        }
    }

    /// The quick-create link.
    pub fn quick_create(
        &self,
        region: &str,
        stack_name: &str,
        template_url: &str,
        parameters: &Parameters,
    ) -> Result<Link, NoLink> {
        if template_url.len() > MAX_TEMPLATE_URL {
            return Err(NoLink::TooLong {
                length: template_url.len(),
            });
        }
        let both_here = is_loopback(&self.base) && is_loopback(template_url);
        if !(is_s3_url(template_url) || both_here) {
            return Err(NoLink::NotS3 {
                url: template_url.to_owned(),
            });
        }
        let mut url = format!(
            "{}#/stacks/create/review?templateURL={}&stackName={}",
            self.home(region),
            encode(template_url),
            encode(stack_name)
        );
        for (name, value) in parameters {
            url.push_str(&format!("&param_{}={}", encode(name), encode(value)));
        }
        Ok(Link {
            url,
            stack_name: stack_name.to_owned(),
            region: region.to_owned(),
            template_url: Some(template_url.to_owned()),
            sign_out_url: None,
            parameters: parameters.clone(),
            existing: None,
            stack_url: None,
            template: None,
        })
    }

    /// The page on which a template file is uploaded: the browser way when the template is at no URL.
    pub fn create_stack_page(&self, region: &str) -> String {
        format!("{}#/stacks/create/template", self.home(region))
    }

    /// The page of one stack.
    pub fn stack_page(&self, region: &str, stack_id: &str) -> String {
        format!(
            "{}#/stacks/stackinfo?stackId={}",
            self.home(region),
            encode(stack_id)
        )
    }

    fn home(&self, region: &str) -> String {
        format!("{}/cloudformation/home?region={}", self.base, encode(region))
    }
}

/// A link that signs the browser out first and then opens `url`: for "You must first log out before logging into a
/// different AWS account". `None` where the partition's sign-in host is not known.
pub fn sign_out_then_open(partition: Partition, url: &str) -> Option<String> {
    let host = match partition {
        Partition::Aws => "signin.aws.amazon.com",
        Partition::AwsCn => "signin.amazonaws.cn",
        Partition::AwsUsGov => "signin.amazonaws-us-gov.com",
        _ => return None,
    };
    Some(format!(
        "https://{host}/oauth?Action=logout&redirect_uri={}",
        encode(url)
    ))
}

fn is_loopback(url: &str) -> bool {
    host_of(url, "http://").is_some_and(|host| matches!(host, "127.0.0.1" | "localhost" | "[::1]"))
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use percent_encoding::percent_decode_str;

    /// Reads a link as the console's script does: the fragment's query, split at `&` and the first `=`, decoded.
    fn read(url: &str) -> (String, Vec<(String, String)>) {
        let (home, fragment) = url.split_once('#').unwrap();
        let (route, query) = fragment.split_once('?').unwrap();
        assert_eq!(route, "/stacks/create/review");
        let decode = |text: &str| percent_decode_str(text).decode_utf8().unwrap().into_owned();
        let pairs = query
            .split('&')
            .map(|pair| pair.split_once('=').unwrap())
            .map(|(k, v)| (decode(k), decode(v)));
        (home.to_owned(), pairs.collect())
    }

    const TEMPLATE: &str =
        "https://my-bucket.s3.us-west-2.amazonaws.com/glueup/t.yaml?versionId=a+b%2Fc&x=1#y";

    #[test]
    fn every_character_survives_the_link() {
        let parameters: Parameters = [
            ("ExternalId", "a+b=c,d@e:f/g-h_i.j"),
            (
                "Odd",
                "blank and\ttab & # % ? ; \" ' < > \\ ` | ^ {} [] ~ ! * ( ) $ é 日本 🦀",
            ),
            ("Empty", ""),
            ("Percent", "%20%2B+"),
            ("List", "arn:aws:iam::1:role/a,arn:aws:iam::1:role/b\\,c"),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        let console = Console::at("https://us-west-2.console.aws.amazon.com/");
        let link = console
            .quick_create("us-west-2", "glueup-connection-a", TEMPLATE, &parameters)
            .unwrap();
        let (home, pairs) = read(&link.url);
        assert_eq!(
            home,
            "https://us-west-2.console.aws.amazon.com/cloudformation/home?region=us-west-2"
        );
        assert_eq!(pairs[0], ("templateURL".to_owned(), TEMPLATE.to_owned()));
        assert_eq!(
            pairs[1],
            ("stackName".to_owned(), "glueup-connection-a".to_owned())
        );
        let back: Parameters = pairs[2..]
            .iter()
            .map(|(name, value)| (name.strip_prefix("param_").unwrap().to_owned(), value.clone()))
            .collect();
        assert_eq!(back, parameters);
        assert!(
            link.url.is_ascii() && !link.url.contains(['+', ' ', '"', '\'', '<', '\\', '`']),
            "{}",
            link.url
        );
    }

    #[test]
    fn templates_come_from_s3_over_https_only() {
        for url in [
            "https://b.s3.us-west-2.amazonaws.com/k",
            "https://a.b.s3.us-west-2.amazonaws.com/k",
            "https://b.s3.amazonaws.com/k",
            "https://s3.us-west-2.amazonaws.com/b/k",
            "https://s3-us-west-2.amazonaws.com/b/k",
            "https://s3.cn-north-1.amazonaws.com.cn/b/k",
            "https://b.s3.dualstack.eu-west-1.amazonaws.com/k",
        ] {
            assert!(is_s3_url(url), "{url}");
        }
        for url in [
            "http://b.s3.us-west-2.amazonaws.com/k",
            "s3://b/k",
            "https://raw.githubusercontent.com/a/b/main/t.yaml",
            "https://b.s3-website-us-west-2.amazonaws.com/k",
            "https://b.s3-website.eu-central-1.amazonaws.com/k",
            "https://amazonaws.com/s3/k",
            "https://s3.amazonaws.com.evil.example/k",
            "https://s3.amazonaws.com@evil.example/k",
            "https://ec2.us-west-2.amazonaws.com/k",
        ] {
            assert!(!is_s3_url(url), "{url}");
            let error =
                Console::at("https://c.example").quick_create("us-west-2", "s", url, &Parameters::new());
            assert!(matches!(error, Err(NoLink::NotS3 { .. })), "{url}");
        }
    }

    #[test]
    fn a_loopback_template_is_for_a_loopback_console_only() {
        let url = "http://127.0.0.1:9000/glueup-templates/glueup/t.yaml";
        let demo = Console::at("http://127.0.0.1:9000/_console");
        let link = demo
            .quick_create("us-west-2", "s", url, &Parameters::new())
            .unwrap();
        assert!(
            link.url.starts_with("http://127.0.0.1:9000/_console/cloudformation/home?region=us-west-2#/stacks/create/review?templateURL=http%3A%2F%2F127"),
            "{}",
            link.url
        );
        let aws = Console::at("https://us-west-2.console.aws.amazon.com");
        assert!(
            aws.quick_create("us-west-2", "s", url, &Parameters::new())
                .is_err()
        );
        assert!(
            demo.quick_create("us-west-2", "s", "http://10.0.0.1/t.yaml", &Parameters::new())
                .is_err()
        );
    }

    #[test]
    fn signing_out_leads_back_to_the_link() {
        let url =
            "https://console.amazonaws.cn/cloudformation/home?region=cn-north-1#/stacks/create/template";
        let out = sign_out_then_open(Partition::AwsCn, url).unwrap();
        assert!(
            out.starts_with("https://signin.amazonaws.cn/oauth?Action=logout&redirect_uri=https%3A%2F%2F")
        );
        assert!(out.ends_with("%23%2Fstacks%2Fcreate%2Ftemplate"), "{out}");
        for (partition, host) in [
            (Partition::Aws, Some("https://signin.aws.amazon.com/")),
            (Partition::AwsCn, Some("https://signin.amazonaws.cn/")),
            (Partition::AwsUsGov, Some("https://signin.amazonaws-us-gov.com/")),
            (Partition::AwsEusc, None),
            (Partition::AwsIso, None),
        ] {
            let out = sign_out_then_open(partition, url);
            assert_eq!(out.is_some(), host.is_some(), "{partition}");
            assert!(
                out.unwrap_or_default().starts_with(host.unwrap_or_default()),
                "{partition}"
            );
        }
    }

    #[test]
    fn a_url_that_cloudformation_would_not_take_is_refused() {
        let url = format!(
            "https://b.s3.us-west-2.amazonaws.com/{}",
            "k".repeat(MAX_TEMPLATE_URL)
        );
        let error = Console::at("https://c.example").quick_create("us-west-2", "s", &url, &Parameters::new());
        assert!(matches!(error, Err(NoLink::TooLong { .. })));
    }
}
