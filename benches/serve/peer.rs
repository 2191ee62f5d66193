//! The servers that are compared, and the place with their configurations: three upstreams that are this very program.

use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use crate::Fallible;
use crate::sandbox::Sandbox;
use crate::upstream::{UPSTREAMS, words};

/// How long a server may take to end by itself.
const END: Duration = Duration::from_secs(5);

/// A server that can be measured.
#[derive(Debug, Clone)]
pub enum Peer {
    /// Ours.
    Kontext,
    /// PyPI's, by its program.
    Fastmcp(PathBuf),
    /// The crate's, by its program; it speaks HTTP alone.
    McpProxy(PathBuf),
}

impl Peer {
    /// Those that are here; of the others it is told how they would be.
    pub fn all() -> Vec<Peer> {
        let named = |variable: &str| match std::env::var_os(variable) {
            Some(path) if Path::new(&path).is_file() => Some(PathBuf::from(path)),
            Some(path) => {
                println!("{variable} is {}, and that is no file\n", Path::new(&path).display());
                None
            }
            None => {
                println!("{variable} is not set: that peer is not measured\n");
                None
            }
        };
        let others = [
            named("KONTEXT_PEER_FASTMCP").map(Peer::Fastmcp),
            named("KONTEXT_PEER_MCP_PROXY").map(Peer::McpProxy),
        ];
        std::iter::once(Peer::Kontext).chain(others.into_iter().flatten()).collect()
    }

    /// What the table calls it.
    pub fn name(&self) -> &'static str {
        match self {
            Peer::Kontext => "kontext",
            Peer::Fastmcp(_) => "fastmcp's proxy (PyPI)",
            Peer::McpProxy(_) => "mcp-proxy (crate)",
        }
    }

    /// How often its start is measured.
    pub fn rounds(&self) -> usize {
        if matches!(self, Peer::Kontext) { 31 } else { 5 }
    }

    /// The server over standard input and output; none for one that has no such form.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn stdio(&self, place: &Place) -> Fallible<Option<Child>> {
        let mut command = match self {
            Peer::Kontext => place.sandbox.command(&["run"]),
            Peer::Fastmcp(program) => place.fastmcp(program, &["--transport", "stdio"]),
            Peer::McpProxy(_) => return Ok(None),
        };
        Ok(Some(command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?))
    }

    /// The server over HTTP, which may not listen yet.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn http(&self, place: &Place) -> Fallible<Serving> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let address = format!("127.0.0.1:{port}");
        let (mut command, path) = match self {
            Peer::Kontext => (place.sandbox.command(&["run", "--http", &address]), "/mcp"),
            Peer::Fastmcp(program) => {
                (place.fastmcp(program, &["--transport", "http", "--port", &port.to_string()]), "/mcp")
            }
            Peer::McpProxy(program) => {
                let mut command = Command::new(program);
                command.arg("--config").arg(place.proxy(port)?);
                (command, "/")
            }
        };
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Ok(Serving { child: command.spawn()?, port, path })
    }
}

/// A server over HTTP; dropped, it ends.
pub struct Serving {
    child: Child,
    /// Where it listens, or will.
    pub port: u16,
    /// Its endpoint.
    pub path: &'static str,
}

impl Serving {
    /// The process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let pid = i32::try_from(self.child.id()).unwrap_or_default();
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGTERM);
        end(&mut self.child);
    }
}

