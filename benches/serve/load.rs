//! Many clients at once over HTTP: whether a call is lost, how many a second there are, and how long they take.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use crate::Fallible;
use crate::http::Client;
use crate::peer::{Peer, Place, Serving};
use crate::started::resident;
use crate::upstream::{TOOLS, UPSTREAMS};

/// Clients at once.
pub const CLIENTS: usize = 8;
/// How long a server may take until it has all tools.
const PATIENCE: Duration = Duration::from_secs(60);
/// The names of the columns.
pub const HEAD: [&str; 8] = ["server", "calls", "lost", "calls a second", "p50", "p90", "p99", "memory"];

/// A line of the table.
///
/// # Errors
/// When the server cannot be started.
pub fn row(peer: &Peer, place: &Place) -> Fallible<[String; 8]> {
    let calls = if matches!(peer, Peer::Kontext) { 1_000 } else { 250 };
    let serving = peer.http(place)?;
    let tools = tools(&serving)?;
    let barrier = Barrier::new(CLIENTS);
    let begin = Instant::now();
    let results: Vec<Vec<Option<Duration>>> = std::thread::scope(|scope| {
        let client = |number: usize| {
            let (tools, barrier, serving) = (&tools, &barrier, &serving);
            move || one(serving, tools, number, calls, barrier)
        };
        let threads: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(client(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let took = begin.elapsed();
    let mut times: Vec<Duration> = results.into_iter().flatten().flatten().collect();
    times.sort_unstable();
    let lost = CLIENTS * calls - times.len();
    let at = |hundredth: usize| {
        let time = times.get(times.len() * hundredth / 100).copied().unwrap_or_default();
        format!("{:.2} ms", time.as_secs_f64() * 1e3)
    };
    Ok([
        peer.name().to_owned(),
        (CLIENTS * calls).to_string(),
        lost.to_string(),
        format!("{:.0}", times.len() as f64 / took.as_secs_f64()),
        at(50),
        at(90),
        at(99),
        format!("{:.1} MB", resident(serving.pid()) as f64 / 1024.0),
    ])
}

/// A tool of each upstream, each called once so that the upstreams are there.
fn tools(serving: &Serving) -> Fallible<Vec<String>> {
    let begin = Instant::now();
    let mut client = loop {
        let opened = Client::open(serving.port, serving.path);
        match opened.and_then(|mut client| client.tools().map(|tools| (client, tools))) {
            Ok((client, tools)) if tools.len() >= TOOLS => break client,
            Err(error) if begin.elapsed() > PATIENCE => return Err(error),
            Ok(_) | Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let all = client.tools()?;
    let of = |name: &str| all.iter().find(|tool| tool.contains(&format!("{name}_say_"))).cloned();
    let tools: Vec<String> = UPSTREAMS.iter().filter_map(|(name, _)| of(name)).collect();
    for (id, tool) in (2..).zip(&tools) {
        client.say(id, tool, "first")?;
    }
    Ok(tools)
}

/// One client's calls: the time of each, none for one that was lost.
fn one(
    serving: &Serving,
    tools: &[String],
    number: usize,
    calls: usize,
    barrier: &Barrier,
) -> Vec<Option<Duration>> {
    let mut client = Client::open(serving.port, serving.path);
    barrier.wait();
    (0..calls)
        .map(|call| {
            let open = client.as_mut().ok()?;
            let tool = tools.get((number + call) % tools.len())?;
            let begin = Instant::now();
            let said = open.say(call as u64 + 10, tool, &format!("call {call} of client {number}"));
            if let Err(error) = said {
                eprintln!("lost: {error}");
                client = Client::open(serving.port, serving.path);
                return None;
            }
            Some(begin.elapsed())
        })
        .collect()
}
