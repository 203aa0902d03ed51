//! A server of the test's own in AWS's place: it answers what the test says, and remembers what it was asked.

use super::home::Home;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// The account of every record here.
pub const ACCOUNT: &str = "012345678901";

/// A request that came in.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub target: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
    /// The body's bytes.
    pub raw: Vec<u8>,
}

impl Asked {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map_or("", |(_, value)| value)
    }

    /// The operation, of the JSON protocol (`GetTables`) or of the query protocol (`AssumeRole`); empty for S3.
    pub fn action(&self) -> &str {
        let target = self.header("x-amz-target");
        if let Some((_, action)) = target.rsplit_once('.') {
            return action;
        }
        let mut fields = self.body.split('&');
        fields
            .find_map(|field| field.strip_prefix("Action="))
            .unwrap_or_default()
    }

    /// The region that the request was signed for.
    pub fn region(&self) -> &str {
        let scope = self.header("authorization").split("Credential=").nth(1);
        scope
            .and_then(|scope| scope.split('/').nth(2))
            .unwrap_or_default()
    }

    /// A member of the JSON body.
    pub fn json(&self, name: &str) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body[name].as_str().unwrap_or_default().to_owned()
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub status: u16,
    pub kind: &'static str,
    pub body: String,
}

impl Reply {
    pub fn json(body: &Value) -> Reply {
        Reply {
            status: 200,
            kind: "application/x-amz-json-1.1",
            body: body.to_string(),
        }
    }

    /// A refusal of the JSON protocol.
    pub fn error(status: u16, code: &str, message: &str) -> Reply {
        Reply {
            status,
            ..Reply::json(&json!({ "__type": code, "Message": message }))
        }
    }

    pub fn xml(body: impl Into<String>) -> Reply {
        Reply {
            status: 200,
            kind: "text/xml",
            body: body.into(),
        }
    }

    /// A refusal of the query protocol.
    pub fn query_error(status: u16, code: &str, message: &str) -> Reply {
        Reply {
            status,
            ..Reply::xml(format!(
                "<ErrorResponse><Error><Type>Sender</Type><Code>{code}</Code><Message>{message}</Message></Error>\
                 <RequestId>r</RequestId></ErrorResponse>"
            ))
        }
    }

    /// A refusal of S3.
    pub fn s3_error(status: u16, code: &str, message: &str) -> Reply {
        Reply {
            status,
            ..Reply::xml(format!(
                "<Error><Code>{code}</Code><Message>{message}</Message><RequestId>r</RequestId></Error>"
            ))
        }
    }

    /// The whole answer.
    pub fn bytes(&self) -> Vec<u8> {
        format!(
            "HTTP/1.1 {} x\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
            self.status,
            self.kind,
            self.body.len(),
            self.body
        )
        .into_bytes()
    }
}

/// The server; it lives as long as the test's process.
pub struct Fake {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Fake {
    pub fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Fake {
        Fake::raw(move |asked| answer(asked).bytes())
    }

    /// The same, with the answer's bytes.
    pub fn raw(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Fake {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (answer, kept) = (Arc::new(answer), asked.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, kept) = (answer.clone(), kept.clone());
                std::thread::spawn(move || {
                    // Whoever hangs up in the middle gets no answer.
                    let _ = serve(stream, &kept, &*answer);
                });
            }
        });
        Fake { address, asked }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    stream: TcpStream,
    kept: &Mutex<Vec<Asked>>,
    answer: &dyn Fn(&Asked) -> Vec<u8>,
) -> std::io::Result<()> {
    let mut from = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    // A client may open one connection more than it comes to use.
    if from.read_line(&mut line)? == 0 {
        return Ok(());
    }
    let mut words = line.split(' ');
    let mut word = || words.next().unwrap_or_default().to_owned();
    let mut asked = Asked {
        method: word(),
        target: word(),
        headers: Vec::new(),
        body: String::new(),
        raw: Vec::new(),
    };
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        asked.headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut body = vec![0; asked.header("content-length").parse().unwrap_or(0)];
    from.read_exact(&mut body)?;
    asked.body = String::from_utf8_lossy(&body).into_owned();
    asked.raw = body;
    let reply = answer(&asked);
    kept.lock().unwrap().push(asked);
    let mut to = stream;
    to.write_all(&reply)
}

