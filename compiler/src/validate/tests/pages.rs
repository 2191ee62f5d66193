//! The pages of the diagnostics: each example makes its finding and no other, each mend makes none.

use crate::compile::{Options, compile};
use crate::diagnostic::lint;
use crate::world::MapWorld;

/// `severity: [id] "underlined"` of each finding of a block, with the text the finding's line expects.
fn findings(layer: &str, text: &str) -> Vec<(String, String, String)> {
    let world = MapWorld::default().with(layer, text);
    let compilation = compile(&world, &Options::default());
    compilation
        .diagnostics
        .iter()
        .map(|found| {
            let underlined = compilation.sources.text(found.primary).to_owned();
            let sources = &compilation.sources;
            let line = sources.file(found.primary.file).line(sources.start(found.primary).line);
            let head = format!("{}: [{}]", found.severity.as_str(), found.lint.id);
            (head, underlined, line.to_owned())
        })
        .collect()
}

/// The `toml` blocks of a page: the layer and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("```toml") {
        let (info, after) = after.split_once('\n').unwrap();
        let (text, after) = after.split_once("```").unwrap();
        let layer = info.trim().strip_prefix("path=").unwrap_or("clone:config.toml");
        blocks.push((layer.to_owned(), text.to_owned()));
        rest = after;
    }
    blocks
}

#[test]
fn examples_make_their_finding_and_mends_none() {
    let mut wrong = Vec::new();
    for lint in lint::ALL {
        let blocks = blocks(lint.page);
        let [example, mend] = blocks.as_slice() else { continue };
        let found = findings(&example.0, &example.1);
        let as_expected = matches!(found.as_slice(), [(head, underlined, line)] if line.contains(&format!("# {head}"))
            && (line.ends_with(&format!("\"{}\"", underlined.replace('\\', "\\\\").replace('"', "\\\""))) || line.ends_with(']')));
        if !as_expected {
            wrong.push(format!("{}: {found:?}", lint.id));
        }
        let after = findings(&mend.0, &mend.1);
        if !after.is_empty() {
            wrong.push(format!("{} mended: {after:?}", lint.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
