//! Large configurations in process, on one core: how far `check` is from reading the TOML alone, and whether twice the
//! text takes twice the time.

use std::hint::black_box;
use std::time::Duration;

use kontext_compiler::world::MapWorld;
use kontext_compiler::{Options, compile, diagnose};
use toml::de::DeTable;

use crate::configs;
use crate::measure::{Budget, Clock, Row, pair};

const ROUNDS: usize = 7;
const SECOND: Duration = Duration::from_secs(1);
/// Twice the size may take a little more than twice the time: what no longer fits the caches.
const LINEAR: Budget = Budget::Times(2.2);
/// The half of a small text fits them.
const SMALL: Budget = Budget::Times(2.5);

/// The rows of large configurations.
pub fn rows() -> Vec<Row> {
    let (ten, twenty) = (configs::adapters(10_000), configs::adapters(20_000));
    let mut rows = vec![
        beside_toml("`check` of 1 MiB", 15, &configs::of_size(1 << 20), Budget::Times(6.0)),
        beside_toml("`check` of 10,000 adapters, 100,000 templates", ROUNDS, &ten, Budget::Below(SECOND)),
        layers(),
        twice(
            "`check` of 20,000 adapters",
            "10,000",
            [&configs::world(&twenty), &configs::world(&ten)],
            LINEAR,
        ),
        plan(&configs::world(&ten)),
    ];
    let long = |count| configs::world(&one_line(count));
    rows.push(twice("`check` of one line of 2 MB", "1 MB", [&long(40_000), &long(20_000)], SMALL));
    let chains = |count| configs::world(&variables(count));
    rows.push(twice(
        "`check` of 20,000 variables, each used",
        "10,000",
        [&chains(20_000), &chains(10_000)],
        SMALL,
    ));
    rows
}

fn beside_toml(what: &str, rounds: usize, text: &str, budget: Budget) -> Row {
    let world = configs::world(text);
    let (ours, other) =
        pair(Clock::Thread, rounds, || check(&world), || drop(black_box(DeTable::parse(text))));
    Row { what: what.to_owned(), ours, other: Some(("bare `DeTable::parse`", other)), budget }
}

fn layers() -> Row {
    let texts = configs::spread(10_000);
    let world = configs::layered(&texts);
    let toml = || texts.iter().for_each(|text| drop(black_box(DeTable::parse(text))));
    let (ours, other) = pair(Clock::Thread, ROUNDS, || check(&world), toml);
    Row {
        what: "the same, each adapter spread over five layers".to_owned(),
        ours,
        other: Some(("bare `DeTable::parse`", other)),
        budget: Budget::Below(SECOND),
    }
}

fn plan(world: &MapWorld) -> Row {
    let compiled = || drop(black_box(compile(world, &Options::default())));
    let (ours, other) = pair(Clock::Thread, ROUNDS, compiled, || check(world));
    let what = "10,000 adapters to their plan".to_owned();
    Row { what, ours, other: Some(("`check` of them", other)), budget: Budget::Below(SECOND) }
}

fn twice(what: &str, half: &'static str, worlds: [&MapWorld; 2], budget: Budget) -> Row {
    let [all, part] = worlds;
    let (ours, other) = pair(Clock::Thread, ROUNDS, || check(all), || check(part));
    Row { what: what.to_owned(), ours, other: Some((half, other)), budget }
}

fn check(world: &MapWorld) {
    drop(black_box(diagnose(world, &Options::default())));
}

/// A list of arguments, all in one line.
fn one_line(count: usize) -> String {
    let arguments: Vec<String> =
        (0..count).map(|n| format!("\"--option={{{{env.OPTION_{n}|default:é}}}}\"")).collect();
    format!(
        "[adapters.long]\ndriver = \"command\"\n[adapters.long.ops.search]\ncommand = [\"rg\", {}]\n",
        arguments.join(", ")
    )
}

/// Variables, all of which one adapter uses.
fn variables(count: usize) -> String {
    let mut text = "[vars]\n".to_owned();
    for n in 0..count {
        text.push_str(&format!("v{n} = \"{{{{repo.name}}}}-{n}\"\n"));
    }
    text.push_str("[adapters.many]\ndriver = \"command\"\n[adapters.many.ops.search]\ncommand = [\"rg\"");
    for n in 0..count {
        text.push_str(&format!(", \"{{{{vars.v{n}}}}}\""));
    }
    text + "]\n"
}
