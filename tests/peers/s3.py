"""The S3 of the embedded AWS, asked by boto3 alone: what real clients do, and what an emulator gets wrong first.

The endpoint, its region and an administrator's keys come from the environment. The bucket and the principals are made
here. Prints a line a check that failed, then the counts; ends with 1 if a check failed.
"""

import base64
import io
import json
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError, MissingDependencyException

ENDPOINT = os.environ["AWS_ENDPOINT_URL"]
TAG = uuid.uuid4().hex[:8]
BUCKET, SECRET_BUCKET = f"s3-{TAG}", f"secret-{TAG}"
counts = {"passed": 0, "failed": 0}


def client(service, key=None, secret=None, token=None, **options):
    config = Config(retries={"total_max_attempts": 1}, **options)
    given = {"aws_access_key_id": key, "aws_secret_access_key": secret, "aws_session_token": token} if key else {}
    return boto3.client(service, endpoint_url=ENDPOINT, config=config, **given)


def check(what, got, wanted=True):
    outcome = "passed" if got == wanted else "failed"
    counts[outcome] += 1
    if outcome == "failed":
        print(f"FAILED: {what}: {got!r}, not {wanted!r}", flush=True)


def code(call, **arguments):
    """HTTP status and error code of a call, or 'ok'."""
    try:
        call(**arguments)
        return "ok"
    except ClientError as error:
        return f"{error.response['ResponseMetadata']['HTTPStatusCode']} {error.response['Error'].get('Code')}"


def http(url):
    try:
        return urllib.request.urlopen(url).read()
    except urllib.error.HTTPError as error:
        return error.code


PATH = {"s3": {"addressing_style": "path"}}
s3 = client("s3", **PATH)
for name in (BUCKET, SECRET_BUCKET):
    s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": os.environ["AWS_REGION"]})


def put(key, body, **more):
    return s3.put_object(Bucket=BUCKET, Key=key, Body=body, **more)


def get(key, **more):
    return s3.get_object(Bucket=BUCKET, Key=key, **more)["Body"].read()


def objects():
    put("wh/a.txt", b"hello world")
    check("bytes come back", get("wh/a.txt"), b"hello world")
    put("wh/c.txt", io.BytesIO(b"y" * 300000))
    check("a stream with a trailer comes back", get("wh/c.txt", ChecksumMode="ENABLED"), b"y" * 300000)
    for algorithm in ("CRC32", "CRC32C", "SHA1", "SHA256", "CRC64NVME"):
        try:
            answer = put(f"wh/{algorithm}", b"z" * 1000, ChecksumAlgorithm=algorithm)
        except MissingDependencyException:  # this botocore was installed without its C library
            continue
        head = s3.head_object(Bucket=BUCKET, Key=f"wh/{algorithm}", ChecksumMode="ENABLED")
        check(f"{algorithm} is kept", head.get(f"Checksum{algorithm}"), answer[f"Checksum{algorithm}"])
    wrong = base64.b64encode((zlib.crc32(b"z") ^ 1).to_bytes(4, "big")).decode()
    check("a wrong CRC is refused", code(put, key="wh/bad", body=b"z", ChecksumCRC32=wrong), "400 BadDigest")
    check("and writes nothing", code(s3.head_object, Bucket=BUCKET, Key="wh/bad"), "404 404")
    check("range", get("wh/a.txt", Range="bytes=6-8"), b"wor")
    check("suffix", get("wh/a.txt", Range="bytes=-5"), b"world")
    check("suffix longer than the file", get("wh/a.txt", Range="bytes=-500"), b"hello world")
    check("range past the end", get("wh/a.txt", Range="bytes=5-5000"), b" world")
    check("range outside", code(get, key="wh/a.txt", Range="bytes=500-"), "416 InvalidRange")
    put("wh/empty", b"")
    check("empty object", get("wh/empty"), b"")
    put("wh/meta", b"1", Metadata={"k": "v"}, ContentType="text/x", ContentEncoding="gzip")
    head = s3.head_object(Bucket=BUCKET, Key="wh/meta")
    check("metadata", (head["Metadata"], head["ContentType"], head["ContentEncoding"]), ({"k": "v"}, "text/x", "gzip"))
    check("missing key", code(get, key="wh/none"), "404 NoSuchKey")
    check("missing bucket", code(s3.get_object, Bucket="no-such-bucket-here", Key="x"), "404 NoSuchBucket")
    check("listing a missing bucket", code(s3.list_objects_v2, Bucket="no-such-bucket-here"), "404 NoSuchBucket")
    region = s3.head_bucket(Bucket=BUCKET)["ResponseMetadata"]["HTTPHeaders"].get("x-amz-bucket-region")
    check("the bucket tells its region", region, os.environ["AWS_REGION"])
    check("a folder is no key", code(s3.head_object, Bucket=BUCKET, Key="wh"), "404 404")
    put("wh", b"1")
    put("wh/a.txt/b", b"2")
    check("a key beside a longer one", (get("wh"), get("wh/a.txt"), get("wh/a.txt/b")), (b"1", b"hello world", b"2"))
    s3.copy_object(Bucket=BUCKET, Key="wh/copy", CopySource={"Bucket": BUCKET, "Key": "wh/a.txt"})
    check("copy", get("wh/copy"), b"hello world")
    for _ in range(2):
        check("delete, twice", code(s3.delete_object, Bucket=BUCKET, Key="wh/copy"), "ok")
    many = s3.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": "wh/CRC32"}, {"Key": "wh/nope"}]})
    check("delete many", sorted(d["Key"] for d in many["Deleted"]), ["wh/CRC32", "wh/nope"])


