"""IAM's policy simulator, asked by boto3.

    simulate.py --flavour glueup|ministack

The endpoint, its region and an administrator's keys come from the environment. Each row is a policy, a request and the
decision that the IAM User Guide ("Policy evaluation logic") gives it. What an emulator is known not to do is skipped by
name, so that the same answers are asked of both. Prints a line a check, then the counts; ends with 1 if a check failed.
"""

import argparse
import json
import uuid

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

parser = argparse.ArgumentParser()
parser.add_argument("--flavour", choices=["glueup", "ministack"], default="glueup")
FLAVOUR = parser.parse_args().flavour
TAG = uuid.uuid4().hex[:8]
CONFIG = Config(retries={"total_max_attempts": 1}, parameter_validation=False)
counts = {"passed": 0, "failed": 0, "skipped": 0}
NOT_ON_MINISTACK = {
    "condition met": "it takes no context",
    "actions times resources": "it answers for the first resource, and finds no role with a path",
    "given along": "it looks at no policy beside the principal's own",
    "pages": "it does not page",
    "missing keys": "it names none",
    "refusals": "it takes any source",
    "who may ask": "it asks nobody's policies",
    "boundary": "it looks at none",
}


def report(outcome, what, detail=""):
    counts[outcome] += 1
    word = {"passed": "ok", "failed": "FAILED", "skipped": "skipped"}[outcome]
    print(f"{word}: {what}{': ' + detail if detail else ''}", flush=True)


def skips(area):
    if FLAVOUR == "ministack" and area in NOT_ON_MINISTACK:
        report("skipped", area, NOT_ON_MINISTACK[area])
        return True
    return False


def equal(what, got, wanted):
    report("passed" if got == wanted else "failed", what, f"{got}" if got == wanted else f"{got}, not {wanted}")


def refused(what, code, call):
    try:
        call()
        equal(what, "allowed", code)
    except ClientError as error:
        equal(what, error.response["Error"]["Code"], code)


def document(*statements):
    return json.dumps({"Version": "2012-10-17", "Statement": list(statements)})


def allow(action, resource="*", **more):
    return {"Effect": "Allow", "Action": action, "Resource": resource, **more}


def deny(action, resource="*", **more):
    return {**allow(action, resource, **more), "Effect": "Deny"}


