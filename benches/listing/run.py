#!/usr/bin/env python3
"""A listing of many tables by glueup, boto3's paginator, the AWS CLI and a bare HTTP loop, in turns, on one endpoint.

    pip install boto3 awscli
    cargo build --release
    benches/listing/run.py target/release/glueup [--tables 100000] [--rounds 5] [--latency 0 20] [--skip-cli]

The tables lie once in one database and once in a thousand. The bare loop signs nothing anew: it asks for page after page over one
connection, and looks in the answers for nothing but the token of the next page. Prints the rows of docs/BENCHMARKS.md.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

BOTO = """
import boto3, sys
glue = boto3.client("glue")
def tables(database):
    return sum(len(page["TableList"]) for page in glue.get_paginator("get_tables").paginate(DatabaseName=database))
names = sys.argv[1:]
print(sum(tables(name) for name in names))
"""

BARE = """
import http.client, os, re, sys, urllib.parse
import botocore.auth, botocore.awsrequest, botocore.credentials
place = urllib.parse.urlparse(os.environ["AWS_ENDPOINT_URL"])
keys = botocore.credentials.Credentials(os.environ["AWS_ACCESS_KEY_ID"], os.environ["AWS_SECRET_ACCESS_KEY"])
signer = botocore.auth.SigV4Auth(keys, "glue", os.environ["AWS_REGION"])
link = http.client.HTTPConnection(place.netloc)
token_of = re.compile(rb'"NextToken":"((?:[^"\\\\\\\\]|\\\\\\\\.)*)"')
count = 0
for database in sys.argv[1:]:
    token = ""
    while token is not None:
        body = '{"DatabaseName":"%s"%s}' % (database, ',"NextToken":"%s"' % token if token else "")
        asked = botocore.awsrequest.AWSRequest("POST", os.environ["AWS_ENDPOINT_URL"] + "/", data=body, headers={
            "content-type": "application/x-amz-json-1.1", "x-amz-target": "AWSGlue.GetTables"})
        signer.add_auth(asked)
        link.request("POST", "/", body, dict(asked.headers))
        answer = link.getresponse().read()
        count += answer.count(b'"Name":"t_')
        found = token_of.search(answer)
        token = found.group(1).decode() if found else None
print(count)
"""


def environment(home, line):
    own = {"HOME": home, "GLUEUP_HOME": f"{home}/glueup", "PATH": os.environ["PATH"], "LANG": "C.UTF-8",
           "AWS_EC2_METADATA_DISABLED": "true", "AWS_PAGER": "", "PYTHONDONTWRITEBYTECODE": "1"}
    if line:
        own |= {"AWS_ENDPOINT_URL": line["endpoint_url"], "AWS_ACCESS_KEY_ID": line["access_key_id"],
                "AWS_SECRET_ACCESS_KEY": line["secret_access_key"], "AWS_REGION": line["region"],
                "AWS_DEFAULT_REGION": line["region"]}
    return own


def timed(command, env, wanted, count):
    """Seconds, seconds of CPU and MiB of one run, which must have found so many tables."""
    begun = time.monotonic()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.PIPE)
        _, status, used = os.wait4(child.pid, 0)
        seconds = time.monotonic() - begun
        out.seek(0)
        found = count(out)
    assert status == 0 and found == wanted, (command[:3], status, found, wanted, child.stderr.read()[-500:])
    return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def number(out):
    return int(out.read())


def spread(values, digits=2):
    text = [f"{value:.{digits}f}" for value in (statistics.median(values), min(values), max(values))]
    return f"{text[0]} ({text[1]}–{text[2]})"


class Lake:
    """An embedded AWS with so many tables in one database, or in a thousand."""

    def __init__(self, options, latency, spread_out):
        home = tempfile.mkdtemp()
        words = [options.glueup, "demo", "--headless", "--tables", str(options.tables), "--latency", str(latency)]
        self.demo = subprocess.Popen(words, env=environment(home, {}), stdout=subprocess.PIPE, text=True)
        self.env = environment(home, json.loads(self.demo.stdout.readline()))
        if spread_out:
            gone = "import boto3; boto3.client('glue').delete_database(Name='generated')"
            subprocess.run([sys.executable, "-c", gone], env=self.env, check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.demo.terminate()
        self.demo.wait()


def subjects(options, lake, databases):
    if len(databases) == 1:
        words = [f"AwsDataCatalog.{databases[0]}"]
    else:
        words = ["AwsDataCatalog", "--tables"]
    mine = [options.glueup, "ls", *words, "--as-caller", "--output", "json"]
    python = [sys.executable, "-c"]
    named = {
        "`glueup ls`": (mine, generated),
        "bare HTTP loop": ([*python, BARE, *databases], number),
        "boto3's paginator": ([*python, BOTO, *databases], number),
    }
    if len(databases) == 1 and not options.skip_cli:
        command = ["aws", "glue", "get-tables", "--database-name", databases[0], "--output", "json"]
        # read line by line: what this process holds counts as the next child's memory until that begins
        named["`aws glue get-tables`"] = (command, lambda out: sum(line.count(b'"Name": "t_') for line in out))
    return named


def generated(out):
    """The lake has a hundred tables of its own, which nobody else is asked for."""
    return sum(1 for line in out if b'"database":"generated' in line)


def measure(options, latency, databases):
    wanted = options.tables // len(databases) * len(databases)
    with Lake(options, latency, len(databases) > 1) as lake:
        named = subjects(options, lake, databases)
        found = {name: [] for name in named}
        for _ in range(options.rounds):
            for name, (command, count) in named.items():
                found[name].append(timed(command, lake.env, wanted, count))
    where = "one database" if len(databases) == 1 else f"{len(databases):,} databases"
    print(f"\n{wanted:,} tables in {where}, {latency} ms of latency ({options.rounds} rounds)\n")
    print("|  | seconds | CPU, s | MiB | seconds ÷ `glueup` |\n|---|---|---|---|---|")
    mine = [seconds for seconds, _, _ in found["`glueup ls`"]]
    for name, rows in found.items():
        seconds, cpu, memory = zip(*rows)
        ratio = [theirs / ours for theirs, ours in zip(seconds, mine)]
        print(f"| {name} | {spread(seconds)} | {spread(cpu)} | {spread(memory, 0)} | {spread(ratio)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("glueup")
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--latency", type=int, nargs="+", default=[0, 20])
    parser.add_argument("--skip-cli", action="store_true")
    options = parser.parse_args()
    for latency in options.latency:
        for databases in (["generated"], [f"generated_{n:03}" for n in range(1000)]):
            measure(options, latency, databases)