def conditions():
    etag = s3.head_object(Bucket=BUCKET, Key="wh/a.txt")["ETag"]
    check("get if none match", code(get, key="wh/a.txt", IfNoneMatch=etag), "304 304")
    check("get if match", code(get, key="wh/a.txt", IfMatch='"abc"'), "412 PreconditionFailed")
    for body in (b"q", b""):
        answer = code(put, key="wh/a.txt", body=body, IfNoneMatch="*")
        check("put if none match, existing", answer, "412 PreconditionFailed")
    check("put if none match, new", code(put, key="wh/new", body=b"q", IfNoneMatch="*"), "ok")
    etag = s3.head_object(Bucket=BUCKET, Key="wh/new")["ETag"]
    check("put if match", code(put, key="wh/new", body=b"q2", IfMatch=etag), "ok")
    check("put if match, stale", code(put, key="wh/new", body=b"q3", IfMatch=etag), "412 PreconditionFailed")
    check("put if match, absent", code(put, key="wh/absent", body=b"", IfMatch=etag), "404 NoSuchKey")
    answers = []

    def race():
        mine = client("s3", **PATH)
        call = {"Bucket": BUCKET, "Key": "wh/race", "Body": os.urandom(2_000_000), "IfNoneMatch": "*"}
        answers.append(code(mine.put_object, **call))

    threads = [threading.Thread(target=race) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check("of six writers one wins", sorted(answers), ["412 PreconditionFailed"] * 5 + ["ok"])


def keys():
    odd = ["a b+c", "x%20y", "p=a%2Fb/f", "ünï", "q?r#s&t", "/dbl", "./dot", "'\"<>", "../../up", "..", "日本/売上"]
    for key in odd:
        put(f"odd/{key}", key.encode())
        check(f"key {key}", get(f"odd/{key}"), key.encode())
    listed = [o["Key"] for o in s3.list_objects_v2(Bucket=BUCKET, Prefix="odd/")["Contents"]]
    check("they are listed as they are", sorted(listed), sorted(f"odd/{key}" for key in odd))
    for length in (110, 164, 255, 400, 1024):
        key = ("wh/long/" + "k" * 1024)[:length]
        check(f"key of {length} bytes", code(put, key=key, body=b"1"), "ok")
        upload = s3.create_multipart_upload(Bucket=BUCKET, Key=key)["UploadId"]
        check("and in parts", code(s3.abort_multipart_upload, Bucket=BUCKET, Key=key, UploadId=upload), "ok")


def pages(**arguments):
    out, token = [], {}
    while True:
        page = s3.list_objects_v2(Bucket=BUCKET, **arguments, **token)
        names = [o["Key"] for o in page.get("Contents", [])] + [p["Prefix"] for p in page.get("CommonPrefixes", [])]
        check("KeyCount counts both", page["KeyCount"], len(names))
        out.append(names)
        if not page["IsTruncated"]:
            return out
        token = {"ContinuationToken": page["NextContinuationToken"]}


def listing():
    for i in range(7):
        put(f"pg/d{i % 3}/f{i}", b"1")
    put("pg/top", b"1")
    check("pages", [len(page) for page in pages(Prefix="pg/", MaxKeys=3)], [3, 3, 2])
    wanted = [["pg/d0/", "pg/d1/"], ["pg/top", "pg/d2/"]]
    check("pages with a delimiter", pages(Prefix="pg/", Delimiter="/", MaxKeys=2), wanted)
    check("prefix inside a name", [len(p) for p in pages(Prefix="pg/d1")], [2])
    check("first version", len(s3.list_objects(Bucket=BUCKET, Prefix="pg/")["Contents"]), 8)
    check("largest page", s3.list_objects_v2(Bucket=BUCKET, MaxKeys=5000)["MaxKeys"], 1000)
    row = s3.list_objects_v2(Bucket=BUCKET, Prefix="pg/top")["Contents"][0]
    check("a row has all", sorted(row), ["ETag", "Key", "LastModified", "Size", "StorageClass"])
    after = s3.list_objects_v2(Bucket=BUCKET, Prefix="pg/", StartAfter="pg/d2")["Contents"][0]["Key"]
    check("start after", after, "pg/d2/f2")
    wrong = code(s3.list_objects_v2, Bucket=BUCKET, ContinuationToken="zz")
    check("wrong token", wrong, "400 InvalidArgument")


def multipart():
    big = os.urandom(12_000_000)
    put("wh/big", b"small first", ChecksumAlgorithm="CRC32")
    parts = TransferConfig(multipart_threshold=5 << 20, multipart_chunksize=5 << 20)
    s3.upload_fileobj(io.BytesIO(big), BUCKET, "wh/big", Config=parts)
    check("parts join, without the old checksum", get("wh/big", ChecksumMode="ENABLED") == big)
    check("the ETag counts the parts", s3.head_object(Bucket=BUCKET, Key="wh/big")["ETag"].endswith('-3"'))
    part = {"Bucket": BUCKET, "Key": "wh/never", "UploadId": "invented", "PartNumber": 1, "Body": b""}
    check("a part of an unknown upload", code(s3.upload_part, **part), "404 NoSuchUpload")
    upload = {"Bucket": BUCKET, "Key": "wh/small"}
    upload["UploadId"] = s3.create_multipart_upload(**upload)["UploadId"]
    etags = [s3.upload_part(**upload, PartNumber=n, Body=b"x")["ETag"] for n in (1, 2)]
    listed = [{"PartNumber": n + 1, "ETag": etag} for n, etag in enumerate(etags)]
    done = code(s3.complete_multipart_upload, **upload, MultipartUpload={"Parts": listed})
    check("small parts", done, "400 EntityTooSmall")
    wrong = code(s3.complete_multipart_upload, **upload, MultipartUpload={"Parts": listed[::-1]})
    check("parts out of order", wrong, "400 InvalidPartOrder")
    last = code(s3.complete_multipart_upload, **upload, MultipartUpload={"Parts": listed[:1]})
    check("a refused upload can still be completed", last, "ok")


def signatures():
    v4 = client("s3", signature_version="s3v4", **PATH)
    url = v4.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "wh/a.txt"}, ExpiresIn=60)
    check("presigned", http(url), b"hello world")
    check("presigned, tampered", http(url.replace("a.txt", "c.txt")), 403)
    short = v4.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": "wh/a.txt"}, ExpiresIn=1)
    time.sleep(2.1)
    check("presigned, expired", http(short), 403)
    check("anonymous", http(f"{ENDPOINT}/{BUCKET}/wh/a.txt"), 403)
    mine = boto3.Session().get_credentials()
    wrong = client("s3", mine.access_key, "nope", **PATH)
    check("wrong secret", code(wrong.list_buckets), "403 SignatureDoesNotMatch")
    check("unknown key", code(client("s3", "AKIANOPE", "nope", **PATH).list_buckets), "403 InvalidAccessKeyId")
    # Signed for the bucket's own host, but sent to the address: not every resolver knows names below localhost.
    named = {"signature_version": "s3v4", "s3": {"addressing_style": "virtual"}}
    virtual = boto3.client("s3", endpoint_url=ENDPOINT.replace("127.0.0.1", "localhost"), config=Config(**named))
    params = {"Bucket": BUCKET, "Key": "wh/a.txt"}
    url = urllib.parse.urlsplit(virtual.generate_presigned_url("get_object", Params=params))
    check("the bucket is in the host", url.hostname, f"{BUCKET}.localhost")
    request = urllib.request.Request(f"{ENDPOINT}{url.path}?{url.query}", headers={"Host": url.netloc})
    check("and is found there", urllib.request.urlopen(request).read(), b"hello world")


