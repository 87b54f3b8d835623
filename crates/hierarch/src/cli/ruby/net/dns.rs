//! Questions to a name server that the system's own interface has no words for: PTR, TXT, MX, SRV, CNAME, NS.

use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::time::Duration;

use crate::cli::issues;

/// The kinds of records, and their numbers.
const KINDS: [(&str, u16); 8] =
    [("A", 1), ("NS", 2), ("CNAME", 5), ("PTR", 12), ("MX", 15), ("TXT", 16), ("AAAA", 28), ("SRV", 33)];
/// The class of all of them.
const INTERNET: u16 = 1;
/// Answers over UDP are no longer.
const LONGEST: usize = 4096;
/// A name of an answer may refer to another so often.
const MOST_REFERENCES: usize = 32;
/// How far the question follows the head of a message.
const HEAD: usize = 12;

/// Asks the first name server of the system.
pub(super) fn ask(name: &str, kind: &str, time: Duration) -> Result<Vec<String>, String> {
    let Some((_, number)) = KINDS.iter().find(|(known, _)| *known == kind) else {
        return Err(issues::unknown_record(kind));
    };
    let config = std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default();
    let server =
        config.lines().find_map(|line| line.strip_prefix("nameserver")?.trim().parse::<IpAddr>().ok());
    let server = server.ok_or_else(issues::no_name_server)?;
    let question = question(&reversed(name).unwrap_or_else(|| name.to_owned()), *number, std::process::id());
    exchange(&question, server, time)
        .map_err(|error| issues::name_server_failed(server, &error))
        .map(|answer| records(&answer, *number).unwrap_or_default())
}

fn exchange(question: &[u8], server: IpAddr, time: Duration) -> std::io::Result<Vec<u8>> {
    let local = if server.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(local)?;
    socket.set_read_timeout(Some(time.min(Duration::from_secs(5))))?;
    socket.connect(SocketAddr::new(server, 53))?;
    socket.send(question)?;
    let mut answer = vec![0; LONGEST];
    let length = socket.recv(&mut answer)?;
    answer.truncate(length);
    let is_ours = answer.get(..2) == question.get(..2);
    if is_ours { Ok(answer) } else { Err(std::io::ErrorKind::InvalidData.into()) }
}

/// Returns the name under which an address has its names.
fn reversed(address: &str) -> Option<String> {
    Some(match address.parse::<IpAddr>().ok()? {
        IpAddr::V4(address) => {
            let [a, b, c, d] = address.octets();
            format!("{d}.{c}.{b}.{a}.in-addr.arpa")
        }
        IpAddr::V6(address) => {
            let digits =
                address.octets().into_iter().rev().map(|byte| format!("{:x}.{:x}.", byte & 15, byte >> 4));
            format!("{}ip6.arpa", digits.collect::<String>())
        }
    })
}

fn question(name: &str, kind: u16, number: u32) -> Vec<u8> {
    let [.., high, low] = number.to_be_bytes();
    let mut out = vec![high, low];
    // Recursion is wanted; one question, nothing else.
    out.extend([1, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    for label in name.trim_end_matches('.').split('.') {
        let label = label.as_bytes().get(..63).unwrap_or(label.as_bytes());
        out.push(u8::try_from(label.len()).unwrap_or(63));
        out.extend(label);
    }
    out.push(0);
    out.extend(kind.to_be_bytes());
    out.extend(INTERNET.to_be_bytes());
    out
}

/// Reads the records of a kind; nothing if the answer is cut short.
fn records(answer: &[u8], wanted: u16) -> Option<Vec<String>> {
    let (questions, answers) = (number(answer, 4)?, number(answer, 6)?);
    let mut at = HEAD;
    for _ in 0..questions {
        at = name(answer, at)?.1 + 4;
    }
    let mut found = Vec::new();
    for _ in 0..answers {
        at = name(answer, at)?.1;
        let (kind, length) = (number(answer, at)?, usize::from(number(answer, at + 8)?));
        at += 10;
        if kind == wanted {
            found.push(record(answer, at, length, kind)?);
        }
        at += length;
    }
    Some(found)
}

fn record(answer: &[u8], at: usize, length: usize, kind: u16) -> Option<String> {
    let bytes = answer.get(at..at + length)?;
    Some(match kind {
        1 => IpAddr::from(<[u8; 4]>::try_from(bytes).ok()?).to_string(),
        28 => IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?).to_string(),
        15 => format!("{} {}", number(answer, at)?, name(answer, at + 2)?.0),
        33 => {
            let numbers = [number(answer, at)?, number(answer, at + 2)?, number(answer, at + 4)?];
            format!("{} {} {} {}", numbers[0], numbers[1], numbers[2], name(answer, at + 6)?.0)
        }
        16 => texts(bytes)?,
        _ => name(answer, at)?.0,
    })
}

/// The texts of a record, each after its length, joined.
fn texts(bytes: &[u8]) -> Option<String> {
    let (mut at, mut all) = (0, Vec::new());
    while let Some(length) = bytes.get(at) {
        let end = at + 1 + usize::from(*length);
        all.extend_from_slice(bytes.get(at + 1..end)?);
        at = end;
    }
    Some(String::from_utf8_lossy(&all).into_owned())
}

fn number(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]))
}