/// What STS answers in a partition: everybody is somebody, and every role may be assumed.
pub fn sts(asked: &Asked, partition: &str) -> Option<Reply> {
    let result = match asked.action() {
        "GetCallerIdentity" => format!(
            "<Arn>arn:{partition}:iam::{ACCOUNT}:user/ann</Arn><UserId>AIDA1</UserId><Account>{ACCOUNT}</Account>"
        ),
        "AssumeRole" => format!(
            "<Credentials><AccessKeyId>ASIA1</AccessKeyId><SecretAccessKey>s</SecretAccessKey>\
             <SessionToken>t</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>\
             <AssumedRoleUser><Arn>arn:{partition}:sts::{ACCOUNT}:assumed-role/r/glueup</Arn>\
             <AssumedRoleId>AROA1:glueup</AssumedRoleId></AssumedRoleUser>"
        ),
        _ => return None,
    };
    let action = asked.action();
    Some(Reply::xml(format!(
        "<{action}Response xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><{action}Result>{result}</{action}Result>\
         <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></{action}Response>"
    )))
}

/// A Glue that holds these tables in its one database `d`, and the STS before it.
pub fn glue(tables: Vec<Value>) -> Fake {
    Fake::start(move |asked| {
        if let Some(reply) = sts(asked, "aws") {
            return reply;
        }
        match asked.action() {
            "GetDatabases" => Reply::json(&json!({ "DatabaseList": [{ "Name": "d" }] })),
            "GetTables" => Reply::json(&json!({ "TableList": tables })),
            "GetTable" => match tables.iter().find(|table| table["Name"] == asked.json("Name")) {
                Some(table) => Reply::json(&json!({ "Table": table })),
                None => Reply::error(400, "EntityNotFoundException", "Table not found."),
            },
            _ => Reply {
                status: 404,
                ..Reply::xml("<Error><Code>NoSuchKey</Code><Message>no such key</Message></Error>")
            },
        }
    })
}

/// A home with the connection `c` and the catalog `lake`, both deployed as far as the records know, and keys that
/// anybody may have; no region is set. `broker`: whether a broker's role comes first.
pub fn recorded(partition: &str, region: &str, broker: bool) -> Home {
    let home = Home::new();
    let arn = |account: &str, role: &str| format!("arn:{partition}:iam::{account}:role/{role}");
    let trust = arn(ACCOUNT, "engine");
    let mut add = vec![
        "connection",
        "add",
        "--name",
        "c",
        "--account-id",
        ACCOUNT,
        "--trust",
        &trust,
    ];
    let broker_role = arn("999988887777", "broker");
    if broker {
        add.extend(["--broker-role", &broker_role]);
    }
    home.glueup(&add).ok();
    let catalog = [
        "catalog",
        "add",
        "--name",
        "lake",
        "--region",
        region,
        "--s3-path",
        "s3://acme-lake/wh",
    ];
    let rest = ["--access", "read-only", "--connection", "c"];
    home.glueup(&[&catalog[..], &rest].concat()).ok();
    set(
        &home,
        "connections/c.yaml",
        "role_arn",
        &format!("\"{}\"", arn(ACCOUNT, "r")),
    );
    set(&home, "catalogs/lake.yaml", "deployed", "true");
    home.with("AWS_ACCESS_KEY_ID", "AKIA1")
        .with("AWS_SECRET_ACCESS_KEY", "secret")
}

/// The same home, whose AWS is `fake`.
pub fn at(home: Home, fake: &Fake) -> Home {
    home.with("AWS_ENDPOINT_URL", fake.url())
}

/// Writes one field of a record, as somebody with an editor would.
pub fn set(home: &Home, record: &str, key: &str, value: &str) {
    let file = home.records().join(record);
    let text = std::fs::read_to_string(&file).unwrap();
    let ours = |line: &&str| !line.starts_with(&format!("{key}:"));
    let mut lines: Vec<&str> = text.lines().filter(ours).collect();
    let line = format!("{key}: {value}\n");
    lines.push(&line);
    std::fs::write(&file, lines.join("\n")).unwrap();
}
