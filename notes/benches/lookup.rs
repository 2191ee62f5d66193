//! A look-up among 100,000 keys: at most 10 µs, for a workspace deep below its key and for one without any; and what
//! it costs to read and compile such a map.

use divan::{Bencher, black_box};
use kontext_grammar::scope_map::{self, ast::MapKind};
use kontext_notes::path::KeyLine;
use kontext_notes::{Machine, PathTable, Workspace};

fn main() {
    divan::main();
}

fn keys() -> Vec<String> {
    let key = |n: usize| match n % 4 {
        0 => format!("/srv/team-{}/app-{n}", n % 97),
        1 => format!("/srv/team-{}/app-{}/part-{n}", n % 97, n - 1),
        2 => format!("c:\\Work\\Team {}\\app-{n}", n % 89),
        _ => format!("~/notes/{}/{n}", n % 1000),
    };
    (0..100_000).map(key).collect()
}

fn table() -> PathTable {
    compiled(&keys())
}

fn compiled(keys: &[String]) -> PathTable {
    let lines: Vec<KeyLine> =
        keys.iter().zip(1..).map(|(key, line)| KeyLine { key, scope: "scope", line }).collect();
    let (table, problems) = PathTable::compile(&lines);
    assert!(problems.is_empty());
    table
}

#[divan::bench(sample_count = 10)]
fn compile(bencher: Bencher) {
    let keys = keys();
    bencher.bench(|| compiled(black_box(&keys)));
}

#[divan::bench(sample_count = 10)]
fn parse(bencher: Bencher) {
    let text: String = keys().iter().map(|key| format!("- `{key}` => scope # why\n")).collect();
    bencher.bench(|| scope_map::parse(black_box(&text), MapKind::Path).entries.len());
}

#[divan::bench(sample_count = 10)]
fn near_miss(bencher: Bencher) {
    let table = table();
    let workspace = Workspace::new(Some("/srv/Team-41/app"), None, Machine::default());
    bencher.bench(|| table.near_miss(black_box(&workspace)).map(|miss| miss.row.line));
}

const PLACES: [&str; 5] = [
    "/srv/team-41/app-50000/part-50001/src/deep/below/it/and/on/and/on",
    "/srv/team-41/app-50000x/part",
    "C:/work/TEAM 31/App-50002/src",
    "/home/me/notes/3/99003/x",
    "/nowhere/at/all",
];

#[divan::bench(args = PLACES)]
fn lookup(bencher: Bencher, place: &str) {
    let table = table();
    let machine = Machine { current_dir: None, home: Some("/home/me") };
    let workspace = Workspace::new(Some(place), None, machine);
    bencher.bench(|| table.lookup(black_box(&workspace)).map(|found| found.row.line));
}

#[divan::bench(args = PLACES)]
fn lookup_from_text(bencher: Bencher, place: &str) {
    let table = table();
    let machine = Machine { current_dir: None, home: Some("/home/me") };
    bencher.bench(|| {
        let workspace = Workspace::new(Some(black_box(place)), None, machine);
        table.lookup(&workspace).map(|found| found.row.line)
    });
}
