#!/usr/bin/env python3
"""Makes the files of the demo lake with real engines: PyIceberg, Spark (Iceberg, Delta, Hudi) and pyarrow.

Writes, beside itself,
  objects.tar   every object of the seeded buckets, `BUCKET/KEY` (read it with `tar -tvf objects.tar`);
  engines.json  the Glue tables exactly as the engines registered them.
What no engine has to write (views, links, broken entries, odd names) is declared in `lake/*.json`, by hand.

The engines talk to a moto_server on loopback, so locations are the ones that the demo serves: s3://acme-lake/...
Uuids, snapshot ids and commit times come from the engines and differ from run to run; the rows do not.

Requirements (Python 3.11, Java 17):
  pip install 'pyiceberg[glue,pyarrow,pyiceberg-core]==0.12.0' 'moto[server]==5.2.5' pyspark==3.5.9 setuptools
  for a in org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.12.0 org.apache.iceberg:iceberg-aws-bundle:1.12.0 \\
           io.delta:delta-spark_2.12:3.3.2 io.delta:delta-storage:3.3.2 org.apache.hudi:hudi-spark3.5-bundle_2.12:1.0.2
  do mvn -B dependency:get -Dtransitive=false -Dartifact=$a; done

usage: make.py            (about two minutes)
"""
import datetime as dt
import decimal
import gzip
import io
import json
import os
import pathlib
import socket
import subprocess
import sys
import tarfile
import tempfile
import time

import boto3
import pyarrow as pa
import pyarrow.csv
import pyarrow.orc
import pyarrow.parquet

HERE = pathlib.Path(__file__).resolve().parent
REGION = "us-west-2"
BUCKETS = ["acme-lake", "acme-partner"]
WAREHOUSE = "s3://acme-lake/warehouse"
UTC = dt.timezone.utc
DATABASES = ["sales", "weather", "a-b", "日本", "2024_raw", "no"]


