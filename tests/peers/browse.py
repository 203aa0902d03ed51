"""Tables made by boto3 and PyIceberg in the database `peer`, and what those tools themselves report of them.

The endpoint, its region and keys come from the environment. Prints one JSON object: the tables as GetTables lists them,
the Iceberg tables as PyIceberg loads them, and the partitions of the Hive table.
"""

import json
import os

import boto3
import pyarrow as pa
from pyiceberg.catalog import load_catalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, TruncateTransform
from pyiceberg.types import (
    BinaryType, BooleanType, DateType, DecimalType, DoubleType, FixedType, FloatType, IntegerType, ListType, LongType,
    MapType, NestedField, StringType, StructType, TimestamptzType, TimestampType, TimeType, UUIDType,
)

ENDPOINT, REGION = os.environ["AWS_ENDPOINT_URL"], os.environ["AWS_REGION"]
DATABASE, BUCKET = "peer", "acme-lake"
PLACE = f"s3://{BUCKET}/warehouse/peer"
glue = boto3.client("glue")
s3 = boto3.client("s3")
if BUCKET not in [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]:
    s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
catalog = load_catalog("peer", **{
    "type": "glue", "glue.endpoint": ENDPOINT, "glue.region": REGION, "s3.endpoint": ENDPOINT, "s3.region": REGION,
    "s3.access-key-id": os.environ["AWS_ACCESS_KEY_ID"], "s3.secret-access-key": os.environ["AWS_SECRET_ACCESS_KEY"],
    "py-io-impl": "pyiceberg.io.pyarrow.PyArrowFileIO",
})
catalog.create_namespace(DATABASE)

every = Schema(
    NestedField(1, "id", LongType(), required=True, doc="the key"),
    NestedField(2, "flag", BooleanType()), NestedField(3, "n", IntegerType()), NestedField(4, "f", FloatType()),
    NestedField(5, "d", DoubleType()), NestedField(6, "price", DecimalType(10, 2)), NestedField(7, "day", DateType()),
    NestedField(8, "t", TimeType()), NestedField(9, "ts", TimestampType()), NestedField(10, "tz", TimestamptzType()),
    NestedField(11, "s", StringType()), NestedField(12, "u", UUIDType()), NestedField(13, "x", FixedType(16)),
    NestedField(14, "b", BinaryType()),
    NestedField(15, "tags", ListType(element_id=16, element_type=StringType(), element_required=False)),
    NestedField(17, "attrs", MapType(key_id=18, key_type=StringType(), value_id=19, value_type=LongType(), value_required=True)),
    NestedField(20, "place", StructType(
        NestedField(21, "lat", DoubleType(), required=True),
        NestedField(22, "names", ListType(element_id=23, element_type=StructType(
            NestedField(24, "lang", StringType(), doc="ISO 639")), element_required=True)))),
    identifier_field_ids=[1],
)
spec = PartitionSpec(
    PartitionField(source_id=10, field_id=1000, transform=DayTransform(), name="tz_day"),
    PartitionField(source_id=1, field_id=1001, transform=BucketTransform(16), name="id_bucket"),
    PartitionField(source_id=11, field_id=1002, transform=TruncateTransform(4), name="s_trunc"),
    PartitionField(source_id=7, field_id=1003, transform=IdentityTransform(), name="day"),
)
catalog.create_table((DATABASE, "every"), every, location=f"{PLACE}/every", partition_spec=spec)

facts = catalog.create_table((DATABASE, "facts"), Schema(
    NestedField(1, "id", LongType()), NestedField(2, "old", StringType()), NestedField(3, "note", StringType())),
    location=f"{PLACE}/facts")
rows = pa.table({"id": pa.array([1, 2], pa.int64()), "old": ["a", "b"], "note": ["c", "d"]})
facts.append(rows)
facts.append(rows)
with facts.update_schema() as update:
    update.delete_column("old")
    update.rename_column("note", "remark")
    update.add_column("added", DoubleType(), doc="came later")

columns = [
    {"Name": "id", "Type": "bigint", "Comment": "key"},
    {"Name": "deep", "Type": "array<struct<a:int,b:map<string,decimal(10,2)>>>"},
]
glue.create_table(DatabaseName=DATABASE, TableInput={
    "Name": "hits", "TableType": "EXTERNAL_TABLE", "Parameters": {"classification": "parquet"},
    "PartitionKeys": [{"Name": "year", "Type": "int"}, {"Name": "country", "Type": "string"}],
    "StorageDescriptor": {"Columns": columns, "Location": f"{PLACE}/hits",
                          "InputFormat": "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
                          "SerdeInfo": {"SerializationLibrary": "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe"}}})
errors = glue.batch_create_partition(DatabaseName=DATABASE, TableName="hits", PartitionInputList=[
    {"Values": [year, country], "StorageDescriptor": {"Columns": columns, "Location": f"{PLACE}/hits/{year}/{country}"}}
    for year in ("2023", "2024") for country in ("de", "fr")]).get("Errors")
assert not errors, errors


def fields(struct, path=""):
    for field in struct.fields:
        yield from one(path + field.name, field.field_id, field.required, field.field_type, field.doc)


def one(path, field_id, required, kind, doc=None):
    word = {"struct": "struct", "list": "list", "map": "map"}.get(str(kind).split("<")[0], str(kind).replace(" ", ""))
    yield [path, word, field_id, required, doc]
    if isinstance(kind, StructType):
        yield from fields(kind, path + ".")
    elif isinstance(kind, ListType):
        yield from one(path + ".element", kind.element_id, kind.element_required, kind.element_type)
    elif isinstance(kind, MapType):
        yield from one(path + ".key", kind.key_id, True, kind.key_type)
        yield from one(path + ".value", kind.value_id, kind.value_required, kind.value_type)


def loaded(name):
    table = catalog.load_table((DATABASE, name))
    names = {field.field_id: field.name for field in table.schema().fields}
    snapshot = table.current_snapshot()
    return {
        "format_version": table.format_version,
        "snapshot": str(snapshot.snapshot_id) if snapshot else None,
        "columns": list(fields(table.schema().as_struct())),
        "partition": [[names[field.source_id], str(field.transform), field.name] for field in table.spec().fields],
        "location": table.location(),
    }


listed = [table["Name"] for page in glue.get_paginator("get_tables").paginate(DatabaseName=DATABASE)
          for table in page["TableList"]]
chosen = glue.get_partitions(DatabaseName=DATABASE, TableName="hits", Expression="year = 2024 AND country = 'de'")
print(json.dumps({
    "tables": listed,
    "iceberg": {name: loaded(name) for name in ("every", "facts")},
    "hits": sorted(partition["Values"] for page in glue.get_paginator("get_partitions").paginate(
        DatabaseName=DATABASE, TableName="hits") for partition in page["Partitions"]),
    "chosen": [partition["Values"] for partition in chosen["Partitions"]],
}))
