//! Runs tests by name, a few at a time, as the usual harness does.

use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A test: its name, whether it is only run when asked for, and what it does.
pub type Test = (&'static str, bool, fn());

/// An async test, on a runtime of its own.
macro_rules! test {
    ($module:ident :: $name:ident) => {
        (concat!(stringify!($module), "::", stringify!($name)), false, || {
            $crate::harness::block_on($module::$name())
        })
    };
    (ignored $module:ident :: $name:ident) => {
        (concat!(stringify!($module), "::", stringify!($name)), true, || {
            $crate::harness::block_on($module::$name())
        })
    };
}
pub(crate) use test;

pub fn block_on(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

/// Runs the tests whose names hold one of the words.
pub fn run(words: &[String], tests: &[Test]) {
    let flag = |name: &str| words.iter().any(|word| word == name);
    let filters: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let wanted = |(name, ignored, _): &&Test| {
        let named = filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
        named && (flag("--include-ignored") || *ignored == flag("--ignored"))
    };
    let chosen: Vec<&Test> = tests.iter().filter(wanted).collect();
    if flag("--list") {
        chosen.iter().for_each(|(name, ..)| println!("{name}: test"));
        return;
    }
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some((name, _, test)) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let started = std::time::Instant::now();
                    let well = catch_unwind(test).is_ok();
                    let word = if well { "ok" } else { "FAILED" };
                    println!("test {name} ... {word} ({:.1} s)", started.elapsed().as_secs_f64());
                    if !well {
                        failed.lock().unwrap().push(*name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    println!("\n{} of {} tests passed", chosen.len() - failed.len(), chosen.len());
    if !failed.is_empty() {
        println!("failed: {failed:#?}");
        std::process::exit(101);
    }
}
