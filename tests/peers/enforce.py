"""An AWS that says no, shown by boto3 alone: trust, policies, signatures, sessions, and Glue's own refusals.

    enforce.py --flavour glueup|ministack

The endpoint, its region and an administrator's keys come from the environment. Everything it needs it makes itself:
users, roles, policies, a bucket, a database. What an emulator is known not to do is skipped by name, so that the same
answers are asked of both. Prints a line a check, then the counts; ends with 1 if a check failed.
"""

import argparse
import contextlib
import datetime
import json
import os
import time
import urllib.error
import urllib.request
import uuid

import boto3
import botocore.auth
from botocore.config import Config
from botocore.exceptions import ClientError

parser = argparse.ArgumentParser()
parser.add_argument("--flavour", choices=["glueup", "ministack"], default="glueup")
FLAVOUR = parser.parse_args().flavour
ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
TAG = uuid.uuid4().hex[:8]
# One attempt: a refusal must be seen, not tried again. No validation: the server is asked, not the client.
CONFIG = Config(
    retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}, parameter_validation=False
)
DENIED = ("AccessDenied", "AccessDeniedException")
counts = {"passed": 0, "failed": 0, "skipped": 0}

# What ministack does not do. Each was tried; the check's name says what it is about.
NOT_ON_MINISTACK = {
    "pages of 100": "it does not page",
    "sessions end by the clock": "its clock cannot be moved",
    "knobs": "it has none",
    "chained sessions": "it accepts 12 hours",
    "named in the same account, no own policy": "it asks the caller's own policies too",
    "policy: variable, mine": "it has no policy variables",
    "condition operator that does not exist": "it takes any",
    "trust in a user that is not there": "it takes any",
    "clock skew": "it looks at no time",
    "presigned addresses": "it verifies none of STS",
}


def report(outcome, what, detail=""):
    counts[outcome] += 1
    word = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}[outcome]
    print(f"{word}: {what}{': ' + detail if detail else ''}", flush=True)


def skips(area):
    """Whether this server is known not to do it; says so."""
    if FLAVOUR == "ministack" and area in NOT_ON_MINISTACK:
        report("skipped", area, NOT_ON_MINISTACK[area])
        return True
    return False


def client(service, keys=None):
    """A client of the administrator, or of the session or user whose keys are given."""
    named = {}
    if keys:
        named = {
            "aws_access_key_id": keys["AccessKeyId"],
            "aws_secret_access_key": keys["SecretAccessKey"],
            "aws_session_token": keys.get("SessionToken"),
        }
    return boto3.client(service, config=CONFIG, **named)


def check(what, expected, call):
    """Runs `call`; `expected` is None for success, or the codes of which the refusal must have one."""
    try:
        answer, got = call(), None
    except ClientError as error:
        answer, got = None, error.response["Error"]["Code"]
    fine = got in expected if expected else got is None
    wanted = "" if fine else f", should be {' or '.join(expected) if expected else 'allowed'}"
    report("passed" if fine else "failed", what, (got or "allowed") + wanted)
    return answer


def equal(what, got, wanted):
    report("passed" if got == wanted else "failed", what, f"{got}" if got == wanted else f"{got}, not {wanted}")


def knobs(**wanted):
    body = json.dumps(wanted).encode()
    request = urllib.request.Request(f"{ENDPOINT}/_glueup/knobs", data=body, method="PUT")
    urllib.request.urlopen(request).read()


@contextlib.contextmanager
def client_clock(seconds):
    """The clock by which boto3 signs, so many seconds ahead."""
    true = botocore.auth.get_current_datetime

    def moved(*args, **kwargs):
        return true(*args, **kwargs) + datetime.timedelta(seconds=seconds)

    botocore.auth.get_current_datetime = moved
    try:
        yield
    finally:
        botocore.auth.get_current_datetime = true


def document(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def allow(action, resource="*", **more):
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def deny(action, resource="*", **more):
    return {**allow(action, resource, **more), "Effect": "Deny"}


def trust(principal, condition=None):
    statement = {"Effect": "Allow", "Principal": {"AWS": principal}, "Action": "sts:AssumeRole"}
    return document({**statement, **({"Condition": condition} if condition else {})})


def user(name, *statements):
    """A new user with one inline policy; its name, ARN and keys."""
    name = f"{name}-{TAG}"
    arn = iam.create_user(UserName=name)["User"]["Arn"]
    if statements:
        iam.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=document(*statements))
    return name, arn, iam.create_access_key(UserName=name)["AccessKey"]


