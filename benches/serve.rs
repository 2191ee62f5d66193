//! kontext as a server of tools beside other proxies, in one run: `cargo bench --bench serve`. From the start of the
//! process to the list of 100 pinned tools of three upstreams, the memory that takes, and eight clients at once over
//! HTTP. It prints a table and always ends well; people decide what a miss means.
//!
//! The others are named by environment variables, and told when they are not: `KONTEXT_PEER_FASTMCP` is the `fastmcp`
//! program of PyPI's package, `KONTEXT_PEER_MCP_PROXY` the `mcp-proxy` program of the crate.

#![allow(
    clippy::indexing_slicing,
    clippy::cast_precision_loss,
    reason = "a member that JSON lacks is null, and figures are rounded for people"
)]

#[path = "serve/calls.rs"]
mod calls;
#[path = "serve/hop.rs"]
mod hop;
#[path = "serve/http.rs"]
mod http;
#[path = "serve/load.rs"]
mod load;
#[path = "serve/message.rs"]
mod message;
#[path = "serve/peer.rs"]
mod peer;
#[path = "support/sandbox.rs"]
mod sandbox;
#[path = "serve/started.rs"]
mod started;
#[path = "serve/stdio.rs"]
mod stdio;
#[path = "serve/upstream.rs"]
mod upstream;

use std::time::Duration;

use peer::{Peer, Place};

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// How long the slow upstreams take until they say anything.
const SLOW: Duration = Duration::from_secs(2);

fn main() -> Fallible<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("upstream", rest)) => return upstream::serve(rest),
        Some((hop::WORD, rest)) => return hop::serve(rest),
        _ => {}
    }
    if !words.iter().any(|word| word == "--bench") {
        println!("nothing is measured without optimisation: run `cargo bench --bench serve`");
        return Ok(());
    }
    let peers = Peer::all();
    println!("From the start of the process to the list of {} tools of three upstreams:\n", upstream::TOOLS);
    let fast = Place::new(Duration::ZERO)?;
    let mut table = vec![started::Figures::HEAD.map(str::to_owned)];
    for peer in &peers {
        table.push(started::row(peer, &fast, "at once")?);
    }
    let slow = Place::new(SLOW)?;
    for peer in &peers {
        table.push(started::row(peer, &slow, "after 2 s")?);
    }
    print!("{}", shown(&table));
    println!("\n{} clients at once over HTTP, calls of all three upstreams:\n", load::CLIENTS);
    let mut table = vec![load::HEAD.map(str::to_owned)];
    for peer in &peers {
        table.push(load::row(peer, &fast)?);
    }
    print!("{}", shown(&table));
    let mut table = vec![calls::HEAD.map(str::to_owned)];
    table.extend(calls::rows(&fast)?);
    print!("\n{}", shown(&table));
    let slowest = calls::BOOTS.into_iter().max().unwrap_or_default();
    println!(
        "\n`run search` over three upstreams that answer after {:?}: {:.0?}; the slowest takes {slowest:?}",
        calls::BOOTS,
        calls::slow_start()?
    );
    if let Ok(load) = fs_err::read_to_string("/proc/loadavg") {
        println!("load of the machine at the end (the figures want a quiet one): {}", load.trim());
    }
    Ok(())
}

/// Rows as a Markdown table.
fn shown<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(widths) {
            text.push_str(&format!("| {cell:width$} "));
        }
        text.push_str("|\n");
        if number == 0 {
            text.push_str(&widths.map(|width| format!("|{}", "-".repeat(width + 2))).concat());
            text.push_str("|\n");
        }
    }
    text
}
