"""On ministack, as its root: changes what a role may do, or tells all that a Verify could have changed.

    ministack_break.py ENDPOINT role ROLE POLICY TRUST-JSON PERMISSIONS-JSON
    ministack_break.py ENDPOINT inventory

POLICY is the name of the role's inline policy. The inventory is one JSON document.
"""

import json
import os
import sys

import boto3

endpoint, what, *rest = sys.argv[1:]


def client(service):
    return boto3.client(service, endpoint_url=endpoint, region_name=os.environ["AWS_DEFAULT_REGION"])


if what == "role":
    role, policy, trust, permissions = rest
    iam = client("iam")
    iam.update_assume_role_policy(RoleName=role, PolicyDocument=trust)
    iam.put_role_policy(RoleName=role, PolicyName=policy, PolicyDocument=permissions)
else:
    s3, glue = client("s3"), client("glue")
    buckets = {}
    for bucket in s3.list_buckets()["Buckets"]:
        name = bucket["Name"]
        listed = s3.list_objects_v2(Bucket=name).get("Contents", [])
        buckets[name] = {
            "objects": [[o["Key"], o["Size"], o["ETag"]] for o in listed],
            "uploads": [[u["Key"], u["UploadId"]] for u in s3.list_multipart_uploads(Bucket=name).get("Uploads", [])],
        }
    databases = {}
    for database in glue.get_databases()["DatabaseList"]:
        name = database["Name"]
        databases[name] = [database, glue.get_tables(DatabaseName=name)["TableList"]]
    print(json.dumps({"buckets": buckets, "databases": databases}, sort_keys=True, default=str))
