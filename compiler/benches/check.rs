//! The phases of `check` one by one: where the time of a large configuration goes.

#[path = "../../benches/support/configs.rs"]
#[expect(dead_code, reason = "the root's benches use the rest")]
mod configs;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use kontext_compiler::diagnostic::Diagnostics;
use kontext_compiler::layer::{Loaded, load};
use kontext_compiler::merge::{Document, merge};
use kontext_compiler::parse::{Cell, parse};
use kontext_compiler::{Options, check, compile, config, diagnose, flow, layer, validate};
use kontext_plan::Profile;

fn main() {
    divan::main();
}

/// Adapters of ten templates each.
const SIZES: [usize; 2] = [100, 1_000];

/// A compilation up to the syntax trees.
struct Parsed {
    loaded: Loaded,
    document: Document,
    config: config::Config<Cell>,
}

fn loaded(text: &str) -> Loaded {
    load(&configs::world(text), Profile::Local, &mut Diagnostics::default())
}

fn merged(mut loaded: Loaded) -> (Loaded, Document) {
    let layers = std::mem::take(&mut loaded.layers);
    let document = merge(layers, &loaded.sources, &mut Diagnostics::default());
    (loaded, document)
}

fn parsed(text: &str) -> Parsed {
    let (loaded, document) = merged(loaded(text));
    let config = parse(&document, &loaded.sources, &mut Diagnostics::default());
    Parsed { loaded, document, config }
}

#[divan::bench(args = SIZES)]
fn toml_to_tree(bencher: Bencher<'_, '_>, count: usize) {
    let text = configs::adapters(count);
    let file = loaded(&text).sources.files().map(|(id, _)| id).next();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| file.map(|file| layer::parse(divan::black_box(&text), file, &mut Diagnostics::default())));
}

#[divan::bench(args = SIZES)]
fn merge_layers(bencher: Bencher<'_, '_>, count: usize) {
    let world = configs::layered(&configs::spread(count));
    bencher
        .counter(ItemsCount::new(count))
        .with_inputs(|| load(&world, Profile::Local, &mut Diagnostics::default()))
        .bench_values(merged);
}

#[divan::bench(args = SIZES)]
fn validate_fields(bencher: Bencher<'_, '_>, count: usize) {
    let (loaded, document) = merged(loaded(&configs::adapters(count)));
    bencher.counter(ItemsCount::new(count)).bench(|| {
        validate::validate(&document, &loaded.sources, false, &mut Diagnostics::default());
    });
}

#[divan::bench(args = SIZES)]
fn parse_strings(bencher: Bencher<'_, '_>, count: usize) {
    let (loaded, document) = merged(loaded(&configs::adapters(count)));
    bencher
        .counter(ItemsCount::new(count * configs::TEMPLATES))
        .bench(|| parse(&document, &loaded.sources, &mut Diagnostics::default()));
}

#[divan::bench(args = SIZES)]
fn check_types(bencher: Bencher<'_, '_>, count: usize) {
    let parsed = parsed(&configs::adapters(count));
    bencher
        .counter(ItemsCount::new(count * configs::TEMPLATES))
        .bench(|| check::check(&parsed.config, &check::Constants::default(), &mut Diagnostics::default()));
}

#[divan::bench(args = SIZES)]
fn follow_values(bencher: Bencher<'_, '_>, count: usize) {
    let Parsed { loaded, document, config } = parsed(&configs::adapters(count));
    let checked = check::check(&config, &check::Constants::default(), &mut Diagnostics::default());
    bencher.counter(ItemsCount::new(count)).bench(|| {
        flow::flow(&checked, &document, &loaded.sources, Profile::Local, &mut Diagnostics::default())
    });
}

#[divan::bench(args = SIZES)]
fn whole_check(bencher: Bencher<'_, '_>, count: usize) {
    let world = configs::world(&configs::adapters(count));
    bencher.counter(ItemsCount::new(count)).bench(|| diagnose(&world, &Options::default()));
}

#[divan::bench(args = SIZES)]
fn whole_compilation(bencher: Bencher<'_, '_>, count: usize) {
    let world = configs::world(&configs::adapters(count));
    bencher.counter(ItemsCount::new(count)).bench(|| compile(&world, &Options::default()));
}

#[divan::bench(args = SIZES)]
fn mistakes(bencher: Bencher<'_, '_>, count: usize) {
    let world = configs::world(&configs::mistakes(count));
    bencher.counter(ItemsCount::new(count)).bench(|| diagnose(&world, &Options::default()));
}