def role(name, trusted, *statements):
    """A new role with one inline policy; its name and ARN."""
    name = f"{name}-{TAG}"
    arn = iam.create_role(RoleName=name, AssumeRolePolicyDocument=trusted)["Role"]["Arn"]
    if statements:
        iam.put_role_policy(RoleName=name, PolicyName="own", PolicyDocument=document(*statements))
    return name, arn


def assume(keys, arn, **more):
    more = {"RoleSessionName": "peer", **more}
    return client("sts", keys).assume_role(RoleArn=arn, **more)["Credentials"]


iam, s3, glue = client("iam"), client("s3"), client("glue")
account = client("sts").get_caller_identity()["Account"]
region = glue.meta.region_name
bucket, database = f"peer-{TAG}", f"peer_{TAG}"
EID = {"StringEquals": {"sts:ExternalId": f"id-{TAG}"}}
GIVEN = {"ExternalId": f"id-{TAG}"}

s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
for key in ("lake/a", "lakeside/a", "other/a", f"home/ann-{TAG}/a"):
    s3.put_object(Bucket=bucket, Key=key, Body=b"x")
glue.create_database(DatabaseInput={"Name": database})
TABLE = {"Name": "orders", "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "bigint"}]}}
glue.create_table(DatabaseName=database, TableInput=TABLE)

# ---- trust ----
_, ann_arn, ann = user("ann", allow("sts:AssumeRole"))
_, _, bob = user("bob", allow("sts:AssumeRole"))
_, carl_arn, carl = user("carl")
read_glue = ["glue:GetDatabase", "glue:GetDatabases", "glue:GetTable", "glue:GetTables"]
read_only = [
    allow(read_glue, f"arn:aws:glue:{region}:{account}:*"),
    allow("s3:GetObject", f"arn:aws:s3:::{bucket}/lake/*"),
    allow(
        "s3:ListBucket",
        f"arn:aws:s3:::{bucket}",
        Condition={"StringLike": {"s3:prefix": ["lake/", "lake/*"]}},
    ),
]
reader_name, reader_arn = role("reader", trust(ann_arn, EID), *read_only)
reader = check("role with the right external id", None, lambda: assume(ann, reader_arn, **GIVEN))
check("wrong external id", DENIED, lambda: assume(ann, reader_arn, ExternalId="another"))
check("missing external id", DENIED, lambda: assume(ann, reader_arn))
check("wrong principal", DENIED, lambda: assume(bob, reader_arn, **GIVEN))
check("role that does not exist", DENIED, lambda: assume(ann, reader_arn + "x", **GIVEN))
check("role in other case", DENIED, lambda: assume(ann, reader_arn.replace("reader", "Reader"), **GIVEN))
_, by_account = role("by-account", trust(f"arn:aws:iam::{account}:root", EID))
check("account trusted, own policy allows", None, lambda: assume(bob, by_account, **GIVEN))
check("account trusted, no own policy", DENIED, lambda: assume(carl, by_account, **GIVEN))
_, by_name = role("by-name", trust(carl_arn))
if not skips("named in the same account, no own policy"):
    check("named in the same account, no own policy", None, lambda: assume(carl, by_name))
narrowed = {**EID, "ArnLike": {"aws:PrincipalArn": f"arn:aws:iam::{account}:user/ann-*"}}
_, by_arn = role("by-arn", trust(f"arn:aws:iam::{account}:root", narrowed))
check("account trusted for one principal, this one", None, lambda: assume(ann, by_arn, **GIVEN))
check("account trusted for one principal, another", DENIED, lambda: assume(bob, by_arn, **GIVEN))
_, broker_arn = role("broker", trust(ann_arn), allow("sts:AssumeRole"))
_, chained_arn = role("chained", trust(broker_arn, EID))
broker = check("hop 1", None, lambda: assume(ann, broker_arn))
check("hop 2, by the role that is trusted", None, lambda: assume(broker, chained_arn, **GIVEN))
check("hop 2, past the broker", DENIED, lambda: assume(ann, chained_arn, **GIVEN))
iam.update_assume_role_policy(RoleName=f"chained-{TAG}", PolicyDocument=trust(ann_arn, EID))
check("hop 2, once the trust was changed", DENIED, lambda: assume(broker, chained_arn, **GIVEN))
if not skips("chained sessions"):
    check(
        "a chained session above an hour",
        ("ValidationError",),
        lambda: assume(broker, reader_arn, DurationSeconds=7200, **GIVEN),
    )
    check("an external id with a blank", ("ValidationError",), lambda: assume(ann, reader_arn, ExternalId="a b"))

# ---- what a read-only role may do ----
g, s = client("glue", reader), client("s3", reader)
check("read-only: list tables", None, lambda: g.get_tables(DatabaseName=database))
check("read-only: get an object in the prefix", None, lambda: s.get_object(Bucket=bucket, Key="lake/a"))
check("read-only: list the prefix", None, lambda: s.list_objects_v2(Bucket=bucket, Prefix="lake/"))
check("action not granted", DENIED, lambda: g.get_partitions(DatabaseName=database, TableName="orders"))
check(
    "read-only: create a table",
    DENIED,
    lambda: g.create_table(DatabaseName=database, TableInput={**TABLE, "Name": "made"}),
)
check("read-only: delete a database", DENIED, lambda: g.delete_database(Name=database))
check("key outside the prefix", DENIED, lambda: s.get_object(Bucket=bucket, Key="other/a"))
check("key of a sibling of the prefix", DENIED, lambda: s.get_object(Bucket=bucket, Key="lakeside/a"))
check("put into the prefix", DENIED, lambda: s.put_object(Bucket=bucket, Key="lake/b", Body=b""))
check("list the whole bucket", DENIED, lambda: s.list_objects_v2(Bucket=bucket))
check("list a sibling of the prefix", DENIED, lambda: s.list_objects_v2(Bucket=bucket, Prefix="lakeside/"))
check("change IAM", DENIED, lambda: client("iam", reader).create_user(UserName="x"))
only_tables = document(allow("glue:GetTables"))
narrow = check(
    "session policy", None, lambda: assume(ann, reader_arn, Policy=only_tables, **GIVEN)
)
check("session policy: in it", None, lambda: client("glue", narrow).get_tables(DatabaseName=database))
check("session policy: not in it", DENIED, lambda: client("s3", narrow).get_object(Bucket=bucket, Key="lake/a"))

# ---- the evaluator, row by row: policy, call, verdict ----
GET = ("s3", "get_object", {"Bucket": bucket, "Key": "lake/a"})
HOME = ("s3", "get_object", {"Bucket": bucket, "Key": f"home/ann-{TAG}/a"})
LIST = ("s3", "list_objects_v2", {"Bucket": bucket, "Prefix": "lake/"})
TABLES = ("glue", "get_tables", {"DatabaseName": database})
objects = f"arn:aws:s3:::{bucket}/*"
rows = [
    ("no policy", [], GET, False),
    ("wildcard action", [allow("s3:Get*")], GET, True),
    ("action in other case", [allow("S3:getobject")], GET, True),
    ("wildcard within an action", [allow("glue:G?tTable*")], TABLES, True),
    ("deny behind allow", [allow("s3:*"), deny("s3:GetObject")], GET, False),
    ("deny before allow", [deny("s3:GetObject", objects), allow("s3:*")], GET, False),
    ("deny of another object", [allow("s3:*"), deny("s3:*", f"arn:aws:s3:::{bucket}/other/*")], GET, True),
    ("not action", [{"Effect": "Allow", "NotAction": "glue:*", "Resource": "*"}], GET, True),
    ("not action, this one", [{"Effect": "Allow", "NotAction": "s3:Get*", "Resource": "*"}], GET, False),
    ("not resource", [{"Effect": "Allow", "Action": "s3:*", "NotResource": f"{objects[:-1]}other/*"}], GET, True),
    ("not resource, this one", [{"Effect": "Allow", "Action": "s3:*", "NotResource": f"{objects[:-1]}lake/*"}], GET, False),
    ("question mark", [allow("s3:GetObject", f"arn:aws:s3:::{bucket}/l?ke/*")], GET, True),
    ("variable, mine", [allow("s3:GetObject", f"arn:aws:s3:::{bucket}/home/${{aws:username}}/*")], HOME, True),
    ("variable, not mine", [allow("s3:GetObject", f"arn:aws:s3:::{bucket}/${{aws:username}}/*")], HOME, False),
    ("StringEquals", [allow("s3:ListBucket", Condition={"StringEquals": {"s3:prefix": "lake/"}})], LIST, True),
    ("StringEquals, other", [allow("s3:ListBucket", Condition={"StringEquals": {"s3:prefix": "l"}})], LIST, False),
    ("StringNotEquals", [allow("s3:ListBucket", Condition={"StringNotEquals": {"s3:prefix": "x"}})], LIST, True),
    ("StringLike of a list", [allow("s3:ListBucket", Condition={"StringLike": {"s3:prefix": ["a*", "l*/"]}})], LIST, True),
    ("absent key", [allow("s3:GetObject", Condition={"StringEquals": {"s3:prefix": "x"}})], GET, False),
    ("absent key, IfExists", [allow("s3:GetObject", Condition={"StringEqualsIfExists": {"s3:prefix": "x"}})], GET, True),
    ("Null", [allow("s3:GetObject", Condition={"Null": {"s3:prefix": "true"}})], GET, True),
    ("ArnLike", [allow("s3:*", Condition={"ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:user/ann-*"}})], GET, True),
    ("two operators, one fails", [allow("s3:*", Condition={
        "ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:user/ann-*"}, "StringEquals": {"aws:username": "x"}})], GET, False),
    ("table of another database", [allow("glue:GetTables", f"arn:aws:glue:{region}:{account}:table/other/*")], TABLES, False),
]
for what, statements, (service, operation, arguments), allowed in rows:
    if statements:
        iam.put_user_policy(UserName=f"ann-{TAG}", PolicyName="own", PolicyDocument=document(*statements))
    else:
        iam.delete_user_policy(UserName=f"ann-{TAG}", PolicyName="own")
    call = getattr(client(service, ann), operation)
    if skips(f"policy: {what}"):
        continue
    check(f"policy: {what}", None if allowed else DENIED, lambda: call(**arguments))

