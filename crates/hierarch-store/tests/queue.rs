//! The queue: who takes what, leases that run out, attempts that end. Needs a server, which `scripts/test-postgres` starts.
#![cfg(feature = "postgres")]

use std::time::Duration;

use hierarch_store::{ATTEMPTS, Address, Queue};

const LONG: Duration = Duration::from_mins(1);
const SHORT: Duration = Duration::from_millis(1);

/// Returns a queue with no run but those of this test; none where there is no server.
fn queue(schema: &str) -> Option<(Address, Queue)> {
    let server = std::env::var("HIERARCH_TEST_POSTGRES").ok()?;
    let mut client = postgres::Client::connect(&server, postgres::NoTls).expect("a server");
    client
        .batch_execute(&format!("drop schema if exists {schema} cascade; create schema {schema}"))
        .expect("made");
    let address = Address::parse(&format!("{server}?options=-csearch_path%3D{schema}")).expect("an address");
    let queue = Queue::open(&address).expect("opened");
    Some((address, queue))
}

#[test]
fn each_chunk_is_taken_once_and_the_rest_told() {
    let Some((address, mut queue)) = queue("q_once") else { return };
    queue.add("r", "e", 3).expect("added");
    queue.add("r", "e", 3).expect("an equal run");
    let mut other = Queue::open(&address).expect("opened twice");
    assert!(queue.take("other", "another build", LONG).expect("asked").is_none());
    let first = queue.take("one", "e", LONG).expect("asked").expect("a chunk");
    let second = other.take("two", "e", LONG).expect("asked").expect("another");
    assert_eq!((first.number, second.number), (0, 1));
    assert!(queue.renew(&first, "one", LONG).expect("renewed"));
    assert!(!queue.renew(&first, "two", LONG).expect("not its own"));
    assert!(queue.finish(&first, "one", (1, 2)).expect("finished"));
    assert!(!queue.finish(&first, "one", (1, 2)).expect("once only"));
    let progress = queue.progress("r").expect("told");
    assert_eq!((progress.waiting, progress.taken, progress.done), (1, 1, 1));
    assert_eq!((progress.found, progress.made), (1, 2));
    queue.open_again("r", &[0, 2]).expect("opened");
    assert_eq!(queue.progress("r").expect("told").waiting, 2, "what is done and missing is done again");
    assert_eq!(queue.busy().expect("listed")[0].worker, "two");
    assert_eq!(queue.runs().expect("listed")[0].chunks(), 3);
}

#[test]
fn a_lost_worker_loses_its_chunk_and_comes_back_in_vain() {
    let Some((_, mut queue)) = queue("q_lost") else { return };
    queue.add("r", "e", 1).expect("added");
    let taken = queue.take("lost", "e", SHORT).expect("asked").expect("a chunk");
    std::thread::sleep(Duration::from_millis(20));
    let again = queue.take("next", "e", LONG).expect("asked").expect("the same chunk");
    assert_eq!((again.number, again.attempt), (taken.number, 2));
    assert!(!queue.finish(&taken, "lost", (0, 1)).expect("told"), "what it made is dropped");
    assert!(queue.finish(&again, "next", (0, 1)).expect("told"));
    assert!(queue.progress("r").expect("told").is_over());
}

#[test]
fn a_chunk_is_given_up_after_five_attempts() {
    let Some((_, mut queue)) = queue("q_failed") else { return };
    queue.add("r", "e", 2).expect("added");
    for attempt in 1..=ATTEMPTS {
        let taken = queue.take("w", "e", LONG).expect("asked").expect("a chunk");
        assert_eq!((taken.number, taken.attempt), (0, attempt));
        queue.fail(&taken, "w", "disk full").expect("told");
    }
    for _ in 0..ATTEMPTS {
        let taken = queue.take("w", "e", SHORT).expect("asked").expect("the other chunk");
        assert_eq!(taken.number, 1);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(queue.take("w", "e", LONG).expect("asked").is_none());
    assert!(queue.progress("r").expect("told").is_over());
    let failures = queue.failures("r").expect("listed");
    assert_eq!(failures[0], (0, "disk full".to_owned()));
    assert!(failures[1].1.contains("workers were lost"), "{failures:?}");
    queue.add("r", "e", 2).expect("asked for again");
    assert_eq!(queue.progress("r").expect("told").waiting, 2, "what failed is tried again");
}

#[test]
fn many_workers_never_share_a_chunk() {
    let Some((address, mut queue)) = queue("q_many") else { return };
    queue.add("r", "e", 200).expect("added");
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let address = address.clone();
            std::thread::spawn(move || {
                let mut queue = Queue::open(&address).expect("opened");
                let (worker, mut own) = (format!("w{number}"), Vec::new());
                while let Some(taken) = queue.take(&worker, "e", LONG).expect("asked") {
                    assert!(queue.finish(&taken, &worker, (0, 1)).expect("told"));
                    own.push(taken.number);
                }
                own
            })
        })
        .collect();
    let mut all: Vec<usize> = threads.into_iter().flat_map(|thread| thread.join().expect("ended")).collect();
    all.sort_unstable();
    assert_eq!(all, (0..200).collect::<Vec<_>>());
}
