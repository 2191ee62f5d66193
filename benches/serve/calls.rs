//! One call after the other over standard input and output: straight to the upstream, through one hop of rmcp, and
//! through kontext. And a question to three upstreams that start slowly, one more so than the other.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::Fallible;
use crate::peer::Place;
use crate::stdio::Client;

/// Calls of each, in rounds that take turns.
const CALLS: usize = 3_000;
const ROUNDS: usize = 30;
/// The names of the columns.
pub const HEAD: [&str; 4] = ["a call over stdio", "p50", "more than straight", "p99"];
/// When the three slow upstreams answer.
pub const BOOTS: [Duration; 3] =
    [Duration::from_millis(300), Duration::from_millis(600), Duration::from_millis(900)];

/// The lines of the table.
///
/// # Errors
/// When a server does not answer.
pub fn rows(place: &Place) -> Fallible<Vec<[String; 4]>> {
    let commands = [
        ("straight to the upstream", place.straight()),
        ("through one hop of rmcp", place.hop()),
        ("through kontext", place.kontext()),
    ];
    let mut clients = Vec::new();
    for (name, mut command) in commands {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut client = Client::open(command.spawn()?)?;
        client.say(1, "first")?;
        clients.push((name, client, Vec::with_capacity(CALLS)));
    }
    for round in 0..ROUNDS {
        for (_, client, times) in &mut clients {
            for call in 0..CALLS / ROUNDS {
                let id = u64::try_from(2 + round * CALLS + call)?;
                let begin = Instant::now();
                client.say(id, "words")?;
                times.push(begin.elapsed());
            }
        }
    }
    let mut straight = None;
    let row = |(name, _, mut times): (&str, Client, Vec<Duration>)| {
        times.sort_unstable();
        let at = |hundredth: usize| times.get(times.len() * hundredth / 100).copied().unwrap_or_default();
        let more = at(50).saturating_sub(*straight.get_or_insert(at(50)));
        let shown = |time: Duration| format!("{:.0} µs", time.as_secs_f64() * 1e6);
        [name.to_owned(), shown(at(50)), shown(more), shown(at(99))]
    };
    Ok(clients.into_iter().map(row).collect())
}

/// How long one question takes to three upstreams that start slowly.
///
/// # Errors
/// When kontext does not compile the place, or the question fails.
pub fn slow_start() -> Fallible<Duration> {
    let place = Place::searching(BOOTS)?;
    let begin = Instant::now();
    place.search("words")?;
    Ok(begin.elapsed())
}