def start_moto():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    server = subprocess.Popen(
        [pathlib.Path(sys.executable).parent / "moto_server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return server, f"http://127.0.0.1:{port}"
        time.sleep(0.1)
    raise SystemExit("moto_server did not start")


def aws(service, endpoint):
    return boto3.client(service, endpoint_url=endpoint, region_name=REGION)


# --- PyIceberg -----------------------------------------------------------------------------------------------------

def with_pyiceberg(endpoint):
    from pyiceberg.catalog import load_catalog
    from pyiceberg.partitioning import PartitionField, PartitionSpec
    from pyiceberg.schema import Schema
    from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform, MonthTransform
    from pyiceberg.types import (BooleanType, DateType, DecimalType, DoubleType, FloatType, IntegerType, ListType,
                                 LongType, MapType, NestedField, StringType, StructType, TimestampType,
                                 TimestamptzType, UUIDType, BinaryType)

    catalog = load_catalog("glue", **{
        "type": "glue", "glue.endpoint": endpoint, "glue.region": REGION, "s3.endpoint": endpoint,
        "s3.region": REGION, "py-io-impl": "pyiceberg.io.pyarrow.PyArrowFileIO"})

    def field(i, name, kind, required=False, doc=None):
        return NestedField(i, name, kind, required=required, doc=doc)

    def table(db, name, schema, spec=None, location=None, **properties):
        return catalog.create_table(
            (db, name), schema=schema, partition_spec=spec or PartitionSpec(),
            location=location or f"{WAREHOUSE}/{db}/{name}", properties=properties)

    def rows(t, columns):
        t.append(pa.table(columns, schema=t.schema().as_arrow()))

    # Partitioned, four snapshots, decimals and zoned timestamps.
    orders = table("sales", "orders", Schema(
        field(1, "order_id", LongType(), True, "Unique for ever, never reused"),
        field(2, "customer_id", LongType(), True),
        field(3, "country", StringType(), doc="ISO 3166 alpha-2, lower case"),
        field(4, "amount", DecimalType(12, 2)),
        field(5, "ordered_at", TimestamptzType(), True),
        field(6, "status", StringType())),
        PartitionSpec(PartitionField(3, 1000, IdentityTransform(), "country"),
                      PartitionField(5, 1001, DayTransform(), "ordered_at_day")))
    for batch in range(4):
        ids = range(batch * 250, batch * 250 + 250)
        rows(orders, {
            "order_id": ids,
            "customer_id": [1 + i * 7 % 90 for i in ids],
            "country": [["de", "fr", "us"][i % 3] for i in ids],
            "amount": [decimal.Decimal(i * 37 % 50000) / 100 for i in ids],
            "ordered_at": [dt.datetime(2026, 10, 1 + batch, i % 24, i % 60, tzinfo=UTC) for i in ids],
            "status": [["paid", "sent", "returned", None][i % 4] for i in ids]})

    # Nested types; then evolved: one column renamed, one dropped, one added, before a second append.
    customers = table("sales", "customers", Schema(
        field(1, "customer_id", LongType(), True),
        field(2, "name", StringType()),
        field(3, "fax", StringType(), doc="dropped in the second version"),
        field(4, "address", StructType(field(5, "street", StringType()), field(6, "city", StringType()),
                                       field(7, "geo", StructType(field(8, "lat", DoubleType()),
                                                                  field(9, "lon", DoubleType()))))),
        field(10, "emails", ListType(11, StringType(), False)),
        field(12, "attributes", MapType(13, StringType(), 14, StringType(), False)),
        field(15, "born", DateType())))
    def people(ids, **more):
        return {
            "customer_id": ids,
            "address": [{"street": f"Street {i}", "city": ["Kiel", "Lyon", "Reno"][i % 3],
                         "geo": {"lat": 50 + i / 10, "lon": i / 7}} for i in ids],
            "emails": [[f"c{i}@example.com"] * (i % 3) for i in ids],
            "attributes": [{"tier": "gold"} if i % 5 == 0 else {} for i in ids],
            "born": [dt.date(1950 + i % 50, 1 + i % 12, 1 + i % 28) for i in ids], **more}
    rows(customers, people(range(1, 51), name=[f"Customer {i}" for i in range(1, 51)], fax=[None] * 50))
    with customers.update_schema() as change:
        change.rename_column("name", "full_name")
        change.delete_column("fax")
        change.add_column("newsletter", BooleanType())
    rows(customers, people(range(51, 91), full_name=[f"Customer {i}" for i in range(51, 91)],
                           newsletter=[i % 2 == 0 for i in range(51, 91)]))

    # Bucketed by id.
    payments = table("sales", "payments", Schema(
        field(1, "payment_id", LongType(), True), field(2, "order_id", LongType(), True),
        field(3, "method", StringType()), field(4, "paid_at", TimestampType()), field(5, "receipt", BinaryType()),
        field(6, "trace", UUIDType())),
        PartitionSpec(PartitionField(2, 1000, BucketTransform(4), "order_bucket")))
    ids = range(120)
    rows(payments, {
        "payment_id": ids, "order_id": [i * 2 for i in ids], "method": [["card", "sepa", "cash"][i % 3] for i in ids],
        "paid_at": [dt.datetime(2026, 10, 5, i % 24, 30) for i in ids],
        "receipt": [bytes([i, 255 - i]) for i in ids], "trace": [bytes([i] * 16) for i in ids]})

    # Outside the prefix that the demo grants.
    old = table("sales", "orders_2023", Schema(field(1, "order_id", LongType()), field(2, "amount", DoubleType())),
                location="s3://acme-lake/archive/sales/orders_2023")
    rows(old, {"order_id": range(30), "amount": [i / 2 for i in range(30)]})

    # Made, never written to: an Iceberg table without a snapshot.
    table("sales", "forecast", Schema(field(1, "week", DateType()), field(2, "units", IntegerType())))

    observations = table("weather", "observations", Schema(
        field(1, "station", StringType(), True), field(2, "observed_at", TimestamptzType(), True),
        field(3, "temperature_c", FloatType()), field(4, "wind_ms", DoubleType()), field(5, "humidity", IntegerType()),
        field(6, "raining", BooleanType())),
        PartitionSpec(PartitionField(2, 1000, MonthTransform(), "observed_at_month")))
    for month in (8, 9, 10):
        ids = range(200)
        rows(observations, {
            "station": [f"ST{i % 8:02}" for i in ids],
            "observed_at": [dt.datetime(2026, month, 1 + i % 28, i % 24, tzinfo=UTC) for i in ids],
            "temperature_c": [None if i % 17 == 0 else (i * 13 % 400) / 10 - 8 for i in ids],
            "wind_ms": [float("nan") if i % 40 == 0 else i % 20 * 1.5 for i in ids],
            "humidity": [i * 3 % 100 for i in ids], "raining": [i % 6 == 0 for i in ids]})
    stations = table("weather", "stations", Schema(
        field(1, "station", StringType(), True), field(2, "name", StringType()),
        field(3, "position", StructType(field(4, "lat", DoubleType()), field(5, "lon", DoubleType()))),
        field(6, "sensors", ListType(7, StructType(field(8, "kind", StringType()), field(9, "since", DateType())),
                                     False))))
    rows(stations, {
        "station": [f"ST{i:02}" for i in range(8)], "name": [f"Station {i}" for i in range(8)],
        "position": [{"lat": 47.0 + i, "lon": 8.0 + i} for i in range(8)],
        "sensors": [[{"kind": "anemometer", "since": dt.date(2020, 1, 1 + i)}] * (1 + i % 2) for i in range(8)]})

    metrics = table("a-b", "metrics", Schema(
        field(1, "variant", StringType()), field(2, "visitors", LongType()), field(3, "conversions", LongType())))
    rows(metrics, {"variant": ["a", "b"], "visitors": [10412, 10388], "conversions": [311, 402]})
    japanese = table("日本", "売上", Schema(field(1, "番号", LongType()), field(2, "店舗", StringType()), field(3, "金額", LongType())),
                     PartitionSpec(PartitionField(2, 1000, IdentityTransform(), "店舗")))
    rows(japanese, {"番号": range(12), "店舗": [["東京", "大阪 駅前", "a/b=c%2F"][i % 3] for i in range(12)],
                    "金額": [i * 1000 for i in range(12)]})
    raw = table("2024_raw", "events", Schema(
        field(1, "id", LongType()), field(2, "userId", StringType()), field(3, "payload", StringType()),
        field(4, "received", TimestampType())))
    rows(raw, {"id": range(40), "userId": [f"u{i % 6}" for i in range(40)], "payload": ['{"n":%d}' % i for i in range(40)],
               "received": [dt.datetime(2024, 3, 1 + i % 28) for i in range(40)]})
    on = table("no", "on", Schema(field(1, "null", StringType()), field(2, "1e3", DoubleType()), field(3, "0x10", LongType())))
    rows(on, {"null": ["yes", "no", None], "1e3": [1000.0, 0.1, -0.0], "0x10": [16, 17, 2**53 + 1]})


# --- Spark ---------------------------------------------------------------------------------------------------------

def jar(group, name, version):
    path = pathlib.Path.home() / ".m2/repository" / group.replace(".", "/") / name / version / f"{name}-{version}.jar"
    if not path.exists():
        raise SystemExit(f"missing {path}: see the requirements")
    return str(path)


def with_spark(endpoint, scratch):
    from pyspark.sql import SparkSession
    jars = [jar("org.apache.iceberg", "iceberg-spark-runtime-3.5_2.12", "1.12.0"),
            jar("org.apache.iceberg", "iceberg-aws-bundle", "1.12.0"),
            jar("io.delta", "delta-spark_2.12", "3.3.2"), jar("io.delta", "delta-storage", "3.3.2"),
            jar("org.apache.hudi", "hudi-spark3.5-bundle_2.12", "1.0.2")]
    c = "spark.sql.catalog.lake"
    conf = {
        "spark.jars": ",".join(jars),
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions,"
                                "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
        c: "org.apache.iceberg.spark.SparkCatalog", c + ".type": "glue", c + ".warehouse": WAREHOUSE,
        c + ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO", c + ".client.region": REGION,
        c + ".glue.endpoint": endpoint, c + ".s3.endpoint": endpoint, c + ".s3.path-style-access": "true",
        "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1",
        "spark.driver.memory": "1g", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC", "spark.sql.warehouse.dir": str(scratch / "spark"),
    }
    builder = SparkSession.builder.master("local[1]").appName("demo-lake")
    for key, value in conf.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")

    # Version 2 with position deletes, gzipped metadata.
    spark.sql(f"""CREATE TABLE lake.sales.returns (return_id bigint, order_id bigint, reason string, returned date)
        USING iceberg PARTITIONED BY (months(returned)) LOCATION '{WAREHOUSE}/sales/returns'
        TBLPROPERTIES ('format-version'='2', 'write.delete.mode'='merge-on-read',
                       'write.delete.granularity'='partition', 'write.metadata.compression-codec'='gzip')""")
    spark.sql("""INSERT INTO lake.sales.returns SELECT id, id * 4, element_at(array('broken', 'late', 'wrong'),
        cast(id % 3 as int) + 1), date_add(date'2026-09-01', cast(id as int)) FROM range(0, 60)""")
    spark.sql("DELETE FROM lake.sales.returns WHERE return_id % 10 = 3")

    # Version 3 with deletion vectors and row lineage.
    spark.sql(f"""CREATE TABLE lake.weather.alerts (alert_id bigint, level string, station string, raised timestamp)
        USING iceberg LOCATION '{WAREHOUSE}/weather/alerts'
        TBLPROPERTIES ('format-version'='3', 'write.delete.mode'='merge-on-read')""")
    spark.sql("""INSERT INTO lake.weather.alerts SELECT id, element_at(array('yellow', 'orange', 'red'),
        cast(id % 3 as int) + 1), concat('ST0', id % 8), timestamp'2026-10-01 00:00:00' + make_interval(0,0,0,0,id)
        FROM range(0, 80)""")
    spark.sql("DELETE FROM lake.weather.alerts WHERE alert_id IN (5, 6, 7, 40)")

    # Nested columns dropped and renamed by Spark: Glue keeps the old ones, marked.
    spark.sql(f"""CREATE TABLE lake.sales.order_items (order_id bigint, line int, sku string, qty int, color string,
        price struct<net:decimal(10,2), vat:decimal(10,2)>, tags array<string>, extra map<string,int>)
        USING iceberg LOCATION '{WAREHOUSE}/sales/order_items' TBLPROPERTIES ('format-version'='2')""")
    insert = """INSERT INTO lake.sales.order_items SELECT id, 1, concat('SKU-', id % 9), 1 + id % 4, 'x',
        named_struct('net', cast(id as decimal(10,2)), 'vat', cast(id / 5 as decimal(10,2))),
        array('new'), map('w', cast(id as int)) FROM range({}, {})"""
    spark.sql(insert.format(0, 40))
    spark.sql("ALTER TABLE lake.sales.order_items DROP COLUMN color")
    spark.sql("ALTER TABLE lake.sales.order_items RENAME COLUMN qty TO quantity")
    spark.sql("ALTER TABLE lake.sales.order_items RENAME COLUMN price.vat TO tax")
    spark.sql("ALTER TABLE lake.sales.order_items ADD COLUMN gift boolean COMMENT 'since October'")
    spark.sql(insert.replace("'x',", "").replace(" FROM", ", false FROM").format(40, 60))

    # Delta and Hudi name their files relative to the table, so they can be made in a folder and put afterwards.
    events = spark.sql("""SELECT id AS event_id, concat('u', id % 5) AS user, cast(id % 2 as int) AS kind,
        date_add(date'2026-10-01', cast(id % 3 as int)) AS day FROM range(0, 60)""").coalesce(1)
    events.write.format("delta").partitionBy("day").save(str(scratch / "delta"))
    spark.sql(f"DELETE FROM delta.`{scratch}/delta` WHERE event_id = 7")
    for kind in ("COPY_ON_WRITE", "MERGE_ON_READ"):
        path = scratch / kind.lower()
        options = {"hoodie.table.name": "clicks", "hoodie.datasource.write.table.type": kind,
                   "hoodie.datasource.write.recordkey.field": "event_id",
                   "hoodie.datasource.write.precombine.field": "event_id", "hoodie.metadata.enable": "false",
                   "hoodie.datasource.write.partitionpath.field": "", "hoodie.upsert.shuffle.parallelism": "1",
                   "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
                   "hoodie.parquet.compression.codec": "snappy",
                   # A Bloom filter sized for 60,000 keys would be nine tenths of each file.
                   "hoodie.index.bloom.num_entries": "60", "hoodie.bloom.index.filter.type": "SIMPLE"}
        updates = events.where("event_id BETWEEN 30 AND 39").selectExpr("event_id", "'moved' AS user", "kind", "day")
        for part, mode in ((events.where("event_id < 40"), "overwrite"), (updates, "append")):
            part.drop("day").write.format("hudi").options(**options).mode(mode).save(str(path))
    spark.stop()
    return {"delta": "raw/app_events", "copy_on_write": "raw/clicks_cow", "merge_on_read": "raw/clicks_mor"}


# --- Plain files ---------------------------------------------------------------------------------------------------

def with_pyarrow(s3):
    def put(key, data, bucket="acme-lake"):
        s3.put_object(Bucket=bucket, Key=key, Body=data)

    def encoded(table, write, **options):
        out = io.BytesIO()
        write(table, out, **options)
        return out.getvalue()

    def logs(day):
        return pa.table({"host": [f"web{i % 3}" for i in range(40)], "status": pa.array([200 + i % 5 for i in range(40)], pa.int32()),
                         "bytes": [i * 512 + day for i in range(40)], "path": [f"/p/{i}" for i in range(40)]})

    for day in (1, 2, 3):
        put(f"warehouse/raw/access_log/dt=2026-10-0{day}/part-0.parquet", encoded(logs(day), pa.parquet.write_table))
    put("warehouse/raw/access_log_orc/part-0.orc", encoded(logs(4), pa.orc.write_table))
    put("warehouse/raw/partners/partners.csv", b"id,name,since\n1,Acme,2019-01-02\n2,\"Kn\xc3\xb6del, Ltd\",2021-11-30\n")
    put("warehouse/raw/feedback/part-0.json.gz", gzip.compress(b"".join(
        json.dumps({"id": i, "stars": 1 + i % 5, "text": f"text {i}"}).encode() + b"\n" for i in range(30)), mtime=0))
    put("warehouse/raw/projected/year=2026/month=10/part-0.parquet", encoded(logs(5), pa.parquet.write_table))
    put("warehouse_archive/do-not-read.txt", b"A neighbour whose name begins with the same letters.\n")
    put("archive/README.txt", b"Cold storage. Not part of the warehouse.\n")
    put("shared/prices.csv", b"sku,price\nSKU-1,9.99\n", bucket="acme-partner")


def with_hands(s3):
    """Columns of all the types that came with version 3: no engine here writes them all."""
    types = ["long", "timestamp_ns", "timestamptz_ns", "variant", "geometry(OGC:CRS84)", "geography(OGC:CRS84, spherical)", "unknown"]
    names = ["sounding_id", "measured", "received", "reading", "place", "track", "reserved"]
    fields = [{"id": i, "name": name, "required": i == 1, "type": kind} for i, (name, kind) in enumerate(zip(names, types), 1)]
    location = f"{WAREHOUSE}/odd/version_three"
    metadata = {
        "format-version": 3, "table-uuid": "0c6f0f0e-3a4b-4d8e-9f7a-2b1c5d6e7f80", "location": location,
        "last-sequence-number": 0, "next-row-id": 0, "last-updated-ms": 1792454400000, "last-column-id": len(fields),
        "current-schema-id": 0, "schemas": [{"type": "struct", "schema-id": 0, "fields": fields}],
        "default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}], "last-partition-id": 999,
        "default-sort-order-id": 0, "sort-orders": [{"order-id": 0, "fields": []}], "properties": {}, "snapshots": [], "refs": {}}
    key = "warehouse/odd/version_three/metadata/00000-0c6f0f0e-3a4b-4d8e-9f7a-2b1c5d6e7f80.metadata.json"
    s3.put_object(Bucket="acme-lake", Key=key, Body=json.dumps(metadata, indent=1).encode() + b"\n")


def upload(s3, folder, prefix):
    for path in sorted(folder.rglob("*")):
        # Checksum side files are Hadoop's local file system's own; S3 never has them.
        if path.is_file() and not path.name.endswith(".crc"):
            s3.put_object(Bucket="acme-lake", Key=f"warehouse/{prefix}/{path.relative_to(folder)}", Body=path.read_bytes())


# --- Dump ----------------------------------------------------------------------------------------------------------

KEPT = ["Name", "Description", "Owner", "Retention", "StorageDescriptor", "PartitionKeys", "TableType", "Parameters"]


def dump(s3, glue):
    entries = []
    for bucket in BUCKETS:
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
            entries += [(bucket, o["Key"]) for o in page.get("Contents", [])]
    with tarfile.open(HERE / "objects.tar", "w", format=tarfile.USTAR_FORMAT) as tar:
        for bucket, key in sorted(entries):
            data = s3.get_object(Bucket=bucket, Key=key)["Body"].read()
            info = tarfile.TarInfo(f"{bucket}/{key}")
            info.size, info.mode = len(data), 0o644
            tar.addfile(info, io.BytesIO(data))
    tables = {}
    for database in DATABASES:
        pages = glue.get_paginator("get_tables").paginate(DatabaseName=database)
        found = sorted((t for page in pages for t in page["TableList"]), key=lambda t: t["Name"])
        tables[database] = [{k: t[k] for k in KEPT if k in t and t[k] not in ({}, [], "")} for t in found]
    text = json.dumps(tables, ensure_ascii=False, indent=1, sort_keys=False)
    (HERE / "engines.json").write_text(text + "\n")
    print(len(entries), "objects", (HERE / "objects.tar").stat().st_size, "bytes",
          {d: [t["Name"] for t in ts] for d, ts in tables.items()})


def main():
    for name in list(os.environ):
        if name.startswith("AWS_"):
            del os.environ[name]
    os.environ |= {"AWS_ACCESS_KEY_ID": "make", "AWS_SECRET_ACCESS_KEY": "make", "AWS_REGION": REGION,
                   "AWS_EC2_METADATA_DISABLED": "true"}
    server, endpoint = start_moto()
    try:
        s3, glue = aws("s3", endpoint), aws("glue", endpoint)
        for bucket in BUCKETS:
            s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": REGION})
        for database in DATABASES:
            glue.create_database(DatabaseInput={"Name": database, "LocationUri": f"{WAREHOUSE}/{database}"})
        with_pyiceberg(endpoint)
        with tempfile.TemporaryDirectory() as scratch:
            for folder, prefix in with_spark(endpoint, pathlib.Path(scratch)).items():
                upload(s3, pathlib.Path(scratch) / folder, prefix)
        with_pyarrow(s3)
        with_hands(s3)
        dump(s3, glue)
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
