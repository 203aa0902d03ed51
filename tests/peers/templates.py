"""The shipped templates on an AWS that evaluates policies, by boto3 alone: what they grant, and what they must not.

    templates.py FOLDER

The endpoint, its region and an administrator's keys come from the environment. Prints a line a check; ends with 1 if
one is not as it should be.
"""

import json
import os
import sys
import time
import uuid

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

FOLDER = sys.argv[1]
TAG = uuid.uuid4().hex[:8]
CONFIG = Config(retries={"total_max_attempts": 2}, s3={"addressing_style": "path"})
wrong = []


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
    print(f"{'ok' if fine else 'WRONG'}: {what}: {got or 'allowed'}")
    if not fine:
        wrong.append(f"{what}: {got or 'allowed'}, should be {expected or 'allowed'}")
    return answer


DENIED = ("AccessDenied", "AccessDeniedException")


def body(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def create(name, template, parameters, capabilities=("CAPABILITY_IAM",)):
    return client("cloudformation").create_stack(
        StackName=name,
        TemplateBody=body(template),
        Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in parameters.items()],
        Capabilities=list(capabilities),
    )


def settled(name):
    """Waits for the stack; its outputs."""
    for _ in range(300):
        stack = client("cloudformation").describe_stacks(StackName=name)["Stacks"][0]
        if not stack["StackStatus"].endswith("_IN_PROGRESS"):
            break
        time.sleep(0.1)
    print(f"{name}: {stack['StackStatus']}")
    if stack["StackStatus"] != "CREATE_COMPLETE":
        wrong.append(f"{name}: {stack['StackStatus']} {stack.get('StackStatusReason')}")
    return {o["OutputKey"]: o["OutputValue"] for o in stack.get("Outputs", [])}


def patiently(call):
    """AWS needs a moment until a new principal is known everywhere."""
    for left in range(20, 0, -1):
        try:
            return call()
        except ClientError:
            if left == 1:
                raise
            time.sleep(0.2)


account = client("sts").get_caller_identity()["Account"]
region = client("glue").meta.region_name
bucket, database = f"peer-{TAG}", f"peer_{TAG}"

# a lake: one table inside the prefix; objects inside, outside, and beside it
s3, glue, iam = client("s3"), client("glue"), client("iam")
s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": region})
for key in ("lake/orders/data.parquet", "lakeside/secret", "other/secret"):
    s3.put_object(Bucket=bucket, Key=key, Body=b"PAR1")
glue.create_database(DatabaseInput={"Name": database})
table = {
    "Name": "orders",
    "TableType": "EXTERNAL_TABLE",
    "StorageDescriptor": {"Columns": [{"Name": "id", "Type": "bigint"}], "Location": f"s3://{bucket}/lake/orders/"},
}
glue.create_table(DatabaseName=database, TableInput=table)

# who connects: a user, who may assume the broker role, which may assume the connection's role
user = f"peer-{TAG}"
iam.create_user(UserName=user)
may_assume = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Resource": "*"}],
}
iam.put_user_policy(UserName=user, PolicyName="assume", PolicyDocument=json.dumps(may_assume))
user_arn = iam.get_user(UserName=user)["User"]["Arn"]
user_keys = iam.create_access_key(UserName=user)["AccessKey"]
trust = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"AWS": user_arn}, "Action": "sts:AssumeRole"}],
}
broker = iam.create_role(RoleName=f"broker-{TAG}", AssumeRolePolicyDocument=json.dumps(trust))["Role"]["Arn"]
iam.put_role_policy(RoleName=f"broker-{TAG}", PolicyName="assume", PolicyDocument=json.dumps(may_assume))

external_id = f"id-{TAG}"
connection = {"AccountId": account, "ExternalId": external_id, "TrustedPrincipals": broker}
name = f"peer-connection-{TAG}"
check(
    "a role without the IAM acknowledgement",
    ("InsufficientCapabilitiesException", "InsufficientCapabilities"),
    lambda: create(name, "connection.yaml", connection, capabilities=()),
)
other = "999999999999" if account != "999999999999" else "888888888888"
check(
    "a stack in an account it does not belong in",
    ("ValidationError",),
    lambda: create(name + "-x", "connection.yaml", {**connection, "AccountId": other}),
)
check(
    "an external id of one character",
    ("ValidationError",),
    lambda: create(name + "-y", "connection.yaml", {**connection, "ExternalId": "x"}),
)
create(name, "connection.yaml", connection)
role = settled(name)


def assume(keys, arn, **more):
    return client("sts", keys).assume_role(RoleArn=arn, RoleSessionName="peer", **more)["Credentials"]


