//! A defect that ends in a panic costs one question, not the server: 500 with an id that the log has, too.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use hierarch_fleet::NodeSet;
use hierarch_serve::{Listener, LogForm, Opening, Program, Revisions, Server, ServerSettings, Signal};
use hierarch_site::{NodeFacts, Site};
use hierarch_source::{FileChange, Files, Loss, NotSaved};

/// A program whose revisions are broken.
#[derive(Default)]
struct Broken {
    lines: Mutex<Vec<String>>,
}

impl Program for Broken {
    fn open(&self, files: Arc<dyn Files>, _: Opening) -> Result<Site, String> {
        Ok(Site::on(files).build())
    }

    fn nodes(&self, _: &Site) -> Result<NodeSet, String> {
        Ok(NodeSet::default())
    }

    fn nodes_follow_data(&self) -> bool {
        false
    }

    fn roots(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn node_sources(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn bystanders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn nodes_age(&self) -> Option<Duration> {
        None
    }

    fn has_store(&self) -> bool {
        false
    }

    fn keep_facts(&self, _: &str, _: &NodeFacts) -> Result<(), String> {
        Ok(())
    }

    fn revisions(&self) -> Option<&dyn Revisions> {
        panic!("as the test wants")
    }

    fn save(&self, _: &[FileChange]) -> Result<Vec<Loss>, NotSaved> {
        Ok(Vec::new())
    }

    fn clock(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn log(&self, line: &str) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }

    fn memory(&self) -> Option<u64> {
        None
    }

    fn random(&self, bytes: &mut [u8]) {
        bytes.fill(0xab);
    }

    fn stack_of_programs(&self) -> usize {
        1 << 20
    }
}

fn ask(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).expect("it is sent");
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("an answer");
    text
}

#[test]
fn a_panic_is_a_500_with_an_id_and_the_server_lives_on() {
    let program = Arc::new(Broken::default());
    let server = Server::new(
        Arc::clone(&program) as Arc<dyn Program>,
        ServerSettings { log: Some(LogForm::Text), ..ServerSettings::default() },
    )
    .expect("a server");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    let (signals, receiver) = tokio::sync::mpsc::unbounded_channel();
    let running = std::thread::spawn(move || server.run(Listener::Tcp(listener), receiver, || Ok(None)));
    for _ in 0..3 {
        let broken = ask(&address, "/api/v1/lookup?node=a&key=b&at=HEAD");
        assert!(broken.starts_with("HTTP/1.1 500 "), "{broken}");
        assert!(broken.contains("\"code\":\"BUG\"") && broken.contains("abababababababab"), "{broken}");
    }
    assert!(ask(&address, "/api/v1/lookup?node=a&key=b").contains("UNKNOWN_NODE"));
    signals.send(Signal::End).expect("it runs");
    running.join().expect("it did not panic").expect("it ended well");
    let lines = program.lines.lock().unwrap_or_else(PoisonError::into_inner);
    let told = lines.iter().filter(|line| line.contains(" 500 ") && line.ends_with("id=abababababababab"));
    assert_eq!(told.count(), 3, "{lines:?}");
}