# ---- IAM's own refusals ----
check("user that exists", ("EntityAlreadyExists",), lambda: iam.create_user(UserName=f"ann-{TAG}"))
check("role that is not there", ("NoSuchEntity", "NoSuchEntityException"), lambda: iam.get_role(RoleName="absent"))
check("role that has a policy", ("DeleteConflict", "DeleteConflictException"), lambda: iam.delete_role(RoleName=reader_name))
check(
    "policy that is no JSON",
    ("MalformedPolicyDocument", "MalformedPolicyDocumentException"),
    lambda: iam.put_role_policy(RoleName=reader_name, PolicyName="x", PolicyDocument="{"),
)
if not skips("condition operator that does not exist"):
    check(
        "condition operator that does not exist",
        ("MalformedPolicyDocument",),
        lambda: iam.put_role_policy(
            RoleName=reader_name,
            PolicyName="x",
            PolicyDocument=document(allow("s3:*", Condition={"StringMatches": {"s3:prefix": "x"}})),
        ),
    )
if not skips("trust in a user that is not there"):
    check(
        "trust in a user that is not there",
        ("MalformedPolicyDocument",),
        lambda: role("nobody", trust(f"arn:aws:iam::{account}:user/nobody")),
    )

# ---- signatures ----
forged = {**ann, "SecretAccessKey": "x" * 40}
unknown = {**ann, "AccessKeyId": "AKIAXXXXXXXXXXXXXXXX"}
calls = {
    "sts": lambda keys: client("sts", keys).get_caller_identity(),
    "iam": lambda keys: client("iam", keys).list_users(),
    "cloudformation": lambda keys: client("cloudformation", keys).describe_stacks(),
    "glue": lambda keys: client("glue", keys).get_databases(),
    "s3": lambda keys: client("s3", keys).list_objects_v2(Bucket=bucket),
}
codes = {
    "sts": ("SignatureDoesNotMatch", "InvalidClientTokenId", "ExpiredToken", "SignatureDoesNotMatch"),
    "iam": ("SignatureDoesNotMatch", "InvalidClientTokenId", "ExpiredToken", "SignatureDoesNotMatch"),
    "cloudformation": ("SignatureDoesNotMatch", "InvalidClientTokenId", "ExpiredToken", "SignatureDoesNotMatch"),
    "glue": ("InvalidSignatureException", "UnrecognizedClientException", "ExpiredTokenException", "InvalidSignatureException"),
    "s3": ("SignatureDoesNotMatch", "InvalidAccessKeyId", "ExpiredToken", "RequestTimeTooSkewed"),
}
session = client("sts").get_session_token()["Credentials"] if FLAVOUR == "glueup" else reader
for service, call in calls.items():
    wrong_secret, no_key = codes[service][:2]
    check(f"{service}: wrong secret", (wrong_secret,), lambda: call(forged))
    check(f"{service}: unknown key", (no_key,), lambda: call(unknown))
    broken = ("InvalidToken",) if service == "s3" else (no_key,)
    check(f"{service}: token of another session", broken, lambda: call({**session, "SessionToken": "x"}))
