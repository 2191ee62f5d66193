//! `kontext run --http` as a process: started on a free port, waited for, ended with the value.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::Place;
use crate::sandbox::program;

/// How long it may take to end when it is asked to.
const END: Duration = Duration::from_secs(30);

/// A running server.
pub struct Serving {
    child: Child,
    url: String,
}

impl Serving {
    /// Serves the plan of a place.
    pub fn start(place: &Place) -> Serving {
        let mut command = place.command(program());
        command.args(["run", "--http", "127.0.0.1:0"]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let url = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        assert!(url.starts_with("http://127.0.0.1:") && url.ends_with("/mcp"), "{line}");
        // What it says further must not fill the pipe.
        std::thread::spawn(move || said.read_to_end(&mut Vec::new()));
        Serving { child, url }
    }

    /// Its endpoint.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Serving {
    /// Asked first, so that the servers behind it end with it.
    fn drop(&mut self) {
        let process = Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        let _ = kill(process, Signal::SIGTERM);
        let asked = Instant::now();
        while asked.elapsed() < END {
            if self.child.try_wait().is_ok_and(|ended| ended.is_some()) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