at_broker = patiently(lambda: assume(user_keys, broker))
arn = role["RoleArn"]
check("hop 2 without the external id", DENIED, lambda: assume(at_broker, arn))
check("hop 2 with a wrong external id", DENIED, lambda: assume(at_broker, arn, ExternalId=external_id + "x"))
check("hop 2 by someone not trusted", DENIED, lambda: assume(user_keys, arn, ExternalId=external_id))
session = check("hop 2 with the external id", None, lambda: assume(at_broker, arn, ExternalId=external_id))

reads = {
    "list databases": lambda: client("glue", session).get_databases(),
    "read a table": lambda: client("glue", session).get_table(DatabaseName=database, Name="orders"),
    "list below the prefix": lambda: client("s3", session).list_objects_v2(Bucket=bucket, Prefix="lake/orders/"),
    "get an object": lambda: client("s3", session).get_object(Bucket=bucket, Key="lake/orders/data.parquet"),
}
outside = {
    "list the whole bucket": lambda: client("s3", session).list_objects_v2(Bucket=bucket),
    "list a sibling of the prefix": lambda: client("s3", session).list_objects_v2(Bucket=bucket, Prefix="lakeside/"),
    "get an object of a sibling": lambda: client("s3", session).get_object(Bucket=bucket, Key="lakeside/secret"),
    "get an object elsewhere": lambda: client("s3", session).get_object(Bucket=bucket, Key="other/secret"),
    "put an object elsewhere": lambda: client("s3", session).put_object(Bucket=bucket, Key="other/new", Body=b""),
    "create a role": lambda: client("iam", session).create_role(RoleName=f"x-{TAG}", AssumeRolePolicyDocument="{}"),
}
writes = {
    "put an object": lambda: client("s3", session).put_object(Bucket=bucket, Key="lake/new", Body=b""),
    "create a table": lambda: client("glue", session).create_table(
        DatabaseName=database, TableInput={**table, "Name": "made"}
    ),
    "change a table": lambda: client("glue", session).update_table(DatabaseName=database, TableInput=table),
    "delete an object": lambda: client("s3", session).delete_object(Bucket=bucket, Key="lake/new"),
}


def ladder(label, allowed, refused):
    for what, call in allowed.items():
        check(f"{label}: {what}", None, call)
    for what, call in refused.items():
        check(f"{label}: {what}", DENIED, call)


ladder("no catalog yet", {}, {**reads, **outside, **writes})

access = {"AccountId": account, "RoleName": role["RoleName"], "BucketName": bucket, "Prefix": "lake/"}
create(f"peer-glue-readonly-{TAG}", "glue-readonly.yaml", access)
settled(f"peer-glue-readonly-{TAG}")
patiently(reads["list databases"])
ladder("read-only", reads, {**outside, **writes})

create(f"peer-glue-readwrite-{TAG}", "glue-readwrite.yaml", access)
settled(f"peer-glue-readwrite-{TAG}")
patiently(writes["put an object"])
ladder("read-write", {**reads, **writes}, outside)


def gone(*stacks):
    """Deletes stacks, and waits until what they granted is gone."""
    for stack in stacks:
        client("cloudformation").delete_stack(StackName=stack)
    for _ in range(100):
        left = client("iam").list_role_policies(RoleName=role["RoleName"])["PolicyNames"]
        if not left:
            break
        time.sleep(0.1)
    if left:
        wrong.append(f"deleted stacks leave policies on the role: {left}")


gone(f"peer-glue-readwrite-{TAG}", f"peer-glue-readonly-{TAG}")
ladder("stacks deleted", {}, {**reads, **writes})

# a bucket's prefix alone: of Glue nothing is granted
catalog = ("list databases", "read a table", "create a table", "change a table")
files_read = {what: call for what, call in reads.items() if what not in catalog}
files_written = {what: call for what, call in writes.items() if what not in catalog}
of_glue = {what: call for what, call in {**reads, **writes}.items() if what in catalog}
create(f"peer-storage-readonly-{TAG}", "storage-readonly.yaml", access)
settled(f"peer-storage-readonly-{TAG}")
patiently(reads["get an object"])
ladder("storage, read-only", files_read, {**outside, **of_glue, **files_written})
gone(f"peer-storage-readonly-{TAG}")

create(f"peer-storage-readwrite-{TAG}", "storage-readwrite.yaml", access)
settled(f"peer-storage-readwrite-{TAG}")
patiently(writes["put an object"])
ladder("storage, read-write", {**files_read, **files_written}, {**outside, **of_glue})
gone(f"peer-storage-readwrite-{TAG}")

print("\n".join(["", *wrong]) if wrong else "\nall as it should be")
sys.exit(1 if wrong else 0)