if not skips("clock skew"):
    with client_clock(20 * 60):
        for service, call in calls.items():
            check(f"{service}: client's clock 20 minutes ahead", (codes[service][3],), lambda: call(None))
if not skips("presigned addresses"):
    address = client("sts").generate_presigned_url("get_caller_identity", HttpMethod="GET")
    equal("presigned address", urllib.request.urlopen(address).status, 200)
    try:
        urllib.request.urlopen(address + "&Tampered=1")
        report("failed", "presigned address, tampered with", "allowed")
    except urllib.error.HTTPError as refused:
        equal("presigned address, tampered with", refused.code, 403)

# ---- sessions end ----
if not skips("sessions end by the clock"):
    knobs(clock_offset_s=13 * 3600)
    with client_clock(13 * 3600):
        for service, call in calls.items():
            check(f"{service}: expired session", (codes[service][2],), lambda: call(session))
    knobs(clock_offset_s=0)
    check("sts: the same session, before its end", None, lambda: calls["sts"](session))

# ---- knobs ----
if not skips("knobs"):
    knobs(iam_delay_s=3600)
    # The administrator has always been there; a user made above would not be seen either.
    _, late = role("late", trust(client("sts").get_caller_identity()["Arn"]))
    check("role that is not seen yet", DENIED, lambda: assume(None, late))
    knobs(iam_delay_s=0)
    check("role that is seen now", None, lambda: assume(None, late))
    knobs(throttle=1)
    for service, code in {"sts": "Throttling", "glue": "ThrottlingException", "s3": "SlowDown"}.items():
        check(f"{service}: too many requests", (code,), lambda: calls[service](None))
    knobs(throttle=0)

