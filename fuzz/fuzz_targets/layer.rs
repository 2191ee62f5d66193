//! Any bytes as one layer: read, parsed and merged.

#![no_main]

use kontext_compiler::diagnostic::{Diagnostic, Diagnostics};
use kontext_compiler::world::MapWorld;
use kontext_compiler::{layer, merge};
use kontext_fuzz::{budget, grammar, oracle, render};
use kontext_plan::Profile;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    assert_eq!(read(data), read(data), "read twice, it differs");
    budget::linear(&grammar::text(data), |text| drop(read(text.as_bytes())));
});

/// Everything the layer gave, as text.
fn read(data: &[u8]) -> String {
    let world = MapWorld::default().with("clone:config.toml", data);
    let mut diagnostics = Diagnostics::default();
    let loaded = layer::load(&world, Profile::Local, &mut diagnostics);
    let broken = loaded.broken;
    let sources = loaded.sources;
    let sound = |span| assert_eq!(oracle::unsound(&sources, span), None);
    loaded.layers.iter().for_each(|layer| oracle::tree(&layer.root, &mut |span| sound(span)));
    let document = merge::merge(loaded.layers, &sources, &mut diagnostics);
    oracle::tree(&document.root, &mut |span| sound(span));
    let all: Vec<&Diagnostic> = diagnostics.list().iter().collect();
    assert!(broken <= diagnostics.has_errors(), "a broken layer without an error");
    all.iter().for_each(|finding| sound(finding.primary));
    let mut out = render::json(&sources, &[], &all);
    out.push_str(&render::human(&sources, &[], &all, true));
    out.push_str(&format!("{:?}", document.root));
    out
}
