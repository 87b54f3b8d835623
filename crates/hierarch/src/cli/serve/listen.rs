//! Where the server listens.

use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;

use hierarch_serve::Listener;

use super::super::failure::Failure;
use crate::cli::issues;

/// An address, or a socket of this machine.
pub(super) enum Address {
    Tcp {
        name: Option<String>,
        address: SocketAddr,
    },
    #[cfg(unix)]
    Unix(PathBuf),
}

impl Address {
    /// Reads `ADDR:PORT` or `unix:PATH`.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        #[cfg(unix)]
        if let Some(path) = text.strip_prefix("unix:") {
            return Ok(Self::Unix(PathBuf::from(path)));
        }
        if let Ok(address) = text.parse() {
            return Ok(Self::Tcp { name: None, address });
        }
        let bad = || issues::bad_address(text);
        let name = text.rsplit_once(':').map(|(name, _)| name.to_owned()).filter(|name| !name.is_empty());
        let address = text.to_socket_addrs().ok().and_then(|mut list| list.next()).ok_or_else(bad)?;
        Ok(Self::Tcp { name, address })
    }

    /// Tells whether nobody but this machine can reach it.
    pub(super) fn is_local(&self) -> bool {
        match self {
            Self::Tcp { address, .. } => address.ip().is_loopback(),
            #[cfg(unix)]
            Self::Unix(_) => true,
        }
    }

    /// Returns the address.
    pub(super) fn ip(&self) -> Option<IpAddr> {
        match self {
            Self::Tcp { address, .. } => Some(address.ip()),
            #[cfg(unix)]
            Self::Unix(_) => None,
        }
    }

    /// Returns the name that it was given by.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Self::Tcp { name, .. } => name.clone(),
            #[cfg(unix)]
            Self::Unix(_) => None,
        }
    }

    /// Starts to listen.
    pub(super) fn listen(&self) -> Result<Listener, Failure> {
        match self {
            Self::Tcp { address, .. } => {
                let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
                    std::io::ErrorKind::AddrInUse => in_use(*address),
                    _ => issues::cannot_listen(*address, &error),
                })?;
                Ok(Listener::Tcp(listener))
            }
            #[cfg(unix)]
            Self::Unix(path) => {
                // What a server that was killed left behind is nobody's.
                if std::os::unix::net::UnixStream::connect(path).is_err() {
                    self.remove();
                }
                let listener = std::os::unix::net::UnixListener::bind(path);
                listener.map(Listener::Unix).map_err(|error| Failure::io("listen on", path, &error))
            }
        }
    }

    /// Removes the socket.
    pub(super) fn remove(&self) {
        #[cfg(unix)]
        if let Self::Unix(path) = self
            && std::fs::symlink_metadata(path)
                .is_ok_and(|known| std::os::unix::fs::FileTypeExt::is_socket(&known.file_type()))
        {
            // If it cannot be removed, the next server says so.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Returns the address as a browser takes it.
    pub(super) fn shown(&self, scheme: &str, listener: &Listener) -> String {
        match (self, listener) {
            (Self::Tcp { name, address }, Listener::Tcp(listener)) => {
                // Port 0 means any that is free.
                let address = listener.local_addr().unwrap_or(*address);
                match name {
                    Some(name) => format!("{scheme}://{name}:{}", address.port()),
                    None => format!("{scheme}://{address}"),
                }
            }
            #[cfg(unix)]
            (Self::Unix(path), _) => format!("unix:{}", path.display()),
            #[cfg(unix)]
            (Self::Tcp { address, .. }, Listener::Unix(_)) => address.to_string(),
        }
    }
}

fn in_use(address: SocketAddr) -> Failure {
    let by = listener_of(address.port()).map(|name| format!(" by {name}")).unwrap_or_default();
    issues::address_in_use(address, &by)
}

/// Finds out who listens on a port, where the system tells.
fn listener_of(port: u16) -> Option<String> {
    let tables =
        ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let sockets: Vec<String> = tables
        .iter()
        .flat_map(|table| table.lines().skip(1))
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (_, own) = fields.get(1)?.rsplit_once(':')?;
            let listens = *fields.get(3)? == "0A" && u16::from_str_radix(own, 16) == Ok(port);
            listens.then(|| format!("socket:[{}]", fields.get(9).copied().unwrap_or_default()))
        })
        .collect();
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        // `self` is another name of one of them.
        if !process.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit) {
            continue;
        }
        let folder = process.path();
        for entry in std::fs::read_dir(folder.join("fd")).into_iter().flatten().flatten() {
            let target = std::fs::read_link(entry.path()).unwrap_or_default();
            if sockets.iter().any(|socket| target.as_os_str() == socket.as_str()) {
                let name = std::fs::read_to_string(folder.join("comm")).unwrap_or_default();
                return Some(format!("{} (process {})", name.trim(), process.file_name().display()));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let shown = |text: &str| {
            Address::parse(text).map(|address| (address.is_local(), address.ip(), address.name()))
        };
        assert!(matches!(shown("127.0.0.1:0"), Ok((true, Some(_), None))));
        assert!(matches!(shown("[::1]:80"), Ok((true, Some(_), None))));
        assert!(matches!(shown("0.0.0.0:80"), Ok((false, Some(_), None))));
        assert!(matches!(shown("unix:/run/h"), Ok((true, None, None))));
        assert!(shown("8480").is_err() && shown("127.0.0.1").is_err());
    }

    #[test]
    fn whoever_has_a_port_is_named() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let name = listener_of(address.port());
        assert!(name.is_none_or(|name| name.contains(&format!("process {}", std::process::id()))));
    }
}