/// Waits for a process that was asked to end, and makes it.
pub fn end(child: &mut Child) {
    let asked = Instant::now();
    while asked.elapsed() < END {
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// A repository with three pinned upstreams, and the same upstreams as the others are told of them.
pub struct Place {
    sandbox: Sandbox,
    program: String,
    boot: Duration,
}

impl Place {
    /// With upstreams that take this long until they answer.
    ///
    /// # Errors
    /// When kontext does not compile it.
    pub fn new(boot: Duration) -> Fallible<Place> {
        let program = std::env::current_exe()?.display().to_string();
        let adapter = |(name, tools): &(&str, usize)| {
            let command =
                json!(std::iter::once(program.clone()).chain(words(name, *tools, boot)).collect::<Vec<_>>());
            format!("[adapters.{name}]\ndriver = \"mcp\"\ncommand = {command}\nexpose = \"all\"\n")
        };
        let sandbox = Sandbox::new("", &UPSTREAMS.iter().map(adapter).collect::<String>())?;
        for words in [&["lock"][..], &["build"]] {
            if sandbox.kontext(words) != Some(0) {
                return Err(format!("`kontext {}` fails", words.join(" ")).into());
            }
        }
        Ok(Place { sandbox, program, boot })
    }

    /// With upstreams that are asked by one search and answer after these times.
    ///
    /// # Errors
    /// When kontext does not compile it.
    pub fn searching(boots: [Duration; 3]) -> Fallible<Place> {
        let program = std::env::current_exe()?.display().to_string();
        let adapter = |((name, tools), boot): (&(&str, usize), Duration)| {
            let command =
                json!(std::iter::once(program.clone()).chain(words(name, *tools, boot)).collect::<Vec<_>>());
            let op = format!("{{ tool = \"{name}_say_0\", args = {{ text = \"{{{{query}}}}\" }} }}");
            format!("[adapters.{name}]\ndriver = \"mcp\"\ncommand = {command}\nops.search = {op}\n")
        };
        let sandbox = Sandbox::new("", &UPSTREAMS.iter().zip(boots).map(adapter).collect::<String>())?;
        if sandbox.kontext(&["build"]) != Some(0) {
            return Err("`kontext build` fails".into());
        }
        Ok(Place { sandbox, program, boot: Duration::ZERO })
    }

    /// Asks all three.
    ///
    /// # Errors
    /// When one does not answer.
    pub fn search(&self, query: &str) -> Fallible<()> {
        let output = self.sandbox.command(&["run", "search", query]).stdin(Stdio::null()).output()?;
        let answer: Value = serde_json::from_slice(&output.stdout)?;
        let hits = answer["hits"].as_array().map(Vec::len);
        if hits == Some(UPSTREAMS.len()) { Ok(()) } else { Err(answer.to_string().into()) }
    }

    /// The first upstream itself.
    pub fn straight(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words(UPSTREAMS[0].0, UPSTREAMS[0].1, self.boot));
        command
    }

    /// The same behind one hop.
    pub fn hop(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(crate::hop::WORD).arg(&self.program);
        command.args(words(UPSTREAMS[0].0, UPSTREAMS[0].1, self.boot));
        command
    }

    /// The same behind kontext.
    pub fn kontext(&self) -> Command {
        self.sandbox.command(&["run"])
    }

    fn fastmcp(&self, program: &Path, more: &[&str]) -> Command {
        let server = |(name, tools): &(&str, usize)| {
            ((*name).to_owned(), json!({ "command": self.program, "args": words(name, *tools, self.boot) }))
        };
        let servers: Map<String, Value> = UPSTREAMS.iter().map(server).collect();
        let file = self.sandbox.home().join("mcp.json");
        let _ = fs_err::write(&file, json!({ "mcpServers": servers }).to_string());
        let mut command = Command::new(program);
        command.arg("run").arg(file).args(["--no-banner", "--log-level", "ERROR"]).args(more);
        command
    }

    fn proxy(&self, port: u16) -> Fallible<PathBuf> {
        let backend = |(name, tools): &(&str, usize)| {
            let args = json!(words(name, *tools, self.boot));
            let command = json!(self.program);
            format!(
                "[[backends]]\nname = \"{name}\"\ntransport = \"stdio\"\ncommand = {command}\nargs = {args}\n"
            )
        };
        let backends: String = UPSTREAMS.iter().map(backend).collect();
        let head = "[proxy]\nname = \"bench\"\nseparator = \"/\"\n[proxy.listen]\nhost = \"127.0.0.1\"\n";
        let file = self.sandbox.home().join("proxy.toml");
        fs_err::write(&file, format!("{head}port = {port}\n{backends}"))?;
        Ok(file)
    }
}
