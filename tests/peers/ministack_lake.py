"""On ministack, as its root: a bucket with a table's files, a Glue database with the table, and two users: one who may
deploy, one who may only assume roles.

    ministack_lake.py ENDPOINT

Prints their ARNs and keys as JSON. Root itself would prove nothing: it is asked for no policy.
"""

import json
import os
import sys

import boto3

ENDPOINT = sys.argv[1]
BUCKET, PREFIX = "peer-lake", "warehouse"


def client(service):
    return boto3.client(service, endpoint_url=ENDPOINT, region_name=os.environ["AWS_DEFAULT_REGION"])


s3 = client("s3")
s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": "us-west-2"})
s3.put_object(Bucket=BUCKET, Key=f"{PREFIX}/sales/orders/part-0.csv", Body=b"1,2026-01-01\n")

glue = client("glue")
glue.create_database(DatabaseInput={"Name": "sales", "Description": "Orders"})
glue.create_table(
    DatabaseName="sales",
    TableInput={
        "Name": "orders",
        "TableType": "EXTERNAL_TABLE",
        "StorageDescriptor": {
            "Columns": [{"Name": "id", "Type": "bigint"}, {"Name": "day", "Type": "date"}],
            "Location": f"s3://{BUCKET}/{PREFIX}/sales/orders",
            "InputFormat": "org.apache.hadoop.mapred.TextInputFormat",
            "OutputFormat": "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat",
            "SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.serde2.OpenCSVSerde"},
        },
    },
)

iam = client("iam")


def user(name, action):
    arn = iam.create_user(UserName=name)["User"]["Arn"]
    policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": action, "Resource": "*"}]}
    iam.put_user_policy(UserName=name, PolicyName="own", PolicyDocument=json.dumps(policy))
    key = iam.create_access_key(UserName=name)["AccessKey"]
    return {
        "arn": arn,
        "access_key_id": key["AccessKeyId"],
        "secret_access_key": key["SecretAccessKey"],
    }


print(json.dumps({"deployer": user("deployer", "*"), "engine": user("engine", "sts:AssumeRole")}))