def reader():
    """A session that may read and list below wh/, and write nothing."""
    iam, sts = client("iam"), client("sts")
    account = sts.get_caller_identity()["Account"]
    role = f"reader-{TAG}"
    trust = {"Effect": "Allow", "Principal": {"AWS": f"arn:aws:iam::{account}:root"}, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [trust]})
    arn = iam.create_role(RoleName=role, AssumeRolePolicyDocument=document)["Role"]["Arn"]
    read = {"Effect": "Allow", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/wh/*"}
    under = {"StringLike": {"s3:prefix": ["wh/", "wh/*"]}}
    browse = {"Effect": "Allow", "Action": "s3:ListBucket", "Resource": f"arn:aws:s3:::{BUCKET}", "Condition": under}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [read, browse]})
    iam.put_role_policy(RoleName=role, PolicyName="read", PolicyDocument=policy)
    keys = sts.assume_role(RoleArn=arn, RoleSessionName="reader")["Credentials"]
    pair = keys["AccessKeyId"], keys["SecretAccessKey"]
    r = client("s3", *pair, keys["SessionToken"], **PATH)
    check("may get", r.get_object(Bucket=BUCKET, Key="wh/a.txt")["Body"].read(), b"hello world")
    check("may list below", code(r.list_objects_v2, Bucket=BUCKET, Prefix="wh/"), "ok")
    denied = "403 AccessDenied"
    check("may not list all", code(r.list_objects_v2, Bucket=BUCKET), denied)
    check("nor a neighbour", code(r.list_objects_v2, Bucket=BUCKET, Prefix="wh"), denied)
    check("a missing key is not told", code(r.get_object, Bucket=BUCKET, Key="wh/none"), denied)
    write = {"Bucket": BUCKET, "Key": "wh/a.txt", "Body": b"", "IfNoneMatch": "*"}
    check("may not put, whatever the condition", code(r.put_object, **write), denied)
    part = {"Bucket": BUCKET, "Key": "wh/x", "UploadId": "invented", "PartNumber": 1, "Body": b""}
    check("nor a part of an unknown upload", code(r.upload_part, **part), denied)
    check("nor an operation that nobody serves", code(r.get_bucket_tagging, Bucket=BUCKET), denied)
    s3.put_object(Bucket=SECRET_BUCKET, Key="s", Body=b"TOPSECRET")
    check("no other bucket", code(r.get_object, Bucket=SECRET_BUCKET, Key="s"), denied)
    climb = f"wh/../../{SECRET_BUCKET}/s"
    check("dots do not climb", code(r.get_object, Bucket=BUCKET, Key=climb), denied)
    answer = r.delete_objects(Bucket=BUCKET, Delete={"Objects": [{"Key": "wh/a.txt"}]})
    check("bulk deletes are asked key by key", [e["Code"] for e in answer["Errors"]], ["AccessDenied"])
    check("and the key is still there", get("wh/a.txt"), b"hello world")
    grant = {"Effect": "Allow", "Action": "s3:PutObject", "Resource": f"arn:aws:s3:::{BUCKET}/out/*"}
    more = json.dumps({"Version": "2012-10-17", "Statement": [grant]})
    iam.put_role_policy(RoleName=role, PolicyName="write", PolicyDocument=more)
    source = {"Bucket": SECRET_BUCKET, "Key": "s"}
    stolen = code(r.copy_object, Bucket=BUCKET, Key="out/s", CopySource=source)
    check("a copy needs the right on its source", stolen, denied)
    allowed = code(r.copy_object, Bucket=BUCKET, Key="out/a", CopySource={"Bucket": BUCKET, "Key": "wh/a.txt"})
    check("and may be made with it", allowed, "ok")
    part |= {"Key": "out/x"}
    check("an allowed write to an unknown upload", code(r.upload_part, **part), "404 NoSuchUpload")
    wrong = client("s3", *pair, "bad", **PATH)
    check("wrong session token", code(wrong.get_object, Bucket=BUCKET, Key="wh/a.txt"), "400 InvalidToken")
    none = client("s3", *pair, **PATH)
    check("no session token", code(none.get_object, Bucket=BUCKET, Key="wh/a.txt"), "400 InvalidToken")
    deny = {"Effect": "Deny", "Principal": "*", "Action": "s3:GetObject", "Resource": f"arn:aws:s3:::{BUCKET}/wh/a.txt"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [deny]})
    s3.put_bucket_policy(Bucket=BUCKET, Policy=policy)
    check("a bucket policy's deny wins", code(r.get_object, Bucket=BUCKET, Key="wh/a.txt"), denied)
    s3.delete_bucket_policy(Bucket=BUCKET)
    check("until it is gone", code(r.get_object, Bucket=BUCKET, Key="wh/a.txt"), "ok")


for area in (objects, conditions, keys, listing, multipart, signatures, reader):
    area()
print(f"{counts['passed']} passed, {counts['failed']} failed", flush=True)
raise SystemExit(1 if counts["failed"] else 0)
