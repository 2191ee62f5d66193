//! From the start of a process to the list of its tools, and the memory it has then.

use std::time::{Duration, Instant};

use crate::peer::{Peer, Place};
use crate::upstream::TOOLS;
use crate::{Fallible, http, stdio};

/// How long a server may take until it listens.
const PATIENCE: Duration = Duration::from_secs(60);

/// What was measured of one start.
pub struct Figures {
    time: Duration,
    resident: u64,
}

impl Figures {
    /// The names of the columns.
    pub const HEAD: [&str; 5] = ["server", "upstreams answer", "stdio", "HTTP", "memory (stdio, else HTTP)"];
}

/// A line of the table: medians.
///
/// # Errors
/// When a server cannot be started.
pub fn row(peer: &Peer, place: &Place, upstreams: &str) -> Fallible<[String; 5]> {
    let many = |one: &dyn Fn() -> Fallible<Option<Figures>>| -> Fallible<Option<Figures>> {
        let mut all = Vec::new();
        for _ in 0..peer.rounds() {
            match one()? {
                Some(figures) => all.push(figures),
                None => return Ok(None),
            }
        }
        all.sort_unstable_by_key(|figures| figures.time);
        let middle = all.len() / 2;
        Ok(all.into_iter().nth(middle))
    };
    let (piped, listening) = (many(&|| over_stdio(peer, place))?, many(&|| over_http(peer, place))?);
    let time = |figures: &Option<Figures>| {
        figures
            .as_ref()
            .map_or("–".to_owned(), |figures| format!("{:.2} ms", figures.time.as_secs_f64() * 1e3))
    };
    let memory = piped.as_ref().or(listening.as_ref()).map_or(0, |figures| figures.resident);
    Ok([
        peer.name().to_owned(),
        upstreams.to_owned(),
        time(&piped),
        time(&listening),
        format!("{:.1} MB", memory as f64 / 1024.0),
    ])
}

fn over_stdio(peer: &Peer, place: &Place) -> Fallible<Option<Figures>> {
    let begin = Instant::now();
    let Some(child) = peer.stdio(place)? else { return Ok(None) };
    let mut client = stdio::Client::open(child)?;
    let tools = client.tools()?;
    let time = begin.elapsed();
    all(peer, tools.len())?;
    Ok(Some(Figures { time, resident: resident(client.pid()) }))
}

fn over_http(peer: &Peer, place: &Place) -> Fallible<Option<Figures>> {
    let begin = Instant::now();
    let serving = peer.http(place)?;
    let tools = loop {
        match http::Client::open(serving.port, serving.path).and_then(|mut client| client.tools()) {
            Ok(tools) if tools.len() >= TOOLS => break tools,
            Err(error) if begin.elapsed() > PATIENCE => return Err(error),
            Ok(_) | Err(_) => std::thread::sleep(Duration::from_micros(200)),
        }
    };
    let time = begin.elapsed();
    all(peer, tools.len())?;
    Ok(Some(Figures { time, resident: resident(serving.pid()) }))
}

/// Others may have tools of their own besides.
fn all(peer: &Peer, tools: usize) -> Fallible<()> {
    if tools < TOOLS { Err(format!("{} lists {tools} tools of {TOOLS}", peer.name()).into()) } else { Ok(()) }
}

/// Memory of a process, in KiB.
pub fn resident(pid: u32) -> u64 {
    let status = fs_err::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
}
