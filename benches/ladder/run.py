#!/usr/bin/env python3
"""A green ladder beside the same checks as a sequence of AWS CLI calls, in turns, against the embedded AWS.

    pip install awscli
    cargo build --release
    benches/ladder/run.py target/release/glueup [--rounds 5] [--latency 50]

Each call of the embedded AWS waits for the latency. `aws` must be on the PATH, and curl for the Iceberg REST door, which
the AWS CLI does not know. Prints the rows of docs/BENCHMARKS.md.
"""

import argparse
import json
import os
import secrets
import statistics
import subprocess
import tempfile
import time

CATALOG = "Lake House"
GLUE = ["glue:GetTable", "glue:GetTables", "glue:GetPartitions", "glue:BatchGetPartition", "glue:GetTableVersions",
        "glue:CreateTable", "glue:DeleteDatabase"]
OBJECTS = ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"]
ANYWHERE = ["iam:PutRolePolicy", "sts:AssumeRole", "lakeformation:PutDataLakeSettings", "kms:Decrypt"]


def start(glueup, home, latency):
    demo = subprocess.Popen(
        [glueup, "demo", "--headless", "--latency", str(latency)],
        env=environment(home, {}),
        stdout=subprocess.PIPE,
        text=True,
    )
    return demo, json.loads(demo.stdout.readline())