# ---- Glue ----
if not skips("pages of 100"):
    for number in range(250):
        glue.create_table(DatabaseName=database, TableInput={**TABLE, "Name": f"t{number:03}"})
    pages, token = [], {}
    while len(pages) < 9:
        page = glue.get_tables(DatabaseName=database, **token)
        pages.append(page["TableList"])
        if "NextToken" not in page:
            break
        token = {"NextToken": page["NextToken"]}
    equal("pages of 100", [len(page) for page in pages], [100, 100, 51])
    equal("each table once", len({table["Name"] for page in pages for table in page}), 251)
    check(
        "token that was never given",
        ("InvalidInputException",),
        lambda: glue.get_tables(DatabaseName=database, NextToken="bm9uZQ=="),
    )
check("table in a database that is not there", ("EntityNotFoundException",),
      lambda: glue.get_table(DatabaseName="absent", Name="orders"))
check("table that exists", ("AlreadyExistsException",),
      lambda: glue.create_table(DatabaseName=database, TableInput=TABLE))
version = glue.get_table(DatabaseName=database, Name="orders")["Table"].get("VersionId")
check(
    "update with the version that is there",
    None,
    lambda: glue.update_table(DatabaseName=database, TableInput=TABLE, VersionId=version),
)
check(
    "update with a version that is gone",
    ("ConcurrentModificationException",),
    lambda: glue.update_table(DatabaseName=database, TableInput=TABLE, VersionId=version),
)

print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
raise SystemExit(1 if counts["failed"] else 0)
