//! json-server as a process: started on a free port of this machine, waited for, ended with the value.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// How long it may take until it answers.
const START: Duration = Duration::from_secs(60);
/// How often another port is tried when one was taken in between.
const TRIES: usize = 5;

/// A running server.
pub struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Serves the collections of `data`; its files are kept in `folder`.
    pub fn start(folder: &Path, data: &Value) -> Server {
        let folder = folder.join("server");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("db.json"), data.to_string()).unwrap();
        for _ in 0..TRIES {
            if let Some(server) = Server::try_start(&folder) {
                return server;
            }
        }
        let log = std::fs::read_to_string(folder.join("log")).unwrap_or_default();
        panic!("json-server does not start: {log}");
    }

    fn try_start(folder: &Path) -> Option<Server> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let log = std::fs::File::create(folder.join("log")).unwrap();
        let mut command = Command::new("node");
        command.arg(script()).args(["--host", "127.0.0.1", "--port", &port.to_string(), "db.json"]);
        command.current_dir(folder).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", folder).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let child = command.spawn().expect("node must be on PATH");
        let mut server = Server { child, port };
        let begin = Instant::now();
        while begin.elapsed() < START {
            if server.child.try_wait().unwrap().is_some() {
                return None;
            }
            if server.answers() {
                return Some(server);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        None
    }

    /// Whether a plain request gets an answer that says it is this server's.
    fn answers(&self) -> bool {
        let exchange = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
            stream.set_read_timeout(Some(Duration::from_secs(5)))?;
            stream.write_all(b"GET /db HTTP/1.0\r\nHost: localhost\r\n\r\n")?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        exchange().is_ok_and(|answer| answer.contains("200 OK") && answer.contains("Express"))
    }

    /// `127.0.0.1:PORT`.
    pub fn authority(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The base of its addresses.
    pub fn url(&self) -> String {
        format!("http://{}", self.authority())
    }

    /// Ends it; nothing listens on its port afterwards.
    pub fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn script() -> PathBuf {
    let folder = std::env::var_os("KONTEXT_UPSTREAMS")
        .expect("KONTEXT_UPSTREAMS must name the folder with `node_modules` (see .ci/run)");
    let script = Path::new(&folder).join("node_modules/json-server/lib/cli/bin.js");
    assert!(script.is_file(), "json-server is not installed at {}", script.display());
    script
}
