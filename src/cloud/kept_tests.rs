use super::*;
use crate::cloud::clock::Clock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Gives sessions of so many seconds, a new one each time; refuses while it is told to.
#[derive(Debug, Clone)]
pub(in crate::cloud) struct Source {
    count: Arc<AtomicU64>,
    refuses: Arc<AtomicBool>,
    clock: Clock,
    life: u64,
}

impl ProvideCredentials for Source {
    fn provide_credentials<'a>(&'a self) -> future::ProvideCredentials<'a>
    where
        Self: 'a,
    {
        future::ProvideCredentials::new(async {
            let number = self.count.fetch_add(1, Relaxed);
            tokio::task::yield_now().await;
            if self.refuses.load(Relaxed) {
                return Err(CredentialsError::provider_error(format!("no {number}")));
            }
            let end = self.clock.now() + Duration::from_secs(self.life);
            Ok(Credentials::new(format!("k{number}"), "s", None, Some(end), "t"))
        })
    }
}

pub(in crate::cloud) fn kept(life: u64) -> (Kept, Source, Meter) {
    let meter = Meter::default();
    kept_by(meter.ours().clone(), meter, life)
}

/// Sessions end by this clock.
fn kept_by(clock: Clock, meter: Meter, life: u64) -> (Kept, Source, Meter) {
    let source = Source {
        count: Arc::default(),
        refuses: Arc::default(),
        clock,
        life,
    };
    let shared = SharedCredentialsProvider::new(source.clone());
    let explain = Explain::new(&Logins::default(), None, |why| {
        crate::cloud::remedy::unusable(why, None, None)
    });
    let kept = Kept::new(shared, Duration::from_secs(720), meter.clone(), explain, None);
    (kept, source, meter)
}

pub(in crate::cloud) async fn key(kept: &Kept) -> String {
    kept.give().await.unwrap().access_key_id().to_owned()
}

#[tokio::test]
async fn a_source_is_asked_again_only_near_the_end() {
    let (kept, source, _) = kept(3_600);
    let mut keys = Vec::new();
    for minutes in [0, 20, 47, 49, 60, 96, 98] {
        source.clock.set_ahead(minutes * 60);
        keys.push(key(&kept).await);
    }
    assert_eq!(keys, ["k0", "k0", "k0", "k1", "k1", "k1", "k2"]);
}

#[tokio::test]
async fn a_clock_of_ours_that_is_behind_does_not_let_a_session_end() {
    let (kept, _, meter) = kept(3_600);
    assert_eq!(key(&kept).await, "k0");
    let now = SystemTime::now();
    let ours = now.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    meter.clock(i64::try_from(ours).unwrap() + 50 * 60, now);
    assert_eq!(key(&kept).await, "k1");
}

#[tokio::test]
async fn what_cannot_be_renewed_is_used_to_its_end_and_not_asked_for_at_each_call() {
    let (kept, source, _) = kept(3_600);
    key(&kept).await;
    source.refuses.store(true, Relaxed);
    source.clock.set_ahead(50 * 60);
    for _ in 0..3 {
        assert_eq!(key(&kept).await, "k0");
    }
    assert_eq!(source.count.load(Relaxed), 2);
    source.clock.set_ahead(60 * 60 + 1);
    assert!(kept.give().await.is_err());
    source.refuses.store(false, Relaxed);
    assert_eq!(key(&kept).await, "k3");
}

#[tokio::test]
async fn one_refusal_answers_all_who_waited_for_it() {
    let (kept, source, _) = kept(3_600);
    source.refuses.store(true, Relaxed);
    let all = futures_util::future::join_all((0..6).map(|_| kept.give())).await;
    assert!(all.iter().all(Result::is_err));
    assert_eq!(source.count.load(Relaxed), 1);
    // Whoever asks later asks anew.
    assert!(kept.give().await.is_err());
    assert_eq!(source.count.load(Relaxed), 2);
}

#[tokio::test]
async fn who_is_cancelled_leaves_the_question_to_the_next() {
    let (kept, source, _) = kept(3_600);
    let gone = kept.clone();
    let waiting = tokio::spawn(async move { gone.give().await.map(drop) });
    tokio::task::yield_now().await;
    waiting.abort();
    assert_eq!(key(&kept).await, "k0");
    assert_eq!(source.count.load(Relaxed), 1);
}

#[tokio::test]
async fn what_has_ended_when_it_comes_is_refused() {
    let (kept, source, _) = kept(0);
    let why = kept.give().await.unwrap_err();
    assert!(why.what.contains("had ended"), "{why:?}");
    assert_eq!(source.count.load(Relaxed), 1);
}

#[tokio::test]
async fn what_aws_calls_ended_is_renewed_once_and_a_late_word_of_it_takes_nothing_new() {
    let (kept, source, _) = kept(3_600);
    assert_eq!(key(&kept).await, "k0");
    kept.forget("k0");
    assert_eq!(key(&kept).await, "k1");
    // Of a request that was on its way when they were renewed.
    kept.forget("k0");
    assert_eq!(key(&kept).await, "k1");
    assert_eq!(source.count.load(Relaxed), 2);
    // Not even while nothing better is to be had.
    source.refuses.store(true, Relaxed);
    kept.forget("k1");
    assert!(kept.give().await.is_err());
}

#[tokio::test]
async fn what_ended_while_it_was_renewed_is_not_used_again() {
    let (kept, source, _) = kept(3_600);
    key(&kept).await;
    source.clock.set_ahead(50 * 60);
    source.refuses.store(true, Relaxed);
    let (given, ()) = tokio::join!(kept.give(), async {
        tokio::task::yield_now().await;
        kept.forget("k0");
    });
    drop(given);
    assert!(kept.give().await.is_err());
}

#[tokio::test]
async fn what_lives_short_is_used_for_most_of_its_life() {
    for (life, until) in [(300, 239), (900, 719), (3_600, 2_879)] {
        let (kept, source, _) = kept(life);
        key(&kept).await;
        source.clock.set_ahead(until);
        assert_eq!(key(&kept).await, "k0", "of {life} s");
        source.clock.set_ahead(until + 2);
        assert_eq!(key(&kept).await, "k1", "of {life} s");
    }
}

#[tokio::test]
async fn a_clock_of_ours_that_is_far_ahead_does_not_ask_at_each_call() {
    let meter = Meter::default();
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    meter.ours().set_ahead(20 * 60);
    meter.clock(i64::try_from(now.as_secs()).unwrap(), meter.ours().now());
    let (kept, source, _) = kept_by(Clock::default(), meter, 900);
    for _ in 0..5 {
        assert_eq!(key(&kept).await, "k0");
    }
    assert_eq!(source.count.load(Relaxed), 1);
}
