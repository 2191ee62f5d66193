//! Whole processes: what a person waits for.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::configs;
use crate::measure::{Budget, Clock, Row, pair};
use crate::sandbox::Sandbox;

const MANY: usize = 101;
const FEW: usize = 9;

/// A command adapter whose op starts a program that does nothing.
const NOTHING: &str = "[adapters.nothing]\ndriver = \"command\"\n\
                       [adapters.nothing.ops.health]\ncommand = [\"true\"]\n";

/// The rows of processes.
///
/// # Errors
/// When there is no place for the files.
pub fn rows() -> std::io::Result<Vec<Row>> {
    let mut rows = vec![cold_check()?, megabyte()?, mistakes()?, run_nothing(NOTHING)?, run_beside_many()?];
    rows.extend(beside_taplo()?);
    Ok(rows)
}

/// The same files given to `taplo lint`; its program is named by `TAPLO`, or stands in the folder of `KONTEXT_TOOLS`.
fn beside_taplo() -> std::io::Result<Vec<Row>> {
    let named = std::env::var_os("TAPLO").map(PathBuf::from);
    let tools = || std::env::var_os("KONTEXT_TOOLS").map(|tools| PathBuf::from(tools).join("taplo"));
    let Some(taplo) = named.or_else(tools).filter(|path| path.exists()) else {
        println!("taplo is not measured: name its program in TAPLO (tests/tools/requirements.txt has it)");
        return Ok(Vec::new());
    };
    Ok(vec![
        against("`check` of 10 adapters, cold process", &configs::adapters(10), &taplo, MANY, 0.6)?,
        against("`check` of 1 MiB, cold process", &configs::of_size(1 << 20), &taplo, FEW, 0.2)?,
    ])
}

fn against(what: &str, text: &str, taplo: &Path, rounds: usize, times: f64) -> std::io::Result<Row> {
    let sandbox = Sandbox::new(text, "")?;
    let (ours, other) = pair(
        Clock::Wall,
        rounds,
        || {
            sandbox.kontext(&["check"]);
        },
        || {
            sandbox.other(taplo, &["lint", "--no-auto-config", ".kontext.toml"]);
        },
    );
    let other = Some(("`taplo lint` of the file", other));
    Ok(Row { what: what.to_owned(), ours, other, budget: Budget::Times(times) })
}

fn cold_check() -> std::io::Result<Row> {
    let sandbox = Sandbox::new(&configs::adapters(10), "")?;
    let (ours, other) = pair(
        Clock::Wall,
        MANY,
        || {
            sandbox.kontext(&["check"]);
        },
        || {
            sandbox.kontext(&["--version"]);
        },
    );
    Ok(Row {
        what: "`check` of 10 adapters, cold process".to_owned(),
        ours,
        other: Some(("`--version`", other)),
        // The fastest of the peers measured checks a small file in this time.
        budget: Budget::Below(Duration::from_millis(4)),
    })
}

fn megabyte() -> std::io::Result<Row> {
    let sandbox = Sandbox::new(&configs::of_size(1 << 20), "")?;
    let (ours, other) = pair(
        Clock::Wall,
        FEW,
        || {
            sandbox.kontext(&["check"]);
        },
        || {
            sandbox.kontext(&["--version"]);
        },
    );
    Ok(Row {
        what: "`check` of 1 MiB, cold process".to_owned(),
        ours,
        other: Some(("`--version`", other)),
        // The fastest of the peers measured takes this long for a megabyte.
        budget: Budget::Below(Duration::from_millis(112)),
    })
}

fn mistakes() -> std::io::Result<Row> {
    let (all, half) =
        (Sandbox::new(&configs::mistakes(100_000), "")?, Sandbox::new(&configs::mistakes(50_000), "")?);
    let (ours, other) = pair(
        Clock::Wall,
        3,
        || {
            all.kontext(&["check"]);
        },
        || {
            half.kontext(&["check"]);
        },
    );
    Ok(Row {
        what: "`check` that finds and shows 100,000 mistakes".to_owned(),
        ours,
        other: Some(("50,000", other)),
        budget: Budget::Times(2.2),
    })
}

fn run_nothing(user: &str) -> std::io::Result<Row> {
    let sandbox = Sandbox::new("", user)?;
    sandbox.kontext(&["build"]);
    let words = ["run", "op", "nothing.health"];
    assert_eq!(sandbox.kontext(&words), Some(0), "`run op` works");
    let (ours, other) = pair(
        Clock::Wall,
        MANY,
        || {
            sandbox.kontext(&words);
        },
        || {
            sandbox.bare("true");
        },
    );
    Ok(Row {
        what: "`run op` of a command that does nothing".to_owned(),
        ours,
        other: Some(("bare `true`", other)),
        budget: Budget::Above(Duration::from_millis(5)),
    })
}

fn run_beside_many() -> std::io::Result<Row> {
    let user = configs::adapters(1_000) + NOTHING;
    Ok(Row {
        what: "the same in a plan of 1,000 adapters more".to_owned(),
        budget: Budget::None,
        ..run_nothing(&user)?
    })
}
