use super::body::Body;
use super::conditions::Conditions;
use super::store::{Facts, Object, Store};
use bytes::Bytes;
use futures_util::StreamExt;
use std::fs;
use std::io::Write;
use std::path::Path;

async fn put(store: &Store, key: &str, bytes: &[u8]) {
    let mut sink = store.bodies().create().await.unwrap();
    sink.write(bytes).await.unwrap();
    let facts = Facts {
        etag: super::checksums::md5(bytes),
        ..Facts::default()
    };
    let object = Object {
        body: sink.finish().await.unwrap(),
        facts,
    };
    store
        .lock()
        .put("lake", key, object, &Conditions::default())
        .unwrap();
}

async fn read(store: &Store, key: &str) -> Option<Vec<u8>> {
    let body = store.lock().object("lake", key).ok()?.body.clone();
    Some(bytes_of(&body).await)
}

async fn bytes_of(body: &Body) -> Vec<u8> {
    let mut stream = body.read(0..body.len()).await.unwrap();
    let mut all = Vec::new();
    while let Some(chunk) = stream.next().await {
        all.extend_from_slice(&chunk.unwrap());
    }
    all
}

fn open(dir: &Path) -> Store {
    let store = Store::open(Some(dir)).unwrap();
    store.seed_bucket("lake", "us-west-2", "012345678901", 0);
    for key in ["seeded", "replaced", "deleted"] {
        store.seed("lake", key, Bytes::from_static(b"seed"), 0);
    }
    store
}

fn bodies(dir: &Path) -> usize {
    let names = fs::read_dir(dir)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".body")).count()
}

#[tokio::test]
async fn changes_are_there_again_and_seeded_objects_are_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    put(&store, "new", b"one").await;
    put(&store, "new", b"two").await;
    put(&store, "replaced", b"mine").await;
    store.lock().delete("lake", "deleted").unwrap();
    store
        .lock()
        .create_bucket("other", "eu-west-1", "012345678901", 7)
        .unwrap();
    assert_eq!(
        bodies(dir.path()),
        2,
        "the replaced body of `new` is gone, the seeded ones never were files"
    );
    std::mem::forget(store); // a kill runs no destructors

    let mut journal = fs::OpenOptions::new()
        .append(true)
        .open(dir.path().join("index.jsonl"))
        .unwrap();
    journal.write_all(b"{\"op\":\"put\",\"buck").unwrap();
    fs::write(dir.path().join("never-named.body"), b"half").unwrap();

    for _ in 0..2 {
        let store = open(dir.path());
        assert_eq!(read(&store, "new").await.unwrap(), b"two");
        assert_eq!(read(&store, "replaced").await.unwrap(), b"mine");
        assert_eq!(read(&store, "seeded").await.unwrap(), b"seed");
        assert_eq!(read(&store, "deleted").await, None);
        assert_eq!(store.lock().bucket("other").unwrap().region, "eu-west-1");
        assert_eq!(store.lock().bucket("lake").unwrap().owner, "012345678901");
        assert_eq!(bodies(dir.path()), 2);
    }
}

#[tokio::test]
async fn a_download_outlives_its_object_and_a_copy_its_source() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    put(&store, "a", b"bytes").await;
    let reading = store.lock().object("lake", "a").unwrap().body.clone();
    let object = store.lock().object("lake", "a").unwrap().clone();
    let copy = Object {
        body: store.bodies().share(&object.body).await.unwrap(),
        ..object
    };
    store
        .lock()
        .put("lake", "b", copy, &Conditions::default())
        .unwrap();
    store.lock().delete("lake", "a").unwrap();
    assert_eq!(bytes_of(&reading).await, b"bytes");
    drop(reading);
    assert_eq!(read(&store, "b").await.unwrap(), b"bytes");
    drop(store);
    assert_eq!(read(&open(dir.path()), "b").await.unwrap(), b"bytes");
    open(dir.path()).lock().delete("lake", "b").unwrap();
    assert_eq!(bodies(dir.path()), 0);
}

#[tokio::test]
async fn a_refused_write_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let mut sink = store.bodies().create().await.unwrap();
    sink.write(b"x").await.unwrap();
    drop(sink);
    let mut sink = store.bodies().create().await.unwrap();
    sink.write(b"x").await.unwrap();
    let object = Object {
        body: sink.finish().await.unwrap(),
        facts: Facts::default(),
    };
    assert!(
        store
            .lock()
            .put("no-such-bucket", "k", object, &Conditions::default())
            .is_err()
    );
    assert_eq!(bodies(dir.path()), 0);
}