iam = boto3.client("iam", config=CONFIG)
account = boto3.client("sts", config=CONFIG).get_caller_identity()["Account"]
TRUST = json.dumps({"Version": "2012-10-17", "Statement": [
    {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{account}:root"}, "Action": "sts:AssumeRole"}]})
BUCKET, OBJECT, BESIDE = "arn:aws:s3:::lake", "arn:aws:s3:::lake/wh/x", "arn:aws:s3:::lake/wh_old/x"
PREFIX = {"StringLike": {"s3:prefix": ["wh/", "wh/*"]}}


def role(name, *statements, boundary=None, path="/"):
    more = {"PermissionsBoundary": boundary} if boundary else {}
    name = f"{name}-{TAG}"
    arn = iam.create_role(RoleName=name, Path=path, AssumeRolePolicyDocument=TRUST, **more)["Role"]["Arn"]
    if statements:
        iam.put_role_policy(RoleName=name, PolicyName="own", PolicyDocument=document(*statements))
    return arn


def keys(**given):
    return [
        {"ContextKeyName": name.replace("_", ":"), "ContextKeyValues": [value], "ContextKeyType": "string"}
        for name, value in given.items()
    ]


def simulate(source, actions, resources, **more):
    answer = iam.simulate_principal_policy(
        PolicySourceArn=source, ActionNames=actions, ResourceArns=resources, **more
    )
    return answer["EvaluationResults"]


def decision(source, action, resource, **more):
    return simulate(source, [action], [resource], **more)[0]["EvalDecision"]


# ---- one row a rule ----
list_below = allow("s3:ListBucket", BUCKET, Condition=PREFIX)
rows = [
    ("nothing allows", [], "s3:GetObject", OBJECT, {}, "implicitDeny"),
    ("allowed", [allow("s3:GetObject", f"{BUCKET}/wh/*")], "s3:GetObject", OBJECT, {}, "allowed"),
    ("beside what is allowed", [allow("s3:GetObject", f"{BUCKET}/wh/*")], "s3:GetObject", BESIDE, {}, "implicitDeny"),
    ("prefix without its slash", [allow("s3:GetObject", f"{BUCKET}/wh*")], "s3:GetObject", BESIDE, {}, "allowed"),
    ("a deny wins", [allow("s3:*"), deny("s3:Put*")], "s3:PutObject", OBJECT, {}, "explicitDeny"),
    ("another action", [allow("s3:Get*")], "s3:PutObject", OBJECT, {}, "implicitDeny"),
    ("condition met", [list_below], "s3:ListBucket", BUCKET, keys(s3_prefix="wh/"), "allowed"),
    ("condition not met", [list_below], "s3:ListBucket", BUCKET, keys(s3_prefix="wh"), "implicitDeny"),
    ("condition without its key", [list_below], "s3:ListBucket", BUCKET, {}, "implicitDeny"),
    ("not resource", [{"Effect": "Allow", "Action": "s3:*", "NotResource": f"{BUCKET}/wh/*"}],
     "s3:GetObject", OBJECT, {}, "implicitDeny"),
    ("glue's table", [allow("glue:*", f"arn:aws:glue:*:{account}:table/a/*")],
     "glue:GetTable", f"arn:aws:glue:us-west-2:{account}:table/a/t", {}, "allowed"),
    ("glue's catalog beside it", [allow("glue:*", f"arn:aws:glue:*:{account}:table/a/*")],
     "glue:GetTable", f"arn:aws:glue:us-west-2:{account}:catalog", {}, "implicitDeny"),
]
for at, (what, statements, action, resource, given, wanted) in enumerate(rows):
    if skips(what):
        continue
    source = role(f"row-{at}", *statements)
    more = {"ContextEntries": given} if given else {}
    equal(what, decision(source, action, resource, **more), wanted)
    if statements:
        answer = iam.simulate_custom_policy(
            PolicyInputList=[document(*statements)], ActionNames=[action], ResourceArns=[resource], **more
        )
        equal(f"{what}, as a custom policy", answer["EvaluationResults"][0]["EvalDecision"], wanted)

# ---- many actions on many resources, each for itself ----
reader = role("reader", allow("s3:GetObject", f"{BUCKET}/wh/*"), list_below, path="/engines/")
if not skips("actions times resources"):
    results = simulate(reader, ["s3:GetObject", "s3:PutObject"], [OBJECT, BESIDE])
    equal(
        "actions times resources",
        [(r["EvalActionName"], r["EvalResourceName"], r["EvalDecision"]) for r in results],
        [
            ("s3:GetObject", OBJECT, "allowed"),
            ("s3:GetObject", BESIDE, "implicitDeny"),
            ("s3:PutObject", OBJECT, "implicitDeny"),
            ("s3:PutObject", BESIDE, "implicitDeny"),
        ],
    )
policy = iam.create_policy(PolicyName=f"wide-{TAG}", PolicyDocument=document(allow("s3:PutObject")))["Policy"]["Arn"]
attached = role("attached", allow("s3:GetObject"))
equal("before a policy is attached", decision(attached, "s3:PutObject", BESIDE), "implicitDeny")
iam.attach_role_policy(RoleName=f"attached-{TAG}", PolicyArn=policy)
equal("an attached policy counts", decision(attached, "s3:PutObject", BESIDE), "allowed")
if not skips("given along"):
    along = [document(allow("s3:Delete*"))]
    equal("given along", decision(reader, "s3:DeleteObject", OBJECT, PolicyInputList=along), "allowed")

# ---- the permissions boundary ----
if not skips("boundary"):
    bound = iam.create_policy(PolicyName=f"bound-{TAG}", PolicyDocument=document(allow("s3:Get*")))["Policy"]["Arn"]
    bounded = role("bounded", allow("s3:*"), boundary=bound)
    result = simulate(bounded, ["s3:GetObject", "s3:PutObject"], [OBJECT])
    equal("boundary", [r["EvalDecision"] for r in result], ["allowed", "implicitDeny"])
    equal(
        "boundary, told apart",
        [r["PermissionsBoundaryDecisionDetail"]["AllowedByPermissionsBoundary"] for r in result],
        [True, False],
    )
    replaced = decision(
        bounded, "s3:PutObject", OBJECT, PermissionsBoundaryPolicyInputList=[document(allow("s3:Put*"))]
    )
    equal("another boundary, given along", replaced, "allowed")

# ---- what a decision lacks, and what decided ----
if not skips("missing keys"):
    equal(
        "missing keys, with a resource",
        simulate(reader, ["s3:ListBucket"], [BUCKET])[0]["ResourceSpecificResults"][0]["MissingContextValues"],
        ["s3:prefix"],
    )
    below = simulate(reader, ["s3:ListBucket"], [BUCKET], ContextEntries=keys(s3_prefix="wh/"))[0]
    equal("no key missing", below["ResourceSpecificResults"][0]["MissingContextValues"], [])
    equal("what decided", [(m["SourcePolicyId"], m["SourcePolicyType"]) for m in below["MatchedStatements"]],
          [(f"role_reader-{TAG}_own", "IAM Policy")])

# ---- pages ----
if not skips("pages"):
    actions = [f"s3:Get{n:03}" for n in range(25)]
    found, marker, pages = [], {}, 0
    while True:
        answer = iam.simulate_principal_policy(
            PolicySourceArn=reader, ActionNames=actions, ResourceArns=[OBJECT, BESIDE], MaxItems=20, **marker
        )
        found += [r["EvalActionName"] for r in answer["EvaluationResults"]]
        pages += 1
        if not answer["IsTruncated"]:
            break
        marker = {"Marker": answer["Marker"]}
    equal("pages", (pages, found), (3, [a for a in actions for _ in range(2)]))

# ---- refusals, and who may ask ----
if not skips("refusals"):
    session = f"arn:aws:sts::{account}:assumed-role/reader-{TAG}/x"
    refused("a session has no policies", "InvalidInput", lambda: decision(session, "s3:GetObject", OBJECT))
    refused("a role that is not there", "NoSuchEntity", lambda: decision(f"{reader}x", "s3:GetObject", OBJECT))
    refused("no action", "ValidationError", lambda: simulate(reader, [], [OBJECT]))
    refused("a broken policy", "InvalidInput",
            lambda: decision(reader, "s3:GetObject", OBJECT, PolicyInputList=["{"]))
if not skips("who may ask"):
    iam.create_user(UserName=f"ann-{TAG}")
    ann = iam.create_access_key(UserName=f"ann-{TAG}")["AccessKey"]
    hers = boto3.client(
        "iam",
        config=CONFIG,
        aws_access_key_id=ann["AccessKeyId"],
        aws_secret_access_key=ann["SecretAccessKey"],
    )
    ask = lambda: hers.simulate_principal_policy(PolicySourceArn=reader, ActionNames=["s3:GetObject"])
    refused("who may not ask", "AccessDenied", ask)
    iam.put_user_policy(UserName=f"ann-{TAG}", PolicyName="own",
                        PolicyDocument=document(allow("iam:SimulatePrincipalPolicy", reader)))
    equal("who may ask", ask()["EvaluationResults"][0]["EvalDecision"], "implicitDeny")

print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
raise SystemExit(1 if counts["failed"] else 0)
