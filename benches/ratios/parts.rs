//! The parts: one template, one path, one payload, one plan.

use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use kontext_compiler::{Options, compile};
use kontext_grammar::{path, template};
use kontext_plan::Format;
use kontext_plan::result::HitsMap;
use kontext_runtime::mapping::Mapper;
use kontext_runtime::payload;
use kontext_runtime::value::{Facts, Scope};
use serde_json::{Map, Value};

use crate::configs;
use crate::measure::{Budget, Clock, Row, pair};
use crate::payloads;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// How often a small thing is done for one measurement.
const ITEMS: u32 = 10_000;
const ROUNDS: usize = 31;
/// A payload is mapped in at most this much of the time its parsing takes.
const MAPPING: Budget = Budget::Times(1.3);

/// The rows of parts.
///
/// # Errors
/// When a fixture of the bench is wrong.
pub fn rows() -> Fallible<Vec<Row>> {
    let (documents, names) = (payloads::documents(), payloads::names());
    Ok(vec![
        one(
            "a template, common",
            "{{env.NOTES_URL|default:http://localhost:1933}}/spaces/{{vars.space}}",
            |text| {
                drop(black_box(template::parse(text)));
            },
        ),
        one(
            "a template with quotes",
            "{{env.NOTES_URL|default:'http://localhost:1933'}}/spaces/{{vars.space}}",
            |text| {
                drop(black_box(template::parse(text)));
            },
        ),
        one("a path", "data.results[*].title|name", |text| drop(black_box(path::parse(text)))),
        mapping("mapping 1 MB of documents, parse included", &documents, &payloads::automatic()?, MAPPING)?,
        mapping("the same with a map of paths and a template", &documents, &payloads::written()?, MAPPING)?,
        mapping("the same with a regular expression", &documents, &payloads::searched()?, Budget::None)?,
        mapping("mapping 17,000 items of 57 bytes", &names, &payloads::automatic()?, Budget::None)?,
        plan_load()?,
    ])
}

/// A small thing, beside a copy of its text.
fn one(what: &str, text: &str, mut read: impl FnMut(&str)) -> Row {
    let ours = || (0..ITEMS).for_each(|_| read(black_box(text)));
    let copy = || (0..ITEMS).for_each(|_| drop(black_box(black_box(text).to_owned())));
    let (ours, other) = pair(Clock::Thread, ROUNDS, ours, copy);
    let other = Some(("a copy of its text", other / ITEMS));
    Row { what: what.to_owned(), ours: ours / ITEMS, other, budget: Budget::None }
}

fn mapping(what: &str, bytes: &[u8], map: &HitsMap, budget: Budget) -> Fallible<Row> {
    let (adapter, facts, inputs) = (payloads::adapter()?, Facts::new(PathBuf::from("/")), Map::new());
    let scope = Scope::new("notes", &adapter, &facts, &inputs);
    let mapper = Mapper::new(map).map_err(|_| "the map's regular expressions compile")?;
    let ours = || {
        let payload = payload::read(bytes, Format::Json);
        drop(black_box(payload.ok().map(|payload| mapper.hits(&payload.value, "notes", &scope))));
    };
    let parse = || drop(black_box(serde_json::from_slice::<Value>(bytes)));
    let (ours, other) = pair(Clock::Thread, ROUNDS, ours, parse);
    Ok(Row { what: what.to_owned(), ours, other: Some(("bare `from_slice::<Value>`", other)), budget })
}

fn plan_load() -> Fallible<Row> {
    let compilation = compile(&configs::world(&configs::adapters(1_000)), &Options::default());
    let text = kontext_plan::render(&mut compilation.plan.ok_or("the fixture compiles")?)?;
    let ours = || drop(black_box(kontext_plan::parse(&text)));
    let (ours, other) =
        pair(Clock::Thread, 15, ours, || drop(black_box(serde_json::from_str::<Value>(&text))));
    let what = format!("loading a plan of 1,000 adapters, {} KB", text.len() / 1000);
    Ok(Row {
        what,
        ours,
        other: Some(("bare `from_str::<Value>`", other)),
        budget: Budget::Below(Duration::from_millis(100)),
    })
}