/// Reads a name, which may go on elsewhere; returns it and where what follows it begins.
fn name(bytes: &[u8], start: usize) -> Option<(String, usize)> {
    let (mut labels, mut at, mut end) = (Vec::new(), start, None);
    for _ in 0..MOST_REFERENCES * 8 {
        let length = usize::from(*bytes.get(at)?);
        if length == 0 {
            return Some((labels.join("."), end.unwrap_or(at + 1)));
        }
        if length >= 192 {
            end = end.or(Some(at + 2));
            at = usize::from(number(bytes, at)? & 0x3fff);
            continue;
        }
        labels.push(String::from_utf8_lossy(bytes.get(at + 1..at + 1 + length)?).into_owned());
        at += 1 + length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An answer to a question, with these records behind it.
    fn answered(kind: u16, data: &[&[u8]]) -> Vec<u8> {
        let mut out = question("a.example", kind, 7);
        out[7] = u8::try_from(data.len()).expect("few");
        for data in data {
            // The name refers to that of the question.
            out.extend([0xc0, 12]);
            out.extend(kind.to_be_bytes());
            out.extend([0, 1, 0, 0, 0, 60]);
            out.extend(u16::try_from(data.len()).expect("short").to_be_bytes());
            out.extend(*data);
        }
        out
    }

    #[test]
    fn records_are_read() {
        let found = |kind, data: &[&[u8]]| records(&answered(kind, data), kind);
        assert_eq!(found(16, &[b"\x03v=1\x02xy"]), Some(vec!["v=1xy".to_owned()]));
        assert_eq!(found(15, &[b"\x00\x0a\x04mail\xc0\x0c"]), Some(vec!["10 mail.a.example".to_owned()]));
        assert_eq!(
            found(12, &[b"\x01b\xc0\x0e", b"\x01c\x00"]),
            Some(vec!["b.example".to_owned(), "c".to_owned()])
        );
        assert_eq!(found(33, &[b"\x00\x01\x00\x02\x00\x50\x01s\x00"]), Some(vec!["1 2 80 s".to_owned()]));
        assert_eq!(found(1, &[&[192, 0, 2, 1]]), Some(vec!["192.0.2.1".to_owned()]));
    }

    #[test]
    fn broken_answers_are_none() {
        let mut looped = answered(12, &[b"\xc0\x1b"]);
        let end = looped.len();
        for cut in 0..end {
            let _ = records(&looped[..cut], 12);
        }
        looped[end - 1] = u8::try_from(end - 2).expect("short");
        assert_eq!(records(&looped, 12), None);
    }

    #[test]
    fn addresses_are_turned_round() {
        assert_eq!(reversed("192.0.2.1").as_deref(), Some("1.2.0.192.in-addr.arpa"));
        let six = reversed("2001:db8::1").expect("an address");
        assert!(six.starts_with("1.0.0.0.") && six.ends_with("8.b.d.0.1.0.0.2.ip6.arpa"), "{six}");
        assert_eq!(reversed("name.example"), None);
    }
}
