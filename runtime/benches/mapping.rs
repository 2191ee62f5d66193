//! From the bytes of an answer to hits: reading, mapping, and the bare parse they are measured against.

#[path = "../../benches/support/payloads.rs"]
mod payloads;

use std::path::PathBuf;

use divan::Bencher;
use divan::counter::BytesCount;
use kontext_plan::Format;
use kontext_plan::result::HitsMap;
use kontext_runtime::mapping::Mapper;
use kontext_runtime::payload;
use kontext_runtime::value::{Facts, Scope};
use serde_json::{Map, Value};

fn main() {
    divan::main();
}

/// What a megabyte is made of.
#[derive(Debug, Clone, Copy)]
enum Made {
    Documents,
    Names,
}

const BOTH: [Made; 2] = [Made::Documents, Made::Names];

impl Made {
    fn bytes(self) -> Vec<u8> {
        match self {
            Made::Documents => payloads::documents(),
            Made::Names => payloads::names(),
        }
    }
}

#[divan::bench(args = BOTH)]
fn bare_parse(bencher: Bencher<'_, '_>, made: Made) {
    let bytes = made.bytes();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| serde_json::from_slice::<Value>(&bytes));
}

#[divan::bench(args = BOTH)]
fn read(bencher: Bencher<'_, '_>, made: Made) {
    let bytes = made.bytes();
    bencher.counter(BytesCount::of_slice(&bytes)).bench(|| payload::read(&bytes, Format::Json));
}

#[divan::bench(args = BOTH)]
fn map_automatic(bencher: Bencher<'_, '_>, made: Made) {
    map(bencher, made, payloads::automatic());
}

#[divan::bench(args = BOTH)]
fn map_written(bencher: Bencher<'_, '_>, made: Made) {
    map(bencher, made, payloads::written());
}

#[divan::bench(args = BOTH)]
fn map_searched(bencher: Bencher<'_, '_>, made: Made) {
    map(bencher, made, payloads::searched());
}

/// Maps a payload that was read before; a fixture that is wrong measures nothing.
fn map(bencher: Bencher<'_, '_>, made: Made, map: Result<HitsMap, serde_json::Error>) {
    let bytes = made.bytes();
    let (Ok(adapter), Ok(map), Ok(payload)) = (payloads::adapter(), map, payload::read(&bytes, Format::Json))
    else {
        return;
    };
    let (facts, inputs) = (Facts::new(PathBuf::from("/")), Map::new());
    let scope = Scope::new("notes", &adapter, &facts, &inputs);
    let Ok(mapper) = Mapper::new(&map) else { return };
    bencher
        .counter(BytesCount::of_slice(&bytes))
        .bench(|| mapper.hits(&payload.value, "notes", &scope).map(|mapped| mapped.hits.len()));
}
