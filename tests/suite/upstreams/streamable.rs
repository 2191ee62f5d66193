//! A server of npm that speaks MCP over HTTP, as a process: started on a free port, waited for, ended with the value.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::upstreams;

/// How long it may take until it listens.
const START: Duration = Duration::from_secs(60);
/// How often another port is tried when one was taken in between.
const TRIES: usize = 5;

/// A running server.
pub struct Streamable {
    child: Child,
    port: u16,
}

impl Streamable {
    /// Starts a package of `@modelcontextprotocol`.
    pub fn start(package: &str) -> Streamable {
        let started = (0..TRIES).find_map(|_| Streamable::try_start(package));
        started.unwrap_or_else(|| panic!("{package} does not start"))
    }

    fn try_start(package: &str) -> Option<Streamable> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let script =
            upstreams().join("node_modules/@modelcontextprotocol").join(package).join("dist/index.js");
        let mut command = Command::new("node");
        command.arg(script).arg("streamableHttp").env_clear().env("PORT", port.to_string());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Streamable { child: command.spawn().expect("node must be on PATH"), port };
        let begin = Instant::now();
        while begin.elapsed() < START && server.child.try_wait().unwrap().is_none() {
            if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
                return Some(server);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        None
    }

    /// Its endpoint.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }
}

impl Drop for Streamable {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