def environment(home, line):
    own = {"HOME": home, "GLUEUP_HOME": f"{home}/glueup", "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    own |= {"AWS_EC2_METADATA_DISABLED": "true", "AWS_PAGER": ""}
    if line:
        own |= {
            "AWS_ENDPOINT_URL": line["endpoint_url"],
            "AWS_ACCESS_KEY_ID": line["access_key_id"],
            "AWS_SECRET_ACCESS_KEY": line["secret_access_key"],
            "AWS_REGION": line["region"],
            "AWS_DEFAULT_REGION": line["region"],
        }
    return own


def prepare(glueup, env, line):
    def run(*words):
        subprocess.run([glueup, *words], env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    run("init", "--broker-role", line["broker_role_arn"])
    run("connection", "add", "--name", "prod", "--account-id", line["account_id"])
    run("catalog", "add", "--name", CATALOG, "--region", line["region"], "--s3-path", "s3://acme-lake/warehouse",
        "--access", "read-only", "--connection", "prod")
    run("deploy", "connection", "prod", "--yes")
    run("deploy", "catalog", CATALOG, "--yes")
    shown = subprocess.run([glueup, "connection", "show", "prod", "--output", "json"], env=env, check=True,
                           stdout=subprocess.PIPE, text=True)
    return json.loads(shown.stdout)


def ladder(glueup, env):
    ran = subprocess.run([glueup, "verify", CATALOG, "--output", "json"], env=env, stdout=subprocess.PIPE, text=True)
    report = json.loads(ran.stdout)
    assert report["verdict"] != "failed", report["sentence"]
    return report["calls"]


class Cli:
    """One `aws` after the other, as a script would."""

    def __init__(self, env, line):
        self.env, self.line, self.calls = dict(env), line, 0

    def become(self, answer):
        keys = answer["Credentials"]
        self.env |= {
            "AWS_ACCESS_KEY_ID": keys["AccessKeyId"],
            "AWS_SECRET_ACCESS_KEY": keys["SecretAccessKey"],
            "AWS_SESSION_TOKEN": keys["SessionToken"],
        }

    def aws(self, *words, denied=False, missing=False):
        self.calls += 1
        ran = subprocess.run(["aws", *words, "--output", "json"], env=self.env, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        if denied:
            assert ran.returncode != 0 and "AccessDenied" in ran.stderr, (words, ran.stderr)
            return None
        if missing:
            assert ran.returncode != 0 and "NoSuch" in ran.stderr, (words, ran.stderr)
            return None
        assert ran.returncode == 0, (words, ran.stderr)
        return json.loads(ran.stdout) if ran.stdout.strip().startswith("{") else None

    def rest(self, path):
        self.calls += 1
        keys = f"{self.env['AWS_ACCESS_KEY_ID']}:{self.env['AWS_SECRET_ACCESS_KEY']}"
        token = f"x-amz-security-token: {self.env['AWS_SESSION_TOKEN']}"
        subprocess.run(
            ["curl", "-sf", "--aws-sigv4", f"aws:amz:{self.line['region']}:glue", "--user", keys, "-H", token,
             f"{self.line['endpoint_url']}/iceberg{path}"],
            check=True, stdout=subprocess.DEVNULL)


def by_hand(env, line, connection, bucket="acme-lake", prefix="warehouse/"):
    cli, probe = Cli(env, line), f"glueup_probe_{secrets.token_hex(16)}"
    role, session = connection["role_arn"], ("--role-session-name", "by-hand")
    cli.aws("sts", "get-caller-identity")
    cli.aws("iam", "get-role", "--role-name", role.rsplit("/", 1)[1])
    front = f"arn:aws:glue:{line['region']}:{line['account_id']}"
    simulate = ("iam", "simulate-principal-policy", "--policy-source-arn", role, "--action-names")
    cli.aws(*simulate, *GLUE, "--resource-arns", f"{front}:catalog", f"{front}:database/sales", f"{front}:table/sales/{probe}")
    cli.aws(*simulate, *OBJECTS, "--resource-arns", f"arn:aws:s3:::{bucket}/{prefix}{probe}", f"arn:aws:s3:::{bucket}/{probe}")
    cli.aws(*simulate, *ANYWHERE)
    cli.aws("s3api", "get-bucket-policy", "--bucket", bucket, missing=True)
    cli.become(cli.aws("sts", "assume-role", "--role-arn", line["broker_role_arn"], *session))
    hop = ("sts", "assume-role", "--role-arn", role, *session)
    cli.aws(*hop, "--external-id", secrets.token_hex(16), denied=True)
    cli.aws(*hop, denied=True)
    cli.become(cli.aws(*hop, "--external-id", connection["external_id"]))
    databases = cli.aws("glue", "get-databases", "--no-paginate")["DatabaseList"]
    own = [d["Name"] for d in databases if "TargetDatabase" not in d and "FederatedDatabase" not in d]
    for name in own:
        cli.aws("glue", "get-tables", "--no-paginate", "--database-name", name)
    cli.rest(f"/v1/config?warehouse={line['account_id']}")
    cli.rest(f"/v1/catalogs/{line['account_id']}/namespaces")
    listing = ("s3api", "list-objects-v2", "--no-paginate", "--bucket", bucket, "--max-keys")
    found = cli.aws(*listing, "50", "--prefix", prefix)["Contents"]
    cli.aws("s3api", "get-object", "--bucket", bucket, "--key", next(o["Key"] for o in found if o["Size"] > 0),
            "--range", "bytes=0-15", os.devnull)
    put = ("s3api", "upload-part", "--bucket", bucket, "--part-number", "1", "--upload-id", "none")
    cli.aws(*put, "--key", prefix + probe, denied=True)
    table = json.dumps({"Name": probe})
    cli.aws("glue", "create-table", "--database-name", probe, "--table-input", table, denied=True)
    cli.aws("glue", "update-table", "--database-name", own[0], "--table-input", table, denied=True)
    cli.aws("glue", "delete-table", "--database-name", own[0], "--name", probe, denied=True)
    cli.aws("glue", "delete-database", "--name", probe, denied=True)
    cli.aws(*listing, "1", denied=True)
    cli.aws(*listing, "1", "--prefix", prefix.rstrip("/"), denied=True)
    cli.aws(*put, "--key", prefix.rstrip("/") + probe, denied=True)
    cli.aws("s3api", "get-object", "--bucket", bucket, "--key", prefix.rstrip("/") + probe, os.devnull, denied=True)
    cli.aws("s3api", "get-object", "--bucket", bucket, "--key", "archive/" + probe, os.devnull, denied=True)
    return cli.calls


def timed(work):
    begun = time.perf_counter()
    calls = work()
    return time.perf_counter() - begun, calls


def row(title, calls, seconds, ratios):
    def cell(values):
        return f"{statistics.median(values):.2f} ({min(values):.2f}–{max(values):.2f})"

    print(f"| {title} | {calls} | {cell(seconds)} | {cell(ratios)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("glueup")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--latency", type=int, default=50)
    asked = parser.parse_args()
    glueup = os.path.abspath(asked.glueup)
    with tempfile.TemporaryDirectory() as home:
        demo, line = start(glueup, home, asked.latency)
        try:
            env = environment(home, line)
            connection = prepare(glueup, env, line)
            ours, hands = [], []
            ladder(glueup, env)
            by_hand(env, line, connection)
            for _ in range(asked.rounds):
                ours.append(timed(lambda: ladder(glueup, env)))
                hands.append(timed(lambda: by_hand(env, line, connection)))
        finally:
            demo.terminate()
            demo.wait()
    seconds = [s for s, _ in ours]
    by_cli = [s for s, _ in hands]
    print("|  | calls | seconds | ÷ `glueup verify` |")
    print("|---|---|---|---|")
    row("`glueup verify`", ours[-1][1], seconds, [1.0] * len(seconds))
    row("`aws`, one call after the other", hands[-1][1], by_cli, [b / a for a, b in zip(seconds, by_cli)])


if __name__ == "__main__":
    main()
