"""Spark as a judge. The endpoint, its region and keys come from the environment; the folder of Maven's artifacts is the
first argument, the work the second:

  make    makes Iceberg tables in the database `spark_peer` and prints what Spark itself reports of them, as one JSON object
  types   reads types, one a line as JSON text, and prints for each what Spark's own parser makes of it, or null
  ddl     reads JSON objects {"sql", "name"}, one a line: runs each statement and prints the columns of the table it made
"""

import json
import os
import pathlib
import sys

from pyspark.errors import ParseException
from pyspark.sql import SparkSession

ENDPOINT, REGION = os.environ["AWS_ENDPOINT_URL"], os.environ["AWS_REGION"]
MAVEN, WORK = pathlib.Path(sys.argv[1]), sys.argv[2]
ICEBERG = "1.12.0"
DATABASE, PLACE = "spark_peer", "s3://acme-lake/warehouse/spark_peer"
# the name under which glueup has the catalog, so that its statements run as they are
CATALOG = "Lake House"


def session():
    jars = [MAVEN / f"org/apache/iceberg/{name}/{ICEBERG}/{name}-{ICEBERG}.jar"
            for name in ("iceberg-spark-runtime-3.5_2.12", "iceberg-aws-bundle")]
    conf = {
        "spark.jars": ",".join(map(str, jars)),
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.default.parallelism": "1",
        "spark.driver.memory": "1g", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
    }
    lake = f"spark.sql.catalog.{CATALOG}"
    conf |= {
        lake: "org.apache.iceberg.spark.SparkCatalog", lake + ".type": "glue", lake + ".warehouse": PLACE,
        lake + ".io-impl": "org.apache.iceberg.aws.s3.S3FileIO", lake + ".client.region": REGION,
        lake + ".glue.endpoint": ENDPOINT, lake + ".s3.endpoint": ENDPOINT, lake + ".s3.path-style-access": "true",
        lake + ".glue.skip-name-validation": "true",
    }
    builder = SparkSession.builder.master("local[1]").appName("glueup-peer")
    for key, value in conf.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def canonical(kind):
    """A type of Spark's JSON in few words: a name, or a list that begins with array, map or struct."""
    if isinstance(kind, str):
        return {"long": "bigint", "integer": "int", "short": "smallint", "byte": "tinyint"}.get(kind, kind)
    if kind["type"] == "array":
        return ["array", canonical(kind["elementType"])]
    if kind["type"] == "map":
        return ["map", canonical(kind["keyType"]), canonical(kind["valueType"])]
    return ["struct", [[field["name"], canonical(field["type"])] for field in kind["fields"]]]


def columns(spark, name):
    return [[field["name"], canonical(field["type"]), not field["nullable"], field["metadata"].get("comment")]
            for field in json.loads(spark.table(name).schema.json())["fields"]]


def make(spark):
    lake = f"`{CATALOG}`.{DATABASE}"
    spark.sql(f"CREATE NAMESPACE {lake} LOCATION '{PLACE}'")
    spark.sql(f"""CREATE TABLE {lake}.events (id bigint NOT NULL COMMENT 'the key', at timestamp, wall timestamp_ntz,
        price decimal(12,2), place struct<lat:double,names:array<struct<lang:string>>>, attributes map<string,int>,
        old string, `odd name` string)
        USING iceberg PARTITIONED BY (days(at), bucket(8, id)) LOCATION '{PLACE}/events'
        TBLPROPERTIES ('format-version'='2', 'write.format.default'='parquet')""")
    for day in (1, 2, 3):
        spark.sql(f"""INSERT INTO {lake}.events SELECT id, timestamp'2026-11-0{day} 10:00:00', timestamp_ntz'2026-11-01 10:00:00',
            1.5, named_struct('lat', 1.0D, 'names', array(named_struct('lang', 'de'))), map('a', 1), 'x', 'y' FROM range(0, 10)""")
    spark.sql(f"ALTER TABLE {lake}.events DROP COLUMN old")
    spark.sql(f"ALTER TABLE {lake}.events RENAME COLUMN price TO amount")
    spark.sql(f"ALTER TABLE {lake}.events CREATE TAG november")
    spark.sql(f"ALTER TABLE {lake}.events CREATE BRANCH audit")
    spark.sql(f"ALTER TABLE {lake}.events WRITE ORDERED BY at DESC NULLS LAST, id")
    spark.sql(f"DELETE FROM {lake}.events WHERE at = timestamp'2026-11-02 10:00:00'")
    spark.sql(f"CREATE TABLE {lake}.empty (a int) USING iceberg LOCATION '{PLACE}/empty' TBLPROPERTIES ('format-version'='1')")
    events = f"{lake}.events"
    rows = spark.sql(f"SELECT snapshot_id, parent_id, operation, committed_at FROM {events}.snapshots ORDER BY committed_at DESC")
    files = spark.sql(f"SELECT count(*), sum(record_count), sum(file_size_in_bytes) FROM {events}.files WHERE content = 0").first()
    return {
        "tables": sorted(row["tableName"] for row in spark.sql(f"SHOW TABLES IN {lake}").collect()),
        "columns": {name: columns(spark, f"{lake}.{name}") for name in ("events", "empty")},
        "snapshots": [[str(row["snapshot_id"]), row["parent_id"] and str(row["parent_id"]), row["operation"]] for row in rows.collect()],
        "refs": sorted([row["name"], row["type"].lower(), str(row["snapshot_id"])]
                       for row in spark.sql(f"SELECT name, type, snapshot_id FROM {events}.refs").collect()),
        "files": files[0], "rows": files[1], "bytes": files[2],
        "count": spark.table(events).count(),
        "properties": {row["key"]: row["value"] for row in spark.sql(f"SHOW TBLPROPERTIES {events}").collect()},
    }


def types(spark):
    parser = spark._jsparkSession.sessionState().sqlParser()
    for line in sys.stdin:
        try:
            print(json.dumps(canonical(json.loads(parser.parseDataType(json.loads(line)).json()))))
        except ParseException:
            print("null")


def ddl(spark):
    spark.sql(f"CREATE NAMESPACE IF NOT EXISTS `{CATALOG}`.spark_copies")
    for line in sys.stdin:
        asked = json.loads(line)
        spark.sql(asked["sql"].strip().rstrip(";"))
        print(json.dumps(columns(spark, asked["name"])))


if __name__ == "__main__":
    spark = session()
    if WORK == "make":
        print(json.dumps(make(spark)))
    else:
        {"types": types, "ddl": ddl}[WORK](spark)
    spark.stop()
