"""The lake of the embedded AWS, read and written by PyIceberg: every real table has the rows it was made with.

The endpoint, its region and an administrator's keys come from the environment. Prints a line a check that failed, then
the counts; ends with 1 if a check failed.
"""

import json
import os
import urllib.error
import urllib.request

import boto3
import pyarrow as pa
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from pyiceberg.catalog import load_catalog

ENDPOINT, REGION = os.environ["AWS_ENDPOINT_URL"], os.environ["AWS_REGION"]
counts = {"passed": 0, "failed": 0}
catalog = load_catalog("lake", **{
    "type": "glue", "glue.endpoint": ENDPOINT, "glue.region": REGION, "s3.endpoint": ENDPOINT, "s3.region": REGION,
    "s3.access-key-id": os.environ["AWS_ACCESS_KEY_ID"], "s3.secret-access-key": os.environ["AWS_SECRET_ACCESS_KEY"],
    "py-io-impl": "pyiceberg.io.pyarrow.PyArrowFileIO",
})

# Table: format version, snapshots, rows after deletes.
TABLES = {
    ("sales", "orders"): (2, 4, 1000), ("sales", "customers"): (2, 2, 90), ("sales", "payments"): (2, 1, 120),
    ("sales", "payments_lower"): (2, 1, 120), ("sales", "returns"): (2, 2, 54), ("sales", "order_items"): (2, 2, 60),
    ("sales", "orders_2023"): (2, 1, 30), ("sales", "forecast"): (2, 0, 0), ("weather", "observations"): (2, 3, 600),
    ("weather", "stations"): (2, 1, 8), ("weather", "alerts"): (3, 2, 76), ("a-b", "metrics"): (2, 1, 2),
    ("日本", "売上"): (2, 1, 12), ("2024_raw", "events"): (2, 1, 40), ("no", "on"): (2, 1, 3),
}


def check(what, got, wanted):
    outcome = "passed" if got == wanted else "failed"
    counts[outcome] += 1
    if outcome == "failed":
        print(f"FAILED: {what}: {got!r}, not {wanted!r}", flush=True)


for name, wanted in TABLES.items():
    try:
        table = catalog.load_table(name)
        got = (table.format_version, len(table.snapshots()), table.scan().to_arrow().num_rows)
    except Exception as error:  # one table that cannot be read must not hide the others
        got = f"{type(error).__name__}: {error}"
    check(".".join(name), got, wanted)
german = catalog.load_table(("sales", "orders")).scan(row_filter="country = 'de'").to_arrow()
check("a filter on a partition", german.num_rows, 334)



def rest(path):
    """Status and body of the Iceberg REST endpoint, signed for the host that engines derive the service from."""
    host = f"glue.{REGION}.localhost:{ENDPOINT.rsplit(':', 1)[1]}"
    request = AWSRequest("GET", f"http://{host}/iceberg/v1/{path}")
    SigV4Auth(boto3.Session().get_credentials(), "glue", REGION).add_auth(request)
    headers = {**request.headers, "Host": host}
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{ENDPOINT}/iceberg/v1/{path}", headers=headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


status, config = rest("config?warehouse=012345678901")
check("REST: the prefix", (status, config["overrides"]["prefix"]), (200, "catalogs/012345678901"))
prefix = config["overrides"]["prefix"]
status, found = rest(f"{prefix}/namespaces")
check("REST: namespaces", (status, ["sales"] in found["namespaces"], ["日本"] in found["namespaces"]), (200, True, True))
status, found = rest(f"{prefix}/namespaces/a-b/tables")
check("REST: Iceberg tables only", found["identifiers"], [{"namespace": ["a-b"], "name": "metrics"}])
status, found = rest(f"{prefix}/namespaces/sales/tables/orders")
check("REST: a table's metadata", found["metadata"]["location"], "s3://acme-lake/warehouse/sales/orders")
check("REST: no such namespace", rest(f"{prefix}/namespaces/nowhere")[0], 404)
check("REST: another account", rest("config?warehouse=111122223333")[0], 403)

made = catalog.create_table(
    ("sales", "made_here"), schema=pa.schema([("a", pa.int64())]), location="s3://acme-lake/warehouse/sales/made_here"
)
made.append(pa.table({"a": [1, 2]}))
stale = catalog.load_table(("sales", "made_here"))
made.append(pa.table({"a": [3]}))
check("rows appended", catalog.load_table(("sales", "made_here")).scan().to_arrow().num_rows, 3)
try:
    stale.append(pa.table({"a": [4]}))
    check("an append to an old state is tried again or refused", stale.scan().to_arrow().num_rows, 4)
except Exception as error:
    check("an append to an old state", type(error).__name__, "CommitFailedException")
catalog.drop_table(("sales", "made_here"))
print(f"{counts['passed']} passed, {counts['failed']} failed", flush=True)
raise SystemExit(1 if counts["failed"] else 0)
