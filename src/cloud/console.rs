//! Where the console is that belongs to an endpoint.

use super::http::{chain, host_of, is_loopback};
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::domain::text::scrub;
use aws_smithy_http_client::Connector;
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt;
use std::time::Duration;

/// A console, and where templates for it may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Console {
    /// Scheme, host and path before `/cloudformation` or `#`, without a trailing slash.
    pub base: String,
    /// Where this console's templates are kept already; `None`: the admin has to put them somewhere.
    pub template_base_url: Option<String>,
}

/// How long the embedded AWS may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// AWS's console by partition; the embedded AWS's by what it says of itself.
pub(super) async fn find(endpoint: Option<&str>, region: &Region) -> Result<Console, Problem> {
    let Some(endpoint) = endpoint else {
        let partition = region.partition();
        return match partition.console_host(region) {
            Some(host) => Ok(Console {
                base: format!("https://{host}"),
                template_base_url: None,
            }),
            None => Err(none(format!(
                "The console of partition {} has no public address",
                partition.id()
            ))),
        };
    };
    let host = host_of(endpoint);
    if host.ends_with(&format!(".{}", region.partition().dns_suffix())) {
        return Box::pin(find(None, region)).await;
    }
    if !is_loopback(&host) || !endpoint.starts_with("http://") {
        return Err(none(format!(
            "The endpoint {endpoint} is not AWS's, and no console is known for it"
        )));
    }
    let about = ask(&format!("{}/_glueup", endpoint.trim_end_matches('/')))
        .await
        .map_err(|(kind, why)| Problem {
            kind,
            ..none(format!(
                "The endpoint {endpoint} does not say where its console is ({why})"
            ))
        })?;
    let text = |key: &str| {
        about
            .get(key)
            .and_then(|value| value.as_str())
            .map(|url| scrub(url.trim_end_matches('/')))
    };
    match text("console_url") {
        Some(base) => Ok(Console {
            base,
            template_base_url: text("template_base_url"),
        }),
        None => Err(none(format!("The endpoint {endpoint} has no console"))),
    }
}

/// How long a change of IAM may take until all of AWS knows of it; AWS promises no time, field reports stay below this.
const SPREADING: Duration = Duration::from_secs(300);
/// The same for an emulator on this machine that does not say.
const SPREADING_NEAR: Duration = Duration::from_secs(10);
/// Added to what the embedded AWS says, for the time between its change and our question.
const MARGIN: Duration = Duration::from_secs(3);

/// How long a denial may still be the echo of an older state, counted from the last change.
pub(super) async fn spreading(endpoint: Option<&str>) -> Duration {
    let near = |endpoint: &&str| is_loopback(&host_of(endpoint)) && endpoint.starts_with("http://");
    let Some(endpoint) = endpoint.filter(near) else {
        return SPREADING;
    };
    let knobs = ask(&format!("{}/_glueup/knobs", endpoint.trim_end_matches('/'))).await;
    let said = knobs.ok().and_then(|knobs| knobs.get("iam_delay_s")?.as_f64());
    said.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .map_or(SPREADING_NEAR, |delay| delay.saturating_add(MARGIN))
}

fn none(why: String) -> Problem {
    Problem::new(
        Kind::NotFound,
        "There is no console to open",
        why,
        "Download the template, or deploy from here",
    )
}

/// What the endpoint says of itself; else whether nobody is there or somebody who has nothing to say, and why.
async fn ask(url: &str) -> Result<serde_json::Value, (Kind, String)> {
    let silent = |why: String| (Kind::NotFound, why);
    let request = http::Request::get(url)
        .body(SdkBody::empty())
        .map_err(|why| silent(why.to_string()))?;
    let request = HttpRequest::try_from(request).map_err(|why| silent(why.to_string()))?;
    let answer = async {
        let response = Connector::builder()
            .build_http()
            .call(request)
            .await
            .map_err(|why| (Kind::Unreachable, chain(&why)))?;
        if !response.status().is_success() {
            return Err(silent(format!("HTTP {}", response.status().as_u16())));
        }
        let body = response
            .into_body()
            .collect()
            .await
            .map_err(|why| silent(why.to_string()))?
            .to_bytes();
        serde_json::from_slice(&body).map_err(|why| silent(why.to_string()))
    };
    tokio::time::timeout(PATIENCE, answer)
        .await
        .unwrap_or_else(|_| Err((Kind::Unreachable, "no answer".to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    async fn server(answer: &'static str) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut asked = [0; 2048];
                let read = stream.read(&mut asked).await.unwrap();
                assert!(asked[..read].starts_with(b"GET /_glueup HTTP/1.1"));
                stream.write_all(answer.as_bytes()).await.unwrap();
            }
        });
        format!("http://{address}/")
    }

    fn region(name: &str) -> Region {
        name.parse().unwrap()
    }

    #[tokio::test]
    async fn the_console_follows_the_partition() {
        for (name, host) in [
            ("us-west-2", "https://us-west-2.console.aws.amazon.com"),
            ("cn-north-1", "https://console.amazonaws.cn"),
            ("us-gov-west-1", "https://console.amazonaws-us-gov.com"),
        ] {
            assert_eq!(find(None, &region(name)).await.unwrap().base, host);
        }
        let own = find(
            Some("https://cloudformation.us-west-2.amazonaws.com"),
            &region("us-west-2"),
        )
        .await;
        assert!(own.unwrap().base.contains("console.aws.amazon.com"));
        assert_eq!(
            find(None, &region("us-iso-east-1")).await.unwrap_err().kind,
            Kind::NotFound
        );
    }

    #[tokio::test]
    async fn the_embedded_aws_says_where_its_console_is() {
        let body =
            r#"{"console_url":"http://127.0.0.1:9/console","template_base_url":"http://127.0.0.1:9/t/"}"#;
        let answer: &'static str = Box::leak(
            format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            )
            .into_boxed_str(),
        );
        let console = find(Some(&server(answer).await), &region("us-west-2"))
            .await
            .unwrap();
        assert_eq!(console.base, "http://127.0.0.1:9/console");
        assert_eq!(console.template_base_url.as_deref(), Some("http://127.0.0.1:9/t"));
    }

    #[tokio::test]
    async fn other_endpoints_have_none_and_say_why() {
        let moto = server("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
        for (endpoint, word) in [
            (moto.as_str(), "HTTP 404"),
            ("https://aws.corp.example", "not AWS's"),
        ] {
            let problem = find(Some(endpoint), &region("us-west-2")).await.unwrap_err();
            assert!(problem.why.contains(word), "{}", problem.why);
            assert_eq!(problem.kind, Kind::NotFound);
        }
        let nobody = find(Some("http://127.0.0.1:9"), &region("us-west-2")).await;
        assert_eq!(nobody.unwrap_err().kind, Kind::Unreachable);
    }
}
